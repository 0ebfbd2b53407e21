"""Tests that share something dear (a module, a played game, a page) run in one process: it is made once."""

from __future__ import annotations

import os

import pytest


@pytest.mark.xdist_group("groups")
def test_tests_of_one_group_go_to_one_worker(request: pytest.FixtureRequest) -> None:
    """pytest-xdist sorts tests by what it writes behind their names."""
    if "PYTEST_XDIST_WORKER" not in os.environ or not request.config.getoption("loadgroup", False):
        pytest.skip("only where tests are spread over processes by groups, as make test does")
    assert request.node.nodeid.endswith("@groups")
