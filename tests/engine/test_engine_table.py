"""At the table: the module through the welcome wizard, hands counted, chits that travel, marks that go."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from builder.module import keys
from fieldpost.definition.model import Game
from fieldpost.vassal.module import Module
from fieldpost.vassal.table import Table
from tests import oracle_files
from tests.engine import turns
from tests.engine.playing import Played, Script, inputs, play
from validator.model import events as ev

pytestmark = pytest.mark.xdist_group("built")
MOST_INPUTS = 12


@pytest.fixture(scope="module")
def script(wfm_module: Path) -> Script:
    """A battle by keys, from the first click to the advance; before it chits, after it the army goes on."""
    script = Script(Module.read(wfm_module), "Turning Point")
    script.dice(6)
    script.hotkey(keys.NEXT_PHASE, 3)
    script.press("65A,57A", keys.DRAW)
    script.press("57A", keys.ATTACK)
    script.press("64A", keys.ATTACK)
    script.press("Ru6AK", keys.TARGET)
    script.roll(0)
    script.press("Ru6AK", keys.ELIMINATE)
    script.drag("57A", "E5009")
    script.hotkey(keys.NEXT_PHASE)
    script.drag("65A", "E4410")
    return script


@pytest.fixture(scope="module")
def played(
    engine: ModuleType, wfm: Game, wfm_module: Path, script: Script, tmp_path_factory: pytest.TempPathFactory
) -> Played:
    file = tmp_path_factory.mktemp("table") / "battle.vlog"
    return play(engine, wfm_module, script, file, wfm, wfm.scenario["turning-point"], wizard=True)


def test_a_battle_takes_twelve_inputs_at_most(script: Script) -> None:
    first = next(n for n, line in enumerate(script.lines) if line.endswith(str(keys.ATTACK.key)))
    last = next(n for n, line in enumerate(script.lines) if line.startswith("drag"))
    assert inputs(script.lines[first : last + 1]) <= MOST_INPUTS


@pytest.mark.parametrize("name", ["wfm-clean", "lwe-clean"])
def test_battles_of_the_turns_that_were_played_do_too(name: str) -> None:
    """Their logs lie in tests/data/table, so these keys are the modules' own."""
    script = Script(Module.read(oracle_files.MODULE), "")
    turns.TURNS[name][3](script)
    attack = str(keys.ATTACK.key)
    first = next(number for number, line in enumerate(script.lines) if line.endswith(attack))
    assert 4 <= inputs(script.lines[first:]) <= MOST_INPUTS


def test_these_inputs_make_a_whole_battle(played: Played) -> None:
    kinds = [type(event).__name__ for event in played.reading.events if not isinstance(event, ev.PhaseBegan)]
    assert kinds == ["Drawn", "Drawn", "Attacked", "Rolled", "Removed", "Moved", "Moved"]
    (advance, _) = [event for event in played.reading.events if isinstance(event, ev.Moved)]
    assert (advance.mode, advance.battle) == ("advance", 1)


def test_it_opens_through_the_welcome_wizard_without_a_word(played: Played) -> None:
    assert played.report["problems"] == []


def test_a_chit_travels_with_its_army(played: Played) -> None:
    table = Table.of(played.log)
    for step in played.log.steps:
        table.step(step)
    army = next(piece for piece in table.pieces.values() if piece.value("UnitId") == "65A")
    assert army.parent is not None
    assert [piece.value("Kind") for piece in army.parent.contents] == ["chit", "unit"]


def test_marks_of_the_battle_go_with_its_phase(played: Played) -> None:
    table = Table.of(played.log)
    for step in played.log.steps:
        table.step(step)
    units = [piece for piece in table.pieces.values() if piece.value("Kind") == "unit"]
    assert {piece.value("BattleRole") for piece in units} == {"none"}
    (plate,) = (piece for piece in table.pieces.values() if piece.value("Kind") == "battle")
    assert (plate.value("Shown"), plate.value("Place")) == ("", "")
