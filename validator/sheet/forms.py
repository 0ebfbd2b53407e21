"""How the words after each verb of a turn sheet are read and written, a pair for each form.

A reader gets the line after the verb and returns events; a writer gives back the words after the verb.
`last` is the battle that was declared last: retreats, advances, losses and rolls belong to it unless
the line says otherwise.
"""

from __future__ import annotations

import re
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
from validator.sheet.tokens import Line, Word, quote, word

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
    named: dict[tuple[str, Spot], int] = field(default_factory=dict)  # in this round, by kind and place

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
    if not line.skip("in"):
        return default
    if line.skip("none"):
        return None
    return line.number_("the number of a battle")


def _clause(line: Line, name: str, words: WordList, *ends: str) -> str | None:
    """A word of a list after the word that introduces it."""
    return line.known(words, line.phrase(f"a {words.kind}", *ends)) if line.skip(name) else None


def _dice(line: Line, word: Word) -> tuple[int, tuple[int, ...]]:
    match = _DICE.fullmatch(word.text)
    if match is None:
        raise line.error(f"{word.text!r} is no roll", word, "A roll is written 1d6=3 or 2d6=3,5.")
    count, sides, shown = int(match[1]), int(match[2]), tuple(map(int, match[3].split(",")))
    if len(shown) != count or not all(1 <= value <= sides for value in shown):
        dice = "a die" if count == 1 else f"{count} dice"
        raise line.error(f"{word.text!r} does not show {dice} of {sides} sides", word)
    return sides, shown


def _roll(values: tuple[int, ...], sides: int) -> str:
    return f"{len(values)}d{sides}={','.join(map(str, values))}"


# --- movement --------------------------------------------------------------------------------


def read_move(mode: str | None) -> Callable[[Line, Context], list[Event]]:
    def read(line: Line, context: Context) -> list[Event]:
        units, (path, anyhow) = line.like_units(), line.path()
        units = line.from_there(units, path[0])
        chosen = mode if mode is not None else _clause(line, "as", context.words.modes, "in") or ""
        battle = _battle(line, context.last if mode is not None else None)
        return [ev.Moved(units, path, chosen, battle, anyhow)]

    return read


def write_move(event: ev.Moved, context: Context) -> Parts:
    mode = [] if event.mode in ("", *_BATTLE_MOVES) else ["as", word(event.mode)]
    default = context.last if event.mode in _BATTLE_MOVES else None
    way = context.path(event.path, anyhow=event.dragged)
    return ["+".join(event.units), way, *mode, *context.battle(event.battle, default)]


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
    step = line.take("a step") if line.skip("step") else None
    return [ev.Placed(unit, spot, line.step(unit, step.text, step) if step else 1)]


def write_place(event: ev.Placed, context: Context) -> Parts:
    return [event.unit, context.spot(event.spot), *(["step", str(event.step)] if event.step != 1 else [])]


def read_remove(line: Line, context: Context) -> list[Event]:
    units = like.one_by_one(line.standing(line.like_units()))
    box = line.box() if line.skip("to") else None
    battle = _battle(line, None)
    return [ev.Removed(unit, box, battle) for unit in units]


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
    return [ev.Replaced(old, new, line.spot(), _clause(line, "for", context.words.exchanges) or "")]


def _counter_step(line: Line, word: Word, part: str) -> tuple[str, int]:
    name, colon, step = part.partition(":")
    unit = str(line.unit_or_hex(name, word, hexes=False))
    return unit, line.step(unit, step, line.part(word, part)) if colon else 1


