"""The replay of a module we did not make, in a real browser."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fieldpost.cli import main
from fieldpost.pages import data_uri
from tests import oracle_files
from tests.browser.chromium import Browser


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("replay") / "replay.html"
    assert main(["replay", str(oracle_files.log("random1")), "-o", str(path)]) == 0
    return path.as_uri()


def test_steps_search_filter_and_bookmarks(browser: Browser, replay: str) -> None:
    with browser.page() as page:
        page.open(replay)
        assert page.text("#count") == "step 0 of 226"
        for _ in range(3):
            page.press(".")
        assert page.text("#count") == "step 3 of 226"
        page.press("b")
        assert page.js("document.querySelectorAll('#marks optgroup')[0].label") == "Bookmarks"
        page.press("End")
        assert page.text("#count") == "step 226 of 226"
        page.press("Home")
        page.js("document.getElementById('search').value = 'rolls'")
        page.js("document.getElementById('search').dispatchEvent(new Event('input'))")
        assert "of 227 steps" in page.text("#found")
        page.press(".")
        assert "Rolls" in page.text("#now")
        assert (page.errors, [one for one in page.requests if not one.startswith(("file:", "data:"))]) == (
            [],
            [],
        )


def test_forwards_and_back_is_the_same_board(browser: Browser, replay: str) -> None:
    with browser.page() as page:
        page.open(replay + "#step=60")
        look = "document.getElementById('board').toDataURL()"
        wait = "new Promise(done => setTimeout(done, 300))"
        page.js(wait)
        before = page.js(look)
        page.press("End")
        page.press("Home")
        page.js("document.getElementById('slider').value = 60")
        page.js("document.getElementById('slider').dispatchEvent(new Event('input'))")
        page.js(wait)
        assert page.js(look) == before


MAGENTA = """(() => {
  const board = document.getElementById('board');
  const shown = board.getContext('2d').getImageData(0, 0, board.width, board.height).data;
  let number = 0;
  for (let at = 0; at < shown.length; at += 4)
    number += shown[at] > 240 && shown[at + 1] < 15 && shown[at + 2] > 240;
  return number;
})()"""


def test_drawings_are_shown_from_afar_and_from_near(browser: Browser, tmp_path: Path) -> None:
    """Each picture of a piece is a drawing in one colour."""
    path = tmp_path / "drawn.html"
    module = ["--module", str(oracle_files.MODULE)]
    assert main(["replay", str(oracle_files.log("random1")), *module, "-o", str(path)]) == 0
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
        '<rect width="40" height="40" fill="#f0f"/></svg>'
    )
    page_text = path.read_text(encoding="utf-8")
    _board, *others = re.findall(r'"(data:image/webp;base64,[^"]+)"', page_text)
    for picture in others:
        page_text = page_text.replace(picture, data_uri("svg+xml", drawing.encode()))
    path.write_text(page_text, encoding="utf-8")
    with browser.page() as page:
        page.open(path.as_uri())
        afar = _in_time(lambda: page.js(MAGENTA))
        for _ in range(6):
            page.click("#in")
        near = _in_time(lambda: page.js(MAGENTA))
        assert min(afar, near) > 0


def _in_time(look: Callable[[], int]) -> int:
    """What is seen once it stays the same."""
    seen = [-1]
    for _ in range(50):
        seen.append(look())
        if seen[-1] == seen[-2] > 0:
            break
        time.sleep(0.2)
    return seen[-1]
