"""Whatever stands in the files of a game: a game, or faults a user can read. Never a traceback."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fieldpost.definition import DefinitionError, Problem, load
from fieldpost.definition.tree import Source
from fieldpost.definition.yamltree import parse
from tests.fieldpost.definition.patching import EXAMPLE, copy_of_example
from tests.places import REPOSITORY

FILES = sorted(str(path.relative_to(EXAMPLE)) for path in EXAMPLE.rglob("*.yaml"))
PIECES = [b"[", b"]", b"{", b"}", b": ", b"- ", b"\n", b"\n  ", b"'", b'"', b"|", b">", b"&a ", b"*a", b"!x "]
PIECES += [
    b"#",
    b"?",
    b"\t",
    b"\x00",
    b"\xff",
    b"null",
    b"~",
    b"1/2",
    b"-1",
    b"99999999999999999999",
    b"1e400",
]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_example(tmp_path_factory.mktemp("fuzz"))


def load_with(game: Path, name: str, content: bytes) -> None:
    """Load the game with one file replaced; faults must say where they are."""
    original = (game / name).read_bytes()
    (game / name).write_bytes(content)
    try:
        problems = problems_of(game)
    finally:
        (game / name).write_bytes(original)
    lines = content.count(b"\n") + 2
    assert problems is None or problems
    assert all(p.line <= lines for p in problems or () if p.file.endswith(name))


def problems_of(game: Path, overlays: Sequence[Path] = ()) -> tuple[Problem, ...] | None:
    try:
        load(game, overlays)
    except DefinitionError as error:
        return error.problems
    return None


@given(st.sampled_from(FILES), st.data())
def test_bytes_changed_at_random(game: Path, name: str, data: st.DataObject) -> None:
    content = bytearray((EXAMPLE / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        cut = data.draw(st.integers(0, 6))
        content[at : at + cut] = data.draw(st.sampled_from(PIECES) | st.binary(max_size=3))
    load_with(game, name, bytes(content))


@given(st.sampled_from(FILES), st.data())
def test_lines_moved_doubled_and_lost(game: Path, name: str, data: st.DataObject) -> None:
    lines = (EXAMPLE / name).read_bytes().splitlines(keepends=True)
    index = st.integers(0, len(lines) - 1)
    for _ in range(data.draw(st.integers(1, 4))):
        line = lines[data.draw(index)]
        if data.draw(st.booleans()):
            lines.insert(data.draw(index), line)
        elif len(lines) > 1 and line in lines:
            lines.remove(line)
            index = st.integers(0, len(lines) - 1)
    load_with(game, name, b"".join(lines))


@given(st.data())
def test_an_overlay_changed_at_random(game: Path, data: st.DataObject) -> None:
    shown = (REPOSITORY / "docs" / "overlays.md").read_bytes().split(b"```yaml\n")[1].split(b"```")[0]
    content = bytearray(shown)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        content[at : at + data.draw(st.integers(0, 6))] = data.draw(st.sampled_from(PIECES))
    overlay = game.parent / "mine.yaml"
    overlay.write_bytes(bytes(content))
    problems = problems_of(game, [overlay])
    assert problems is None or problems


words = st.sampled_from(
    ["id", "name", "hex", "side", "0101", "1B", "x", "1", "-1", "null", "true", "1/2", "~", ""]
)
trees = st.recursive(
    words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=12,
)


@given(st.sampled_from(FILES), st.data())
def test_values_of_any_shape_in_any_place(game: Path, name: str, data: st.DataObject) -> None:
    """A value of a file replaced by a tree of another shape."""
    import yaml

    root = yaml.safe_load((EXAMPLE / name).read_text(encoding="utf-8"))
    node = root
    for _ in range(data.draw(st.integers(0, 5))):
        inner = (
            list(node) if isinstance(node, dict) else list(range(len(node))) if isinstance(node, list) else []
        )
        key = data.draw(st.sampled_from(inner)) if inner else None
        if key is None or not isinstance(node[key], dict | list) or not node[key]:
            break
        node = node[key]
    if isinstance(node, dict):
        node[data.draw(st.sampled_from(sorted(node)))] = data.draw(trees)
    else:
        node[data.draw(st.integers(0, len(node) - 1))] = data.draw(trees)
    load_with(game, name, yaml.safe_dump(root, allow_unicode=True).encode())


@given(st.text(max_size=200))
@example("[" * 100_000)
@example("- " * 100_000)
@example("{a: " * 50_000)
@example("? " * 50_000)
@example("a:\n" + "".join(f"{' ' * i}a:\n" for i in range(1, 3000)))
@example("\ufeffa: b")
@example("%YAML 9.9\n---\na: b")
@example("---\n...\n")
@settings(max_examples=200)
def test_any_text_parses_or_is_faulted(text: str) -> None:
    source = Source("any.yaml", text)
    assert parse(source) is not None or source.problems


def test_a_file_too_large_is_refused(tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    (game / "map" / "lines.yaml").write_text("#" * 9_000_000)
    with pytest.raises(DefinitionError, match=r"lines\.yaml: is too large"):
        load(game)


def test_a_folder_in_place_of_a_file_is_a_fault(tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    (game / "counters.yaml").unlink()
    (game / "counters.yaml").mkdir()
    with pytest.raises(DefinitionError, match=r"counters\.yaml: cannot be read"):
        load(game)


def test_the_folder_is_left_as_it_was() -> None:
    with tempfile.TemporaryDirectory() as folder:
        game = copy_of_example(Path(folder))
        before = {path: path.stat().st_mtime_ns for path in game.rglob("*")}
        load(game)
        assert {path: path.stat().st_mtime_ns for path in game.rglob("*")} == before
