"""Logs of players who do not know the keys: what cannot be judged accuses no side, and is said first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fieldpost.hexes import neighbors
from tests.fieldpost.commands.running import run
from tests.validator.typed_logs import Table

Capture = pytest.CaptureFixture[str]
OPENING = ("turn 22 supply", "turn 22 axis-move", "turn 22 axis-combat", "turn 22 sov-move")


@pytest.fixture
def table() -> Table:
    made = Table("wfm", "turning-point")
    made.play(*OPENING, "turn 22 sov-combat")
    made.writer.begin_anew()
    return made


def checked(capsys: Capture, table: Table, folder: Path) -> dict[str, Any]:
    done = run(capsys, "check", table.cut(folder / "turn.vlog"), "--json")
    found: dict[str, Any] = done.json
    return found


def illegal(found: dict[str, Any]) -> list[str]:
    return [finding["message"] for finding in found["findings"] if finding["verdict"] == "illegal"]


def test_a_battle_that_was_only_said_is_not_judged(table: Table, tmp_path: Path, capsys: Capture) -> None:
    table.say("62A hits 4709, 2:1")
    table.play("roll combat 1d6=5")
    table.drag("51AK", "4710")
    found = checked(capsys, table, tmp_path)
    assert illegal(found) == []
    assert (found["judged"], found["actions"]) == ("part", 3)
    assert [item["kind"] for item in found["not_judged"]] == ["words", "die", "move"]
    assert found["not_judged"][1]["line"] == "attack UNITS x HEX : 1d6=5"
    text = run(capsys, "check", tmp_path / "turn.vlog").out
    assert "Ctrl+A" in text
    assert "Checked: all" not in text
    assert "play again" not in text


def test_words_of_a_battle_keep_a_log_from_being_checked_whole(
    table: Table, tmp_path: Path, capsys: Capture
) -> None:
    table.say("D1")
    table.play("turn 22 ger-mech")
    text = run(capsys, "check", table.cut(tmp_path / "turn.vlog")).out
    assert "1 thing not judged" in text


def test_chat_of_other_things_tells_of_no_battle(table: Table, tmp_path: Path, capsys: Capture) -> None:
    table.say("good luck, see you on Sunday")
    table.play("turn 22 ger-mech")
    assert checked(capsys, table, tmp_path)["judged"] == "all"


def test_a_unit_that_stays_among_the_enemy_is_illegal(table: Table, tmp_path: Path, capsys: Capture) -> None:
    table.say("62A hits 4709")
    table.drag("62A", "4709")
    (message,) = illegal(checked(capsys, table, tmp_path))
    assert "where the enemy's 51AK stands" in message


def test_a_march_away_from_every_fight_stays_a_fault(table: Table, tmp_path: Path, capsys: Capture) -> None:
    fleets = {unit.id for unit in table.position.on_map() if not unit.type.steps}
    armies = [unit for unit in table.position.on_map("soviet") if unit.id not in fleets]
    far = next(unit for unit in armies if not _near(table, unit.id))
    spot = next(hex_ for hex_ in neighbors(far.hex) if hex_ in table.writer.board.hexes)
    table.drag(far.id, table.game.map.lattice.label(spot, "E"))
    assert illegal(checked(capsys, table, tmp_path))


def test_a_plain_die_is_that_of_the_battle_that_waits(table: Table, tmp_path: Path, capsys: Capture) -> None:
    table.play("attack 62A x 4709")
    table.writer.builder.report("*** 1d6 = 3 *** <Ann>")
    found = checked(capsys, table, tmp_path)
    assert illegal(found) == []
    assert ["taken as that of battle 1" in item["reason"] for item in found["unchecked"]] == [True]


def test_what_is_put_back_at_once_has_not_moved(table: Table, tmp_path: Path, capsys: Capture) -> None:
    table.drag("51AK", "4710", "4709")
    table.play("turn 22 ger-mech")
    found = checked(capsys, table, tmp_path)
    assert (found["findings"], found["actions"], found["judged"]) == ([], 0, "all")


def test_a_tracker_too_far_and_back_began_no_phase(table: Table, tmp_path: Path, capsys: Capture) -> None:
    table.play("turn 22 ger-mech", "turn 22 admin", "turn 22 sov-combat")
    found = checked(capsys, table, tmp_path)
    assert found["findings"] == []


def test_a_tracker_that_never_moved_is_told_once(tmp_path: Path, capsys: Capture) -> None:
    table = Table("wfm", "turning-point")
    for unit in list(table.position.on_map("axis"))[:40]:
        table.writer._move([table.writer._unit(unit.id)], "axis-eliminated", "gone")
    table.writer.begin_anew()
    table.drag("62A", "4707")
    found = checked(capsys, table, tmp_path)
    (finding,) = found["findings"]
    assert (finding["rule"], finding["verdict"]) == ("log-clock", "judgement")
    assert len(finding["evidence"]["steps"]) > 20
    assert found["judged"] == "part"


def test_one_counter_set_up_wrongly_is_still_a_fault(tmp_path: Path, capsys: Capture) -> None:
    table = Table("wfm", "turning-point")
    table.drag("62A", "4707")
    table.writer.begin_anew()
    table.play("turn 22 supply", 'say "begin"')
    found = checked(capsys, table, tmp_path)
    assert {finding["rule"] for finding in found["findings"]} >= {"wfm-16.2"}


def _near(table: Table, name: str) -> bool:
    unit = table.position.units[name]
    there = [other for hex_ in neighbors(unit.hex) for other in table.position.at(hex_)]
    return any(other.side != unit.side for other in there)
