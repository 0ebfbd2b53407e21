"""A battle played by the oracle with random dice, as a sheet; and the same with one thing forbidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from tests.oracles.wie import rules
from tests.oracles.wie.board import AXIS, ENEMY, Hex, Piece, World, board, direction, given, names
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
            f"turn {world.turn} {world.side}-combat",
        ]
        return "\n".join([*head, *done, f"turn {world.turn} {world.side}-redeploy"]) + "\n"


class Player:
    """Plays one battle by the rules, chapter 5."""

    def __init__(self, random: Random, world: World, target: Hex, attackers: list[Piece]) -> None:
        self.random, self.world, self.target = random, world, target
        self.fresh = world.put(random.choice(kinds(world.side)), random.choice(attackers).hex)
        self.battle = Battle(world, target, given(world), list(attackers))
        self.fighting = list(attackers)
        self.defending = world.at(target)
        self.headquarters = [piece for piece in world.of(world.side) if piece.is_hq]
        self.battle.manned = any(piece.has("class-1") for piece in self.defending)

    def say(self, text: str, what: str = "", **more: object) -> None:
        self.battle.lines.append(Line(text, what, **more))  # type: ignore[arg-type]

    def play(self) -> Battle:
        label = board().label
        self.say(f"attack {names(self.fighting)} x {label(self.target)}", "attack")
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
        if helped and self.random.random() < 0.7:
            at, self.room = at + 1, self.room - 1
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


def battle(random: Random) -> Battle:
    while True:
        laid_out = before_a_battle(random)
        if laid_out is not None:
            return Player(random, *laid_out).play()


# --- one thing forbidden ------------------------------------------------------------------------------------


def forbidden(random: Random, fought: Battle) -> Iterator[tuple[str, str]]:
    """What is wrong, and the sheet; each kind where it can be done at all."""
    for what, change in CHANGES.items():
        lines = change(random, fought)
        if lines is not None:
            yield what, fought.sheet(lines)


Changed = list[Line] | None


def one(random: Random, fought: Battle, *whats: str) -> int | None:
    """The place of a random line of some kinds."""
    places = [n for n, line in enumerate(fought.lines) if line.what in whats]
    return random.choice(places) if places else None


def instead(fought: Battle, place: int, *texts: str) -> list[Line]:
    return [*fought.lines[:place], *map(Line, texts), *fought.lines[place + 1 :]]


def wrong_value(random: Random, fought: Battle) -> Changed:
    """A value that no reading gives; the die stays a miss or a hit."""
    place = one(random, fought, "attacker", "defender")
    if place is None:
        return None
    line = fought.lines[place]
    assert line.piece is not None
    raised = {value + 1 for value in line.values} if line.what == "attacker" else set()
    at = random.choice([v for v in range(1, 12) if v not in line.values | raised])
    rolled = line.text.partition(" : ")[2]
    return instead(fought, place, f"fire {line.piece.name} at {at} in 1 : {rolled}")


def hit_not_taken(random: Random, fought: Battle) -> Changed:
    place = one(random, fought, "loss")
    return None if place is None else instead(fought, place)


def one_loss_too_many(random: Random, fought: Battle) -> Changed:
    lost = {line.piece.name for line in fought.lines if line.what == "loss" and line.piece}
    left = [piece for piece in fought.attackers if piece.name not in lost]
    if not left or fought.captured or fought.spared:
        return None
    piece = random.choice(left)
    return [*fought.lines, Line(f"remove {piece.name} to {piece.side}-eliminated in 1")]


def disrupted_stays(random: Random, fought: Battle) -> Changed:
    """But for Finns, of whom it is open below a 12."""
    place = one(random, fought, "retreat")
    line = None if place is None else fought.lines[place]
    if place is None or line is None or line.piece is None or line.piece.has("finnish"):
        return None
    return instead(fought, place)


def wrong_way_back(random: Random, fought: Battle) -> Changed:
    """Beside the hex it left, where it may not go: to the enemy, or away from its edge."""
    place = one(random, fought, "retreat")
    if place is None:
        return None
    line = fought.lines[place]
    assert line.piece is not None
    choices = [hex_ for hex_ in board().steps(fought.target) if hex_ not in line.ends]
    if not choices:
        return None
    label = board().label
    end = random.choice(choices)
    return instead(fought, place, f"retreat {line.piece.name} {label(fought.target)}-{label(end)} in 1")


def fires_twice(random: Random, fought: Battle) -> Changed:
    place = one(random, fought, "attacker", "defender")
    if place is None:
        return None
    line = fought.lines[place]
    return [*fought.lines[: place + 1], line, *fought.lines[place + 1 :]]


def a_die_too_many(random: Random, fought: Battle) -> Changed:
    place = one(random, fought, "attacker", "defender")
    return None if place is None else instead(fought, place, fought.lines[place].text + " 12")


def the_fallen_fire(random: Random, fought: Battle) -> Changed:
    """Who was lost in the first round, in the second."""
    second = next(
        (n for n, line in enumerate(fought.lines) if line.what == "round" and line.number == 2), None
    )
    lost = [line.piece for line in fought.lines if line.what == "loss" and line.number == 1 and line.piece]
    lost = [piece for piece in lost if piece.side == fought.world.side]
    if second is None or not lost:
        return None
    shot = Line(f"fire {random.choice(lost).name} at 3 in 1 : 9")
    return [*fought.lines[: second + 1], shot, *fought.lines[second + 1 :]]


def no_headquarters(random: Random, fought: Battle) -> Changed:
    places = [n for n, line in enumerate(fought.lines) if line.what == "round" and line.under]
    if not places:
        return None
    place = random.choice(places)
    return instead(fought, place, f"round {fought.lines[place].number}")


def headquarters_again(random: Random, fought: Battle) -> Changed:
    rounds = [n for n, line in enumerate(fought.lines) if line.what == "round" and line.under]
    if len(rounds) < 2:
        return None
    return instead(fought, rounds[1], f"round 2 under {names(fought.lines[rounds[0]].under)}")


def a_round_left_out(random: Random, fought: Battle) -> Changed:
    place = next(
        (n for n, line in enumerate(fought.lines) if line.what == "round" and line.number == 2), None
    )
    if place is None:
        return None
    return instead(fought, place, fought.lines[place].text.replace("round 2", "round 3"))


def advance_too_early(random: Random, fought: Battle) -> Changed:
    label = board().label
    if fought.captured or not fought.world.on_foot(fought.target, ENEMY[fought.world.side]):
        return None
    lost = {line.piece.name for line in fought.lines if line.what == "loss" and line.piece}
    left = [piece for piece in fought.attackers if piece.name not in lost]
    if not left:
        return None
    piece = random.choice(left)
    return [*fought.lines, Line(f"advance {piece.name} {label(piece.hex)}-{label(fought.target)} in 1")]


def headquarters_attack(random: Random, fought: Battle) -> Changed:
    hqs = [piece for piece in fought.world.of(fought.world.side) if piece.is_hq]
    return instead(fought, 0, fought.lines[0].text.replace("attack ", f"attack {hqs[0].name}+", 1))


def level_for_nothing(random: Random, fought: Battle) -> Changed:
    """Before any die has fallen."""
    marks = [line for line in fought.opening if "-fort-" in line]
    if not marks or not fought.manned:
        return None
    hex_, _, marker = marks[0].removeprefix("given mark ").partition(" ")
    return [fought.lines[0], Line(f"unmark {hex_} {marker.partition(':')[0]}"), *fought.lines[1:]]


def level_spared(random: Random, fought: Battle) -> Changed:
    place = one(random, fought, "level")
    return None if place is None else instead(fought, place)


def exploits_after_fighting(random: Random, fought: Battle) -> Changed:
    if not fought.captured:
        return None
    world, label = fought.world, board().label
    piece = next(line.piece for line in fought.lines if line.what == "advance")
    onward = [hex_ for hex_ in board().steps(fought.target) if not world.on_foot(hex_, ENEMY[world.side])]
    if piece is None or not onward:
        return None
    move = f"move {piece.name} {label(fought.target)}-{label(random.choice(onward))} as exploitation"
    done = [line for line in fought.lines if line.what not in ("exploit", "entry")]
    return [*done, Line(f"turn {world.turn} {world.side}-exploit"), Line(move)]


def enters_another_hex_first(random: Random, fought: Battle) -> Changed:
    place = one(random, fought, "entry")
    if place is None:
        return None
    world, label, piece = fought.world, board().label, fought.lines[place].piece
    assert piece is not None
    aside = [h for h in rules.ways(world, piece, 1) if h != fought.target]
    if not aside:
        return None
    move = f"move {piece.name} {label(piece.hex)}-{label(random.choice(aside))} as exploitation"
    return instead(fought, place, move)


def exploits_out_of_season(random: Random, fought: Battle) -> Changed:
    """In snow, on foot in mud, Soviets before turn 4."""
    world, label = fought.world, board().label
    fresh = [piece for piece in world.of(world.side) if piece.is_soldier and piece not in fought.attackers]
    if not fought.captured or not fresh or rules.may_exploit(world, fresh[0]):
        return None
    piece = fresh[0]
    move = f"move {piece.name} {label(piece.hex)}-{label(fought.target)} as exploitation"
    return [*fought.lines, Line(f"turn {world.turn} {world.side}-exploit"), Line(move)]


CHANGES = {
    "a value that no reading gives": wrong_value,
    "a hit that is not taken": hit_not_taken,
    "a loss without a hit": one_loss_too_many,
    "a disrupted unit stays": disrupted_stays,
    "a retreat where it may not go": wrong_way_back,
    "a unit fires twice": fires_twice,
    "a die too many": a_die_too_many,
    "the fallen fire": the_fallen_fire,
    "a round without headquarters": no_headquarters,
    "a headquarters orders twice": headquarters_again,
    "a round left out": a_round_left_out,
    "an advance while defenders stand": advance_too_early,
    "headquarters attack": headquarters_attack,
    "a level falls for nothing": level_for_nothing,
    "a level spared": level_spared,
    "who fought exploits": exploits_after_fighting,
    "another hex entered first": enters_another_hex_first,
    "an exploitation out of season": exploits_out_of_season,
}
