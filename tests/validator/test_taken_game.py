"""A module that was taken in, with a block `rules:` and no Python, is refereed by logs of its own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from builder.taken import rebuild, take_apart
from fieldpost.cli import main
from fieldpost.definition import load
from fieldpost.vassal import steps
from fieldpost.vassal.metadata import Metadata
from fieldpost.vassal.module import Module
from fieldpost.vassal.pieces import PieceDesign
from fieldpost.vassal.table import Table
from fieldpost.vassal.turns import phase_id, phases
from fieldpost.vassal.writer import LogBuilder, SaveBuilder, TurnLevel
from tests import oracle_files
from validator.interpret.pieces import Identities
from validator.model import position as positions
from validator.services import turnfile
from validator.services.turnfile import Wanted

MAIN = "Main Map"
FIRST_GAME = Path(__file__).resolve().parents[2] / "examples" / "first-game"
RULES = {
    "sequence": {},
    "movement": {},
    "zones": {"stop": True},
    "stacking": {"limit": 2, "count": "units"},
}
DEMO = Module.read(oracle_files.MODULE)


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo module, whose owner wrote four points for each unit, and what holds of zones and stacks."""
    folder = tmp_path_factory.mktemp("taken") / "demo"
    take_apart.take(oracle_files.MODULE, folder)
    home = folder / "game"
    game = yaml.safe_load((home / "game.yaml").read_text())
    for kind in game["unit_types"]:
        kind["factors"] = ["movement"]
    said = {"rules": RULES, "confirmed": ["rules", "map", "phases"]}
    (home / "game.yaml").write_text(yaml.safe_dump(game | said, sort_keys=False))
    counters = yaml.safe_load((home / "counters.yaml").read_text())
    for group in counters["counters"]:
        for unit in group["units"]:
            unit["steps"] = ["4"]
    (home / "counters.yaml").write_text(yaml.safe_dump(counters, sort_keys=False))
    return folder


def turn(path: Path, moves: Sequence[tuple[str, str]]) -> Path:
    """Blue's movement of the module's first turn, and the phase after it begun."""
    log = LogBuilder(steps.read(oracle_files.FOLDER / "battle.vsav"))
    for name, label in moves:
        piece = next(one for one in log.table.pieces.values() if one.basic_name == name and one.place.map)
        log.move((piece.id,), MAIN, *DEMO.pixel(MAIN, label))
    log.turn([TurnLevel(1, children=(TurnLevel(1, entries=4),))])
    log.write(path)
    return path


def checked(path: Path, taken: Path, module: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    main(["check", str(path), "--game", str(taken), "--module", str(module), "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def illegal(report: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [(one["rule"], one["units"]) for one in report["findings"] if one["verdict"] == "illegal"]


def test_hexes_phases_and_positions_are_those_of_the_module(taken: Path) -> None:
    game = load(str(taken))
    labels = [game.map.lattice.label(hex_) for hex_ in game.map.hexes]
    assert len(labels) > 90
    assert all(DEMO.locate(MAIN, *DEMO.pixel(MAIN, label)).label == label for label in labels)
    assert [one.id for one in game.sequence] == [phase_id(words) for words in phases(DEMO.turn_trackers[0])]
    (scenario,) = game.scenarios
    start = positions.start(game, scenario)
    wanted = Wanted(game=str(taken), module=oracle_files.MODULE)
    read = turnfile.read(oracle_files.FOLDER / "battle.vsav", wanted).start
    assert {one.id: one.spot for one in start.units.values()} == {
        one.id: one.spot for one in read.units.values()
    }


LEGAL = [("1st Blue", "0603"), ("2nd Blue", "0405")]
FAULTY = [
    ([("1st Blue", "0904"), *LEGAL[1:]], "movement", "1st-Blue"),
    ([("4th Blue", "0803"), ("4th Blue", "0802")], "zones", "4th-Blue"),
    ([("1st Blue", "0405"), ("2nd Blue", "0405")], "stacking", "1st-Blue"),
]


def test_a_legal_turn_of_the_original_and_of_the_built_module_is_legal(
    taken: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = rebuild.make(taken, tmp_path / "dist").path
    path = turn(tmp_path / "legal.vlog", LEGAL)
    for module in (oracle_files.MODULE, built):
        report = checked(path, taken, module, capsys)
        assert (report["verdict"], report["findings"]) == ("legal", [])


@pytest.mark.parametrize(("moves", "rule", "unit"), FAULTY)
def test_a_faulty_turn_is_faulted_under_the_rule_of_the_block(
    moves: list[tuple[str, str]],
    rule: str,
    unit: str,
    taken: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = checked(turn(tmp_path / "faulty.vlog", moves), taken, oracle_files.MODULE, capsys)
    ((found, units),) = illegal(report)
    assert found == rule
    assert unit in units


def test_what_breaks_a_rule_that_was_not_confirmed_is_doubtful(
    taken: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = shutil.copytree(taken, tmp_path / "open")
    game = yaml.safe_load((home / "game" / "game.yaml").read_text()) | {"confirmed": ["rules"]}
    (home / "game" / "game.yaml").write_text(yaml.safe_dump(game, sort_keys=False))
    report = checked(turn(tmp_path / "faulty.vlog", FAULTY[0][0]), home, oracle_files.MODULE, capsys)
    assert (report["verdict"], illegal(report)) == ("legal", [])
    (finding,) = report["findings"]
    assert "map and phases of this game not `confirmed`" in finding["message"]


def test_the_answer_says_how_much_of_the_log_was_read(
    taken: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (remark,) = checked(turn(tmp_path / "turn.vlog", LEGAL), taken, oracle_files.MODULE, capsys)["remarks"]
    assert remark.startswith("Another module: ")
    assert f"{len(LEGAL)} of {len(LEGAL)} moves" in remark


def test_a_log_whose_pieces_are_not_of_the_game_is_not_judged(
    taken: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = shutil.copytree(taken, tmp_path / "renamed")
    counters = yaml.safe_load((home / "game" / "counters.yaml").read_text())
    for group in counters["counters"]:
        for number, unit in enumerate(group["units"]):
            unit["name"] = f"somebody else {number}"
    (home / "game" / "counters.yaml").write_text(yaml.safe_dump(counters, sort_keys=False))
    path = turn(tmp_path / "turn.vlog", LEGAL)
    assert main(["check", str(path), "--game", str(home), "--module", str(oracle_files.MODULE)]) == 2
    assert "too little of it is understood" in capsys.readouterr().err


def test_pieces_of_one_name_are_units_of_their_own_in_the_order_they_came() -> None:
    save = SaveBuilder(Metadata(module="Another", version="1"))
    for number in (10, 2, 9):
        save.loose(MAIN, 100 * number, 100, str(number), PieceDesign("Militia", "militia.png"))
    table = Table.of(LogBuilder.of(save).log())
    units = Identities(load(str(FIRST_GAME)), table.pieces.values())
    names = {piece.id: name for piece, name in units.units(table.pieces.values())}
    assert names == {"2": "MilR-1", "9": "MilR-2", "10": "MilR-3"}
