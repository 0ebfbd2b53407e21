"""The local page in a real browser: files are dropped, the verdict read, a module taken."""

from __future__ import annotations

import base64
import io
import json
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.browser.chromium import Browser, Page
from tests.desk import serving
from tests.desk.serving import FAULTY, LOGS, Visitor
from tests.processes import PATIENCE

SECONDS = PATIENCE
LIMIT_MB = 4
_DROP = """(() => {
  const transfer = new DataTransfer();
  for (const [name, data] of FILES) {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], name));
  }
  const where = document.querySelector("#drop .target");
  for (const kind of ["dragenter", "dragover", "drop"])
    where.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
})()"""
_HUGE = """(() => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array(BYTES)], "huge.vlog"));
  const input = document.querySelector("#files");
  input.files = transfer.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
})()"""
_TYPE = """(() => {
  const sieve = document.querySelector("#sieve");
  sieve.value = "4.26b";
  sieve.dispatchEvent(new Event("input"));
})()"""


@pytest.fixture(scope="session")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with serving.served(tmp_path_factory.mktemp("page"), upload_bytes=LIMIT_MB << 20) as running:
        yield running


@pytest.fixture
def first(tab: Page, visitor: Visitor) -> Page:
    tab.open(f"{visitor.url}/")
    return tab


def until(page: Page, expression: str) -> Any:
    """Pages change by themselves here; what is asked for may lie on the next."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            if found := page.js(expression):
                return found
        except RuntimeError:  # between two pages
            pass
        time.sleep(0.05)
    raise AssertionError(f"{expression} never came true: {page.text('body')[:500]}")


def drop(page: Page, *files: tuple[str, bytes]) -> None:
    packed = json.dumps([(name, base64.b64encode(data).decode()) for name, data in files])
    page.js(_DROP.replace("FILES", packed))


def verdict(page: Page) -> str:
    until(page, "document.querySelector('.banner h1') && location.pathname.startsWith('/results/')")
    return page.text(".banner h1")


def named(path: Path) -> tuple[str, bytes]:
    return path.name, path.read_bytes()


def test_a_good_log_is_dropped(first: Page) -> None:
    drop(first, named(LOGS[0]))
    assert verdict(first) == "Nothing illegal"
    assert LOGS[0].name in first.text(".banner")


def test_a_log_with_faults_is_dropped_and_a_fault_leads_to_the_map(first: Page, visitor: Visitor) -> None:
    drop(first, named(FAULTY))
    assert verdict(first) == "Not legal as played"
    assert first.count(".finding.illegal") == 3
    first.click(".finding:nth-child(2) .see a")
    until(first, "document.querySelector('#replay') !== null")
    address = str(first.js("document.querySelector('#replay').src"))
    assert address.endswith("#finding=2")
    first.open(address)  # as it stands in the frame, in a box of its own
    assert first.js("self.origin") == "null"
    assert first.count("#finding-1.chosen") == 1
    assert "steps from one enemy zone of control into another" in first.text("#what")
    first.click("#on")
    outside = [url for url in first.requests if not url.startswith(("data:", visitor.url))]
    assert outside == []


AROUND = """game wfm turning-point
position empty
given place PzKG-4 5309
given place SWHQ 5310

turn 23 axis-move
move PzKG-4 5309..5311
"""


def test_the_way_round_by_which_a_drag_was_judged_is_told(first: Page) -> None:
    drop(first, ("around.txt", AROUND.encode()))
    assert verdict(first) == "Nothing illegal"
    heading, way = (
        "The direct path is not open; this path was judged instead:",
        "PzKG-4 by E5309-E5410-E5411-E5311",
    )
    told = first.text("main")
    assert told.index(heading) < told.index(way)
    assert first.js(f"[...document.querySelectorAll('li')].some(li => li.innerText.includes('{way}'))")
    first.click(".actions .primary")
    until(first, "document.querySelector('#replay') !== null")
    first.open(str(first.js("document.querySelector('#replay').src")))
    hidden = first.js("document.body.textContent")
    assert hidden.index(heading) < hidden.index(way)


def test_the_report_runs_in_its_frame(first: Page, tmp_path: Path) -> None:
    drop(first, named(FAULTY))
    verdict(first)
    first.click(".actions .primary")
    until(first, "document.querySelector('#replay') !== null")
    until_shown(first, tmp_path / "frame.png")


def until_shown(page: Page, shot: Path) -> None:
    """The frame is a process of its own; what it draws is seen only on the screen."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        page.shot(shot)
        with Image.open(shot) as picture:
            middle = picture.convert("RGB").crop((300, 200, 900, 600))
        if len(middle.getcolors(middle.width * middle.height) or ()) > 1000:
            return
        time.sleep(0.1)
    raise AssertionError("no map in the frame")


