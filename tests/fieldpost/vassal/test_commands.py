"""Commands as text: each row of the table read and written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost.vassal import commands, tree
from fieldpost.vassal.codec import ESC
from fieldpost.vassal.secret import Secret

EXAMPLES = [
    ("begin_save", commands.BeginSave()),
    ("end_save", commands.EndSave()),
    (r"+/u1/piece;;;a.png;A\/B/Main;1;2;3;0", commands.AddPiece("u1", "piece;;;a.png;A/B", "Main;1;2;3;0")),
    ("+/null/stack/null", commands.AddPiece(None, "stack", "null")),
    ("-/u1", commands.RemovePiece("u1")),
    ("D/u1/new/old", commands.ChangePiece("u1", "new", "old")),
    ("D/u1/new", commands.ChangePiece("u1", "new")),
    (
        "M/u1/Main/3/4/u2/Main/1/2/null/sesame",
        commands.MovePiece("u1", "Main", 3, 4, "u2", "Main", 1, 2, None, Secret("sesame")),
    ),
    ("M/u1/null/0/0/null/Main/1/2/null", commands.MovePiece("u1", None, 0, 0, None, "Main", 1, 2, None)),
    ("CHAT<A> - a/b; c\\", commands.Chat("<A> - a/b; c\\")),
    ("PLAYER\tsesame\tAnn\tAxis", commands.Player(Secret("sesame"), "Ann", "Axis")),
    ("PYREMOVE\tsesame", commands.PlayerLeaves(Secret("sesame"))),
    ("UNDO\ttrue", commands.Undo(True)),
    ("MutableProperty\tVP\t0\t1\tModule", commands.PropertyChange("VP", "0", "1", "Module")),
    ("MutableProperty\tVP\t0\t1", commands.PropertyChange("VP", "0", "1")),
    ("GlobalProperty\t;VP;7;Module", commands.PropertyValue("VP", "7", "Module")),
    ("GlobalProperty\t;E\tZ\tB\tM;Red;", commands.PropertyValue("E\tZ\tB\tM", "Red", "")),
    ("TURNTurnTracker0\t0|1;0", commands.Turn("TurnTracker0", "0|1;0")),
    ("Main MapBoardPicker\tEast\t0\t0", commands.Boards("Main Map", ("East", "0", "0"))),
    ("Main MapBoardPicker", commands.Boards("Main Map")),
    ("SETUP_STACK\t", commands.SetupStack()),
    ("NOTES\ta|b", commands.Notes("a|b")),
    ("PNOTES\t", commands.PublicNotes()),
    ("PNOTE\tsesame\ttext", commands.PrivateNote(Secret("sesame"), "text")),
    ("UNMASK\tp\tq", commands.Unmaskable((Secret("p"), Secret("q")))),
    ("SHOW_RESULTS\td\t1\t2", commands.SymbolDice("d", ("1", "2"))),
    ("AUDIO\tboom.wav", commands.Sound("boom.wav")),
    ("EXT\tName\t1.0", commands.Extension("Name", "1.0")),
    ("LOG\tCHATx", commands.LogStep("CHATx")),
    ("", commands.EMPTY),
    ("HAKA:red;3", commands.Unknown("HAKA:red;3")),
]


@pytest.mark.parametrize(("text", "command"), EXAMPLES)
def test_command_is_read_and_written(text: str, command: commands.Command) -> None:
    assert commands.read(text) == command
    assert command.text == text


@pytest.mark.parametrize(
    "text",
    ["null", "M/u1", "M/u1/Main/x/y/null", "+/u1", "D/", "PLAYER\t", "'quoted'", "CHECK\trunning", "bd\t"],
)
def test_what_no_row_fits_stays_verbatim(text: str) -> None:
    assert commands.read(text).text == text


PREFIXES = st.sampled_from([*commands.SPECS, "null", "HAKA:", "Main MapBoardPicker\t"])
BODIES = st.text(alphabet="a1;/\t\\'|,null", max_size=30)


@given(PREFIXES, BODIES)
def test_whatever_a_command_is_its_text_survives(prefix: str, body: str) -> None:
    assert commands.read(prefix + body).text == prefix + body


def test_every_row_says_what_it_is_for() -> None:
    assert all(
        spec.cls.__doc__ and not spec.cls.__doc__.startswith(spec.cls.__name__)
        for spec in commands.SPECS.values()
    )


@pytest.mark.parametrize("text", [text for text, _ in EXAMPLES if "sesame" in text])
def test_password_stays_out_of_the_repr(text: str) -> None:
    assert "sesame" not in repr(commands.read(text))
    assert "sesame" not in str(commands.read(text))


def test_state_stays_out_of_the_repr() -> None:
    """The owner of a mask may be a password."""
    assert "sesame" not in repr(commands.read("D/u1/sesame;x/null;"))


def test_tree_is_read_level_by_level() -> None:
    text = f"a{ESC}b\\{ESC}c\\\\{ESC}d{ESC}e"
    root = tree.read(text)
    assert [(depth, node.text) for depth, node in root.walk()] == [
        (0, "a"), (1, "b"), (2, "c"), (3, "d"), (1, "e"),
    ]  # fmt: skip
    assert tree.write(root) == text


TREES = st.recursive(
    st.text(alphabet="ab'\\", max_size=5).map(tree.Node),
    lambda inner: st.builds(tree.Node, st.text(alphabet="ab", max_size=5), st.lists(inner, max_size=4)),
    max_leaves=12,
)


@given(TREES)
def test_tree_of_any_shape_is_written_and_read(node: tree.Node) -> None:
    text = tree.write(node)
    assert tree.write(tree.read(text)) == text


@given(st.text(alphabet=f"ab'\\{ESC}", max_size=40))
def test_any_text_survives_as_a_tree(text: str) -> None:
    assert tree.write(tree.read(text)) == text


def test_tree_500_deep_needs_no_recursion() -> None:
    node = tree.Node("leaf")
    for level in range(500):
        node = tree.Node(f"n{level}", [node])
    text = tree.write(node)
    again = tree.read(text)
    assert max(depth for depth, _ in again.walk()) == 500
    assert tree.write(again) == text


@pytest.mark.parametrize(
    "text",
    [
        "'" * 200_000,
        ESC * 200_000,
        "'" * 50_000 + "a" + "\\" * 50_000 + ESC + "b" + "'" * 50_000,
        ESC.join("\\" * (n % 300) for n in range(2000)),
    ],
    ids=["quotes", "escapes", "quoted escape", "backslashes"],
)
def test_hostile_tree_ends_soon(text: str) -> None:
    from time import process_time

    start = process_time()
    assert tree.write(tree.read(text)) == text
    assert process_time() - start < 15  # quadratic time would take minutes
