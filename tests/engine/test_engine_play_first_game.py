"""The example played in the real engine: a game without supply marks, strength chits or overruns."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import ModuleType

import pytest

from builder.module import keys
from builder.module.package import Options, build
from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.vassal.module import Module
from fieldpost.vassal.table import Table
from tests.engine.conftest import EXAMPLE
from tests.engine.playing import Played, Script, play
from validator.model import events as ev
from validator.services import one_turn
from validator.services.turnfile import Wanted

pytestmark = pytest.mark.xdist_group("built")


@pytest.fixture(scope="module")
def played(
    engine: ModuleType, ferry: Game, ferry_module: Path, tmp_path_factory: pytest.TempPathFactory
) -> Played:
    script = Script(Module.read(ferry_module), "Whole map")
    script.dice(2, 3)
    script.drag("2B", "0403")
    script.drag("3B", "0302")
    script.undo()
    script.hotkey(keys.NEXT_PHASE)
    script.press("1B,TankB", keys.ATTACK)
    script.press("FerryR", keys.TARGET)
    script.press("TankB", keys.NO_BATTLE)
    script.press("TankB", keys.ATTACK)
    script.press("FerryR", keys.LOSE_STEP)
    script.button(keys.ADD_UP.text)
    script.button("Combat 1d6")
    script.button("Result D1")
    script.button(keys.NEW_BATTLE.text)
    script.button("Combat 1d6")
    script.draw("Weather", "0101")
    script.press("MilR-1", keys.DELETE)
    file = tmp_path_factory.mktemp("ferry") / "dawn.vlog"
    return play(engine, ferry_module, script, file, ferry, ferry.scenario["dawn"])


def _odds_after(played: Played) -> list[str]:
    """What the battle marker said after each step that changed it."""
    table, said = Table.of(played.log), [""]
    for step in played.log.steps:
        table.step(step)
        plate = table.pieces["battle-marker"].value("Shown") or ""
        if plate != said[-1]:
            said.append(plate)
    return said[1:]


def test_the_battle_marker_adds_up_with_the_ground_whatever_changes(played: Played, ferry: Game) -> None:
    assert played.report["problems"] == []
    assert _odds_after(played) == [
        *(f"#1  {odds}, die -1" for odds in ("9:0 = -", "9:5 = 1:2", "4:5 = 1:2", "9:5 = 1:2", "9:3 = 1:2")),
        f"#1  9:3 = 1:2, die -1  {ferry.table['combat-results'].cell('1', '1:2')}",  # night, and a 1
        "#2",
    ]


def test_the_battle_marker_stands_in_the_attacked_hex(played: Played, ferry: Game) -> None:
    table = Table.of(played.log)
    for step in played.log.steps:
        table.step(step)
    marker, target = table.pieces["battle-marker"].place, table.pieces["unit-FerryR"].place
    assert (marker.map, marker.x) == (target.map, target.x)
    assert 0 < target.y - marker.y < 44


def test_dice_tell_the_odds_of_their_own_battle_only(played: Played) -> None:
    said = [command for step in played.log.steps for command in step.commands if "[fp] roll" in command]
    assert [line.removeprefix("CHAT* Oracle Tester ") for line in said] == [
        "rolls 2 for combat (9:3 = 1:2, night -1, forest 1L, ferry 2L) [fp] roll combat 1d6=2 #1",
        "rolls 3 for combat [fp] roll combat 1d6=3 #2",
    ]


def test_it_reads_as_it_was_played(played: Played) -> None:
    kinds = [type(event).__name__ for event in played.reading.events]
    assert kinds == [
        "Moved",
        "Undone",
        "PhaseBegan",
        "StepChanged",
        "Attacked",
        "Rolled",
        "ResultNamed",
        "Rolled",
        "Drawn",
        "Removed",
    ]
    (battle,) = (event for event in played.reading.events if isinstance(event, ev.Attacked))
    assert battle.units == ("1B", "TankB")


def test_the_referee_judges_it_by_the_data_and_counts_as_the_plate(played: Played) -> None:
    checked = one_turn.check(played.file, Wanted(EXAMPLE))
    found = [(f.fault.rule, f.fault.verdict.value, f.origin.step) for f in checked.report.findings]
    assert found == [
        ("ferry-4.3", "illegal", 0),
        ("ferry-2.1", "warning", 9),
        ("ferry-2.2", "illegal", 12),
        ("ferry-2.2", "warning", 14),
        ("ferry-2.1", "warning", 16),
    ]
    steps = checked.report.findings[2].fault.evidence["steps"]
    assert steps[-4:] == ["die 2", "  night -1", "  die 1", "result AE"]


def test_a_chit_that_is_dragged_out_lies_face_up(played: Played) -> None:
    table = Table.of(played.log)
    for step in played.log.steps:
        table.step(step)
    drawn = [
        piece for piece in table.pieces.values() if piece.value("Kind") == "chit" and piece.place.map == "Map"
    ]
    assert len(drawn) == 1
    assert drawn[0].masked_by is None


def test_a_game_with_concealed_units_opens_without_a_problem(engine: ModuleType, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "game"))
    game = folder / "game.yaml"
    game.write_text(game.read_text().replace("traits: [armor]", "traits: [armor, hidden]"))
    report = engine.vmod_check(build(load(folder), tmp_path, Options(jobs=1)).path)
    assert report["problems"] == []
    assert report["traits"]["Obscurable"] > 1


def test_boxes_take_what_is_eliminated_and_what_never_comes_back(engine: ModuleType, tmp_path: Path) -> None:
    game = load(_with_boxes(tmp_path))
    built = build(game, tmp_path, Options(jobs=1)).path
    script = Script(Module.read(built), "Whole map")
    script.press("MilR-1", keys.ELIMINATE)
    script.draw("Weather", "0101")
    script.choose("weather-mist", keys.TAKE_OUT.text)
    played = play(engine, built, script, tmp_path / "boxes.vlog", game, game.scenario["dawn"])
    assert played.report["problems"] == []
    zones = {piece["id"]: piece["zone"] for piece in played.report["pieces"]}
    assert (zones["unit-MilR-1"], zones["chit-weather-mist-1"]) == ("Fallen", "Weather gone")
    removed = [event for event in played.reading.events if isinstance(event, ev.Removed)]
    assert [(event.unit, event.box) for event in removed] == [("MilR-1", "eliminated")]


def _with_boxes(tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "game"))
    game, scenario = folder / "game.yaml", folder / "scenarios" / "dawn.yaml"
    text = game.read_text().replace("values: {draws: 2}", "values: {draws: 2, starred: 1}")
    boxes = "boxes:\n  - {id: eliminated, name: Fallen}\n  - {id: removed-weather, name: Weather gone}\n"
    game.write_text(text.replace("boxes:\n", boxes))
    scenario.write_text(
        scenario.read_text().replace("markers: [weather-mist, weather-fair]", "markers: [weather-mist]")
    )
    return folder


def test_battles_are_numbered_past_a_hundred(
    engine: ModuleType, ferry: Game, ferry_module: Path, tmp_path: Path
) -> None:
    """The engine reads a bound that is no number as 100."""
    script = Script(Module.read(ferry_module), "Whole map")
    script.hotkey(keys.NEXT_PHASE)
    script.hotkey(keys.NEW_BATTLE, 119)
    script.press("1B", keys.ATTACK)
    script.press("FerryR", keys.TARGET)
    made = play(engine, ferry_module, script, tmp_path / "many.vlog", ferry, ferry.scenario["dawn"])
    assert made.report["problems"] == []
    assert [e.battle for e in made.reading.events if isinstance(e, ev.Attacked)] == [119]


def test_the_plate_lets_clicks_through(
    engine: ModuleType, ferry: Game, ferry_module: Path, tmp_path: Path
) -> None:
    """It lies on the upper edge of the target, over the counters beside it."""
    script = Script(Module.read(ferry_module), "Whole map")
    script.hotkey(keys.NEXT_PHASE)
    script.press("1B,TankB", keys.ATTACK)
    script.press("FerryR", keys.TARGET)
    script.click("0504")
    script.click("0403")
    for up in range(20, 60, 5):
        script.click("0504", up)
    made = play(engine, ferry_module, script, tmp_path / "plate.vlog", ferry, ferry.scenario["dawn"])
    assert made.report["problems"] == []
    on_target, beside, *along_the_plate = made.report["clicked"]
    assert on_target == "FerryR"
    assert beside in ("1B", "TankB")
    assert "Battle" not in along_the_plate
