"""Turns that no rule allows, or whose end leaves something owed: as turn sheets, and as logs of them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from fieldpost.vassal.steps import Log
from fieldpost.vassal.writer import LogBuilder
from players.logs import LogWriter, plain_board
from players.table import game_of
from validator import sheet
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.interpret import Reading, interpret
from validator.model.events import Event
from validator.model.position import Position

SCENARIOS = {"wfm": "turning-point", "lwe": "campaign"}


@dataclass(frozen=True)
class Hole:
    """Lines of a sheet, how sure the finding is, and how sure it is in a log of counters moved by hand."""

    game: str
    lines: tuple[str, ...]
    rule: str  # of the finding, or of what is owed
    sure: str = "illegal"  # illegal, warning, owed, or not judged where a combat phase declares no battle
    log: str | None = None  # None: no log can show it


HOLES = {
    "a move from where the unit does not stand": Hole(
        "wfm", ("turn 23 axis-move", "move 3PzK 5005-5004"), "log-place"
    ),
    "a retreat from where the unit does not stand": Hole(
        "wfm", ("turn 23 axis-combat", "retreat 51AK 5005-5004"), "log-place"
    ),
    "a move of a unit that is off the map": Hole(
        "wfm", ("turn 23 axis-move", "move 57PzK 4717-4716"), "log-place"
    ),
    "a move of a unit that is dead": Hole(
        "lwe", ("turn 2 german-move", "remove 7ID", "move 7ID 1214-1314"), "lwe-2.2a"
    ),
    "a unit placed that is on the map": Hole(
        "wfm", ("turn 24 axis-move", "place 8AK 4708"), "log-place", log="illegal"
    ),
    "an advance without a battle": Hole(
        "lwe", ("turn 2 german-move", "advance 7ID 1214-4618"), "lwe-5.1a", log="illegal"
    ),
    "a retreat without a battle": Hole("lwe", ("turn 2 german-move", "retreat 7ID 1214-1215"), "lwe-11.29a"),
    "an assault in a phase without any": Hole(
        "lwe", ("turn 2 soviet-supply", "overrun 7ID x 1315"), "lwe-5.1a", log="illegal"
    ),
    "strength restored outside its phase": Hole(
        "wfm", ("turn 22 sov-move", "mark 62A csm-c-6-9"), "wfm-3.0a", log="warning"
    ),
    "a volley where a battle has one die": Hole(
        "wfm", ("turn 23 axis-combat", "fire 51AK at 4 : 2"), "wfm-3.0a"
    ),
    "a counter out of the box of a later turn": Hole(
        "wfm", ("turn 22 sov-move", "move 2GdA turn-23>4806"), "wfm-13.11"
    ),
    "a step restored that was not lost": Hole("wfm", ("turn 23 axis-move", "step 11AK 2>1"), "log-place"),
    "a step lost outside any battle": Hole(
        "wfm", ("turn 23 sov-move", "step 11AK 1>2"), "wfm-8.22", "warning", "warning"
    ),
    "a step given back while moving": Hole("lwe", ("turn 2 german-move", "step 7ID 2>1"), "lwe-8.6b"),
    "a chit handed back beside the enemy": Hole(
        "wfm", ("turn 22 sov-combat", "return csm-c-6-9 to csm-c from 62A"), "wfm-3.0a", log="not judged"
    ),
    "a chit handed back and drawn again": Hole(
        "wfm",
        ("turn 22 sov-move", "return csm-c-6-9 to csm-c from 62A", "draw csm-c-6-9 from csm-c for 62A"),
        "wfm-3.0a",
        log="warning",
    ),
    "a chit for a unit that fights nobody": Hole(
        "wfm", ("turn 22 sov-move", "draw csm-c-4-6 from csm-c for 28A"), "wfm-7.11", "owed", "owed"
    ),
    "counters exchanged without a reason": Hole(
        "wfm",
        ("turn 23 admin", "replace 3PzK with PzKG-5+PzKG-6 at 6407"),
        "wfm-3.0a",
        log="warning",
    ),
    "units of two hexes built up": Hole(
        "wfm",
        ("turn 23 admin", "replace PzKG-3+PzKG-4 with 14PzK at 4610 for buildup"),
        "wfm-14.13",
        log="warning",
    ),
    "units of two nations broken down": Hole(
        "wfm",
        ("turn 23 admin", "replace 8AK+Ru6AK with InfKG-2+InfKG-3 at 4610 for breakdown"),
        "wfm-14.15",
        log="warning",
    ),
    "a breakdown outside its phase": Hole(
        "wfm",
        ("turn 23 axis-move", "replace 3PzK with PzKG-5+PzKG-6 at 6407 for breakdown"),
        "wfm-14.11",
        log="illegal",
    ),
    "a retreat of attackers that is too long": Hole(
        "wfm",
        ("turn 23 axis-combat", "attack 51AK x 4708 : 1d6=5 = A1", "retreat 51AK 4709-4710-4711"),
        "wfm-8.102",
        log="illegal",
    ),
    "a retreat of defenders that is too long": Hole(
        "wfm",
        (
            "turn 23 sov-combat",
            "draw csm-c-4-6 from csm-c for 64A",
            "attack 62A+64A x 4709 : 1d6=4 = D1",
            "retreat 51AK 4709-4710-4711",
        ),
        "wfm-8.102",
        log="illegal",
    ),
    "a step and a hex for one point": Hole(
        "wfm",
        (
            "turn 23 axis-combat",
            "attack 51AK x 4708 : 1d6=5 = A1",
            "step 51AK 1>2 in 1",
            "retreat 51AK 4709-4710",
        ),
        "wfm-8.84",
        log="illegal",
    ),
    "a result that nobody pays": Hole(
        "wfm", ("turn 23 axis-combat", "attack 51AK x 4708 : 1d6=5 = A1"), "wfm-8.84", "owed", "owed"
    ),
    "an attack by no unit": Hole("wfm", ("turn 23 axis-combat", "attack 4710 x 4708 : 1d6=3"), "wfm-8.21b"),
    "an attack without a die": Hole(
        "wfm", ("turn 23 axis-combat", "attack 51AK x 4708"), "wfm-8.1d", "owed", "owed"
    ),
    "a marker of the turn that is moved on": Hole(
        "lwe", ("turn 2 german-move", "set game-turn turn-9"), "lwe-5.1a", "warning", "warning"
    ),
    "an air fleet among the dead": Hole(
        "wfm", ("turn 23 axis-move", "set 4AF axis-eliminated"), "wfm-3.0a", "warning"
    ),
    "a result without a die": Hole(
        "wfm", ("turn 23 axis-combat", "attack 51AK x 4708 = A1"), "wfm-8.1d", "warning", "warning"
    ),
    "a result without the die that its odds need": Hole(
        "lwe", ("turn 2 german-pa", "attack 14Mot+7Pz x 1711 = DE"), "lwe-11.10a", log="warning"
    ),
    "a second die": Hole(
        "wfm",
        ("turn 23 axis-combat", "attack 51AK x 4708 : 1d6=5", "roll combat 1d6=1 in 1"),
        "wfm-8.1d",
        log="illegal",
    ),
}


def read(game: str, lines: Sequence[str]) -> sheet.Sheet:
    return sheet.read("\n".join([f"game {game} {SCENARIOS[game]}", *lines]), game_of, "turn.txt")


def referee(
    game: str, events: Sequence[Event], position: Position | None = None, *, by_hand: bool = False
) -> Referee:
    book, definition = rulebook.load(game), game_of(game)
    assert book is not None
    scenario = definition.scenario[SCENARIOS[game]]
    found = Referee(definition, scenario, book, {}, {}, position, by_hand=by_hand)
    for event in events:
        found.judge(sheet.expand(event, found.case.position))
    return found


@functools.cache
def _writer(game: str) -> tuple[LogWriter, Log]:
    scenario = game_of(game).scenario[SCENARIOS[game]]
    writer = LogWriter(plain_board(game_of(game), scenario), game_of(game), scenario)
    return writer, writer.builder.log()


def reading_of(game: str, events: Sequence[Event]) -> Reading:
    """What is read of a log in which the same is done to the counters, from the set-up on."""
    writer, start = _writer(game)
    writer.builder = LogBuilder(start)
    writer.write(events)
    definition = game_of(game)
    return interpret(writer.log(), definition, definition.scenario[SCENARIOS[game]])
