"""Chapters 8.5 to 8.7 and 10: air fleets, and support from the air, by support groups and siege artillery."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fieldpost.hexes import Hex, distance
from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, LAST, Faults
from validator.games.wfm.battles import Battle, battles
from validator.games.wfm.book import AXIS, RULES, SOVIET
from validator.games.wfm.field import CLEAR, MUD, Field, field_of
from validator.games.wfm.state import Case
from validator.model.events import Attacked, Marked
from validator.model.findings import Fault
from validator.model.position import Unit, having, lacking
from validator.procedures.battle.odds import supporters
from validator.procedures.faults import first_that_holds, first_true
from validator.procedures.lastingmarkers import markers_on_hexes
from validator.procedures.supplymarks import unsupplied

AIR, GROUP, SIEGE = "air", "offensive-support", "siege-gun"
FLEET = "air-fleet"


# --- air fleets on the map (10.1) --------------------------------------------------------------


def fleets(case: Case) -> list[tuple[str, Hex]]:
    return markers_on_hexes(case, FLEET)


@RULES.rule("wfm-10.11", "wfm-10.12", "wfm-10.25")
@RULES.before(Marked, kind=FLEET, on=Hex)
def fleets_are_placed_near_their_base(case: Case, event: Marked) -> Faults:
    """In the supply phase, four hexes at most from their own airbase, where a hand may still correct it."""
    assert isinstance(event.on, Hex)
    laid = event.marker in dict(fleets(case)) or event.marker in case.in_turn.fleets_placed
    values, late = case.game.marker[event.marker].values, case.phase != "supply"
    base = case.unit(str(values["airbase"]))
    far = distance(base.hex, event.on) if base.on_map else 0
    rows = (
        (case.season == MUD, "wfm-10.25", "is placed in a mud turn"),
        (late and laid, "wfm-10.12", "stays where it was placed"),
        (late, "wfm-10.11", "is placed outside the supply phase"),
        (not base.on_map, "wfm-10.11", f"is placed without its base {base.id}"),
    )
    if any(holds for holds, _, _ in rows):
        yield from first_that_holds(rows, f"{event.marker} ", (), (event.on,))
    elif far > int(values["range"]):
        text = f"{event.marker} is {far} hexes from {base.id}; its range is {values['range']}"
        yield Fault("wfm-10.11", text, (base.id,), (event.on,))


@RULES.track(Marked, when=JUDGED, kind=FLEET, on=Hex)
def note_the_fleet(case: Case, event: Marked) -> None:
    case.in_turn.fleets_placed.add(event.marker)


@RULES.rule("wfm-10.13")
@RULES.at_phase_end("ger-mech")
def fleets_leave_after_mechanized_movement(case: Case) -> Faults:
    for marker, hex_ in fleets(case):
        yield Fault("wfm-10.13", f"{marker} is still on the map", hexes=(hex_,))


# --- who supports (8.5 to 8.7) -------------------------------------------------------------------


def in_zone(case: Case, marker: str, hex_: Hex, targets: Sequence[Hex]) -> bool:
    """10.21: within the fleet's zone, whatever the terrain."""
    zone = int(case.game.marker[marker].values["zone"])
    return all(distance(hex_, target) <= zone for target in targets)


def air_covered(case: Case, targets: Sequence[Hex]) -> bool:
    """8.52 to 8.54: one fleet over all hexes; or, by the option, each hex under some fleet."""
    together = case.option("air-cover") == "together"
    covered = ([target] for target in targets) if together else [targets]
    return all(any(in_zone(case, m, h, hexes) for m, h in fleets(case)) for hexes in covered)


def air_shift(case: Case, side: str, targets: Sequence[Hex]) -> int:
    """One column in the Axis player's favour, in clear turns only."""
    covered = case.season == CLEAR and targets and air_covered(case, targets)
    return first_true((not covered, 0), (side == AXIS, 1), otherwise=-1)


def group_supports(case: Case, side: str, targets: Sequence[Hex]) -> bool:
    return side == SOVIET and bool(targets) and bool(supporters(case, "osg", targets))


