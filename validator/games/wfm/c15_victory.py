"""Chapter 15, and the victory levels of 16.5 to 19.5: what the Axis scores, and who has won.

Players name the count (`declare victory-points = 55`) and the winner (`declare victory = Draw`) at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from validator.core import explain as say
from validator.core.board import HexId, Mask
from validator.core.costs import CostTable
from validator.core.strategic import flat_table
from validator.core.supply import SupplyRules, trace
from validator.core.victory import Score, ScoreItem, score
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.book import AXIS, RULES, SOVIET
from validator.games.wfm.c09_supply import supply_now
from validator.games.wfm.field import WATER, Field, field_of
from validator.games.wfm.state import Case
from validator.model.events import Declared
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.battlebook import printed_steps_left
from validator.procedures.faults import first_true, unless
from validator.procedures.supplylines import ANY_LENGTH, scenario_sources
from validator.procedures.supplymarks import LACK, MARKER
from validator.procedures.victory_points import held_cities, of_city

DESTROYED = "destroyed-economic-assets"
StatusOf = Callable[[Case, HexId, Unit], int]  # the supply status of a unit


def victory_points(case: Case) -> Score:
    """15.1, 15.2 and 18.52, item by item; with supply as it is at the end of play (15.22)."""
    return _count(case, at_the_end)


def _count(case: Case, status_of: StatusOf) -> Score:
    return score([*_army(case, status_of), *_linked_cities(case), *_assets(case)])


def at_the_end(case: Case, hex_id: HexId, unit: Unit) -> int:
    return supply_now(case).of(unit, hex_id).status


def as_marked(case: Case, hex_id: HexId, unit: Unit) -> int:
    """As the last supply phase left it: another reading of 15.22."""
    return unit.marks.get(MARKER, 0)


def _army(case: Case, status_of: StatusOf) -> Iterator[ScoreItem]:
    for hex_id, unit in field_of(case).of_side(AXIS):
        each = int(unit.type.values.get("points", 0))
        if each and _scores(case, hex_id, unit, status_of):
            yield ScoreItem(_kind(unit), unit.id, printed_steps_left(unit), each)


def _kind(unit: Unit) -> str:
    return next((kind for kind in ("airbase", "depot", "panzer") if unit.has(kind)), "other steps")


def _scores(case: Case, hex_id: HexId, unit: Unit, status_of: StatusOf) -> bool:
    """15.22: only supplied units; depots always are."""
    status = 0 if unit.has("always-supplied") else status_of(case, hex_id, unit)
    return not status or (status == LACK and case.option("victory-lack") == "on")


def _linked_cities(case: Case, *, linked: bool = True) -> list[ScoreItem]:
    """Cities that the Axis holds, with a path to a source of its own, or without one (15.13)."""
    field, held = field_of(case), held_cities(case)
    path = _linked(case, field) if held else b""
    in_play = [(city, hex_id) for city, hex_ in held for hex_id in field.ids([hex_])]
    return [of_city(city) for city, hex_id in in_play if bool(path[hex_id]) == linked]


def _linked(case: Case, field: Field) -> Mask:
    """15.13: hexes with a path of any length to an Axis source, past no Soviet unit or uncovered zone."""
    blocked = {"enemy": field.occupied(SOVIET), "zone": field.uncovered(AXIS)}
    rules = SupplyRules(_path_costs(case, field), ANY_LENGTH, blocked)
    return field.board.mask(trace(rules, sources(case, field, AXIS)))


def _path_costs(case: Case, field: Field) -> CostTable:
    open_ = case.option("victory-causeway") == "on"
    return field.ground.strategic_table if open_ else flat_table(field.board, WATER, ("sea", "lake"))


def sources(case: Case, field: Field, side: str) -> list[HexId]:
    """The supply sources of a scenario, and those the map prints."""
    printed = field.board.with_feature(f"supply-source-{side}") if case.scenario.area is None else ()
    return [*scenario_sources(case, field.board, side), *printed]


def _assets(case: Case) -> Iterator[ScoreItem]:
    """18.52: destroyed economic assets; evacuated factories are not destroyed."""
    if case.scenario.id != "road-to-stalingrad":
        return
    for unit in case.position.at(DESTROYED):
        yield ScoreItem("economic assets", unit.id, 1, int(unit.type.values.get("victory", 0)))


# --- what players say ---------------------------------------------------------------------------

COUNT, WINNER = "victory-points", "victory"


@RULES.rule("wfm-15.12", "wfm-15.13", "wfm-15.21", "wfm-15.22", "wfm-18.52")
@RULES.before(Declared, what=COUNT)
def the_count_is_right(case: Case, event: Declared) -> Faults:
    right, said = victory_points(case), event.number
    if said == right.points:
        return
    lines = say.score_text(field_of(case).ground.wording, right).splitlines()
    evidence = {"steps": lines, "points": right.points}
    text = f"{event.value or 'nothing'} victory points are claimed; it is {right.points}: {_parts(right)}"
    if said == _count(case, as_marked).points:
        text += f"; {said} counts the markers of the last supply phase, 15.22 supply at the end of play"
        yield Fault("wfm-15.22", text, (), (), evidence, Verdict.WARNING)
    else:
        yield Fault(_rule_for(case, said, right), text, (), (), evidence)


@RULES.track(Declared, when=JUDGED, what=COUNT, number=int)
def note_the_count(case: Case, event: Declared) -> None:
    case.in_game.claimed = event.number


def _parts(right: Score) -> str:
    """panzer 8, cities 50"""
    sums: dict[str, int] = {}
    for item in right.items:
        sums[item.key] = sums.get(item.key, 0) + int(item.points)
    return ", ".join(f"{key} {points}" for key, points in sums.items()) or "nothing scores"


def _rule_for(case: Case, said: int | None, right: Score) -> str:
    """Named after what the claim leaves out or puts in, where one part explains all of the difference."""
    off = (said or 0) - right.points
    unsupplied = sum(printed_steps_left(u) * int(u.type.values.get("points", 0)) for u in _unsupplied(case))
    victory = case.scenario.victory
    cities = {city.points for city in victory.cities} if victory is not None else set()
    return first_true(
        (off and off == unsupplied, "wfm-15.22"),
        (off in {city.points for city in _linked_cities(case, linked=False)}, "wfm-15.13"),
        (off in cities, "wfm-15.12"),
        (off and right.of("economic assets"), "wfm-18.52"),
        otherwise="wfm-15.21",
    )


def _unsupplied(case: Case) -> list[Unit]:
    units = field_of(case).of_side(AXIS)
    return [unit for hex_id, unit in units if not _scores(case, hex_id, unit, at_the_end)]


LEVELS = {
    "turning-point": "wfm-16.52",
    "fall-barbarossa": "wfm-17.54",
    "road-to-stalingrad": "wfm-18.52",
    "war-for-the-motherland": "wfm-19.53",
}


@RULES.rule("wfm-16.52", "wfm-17.54", "wfm-19.53")
@RULES.before(Declared, what=WINNER)
def the_winner_is_right(case: Case, event: Declared) -> Faults:
    last = case.scenario.last_turn
    if case.turn < last:
        text = f"{event.value!r} is claimed in turn {case.turn}; the game ends with turn {last}"
        yield Fault(LEVELS[case.scenario.id], text, verdict=Verdict.WARNING)
        return
    right, said = victory_points(case), _plain(event.value)
    wanted = _level(case, right)
    if wanted and said not in (_plain(wanted), _plain(_level_of_claim(case))):
        text = f"{event.value!r} is claimed; {right.points} points are: {wanted}"
        doubtful = said == _plain(_level(case, _count(case, as_marked)))
        yield Fault(LEVELS[case.scenario.id], text, (), (), {"points": right.points}, unless(doubtful))


def _level(case: Case, points: Score) -> str:
    """What points are worth; "" where the scenario does not say."""
    victory = case.scenario.victory
    band = victory and points.band(victory.bands)
    return band.result if band else ""


def _level_of_claim(case: Case) -> str:
    """What the points that were claimed would be worth: that follows from the count, which is accused."""
    claimed = case.in_game.claimed
    return "" if claimed is None else _level(case, score([ScoreItem("claim", "", 1, claimed)]))


def _plain(text: str) -> str:
    return "".join(text.lower().split()).replace("-", "")
