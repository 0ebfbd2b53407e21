"""Events as short sentences, for people who step through a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fieldpost.definition.model import Game
from fieldpost.hexes import Hex
from fieldpost.phrases import count, listed, phrase
from validator.model import events as ev
from validator.model.events import Event, Spot
from validator.report.describe import Namer

MODES = {
    "": ("moves", "move"),
    "march": ("marches", "march"),
    "retreat": ("retreats", "retreat"),
    "advance": ("advances", "advance"),
    "sea": ("sails", "sail"),
    "strategic": ("moves strategically", "move strategically"),
    "rail": ("moves by rail", "move by rail"),
}
"""Of one unit, of several."""


class Words:
    """Says what an event was, with the game's own names for boxes, decks and markers."""

    def __init__(self, game: Game, namer: Namer) -> None:
        self._namer = namer
        self._boxes = game.off_map
        self._decks = {deck.id: deck.name for deck in game.decks}
        self._markers = {marker.id: marker.name for marker in game.markers}
        self._faces = {
            marker.id: {number: face.text for number, face in enumerate(marker.faces, 1)}
            for marker in game.markers
        }
        self.overrun = game.called.get("overrun")

    def of(self, event: Event) -> str:
        say = _SENTENCES.get(type(event))
        return say(self, event) if say else ""

    def spot(self, spot: Spot) -> str:
        return self._namer.hex(spot) if isinstance(spot, Hex) else self._boxes.get(spot, spot)

    def on(self, spot: str | Hex) -> str:
        return self._namer.hex(spot) if isinstance(spot, Hex) else spot

    def marker(self, id_: str) -> str:
        return self._markers.get(id_, id_)

    def face(self, id_: str, face: int) -> str:
        """A marker by its name, and what the face says where it has several."""
        faces = self._faces.get(id_, {})
        return self.marker(id_) + phrase(" ({})", len(faces) > 1 and faces.get(face))

    def deck(self, id_: str) -> str:
        return self._decks.get(id_, id_)

    def phase(self, id_: str) -> str:
        return self._namer.phase(id_)


def _phase(words: Words, event: ev.PhaseBegan) -> str:
    return f"{words.phase(event.phase)} begins"


def _moved(words: Words, event: ev.Moved) -> str:
    does, do = MODES.get(event.mode, (f"moves ({event.mode})", f"move ({event.mode})"))
    how = do if len(event.units) > 1 else does
    return f"{listed(event.units)} {how} {' – '.join(map(words.spot, event.path))}"


def _step(words: Words, event: ev.StepChanged) -> str:
    verb = "loses" if event.new > event.old else "regains"
    return f"{event.unit} {verb} {count(abs(event.new - event.old), 'step')}{_in(event.battle)}"


def _in(battle: int | None) -> str:
    return "" if battle is None else f" in battle {battle}"


def _placed(words: Words, event: ev.Placed) -> str:
    step = phrase(" at step {}", event.step > 1 and event.step)
    return f"{event.unit} is placed in {words.spot(event.spot)}{step}"


def _removed(words: Words, event: ev.Removed) -> str:
    to = phrase(" to {}", event.box and words.spot(event.box))
    return f"{event.unit} is removed{to}{_in(event.battle)}"


def _replaced(words: Words, event: ev.Replaced) -> str:
    new = listed([unit for unit, _ in event.new])
    where = words.spot(event.spot)
    return f"{listed(event.old)} replaced by {new} in {where}{phrase(' ({})', event.why)}"


def _marked(words: Words, event: ev.Marked) -> str:
    return f"{words.on(event.on)} is marked: {words.face(event.marker, event.face)}"


def _pointed(words: Words, event: ev.Pointed) -> str:
    return f"{words.face(event.marker, event.face)} is put on {words.spot(event.box)}"


def _unmarked(words: Words, event: ev.Unmarked) -> str:
    return f"{words.marker(event.marker)} taken off {words.on(event.on)}"


def _drawn(words: Words, event: ev.Drawn) -> str:
    marker, deck = words.marker(event.marker), words.deck(event.deck)
    return f"{marker} drawn from {deck}{phrase(' for {}', event.unit)}"


def _returned(words: Words, event: ev.Returned) -> str:
    where = phrase("goes back to {}", event.deck and words.deck(event.deck)) or "leaves the game"
    return f"{words.marker(event.marker)}{phrase(' of {}', event.unit)} {where}"


def _attacked(words: Words, event: ev.Attacked) -> str:
    does, do = ("overruns", "overrun") if event.overrun and not words.overrun else ("attacks", "attack")
    what = do if len(event.units) > 1 else does
    how = phrase(" in a {}", event.overrun and words.overrun)
    support = phrase(" with {}", listed(event.support))
    where = listed([words.on(target) for target in event.targets])
    return f"{listed(event.units)} {what} {where}{how}{support}{phrase(' at {}', event.column)}"


def _rolled(words: Words, event: ev.Rolled) -> str:
    shown = ", ".join(map(str, event.values))
    why = phrase(" for {}", event.reason) + phrase(" ({})", event.about)
    return f"{len(event.values)}d{event.sides} rolled{why}: {shown}"


def _round(words: Words, event: ev.RoundBegan) -> str:
    under = phrase(", ordered by {}", listed(event.under))
    return f"Round {event.number} of battle {event.battle}{under}"


def _fired(words: Words, event: ev.Fired) -> str:
    what = "fire" if len(event.units) > 1 else "fires"
    how = phrase(" ({})", event.manner)
    aimed = phrase(" on {}", listed(event.aimed))
    support = phrase(", supported by {}", listed(event.support))
    shown = ", ".join(map(str, event.values))
    hits = count(event.hits, "hit") if event.hits else "no hit"
    return f"{listed(event.units)} {what}{how} at {event.value}{aimed}{support}: {shown}, {hits}"


def _result(words: Words, event: ev.ResultNamed) -> str:
    return f"result {event.result}"


def _declared(words: Words, event: ev.Declared) -> str:
    who = phrase(" for {}", listed(event.units))
    where = phrase(" at {}", listed([words.on(hex_) for hex_ in event.hexes]))
    return f"declared: {event.what.replace('-', ' ')}{phrase(' = {}', event.value)}{who}{where}"


def _undone(words: Words, event: ev.Undone) -> str:
    rolls = phrase(", {} among them", event.rolls and count(event.rolls, "roll"))
    return f"{count(len(event.steps), 'step')} taken back{rolls}"


def _doubled(words: Words, event: ev.Doubled) -> str:
    return f"a second counter of {event.unit} in {words.spot(event.spot)}"


def _other_die(words: Words, event: ev.OtherDie) -> str:
    return f"battle {event.battle} without a die; one for {event.reason} was rolled"


def _said(words: Words, event: ev.Said) -> str:
    return f"“{event.text}”"


def _not_understood(words: Words, event: ev.NotUnderstood) -> str:
    return f"not understood: {event.text}"


def _undeclared(words: Words, event: ev.Undeclared) -> str:
    return "battles without their dice" if event.without_dice else "no battle is declared in this phase"


def _clock_unknown(words: Words, event: ev.ClockUnknown) -> str:
    return "turn and phase are not known"


def _unread(words: Words, event: ev.Unread) -> str:
    return f"not read: {event.reason}"


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
    ev.Undeclared: _undeclared,
    ev.ClockUnknown: _clock_unknown,
    ev.NotUnderstood: _not_understood,
}
