"""Every key of a module: what it does, on what, and what it writes in the chat.

One table; pieces, toolbar and the keyboard help are made from it.
"""

from __future__ import annotations

from typing import NamedTuple

from fieldpost.vassal.keys import ALT, CTRL, SHIFT, KeyStroke, alt, ctrl, ctrl_shift, key, named


class Command(NamedTuple):
    """A menu entry of a piece and its key. `report` is a line of the log protocol."""

    text: str
    key: KeyStroke
    help: str
    report: str = ""


HERE = "$UnitId$ @$LocationName$"
BATTLE = "#$Battle$"

ATTACK = Command("Attack", ctrl("A"), "takes part in the attack of this battle", f"attack {HERE} {BATTLE}")
OVERRUN = Command(
    "Overrun", ctrl("O"), "takes part in the overrun of this battle", f"overrun {HERE} {BATTLE}"
)
TARGET = Command("Is attacked", ctrl("X"), "stands in the hex that is attacked", f"target {HERE} {BATTLE}")
SUPPORT = Command("Support", ctrl("U"), "supports this battle", f"support $SupportKind$ {HERE} {BATTLE}")
NO_BATTLE = Command("Out of the battle", ctrl_shift("A"), "takes its battle mark off")

LOSE_STEP = Command("Lose a step", ctrl("L"), "turns to its next weaker side")
GAIN_STEP = Command("Recover a step", ctrl_shift("L"), "turns back to its stronger side")
FLIP = Command("Turn over", ctrl("F"), "shows its other side")
MOVED = Command("Moved", ctrl("M"), "is marked as moved, or no longer")
TRAIL = Command("Trail", ctrl("T"), "shows or hides where it has moved")
ELIMINATE = Command("Eliminate", ctrl("E"), "goes to the eliminated units")
DELETE = Command("Delete", ctrl("D"), "leaves the game without a trace")
CLONE = Command("Copy", ctrl("C"), "is there twice")
RETURN = Command("Back to the cup", ctrl("R"), "goes back into its cup, its front up")

TAKE_OUT = Command("Out of the game", ctrl("R"), "goes to the box of those that never come back")
CONCEAL = Command("Conceal", ctrl("K"), "shows the other side its back only")
REVEAL = Command("Reveal", ctrl_shift("U"), "shows its face again, and the chat says so")
DRAW = Command("Draw a chit", ctrl("G"), "draws a chit from its cup and lies down on it")

SEND_ME, FETCH, FETCHED, ON_TOP = named("fpMe"), named("fpFetch"), named("fpFetched"), named("fpOnTop")
REST = named("fpRest")
FRONT, HOME = named("fpFront"), named("fpHome")  # of a chit: its front up; into its cup
ODDS = named("fpOdds")
TARGETED = named("fpTargeted")
CLEAR_ALL = named("fpClearAll")
CLEAR_BATTLE = named("fpClearBattle")
CLEAR_MODE = named("fpClearMode")
CLEAR_SUPPLY = named("fpClearSupply")

MARCH = Command("March", alt("M"), "moves in the ordinary way")
_MODE_KEYS = {"strategic": "S", "sea": "W", "rail": "R", "forced": "F", "drop": "P"}
_SUPPLY_KEYS = "1234567"

KEEPING = (LOSE_STEP, GAIN_STEP, FLIP, MOVED, TRAIL, ELIMINATE, DELETE, CLONE)
PIECE_COMMANDS = (ATTACK, OVERRUN, TARGET, SUPPORT, NO_BATTLE, *KEEPING, DRAW, RETURN, CONCEAL, REVEAL)


class Tool(NamedTuple):
    """A button of the toolbar."""

    text: str
    key: KeyStroke | None
    tip: str


NEW_BATTLE = Tool(
    "New battle", key("N", CTRL + SHIFT), "open the next battle: declare attackers and target, roll"
)
CLEAR_MARKS = Tool(
    "Clear marks", key("K", CTRL + SHIFT), "take moved, battle and movement marks off every unit"
)
ADD_UP = Tool("Odds", key("B", CTRL + SHIFT), "add up the battle again, after a step lost or a chit drawn")
SUPPLY_SHOW = Tool("Supply", key("S", CTRL + SHIFT), "show or hide the supply status of every unit")
NEXT_PHASE = Tool("Next phase", KeyStroke(ord("N"), ALT), "go on to the next phase")


TOOLS = (NEW_BATTLE, ADD_UP, NEXT_PHASE, CLEAR_MARKS, SUPPLY_SHOW)


def overrun(called: str) -> Command:
    """As the rules of the game call it."""
    return OVERRUN._replace(text=called.capitalize(), help=f"takes part in the {called} of this battle")


def mode(name: str) -> Command:
    """The declaration of a way of moving."""
    letter = _MODE_KEYS.get(name, name[0].upper())
    return Command(
        f"{name.capitalize()} move", alt(letter), f"moves by {name} movement", f"mode {name} {HERE}"
    )


def supply(name: str, index: int) -> Command:
    text = name.replace("-", " ").capitalize()
    return Command(text, alt(_SUPPLY_KEYS[index]), f"is marked: {text.lower()}", f"supply {name} {HERE}")


def supplied() -> Command:
    return Command("In supply", alt("0"), "is in supply", f"supply supplied {HERE}")


def declare(verb: str, number: int) -> Command:
    """A declaration without a key of its own: it is chosen from the menu."""
    text = verb.replace("-", " ").capitalize()
    return Command(text, named(f"fpDeclare{number}"), text.lower(), f"declare {verb} {HERE}")
