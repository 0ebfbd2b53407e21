"""The verbs of a turn sheet: one row each, with how it is read and how it is written.

A reader gets the line after the verb and returns events; a writer gives back the words after the verb.
`last` is the battle that was declared last: retreats, advances, losses and rolls belong to it unless
the line says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fieldpost.definition.model import Game
from fieldpost.hexes import Hex
from validator import events as ev
from validator.events import Event, Spot
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


@dataclass(frozen=True)
class Verb:
    name: str
    event: type[Event]
    read: Callable[[Line, Context], list[Event]]
    write: Callable[[Any, Context], Parts]
    owns: Callable[[Any], bool] = lambda event: True
    form: str = ""
    example: str = ""
    meaning: str = ""


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


def _read_move(mode: str | None) -> Callable[[Line, Context], list[Event]]:
    def read(line: Line, context: Context) -> list[Event]:
        units, path = line.plain_units(), line.path()
        chosen = mode if mode is not None else _clause(line, "as", "a way of moving") or ""
        battle = _battle(line, context.last if mode is not None else None)
        return [ev.Moved(units, path, chosen, battle)]

    return read


def _write_move(event: ev.Moved, context: Context) -> Parts:
    mode = [] if event.mode in ("", *_BATTLE_MOVES) else ["as", word(event.mode)]
    default = context.last if event.mode in _BATTLE_MOVES else None
    return ["+".join(event.units), context.path(event.path), *mode, *context.battle(event.battle, default)]


_BATTLE_MOVES = ("retreat", "advance")


# --- counters --------------------------------------------------------------------------------


def _read_step(line: Line, context: Context) -> list[Event]:
    unit = line.unit()
    word = line.take("steps such as 1>2")
    match = re.fullmatch(r"([1-9])>([1-9])", word.text)
    if match is None:
        raise line.error(
            f"{word.text!r} is no change of step", word, "It is written 1>2; 1 is full strength."
        )
    return [ev.StepChanged(unit, int(match[1]), int(match[2]), _battle(line, None))]


def _write_step(event: ev.StepChanged, context: Context) -> Parts:
    return [event.unit, f"{event.old}>{event.new}", *context.battle(event.battle, None)]


def _read_place(line: Line, context: Context) -> list[Event]:
    unit, spot = line.unit(), line.spot()
    step = line.number_("a step") if line.skip("step") else 1
    return [ev.Placed(unit, spot, step)]


def _write_place(event: ev.Placed, context: Context) -> Parts:
    return [event.unit, context.spot(event.spot), *(["step", str(event.step)] if event.step != 1 else [])]


def _read_remove(line: Line, context: Context) -> list[Event]:
    unit = line.unit()
    box = line.box() if line.skip("to") else None
    return [ev.Removed(unit, box, _battle(line, None))]


def _write_remove(event: ev.Removed, context: Context) -> Parts:
    return [event.unit, *(["to", event.box] if event.box else []), *context.battle(event.battle, None)]


def _read_replace(line: Line, context: Context) -> list[Event]:
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


def _write_replace(event: ev.Replaced, context: Context) -> Parts:
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


def _read_mark(line: Line, context: Context) -> list[Event]:
    on = _on(line)
    marker, face = _marker(line, context)
    return [ev.Marked(marker, on, face)]


def _read_set(line: Line, context: Context) -> list[Event]:
    marker, face = _marker(line, context)
    return [ev.Pointed(marker, line.box(), face)]


def _read_unmark(line: Line, context: Context) -> list[Event]:
    on = _on(line)
    return [ev.Unmarked(line.choice("marker", context.game.marker), on)]


def _read_draw(line: Line, context: Context) -> list[Event]:
    marker = line.choice("marker", context.game.marker)
    if not line.skip("from"):
        raise line.error(
            "'from' and a deck were expected", hint="For example: draw csm-c-1 from csm-c for 65A"
        )
    deck = line.choice("deck", [deck.id for deck in context.game.decks])
    return [ev.Drawn(marker, deck, line.unit() if line.skip("for") else None)]


def _write_draw(event: ev.Drawn, context: Context) -> Parts:
    return [event.marker, "from", event.deck, *(["for", event.unit] if event.unit else [])]


def _read_return(line: Line, context: Context) -> list[Event]:
    marker = line.choice("marker", context.game.marker)
    deck = line.choice("deck", [d.id for d in context.game.decks]) if line.skip("to") else None
    return [ev.Returned(marker, deck, line.unit() if line.skip("from") else None)]


def _write_return(event: ev.Returned, context: Context) -> Parts:
    deck = ["to", event.deck] if event.deck else []
    return [event.marker, *deck, *(["from", event.unit] if event.unit else [])]


# --- battles ---------------------------------------------------------------------------------


def _read_attack(overrun: bool) -> Callable[[Line, Context], list[Event]]:
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


def _write_attack(event: ev.Attacked, context: Context) -> Parts:
    parts = ["+".join(map(context.spot, event.units)), "x", context.hexes(event.targets)]
    if event.support:
        parts += ["with", word("+".join(event.support))]
    if event.column:
        parts += ["at", word(event.column)]
    parts += context.battle(event.battle, context.last + 1)
    context.last = event.battle
    return parts


def _read_roll(line: Line, context: Context) -> list[Event]:
    reason = line.take("what was rolled for")
    if _DICE.fullmatch(reason.text) and not reason.quoted:
        sides, values = _dice(line, reason)
        why = ""
    else:
        why = reason.text
        sides, values = _dice(line, line.take("a roll such as 1d6=3"))
    about = line.unit() if line.skip("for") else None
    return [ev.Rolled(values, sides, why, about, _battle(line, None))]


def _write_roll(event: ev.Rolled, context: Context) -> Parts:
    why = [event.reason if re.fullmatch(r"[\w-]+", event.reason) else quote(event.reason)]
    about = ["for", event.about] if event.about else []
    roll = _roll(event.values, event.sides)
    return [*(why if event.reason else []), roll, *about, *context.battle(event.battle, None)]


def _read_result(line: Line, context: Context) -> list[Event]:
    return [ev.ResultNamed(line.take("a result such as D2").text, _battle(line, context.last or None))]


def _write_result(event: ev.ResultNamed, context: Context) -> Parts:
    return [word(event.result), *context.battle(event.battle, context.last or None)]


# --- words -----------------------------------------------------------------------------------


def _read_declare(line: Line, context: Context) -> list[Event]:
    what = line.take("what is declared").text
    value = _clause(line, "=", "a value") or ""
    units = line.plain_units() if line.skip("for") else ()
    hexes = line.hexes() if line.skip("at") else ()
    return [ev.Declared(what, units, hexes, value)]


def _write_declare(event: ev.Declared, context: Context) -> Parts:
    parts = [word(event.what)]
    if event.value:
        parts += ["=", word(event.value)]
    if event.units:
        parts += ["for", "+".join(event.units)]
    if event.hexes:
        parts += ["at", context.hexes(event.hexes)]
    return parts


def _read_undone(line: Line, context: Context) -> list[Event]:
    word = line.take("steps such as 12,13")
    if not re.fullmatch(r"[0-9]{1,9}(,[0-9]{1,9})*", word.text):
        raise line.error(f"{word.text!r} is no list of steps", word)
    rolls = line.number_("how many rolls") if line.skip("with") else 0
    return [ev.Undone(tuple(map(int, word.text.split(","))), rolls)]


def _write_undone(event: ev.Undone, context: Context) -> Parts:
    return [",".join(map(str, event.steps)), *(["with", str(event.rolls)] if event.rolls else [])]


def _read_say(line: Line, context: Context) -> list[Event]:
    return [ev.Said(line.take("a text").text)]


def _read_unread(line: Line, context: Context) -> list[Event]:
    reason = line.take("a reason").text
    return [ev.Unread(reason, line.take("a text").text if line.more else "")]


def _write_unread(event: ev.Unread, context: Context) -> Parts:
    return [quote(event.reason[:LONGEST]), *([quote(event.text[:LONGEST])] if event.text else [])]


VERBS: tuple[Verb, ...] = (
    Verb("retreat", ev.Moved, _read_move("retreat"), _write_move, lambda e: e.mode == "retreat",
         "UNITS PATH [in BATTLE]", "retreat 65A 4510-4410-4309", "retreat after combat"),
    Verb("advance", ev.Moved, _read_move("advance"), _write_move, lambda e: e.mode == "advance",
         "UNITS PATH [in BATTLE]", "advance 3PzK 4610-4510", "advance after combat"),
    Verb("move", ev.Moved, _read_move(None), _write_move,
         form="UNITS PATH [as MODE] [in BATTLE]", example="move 57PzK+PzKG-1 5317-5216-5115 as march",
         meaning="any other move; a mode is `march`, `strategic`, `sea` ..."),
    Verb("step", ev.StepChanged, _read_step, _write_step,
         form="UNIT OLD>NEW [in BATTLE]", example="step 11AK 1>2 in 3",
         meaning="steps lost or got back; 1 is full strength"),
    Verb("place", ev.Placed, _read_place, _write_place,
         form="UNIT HEX|BOX [step N]", example="place InfKG-2 5317 step 2",
         meaning="a unit comes onto the map or into a box"),
    Verb("remove", ev.Removed, _read_remove, _write_remove,
         form="UNIT [to BOX] [in BATTLE]", example="remove Ru6AK in 3",
         meaning="a unit leaves the map for a box, or the game"),
    Verb("replace", ev.Replaced, _read_replace, _write_replace,
         form="UNITS with UNITS at HEX [for WHY]", example="replace 11AK with InfKG-2:2 at 4611",
         meaning="counters give way to others; after a colon the step"),
    Verb("mark", ev.Marked, _read_mark, lambda e, c: [c.spot(e.on), _face(e)],
         form="UNIT|HEX MARKER[:FACE]", example="mark 8AK out-of-supply:2",
         meaning="a marker is put, or turned to a face"),
    Verb("unmark", ev.Unmarked, _read_unmark, lambda e, c: [c.spot(e.on), e.marker],
         form="UNIT|HEX MARKER", example="unmark 8AK out-of-supply", meaning="a marker is taken off"),
    Verb("set", ev.Pointed, _read_set, lambda e, c: [_face(e), e.box],
         form="MARKER[:FACE] BOX", example="set weather turn-24",
         meaning="a marker is put into a box beside the map, such as a track"),
    Verb("draw", ev.Drawn, _read_draw, _write_draw,
         form="MARKER from DECK [for UNIT]", example="draw csm-c-4-6 from csm-c for 65A",
         meaning="a chit is drawn"),
    Verb("return", ev.Returned, _read_return, _write_return,
         form="MARKER [to DECK] [from UNIT]", example="return csm-c-4-6 to csm-c from 65A",
         meaning="a chit goes back into its deck, or without `to` out of the game"),
    Verb("overrun", ev.Attacked, _read_attack(True), _write_attack, lambda e: e.overrun,
         "UNITS|HEXES x HEXES [with SUPPORT] [at ODDS] [in BATTLE] [: ROLL] [= RESULT]",
         "overrun 3PzK x 6406 : 1d6=5 = D2", "an overrun, with its die and result"),
    Verb("attack", ev.Attacked, _read_attack(False), _write_attack,
         form="UNITS|HEXES x HEXES [with SUPPORT] [at ODDS] [in BATTLE] [: ROLL] [= RESULT]",
         example="attack 4610+4611 x 4510 with air at 3:1 : 1d6=3 = D2",
         meaning="an attack; a hex stands for all units in it"),
    Verb("roll", ev.Rolled, _read_roll, _write_roll,
         form="[REASON] ROLL [for UNIT] [in BATTLE]", example="roll attrition 1d6=4 for 8AK",
         meaning="dice for anything"),
    Verb("result", ev.ResultNamed, _read_result, _write_result,
         form="RESULT [in BATTLE]", example="result 1/2 in 4", meaning="the result, named later"),
    Verb("declare", ev.Declared, _read_declare, _write_declare,
         form="WHAT [= VALUE] [for UNITS] [at HEXES]", example="declare victory-points = 55",
         meaning="anything else that is declared"),
    Verb("undone", ev.Undone, _read_undone, _write_undone,
         form="STEP,STEP... [with ROLLS]", example="undone 12,13 with 1",
         meaning="steps of a log that were taken back, and how many rolls among them"),
    Verb("say", ev.Said, _read_say, lambda e, c: [quote(e.text[:LONGEST])],
         form='"TEXT"', example='say "a fine morning"', meaning="a line of chat"),
    Verb("unread", ev.Unread, _read_unread, _write_unread,
         form='"REASON" ["TEXT"]', example='unread "a piece that is none of the game\'s was moved"',
         meaning="something in a log that no rule can be asked about"),
)  # fmt: skip
"""In the order they are tried for an event: of two verbs for one event, the narrower comes first."""
