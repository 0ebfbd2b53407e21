"""Chapters 14.3, 14.4 and 20.2: Soviet armies are rebuilt, take in corps, and break down as an option."""

from __future__ import annotations

from collections.abc import Sequence

from fieldpost.hexes import distance
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.book import RULES, SOVIET
from validator.games.wfm.c12_economy import production
from validator.games.wfm.c13_returns import waits
from validator.games.wfm.field import field_of
from validator.games.wfm.state import Case, Recovery
from validator.model.events import Marked, Removed, Replaced
from validator.model.findings import Fault
from validator.model.position import Unit, all_have, having, lacking, names_of, of_side, on_map
from validator.procedures.arrivals import entry_turn
from validator.procedures.faults import Wrong, first_of, first_true, those_that_hold
from validator.procedures.supplymarks import out_of_supply, unsupplied

REBUILD, DIVIDE = "rebuild", "army-breakdown"
REDUCED, FULL = 2, 1  # faces of a strength marker
RIFLES, MECHANIZED = "soviet-infantry-corps", "soviet-mechanized-corps"
CORPS_OF_AN_ARMY = ([RIFLES, RIFLES], [RIFLES, MECHANIZED])


@RULES.rule("wfm-14.31", "wfm-14.34", "wfm-20.21")
@RULES.before(Replaced, why=(REBUILD, DIVIDE))
def soviet_armies_are_rebuilt_from_corps(case: Case, event: Replaced) -> Faults:
    judge = {REBUILD: _rebuild, DIVIDE: _divide}[event.why]
    wrong = judge(case, event, case.units(event.old), case.units(event.comers))
    before = f"{'+'.join(event.old)} into {'+'.join(event.comers)}: "
    yield from first_of(wrong, before, event.concerned)


@RULES.track(Replaced, when=JUDGED, why=DIVIDE)
def note_a_breakdown_of_an_army(case: Case, event: Replaced) -> None:
    case.in_phase.divided = True


# --- rebuilt from two corps (14.3) ------------------------------------------------------------------


def _rebuild(case: Case, event: Replaced, old: list[Unit], new: list[Unit]) -> Wrong:
    unfit, hungry = names_of(lacking(old, "rebuilds")), names_of(filter(out_of_supply, old))
    apart = any(unit.spot != event.spot for unit in old)
    yield from those_that_hold(
        (case.phase != "admin", "wfm-14.31", "armies are rebuilt in the Administrative Phase"),
        (len(old) != 2 or len(new) != 1, "wfm-14.31", "two corps make one army"),
        (
            unfit,
            "wfm-14.31",
            f"{'+'.join(unfit)} does not serve; rifle, mechanized and marine corps do",
        ),
        (apart, "wfm-14.31", "the two corps do not share the army's hex"),
        (hungry, "wfm-14.31", f"{'+'.join(hungry)} is Out of Supply"),
    )
    yield from _no_such_army(case, new[0], old)


def _no_such_army(case: Case, army: Unit, corps: list[Unit]) -> Wrong:
    due = entry_turn(case, army)
    tank = army.has("draws-strength") and army.has("armor")
    agreed = case.option("rebuild-tank") == "on" and all_have(corps, "armor")
    waiting = waits(case, army) and case.option("rebuild-waiting") == "off"
    to_come = due is not None and due > case.turn and not _was_in_play(case, army)
    return those_that_hold(
        (
            tank and not agreed,
            "wfm-14.31",
            f"{army.id} is a tank army; two mechanized corps may make one, if that is agreed",
        ),
        (not tank and not army.has("convertible"), "wfm-14.31", f"{army.id} is no regular army"),
        (army.on_map, "wfm-14.31", f"{army.id} is on the map"),
        (waiting, "wfm-14.31", f"{army.id} returns by its die and is not rebuilt meanwhile"),
        (
            to_come,
            "wfm-14.31",
            f"{army.id} is a reinforcement of turn {due}; it was never lost or converted",
        ),
    )


def _was_in_play(case: Case, army: Unit) -> bool:
    left = (name for event in case.in_game.of(Replaced) for name in event.old)
    placed = {p.id for placement in case.scenario.set_up for p in placement.units}
    return army.id in case.in_game.lost or army.id in placed or army.id in left


# --- an army breaks down (20.2) ------------------------------------------------------------------------


