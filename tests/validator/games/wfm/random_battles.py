"""Random battles fought by the rules: whoever plays so must not be accused."""

from __future__ import annotations

import functools
from random import Random

from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.hexes import Hex
from validator.core.advance import advances
from validator.core.losses import LossRules, Sufferer, distributions
from validator.core.results import Part, Pays
from validator.core.retreat import losses_on, retreats
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.games.wfm.battles import Battle, Party, battles
from validator.games.wfm.book import AXIS, SOVIET
from validator.games.wfm.c04_stacking import stack
from validator.games.wfm.c08_combat import attack_zero
from validator.games.wfm.c08_retreat import advance_rules, retreat_rules
from validator.games.wfm.field import field_of
from validator.model.events import (
    Attacked,
    Event,
    Marked,
    Moved,
    PhaseBegan,
    Removed,
    Replaced,
    ResultNamed,
    Returned,
    Rolled,
    StepChanged,
)
from validator.model.findings import Verdict
from validator.model.position import Position, Unit
from validator.procedures.field import printed
from validator.procedures.strengthchits import chit_of

AXIS_TYPES = [
    "german-infantry-corps",
    "german-panzer-corps",
    "german-panzer-kg",
    "german-infantry-kg",
    "german-mountain-corps",
    "german-panzer-division",
    "rumanian-corps",
    "italian-army",
    "supply-depot",
    "airbase",
]
SOVIET_TYPES = [
    "soviet-infantry-army",
    "soviet-guard-army",
    "soviet-tank-army",
    "soviet-mechanized-corps",
    "soviet-infantry-corps",
    "factory",
    "offensive-support-group",
    "soviet-headquarters",
]
MARKERS = {"C": ["csm-c-3-5", "csm-c-5-7", "csm-c-6-9"], "B": ["csm-b-6-8", "csm-b-7-9"], "A": ["csm-a-9-7"]}


class Stuck(Exception):
    """The dice left a side no way out that this player knows."""


@functools.cache
def game() -> Game:
    return load("wfm")


