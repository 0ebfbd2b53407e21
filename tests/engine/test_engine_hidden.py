"""No output says a word that a real engine does not show, which paints each step in the opponent's seat."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import random
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

from fieldpost.cli import main
from fieldpost.vassal import archive
from tests import secret_game as game
from tests.hidden_moments import STEPS, Made
from tests.secret_game import HAND, RED, ROOM

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
SEEDS = [random.randrange(10**6) for _ in range(6)] if SOAK else [1]
PIECES = 150 if SOAK else 60
_CLOSED = (ROOM, HAND)
"""Windows that the engine does not open for the other side."""
_LEAST_PIXELS = 12
_WORD = re.compile(r"w\d{5}q")


def shown_by_the_engine(engine: ModuleType, made: Made, module: Path, log: Path, folder: Path) -> set[str]:
    """The words whose colours Red's engine paints, at the start or after any step."""
    folder.mkdir()
    report = engine.vlog_replay(
        module, log, full=False, trace=False, shots=(folder, range(STEPS + 1)), seat=RED
    )
    found: set[str] = set()
    for one in report["pictures"]:
        if one["map"] not in _CLOSED:
            with Image.open(folder / one["file"]) as picture:
                found |= _words_on(made, one["map"], picture.convert("RGB"))
    return found


def _words_on(made: Made, window: str, picture: Image.Image) -> set[str]:
    colours = _colours(picture)
    found = {word for word, colour in made.words.colours.items() if colour in colours}
    for word, (at, of_piece) in made.words.places.items():
        if at.map == window:
            cell = picture.crop((at.x - 11, at.y - 11, at.x + 12, at.y + 12))
            if of_piece & _colours(cell):
                found.add(word)
    return found


def _colours(picture: Image.Image) -> set[object]:
    """Of areas: the edges of letters have colours of their own."""
    counted = picture.getcolors(picture.width * picture.height) or ()
    return {colour for number, colour in counted if number >= _LEAST_PIXELS}


def outputs(module: Path, log: Path, folder: Path) -> dict[str, str]:
    """What each command says, by its words."""
    found = {"info": said("info", log), "info --json": said("info", log, "--json")}
    page = folder / "page.html"
    for known, view in itertools.product(([], ["--module", module]), ([], ["--view", "Red"])):
        for command in (["dump", "--all"], ["dump", "--json"], ["tell"], ["tell", "--json"], ["replay"]):
            more = ["-o", page] if command == ["replay"] else []
            text = said(command[0], log, *command[1:], *known, *view, *more)
            words = " ".join([*command, *("--module" for _ in known[:1]), *view])
            found[words] = text + (page.read_text(encoding="utf-8") if more else "")
    found["audit --html"] = said("audit", log, "--module", module, "--html", page) + page.read_text("utf-8")
    for known in ([], ["--module", module]):
        copy = folder / "copy.vlog"
        said("scrub", log, copy, "--seal", *known)
        found[f"scrub --seal{' --module' * bool(known)}"] = archive.read(copy).text or ""
        copy.unlink()
    return found


def said(*arguments: object) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        assert main([str(argument) for argument in arguments]) in (0, 1)
    return out.getvalue()


@pytest.mark.parametrize("seed", SEEDS)
def test_no_word_is_said_that_the_engine_does_not_show(engine: ModuleType, seed: int, tmp_path: Path) -> None:
    made = Made(seed, PIECES)
    module = tmp_path / "module" / "game.vmod"
    module.parent.mkdir()
    module.write_bytes(made.module)
    log = game.write(tmp_path / "game.vlog", made.text)
    shown = shown_by_the_engine(engine, made, module, log, tmp_path / "shots")
    layers = {word for word, about in made.words.about.items() if about.endswith(("layer", "label"))}
    faces = {word for word in shown if made.words.about[word].endswith("name")}
    assert len(faces) > 10
    assert len(made.words.about) > len(shown) + 100
    leaks: Counter[tuple[str, str]] = Counter()
    told = outputs(module, log, tmp_path)
    for command, text in told.items():
        # the type of a piece whose face was seen names all its layers
        known = shown | layers if command.startswith("scrub") else shown
        leaks.update((command, made.words.about[word]) for word in set(_WORD.findall(text)) - known)
    assert not leaks, table_of(leaks)
    assert faces <= set(_WORD.findall(told["replay --module"])), "a piece that all see is not on the page"
    if SOAK:
        print(f"seed {seed}: {len(made.words.about)} words, {len(shown)} shown, none of the others said")


def table_of(leaks: Counter[tuple[str, str]]) -> str:
    return "\n".join(f"{command:30} {about:50} {number}" for (command, about), number in leaks.most_common())


def test_the_owner_sees_all_his_words(tmp_path: Path) -> None:
    made = Made(2, 60)
    module = tmp_path / "game.vmod"
    module.write_bytes(made.module)
    log = game.write(tmp_path / "game.vlog", made.text)
    text = said("dump", log, "--json", "--module", module, "--view", "Blue")
    page = tmp_path / "page.html"
    said("replay", log, "--module", module, "--view", "Blue", "-o", page)
    names = {word for word, about in made.words.about.items() if about.endswith("name")}
    hidden_without_password = {word for word in names if "without a password" in made.words.about[word]}
    found = set(_WORD.findall(text + page.read_text(encoding="utf-8")))
    assert names - hidden_without_password <= found
