"""Events as short sentences, for people who step through a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fieldpost.definition.model import Game
from fieldpost.hexes import Hex
from validator.model import events as ev
from validator.model.events import Event, Spot
from validator.report.describe import Namer

MODES = {
    "": "moves",
    "march": "marches",
    "retreat": "retreats",
    "advance": "advances",
    "sea": "sails",
    "strategic": "moves strategically",
    "rail": "moves by rail",
}


class Words:
    """Says what an event was, with the game's own names for boxes, decks and markers."""

    def __init__(self, game: Game, namer: Namer) -> None:
        self._namer = namer
        self._boxes = game.off_map
        self._decks = {deck.id: deck.name for deck in game.decks}
        self._markers = game.marker
        self.overrun = game.called.get("overrun")

    def of(self, event: Event) -> str:
        say = _SENTENCES.get(type(event))
        return say(self, event) if say else ""

    def spot(self, spot: Spot) -> str:
        return self._namer.hex(spot) if isinstance(spot, Hex) else self._boxes.get(spot, spot)

    def on(self, spot: str | Hex) -> str:
        return self._namer.hex(spot) if isinstance(spot, Hex) else spot

    def marker(self, id_: str) -> str:
        marker = self._markers.get(id_)
        return marker.name if marker else id_

    def face(self, id_: str, face: int) -> str:
        """A marker by its name, and what the face says where it has several."""
        marker = self._markers.get(id_)
        text = marker.faces[face - 1].text if marker and 0 < face <= len(marker.faces) > 1 else ""
        return f"{self.marker(id_)} ({text})" if text else self.marker(id_)

    def deck(self, id_: str) -> str:
        return self._decks.get(id_, id_)

    def phase(self, id_: str) -> str:
        return self._namer.phase(id_)


def listed(names: Sequence[str]) -> str:
    """a, b and c"""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def _in(battle: int | None) -> str:
    return "" if battle is None else f" in battle {battle}"


def _phase(words: Words, event: ev.PhaseBegan) -> str:
    return f"{words.phase(event.phase)} begins"


def _moved(words: Words, event: ev.Moved) -> str:
    how = MODES.get(event.mode, f"moves ({event.mode})")
    if len(event.units) > 1:
        how = how.replace("moves", "move").replace("marches", "march").replace("sails", "sail")
        how = how.replace("retreats", "retreat").replace("advances", "advance")
    return f"{listed(event.units)} {how} {' – '.join(map(words.spot, event.path))}"


def _step(words: Words, event: ev.StepChanged) -> str:
    steps = abs(event.new - event.old)
    verb = "loses" if event.new > event.old else "regains"
    return f"{event.unit} {verb} {_count(steps, 'step')}{_in(event.battle)}"


def _placed(words: Words, event: ev.Placed) -> str:
    step = f" at step {event.step}" if event.step > 1 else ""
    return f"{event.unit} is placed in {words.spot(event.spot)}{step}"


def _removed(words: Words, event: ev.Removed) -> str:
    return f"{event.unit} is removed{f' to {words.spot(event.box)}' if event.box else ''}{_in(event.battle)}"


def _replaced(words: Words, event: ev.Replaced) -> str:
    new = listed([unit for unit, _ in event.new])
    why = f" ({event.why})" if event.why else ""
    return f"{listed(event.old)} replaced by {new} in {words.spot(event.spot)}{why}"


def _marked(words: Words, event: ev.Marked) -> str:
    return f"{words.on(event.on)} is marked: {words.face(event.marker, event.face)}"


def _pointed(words: Words, event: ev.Pointed) -> str:
    return f"{words.face(event.marker, event.face)} is put on {words.spot(event.box)}"


def _unmarked(words: Words, event: ev.Unmarked) -> str:
    return f"{words.marker(event.marker)} taken off {words.on(event.on)}"


def _drawn(words: Words, event: ev.Drawn) -> str:
    whom = f" for {event.unit}" if event.unit else ""
    return f"{words.marker(event.marker)} drawn from {words.deck(event.deck)}{whom}"


