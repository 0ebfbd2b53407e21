"""How the words after each verb of a turn sheet are read and written, a pair for each form.

A reader gets the line after the verb and returns events; a writer gives back the words after the verb.
`last` is the battle that was declared last: retreats, advances, losses and rolls belong to it unless
the line says otherwise.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from fieldpost.definition.model import Game
from fieldpost.definition.words import Vocabulary, WordList
from fieldpost.hexes import Hex
from validator.model import events as ev
from validator.model.events import Event, Spot
from validator.sheet import like
from validator.sheet.like import Like
from validator.sheet.tokens import Line, Word, as_one, meaning, quote, word

_DICE = re.compile(r"([0-9]{1,2})d([0-9]{1,3})=([0-9]{1,3}(?:,[0-9]{1,3})*)")
LONGEST = 1000  # characters of what was said that a sheet keeps; no rule asks about them
Parts = list[str]


@dataclass
class Context:
    """What reading or writing one line needs to know of the lines before it."""

    game: Game
    sheet: str | None
    last: int = 0
    active: str = ""  # the side whose phase it is
    named: Counter[tuple[str, Spot]] = field(default_factory=Counter)  # in this round, by kind and place

    @cached_property
    def words(self) -> Vocabulary:
        return Vocabulary(self.game)

    def spot(self, spot: Spot) -> str:
        return spot if isinstance(spot, str) else self.game.map.lattice.short(spot, self.sheet)

    def path(self, path: tuple[Spot, ...], *, anyhow: bool) -> str:
        names = [self.spot(spot) for spot in path]
        if anyhow:
            return "..".join(names)
        return (">" if any("-" in name for name in names) else "-").join(names)

    def hexes(self, hexes: tuple[Hex, ...]) -> str:
        return "+".join(map(self.spot, hexes))

    def battle(self, battle: int | None, default: int | None) -> Parts:
        return [] if battle == default else ["in", "none" if battle is None else str(battle)]


# --- clauses ---------------------------------------------------------------------------------


def _battle(line: Line, default: int | None) -> int | None:
    return line.after("in", lambda: _numbered(line), default)


def _numbered(line: Line) -> int | None:
    return None if line.skip("none") else line.number_("the number of a battle")


def _listed(line: Line, name: str, words: WordList, *ends: str) -> str:
    """A word of a list after the word that introduces it; empty without it."""
    return line.after(name, lambda: line.known(words, line.phrase(f"a {words.kind}", *ends)), "")


def _clause(name: str, said: str | None) -> Parts:
    """What may be left out, after the word that introduces it."""
    return [name, said] if said else []


def _named(name: str, said: str) -> Parts:
    """The same with a word of a list, which may have to stand in quotation marks."""
    return _clause(name, said and word(said))


def _units(name: str, units: tuple[str, ...]) -> Parts:
    return _clause(name, "+".join(units))


def _dice(line: Line, word: Word) -> tuple[int, tuple[int, ...]]:
    match = _DICE.fullmatch(word.text)
    if match is None:
        raise line.error(f"{word.text!r} is no roll", word, "A roll is written 1d6=3 or 2d6=3,5.")
    count, sides, shown = int(match[1]), int(match[2]), tuple(map(int, match[3].split(",")))
    if len(shown) != count or not all(1 <= value <= sides for value in shown):
        dice = "a die" if count == 1 else f"{count} dice"
        raise line.error(f"{word.text!r} does not show {dice} of {sides} sides", word)
    return sides, shown


def roll_text(values: tuple[int, ...], sides: int) -> str:
    return f"{len(values)}d{sides}={','.join(map(str, values))}"


# --- movement --------------------------------------------------------------------------------


def read_move(mode: str = "") -> Callable[[Line, Context], list[Event]]:
    def read(line: Line, context: Context) -> list[Event]:
        units, (path, anyhow) = line.like_units(), line.path()
        units = line.from_there(units, path[0])
        if mode:
            implied = not line.next_is("in")
            return [ev.Moved(units, path, mode, _battle(line, context.last), anyhow, implied)]
        chosen = _listed(line, "as", context.words.modes, "in")
        return [ev.Moved(units, path, chosen, _battle(line, None), anyhow)]

    return read


def write_move(event: ev.Moved, context: Context) -> Parts:
    units, way = "+".join(event.units), context.path(event.path, anyhow=event.dragged)
    if event.mode in _BATTLE_MOVES:
        return [units, way, *context.battle(event.battle, context.last)]
    return [units, way, *_named("as", event.mode), *context.battle(event.battle, None)]


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
    old, new = (line.step(unit, text, word) for text in match.groups())
    return [ev.StepChanged(unit, old, new, _battle(line, None))]


def write_step(event: ev.StepChanged, context: Context) -> Parts:
    return [event.unit, f"{event.old}>{event.new}", *context.battle(event.battle, None)]


def read_place(line: Line, context: Context) -> list[Event]:
    unit, spot = line.unit(), line.spot()
    return [ev.Placed(unit, spot, line.after("step", lambda: _step(line, unit), 1))]


def _step(line: Line, unit: str) -> int:
    word = line.take("a step")
    return line.step(unit, word.text, word)


def write_place(event: ev.Placed, context: Context) -> Parts:
    step = "" if event.step == 1 else str(event.step)
    return [event.unit, context.spot(event.spot), *_clause("step", step)]


def read_remove(line: Line, context: Context) -> list[Event]:
    units = like.one_by_one(line.standing(line.like_units()))
    box = line.after("to", line.box, None)
    battle = _battle(line, None)
    return [ev.Removed(unit, box, battle) for unit in units]


def write_remove(event: ev.Removed, context: Context) -> Parts:
    return [event.unit, *_clause("to", event.box), *context.battle(event.battle, None)]


def read_replace(line: Line, context: Context) -> list[Event]:
    old = line.plain_units()
    line.demand("with", "'with' was expected after the counters that leave", _REPLACE)
    word = line.take("the counters that come")
    new = tuple(_counter_step(line, word, part) for part in word.text.split("+"))
    line.demand("at", "'at' and a hex were expected", _REPLACE)
    return [ev.Replaced(old, new, line.spot(), _listed(line, "for", context.words.exchanges))]


def _counter_step(line: Line, word: Word, part: str) -> tuple[str, int]:
    name, colon, step = part.partition(":")
    unit = str(line.unit_or_hex(name, word, hexes=False))
    return unit, line.step(unit, step, line.part(word, part)) if colon else 1


def write_replace(event: ev.Replaced, context: Context) -> Parts:
    new = "+".join(unit if step == 1 else f"{unit}:{step}" for unit, step in event.new)
    spot = context.spot(event.spot)
    return ["+".join(event.old), "with", new, "at", spot, *_named("for", event.why)]


_REPLACE = "For example: replace 3PzK with PzKG-1+PzKG-2 at 6407 for breakdown"


# --- markers and chits -----------------------------------------------------------------------


def _on(line: Line) -> str | Hex:
    word = line.take("a unit or a hex")
    return line.unit_or_hex(word.text, word, hexes=True)


def _marker(line: Line, context: Context) -> tuple[str, int]:
    """A marker, and after a colon the face it shows."""
    word = line.take("a marker")
    name, colon, face = word.text.partition(":")
    marker = line.one_of(name, word, "marker", context.game.marker)
    return marker, line.face(marker, face, word) if colon else 1


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
    line.demand("from", "'from' and a deck were expected", "For example: draw csm-c-1 from csm-c for 65A")
    return [ev.Drawn(marker, _deck(line), line.after("for", line.unit, None))]


def _deck(line: Line) -> str:
    return line.choice("deck", [deck.id for deck in line.game.decks])


def write_draw(event: ev.Drawn, context: Context) -> Parts:
    return [event.marker, "from", event.deck, *_clause("for", event.unit)]


def read_return(line: Line, context: Context) -> list[Event]:
    marker = line.choice("marker", context.game.marker)
    deck = line.after("to", lambda: _deck(line), None)
    return [ev.Returned(marker, deck, line.after("from", line.unit, None))]


def write_return(event: ev.Returned, context: Context) -> Parts:
    return [event.marker, *_clause("to", event.deck), *_clause("from", event.unit)]


# --- battles ---------------------------------------------------------------------------------


def read_attack(overrun: bool) -> Callable[[Line, Context], list[Event]]:
    def read(line: Line, context: Context) -> list[Event]:
        units = line.units_there()
        context.named.clear()
        line.demand("x", "'x' and the attacked hex were expected", "For example: attack 3PzK+11AK x 4510")
        targets = line.hexes()
        support = line.after("with", lambda: _supports(line, context), ())
        column = line.after("at", lambda: _odds(line), None)
        number = _battle(line, context.last + 1)
        battle = context.last = context.last + 1 if number is None else number
        declared = ev.Attacked(battle, units, targets, overrun, support, column)  # type: ignore[arg-type]
        return [declared, *_read_outcome(line, battle, context)]

    return read


def _supports(line: Line, context: Context) -> tuple[str, ...]:
    """Words for support; also a counter that gives it, where its type has such a word."""
    said = line.phrase("a support", "at", "in", ":", "=")
    parts = [part.strip() for part in said.text.split("+") if part.strip()]
    words = context.words.supports
    return tuple(part if _supporting(context, part) else line.known(words, said, part) for part in parts)


def _supporting(context: Context, name: str) -> bool:
    counter = context.game.counter.get(name)
    if counter is None:
        return False
    kind = context.game.unit_type[counter.type]
    return any(word in (*kind.traits, *counter.traits) for word in context.words.supports.words)


def _odds(line: Line) -> str:
    word = line.take("odds such as 3:1")
    odds = Vocabulary.odds(word.text)
    if odds is None:
        line.wrong.append(line.error(f"{word.text!r} are no odds", word, "Odds are written 3:1."))
    return odds or word.text


def _read_outcome(line: Line, battle: int, context: Context) -> list[Event]:
    outcome: list[Event] = []
    if line.skip(":"):
        sides, values = _dice(line, line.take("a roll such as 1d6=3"))
        outcome.append(ev.Rolled(values, sides, "combat", None, battle))
    if line.skip("="):
        outcome.append(ev.ResultNamed(_result(line, context), battle))
    return outcome


def _result(line: Line, context: Context) -> str:
    return line.known(context.words.results, line.phrase("a result such as D2", "in"))


def write_attack(event: ev.Attacked, context: Context) -> Parts:
    parts = ["+".join(map(context.spot, event.units)), "x", context.hexes(event.targets)]
    battle = context.battle(event.battle, context.last + 1)
    context.last = event.battle
    return [*parts, *_named("with", "+".join(event.support)), *_named("at", event.column or ""), *battle]


def read_roll(line: Line, context: Context) -> list[Event]:
    why = "" if _rolls_next(line) else line.known(context.words.rolls, _reason(line))
    sides, values = _dice(line, line.take("a roll such as 1d6=3"))
    about = line.after("for", line.unit, None)
    return [ev.Rolled(values, sides, why, about, _battle(line, None))]


def _rolls_next(line: Line) -> bool:
    return "=" in line.ahead


def _reason(line: Line) -> Word:
    """`army return` is two words, and needs no quotation marks."""
    return as_one(line.several("what was rolled for", lambda: _rolls_next(line)))


def write_roll(event: ev.Rolled, context: Context) -> Parts:
    """What dice of a stranger's module say they are for tells no rule anything."""
    reason = context.words.rolls.find(event.reason)
    roll = [roll_text(event.values, event.sides), *_clause("for", event.about)]
    return [*([word(reason)] if reason else []), *roll, *context.battle(event.battle, None)]