def write_replace(event: ev.Replaced, context: Context) -> Parts:
    new = "+".join(unit if step == 1 else f"{unit}:{step}" for unit, step in event.new)
    why = ["for", word(event.why)] if event.why else []
    return ["+".join(event.old), "with", new, "at", context.spot(event.spot), *why]


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
        units = line.standing(line.units(hexes=True))
        context.named.clear()
        if not line.skip("x"):
            raise line.error(
                "'x' and the attacked hex were expected", hint="For example: attack 3PzK+11AK x 4510"
            )
        targets = line.hexes()
        support = _supports(line, context) if line.skip("with") else ()
        column = _odds(line) if line.skip("at") else None
        number = _battle(line, context.last + 1)
        battle = context.last = context.last + 1 if number is None else number
        declared = ev.Attacked(battle, units, targets, overrun, support, column)  # type: ignore[arg-type]
        return [declared, *_read_outcome(line, battle, context)]

    return read


def _supports(line: Line, context: Context) -> tuple[str, ...]:
    """Words for support; also a counter that gives it, where its type bears such a word."""
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
    if event.support:
        parts += ["with", word("+".join(event.support))]
    if event.column:
        parts += ["at", word(event.column)]
    parts += context.battle(event.battle, context.last + 1)
    context.last = event.battle
    return parts


def read_roll(line: Line, context: Context) -> list[Event]:
    why = "" if _rolls_next(line) else line.known(context.words.rolls, _reason(line))
    sides, values = _dice(line, line.take("a roll such as 1d6=3"))
    about = line.unit() if line.skip("for") else None
    return [ev.Rolled(values, sides, why, about, _battle(line, None))]


def _rolls_next(line: Line) -> bool:
    return line.more and not line.words[line.at].quoted and "=" in line.words[line.at].text


def _reason(line: Line) -> Word:
    """`army return` is two words, and needs no quotation marks."""
    first = line.take("what was rolled for")
    words = [first]
    while line.more and not first.quoted and not _rolls_next(line):
        words.append(line.take("a roll such as 1d6=3"))
    return Word(" ".join(word.text for word in words), first.column, first.quoted)


def write_roll(event: ev.Rolled, context: Context) -> Parts:
    """What dice of a stranger's module say they are for tells no rule anything."""
    known = context.words.rolls.find(event.reason)
    about = ["for", event.about] if event.about else []
    roll = _roll(event.values, event.sides)
    return [*([word(known)] if known else []), roll, *about, *context.battle(event.battle, None)]


_SHOWN = re.compile(r"[0-9]{1,3}(?:,[0-9]{1,3})*")
VOLLEY_SIDES = 12  # of dice that are written as bare numbers


def read_round(line: Line, context: Context) -> list[Event]:
    number = line.number_("the number of a round")
    context.named.clear()
    under = line.plain_units() if line.skip("under") else ()
    battle = _battle(line, context.last)
    return [ev.RoundBegan(context.last if battle is None else battle, number, under)]


def write_round(event: ev.RoundBegan, context: Context) -> Parts:
    under = ["under", "+".join(event.under)] if event.under else []
    return [str(event.number), *under, *context.battle(event.battle, context.last)]


def read_fire(line: Line, context: Context) -> list[Event]:
    units = line.standing(line.units(hexes=True))
    if not line.skip("at"):
        raise line.error("'at' and a value were expected after the units", hint=_FIRE)
    value = line.number_("the value that hits")
    support = line.standing(line.units(hexes=True)) if line.skip("with") else ()
    aimed = line.standing(line.units(hexes=True)) if line.skip("on") else ()
    manner = _clause(line, "as", context.words.manners, "in", ":") or ""
    units = units if manner else like.after_others(units, context.named)
    battle = _battle(line, None if manner else context.last)
    if not line.skip(":"):
        raise line.error("':' and the dice were expected", hint=_FIRE)
    sides, dice = _volley(line)
    return [ev.Fired(units, value, dice, sides, support, aimed, manner, battle)]  # type: ignore[arg-type]


