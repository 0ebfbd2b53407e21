"""War in the East in the real engine: a battle of two rounds, every die with its unit, planes and guns."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import pytest

from builder.module import keys, volleys
from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.vassal.module import Module
from tests.engine.playing import Played, Script, play
from validator.model import events as ev
from validator.model.events import Event

E = TypeVar("E", bound=Event)
pytestmark = pytest.mark.xdist_group("built")


def _of(played: Played, kind: type[E]) -> list[E]:
    return [event for event in played.reading.events if isinstance(event, kind)]


@pytest.fixture(scope="module")
def played(
    engine: ModuleType, module_of: Callable[[Game], Path], tmp_path_factory: pytest.TempPathFactory
) -> Played:
    wie = load("wie")
    module = module_of(wie)
    script = Script(Module.read(module), "Whole map")
    script.hotkey(keys.NEXT_PHASE, 2)
    script.button("Free offensive (Axis)")
    script.hotkey(keys.NEXT_PHASE)
    script.choose("GB-1", "Ground-support move")
    script.hotkey(keys.NEXT_PHASE)
    script.button(keys.NEW_BATTLE.text)
    script.press(ATTACKERS, keys.ATTACK)
    script.press(DEFENDERS, keys.TARGET)
    script.press("AGC,Guderian", volleys.ORDER)
    script.hotkey(volleys.NEXT_ROUND)
    fire = volleys.fire()
    script.press(ATTACKERS.split(",")[0], volleys.MORE)
    script.press(ATTACKERS, fire)
    script.press(DEFENDERS, fire)
    script.button(volleys.COUNT.text)
    script.hotkey(volleys.NEXT_ROUND)
    script.press("GB-1", fire)
    script.press("SArt-3", volleys.fire("anti-air"))
    script.press(DEFENDERS.split(",")[0], keys.ELIMINATE)
    return play(
        engine,
        module,
        script,
        tmp_path_factory.mktemp("played") / "turn.vlog",
        wie,
        wie.scenario["barbarossa"],
    )


ATTACKERS = "GI-10,Pz-5,GArt-4"
DEFENDERS = "SLI-10,SI-7,SAr-4"


def test_the_engine_played_it_without_a_word(played: Played) -> None:
    assert played.report["problems"] == []


def test_every_unit_threw_a_die_of_its_own_at_its_value(played: Played) -> None:
    fired = [e for e in _of(played, ev.Fired) if e.manner == ""]
    assert [e.units for e in fired] == [(u,) for u in (*ATTACKERS.split(","), *DEFENDERS.split(","), "GB-1")]
    wie = load("wie")
    attack = [int(wie.counter[e.units[0]].steps[0].split("-")[0]) for e in fired]
    defense = [int(wie.counter[e.units[0]].steps[0].split("-")[1]) for e in fired]
    first, second = len(ATTACKERS.split(",")), len(DEFENDERS.split(","))
    assert [e.value for e in fired[:first]] == [attack[0] + 1, *attack[1:first]]
    assert [e.value for e in fired[first : first + second]] == defense[first : first + second]
    assert all(1 <= die <= 12 for e in fired for die in e.values)
    assert all(e.battle == 1 for e in fired)


def test_a_bomber_throws_twice_and_a_gun_at_a_plane_with_ten_sides(played: Played) -> None:
    bomber = next(e for e in _of(played, ev.Fired) if e.units == ("GB-1",))
    assert (bomber.value, len(bomber.values)) == (8, 2)
    gun = next(e for e in _of(played, ev.Fired) if e.manner == "anti-air")
    assert (gun.units, gun.value, gun.sides) == (("SArt-3",), 1, 10)


def test_rounds_are_numbered_and_bear_the_headquarters_that_order_them(played: Played) -> None:
    assert [(e.battle, e.number, e.under) for e in _of(played, ev.RoundBegan)] == [
        (1, 1, ("AGC", "Guderian")),
        (1, 2, ()),
    ]


def test_the_count_tells_how_many_hit_at_which_value(played: Played) -> None:
    told = next(command for step in played.log.steps for command in step.commands if "counts hits" in command)
    fired = [e for e in _of(played, ev.Fired) if e.manner == "" and e.units != ("GB-1",)]
    for value in {e.value for e in fired}:
        dice = [die for e in fired if e.value == value for die in e.values]
        assert f"at {value}: {sum(die <= value for die in dice)} of {len(dice)}" in told


def test_the_plate_on_the_attacked_hex_shows_the_round_and_its_hits(played: Played) -> None:
    bomber = next(e for e in _of(played, ev.Fired) if e.units == ("GB-1",))
    plate = next(piece for piece in played.report["pieces"] if piece["basicName"] == "Battle")
    assert plate["name"].endswith(f"#1  round 2  Axis {bomber.hits} : 0 Soviet")


def test_the_battle_board_tells_the_first_fire_both_rounds_and_what_is_left(played: Played) -> None:
    board = next(piece for piece in played.report["pieces"] if piece["basicName"] == "Battle board")
    told = re.sub(r"<[^>]*>", " ", board["name"].removeprefix("Battle board")).split()
    fired = _of(played, ev.Fired)
    first, second = len(ATTACKERS.split(",")), len(DEFENDERS.split(","))
    attack, defense = fired[:first], fired[first : first + second]
    guns = next(e for e in fired if e.manner == "anti-air")
    bomber = next(e for e in fired if e.units == ("GB-1",))
    scored = [sum(e.hits for e in some) for some in (attack, defense, [bomber], [guns])]
    axis, soviet = scored[0] + scored[2], scored[1] + scored[3]
    assert " ".join(told) == " ".join(
        [
            "Battle 1 Axis Soviet",
            f"Anti-air {scored[3]} of 1",
            f"Round 1 {scored[0]} of {first} {scored[1]} of {second}",
            f"Round 2 {scored[2]} of 2",
            "Dice of round 2",
            f"at 8 {scored[2]} of 2",
            f"Hits suffered {soviet} {axis}",
            "Units lost 0 1",
            f"Still to be taken {soviet} {max(axis - 1, 0)}",
        ]
    )


def test_nothing_of_the_log_is_left_unread(played: Played) -> None:
    assert not _of(played, ev.NotUnderstood)
    assert not _of(played, ev.Unread)


def test_a_lost_unit_lies_in_its_box(played: Played) -> None:
    lost = DEFENDERS.split(",")[0]
    assert [(e.unit, e.box) for e in _of(played, ev.Removed)] == [(lost, "soviet-eliminated")]


def test_what_no_counter_shows_is_declared_by_the_toolbar(played: Played) -> None:
    assert [e.what for e in _of(played, ev.Declared)] == ["free-offensive"]
