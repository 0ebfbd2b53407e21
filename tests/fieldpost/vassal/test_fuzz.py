"""Anything may come in: no traceback, no hang, no password out; memory and time within bounds.

`tools/fuzz` goes on from here, led by coverage.
"""

from __future__ import annotations

import tracemalloc
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fieldpost import cli
from fieldpost.errors import FieldpostError
from fieldpost.vassal import archive, codec, making, pieces, secrets, steps, story
from fieldpost.vassal.codec import ESC
from fieldpost.vassal.pieces import PieceDesign
from fieldpost.vassal.seen import Watch
from fieldpost.vassal.sight import Sight
from fieldpost.vassal.table import Table
from tests.places import REPOSITORY

DATA = REPOSITORY / "tests" / "data" / "vassal"
SEEDS = [DATA / name for name in ("oracle.vlog", "battle.vsav", "demo.vmod")]
PASSWORD = "oraclepw"
MOST_SECONDS = 15
"""Of the processor, on a slow and busy machine too: what takes time quadratic in the input takes minutes."""

IDS = st.sampled_from(["a", "b", "c", "s", "t", "d", "null", ""])
MAPS = st.sampled_from(["Main", "Other", "null", ""])
NUMBERS = st.sampled_from(["0", "10", "-5", "99999999999", "x", ""])
WORDS = st.text(alphabet="ab\\';,|/\t\x1b<>", max_size=10)
TYPES = st.sampled_from(
    [
        "stack",
        pieces.deck_type(name="Deck"),
        PieceDesign("Unit", "u.png", (making.layer("Step", ["a", "b"]), making.label())).type,
        PieceDesign("Spy", "s.png", (making.hide(access="player:"), making.mask("m", access="player:"))).type,
        PieceDesign("Rock", "r.png", (making.immobile(),)).type,
        "piece;",
        "",
    ]
)
STATES = st.one_of(
    st.builds("{};{};{};{};@@1".format, MAPS, NUMBERS, NUMBERS, st.lists(IDS, max_size=3).map(";".join)),
    st.builds("{};{};{};true;{}".format, MAPS, NUMBERS, NUMBERS, st.lists(IDS, max_size=3).map(",".join)),
    st.builds("2\thidden\\\t{};{};{};1;0".format, MAPS, NUMBERS, NUMBERS),
    WORDS,
)


def command(prefix: str, *fields: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*fields).map(lambda tokens: prefix + codec.encode(tokens, "/"))


COMMANDS = st.one_of(
    command("+/", IDS, TYPES, STATES),
    command("-/", IDS),
    command("D/", IDS, STATES, STATES),
    command("D/", IDS, STATES),
    command("M/", IDS, MAPS, NUMBERS, NUMBERS, IDS, MAPS, NUMBERS, NUMBERS, IDS, st.just(PASSWORD)),
    st.builds("CHAT{}".format, WORDS),
    st.builds("CHAT* UNDO: {}".format, WORDS),
    st.builds(
        "{}{}".format, st.sampled_from(["TURN", "GlobalProperty\t;", "MutableProperty\t", "PLAYER\t"]), WORDS
    ),
    st.sampled_from(
        ["UNDO\ttrue", "UNDO\tfalse", "begin_save", "end_save", "null", "", "MainBoardPicker\tB\tx"]
    ),
    WORDS,
)
STEPS = st.lists(COMMANDS, min_size=1, max_size=5).map(
    lambda texts: codec.encode(["LOG\t" + text for text in texts], ESC)
)
LOGS = st.tuples(st.lists(COMMANDS, max_size=12), st.lists(STEPS, max_size=8)).map(
    lambda made: codec.encode(["begin_save", *made[0], "end_save", *made[1]], ESC)
)


@given(LOGS)
def test_any_log_is_replayed_and_told(text: str) -> None:
    log = steps.parse(text)
    assert log.text == text
    table = Table.of(log)
    watch = Watch(Sight(table))
    for step in log.steps:
        seen = watch.see(table.step(step))
        story.line(seen, story.by_pixels)
        for change in seen:
            story.as_data(change, story.by_pixels, watch)
    for piece in table.pieces.values():
        assert piece.name is not None
        assert piece.place == (piece.parent or piece).place
    for stack in table.stacks.values():
        assert all(member.parent is stack for member in stack.contents)
        assert len(set(stack.members)) == len(stack.members)


@given(LOGS)
def test_password_leaves_any_log(text: str) -> None:
    log = steps.parse(text)
    scrubbed = secrets.scrub(log)
    assert PASSWORD not in scrubbed
    assert len(steps.parse(scrubbed).steps) == len(log.steps)


@given(LOGS)
def test_any_log_survives_the_file(text: str) -> None:
    assert archive.parse(codec.obfuscate(text, 7), "a.vlog").text == text


def printed(*arguments: str) -> tuple[int, str]:
    out, errors = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        status = cli.main(list(arguments))
    return status, out.getvalue() + errors.getvalue()


MUTATIONS = st.lists(
    st.tuples(
        st.sampled_from(["flip", "cut", "drop", "double", "set"]), st.floats(0, 0.9999), st.integers(1, 255)
    ),
    min_size=1,
    max_size=6,
)


