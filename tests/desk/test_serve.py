"""The command: what it prints, how it ends, what it refuses."""

from __future__ import annotations

import resource
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from desk.commands import serve
from desk.guard import Address
from tests.desk import serving
from tests.fieldpost.commands.running import run
from tests.places import REPOSITORY
from tests.processes import PATIENCE

Capture = pytest.CaptureFixture[str]
COMMAND = ("fieldpost", "serve", "--no-browser", "--on-demand")


def test_the_page_is_up_when_its_address_is_printed_and_ends_cleanly(folder: Path) -> None:
    with serving.running(folder, *COMMAND) as visitor:
        assert visitor.get("/").status == 200
        visitor.process.send_signal(signal.SIGINT)
        assert visitor.process.wait(PATIENCE) == 0
        assert visitor.process.stdout
        said = visitor.process.stdout.read()
    assert "Nothing you drop there leaves this computer. Ctrl-C ends it." in said
    assert "Stopped; nothing was kept." in said
    assert [path.name for path in folder.iterdir()] == ["errors.txt"]
    assert (folder / "errors.txt").read_text() == ""


def test_it_listens_to_this_machine_only(folder: Path) -> None:
    with serving.running(folder, *COMMAND) as visitor:
        port = f":{visitor.port:04X} "
        listening = [line for line in tables() if port in line and " 0A " in line]
    assert [line.split()[1] for line in listening] == [f"0100007F{port.strip()}"]


def tables() -> list[str]:
    return [line for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()]


def test_the_port_may_be_chosen(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with serving.running(folder, *COMMAND, "--port", str(port)) as visitor:
        assert visitor.port == port


def test_a_port_that_is_taken_is_told(capsys: Capture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = run(capsys, "serve", "--no-browser", "--port", taken.getsockname()[1])
    assert result.status == 2
    assert "address already in use" in result.err
    assert "Leave --port out" in result.err


def test_a_host_that_is_not_here_is_told(capsys: Capture) -> None:
    result = run(capsys, "serve", "--no-browser", "--host", "no such host")
    assert result.status == 2
    assert "there is no address 'no such host' here" in result.err


@pytest.mark.parametrize("wrong", [("--port", "65536"), ("--port", "x"), ("--max-upload", "0"), ("--host",)])
def test_wrong_arguments_are_refused(capsys: Capture, wrong: tuple[str, ...]) -> None:
    assert run(capsys, "serve", *wrong).status == 2


def test_whoever_lets_others_in_is_warned(capsys: Capture) -> None:
    serve._say(Address("0.0.0.0", 80))
    assert "everyone who can reach 0.0.0.0 can use this page" in capsys.readouterr().err
    serve._say(Address("127.0.0.1", 80))
    assert capsys.readouterr().err == ""


def test_a_browser_opens_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    serve._open_browser("http://127.0.0.1:1/")
    assert opened == []
    monkeypatch.setenv("DISPLAY", ":0")
    serve._open_browser("http://127.0.0.1:1/")
    assert opened == ["http://127.0.0.1:1/"]


def test_a_page_that_is_busy_ends_too(folder: Path) -> None:
    with serving.running(folder, *COMMAND) as visitor:
        files = [(log.name, log.read_bytes()) for log in serving.FAULTY_LOGS]
        token = visitor.token
        for _ in range(4):
            visitor.send(files, token)
        with socket.create_connection(("127.0.0.1", visitor.port)) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\n")
            started = time.monotonic()
            visitor.process.send_signal(signal.SIGINT)
            assert visitor.process.wait(PATIENCE) == 0
    assert time.monotonic() - started < PATIENCE
    assert [path.name for path in folder.iterdir()] == ["errors.txt"]


def test_a_full_disk_is_told(folder: Path) -> None:
    with serving.running(folder, *COMMAND) as visitor:
        token = visitor.token
        resource.prlimit(visitor.process.pid, resource.RLIMIT_FSIZE, (100_000, 100_000))
        answer = visitor.send([("turn.vlog", bytes(2_000_000))], token)
        assert answer.status == 507
        assert "Is the disk full?" in answer.json["hint"]
        assert visitor.get("/").status == 200


def test_the_server_itself_loads_neither_rules_nor_pictures() -> None:
    """It stays small: all that is work happens in children."""
    heavy = {"validator", "builder", "PIL", "numpy"}
    script = f"import sys; from desk import server; print(sorted({heavy} & set(sys.modules)))"
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=REPOSITORY)
    assert result.stdout == "[]\n"
