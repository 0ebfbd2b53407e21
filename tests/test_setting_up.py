"""What is installed is locked, and what is lacking is stated."""

from __future__ import annotations

import re

import pytest

from tests import lacks
from tests.places import REPOSITORY
from tools import enough
from tools.wanted import wanted

LOCKED = REPOSITORY / "tools" / "locked"


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w.-]", one)[0].lower().replace("_", "-") for one in requirements}


@pytest.mark.parametrize(("file", "extras"), [("demo.txt", []), ("tests.txt", ["dev", "mapgen"])])
def test_each_package_is_locked_with_the_digests_of_its_files(file: str, extras: list[str]) -> None:
    entries = re.sub(r"\\\n\s*", "", (LOCKED / file).read_text(encoding="utf-8")).splitlines()
    assert all(re.match(r"[\w.-]+==[\w.]+ .*--hash=sha256:[0-9a-f]{64}", entry) for entry in entries)
    assert names(wanted(extras)) <= names(entries)


def test_no_address_stands_in_a_lock_file() -> None:
    assert not [path.name for path in LOCKED.iterdir() if re.search(r"://|index|@ ", path.read_text("utf-8"))]


def test_the_demo_takes_the_versions_of_the_tests() -> None:
    demo, tests = (
        set(re.findall(r"^[\w.-]+==[\w.]+", (LOCKED / file).read_text("utf-8"), re.MULTILINE))
        for file in ("demo.txt", "tests.txt")
    )
    assert demo < tests


def test_what_was_not_run_is_counted_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lacks.os, "geteuid", lambda: 1000)
    reasons = ["Skipped: no Chromium: not there"] * 3 + ["Skipped: no Firefox: not there", "Skipped: other"]
    assert lacks.summary(reasons) == [
        "3 tests were not run for lack of Chromium.",
        "1 test was not run for lack of Firefox.",
        "1 test was not run for other reasons: pytest -rs names them.",
        "For Chromium, Firefox: as root, in this folder: tools/setup.sh machine",
    ]


def test_where_all_must_be_installed_a_lack_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lacks, "IN_CI", True)
    with pytest.raises(pytest.fail.Exception, match="no Chromium: not there"):
        lacks.skip(lacks.CHROMIUM, "not there")
    with pytest.raises(pytest.skip.Exception):
        lacks.skip(lacks.CORPUS, "not there")


def test_a_file_of_the_program_has_its_tests() -> None:
    assert enough.tests_of("fieldpost/vassal/codec.py") == ["tests/fieldpost/vassal/test_codec.py"]
    assert enough.tests_of("validator/core/board.py") == ["tests/validator/core/test_board.py"]
    assert enough.tests_of("README.md") == []
