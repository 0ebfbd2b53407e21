"""Fixtures and settings all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests import lacks, places
from tests.engine import engine as vassal_engine

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "fixed")
settings.register_profile(
    "fixed",
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("seeded", parent=settings.get_profile("fixed"), derandomize=False, database=None)
settings.register_profile("soak", parent=settings.get_profile("seeded"), max_examples=5000)
settings.load_profile(PROFILE)
if PROFILE == "fixed":
    # Else it also tries constants of the modules that are loaded by then, so the order of tests decides.
    providers._get_local_constants = lambda: providers._local_constants


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "engine" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.engine)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """The last lines before the runner's own summary."""
    yield
    skipped = terminalreporter.stats.get("skipped", [])
    lines = lacks.summary(report.longrepr[2] for report in skipped if isinstance(report.longrepr, tuple))
    if lines:
        terminalreporter.section("not run", sep="=")
    for line in lines:
        terminalreporter.line(line)


@pytest.fixture(scope="session")
def engine() -> ModuleType:
    """The real VASSAL engine. Where there is none: skips with the reason, in CI fails."""
    lacks.unless(lacks.ENGINE, vassal_engine.missing())
    return vassal_engine


@pytest.fixture(scope="session")
def corpus() -> places.Corpus:
    """Files of strangers, kept outside the repository; skips where the folder is absent."""
    found = places.corpus()
    if found is None:
        lacks.skip(lacks.CORPUS, "set FIELDPOST_CORPUS to their folder")
    return found
