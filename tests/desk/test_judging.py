"""One turn is judged alike, whatever was judged before it and by whichever way."""

from __future__ import annotations

from pathlib import Path

from desk import judging
from desk.judging import Asked, Source
from tests.desk.serving import FAULTY, LOGS
from validator.services import checking
from validator.services.turnfile import Wanted

DECIDING = {"winter-die": "both", "panzer-disengage": "on"}


def options_of(path: Path) -> object:
    return judging.judge([Source(path, path.name)], Asked()).data()["options"]


def test_a_turn_names_the_options_that_decided_it_as_a_check_does() -> None:
    assert dict(checking.check(FAULTY, Wanted()).report.options) == DECIDING
    assert options_of(FAULTY) == DECIDING


def test_another_log_judged_before_hides_no_option() -> None:
    options_of(LOGS[0])
    assert options_of(FAULTY) == DECIDING
