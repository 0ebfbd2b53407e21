"""One turn is judged alike, whatever was judged before it and by whichever way."""

from __future__ import annotations

from pathlib import Path

from desk import judging
from desk.judging import Asked, Source
from tests.desk.serving import FAULTY, LOGS
from validator.services import one_turn
from validator.services.turnfile import Wanted

DECIDING = {"winter-die": "both", "panzer-disengage": "on"}


def options_of(path: Path) -> object:
    return judging.judge([Source(path, path.name)], Asked()).data()["options"]


def test_a_turn_names_the_options_that_decided_it_as_a_check_does() -> None:
    assert dict(one_turn.check(FAULTY, Wanted()).report.options) == DECIDING
    assert options_of(FAULTY) == DECIDING


def test_another_log_judged_before_hides_no_option() -> None:
    options_of(LOGS[0])
    assert options_of(FAULTY) == DECIDING


def test_what_is_owed_stands_in_the_first_line_of_the_text_and_of_the_reply(tmp_path: Path) -> None:
    turn = tmp_path / "turn.txt"
    turn.write_text("game wfm turning-point\nturn 23 axis-combat\nattack 51AK x 4708\n")
    judged = judging.judge([Source(turn, turn.name)], Asked())
    for told in (judged.text(), judged.reply()):
        assert "nothing illegal" in told.splitlines()[0].lower()
        assert "so far" in told.splitlines()[0]
        assert "1 thing still owed" in " ".join(told.split())
