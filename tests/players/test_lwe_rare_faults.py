"""Faults that games seldom have a place for: each is put into a position made for it, and found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest

from players.faults import Kind, accused, faults_of, meant
from players.lwe.mutations import Place
from players.table import game_of
from validator import sheet
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.model.events import Event, PhaseBegan
from validator.model.position import Position

CITIES = ("3802", "2306", "4618", "2418", "3835", "2529", "3339", "4344", "2141", "2548")
TOWNS = ("3418", "3941", "4632", "4026", "3348", "1715", "1911", "2817")
CUT_OFF = "place 5ID 2018, place 24ID 2118, place 31ID 2119, place 7ID 2020, place 34ID 1919, place 45ID 1918"


@dataclass(frozen=True)
class Scene:
    kind: str
    turn: str  # and phase
    given: str
    lines: tuple[str, ...] = ()


SCENES = [
    Scene("a german voyage", "5 german-move", "place 3Pz 2141, mark 2548 german-control"),
    Scene(
        "a refit in the mud",
        "14 weather",
        "place 3Pz 1118 step 2",
        ("roll weather 1d6=5", "turn 14 german-refit-start"),
    ),
    Scene(
        "a refitting unit attacks", "5 german-pa", "place 3Pz 1418 step 2, mark 3Pz refit, place 49RD 1419"
    ),
    Scene(
        "a retreat into what the enemy holds",
        "5 german-pa",
        "place 5ID 2316, mark 2418 german-control, place 49RD 2417",
        ("attack 5ID x 2417 : 1d6=5 = DR", "retreat 49RD 2417-2517 in 1"),
    ),
    Scene(
        "a unit comes back where no line reaches",
        "2 soviet-new-units",
        "place 23RD soviet-eliminated, place 1ID 2417, place 5ID 2518, place 6ID 2517, place 7ID 2419, "
        "place 8ID 2318, place 9ID 2317",
    ),
    Scene(
        "a unit out of supply stays",
        "8 turn-start",
        f"place 75RD 2019, {CUT_OFF}",
        ("declare rescind-dd3", "turn 8 soviet-supply", "remove 75RD to soviet-eliminated"),
    ),
    Scene(
        "the supply check passed over",
        "8 turn-start",
        f"place 75RD 2019, {CUT_OFF}",
        ("declare rescind-dd3", "turn 8 soviet-supply", "remove 75RD to soviet-eliminated"),
    ),
    Scene(
        "another satellite in place of the one called for",
        "20 german-new-units",
        "place HF 1337, place R4 1437",
        ("remove HF to german-withdrawn",),
    ),
    Scene("artillery attacks alone", "5 german-pa", "place ArKo 1418, place 49RD 1419"),
    Scene("dead guards come back", "13 soviet-new-units", "place 1G soviet-eliminated"),
    Scene(
        "guards out of supply",
        "12 soviet-new-units",
        f"place 75RD 2019, place 23RD 4618, {CUT_OFF}",
        ("replace 23RD with 1G at 4618 for convert",),
    ),
    Scene(
        "motorized infantry pays for a mobile assault",
        "2 german-move",
        "place 3Pz 1418, place 10Mot 1418, place 6Mech 1419, place 4RC 1419",
        ("overrun 3Pz+10Mot x 1419 : 1d6=1 = AL1", "step 3Pz 1>2 in 1"),
    ),
    Scene(
        "play goes on after a victory",
        "5 victory",
        ", ".join(f"mark {label} german-control" for label in (*CITIES, *TOWNS)),
        ("declare victory-points = 56", 'declare victory = "German major victory"'),
    ),
    Scene("satellites attack in the north", "5 german-pa", "place HF 1418, place 49RD 1419"),
    Scene(
        "the artillery advances",
        "5 german-pa",
        "place ArKo 1418, place 5ID 1418, place 49RD 1419",
        (
            "attack 5ID+ArKo x 1419",
            'roll "artillery command" 3d6=3,4,5 in 1',
            "roll combat 1d6=6 in 1",
            "remove 49RD in 1",
        ),
    ),
    Scene("the dead coastal army comes back", "4 soviet-new-units", "place ICA soviet-eliminated"),
    Scene("two nations of satellites attack", "5 german-pa", "place HF 1438, place R4 1337, place 49RD 1437"),
    Scene(
        "a voyage through straits the enemy holds",
        "5 soviet-move",
        "place 49RD 2548, mark 3348 german-control",
    ),
    Scene(
        "a mobile assault of two stacks", "2 german-move", "place 3Pz 1418, place 4Pz 1519, place 49RD 1419"
    ),
    Scene("a mobile assault over a river", "5 german-move", "place 3Pz 1318, place 49RD 1419"),
    Scene("an attack out of romania in turn 1", "1 german-pa", "place R4 1437, place 49RD 1536"),
    Scene("a soviet attack on romania in turn 1", "1 soviet-pa", "place R4 1437, place 49RD 1536"),
    Scene(
        "a fortified zone retreats",
        "5 german-pa",
        "place 3Pz 1419, place 4Pz 1419, place 49RD 1420, place FZ-1420 1420",
        (
            "attack 3Pz+4Pz x 1420 : 1d6=5 = DR",
            "remove FZ-1420 in 1",
            "retreat 49RD 1420-1521 in 1",
        ),
    ),
]


def _expanded(text: str, position: Position) -> list[Event]:
    events = sheet.read(f"game lwe campaign\n{text}", lambda _: game_of("lwe")).events
    found = []
    for event in events:
        found.append(sheet.expand(event, position))
        position.apply(found[-1])
    return found


def played(scene: Scene) -> tuple[Position, list[Event]]:
    """The position a scene begins with, and what is done in it until its last phase is over."""
    turn, phase = scene.turn.split()
    start = Position(game_of("lwe"))
    _expanded("\n".join(scene.given.split(", ")), start)
    start.turn, start.phase = int(turn), phase
    done = _expanded("\n".join(scene.lines), start.copy())
    last = next((e.phase for e in reversed(done) if isinstance(e, PhaseBegan)), phase)
    ids = [known.id for known in game_of("lwe").sequence]
    end = ids[ids.index(last) + 1]
    return start, [PhaseBegan(int(turn), phase), *done, PhaseBegan(int(turn), end)]


def _referee(start: Position) -> Referee:
    game, rules = game_of("lwe"), rulebook.load("lwe")
    assert rules is not None
    return Referee(game, game.scenario["campaign"], rules, {}, None, start.copy())


def verdicts(kind: Kind[Place], start: Position, events: list[Event]) -> Iterator[set[str]]:
    """Which rules are named of every fault of this kind that the events have a place for."""
    for at in range(1, len(events)):
        referee = _referee(start)
        referee.feed(events[:at])
        for removed, inserted in kind.operator(Place(referee.case, events, at, Random(1))):
            spoiled = _referee(start)
            spoiled.feed([*events[:at], *inserted, *events[at + removed :]])
            yield {meant(finding) for finding in accused(spoiled.findings)}
            break


@pytest.mark.parametrize("scene", [pytest.param(scene, id=scene.kind) for scene in SCENES])
def test_the_fault_is_found(scene: Scene) -> None:
    kind = next(kind for kind in faults_of("lwe").kinds if kind.name == scene.kind)
    start, events = played(scene)
    found = list(verdicts(kind, start, events))
    assert found, "no place for it"
    assert all(rules & kind.rules for rules in found), found


@pytest.mark.parametrize("scene", [pytest.param(scene, id=scene.kind) for scene in SCENES])
def test_the_scene_without_the_fault_breaks_none_of_its_rules(scene: Scene) -> None:
    kind = next(kind for kind in faults_of("lwe").kinds if kind.name == scene.kind)
    start, events = played(scene)
    referee = _referee(start)
    referee.feed(events)
    assert not {meant(finding) for finding in accused(referee.findings)} & kind.rules
