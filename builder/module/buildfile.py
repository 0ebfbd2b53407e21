"""The build file: what the template `templates/module/buildFile.xml.j2` is filled with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jinja2

from builder.module import battle, fog, keys, tracker
from builder.module.cups import DRAWING, CupBoard
from builder.module.designs import BATTLE_MARKER, LAYER, SHOW_SUPPLY
from builder.module.plan import CUPS_MAP, ENGINE, MAIN_MAP, Plan
from builder.module.vocabulary import slug
from fieldpost import data
from fieldpost.definition.model import Dice, Table
from fieldpost.geometry import BOARD_PROPERTY, GAME_PROPERTY, SCENARIO_PROPERTY
from fieldpost.vassal import codec
from fieldpost.vassal.keys import KeyStroke
from fieldpost.vassal.pieces import PieceDesign

ABOUT = "about.png"
_OVERVIEW_PX = 420
BATTLE_ROLLS = ("combat", "overrun")  # dice that belong to a battle
_BATTLE_MARKS = "Clear battle marks"
_UNITS = '{Kind=="unit"}'


@dataclass(frozen=True)
class HelpPage:
    title: str
    file: str
    text: str


@dataclass(frozen=True)
class SetupFile:
    name: str
    file: str


def chart_file(table: Table) -> str:
    return f"chart-{table.id}.png"


def write(plan: Plan, cups: CupBoard | None, help_pages: list[HelpPage], setups: list[SetupFile]) -> bytes:
    dice = [roll for die in plan.game.dice for roll in _rolls(plan, die)]
    text = (
        environment()
        .get_template("buildFile.xml.j2")
        .render(
            module={
                "name": plan.game.title,
                "version": plan.game.version,
                "engine": ENGINE,
                "description": plan.game.title,
                "next_slot": plan.next_slot,
                "about": ABOUT,
            },
            help=help_pages,
            sides=[side.name for side in plan.game.sides],
            tools={
                "new_battle": keys.NEW_BATTLE,
                "next_phase": keys.NEXT_PHASE,
                "supply_show": keys.SUPPLY_SHOW if plan.words.supply else None,
                "show_supply": SHOW_SUPPLY,
                "clear_marks": keys.CLEAR_MARKS,
                "odds_property": battle.ODDS_PROPERTY,
                "drawing": DRAWING,
            },
            commands=_commands(plan),
            unmaskable="Always" if fog.wanted(plan.game) else "Never",
            fog=(fog.UNIT, fog.PLACE) if fog.wanted(plan.game) else (),
            results=plan.words.results,
            facts={
                GAME_PROPERTY: f"{plan.game.id} {plan.game.version}",
                SCENARIO_PROPERTY: "",
                **{BOARD_PROPERTY + board.name: board.geometry.text() for board in plan.boards},
            },
            prototypes=[
                {"name": name, "text": PieceDesign(traits=traits).slot()}
                for name, traits in plan.prototypes.items()
            ],
            stages=[
                {**stage._asdict(), "phases": _listed([phase.name for phase in stage.phases])}
                for stage in tracker.stages(plan.game)
            ],
            dice=dice,
            menus=_menus(plan),
            charts=[{"title": table.title, "file": chart_file(table)} for table in plan.game.tables],
            palette=plan.palette,
            map={
                "name": MAIN_MAP,
                "layer": LAYER,
                "background": "233,228,215",
                "zoom": "5",
                "overview": repr(round(_OVERVIEW_PX / max(max(b.width, b.height) for b in plan.boards), 6)),
            },
            boards=plan.boards,
            map_commands=_map_commands(),
            cups=cups,
            cups_map=CUPS_MAP,
            front=keys.FRONT,
            setups=setups,
        )
    )
    return text.encode()


def environment() -> jinja2.Environment:
    loader = jinja2.FileSystemLoader(data.path("templates", "module"))
    return jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, keep_trailing_newline=True
    )


def _rolls(plan: Plan, die: Dice) -> list[dict[str, Any]]:
    reasons = die.reasons or (die.id,)
    return [
        {
            "name": f"{die.name} {reason}",
            "text": f"{reason.capitalize()} {die.count}d{die.sides}",
            "tip": f"roll for {reason}",
            "count": die.count,
            "sides": die.sides,
            "report": _roll_report(reason, f"{die.count}d{die.sides}"),
        }
        for reason in reasons
    ]


def _roll_report(reason: str, dice: str) -> str:
    """The line of a roll; of a battle's roll with its number, and the odds if they are of this battle."""
    line = f"[fp] roll {slug(reason)} {dice}="
    if reason not in BATTLE_ROLLS:
        return f"{line}$result$"
    odds = battle.ODDS_PROPERTY
    told = f'{odds}.startsWith("#"+Battle+" ")?" odds "+{odds}.substring({odds}.indexOf(" ")+1):""'
    return f'{{"{line}"+result+" #"+Battle+({told})}}'


