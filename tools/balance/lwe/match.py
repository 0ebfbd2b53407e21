"""How Land Without End goes when two crude automatic players play it: is each result in reach?

Both sides follow rules of thumb on the game's own map, charts, set-up and arrivals, and see of a stack only
that it is one. What is left out: Paulus Pause, supply concentration, artillery command, the bonus on
Rollbahnen, that the nearest Rollbahn counts, sea movement and the southern weather.
"""

from __future__ import annotations

import random
from collections import Counter as Tally
from dataclasses import dataclass, field

from fieldpost.definition.model import Game
from fieldpost.definition.scenariomodel import Reinforcement
from fieldpost.hexes import Hex
from tools.balance.lwe.battles import Battles
from tools.balance.lwe.board import Board, Unit
from tools.balance.lwe.german import German
from tools.balance.lwe.soviet import Soviet
from tools.balance.lwe.supply import german_field, soviet_field

PLANS = ("bold", "timid")
RULED = {"D": "dry", "R": "rain", "M": "mud", "F": "frost", "S": "snow"}
RESCIND = 8


@dataclass
class Outcome:
    """What there is to tell of a game."""

    points: dict[int, int] = field(default_factory=dict)  # by turn, at its end
    losses: dict[int, dict[str, int]] = field(default_factory=dict)  # steps by turn and side
    taken: dict[str, int] = field(default_factory=dict)  # the turn in which a town first fell
    results: Tally[str] = field(default_factory=Tally)
    won: int | None = None  # the turn of a German win by points
    strength: dict[int, tuple[int, int]] = field(default_factory=dict)  # units on the map, by turn
    weather: str = ""
    collapsed: bool = False  # the war ended with Moscow (4.4)

    @property
    def final(self) -> int:
        return self.points[max(self.points)]


