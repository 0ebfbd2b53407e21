"""A battle played by the oracle with random dice, as lines of a sheet (chapter 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from tests.oracles.wie import rules
from tests.oracles.wie.board import AXIS, ENEMY, Hex, Piece, World, board, direction, distance, given, names
from tests.oracles.wie.positions import before_a_battle, kinds

ROUNDS = 2


@dataclass
class Line:
    """A line of the sheet, and what the oracle knows of it."""

    text: str
    what: str = ""
    piece: Piece | None = None
    values: set[int] = field(default_factory=set)  # of a shot: what it may fire at
    least: int = 0  # of a shot: the die
    number: int = 0  # of the round
    under: list[Piece] = field(default_factory=list)
    ends: set[Hex] = field(default_factory=set)  # of a retreat: where it may end


@dataclass
class Battle:
    """What was laid out, and what was done."""

    world: World
    target: Hex
    opening: list[str]
    attackers: list[Piece]
    lines: list[Line] = field(default_factory=list)
    captured: bool = False
    spared: bool = False  # attackers had more hits than units to take them
    manned: bool = False  # infantry stood there when it began

    def sheet(self, lines: list[Line] | None = None) -> str:
        world = self.world
        done = [line.text for line in (self.lines if lines is None else lines)]
        head = [
            "game wie barbarossa",
            "position empty",
            *self.opening,
            f"turn {world.turn} {world.side}-move",
        ]
        return "\n".join([*head, *done, f"turn {world.turn} {world.side}-redeploy"]) + "\n"


class Player:
    """Plays one battle by the rules, chapter 5."""

    def __init__(self, random: Random, world: World, target: Hex, attackers: list[Piece]) -> None:
        self.random, self.world, self.target = random, world, target
        self.fresh = world.put(random.choice(kinds(world.side)), random.choice(attackers).hex)
        self.planes = list(sent_planes(random, world, target))
        self.battle = Battle(world, target, given(world), list(attackers))
        self.fighting = list(attackers)
        self.defending = world.at(target)
        self.headquarters = [piece for piece in world.of(world.side) if piece.is_hq]
        self.battle.manned = any(piece.has("class-1") for piece in self.defending)

    def say(self, text: str, what: str = "", **more: object) -> None:
        self.battle.lines.append(Line(text, what, **more))  # type: ignore[arg-type]

    def play(self) -> Battle:
        label, world = board().label, self.world
        for plane in self.planes:
            self.say(
                f"move {plane.name} {label(plane.hex)}-{label(self.target)} as ground-support",
                "flight",
                piece=plane,
            )
            plane.hex = self.target
        self.say(f"turn {world.turn} {world.side}-combat", "phase")
        self.say(f"attack {names([*self.fighting, *self.planes])} x {label(self.target)}", "attack")
        self.anti_air()
        for number in range(1, ROUNDS + 1):
            if not self.fighting or not self.defending or not self.order(number):
                break
            self.round(number)
        if self.fighting and not self.world.on_foot(self.target, ENEMY[self.world.side]):
            piece = self.random.choice(self.fighting)
            self.say(
                f"advance {piece.name} {label(piece.hex)}-{label(self.target)} in 1", "advance", piece=piece
            )
            self.battle.captured = True
            self.exploit()
        return self.battle

    def exploit(self) -> None:
        """5 Breakthrough: a fresh unit beside the captured hex enters it first."""
        world, piece, label = self.world, self.fresh, board().label
        if piece is None or not rules.may_exploit(world, piece):
            return
        if self.target in rules.ways(world, piece, rules.allowance(world, piece)):
            self.say(f"turn {world.turn} {world.side}-exploit", "exploit")
            move = f"{label(piece.hex)}-{label(self.target)}"
            self.say(f"move {piece.name} {move} as exploitation", "entry", piece=piece)

    def anti_air(self) -> None:
        """5 Artillery: a die of each gun at each plane, a 1 of a D10 hits, two guns at most at one plane."""
        guns = [piece for piece in self.defending if piece.has("guns")][:2]
        for plane in list(self.planes):
            for gun in guns:
                die = self.random.choice((1, 2, 5, 9))
                text = f"fire {gun.name} at 1 on {plane.name} as anti-air : 1d10={die}"
                self.say(text, "anti-air", piece=plane, under=[gun], least=die)
                if die == 1:
                    self.say(f"remove {plane.name} to {plane.side}-eliminated", "shot down", piece=plane)
                    self.planes.remove(plane)
                    self.world.pieces.remove(plane)
                    break

    def order(self, number: int) -> bool:
        """7 Headquarters: one for each hex that attacks; none in round 1 of Germans in turns 1 and 2."""
        under: list[Piece] = []
        if not (number == 1 and self.world.side == AXIS and self.world.turn in (1, 2)):
            for start in {piece.hex for piece in self.fighting}:
                free = [hq for hq in self.headquarters if hq.hex == start]
                if not free:
                    return False
                under.append(free[0])
                self.headquarters.remove(free[0])
        self.say(
            f"round {number}" + (f" under {names(under)}" if under else ""),
            "round",
            number=number,
            under=under,
        )
        return True

    def round(self, number: int) -> None:
        """Attackers fire, then defenders; hits are taken; who was disrupted goes back."""
        world, side, enemy = self.world, self.world.side, ENEMY[self.world.side]
        manned = any(piece.has("class-1") for piece in self.defending)
        hits: Counter[Hex] = Counter()
        first, gone = 0, []
        self.room = sum(map(rules.helps, self.fighting))
        self.lift = sum(map(rules.lifts, self.planes))
        over = 0  # hits of planes, which units may take
        for plane in self.planes:
            values = rules.attack_values(world, plane, self.target)
            over += self.shoot(plane, values, number, attacks=True)[0]
        for piece in self.fighting:
            scored, high = self.shoot(
                piece, rules.attack_values(world, piece, self.target), number, attacks=True
            )
            hits[piece.hex] += scored
            first += scored if piece.has("katyusha") else 0
            if high >= rules.disrupted_from(piece) and not rules.steadies(piece.hex):
                gone.append(piece)
        attackers = list(self.fighting)
        left = self.absorbed(hits, manned=manned)
        taken_first = min(first, sum(hits.values()))
        by_levels = sum(hits.values()) - left
        left += over
        fall_first = max(taken_first - by_levels, 0)
        for _ in range(min(fall_first, len(self.defending))):
            self.fall(self.defending, enemy, number)
            left -= 1
        back, shaken = 0, []
        for piece in self.defending:
            scored, high = self.shoot(piece, self.defense(piece, attackers, gone), number, attacks=False)
            back += scored
            if high >= rules.disrupted_from(piece) and not rules.steadies(self.target):
                shaken.append(piece)
        for _ in range(min(left, len(self.defending))):
            self.fall(self.defending, enemy, number)
        self.fighting = [piece for piece in self.fighting if piece not in gone]
        self.battle.spared |= back > len(self.fighting)
        for _ in range(min(back, len(self.fighting))):
            self.fall(self.fighting, side, number)
        for piece in [piece for piece in shaken if piece in self.defending]:
            self.go_back(piece)

    def defense(self, piece: Piece, attackers: list[Piece], gone: list[Piece]) -> set[int]:
        """With those that their own die has just disrupted, or without: open."""
        values = rules.defense_values(self.world, piece, attackers)
        steady = [other for other in attackers if other not in gone]
        return values | (rules.defense_values(self.world, piece, steady) if steady else set())

    def shoot(self, piece: Piece, values: set[int], number: int, *, attacks: bool) -> tuple[int, int]:
        at = self.random.choice(sorted(values))
        helped = attacks and piece.has("class-1") and self.room and at + 1 not in values
        lifted = attacks and rules.is_armor(piece) and self.lift and at + 1 not in values
        if helped and self.random.random() < 0.7:
            at, self.room = at + 1, self.room - 1
        elif lifted and self.random.random() < 0.7:
            at, self.lift = at + 1, self.lift - 1
        rolled = [self.random.randint(1, 12) for _ in range(rules.dice(piece, attacks=attacks))]
        text = f"fire {piece.name} at {at} in 1 : {' '.join(map(str, rolled))}"
        what = "attacker" if attacks else "defender"
        self.say(text, what, piece=piece, values=values, least=min(rolled), number=number)
        return sum(die <= at for die in rolled), max(rolled)

    def absorbed(self, hits: Counter[Hex], *, manned: bool) -> int:
        """4 Fortifications: levels that infantry mans take hits over their hexside. How many are left."""
        world, label = self.world, board().label
        left = sum(hits.values())
        for (here, there), levels in list(world.levels.items()):
            taken = min(levels, hits[there]) if manned else 0
            if taken:
                side = ENEMY[world.side]
                marker = f"{side}-fort-{direction(here, there)}"
                rest = levels - taken
                text = f"mark {label(here)} {marker}:{rest}" if rest else f"unmark {label(here)} {marker}"
                self.say(text, "level")
                world.levels[here, there] = rest
                left -= taken
        return left

    def fall(self, pieces: list[Piece], side: str, number: int) -> None:
        piece = self.random.choice(pieces)
        pieces.remove(piece)
        self.world.pieces.remove(piece)
        self.say(f"remove {piece.name} to {side}-eliminated in 1", "loss", piece=piece, number=number)

    def go_back(self, piece: Piece) -> None:
        """5 Retreats; who cannot go stays and fights."""
        ways = rules.ways_back(self.world, piece, [self.target])
        if not ways:
            return
        first = self.random.choice(sorted(ways))
        end = self.random.choice(sorted(ways[first]))
        label = board().label
        path = "-".join(map(label, dict.fromkeys([piece.hex, first, end])))
        ends = {hex_ for some in ways.values() for hex_ in some}
        self.say(f"retreat {piece.name} {path} in 1", "retreat", piece=piece, ends=ends)
        piece.hex = end
        self.defending.remove(piece)


def sent_planes(random: Random, world: World, target: Hex) -> Iterator[Piece]:
    """Planes in cities of their side, as far as they fly (5 Air Unit Capabilities)."""
    flying = [kind for kind in kinds(world.side, "air") if "jet" not in kind]
    for kind in random.choices(flying, k=random.choice((0, 0, 1, 2))):
        piece = world.put(kind, target)
        if piece is None:
            continue
        near = [
            city for city in sorted(board().cities) if distance(city, target) <= rules.flight(world, piece)
        ]
        bases = [city for city in near if city != target and world.holder(city) == world.side]
        if bases:
            piece.hex = random.choice(bases)
            yield piece
        else:
            world.pieces.remove(piece)


def battle(random: Random) -> Battle:
    while True:
        laid_out = before_a_battle(random)
        if laid_out is not None:
            return Player(random, *laid_out).play()
