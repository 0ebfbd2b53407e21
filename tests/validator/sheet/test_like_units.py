"""`6*infantry@1114` in a sheet: six units of a kind, as the counters lie when the line is judged."""

from __future__ import annotations

import functools

import pytest

from fieldpost.definition import load
from fieldpost.definition.model import Game
from validator import sheet
from validator.model import position as positions
from validator.model.events import Attacked, Event, Fired, Moved, Placed, Removed
from validator.sheet import SheetError


@functools.cache
def game() -> Game:
    return load("wie")


def played(*lines: str) -> list[Event]:
    """The events of some lines after the set-up of Barbarossa, with the names of the units."""
    read = sheet.read("\n".join(["game wie barbarossa", *lines]), lambda _: game())
    position = positions.start(game(), game().scenario["barbarossa"])
    found = []
    for event in read.events:
        found.append(sheet.expand(event, position))
        position.apply(found[-1])
    return found


def test_like_units_are_those_that_stand_there() -> None:
    attack = played("attack 2*infantry@1114+1*heavy-artillery@1114 x 1214")[0]
    assert isinstance(attack, Attacked)
    assert attack.units == ("GI-8", "GI-13", "GHvA-1")


def test_each_volley_of_a_round_takes_the_next_ones() -> None:
    lines = ["attack 3*infantry@1114 x 1214", "round 1", "fire 1*infantry@1114 at 4 : 9"]
    lines += ["fire 2*infantry@1114 at 3 : 9 9", "round 2", "fire 1*infantry@1114 at 3 : 9"]
    fired = [event.units for event in played(*lines) if isinstance(event, Fired)]
    assert fired == [("GI-8",), ("GI-13", "GI-18"), ("GI-8",)]


def test_moves_take_the_place_where_they_begin_and_losses_come_one_by_one() -> None:
    events = played("move 2*infantry 1114-1115", "remove 2*light-infantry@1214 to soviet-eliminated")
    assert [e.units for e in events if isinstance(e, Moved)] == [("GI-8", "GI-13")]
    assert [e.unit for e in events if isinstance(e, Removed)] == ["SLI-9", "SLI-14"]


def test_what_is_bought_comes_from_the_pool_of_the_side_whose_phase_it_is() -> None:
    for phase, prefix in (("axis-reinforce", "G"), ("soviet-reinforce", "S")):
        bought = [e for e in played(f"turn 1 {phase}", "buy 2*artillery") if isinstance(e, Placed)]
        assert len({e.unit for e in bought}) == 2
        assert all(e.unit.startswith(prefix) for e in bought)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("attack 9*infantry@1114 x 1214", "fewer infantry are there"),
        ("attack 2*infantri@1114 x 1214", "no kind of unit 'infantri'"),
        ("attack 2*infantry x 1214", "does not say where they are"),
        ("attack x*infantry@1114 x 1214", "names no number"),
        ("round 1 under 2*infantry@1114", "names are asked here"),
    ],
)
def test_a_term_that_fits_nothing_is_told_with_its_place(line: str, said: str) -> None:
    with pytest.raises(SheetError, match=said):
        played(line)


def test_a_term_takes_units_that_a_scenario_has_on_the_turn_track() -> None:
    arrive = "move 2*panzer-grenadier turn-2>axis-reinforcements"
    first, then = played(arrive.replace("2*", "1*"), arrive.replace("2*", "1*"))
    assert isinstance(first, Moved)
    assert isinstance(then, Moved)
    assert {*first.units, *then.units} == {"PG-7", "PG-8"}
    with pytest.raises(SheetError):
        played(arrive, arrive)
