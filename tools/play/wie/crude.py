"""A crude player with a plan: money is spent, armies march to the red cities, attacks must promise something.

Random play says nothing of money or balance. Two such players do, a little:
`python -m tools.play.wie.crude SCENARIO SEED...` plays games and prints for each turn both treasuries, the
red cities and the Soviet units in Germany, and at the end the level of victory.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tools.play.game import play_at
from tools.play.wie.fighting import order
from tools.play.wie.game import PLAYER
from tools.play.wie.table import Front, Table
from validator.core.board import HexId
from validator.games.wie.book import AXIS, ENEMY, SIDES, SOVIET, both
from validator.games.wie.c01_sequence import BERLIN, TEN, THIRTY, THIRTY_TURN, TRIO, in_germany, reds_of
from validator.games.wie.units import CLASS_1, fights, is_air, is_hq, kind, value
from validator.model.events import Removed, RoundBegan
from validator.model.position import Unit
from validator.procedures.field import printed

BEST = "infantry", "infantry", "armor", "artillery", "light-infantry", "ss-panzer", "guard-armor", "fighter"
PROMISING = 1.2  # hits to be expected of an attack, for each of the defense
TURNED = 9  # who marches forward: the Germans before, the Soviets from then on


@dataclass(frozen=True)
class Standing:
    """The end of a turn."""

    treasuries: tuple[int | None, int | None]
    rounds: int  # of battle, of both sides
    lost: tuple[int, int]  # what the units lost in the turn have cost
    reds: int  # Soviet
    in_germany: int

    def __str__(self) -> str:
        money = " and ".join(map(str, self.treasuries))
        lost = " and ".join(map(str, self.lost))
        return (
            f"treasuries {money}, {self.rounds} rounds, {lost} points lost, "
            f"{self.reds} red cities Soviet, {self.in_germany} units in Germany"
        )


class CrudeTable(Table):
    at_complex = 6
    most_bought, most_of_a_kind = 60, 60
    buys_after_allies = False
    battles = 9

    def __init__(self, scenario: str, seed: int, *, strict: bool = True, random: str = "") -> None:
        super().__init__(scenario, seed, strict=strict)
        self.planless = random  # the side that fights and marches at random
        self.turns: dict[int, Standing] = {}
        self.trio = False  # Germany has held the three cities for a whole turn
        self.counted = 0  # events of the turns before
        self.tells = False  # each turn as it ends
        self._tried: set[tuple[tuple[int, str], HexId]] = set()  # attacked in a phase
        self._pulls: dict[tuple[int, str], list[float]] = {}

    def chance(self, probability: float) -> bool:
        """What a random player does now and then is done; what is rare stays so."""
        return (probability >= 0.35 and self.side != self.planless) or super().chance(probability)

    # --- money ---

    def offered(self) -> list[Unit]:
        """The pool, the lost and the window of counters."""
        units = [unit for unit in self.position.units.values() if unit.side == self.side]
        return [u for u in units if u.spot in (f"{self.side}-pool", f"{self.side}-eliminated", None)]

    def shopping(self, pool: list[Unit]) -> list[Unit]:
        """One after the other of the best kinds, as long as there are any; then all that is left."""
        self.random.shuffle(pool)
        by_kind: dict[str, list[Unit]] = {}
        for unit in pool:
            by_kind.setdefault(kind(unit), []).append(unit)
        wished: list[Unit] = []
        while any(by_kind.get(name) for name in BEST):
            wished += [by_kind[name].pop() for name in BEST if by_kind.get(name)]
        return [*wished, *(unit for left in by_kind.values() for unit in left)]

    def station(self, unit: Unit, hexes: Sequence[HexId]) -> HexId:
        return max(hexes, key=lambda h: (self._pull(unit.side)[h], h))

    # --- armies ---

    def _forward(self, side: str) -> bool:
        return (side == AXIS) == (self.case.turn < TURNED)

    def _pull(self, side: str) -> list[float]:
        """How much a side wants to be in each hex: near cities to take, or to keep."""
        key = (self.case.turn, self.case.phase + side)
        if key not in self._pulls:
            field = self.field
            worth = {h: v * self._wanted(side, h) for h, v in field.ground.values.items()}
            far = field.board.distance
            self._pulls = {
                key: [
                    sum(v / (1 + far(h, city)) ** 2 for city, v in worth.items())
                    for h in range(len(field.board))
                ]
            }
        return self._pulls[key]

    def _wanted(self, side: str, city: HexId) -> float:
        """Cities of the enemy when a side goes forward; its own that lie near him when it does not."""
        field = self.field
        if field.holder(city) != side:
            return 3.0 if self._forward(side) else 0.3
        near = any(field.occupied(ENEMY[side])[h] for h in field.board.within(city, 4))
        return 1.0 if near else 0.05

    def goal(self, unit: Unit, ends: Sequence[HexId], near: set[HexId]) -> HexId:
        """Towards what pulls; headquarters behind those who need one."""
        if self.side == self.planless:
            return super().goal(unit, ends, near)
        if is_hq(unit):
            return max(ends, key=lambda h: (self._needed(unit, h, near), h))
        pull = self._pull(unit.side)
        fed = self.field.occupied(unit.side)

        def worth(hex_id: HexId) -> float:
            beside = hex_id in near
            linked = any(fed[h] for h in self.field.board.adjacent[hex_id]) or self.field.city(hex_id)
            return pull[hex_id] * (1.5 if beside else 1) * (1 if linked else 0.2)

        return max(ends, key=lambda h: (worth(h), h))

    def _needed(self, unit: Unit, hex_id: HexId, near: set[HexId]) -> float:
        """How many of its army stand beside the enemy near a hex, and have no other headquarters."""
        field, far = self.field, self.field.board.distance
        others = [h for h, hq in field.headquarters(unit.side) if hq.id != unit.id]
        front = {h for h, soldier in self.soldiers(unit.side) if h in near and far(h, hex_id) <= 3}
        wanted = sum(1 / (1 + sum(far(h, other) <= 3 for other in others)) for h in front)
        return wanted * (0.2 if hex_id in near else 1)

    # --- battles ---

    def target(self, choices: Mapping[HexId, Mapping[HexId, Sequence[Unit]]]) -> HexId | None:
        if self.side == self.planless:
            return super().target(choices)
        phase = (self.case.turn, self.case.phase)
        fresh = {target: s for target, s in choices.items() if (phase, target) not in self._tried}
        promised = {target: self._promise(target, starts) for target, starts in fresh.items()}
        good = [target for target, odds in promised.items() if odds >= PROMISING]
        if not good:
            return None
        pull = self._pull(self.side)
        best = max(good, key=lambda h: (pull[h] * min(promised[h], 3), h))
        self._tried.add((phase, best))
        return best

    def fronts(self, starts: list[Front]) -> list[Front]:
        """The three with the most strength, or as many as headquarters can order."""
        if self.side == self.planless:
            return super().fronts(starts)
        best = sorted(starts, key=lambda front: -sum(map(_attack, front[1])))[:3]
        free = self.case.turn <= 2 and self.side == AXIS
        while best and not free and order(self, [hex_id for hex_id, _ in best]) is None:
            best.pop()
        return best

    def breaks_off(self, target: HexId) -> bool:
        """When those who stand beside the hex no longer promise anything."""
        if self.side == self.planless:
            return super().breaks_off(target)
        field = self.field
        beside = [u for h in field.board.adjacent[target] for u in field.units(h, self.side)]
        return self._odds([u for u in beside if u.id in self.fought], target) < 1

    def _promise(self, target: HexId, starts: Mapping[HexId, Sequence[Unit]]) -> float:
        """Of the three hexes with the most strength, six units each."""
        best = sorted(starts.values(), key=lambda units: -sum(map(_attack, units[:6])))[:3]
        return self._odds([unit for units in best for unit in units[:6]], target)

    def _odds(self, units: Sequence[Unit], target: HexId) -> float:
        field = self.field
        opponents = [u for u in field.units(target, ENEMY[self.side]) if fights(u)]
        help_ = 2 if field.red(target) else 0
        back = sum(printed(u, "defense") + help_ for u in opponents)
        return sum(map(_attack, units)) / max(back, 1)


def _attack(unit: Unit) -> int:
    if is_air(unit) or not fights(unit):
        return 0
    return printed(unit, "attack") + (1 if unit.has(CLASS_1) else 0)


# --- how it stands ------------------------------------------------------------------------------------------


def _count(table: CrudeTable) -> None:
    case, field = table.case, table.field
    held = all(
        field.holder(hex_id) == AXIS for name in TRIO if (hex_id := field.ground.named(name)) is not None
    )
    table.trio |= held and case.in_game.trio > 0
    money = (case.in_game.treasury.get(AXIS), case.in_game.treasury.get(SOVIET))
    events = table.events[table.counted :]
    lost = dict.fromkeys(SIDES, 0)
    for unit in (table.position.units[event.unit] for event in events if isinstance(event, Removed)):
        lost[unit.side] += value(unit, "cost")
    rounds = sum(isinstance(event, RoundBegan) for event in events)
    if case.phase == case.sequence.of_turn(case.turn)[-1]:
        table.counted = len(table.events)
        losses = (lost[AXIS], lost[SOVIET])
        standing = table.turns[case.turn] = Standing(
            money, rounds, losses, reds_of(field, SOVIET), in_germany(field)
        )
        if table.tells:
            print(f"{case.scenario.id} turn {case.turn}: {standing}", flush=True)


SUPPLY = both("supply")
PHASES = {**PLAYER.phases, **{phase: (*PLAYER.phases[phase], _count) for phase in SUPPLY}}
PLAYERS = replace(PLAYER, table=CrudeTable, phases=PHASES)


def result(table: CrudeTable) -> str:
    """The level of victory that the rules give."""
    reds = {turn: standing.reds for turn, standing in table.turns.items()}
    if table.case.in_game.over == BERLIN:
        return "Soviet decisive"
    if min(reds.values()) == 0:
        return "Axis decisive"
    if any(number >= THIRTY for turn, number in reds.items() if turn <= THIRTY_TURN):
        return "Soviet substantive"
    if table.trio:
        return "Axis substantive"
    return "Soviet marginal" if in_germany(table.field) >= TEN else "Axis marginal"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.play.wie.crude")
    parser.add_argument("scenario")
    parser.add_argument("seeds", nargs="+", type=int)
    parser.add_argument("--random", default="", choices=SIDES, help="the side that fights at random")
    asked = parser.parse_args()
    for seed in asked.seeds:
        table = CrudeTable(asked.scenario, seed, strict=False, random=asked.random)
        table.tells = True
        play_at(PLAYERS, table)
        found = [f"{each.fault.rule}: {each.fault.message}" for each in table.referee.findings]
        print(asked.scenario, seed, result(table), *found, sep="  ", flush=True)


if __name__ == "__main__":
    main()
