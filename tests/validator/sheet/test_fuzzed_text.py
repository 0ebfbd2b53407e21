"""Sheets of words thrown together: each ends in a verdict or a clear error, never in a traceback."""

from __future__ import annotations

import functools
import os
import re
from random import Random

import pytest

from fieldpost.definition.model import Game
from fieldpost.errors import FieldpostError
from players.table import game_of
from validator import sheet
from validator.model import position as positions
from validator.report import text
from validator.report.describe import Namer
from validator.services import one_turn
from validator.services.turnfile import Turnfile

SCENARIOS = {"wfm": "turning-point", "lwe": "campaign"}
TRIES = 5000 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 200
LINES = [
    "move U H-H",
    "move U+U H-H-H as W in 1",
    "retreat U H-H",
    "advance U H-H in 1",
    "step U 1>2",
    "step U 2>1 in 1",
    "place U H",
    "place U B step 2",
    "remove U",
    "remove U to B in 1",
    "replace U with U+U at H for W",
    "replace U+U with U:2 at H",
    "mark U M",
    "mark H M:2",
    "unmark U M",
    "unmark H M",
    "set M B",
    "draw M from K for U",
    "return M to K from U",
    "return M",
    "attack U+U x H with W at 3:1 : 1d6=3 = R",
    "attack H x H+H = R",
    "overrun U x H : 1d6=6 = R",
    "roll 2d6=3,5 in 1",
    "roll W 1d6=2 for U",
    "result R",
    "declare W = 5",
    "declare W for U at H",
    "undone 1,2 with 1",
    "doubled U H",
    'other-die 1 "attrition" 3',
    'unread "a piece"',
    "turn N P",
]
ODD = ["", "x", "with", "at", ":", "=", "in", "for", "to", "from", "as", "none", "#", '"', "\\", "9>9"]
ODD += ["0d0=0", "1d20=20", "0:0", "bananas", "²", "-", "→", "+", "100000", "-1", "turn", "given", "\u2028"]


@functools.cache
def vocabulary(name: str) -> dict[str, list[str]]:
    """What each capital letter of the lines may stand for; units on the map and their hexes most often."""
    game = game_of(name)
    scenario = game.scenario[SCENARIOS[name]]
    units = [unit for unit in positions.start(game, scenario).units.values() if unit.on_map]
    label = functools.partial(game.map.lattice.label, sheet=scenario.sheet)
    verbs = [verb for phase in game.sequence for step in phase.steps for verb in step.may]
    return {
        "U": [unit.id for unit in units] * 2 + [counter.id for counter in game.counters],
        "H": [label(unit.hex) for unit in units] + [label(hex_) for hex_ in sorted(game.map.hexes)[::40]],
        "B": [box.id for box in game.boxes] + ["turn-5"],
        "M": [marker.id for marker in game.markers],
        "K": [deck.id for deck in game.decks] or ["none"],
        "W": [
            *verbs,
            "sea",
            "march",
            "air",
            "victory-points",
            "weather",
            "convert",
            "breakdown",
            "attrition",
        ],
        "R": ["D1", "A1", "AL1", "DR", "DE", "BB", "2/2", "AE"],
        "P": [phase.id for phase in game.sequence],
        "N": [str(number) for number in game.turn],
    }


def some_lines(name: str, random: Random) -> list[str]:
    words = vocabulary(name)
    made = []
    for _ in range(random.randint(1, 6)):
        line = [re.sub(r"\b[A-Z]\b", lambda m: random.choice(words[m[0]]), random.choice(LINES))]
        if random.random() < 0.1:
            line = line[0].split()
            line[random.randrange(len(line))] = random.choice(ODD)
        made.append(" ".join(line))
    return made


def check(game: Game, written: list[str]) -> bool:
    """Whether a sheet was read, and judged and reported then."""
    try:
        read = sheet.read("\n".join(written), lambda _: game, "turn.txt")
    except FieldpostError:
        return False
    position = positions.start(game, read.scenario)
    read.opening.apply(position)
    referee = one_turn.referee_for(Turnfile("turn.txt", game, read.scenario, position, read.events), {})
    for event in read.events:
        referee.judge(sheet.expand(event, referee.case.position))
    assert text.render(referee.report(), Namer(game, read.scenario), "turn.txt")
    referee.close()
    assert text.render(referee.report(), Namer(game, read.scenario), "turn.txt")
    return True


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_sheet_ends_in_a_traceback(name: str) -> None:
    game, random, judged = game_of(name), Random(3), 0
    for _ in range(TRIES):
        phase, turn = random.choice(vocabulary(name)["P"]), random.choice(vocabulary(name)["N"])
        begun = [f"game {name} {SCENARIOS[name]}", f"turn {turn} {phase}"]
        judged += check(game, [*begun, *some_lines(name, random)])
    assert judged > TRIES / 20
