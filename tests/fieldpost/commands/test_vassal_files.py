"""`fieldpost info`, `dump` and `scrub` as a user calls them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fieldpost import cli
from fieldpost.vassal import archive, codec, secrets, sight, steps
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
    head, *lines = output(capsys, "dump", str(DATA / "oracle.vlog")).splitlines()
    assert head == sight.eyes(None)
    assert len(lines) == 27
    assert lines[1].split() == ["2", "Oracle", "Tester", "3rd", "Blue:", "0305", "->", "0504"]
    assert lines[24].endswith("2nd Red: 1005 -> 1004  (taken back by 26)")


def test_dump_gives_pixels_where_no_module_is(lonely_log: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, windows, *lines = output(capsys, "dump", lonely_log).splitlines()
    assert windows == "The module is not given: only Main Map is surely public, 2 windows left closed."
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


# --- strangers' files ----------------------------------------------------------------------------


def bare_text(*step_lines: list[str], setup: tuple[str, ...] = ()) -> str:
    logged = [codec.encode(["LOG\t" + text for text in step], codec.ESC) for step in step_lines]
    return codec.encode(["begin_save", *setup, "end_save", *logged], codec.ESC)


CONTAINERS = {
    "bare hex": lambda text: codec.obfuscate(text, 0x3C),
    "bare upper case": lambda text: codec.obfuscate(text, 0).upper(),
    "bare raw": codec.obfuscate_raw,
    "bare plain": str.encode,
    "saved game alone": lambda text: archive.pack({"savedGame": codec.obfuscate(text)}),
    "saved game first": lambda text: archive.pack(
        {"savedGame": text.encode(), "savedata": META, "notes.txt": b"by sesame-ann", "i/a.png": b"\x89\xff"}
    ),
}
META = (
    b'<?xml version="1.0"?>\n<data version="1"><version>1</version><name>Game</name>'
    b'<name lang="es">Juego</name><description>sesame-ann &amp; others</description></data>'
)


def unpacked(data: bytes) -> dict[str, bytes]:
    if not data.startswith(b"PK"):
        return {"": data}
    with zipfile.ZipFile(io.BytesIO(data)) as made:
        return {name: made.read(name) for name in made.namelist()}


@pytest.mark.parametrize("kind", CONTAINERS)
def test_scrub_gives_back_the_same_container_with_the_same_entries(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "untyped", lambda: "")  # else other in every copy
    make = CONTAINERS[kind]
    log, copy = tmp_path / "turn.vlog", tmp_path / "copy.vlog"
    log.write_bytes(make(bare_text(["CHATno"], setup=("PLAYER\tsesame-ann\tAnn\tAxis",))))
    output(capsys, "scrub", str(log), str(copy))
    clean = bare_text(["CHATno"], setup=("PLAYER\tplayer-1\tAnn\tAxis",))
    wanted = {name: data.replace(b"sesame-ann", b"player-1") for name, data in unpacked(make(clean)).items()}
    assert unpacked(copy.read_bytes()) == wanted
    assert list(unpacked(copy.read_bytes())) == list(wanted)


def test_scrub_of_a_log_without_secrets_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, copy, again = (tmp_path / f"{name}.vlog" for name in ("log", "copy", "again"))
    log.write_bytes(
        CONTAINERS["saved game first"](bare_text(["CHATno"])).replace(b"sesame-ann", b"nobody-all")
    )
    output(capsys, "scrub", str(log), str(copy))
    output(capsys, "scrub", str(copy), str(again))
    assert unpacked(copy.read_bytes()) == unpacked(log.read_bytes())
    assert again.read_bytes() == copy.read_bytes()


def test_modern_chat_is_told_as_it_was_typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "turn.vlog"
    log.write_bytes(codec.obfuscate(bare_text(["CHAT&lt;Ann &amp; Co&gt; - is 3 &lt; 4?"])))
    _, line = output(capsys, "dump", str(log)).splitlines()
    assert line.split(maxsplit=4) == ["1", "Ann", "&", "Co", '"is 3 < 4?"']
    (step,) = as_json(capsys, "dump", str(log))["steps"]
    assert step["changes"][0]["text"] == "is 3 < 4?"


def test_reports_and_dice_come_first_and_are_never_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changes = [f"MutableProperty\tinternal{number}\t0\t{'x' * 60}\tModule" for number in range(200)]
    report = "CHAT* Ann rolls for the weather: 2d6 = 3,4"
    log = tmp_path / "turn.vlog"
    log.write_bytes(codec.obfuscate(bare_text([*changes, report, "CHAT* It rains"])))
    _, line = output(capsys, "dump", str(log)).splitlines()
    assert "2d6 = 3, 4; It rains; internal0" in line
    assert line.endswith("more")
    assert len(line) < 400
    _, whole = output(capsys, "dump", str(log), "--all").splitlines()
    assert whole.count("internal") == 200


@pytest.mark.parametrize(
    ("step", "dice"),
    [
        (["CHAT* Ann's button: 2d6 = 3,4"], 1),
        (["CHAT* Ann rolled a 5 for supply"], 1),
        (["CHAT* Weather is fair", "MutableProperty\tWeather_result\t0\t3\tModule"], 1),
        (["CHAT* ! * ?", "SHOW_RESULTS\tsymbols\t1\t2"], 1),
        (["CHAT<Ann> - I rolled a 5"], 0),
        (["CHAT* UNDO: *** 2d6 = 7 *** <Ann>"], 0),
        (["CHAT* Ann moves 3rd Blue: 0101 -> 0202"], 0),
    ],
)
def test_info_counts_the_dice_of_report_buttons(
    step: list[str], dice: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "turn.vlog"
    log.write_bytes(codec.obfuscate(bare_text(step)))
    (entry,) = as_json(capsys, "info", str(log))
    assert entry["dice"] == dice


def test_a_move_of_a_piece_that_never_was_is_told_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "turn.vlog"
    log.write_bytes(codec.obfuscate(bare_text(["M/ghost/Main/1/2/null/Main/3/4/null", "D/ghost/a/b"])))
    told = output(capsys, "dump", str(log))
    assert "moved: a piece that is not in the game; changed: a piece that is not in the game" in told


BAD_MODULES: dict[str, Callable[[Path], object]] = {
    "damaged": lambda path: path.write_bytes((DATA / "demo.vmod").read_bytes()[:4000]),
    "no XML": lambda path: path.write_bytes(archive.pack({"buildFile.xml": b"><a/>", "moduledata": MODULE})),
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "endless": lambda path: path.symlink_to("/dev/zero"),
}
MODULE = b"<data><version>1.0</version><name>Oracle Demo</name></data>"


@pytest.mark.parametrize("kind", BAD_MODULES)
def test_a_bad_module_beside_a_log_is_told_and_left_aside(
    kind: str, lonely_log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    BAD_MODULES[kind](Path(lonely_log).with_name("a-bad.vmod"))
    assert cli.main(["dump", lonely_log]) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 2 + 27
    assert "left aside" in printed.err
    assert "a-bad.vmod" in printed.err
    shutil.copy(DATA / "demo.vmod", Path(lonely_log).with_name("b-good.vmod"))
    assert "0305 -> 0504" in output(capsys, "dump", lonely_log)


def test_a_log_whose_savedata_cannot_be_read_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "turn.vlog"
    log.write_bytes(archive.pack({"savedGame": bare_text(["CHATx"]).encode(), "savedata": b"<data>"}))
    assert cli.main(["info", str(log)]) == 0
    printed = capsys.readouterr()
    assert "1 step" in printed.out
    assert "savedata: not XML" in printed.err


def test_a_build_file_that_does_not_begin_with_a_tag_is_named_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in a module found in public, which VASSAL does not open either."""
    module = tmp_path / "draw.vmod"
    BAD_MODULES["no XML"](module)
    assert cli.main(["dump", str(DATA / "oracle.vlog"), "--module", str(module)]) == 2
    assert "it begins with '>' instead of a tag" in capsys.readouterr().err


def test_info_of_a_folder_lists_what_is_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("oracle.vlog", "demo.vmod"):
        shutil.copy(DATA / name, tmp_path)
    (tmp_path / "more").mkdir()
    found = as_json(capsys, "info", str(tmp_path))
    assert [entry["kind"] for entry in found] == ["folder", "module", "folder", "log"]


@pytest.mark.parametrize(
    "command",
    [["info"], ["dump"], ["scrub", "OUT"], ["check"], ["tell"], ["audit"], ["lint"], ["hex", "0101"]],
)
def test_control_characters_in_a_name_never_reach_the_terminal(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a\x1b[2J\x07\u202eb.vlog"
    path.write_bytes(b"nonsense")
    name, *rest = (str(tmp_path / "out") if word == "OUT" else word for word in command)
    for argument in (str(path), str(path) + ".gone", "--\x1b[2J"):
        with contextlib.suppress(SystemExit):
            cli.main([name, argument, *rest])
        printed = capsys.readouterr()
        assert printed.out + printed.err
        assert not set("\x1b\x07\u202e") & set(printed.out + printed.err)
