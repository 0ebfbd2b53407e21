"""A crude German player: break in, encircle, drive on the towns."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain

from fieldpost.hexes import Hex, distance, neighbors, within
from tools.balance.lwe.battles import AUGUST, SURE, Battles, Plan
from tools.balance.lwe.board import ASSAULT, STACK, Board, Reach, Unit, way
from tools.balance.lwe.supply import german_field, working_roads

WORTH_A_FIGHT = {True: 0.6, False: 3.0}  # to a bold player, to a timid one
ROAD_WORTH = 6  # of opening a Rollbahn, as against a town
SECTORS = (
    (0, 11, 0, 11),
    (12, 21, 10, 24),
    (22, 99, 23, 99),
)  # rows of set-up, rows of the army group's goals
FAR = 25  # hexes beyond which a town does not draw


class German:
    def __init__(self, board: Board, battles: Battles, *, bold: bool) -> None:
        self.board, self.battles, self.bold = board, battles, bold
        self.nerve = WORTH_A_FIGHT[bold]
        self.rng = board.rng
        self.supply: set[Hex] = set()
        self.pull: dict[Hex, float] = {}
        self.looked = 0
        self.open_roads: set[Hex] = set()
        self.front: dict[Hex, int] = {}
        self.committed: set[str] = set()
        self.goals: dict[Hex, tuple[float, float]] = {}
        self.load: dict[Hex, float] = {}
        self.shares = {
            town: [(h, _share(far)) for h, far in board.away[town].items() if far < FAR]
            for town in board.away
        }

    # --- the turn

    def prefers_to_fight_first(self) -> bool:
        """Whether most of the army stands before the enemy already."""
        board = self.board
        foes = board.occupied("soviet")
        army = [u for u in board.side("german") if not u.static]
        near = sum(any(h in foes for h in board.open[u.hex]) for u in army)
        return board.turn > 1 and near > 0.65 * len(army)

    def moves(self) -> None:
        board = self.board
        self.look()
        movers = [u for u in board.side("german") if self.may_move(u)]
        self.mobile_assaults([u for u in movers if u.mech and u.german])
        self.look()
        self.raid([u for u in movers if u.mech and u.on_map and not u.fought])
        idle = [u for u in movers if u.on_map and not u.fought and not u.spent]
        if not self.battles.first:
            self.muster(idle)
        self.look(keep=True)
        left = [u for u in movers if u.on_map and u.spent < board.allowance(u) and not u.refit]
        self.front = board.steps_from(sorted(board.occupied("soviet")))
        self.goals, self.load = self.objectives(), defaultdict(float)
        for unit in sorted(left, key=lambda u: (not u.mech, -self.pull.get(u.hex, 0), u.id)):
            if unit.id not in self.committed:
                self.march(unit)

    def look(self, *, keep: bool = False) -> None:
        """The supply, and at the start of the turn what draws."""
        self.supply = german_field(self.board)
        self.open_roads, self.board.blocks = working_roads(self.board)
        if self.looked != self.board.turn:
            self.looked, self.pull = self.board.turn, self.pulls()
        if not keep:
            self.committed = set()

    def may_move(self, unit: Unit) -> bool:
        board = self.board
        if unit.static or unit.refit or unit.hex not in self.supply:
            return False
        return not (board.turn == 1 and board.country.get(unit.hex) == "romania")

    def pulls(self) -> dict[Hex, float]:
        """How strongly the Soviet towns and the blocks on the Rollbahnen draw."""
        board = self.board
        found: dict[Hex, float] = defaultdict(float)
        for town in (t for t in board.away if board.holder[t] == "soviet"):
            worth = board.worth(town) ** 0.7
            for hex_, share in self.shares[town]:
                found[hex_] += worth * share
        for block in board.blocks:
            for hex_ in within(block, 8):
                found[hex_] += ROAD_WORTH * _share(distance(hex_, block))
        return found

    # --- mobile assaults

    def mobile_assaults(self, units: list[Unit]) -> None:
        if self.board.season in ("mud", "snow"):
            return
        groups: dict[Hex, list[Unit]] = defaultdict(list)
        for unit in units:
            groups[unit.hex].append(unit)
        for group in sorted(groups.values(), key=lambda g: (-len(g), g[0].id)):
            while (rest := [u for u in group if not u.fought and u.on_map]) and any(u.leads for u in rest):
                if not self.assault(rest):
                    break

    def assault(self, group: list[Unit]) -> bool:
        board = self.board
        slowest = min(group, key=lambda u: board.allowance(u) - u.spent)
        best, came = board.reach(slowest, board.allowance(slowest) - ASSAULT)
        plans: list[tuple[float, Hex, Plan]] = []
        for launch in best:
            if launch != slowest.hex and board.room(launch, "german") < len(group):
                continue
            for target in board.open[launch]:
                if self.assaultable(launch, target):
                    plan = self.at_launch(group, launch, target)
                    plans.append((plan.worth - 0.02 * best[launch] + 0.1 * self.rng.random(), launch, plan))
        if not plans:
            return False
        worth, launch, plan = max(plans, key=lambda p: p[0])
        if worth < self.nerve:
            return False
        for unit in plan.attackers:
            unit.spent += best[launch] + ASSAULT
            board.enter(unit, way(came, launch))
        if self.battles.fight(plan.attackers, plan.target, mobile=True):
            for unit in plan.attackers:
                if unit.on_map:
                    board.enter(unit, [plan.target])
        else:
            for unit in plan.attackers:
                unit.spent = 99
        return True

    def at_launch(self, group: list[Unit], launch: Hex, target: Hex) -> Plan:
        homes = [u.hex for u in group]
        for unit in group:
            unit.hex = launch
        plan = self.battles.trimmed(group, target, mobile=True)
        for unit, home in zip(group, homes, strict=True):
            unit.hex = home
        return plan

    def assaultable(self, launch: Hex, target: Hex) -> bool:
        board = self.board
        defenders = board.at(target, "soviet")
        if not defenders or any(u.zone for u in defenders) or target in board.forts:
            return False
        marsh = board.season == "frost" and board.terrain[target] == "marsh"
        if board.town.get(target) == "city" or not (board.terrain[target] == "clear" or marsh):
            return False
        return not (board.river_counts("german") and board.river(launch, target))

    # --- raids

    def raid(self, units: list[Unit]) -> None:
        """Fast units of a bold player take open towns, deep ones too, where they stay in supply."""
        for unit in units if self.bold else ():
            best, came = self.board.reach(unit)
            gains = self.gains(unit, best, came)
            ends = [h for h in best if gains[h] and self.may_end(unit, h)]
            if ends:
                self.go(unit, (best, came), max(ends, key=lambda h: gains[h] + 0.1 * self.pull.get(h, 0)))

    def gains(self, unit: Unit, best: dict[Hex, int], came: dict[Hex, Hex]) -> dict[Hex, float]:
        """Points taken on the way to each hex."""
        board = self.board
        found: dict[Hex, float] = {}
        for hex_ in sorted(best, key=lambda h: (best[h], h not in came)):
            new = board.worth(hex_) if board.holder[hex_] == "soviet" else 0
            found[hex_] = found.get(came.get(hex_, hex_), 0) + new
        return found

    def may_end(self, unit: Unit, hex_: Hex) -> bool:
        return hex_ in self.supply and (hex_ == unit.hex or self.board.fits(hex_, unit))

    def go(self, unit: Unit, reach: Reach, end: Hex) -> None:
        best, came = reach
        unit.spent += best[end]
        self.board.enter(unit, way(came, end))

    # --- prepared assaults

    def muster(self, units: list[Unit]) -> None:
        """Units gather around the hexes they will assault, from opposite sides where they can."""
        board = self.board
        reaches = self.reaches(units)
        by_hex: dict[Hex, list[Unit]] = defaultdict(list)
        for unit in units:
            for hex_ in reaches[unit.id][0]:
                by_hex[hex_].append(unit)
        ready: dict[Hex, list[Unit]] = defaultdict(list)
        for unit in board.side("german"):
            if unit not in units and not unit.refit and unit.attack and unit.hex in self.supply:
                ready[unit.hex].append(unit)
        targets = [h for h in board.occupied("soviet") if any(n in by_hex for n in board.open[h])]
        for target in sorted(targets, key=lambda h: (-self.weight(h), h)):
            self.surround(target, by_hex, ready, reaches)

    def reaches(self, units: list[Unit]) -> dict[str, Reach]:
        known: dict[tuple[object, ...], Reach] = {}
        found = {}
        for unit in units:
            key = (unit.hex, unit.kind.mobility, self.board.allowance(unit), unit.spent)
            if key not in known:
                known[key] = self.board.reach(unit)
            found[unit.id] = known[key]
        return found

    def weight(self, target: Hex) -> float:
        board = self.board
        guards = board.at(target, "soviet")
        value = sum(max(1, u.defense) for u in guards) + 3 * board.worth(target)
        value += 20 * (target in self.board.blocks) + 2 * (target in board.road_hexes)
        return value + 4 * self.pull.get(target, 0) - 2 * board.cover(target)

    def surround(
        self,
        target: Hex,
        by_hex: dict[Hex, list[Unit]],
        ready: dict[Hex, list[Unit]],
        reaches: dict[str, Reach],
    ) -> None:
        board = self.board
        around = [h for h in neighbors(target) if h in board.open and target in board.open[h]]
        around = [h for h in around if not board.at(h, "soviet") and h in self.supply]
        chosen: list[tuple[Unit, Hex]] = []
        force = [u for h in around for u in ready.get(h, ())]
        room = {h: board.room(h, "german") for h in around}
        taken: set[str] = set()
        best: Plan | None = self.battles.plan(force, target) if force else None
        order = self.pattern(around, target)
        for hex_ in chain(order, order, order, order):
            if best and best.odds >= SURE + self.reserve():
                break
            free = [u for u in by_hex.get(hex_, ()) if u.id not in taken and u.id not in self.committed]
            free = [u for u in free if u.size <= room[hex_] and (u.hex == hex_ or board.fits(hex_, u))]
            if not free:
                continue
            unit = max(free, key=lambda u: (not u.mech, u.attack, -reaches[u.id][0][hex_], u.id))
            taken.add(unit.id)
            room[hex_] -= unit.size
            chosen.append((unit, hex_))
            best = self.imagined(force, chosen, target)
        if best is None or best.worth < self.nerve or not chosen:
            return
        for unit, hex_ in chosen:
            if hex_ != unit.hex and board.fits(hex_, unit) and hex_ in reaches[unit.id][0]:
                self.go(unit, reaches[unit.id], hex_)
        self.committed |= taken | {u.id for u in force}
        for hex_ in around:
            ready[hex_] = []

    def reserve(self) -> int:
        """Columns to spare for attenuated supply."""
        return 1 if self.board.turn in AUGUST or self.board.turn > 9 else 0

    def pattern(self, around: list[Hex], target: Hex) -> list[Hex]:
        """Where to stand: opposite hexes first, those behind the enemy before the others."""
        ring = neighbors(target)
        pairs = [(ring[i], ring[i + 3]) for i in range(3) if ring[i] in around and ring[i + 3] in around]
        if not pairs:
            return around
        first = max(pairs, key=lambda p: abs(self.pull.get(p[0], 0) - self.pull.get(p[1], 0)))
        return [*first, *(h for h in around if h not in first)]

    def imagined(self, force: list[Unit], chosen: list[tuple[Unit, Hex]], target: Hex) -> Plan:
        homes = [u.hex for u, _ in chosen]
        for unit, hex_ in chosen:
            unit.hex = hex_
        plan = self.battles.plan(force + [u for u, _ in chosen], target)
        for (unit, _), home in zip(chosen, homes, strict=True):
            unit.hex = home
        return plan

    def assaults(self) -> None:
        """The best prepared assault first, until none is worth its dice."""
        board = self.board
        self.supply = german_field(board)
        used: set[str] = set()
        done: set[Hex] = set()
        while True:
            plans = [p for h in sorted(board.occupied("soviet") - done) if (p := self.plan(h, used))]
            plan = max(plans, key=lambda p: p.worth, default=None)
            if plan is None or plan.worth < self.nerve:
                return
            done.add(plan.target)
            used |= {u.id for u in plan.attackers}
            if self.battles.fight(plan.attackers, plan.target):
                self.advance(plan)

    def plan(self, target: Hex, used: set[str]) -> Plan | None:
        board = self.board
        able = [
            u
            for h in board.open[target]
            for u in board.at(h, "german")
            if u.id not in used and u.attack and not u.refit and h in self.supply
        ]
        nations = {u.kind.nationality for u in able if u.satellite}
        keep = min(nations, default="")
        able = [u for u in able if u.german or (u.kind.nationality == keep and target in board.south)]
        if not able or (board.turn == 1 and all(board.country.get(u.hex) == "romania" for u in able)):
            return None
        return self.battles.trimmed(able, target)

    def advance(self, plan: Plan) -> None:
        board = self.board
        alive = sorted((u for u in plan.attackers if u.on_map), key=lambda u: (not u.mech, -u.attack))
        gain = self.pull.get(plan.target, 0) > min((self.pull.get(u.hex, 0) for u in alive), default=0)
        if not board.worth(plan.target) and not gain and plan.target not in board.road_hexes:
            return
        for unit in alive[: STACK // 2]:
            if board.fits(plan.target, unit):
                board.enter(unit, [plan.target])

    # --- marches

    def objectives(self) -> dict[Hex, tuple[float, float]]:
        """Where it is worth going, what it is worth, and how many attack factors it takes."""
        board = self.board
        found = {t: (1.0 + board.worth(t), 3.0) for t in board.away if board.holder[t] == "soviet"}
        for hex_ in sorted(board.occupied("soviet")):
            guards = sum(max(1, u.defense) for u in board.at(hex_, "soviet"))
            worth, need = found.get(hex_, (0.5 + 0.2 * guards, 0.0))
            found[hex_] = worth, need + guards * (4 + board.cover(hex_))
        for hex_ in self.board.blocks:
            worth, need = found.get(hex_, (0.0, 3.0))
            found[hex_] = worth + ROAD_WORTH, need
        return found

    def march(self, unit: Unit) -> None:
        best, came = self.board.reach(unit)
        ends = [h for h in best if self.may_end(unit, h)]
        goal = self.goal(unit)
        if ends and goal:
            gains = self.gains(unit, best, came)
            self.go(unit, (best, came), max(ends, key=lambda h: (self.value(unit, h, gains[h], goal), h)))

    def goal(self, unit: Unit) -> Hex | None:
        board = self.board
        speed = 7 if unit.mech else 4
        goals = (
            self.goals if unit.german else {g: v for g, v in self.goals.items() if board.satellite_ground(g)}
        )

        def price(goal: Hex) -> float:
            worth, need = self.goals[goal]
            far = distance(unit.hex, goal) / speed + self.astray(unit, goal)
            return far - 0.3 * worth + 0.1 * max(0.0, self.load[goal] - need)

        chosen = min(goals, key=lambda g: (price(g), g), default=None)
        if chosen is not None:
            self.load[chosen] += unit.attack
        return chosen

    def astray(self, unit: Unit, goal: Hex) -> float:
        """How far the goal lies outside the sector of the unit's army group."""
        row = self.board.row(goal)
        low, high = next(band for first, last, *band in SECTORS if first <= unit.sector <= last)
        return max(0, low - row, row - high) / 3

    def value(self, unit: Unit, hex_: Hex, gain: float, goal: Hex) -> float:
        board = self.board
        friends = sum(u.defense for u in board.stacks.get(hex_, ()) if u is not unit)
        threat = sum(u.attack for h in board.open[hex_] for u in board.at(h, "soviet"))
        alone = threat > 2 * (unit.defense + friends)
        value = 2.0 * gain - distance(hex_, goal) - 1.5 * alone + 0.05 * self.rng.random()
        ours = 0.4 * board.worth(hex_) + 0.6 * (hex_ in self.open_roads)
        guard = ours * (not friends) * (self.front.get(hex_, 9) <= 4)
        return value + 0.3 * bool(threat) + 0.02 * friends + guard


def _share(far: int) -> float:
    return float((far + 2) ** -1.5)
