"""What is done to pieces in VASSAL becomes what happened in the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.module import buildfile
from builder.module.setups import metadata
from fieldpost.errors import FieldpostError
from fieldpost.geometry import BOARD_PROPERTY
from fieldpost.vassal import archive
from fieldpost.vassal.module import Module
from fieldpost.vassal.steps import Log
from tests.validator.interpret.desk import GAME, SCENARIO, Desk, hex_, hexes
from validator.audit.differences import differences
from validator.interpret import interpret
from validator.model.events import (
    Attacked,
    Declared,
    Doubled,
    Drawn,
    Event,
    Marked,
    Moved,
    PhaseBegan,
    Placed,
    Removed,
    Replaced,
    ResultNamed,
    Returned,
    Rolled,
    Said,
    StepChanged,
    Undone,
    Unmarked,
    Unread,
)


@pytest.fixture
def desk() -> Desk:
    return Desk()


def attack(desk: Desk, units: str, target: str, defender: str, number: int = 1, verb: str = "attack") -> None:
    desk.say(f"battle #{number}")
    for unit in units.split("+"):
        desk.say(f"{verb} {unit} @ #{number}")
    desk.say(f"target {defender} @E{target} #{number}")


# --- moves --------------------------------------------------------------------------------------


def test_drags_of_one_unit_are_one_move_with_way_points(desk: Desk) -> None:
    desk.drag("40PzK", "6205", "6305", "6304")
    assert desk.events() == [Moved(("40PzK",), hexes("6105", "6205", "6305", "6304"))]


def test_another_unit_between_makes_two_moves(desk: Desk) -> None:
    desk.drag("40PzK", "6205")
    desk.drag("3PzK", "6406")
    desk.drag("40PzK", "6305")
    assert [event.units for event in desk.events() if isinstance(event, Moved)] == [
        ("40PzK",),
        ("3PzK",),
        ("40PzK",),
    ]


def test_a_stack_that_is_dragged_moves_together(desk: Desk) -> None:
    desk.drag("8AK+PzKG-4", "4710", "4711")
    assert desk.events() == [Moved(("8AK", "PzKG-4"), hexes("4610", "4710", "4711"))]


def test_a_drag_that_is_undone_is_no_move_but_leaves_a_trace(desk: Desk) -> None:
    desk.drag("3PzK", "6406")
    desk.builder.undo()
    assert desk.events() == [Undone((1,))]


def test_a_roll_that_is_undone_is_counted(desk: Desk) -> None:
    desk.say("roll attrition 1d6=1")
    desk.builder.undo()
    assert desk.events() == [Undone((1,), 1)]


def test_a_declared_way_of_moving_holds_until_the_phase_ends(desk: Desk) -> None:
    desk.write([PhaseBegan(23, "axis-move"), Moved(("3PzK",), hexes("6407", "6306"), "strategic")])  # type: ignore[arg-type]
    desk.write([PhaseBegan(23, "ger-mech")])
    desk.drag("3PzK", "6207")
    moves = [event.mode for event in desk.events() if isinstance(event, Moved)]
    assert moves == ["strategic", ""]


def test_a_unit_from_the_turn_track_arrives(desk: Desk) -> None:
    desk.write([Placed("57PzK", hex_("5317"))])  # type: ignore[arg-type]
    assert desk.events() == [Placed("57PzK", hex_("5317"))]


def test_a_unit_put_into_a_box_is_removed_into_it(desk: Desk) -> None:
    desk.write([Removed("SD-1", "axis-eliminated")])
    assert desk.events() == [Removed("SD-1", "axis-eliminated")]


def test_a_counter_that_no_one_knows_is_told_as_unread(desk: Desk) -> None:
    stranger = desk.builder.table.pieces["marker-game-turn"]
    assert stranger.value("MarkerId") == "game-turn"
    design = desk.plan.units["3PzK"]
    unknown = type(design)("Stranger", design.image, (), "9999")
    desk.builder.create("x1", unknown, "Map", *desk._point(hex_("6407")))  # type: ignore[arg-type]
    desk.builder.move(["x1"], "Map", *desk._point(hex_("6306")))  # type: ignore[arg-type]
    assert [type(event) for event in desk.events()] == [Unread]


# --- states ---------------------------------------------------------------------------------------


def test_a_flip_is_a_change_of_step(desk: Desk) -> None:
    desk.builder.level(desk.unit("3PzK"), "Step", 2)
    assert desk.events() == [StepChanged("3PzK", 1, 2)]


def test_supply_is_told_by_the_marker_of_the_game(desk: Desk) -> None:
    desk.write([Marked("out-of-supply", "3PzK", 1), Marked("out-of-supply", "3PzK", 2)])
    desk.write([Unmarked("out-of-supply", "3PzK")])
    assert desk.events() == [
        Marked("out-of-supply", "3PzK", 1),
        Marked("out-of-supply", "3PzK", 2),
        Unmarked("out-of-supply", "3PzK"),
    ]


def test_the_next_log_begins_with_the_status_that_was_set(desk: Desk) -> None:
    desk.write([Marked("out-of-supply", "3PzK", 2), Drawn("csm-c-3-5", "csm-c", "64A")])
    desk.write([Marked("csm-c-3-5", "64A", 2)])
    desk.cut()
    start = desk.reading().start
    assert start.units["3PzK"].marks == {"out-of-supply": 2}
    assert start.units["64A"].marks == {"csm-c-3-5": 2}
    assert start.units["62A"].marks == {"csm-c-6-9": 2}
    assert start.decks["csm-c"].count("csm-c-3-5") == 7


def test_a_marker_on_a_hex_is_put_and_taken_off(desk: Desk) -> None:
    fleet = [Marked("4AF", hex_("5114")), Unmarked("4AF", hex_("5114"))]  # type: ignore[arg-type]
    desk.write(fleet)
    assert desk.events() == fleet


def test_a_marker_put_onto_a_stack_of_units_is_on_the_hex(desk: Desk) -> None:
    fleet = [Marked("4AF", hex_("4913")), Unmarked("4AF", hex_("4913"))]  # type: ignore[arg-type]
    desk.write(fleet)
    assert desk.events() == fleet


# --- chits ------------------------------------------------------------------------------------------


def test_a_drawn_chit_belongs_to_the_unit_above_it_and_goes_with_it(desk: Desk) -> None:
    desk.write([Drawn("csm-c-3-5", "csm-c", "51A")])
    desk.drag("51A", "5009")
    assert desk.events() == [Drawn("csm-c-3-5", "csm-c", "51A"), Moved(("51A",), hexes("5008", "5009"))]


def test_a_chit_put_back_is_named_with_the_unit_it_lay_under(desk: Desk) -> None:
    back = [Drawn("csm-c-3-5", "csm-c", "64A"), Returned("csm-c-3-5", "csm-c", "64A")]
    desk.write(back)
    assert desk.events() == back


def test_the_chit_of_a_dead_army_is_still_that_armys(desk: Desk) -> None:
    dead: list[Event] = [
        Drawn("csm-c-3-5", "csm-c", "51A"),
        Removed("51A", None),
        Returned("csm-c-3-5", "csm-c", "51A"),
    ]
    desk.write(dead)
    assert desk.events() == dead


def test_a_starred_chit_leaves_the_game(desk: Desk) -> None:
    out = [Drawn("csm-b-4-6", "csm-b", "1GdA"), Returned("csm-b-4-6", None, "1GdA")]
    desk.write(out)
    assert desk.events() == out


def test_a_chit_that_comes_out_of_the_cup_on_its_back_counts_so_unless_turned_at_once(desk: Desk) -> None:
    weak = next(p for p in desk.builder.table.pieces.values() if p.value("MarkerId") == "csm-c-3-5")
    others = [p for p in desk.builder.table.pieces.values() if p.value("MarkerId") == "csm-c-3-5"][1:]
    desk.builder.level(weak.id, "Face", 2)
    for other in others:
        desk.builder.delete(other.id)
    desk.write([Drawn("csm-c-3-5", "csm-c", "64A")])
    known = desk.events()
    assert known == [Drawn("csm-c-3-5", "csm-c", "64A"), Marked("csm-c-3-5", "64A", 2)]
    desk.write([Marked("csm-c-3-5", "64A", 1)])
    assert desk.events() == [Drawn("csm-c-3-5", "csm-c", "64A"), Marked("csm-c-3-5", "64A", 1)]


def test_new_chits_arrive_in_their_cup(desk: Desk) -> None:
    desk.write([Returned("csm-b-8-10", "csm-b")])
    assert desk.events() == [Returned("csm-b-8-10", "csm-b")]


# --- exchanges -----------------------------------------------------------------------------------------


def test_a_corps_that_gives_way_to_a_kampfgruppe_has_lost_steps(desk: Desk) -> None:
    desk.write([Replaced(("11AK",), (("InfKG-5", 2),), hex_("4611"))])  # type: ignore[arg-type]
    assert desk.events() == [Replaced(("11AK",), (("InfKG-5", 2),), hex_("4611"))]


def test_a_declared_breakdown_is_one_event_for_all_its_counters(desk: Desk) -> None:
    parts = Replaced(("11AK",), (("InfKG-5", 1), ("InfKG-6", 2)), hex_("4611"), "breakdown")  # type: ignore[arg-type]
    desk.write([parts])
    desk.drag("3PzK", "6306")
    declared, replaced, moved = desk.events()
    assert (declared, replaced) == (Declared("breakdown", ("11AK",)), parts)
    assert isinstance(moved, Moved)


# --- dice and words -----------------------------------------------------------------------------------


def test_dice_bear_the_reason_and_battle_that_the_module_writes(desk: Desk) -> None:
    desk.say("roll army-return 1d6=5")
    desk.say("roll overrun 1d6=2 #7 odds 15:4=3:1")
    assert desk.events() == [Rolled((5,), 6, "army return"), Rolled((2,), 6, "overrun", None, 7)]


def test_dice_of_another_form_are_read_and_impossible_ones_are_not_believed(desk: Desk) -> None:
    desk.builder.roll("2d6", "3, 5", "player")
    desk.say("roll combat 1d6=9")
    rolled, unread = desk.events()
    assert isinstance(rolled, Rolled)
    assert rolled.values == (3, 5)
    assert isinstance(unread, Unread)


def test_dice_typed_by_hand_are_words(desk: Desk) -> None:
    desk.builder.say("player", "[fp] roll combat 1d6=6 #1")
    assert desk.reading().events == [Said("[fp] roll combat 1d6=6 #1")]


def test_what_no_counter_can_declare_may_be_typed(desk: Desk) -> None:
    desk.builder.say("player", "[fp] declare victory-points = 55")
    assert desk.events() == [Declared("victory-points", value="55")]


def test_the_turn_tracker_tells_turn_and_phase(desk: Desk) -> None:
    desk.write([PhaseBegan(22, "sov-combat"), PhaseBegan(23, "supply")])
    assert desk.events() == [PhaseBegan(22, "sov-combat"), PhaseBegan(23, "supply")]


# --- battles --------------------------------------------------------------------------------------------


def test_lines_of_one_battle_are_one_declaration_complete_at_the_die(desk: Desk) -> None:
    attack(desk, "64A+66A", "4709", "51AK", 3)
    desk.say("support air 64A @ #3")
    desk.say("roll combat 1d6=4 #3")
    desk.say("result D1 #3")
    assert desk.events() == [
        Attacked(3, ("64A", "66A"), hexes("4709"), support=("air",)),  # type: ignore[arg-type]
        Rolled((4,), 6, "combat", None, 3),
        ResultNamed("D1", 3),
    ]


def test_a_declaration_without_a_die_is_told_when_the_phase_ends(desk: Desk) -> None:
    attack(desk, "64A", "4709", "51AK")
    desk.write([PhaseBegan(22, "sov-move")])
    assert [type(event) for event in desk.events()] == [Attacked, PhaseBegan]


def after(desk: Desk, result: str | None) -> Desk:
    attack(desk, "64A", "4709", "51AK")
    desk.say("roll combat 1d6=4 #1")
    if result:
        desk.say(f"result {result} #1")
    return desk


def modes(desk: Desk) -> list[tuple[str, int | None, bool]]:
    return [(e.mode, e.battle, e.origin.inferred) for e in desk.events() if isinstance(e, Moved)]


def test_after_the_die_defenders_retreat_and_attackers_advance(desk: Desk) -> None:
    after(desk, "D1")
    desk.drag("51AK", "4710")
    desk.drag("64A", "4709")
    assert modes(desk) == [("retreat", 1, True), ("advance", 1, True)]


def test_after_a_result_against_the_attacker_it_is_the_other_way_round(desk: Desk) -> None:
    after(desk, "A1")
    desk.drag("64A", "4808")
    desk.drag("51AK", "4809")
    assert modes(desk) == [("retreat", 1, True), ("advance", 1, True)]


def test_without_a_named_result_who_holds_the_ground_has_won(desk: Desk) -> None:
    after(desk, None)
    desk.drag("51AK", "4710")
    desk.drag("64A", "4709")
    assert [mode for mode, _, _ in modes(desk)] == ["retreat", "advance"]


def test_who_took_no_part_just_moves(desk: Desk) -> None:
    after(desk, "D1")
    desk.drag("66A", "4708")
    assert modes(desk) == [("", None, False)]


def test_losses_after_the_die_belong_to_the_battle_also_of_who_comes_for_a_corps(desk: Desk) -> None:
    after(desk, "D2")
    desk.builder.level(desk.unit("51AK"), "Step", 2)
    desk.write([Replaced(("51AK",), (("InfKG-5", 1),), hex_("4709"))])  # type: ignore[arg-type]
    desk.drag("InfKG-5", "4710")
    events = desk.events()
    assert StepChanged("51AK", 1, 2, 1) in events
    assert modes(desk) == [("retreat", 1, True)]


def test_who_overran_enters_and_then_moves_on_as_before(desk: Desk) -> None:
    attack(desk, "64A", "4709", "51AK", verb="overrun")
    desk.say("roll overrun 1d6=4 #1")
    desk.say("result D1 #1")
    desk.drag("51AK", "4710")
    desk.drag("64A", "4709")
    desk.drag("64A", "4708")
    assert [mode for mode, _, _ in modes(desk)] == ["retreat", "advance", ""]


# --- other people's modules ----------------------------------------------------------------------------


def test_a_log_without_a_ruler_asks_for_its_module(desk: Desk) -> None:
    log = desk.log()
    bare = Log(
        log.parts, [c for c in log.setup if BOARD_PROPERTY not in c], log.steps, log.metadata, "x.vlog"
    )
    with pytest.raises(FieldpostError, match="where the hexes"):
        interpret(bare, GAME, SCENARIO)


def test_with_its_module_the_hexes_are_found_by_the_modules_own_grid(desk: Desk, tmp_path: Path) -> None:
    desk.drag("40PzK", "6205", "6305")
    desk.drag("8AK+PzKG-4", "4710")
    log = desk.log()
    bare = Log(
        log.parts, [c for c in log.setup if BOARD_PROPERTY not in c], log.steps, log.metadata, "x.vlog"
    )
    build_file = buildfile.write(desk.plan, desk.cups, [], [])
    data = {"moduledata": metadata(desk.plan, "other").moduledata(), "buildFile.xml": build_file}
    (tmp_path / "other.vmod").write_bytes(archive.pack(data))
    by_module = interpret(bare, GAME, SCENARIO, Module.read(tmp_path / "other.vmod"))
    by_ruler = interpret(log, GAME, SCENARIO)
    assert by_module.events == by_ruler.events
    standing = {unit.id: unit.spot for unit in by_ruler.start.on_map()}
    assert {unit.id: unit.spot for unit in by_module.start.on_map()} == standing


def test_no_log_of_a_game_changes_what_is_read_of_it_twice(desk: Desk) -> None:
    after(desk, "D1")
    desk.drag("51AK", "4710")
    assert desk.events() == desk.events()


def test_a_second_counter_of_a_unit_is_told_and_is_no_arrival(desk: Desk) -> None:
    point = desk.board.center(hex_("4809"))  # type: ignore[arg-type]
    desk.builder.create("copy", desk.plan.in_play(desk.plan.units["65A"]), "Map", *point)
    assert desk.events() == [Doubled("65A", hex_("4809"))]  # type: ignore[arg-type]
    desk.builder.delete("copy")
    assert desk.events()[1:] == []


def test_a_chit_that_is_dragged_after_its_army_is_still_its_own(desk: Desk) -> None:
    chit = desk.chit("csm-c-6-9", "62A")
    desk.drag("62A", "4809")
    desk.builder.move([chit], "Map", *desk.board.center(hex_("4809")))  # type: ignore[arg-type]
    assert [type(event).__name__ for event in desk.events()] == ["Moved"]


def test_a_chit_left_behind_in_the_log_before_was_its_armys_all_along(desk: Desk) -> None:
    chit = desk.chit("csm-c-6-9", "62A")
    desk.drag("62A", "4809")
    before = desk.reading()
    desk.cut()
    desk.builder.move([chit], "Map", *desk.board.center(hex_("4809")))  # type: ignore[arg-type]
    after = desk.reading()
    assert not [event for event in after.events if not isinstance(event, Said)]
    assert "csm-c-6-9" in after.start.units["62A"].marks
    position = before.start.copy()
    for event in before.events:
        position.apply(event)
    assert list(differences(position, after.start)) == []
