"""The engine's rules for putting things on the table, one by one."""

from __future__ import annotations

import pytest

from fieldpost.vassal import codec, making, pieces, steps
from fieldpost.vassal.changes import (
    Added,
    Change,
    ChatLine,
    DeckTurned,
    Missing,
    Moved,
    NoteChanged,
    OrderChanged,
    PlayerSat,
    PropertyChanged,
    Removed,
    StateChanged,
    TurnChanged,
)
from fieldpost.vassal.layout import MapHabits
from fieldpost.vassal.pieces import PieceDesign
from fieldpost.vassal.steps import Step
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Place

HERE, THERE = (10, 10), (50, 50)
PLAIN = PieceDesign("Unit", "u.png", (making.layer("Step", ["a", "b"], ["", "weak +"]), making.label("")))
HIDEABLE = PieceDesign("Spy", "s.png", (making.hide(access=making.SAME_PLAYER),))
MARKER = PieceDesign("Marker", "m.png", (making.immobile(),))


def table(*texts: str) -> Table:
    made = Table()
    made.apply(["begin_save", *texts])
    return made


def add(id: str, point: tuple[int, int] = HERE, design: PieceDesign = PLAIN) -> str:
    return design.add(id, "Main", *point)


def stack(id: str, point: tuple[int, int], *members: str) -> str:
    return pieces.stack(id, "Main", *point, members)


def move(id: str, to: tuple[int, int], under: str = "null", player: str = "p") -> str:
    return f"M/{id}/Main/{to[0]}/{to[1]}/{under}/Main/0/0/null/{player}"


def ids(made: Table, point: tuple[int, int]) -> list[str]:
    return [piece.id for piece in made.at("Main", *point)]


def kinds(changes: list[Change]) -> list[type]:
    return [type(change) for change in changes]


def test_piece_goes_above_the_one_it_is_put_on() -> None:
    made = table(add("a"), add("b"), stack("s", HERE, "a", "b"), add("c", THERE), stack("t", THERE, "c"))
    made.apply([move("c", HERE, "a")])
    assert ids(made, HERE) == ["a", "c", "b"]


def test_piece_put_on_nothing_named_goes_to_the_bottom_of_what_is_there() -> None:
    made = table(add("a"), stack("s", HERE, "a"), add("c", THERE), stack("t", THERE, "c"))
    made.apply([move("c", HERE)])
    assert ids(made, HERE) == ["c", "a"]


def test_named_piece_that_is_elsewhere_does_not_count() -> None:
    made = table(add("a"), stack("s", HERE, "a"), add("b", (1, 1)), add("c", THERE), stack("t", THERE, "c"))
    made.apply([move("c", HERE, "b")])
    assert ids(made, HERE) == ["a", "c"]


def test_stack_moves_over_in_order_and_leaves_an_empty_one() -> None:
    made = table(
        add("a"), stack("s", HERE, "a"), add("b", THERE), add("c", THERE), stack("t", THERE, "b", "c")
    )
    made.apply([move("t", HERE)])
    assert ids(made, HERE) == ["a", "b", "c"]
    assert set(made.stacks) == {"s"}


def test_stack_moved_to_an_empty_point_takes_its_pieces_along() -> None:
    made = table(add("a"), add("b"), stack("s", HERE, "a", "b"))
    changes = made.apply([move("s", THERE)])
    assert [(change.piece.id, change.old, change.new) for change in changes if isinstance(change, Moved)] == [
        ("a", Place("Main", *HERE), Place("Main", *THERE)),
        ("b", Place("Main", *HERE), Place("Main", *THERE)),
    ]


def test_loose_piece_gets_a_stack_that_the_next_command_takes_over() -> None:
    made = table(add("a"))
    made.apply([move("a", THERE), stack("s", THERE, "a")])
    assert [stack.id for stack in made.stacks.values()] == ["s"]


def test_piece_that_does_not_stack_joins_nothing_but_a_deck() -> None:
    made = table(add("a"), stack("s", HERE, "a"), add("m", THERE, MARKER))
    made.apply([move("m", HERE)])
    assert made.pieces["m"].parent is None
    deck = pieces.deck("d", pieces.deck_type(name="Cup"), "Main", 90, 90, [], False)
    made.apply([deck, move("m", (90, 90))])
    assert made.decks["d"].members == ("m",)


