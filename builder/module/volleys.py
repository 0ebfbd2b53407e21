"""Dice of games in which every unit throws its own: a key on the units of a stack fires them all.

A unit fires at its attack, or at its defense if it is marked as attacked, with what players add to it; the
engine throws the die, and the chat tells unit, value and die. Every die of the phase leaves a
word in a property:

    ;4da:2:5,   battle 4, a die of the first side, in round 2, at 5
    ;4ha:2:5,   it hit
    ;4xb:       battle 4, a unit of the second side is eliminated

From these words the battle plate, the battle board and the button Count tell what has fallen. Headquarters
order the rounds of a battle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from builder.module import battle, cups, keys
from builder.module.keys import Command, Tool
from builder.module.vocabulary import Vocabulary
from fieldpost.definition.model import Game, UnitType
from fieldpost.vassal import making
from fieldpost.vassal.keys import KeyStroke, ctrl, ctrl_shift, named
from fieldpost.vassal.pieces import TraitText

Traits = tuple[TraitText, ...]

LOG = "VolleyLog"
LETTERS = ("a", "b")  # of the sides, in their order
DIE, HIT, LOST = "d", "h", "x"
ROUND, ROUND_OF, ORDERED_BY = "Round", "RoundOf", "RoundUnder"
BONUS, VALUE, ONE, TWO = "FireBonus", "FireValue", "FireOne", "FireTwo"
ROUND_NUMBER, ROUND_BATTLE = named("fpRoundNumber"), named("fpRoundBattle")
FALLEN = named("fpFallen")  # tells the battle board that there is something new
ROUND_WORD = "round"
COUNT = Tool("Count", None, "tell how many dice of this round hit, by value")
NEXT_ROUND = Tool(
    "Round",
    ctrl_shift("R"),
    "begin a round of the battle, under the headquarters named",
)
BOARD_MAP = "Battle board"
_ON_THE_BOARD = f"COUNTER|true|MAP|{BOARD_MAP}||||0|0||false|||EQUALS"
HIGHEST = 16  # no value of a die of twelve goes further, whatever is added
MORE = Command("+1", ctrl("J"), "fires at one more")
LESS = Command("-1", ctrl_shift("J"), "fires at one less")
ORDER = Command(
    "Orders the round", ctrl("H"), "orders the next round of the battle", said="orders the next round"
)
_ROUND_FIGURE = 'BattleRole=="target"?Defense:Attack'
_AIR_FIGURE = 'BattleRole=="target"?AirDefense:AirAttack'


class Manner(NamedTuple):
    """A way of firing: its key, at which figure, with what die; and in a round some throw two.

    `word` stands for it where a round has its number.
    """

    command: Command
    figure: str
    word: str = ""
    sides: int = 12
    twice: bool = False


_COMMANDS = {
    ROUND_WORD: Manner(
        Command("Fire", ctrl("W"), "throws its dice in a round of battle"), _ROUND_FIGURE, twice=True
    ),
    "anti-air": Manner(Command("Anti-air", ctrl_shift("G"), "throws its die at a plane"), "1", "g", 10),
    "salvo": Manner(Command("Salvo", ctrl_shift("W"), "fires alone at a hex beside it"), "Attack", "s"),
    "interception": Manner(
        Command("Interception", ctrl_shift("I"), "throws its die in an air battle of one round"),
        _AIR_FIGURE,
        "i",
    ),
    "air": Manner(Command("Air battle", ctrl_shift("E"), "throws its die at planes"), _AIR_FIGURE, "w"),
}


def manners(unit_type: UnitType) -> tuple[str, ...]:
    """What the type's value `volleys` lists; units without attack and defense fire at nothing."""
    if "attack" not in unit_type.factors:
        return ()
    return (ROUND_WORD, *str(unit_type.values.get("volleys", "")).split())


def of(unit_type: UnitType, words: Vocabulary) -> list[str]:
    """The prototypes by which a unit fires, or orders rounds."""
    if not words.volleys:
        return []
    if "leadership" in unit_type.factors:
        return [_name(("orders",))]
    return [_name(found)] if (found := manners(unit_type)) else []


def _name(found: tuple[str, ...]) -> str:
    return f"Fires {' '.join(found)}"


def facts(unit_type: UnitType, words: Vocabulary) -> dict[str, str]:
    """Figures that only volleys ask for."""
    if not words.volleys:
        return {}
    names = {"Dice": "dice", "AirAttack": "air-attack", "AirDefense": "air-defense"}
    return {name: str(unit_type.values.get(value, 0)) for name, value in names.items()}


def prototypes(game: Game, words: Vocabulary) -> dict[str, Traits]:
    if not words.volleys:
        return {}
    found = dict.fromkeys(kinds for unit_type in game.unit_types if (kinds := manners(unit_type)))
    first = game.sides[0].id
    return {_name(("orders",)): _orders(), **{_name(kinds): _fires(kinds, first) for kinds in found}}


def fire(manner: str = ROUND_WORD) -> Command:
    return _COMMANDS[manner].command


def commands(words: Vocabulary) -> Iterator[Command]:
    """For the help page."""
    if words.volleys:
        yield from (_COMMANDS[name].command for name in (ROUND_WORD, *words.manners))
        yield from (MORE, LESS, ORDER)


def _orders() -> Traits:
    told = '{PlayerName+": "+UnitId+" orders the next round"}'
    named_too = making.set_to("{" + ORDERED_BY + '+" "+UnitId}')
    return (
        making.report([ORDER.key], told),
        making.submenu("Rounds", [ORDER.text]),
        _global(ORDERED_BY, [making.command(ORDER.text, ORDER.key, named_too)]),
    )


