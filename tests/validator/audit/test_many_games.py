"""Many games at once: the same by every engine, resumed after a stop, whatever a bad file does."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from fieldpost.cli import main
from tests.fieldpost.commands.running import run
from tests.places import REPOSITORY
from tests.processes import children, ends, soon
from tests.validator.audit import mailed
from tests.validator.audit.mailed import OTHER_SEED
from validator.audit import batch, engines, entries, survey
from validator.audit.differences import differences
from validator.audit.engines import Failed, Here, Pool
from validator.audit.entries import Entry
from validator.audit.results import Results
from validator.audit.sources import Item, Pointer
from validator.services.turnfile import Wanted

Capture = pytest.CaptureFixture[str]
SETTINGS = batch.Settings(Wanted())


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games in a folder, a third in a mailbox, and a log that is none."""
    folder = tmp_path_factory.mktemp("league")
    for name, logs in (("anna-bert", mailed.whole()), ("carl-dora", mailed.whole(OTHER_SEED)[:4])):
        (folder / name).mkdir()
        for log in logs:
            (folder / name / log.name).write_bytes(log.data)
    mailed.in_mbox(folder / "ever.mbox", list(mailed.forked(3)))
    (folder / "noise.vlog").write_bytes(b"PK\x03\x04 no zip at all")
    return folder


