"""A slip of the hand is known by the event that undoes it, and by nothing else."""

from __future__ import annotations

import pytest

from fieldpost.definition import load
from validator import sheet
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.model.events import Event, PhaseBegan
from validator.model.position import Position
from validator.procedures.corrections import puts_back


def _last_puts_back(*lines: str) -> bool:
    game, rules = load("lwe"), rulebook.load("lwe")
    assert rules is not None
    position = Position(game)
    position.put("5ID", game.map.lattice.hex("1418"))
    position.turn, position.phase = 5, "german-move"
    referee = Referee(game, game.scenario["campaign"], rules, {}, {}, position)
    text = "\n".join(["game lwe campaign", *lines])
    events: list[Event] = [PhaseBegan(5, "german-move"), *sheet.read(text, lambda _: game, "lines").events]
    for event in events[:-1]:
        referee.judge(sheet.expand(event, referee.case.position))
    return puts_back(referee.case, events[-1])


@pytest.mark.parametrize(
    "lines",
    [
        ("remove 5ID", "place 5ID 1418"),
        ("move 5ID 1418-1417", "remove 5ID", "place 5ID 1417"),
        ("step 5ID 1>2", "step 5ID 2>1"),
    ],
)
def test_undoing_puts_back(lines: tuple[str, ...]) -> None:
    assert _last_puts_back(*lines)


@pytest.mark.parametrize(
    "lines",
    [
        ("remove 5ID", "place 5ID 1417"),
        ("step 5ID 1>2", "remove 5ID", "place 5ID 1418"),
        ("remove 5ID", "place 24ID 1418"),
        ("step 5ID 2>1",),
    ],
)
def test_doing_more_than_undoing_puts_nothing_back(lines: tuple[str, ...]) -> None:
    assert not _last_puts_back(*lines)
