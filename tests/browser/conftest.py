"""A browser for all tests of a run, a tab and a report for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import lacks
from tests.browser import chromium
from tests.browser.chromium import Browser, Page
from tests.validator.report import stories
from validator.report import html
from validator.report.html.pictures import ModulePictures


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Headless Chromium. Where there is none: skips with the reason, in CI fails."""
    lacks.unless(lacks.CHROMIUM, chromium.missing())
    with chromium.running(tmp_path_factory.mktemp("chromium")) as started:
        yield started


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up turn on a module's pictures."""
    folder = tmp_path_factory.mktemp("report")
    pictures = ModulePictures.read(stories.module(folder / "m.vmod", hexes_px=60))
    path = folder / "report.html"
    html.write(path, html.render(stories.game(), stories.scenario(), [stories.chapter()], pictures))
    return path


@pytest.fixture(scope="session")
def drawn_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up turn without a module."""
    path = tmp_path_factory.mktemp("report") / "drawn.html"
    html.write(path, html.render(stories.game(), stories.scenario(), [stories.chapter()]))
    return path


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A tab; whatever a page complains of fails the test."""
    with browser.page() as opened:
        opened.size(1400, 900)
        yield opened
        errors = opened.errors
    assert errors == []


@pytest.fixture
def page(tab: Page, report: Path) -> Page:
    """The report, opened from its file at its first step."""
    tab.open(f"{report.as_uri()}#step=0")
    return tab
