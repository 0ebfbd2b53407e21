"""A sheet may begin anywhere: with an empty map, at a log's end, or with what it says is different."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fieldpost.cli import main
from fieldpost.definition import load
from tests.places import REPOSITORY
from validator import sheet
from validator.model import position as positions
from validator.model.position import Position
from validator.services import turnfile
from validator.services.turnfile import Wanted

SAMPLES = REPOSITORY / "examples" / "samples" / "turning-point"
LOG = SAMPLES / "3-turn-22-axis-end.vlog"
HEAD = "game wfm turning-point\n"


def opened(folder: Path, text: str) -> turnfile.Turnfile:
    path = folder / "turn.txt"
    path.write_text(text)
    return turnfile.read(path, Wanted())


def checked(capsys: pytest.CaptureFixture[str], folder: Path, text: str) -> dict[str, object]:
    path = folder / "turn.txt"
    path.write_text(text)
    assert main(["check", str(path), "--json"]) in (0, 1)
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def state(position: Position) -> dict[str, object]:
    units = {u.id: (u.spot, u.step, u.marks) for u in position.units.values() if u.spot or u.marks}
    decks = {deck: sorted(chits) for deck, chits in position.decks.items()}
    marks = {hex_: marks for hex_, marks in position.marks.items() if marks}
    return {
        "units": units, "marks": marks, "pointers": position.pointers, "spread": position.spread,
        "control": position.control, "decks": decks, "partial": position.partial,
    }  # fmt: skip


def test_what_is_given_differs_from_the_set_up(tmp_path: Path) -> None:
    lines = "given place 3PzK 6306 step 2\ngiven mark 3PzK out-of-supply\ngiven control 4708 axis\n"
    turn = opened(tmp_path, f"{HEAD}{lines}given remove 9A\nturn 23 axis-move\nmove 3PzK 6306-6305\n")
    unit, lattice = turn.start.units["3PzK"], turn.game.map.lattice
    assert (unit.spot, unit.step, list(unit.marks)) == (lattice.hex("6306", "E"), 2, ["out-of-supply"])
    assert turn.start.units["9A"].spot is None
    assert turn.start.control[lattice.hex("4708", "E")] == "axis"
    assert (turn.start.turn, turn.start.phase) == (23, "axis-move")
    assert len(turn.events) == 2


def test_an_empty_map_holds_what_is_given_alone(tmp_path: Path) -> None:
    turn = opened(tmp_path, f"{HEAD}position empty\ngiven place 3PzK 6407\nturn 23 axis-move\n")
    assert [unit.id for unit in turn.start.on_map()] == ["3PzK"]


def test_a_sheet_goes_on_where_a_log_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / LOG.name).write_bytes(LOG.read_bytes())
    following = turnfile.read(SAMPLES / "4-turn-23-axis.vlog", Wanted())
    text = sheet.write(following.game, following.scenario, following.events)
    head, _, rest = text.partition("\n")
    turn = opened(tmp_path, f"{head}\nposition {LOG.name}\n{rest}")
    assert state(turn.start) == state(following.start) | {"control": turn.start.control}
    said = checked(capsys, tmp_path, f"{head}\nposition {LOG.name}\n{rest}")
    assert (said["findings"], said["verdict"]) == ([], "legal")
    assert said["actions"] == len([e for e in turn.events if type(e).__name__ != "PhaseBegan"])


@pytest.mark.parametrize("name", ["../turn.vlog", "/etc/passwd", "C:turn.vlog", ".hidden", "a\\b"])
def test_a_position_is_a_file_beside_the_sheet(tmp_path: Path, name: str) -> None:
    with pytest.raises(sheet.SheetError, match="no name of a file beside"):
        opened(tmp_path, f'{HEAD}position "{name}"\n'.replace("\\", "\\\\"))


def test_a_file_that_is_not_there_is_told_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(sheet.SheetError) as caught:
        opened(tmp_path, f"{HEAD}position yesterday.vlog\n")
    assert (caught.value.line, caught.value.column) == (2, 10)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("given fly 3PzK 6407", "cannot be given"),
        ("given control 4708 nobody", "no side 'nobody'"),
        ("given place 3PzK 9999", "9999"),
        ("turn 22 sov-move\nmove 9A 6507-6607\ngiven remove 9A", "before the first turn"),
        ("position empty\nposition empty", "named twice"),
    ],
)
def test_what_cannot_be_given_is_told(tmp_path: Path, line: str, named: str) -> None:
    with pytest.raises(sheet.SheetError, match=named):
        opened(tmp_path, f"{HEAD}{line}\n")


@pytest.mark.parametrize(("game", "scenario"), [("wfm", "turning-point"), ("lwe", "army-group-centre")])
def test_a_position_is_written_and_read_again(tmp_path: Path, game: str, scenario: str) -> None:
    loaded = load(game)
    start = positions.start(loaded, loaded.scenario[scenario])
    written = sheet.write_position(loaded, loaded.scenario[scenario], start)
    again = opened(tmp_path, written).start
    assert state(again) == state(start)
    assert (again.turn, again.phase) == (start.turn, start.phase)


def test_the_end_of_a_log_is_written_and_read_again(tmp_path: Path) -> None:
    turn = turnfile.read(LOG, Wanted())
    end = turn.start.copy()
    for event in turn.events:
        end.apply(sheet.expand(event, end))
    again = opened(tmp_path, sheet.write_position(turn.game, turn.scenario, end)).start
    assert state(again) == state(end)
