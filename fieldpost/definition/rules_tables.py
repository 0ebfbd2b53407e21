"""What must hold in the tables and dice that the `rules:` block of a game is read with."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from fractions import Fraction
from itertools import pairwise

from fieldpost.definition import results
from fieldpost.definition.model import BattlePlate, Dice, Game, Phase, Step, Table
from fieldpost.definition.reader import Reader
from fieldpost.definition.references import known, unique
from fieldpost.definition.rulesmodel import CombatRules, Toll

ODDS = re.compile(r"(\d+)\s*[:-]\s*(\d+)\+?")
FIGHT = ("combat", "overrun", "")
NO_PRICE = ("", "-", "\N{EN DASH}", "\N{EM DASH}", "no", "p", "x")
TWELFTHS = 12  # prices are counted in them
COUNTED = ("lose", "each", "retreat", "either")


def check_prices(reader: Reader, table: Table, mobilities: Collection[str]) -> None:
    """Each price in a column of a class that moves is a number of points."""
    for index, column in enumerate(table.columns):
        for row in table.rows if column.partition("@")[0] in mobilities else ():
            if index < len(row.cells) and not is_price(row.cells[index]):
                message = f"{row.cells[index]!r} is no price"
                reader.fault(row, ("cells", index), message, "2, 1/2, +1 (of a hexside), no or -")


def is_price(cell: str) -> bool:
    text = cell.strip().lower()
    return text in NO_PRICE or is_in_twelfths(text.removeprefix("+"))


def is_in_twelfths(text: str) -> bool:
    try:
        return (Fraction(text) * TWELFTHS).denominator == 1
    except (ValueError, ZeroDivisionError):
        return False


def check_results(reader: Reader, game: Game, combat: CombatRules, table: Table) -> None:
    """The table of results, the dice it is for, and what stands beyond its ends."""
    _check_readings(reader, combat, table)
    _check_columns(reader, table)
    rows = [int(row.id) for row in table.rows if row.id.lstrip("-").isdigit()]
    if len(rows) < len(table.rows) or any(b != a + 1 for a, b in pairwise(rows)):
        reader.fault(table, ("rows",), "the rows are no dice", "a row for each, such as 1 to 6")
    else:
        _check_dice(reader, game, combat, table, rows)
    for row in table.rows:
        for index, cell in enumerate(row.cells):
            if results.tolls_of(combat, cell) is None:
                reader.fault(row, ("cells", index), *_unread(cell))
    if game.battle_plate is not None:
        _check_plate(reader, game, combat, table, game.battle_plate)


def _unread(cell: str) -> tuple[str, str]:
    message = f"the referee cannot read the result {cell!r}"
    return message, f"{results.FORMS}; or tell it under results: of combat"


def _check_readings(reader: Reader, combat: CombatRules, table: Table) -> None:
    """What `results:` of combat says of the cells."""
    unique(reader, combat.results, lambda rule: rule.cell.strip().lower(), "the result")
    for rule in combat.results:
        known(reader, rule, ("cell",), rule.cell, sorted(set(table.cells)), f"result in {table.id}")
        for side in ("attacker", "defender"):
            for message in _contradictions(getattr(rule, side)):
                reader.fault(
                    rule, (side,), message, "all, each, either or exchange alone; or lose and retreat"
                )
        if rule.attacker.exchange and rule.defender.exchange:
            reader.fault(rule, (), "each side is to lose what the other has lost", "exchange of one side")


def _contradictions(toll: Toll) -> Iterator[str]:
    alone = [toll.all, toll.exchange, toll.each, toll.either, toll.lose or toll.retreat]
    if sum(map(bool, alone)) > 1:
        yield "these cannot be asked together"
    if any(getattr(toll, name) < 0 for name in COUNTED):
        yield "a number below 0 cannot be asked"


def _check_columns(reader: Reader, table: Table) -> None:
    odds = [ODDS.fullmatch(column.strip()) for column in table.columns]
    ratios = [_ratio(found) for found in odds]
    ascending = all(a is not None and b is not None and a < b for a, b in pairwise(ratios))
    if None in ratios or not ascending:
        what = "a column is no odds" if None in ratios else "the odds do not rise from column to column"
        reader.fault(table, ("columns",), what, "1:2, 1:1, 2:1 ..., from the lowest on")


def _ratio(found: re.Match[str] | None) -> Fraction | None:
    return Fraction(int(found[1]), int(found[2])) if found is not None and int(found[2]) else None


def _check_dice(reader: Reader, game: Game, combat: CombatRules, table: Table, rows: Sequence[int]) -> None:
    dice = [die for die in game.dice if not set(FIGHT).isdisjoint(map(str.lower, die.reasons))]
    if not dice and len(game.dice) > 1:
        reader.fault(combat, (), "no dice are rolled for combat", "reasons: [combat] of one of the dice")
    for die in (dice or game.dice)[:1]:
        missing = [str(number) for number in _shown_by(die) if number not in rows]
        if missing:
            message = f"{die.name} ({die.id}) can show {missing[0]}, and {table.id} has no row for it"
            reader.fault(table, ("rows",), message, f"rows {die.count} to {die.count * die.sides}")


def _shown_by(die: Dice) -> Iterable[int]:
    return range(die.count, die.count * die.sides + 1)


def _check_plate(reader: Reader, game: Game, combat: CombatRules, table: Table, plate: BattlePlate) -> None:
    for name in ("below", "above"):
        cell = getattr(plate, name)
        if cell is not None and results.tolls_of(combat, cell) is None:
            reader.fault(plate, (name,), *_unread(cell))
    rows = game.table.get(plate.rows or "")
    if rows is None:
        return
    if rows.columns != table.columns:
        reader.fault(rows, ("columns",), f"other columns than {table.id}", ", ".join(table.columns))
    kinds = [kind.id for kind in (*game.map.terrain_kinds, *game.map.place_kinds)]
    for row in rows.rows if kinds else ():
        known(reader, row, ("id",), row.id, kinds, "terrain or kind of place")
        for index, cell in enumerate(row.cells):
            if cell.strip() not in ("", "-") and not ODDS.fullmatch(cell.strip()):
                reader.fault(row, ("cells", index), f"{cell!r} is no odds", "2:1, or - where there are none")


VERBS = (
    *("move", "attack", "overrun", "retreat", "step-loss", "recover", "rebuild", "withdraw"),
    *("place-reinforcement", "marker", "set-supply", "draw"),
)
ALIKE = 0.85


def check_verbs(reader: Reader, game: Game, modes: Iterable[str]) -> None:
    """Other words of `may` are declarations; one that is almost a word of the referee's is a slip."""
    words = [*VERBS, *(f"{mode}-move" for mode in modes)]
    declared = {declaration.id for declaration in game.words.declarations}
    owners: list[Phase | Step] = [*game.sequence, *(s for phase in game.sequence for s in phase.steps)]
    for owner in owners:
        for index, verb in enumerate(owner.may):
            meant = get_close_matches(verb, words, 1, ALIKE)
            if meant and verb not in {*words, *declared}:
                expected = f"{meant[0]}; or {verb} under words: declarations:"
                reader.fault(owner, ("may", index), f"{verb!r} would be a declaration", expected, meant[0])
