"""One fault put into a log of battles fought by the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from fieldpost.hexes import Hex, neighbors
from tests.validator.games.wfm.random_battles import Table, game
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.model.events import Attacked, Event, Moved, Removed, Replaced, ResultNamed, StepChanged
from validator.model.findings import Verdict
from validator.model.position import Position

Log = list[Event]
Spoiler = Callable[[Random, Log], Log | None]


def _pick(random: Random, log: Log, wanted: Callable[[Event], bool]) -> int | None:
    found = [i for i, event in enumerate(log) if wanted(event)]
    return random.choice(found) if found else None


def a_loss_forgotten(random: Random, log: Log) -> Log | None:
    i = _pick(random, log, lambda e: isinstance(e, Removed))
    return None if i is None else log[:i] + log[i + 1 :]


def a_loss_invented(random: Random, log: Log) -> Log | None:
    """A counter that lost a step is removed, and was not to be lost otherwise."""
    dead = {e.unit for e in log if isinstance(e, Removed)}
    gone = {unit for e in log if isinstance(e, Replaced) for unit in e.old}
    i = _pick(random, log, lambda e: isinstance(e, StepChanged) and e.unit not in dead | gone)
    if i is None:
        return None
    event = log[i]
    assert isinstance(event, StepChanged)
    return [*log[: i + 1], Removed(event.unit, None), *log[i + 1 :]]


def a_result_misnamed(random: Random, log: Log) -> Log | None:
    i = _pick(random, log, lambda e: isinstance(e, ResultNamed))
    if i is None:
        return None
    event = log[i]
    assert isinstance(event, ResultNamed)
    others = [r for r in ("A1", "A2", "1/1", "D1", "D2", "DE", "D4") if r != event.result]
    return [*log[:i], replace(event, result=random.choice(others)), *log[i + 1 :]]


def a_retreat_forgotten(random: Random, log: Log) -> Log | None:
    i = _pick(random, log, lambda e: isinstance(e, Moved) and e.mode == "retreat")
    return None if i is None else log[:i] + log[i + 1 :]


def a_retreat_turned_back(random: Random, log: Log) -> Log | None:
    """The last hex of a retreat of two is beside its first."""
    i = _pick(random, log, lambda e: isinstance(e, Moved) and e.mode == "retreat" and len(e.path) > 2)
    if i is None:
        return None
    event = log[i]
    assert isinstance(event, Moved)
    return [*log[:i], replace(event, path=(*event.path, event.path[-2])), *log[i + 1 :]]


def a_unit_attacks_again(random: Random, log: Log) -> Log | None:
    attacks = [i for i, event in enumerate(log) if isinstance(event, Attacked)]
    if len(attacks) < 2:
        return None
    first, later = log[attacks[0]], log[attacks[-1]]
    assert isinstance(first, Attacked)
    assert isinstance(later, Attacked)
    units = (*later.units, first.units[0])
    return [*log[: attacks[-1]], replace(later, units=units), *log[attacks[-1] + 1 :]]


def an_advance_too_far(random: Random, log: Log) -> Log | None:
    """Four hexes are more than any unit advances."""
    i = _pick(random, log, lambda e: isinstance(e, Moved) and e.mode == "advance")
    if i is None:
        return None
    event = log[i]
    assert isinstance(event, Moved)
    start, entered = event.path[:2]
    assert isinstance(entered, Hex)
    beyond = next(hex_ for hex_ in neighbors(entered) if hex_ != start)
    path = (start, entered, beyond, entered, beyond)
    return [*log[:i], replace(event, path=path), *log[i + 1 :]]


SPOILERS: tuple[Spoiler, ...] = (
    a_loss_forgotten,
    a_loss_invented,
    a_result_misnamed,
    a_retreat_forgotten,
    a_retreat_turned_back,
    a_unit_attacks_again,
    an_advance_too_far,
)


def replay(start: Position, table: Table, log: Log) -> list[str]:
    """What the referee says of a log from the position it began with; chapter 13 is not asked."""
    rules = rulebook.load("wfm")
    assert rules is not None
    referee = Referee(game(), table.case.scenario, rules, {}, None, start.copy())

    referee.feed(log)
    referee.close()
    faults = [f.fault for f in referee.findings if f.fault.verdict is not Verdict.JUDGEMENT]
    return [f"{f.rule} {f.message}" for f in faults if not f.rule.startswith("wfm-13")]


def spoiled(random: Random, log: Log) -> Iterator[tuple[str, Log]]:
    for spoiler in SPOILERS:
        wrong = spoiler(random, log)
        if wrong is not None:
            yield spoiler.__name__, wrong
