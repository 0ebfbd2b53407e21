"""Drives a real headless Chromium over its own DevTools protocol: open, press, click, look, print."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from websockets.sync.client import ClientConnection, connect

from tests.processes import PATIENCE

NAMES = ("chromium", "chromium-browser", "google-chrome")
WAIT_SECONDS = PATIENCE
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--remote-debugging-port=0",
    "--remote-allow-origins=*",
    "--window-size=1400,900",
)
CODES = {
    "Enter": 13, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9,
}  # fmt: skip

_POINT = """(() => {
  const element = document.querySelector(SELECTOR);
  element.scrollIntoView({ block: "center" });
  const box = element.getBoundingClientRect();
  const point = [box.x + box.width / 2, box.y + box.height / 2];
  const hit = document.elementFromPoint(...point);
  return element.contains(hit) || element.closest("label")?.contains(hit) ? point : null;
})()"""
_CHANGE = """(() => {
  const element = document.querySelector(SELECTOR);
  element.value = VALUE;
  element.dispatchEvent(new Event("change", { bubbles: true }));
})()"""


def find() -> str | None:
    wanted = os.environ.get("CHROMIUM")
    return wanted or next((path for name in NAMES if (path := shutil.which(name))), None)


def missing() -> str | None:
    """Why there is no browser; None if there is one."""
    return None if find() else "tools/setup.sh machine installs it"


@contextmanager
def running(profile: Path) -> Iterator[Browser]:
    """A browser of its own, ended afterwards."""
    executable = find()
    assert executable
    command = [executable, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield Browser(_port(profile, process))
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _port(profile: Path, process: subprocess.Popen[bytes]) -> int:
    """Chromium writes the port it chose into its profile."""
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        try:
            return int((profile / "DevToolsActivePort").read_text().split()[0])
        except (OSError, IndexError, ValueError):
            if process.poll() is not None:
                raise RuntimeError(f"Chromium ended with status {process.returncode}") from None
            time.sleep(0.05)
    raise RuntimeError("Chromium did not start")


class Browser:
    def __init__(self, port: int) -> None:
        self.port = port

    @contextmanager
    def page(self) -> Iterator[Page]:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as answer:
            target = json.load(answer)
        with connect(target["webSocketDebuggerUrl"], max_size=None) as socket:
            page = Page(socket)
            yield page
            page.close()

    @contextmanager
    def frame(self) -> Iterator[Page]:
        """The frame that has a process of its own, as sandboxed ones have."""
        end = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < end:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}/json/list", timeout=WAIT_SECONDS
            ) as answer:
                found = [target for target in json.load(answer) if target["type"] == "iframe"]
            if found:
                with connect(found[0]["webSocketDebuggerUrl"], max_size=None) as socket:
                    yield Page(socket)
                return
            time.sleep(0.1)
        raise AssertionError("no frame with a process of its own")


class Box(NamedTuple):
    """Of an element, in pixels of the window."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


class Page:
    """One tab. `errors` and `requests` keep what the page complained of and what it asked the network for."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._number = 0
        self._loaded = False
        self.errors: list[str] = []
        self.requests: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def close(self) -> None:
        self.send("Page.close")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = self._receive()
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                result: dict[str, Any] = message["result"]
                return result

    def _receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._socket.recv(WAIT_SECONDS))
        method, details = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(str(details["exceptionDetails"].get("exception", details)))
        elif method == "Log.entryAdded" and details["entry"]["level"] == "error":
            self.errors.append(details["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(details["request"]["url"])
        elif method == "Page.loadEventFired":
            self._loaded = True
        return message

    # --- what a person does ---

    def open(self, url: str) -> None:
        self._loaded = False
        self.send("Page.navigate", url=url)
        while not self._loaded:
            self._receive()

    def press(self, key: str) -> None:
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        code = CODES.get(key, ord(key.upper()) if len(key) == 1 and key.isalnum() else 0)
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def click(self, selector: str) -> None:
        """In the middle of the first element that matches; an element that is covered is an error."""
        self.painted()
        point = self.js(_POINT.replace("SELECTOR", json.dumps(selector)))
        assert point, f"{selector} is covered or out of sight"
        self.click_at(*point)

    def click_at(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def choose(self, selector: str, value: str) -> None:
        """In a list of choices."""
        change = _CHANGE.replace("SELECTOR", json.dumps(selector))
        self.js(change.replace("VALUE", json.dumps(value)))

    # --- what a person sees ---

    def painted(self) -> None:
        """Waits until what was done is on the screen: a page lays itself out just before it paints."""
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def js(self, expression: str) -> Any:
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", expression))
        return answer["result"].get("value")

    def text(self, selector: str) -> str:
        return str(self.js(f"document.querySelector({json.dumps(selector)}).innerText"))

    def count(self, selector: str) -> int:
        """Of the elements that are shown."""
        query = json.dumps(selector)
        return int(
            self.js(f"[...document.querySelectorAll({query})].filter(e => e.checkVisibility()).length")
        )

    def box(self, selector: str) -> Box:
        """Where an element is on the screen."""
        self.painted()
        box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        return Box(*self.js(f"(({{ left, top, right, bottom }}) => [left, top, right, bottom])({box})"))

    def middle(self, selector: str) -> tuple[float, float]:
        """Of an element, on the screen."""
        return self.box(selector).middle

    def size(self, width: int, height: int, *, phone: bool = False) -> None:
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )

    def dark(self, on: bool) -> None:
        feature = {"name": "prefers-color-scheme", "value": "dark" if on else "light"}
        self.send("Emulation.setEmulatedMedia", features=[feature])

    def shot(self, path: Path) -> None:
        self.painted()
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))

    def pdf(self) -> bytes:
        answer = self.send("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)
        return base64.b64decode(answer["data"])