def mutated(data: bytes, mutations: list[tuple[str, float, int]]) -> bytes:
    for kind, where, value in mutations:
        at = int(where * len(data))
        middle = data[at : at + 1]
        rest = data[at + 1 :]
        match kind:
            case "flip":
                data = data[:at] + bytes(byte ^ value for byte in middle) + rest
            case "cut":
                data = data[:at]
            case "drop":
                data = data[:at] + data[at + value :]
            case "double":
                data = data[: at + value] + data[at:]
            case "set":
                data = data[:at] + bytes([value]) + rest
    return data


@settings(max_examples=40)
@given(st.sampled_from(SEEDS), MUTATIONS, st.booleans())
def test_mutated_file_ends_in_an_answer_or_a_message(
    seed: Path, mutations: list[tuple[str, float, int]], inside: bool
) -> None:
    """Outside: the zip is mutated. Inside: the plain text is, so that the mutation reaches the replay."""
    original = seed.read_bytes()
    content = archive.parse(original, seed.name)
    if inside and content.text:
        plain = mutated(content.text.encode(), mutations).decode("utf-8", "surrogateescape")
        data = archive.game_bytes(plain, content.metadata)
    else:
        data = mutated(original, mutations)
    with TemporaryDirectory() as folder:
        path = Path(folder) / seed.name
        path.write_bytes(data)
        for arguments in (["info", "--json"], ["dump", "--json"], ["dump"]):
            start = process_time()
            status, text = printed(*arguments, str(path))
            assert process_time() - start < MOST_SECONDS
            assert status in (0, 2)
            assert "Traceback" not in text
            assert f'"{PASSWORD}"' not in text
            assert f" {PASSWORD} " not in text


SILENT_UNDO = codec.encode(["LOG\tUNDO\ttrue", "LOG\tD/b/1"], ESC)


def nested_piece(depth: int) -> str:
    design = PieceDesign("deep", traits=tuple(making.marker({"p": "v"}) for _ in range(depth)))
    return codec.encode(["begin_save", design.add("a", "Main", 1, 1), "end_save"], ESC)


@pytest.mark.parametrize(
    "text",
    [
        codec.encode(["begin_save", "+/a/" + "\\/" * 50_000, "end_save"], ESC),
        codec.encode(["begin_save", "+/a/" + "\t" * 50_000 + "/" + "\t" * 50_000, "end_save"], ESC),
        codec.encode(["begin_save", "+/a/" + "'" * 50_000 + "/" + "'" * 50_000, "end_save"], ESC),
        codec.encode(["begin_save", *(f"+/{n}/stack/Main;1;1" for n in range(5000))], ESC),
        codec.encode(["begin_save", "LOG\tCHAT" + "<b>" * 30_000 + "="], ESC),
        codec.encode(["begin_save", "LOG\tCHAT" + "d6" * 40_000 + "="], ESC),
        codec.encode(["begin_save", "LOG\tCHAT*** " + "1 " * 40_000], ESC),
        codec.encode(["begin_save", "LOG\tCHAT" + "a.a@a." * 20_000], ESC),
        codec.encode(["begin_save", *["LOG\tCHAT* UNDO: x"] * 2000, *["LOG\tCHATx"] * 2000], ESC),
        codec.encode(["begin_save", *["LOG\tCHATx"] * 1500, *["LOG\tCHAT* UNDO: y"] * 1500], ESC),
        codec.encode(["begin_save", *["LOG\tD/a/1"] * 1000, *[SILENT_UNDO] * 1000], ESC),
        nested_piece(400),
    ],
    ids=[
        "slashes", "tabs", "quotes", "empty stacks", "tags", "dice", "numbers", "mails", "undos first",
        "undos of nothing",
        "silent undos of nothing", "400 traits",
    ],
)  # fmt: skip
def test_hostile_log_ends_soon(text: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.vlog"
    path.write_bytes(codec.obfuscate(text))
    for arguments in (["info"], ["dump", "--json"], ["dump", "--raw"]):
        start = process_time()
        status, _ = printed(*arguments, str(path))
        assert process_time() - start < MOST_SECONDS, arguments
        assert status in (0, 2)


def test_replay_takes_a_small_multiple_of_the_plain_text() -> None:
    unit = PieceDesign("Unit", "u.png", (making.layer("Step", ["a", "b"]), making.trail(), making.label()))
    made = [unit.add(f"u{n}", "Main", n, n) for n in range(4000)]
    text = codec.encode(["begin_save", codec.encode(["", *made], ESC), "end_save"], ESC)
    tracemalloc.start()
    Table.of(steps.parse(text))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 * len(text)


def test_nesting_of_a_piece_beyond_reason_is_passed_over() -> None:
    type = "\\".join("\t" for _ in range(3)) + "x" * 10
    deep = "".join("a" + "\\" * level + "\t" for level in range(codec.MAX_NESTING + 2)) + "b"
    table = Table()
    table.apply(["+/" + codec.encode(["deep", deep, ""], "/"), "+/" + codec.encode(["odd", type, ""], "/")])
    assert [problem.message for problem in table.problems] == [
        f"a command could not be carried out: nested more than {codec.MAX_NESTING} deep"
    ]


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for head in (b"", b"!VCSK", b"VOBS", b"PK\x03\x04", b"begin_save", codec.XZ_MARK):
        with suppress(FieldpostError):
            assert archive.parse(head + data, "a.vlog").kind