def _volley(line: Line) -> tuple[int, tuple[int, ...]]:
    """A roll, or the dice as bare numbers, which are dice of twelve sides."""
    first = line.take("the dice, such as 3d12=2,11,5")
    if not _SHOWN.fullmatch(first.text):
        return _dice(line, first)
    words = [first]
    while line.more:
        words.append(line.take("a die"))
    shown: list[int] = []
    for said in words:
        faces = said.text.split(",") if _SHOWN.fullmatch(said.text) else ["0"]
        if not all(1 <= int(face) <= VOLLEY_SIDES for face in faces):
            raise line.error(f"{said.text!r} are no dice of {VOLLEY_SIDES} sides", said, _FIRE)
        shown += map(int, faces)
    return VOLLEY_SIDES, tuple(shown)


def write_fire(event: ev.Fired, context: Context) -> Parts:
    support = ["with", "+".join(event.support)] if event.support else []
    aimed = ["on", "+".join(event.aimed)] if event.aimed else []
    manner = ["as", word(event.manner)] if event.manner else []
    battle = context.battle(event.battle, None if event.manner else context.last)
    said = ["+".join(map(context.spot, event.units)), "at", str(event.value), *support, *aimed, *manner]
    return [*said, *battle, ":", _roll(event.values, event.sides)]


_FIRE = "For example: fire 4610 at 5 with GeArt-1 : 3d12=2,11,5"


def read_buy(line: Line, context: Context) -> list[Event]:
    """Counters of the pool go into the box of what their side has bought."""
    word = line.words[line.at] if line.more else None
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
    value = _value(line, context, what) if line.skip("=") else ""
    units = line.plain_units() if line.skip("for") else ()
    hexes = line.hexes() if line.skip("at") else ()
    return [ev.Declared(what, units, hexes, value)]


def _value(line: Line, context: Context, what: str) -> str:
    word = line.phrase("a value", "for", "at")
    value, expected, near = context.words.value(what, word.text)
    if value is None:
        hint = f"Did you mean {near!r}?" if near else f"Expected: {expected}."
        line.wrong.append(line.error(f"{word.text!r} is no value of {what}", word, hint))
    return word.text if value is None else value


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


def read_doubled(line: Line, context: Context) -> list[Event]:
    return [ev.Doubled(line.unit(), line.spot())]


def write_doubled(event: ev.Doubled, context: Context) -> Parts:
    return [event.unit, context.spot(event.spot)]


def read_other_die(line: Line, context: Context) -> list[Event]:
    battle, reason = line.number_("the number of a battle"), line.take("what was rolled for").text
    shown = line.take("what the dice showed, such as 3 or 3,5")
    if not re.fullmatch(r"[0-9]{1,3}(,[0-9]{1,3}){0,99}", shown.text):
        raise line.error(f"{shown.text!r} is no list of dice", shown)
    return [ev.OtherDie(battle, reason, tuple(map(int, shown.text.split(","))))]


def write_other_die(event: ev.OtherDie, context: Context) -> Parts:
    return [str(event.battle), quote(event.reason[:LONGEST]), ",".join(map(str, event.values))]


def read_say(line: Line, context: Context) -> list[Event]:
    return [ev.Said(line.take("a text").text)]


def write_say(event: ev.Said, context: Context) -> Parts:
    return [quote(event.text[:LONGEST])]


def read_unknown(line: Line, context: Context) -> list[Event]:
    text = line.take("a text").text
    return [ev.NotUnderstood(text, line.take("a word").text if line.skip("near") else "")]


def write_unknown(event: ev.NotUnderstood, context: Context) -> Parts:
    near = ["near", word(event.nearest)] if event.nearest else []
    return [quote(event.text[:LONGEST]), *near]


def read_unread(line: Line, context: Context) -> list[Event]:
    reason = line.take("a reason").text
    return [ev.Unread(reason, line.take("a text").text if line.more else "")]


def write_unread(event: ev.Unread, context: Context) -> Parts:
    return [quote(event.reason[:LONGEST]), *([quote(event.text[:LONGEST])] if event.text else [])]