def test_what_is_moved_or_added_comes_to_lie_above_the_rest_of_its_map() -> None:
    made = table(add("a", HERE, MARKER), add("b", HERE, MARKER))
    made.step(Step(1, 1, [move("a", (5, 5)), move("a", HERE)]))
    assert ids(made, HERE) == ["b", "a"]
    made.layout.habits = {"Main": MapHabits(raises=False)}
    made.step(Step(2, 2, [move("b", (5, 5)), move("b", HERE)]))
    assert ids(made, HERE) == ["b", "a"]


def test_a_move_within_its_stack_is_told_as_another_order() -> None:
    made = table(add("a"), add("b"), stack("s", HERE, "a", "b"))
    changes = made.apply([move("a", HERE, "b")])
    assert kinds(changes) == [OrderChanged]
    assert ids(made, HERE) == ["b", "a"]


def test_piece_joins_no_stack_of_another_layer() -> None:
    made = table(add("a"), stack("s", HERE, "a"), add("c", THERE), stack("t", THERE, "c"))
    made.layout.habits = {"Main": MapHabits(layer_property="Step_Level", layers=("1", "2"))}
    made.pieces["a"].states[made.pieces["a"].type.find("emb2;") or 0] = "2"
    made.apply([move("c", HERE)])
    assert made.pieces["c"].parent is not made.pieces["a"].parent


def test_stack_hidden_from_the_mover_takes_nothing() -> None:
    hidden = HIDEABLE.with_state("hide;", "someone")
    made = table(add("a", HERE, hidden), stack("s", HERE, "a"), add("c", THERE), stack("t", THERE, "c"))
    made.apply([move("c", HERE, player="other"), move("c", THERE), move("c", HERE, player="someone")])
    assert made.pieces["c"].parent is made.pieces["a"].parent


def test_move_to_an_unknown_point_of_null_takes_the_piece_off() -> None:
    made = table(add("m", HERE, MARKER))
    changes = made.apply(["M/m/null/0/0/null/Main/10/10/null/p"])
    assert kinds(changes) == [Moved]
    assert ids(made, HERE) == []


def test_change_sets_only_what_differs_between_old_and_new() -> None:
    made = table(add("a"))
    made.apply(["D/a/" + codec.encode([PLAIN.with_state("emb2;", "2").state("Main", *HERE)], "/")])
    old = PLAIN.state("Main", 1, 1)
    new = PLAIN.with_state("label;", "dug in").state("Main", 1, 1)
    changes = made.apply(["D/" + codec.encode(["a", new, old], "/")])
    piece = made.pieces["a"]
    assert (piece.layers, piece.value("TextLabel")) == ({"Step": 2}, "dug in")
    assert [(change.old, change.new) for change in changes if isinstance(change, StateChanged)] == [
        ("", "dug in")
    ]
    assert piece.place == Place("Main", *HERE)


def test_stack_change_keeps_members_neither_side_knew_of() -> None:
    made = table(*(add(id) for id in "abcd"), stack("s", HERE, "a", "b", "c", "d"))
    changes = made.apply(["D/" + codec.encode(["s", "Main;10;10;c;a;@@1", "Main;10;10;a;c;@@1"], "/")])
    assert made.stacks["s"].members == ("c", "d", "a", "b")
    assert kinds(changes) == [OrderChanged]


def test_stack_written_before_its_member_does_not_hold_it() -> None:
    made = table(stack("s", HERE, "a"), add("a"))
    assert made.pieces["a"].parent is None


def test_commands_for_unknown_pieces_do_nothing_and_are_told_so() -> None:
    made = table(add("a"))
    assert made.apply(["D/x/1/2", "-/x", move("x", THERE)]) == [Missing("changed"), Missing("moved")]
    assert not made.problems


def test_removed_piece_leaves_its_stack() -> None:
    made = table(add("a"), add("b"), stack("s", HERE, "a", "b"))
    changes = made.apply(["-/a"])
    assert kinds(changes) == [Removed]
    assert ids(made, HERE) == ["b"]


