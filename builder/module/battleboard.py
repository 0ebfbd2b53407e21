"""The battle board of games in which every unit throws its own dice: a window that tells of a battle.

First fire, each round, the dice of this round by value, units lost and hits still to be taken, side by side.
Nothing is moved there: one piece has the table as its label, worked out of the words that the dice of the
phase have left (`volleys`).
"""

from __future__ import annotations

from PIL import Image, ImageDraw

from builder.fonts import font
from builder.module import battle, keys, volleys
from builder.module.volleys import DIE, HIT, LETTERS, LOST, ROUND, ROUND_OF, number
from fieldpost.definition.model import Game
from fieldpost.vassal import making
from fieldpost.vassal.pieces import PieceDesign

NAME = volleys.BOARD_MAP
TIP = "Rounds, dice that hit and hits to be taken of the battle in hand"
IMAGE = "battle-board.png"
SIZE = (560, 760)
PLACE = (SIZE[0] // 2, 70)  # the upper edge of the table
_ROUNDS = 9  # as many headquarters may order in a turn
_NOW = f"({ROUND_OF}==Battle?{ROUND}:0)"
_FIRST_FIRE = (("g", "Anti-air"), ("s", "Salvo"), ("i", "Interception"), ("w", "Air battle"))
_FOOT = (
    "Fire (Ctrl+W) and the other ways of firing add their dice, Eliminate (Ctrl+E) the units.",
    "A level of a fortification takes a hit too: count it yourselves. A new phase begins anew.",
)


def draw() -> Image.Image:
    image = Image.new("RGB", SIZE, "#efe8d8")
    pen = ImageDraw.Draw(image)
    pen.rectangle((10, 10, SIZE[0] - 11, SIZE[1] - 11), outline="#8c7d5d", width=2)
    pen.text((SIZE[0] // 2, 48), "Battle board", font=font("serif-bold", 28), fill="#2d2a26", anchor="ms")
    for line, text in enumerate(_FOOT):
        place = SIZE[0] // 2, SIZE[1] - 44 + 20 * line
        pen.text(place, text, font=font("sans", 13), fill="#6d665c", anchor="ms")
    return image


def design(game: Game) -> PieceDesign:
    """A piece that nobody can move. Each key changes its state, so that the window is painted anew."""
    events = (keys.ODDS, keys.TARGETED, volleys.FALLEN)
    seen = [making.command("", key, making.set_to("{" + f"{volleys.LOG}.length()" + "}")) for key in events]
    return PieceDesign(
        NAME,
        "",
        (
            making.dynamic("Seen", "0", seen),
            making.calculated("Table", "{" + table(game) + "}"),
            making.immobile(select="n", movement="V", stacking="R"),
            making.label(
                "$Table$",
                size=13,
                foreground=(45, 42, 38),
                v_pos="c",
                v_just="t",
                h_pos="c",
                h_just="c",
                name_format="$pieceName$ $label$",
                font="SansSerif",
            ),
            making.marker({"Kind": battle.KIND}),
        ),
        "",
    )


def table(game: Game) -> str:
    """The expression of the table, in HTML."""
    names = [side.name for side in game.sides]
    rows = [
        _line('"<b>Battle "+Battle+"</b>"', *(f'"<b>{name}</b>"' for name in names)),
        *(_row(f'"{title}"', f'"{word}:"') for word, title in _FIRST_FIRE),
        _row('"Before a round"', '"0:"'),
        *(_row(f'"Round {n}"', f'"{n}:"') for n in range(1, _ROUNDS + 1)),
        f'({_NOW}>0?{_line(_heading(), *("",) * 2)}:"")',
        *(_row(f'"at {value}"', f'{_NOW}+":{value},"') for value in range(1, volleys.HIGHEST)),
        _line('"Hits suffered"', *(number(HIT, opponent) for opponent in reversed(LETTERS))),
        _line('"Units lost"', *(number(LOST, letter) for letter in LETTERS)),
        _line('"<b>Still to be taken</b>"', *map(_left, LETTERS, reversed(LETTERS))),
    ]
    return '"<html><table width=480 cellpadding=3>"+' + "+".join(rows) + '+"</table>"'


def _heading() -> str:
    return f'"<i>Dice of round "+{_NOW}+"</i>"'


def _line(title: str, *cells: str) -> str:
    """A line of the table; title and cells are expressions."""
    told = "".join(f'+"<td align=center>"+{cell or chr(34) * 2}+"</td>"' for cell in cells)
    return f'"<tr><td>"+{title}{told}+"</tr>"'


def _row(title: str, rest: str) -> str:
    """Which dice hit; nothing where none fell."""
    dice = [number(DIE, letter, rest) for letter in LETTERS]
    hits = [number(HIT, letter, rest) for letter in LETTERS]
    cells = [f'({fell}>0?{hit}+" of "+{fell}:"")' for hit, fell in zip(hits, dice, strict=True)]
    return f'({"+".join(dice)}>0?{_line(title, *cells)}:"")'


def _left(letter: str, opponent: str) -> str:
    """Hits by the other side, less units lost."""
    left = f"({number(HIT, opponent)}-{number(LOST, letter)})"
    return f'"<b>"+({left}>0?{left}:0)+"</b>"'
