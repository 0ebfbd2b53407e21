"""What comes in: too large, too slow, too odd, broken off."""

from __future__ import annotations

import functools
import io
import socket
import time
import zipfile
from pathlib import Path

import pytest

from desk.uploads import ENDINGS, label_of
from tests.desk.serving import BOUNDARY, FAULTY, LOGS, QUICK, Visitor, multipart
from tests.processes import PATIENCE, soon

LIMIT = 8 << 20
FORM = f"multipart/form-data; boundary={BOUNDARY}"


def raw(desk: Visitor, head: str, body: bytes = b"", pause: float = 0, step: int = 1) -> bytes:
    """Send bit by bit, as slowly as asked; what the server says until it closes."""
    with socket.create_connection(("127.0.0.1", desk.port), timeout=PATIENCE) as connection:
        connection.sendall(head.format(host=desk.host).replace("\n", "\r\n").encode())
        try:
            for at in range(0, len(body), step if pause else max(1, len(body))):
                connection.sendall(body[at : at + step] if pause else body)
                time.sleep(pause)
            return b"".join(iter(lambda: connection.recv(65536), b""))
        except (ConnectionResetError, BrokenPipeError):
            return b""


HEAD = f"POST /check HTTP/1.1\nHost: {{host}}\nContent-Type: {FORM}\nContent-Length: "


def test_a_file_beyond_the_limit_is_refused_in_plain_words(desk: Visitor) -> None:
    answer = desk.send([("big.vlog", bytes(LIMIT + 200_000))])
    assert answer.status == 413
    assert answer.json["error"] == "These files are too large: 8 MB is the most at once."


def test_a_file_just_below_the_limit_is_taken(desk: Visitor) -> None:
    _, page = desk.check([("big.vlog", bytes(LIMIT - 1000))])
    assert "big.vlog" in page.words


def test_an_absurd_size_is_refused_before_it_is_sent(desk: Visitor) -> None:
    assert b" 413 " in raw(desk, f"{HEAD}99999999999999\n\n").split(b"\r\n")[0]


def test_a_body_that_never_ends_is_refused_at_the_limit(desk: Visitor) -> None:
    """In chunks, without a length."""
    head = f"POST /check HTTP/1.1\nHost: {{host}}\nContent-Type: {FORM}\nTransfer-Encoding: chunked\n\n"
    opening = multipart([("a.vlog", b"")], {"token": desk.token}).rpartition(b"\r\n--")[0]
    chunk = bytes(1 << 20)
    with socket.create_connection(("127.0.0.1", desk.port), timeout=PATIENCE) as connection:
        connection.sendall(head.format(host=desk.host).replace("\n", "\r\n").encode())
        connection.sendall(f"{len(opening):x}\r\n".encode() + opening + b"\r\n")
        sent = 0
        try:
            for _ in range(200):
                connection.sendall(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
                sent += len(chunk)
        except OSError:
            pass
        assert sent < 60 << 20
    assert desk.get("/").status == 200


def test_too_many_files_are_refused(desk: Visitor) -> None:
    answer = desk.send([(f"{number}.vlog", b"") for number in range(501)])
    assert answer.status == 400
    assert "at most 500" in answer.json["hint"]


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("text/plain", b"hello", 415),
        ("application/json", b"{}", 415),
        ("multipart/form-data", b"hello", 400),
        ("multipart/form-data; boundary=x", b"hello", 400),
        ("multipart/form-data; boundary=x", b"--x\r\n\r\n\r\n--x--\r\n", 400),
        (FORM, b"", 403),
    ],
)
def test_a_body_that_is_no_form_is_refused(desk: Visitor, kind: str, body: bytes, status: int) -> None:
    answer = desk.ask("POST", "/check", body, Content_Type=kind, Accept="application/json")
    assert answer.status == status
    assert answer.json["hint"]


def test_a_silent_sender_is_told_and_let_go(desk: Visitor) -> None:
    started = time.monotonic()
    answer = raw(desk, f"{HEAD}1000\n\n", b"--")
    assert b" 408 " in answer.split(b"\r\n")[0]
    assert b"The files came too slowly." in answer
    assert 1 < time.monotonic() - started < QUICK["upload_seconds"]


def test_a_trickle_of_a_body_ends_with_the_time_for_uploads(desk: Visitor) -> None:
    body = multipart([("a.vlog", bytes(4000))], {"token": desk.token})
    started = time.monotonic()
    raw(desk, f"{HEAD}{len(body)}\n\n", body[:600], pause=0.1)
    assert time.monotonic() - started < PATIENCE


def test_a_trickle_of_a_head_is_cut_off(desk: Visitor) -> None:
    started = time.monotonic()
    assert raw(desk, "GET / HT", b"TP/1.1\r\n" * 100, pause=0.1) == b""
    assert time.monotonic() - started < PATIENCE


def test_a_connection_that_says_nothing_is_cut_off(desk: Visitor) -> None:
    assert raw(desk, "") == b""


