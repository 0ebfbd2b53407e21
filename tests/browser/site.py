"""The built site on a plain file server, and somebody who drops files on it, in whatever browser."""

from __future__ import annotations

import base64
import functools
import http.server
import json
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tests.processes import PATIENCE

SECONDS = 3 * PATIENCE  # how long it takes on a quiet machine is measured in bench/
_DROP = """(() => {
  const transfer = new DataTransfer();
  for (const [name, data] of FILES) {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], name));
  }
  const input = document.querySelector("#files");
  input.files = transfer.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
})()"""


class Tab(Protocol):
    errors: list[str]
    requests: list[str]

    def open(self, url: str) -> None: ...
    def js(self, expression: str) -> Any: ...
    def text(self, selector: str) -> str: ...


@dataclass
class Host:
    """What was asked of the server, and how many bytes it gave."""

    url: str
    server: http.server.ThreadingHTTPServer
    given: dict[str, int] = field(default_factory=dict)

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def hosted(folder: Path) -> Iterator[Host]:
    """As `python -m http.server` does it: no compression, no headers of its own."""
    given: dict[str, int] = {}

    class Files(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def copyfile(self, source: Any, outputfile: Any) -> None:
            data = source.read()
            given[self.path] = given.get(self.path, 0) + len(data)
            outputfile.write(data)

    handler = functools.partial(Files, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = Host(f"http://127.0.0.1:{server.server_port}/", server, given)
    try:
        yield host
    finally:
        host.stop()


def until(tab: Tab, expression: str, seconds: float = SECONDS) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if tab.js(f"Boolean({expression})"):
            return
        time.sleep(0.1)
    raise AssertionError(f"{expression} never came true: {tab.text('body')[:600]}; {tab.errors}")


def drop(tab: Tab, *files: tuple[str, bytes]) -> None:
    packed = json.dumps([(name, base64.b64encode(data).decode()) for name, data in files])
    tab.js(_DROP.replace("FILES", packed))


def verdict(tab: Tab) -> str:
    until(tab, "document.querySelector('.banner h1') || !document.querySelector('.trouble')?.hidden")
    return (
        tab.text(".banner h1")
        if tab.js("Boolean(document.querySelector('.banner h1'))")
        else tab.text(".trouble")
    )


def check(tab: Tab, files: Iterable[tuple[str, bytes]]) -> str:
    """From the first page to the verdict."""
    tab.js("location.hash = ''")
    until(tab, "document.querySelector('#drop')")
    drop(tab, *files)
    return verdict(tab)


def data(tab: Tab) -> str:
    """What "Save as JSON" saves."""
    return str(tab.js("python('data')"))
