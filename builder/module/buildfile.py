"""The build file: what the template `templates/module/buildFile.xml.j2` is filled with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import jinja2

from builder.map import waiting_counters
from builder.module import battle, battleboard, cards, fog, furthermaps, keys, passed, tracker, volleys
from builder.module.cups import DRAWING, CupBoard
from builder.module.designs import BATTLE_MARKER, LAYER
from builder.module.plan import CUPS_MAP, ENGINE, MAIN_MAP, Plan
from builder.module.vocabulary import slug
from fieldpost import data
from fieldpost.definition.model import Declaration, Dice, Game, Table
from fieldpost.geometry import BOARD_PROPERTY, GAME_PROPERTY, SCENARIO_PROPERTY
from fieldpost.vassal import codec
from fieldpost.vassal.keys import KeyStroke
from fieldpost.vassal.pieces import PieceDesign

ABOUT = "about.png"
_OVERVIEW_PX = 900
_HIGH_STACK, _CLOSE_PX = 11, 3
_BATTLE_MARKS = "Clear battle marks"
_UNITS = '{Kind=="unit"}'
_IN_BATTLE = '{Kind=="unit" && BattleRole!="none"}'
_BY_MODE = '{Kind=="unit" && Mode!="march"}'


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
    lean, rise = _stacking(plan.game)
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
                "clear_marks": keys.CLEAR_MARKS,
                "odds_property": battle.ODDS_PROPERTY,
                "rolled_property": battle.ROLLED_PROPERTY,
                "undo": keys.UNDO,
                "step": keys.STEP,
                "former_battle": keys.FORMER_BATTLE,
                "phase": keys.PHASE,
                "phase_match": _new_battles(plan.game),
                "phase_keys": _listed(list(map(str, _PHASE_KEYS))),
                "drawing": DRAWING,
            },
            commands=_commands(plan),
            unmaskable="Always" if fog.wanted(plan.game) else "Never",
            fog=(fog.UNIT, fog.PLACE) if fog.wanted(plan.game) else (),
            results=[
                {"name": result, "key": str(keys.result(number) or "")}
                for number, result in enumerate(plan.words.results)
            ],
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
            throws=[roll for roll in dice if roll["then"]],
            menus=_menus(plan),
            charts=_charts(plan.game.tables),
            palette=plan.palette,
            store=plan.store,
            map={
                "name": MAIN_MAP,
                "layer": LAYER,
                "background": "233,228,215",
                "lean": lean,
                "rise": rise,
                "zoom": "5",
                "overview": repr(round(_OVERVIEW_PX / max(max(b.width, b.height) for b in plan.boards), 6)),
            },
            boards=plan.boards,
            map_commands=_map_commands(),
            cups=cups,
            cups_map=CUPS_MAP,
            cards=cards.board(plan.game),
            cards_map=cards.MAP_NAME,
            cards_image=cards.IMAGE,
            further=furthermaps.of(plan.game),
            passed=passed.components(plan.game),
            front=keys.FRONT,
            arrived=keys.ARRIVED,
            setups=setups,
            battle_board=battleboard if plan.words.volleys else None,
            rounds=_rounds() if plan.words.volleys else None,
            said=said(plan.game) if plan.words.volleys else Said((), ()),
        )
    )
    return text.encode()


def _stacking(game: Game) -> tuple[int, int]:
    """How far each counter of a stack is moved: less where high stacks hide their neighbours."""
    placements = (placement for scenario in game.scenarios for placement in scenario.set_up if placement.hex)
    highest = max((len(placement.units) for placement in placements), default=0)
    return (
        (_CLOSE_PX, _CLOSE_PX)
        if highest > _HIGH_STACK
        else (waiting_counters.LEAN_PX, waiting_counters.RISE_PX)
    )


class Said(NamedTuple):
    """What players of a game with money declare by the toolbar: words with a number, and words alone."""

    numbers: tuple[Declaration, ...]
    words: tuple[Declaration, ...]


def said(game: Game) -> Said:
    declared = game.words.declarations
    return Said(
        tuple(word for word in declared if word.value == "number"),
        tuple(word for word in declared if word.value == "none"),
    )


def _rounds() -> dict[str, Any]:
    """Buttons and properties of games in which every unit throws its own dice."""
    begin = volleys.NEXT_ROUND
    return {
        "count": {
            **volleys.COUNT._asdict(),
            "key": "",
            "report": volleys.counted(),
            "then": "",
        },
        "begin": {
            **begin._asdict(),
            "key": str(begin.key),
            "report": volleys.begun(),
            "then": _listed(list(map(str, (volleys.ROUND_NUMBER, volleys.ROUND_BATTLE, volleys.FALLEN)))),
        },
        "properties": [
            (volleys.LOG, "", "P,", keys.PHASE_BATTLE),
            (
                volleys.ROUND,
                "0",
                f"P,{{{volleys.ROUND_OF}==Battle?{volleys.ROUND}+1:1}}",
                volleys.ROUND_NUMBER,
            ),
            (volleys.ROUND_OF, "0", "P,{Battle}", volleys.ROUND_BATTLE),
            (volleys.ORDERED_BY, "", "P,", volleys.ROUND_BATTLE),
        ],
    }


def environment() -> jinja2.Environment:
    loader = jinja2.FileSystemLoader(data.path("templates", "module"))
    return jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, keep_trailing_newline=True
    )


def _charts(tables: Sequence[Table]) -> list[dict[str, Any]]:
    """The tabs of the window of charts; tables of one tab lie below each other, at the place of the first."""
    tabs: dict[str, list[dict[str, str]]] = {}
    for table in tables:
        shown = {"title": table.title, "file": chart_file(table)}
        tabs.setdefault(table.tab or table.title, []).append(shown)
    return [{"name": name, "charts": charts} for name, charts in tabs.items()]


def _rolls(plan: Plan, die: Dice) -> list[dict[str, Any]]:
    """A button for each reason; where it belongs to a battle it rolls and then tells the battle plate."""
    reasons = die.reasons or (die.id,)
    fought = [reason for reason in reasons if reason in plan.battle_rolls]
    first = [reason for each in plan.game.dice for reason in each.reasons or (each.id,)].index(reasons[0])
    return [
        {
            "name": battle.die_name(reason) if reason in fought else f"{die.name} {reason}",
            "text": f"{reason.capitalize()} {die.count}d{die.sides}",
            "tip": f"roll for {reason}",
            "key": str(keys.die(number) or ""),
            "throw": str(keys.throw(reason)),
            "then": _listed([str(keys.throw(reason)), str(keys.rolled(reason))]) if reason in fought else "",
            "count": die.count,
            "sides": die.sides,
            "report": _roll_report(reason, f"{die.count}d{die.sides}", reason in fought),
        }
        for number, reason in enumerate(reasons, first)
    ]


def _roll_report(reason: str, dice: str, fought: bool) -> str:
    """Who rolls what and for what; of a battle's roll its number, and the odds if they are of this battle."""
    line = f"[fp] roll {slug(reason)} {dice}="
    if not fought:
        return f"$PlayerName$ rolls $result$ for {reason} {line}$result$"
    odds = battle.ODDS_PROPERTY
    told = f'{odds}.startsWith("#"+Battle+" ")?" ("+{odds}.substring({odds}.indexOf(" ")+1)+")":""'
    return f'{{PlayerName+" rolls "+result+" for {reason}"+({told})+" {line}"+result+" #"+Battle}}'


