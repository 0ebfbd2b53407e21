"""Chapters 15 to 17: what the Administrative Phase exchanges: corps, steps, armies, mechanized groups."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.engine.rulebook import Faults
from validator.games.ftm.book import ADMIN, MUD, RULES
from validator.games.ftm.field import field_of
from validator.games.ftm.state import Case
from validator.model.events import Placed, Replaced
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, all_have, having
from validator.procedures import exchanges
from validator.procedures.exchanges import BUILDUP, CONVERT, STEPS, Exchanges, told
from validator.procedures.faults import of_rule, those_that_hold

REBUILD = "rebuild"
EXCHANGES = (BUILDUP, STEPS, CONVERT, REBUILD)
MOST_CONVERTED = 2
LAST_OF_GROUPS = 4  # the turn at whose end mechanized groups go (3.1)
WITHOUT_ARMY = "groups-without-army"
STAYS = {"removed": Verdict.ILLEGAL, "judge": Verdict.JUDGEMENT}  # a group for which no army is left
GOES = {"stays": Verdict.ILLEGAL, "judge": Verdict.JUDGEMENT}
REMOVED, POOL = "soviet-removed", "axis-pool"
FRESH = {"back": 2, "front": 1}  # the side of a corps that is built


def points_of_turn(case: Case) -> int:
    """On the turn track, in mud turns (15.1)."""
    rows = {row.id: row.cells for row in case.game.table["replacements"].rows}
    return int(rows.get(str(case.turn), ("0",))[0])


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
@RULES.before(Replaced, why=REBUILD)
def armies_take_the_place_of_mechanized_groups(case: Case, event: Replaced) -> Faults:
    old, new = case.units(event.old), case.units(event.comers)
    fits = all_have(old, "mechanized-group") and all_have(new, "combined-arms")
    late = (case.turn, case.phase) != (LAST_OF_GROUPS, ADMIN)
    unseen = () if case.position.partial else (unit.id for unit in new if unit.spot is None)
    never_lost = sorted(set(unseen) - case.in_game.lost.keys())
    rows = (
        (
            len(old) != 1 or len(new) != 1 or not fits,
            "a mechanized group gives way to one Combined Arms army",
        ),
        (late, "mechanized groups are replaced at the end of turn 4"),
        (never_lost, f"{'+'.join(never_lost)} was not eliminated"),
    )
    yield from told(event, those_that_hold(*of_rule("ftm-3.1e", rows)))


@RULES.rule("ftm-3.1e")
@RULES.at_phase_end(ADMIN)
def mechanized_groups_leave_the_game(case: Case) -> Faults:
    """Without an eliminated army left, by the option."""
    verdict = Verdict.ILLEGAL if _an_army_is_left(case) else STAYS.get(case.option(WITHOUT_ARMY))
    if verdict is None or case.turn < LAST_OF_GROUPS:
        return
    for unit in having(case.position.on_map(), "mechanized-group"):
        text = f"{unit.id} is still on the map after turn 4"
        yield Fault("ftm-3.1e", text, (unit.id,), (unit.hex,), verdict=verdict)


@RULES.rule("ftm-3.1e")
@RULES.at_phase_end(ADMIN)
def mechanized_groups_go_for_an_army(case: Case) -> Faults:
    """Without an eliminated army left, by the option."""
    left = _an_army_is_left(case)
    verdict = Verdict.ILLEGAL if left else GOES.get(case.option(WITHOUT_ARMY))
    why = "an eliminated Combined Arms army does not take its place" if left else "no army is left for it"
    replaced = case.in_phase.concerned(Replaced, why=REBUILD)
    if verdict is None:
        return
    for unit in having(case.phase_start.on_map(), "mechanized-group"):
        if not case.unit(unit.id).on_map and unit.id not in replaced:
            text = f"{unit.id} leaves the map, and {why}"
            yield Fault("ftm-3.1e", text, (unit.id,), verdict=verdict)


def _an_army_is_left(case: Case) -> bool:
    """Whether an eliminated Combined Arms army has not come back."""
    return any(unit.has("combined-arms") and not unit.on_map for unit in case.units(case.in_game.lost))


@RULES.rule("ftm-3.1e")
@RULES.before(Placed, having="mechanized-group", comes_to=Hex)
def mechanized_groups_never_come_back(case: Case, event: Placed) -> Faults:
    if case.turn > LAST_OF_GROUPS:
        yield Fault("ftm-3.1e", f"{event.unit} enters after turn 4", (event.unit,))