def test_deck_deals_shuffles_and_turns() -> None:
    deck = pieces.deck("d", pieces.deck_type(name="Events"), "Main", *HERE, ["a", "b"], True)
    made = table(add("a"), add("b"), deck)
    made.now = 1
    drawn = made.apply([move("b", THERE)])
    assert [
        (change.old_deck and change.old_deck.name, change.deck)
        for change in drawn
        if isinstance(change, Moved)
    ] == [("Events", None)]
    made.apply([move("b", HERE, "a")])
    changes = made.apply(["D/d/Main;10;10;false;b,a"])
    assert kinds(changes) == [DeckTurned, OrderChanged]
    assert made.decks["d"].members == ("b", "a")


def test_everything_but_pieces_is_reported_too() -> None:
    made = table()
    changes = made.apply(
        [
            "CHAT<A> - hi",
            "TURNTurnTracker0\t0|1;0;false;-1",
            "MutableProperty\tVP\t0\t1\tModule",
            "PLAYER\tsesame\tAnn\tAxis",
            "NOTES\ta|b",
            "SETUP_STACK\t",
            "HAKA:x",
        ]
    )
    assert kinds(changes) == [ChatLine, TurnChanged, PropertyChanged, PlayerSat, NoteChanged]
    assert made.properties["Module", "VP"] == "1"
    assert made.notes["NOTES"] == "a\nb"
    assert made.players["player-1"] == ("Ann", "Axis")


def test_no_password_enters_the_table() -> None:
    hidden = HIDEABLE.with_state("hide;", "sesame")
    made = table("PLAYER\tsesame\tAnn\tAxis", add("a", HERE, hidden))
    changes = made.apply([move("a", THERE, player="sesame")])
    assert made.pieces["a"].hidden_by == "player-1"
    assert [change.player for change in changes if isinstance(change, Moved)] == ["player-1"]
    assert "sesame" not in repr(changes) + repr(made.players) + repr(made.pieces["a"].states)


def test_side_that_hides_a_piece_is_no_password() -> None:
    by_side = PieceDesign("Spy", "s.png", (making.hide(),)).with_state("hide;", "Axis")
    assert table(add("a", HERE, by_side)).pieces["a"].hidden_by == "Axis"


def test_piece_tells_its_properties() -> None:
    design = PieceDesign(
        "1st",
        "u.png",
        (
            making.layer("Step", ["a", "b"], ["", "weak +"], level=2),
            making.marker({"Side": "Axis", "Class": "a,b"}),
            making.dynamic("Fatigue", "3"),
            making.moved("m.png", 0, 0),
        ),
        "77",
    )
    piece = table(add("a", HERE, design)).pieces["a"]
    assert (piece.name, piece.basic_name, piece.gpid, piece.image) == ("weak 1st", "1st", "77", "u.png")
    assert piece.markers == {"Side": "Axis", "Class": "a,b"}
    wanted = {"Side": "Axis", "Class": "a,b", "Fatigue": "3", "Step_Level": "2", "Moved": "false", "x": None}
    assert {name: piece.value(name) for name in wanted} == wanted


@pytest.mark.parametrize(
    "text", ["+/a/piece;", "+/a", "D/", "M/", "TURN", "GlobalProperty\t;", "D/a", "M/a/Main"]
)
def test_mutilated_command_is_passed_over(text: str) -> None:
    made = table(add("a"))
    made.apply([text])
    assert set(made.pieces) == {"a"}


def test_command_that_cannot_be_carried_out_is_listed() -> None:
    found = steps.parse(codec.encode(["begin_save", "end_save", "LOG\tCHATx", "LOG\t+/a"], codec.ESC))
    made = Table.of(found)
    for step in found.steps:
        made.step(step)
    assert [problem.step for problem in made.problems] == [2]


def test_piece_created_in_a_step_is_added() -> None:
    made = table()
    changes = made.apply([add("a"), stack("s", HERE, "a")])
    assert kinds(changes) == [Added]


def test_stack_whose_id_is_taken_over_keeps_its_pieces_where_they_are() -> None:
    made = table(add("a"), stack("s", HERE, "a"), add("b", THERE), stack("s", THERE, "b"))
    assert ids(made, HERE) == ["a"]
    assert made.pieces["a"].place == Place("Main", *HERE)
    assert made.stacks["s"].members == ("b",)