_SHOWN = re.compile(r"[0-9]{1,3}(?:,[0-9]{1,3})*")
VOLLEY_SIDES = 12  # of dice that are written as bare numbers


def read_round(line: Line, context: Context) -> list[Event]:
    number = line.number_("the number of a round")
    context.named.clear()
    under = line.after("under", line.plain_units, ())
    battle = _battle(line, context.last)
    return [ev.RoundBegan(context.last if battle is None else battle, number, under)]


def write_round(event: ev.RoundBegan, context: Context) -> Parts:
    battle = context.battle(event.battle, context.last)
    return [str(event.number), *_units("under", event.under), *battle]


def read_fire(line: Line, context: Context) -> list[Event]:
    units = line.units_there()
    line.demand("at", "'at' and a value were expected after the units", _FIRE)
    value = line.number_("the value that hits")
    support = line.after("with", line.units_there, ())
    aimed = line.after("on", line.units_there, ())
    manner = _listed(line, "as", context.words.manners, "in", ":")
    if not manner:
        units = like.after_others(units, context.named)
    battle = _battle(line, _battle_of_fire(manner, context))
    line.demand(":", "':' and the dice were expected", _FIRE)
    sides, dice = _volley(line)
    return [ev.Fired(units, value, dice, sides, support, aimed, manner, battle)]  # type: ignore[arg-type]