@pytest.fixture(scope="module")
def finished(league: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What a whole run has written."""
    out = tmp_path_factory.mktemp("finished") / "out.jsonl"
    assert main(["audit", str(league), "--jobs", "0", "--out", str(out)]) == 1
    return out.read_bytes()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def audited(league: Path, engine: engines.Engine) -> list[str]:
    groups, unusable = batch.find_games([league], SETTINGS, engine)
    assert [item.name for item in unusable] == ["noise.vlog"]
    return sorted(str(line) for _, line in engine.map(batch.judge, batch.works(groups, SETTINGS)))


def test_a_pool_says_the_same_as_one_process(league: Path) -> None:
    assert audited(league, Pool(2, 60, 1024)) == audited(league, Here())


def test_each_line_is_what_an_audit_of_the_game_says(league: Path, finished: bytes, capsys: Capture) -> None:
    said = {line["name"]: line for line in map(json.loads, finished.splitlines())}
    for name in ("anna-bert", "carl-dora"):
        alone = run(capsys, "audit", league / name, "--json").json
        line = said[name]
        assert {key: line[key] for key in alone} == alone


def test_each_game_is_told_in_a_line_and_the_bad_file_by_name(league: Path, capsys: Capture) -> None:
    done = run(capsys, "audit", league, "--jobs", 2)
    assert "anna-bert: wfm turning-point, 9 logs" in done.out
    assert "carl-dora: wfm turning-point, 4 logs" in done.out
    assert "ever.mbox: wfm turning-point, 2 logs" in done.out
    assert "noise.vlog: " in done.out
    assert done.out.splitlines()[-1] == "3 games, 15 logs: 1 illegal, 2 legal"
    assert done.status == 1


def test_json_without_a_file_is_a_line_a_game(league: Path, capsys: Capture) -> None:
    done = run(capsys, "audit", league, "--jobs", 0, "--json")
    assert sorted(json.loads(line)["name"] for line in done.out.splitlines()) == [
        "anna-bert",
        "carl-dora",
        "ever.mbox",
    ]
    assert "noise.vlog" in done.err


@pytest.mark.parametrize("option", ["--html", "--reply"])
def test_what_is_of_one_game_is_refused(option: str, league: Path, tmp_path: Path, capsys: Capture) -> None:
    value = [tmp_path / "a.html"] if option == "--html" else []
    done = run(capsys, "audit", league, "--jobs", 1, option, *value)
    assert (done.status, "of one game" in done.err) == (2, True)


# --- resuming ---


def test_a_second_run_audits_nothing_again(
    league: Path, finished: bytes, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.jsonl"
    out.write_bytes(finished)
    monkeypatch.setattr(batch, "judge", lambda work: pytest.fail("judged again"))
    done = run(capsys, "audit", league, "--jobs", 0, "--out", out)
    assert done.out.splitlines()[-1] == "3 games, 15 logs: 1 illegal, 2 legal"
    assert (done.status, out.read_bytes()) == (1, finished)


def test_a_torn_line_is_mended_wherever_it_tore(finished: bytes, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    *kept, last = finished.splitlines(keepends=True)
    for torn in [*range(1, 12), *range(12, len(last), 199), len(last) - 1]:
        out.write_bytes(b"".join(kept) + last[:torn])
        with Results(out) as results:
            assert len(results.done) == len(kept)
        assert out.read_bytes() == b"".join(kept)


def test_the_game_of_a_torn_line_is_audited_again(
    league: Path, finished: bytes, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out.jsonl"
    out.write_bytes(finished[:-100])
    run(capsys, "audit", league, "--jobs", 0, "--out", out)
    assert out.read_bytes() == finished


def test_a_changed_log_or_option_is_audited_anew(league: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "out.jsonl"
    for number, policy in ((1, "replay"), (2, "referee"), (2, "replay")):
        run(capsys, "audit", league / "carl-dora", "--jobs", 0, "--out", out, "--policy", policy)
        assert len(lines(out)) == number
    game = tmp_path / "carl-dora"
    game.mkdir()
    for log in mailed.whole(OTHER_SEED)[:3]:
        (game / log.name).write_bytes(log.data)
    run(capsys, "audit", game, "--jobs", 0, "--out", out)
    assert [len(line["logs"]) for line in lines(out)] == [4, 4, 3]


def test_a_file_that_holds_no_results_is_left_alone(league: Path, tmp_path: Path, capsys: Capture) -> None:
    for content in (b"my letters\n", b"my letters", b'{"a": 1}\n', b"\xff\xfe", b"[]\n"):
        out = tmp_path / "letters.txt"
        out.write_bytes(content)
        done = run(capsys, "audit", league, "--jobs", 0, "--out", out)
        assert (done.status, out.read_bytes()) == (2, content)
        assert "not a file of results" in done.err


def test_two_runs_do_not_write_one_file(league: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "out.jsonl"
    with Results(out):
        done = run(capsys, "audit", league, "--jobs", 0, "--out", out)
    assert (done.status, "another run" in done.err) == (2, True)


def test_what_failed_is_tried_again(
    league: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.jsonl"

    def fail(work: batch.Judge) -> str:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(batch, "judge", fail)
        done = run(capsys, "audit", league, "--jobs", 0, "--out", out)
    assert {line["verdict"] for line in lines(out)} == {"failed"}
    assert "carl-dora: the program stumbled over it (ZeroDivisionError)" in done.out
    run(capsys, "audit", league, "--jobs", 0, "--out", out)
    assert sorted(line["verdict"] for line in lines(out)) == ["illegal", "legal", "legal"]


def test_a_stopped_run_says_how_far_it_got_and_goes_on(league: Path, tmp_path: Path) -> None:
    """Ctrl-C while one game is under way; the workers end too."""
    out = tmp_path / "out.jsonl"
    script = (
        "import sys, time; from validator.audit import batch; from fieldpost.cli import main\n"
        "judge = batch.judge\n"
        "def slow(work):\n    time.sleep(600 if 'carl' in work.group.name else 0)\n    return judge(work)\n"
        "batch.judge = slow\nsys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script, "audit", str(league), "--jobs", "2", "--out", str(out)]
    process = subprocess.Popen(
        command,
        cwd=REPOSITORY,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a background job's is ignored
    )
    soon(lambda: out.exists() and out.read_bytes().count(b"\n") == 2, 300)
    assert process.poll() is None
    workers = children(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "stopped: 2 of 3 games are done" in said
    assert "goes on from there" in said
    assert "Traceback" not in said
    assert workers
    assert all(map(ends, workers))
    done = lines(out)
    with Results(out) as results:
        assert len(results.done) == len(done) == 2


# --- the engines, with work that goes wrong ---


def spoil(work: str) -> str:
    if work == "crash":
        os._exit(7)
    if work == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if work == "hang":
        time.sleep(60)
    if work == "greedy":
        return str(len(bytearray(4 << 30)))
    if work == "deep":
        return spoil(work)
    return work.upper()


def test_a_pool_outlives_whatever_its_work_does() -> None:
    works = ["a", "crash", "b", "killed", "c", "hang", "d", "greedy", "e", "deep", "f"]
    found = dict(Pool(2, 6, 512).map(spoil, works))
    why = {work: result.why for work, result in found.items() if isinstance(result, Failed)}
    assert why == {
        "crash": "ended its process (status 7)",
        "killed": "ended its process (SIGKILL)",
        "hang": "took longer than 6 seconds",
        "greedy": "needs more memory than it may have",
        "deep": "the program stumbled over it (RecursionError)",
    }
    assert {found[work] for work in "abcdef"} == set("ABCDEF")


def test_a_pool_takes_work_only_when_it_can_do_it() -> None:
    taken = []

    def works() -> Any:
        for number in range(20):
            taken.append(number)
            yield str(number)

    results = Pool(2, 60, 512).map(spoil, works())
    next(results)
    assert len(taken) <= 4
    results.close()  # type: ignore[attr-defined]


def test_a_file_that_ends_the_process_is_found_among_others(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = batch.look

    def crashing(work: batch.Look) -> list[batch.Seen]:
        if any(pointer.name == "2-turn-22-soviet.vlog" for pointer in work.pointers):
            os._exit(1)
        return look(work)

    monkeypatch.setattr(batch, "look", crashing)
    groups, unusable = batch.find_games([league / "anna-bert"], SETTINGS, Pool(2, 60, 1024))
    assert [(item.name, item.why) for item in unusable] == [
        ("2-turn-22-soviet.vlog", "ended its process (status 1)")
    ]
    assert sum(len(group.records) for group in groups) == 8


# --- what lies in archives ---


def test_archives_in_archives_are_looked_into_round_by_round(league: Path, tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        for log in mailed.whole(OTHER_SEED)[:2]:
            archive.writestr(f"their game/{log.name}", log.data)
    mail = mailed._message(mailed.Sent("turns.zip", inner.getvalue()), 0)
    with zipfile.ZipFile(tmp_path / "backup.zip", "w") as archive:
        archive.writestr("mails/one.eml", mail.as_bytes())
        for log in mailed.whole()[:3]:
            archive.writestr(f"our game/{log.name}", log.data)
    groups, unusable = batch.find_games([tmp_path], SETTINGS, Here())
    assert unusable == []
    assert sorted((group.name, len(group.records)) for group in groups) == [
        ("our game", 3),
        ("their game", 2),
    ]
    for _, line in Here().map(batch.judge, batch.works(groups, SETTINGS)):
        assert json.loads(str(line))["verdict"] == "legal"


def test_a_digest_of_a_position_is_alike_where_nothing_differs() -> None:
    """What parts games and what names differences must agree."""
    read = [entries.entry(Item(Pointer(log.name), log.data), Wanted()) for log in mailed.whole()]
    positions = [position for one in read if isinstance(one, Entry) for position in (one.start, one.end)]
    assert len(positions) == 18
    for one, other in product(positions, repeat=2):
        same = next(differences(one, other), None) is None
        assert (survey.state(one).digest == survey.state(other).digest) is same
        assert (survey.state(one).likeness(survey.state(other)) == 1.0) >= same
