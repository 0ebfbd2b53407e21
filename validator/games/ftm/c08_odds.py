"""Chapters 8.1 to 8.4, 13 and 14.1: a battle worked out, and which mistake a player's reckoning fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from fieldpost.hexes import Hex, distance
from validator.core.battle import all_across
from validator.core.odds import Shift
from validator.core.results import Grammar, Modifier, Pays, Phrase
from validator.core.strength import HALF, Change, Fighter
from validator.games.ftm.book import AXIS, RULES, SNOW, SOVIET
from validator.games.ftm.c14_air import AIR, used_generals
from validator.games.ftm.field import ICE, field_of
from validator.games.ftm.state import Battle, Case
from validator.model.position import Unit
from validator.procedures import reckoning, strengthchits
from validator.procedures.battlebook import units_of
from validator.procedures.field import printed
from validator.procedures.reckoning import Mistake, Reckoning, Sum
from validator.procedures.supplymarks import lack_of_supply, out_of_supply

ATTACK, DEFENSE = "attack", "defense"
SUPPORT, GUN, GENERAL, WEATHER, TERRAIN = "offensive-support", "rail-gun", "general", "snow", "terrain"
MINOR, MAJOR = ("minor-river", ICE), ("major-river", "strait")
PLUS_TWO, DOUBLED = Change("ftm-8.4.1", "minor river", plus=2), Change("ftm-8.4.1", "major river", 2)
GRAMMAR = Grammar(
    (
        Phrase("AE", attacker=(Pays.ALL, 0, 0)),
        Phrase("DE", defender=(Pays.ALL, 0, 0)),
        Phrase(r"A(?P<n>\d)", attacker=(Pays.EITHER, "n", 0)),
        Phrase(r"D(?P<n>\d)", defender=(Pays.EITHER, "n", 0)),
        Phrase(r"(?P<a>\d)/(?P<d>\d)", (Pays.STEPS, "a", 0), (Pays.STEPS, "d", 0), "attacker"),
        Phrase(r"-|none|no effect"),
    )
)
HALVED = Change("ftm-9.5", "lack or out of supply", HALF)


# --- strengths (8.1, 9.5) --------------------------------------------------------------------------


def fighter(case: Case, unit: Unit, factor: str) -> Fighter | None:
    """Out of Supply halves both factors, Lack of Supply the attack; None without a strength chit."""
    drawn = unit.has("draws-strength")
    value = strengthchits.strength_of(case, unit, factor) if drawn else printed(unit, factor)
    if value is None:
        return None
    halved = out_of_supply(unit) or (lack_of_supply(unit) and factor == ATTACK)
    return Fighter(unit.id, Fraction(value), (HALVED,) if halved else ())


def attack_zero(case: Case, unit: Unit) -> bool:
    """8.3.8; a unit whose strength is not drawn yet may attack."""
    found = fighter(case, unit, ATTACK)
    return found is not None and found.printed == 0


def sum_of(case: Case, battle: Battle) -> Sum | None:
    """None if a strength is not known, or nobody is there to fight."""
    sound = [n for n in battle.attacker.steps if n not in battle.attacker.doubtful] or battle.attacker.steps
    attack = [fighter(case, unit, ATTACK) for unit in units_of(case, sound)]
    defense = [fighter(case, unit, DEFENSE) for unit in units_of(case, battle.defender.steps)]
    if not attack or not defense or None in (*attack, *defense):
        return None
    return Sum(
        tuple(f for f in attack if f),
        tuple(f for f in defense if f),
        tuple(_rivers(case, battle)),
        tuple(_shifts(case, battle)),
        tuple(_modifiers(case, battle)),
    )


def _rivers(case: Case, battle: Battle) -> Iterator[Change]:
    """8.4.1: only if every attacker comes across a river; a major one doubles."""
    board, stood = field_of(case).board, list(battle.attacker.stood.values())
    if all_across(board, stood, battle.targets, (*MINOR, *MAJOR)):
        pairs = [(a, t) for a in stood for t in battle.targets if board.are_adjacent(a, t)]
        major = any(set(board.side_of(a, t)) & set(MAJOR) for a, t in pairs)
        yield DOUBLED if major else PLUS_TWO


def _shifts(case: Case, battle: Battle) -> Iterator[Shift]:
    """Terrain to the left (8.4), an air unit two to the right (14.1)."""
    left = max((terrain_shift(case, h) for h in battle.targets), default=0)
    if left:
        yield Shift(TERRAIN, "terrain", -left)
    if AIR in battle.support:
        yield Shift(AIR, "air support", 2)


def terrain_shift(case: Case, hex_id: int) -> int:
    board, table = field_of(case).board, case.game.table["terrain-effects"]
    row = "city" if board.has_place(hex_id, "city") else board.terrain[hex_id]
    column = "combat-snow" if case.season == SNOW else "combat"
    cell = table.cell(row, column)
    return int(cell[:-1]) if cell.endswith("L") else 0


def _modifiers(case: Case, battle: Battle) -> Iterator[Modifier]:
    side = battle.attacker.side
    targets = [field_of(case).board.hexes[h] for h in battle.targets]
    number = len(supporters(case, "offensive-support", targets)) if side == SOVIET else 0
    if number:
        each = case.option("support-sum") == "each"
        yield Modifier(SUPPORT, "offensive support", 3 * (number if each else 1))
    if GUN in battle.support:
        yield Modifier(GUN, "railroad gun", 4)
    if case.season == SNOW:
        yield Modifier(WEATHER, "snow", 1 if side == SOVIET else -1)
    generals = sum(len(list(generals_of(unit, case))) for unit in units_of(case, battle.attacker.steps))
    if GENERAL in battle.support and generals:
        yield Modifier(GENERAL, "general", generals)


def generals_of(unit: Unit, case: Case) -> Iterable[str]:
    """Generals with a unit that are not used."""
    used = set(used_generals(case, unit.marks.items()))
    return (m for m in unit.marks if case.game.marker[m].kind == GENERAL and m not in used)


def supporters(case: Case, trait: str, targets: Sequence[Hex]) -> list[Unit]:
    """Units with a trait that have every target in their range."""
    return [
        unit
        for unit in case.position.on_map()
        if unit.has(trait)
        and all(distance(unit.hex, t) <= int(unit.type.values["support-range"]) for t in targets)
    ]


def automatic(case: Case, battle: Battle, sum_: Sum) -> str | None:
    """7.1: an overrun below 1:3 is A2 without a die."""
    odds = reckoning.ratio(sum_)
    return "A2" if battle.overrun and odds is not None and odds < Fraction(1, 3) else None


# --- which mistake it was ---------------------------------------------------------------------------


def mistakes(case: Case, battle: Battle, sum_: Sum) -> Iterator[Mistake]:
    """Sums with one thing wrong, each with the rule that it breaks, the likeliest first."""
    yield from _of_die(case, battle, sum_)
    yield from _of_shifts(battle, sum_)
    for side in (ATTACK, DEFENSE):
        for rule, fighters in reckoning.unhalved(getattr(sum_, side)):
            yield rule, Sum(**{**vars(sum_), side: fighters})
    for ground in ((), (PLUS_TWO,), (DOUBLED,)):
        yield "ftm-8.4.1", replace(sum_, ground=ground)
    yield "ftm-8.1a", replace(sum_, upward=True)
    for some in reckoning.left_out(sum_.defense):
        yield "ftm-8.3.3", replace(sum_, defense=some)
    for part in reckoning.in_part(sum_.attack):
        yield "ftm-8.3.5", replace(sum_, attack=part)


def _of_die(case: Case, battle: Battle, sum_: Sum) -> Iterator[Mistake]:
    if sum_.value(SUPPORT):
        yield "ftm-13.0", sum_.without_modifier(SUPPORT)
        six = replace(sum_.without_modifier(SUPPORT), modifiers=(Modifier(SUPPORT, SUPPORT, 6),))
        yield "ftm-13.0", six
    elif battle.attacker.side == SOVIET:
        yield "ftm-13.0", replace(sum_, modifiers=(*sum_.modifiers, Modifier(SUPPORT, SUPPORT, 3)))
    for modifier in sum_.modifiers:
        yield "ftm-8.2.1", sum_.without_modifier(modifier.key)


def _of_shifts(battle: Battle, sum_: Sum) -> Iterator[Mistake]:
    if sum_.columns(AIR):
        yield "ftm-14.1a", sum_.without_shift(AIR)
        yield "ftm-14.1a", replace(sum_, shifts=(*sum_.without_shift(AIR).shifts, Shift(AIR, AIR, 1)))
    for left in range(4):
        plain = sum_.without_shift(TERRAIN)
        yield "ftm-8.4a", replace(plain, shifts=(*plain.shifts, Shift(TERRAIN, TERRAIN, -left)))
    if battle.attacker.side == AXIS and not sum_.columns(AIR):
        yield "ftm-14.1a", replace(sum_, shifts=(*sum_.shifts, Shift(AIR, AIR, 2)))


OTHERS = ("ftm-8.1a", "ftm-8.2.1", "ftm-8.3.3", "ftm-8.3.5", "ftm-8.4a", "ftm-8.4.1", "ftm-9.5", "ftm-13.0")
RECKONING = Reckoning(
    field_of=field_of,
    table="combat-results",
    grammar=GRAMMAR,
    low=1,
    high=9,
    sum_of=sum_of,
    mistakes=mistakes,
    automatic=automatic,
    odds="ftm-8.1d",
    die="ftm-8.1d",
    undeclared="ftm-8.0",
    no_die="ftm-7.1b",
    others=(*OTHERS, "ftm-14.1a"),
)
reckoning.register(RULES, RECKONING)