def test_a_whole_game_is_dropped_at_once(first: Page) -> None:
    drop(first, *map(named, LOGS))
    assert verdict(first) == "Nothing illegal"
    assert first.count("tbody tr") == len(LOGS)


def test_a_bomb_is_dropped(first: Page, visitor: Visitor) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("savedGame", bytes(200 << 20))
    drop(first, ("bomb.vlog", data.getvalue()))
    assert verdict(first) == "Could not be checked"
    assert visitor.memory() < 200 << 20


def test_a_file_of_absurd_size_is_refused_before_it_is_sent(first: Page) -> None:
    first.js(_HUGE.replace("BYTES", str((LIMIT_MB + 1) << 20)))
    assert "the limit is 4 MB" in first.text(".trouble")
    assert first.js("document.querySelector('.sending').hidden")


def test_a_form_without_script_hears_that_a_file_is_too_large(first: Page, visitor: Visitor) -> None:
    first.send("Emulation.setScriptExecutionDisabled", value=True)
    first.open(f"{visitor.url}/")
    first.send("Emulation.setScriptExecutionDisabled", value=False)
    first.js(_HUGE.replace("BYTES", str((LIMIT_MB + 1) << 20)))
    first.js("document.querySelector('#drop').submit()")
    until(first, "location.pathname === '/check'")
    assert "These files are too large" in first.text("h1")
    first.errors.clear()  # the browser's own note of the 413


def test_everything_can_be_done_by_keyboard(first: Page) -> None:
    for _ in range(20):
        first.press("Tab")
        if first.js("document.activeElement.id") == "files":
            break
    assert first.js("getComputedStyle(document.querySelector('.ask .button')).outlineStyle") == "solid"
    for _ in range(20):
        first.press("Tab")
        if first.js("document.activeElement.closest('.try') !== null"):
            break
    first.press("Enter")
    assert verdict(first) == "Not legal as played"


def test_the_reply_is_copied(first: Page, visitor: Visitor) -> None:
    first.send("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    drop(first, named(FAULTY))
    verdict(first)
    first.click("[data-copy]")
    until(first, "document.querySelector('.copied').innerText !== ''")
    assert first.text(".copied") in ("Copied.", "The text is selected; press Ctrl-C to copy it.")


def test_a_module_is_made_and_downloaded(first: Page, visitor: Visitor, tmp_path: Path) -> None:
    first.open(f"{visitor.url}/games/lwe")
    first.click(".module button")
    until(first, "document.querySelector('.module a[download]') !== null")
    assert first.js("document.querySelector('.map').decode().then(() => true)")
    first.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    first.click(".module a[download]")
    end = time.monotonic() + SECONDS
    while not (found := list(tmp_path.glob("*.vmod"))):
        assert time.monotonic() < end
        time.sleep(0.1)
    assert "buildFile.xml" in zipfile.ZipFile(found[0]).namelist()


def test_rules_are_found_by_a_word(first: Page, visitor: Visitor) -> None:
    first.open(f"{visitor.url}/games/wfm/rules")
    everything = first.count(".rule")
    first.js(_TYPE)
    assert 0 < first.count(".rule") < 5 < everything
    assert first.text("#sieved") == f"{first.count('.rule')} rule{'s' if first.count('.rule') > 1 else ''}"


PLACES = ("/", "/games/wfm", "/games/wfm/rules?status=not-checkable", "/nothing")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("place", [*PLACES, "verdict"])
def test_a_page_fits_a_phone_and_can_be_read(first: Page, visitor: Visitor, place: str, dark: bool) -> None:
    first.dark(dark)
    first.size(390, 844, phone=True)
    if place == "verdict":
        drop(first, named(FAULTY))
        verdict(first)
    else:
        first.open(visitor.url + place)
    assert first.js("document.documentElement.scrollWidth") <= 390
    script = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
    assert first.js(script) == []
    first.errors[:] = [error for error in first.errors if "404" not in error]


def test_the_page_says_when_fieldpost_has_ended(browser: Browser, tmp_path: Path) -> None:
    with serving.served(tmp_path) as running, browser.page() as page:
        page.open(f"{running.url}/")
        running.process.terminate()
        running.process.wait(PATIENCE)
        drop(page, named(FAULTY))
        until(page, "!document.querySelector('.trouble').hidden")
        assert "fieldpost does not answer. Is it still running?" in page.text(".trouble")
