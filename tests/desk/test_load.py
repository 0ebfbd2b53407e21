"""Many at once, slow ones, broken ones, rubbish: the page stays up, small, and right."""

from __future__ import annotations

import os
import random
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.desk import serving
from tests.desk.serving import BOUNDARY, FAULTY, FAULTY_LOGS, LOGS, Visitor, multipart
from tests.processes import PATIENCE, children, command, soon

HEAD = (
    f"POST /check HTTP/1.1\nHost: {{host}}\nContent-Type: multipart/form-data; boundary={BOUNDARY}\n"
    "Content-Length: "
)
LINES = (b"GET / HTTP/1.1\r\n", b"POST /check HTTP/1.1\r\nHost: ", b"PUT /\x00 HTTP/9\r\n", b"")
HEADS = (b"Content-Length: -1\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", b"\r\n\r\n", b"")
ODD = (
    "/%2e%2e/%2e%2e/etc/passwd",
    "/static/%2e%2e%2fapp.py",
    "/results/..%2f..",
    "/games/%00",
    "/results/a/map/-1",
    "/games/wfm/../../x",
    "/" + "a" * 5000,
    "/results/x/report/99999999999999999999999",
)
MB = 1 << 20
CASES = (
    ([(FAULTY.name, FAULTY.read_bytes())], "3 illegal in 8 actions"),
    ([(LOGS[0].name, LOGS[0].read_bytes())], "Nothing illegal"),
    ([(FAULTY_LOGS[0].name, FAULTY_LOGS[0].read_bytes())], "Not legal as played"),
    ([("letter.doc", b"Dear friend, " * 20_000)], "Could not be checked"),
    ([("zeros.vlog", bytes(2 * MB))], "Could not be checked"),
)


@contextmanager
def most_memory(desk: Visitor) -> Iterator[list[int]]:
    """The most the server itself took meanwhile."""
    most, over = [desk.memory()], threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            most[0] = max(most[0], desk.memory())

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield most
    finally:
        over.set()
        thread.join()


def test_fifty_uploads_at_once_each_get_their_own_answer(desk: Visitor) -> None:
    token, before = desk.token, desk.memory()

    def one(number: int) -> str | None:
        files, said = CASES[number % len(CASES)]
        label = f"{number}-{files[0][0]}"
        sent = desk.send([(label, files[0][1])], token)
        assert sent.status == 201, sent.text
        words = desk.wait(sent.json["where"], 600).words  # others may keep the machine busy
        return None if said in words and label in words else f"{label}: {words[:200]}"

    with most_memory(desk) as most, ThreadPoolExecutor(50) as pool:
        wrong = [found for found in pool.map(one, range(50)) if found]
    assert wrong == []
    assert most[0] - before < 60 * MB
    assert not [path for folder in desk.left() for path in folder.iterdir() if path.name == "in"]


def test_whoever_waits_is_told_how_many_are_before(desk: Visitor) -> None:
    token = desk.token
    game = [(log.name, log.read_bytes()) for log in FAULTY_LOGS]
    sent = [desk.send(game, token).json["where"] for _ in range(6)]
    page = desk.get(sent[-1])
    assert "Waiting: " in page.words
    assert "ahead of this one" in page.words
    assert '<noscript><meta http-equiv="refresh"' in page.text, "who has no script sees the end of it too"
    for where in sent:
        desk.post(f"{where}/forget", token)
    assert [desk.get(where).status for where in sent] == [404] * 6


def slow(desk: Visitor, head: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", desk.port), timeout=PATIENCE)
    connection.sendall(head.format(host=desk.host).replace("\n", "\r\n").encode())
    return connection


def test_a_hundred_slow_ones_do_not_keep_the_others_waiting(desk: Visitor) -> None:
    body = f"{HEAD}5000000\n\n--{BOUNDARY}"
    with ExitStack() as stack:
        for number in range(100):
            stack.enter_context(slow(desk, "GET / HTTP/1.1\nHost: " if number % 2 else body))
        started = time.monotonic()
        assert desk.get("/").status == 200
        assert time.monotonic() - started < PATIENCE
        assert "3 illegal" in desk.check(CASES[0][0])[1].words


def test_more_connections_than_allowed_are_closed_and_the_page_recovers(desk: Visitor) -> None:
    with ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(socket.create_connection(("127.0.0.1", desk.port), timeout=PATIENCE))
        time.sleep(0.3)
    time.sleep(0.2)
    assert desk.get("/").status == 200


def test_clients_that_die_while_sending_leave_nothing(desk: Visitor) -> None:
    body = multipart([("a.vlog", bytes(4 * MB))], {"token": desk.token})
    head = f"{HEAD}{len(body)}\n\n"
    before = sorted(desk.folder.rglob("*"))
    with most_memory(desk) as most:
        for number in range(30):
            with slow(desk, head) as connection:
                connection.sendall(body[: number * 130_000])
                if number % 2:  # without a good-bye
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert soon(lambda: sorted(desk.folder.rglob("*")) == before)
    assert desk.get("/").status == 200
    assert most[0] < 160 * MB


def rubbish(source: random.Random) -> bytes:
    """Half of it looks like a request at first."""
    noise = source.randbytes(source.randrange(2000))
    return source.choice(LINES) + source.choice(HEADS) + noise


def test_rubbish_is_answered_with_an_error_or_nothing(desk: Visitor) -> None:
    source = random.Random(41)
    for _ in range(150):
        with socket.create_connection(("127.0.0.1", desk.port), timeout=PATIENCE) as connection:
            connection.sendall(rubbish(source))
            connection.shutdown(socket.SHUT_WR)
            try:
                answer = connection.recv(100)
            except ConnectionResetError:
                continue
            assert not answer or answer.split()[1] in (b"400", b"404", b"405", b"421"), answer
    assert desk.get("/").status == 200


def test_odd_addresses_are_not_found_and_reach_no_file(desk: Visitor) -> None:
    for path in ODD:
        assert desk.get(path).status == 404
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
        assert desk.ask(method, "/").status == 405


def test_a_check_whose_process_is_killed_ends_in_words(desk: Visitor) -> None:
    game = [(log.name, log.read_bytes()) for log in FAULTY_LOGS]
    where = desk.send(game).json["where"]
    (fork_server,) = (pid for pid in children(desk.process.pid) if "forkserver" in command(pid))
    assert soon(lambda: bool(children(fork_server)))
    for pid in children(fork_server):
        os.kill(pid, signal.SIGKILL)
    page = desk.wait(where)
    assert "Could not be checked" in page.words
    assert "The check was stopped from outside." in page.words
    assert "3 illegal" in desk.check(CASES[0][0])[1].words


def test_when_too_much_is_asked_at_once_it_is_said(folder: Path) -> None:
    game = [(log.name, log.read_bytes()) for log in FAULTY_LOGS]
    with serving.served(folder, waiting=1, checks_at_once=1, held_bytes=3 * MB) as visitor:
        token = visitor.token
        full = [answer for _ in range(5) if (answer := visitor.send(game, token)).status == 503]
        assert {answer.json["error"] for answer in full} == {"Too many checks are waiting."}
        much = visitor.send([("a.vlog", bytes(4 * MB))], token)
        assert (much.status, much.json["error"]) == (503, "Too much is being sent at once.")
        assert visitor.get("/").status == 200
