"""At what a unit hits in a battle: its printed value, weather, terrain, want of supply (5, 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from validator.core.board import HexId
from validator.games.wie.book import AXIS, MUD, SNOW, SOVIET, side_of
from validator.games.wie.c07_weather import kindest, weather_of
from validator.games.wie.field import MARSH, MOUNTAIN, RIVER, STRAIT, Field
from validator.games.wie.lines import counter_offensive, in_red_city, is_out, reconnected
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
    here = battle.attacker.stood.get(unit.id)
    marsh = MARSH in field.sides(here, battle.target)
    changes = [*_changes_of_attack(case, unit, marsh=marsh), *_leads(case, battle, unit)]
    return _summed(printed(unit, "attack"), changes)


def salvo_worth(case: Case, field: Field, gun: Unit, targets: Iterable[HexId]) -> Worth:
    """A salvo is an attack of another form: weather and marsh count as in a round (4, 7)."""
    over = [MARSH in field.sides(field.id(gun.spot), target) for target in targets]
    changes = _changes_of_attack(case, gun, marsh=any(over))
    return _summed(printed(gun, "attack"), changes)


def _summed(base: int, changes: Iterable[Change]) -> Worth:
    found = list(changes)
    sure = tuple(change for change in found if change.sure)
    maybe = [change.by for change in found if not change.sure]
    total = base + sum(change.by for change in sure)
    return Worth(base, with_or_without({total}, maybe), sure)


def _changes_of_attack(case: Case, unit: Unit, *, marsh: bool) -> Iterator[Change]:
    """By weather, by what lies on the hexside, and by surprise."""
    weather, armor = kindest(case), unit.has(ARMOR)
    grenadiers = unit.has(CLASS_1) and printed_move(unit) > 2 and not armor
    if weather == MUD and not counter_offensive(case, unit.side) and (armor or grenadiers):
        yield Change("wie-wx.5", "mud", -1, sure=armor)
    if weather == SNOW and unit.side == SOVIET:
        yield Change("wie-wx.5", "snow", 1, sure=not is_air(unit))
    if marsh and unit.has(CLASS_2):
        yield Change("wie-ter.5", "marsh", MARSH_HARM, sure=armor)
    if surprised(case, unit):
        yield Change("wie-opt.2", "surprise", 1, sure=not light_grey(unit))
    if weather_of(case) is None:
        yield Change("wie-wx.5", "weather", -1, sure=False)
        if unit.side == SOVIET:
            yield Change("wie-wx.5", "weather", 1, sure=False)


def surprised(case: Case, unit: Unit) -> bool:
    """Germans of turn 1 attack at +1, by option (8)."""
    return unit.side == AXIS and case.turn == 1 and case.option("surprise") == "yes"


def may_be_added(case: Case, unit: Unit) -> set[int]:
    """To attacks in the air, of which the text says nothing: in snow for Soviets, by surprise."""
    snow = unit.side == SOVIET and weather_of(case) in (SNOW, None)
    return {0, 1} if snow or surprised(case, unit) else {0}


def leading_side(case: Case, battle: Engagement) -> str:
    """Whose headquarters leads this battle, by option; empty if none does."""
    led = case.in_turn.by(side_of(case.phase)).led
    return next((side for side, number in led.items() if number == battle.number), "")


def _leads(case: Case, battle: Engagement, unit: Unit) -> Iterator[Change]:
    """A headquarters leads the units of its side, or one of the new course of the war its side, by option."""
    if case.option("modified-hq") == "yes" and leading_side(case, battle) == unit.side:
        yield Change("wie-opt.1", "led", 1)
    elif unit.side == AXIS and case.option("assassination") == "yes" and case.in_game.assassinated:
        yield Change("wie-opt.1", "led", 1, sure=False)


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
    values = {base + by for by in most}
    if is_out(case, unit) and not in_red_city(field, unit):
        halved = {half for by in most for half in (base // 2 + by, (base + by) // 2)}
        if reconnected(case, field, unit):
            values |= halved  # the text also says: until they are returned to supply
        else:
            best.insert(0, Change("wie-sup.3", "without supply, halved", base // 2 - base))
            values = halved
    led = list(_leads(case, battle, unit))
    surely = [change for change in led if change.sure]
    values = {worth + sum(change.by for change in surely) for worth in values}
    maybe = [change.by for change in led if not change.sure]
    return Worth(base, with_or_without(values, maybe), (*best, *surely))


def terrain_helps(case: Case, field: Field, battle: Engagement, unit: Unit) -> Iterator[Change]:
    """What terrain adds to a defense; doubtful where not all attackers come over it.

    Those of other battles for the hex attack it too: whether they count here is not said, nor whether those
    count whom their die of this round has disrupted.
    """
    if field.red(battle.target):
        yield Change("wie-ter.1", "red city", CITY_HELP)
    attacking, now = battle.attacking_now(), battle.round.number
    steady = [name for name in attacking if battle.attacker.disrupted.get(name) != now]
    dropped = case.in_turn.by(battle.attacker.side).dropped
    landed = not dropped.isdisjoint(attacking)
    here = _from_beside(field, battle, attacking)
    others = [b for b in case.in_phase.battles if b.target == battle.target and b is not battle]
    beside = {h for b in others for h in _from_beside(field, b, b.attacker.stood)} - here
    for kind, change in TERRAIN.items():
        if kind == MARSH and not unit.has(CLASS_1):
            continue
        fronts = [here, _from_beside(field, battle, steady)] if steady else [here]
        over = [_is_over(field, kind, starts, battle.target) for starts in fronts]
        if any(over):
            elsewhere = all(kind in field.sides(start, battle.target) for start in beside)
            yield replace(change, sure=over == [ALL] * len(over) and elsewhere and not landed)


ALL, SOME, NONE = "all", "some", ""


def _is_over(field: Field, kind: str, starts: set[HexId], target: HexId) -> str:
    """Whether attackers out of some hexes come over a kind of hexside; a river counts if all of them do."""
    over = [kind in field.sides(start, target) for start in starts]
    if over and all(over):
        return ALL
    return SOME if any(over) and kind != RIVER else NONE


def _from_beside(field: Field, battle: Engagement, names: Iterable[str]) -> set[HexId]:
    """The hexes that some attackers on the ground attack from."""
    stood, units = battle.attacker.stood, field.position.units
    hexes = {stood[name] for name in names if name in stood and not is_air(units[name])}
    return hexes - {battle.target}