def _battle_of_fire(manner: str, context: Context) -> int | None:
    """A volley in a manner of its own is of no battle unless it says so."""
    return None if manner else context.last


def _volley(line: Line) -> tuple[int, tuple[int, ...]]:
    """A roll, or the dice as bare numbers, which are dice of twelve sides."""
    first = line.take("the dice, such as 3d12=2,11,5")
    if not _SHOWN.fullmatch(first.text):
        return _dice(line, first)
    shown: list[int] = []
    for said in [first, *line.rest()]:
        faces = said.text.split(",") if _SHOWN.fullmatch(said.text) else ["0"]
        if not all(1 <= int(face) <= VOLLEY_SIDES for face in faces):
            raise line.error(f"{said.text!r} are no dice of {VOLLEY_SIDES} sides", said, _FIRE)
        shown += map(int, faces)
    return VOLLEY_SIDES, tuple(shown)


def write_fire(event: ev.Fired, context: Context) -> Parts:
    fire = ["+".join(map(context.spot, event.units)), "at", str(event.value)]
    helped = [*_units("with", event.support), *_units("on", event.aimed), *_named("as", event.manner)]
    battle = context.battle(event.battle, _battle_of_fire(event.manner, context))
    return [*fire, *helped, *battle, ":", roll_text(event.values, event.sides)]


