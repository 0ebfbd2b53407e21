"""Every key of a module: what it does, on what, and what it writes in the chat.

One table; pieces, toolbar and the keyboard help are made from it.
"""

from __future__ import annotations

from typing import NamedTuple

from fieldpost.vassal.keys import ALT, CTRL, SHIFT, KeyStroke, alt, ctrl, ctrl_shift, key, named


class Command(NamedTuple):
    """A menu entry of a piece and its key. The chat tells what is `said`; `report` is of the log protocol."""

    text: str
    key: KeyStroke
    help: str
    report: str = ""
    said: str = ""

    def told(self, name: str = "$UnitId$") -> str:
        """The line of the chat: who, what, and for the referee the machine part, last."""
        machine = f" [fp] {self.report}" if self.report else ""
        return f"$PlayerName$: {name} {self.said}{machine}"


HERE = "$UnitId$ @$LocationName$"
BATTLE = "#$Battle$"

ATTACK = Command(
    "Attack", ctrl("A"), "takes part in the attack of this battle", f"attack {HERE} {BATTLE}", "attacks"
)
OVERRUN = Command(
    "Overrun",
    ctrl("O"),
    "takes part in the overrun of this battle",
    f"overrun {HERE} {BATTLE}",
    "attacks on the move",
)
TARGET = Command(
    "Is attacked",
    ctrl("X"),
    "stands in the hex that is attacked",
    f"target {HERE} {BATTLE}",
    "and its hex are attacked",
)
SUPPORT = Command(
    "Support", ctrl("U"), "supports this battle", f"support $SupportKind$ {HERE} {BATTLE}", "lends support"
)
NO_BATTLE = Command("Out of the battle", ctrl_shift("A"), "takes its battle mark off")

LOSE_STEP = Command(
    "Lose a step", ctrl("L"), "turns to its next weaker side", said="loses a step, now step $Step_Level$"
)
GAIN_STEP = Command(
    "Recover a step",
    ctrl_shift("L"),
    "turns back to its stronger side",
    said="recovers a step, now step $Step_Level$",
)
TURN = Command(
    "Next hexside", ctrl("Q"), "turns clockwise to the next hexside", said="lies on hexside $Side_Facing$"
)
TURN_BACK = Command(
    "Hexside before",
    ctrl_shift("Q"),
    "turns back to the hexside before",
    said="lies on hexside $Side_Facing$",
)
RANGE = Command("Show range", ctrl_shift("J"), "shows how far it reaches, or no longer")
FLIP = Command("Turn over", ctrl("F"), "shows its other side", said="is turned over, now side $Face_Level$")
MOVED = Command("Moved", ctrl("M"), "is marked as moved, or no longer")
TRAIL = Command("Trail", ctrl("T"), "shows or hides where it has moved")
ELIMINATE = Command("Eliminate", ctrl("E"), "goes to the eliminated units", said="is eliminated")
DELETE = Command("Delete", ctrl("D"), "leaves the game without a trace", said="is deleted")
CLONE = Command("Copy", ctrl("C"), "is there twice", said="is copied")
RETURN = Command(
    "Back to the cup", ctrl("R"), "goes back into its cup, its front up", said="goes back into its cup"
)

TAKE_OUT = Command(
    "Out of the game", ctrl("R"), "goes to the box of those that never come back", said="is out of the game"
)
CONCEAL = Command("Conceal", ctrl("K"), "shows the other side its back only")
REVEAL = Command("Reveal", ctrl_shift("U"), "shows its face again, and the chat says so")
DRAW = Command("Draw a chit", ctrl("G"), "draws a chit from its cup and lies down on it", said="draws a chit")

SEND_ME, FETCH, FETCHED, ON_TOP = named("fpMe"), named("fpFetch"), named("fpFetched"), named("fpOnTop")
REST = named("fpRest")
FRONT, HOME = named("fpFront"), named("fpHome")  # of a chit: its front up; into its cup
ODDS = named("fpOdds")
TARGETED = named("fpTargeted")
CARRY, ARRIVED = (
    named("fpCarry"),
    named("fpArrived"),
)  # a unit that moved fetches its chit; any piece that moved
PHASE = named("fpPhase")  # a phase begins: marks of battles and moves go
PHASE_BATTLE, PHASE_MODE, PHASE_PLATE = named("fpPhaseBattle"), named("fpPhaseMode"), named("fpPhasePlate")
PLATE_REST = named("fpPlateRest")
SUPPLY_OFF, SUPPLY_ON = named("fpSupplyOff"), named("fpSupplyOn")
CLEAR_ALL = named("fpClearAll")
CLEAR_BATTLE = named("fpClearBattle")
CLEAR_MODE = named("fpClearMode")
CLEAR_SUPPLY = named("fpClearSupply")

