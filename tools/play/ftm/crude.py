"""A crude player with a plan: towards the cities that count, by attacks that promise something.

Random play says nothing of balance. Two such players do, a little: `python -m tools.play.ftm.crude SCENARIO
SEED...` plays games and prints for each the points that the scenario counts at the end of each turn.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace

from tools.play.ftm.game import PLAYER
from tools.play.ftm.table import Table, opponent
from tools.play.game import play_at
from validator.core.board import HexId
from validator.games.ftm.book import AXIS, COMBAT, MOVING, SOVIET, TURNED
from validator.games.ftm.c08_odds import HALVING, terrain_shift
from validator.games.ftm.c20_victory import score_of
from validator.games.ftm.lines import Kind
from validator.games.ftm.supply import supply_now
from validator.model.position import Unit
from validator.procedures.battle.armies import ATTACK, DEFENSE
from validator.procedures.strengthchits import class_of, draws

USUAL = {"A": 5, "B": 5, "C": 3}  # of a chit that is not drawn yet
PROMISING, ENOUGH = 2, 6  # odds to one, after the shifts


class CrudeTable(Table):
    """Who attacks goes where points are to be had, who defends where they are to be kept."""

    def __init__(self, scenario: str, seed: int, *, strict: bool = True, random: str = "") -> None:
        super().__init__(scenario, seed, strict=strict)
        self.planless = random  # the side that plays at random
        self._pulls: dict[tuple[object, ...], list[float]] = {}
        self.points: dict[int, int] = {}

    def chance(self, probability: float) -> bool:
        """What a random player does now and then is done; strategic movement and voyages stay rare."""
        side = {**MOVING, **COMBAT}.get(self.case.phase)
        return (probability >= 0.3 and side != self.planless) or super().chance(probability)

    def spares(self) -> bool:
        return COMBAT.get(self.case.phase) == self.planless and super().spares()

    def by_liking(self, hexes: list[int], stood: Iterable[HexId]) -> list[int]:
        """Steps are dear; but in a city that counts one steps back last."""
        holds = any(self.field.board.has_place(hex_id, "city") for hex_id in stood)
        return sorted(hexes, reverse=not holds)

    def attacks(self, side: str) -> bool:
        """The Germans to turn 11, but in snow; then the Soviets."""
        early = self.case.turn < TURNED and self.case.season != "snow"
        return (side == AXIS) == early

    def pull(self, side: str) -> list[float]:
        """How much a side wants to be in each hex: near cities to take, or to keep."""
        key = (self.case.turn, self.case.phase, side)
        if key not in self._pulls:
            self._pulls = {key: [self._pull(side, h) for h in range(len(self.field.board))]}
        return self._pulls[key]

    def _pull(self, side: str, hex_id: HexId) -> float:
        field, victory = self.field, self.case.scenario.victory
        assert victory is not None
        total = 0.0
        for city in victory.cities:
            there = field.ground.at(city.hex)
            wanted = field.holder(there) != side or not self.attacks(side)
            total += city.points * (1.0 if wanted else 0.1) / (1 + field.board.distance(hex_id, there)) ** 1.5
        return total

    def worth(self, units: list[Unit], hex_id: HexId, *, beside: bool, fed: bool) -> float:
        unit, side = units[0], units[0].side
        if side == self.planless:
            return super().worth(units, hex_id, beside=beside, fed=fed)
        pull = self.pull(side)[hex_id]
        if unit.has("supply-base"):
            linked = supply_now(self.case).tracing.linked(Kind(AXIS, False, False)).length(hex_id) is not None
            return float(linked) * (self._behind(side, hex_id) * pull) ** 4 + 1e-9
        if not unit.type.zoc:
            return (self._behind(side, hex_id) * pull) ** 4 * (4 if fed else 1) + 1e-9
        eager = self.attacks(side)
        friends = sum(self.field.occupied(side)[h] for h in self.field.board.adjacent[hex_id])
        near = (2.0 + friends / 3 if eager else 1.2) if beside else 1.0
        return float((pull * near) ** 4 * (10 if fed else 1)) + 1e-9

    def _behind(self, side: str, hex_id: HexId) -> float:
        """Two or three hexes behind the front is where bases and support belong."""
        enemies = [h for h, unit in self.field.of_side(opponent(side)) if unit.type.zoc]
        away = min((self.field.board.distance(hex_id, h) for h in enemies), default=9)
        return {0: 0.1, 1: 0.1, 2: 1.0, 3: 1.0}.get(away, 2 / away)

    def dares(self, units: list[Unit], target: HexId) -> bool:
        """Whether odds and terrain promise something."""
        return units[0].side == self.planless or self._column(units, target) >= PROMISING

    def joins(self, chosen: list[Unit], target: HexId) -> bool:
        """Others are needed elsewhere."""
        return not chosen or self._column(chosen, target) < ENOUGH

    def _column(self, units: list[Unit], target: HexId) -> float:
        attack = sum(self._strength(unit, ATTACK) for unit in units)
        opponents = self.field.units(target, opponent(units[0].side))
        defense = max(sum(self._strength(unit, DEFENSE) for unit in opponents), 1)
        return attack / defense - terrain_shift(self.case, target)

    def _strength(self, unit: Unit, factor: str) -> float:
        found = HALVING.fighter(self.case, unit, factor)
        if found is not None:
            return float(found.printed) / (2 if found.changes else 1)
        return USUAL.get(class_of(unit), 3) if draws(unit) else 1


def _count(table: CrudeTable) -> None:
    table.points[table.case.turn] = int(score_of(table.case).points)


PHASES = {**PLAYER.phases, "admin": (*PLAYER.phases["admin"], _count)}
PLAYERS = replace(PLAYER, table=CrudeTable, phases=PHASES)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.play.ftm.crude")
    parser.add_argument("scenario")
    parser.add_argument("seeds", nargs="+", type=int)
    parser.add_argument("--random", default="", choices=(AXIS, SOVIET), help="the side that has no plan")
    asked = parser.parse_args()
    for seed in asked.seeds:
        table = CrudeTable(asked.scenario, seed, strict=False, random=asked.random)
        play_at(PLAYERS, table)
        found = [f"{each.fault.rule}: {each.fault.message}" for each in table.referee.findings]
        print(asked.scenario, seed, table.points, result(table), *found, sep="  ", flush=True)


def result(table: CrudeTable) -> str:
    victory = table.case.scenario.victory
    band = score_of(table.case).band(victory.bands) if victory is not None else None
    return band.result if band is not None else "no result"


if __name__ == "__main__":
    main()
