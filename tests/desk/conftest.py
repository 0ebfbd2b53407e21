"""One page for all tests of a run, with short limits."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.desk import serving
from tests.desk.serving import Visitor

QUICK = {"header_seconds": 1.5, "silence_seconds": 1.5, "upload_seconds": 4, "upload_bytes": 8 << 20}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "desk" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("desk"))


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    folder = tmp_path_factory.mktemp("desk")
    with serving.served(folder, **QUICK) as visitor:
        yield visitor
        assert visitor.process.poll() is None, "the page is still up after everything"
    assert visitor.process.returncode == 0
    assert list(folder.glob("fieldpost-*")) == []
    assert (folder / "errors.txt").read_text() == ""
