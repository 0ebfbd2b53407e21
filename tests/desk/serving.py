"""A running page and somebody who uses it without a browser."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.places import REPOSITORY
from tests.processes import PATIENCE

EXAMPLES = REPOSITORY / "examples"
FAULTY = EXAMPLES / "faulty-turn.txt"
LOGS = sorted((EXAMPLES / "samples" / "turning-point").glob("*.vlog"))
FAULTY_LOGS = sorted((EXAMPLES / "samples" / "turning-point-faulty").glob("*.vlog"))
BOUNDARY = "----fieldpost"
QUICK = {"header_seconds": 3, "silence_seconds": 3, "upload_seconds": 20, "upload_bytes": 8 << 20}

Files = Iterable[tuple[str, bytes]]


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def words(self) -> str:
        """What the page says, without marks."""
        main = self.text.partition("<main")[2].partition("</main>")[0]
        return " ".join(re.sub(r"<[^>]+>", " ", main).split())


def multipart(files: Files, fields: Mapping[str, str]) -> bytes:
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    for name, data in files:
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'
        parts.append(head.encode() + data + b"\r\n")
    return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()


@dataclass
class Visitor:
    """`folder` is where the server keeps all it writes."""

    port: int
    process: subprocess.Popen[str]
    folder: Path

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, {"Host": self.host, **named})
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    @property
    def token(self) -> str:
        page = self.get("/")
        found = re.search(r'name="token" value="([^"]+)"', page.text)
        assert found, page.text + (self.folder / "errors.txt").read_text()
        return found[1]

    def post(self, path: str, token: str | None = None, **headers: str) -> Answer:
        body = f"token={self.token if token is None else token}".encode()
        kind = "application/x-www-form-urlencoded"
        return self.ask("POST", path, body, Content_Type=kind, **headers)

    def send(self, files: Files, token: str | None = None, **fields: str) -> Answer:
        body = multipart(files, {"token": self.token if token is None else token, **fields})
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        return self.ask("POST", "/check", body, Content_Type=kind, Accept="application/json")

    def wait(self, where: str, seconds: float = PATIENCE) -> Answer:
        """The page of a result when it is done."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.get(f"{where}/state").json["state"] == "done":
                return self.get(where)
            time.sleep(0.05)
        raise AssertionError(f"{where} was not done in {seconds} s")

    def check(self, files: Files, **fields: str) -> tuple[str, Answer]:
        """Where the result is, and its page."""
        sent = self.send(files, **fields)
        assert sent.status == 201, sent.text
        where = sent.json["where"]
        return where, self.wait(where)

    def left(self) -> list[Path]:
        """The folders of uploads and results that are on the disk."""
        inner = self.folder.glob("fieldpost-*/*")
        return [path for path in inner if path.is_dir() and not path.name.startswith("pymp-")]

    def memory(self) -> int:
        """Bytes of the web server itself."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found
        return int(found[1]) * 1024


@contextmanager
def running(folder: Path, *command: str) -> Iterator[Visitor]:
    """A server of its own, ended as by Ctrl-C."""
    environment = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(REPOSITORY)}
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=REPOSITORY,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=(folder / "errors.txt").open("w"),
        text=True,
    )
    try:
        assert process.stdout
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
        assert found, (folder / "errors.txt").read_text()
        yield Visitor(int(found[1]), process, folder)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)


def served(folder: Path, **limits: float) -> Any:
    return running(folder, "tests.desk.served", json.dumps(limits))