def _returned(words: Words, event: ev.Returned) -> str:
    where = f"goes back to {words.deck(event.deck)}" if event.deck else "leaves the game"
    return f"{words.marker(event.marker)}{f' of {event.unit}' if event.unit else ''} {where}"


def _attacked(words: Words, event: ev.Attacked) -> str:
    what = "overruns" if event.overrun and not words.overrun else "attacks"
    if len(event.units) > 1:
        what = what[:-1]
    how = f" in a {words.overrun}" if event.overrun and words.overrun else ""
    support = f" with {listed(event.support)}" if event.support else ""
    column = f" at {event.column}" if event.column else ""
    where = listed([words.on(target) for target in event.targets])
    return f"{listed(event.units)} {what} {where}{how}{support}{column}"


def _rolled(words: Words, event: ev.Rolled) -> str:
    shown = ", ".join(map(str, event.values))
    why = f" for {event.reason}" if event.reason else ""
    about = f" ({event.about})" if event.about else ""
    return f"{len(event.values)}d{event.sides} rolled{why}{about}: {shown}"


def _round(words: Words, event: ev.RoundBegan) -> str:
    under = f", ordered by {listed(event.under)}" if event.under else ""
    return f"Round {event.number} of battle {event.battle}{under}"


def _fired(words: Words, event: ev.Fired) -> str:
    what = "fire" if len(event.units) > 1 else "fires"
    how = f" ({event.manner})" if event.manner else ""
    aimed = f" on {listed(event.aimed)}" if event.aimed else ""
    support = f", supported by {listed(event.support)}" if event.support else ""
    shown = ", ".join(map(str, event.values))
    hits = _count(event.hits, "hit") if event.hits else "no hit"
    return f"{listed(event.units)} {what}{how} at {event.value}{aimed}{support}: {shown}, {hits}"


def _result(words: Words, event: ev.ResultNamed) -> str:
    return f"result {event.result}"


def _declared(words: Words, event: ev.Declared) -> str:
    value = f" = {event.value}" if event.value else ""
    who = f" for {listed(event.units)}" if event.units else ""
    where = f" at {listed([words.on(h) for h in event.hexes])}" if event.hexes else ""
    return f"declared: {event.what.replace('-', ' ')}{value}{who}{where}"


def _undone(words: Words, event: ev.Undone) -> str:
    rolls = f", {_count(event.rolls, 'roll')} among them" if event.rolls else ""
    return f"{_count(len(event.steps), 'step')} taken back{rolls}"


def _doubled(words: Words, event: ev.Doubled) -> str:
    return f"a second counter of {event.unit} in {words.spot(event.spot)}"


def _other_die(words: Words, event: ev.OtherDie) -> str:
    return f"battle {event.battle} without a die; one for {event.reason} was rolled"


def _said(words: Words, event: ev.Said) -> str:
    return f"“{event.text}”"


def _not_understood(words: Words, event: ev.NotUnderstood) -> str:
    return f"not understood: {event.text}"


def _unread(words: Words, event: ev.Unread) -> str:
    return f"not read: {event.reason}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_SENTENCES: dict[type[Event], Callable[[Words, Any], str]] = {
    ev.PhaseBegan: _phase,
    ev.Moved: _moved,
    ev.StepChanged: _step,
    ev.Placed: _placed,
    ev.Removed: _removed,
    ev.Replaced: _replaced,
    ev.Marked: _marked,
    ev.Unmarked: _unmarked,
    ev.Pointed: _pointed,
    ev.Drawn: _drawn,
    ev.Returned: _returned,
    ev.Attacked: _attacked,
    ev.Rolled: _rolled,
    ev.RoundBegan: _round,
    ev.Fired: _fired,
    ev.ResultNamed: _result,
    ev.Declared: _declared,
    ev.Undone: _undone,
    ev.Doubled: _doubled,
    ev.OtherDie: _other_die,
    ev.Said: _said,
    ev.Unread: _unread,
    ev.NotUnderstood: _not_understood,
}
