"""Land Without End in the real engine: stacks are hidden, units move unseen, what is revealed is told."""

from __future__ import annotations

import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from builder.module import fog, keys
from fieldpost.cli import main
from fieldpost.definition.model import Game
from fieldpost.hexes import Hex
from fieldpost.vassal.module import Module
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Piece
from tests.engine.playing import Played, Script, play
from validator.model import events as ev

pytestmark = pytest.mark.xdist_group("built")


@pytest.fixture(scope="module")
def played(
    engine: ModuleType, lwe: Game, lwe_module: Path, tmp_path_factory: pytest.TempPathFactory
) -> Played:
    script = Script(Module.read(lwe_module), "Whole map")
    script.sit("German")
    script.button(fog.HIDE_STACKS.text)
    script.hotkey(keys.NEXT_PHASE, 6)
    script.drag("20Pz", "1710")
    script.press("7Pz", keys.REVEAL)
    script.press("8RC", keys.CONCEAL)
    script.sit("Soviet")
    script.press("14Mot", keys.REVEAL)
    script.press("11RC", keys.CONCEAL)
    script.press("11RC", keys.REVEAL)
    file = tmp_path_factory.mktemp("hidden") / "turn1.vlog"
    return play(engine, lwe_module, script, file, lwe, lwe.scenario["campaign"])


def _after(played: Played, steps: int) -> Table:
    table = Table.of(played.log)
    for step in played.log.steps[:steps]:
        table.step(step)
    return table


def _unit(table: Table, name: str) -> Piece:
    return next(piece for piece in table.pieces.values() if piece.value("UnitId") == name)


def _stacks(table: Table, side: str) -> Iterator[list[Piece]]:
    """Units of a side that lie on the map, stack by stack, bottom to top."""
    for stack in table.stacks.values():
        units = [p for p in stack.contents if p.value("Kind") == "unit" and p.value("Side") == side]
        if len(units) > 1:
            yield units


def test_the_engine_has_no_complaint(played: Played) -> None:
    assert played.report["problems"] == []
    assert played.report["menus"]["Stacks"] == [fog.HIDE_STACKS.text, fog.SHOW_STACKS.text]


def test_of_each_hidden_stack_the_top_unit_alone_is_seen(played: Played, lwe: Game) -> None:
    table = _after(played, 2)
    set_up = {unit.id for place in lwe.scenario["campaign"].set_up if place.hex for unit in place.units}
    stacks = [units for units in _stacks(table, "german") if units[0].value("UnitId") in set_up]
    assert len(stacks) > 20
    for units in stacks:
        assert [unit.masked_by for unit in units] == [*["German"] * (len(units) - 1), None]
    assert {unit.masked_by for units in _stacks(table, "soviet") for unit in units} == {None}


def test_a_concealed_unit_moves_and_its_move_is_read(played: Played, lwe: Game) -> None:
    (move,) = [event for event in played.reading.events if isinstance(event, ev.Moved)]
    assert (move.units, move.end) == (("20Pz",), _hex(lwe, "1710"))
    assert _unit(_after(played, len(played.log.steps)), "20Pz").masked_by == "German"


def test_what_is_revealed_is_told_in_the_chat_and_read(played: Played) -> None:
    assert [line.rstrip(" *") for line in played.lines if line.startswith("reveal")] == [
        "reveal 7Pz @1611",
        "reveal 14Mot @1611",
        "reveal 11RC @1709",
    ]
    told = [event.units for event in played.reading.events if isinstance(event, ev.Declared)]
    assert told == [("7Pz",), ("14Mot",), ("11RC",)]
    end = _after(played, len(played.log.steps))
    assert [_unit(end, name).masked_by for name in ("7Pz", "14Mot", "11RC")] == [None] * 3


def test_nobody_conceals_units_of_the_other_side(played: Played) -> None:
    for count in range(len(played.log.steps) + 1):
        assert _unit(_after(played, count), "8RC").masked_by is None


def test_the_chat_of_a_concealed_move_names_no_unit(played: Played) -> None:
    (told,) = [
        command
        for step in played.log.steps
        for command in step.commands
        if command.startswith("CHAT") and "-> 1710" in command
    ]
    assert "20" not in told.replace("1710", "")


def test_the_referee_judges_a_concealed_move(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(played.file)]) in (0, 1)
    assert "turn1.vlog" in capsys.readouterr().out


def test_units_call_for_their_markers_fall_and_digits_are_moved(
    engine: ModuleType, lwe: Game, lwe_module: Path, tmp_path: Path
) -> None:
    script = Script(Module.read(lwe_module), "Whole map")
    script.press("7Pz", keys.LOSE_STEP)
    script.choose("7Pz", "Mechanized Refit")
    script.choose("26ID", "Supply Concentration")
    script.press("refit", keys.DELETE)
    script.press("7Pz,26ID", keys.ELIMINATE)
    script.drop("vp-tens", "Map", *_center(lwe_module, "Victory points and steps 2"))
    played = play(engine, lwe_module, script, tmp_path / "marks.vlog", lwe, lwe.scenario["campaign"])
    assert played.report["problems"] == []
    marked = [(e.marker, e.on) for e in played.reading.events if isinstance(e, (ev.Marked, ev.Unmarked))]
    assert marked == [("refit", "7Pz"), ("supply-concentration", "26ID"), ("refit", "7Pz")]
    lost = [event for event in played.reading.events if isinstance(event, ev.Removed)]
    assert {(event.unit, event.box) for event in lost} == {
        ("7Pz", "german-eliminated"),
        ("26ID", "german-eliminated"),
    }
    places = {p["id"]: (p["x"], p["y"]) for p in played.report["pieces"]}
    assert places["unit-7Pz"] != places["unit-26ID"]  # each type has its place in the box
    (pointed,) = [event for event in played.reading.events if isinstance(event, ev.Pointed)]
    assert (pointed.marker, pointed.box) == ("vp-tens", "track-2")


def test_markers_are_offered_to_units_they_are_for(lwe: Game) -> None:
    refit, supply = lwe.marker["refit"], lwe.marker["supply-concentration"]
    told = {name: lwe.counter[name] for name in ("7Pz", "26ID", "8RC")}
    offered = {
        name: [m.id for m in (refit, supply) if m.is_for(unit, lwe.unit_type[unit.type])]
        for name, unit in told.items()
    }
    assert offered == {"7Pz": ["refit", "supply-concentration"], "26ID": ["supply-concentration"], "8RC": []}


def _center(module: Path, zone: str) -> tuple[int, int]:
    with zipfile.ZipFile(module) as file:
        build_file = ET.fromstring(file.read("buildFile.xml"))
    board = next(b for b in build_file.iter() if b.get("name") == "Whole map")
    path = next(z.get("path") or "" for z in board.iter() if z.get("name") == zone)
    points = [tuple(map(int, point.split(","))) for point in path.split(";")]
    xs, ys = {x for x, _ in points}, {y for _, y in points}
    return sum(xs) // 2, sum(ys) // 2


def _hex(game: Game, label: str) -> Hex:
    return game.map.lattice.hex(label, None)
