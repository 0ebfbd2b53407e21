"""Chapters 5.3 and 5.5: strategic movement and sea transport."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from validator.core.board import HexId, Mask, both, minus
from validator.core.movement import BUDGET, MoveRules
from validator.core.sea import SeaRules
from validator.core.strategic import strategic_rules
from validator.games.ftm.book import AXIS, ENEMY, EXPLOITING, MUD, SOVIET
from validator.games.ftm.c05_march import JUDGE, KEYS, country_rule, fault_of_path
from validator.games.ftm.c10_partisans import partisans
from validator.games.ftm.field import KONIGSBERG, LENINGRAD, SEVASTOPOL, Field
from validator.games.ftm.state import Case
from validator.games.ftm.supply import supplied_mask
from validator.model.position import Unit
from validator.procedures.marches import has_moved
from validator.procedures.supplymarks import unsupplied
from validator.procedures.transport import Reason, Sea, Strategic, judge_strategic, judge_voyage

HEXES, DISTANCE = 15, 3  # never within two hexes of an enemy (5.3.1)
BALTIC, BLACK, AZOV = "baltic-port", "black-sea-port", "azov-port"
NEEDED = {  # the city without which a side ships nothing on a water (5.5.4 to 5.5.6)
    (AXIS, BLACK): (SEVASTOPOL, "ftm-5.5.4a"),
    (SOVIET, BLACK): (SEVASTOPOL, "ftm-5.5.4a"),
    (SOVIET, BALTIC): (LENINGRAD, "ftm-5.5.5"),
    (AXIS, BALTIC): (KONIGSBERG, "ftm-5.5.6"),
}


# --- strategic movement (5.3) -----------------------------------------------------------------------


def not_strategic(case: Case, unit: Unit) -> Iterator[Reason]:
    able = unit.has("strategic") or (unit.has("strategic-mud") and case.season == MUD)
    if case.phase in EXPLOITING:
        yield "ftm-5.4.3", "uses no strategic movement in exploitation"
    if not able:
        yield "ftm-5.3.2", "has no strategic movement" + " now" * unit.has("strategic-mud")
    if has_moved(case, unit):
        yield "ftm-5.3b", "has moved in this phase already"
    if unsupplied(unit):
        yield "ftm-5.3.1b", "lacks supply and may not use strategic movement"


def strategic_move_rules(case: Case, field: Field, unit: Unit, *, strict: bool = False) -> MoveRules:
    """15 hexes, away from the enemy, from supply to supply, not through cities the enemy took."""
    board, enemy = field.board, ENEMY[unit.side]
    every = strict or case.option("distance-units") == "all"
    opponents = [h for h, opponent in field.of_side(enemy) if opponent.type.zoc or every]
    hidden = field.ids(hex_ for _, hex_ in partisans(case)) if unit.side == AXIS else []
    closed: dict[str, Mask] = {
        "enemy-city": both(board.mask(board.with_place("city")), field.marked(enemy)),
        "country": field.ground.closed_to(unit),
        "never-zone": field.enemy_zones(unit.side).mask if unit.has("never-ezoc") else board.mask(),
    }
    unfed = {"out-of-supply": minus(board.mask(range(len(board))), supplied_mask(case, unit))}
    costs = field.ground.strategic_costs(unit, field.season)
    rules = strategic_rules(costs, HEXES, [*opponents, *hidden], DISTANCE, closed, unfed)
    return replace(rules, enemy=field.occupied(enemy))


def _strictly(case: Case, field: Field, unit: Unit) -> MoveRules | None:
    asked = case.option("distance-units") == JUDGE
    return strategic_move_rules(case, field, unit, strict=True) if asked else None


STRATEGIC_KEYS = {
    **{key: rule for key, rule in KEYS.items() if key != "terrain:high-mountain"},
    "too-near": "ftm-5.3.1a",
    "enemy-city": "ftm-5.3.1c",
    "out-of-supply": "ftm-5.3.1b",
    BUDGET: "ftm-5.3a",
    "terrain:high-mountain": "ftm-5.3a",
}
strategically = partial(
    judge_strategic,
    Strategic(
        barred=not_strategic,
        rules_of=strategic_move_rules,
        strict=_strictly,
        fault_of=fault_of_path,
        keys=STRATEGIC_KEYS,
        doubt="ftm-5.3.1a",
    ),
)


# --- sea transport (5.5) ------------------------------------------------------------------------------


def sea_rules(case: Case, field: Field, unit: Unit) -> SeaRules:
    """Ports and the waters they lie on; friendly are those of the side."""
    board = field.board
    waters = {BALTIC: BALTIC, BLACK: BLACK, AZOV: BLACK if case.option("azov-ports") == "on" else AZOV}
    ports = {h: frozenset({water}) for kind, water in waters.items() for h in board.with_feature(kind)}
    return SeaRules(ports, board.mask(h for h in ports if field.holder(h) == unit.side))


def not_shipped(case: Case, unit: Unit) -> Iterator[Reason]:
    mountain = unit.has("mountain") and case.option("mountain-sea") == "on"
    if case.phase in EXPLOITING:
        yield "ftm-5.4.3", "goes not by sea in exploitation"
    if not (unit.has("sea-transport") or mountain):
        yield "ftm-5.5.1a", f"is not shipped: {unit.type.name.lower()} units never are"
    if has_moved(case, unit):
        yield "ftm-5.5c", "has moved in this phase already"


def _bars(case: Case, field: Field, unit: Unit, start: HexId, end: HexId) -> Iterator[Reason]:
    ports = sea_rules(case, field, unit).ports
    water, other = ports.get(start, frozenset()), ports.get(end, frozenset())
    if BALTIC in water ^ other and water and other:
        yield "ftm-5.5.4b", "goes not by sea between the Baltic and the Black Sea"
    if field.ground.closed_to(unit)[end]:
        yield country_rule(unit), "may not enter that country"
    if unit.has("supply-base") and field.board.label(end) not in (KONIGSBERG, LENINGRAD):
        yield "ftm-5.5.1b", "is a supply base: they are shipped to Konigsberg or Leningrad only"
    for city, rule in (NEEDED[unit.side, sea] for sea in water & {BALTIC, BLACK}):
        if not field.holds(unit.side, city):
            place = field.ground.named_place(field.board.hexes[field.ground.at(city)])
            yield rule, f"is not shipped: {place} is not held"


by_sea = partial(
    judge_voyage,
    Sea(
        barred=not_shipped,
        rules_of=sea_rules,
        bars=_bars,
        rule_of=lambda rules, breach, way: "ftm-5.5b",
        begins="ftm-5.5b",
        room="ftm-5.5a",
    ),
)
