"""At what a unit hits in a battle: its printed value, weather, terrain, want of supply (5, 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from validator.core.board import HexId
from validator.games.wie.book import AXIS, MUD, SNOW, SOVIET
from validator.games.wie.c07_weather import kindest, weather_of
from validator.games.wie.field import MARSH, MOUNTAIN, RIVER, STRAIT, Field
from validator.games.wie.lines import counter_offensive, in_red_city, is_out
from validator.games.wie.state import Case
from validator.games.wie.units import (
    ARMOR,
    CLASS_1,
    CLASS_2,
    PARTISAN,
    is_air,
    light_grey,
    printed_move,
    value,
)
from validator.model.position import Unit
from validator.procedures.field import printed
from validator.procedures.rounds import Engagement

PARTISAN_DEFENSE, HEAVY_GUN_DEFENSE = 2, 5
CITY_HELP, RIVER_HELP, STRAIT_HELP, MARSH_HELP, MOUNTAIN_HELP = 2, 1, 2, 2, 3
MARSH_HARM = -2
FROM_GROUND, FROM_AIR = "a gun or a tank", "a plane"
HELPED_BY = {CLASS_1: FROM_GROUND, ARMOR: FROM_AIR}
"""Whose +1 an attacker may have, by its trait."""


@dataclass(frozen=True)
class Change:
    """What changes a value, by which rule and how much; `sure` if every reading of the rules has it."""

    rule: str
    what: str
    by: int
    sure: bool = True


@dataclass(frozen=True)
class Worth:
    """The values a unit may fire at without help, and what was surely added."""

    printed: int
    values: frozenset[int]
    parts: tuple[Change, ...] = ()

    @property
    def text(self) -> str:
        return ", ".join([f"{self.printed} printed", *(f"{part.what} {part.by:+d}" for part in self.parts)])

    def needs_help(self, value: int) -> bool:
        """Whether it may fire at a value with the +1 of a supporter alone."""
        return value not in self.values and value - 1 in self.values


TERRAIN = {
    RIVER: Change("wie-ter.2", "river", RIVER_HELP),
    STRAIT: Change("wie-ter.4", "strait", STRAIT_HELP),
    MARSH: Change("wie-ter.5", "marsh", MARSH_HELP),
    MOUNTAIN: Change("wie-ter.6", "mountain", MOUNTAIN_HELP),
}
"""What helps a defense on the hexsides that attackers come over."""


def help_of(unit: Unit) -> str:
    """Whose help an attacker may have; empty for those whom nobody helps."""
    return next((helper for trait, helper in HELPED_BY.items() if unit.has(trait)), "")


def dice_of(unit: Unit, *, attacking: bool) -> int:
    """Bombers and rail guns roll twice, when they attack."""
    return value(unit, "dice", 1) if attacking else 1


def with_or_without(values: Iterable[int], changes: Iterable[int]) -> frozenset[int]:
    """All sums of values and changes that may count or not."""
    sums = frozenset(values)
    for by in changes:
        sums |= {value + by for value in sums}
    return sums


# --- attack -------------------------------------------------------------------------------------------------


def attack_worth(case: Case, field: Field, battle: Engagement, unit: Unit) -> Worth:
    base = printed(unit, "attack")
    changes = [change for holds, change in _changes_of_attack(case, field, battle, unit) if holds]
    sure = tuple(change for change in changes if change.sure)
    maybe = [change.by for change in changes if not change.sure]
    total = base + sum(change.by for change in sure)
    return Worth(base, with_or_without({total}, maybe), sure)


def _changes_of_attack(
    case: Case, field: Field, battle: Engagement, unit: Unit
) -> list[tuple[object, Change]]:
    weather, unknown = kindest(case), weather_of(case) is None
    mud = weather == MUD and not counter_offensive(case, unit.side)
    snow = weather == SNOW and unit.side == SOVIET
    armor, air, grey = unit.has(ARMOR), is_air(unit), light_grey(unit)
    grenadiers = unit.has(CLASS_1) and printed_move(unit) > 2 and not armor
    here = battle.attacker.stood.get(unit.id)
    marsh = unit.has(CLASS_2) and MARSH in field.sides(here, battle.target)
    surprise = surprised(case, unit)
    return [
        (mud and armor, Change("wie-wx.5", "mud", -1)),
        (mud and grenadiers, Change("wie-wx.5", "mud", -1, sure=False)),
        (snow, Change("wie-wx.5", "snow", 1, sure=not air)),
        (marsh, Change("wie-ter.5", "marsh", MARSH_HARM, sure=armor)),
        (surprise, Change("wie-opt.2", "surprise", 1, sure=not grey)),
        (_led(case, battle, unit), Change("wie-opt.1", "led", 1, sure=False)),
        (unknown, Change("wie-wx.5", "weather", -1, sure=False)),
        (unknown and unit.side == SOVIET, Change("wie-wx.5", "weather", 1, sure=False)),
    ]


def surprised(case: Case, unit: Unit) -> bool:
    """Germans of turn 1 attack at +1, by option (8)."""
    return unit.side == AXIS and case.turn == 1 and case.option("surprise") == "yes"


def may_be_added(case: Case, unit: Unit) -> set[int]:
    """To attacks outside the rounds, of which the text says nothing: in snow for Soviets, by surprise."""
    snow = unit.side == SOVIET and weather_of(case) in (SNOW, None)
    return {0, 1} if snow or surprised(case, unit) else {0}


def _led(case: Case, battle: Engagement, unit: Unit) -> bool:
    """A headquarters leads this battle, or one of the new course of the war its side, by option."""
    led = case.option("modified-hq") == "yes" and case.in_turn.led == f"{battle.number}"
    fresh = unit.side == AXIS and case.option("assassination") == "yes" and case.in_game.assassinated
    return led or bool(fresh)


# --- defense ------------------------------------------------------------------------------------------------


def printed_defense(case: Case, unit: Unit) -> int:
    if unit.has("heavy-guns") and case.option("heavy-artillery") == "text":
        return HEAVY_GUN_DEFENSE
    return PARTISAN_DEFENSE if unit.has(PARTISAN) else printed(unit, "defense")


def defense_worth(case: Case, field: Field, battle: Engagement, unit: Unit) -> Worth:
    base = printed_defense(case, unit)
    if is_air(unit):
        other = [value(unit, key, base) for key in ("air-defense", "air-attack")]
        return Worth(base, frozenset({base, printed(unit, "attack"), *other}))
    helps = list(terrain_helps(case, field, battle, unit))
    best = sorted((change for change in helps if change.sure), key=lambda change: -change.by)[:1]
    least = sum(change.by for change in best)
    most = {least, *(change.by for change in helps if change.by > least)}
    if unit.has(PARTISAN):
        most.add(0)  # they "defend at two": whether a city helps them is not said
    if is_out(case, unit) and not in_red_city(field, unit):
        best.insert(0, Change("wie-sup.3", "without supply, halved", base // 2 - base))
        values = {halved for by in most for halved in (base // 2 + by, (base + by) // 2)}
    else:
        values = {base + by for by in most}
    led = [1] if _led(case, battle, unit) else []
    return Worth(base, with_or_without(values, led), tuple(best))


def terrain_helps(case: Case, field: Field, battle: Engagement, unit: Unit) -> Iterator[Change]:
    """What terrain adds to a defense; doubtful where not all attackers come over it.

    Those of other battles for the hex attack it too: whether they count here is not said.
    """
    if field.red(battle.target):
        yield Change("wie-ter.1", "red city", CITY_HELP)
    here = _from_beside(field, [battle])
    there = _from_beside(field, [b for b in case.in_phase.battles if b.target == battle.target])
    sides = [field.sides(start, battle.target) for start in here]
    landed = any(name in case.in_turn.by(battle.attacker.side).dropped for name in battle.attacker.stood)
    beside = [field.sides(start, battle.target) for start in there - here]
    for kind, change in TERRAIN.items():
        over = sum(kind in side for side in sides)
        all_over = over == len(sides)
        counts = (kind != RIVER or all_over) and (kind != MARSH or unit.has(CLASS_1))
        if over and counts:
            yield replace(change, sure=all_over and not landed and all(kind in side for side in beside))


def _from_beside(field: Field, battles: list[Engagement]) -> set[HexId]:
    """The hexes that units on the ground attack from."""
    stood = [(name, start, b.target) for b in battles for name, start in b.attacker.stood.items()]
    units = field.position.units
    return {start for name, start, target in stood if start != target and not is_air(units[name])}