class Match:
    """One play-through."""

    def __init__(self, game: Game, scenario: str, seed: int, plan: str = "bold") -> None:
        self.game, self.rng = game, random.Random(seed)
        self.board = Board(game, game.scenario[scenario], self.rng)
        self.battles = Battles(self.board)
        self.german = German(self.board, self.battles, bold=plan == "bold")
        self.soviet = Soviet(self.board, self.battles)
        self.outcome = Outcome()
        self.steps = 14  # German replacements (8.6)
        self.pool = self.boxed("replacement-pool")
        self.reserve = self.boxed("okh-reserve")
        self.special = self.boxed("off-map")
        self.frozen_for_good = False

    def boxed(self, box: str) -> list[str]:
        return [u.id for p in self.board.scenario.set_up if p.box == box for u in p.units]

    def play(self, *, to_the_end: bool = False, last_turn: int | None = None) -> Outcome:
        board, scenario = self.board, self.board.scenario
        for turn in range(scenario.first_turn, (last_turn or scenario.last_turn) + 1):
            board.begin(turn)
            before = dict(board.lost)
            self.opening()
            self.german_turn()
            self.soviet_turn()
            self.book(before)
            self.moscow_falls()
            if scenario.id == "campaign" and self.outcome.won is None and self.won():
                self.outcome.won = turn
                if not to_the_end:
                    break
        names = {p.hex: p.name for p in board.map.places if p.kind == board.town.get(p.hex)}
        self.outcome.taken = {names[h]: t for h, t in board.taken.items() if h in board.town}
        self.outcome.results = self.battles.results
        return self.outcome

    def won(self) -> bool:
        rows = {int(r.id): int(r.cells[0]) for r in self.game.table["victory-check"].rows}
        enough = self.board.turn in rows and self.board.points() >= rows[self.board.turn]
        return enough or self.outcome.collapsed

    def moscow_falls(self) -> None:
        """4.4: the first time, before any weather but dry, a die tells whether the war is over."""
        board, lattice = self.board, self.board.map.lattice
        if board.taken.get(lattice.hex("4618")) != board.turn or set(self.outcome.weather) != {"D"}:
            return
        table = self.game.table["moscow"]
        bonus = sum(board.holder.get(lattice.hex(row.id)) == "german" for row in table.modifiers)
        roll = self.rng.randint(1, 6) + bonus
        self.outcome.collapsed = table.cell(str(roll), "result") == "USSR Collapses"

    def book(self, before: dict[str, int]) -> None:
        board, turn = self.board, self.board.turn
        self.outcome.points[turn] = board.points()
        self.outcome.losses[turn] = {s: board.lost[s] - before.get(s, 0) for s in board.sides}
        self.outcome.strength[turn] = (len(board.side("german")), len(board.side("soviet")))
        self.outcome.weather += board.season[0].upper()

    # --- the turn

    def opening(self) -> None:
        board = self.board
        if board.turn == RESCIND:
            self.rescind()
        if board.turn == 6:
            self.reorganize()
        if board.turn >= 4:
            board.zones_fall_due()
        if board.turn >= 12:
            self.weather()

    def rescind(self) -> None:
        board = self.board
        board.dd3 = False
        for unit in [u for u in board.side("soviet") if u.zone and board.town.get(u.hex) != "large-town"]:
            board.remove(unit)

    def weather(self) -> None:
        board = self.board
        column = self.game.table["weather-columns"].cell(str(board.turn), "column")
        season = RULED[self.game.table["weather"].cell(str(self.rng.randint(1, 6)), column)]
        if board.season == "snow":
            season = "snow"
        if season != "dry" and board.dd3:
            self.rescind()
        if season in ("mud", "snow"):
            board.roads_help = False
            self.frozen_for_good = True
        board.season = season

    def reorganize(self) -> None:
        """8.14: rifle corps give way to divisions of the pool."""
        board = self.board
        for corps in [u for u in board.side("soviet") if "rifle-corps" in u.traits]:
            board.remove(corps)
            for _ in range(corps.attack):
                if self.pool:
                    board.place(self.pool.pop(), corps.hex)

    def german_turn(self) -> None:
        board, battles, german = self.board, self.battles, self.german
        battles.aircraft = 2 <= board.turn <= 21
        german.look()
        self.refits_begin()
        self.withdraw()
        self.german_arrivals()
        self.replace_germans()
        battles.first = german.prefers_to_fight_first()
        if battles.first:
            german.look()
            german.assaults()
            german.moves()
        else:
            german.moves()
            german.assaults()
        battles.first = False
        for unit in board.side("german"):
            if unit.refit and self.rng.randint(1, 6) <= 4:
                unit.lost = 0

    def refits_begin(self) -> None:
        board = self.board
        if self.frozen_for_good:
            return
        for unit in board.side("german"):
            quiet = not any(board.at(h, "soviet") for h in board.open[unit.hex])
            regular = unit.hex in self.german.supply and unit.hex not in board.east
            unit.refit = bool(unit.lost) and "refits" in unit.traits and quiet and regular

    def withdraw(self) -> None:
        for row in self.game.table["withdrawals"].rows:
            turn, kind, name, number, _ = row.cells
            if int(turn) != self.board.turn or kind == "ground-support" or self.board.scenario.area:
                continue
            able = [u for u in self.board.side("german") if u.kind.id == kind and name in ("-", u.id)]
            able.sort(key=lambda u: (-u.lost, u.attack, u.id))
            for unit in able[: int(number)]:
                self.board.remove(unit)
            self.board.debit += max(0, int(number) - len(able))

    def replace_germans(self) -> None:
        tired = [u for u in self.board.side("german") if u.lost and "step-replaced" in u.traits]
        for unit in sorted(tired, key=lambda u: (-u.ladder[0][0], u.id)):
            if self.steps and unit.hex in self.german.supply:
                unit.lost, self.steps = 0, self.steps - 1

    def german_arrivals(self) -> None:
        board = self.board
        names = [n for e in self.due("german") for n in e.units]
        if board.turn <= 2:
            names, self.reserve = names + self.reserve, []
        for name in names:
            romanian = self.game.unit_type[self.game.counter[name].type].nationality == "romanian"
            self.arrive(name, self.german_entries(romanian=romanian or name == "CSIR"))
        gate = self.gate()
        if self.special and gate and not any(board.at(h, "soviet") for h in gate):
            for name in self.special:
                self.arrive(name, gate)
            self.special = []

    def gate(self) -> list[Hex]:
        edges = {e.id: e.hexes for e in self.board.map.edges}
        return [h for h in edges["asterisk-entry"] if h in self.board.open]

    def german_entries(self, *, romanian: bool) -> list[Hex]:
        board = self.board
        if romanian:
            edge = [h for h in board.sources["german"] if board.country.get(h) == "romania"]
            return sorted(edge, key=lambda h: -board.homeward(h, "german"))
        good = german_field(board)
        towns = [h for h in board.town if h in board.road_hexes and h in good and board.holder[h] == "german"]
        pull = self.german.pull
        return sorted(towns, key=lambda h: -pull.get(h, 0))[:8] + board.sources["german"]

    def arrive(self, name: str, places: list[Hex]) -> Unit | None:
        board = self.board
        for hex_ in places:
            if hex_ in board.open and not board.at(hex_, "soviet"):
                unit = board.place(name, hex_)
                if board.fits(hex_, unit):
                    unit.spent = 99 if hex_ not in board.sources["german"] else 0
                    return unit
                board.remove(unit)
        return None

    def due(self, side: str) -> list[Reinforcement]:
        entries = self.board.scenario.reinforcements
        return [e for e in entries if e.side == side and e.turn == self.board.turn]

    # --- the Soviet turn

    def soviet_turn(self) -> None:
        board, soviet = self.board, self.soviet
        soviet.assaults()
        soviet.look()
        self.soviet_arrivals()
        self.replace_soviets()
        soviet.moves()
        for hex_ in list(board.stacks):
            while board.room(hex_, "soviet") < 0:
                board.lose(min(board.at(hex_, "soviet"), key=lambda u: u.defense))
        if not board.dd3:
            self.starve()

    def starve(self) -> None:
        board = self.board
        good = soviet_field(board) | self.soviet.coast
        for unit in board.side("soviet"):
            if unit.hex not in good and board.map.lattice.label(unit.hex) != "3701":
                board.lost["soviet"] += unit.steps
                board.remove(unit)
                board.dead.append(unit.id)

    def centers(self) -> list[Hex]:
        places = [p.hex for p in self.board.map.places if "replacement-center" in p.features]
        return [h for h in places if h in self.soviet.fed and self.board.holder.get(h) == "soviet"]

    def fed_towns(self, *kinds: str) -> list[Hex]:
        board = self.board
        return [h for h, k in board.town.items() if k in kinds and h in self.soviet.fed and self.is_soviet(h)]

    def is_soviet(self, hex_: Hex) -> bool:
        return self.board.worth(hex_) > 0 and self.board.holder[hex_] == "soviet"

    def soviet_arrivals(self) -> None:
        board = self.board
        for name in [n for e in self.due("soviet") for n in e.units]:
            counter = self.game.counter[name]
            setup = counter.setup or ""
            if "converts-from" in self.game.unit_type[counter.type].values:
                self.convert(name, str(self.game.unit_type[counter.type].values["converts-from"]))
            elif setup == "Any":
                self.enter(name, self.fed_towns("small-town", "large-town", "city"))
            else:
                named = [board.label(t) for t in setup.split()]
                coast = self.game.unit_type[counter.type].id == "coastal-army"
                good = [h for h in named if h in board.open and board.holder[h] == "soviet"]
                self.enter(name, [h for h in good if coast or h in self.soviet.fed])

    def enter(self, name: str, places: list[Hex]) -> None:
        place = self.soviet.entry(places)
        if place is not None:
            self.board.place(name, place)

    def convert(self, name: str, kind: str) -> None:
        board = self.board
        able = [u for u in board.side("soviet") if u.kind.id == kind and u.hex in self.soviet.fed]
        if able:
            old = min(able, key=lambda u: (self.soviet.front.get(u.hex, 99), u.id))
            board.remove(old)
            board.dead.append(old.id)
            board.place(name, old.hex)

    def replace_soviets(self) -> None:
        board = self.board
        rates = {int(r.id): int(r.cells[0]) for r in self.game.table["replacement-rates"].rows}
        rate = rates[max(t for t in rates if t <= board.turn)]
        self.release()
        kinds = self.game.unit_type
        able = [n for n in board.dead if "replaceable" in kinds[self.game.counter[n].type].traits]
        towns = self.fed_towns("large-town", "city")
        for name in able[: rate * len(self.centers())]:
            board.dead.remove(name)
            self.enter(name, towns)

    def release(self) -> None:
        """8.10: a dead rifle corps gives divisions of the pool to the dead pile."""
        board = self.board
        for name in [n for n in board.dead if self.is_corps(n)]:
            board.dead.remove(name)
            number = 0 if name == "65RC" else int(self.game.counter[name].steps[0].split("-")[0])
            for _ in range(min(number, len(self.pool))):
                board.dead.append(self.pool.pop())

    def is_corps(self, name: str) -> bool:
        return "rifle-corps" in self.game.unit_type[self.game.counter[name].type].traits
