"""At what a unit hits in a battle: its printed value, weather, terrain, want of supply (5, 7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Worth:
    """The values a unit may fire at without help, and what was added by which rule."""

    printed: int
    values: frozenset[int]
    parts: tuple[tuple[str, str, int], ...] = ()  # rule, what, by how much
    doubtful: bool = False

    @property
    def text(self) -> str:
        said = [f"{self.printed} printed", *(f"{what} {by:+d}" for _, what, by in self.parts)]
        return ", ".join(said)


def dice_of(unit: Unit, *, attacking: bool) -> int:
    """Bombers and rail guns roll twice, when they attack."""
    return value(unit, "dice", 1) if attacking else 1


def attack_worth(case: Case, field: Field, battle: Engagement, unit: Unit) -> Worth:
    base, weather = printed(unit, "attack"), kindest(case)
    sure: list[tuple[str, str, int]] = []
    maybe: set[int] = {0}
    waived = counter_offensive(case, unit.side)
    if weather == MUD and not waived:
        if unit.has(ARMOR):
            sure.append(("wie-wx.5", "mud", -1))
        elif unit.has(CLASS_1) and printed_move(unit) > 2:
            maybe.add(-1)
    if weather == SNOW and unit.side == SOVIET:
        if is_air(unit):
            maybe.add(1)
        else:
            sure.append(("wie-wx.5", "snow", 1))
    here = battle.attacker.stood.get(unit.id)
    across = _sides(field, here, battle.target)
    if MARSH in across and unit.has(CLASS_2):
        if unit.has(ARMOR):
            sure.append(("wie-ter.5", "marsh", MARSH_HARM))
        else:
            maybe.add(MARSH_HARM)
    if surprised(case, unit) and light_grey(unit):
        maybe |= {by + 1 for by in maybe}
    elif surprised(case, unit):
        sure.append(("wie-opt.2", "surprise", 1))
    maybe = _led(case, battle, unit, maybe)
    total = base + sum(by for _, _, by in sure)
    if weather_of(case) is None:
        maybe |= {-1, 1}
    return Worth(base, frozenset(total + by for by in maybe), tuple(sure))


def surprised(case: Case, unit: Unit) -> bool:
    """Germans of turn 1 attack at +1, by option (8)."""
    return unit.side == AXIS and case.turn == 1 and case.option("surprise") == "yes"


def may_be_added(case: Case, unit: Unit) -> set[int]:
    """To attacks outside the rounds, of which the text says nothing: in snow for Soviets, by surprise."""
    snow = unit.side == SOVIET and weather_of(case) in (SNOW, None)
    return {0, 1} if snow or surprised(case, unit) else {0}


def _led(case: Case, battle: Engagement, unit: Unit, maybe: set[int]) -> set[int]:
    """A headquarters that leads this battle, or one of the new course of the war, by option."""
    led = case.option("modified-hq") == "yes" and case.in_turn.led == f"{battle.number}"
    fresh = unit.side == AXIS and case.option("assassination") == "yes" and case.in_game.assassinated
    return maybe | {by + 1 for by in maybe} if led or fresh else maybe


def _sides(field: Field, start: HexId | None, end: HexId) -> tuple[str, ...]:
    return field.board.side_of(start, end) if start is not None and field.board.step(start, end) >= 0 else ()


def defense_worth(case: Case, field: Field, battle: Engagement, unit: Unit) -> Worth:
    base = PARTISAN_DEFENSE if unit.has(PARTISAN) else printed(unit, "defense")
    if unit.has("heavy-guns") and case.option("heavy-artillery") == "text":
        base = HEAVY_GUN_DEFENSE
    if is_air(unit):
        air = {
            base,
            value(unit, "air-defense", base),
            printed(unit, "attack"),
            value(unit, "air-attack", base),
        }
        return Worth(base, frozenset(air))
    helps = list(terrain_helps(case, field, battle, unit))
    sure = max((h for h in helps if h[3]), key=lambda h: h[2], default=None)
    parts = (sure[:3],) if sure else ()
    most = [sure[2] if sure else 0]
    most += [by for _, _, by, certain in helps if not certain and by > most[0]]
    if unit.has(PARTISAN):
        most.append(0)  # they "defend at two": whether a city helps them is not said
    values = set()
    halved = is_out(case, unit) and not in_red_city(field, unit)
    for help_ in most:
        values |= {base // 2 + help_, (base + help_) // 2} if halved else {base + help_}
    if halved:
        parts = (("wie-sup.3", "without supply, halved", base // 2 - base), *parts)
    values = {v + by for v in values for by in _led(case, battle, unit, {0})}
    return Worth(base, frozenset(values), parts)


def terrain_helps(
    case: Case, field: Field, battle: Engagement, unit: Unit
) -> Iterable[tuple[str, str, int, bool]]:
    """What terrain adds to a defense: rule, what, how much, and whether all attackers come over it.

    Those of other battles for the hex attack it too: whether they count here is not said.
    """
    if field.red(battle.target):
        yield "wie-ter.1", "red city", CITY_HELP, True
    here = _from_beside(field, [battle])
    there = _from_beside(field, [b for b in case.in_phase.battles if b.target == battle.target])
    sides = [_sides(field, start, battle.target) for start in here]
    beside = [_sides(field, start, battle.target) for start in there - here]
    if not sides:
        return
    kinds = (
        (RIVER, "wie-ter.2", "river", RIVER_HELP),
        (STRAIT, "wie-ter.4", "strait", STRAIT_HELP),
        (MARSH, "wie-ter.5", "marsh", MARSH_HELP),
        (MOUNTAIN, "wie-ter.6", "mountain", MOUNTAIN_HELP),
    )
    for kind, rule, what, by in kinds:
        if kind == MARSH and not unit.has(CLASS_1):
            continue
        crossed = [kind in side for side in sides]
        if all(crossed):
            yield rule, what, by, all(kind in side for side in beside)
        elif any(crossed) and kind != RIVER:
            yield rule, what, by, False


def _from_beside(field: Field, battles: list[Engagement]) -> set[HexId]:
    """The hexes that units on the ground attack from."""
    stood = [(name, start, b.target) for b in battles for name, start in b.attacker.stood.items()]
    units = field.position.units
    return {start for name, start, target in stood if start != target and not is_air(units[name])}


def may_be_raised(unit: Unit) -> bool:
    """One +1 from a gun or a tank (class 1); from a plane (armor)."""
    return unit.has(CLASS_1)


def may_be_lifted(unit: Unit) -> bool:
    return unit.has(ARMOR)
