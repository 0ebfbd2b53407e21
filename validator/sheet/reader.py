"""Turn sheets read: text to events, or a clear error with line, column and caret."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from fieldpost.definition.model import Game, Scenario
from fieldpost.definition.places import UnknownGame
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex
from validator.model.events import Attacked, Event, Fired, Moved, Origin, PhaseBegan, Placed, Removed
from validator.model.position import Position, Unit
from validator.sheet import closing
from validator.sheet.encoding import FILLED, visible
from validator.sheet.forms import Context
from validator.sheet.like import Like, chosen
from validator.sheet.opening import Opening, read_given, read_position
from validator.sheet.tokens import Line, SheetError, SheetErrors, however_spelled, nearest
from validator.sheet.verbs import BY_NAME
from validator.sheet.written import NAMES, Written, lines_of, meant_verb, verb_of

MAX_LINE = 4000
TOO_LONG = "the line is too long for a turn sheet"
IN_REMARK = "an action stands behind # and would not be judged"
IN_REMARK_HINT = "Put it on a line of its own; or, if it is a remark, say it in other words."
_REMARK = re.compile(r'^(?:[^"#]|"[^"]*")*(#.*)$')
_WORDS = re.compile(r"[^\s#]+")
NO_ACTION = "this line begins with no verb and is no remark"
NO_ACTION_HINT = "Put # before a remark; words that close a mail stand below an empty line."


@dataclass
class Sheet:
    game: Game
    scenario: Scenario
    options: dict[str, str] = field(default_factory=dict)
    opening: Opening = field(default_factory=Opening)
    events: list[Event] = field(default_factory=list)
    lines: tuple[Written, ...] = ()  # those that were read as the turn
    below: tuple[Written, ...] = ()  # those that close the mail the sheet came in


def read(
    text: str,
    load: Callable[[str], Game],
    source: str = "sheet",
    last_battle: Callable[[Sheet], int] = lambda sheet: 0,
) -> Sheet:
    """A whole turn sheet. `load` gives the game that the first line names.

    `last_battle` gives the number of the last battle before a sheet that begins with the end of a file.
    """
    return read_lines(lines_of(text), load, source, last_battle)


def read_lines(
    lines: Sequence[Written],
    load: Callable[[str], Game],
    source: str = "sheet",
    last_battle: Callable[[Sheet], int] = lambda sheet: 0,
    *,
    mailed: bool = False,
) -> Sheet:
    """The same of lines. A sheet that was `mailed` may have closing words below it."""
    filled = [line for line in lines if FILLED.match(line.text)]
    if not filled:
        raise FieldpostError(
            f"{source} holds no turn", "The first line is, for example: game wfm turning-point"
        )
    for written in filled:
        if len(written.text) > MAX_LINE:
            shown = written.text[:60] + " ..."
            raise SheetError(source, written.number, 1, shown, TOO_LONG, None)
    sheet = _heading(source, filled[0].number, filled[0].text, load)
    ends = closing.begins(filled, sheet.game) if mailed else len(filled)
    sheet.lines, sheet.below = tuple(filled[:ends]), tuple(filled[ends:])
    context = Context(sheet.game, sheet.scenario.sheet)
    wrong: list[SheetError] = []
    for written in sheet.lines[1:]:
        line = Line(source, written.number, written.text, sheet.game, context.sheet)
        try:
            if mailed:
                _refuse_lost(sheet, source, written)
            _read_line(sheet, context, line)
            if line.words[0].text.lower() == "position":
                context.last = last_battle(sheet)
        except SheetError as error:
            line.wrong.append(error)
        wrong += line.wrong
    if wrong:
        raise wrong[0] if len(wrong) == 1 else SheetErrors(wrong)
    return sheet


def _refuse_lost(sheet: Sheet, source: str, written: Written) -> None:
    """A line of a mail that is neither an action nor a remark, or a remark that ends in a whole action."""
    if not _may_be_shown(written.text):
        raise SheetError(source, written.number, 1, "", NO_ACTION, NO_ACTION_HINT)
    remark = _REMARK.search(written.text)
    if remark is None or not written.text[: remark.start(1)].strip():
        return
    for word in _WORDS.finditer(remark[1]):
        if word[0].lower() in NAMES and _is_action(sheet, remark[1][word.start() :]):
            column = remark.start(1) + word.start() + 1
            raise SheetError(source, written.number, column, written.text, IN_REMARK, IN_REMARK_HINT)


def _is_action(sheet: Sheet, text: str) -> bool:
    """Whether a text is a whole line of a turn."""
    scratch = Sheet(sheet.game, sheet.scenario)
    line = Line("", 0, text, sheet.game, sheet.scenario.sheet)
    try:
        _read_line(scratch, Context(sheet.game, sheet.scenario.sheet), line)
    except FieldpostError:
        return False
    return not line.wrong


def _may_be_shown(line: str) -> bool:
    """Whether a line is an action or a slip of one; an error repeats no other words of a mail."""
    return (verb_of(line) or meant_verb(line)) is not None or any(letter.isdigit() for letter in line)


def _heading(source: str, number: int, text: str, load: Callable[[str], Game]) -> Sheet:
    spans = [*re.finditer(r"\S+", text.split("#")[0])]
    words = [visible(span[0]) for span in spans]
    if len(words) not in (2, 3) or words[0].lower() != "game":
        hint = "A turn begins with such a line: game wfm turning-point"
        raise SheetError(source, number, 1, text, "the first line names the game and the scenario", hint)
    try:
        game = _game(words[1], load)
    except UnknownGame as error:
        if Path(error.name.lower()) != Path(words[1].lower()):  # it was named elsewhere
            raise
        column = spans[1].start() + 1
        raise SheetError(source, number, column, text, error.message, error.hint) from error
    if len(words) == 2:
        message, hint = "the first line names the scenario too", f"Scenarios: {', '.join(game.scenario)}."
        raise SheetError(source, number, len(text) + 1, text, message, hint)
    scenario = game.scenario.get(however_spelled(words[2], game.scenario) or "")
    if scenario is None:
        message = f"{words[1]} has no scenario {words[2]!r}"
        raise SheetError(source, number, spans[2].start() + 1, text, message, _scenarios(words[2], game))
    return Sheet(game, scenario)


def _scenarios(text: str, game: Game) -> str:
    return nearest(text, game.scenario) or f"Scenarios: {', '.join(game.scenario)}."


def _game(name: str, load: Callable[[str], Game]) -> Game:
    """As it is written, for it may be a folder; or else with small letters."""
    try:
        return load(name)
    except FieldpostError:
        if name == name.lower():
            raise
    return load(name.lower())


def _read_line(sheet: Sheet, context: Context, line: Line) -> None:
    word = line.take("a verb")
    verb = word.text.lower()
    if verb in HEADS:
        HEADS[verb](sheet, context, line)
    elif verb in BY_NAME:
        _add(sheet, line, BY_NAME[verb].read(line, context))
    else:
        raise line.error(f"there is no verb {word.text!r}", word, nearest(word.text, [*BY_NAME, *HEADS]))
    line.end()


def _add(sheet: Sheet, line: Line, events: list[Event]) -> None:
    origin = Origin(line.source, line.number)
    sheet.events += [event.at(origin) for event in events]


# --- lines that begin with no verb ---------------------------------------------------------------


def _turn(sheet: Sheet, context: Context, line: Line) -> None:
    number = line.number_("the number of a turn")
    if number not in line.game.turn:
        raise line.error(f"the game has no turn {number}", line.words[line.at - 1])
    said, phases = line.phrase("a phase"), {phase.id: phase for phase in line.game.sequence}
    phase = phases[line.one_of(said.text, said, "phase", phases)]
    _add(sheet, line, [PhaseBegan(number, phase.id)])
    context.active = phase.active
    context.named.clear()


def _second_game(sheet: Sheet, context: Context, line: Line) -> None:
    hint = "Save each turn sheet as a file of its own."
    raise line.error("a second turn sheet begins here", line.words[0], hint)


def _position(sheet: Sheet, context: Context, line: Line) -> None:
    _refuse_late(sheet, line)
    read_position(sheet.opening, line)


def _given(sheet: Sheet, context: Context, line: Line) -> None:
    _refuse_late(sheet, line)
    read_given(sheet.opening, line, context)


def _refuse_late(sheet: Sheet, line: Line) -> None:
    if sheet.events:
        word = line.words[0]
        raise line.error(f"{word.text.lower()!r} stands before the first turn", word)


def _option(sheet: Sheet, context: Context, line: Line) -> None:
    options = {option.id: option for option in sheet.game.options}
    name = line.choice("option", options)
    sheet.options[name] = line.choice("choice", options[name].choices)


HEADS: dict[str, Callable[[Sheet, Context, Line], None]] = {
    "turn": _turn, "option": _option, "position": _position, "given": _given, "game": _second_game,
}  # fmt: skip


# --- units that are not named --------------------------------------------------------------------


def expand(event: Event, position: Position) -> Event:
    """Hexes that stand for the units in them, and numbers of like units, become the units' names."""
    if isinstance(event, Attacked):
        return replace(event, units=_in_hexes(event.units, position, partial(_attackers, position.game)))
    if isinstance(event, Fired):
        aimed, support = _in_hexes(event.aimed, position), _in_hexes(event.support, position)
        return replace(event, units=_in_hexes(event.units, position), support=support, aimed=aimed)
    if isinstance(event, Moved) and any(isinstance(unit, Like) for unit in event.units):
        return replace(event, units=chosen(event.units, position))
    if isinstance(event, Removed | Placed) and isinstance(event.unit, Like):
        return replace(event, unit=chosen((event.unit,), position)[0])
    return event


def _everyone(units: list[Unit]) -> list[Unit]:
    return units


def _attackers(game: Game, units: list[Unit]) -> list[Unit]:
    """Those of a hex that can attack at all; everyone where nobody can."""
    combat = game.rules.combat if game.rules else None
    if combat is not None:
        return [unit for unit in units if combat.attack in unit.type.factors] or units
    return [unit for unit in units if _can_attack(unit)] or units


def _can_attack(unit: Unit) -> bool:
    """Its counter shows an attack other than 0, or none, or its dice tell it."""
    shown = dict(zip(unit.type.factors, "".join(unit.counter.steps[:1]).split("-"), strict=False))
    weak = shown.get("attack") == "0" and "attack-dice" not in unit.type.values
    return not (weak or unit.has("never-attacks"))


def _in_hexes(
    units: tuple[str, ...], position: Position, those: Callable[[list[Unit]], list[Unit]] = _everyone
) -> tuple[str, ...]:
    """Names, with those of the units in a hex in place of it."""
    named: list[str] = []
    for unit in chosen(units, position):
        named += [u.id for u in those(list(position.at(unit)))] if isinstance(unit, Hex) else [unit]
    return tuple(named)
