"""The dice of an audited game in a real browser: charts, and how likely that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.chromium import Page
from tests.validator.report import stories
from validator.report import html

WORDS = html.Passage("How likely: Axis phases, d6", ("Fair dice <often> fall so.",))


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dice") / "game.html"
    html.write(path, html.render(stories.game(), stories.scenario(), [stories.chapter()], dice=[WORDS]))
    return path


def shown(page: Page) -> bool:
    return bool(page.js("document.getElementById('panel-dice').offsetHeight > 0"))


def test_charts_and_words_are_behind_their_tab(tab: Page, audited: Path) -> None:
    tab.open(audited.as_uri())
    assert not shown(tab)
    tab.click("#tab-dice")
    assert shown(tab)
    assert tab.count("#dice .bar") >= 6
    assert "Fair dice <often> fall so." in tab.text("#panel-dice")


def test_words_can_be_read_without_a_script(tab: Page, audited: Path) -> None:
    tab.send("Emulation.setScriptExecutionDisabled", value=True)
    tab.open(audited.as_uri())
    tab.send("Emulation.setScriptExecutionDisabled", value=False)
    assert shown(tab)