MARCH = Command("March", alt("M"), "moves in the ordinary way")
_MODE_KEYS = {
    "strategic": "S", "sea": "W", "rail": "R", "forced": "F", "drop": "P", "complex-bombing": "X",
    "interception": "Q", "exploitation": "J", "non-combat": "V", "fly-home": "U", "base-change": "Y",
}  # fmt: skip
_SUPPLY_KEYS = "1234567"

KEEPING = (LOSE_STEP, GAIN_STEP, FLIP, TURN, TURN_BACK, RANGE, MOVED, TRAIL, ELIMINATE, DELETE, CLONE)
PIECE_COMMANDS = (ATTACK, OVERRUN, TARGET, SUPPORT, NO_BATTLE, *KEEPING, DRAW, RETURN, CONCEAL, REVEAL)


class Tool(NamedTuple):
    """A button of the toolbar."""

    text: str
    key: KeyStroke | None
    tip: str


NEW_BATTLE = Tool(
    "New battle", key("N", CTRL + SHIFT), "open the next battle: declare attackers and target, roll"
)
FORMER_BATTLE = Tool(
    "Battle before",
    key("P", CTRL + SHIFT),
    "go back to the battle declared before: name its target again, then roll",
)
CLEAR_MARKS = Tool(
    "Clear marks", key("K", CTRL + SHIFT), "take moved, battle and movement marks off every unit"
)
ADD_UP = Tool("Odds", key("B", CTRL + SHIFT), "add up the battle again, after a step lost or a chit drawn")
SUPPLY_SHOW = Tool("Show supply", key("S", CTRL + SHIFT), "show the supply status of every unit")
SUPPLY_HIDE = Tool("Hide supply", key("H", CTRL + SHIFT), "hide the supply status of every unit")
NEXT_PHASE = Tool("Next phase", KeyStroke(ord("N"), ALT), "go on to the next phase")


UNDO, STEP = key("Z", CTRL), KeyStroke(34)  # of the game's own buttons: Ctrl+Z, Page down

TOOLS = (NEW_BATTLE, ADD_UP, NEXT_PHASE, CLEAR_MARKS, SUPPLY_SHOW, SUPPLY_HIDE)
_F1 = 112


def die(number: int) -> KeyStroke | None:
    """The key of the dice for the n-th reason, counted from 0: Ctrl+1, Ctrl+2 ..."""
    return KeyStroke(ord("1") + number, CTRL) if number < 9 else None


def result(number: int) -> KeyStroke | None:
    """The key that names the n-th result: Ctrl+F1 to Ctrl+F12, then with Shift."""
    return KeyStroke(_F1 + number % 12, CTRL + SHIFT * (number // 12)) if number < 24 else None


def rolled(reason: str) -> KeyStroke:
    """Tells the battle plate that a die has fallen."""
    return named(f"fpRolled-{reason}")


def throw(reason: str) -> KeyStroke:
    """Rolls the die of a battle, by way of the button that tells the plate afterwards."""
    return named(f"fpThrow-{reason}")


def overrun(called: str) -> Command:
    """As the rules of the game call it."""
    return OVERRUN._replace(
        text=called.capitalize(),
        help=f"takes part in the {called} of this battle",
        said=f"takes part in the {called}",
    )


def mode(name: str) -> Command:
    """The declaration of a way of moving."""
    letter = _MODE_KEYS.get(name, name[0].upper())
    return Command(
        f"{name.capitalize()} move",
        alt(letter),
        f"moves by {name} movement",
        f"mode {name} {HERE}",
        f"is to move by {name} movement",
    )


def supply(name: str, index: int) -> Command:
    text = name.replace("-", " ").capitalize()
    return Command(
        text,
        alt(_SUPPLY_KEYS[index]),
        f"is marked: {text.lower()}",
        f"supply {name} {HERE}",
        f"is {text.lower()}",
    )


def supplied() -> Command:
    return Command("In supply", alt("0"), "is in supply", f"supply supplied {HERE}", "is in supply")


# One line for every declaration, for a trait of its own for each would make pieces long and slow to load.
DECLARED = f"$PlayerName$: $UnitId$ declares $Declared$ [fp] declare $Declared$ {HERE}"


def declare(verb: str, number: int) -> Command:
    """A declaration without a key of its own: it is chosen from the menu."""
    text = verb.replace("-", " ").capitalize()
    return Command(text, named(f"fpDeclare{number}"), text.lower(), f"declare {verb} {HERE}", text.lower())
