"""What one guest can do to the others: nothing they would notice."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from desk import limits, uploads
from desk.limits import Limits
from desk.shelf import Result, Shelf
from tests.desk import serving
from tests.desk.serving import BOUNDARY, FAULTY, QUICK, Visitor, multipart
from tests.hostile_files import zipped
from tests.processes import PATIENCE, children, command, soon

MB = 1 << 20
FORM = f"multipart/form-data; boundary={BOUNDARY}"
HEAD = f"POST /check HTTP/1.1\r\nHost: {{host}}\r\nContent-Type: {FORM}\r\nContent-Length: 7000000\r\n\r\n"
AT_ONCE = 5.0
"""Seconds that another guest may wait; machines that are busy otherwise get more."""


def waited(desk: Visitor) -> float:
    started = time.monotonic()
    assert desk.get("/").status == 200
    return time.monotonic() - started


def allowed(desk: Visitor) -> float:
    """Some seconds, or what this machine takes ten times over while nobody does anything."""
    return max(AT_ONCE, 10 * min(waited(desk) for _ in range(3)))


def open_files(desk: Visitor) -> int:
    return len(os.listdir(f"/proc/{desk.process.pid}/fd"))


@contextmanager
def unfinished(desk: Visitor, fields: dict[str, str], files: int) -> Iterator[socket.socket]:
    """An upload of many files, each large enough for the disk, that never ends."""
    body = multipart([(f"{number}.vlog", bytes(70_000)) for number in range(files)], fields)
    with socket.create_connection(("127.0.0.1", desk.port), timeout=PATIENCE) as connection:
        connection.sendall(HEAD.format(host=desk.host).encode() + body[: -len(BOUNDARY) - 60])
        yield connection


@pytest.mark.parametrize("fields", [{}, {"token": "guessed"}])
def test_no_file_is_taken_before_the_token(desk: Visitor, fields: dict[str, str]) -> None:
    enough, before = allowed(desk), open_files(desk)
    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(unfinished(desk, fields, 90))
        time.sleep(0.3)
        assert open_files(desk) - before < 10
        assert soon(lambda: waited(desk) < enough)
    assert desk.send([("a.vlog", b"x")], fields.get("token", "")).status == 403


def test_a_token_behind_the_files_comes_too_late(desk: Visitor) -> None:
    whole = multipart([("a.vlog", b"x" * 100)], {"token": desk.token})
    field, file, end = whole.split(b"--" + BOUNDARY.encode())[1:]
    mark = b"--" + BOUNDARY.encode()
    body = mark + file + mark + field + mark + end
    answer = desk.ask("POST", "/check", body, Content_Type=FORM, Accept="application/json")
    assert answer.status == 403


def test_files_of_one_upload_share_one_descriptor(desk: Visitor) -> None:
    before = open_files(desk)
    with unfinished(desk, {"token": desk.token}, 90):
        time.sleep(0.5)
        assert open_files(desk) - before < 6
    assert soon(lambda: open_files(desk) <= before + 1)


def test_each_file_of_an_upload_keeps_its_bytes(desk: Visitor) -> None:
    """Sheets of different lengths, some larger than what is kept in memory, one empty."""
    sheet = FAULTY.read_bytes()
    files = [
        ("a.txt", sheet),
        ("empty.txt", b""),
        ("b.vlog", bytes(90_000)),
        ("c.txt", sheet + b"\n" * 70_000),
    ]
    _, page = desk.check(files)
    assert "3 illegal" in page.words
    assert "b.vlog" in page.words


def test_with_few_descriptors_an_honest_drop_of_300_files_is_taken(folder: Path) -> None:
    limited = "import resource,runpy,sys; resource.setrlimit(resource.RLIMIT_NOFILE,(256,256)); "
    limited += "sys.argv=sys.argv[1:]; runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)"
    environment = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(serving.REPOSITORY)}
    with (folder / "errors.txt").open("w") as errors:
        process = subprocess.Popen(
            [serving.sys.executable, "-c", limited, "tests.desk.served", "{}"],
            env=environment, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=serving.REPOSITORY,
        )  # fmt: skip
    try:
        assert process.stdout
        port = int(process.stdout.readline().strip().rstrip("/").rpartition(":")[2])
        desk = Visitor(port, process, folder)
        sent = desk.send([(f"{number}.vlog", bytes(66_000)) for number in range(300)])
        assert sent.status == 201, sent.text
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
    assert (folder / "errors.txt").read_text() == ""


def test_a_check_that_fails_leaves_nothing_to_serve(desk: Visitor) -> None:
    sent = desk.send([(log.name, log.read_bytes()) for log in serving.FAULTY_LOGS])
    where = sent.json["where"]
    (fork_server,) = (pid for pid in children(desk.process.pid) if "forkserver" in command(pid))
    folder = next(path for path in desk.left() if path.name == where.rpartition("/")[2])
    assert soon(lambda: bool(children(fork_server)))
    (folder / "report-0.html").write_text("half a report")
    for pid in children(fork_server):
        os.kill(pid, signal.SIGKILL)
    assert "stopped from outside" in desk.wait(where).words
    assert [desk.get(f"{where}/{rest}").status for rest in ("report/0", "text", "map/0")] == [404] * 3
    assert list(folder.iterdir()) == []


def test_the_shelf_holds_so_many_bytes(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, Limits(shelf_bytes=10_000))

    def done(size: int) -> Result:
        result = shelf.new(["a"])
        (result.folder / "report-0.html").write_bytes(bytes(size))
        result.settle({"done": {}})
        shelf.done(result, {"done": {}})
        return result

    first, second, third, last = done(4000), done(4000), done(4000), done(20_000)
    assert [shelf.get(one.id) for one in (first, second, third)] == [None] * 3
    assert shelf.get(last.id) is last, "what was found last is shown, however large"


def test_a_hundred_thousand_unusable_names_make_a_short_page(desk: Visitor) -> None:
    archive = zipped({f"{number}.vlog": b"" for number in range(30_000)}, 0)
    where, page = desk.check([("many.zip", archive)])
    assert len(page.body) < 200_000
    assert "30,000 files could not be used" in page.words
    assert "These are the first 200." in page.words
    enough = allowed(desk)
    readers = [threading.Thread(target=desk.get, args=(where,)) for _ in range(10)]
    for reader in readers:
        reader.start()
    assert soon(lambda: waited(desk) < enough)
    for reader in readers:
        reader.join()


@pytest.mark.parametrize(
    "charset", ["punycode", "unicode_escape", "idna", "utf-7", "zlib", "no-such", "utf-16"]
)
def test_a_form_in_an_odd_charset_is_refused_in_words(desk: Visitor, charset: str) -> None:
    body = multipart([("a\\ud800\xff.vlog", b"x")], {"token": "\\ud800 xn--"})
    answer = desk.ask(
        "POST", "/check", body, Content_Type=f"{FORM}; charset={charset}", Accept="application/json"
    )
    assert answer.status == 400
    assert answer.json["hint"]


def test_a_form_of_too_many_fields_is_refused_in_words(desk: Visitor) -> None:
    many = {f"field{number}": "" for number in range(uploads.FIELDS + 1)}
    sent = desk.send([("a.vlog", b"x")], **many)
    assert sent.status == 400
    body = "&".join(f"{name}=1" for name in many).encode()
    for path in ("/examples/game", "/games/wfm/build"):
        kind = "application/x-www-form-urlencoded"
        answer = desk.ask("POST", path, body, Content_Type=kind, Accept="application/json")
        assert answer.status == 400
        assert answer.json["hint"]


def test_a_token_that_is_no_text_is_only_wrong(desk: Visitor) -> None:
    assert desk.post("/examples/game", token="%ed%a0%80").status == 403


def test_when_the_process_that_starts_checks_is_gone_another_takes_its_place(folder: Path) -> None:
    with serving.served(folder, **QUICK) as desk:
        desk.check([(FAULTY.name, FAULTY.read_bytes())])
        (fork_server,) = (pid for pid in children(desk.process.pid) if "forkserver" in command(pid))
        os.kill(fork_server, signal.SIGKILL)
        _, page = desk.check([(FAULTY.name, FAULTY.read_bytes())])
        assert "3 illegal" in page.words


def test_the_end_amid_an_upload_is_quiet(folder: Path) -> None:
    with serving.served(folder, **QUICK) as desk, unfinished(desk, {"token": desk.token}, 3):
        time.sleep(0.3)
        desk.process.send_signal(signal.SIGINT)
        desk.process.wait(PATIENCE)
    assert desk.process.returncode == 0
    assert (folder / "errors.txt").read_text() == ""


@pytest.mark.parametrize(
    ("processors", "gigabytes", "checks", "each_gigabytes"),
    [(8, 64, 4, 3), (8, 8, 4, 1.5), (8, 4, 2, 1.5), (1, 16, 1, 3), (4, 1, 1, 0.75)],
)
def test_checks_share_what_memory_there_is(
    processors: int, gigabytes: int, checks: int, each_gigabytes: float
) -> None:
    memory = gigabytes << 30
    at_once = limits.checks_at_once(processors, memory)
    assert at_once == checks
    assert limits.check_memory(at_once, memory) == each_gigabytes * (1 << 30)


def test_the_memory_of_this_machine_is_known() -> None:
    assert 256 * MB < limits.machine_memory() < 1 << 50
    usual = Limits()
    assert usual.checks_at_once * usual.check_memory <= limits.machine_memory()
