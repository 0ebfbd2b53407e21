"""The battle plate: one piece a module, which goes to the attacked hex and tells odds and result.

Declaring an attacker or a target sends it a key; it then works the battle out and writes the sum on itself,
so that the log holds it, and into the global property `BattleOdds`, so that the dice can tell it. A die
that falls sends it another; it then looks the result up and tells it.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from builder.module import keys, odds
from builder.module.battle_sums import BattleSums
from fieldpost.vassal import making
from fieldpost.vassal.keys import KeyStroke
from fieldpost.vassal.pieces import PieceDesign, TraitText

KIND = "battle"
NAME = "Battle"
IMAGE = "battle-plate.png"
ODDS_PROPERTY = "BattleOdds"
ROLLED_PROPERTY = "RolledBattle"  # the last battle that has its die: what is declared next opens another
ROLLS = ("combat", "overrun")  # dice that belong to a battle
_SCALE = 4
_TARGET = '{BattleRole == "target" && BattleNumber == Battle}'
_TELL = (keys.ODDS, keys.TARGETED)
PLATE = (216, 24)
_GRIP = (
    (-1, -1),
    (1, -1),
    (1, 1),
    (-1, 1),
)  # all of it that a click meets: units under the plate can be selected


def die_name(reason: str) -> str:
    """Of the dice button of a battle, whose result the engine keeps as a property."""
    return f"Die{reason.capitalize()}"


def up_px(counter_px: int) -> int:
    """How far above the middle of its hex the plate lies."""
    return counter_px // 2


def design(
    sums: BattleSums,
    counter_px: int,
    gpid: str,
    rest: str | None,
    reasons: Sequence[str],
    board: str = "",
) -> PieceDesign:
    """`rest`: the box where it waits for a battle; `reasons`: the dice of this game that belong to one.

    `board`: what it shows in a game whose battles have rounds, in place of odds.
    """
    map_name = sums.map_name
    traits = [
        making.shape(_GRIP),
        *(_report(reason) for reason in reasons),
        _send(map_name, counter_px),
        *([_send_to_rest(map_name, rest)] if rest is not None else []),
        _set("TargetBattle", "0", (keys.TARGETED,), "{Battle}"),
        _set("Place", "", _TELL, '{TargetBattle==Battle?LocationName:""}', (keys.PLATE_REST, "")),
        *(_set(name, "0", _TELL, text) for name, text in sums.steps()),
        *_fallen(sums, reasons, board),
        _set_global(ODDS_PROPERTY, [(key, "{" + _TOLD + "}") for key in _TELL] + [(keys.PLATE_REST, "")]),
        _set_global(
            ROLLED_PROPERTY, [(key, "{Battle}") for key in (*map(keys.rolled, reasons), keys.PLATE_REST)]
        ),
        making.trait("globalhotkey;", key=keys.CLEAR_ALL, sent_key=keys.CLEAR_MARKS.key),
        making.immobile(select="g", stacking="R"),
        _label(),
        *sums.traits(),
        making.marker({"Kind": KIND, "PieceLayer": "marker", "Label": "", **odds.nothing()}),
    ]
    return PieceDesign(NAME, IMAGE, tuple(traits), gpid)


_SUM = 'AttackSum+":"+Counted+(Odds==""?"":" = "+Odds)'
_TOLD = f'"#"+Battle+" "+{_SUM}+Why'
_DIE = '(DieShift==0?"":", die "+(DieShift>0?"+":"")+DieShift)'
_SHOWN = f'"#"+Battle+"  "+{_SUM}+{_DIE}'


def _fallen(sums: BattleSums, reasons: Sequence[str], board: str) -> list[TraitText]:
    """What the table says of a die that has fallen, kept and shown; and what shows before and after."""
    dice = [(keys.rolled(reason), f"{die_name(reason)}_result") for reason in reasons]
    results = [(key, "{" + sums.result(die) + "}") for key, die in dice]
    known = f'{_SHOWN}+(PlateResult==""?"":"  "+PlateResult)'
    shown = [(key, f'{{TargetBattle==Battle?{known}:"#"+Battle}}') for key, _ in dice]
    return [
        making.dynamic("PlateResult", "", [_command(key, text) for key, text in results]),
        _set_global("Result", [(key, "{PlateResult}") for key, _ in dice]),
        making.calculated("Shown", "{" + board + "}")
        if board
        else _set("Shown", "", _TELL, "{" + _SHOWN + "}", (keys.PLATE_REST, ""), *shown),
    ]


def _report(reason: str) -> TraitText:
    """The result by the chart; no line where there are no odds to look it up with."""
    told = 'PlayerName+": by the chart "+PlateResult+" ("+AttackSum+":"+Counted+" = "+Odds+Why+")"'
    line = f'{{PlateResult==""?"":{told}+" [fp] result "+PlateResult+" #"+Battle+" chart"}}'
    return making.report([keys.rolled(reason)], line)


def _send(map_name: str, counter_px: int) -> TraitText:
    """To the target of the battle, at the upper edge of its hex."""
    return making.trait(
        "sendto;",
        key=keys.TARGETED,
        map=map_name,
        destination="A",
        counter_filter=_TARGET,
        index_y="1",
        offset_y=str(-up_px(counter_px)),
    )


def _send_to_rest(map_name: str, box: str) -> TraitText:
    return making.trait("sendto;", key=keys.PLATE_REST, map=map_name, destination="Z", zone=box)


def _set(
    name: str, first: str, on: Sequence[KeyStroke], value: str, *others: tuple[KeyStroke, str]
) -> TraitText:
    commands = [(key, value) for key in on] + list(others)
    return making.dynamic(name, first, [_command(key, text) for key, text in commands])


def _set_global(name: str, commands: Sequence[tuple[KeyStroke, str]]) -> TraitText:
    return making.set_global(
        name,
        [_command(key, text) for key, text in commands],
        level="M",
        constraints=making.constraints(None, None),
    )


def _command(key: KeyStroke, value: str) -> str:
    return making.command("", key, making.set_to(value))


def _label() -> TraitText:
    return making.label(
        "$Shown$",
        size=12,
        style=1,
        foreground=(255, 255, 255),
        v_pos="c",
        v_just="c",
        h_pos="c",
        h_just="c",
        name_format="$pieceName$ $label$",
        font="SansSerif",
    )


def plate() -> Image.Image:
    width, height = PLATE[0] * _SCALE, PLATE[1] * _SCALE
    image = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    ImageDraw.Draw(image).rounded_rectangle(
        (2, 2, width - 3, height - 3), height // 3, fill="#8f1d15", outline="#ffffff", width=_SCALE
    )
    return image.resize(PLATE, Image.Resampling.LANCZOS)
