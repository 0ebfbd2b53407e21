"""Games played at random with the writers, on the demo module."""

from __future__ import annotations

from random import Random

from fieldpost.vassal.module import Module
from fieldpost.vassal.writer import LogBuilder
from tests import oracle_files
from tests.fieldpost.vassal import sample_game

HEXES = [Module.read(oracle_files.MODULE).pixel("Main Map", f"{n:02d}{n % 3 + 2:02d}") for n in range(1, 9)]


def random_play(random: Random, count: int) -> LogBuilder:
    """Moves onto and off stacks, flips, cards, births and deaths, undos; few hexes, so that stacks form."""
    log = LogBuilder.of(sample_game.position())
    for number in range(count):
        random.choice(PLAYS)(log, random, number)
    return log


def _unit(log: LogBuilder, random: Random) -> str | None:
    units = [piece.id for piece in log.table.pieces.values() if piece.place.map == sample_game.MAIN]
    return random.choice(units) if units else None


def _move(log: LogBuilder, random: Random, _: int) -> None:
    moving = _unit(log, random)
    target = random.choice(HEXES)
    piece = log.table.piece(moving or "")
    if piece is None or (piece.place.x, piece.place.y) == target:
        return
    together = piece.parent.members if piece.parent and random.random() < 0.5 else (piece.id,)
    log.move(together, sample_game.MAIN, *target)


def _regret(log: LogBuilder, random: Random, number: int) -> None:
    before = len(log.table.chat)
    _move(log, random, number)
    if len(log.table.chat) > before:
        log.undo()


def _flip(log: LogBuilder, random: Random, _: int) -> None:
    flipped = _unit(log, random)
    if flipped:
        log.level(flipped, "Step", random.choice([1, 2]))


def _tire(log: LogBuilder, random: Random, number: int) -> None:
    tired = _unit(log, random)
    if tired:
        log.set_state(tired, "PROP;", str(number % 5), "Fatigue")


def _create(log: LogBuilder, random: Random, number: int) -> None:
    side, gpid = random.choice([("Blue", "8"), ("Red", "10")])
    design = sample_game.unit(f"New {number}; / \\ 'n'", side, gpid)
    log.create(f"n{number}", design, sample_game.MAIN, *random.choice(HEXES))


def _delete(log: LogBuilder, random: Random, _: int) -> None:
    dead = _unit(log, random)
    if dead and len(log.table.pieces) > 12:
        log.delete(dead)


def _reorder(log: LogBuilder, random: Random, _: int) -> None:
    stacks = [stack for stack in log.table.stacks.values() if len(stack.contents) > 1]
    if stacks:
        stack = random.choice(stacks)
        log.reorder(stack.id, random.sample(stack.members, len(stack.members)))


def _cards(log: LogBuilder, random: Random, _: int) -> None:
    deck = log.table.decks["deck"]
    if deck.contents and random.random() < 0.5:
        log.draw("deck", sample_game.CARDS, 300 + random.choice([0, 40]), 150)
        return
    drawn = [
        piece.id
        for piece in log.table.pieces.values()
        if piece.place.map == sample_game.CARDS and piece.parent not in log.table.decks.values()
    ]
    if drawn:
        log.discard(random.choice(drawn), random.choice(["deck", "discards"]))


def _talk(log: LogBuilder, random: Random, number: int) -> None:
    log.say(
        "Blue player", random.choice(["a; b, c / d", "it's \\ 'quoted'", "<b>bold</b>", f"Zug {number} – ü"])
    )


PLAYS = [_move, _move, _move, _move, _regret, _flip, _tire, _create, _delete, _reorder, _cards, _cards, _talk]