class Table:
    """A referee, a random position, and two players who follow the rules."""

    def __init__(self, seed: int, side: str = AXIS, turn: int = 23, phase: str = "") -> None:
        self.random = Random(seed)
        self.side = side
        rules = rulebook.load("wfm")
        assert rules is not None
        scenario = game().scenario["turning-point" if turn >= 22 else "road-to-stalingrad"]
        position = Position(game())
        self.used: set[str] = set()
        self._set_up(position)
        position.turn, position.phase = turn, phase or ("axis-combat" if side == AXIS else "sov-combat")
        self.start = position.copy()
        self.referee = Referee(game(), scenario, rules, {}, None, position)
        self.case = self.referee.case
        self.number = 0
        self.attacked: set[str] = set()
        self.log: list[Event] = []
        self.judge(PhaseBegan(turn, position.phase))

    @property
    def accusations(self) -> list[str]:
        return [
            f"{f.fault.rule}: {f.fault.message}"
            for f in self.referee.findings
            if f.fault.verdict is Verdict.ILLEGAL
        ]

    def judge(self, event: Event) -> None:
        self.log.append(event)
        self.referee.judge(event)

    # --- the position ---

    def _set_up(self, position: Position) -> None:
        hexes = [h for h in game().map.area["turning-point"].hexes if game().map.terrain[h] != "sea"]
        middle = game().map.lattice.hex("5209", "E")
        near = sorted(hexes, key=lambda h: (abs(h.q - middle.q) + abs(h.r - middle.r), h))[:60]
        for side, types, number in ((AXIS, AXIS_TYPES, 16), (SOVIET, SOVIET_TYPES, 16)):
            for _ in range(number):
                hex_ = self.random.choice(near)
                there = position.at(hex_)
                if there and there[0].side != side:
                    continue
                self._place(position, hex_, self.random.choice(types))

    def _place(self, position: Position, hex_: Hex, type_: str) -> None:
        free = (u for u in position.units.values() if u.type.id == type_ and u.id not in self.used)
        unit = next(free, None)
        if unit is None:
            return
        self.used.add(unit.id)
        if unit.has("draws-strength"):
            unit.marks[self.random.choice(MARKERS[str(unit.type.values["class"])])] = self.random.choice(
                (1, 1, 2)
            )
        elif len(unit.counter.steps) > 1:
            unit.step = self.random.choice((1, 1, 2))
        if self.random.random() < 0.2 and not unit.has("always-supplied"):
            unit.marks["out-of-supply"] = self.random.choice((1, 2))
        position.put(unit.id, hex_)
        sizes = sum(u.type.stacking for u in position.at(hex_))
        minors = {u.nationality for u in position.at(hex_) if u.side == AXIS and not u.has("german")}
        if sizes > (2 if unit.side == AXIS else 1) or len(minors) > 1:
            position.put(unit.id, None)

    # --- battles ---

    def play(self, number: int) -> None:
        for _ in range(number):
            targets = [h for h in sorted(self.case.position.occupied()) if self._attackers(h)]
            targets = [h for h in targets if self._fresh(h)]
            if not targets:
                break
            self.battle(self.random.choice(targets))
        self.referee.close()

    def _fresh(self, hex_: Hex) -> bool:
        """No unit there has defended in this phase; nobody retreated into it and nothing else is there."""
        before = {u for b in battles(self.case) for u in (*b.defender.steps, *b.defender.heirs)}
        return not before & {u.id for u in self.case.position.at(hex_)}

    def _attackers(self, target: Hex) -> list[Unit]:
        field = field_of(self.case)
        there = self.case.position.at(target)
        goal = field.id(target)
        if goal is None or not there or there[0].side == self.side:
            return []
        return [
            unit
            for near in field.board.adjacent[goal]
            for unit in field.units(near)
            if unit.side == self.side and unit.id not in self.attacked and not attack_zero(unit)
            and not set(field.board.side_of(near, goal)) & {"sea", "lake"}
        ]  # fmt: skip

    def battle(self, target: Hex) -> None:
        able = self._attackers(target)
        chosen = self.random.sample(able, self.random.randint(1, min(len(able), 4)))
        nations = [u.nationality for u in chosen if u.side == AXIS and not u.has("german")]
        chosen = [u for u in chosen if u.has("german") or u.side == SOVIET or u.nationality == nations[0]]
        self.number += 1
        self.attacked |= {unit.id for unit in chosen}
        self.judge(Attacked(self.number, tuple(unit.id for unit in chosen), (target,)))
        self.judge(Rolled((self.random.randint(1, 6),), 6, "combat", None, self.number))
        battle = battles(self.case)[-1]
        assert battle.result is not None
        if self.random.random() < 0.5:
            self.judge(ResultNamed(battle.result.text, self.number))
        self.settle(battle)

    def settle(self, battle: Battle) -> None:
        assert battle.result is not None
        self.pay(battle, battle.defender, battle.result.defender)
        self.pay(battle, battle.attacker, battle.result.attacker)
        for party in battle.parties:
            if battle.part(battle.opponent(party)).adverse:
                self.advance(battle, party)

    # --- paying ---

    def pay(self, battle: Battle, party: Party, part: Part) -> None:
        names = list(party.steps)
        if part.pays is Pays.NOTHING:
            return
        if part.pays is Pays.ALL:
            for name in names:
                self.remove(name)
            return
        far = self.random.randint(0, part.points) if part.pays is Pays.EITHER else 0
        far = next(n for n in range(far, -1, -1) if n == 0 or self._can_go(party, n))
        self.lose_steps(party, part.points - far, far > 0)
        if far:
            for name in [n for n in names if n in party.immobile and self._alive(n)]:
                self.remove(name)
            self.retreat(party, far)

    def _alive(self, name: str) -> bool:
        return self.case.position.units[name].on_map

    def _can_go(self, party: Party, far: int) -> bool:
        movable = [n for n in party.steps if n not in party.immobile]
        return bool(movable) and all(self.ways(party, [n], party.stood[n], far) for n in movable)

    def ways(self, party: Party, names: list[str], start: int, far: int) -> list[tuple[int, ...]]:
        field = field_of(self.case)
        group = [self.case.position.units[name] for name in names]
        rules = list(retreat_rules(self.case, field, party, group))[1]
        return list(retreats(field.board, rules, start, far))

    def lose_steps(self, party: Party, number: int, moving: bool) -> None:
        sufferers = [
            Sufferer(name, steps, 0 if name in party.with_zone else 1)
            for name, steps in party.steps.items()
            if not (moving and name in party.immobile)
        ]
        shares = list(distributions(LossRules(), sufferers, number))
        for name, steps in self.random.choice(shares).items():
            for _ in range(steps):
                self.lose(name, party)

    def now(self, name: str, party: Party) -> str:
        return next((heir for heir, root in party.heirs.items() if root == name), name)

    def lose(self, name: str, party: Party) -> None:
        unit = self.case.position.units[self.now(name, party)]
        marker = chit_of(self.case, unit)
        if marker is not None and unit.marks[marker] == 1:
            self.judge(Marked(marker, unit.id, 2))
        elif marker is None and unit.step < len(unit.counter.steps):
            self.judge(StepChanged(unit.id, unit.step, unit.step + 1))
        elif unit.type.values.get("breaks-into"):
            units = self.case.position.units.values()
            heir = next(
                u for u in units if u.type.id == unit.type.values["breaks-into"] and u.id not in self.used
            )
            self.used.add(heir.id)
            self.attacked.add(heir.id)
            self.judge(Replaced((unit.id,), ((heir.id, 1),), unit.hex))
            heir.marks.update(dict(unit.marks.items()))
        else:
            self.remove(unit.id)

    def remove(self, name: str) -> None:
        unit = self.case.position.units[name]
        marker = chit_of(self.case, unit)
        box = "destroyed-economic-assets" if unit.has("economic-asset") else f"{unit.side}-eliminated"
        self.judge(Removed(name, box))
        if marker is not None:
            starred = game().marker[marker].values["starred"]
            self.judge(Returned(marker, None if starred else marker[:5]))

    # --- retreats and advances ---

    def retreat(self, party: Party, far: int) -> None:
        groups: dict[int, list[str]] = {}
        for name in party.steps:
            now = self.now(name, party)
            if self._alive(now) and name not in party.immobile:
                groups.setdefault(party.stood[name], []).append(name)
        for start, names in groups.items():
            parts = [names] if self.random.random() < 0.5 else [[name] for name in names]
            charged: set[tuple[str, tuple[int, ...]]] = set()
            for names_ in parts:
                alive = [name for name in names_ if self._alive(self.now(name, party))]
                if alive:
                    self.go(party, alive, start, far, charged)

    def go(
        self, party: Party, names: list[str], start: int, far: int, charged: set[tuple[str, tuple[int, ...]]]
    ) -> None:
        field = field_of(self.case)
        units = [self.now(name, party) for name in names]
        ways = self.ways(party, units, start, far)
        if not ways:
            raise Stuck
        way = self.random.choice(ways)
        group = [self.case.position.units[name] for name in units]
        rules = list(retreat_rules(self.case, field, party, group))[1]
        due = [(b.key, b.hexes) for b in losses_on(field.board, rules, way)]
        self.judge(Moved(tuple(units), tuple(field.board.hexes[h] for h in way), "retreat", self.number))
        for key, hexes in due:
            if (key, hexes) in charged:
                continue
            charged.add((key, hexes))
            able = [n for n in names if self._alive(self.now(n, party))]
            able = [n for n in able if key != "major-river" or n in party.armor]
            if able:
                self.lose(self.random.choice(able), party)
        self.make_room(party, names, way)

    def make_room(self, party: Party, names: list[str], way: tuple[int, ...]) -> None:
        field = field_of(self.case)
        left = [self.now(n, party) for n in names if self._alive(self.now(n, party))]
        for name in left:
            verdict = stack(self.case, field.units(way[-1]), party.side)
            if verdict.load > verdict.limit and self.case.position.units[name].type.stacking:
                self.remove(name)

    def advance(self, battle: Battle, party: Party) -> None:
        for name in [self.now(n, party) for n in party.steps]:
            unit = self.case.position.units[name]
            idle = not unit.on_map or party.hexes_retreated(party.root(name))
            if idle or self.random.random() < 0.4 or unit.has("no-advance") or attack_zero(unit):
                continue
            field = field_of(self.case)
            here = field.id(unit.spot)
            if here is None or printed(unit, "movement") == 0:
                continue
            ends = list(advances(field.board, advance_rules(self.case, field, battle, party, unit), here))
            fits = [h for h in ends if stack(self.case, [*field.units(h), unit], party.side).legal]
            if fits:
                end = self.random.choice(fits)
                path = (unit.hex, field.board.hexes[end])
                self.judge(Moved((name,), path, "advance", self.number, dragged=True))