def _fires(kinds: tuple[str, ...], first: str) -> Traits:
    """Reports come last, whatever they enclose; of the rest the outer acts first.

    `first` is the side whose dice are told first.
    """
    ways = {name: _COMMANDS[name] for name in kinds}
    second = 'Dice==2 && BattleRole!="target"?Random(12):0'
    return (
        *(making.report([way.command.key], _told(name, way)) for name, way in ways.items()),
        making.submenu("Fire", [*(w.command.text for w in ways.values()), MORE.text, LESS.text]),
        making.dynamic(
            BONUS,
            "0",
            [
                making.command(MORE.text, MORE.key, making.set_to("{" + f"{BONUS}+1" + "}")),
                making.command(LESS.text, LESS.key, making.set_to("{" + f"{BONUS}-1" + "}")),
                making.command("", keys.CLEAR_BATTLE, making.set_to("0")),
            ],
        ),
        _dynamic(VALUE, {w: f"({w.figure})+{BONUS}" for w in ways.values()}),
        _dynamic(ONE, {w: f"Random({w.sides})" for w in ways.values()}),
        _dynamic(TWO, {w: second if w.twice else "0" for w in ways.values()}),
        _global(
            LOG,
            [
                *(making.command("", w.command.key, making.set_to(_kept(w, first))) for w in ways.values()),
                making.command("", keys.ELIMINATE.key, making.set_to(_left(first))),
            ],
        ),
        *(_tell_board(key) for key in (*(way.command.key for way in ways.values()), keys.ELIMINATE.key)),
    )


def _tell_board(key: KeyStroke) -> TraitText:
    """Inside what the key changes, so that it comes after."""
    return making.trait(
        "globalkey;", key=key, sent_key=FALLEN, filter=f'{{Kind=="{battle.KIND}"}}', target=_ON_THE_BOARD
    )


# --- what has fallen ----------------------------------------------------------------------------------------


def _letter(first: str) -> str:
    return f'(Side=="{first}"?"{LETTERS[0]}":"{LETTERS[1]}")'


def _kept(way: Manner, first: str) -> str:
    """The words of the dice that a unit has thrown."""
    when = f'"{way.word}"' if way.word else f"({ROUND_OF}==Battle?{ROUND}:0)"
    at = f'{_letter(first)}+":"+{when}+":"+{VALUE}+","'

    def words(die: str) -> str:
        return f'";"+Battle+"{DIE}"+{at}+({die}<={VALUE}?";"+Battle+"{HIT}"+{at}:"")'

    second = f'+({TWO}>0?{words(TWO)}:"")' if way.twice else ""
    return "{" + f"{LOG}+{words(ONE)}{second}" + "}"


def _left(first: str) -> str:
    return "{" + f'{LOG}+";"+Battle+"{LOST}"+{_letter(first)}+":"' + "}"


def number(what: str, letter: str, rest: str = '""', battle: str = "Battle") -> str:
    """How many words there are of a battle, a side, and what an expression says of round and value.

    Each grows by a letter: VASSAL knows calls of methods, but no field such as the length of an array.
    """
    word = f'";"+{battle}+"{what}{letter}:"+{rest}'
    return f'({LOG}.replace({word},{word}+"~").length()-{LOG}.length())'


def plate(game: Game) -> str:
    """What the battle plate shows: its battle, the round, and the hits of each side in it."""
    names = [side.name.split()[0] for side in game.sides]
    hits = [number(HIT, letter, f'{ROUND}+":"', "TargetBattle") for letter in LETTERS]
    told = f'"  round "+{ROUND}+"  {names[0]} "+{hits[0]}+" : "+{hits[1]}+" {names[1]}"'
    return f'Place==""?"":"#"+TargetBattle+({ROUND_OF}==TargetBattle?{told}:"")'


def _told(name: str, way: Manner) -> str:
    dice = f'{ONE}+({TWO}>0?","+{TWO}:"")'
    manner = "" if name == ROUND_WORD else f"{name} "
    machine = (
        f'" [fp] fire {manner}"+UnitId+" at "+{VALUE}+" "+({TWO}>0?2:1)+"d{way.sides}="+{dice}+" #"+Battle'
    )
    said = "fires" if name == ROUND_WORD else f"fires ({name})"
    return f'{{PlayerName+": "+UnitId+" {said} at "+{VALUE}+": "+{dice}+{machine}}}'


def _dynamic(name: str, values: Mapping[Manner, str]) -> TraitText:
    return making.dynamic(
        name,
        "0",
        [
            making.command(
                w.command.text if name == VALUE else "", w.command.key, making.set_to("{" + v + "}")
            )
            for w, v in values.items()
        ],
    )


def _global(name: str, changes: list[str]) -> TraitText:
    return making.set_global(name, changes, level=cups.ANY_LEVEL, constraints=making.constraints(None, None))


def counted() -> str:
    """What the button Count tells: for each value at which dice fell in this round, how many hit."""
    now = f"({ROUND_OF}==Battle?{ROUND}:0)"
    parts = ""
    for value in range(1, HIGHEST):
        at = f'{now}+":{value},"'
        hits, dice = ("+".join(number(what, letter, at) for letter in LETTERS) for what in (HIT, DIE))
        parts += f'+({dice}>0?", at {value}: "+({hits})+" of "+({dice}):"")'
    return f'{{PlayerName+" counts hits"+({LOG}==""?": no dice":""){parts}}}'


def begun() -> str:
    """What the button Round tells."""
    number = f"({ROUND_OF}==Battle?{ROUND}+1:1)"
    machine = f'" [fp] round "+{number}+{ORDERED_BY}+" #"+Battle'
    return f'{{PlayerName+" begins round "+{number}+{ORDERED_BY}+{machine}}}'
