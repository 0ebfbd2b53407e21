"""Worked cases: for each rule a little position, what is done in it, and what the referee must say.

They lie in `games/<id>/cases/*.yaml`, or in `cases/` of the folder of a game of one's own, are shown by
`fieldpost rules`, and every test run plays them.

    - scenario: turning-point      # of the cases that follow, where they name no other
    - rule: wfm-5.31               # the position is empty but for what `given` puts there
      turn: 23 axis-move
      given:
        - place 3PzK 6407
        - place 64A 4809
      legal:
        - move 3PzK 6407-6306
      illegal:
        - move 64A 4809-4810
      why: The Soviet army moves in the Axis phase.     # optional, shown to players
      says: 64A moves in the Axis phase                 # optional: words of the illegal line's finding
      from: set-up                 # instead of an empty position: the scenario's own
      options: {strategic-panzer: one-phase}
      ends: true                   # the phase is closed after the last line
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from fieldpost import data
from fieldpost.definition.model import Game
from fieldpost.errors import FieldpostError
from validator import sheet
from validator.acts.judging import play as play_events
from validator.engine.referee import Referee
from validator.engine.rulebook import Rulebook
from validator.model import position as positions
from validator.model.events import Event, PhaseBegan, Pointed
from validator.model.findings import Finding
from validator.model.position import Position

_KEYS = {"rule", "scenario", "turn", "given", "legal", "illegal", "why", "from", "options", "ends", "says"}


_NEEDED = {"rule", "scenario", "turn"}


@dataclass(frozen=True)
class Case:
    rule: str
    source: str
    turn: str
    scenario: str
    given: Sequence[str] = ()
    legal: Sequence[str] = ()
    illegal: Sequence[str] = ()
    why: str = ""
    says: str = ""
    set_up: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    ends: bool = False


def load(game: str | Path) -> list[Case]:
    """Of a game in the box, or in a folder."""
    folder = game if isinstance(game, Path) else data.path("games", game)
    paths = sorted(folder.glob("cases/*.yaml"))
    return [case for path in paths for case in _read(path.read_text(encoding="utf-8"), path.name)]


def _read(text: str, source: str) -> Iterator[Case]:
    usual: dict[str, Any] = {}
    for line, raw in _entries(text, source):
        if set(raw) == {"scenario"}:
            usual = raw
            continue
        whole = {**usual, **raw}
        wrong = sorted((whole.keys() - _KEYS) | (_NEEDED - whole.keys()))
        if wrong:
            raise FieldpostError(f"{source}:{line}: this case has unknown or missing keys {wrong}")
        set_up = whole.pop("from", None) == "set-up"
        yield Case(source=f"{source}:{line}", set_up=set_up, **whole)


def _entries(text: str, source: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each entry of a file with the number of its line."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return
        if not isinstance(node, yaml.SequenceNode) or not all(
            isinstance(n, yaml.MappingNode) for n in node.value
        ):
            raise FieldpostError(f"{source}: this is no list of cases", "Each begins with: - rule: ID")
        for entry in node.value:
            yield entry.start_mark.line + 1, loader.construct_document(entry)
    except yaml.YAMLError as error:
        raise FieldpostError(f"{source}: {error}") from error
    finally:
        loader.dispose()


def play(case: Case, lines: Sequence[str], game: Game, rules: Rulebook) -> list[Finding]:
    """What the referee says of some lines in a case's position."""
    scenario = game.scenario[case.scenario]
    position = positions.start(game, scenario) if case.set_up else Position(game)
    turn, phase = case.turn.split()
    given = _events(case, case.given, game)
    for event in given:
        position.apply(sheet.expand(event, position))
    position.stated = frozenset(event.marker for event in given if isinstance(event, Pointed))
    position.turn, position.phase = int(turn), phase
    referee = Referee(game, scenario, rules, {}, case.options, position)
    events = [PhaseBegan(int(turn), phase), *_events(case, lines, game)]
    referee = play_events(referee, events, sheet.expand).referee
    if case.ends:
        referee.close()
    return referee.findings


def _events(case: Case, lines: Sequence[str], game: Game) -> list[Event]:
    text = "\n".join([f"game {game.id} {case.scenario}", *lines])
    return sheet.read(text, lambda _: game, case.source).events
