"""One turn as the engine's log, as a turn sheet, as a log from Python: the findings are the same."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import pytest

from builder.module import keys
from fieldpost.definition.model import Game
from fieldpost.vassal.module import Module
from players.logs import LogWriter, plain_board
from tests.engine.playing import Played, Script, play
from validator import sheet
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.interpret import interpret
from validator.model.events import Event, Said, Undone
from validator.model.position import Position

pytestmark = pytest.mark.xdist_group("built")
Told = list[tuple[str, str, tuple[str, ...], int, str]]


@pytest.fixture(scope="module")
def played(
    engine: ModuleType, wfm: Game, wfm_module: Path, tmp_path_factory: pytest.TempPathFactory
) -> Played:
    """A Soviet turn with faults: an attack without strength markers, and two moves that are too dear."""
    script = Script(Module.read(wfm_module), "Turning Point")
    script.hotkey(keys.NEXT_PHASE, 3)
    script.button(keys.NEW_BATTLE.text)
    script.press("64A", keys.ATTACK)
    script.press("51AK", keys.TARGET)
    script.button("Combat 1d6")
    script.hotkey(keys.NEXT_PHASE)
    script.drag("28A", "E5305", "E5306")
    script.drag("37A", "E6508")
    file = tmp_path_factory.mktemp("same") / "turn22.vlog"
    return play(engine, wfm_module, script, file, wfm, wfm.scenario["turning-point"])


def _told(game: Game, start: Position, events: Iterable[Event]) -> Told:
    rules = rulebook.load("wfm")
    assert rules is not None
    referee = Referee(game, game.scenario["turning-point"], rules, {}, position=start.copy())
    for event in events:
        referee.judge(sheet.expand(event, referee.case.position))
    return sorted(
        (f.fault.rule, f.fault.verdict.value, f.fault.units, f.turn, f.phase) for f in referee.findings
    )


def test_the_turn_holds_faults(played: Played, wfm: Game) -> None:
    rules = {rule for rule, *_ in _told(wfm, played.reading.start, played.reading.events)}
    assert {"wfm-7.11", "wfm-4.27"} <= rules


def test_a_turn_sheet_gives_the_findings_of_the_engines_log(played: Played, wfm: Game) -> None:
    scenario = wfm.scenario["turning-point"]
    text = sheet.write(wfm, scenario, played.reading.events)
    again = sheet.read(text, lambda _: wfm).events
    start = played.reading.start
    assert _told(wfm, start, again) == _told(wfm, start, played.reading.events)


def test_a_log_from_python_gives_the_findings_of_the_engines_log(played: Played, wfm: Game) -> None:
    scenario = wfm.scenario["turning-point"]
    writer = LogWriter(plain_board(wfm, scenario), wfm, scenario)
    writer.write(event for event in played.reading.events if not isinstance(event, (Said, Undone)))
    reading = interpret(writer.log(), wfm, scenario)
    expected = _told(wfm, played.reading.start, played.reading.events)
    assert _told(wfm, reading.start, reading.events) == expected
