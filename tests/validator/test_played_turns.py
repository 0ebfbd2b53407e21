"""Turns played in real engines by tests/engine/turns.py: what is found in each, and nothing else.

The logs in `table` are from the 3.6 of the kit, those in `table/3.8` from 3.8.0-SNAPSHOT.
"""

from __future__ import annotations

import json

import pytest

from fieldpost.cli import main
from tests.places import REPOSITORY

DATA = REPOSITORY / "tests" / "data"

FOUND = {
    "wfm-clean": [],
    "wfm-sloppy": [("illegal", "wfm-7.22")],  # true: the chit of an army that died was left on the map
    "wfm-faulty": [
        ("warning", "log-dice"),
        ("warning", "wfm-3.0a"),
        ("warning", "log-button"),
        ("warning", "wfm-8.22"),
        ("illegal", "wfm-5.11"),
        ("illegal", "log-counter"),
    ],
    "ftm-clean": [],
    "ftm-faulty": [
        ("illegal", "ftm-4.2b"),
        ("illegal", "ftm-4.2b"),
        ("illegal", "ftm-14.0b"),
        ("illegal", "ftm-8.1b"),
        ("illegal", "ftm-14.0b"),
        ("illegal", "ftm-5.4.1b"),
        ("illegal", "log-counter"),
    ],
    "wie-clean": [],
    "wie-faulty": [
        ("warning", "wie-rep.6"),
        ("illegal", "wie-rep.6"),
        ("illegal", "wie-rep.16"),
        ("illegal", "wie-plc.2"),
        ("warning", "wie-unit.2"),
        ("illegal", "wie-cbt.3"),
        ("illegal", "wie-cbt.3"),
        ("illegal", "wie-cbt.3"),
        ("illegal", "wie-hq.8"),
        ("warning", "wie-cbt.3"),
        ("warning", "wie-unit.4"),
        ("illegal", "log-counter"),
    ],
    "lwe-clean": [],
    "lwe-sloppy": [],
    "lwe-faulty": [("warning", "log-dice"), ("illegal", "log-counter")],
}


PLAYED = [(name, "table") for name in FOUND] + [
    (name, "table/3.8") for name in FOUND if not name.startswith("ftm")
]


@pytest.mark.parametrize(("name", "folder"), PLAYED, ids=["-".join(each) for each in PLAYED])
def test_a_played_turn_has_its_findings(name: str, folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["check", str(DATA / folder / f"{name}.vlog"), "--json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [(finding["verdict"], finding["rule"]) for finding in findings] == FOUND[name]
    assert status == any(verdict == "illegal" for verdict, _ in FOUND[name])


def test_a_log_whose_die_was_taken_back_says_so_first(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(DATA / "table" / "wfm-faulty.vlog")])
    told = capsys.readouterr().out
    assert "4 doubtful" in told.splitlines()[0]
    assert "a roll (6) of step 7 was taken back" in told
    assert "8AK is taken off the map" in told
    assert "loses a step" not in told
