"""What a machine may lack that tests need: they are skipped (in CI they fail), and counted at the end."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, NoReturn

import pytest

IN_CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")
MACHINE = "tools/setup.sh machine"


class Lack(NamedTuple):
    what: str
    remedy: str


ENGINE = Lack("a VASSAL engine", MACHINE)
CHROMIUM = Lack("Chromium", MACHINE)
FIREFOX = Lack("Firefox", MACHINE)
SITE = Lack("what the site is made of", "a network, then make test again")
CORPUS = Lack("files of strangers", "FIELDPOST_CORPUS=FOLDER make test, with a folder of such files")
MAP_DATA = Lack("the geography of a map", ".venv/bin/python -m tools.mapgen ftm --check")
LACKS = {lack.what: lack for lack in (ENGINE, CHROMIUM, FIREFOX, SITE, CORPUS, MAP_DATA)}
NOT_INSTALLED = (ENGINE, CHROMIUM, FIREFOX, SITE)


def skip(lack: Lack, why: str) -> NoReturn:
    """The test cannot run here; where everything must be installed, that is a failure."""
    if IN_CI and lack in NOT_INSTALLED:
        pytest.fail(f"no {lack.what}: {why}")
    pytest.skip(f"no {lack.what}: {why}")


def unless(lack: Lack, missing: str | None) -> None:
    if missing:
        skip(lack, missing)


def summary(reasons: Iterable[str]) -> list[str]:
    """How many tests were not run, for lack of what, and what gives it."""
    plain = [reason.removeprefix("Skipped: ") for reason in reasons]
    found = Counter(reason.removeprefix("no ").partition(": ")[0] for reason in plain)
    lines = [f"{_tests(found[what])} not run for lack of {what}." for what in LACKS if found[what]]
    other = sum(number for what, number in found.items() if what not in LACKS)
    if other:
        lines.append(f"{_tests(other)} not run for other reasons: pytest -rs names them.")
    by_remedy: dict[str, list[str]] = {}
    for what, lack in LACKS.items():
        if found[what]:
            by_remedy.setdefault(lack.remedy, []).append(what)
    return lines + [_remedy(remedy, for_) for remedy, for_ in by_remedy.items()]


def _tests(number: int) -> str:
    return "1 test was" if number == 1 else f"{number} tests were"


def _remedy(remedy: str, what: list[str]) -> str:
    who = "as root, in this folder: " if remedy == MACHINE and os.geteuid() else ""
    return f"For {', '.join(what)}: {who}{remedy}"
