"""Turn sheets written: what is read back gives the same events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fieldpost.definition.model import Game, Scenario
from validator.model.events import Attacked, ClockUnknown, Event, PhaseBegan, ResultNamed, Rolled, Undeclared
from validator.sheet.forms import Context, roll_text
from validator.sheet.tokens import word
from validator.sheet.verbs import VERBS


def write(
    game: Game, scenario: Scenario, events: Iterable[Event], options: Mapping[str, str] | None = None
) -> str:
    head = [f"game {game.id} {scenario.id}"]
    head += [f"option {name} {value}" for name, value in sorted((options or {}).items())]
    return "\n".join([*head, *_lines(list(events), Context(game, scenario.sheet))]) + "\n"


def line(game: Game, scenario: Scenario, event: Event) -> str:
    """One event as a sheet would say it by itself."""
    return " ".join(_words(event, Context(game, scenario.sheet)))


def _lines(events: list[Event], context: Context) -> Iterator[str]:
    at = 0
    while at < len(events):
        event = events[at]
        at += 1
        if isinstance(event, ClockUnknown | Undeclared):  # of logs alone
            continue
        if isinstance(event, PhaseBegan):
            yield f"\nturn {event.turn} {event.phase}"
            continue
        words = _words(event, context)
        if isinstance(event, Attacked):
            outcome, taken = _outcome(event, events[at : at + 2])
            words += outcome
            at += taken
        yield " ".join(words)


def _words(event: Event, context: Context) -> list[str]:
    for verb in VERBS:
        if isinstance(event, verb.event) and verb.owns(event):
            return [verb.name, *verb.write(event, context)]
    raise TypeError(f"no verb writes {type(event).__name__}")


def _outcome(attack: Attacked, following: list[Event]) -> tuple[list[str], int]:
    """The roll and the result that come straight after an attack stand on its line."""
    words: list[str] = []
    for event in following:
        if isinstance(event, Rolled) and not words and _plain_roll(event, attack.battle):
            words += [":", roll_text(event.values, event.sides)]
        elif isinstance(event, ResultNamed) and event.battle == attack.battle:
            words += ["=", word(event.result)]
            break
        else:
            break
    return words, (":" in words) + ("=" in words)


def _plain_roll(event: Rolled, battle: int) -> bool:
    return event.battle == battle and event.reason == "combat" and event.about is None