def standing_city(case: Case, field: Field, hex_id: HexId) -> bool:
    """A major city, or a fortress that is not destroyed."""
    places = field.board.place_kinds(hex_id)
    return "major-city" in places or ("fortress" in places and not destroyed(case, field.board.hexes[hex_id]))


def destroyed(case: Case, hex_: Hex) -> bool:
    """8.47: marked, or entered by an Axis unit."""
    return hex_ in case.in_game.fortresses_fallen or "destroyed" in case.position.marks.get(hex_, {})


def is_fortress(case: Case, hex_: Hex) -> bool:
    return any(place.kind == "fortress" for place in case.game.map.places_at.get(hex_, ()))


def siege_fault(case: Case, battle: Battle) -> str | None:
    """8.71 to 8.74: why the siege artillery may not support, if it may not."""
    field, side = field_of(case), battle.attacker.side
    guns = supporters(case, "siege-artillery", field.hexes(battle.targets))
    in_combat = side == AXIS and not battle.overrun and case.phase == "axis-combat"
    cities = all(standing_city(case, field, h) for h in battle.targets)
    company = lacking(having(case.units(battle.attacker.steps), "german"), "siege-artillery")
    used = any(SIEGE in other.support for other in battles(case) if other is not battle)
    hungry = case.option("siege-unsupplied") == "off" and all(map(unsupplied, guns))
    return first_true(
        (not in_combat, "the siege artillery supports only Axis attacks in the combat phase"),
        (not cities, "the siege artillery supports only against major cities and fortresses"),
        (not guns, "no siege artillery is within 2 hexes"),
        (not company, "no other German unit attacks"),
        (used, "the siege artillery has supported an attack in this phase"),
        (
            all(_exposed(field, gun) for gun in guns),
            "the siege artillery stands alone in a Soviet zone of control",
        ),
        (hungry, "the siege artillery is out of supply"),
        otherwise=None,
    )


def _exposed(field: Field, gun: Unit) -> bool:
    alone = all(other is gun for other in field.position.at(gun.hex))
    return alone and field.in_enemy_zone(gun)


@RULES.rule("wfm-8.54", "wfm-8.55", "wfm-6.29a", "wfm-6.29b", "wfm-8.71")
@RULES.after(Attacked)
def declared_support_is_to_be_had(case: Case, event: Attacked) -> Faults:
    """What is declared as support of an attack must be able to give it, once."""
    yield from _of_support(case, event).values()


def _of_support(case: Case, event: Attacked) -> dict[str, Fault]:
    return case.about(_of_support, lambda: dict(_support_faults(case, event)))


def _support_faults(case: Case, event: Attacked) -> Iterator[tuple[str, Fault]]:
    battle, targets = battles(case)[-1], list(event.targets)
    side = battle.attacker.side
    if AIR in event.support and (rule := _air_fault(case, event, side, targets)):
        yield AIR, Fault(rule, "no air support is to be had for this attack", event.units, event.targets)
    if GROUP in event.support and (event.support.count(GROUP) > 1 or not group_supports(case, side, targets)):
        rule = "wfm-6.29b" if event.overrun else "wfm-8.62"
        text = "one support group within 3 hexes of all targets supports a Soviet attack, once"
        yield GROUP, Fault(rule, text, event.units, event.targets)
    if SIEGE in event.support and (reason := siege_fault(case, battle)):
        yield SIEGE, Fault("wfm-8.71", reason, event.units, event.targets)


@RULES.track(Attacked, when=LAST)
def note_support_that_is_not_to_be_had(case: Case, event: Attacked) -> None:
    battles(case)[-1].accused.update(_of_support(case, event))


def _air_fault(case: Case, event: Attacked, side: str, targets: Sequence[Hex]) -> str | None:
    return first_true(
        (event.support.count(AIR) > 1, "wfm-8.54"),
        (case.season != CLEAR, "wfm-8.55"),
        (air_shift(case, side, targets), None),
        (event.overrun, "wfm-6.29a"),
        otherwise={AXIS: "wfm-8.52"}.get(side, "wfm-8.53"),
    )