_FIRE = "For example: fire 4610 at 5 with GeArt-1 : 3d12=2,11,5"


def read_buy(line: Line, context: Context) -> list[Event]:
    """Counters of the pool go into the box of what their side has bought."""
    word = line.peek
    boxes = {box.id for box in context.game.boxes}
    bought: list[Event] = []
    for name in line.like_units():
        side = _buyer(context, name)
        if f"{side}{BOUGHT}" not in boxes:
            raise line.error(f"{context.game.title} has no box for what {side} buys", word)
        each = like.one_by_one(line.from_there([name], f"{side}{POOL}"))
        bought += [ev.Placed(unit, f"{side}{BOUGHT}") for unit in each]
    return bought


def _buyer(context: Context, unit: str) -> str:
    """The side that a unit belongs to; of a kind that both have, the one whose phase it is."""
    if not isinstance(unit, Like):
        return context.game.unit_type[context.game.counter[unit].type].side
    sides = {each.side for each in context.game.unit_types if like.is_kind(each, unit.kind)}
    return context.active if context.active in sides else min(sides)


def write_buy(event: ev.Placed, context: Context) -> Parts:
    return [event.unit]


def is_bought(event: ev.Placed) -> bool:
    return isinstance(event.spot, str) and event.spot.endswith(BOUGHT) and event.step == 1


