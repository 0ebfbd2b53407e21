"""The desk in a visitor's browser: what the page's script calls, in a Web Worker. Values go as JSON."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from desk import judging, questions, sheets
from desk.addresses import Static
from desk.judging import Judged
from desk.questions import Played
from desk.templates import MAIN_ONLY, render
from fieldpost.definition import games_in_the_box
from fieldpost.errors import FieldpostError
from fieldpost.pages import MARK
from fieldpost.progress import Listener, listening
from validator.anygame.picturefiles import Dropped
from validator.report.html.prepared import PreparedPictures
from validator.services import rulebooks, turnfile

INPUT = Path("/dropped")


def nobody(doing: str, share: float | None) -> None:
    """Is not told how far a check is."""


NO_MEMORY = {"error": "This needs more memory than a browser gives.", "hint": "Send a game in parts."}


class Tab:
    """Remembers the last check, which the replay, the texts and the questions are about."""

    def __init__(self) -> None:
        self._judged: Judged | None = None
        self._played: dict[int, Played] = {}

    def load(self) -> str:
        """All games and their rules into memory."""
        for game in games_in_the_box():
            rulebooks.of(turnfile.load_game(game, ()))
        return json.dumps(games_in_the_box())

    def begin(self) -> None:
        """Forget the last check; what is dropped now lies in one folder."""
        self._judged, self._played = None, {}
        shutil.rmtree(INPUT, ignore_errors=True)
        INPUT.mkdir()

    def path(self, number: int, name: str) -> str:
        """Where a file is put that was dropped: under its own name, beside others of that name."""
        path = INPUT / name
        if path.exists():
            path = INPUT / str(number) / name
            path.parent.mkdir()
        return str(path)

    def check(self, files: str, asked: str, tell: Listener = nobody) -> str:
        """The page of the verdict; `files` are [path, name for people], `tell` hears how far it is."""
        with listening(tell):
            return _answered(lambda: self._check(json.loads(files), json.loads(asked)))

    def _check(self, files: list[list[str]], asked: dict[str, Any]) -> dict[str, Any]:
        given = [judging.Source(Path(path), label) for path, label in files]
        try:
            self._judged = judged = judging.judge(given, judging.Asked(**asked))
        finally:
            shutil.rmtree(INPUT, ignore_errors=True)
        result = SimpleNamespace(id="", names=[label for _, label in files])
        found = judged.view()
        if judged.foreign is not None:
            html = render("foreign", Static(), layout=MAIN_ONLY, result=result, found=found)
            return {"html": html, "verdict": "foreign", "games": len(judged.foreign.pages)}
        html = render("verdict", Static(), layout=MAIN_ONLY, result=result, found=found)
        return {"html": html, "verdict": found["verdict"], "games": len(judged.audits)}

    def page(self, number: int) -> str:
        """The replay of one game of the last check."""
        return self._last().page(number, PreparedPictures.of)

    def mark(self) -> str:
        """What stands in a page before the names of pictures that are put in afterwards."""
        return MARK

    def dropped(self) -> str:
        """Width and height of each picture that a page of a game we do not know names `dropped:N`."""
        return json.dumps([art.size(name) for name in art.given] if (art := self._art()) else [])

    def picture(self, number: int) -> bytes:
        art = self._art()
        return (art and art.bytes_of(art.given[number])) or b""

    def _art(self) -> Dropped | None:
        foreign = self._last().foreign
        return foreign.dropped if foreign else None

    def start(self, number: int) -> str:
        """A turn sheet that begins where the last check ended."""
        return self._last().start(number)

    def text(self) -> str:
        return self._last().text()

    def data(self) -> str:
        return json.dumps(self._last().data(), indent=1) + "\n"

    def ask(self, number: int, question: str) -> str:
        return _answered(
            lambda: questions.answer(self._game(number), questions.Question(**json.loads(question)))
        )

    def look(self, text: str) -> str:
        return json.dumps(sheets.problems(text))

    def _last(self) -> Judged:
        assert self._judged is not None
        return self._judged

    def _game(self, number: int) -> Played:
        if number not in self._played:
            audit = self._last().audits[number]
            self._played[number] = Played.of(audit, self._last().options(audit))
        return self._played[number]


def _answered(work: Callable[[], dict[str, Any]]) -> str:
    try:
        return json.dumps(work())
    except FieldpostError as error:
        return json.dumps({"error": error.message, "hint": error.hint or ""})
    except (MemoryError, RecursionError):
        return json.dumps(NO_MEMORY)
