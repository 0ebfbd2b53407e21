"""Chapter 9.22 to 9.31: mobile assaults, battles inside a German move. Odds and results are chapter 11's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from validator.core import explain as say
from validator.core.board import HexId
from validator.core.costs import ONE
from validator.engine.rulebook import JUDGED, Faults
from validator.games.lwe.battles import Battle, battles
from validator.games.lwe.book import FROST, GERMAN, GERMAN_MOVE, MOVING, MUD, RULES, SNOW
from validator.games.lwe.c06_stacking import stack
from validator.games.lwe.c09_march import allowance, begins, supply_at_start
from validator.games.lwe.course import RIVERLESS
from validator.games.lwe.field import ROAD, STRAITS, Field, field_at_phase_start, field_of
from validator.games.lwe.lines import ATTENUATED, OUT, german_lines, state_of
from validator.games.lwe.state import Case, trip_of
from validator.model.events import Attacked, Moved
from validator.model.findings import Fault
from validator.model.position import Unit, any_has, having, lacking, names_of
from validator.procedures import overruns
from validator.procedures.ask_each import note_each
from validator.procedures.faults import of_units, those_that_hold, wrong_units
from validator.procedures.marches import has_moved
from validator.procedures.overruns import Overruns, Reason, last_overrun

PRICE = 6 * ONE  # 9.23
OTHERS = (
    *("lwe-7.3d", "lwe-7.7b", "lwe-9.19d", "lwe-9.19e", "lwe-9.22a", "lwe-9.23a", "lwe-9.23b", "lwe-9.24a"),
    *("lwe-9.24b", "lwe-9.24c", "lwe-9.24d", "lwe-9.24e", "lwe-9.25a", "lwe-9.26b", "lwe-9.27a", "lwe-10.5c"),
    *("lwe-10.6b", "lwe-10.7d"),
)
LEADS, JOINS = "leads-assault", "joins-assault"
WATER = ("sea", "lake", *STRAITS)


def _assaulting(case: Case, event: Attacked) -> list[Unit]:
    return lacking(case.units(event.units), "aircraft")


# --- the force (9.22, 9.25, 9.26) -----------------------------------------------------------------


def wrong_force(case: Case, units: list[Unit], event: Attacked) -> Iterator[Reason]:
    foreign = names_of(unit for unit in units if unit.side != GERMAN or unit.has("satellite"))
    weak = names_of(lacking(units, LEADS, JOINS))
    yield from wrong_units("lwe-9.24d", foreign, "takes part; only Germans make mobile assaults")
    yield from wrong_units("lwe-9.22a", weak, "takes part; only mechanized divisions make mobile assaults")
    if not any_has(units, LEADS):
        yield "lwe-9.22a", "no panzer or panzer grenadier division takes part"
    yield from _overstacked(case, units)
    for unit in units:
        yield from _of_supply(case, unit)


def _overstacked(case: Case, units: list[Unit]) -> Iterator[Reason]:
    """One stack in its launch hex is within the limit, where that is not reported already."""
    field = field_of(case)
    launches = {*field.where(units).values()} - case.in_phase.overstacked
    stacks = [stack(field.units(launch, GERMAN)) for launch in launches]
    for verdict in (verdict for verdict in stacks if verdict.load > verdict.limit):
        yield "lwe-9.26b", say.stack_text(field.ground.wording, verdict)


def _of_supply(case: Case, unit: Unit) -> Iterator[Reason]:
    """As it was where the unit began to move (9.25); attenuated is enough (7.7)."""
    state, now = supply_at_start(case, field_of(case), unit), state_of(case, unit)
    barred = state == ATTENUATED and case.option("attenuated-assault") == "off"
    unmoved = "lwe-7.3d" if now == OUT else "lwe-7.7b"
    rule = "lwe-9.25a" if has_moved(case, unit) else unmoved
    begun = field_at_phase_start(case).ids([case.phase_start.units[unit.id].spot]) if now == OUT else []
    why = next(map(german_lines(case).why_out, begun), "no line was open")
    return those_that_hold(
        (barred, "lwe-7.3d", f"{unit.id} is in attenuated supply"),
        (state == OUT, rule, f"{unit.id} was out of supply when it began to move: {why}"),
    )


# --- the ground (9.24, 10.5, 10.7) -----------------------------------------------------------------


def barred(case: Case, field: Field, units: list[Unit], launch: HexId, target: HexId) -> Iterator[Reason]:
    """The first thing in the way."""
    yield from [*_barred_ground(field, target), *_barred_step(case, field, launch, target)][:1]


def _barred_ground(field: Field, target: HexId) -> Iterator[Reason]:
    weather, terrain, units = field.weather(target), field.board.terrain[target], field.units(target)
    frozen = field.may_be(target, FROST)
    return those_that_hold(
        (weather == MUD, "lwe-10.5c", weather),
        (weather == SNOW, "lwe-10.7d", weather),
        (any_has(units, "fortified-zone"), "lwe-9.24b", "a fortified zone"),
        (field.sound_lines[target], "lwe-9.24b", "an intact fortified line"),
        (field.board.has_place(target, "city"), "lwe-9.24a", "a city"),
        (terrain == "marsh" and not frozen, "lwe-10.6b", "marsh, which takes frost"),
        (terrain not in ("marsh", "clear"), "lwe-9.24a", terrain),
    )


def _barred_step(case: Case, field: Field, launch: HexId, target: HexId) -> Iterator[Reason]:
    crossed = field.board.side_of(launch, target)
    wet = "river" in crossed and case.turn not in RIVERLESS and not field.may_be(target, FROST)
    along = ROAD in field.board.line_of(launch, target)
    water = ((kind in crossed, "lwe-9.24c", f"across {field.ground.wording.name(kind)}") for kind in WATER)
    return those_that_hold(*water, (wet, "lwe-9.19e" if along else "lwe-9.24c", "across a river"))


# --- the price (9.19, 9.23, 9.27) ------------------------------------------------------------------


def again(case: Case, unit: Unit) -> Reason | None:
    trip = trip_of(case, unit)
    road = "took the extra hexes of a Rollbahn and makes no mobile assault"
    wrong = those_that_hold(
        (trip.overruns, "lwe-9.23b", "makes a second mobile assault in one phase"),
        (trip.spent > allowance(case, field_of(case), unit) * ONE, "lwe-9.19d", road),
    )
    return next(wrong, None)


def _points(case: Case, unit: Unit) -> int:
    """Its one hex, or a crossing, took all there was (9.3, 9.16)."""
    return 0 if trip_of(case, unit).whole else allowance(case, field_of(case), unit) * ONE


ASSAULTS = Overruns(
    field_of=field_of,
    phases=(GERMAN_MOVE,),
    price=lambda case, unit: PRICE,
    allowance=_points,
    barred=barred,
    units=wrong_force,
    again=again,
    target="lwe-9.4a",
    adjacent="lwe-9.26a",
    cost=lambda case, unit, available: "lwe-9.23a",
    together="lwe-9.26a",
    began="lwe-9.26a",
    others=OTHERS,
    name="mobile assault",
    takes_part=_assaulting,
    begins=begins,
    declared_in=tuple(MOVING),
    first_only=True,
)
overruns.register(RULES, ASSAULTS)
overruns.bound_advances(RULES, ASSAULTS, "lwe-9.28a")


# --- what follows (9.27, 9.28) ---------------------------------------------------------------------


def repulsed(case: Case, unit: Unit, way: list[HexId]) -> Iterator[Fault]:
    """A hex that was cleared is entered for nothing; else the force stays for the phase."""
    field, battle = field_of(case), last_overrun(battles(case), unit.id)
    if battle is not None and not battle.won and way[0] != way[-1]:
        where = field.ground.wording.hex(battle.targets[0])
        text = f"{unit.id} moves on after a mobile assault that left defenders in {where}"
        yield Fault("lwe-9.27a", text, (unit.id,), field.hexes(battle.targets[:1]))


def _assaulters(case: Case, event: Moved) -> list[Unit]:
    """Of those who move: as they have made a mobile assault they have a trip."""
    return [unit for unit in case.units(event.units) if trip_of(case, unit).overruns]


@RULES.track(Moved, phases=[GERMAN_MOVE], by_land=True, ends_elsewhere=True)
@note_each(_assaulters)
def note_what_the_assault_has_cleared(case: Case, event: Moved, unit: Unit) -> None:
    """The defenders are gone: the attackers stand in the hex, as far as their price goes. Or they are not."""
    trips, battle = case.in_phase.trips, last_overrun(battles(case), unit.id)
    if battle is None or len(battle.targets) != 1 or battle.won:
        return
    battle.won = not _repulsed(case, battle, event)
    trips[unit.id].ended |= not battle.won
    for name in trips.keys() & battle.attacker.names if battle.won else ():
        trips[name].entry = battle.targets[0]


def _repulsed(case: Case, battle: Battle, event: Moved) -> bool:
    field, target = field_of(case), battle.targets[0]
    held = battle.result is not None and not battle.result.defender.adverse
    enters = field.id(event.end) == target and battle.defender.owing(battle.part(battle.defender))
    return held or (bool(field.units(target, battle.defender.side)) and not enters)


@RULES.rule("lwe-9.27a")
@RULES.before(Moved, mode="advance", phases=[GERMAN_MOVE])
def a_defended_hex_is_not_entered(case: Case, event: Moved) -> Faults:
    for unit in _assaulters(case, event):
        battle = _entered_by(case, unit, event)
        if battle is not None and _repulsed(case, battle, event):
            yield _enters_defended(case, battle, unit.id)


@RULES.track(Moved, when=JUDGED, mode="advance", phases=[GERMAN_MOVE])
def note_who_enters_before_the_defenders_have_left(case: Case, event: Moved) -> None:
    for unit in _assaulters(case, event):
        battle = _entered_by(case, unit, event)
        if battle is not None and not _repulsed(case, battle, event):
            battle.entered.append(replace(event, units=(unit.id,)))


@RULES.rule("lwe-9.27a")
@RULES.at_phase_end(GERMAN_MOVE)
def entered_hexes_have_been_left(case: Case) -> Faults:
    """Whoever entered before the defenders were gone: they never went."""
    field = field_of(case)
    for battle in battles(case):
        stay = {unit.id for hex_id in battle.targets for unit in field.units(hex_id, battle.defender.side)}
        for event in battle.entered if stay & battle.defender.names else ():
            yield replace(_enters_defended(case, battle, event.units[0]), at=event.origin)


def _entered_by(case: Case, unit: Unit, event: Moved) -> Battle | None:
    """The mobile assault of a unit, where it goes into the hex attacked and the defenders stand there."""
    field, battle = field_of(case), last_overrun(battles(case), unit.id)
    if battle is None or len(battle.targets) != 1 or field.id(event.end) != battle.targets[0]:
        return None
    return battle if field.units(battle.targets[0], battle.defender.side) else None


def _enters_defended(case: Case, battle: Battle, name: str) -> Fault:
    where, hexes = field_of(case).ground.wording.hex(battle.targets[0]), field_of(case).hexes(battle.targets)
    return Fault(
        "lwe-9.27a", f"{name} enters {where}, which its mobile assault did not clear", (name,), hexes
    )


@RULES.rule("lwe-9.31b")
@RULES.before(Attacked, having="satellite")
def satellites_attack_in_the_southern_sector(case: Case, event: Attacked) -> Faults:
    field = field_of(case)
    north = field.hexes(h for h in field.ids(event.targets) if not field.ground.southern[h])
    names = names_of(having(_assaulting(case, event), "satellite")) if north else ()
    where = say.listed([case.label(hex_) for hex_ in north])
    yield from of_units("lwe-9.31b", names, f"attacks {where}, north of the sector line", hexes=north)
