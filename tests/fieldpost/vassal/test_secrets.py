"""No password, no mail address, on request no name: in anything the program writes or says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fieldpost import cli
from fieldpost.vassal import archive, codec, commands, making, pieces, secrets, steps, tree
from fieldpost.vassal.metadata import Metadata
from fieldpost.vassal.pieces import PieceDesign
from fieldpost.vassal.table import Table
from tests.places import REPOSITORY, Corpus

DATA = REPOSITORY / "tests" / "data" / "vassal"
PASSWORDS = ("sesame-ann", "sesame-bob", "sesame-cid", "sesame-dee", "sesame-eve", "sesame-fay")
MAIL = "ann.player@mail.example.org"
SPY = PieceDesign(
    "Spy",
    "s.png",
    (
        making.hide(access=making.SAME_PLAYER),
        making.mask("m.png", access=making.SAME_PLAYER),
        making.trait("restrict;", sides=["Axis"], by_player=True),
        making.label(),
    ),
)


def spy(label: str = "") -> PieceDesign:
    design = SPY.with_state("hide;", "sesame-cid").with_state("obs;", "sesame-dee;false|0")
    return design.with_state("restrict;", "sesame-eve").with_state("label;", label)


def secretive_log() -> str:
    """A log with a password, name or address in every place one can stand in."""
    player = [
        "PLAYER\tsesame-ann\tAnn Player\tAxis",
        "PLAYER\tsesame-bob\tBob Other\tAllied",
        "UNMASK\tsesame-ann\tsesame-fay",
        "PNOTE\tsesame-fay\tmy note",
        f"NOTES\twrite to {MAIL}",
    ]
    pieces_part = codec.encode(
        ["", spy().add("spy", "Main", 1, 1), pieces.stack("s", "Main", 1, 1, ["spy"])], codec.ESC
    )
    step_commands = [
        [f"CHAT<Ann Player> - mail me at {MAIL}, password sesame-ann"],
        ["M/spy/Main/5/5/null/Main/1/1/null/sesame-ann", "CHAT* Ann Player moves Spy"],
        ["D/" + codec.encode(["spy", spy(f"by {MAIL}").state("Main", 5, 5), spy().state("Main", 5, 5)], "/")],
        ["M/nobody/Main/5/5/null/Main/1/1/null/sesame-bob", "CHATx"],
        ["PYREMOVE\tsesame-bob"],
        ["SNOTE\tsealed\tsesame-fay\ttrue\ttext\tdate\thandle"],
        ["HAKA:sesame-ann;Bob Other", "CHAT* noted"],
    ]
    logged = [codec.encode(["LOG\t" + text for text in step], codec.ESC) for step in step_commands]
    return codec.encode(["begin_save", "", pieces_part, *player, "end_save", *logged], codec.ESC)


@pytest.fixture
def log_path(tmp_path: Path) -> Path:
    path = tmp_path / "turn.vlog"
    archive.write_game(path, secretive_log(), Metadata("Game", "1", "3.7.0", f"from {MAIL}, sesame-ann"))
    return path


def leaks(text: str, *more: str) -> list[str]:
    return [secret for secret in (*PASSWORDS, MAIL, *more) if secret in text]


def test_the_log_of_these_tests_is_full_of_secrets() -> None:
    assert leaks(secretive_log()) == [*PASSWORDS, MAIL]


@pytest.mark.parametrize("options", [[], ["--json"], ["--raw"]])
def test_dump_shows_no_secret(log_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]) -> None:
    assert cli.main(["dump", str(log_path), *options]) == 0
    printed = capsys.readouterr()
    assert "Spy" in printed.out
    assert leaks(printed.out + printed.err) == []


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_info_shows_no_password(
    log_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    assert cli.main(["info", str(log_path), *options]) == 0
    printed = capsys.readouterr()
    assert "Ann Player" in printed.out
    assert leaks(printed.out + printed.err) == []


def test_scrub_leaves_no_secret(log_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy.vlog"
    assert cli.main(["scrub", str(log_path), str(copy)]) == 0
    content = archive.read(copy)
    assert content.text is not None
    assert leaks(content.text + repr(content.metadata) + capsys.readouterr().out) == []
    assert "Ann Player" in content.text


def test_scrub_takes_names_out_on_request(log_path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.vlog"
    assert cli.main(["scrub", str(log_path), str(copy), "--names"]) == 0
    text = archive.read(copy).text
    assert text is not None
    assert leaks(text, "Ann Player", "Bob Other", "Ann", "Bob") == []
    assert "CHAT<Player 1> - " in text


def test_scrub_does_not_overwrite(log_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = log_path.read_bytes()
    assert cli.main(["scrub", str(log_path), str(log_path)]) == 2
    assert log_path.read_bytes() == before
    assert "there already" in capsys.readouterr().err


def replayed(log: steps.Log) -> tuple[object, ...]:
    table = Table.of(log)
    places = [
        {
            id: (piece.place, piece.parent.members if piece.parent else None)
            for id, piece in table.pieces.items()
        }
        for step in log.steps
        if table.step(step) is not None
    ]
    links = [(step.undoes, step.undone_by) for step in log.steps]
    return places, links, table.turns, table.properties, sorted(table.players.values())


@pytest.mark.parametrize("name", ["oracle", "random1", "random2", "random3"])
@pytest.mark.parametrize("names", [False, True])
def test_scrubbed_log_replays_the_same(name: str, names: bool) -> None:
    log = steps.read(DATA / f"{name}.vlog")
    clean = steps.parse(secrets.scrub(log, names))
    assert "oraclepw" in log.text
    assert "oraclepw" not in clean.text
    before, after = replayed(log), replayed(clean)
    assert before[:4] == after[:4]
    assert names or before == after


def test_scrubbing_twice_changes_nothing_more() -> None:
    once = secrets.scrub(steps.parse(secretive_log()), names=True)
    assert secrets.scrub(steps.parse(once), names=True) == once


def test_what_scrubbing_writes_is_shown_as_it_is() -> None:
    shown = secrets.Redactor(["player-1", "oraclepw"])
    assert shown.clean("player-1") == "player-1"
    assert shown.clean("player-1, oraclepw") == f"player-1, {secrets.HIDDEN}"


def test_log_without_secrets_keeps_its_bytes() -> None:
    text = codec.encode(["begin_save", "", "'quoted'", "end_save", "LOG\tCHATx", "LOG\tnull"], codec.ESC)
    assert secrets.scrub(steps.parse(text)) == text


def test_password_that_is_a_word_of_the_module_is_taken_from_its_places_only() -> None:
    """A player whose password is the name of the map: the map must stay."""
    text = codec.encode(
        ["begin_save", "end_save", "PLAYER\tMain\tAnn\tAxis", "LOG\tM/u/Main/1/2/null/Main/3/4/null/Main"],
        codec.ESC,
    )
    clean = secrets.scrub(steps.parse(text))
    assert "M/u/Main/1/2/null/Main/3/4/null/player-1" in clean
    assert "PLAYER\tplayer-1\tAnn" in clean


@pytest.mark.parametrize("password", ["161", "true", "null-and-void", "Battlefield", "stack"])
def test_password_that_means_something_elsewhere_harms_nothing(password: str) -> None:
    oracle = steps.read(DATA / "oracle.vlog")
    log = steps.parse(oracle.text.replace("oraclepw", password))
    clean = steps.parse(secrets.scrub(log))
    assert replayed(log) == replayed(clean)
    assert f"PLAYER\t{password}\t" in log.text
    assert f"PLAYER\t{password}\t" not in clean.text
    assert f"/{password}{codec.ESC}" not in clean.text


@pytest.mark.parametrize("password", ["Ann", "Al"])
def test_name_that_is_a_password_goes_with_it(password: str) -> None:
    text = codec.encode(["begin_save", "end_save", f"PLAYER\t{password}\t{password}\tAxis"], codec.ESC)
    assert "PLAYER\tplayer-1\tplayer-1\tAxis" in secrets.scrub(steps.parse(text))


def test_same_player_keeps_the_same_alias() -> None:
    clean = secrets.scrub(steps.parse(secretive_log()))
    assert "PLAYER\tplayer-1\tAnn Player" in clean or "PLAYER\tplayer-4\tAnn Player" in clean
    alias = clean.partition("PLAYER\t")[2].partition("\t")[0]
    assert f"M/spy/Main/5/5/null/Main/1/1/null/{alias}" in clean


@pytest.mark.parametrize("damage", ["cut", "flip"])
def test_damaged_log_betrays_nothing(log_path: Path, capsys: pytest.CaptureFixture[str], damage: str) -> None:
    data = bytearray(codec.obfuscate(secretive_log()))
    if damage == "cut":
        del data[-33:]
    else:
        data[len(data) * 3 // 4] = ord("x")
    broken = log_path.with_name("broken.vlog")
    broken.write_bytes(bytes(data))
    for command in (["dump"], ["dump", "--json"], ["dump", "--raw"], ["info"], ["info", "--json"]):
        assert cli.main([*command, str(broken)]) == 2
        printed = capsys.readouterr()
        assert leaks(printed.out + printed.err) == []
        assert "Traceback" not in printed.err


def test_terminal_commands_in_a_log_are_not_passed_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = codec.encode(["begin_save", "end_save", "LOG\tCHATa\x07b\u202ec\x9b2J"], codec.ESC)
    path = tmp_path / "bell.vlog"
    path.write_bytes(codec.obfuscate(text))
    assert cli.main(["dump", str(path)]) == 0
    assert "a?b?c?2J" in capsys.readouterr().out


def test_exceptions_of_commands_hold_no_text_of_the_log() -> None:
    for text in secretive_log().split(codec.ESC):
        assert leaks(repr(commands.read(text)) + repr(tree.read(text))) == []


def test_no_password_of_the_corpus_is_printed(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    """Every log of strangers; the passwords found by their places, not by our reader of them."""
    tried = 0
    for path in corpus.files("vlog"):
        if path.stat().st_size > 500_000:
            continue
        found = passwords(archive.read(path).text or "")
        tried += len(found)
        for command in (["dump", "--json"], ["dump"], ["info", "--json"]):
            assert cli.main([*command, str(path)]) == 0
            printed = capsys.readouterr().out
            assert [one for one in found if f'"{one}"' in printed or f" {one} " in printed] == [], path.name
    assert tried > 5


def passwords(text: str) -> set[str]:
    found = set()
    for part in text.replace("\\", "").split(codec.ESC):
        command = part.removeprefix("LOG\t")
        if command.startswith("M/") and command.count("/") == 10:
            found.add(command.rpartition("/")[2])
        if command.startswith("PLAYER\t"):
            found.add(command.split("\t")[1])
    return {one for one in found if len(one) > 2 and one != "null"}


def test_json_of_a_log_is_json(log_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["dump", str(log_path), "--json"])
    report = json.loads(capsys.readouterr().out)
    assert [step["number"] for step in report["steps"]] == [1, 2, 3, 4, 5, 6, 7]


def test_a_command_logged_many_times_over_is_scrubbed() -> None:
    text = "\x1b".join(["begin_save", "end_save", "PLAYER\tsesame-ann\tAnn\tAxis"])
    many = "LOG\t" * 20_000
    log = steps.parse(f"{text}\x1b{many}PLAYER\tsesame-ann\tAnn\tAxis\x1bLOG\tCHATx")
    scrubbed = secrets.scrub(log)
    assert "sesame" not in scrubbed
    assert scrubbed.count("LOG\t") == 20_001
