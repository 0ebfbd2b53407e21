"""One page for all tests of a run, with short limits."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.desk import serving
from tests.desk.serving import QUICK, Visitor


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "desk" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("desk"))


@contextmanager
def short_folder() -> Iterator[Path]:
    """With room for the name of a socket behind it, which pytest's have not."""
    folder = Path(tempfile.mkdtemp(prefix="fp", dir="/tmp"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def folder() -> Iterator[Path]:
    with short_folder() as made:
        yield made


@pytest.fixture(scope="session")
def desk() -> Iterator[Visitor]:
    with short_folder() as folder:
        yield from serve(folder)


def serve(folder: Path) -> Iterator[Visitor]:
    with serving.served(folder, **QUICK) as visitor:
        yield visitor
        assert visitor.process.poll() is None, "the page is still up after everything"
    assert visitor.process.returncode == 0
    assert list(folder.glob("fieldpost-*")) == []
    assert (folder / "errors.txt").read_text() == ""