_MENU_TIPS = {
    "Battle": "Open a battle, add it up, clear its marks",
    "Dice": "Roll, and say what for",
    "Stacks": "Hide or show what lies in your stacks",
    "Result": "Name the result of the battle",
}


def menus(plan: Plan) -> list[tuple[str, list[str]]]:
    """The toolbar's menus and their entries; a single kind of dice is a button of its own."""
    dice = [roll["text"] for die in plan.game.dice for roll in _rolls(plan, die)]
    found = {
        "Battle": [keys.NEW_BATTLE.text, keys.ADD_UP.text, _BATTLE_MARKS],
        "Dice": dice if len(dice) > 1 else [],
        "Stacks": [tool.text for tool, _, _ in fog.TOOLS] if fog.wanted(plan.game) else [],
        "Result": [f"Result {result}" for result in plan.words.results],
    }
    return [(name, entries) for name, entries in found.items() if entries]


def _menus(plan: Plan) -> list[dict[str, str]]:
    return [
        {"name": name, "tip": _MENU_TIPS[name], "entries": _listed(entries)} for name, entries in menus(plan)
    ]


def _listed(texts: list[str]) -> str:
    """A list as VASSAL writes it in an attribute."""
    return codec.encode(texts, ",")


def _commands(plan: Plan) -> list[dict[str, str]]:
    """Buttons that send a key to pieces."""
    stacks = fog.TOOLS if fog.wanted(plan.game) else ()
    return [
        _mass_key(keys.ADD_UP.text, keys.ADD_UP.key, keys.ADD_UP.tip, keys.ODDS, BATTLE_MARKER),
        _mass_key(_BATTLE_MARKS, None, "take the battle marks off every unit", keys.CLEAR_BATTLE, _UNITS),
        *(
            _mass_key(tool.text, None, tool.tip, key, fog.FILTERS[tool], f"[fp] stacks {word} $PlayerSide$")
            for tool, key, word in stacks
        ),
    ]


def _map_commands() -> list[dict[str, str]]:
    """One key takes all marks off: VASSAL's own button for moved marks listens to it, and these two.

    The button sends it by way of the battle marker, as a button can press no key.
    """
    clear = keys.CLEAR_MARKS
    return [
        _mass_key(clear.text, None, clear.tip, keys.CLEAR_ALL, BATTLE_MARKER),
        _mass_key("", clear.key, "battle marks", keys.CLEAR_BATTLE, _UNITS),
        _mass_key("", clear.key, "movement marks", keys.CLEAR_MODE, _UNITS),
    ]


def _mass_key(
    text: str, key: KeyStroke | None, tip: str, sent: KeyStroke, filter: str, report: str = ""
) -> dict[str, str]:
    return {
        "name": text or tip,
        "text": text,
        "key": str(key or ""),
        "tip": tip,
        "sent": str(sent),
        "filter": filter,
        "report": report,
    }
