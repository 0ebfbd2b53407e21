"""A turn played in the real engine: the log holds what docs/log-protocol.md promises."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import pytest

from builder.module import cups, keys
from builder.module.plan import CUPS_MAP
from fieldpost.cli import main
from fieldpost.definition.model import Game
from fieldpost.geometry import BOARD_PROPERTY, GAME_PROPERTY, SCENARIO_PROPERTY
from fieldpost.hexes import Hex
from fieldpost.vassal.module import Module
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Deck
from tests.engine.playing import Played, Script, play
from validator.model import events as ev
from validator.model.events import Event

E = TypeVar("E", bound=Event)
pytestmark = pytest.mark.xdist_group("built")


@pytest.fixture(scope="module")
def played(
    engine: ModuleType, wfm: Game, wfm_module: Path, tmp_path_factory: pytest.TempPathFactory
) -> Played:
    script = Script(Module.read(wfm_module), "Turning Point")
    _combat(script)
    _movement(script)
    _marks(script)
    file = tmp_path_factory.mktemp("played") / "turn22.vlog"
    return play(engine, wfm_module, script, file, wfm, wfm.scenario["turning-point"])


def _combat(script: Script) -> None:
    """A chit goes back; a battle by the book: chits, declarations, dice, losses; then a second one."""
    script.dice(2, 3)
    script.press("csm-c-6-9", keys.RETURN)
    script.hotkey(keys.NEXT_PHASE, 3)
    script.press("65A", keys.DRAW)
    script.choose("21A", keys.DRAW.text)
    script.press("65A,21A", keys.ATTACK)
    script.press("11AK", keys.TARGET)
    script.choose("OSG-2", keys.SUPPORT.text)
    script.button("Combat 1d6")
    script.press("11AK", keys.LOSE_STEP)
    script.press("64A", keys.ATTACK)
    script.undo()
    script.press("57A", keys.ATTACK)
    script.press("51AK", keys.TARGET)
    script.roll(0)
    script.button("Result DE")
    script.press("51AK", keys.ELIMINATE)


def _movement(script: Script) -> None:
    script.hotkey(keys.NEXT_PHASE)
    script.choose("46A", "Sea move")
    script.drag("28A", "E5305", "E5306")
    script.drag("58A", "E6306")
    script.undo()
    script.button(keys.NEW_BATTLE.text)
    script.press("24A", keys.OVERRUN)
    script.press("PzKG-4", keys.TARGET)
    script.button("Overrun 1d6")
    script.choose("65A", "Convert")


def _marks(script: Script) -> None:
    script.choose("Ru4AK", "Out of supply")
    script.choose("Ru4AK", "In supply")
    script.draw("Strength A", "E4512")
    script.button("Attrition 1d6")
    script.say("your turn")
    script.button("Hide supply")
    script.button(keys.CLEAR_MARKS.text)


def _of(played: Played, kind: type[E]) -> list[E]:
    return [event for event in played.reading.events if isinstance(event, kind)]


def test_the_engine_played_it_all_without_a_word(played: Played) -> None:
    assert played.report["problems"] == []


def test_the_toolbar_is_tidy(played: Played) -> None:
    tidied = r"Result .|.* 1d6$|New battle|Show supply"
    assert not [text for text in played.report["toolbar"] if re.match(tidied, text)]
    assert played.report["menus"]["Battle"] == ["New battle", "Odds", "Clear battle marks"]
    assert "Result D1" in played.report["menus"]["Result"]
    assert "Combat 1d6" in played.report["menus"]["Dice"]


def test_the_log_says_what_game_it_is_of_and_where_its_hexes_lie(played: Played) -> None:
    properties = {name: value for (_, name), value in Table.of(played.log).properties.items()}
    assert properties[GAME_PROPERTY].startswith("wfm ")
    assert properties[SCENARIO_PROPERTY] == "turning-point"
    assert properties[BOARD_PROPERTY + "Turning Point"].startswith("pointy|")


def test_every_piece_says_what_it_is(wfm: Game, played: Played) -> None:
    pieces = Table.of(played.log).pieces.values()
    assert {piece.value("Kind") for piece in pieces} == {"unit", "marker", "chit", "battle", "count"}
    for piece in pieces:
        if piece.value("Kind") == "unit":
            unit_type = wfm.unit_type[wfm.counter[piece.value("UnitId") or ""].type]
            assert (piece.value("Side"), piece.value("UnitType")) == (unit_type.side, unit_type.id)
            assert piece.value("Nationality") in wfm.nationality
        elif piece.value("Kind") not in ("battle", "count"):
            assert piece.value("MarkerId") in wfm.marker


@pytest.mark.parametrize(
    "line",
    [
        r"battle #3",
        r"attack 65A @E4510 #1",
        r"attack 21A @E4511 #1",
        r"overrun 24A @E4509 #3",
        r"target 11AK @E4611 #1",
        r"support offensive-support OSG-2 @E4512 #1",
        r"roll combat 1d6=2 #1",
        r"roll overrun 1d6=[1-6] #3",
        r"roll attrition 1d6=[1-6]",
        r"result \S+ #1 chart",
        r"result DE #2",
        r"mode sea 46A @E6416",
        r"supply out-of-supply Ru4AK @E4612",
        r"supply supplied Ru4AK @E4612",
        r"declare convert 65A @E4510",
    ],
)
def test_a_line_of_the_protocol_is_written(played: Played, line: str) -> None:
    assert any(re.match(rf"{line}\W*$", written) for written in played.lines), played.lines


def test_a_battle_reads_as_it_was_declared(wfm: Game, played: Played) -> None:
    first, second, third = _of(played, ev.Attacked)
    assert set(first.units) == {"65A", "21A"}
    assert first.targets == (_hex(wfm, "4611"),)
    assert first.support == ("offensive-support",)
    assert second.units == ("57A",)
    assert (third.units, third.overrun, third.targets) == (("24A",), True, (_hex(wfm, "4610"),))
    assert [e.battle for e in _of(played, ev.Rolled)] == [1, 2, 3, None]
    assert [e.result for e in _of(played, ev.ResultNamed)] == ["DE"]


def test_the_chat_tells_people_who_did_what(played: Played) -> None:
    told = [
        command.removeprefix("CHAT* ")
        for step in played.log.steps
        for command in step.commands
        if command.startswith("CHAT")
    ]
    for line in (
        r"Oracle Tester: 65A draws a chit$",
        r"Oracle Tester: 65A attacks \[fp\] attack 65A @E4510 #1$",
        r"Oracle Tester rolls 2 for combat \(\d+:7 = column \d, snow \+1, .*\) \[fp\] roll combat 1d6=2 #1$",
        r"Oracle Tester: by the chart \S+ \(.*\) \[fp\] result \S+ #1 chart$",
        r"Oracle Tester: 11AK loses a step, now step 2$",
        r"Oracle Tester: 51AK is eliminated$",
        r"Oracle Tester rolls \d for attrition \[fp\] roll attrition 1d6=\d$",
    ):
        assert any(re.match(line, text) for text in told), (line, told)


def test_losses_belong_to_their_battle(played: Played) -> None:
    (lost,) = _of(played, ev.StepChanged)
    (gone,) = _of(played, ev.Removed)
    assert (lost.unit, lost.old, lost.new, lost.battle) == ("11AK", 1, 2, 1)
    assert (gone.unit, gone.box, gone.battle) == ("51AK", "axis-eliminated", 2)


def test_chits_come_from_the_cup_of_the_army_and_lie_under_it(played: Played) -> None:
    drawn = [(e.unit, e.deck) for e in _of(played, ev.Drawn)]
    assert drawn == [("65A", "csm-c"), ("21A", "csm-c"), ("5TkA", "csm-a")]
    table = Table.of(played.log)
    for step in played.log.steps[:6]:
        table.step(step)
    army = next(piece for piece in table.pieces.values() if piece.value("UnitId") == "65A")
    assert army.parent is not None
    assert [piece.value("Kind") for piece in army.parent.contents] == ["chit", "unit"]


def test_a_chit_goes_back_into_its_cup_front_up(played: Played) -> None:
    (back,) = _of(played, ev.Returned)
    assert (back.marker, back.deck, back.unit) == ("csm-c-6-9", "csm-c", "62A")
    returned = next(p for p in _at(played, 0).pieces.values() if p.value("MarkerId") == "csm-c-6-9")
    assert returned.value("Face_Level") == "2"
    assert all(
        piece.value("Face_Level") == "1"
        for step in range(1, len(played.log.steps))
        for piece in _at(played, step).pieces.values()
        if piece.id == returned.id
    )


def test_a_chit_dropped_into_its_cup_lies_front_up(
    engine: ModuleType, wfm: Game, wfm_module: Path, tmp_path: Path
) -> None:
    board = cups.board(wfm, 75)
    assert board is not None
    x, y = next(cup.center for cup in board.cups if cup.id == "csm-c")
    script = Script(Module.read(wfm_module), "Turning Point")
    script.drop("csm-c-6-9", CUPS_MAP, x, y)
    done = play(engine, wfm_module, script, tmp_path / "drop.vlog", wfm, wfm.scenario["turning-point"])
    (chit,) = (piece for piece in _at(done, 1).pieces.values() if piece.id == "marker-csm-c-6-9-62A")
    assert isinstance(chit.parent, Deck)
    assert chit.value("Face_Level") == "1"


def _at(played: Played, steps: int) -> Table:
    table = Table.of(played.log)
    for step in played.log.steps[:steps]:
        table.step(step)
    return table


def test_drags_on_make_one_move_with_way_points(wfm: Game, played: Played) -> None:
    (move,) = _of(played, ev.Moved)
    assert move.path == tuple(_hex(wfm, label) for label in ("5405", "5305", "5306"))
    trail = [c for step in played.log.steps for c in step.commands if c.startswith("D/unit-28A/")]
    assert any(re.search(r"Map\d;\d+;\d+,\d+;\d+,\d+", text) for text in trail)


def test_what_was_taken_back_is_no_part_of_the_game(played: Played) -> None:
    assert len(_of(played, ev.Undone)) == 2
    assert not [event for event in played.reading.events if "58A" in getattr(event, "units", ())]


def test_supply_marks_come_and_go(played: Played) -> None:
    (marked,), (unmarked,) = _of(played, ev.Marked), _of(played, ev.Unmarked)
    assert (marked.marker, marked.on, marked.face) == ("out-of-supply", "Ru4AK", 1)
    assert (unmarked.marker, unmarked.on) == ("out-of-supply", "Ru4AK")


def test_nothing_is_left_unread(played: Played) -> None:
    assert not _of(played, ev.Unread)


def test_clear_marks_takes_every_mark_off(played: Played) -> None:
    table = Table.of(played.log)
    for step in played.log.steps:
        table.step(step)
    units = [piece for piece in table.pieces.values() if piece.value("Kind") == "unit"]
    assert {piece.value("BattleRole") for piece in units} == {"none"}
    assert {piece.value("Mode") for piece in units} == {"march"}
    assert {piece.state_of("markmoved;") for piece in units} == {"false"}


def test_a_replay_and_our_table_end_where_the_game_ended(
    engine: ModuleType, wfm_module: Path, played: Played
) -> None:
    report = engine.vlog_replay(wfm_module, played.file, trace=False)
    assert report["problems"] == []
    table = Table.of(played.log)
    for step in played.log.steps:
        table.step(step)
    assert _places(report) == _places(played.report)
    ours = {id_: (p.place.map, p.place.x, p.place.y, p.masked_by) for id_, p in table.pieces.items()}
    assert ours == _places(report)


def _places(report: dict[str, Any]) -> dict[str, tuple[object, ...]]:
    return {p["id"]: (p["map"], p["x"], p["y"], p.get("obscuredBy")) for p in report["pieces"]}


def test_drawing_a_chit_is_no_move(played: Played) -> None:
    table = Table.of(played.log)
    for step in played.log.steps[:6]:
        table.step(step)
    assert {table.pieces[f"unit-{army}"].state_of("markmoved;") for army in ("65A", "21A")} == {"false"}


def test_the_commands_read_it(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", str(played.file)]) == 0
    dumped = capsys.readouterr().out
    assert "[fp] attack 65A @E4510 #1" in dumped
    assert main(["check", str(played.file)]) in (0, 1)
    assert "turn22.vlog" in capsys.readouterr().out


def _hex(game: Game, label: str) -> Hex:
    return game.map.lattice.hex(label, "E")