def _divide(case: Case, event: Replaced, old: list[Unit], new: list[Unit]) -> Wrong:
    kinds, there = sorted(unit.type.id for unit in new), names_of(on_map(new))
    out_of_time, apart = production(case) is None, any(unit.spot != event.spot for unit in old)
    yield from those_that_hold(
        (
            case.option("army-breakdown") == "off",
            "wfm-14.34",
            "Soviet armies do not break down; the option is not in play",
        ),
        (case.phase != "admin", "wfm-20.21", "that is done in the Administrative Phase"),
        (out_of_time, "wfm-20.21", f"turn {case.turn} is no production turn"),
        (case.in_phase.divided, "wfm-20.21", "an army broke down in this turn; one may"),
        (
            len(old) != 1 or not old[0].has("convertible"),
            "wfm-20.21",
            "only a regular army breaks down",
        ),
        (
            kinds not in CORPS_OF_AN_ARMY,
            "wfm-20.21",
            "it becomes two rifle corps, or a rifle and a mechanized corps",
        ),
        (apart, "wfm-20.21", "the corps are placed in the army's hex"),
        (there, "wfm-20.21", f"{'+'.join(there)} is on the map already"),
    )
    yield from _unfit(case, old[0])


def _unfit(case: Case, army: Unit) -> Wrong:
    fed = any(recovery.army == army.id for recovery in case.in_phase.recoveries)
    return those_that_hold(
        (unsupplied(army), "wfm-20.21", f"{army.id} is out of supply"),
        (
            field_of(case).beside_enemy(army),
            "wfm-20.21",
            f"{army.id} is adjacent to an Axis unit",
        ),
        (fed, "wfm-20.21", f"{army.id} took in a corps in this turn"),
    )


# --- a corps is taken in (14.4) ------------------------------------------------------------------------


@RULES.track(Marked, phases=["admin"], face=FULL)
def note_a_marker_turned_to_full(case: Case, event: Marked) -> None:
    for army in case.units(event.concerned) if event.marker.startswith("csm-") else ():
        begun = case.phase_start.units[army.id].marks.get(event.marker)
        if army.on_map and army.marks.get(event.marker) == REDUCED == begun:
            case.in_phase.recoveries.append(Recovery(army.id, army.hex))


@RULES.rule("wfm-14.41")
@RULES.at_phase_end("admin")
def corps_are_incorporated_into_armies(case: Case) -> Faults:
    """Each army that recovered took in one corps that left the map; in which order does not matter."""
    corps = _corps_that_left(case)
    free = list(corps)
    waiting = sorted(case.in_phase.recoveries, key=lambda r: sum(not _unsuited(case, r, c) for c in corps))
    for recovery in waiting:
        fitting = [unit for unit in free if not _unsuited(case, recovery, unit)]
        if fitting:
            free.remove(min(fitting, key=lambda u: sum(not _unsuited(case, r, u) for r in waiting)))
            continue
        reason = _unsuited(case, recovery, free[0]) if free else "no corps left the map for it"
        units = (recovery.army, *(unit.id for unit in free[:1]))
        text = f"the strength of {recovery.army} is restored: {reason}"
        yield Fault("wfm-14.41", text, units, (recovery.spot,))


def _corps_that_left(case: Case) -> Sequence[Unit]:
    """As they stood when the phase began."""
    units = (case.phase_start.units[name] for name in case.in_phase.concerned(Removed))
    return on_map(of_side(having(units, "corps"), SOVIET))


def _unsuited(case: Case, recovery: Recovery, corps: Unit) -> str:
    """Why an army cannot take in a corps; "" if it can."""
    army = case.phase_start.units[recovery.army]
    away, hungry = distance(recovery.spot, corps.hex), names_of(filter(unsupplied, (army, corps)))
    together = away == 0 and case.option("incorporate-same-hex") == "off"
    tank = army.has("armor") and not corps.has("armor")
    return first_true(
        (away > 1 or together, f"{corps.id} was not adjacent to it"),
        (not corps.has("incorporated"), f"{corps.id} is airborne and is not incorporated"),
        (tank, f"{corps.id} is no mechanized corps, and a tank army takes in no other"),
        (hungry, f"{'+'.join(hungry)} is marked Out of Supply or Lack of Supply"),
        otherwise="",
    )