def test_an_upload_that_is_broken_off_leaves_nothing(desk: Visitor) -> None:
    before = sorted(desk.folder.rglob("*"))
    body = multipart([("a.vlog", bytes(3 << 20))], {"token": desk.token})
    with socket.create_connection(("127.0.0.1", desk.port)) as connection:
        head = f"{HEAD}{len(body)}\n\n".format(host=desk.host).replace("\n", "\r\n")
        connection.sendall(head.encode() + body[: 2 << 20])
    assert soon(lambda: sorted(desk.folder.rglob("*")) == before)
    assert desk.get("/").status == 200


def beside(desk: Visitor) -> set[Path]:
    """Files of the server's place that are not in its own folder."""
    (own,) = desk.folder.glob("fieldpost-*")
    return {path for path in desk.folder.rglob("*") if own not in (path, *path.parents)}


@pytest.mark.parametrize(
    "name",
    ["../../../etc/passwd", "..\\..\\boot.ini", "/etc/cron.d/x", ".bashrc", "a/../../b.vlog", "con.vlog"],
)
def test_a_name_never_becomes_a_path(desk: Visitor, name: str) -> None:
    before = beside(desk)
    where, page = desk.check([(name, b"game wfm turning-point\n")])
    assert label_of(name) in page.words
    assert beside(desk) == before
    (folder,) = [path for path in desk.left() if path.name == where.rpartition("/")[2]]
    assert {path.name for path in folder.iterdir()} <= {
        "outcome.json",
        "played-0",
        "report-0.html",
        "start-0.txt",
        "verdict.json",
        "verdict.txt",
    }


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("../a.vlog", "a.vlog"),
        ("C:\\games\\a.vlog", "a.vlog"),
        ("a\x00\x1b[31m\n.vlog", "a[31m.vlog"),
        ("..", ".."),
        ("", "file"),
        ("/", "file"),
        ("x" * 500 + ".vlog", "x" * 115 + ".vlog"),
        ("Zug 5 – Süd.vlog", "Zug 5 – Süd.vlog"),
    ],
)
def test_a_label_is_the_last_part_of_a_name_without_what_cannot_be_shown(name: str, label: str) -> None:
    assert label_of(name) == label


def test_a_name_in_another_script_is_shown(desk: Visitor) -> None:
    _, page = desk.check([("Ход 22 — ось.vlog", LOGS[0].read_bytes())])
    assert "Ход 22 — ось.vlog" in page.words
    assert "Nothing illegal" in page.words


def test_two_files_of_one_name_are_two_files(desk: Visitor) -> None:
    _, page = desk.check([("turn.vlog", log.read_bytes()) for log in LOGS[:2]])
    assert "Each log starts where the one before ended." in page.words


# --- bombs ---------------------------------------------------------------------------------------


def zipped(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


@functools.cache
def bombs() -> dict[str, bytes]:
    huge = zipped({"savedGame": bytes(300 << 20)})
    nested = zipped({"a.vlog": b"x"})
    for _ in range(8):
        nested = zipped({"inner.zip": nested})
    return {
        "bomb.vlog": huge,
        "bombs.zip": zipped({f"{number}.vlog": huge for number in range(5)}),
        "nested.zip": nested,
        "many.zip": zipped({f"{number}.vlog": b"" for number in range(300)}),
        "deep.txt": b"game wfm turning-point\nturn 22 " + b"(" * 500_000,
    }


BOMBS = ("bomb.vlog", "bombs.zip", "nested.zip", "many.zip", "deep.txt")


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_hurts_nobody(desk: Visitor, name: str) -> None:
    before = desk.memory()
    _, page = desk.check([(name, bombs()[name])])
    assert "Could not be checked" in page.words
    assert "Nothing illegal" not in page.words
    assert desk.memory() - before < 30 << 20
    _, page = desk.check([(FAULTY.name, FAULTY.read_bytes())])
    assert "Not legal as played" in page.words


def test_the_endings_are_those_that_an_audit_reads() -> None:
    from validator.audit import folders, sources

    read = {*sources.TURN_ENDINGS, *folders.MAIL_ENDINGS, *folders.MAILBOX_ENDINGS, ".zip"}
    assert set(ENDINGS) == read


def test_a_module_of_others_may_be_sent_along(desk: Visitor) -> None:
    folder = Path(__file__).resolve().parents[1] / "data" / "vassal"
    files = [(name, (folder / name).read_bytes()) for name in ("oracle.vlog", "demo.vmod")]
    _, page = desk.check(files, game="wfm/turning-point")
    assert "demo.vmod" not in page.text.partition("Not used")[2]
    assert "does not say where the hexes" not in page.words


def test_a_module_alone_is_no_turn(desk: Visitor) -> None:
    path = Path(__file__).resolve().parents[1] / "data" / "vassal" / "demo.vmod"
    _, page = desk.check([(path.name, path.read_bytes())])
    assert "No turn of a game was found" in " ".join(page.words.split())
    assert "Nothing illegal" not in page.words
