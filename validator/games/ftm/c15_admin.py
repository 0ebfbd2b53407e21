"""Chapters 15 to 17: what the Administrative Phase exchanges: corps, steps, armies, mechanized groups."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.engine.rulebook import Faults
from validator.games.ftm.book import ADMIN, MUD, RULES
from validator.games.ftm.field import field_of
from validator.games.ftm.state import Case
from validator.model.events import Placed, Replaced
from validator.model.findings import Fault
from validator.model.position import Unit, all_have
from validator.procedures import exchanges
from validator.procedures.exchanges import BUILDUP, CONVERT, STEPS, Exchanges, told, units_of

REBUILD = "rebuild"
EXCHANGES = (BUILDUP, STEPS, CONVERT, REBUILD)
MOST_CONVERTED = 2
LAST_OF_GROUPS = 4  # the turn at whose end mechanized groups go (3.1)
REMOVED, POOL = "soviet-removed", "axis-pool"
FRESH = {"back": 2, "front": 1}  # the side of a corps that is built


def points_of_turn(case: Case) -> int:
    """On the turn track, in mud turns (15.1)."""
    rows = {row.id: row for row in case.game.table["replacements"].rows}
    row = rows.get(str(case.turn))
    return 0 if row is None else int(row.cells[0])


def is_elite(unit: Unit) -> bool:
    return unit.type.id in ("guards-army", "shock-army")


exchanges.register(
    RULES,
    Exchanges(
        phase=ADMIN,
        field_of=field_of,
        buildup="ftm-3.1f",
        steps="ftm-3.1g",
        convert="ftm-3.1j",
        supplied="ftm-9.5.1",
        built_step=lambda case: FRESH[case.option("built-corps-side")],
        zone_free=lambda case: case.season == MUD,
        points=points_of_turn,
        taker="german",
        regular="combined-arms",
        better=is_elite,
        most_converted=MOST_CONVERTED,
    ),
)


# --- mechanized groups (3.1, 16.4) ------------------------------------------------------------------------


@RULES.rule("ftm-3.1e")
@RULES.before(Replaced)
def armies_take_the_place_of_mechanized_groups(case: Case, event: Replaced) -> Faults:
    if event.why == REBUILD:
        yield from told(event, _of_rebuild(case, event))


def _of_rebuild(case: Case, event: Replaced) -> Iterator[tuple[str, str]]:
    old, new = units_of(case, event)
    fits = all_have(old, "mechanized-group") and all_have(new, "combined-arms")
    if len(old) != 1 or len(new) != 1 or not fits:
        yield "ftm-3.1e", "a mechanized group gives way to one Combined Arms army"
    elif (case.turn, case.phase) != (LAST_OF_GROUPS, ADMIN):
        yield "ftm-3.1e", "mechanized groups are replaced at the end of turn 4"
    elif new[0].spot is None and new[0].id not in case.in_game.lost and not case.position.partial:
        yield "ftm-3.1e", f"{new[0].id} was not eliminated"


@RULES.rule("ftm-3.1e")
@RULES.at_phase_end(ADMIN)
def mechanized_groups_leave_the_game(case: Case) -> Faults:
    """Without an eliminated army left, by the option."""
    due = _an_army_is_left(case) or case.option("groups-without-army") == "removed"
    for unit in case.position.on_map() if case.turn >= LAST_OF_GROUPS and due else ():
        if unit.has("mechanized-group"):
            yield Fault("ftm-3.1e", f"{unit.id} is still on the map after turn 4", (unit.id,), (unit.hex,))


@RULES.rule("ftm-3.1e")
@RULES.at_phase_end(ADMIN)
def no_mechanized_group_goes_for_nothing_while_an_army_is_left(case: Case) -> Faults:
    replaced = {name for event in case.in_phase.of(Replaced, why=REBUILD) for name in event.old}
    gone = [unit for unit in case.phase_start.on_map() if not case.position.units[unit.id].on_map]
    for unit in gone if _an_army_is_left(case) else ():
        if unit.has("mechanized-group") and unit.id not in replaced:
            text = f"{unit.id} leaves the map, and an eliminated Combined Arms army does not take its place"
            yield Fault("ftm-3.1e", text, (unit.id,))


def _an_army_is_left(case: Case) -> bool:
    """Whether an eliminated Combined Arms army has not come back."""
    return any(unit.has("combined-arms") and not unit.on_map for unit in case.units(case.in_game.lost))


@RULES.rule("ftm-3.1e")
@RULES.before(Placed)
def mechanized_groups_never_come_back(case: Case, event: Placed) -> Faults:
    unit = case.position.units[event.unit]
    if isinstance(event.spot, Hex) and unit.has("mechanized-group") and case.turn > LAST_OF_GROUPS:
        yield Fault("ftm-3.1e", f"{unit.id} enters after turn 4", (unit.id,))
