"""A game as the logs that players mail each other, and what the referee says of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from builder.module.boards import Board
from players.faults import Fault, accused, meant
from players.game import Played, player_of
from players.logs import LogWriter, plain_board
from players.table import game_of
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.interpret import interpret
from validator.interpret.reader import Reading
from validator.model import position as positions
from validator.model.events import Event, PhaseBegan


@dataclass(frozen=True)
class Mail:
    name: str
    events: tuple[Event, ...]


def mails(game: str, events: list[Event]) -> Iterator[Mail]:
    """A game cut where the other player goes on; that step is still in the log."""
    handed_over = player_of(game).handed_over
    part: list[Event] = []
    number, turn = 0, 0
    for event in events:
        part.append(event)
        if not isinstance(event, PhaseBegan):
            continue
        turn = turn or event.turn
        after, sender = handed_over[number % len(handed_over)]
        if event.phase == after and len(part) > 1:
            number += 1
            yield Mail(f"{number}-turn-{turn}-{sender}", tuple(part))
            part, turn = [], event.turn
    yield Mail(f"{number + 1}-turn-{turn}-{handed_over[number % len(handed_over)][1]}", tuple(part))


def written(
    game_id: str, scenario_id: str, events: list[Event], board: Board | None = None
) -> Iterator[tuple[Mail, bytes]]:
    """The logs of a game; each begins with the position that the one before ended in."""
    writer = _writer(game_id, scenario_id, board)
    for mail in mails(game_id, events):
        writer.write(mail.events)
        yield mail, writer.cut()


def readings(game_id: str, scenario_id: str, events: list[Event]) -> Iterator[Reading]:
    """What is read of each log."""
    game = game_of(game_id)
    writer = _writer(game_id, scenario_id, None)
    for mail in mails(game_id, events):
        writer.write(mail.events)
        yield interpret(writer.log(), game, game.scenario[scenario_id])
        writer.cut()


def _writer(game_id: str, scenario_id: str, board: Board | None) -> LogWriter:
    game = game_of(game_id)
    scenario = game.scenario[scenario_id]
    return LogWriter(board or plain_board(game, scenario), game, scenario)


def parts(game_id: str, scenario_id: str, events: list[Event]) -> Iterator[Reading]:
    """As `readings`, without writing the logs: but for the first they begin with what counters show."""
    game = game_of(game_id)
    position = positions.start(game, game.scenario[scenario_id])
    for number, mail in enumerate(mails(game_id, events)):
        start = position.copy()
        if number:
            start.partial, start.control = True, {}
        yield Reading(start, list(mail.events))
        for event in mail.events:
            position.apply(event)


def said_of_logs(game: str, scenario: str, events: list[Event]) -> list[tuple[str, str]]:
    """What is called illegal in the logs one after the other, each read by itself."""
    return said_of_each(game, scenario, list(readings(game, scenario, events)))


def said_of_each(game: str, scenario: str, read: list[Reading]) -> list[tuple[str, str]]:
    return [said for reading in read for said in said_in_a_row(game, scenario, [reading])]


def said_of_chain(played: Played) -> list[tuple[str, str]]:
    """What is called illegal by a referee who reads all logs of a game, the one after the other."""
    return said_in_a_row(played.game, played.scenario, readings(played.game, played.scenario, played.events))


def said_in_a_row(game: str, scenario: str, read: Iterable[Reading]) -> list[tuple[str, str]]:
    """By one referee. A log that ends with a step to the next phase leaves that phase to the next log."""
    referee: Referee | None = None
    stepped = False
    for reading in read:
        referee = referee or referee_of(game, scenario, reading)
        referee.feed(reading.events)
        stepped = isinstance(reading.events[-1], PhaseBegan)
    assert referee is not None
    if not stepped:
        referee.close()
    return [(meant(f), f.fault.message) for f in accused(referee.findings)]


def said_alone(played: Played, spoiled: Fault) -> set[str]:
    """The rules that a fault breaks by a referee who has but the log it is in, until its phase is over."""
    at = 0
    for reading in parts(played.game, played.scenario, played.events):
        if at + len(reading.events) > spoiled.at:
            break
        at += len(reading.events)
    referee = referee_of(played.game, played.scenario, reading)
    referee.feed(played.events[at : spoiled.at])
    known = len(referee.findings)
    referee.feed(spoiled.inserted)
    for event in played.events[spoiled.at + spoiled.removed :]:
        referee.judge(event)
        if isinstance(event, PhaseBegan):
            break
    return {meant(finding) for finding in accused(referee.findings[known:])}


def referee_of(game_id: str, scenario_id: str, reading: Reading) -> Referee:
    game, rules = game_of(game_id), rulebook.load(game_id)
    assert rules is not None
    return Referee(game, game.scenario[scenario_id], rules, {}, None, reading.start.copy())
