"""`fieldpost info`, `dump` and `scrub` as a user calls them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from fieldpost import cli
from fieldpost.vassal import archive, steps
from tests.places import REPOSITORY

DATA = REPOSITORY / "tests" / "data" / "vassal"


def output(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert cli.main(list(arguments)) == status
    return capsys.readouterr().out


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(output(capsys, *arguments, "--json"))


@pytest.fixture
def lonely_log(tmp_path: Path) -> str:
    """The engine's log in a folder without its module."""
    return str(shutil.copy(DATA / "oracle.vlog", tmp_path))


def test_info_counts_steps_moves_dice_and_undos(capsys: pytest.CaptureFixture[str]) -> None:
    (entry,) = as_json(capsys, "info", str(DATA / "oracle.vlog"))
    wanted = {"kind": "log", "module": "Oracle Demo", "version": "1.0", "engine": "3.8.0-SNAPSHOT"}
    wanted |= {"steps": 27, "moves": 9, "dice": 2, "undos": 1, "pieces": 12}
    assert {key: entry[key] for key in wanted} == wanted
    assert entry["file"].endswith("oracle.vlog")
    assert entry["players"] == [{"name": "Oracle Tester", "side": "Blue"}]


def test_info_tells_of_several_files_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("battle.vsav", "demo.vmod", "random1.vlog")
    found = as_json(capsys, "info", *(str(DATA / name) for name in names))
    assert [(entry["kind"], entry["steps"]) for entry in found] == [("save", 0), ("module", 0), ("log", 226)]


def test_info_lists_what_is_in_a_container(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "turns.zip"
    inner = {f"{name}.vlog": (DATA / f"{name}.vlog").read_bytes() for name in ("oracle", "random1")}
    path.write_bytes(archive.pack(inner))
    found = as_json(capsys, "info", str(path))
    assert [entry["kind"] for entry in found] == ["container", "log", "log"]
    assert [entry["steps"] for entry in found] == [0, 27, 226]


def test_info_goes_on_after_a_broken_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.vlog"
    broken.write_bytes(b"nonsense")
    assert cli.main(["info", str(broken), str(DATA / "oracle.vlog")]) == 2
    printed = capsys.readouterr()
    assert "broken.vlog: unreadable" in printed.out
    assert "27 steps: 9 moves, 2 dice rolls, 1 undo" in printed.out
    assert "not a VASSAL file" in printed.err


def test_dump_names_hexes_by_the_module_beside_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "dump", str(DATA / "oracle.vlog")).splitlines()
    assert len(lines) == 27
    assert lines[1].split() == ["2", "Oracle", "Tester", "3rd", "Blue:", "0305", "->", "0504"]
    assert lines[24].endswith("2nd Red: 1005 -> 1004  (taken back by 26)")


def test_dump_gives_pixels_where_no_module_is(lonely_log: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "dump", lonely_log).splitlines()
    assert lines[1].endswith("3rd Blue: Main Map 161,306 -> Main Map 272,242")


def test_dump_takes_the_module_named(lonely_log: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = as_json(capsys, "dump", lonely_log, "--module", str(DATA / "demo.vmod"))
    assert report["hexes_named_by"] == "Oracle Demo"
    moved = next(change for change in report["steps"][1]["changes"] if change["change"] == "Moved")
    assert (moved["from"]["name"], moved["to"]["name"]) == ("0305", "0504")


def test_dump_for_programs_holds_every_change(capsys: pytest.CaptureFixture[str]) -> None:
    report = as_json(capsys, "dump", str(DATA / "random1.vlog"))
    assert len(report["steps"]) == 226
    kinds = {change["change"] for step in report["steps"] for change in step["changes"]}
    assert {"Moved", "StateChanged", "Added", "Removed", "ChatLine", "PropertyChanged"} <= kinds
    assert [step["number"] for step in report["steps"] if step["undoes"]] == [
        16, 21, 41, 56, 64, 141, 153, 191, 196, 213, 224,
    ]  # fmt: skip


def test_raw_dump_shows_the_tree(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "dump", str(DATA / "oracle.vlog"), "--raw").splitlines()
    assert lines[0] == "begin_save"
    assert "PLAYER<TAB>player-1<TAB>Oracle Tester<TAB>Blue" in lines
    assert any(line.startswith("  LOG<TAB>M/1795001418455/Main Map/272/242/null/") for line in lines)


def test_raw_and_json_exclude_each_other() -> None:
    with pytest.raises(SystemExit):
        cli.main(["dump", str(DATA / "oracle.vlog"), "--raw", "--json"])


def test_dump_of_a_module_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["dump", str(DATA / "demo.vmod")]) == 2
    assert "neither a save nor a log" in capsys.readouterr().err


def test_dump_of_a_truncated_log_shows_its_beginning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = (DATA / "random1.vlog").read_bytes()
    path = tmp_path / "cut.vlog"
    path.write_bytes(data[: len(data) * 2 // 3])
    assert cli.main(["dump", str(path)]) == 2
    printed = capsys.readouterr()
    assert "1st Red: Step 1 -> 2" in printed.out
    assert "cut short" in printed.err


def test_scrubbed_log_opens_and_has_the_same_steps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.vlog"
    assert "1 password taken out" in output(capsys, "scrub", str(DATA / "random1.vlog"), str(copy))
    before, after = steps.read(DATA / "random1.vlog"), steps.read(copy)
    assert len(before.steps) == len(after.steps)
    assert after.metadata.module == "Oracle Demo"


@pytest.mark.parametrize("command", ["info", "dump", "scrub"])
def test_help_shows_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main([command, "--help"])
    assert f"fieldpost {command} turn23.vlog" in capsys.readouterr().out