POOL = "-pool"  # how the box ends that holds what a side may buy
BOUGHT = "-bought"  # how the box ends that holds what a side has bought in this turn


def read_result(line: Line, context: Context) -> list[Event]:
    return [ev.ResultNamed(_result(line, context), _battle(line, context.last or None))]


def write_result(event: ev.ResultNamed, context: Context) -> Parts:
    return [word(event.result), *context.battle(event.battle, context.last or None)]


# --- words -----------------------------------------------------------------------------------


def read_declare(line: Line, context: Context) -> list[Event]:
    what = line.known(context.words.declarations, line.phrase("what is declared", "=", "for", "at"))
    value = line.after("=", lambda: _value(line, context, what), "")
    units = line.after("for", line.plain_units, ())
    hexes = line.after("at", line.hexes, ())
    return [ev.Declared(what, units, hexes, value)]


def _value(line: Line, context: Context, what: str) -> str:
    word = line.phrase("a value", "for", "at")
    value, expected, near = context.words.value(what, word.text)
    if value is None:
        hint = meaning(near) or f"Expected: {expected}."
        line.wrong.append(line.error(f"{word.text!r} is no value of {what}", word, hint))
        return word.text
    return value


def write_declare(event: ev.Declared, context: Context) -> Parts:
    about = [*_units("for", event.units), *_clause("at", context.hexes(event.hexes))]
    return [word(event.what), *_named("=", event.value), *about]


def read_undone(line: Line, context: Context) -> list[Event]:
    steps = line.numbers("steps such as 12,13", "steps", _STEPS)
    return [ev.Undone(steps, line.after("with", lambda: line.number_("how many rolls"), 0))]


def write_undone(event: ev.Undone, context: Context) -> Parts:
    rolls = str(event.rolls) if event.rolls else ""
    return [",".join(map(str, event.steps)), *_clause("with", rolls)]


_STEPS = re.compile(r"[0-9]{1,9}(,[0-9]{1,9})*")


def read_doubled(line: Line, context: Context) -> list[Event]:
    return [ev.Doubled(line.unit(), line.spot())]


def write_doubled(event: ev.Doubled, context: Context) -> Parts:
    return [event.unit, context.spot(event.spot)]


def read_other_die(line: Line, context: Context) -> list[Event]:
    battle, reason = line.number_("the number of a battle"), line.take("what was rolled for").text
    return [
        ev.OtherDie(
            battle, reason, line.numbers("what the dice showed, such as 3 or 3,5", "dice", _DICE_SHOWN)
        )
    ]


_DICE_SHOWN = re.compile(r"[0-9]{1,3}(,[0-9]{1,3}){0,99}")


def write_other_die(event: ev.OtherDie, context: Context) -> Parts:
    return [str(event.battle), quote(event.reason[:LONGEST]), ",".join(map(str, event.values))]


def read_say(line: Line, context: Context) -> list[Event]:
    return [ev.Said(line.take("a text").text)]


def write_say(event: ev.Said, context: Context) -> Parts:
    return [quote(event.text[:LONGEST])]


def read_unknown(line: Line, context: Context) -> list[Event]:
    text = line.take("a text").text
    return [ev.NotUnderstood(text, line.after("near", lambda: line.take("a word").text, ""))]


def write_unknown(event: ev.NotUnderstood, context: Context) -> Parts:
    return [quote(event.text[:LONGEST]), *_named("near", event.nearest)]


def read_unread(line: Line, context: Context) -> list[Event]:
    reason = line.take("a reason").text
    return [ev.Unread(reason, line.take("a text").text if line.more else "")]


def write_unread(event: ev.Unread, context: Context) -> Parts:
    return [quote(event.reason[:LONGEST]), *([quote(event.text[:LONGEST])] if event.text else [])]
