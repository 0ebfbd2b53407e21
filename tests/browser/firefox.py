"""Drives a headless Firefox by WebDriver BiDi: opens a page and runs scripts in it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.processes import PATIENCE

NAMES = ("firefox-esr", "firefox")
WAIT_SECONDS = PATIENCE
_PORT = re.compile(r"WebDriver BiDi listening on ws://127\.0\.0\.1:(\d+)")


def find() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def missing() -> str | None:
    return None if find() else "tools/setup.sh machine installs it"


class Tab:
    """One tab; `errors` keeps what the page complained of, `requests` what it asked the network for."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._number = socket, 0
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.send("session.new", capabilities={})
        events = ["log.entryAdded", "network.beforeRequestSent"]
        self.send("session.subscribe", events=events)
        self._context = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(WAIT_SECONDS))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.errors.append(str(message["params"].get("text")))
            if message.get("method") == "network.beforeRequestSent":
                self.requests.append(message["params"]["request"]["url"])
            if message.get("id") == self._number:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['message']}")
                return message["result"]

    def open(self, url: str) -> None:
        self.send("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def js(self, expression: str) -> Any:
        """Its value, which must be something JSON knows."""
        told = self.send(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))",
            target={"context": self._context},
            awaitPromise=True,
        )
        if told["type"] == "exception":
            raise RuntimeError(told["exceptionDetails"]["text"])
        return json.loads(told["result"]["value"])

    def text(self, selector: str) -> str:
        return str(self.js(f"document.querySelector({json.dumps(selector)})?.innerText"))


@contextmanager
def running(profile: Path) -> Iterator[Tab]:
    """A browser of its own with one tab, ended afterwards."""
    executable = find()
    assert executable
    command = [executable, "--headless", "--no-remote", "--profile", str(profile)]
    process = subprocess.Popen(
        [*command, "--remote-debugging-port=0", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr
        port = next((found[1] for line in process.stderr if (found := _PORT.search(line))), None)
        assert port, "Firefox did not start"
        with connect(f"ws://127.0.0.1:{port}/session", max_size=None, open_timeout=WAIT_SECONDS) as socket:
            yield Tab(socket)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
