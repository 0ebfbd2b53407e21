"""Fixtures and settings all tests share."""

from __future__ import annotations

import os
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests import places
from tests.engine import engine as vassal_engine

IN_CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")
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


@pytest.fixture(scope="session")
def engine() -> ModuleType:
    """The real VASSAL engine. Where there is none: skips with the reason, in CI fails."""
    reason = vassal_engine.missing()
    if reason and IN_CI:
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)
    return vassal_engine


@pytest.fixture(scope="session")
def corpus() -> places.Corpus:
    """Files of strangers, kept outside the repository; skips where the folder is absent."""
    found = places.corpus()
    if found is None:
        pytest.skip("no corpus of strangers' files: set FIELDPOST_CORPUS to its folder")
    return found
