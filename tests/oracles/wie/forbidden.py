"""A battle of the oracle with one thing in it that the rules forbid."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.oracles.wie import rules
from tests.oracles.wie.battles import Battle, Line
from tests.oracles.wie.board import ENEMY, board, distance, names


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
    place = one(random, fought, "attack")
    assert place is not None
    return instead(fought, place, fought.lines[place].text.replace("attack ", f"attack {hqs[0].name}+", 1))


def level_for_nothing(random: Random, fought: Battle) -> Changed:
    """Before any die has fallen."""
    marks = [line for line in fought.opening if "-fort-" in line]
    if not marks or not fought.manned:
        return None
    hex_, _, marker = marks[0].removeprefix("given mark ").partition(" ")
    place = one(random, fought, "attack")
    assert place is not None
    return instead(fought, place, fought.lines[place].text, f"unmark {hex_} {marker.partition(':')[0]}")


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
    """In snow, on foot in mud, Soviets before turn 4; infantry beside motorized units is open in mud."""
    world, label = fought.world, board().label
    fresh = [piece for piece in world.of(world.side) if piece.is_soldier and piece not in fought.attackers]
    if not fought.captured or not fresh or rules.may_exploit(world, fresh[0]):
        return None
    piece = fresh[0]
    if any(other.has("motorized") for other in fought.attackers if other.hex == piece.hex):
        return None
    move = f"move {piece.name} {label(piece.hex)}-{label(fought.target)} as exploitation"
    return [*fought.lines, Line(f"turn {world.turn} {world.side}-exploit"), Line(move)]


def a_plane_from_afar(random: Random, fought: Battle) -> Changed:
    """Out of a city of its side that lies beyond its range."""
    place = one(random, fought, "flight")
    if place is None:
        return None
    plane, world, label = fought.lines[place].piece, fought.world, board().label
    assert plane is not None
    base = fought.lines[place].text.split()[2].split("-")[0]
    far = [h for h in board().land if distance(h, board().hex(base)) > rules.flight(world, plane)]
    end = label(random.choice(far))
    return [Line(f"move {plane.name} {base}-{end} as ground-support"), *fought.lines[place + 1 :]][:1]


def a_plane_not_sent(random: Random, fought: Battle) -> Changed:
    place = one(random, fought, "flight")
    return None if place is None else instead(fought, place)


def guns_hit_by_two(random: Random, fought: Battle) -> Changed:
    place = one(random, fought, "anti-air")
    return (
        None
        if place is None
        else instead(fought, place, fought.lines[place].text.replace(" at 1 ", " at 2 "))
    )


def a_gun_fires_twice_at_a_plane(random: Random, fought: Battle) -> Changed:
    place = one(random, fought, "anti-air")
    if place is None or fought.lines[place].least == 1:
        return None
    return instead(fought, place, *[fought.lines[place].text] * 2)


def who_was_shot_down_fires(random: Random, fought: Battle) -> Changed:
    place = one(random, fought, "shot down")
    begins = next((n for n, line in enumerate(fought.lines) if line.what == "round"), None)
    if place is None or begins is None:
        return None
    plane = fought.lines[place].piece
    assert plane is not None
    rolled = " ".join(["9"] * rules.dice(plane, attacks=True))
    shot = f"fire {plane.name} at {plane.shown['attack']} in 1 : {rolled}"
    return instead(fought, begins, fought.lines[begins].text, shot)


def who_was_shot_down_stays(random: Random, fought: Battle) -> Changed:
    place = one(random, fought, "shot down")
    return None if place is None else instead(fought, place)


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
    "a plane from beyond its range": a_plane_from_afar,
    "a plane that was not sent": a_plane_not_sent,
    "guns that hit by a 2": guns_hit_by_two,
    "a gun twice at a plane": a_gun_fires_twice_at_a_plane,
    "a plane fires that was shot down": who_was_shot_down_fires,
    "a plane stays that was shot down": who_was_shot_down_stays,
    "another hex entered first": enters_another_hex_first,
    "an exploitation out of season": exploits_out_of_season,
}
