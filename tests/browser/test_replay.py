"""The replay of a module we did not make, in a real browser."""

from __future__ import annotations

import pytest

from fieldpost.cli import main
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
