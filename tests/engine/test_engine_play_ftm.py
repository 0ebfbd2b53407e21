"""For the Motherland! in the real engine: the sides change places after turn 11, and a turn 12 is played."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import TypeVar

import pytest

from builder.module import keys
from fieldpost.definition.model import Game
from fieldpost.vassal.module import Module
from tests.engine.playing import Played, Script, play
from validator.model import events as ev
from validator.model.events import Event

E = TypeVar("E", bound=Event)
pytestmark = pytest.mark.xdist_group("built")
BOARD = "Whole map"


def _of(played: Played, kind: type[E]) -> list[E]:
    return [event for event in played.reading.events if isinstance(event, kind)]


@pytest.fixture(scope="module")
def passed(
    engine: ModuleType, ftm: Game, ftm_module: Path, tmp_path_factory: pytest.TempPathFactory
) -> Played:
    """The campaign without a move, to the end of turn 12."""
    script = Script(Module.read(ftm_module), BOARD)
    script.hotkey(keys.NEXT_PHASE, 12 * 7)
    file = tmp_path_factory.mktemp("passed") / "turns.vlog"
    return play(engine, ftm_module, script, file, ftm, ftm.scenario["campaign"])


def test_the_button_of_the_turn_goes_through_both_sequences(ftm: Game, passed: Played) -> None:
    assert passed.report["problems"] == []
    expected = [(turn, phase.id) for turn in range(1, 13) for phase in ftm.phases(turn)][1:]
    expected.append((13, "supply"))
    assert [(e.turn, e.phase) for e in _of(passed, ev.PhaseBegan)] == expected


@pytest.fixture(scope="module")
def played(
    engine: ModuleType, ftm: Game, ftm_module: Path, tmp_path_factory: pytest.TempPathFactory
) -> Played:
    script = Script(Module.read(ftm_module), BOARD)
    script.hotkey(keys.NEXT_PHASE)
    script.drag("65A", "2123")
    script.hotkey(keys.NEXT_PHASE)
    script.press("21A", keys.DRAW)
    script.press("5TkA", keys.DRAW)
    script.button(keys.NEW_BATTLE.text)
    script.press("21A,5TkA", keys.ATTACK)
    script.press("Ro3A", keys.TARGET)
    script.press("OS-4", keys.SUPPORT)
    script.button("Combat 1d6")
    script.button("Result D2")
    script.press("Ro3A", keys.LOSE_STEP)
    script.drag("Ro3A", "2024")
    script.hotkey(keys.NEXT_PHASE, 3)
    script.button(keys.NEW_BATTLE.text)
    script.press("51AK", keys.ATTACK)
    script.press("62A", keys.TARGET)
    script.choose("AB-2", keys.SUPPORT.text)
    script.press("AU-1", keys.FLIP)
    script.choose("SB-6", "Expended")
    script.choose("3PzK", "Strategic move")
    file = tmp_path_factory.mktemp("played") / "turn12.vlog"
    return play(engine, ftm_module, script, file, ftm, ftm.scenario["turn-of-the-tide"])


def test_the_engine_played_it_all_without_a_word(played: Played) -> None:
    assert played.report["problems"] == []


def test_the_soviets_move_first_in_turn_12(played: Played) -> None:
    assert [(e.turn, e.phase) for e in _of(played, ev.PhaseBegan)] == [
        (12, "sov-move"),
        (12, "sov-combat"),
        (12, "sov-exploit"),
        (12, "axis-move"),
        (12, "axis-combat"),
    ]


def test_each_army_drew_from_the_cup_of_its_letter(played: Played) -> None:
    assert {(e.unit, e.deck) for e in _of(played, ev.Drawn)} == {("21A", "chits-c"), ("5TkA", "chits-a")}


def test_battles_were_read_with_their_support(played: Played) -> None:
    first, second = _of(played, ev.Attacked)
    assert (set(first.units), first.support) == ({"21A", "5TkA"}, ("offensive-support",))
    assert (set(second.units), second.support) == ({"51AK"}, ("air",))
    assert [(e.result, e.battle) for e in _of(played, ev.ResultNamed)] == [("D2", 1)]


def test_an_air_unit_turned_over_and_a_base_expended_are_read(played: Played) -> None:
    assert [(e.marker, e.box, e.face) for e in _of(played, ev.Pointed)] == [("AU-1", "german-air-units", 2)]
    assert [(e.marker, e.on) for e in _of(played, ev.Marked) if e.marker == "expended"] == [
        ("expended", "SB-6")
    ]
