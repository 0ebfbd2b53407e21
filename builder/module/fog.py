"""Concealed units: a mask for the other side, a veil for the owner, and two buttons for whole stacks.

VASSAL 3.6 tells no place in a stack. "Hide my stacks" visits the units of a stack from the bottom up: each
shows itself and veils the one before it in the same place, so that the last, the top one, alone is seen.
"""

from __future__ import annotations

from builder.module import cups, keys
from builder.module.keys import Command, Tool
from fieldpost.definition.model import Counter, Game, UnitType
from fieldpost.vassal import making
from fieldpost.vassal.keys import KeyStroke, named
from fieldpost.vassal.pieces import TraitText

HIDDEN = "hidden"  # trait of units that the other side sees the back of only
UNIT, PLACE = "FogUnit", "FogPlace"  # global properties: the piece visited last, and where
MASK, REVEALED = named("fpMask"), named("fpRevealed")
SHOW, VEIL, VISIT = named("fpShow"), named("fpVeil"), named("fpVisit")
_BELOW, _VEIL_LAST, _REMEMBER = named("fpBelow"), named("fpVeilLast"), named("fpRemember")
_HIDDEN, _SEEN = "ObscuredToOthers==true", "ObscuredToOthers!=true"
_MINE = "SideName==PlayerSide"
_HERE = 'CurrentX+","+CurrentY'

HIDE_STACKS = Tool("Hide my stacks", None, "the other side sees the top unit of each of your stacks only")
SHOW_STACKS = Tool("Show my stacks", None, "the other side sees all your units again")
TOOLS = ((HIDE_STACKS, VISIT, "hidden"), (SHOW_STACKS, SHOW, "shown"))
FILTERS = {
    HIDE_STACKS: f'{{{_MINE} && Kind=="unit" && CurrentZone=~"(Sheet|Turn) .*"}}',
    SHOW_STACKS: f'{{{_MINE} && Kind=="unit"}}',
}
_TO_LAST = f"COUNTER|false|MAP|||||0|0||true|UnitId|${UNIT}$|EQUALS"


def is_concealable(counter: Counter, unit_type: UnitType) -> bool:
    return HIDDEN in (*unit_type.traits, *counter.traits)


def wanted(game: Game) -> bool:
    """Whether any unit of the game can be concealed."""
    return any(is_concealable(counter, game.unit_type[counter.type]) for counter in game.counters)


def traits(back: str, veil: str) -> list[TraitText]:
    """Outside what a mask covers: menu entries, what the buttons call, the report, the mask."""
    return [
        making.report([REVEALED], "[fp] reveal $UnitId$ @$LocationName$"),
        _entry(keys.CONCEAL, [MASK], f"{_SEEN} && {_MINE}"),
        _entry(keys.REVEAL, [MASK, REVEALED], _HIDDEN),
        _called("show", SHOW, [MASK], _HIDDEN),
        _called("veil", VEIL, [MASK], f"{_SEEN} && {_MINE}"),
        making.trigger("visit", [SHOW, _BELOW, _REMEMBER], key=VISIT),
        _called("below", _BELOW, [_VEIL_LAST], f"{PLACE}=={_HERE}"),
        making.trait("globalkey;", key=_VEIL_LAST, sent_key=VEIL, target=_TO_LAST),
        _remember(UNIT, "{UnitId}"),
        _remember(PLACE, "{" + _HERE + "}"),
        making.mask(back, text="", key=MASK, shown=veil),
    ]


def _entry(command: Command, sent: list[KeyStroke], condition: str) -> TraitText:
    """A menu entry; VASSAL greys it while the condition does not hold."""
    return making.trigger(
        command.text.lower(), sent, text=command.text, key=command.key, filter="{" + condition + "}"
    )


def _called(name: str, key: KeyStroke, sent: list[KeyStroke], condition: str) -> TraitText:
    return making.trigger(name, sent, key=key, filter="{" + condition + "}")


def _remember(name: str, value: str) -> TraitText:
    return making.set_global(
        name,
        [making.command("", _REMEMBER, making.set_to(value))],
        level=cups.ANY_LEVEL,
        constraints=making.constraints(None, None),
    )
