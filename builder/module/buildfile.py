"""The build file: what the template `templates/module/buildFile.xml.j2` is filled with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jinja2

from builder.module import keys
from builder.module.cups import CupBoard
from builder.module.plan import CUPS_MAP, ENGINE, MAIN_MAP, Plan
from fieldpost import data
from fieldpost.definition.model import Dice, Table
from fieldpost.geometry import BOARD_PROPERTY, GAME_PROPERTY, SCENARIO_PROPERTY
from fieldpost.vassal.pieces import PieceDesign

ABOUT = "about.png"
_OVERVIEW_PX = 420


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
            },
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
            track={
                "first": plan.game.turn_track.turns[0].number,
                "phases": ",".join(phase.name.replace(",", " ") for phase in plan.game.sequence),
            },
            dice=dice,
            menus=_menus(plan, [roll["text"] for roll in dice]),
            charts=[{"title": table.title, "file": chart_file(table)} for table in plan.game.tables],
            palette=plan.palette,
            map={
                "name": MAIN_MAP,
                "background": "233,228,215",
                "zoom": "5",
                "overview": repr(round(_OVERVIEW_PX / max(max(b.width, b.height) for b in plan.boards), 6)),
            },
            boards=plan.boards,
            map_commands=_map_commands(),
            cups=cups,
            cups_map=CUPS_MAP,
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
            "report": f"[fp] roll {reason.replace(' ', '-')} {die.count}d{die.sides}=$result$ #$Battle$",
        }
        for reason in reasons
    ]


def _menus(plan: Plan, dice: list[str]) -> list[dict[str, str]]:
    menus = []
    if plan.words.results:
        results = ",".join(f"Result {result}" for result in plan.words.results)
        menus.append({"name": "Result", "tip": "Name the result of the battle", "items": results})
    if len(dice) > 1:
        menus.append({"name": "Dice", "tip": "Roll, and say what for", "items": ",".join(dice)})
    return menus


def _map_commands() -> list[dict[str, str]]:
    unit = '{Kind=="unit"}'
    clear = keys.CLEAR_MARKS
    return [
        {
            "name": f"{clear.text} {number}",
            "text": clear.text if number == 1 else "",
            "key": str(clear.key),
            "tip": clear.tip,
            "sent": str(sent),
            "filter": unit,
        }
        for number, sent in enumerate((keys.CLEAR_BATTLE, keys.CLEAR_MODE), 1)
    ]
