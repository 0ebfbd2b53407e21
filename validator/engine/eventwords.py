"""An event in a few words, for what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from validator.engine.case import AnyCase
from validator.model import events as ev
from validator.model.events import Event

MOVES = {"": "moves", "retreat": "retreats", "advance": "advances"}


def words_for(case: AnyCase, event: Event) -> str:
    words = _WORDS.get(type(event))
    return words(case, event) if words is not None else type(event).__name__


def _joined(names: Iterable[str]) -> str:
    return "+".join(names)


def _after(word: str, value: object) -> str:
    """A value with the word before it; nothing if there is none."""
    return f" {word} {value}" if value else ""


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def _move(case: AnyCase, event: ev.Moved) -> str:
    how = MOVES.get(event.mode, f"moves ({event.mode})")
    return f"{_joined(event.units)} {how} from {case.label(event.start)} to {case.label(event.end)}"


def _step(case: AnyCase, event: ev.StepChanged) -> str:
    return (
        f"{event.unit} {'loses' if event.new > event.old else 'gets back'} a step ({event.old}>{event.new})"
    )


def _replacement(case: AnyCase, event: ev.Replaced) -> str:
    gone, come, where = _joined(event.old), _joined(event.comers), case.label(event.spot)
    return f"{gone} gives way to {come} in {where}{_after('for', event.why)}"


def _return(case: AnyCase, event: ev.Returned) -> str:
    return f"{event.marker} goes" + (_after("to", event.deck) or " out of the game")


def _attack(case: AnyCase, event: ev.Attacked) -> str:
    return f"{_joined(event.units)} attacks {_joined(map(case.label, event.targets))}"


def _declaration(case: AnyCase, event: ev.Declared) -> str:
    return f"{_joined(event.units)} {event.what}".strip() + _after("=", event.value)


_WORDS: dict[type[Event], Callable[[AnyCase, Any], str]] = {
    ev.Moved: _move,
    ev.StepChanged: _step,
    ev.Placed: lambda case, event: f"{event.unit} is placed in {case.label(event.spot)}",
    ev.Removed: lambda case, event: f"{event.unit} is taken off{_after('to', event.box)}",
    ev.Replaced: _replacement,
    ev.Marked: lambda case, event: f"{event.marker} is put on {case.label(event.on)}",
    ev.Unmarked: lambda case, event: f"{event.marker} is taken off {case.label(event.on)}",
    ev.Pointed: lambda case, event: f"{event.marker} is set to {event.box}",
    ev.Drawn: lambda case, event: f"{event.marker} is drawn from {event.deck}{_after('for', event.unit)}",
    ev.Returned: _return,
    ev.Attacked: _attack,
    ev.Rolled: lambda case, event: f"a roll of {_listed(event.values)}{_after('for', event.reason)}",
    ev.RoundBegan: lambda case, event: f"round {event.number} of battle {event.battle}",
    ev.Fired: lambda case, event: (
        f"{_joined(event.units) or 'no unit'} fires at {event.value}: {_listed(event.values)}"
    ),
    ev.ResultNamed: lambda case, event: f"the result {event.result} is named",
    ev.Declared: _declaration,
}
