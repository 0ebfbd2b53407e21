"""The battle marker: one plate a module, which goes to the attacked hex and tells the odds.

Declaring an attacker or a target sends it a key; it then adds up and writes the sum on itself, so that
the log holds it, and into the global property `BattleOdds`, so that the dice can tell it.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from builder.module import keys, odds
from fieldpost.definition.model import Game
from fieldpost.vassal import making
from fieldpost.vassal.pieces import PieceDesign, TraitText

KIND = "battle"
NAME = "Battle"
IMAGE = "battle-plate.png"
ODDS_PROPERTY = "BattleOdds"
_SCALE = 4
_MINE = '{BattleNumber==Battle && (BattleRole==\\"attacker\\" || BattleRole==\\"overrun\\")}'
_TARGET = '{BattleRole == "target" && BattleNumber == Battle}'
PLATE = (124, 26)


def design(game: Game, map_name: str, counter_px: int, gpid: str) -> PieceDesign:
    tell = (keys.ODDS, keys.TARGETED)
    printed = odds.labels(game)
    ratio = odds.column("AttackSum", "DefenseSum", printed)
    equals = '+" = "+Odds' if printed else ""
    traits = [
        _send(map_name, counter_px),
        _set("TargetBattle", "0", (keys.TARGETED,), "{Battle}"),
        _set("OddsBattle", "0", tell, "{Battle}"),
        _set("AttackSum", "0", tell, f'{{Sum("Attack","{_MINE}","{map_name}")}}'),
        _set("DefenseSum", "0", tell, '{TargetBattle==Battle?SumLocation("Defense"):0}'),
        _set("Odds", "", tell, "{" + ratio + "}"),
        _set("Plate", "", tell, '{AttackSum+" : "+DefenseSum' + equals + "}"),
        making.set_global(
            ODDS_PROPERTY,
            [_command(key, f'{{"#"+Battle+" "+AttackSum+":"+DefenseSum+{_tail(printed)}}}') for key in tell],
            level="M",
            constraints=making.constraints(None, None),
        ),
        making.trait("globalhotkey;", key=keys.CLEAR_ALL, sent_key=keys.CLEAR_MARKS.key),
        making.immobile(select="g", stacking="R"),
        making.calculated("Shown", '{"#"+Battle+(OddsBattle==Battle?"   "+Plate:"")}'),
        _label(),
        making.marker({"Kind": KIND, "PieceLayer": "marker", "Tip": "the battle in hand", **odds.nothing()}),
    ]
    return PieceDesign(NAME, IMAGE, tuple(traits), gpid)


def _tail(printed: Sequence[str]) -> str:
    return '"="+Odds' if printed else '""'


def _send(map_name: str, counter_px: int) -> TraitText:
    """To the target of the battle, at the upper edge of its hex."""
    return making.trait(
        "sendto;",
        key=keys.TARGETED,
        map=map_name,
        destination="A",
        counter_filter=_TARGET,
        index_y="1",
        offset_y=str(-(counter_px // 2)),
    )


def _set(name: str, first: str, on: Sequence[object], value: str) -> TraitText:
    return making.dynamic(name, first, [_command(key, value) for key in on])


def _command(key: object, value: str) -> str:
    return making.command("", key, making.set_to(value))  # type: ignore[arg-type]


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