_SUPPLY_TOOLS = ((keys.SUPPLY_SHOW, keys.SUPPLY_ON), (keys.SUPPLY_HIDE, keys.SUPPLY_OFF))
_PHASE_KEYS = (keys.PHASE_BATTLE, keys.PHASE_MODE, keys.PHASE_PLATE)
_MENU_TIPS = {
    "Battle": "Open a battle, add it up, clear its marks",
    "Dice": "Roll, and say what for",
    "Money": "Book a line of the turn's money: the game asks for the number",
    "Declare": "Say what no counter shows",
    "Supply": "Hide or show the supply status of every unit",
    "Stacks": "Hide or show what lies in your stacks",
    "Result": "Name the result of the battle",
}


def _new_battles(game: Game) -> str:
    """Whether the marks of battles go with a phase: not where those declared before it go on."""
    names = [phase.name for phase in game.sequence if phase.goes_on]
    return "{" + " && ".join(f'Phase!="{name}"' for name in names) + "}" if names else ""


def menus(plan: Plan) -> list[tuple[str, list[str]]]:
    """The toolbar's menus and their entries; a single kind of dice is a button of its own."""
    dice = [roll["text"] for die in plan.game.dice for roll in _rolls(plan, die)]
    found = {
        "Battle": [
            keys.NEW_BATTLE.text,
            *([keys.FORMER_BATTLE.text] if _new_battles(plan.game) else ()),
            *([volleys.NEXT_ROUND.text, volleys.COUNT.text] if plan.words.volleys else ()),
            keys.ADD_UP.text,
            _BATTLE_MARKS,
        ],
        **(
            {
                "Money": [word.named for word in said(plan.game).numbers],
                "Declare": [word.named for word in said(plan.game).words],
            }
            if plan.words.volleys
            else {}
        ),
        "Dice": dice if len(dice) > 1 else [],
        "Supply": [tool.text for tool, _ in _SUPPLY_TOOLS] if plan.words.supply else [],
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
    supply = _SUPPLY_TOOLS if plan.words.supply else ()
    return [
        _mass_key(keys.ADD_UP.text, keys.ADD_UP.key, keys.ADD_UP.tip, keys.ODDS, BATTLE_MARKER),
        _mass_key(_BATTLE_MARKS, None, "take the battle marks off every unit", keys.CLEAR_BATTLE, _UNITS),
        *(
            _mass_key(
                tool.text,
                None,
                tool.tip,
                key,
                fog.FILTERS[tool],
                f"$PlayerName$ has stacks {word} [fp] stacks {word} $PlayerSide$",
            )
            for tool, key, word in stacks
        ),
        *(
            _mass_key(tool.text, tool.key, tool.tip, key, '{Kind=="unit" && SupplyLevel>1}')
            for tool, key in supply
        ),
        *(
            _mass_key(
                "",
                keys.rolled(reason),
                f"look up the result of {reason}",
                keys.rolled(reason),
                BATTLE_MARKER,
                tells=True,
            )
            for reason in plan.battle_rolls
        ),
        *(
            (_mass_key("", volleys.FALLEN, "the battle board", volleys.FALLEN, BATTLE_MARKER),)
            if plan.words.volleys
            else ()
        ),
        _mass_key("", keys.PHASE_BATTLE, "battle marks of the last phase", keys.CLEAR_BATTLE, _IN_BATTLE),
        _mass_key("", keys.PHASE_MODE, "movement marks of the last phase", keys.CLEAR_MODE, _BY_MODE),
        _mass_key(
            "",
            keys.PHASE_PLATE,
            "the battle plate",
            keys.PLATE_REST,
            f'{{Kind=="{battle.KIND}" && Place!=""}}',
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
    text: str,
    key: KeyStroke | None,
    tip: str,
    sent: KeyStroke,
    filter: str,
    report: str = "",
    tells: bool = False,
) -> dict[str, str]:
    """`tells`: the reports of the pieces themselves are written too."""
    return {
        "name": text or tip,
        "text": text,
        "key": str(key or ""),
        "tip": tip,
        "sent": str(sent),
        "filter": filter,
        "report": report,
        "single": str(not tells).lower(),
    }
