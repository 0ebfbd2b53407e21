"""How the words after each verb of a turn sheet are read and written, a pair for each form.

A reader gets the line after the verb and returns events; a writer gives back the words after the verb.
`last` is the battle that was declared last: retreats, advances, losses and rolls belong to it unless
the line says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from fieldpost.definition.model import Game
from fieldpost.hexes import Hex
from validator.model import events as ev
from validator.model.events import Event, Spot
from validator.sheet.tokens import Line, Word, quote, word

_DICE = re.compile(r"([0-9]{1,2})d([0-9]{1,3})=([0-9]{1,3}(?:,[0-9]{1,3})*)")
_NUMBER = re.compile(r"[1-9][0-9]{0,2}")
LONGEST = 1000  # characters of what was said that a sheet keeps; no rule asks about them
Parts = list[str]


@dataclass
class Context:
    """What reading or writing one line needs to know of the lines before it."""

    game: Game
    sheet: str | None
    last: int = 0

    def spot(self, spot: Spot) -> str:
        return spot if isinstance(spot, str) else self.game.map.lattice.short(spot, self.sheet)

    def path(self, path: tuple[Spot, ...]) -> str:
        names = [self.spot(spot) for spot in path]
        return (">" if any("-" in name for name in names) else "-").join(names)

    def hexes(self, hexes: tuple[Hex, ...]) -> str:
        return "+".join(map(self.spot, hexes))

    def battle(self, battle: int | None, default: int | None) -> Parts:
        return [] if battle == default else ["in", "none" if battle is None else str(battle)]


# --- clauses ---------------------------------------------------------------------------------


def _battle(line: Line, default: int | None) -> int | None:
    if not line.skip("in"):
        return default
    if line.skip("none"):
        return None
    return line.number_("the number of a battle")


def _clause(line: Line, name: str, expected: str) -> str | None:
    return line.take(expected).text if line.skip(name) else None


def _dice(line: Line, word: Word) -> tuple[int, tuple[int, ...]]:
    match = _DICE.fullmatch(word.text)
    if match is None:
        raise line.error(f"{word.text!r} is no roll", word, "A roll is written 1d6=3 or 2d6=3,5.")
    count, sides, shown = int(match[1]), int(match[2]), tuple(map(int, match[3].split(",")))
    if len(shown) != count or not all(1 <= value <= sides for value in shown):
        raise line.error(f"{word.text!r} does not show {count} dice of {sides} sides", word)
    return sides, shown


def _roll(values: tuple[int, ...], sides: int) -> str:
    return f"{len(values)}d{sides}={','.join(map(str, values))}"


# --- movement --------------------------------------------------------------------------------


def read_move(mode: str | None) -> Callable[[Line, Context], list[Event]]:
    def read(line: Line, context: Context) -> list[Event]:
        units, path = line.plain_units(), line.path()
        chosen = mode if mode is not None else _clause(line, "as", "a way of moving") or ""
        battle = _battle(line, context.last if mode is not None else None)
        return [ev.Moved(units, path, chosen, battle)]

    return read


def write_move(event: ev.Moved, context: Context) -> Parts:
    mode = [] if event.mode in ("", *_BATTLE_MOVES) else ["as", word(event.mode)]
    default = context.last if event.mode in _BATTLE_MOVES else None
    return ["+".join(event.units), context.path(event.path), *mode, *context.battle(event.battle, default)]


_BATTLE_MOVES = ("retreat", "advance")


# --- counters --------------------------------------------------------------------------------


def read_step(line: Line, context: Context) -> list[Event]:
    unit = line.unit()
    word = line.take("steps such as 1>2")
    match = re.fullmatch(r"([1-9])>([1-9])", word.text)
    if match is None:
        raise line.error(
            f"{word.text!r} is no change of step", word, "It is written 1>2; 1 is full strength."
        )
    return [ev.StepChanged(unit, int(match[1]), int(match[2]), _battle(line, None))]


def write_step(event: ev.StepChanged, context: Context) -> Parts:
    return [event.unit, f"{event.old}>{event.new}", *context.battle(event.battle, None)]


def read_place(line: Line, context: Context) -> list[Event]:
    unit, spot = line.unit(), line.spot()
    step = line.number_("a step") if line.skip("step") else 1
    return [ev.Placed(unit, spot, step)]


def write_place(event: ev.Placed, context: Context) -> Parts:
    return [event.unit, context.spot(event.spot), *(["step", str(event.step)] if event.step != 1 else [])]


def read_remove(line: Line, context: Context) -> list[Event]:
    unit = line.unit()
    box = line.box() if line.skip("to") else None
    return [ev.Removed(unit, box, _battle(line, None))]


def write_remove(event: ev.Removed, context: Context) -> Parts:
    return [event.unit, *(["to", event.box] if event.box else []), *context.battle(event.battle, None)]


def read_replace(line: Line, context: Context) -> list[Event]:
    old = line.plain_units()
    if not line.skip("with"):
        raise line.error("'with' was expected after the counters that leave", hint=_REPLACE)
    word = line.take("the counters that come")
    new = tuple(_counter_step(line, word, part) for part in word.text.split("+"))
    if not line.skip("at"):
        raise line.error("'at' and a hex were expected", hint=_REPLACE)
    return [ev.Replaced(old, new, line.spot(), _clause(line, "for", "a reason") or "")]


def _counter_step(line: Line, word: Word, part: str) -> tuple[str, int]:
    unit, _, step = part.partition(":")
    if unit not in line.game.counter or not (_NUMBER.fullmatch(step) or not step):
        raise line.error(f"{part!r} is no counter, or counter and step such as PzKG-1:2", word)
    return unit, int(step or 1)


def write_replace(event: ev.Replaced, context: Context) -> Parts:
    new = "+".join(unit if step == 1 else f"{unit}:{step}" for unit, step in event.new)
    why = ["for", word(event.why)] if event.why else []
    return ["+".join(event.old), "with", new, "at", context.spot(event.spot), *why]


_REPLACE = "For example: replace 3PzK with PzKG-1+PzKG-2 at 6407 for breakdown"


# --- markers and chits -----------------------------------------------------------------------


def _on(line: Line) -> str | Hex:
    word = line.take("a unit or a hex")
    return line._unit_or_hex(word.text, word, hexes=True)


def _marker(line: Line, context: Context) -> tuple[str, int]:
    """A marker, and after a colon the face it shows."""
    word = line.take("a marker")
    marker, _, face = word.text.partition(":")
    if marker not in context.game.marker or not (_NUMBER.fullmatch(face) or not face):
        raise line.error(f"there is no marker {word.text!r}", word)
    return marker, int(face or 1)


def _face(event: ev.Marked | ev.Pointed) -> str:
    return event.marker if event.face == 1 else f"{event.marker}:{event.face}"


def read_mark(line: Line, context: Context) -> list[Event]:
    on = _on(line)
    marker, face = _marker(line, context)
    return [ev.Marked(marker, on, face)]


def write_mark(event: ev.Marked, context: Context) -> Parts:
    return [context.spot(event.on), _face(event)]


def read_set(line: Line, context: Context) -> list[Event]:
    marker, face = _marker(line, context)
    return [ev.Pointed(marker, line.box(), face)]


def write_set(event: ev.Pointed, context: Context) -> Parts:
    return [_face(event), event.box]


def read_unmark(line: Line, context: Context) -> list[Event]:
    on = _on(line)
    return [ev.Unmarked(line.choice("marker", context.game.marker), on)]


def write_unmark(event: ev.Unmarked, context: Context) -> Parts:
    return [context.spot(event.on), event.marker]


def read_draw(line: Line, context: Context) -> list[Event]:
    marker = line.choice("marker", context.game.marker)
    if not line.skip("from"):
        raise line.error(
            "'from' and a deck were expected", hint="For example: draw csm-c-1 from csm-c for 65A"
        )
    deck = line.choice("deck", [deck.id for deck in context.game.decks])
    return [ev.Drawn(marker, deck, line.unit() if line.skip("for") else None)]


def write_draw(event: ev.Drawn, context: Context) -> Parts:
    return [event.marker, "from", event.deck, *(["for", event.unit] if event.unit else [])]


def read_return(line: Line, context: Context) -> list[Event]:
    marker = line.choice("marker", context.game.marker)
    deck = line.choice("deck", [d.id for d in context.game.decks]) if line.skip("to") else None
    return [ev.Returned(marker, deck, line.unit() if line.skip("from") else None)]


def write_return(event: ev.Returned, context: Context) -> Parts:
    deck = ["to", event.deck] if event.deck else []
    return [event.marker, *deck, *(["from", event.unit] if event.unit else [])]


# --- battles ---------------------------------------------------------------------------------


def read_attack(overrun: bool) -> Callable[[Line, Context], list[Event]]:
    def read(line: Line, context: Context) -> list[Event]:
        units = line.units(hexes=True)
        if not line.skip("x"):
            raise line.error(
                "'x' and the attacked hex were expected", hint="For example: attack 3PzK+11AK x 4510"
            )
        targets = line.hexes()
        support = tuple((_clause(line, "with", "support") or "").split("+"))
        column = _clause(line, "at", "odds such as 3:1")
        number = _battle(line, context.last + 1)
        battle = context.last = context.last + 1 if number is None else number
        declared = ev.Attacked(battle, units, targets, overrun, tuple(filter(None, support)), column)  # type: ignore[arg-type]
        return [declared, *_read_outcome(line, battle)]

    return read


def _read_outcome(line: Line, battle: int) -> list[Event]:
    outcome: list[Event] = []
    if line.skip(":"):
        sides, values = _dice(line, line.take("a roll such as 1d6=3"))
        outcome.append(ev.Rolled(values, sides, "combat", None, battle))
    if line.skip("="):
        outcome.append(ev.ResultNamed(line.take("a result such as D2").text, battle))
    return outcome


def write_attack(event: ev.Attacked, context: Context) -> Parts:
    parts = ["+".join(map(context.spot, event.units)), "x", context.hexes(event.targets)]
    if event.support:
        parts += ["with", word("+".join(event.support))]
    if event.column:
        parts += ["at", word(event.column)]
    parts += context.battle(event.battle, context.last + 1)
    context.last = event.battle
    return parts


def read_roll(line: Line, context: Context) -> list[Event]:
    reason = line.take("what was rolled for")
    if _DICE.fullmatch(reason.text) and not reason.quoted:
        sides, values = _dice(line, reason)
        why = ""
    else:
        why = reason.text
        sides, values = _dice(line, line.take("a roll such as 1d6=3"))
    about = line.unit() if line.skip("for") else None
    return [ev.Rolled(values, sides, why, about, _battle(line, None))]


def write_roll(event: ev.Rolled, context: Context) -> Parts:
    why = [event.reason if re.fullmatch(r"[\w-]+", event.reason) else quote(event.reason)]
    about = ["for", event.about] if event.about else []
    roll = _roll(event.values, event.sides)
    return [*(why if event.reason else []), roll, *about, *context.battle(event.battle, None)]


def read_result(line: Line, context: Context) -> list[Event]:
    return [ev.ResultNamed(line.take("a result such as D2").text, _battle(line, context.last or None))]


def write_result(event: ev.ResultNamed, context: Context) -> Parts:
    return [word(event.result), *context.battle(event.battle, context.last or None)]


# --- words -----------------------------------------------------------------------------------


def read_declare(line: Line, context: Context) -> list[Event]:
    what = line.take("what is declared").text
    value = _clause(line, "=", "a value") or ""
    units = line.plain_units() if line.skip("for") else ()
    hexes = line.hexes() if line.skip("at") else ()
    return [ev.Declared(what, units, hexes, value)]


def write_declare(event: ev.Declared, context: Context) -> Parts:
    parts = [word(event.what)]
    if event.value:
        parts += ["=", word(event.value)]
    if event.units:
        parts += ["for", "+".join(event.units)]
    if event.hexes:
        parts += ["at", context.hexes(event.hexes)]
    return parts


def read_undone(line: Line, context: Context) -> list[Event]:
    word = line.take("steps such as 12,13")
    if not re.fullmatch(r"[0-9]{1,9}(,[0-9]{1,9})*", word.text):
        raise line.error(f"{word.text!r} is no list of steps", word)
    rolls = line.number_("how many rolls") if line.skip("with") else 0
    return [ev.Undone(tuple(map(int, word.text.split(","))), rolls)]


def write_undone(event: ev.Undone, context: Context) -> Parts:
    return [",".join(map(str, event.steps)), *(["with", str(event.rolls)] if event.rolls else [])]


def read_say(line: Line, context: Context) -> list[Event]:
    return [ev.Said(line.take("a text").text)]


def write_say(event: ev.Said, context: Context) -> Parts:
    return [quote(event.text[:LONGEST])]


def read_unread(line: Line, context: Context) -> list[Event]:
    reason = line.take("a reason").text
    return [ev.Unread(reason, line.take("a text").text if line.more else "")]


def write_unread(event: ev.Unread, context: Context) -> Parts:
    return [quote(event.reason[:LONGEST]), *([quote(event.text[:LONGEST])] if event.text else [])]
