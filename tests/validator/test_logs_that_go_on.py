"""A log begins with what its board shows: who holds the hexes, how counters move, what was left behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fieldpost.cli import main
from fieldpost.hexes import Hex
from players.game import play
from tests.fieldpost.commands.running import run
from tests.validator.typed_logs import Table
from validator.model.events import Moved
from validator.services import turnfile
from validator.services.turnfile import Wanted

Capture = pytest.CaptureFixture[str]
HELD_OTHERWISE = [("wie", "citadel"), ("wie", "typhoon"), ("wie", "uranus"), ("ftm", "turn-of-the-tide")]


@pytest.mark.parametrize(("game", "scenario"), HELD_OTHERWISE)
def test_the_first_log_has_the_holders_of_its_scenario(game: str, scenario: str, tmp_path: Path) -> None:
    table = Table(game, scenario)
    turn = turnfile.read(table.cut(tmp_path / "first.vlog"), Wanted())
    assert turn.start.control == table.position.control
    assert any(table.game.holder_at_start(hex_) != side for hex_, side in turn.start.control.items())


def test_a_strategic_move_goes_on_in_a_second_log(tmp_path: Path, capsys: Capture) -> None:
    events = play("ftm", "barbarossa", 2).events
    at, move = next((n, e) for n, e in enumerate(events) if getattr(e, "mode", "") == "strategic")
    assert isinstance(move, Moved)
    first, rest = replace(move, path=move.path[:2]), move.path[1:]
    table = Table("ftm", "barbarossa")
    table.writer.write([*events[:at], first])
    table.cut(tmp_path / "a.vlog")
    labels = [table.game.map.lattice.label(spot, None) for spot in rest[1:] if isinstance(spot, Hex)]
    table.drag("+".join(move.units), *labels)
    alone = turnfile.read(table.cut(tmp_path / "b.vlog"), Wanted())
    assert [event.mode for event in alone.events if isinstance(event, Moved)] == ["strategic"]
    assert run(capsys, "check", tmp_path / "b.vlog").status == 0
    done = run(capsys, "audit", tmp_path, "--json")
    assert [f for f in done.json["findings"] if f["verdict"] == "illegal"] == []


def test_a_marker_whose_unit_has_left_lies_on_no_other(tmp_path: Path) -> None:
    table = Table("ftm", "campaign")
    base = next(u for u in table.position.units.values() if u.on_map and u.has("supply-base"))
    table.play("turn 1 supply", f"mark {base.id} expended")
    spot = base.hex
    table.writer._move([table.writer._unit(base.id)], "axis-pool", "off")
    table.cut(tmp_path / "a.vlog")
    turn = turnfile.read(table.cut(tmp_path / "b.vlog"), Wanted())
    assert "expended" not in turn.start.marks.get(spot, {})
    assert not [unit.id for unit in turn.start.units.values() if "expended" in unit.marks]


NESTED = "game wfm turning-point\nposition {}\n\n"


def test_a_sheet_begins_with_the_end_of_a_sheet(tmp_path: Path, capsys: Capture) -> None:
    table = Table("wfm", "turning-point")
    table.play("turn 22 sov-move", "turn 22 sov-combat", "attack 4510 x 4610 : 1d6=3")
    table.cut(tmp_path / "a.vlog")
    (tmp_path / "b.txt").write_text(NESTED.format("a.vlog") + 'say "nothing"\n')
    (tmp_path / "c.txt").write_text(NESTED.format("b.txt") + "attack 4708 x 4707 : 1d6=3\n")
    before, after = (turnfile.read(tmp_path / name, Wanted()) for name in ("a.vlog", "c.txt"))
    first = next(event for event in before.events if hasattr(event, "targets"))
    then = next(event for event in after.events if hasattr(event, "targets"))
    assert then.battle == first.battle + 1
    assert main(["check", str(tmp_path / "c.txt")]) in (0, 1)
    assert "was attacked before" not in capsys.readouterr().out


def test_sheets_that_begin_with_each_other_are_refused(tmp_path: Path, capsys: Capture) -> None:
    for name, other in (("a.txt", "b.txt"), ("b.txt", "a.txt")):
        (tmp_path / name).write_text(NESTED.format(other) + 'say "round and round"\n')
    assert main(["check", str(tmp_path / "a.txt")]) == 2
    assert "begins with the end of this sheet" in capsys.readouterr().err
