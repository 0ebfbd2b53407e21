"""What the rules of Land Without End let happen, and in which phases."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.engine.case import AnyCase
from validator.games.lwe import tracks
from validator.games.lwe.battles import AIRCRAFT, ARTILLERY, FIGHTING, ZONE
from validator.games.lwe.book import (
    ASSAULTING,
    DECLARATION,
    GERMAN,
    GERMAN_ENTRY,
    GERMAN_MOVE,
    MOVING,
    PAUSE,
    REFIT,
    REFIT_END,
    RULES,
    SOVIET,
    SOVIET_ENTRY,
    SOVIET_SUPPLY,
    TURN_END,
    TURN_START,
    VICTORY,
    WEATHER,
    WEATHER_ROLL,
)
from validator.games.lwe.c04_victory import COUNT, MOSCOW_ROLL, WINNER
from validator.games.lwe.c06_stacking import is_cut_down
from validator.games.lwe.c08_arrivals import ASTERISK, RESERVE
from validator.games.lwe.c08_withdrawals import DIRECTIVE_TURN, WITHDRAWN
from validator.games.lwe.c11_odds import DL1, read_result
from validator.games.lwe.control import controller
from validator.games.lwe.course import FIRST_CHOICE
from validator.games.lwe.field import TOWNS, field_of
from validator.games.lwe.state import Case
from validator.model.events import Rolled
from validator.model.position import Unit
from validator.procedures.arrivals import entry_turn
from validator.procedures.faults import first_true
from validator.procedures.permissions import (
    ANY,
    MarkerRule,
    OfHex,
    Permissions,
    anybody,
    anywhere,
    as_a_reminder,
    grant,
    in_boxes,
    on_the_turn,
    with_trait,
)

AIR = "aircraft"
ASTERISKS = ("*", "**")  # printed on units that wait beside the map (8.3)


# --- units ------------------------------------------------------------------------------------------------


def _german(case: Case, unit: Unit) -> bool:
    return unit.side == GERMAN


def _soviet(case: Case, unit: Unit) -> bool:
    return unit.side == SOVIET


def _waits(case: Case, unit: Unit) -> bool:
    """Who is not on the map yet may wait on the turn track."""
    return not unit.on_map and entry_turn(case, unit) is not None


def _is_asterisked(case: Case, unit: Unit) -> bool:
    return not unit.on_map and unit.counter.setup in ASTERISKS


def _arrives(case: Case, unit: Unit) -> bool:
    """The set-up; new units of their side; the reserve and asterisked units as they move (3.5, 8.1, 8.3)."""
    waits = unit.spot in (RESERVE, ASTERISK) or unit.counter.setup in ASTERISKS
    return first_true(
        (unit.has(AIRCRAFT), case.phase in FIGHTING),
        (
            case.phase == TURN_START,
            case.turn == 1 or (case.turn == DIRECTIVE_TURN and unit.counter.setup == "RP"),
        ),
        (case.phase == GERMAN_MOVE, unit.side == GERMAN and waits),
        otherwise=unit.side == {GERMAN_ENTRY: GERMAN, SOVIET_ENTRY: SOVIET}.get(case.phase),
    )


def _gains(case: Case, unit: Unit) -> bool:
    """German steps and refits; the coastal army (8.6, 8.9, 8.11)."""
    if unit.side == GERMAN:
        refits = case.phase == REFIT_END and unit.has("refits")
        return refits or (case.phase == GERMAN_ENTRY and unit.has("step-replaced"))
    return case.phase == SOVIET_ENTRY and unit.has("coastal-army")


def _leaves(case: Case, unit: Unit, box: str | None) -> bool:
    """For want of supply or room, withdrawn, with the end of Directive 3, or converted."""
    soviet, hexes = unit.side == SOVIET, field_of(case).ids([unit.spot])
    cut_down = any(is_cut_down(case, hex_id, unit.side) for hex_id in hexes)
    zone_goes = unit.has(ZONE) and case.turn >= FIRST_CHOICE
    early = zone_goes or (unit.has("rifle-corps") and case.turn == DIRECTIVE_TURN) or case.turn == 1
    converts = bool(case.in_phase.swaps) or _guards_are_due(case)
    may = {
        GERMAN_ENTRY: cut_down if box not in (WITHDRAWN, None) else not soviet,
        SOVIET_SUPPLY: soviet,
        TURN_START: early,
        WEATHER: early,
        SOVIET_ENTRY: soviet and converts,
    }
    return box in (None, "airfield") if unit.has(AIRCRAFT) else may.get(case.phase, cut_down)


def _guards_are_due(case: Case) -> bool:
    return any(
        unit.has("guards") and entry_turn(case, unit) == case.turn for unit in case.position.units.values()
    )


# --- markers ----------------------------------------------------------------------------------------------


def _held_by(side: str) -> OfHex:
    """A town that the side holds, or a hex that has changed hands (3.6)."""

    def held(case: AnyCase, hex_: Hex) -> bool:
        hex_id = field_of(case).id(hex_)
        town = hex_id is not None and field_of(case).board.has_place(hex_id, *TOWNS)
        new = case.game.holder_at_start(hex_) != side or bool(case.position.at(hex_))
        return controller(case.position, hex_) == side and (town or new)

    return held


def _may_refit(case: Case, unit: Unit) -> bool:
    return unit.has("refits") and (case.phase == REFIT or bool(unit.marks.get("refit")))


def _loses_its_refit(case: Case, unit: Unit) -> bool:
    return case.phase in (REFIT, REFIT_END)


def _concentrates(case: Case, unit: Unit) -> bool:
    return unit.side == GERMAN and case.phase == DECLARATION


# --- dice -------------------------------------------------------------------------------------------------


def _moscow_falls(case: Case, event: Rolled) -> bool:
    book = case.in_game.ledger
    return book is None or book.roll_due or case.position.partial or not book.sure


MAY = Permissions(
    moving=MOVING,
    fighting=FIGHTING,
    read_result=read_result,
    fights=("combat", "overrun", "mobile assault", ""),
    chosen=(DL1,),
    rolls={
        WEATHER_ROLL: [TURN_START, WEATHER],
        "attenuated supply": FIGHTING,
        "artillery command": ASSAULTING,
        "refit": [REFIT_END],
        MOSCOW_ROLL: [ANY],
    },
    waits_for={MOSCOW_ROLL: _moscow_falls},
    declared={
        COUNT: [ANY],
        WINNER: [VICTORY, TURN_END, TURN_START],
        WEATHER_ROLL: [ANY],
        "in-supply": [ANY],
        "reveal": FIGHTING,
        AIR: FIGHTING,
        "air": FIGHTING,
        PAUSE: [TURN_START, WEATHER, SOVIET_SUPPLY, VICTORY, TURN_END],
        "eliminate-unsupplied": [SOVIET_SUPPLY],
    },
    declares={
        "begin-refit": with_trait("refits"),
        "complete-refit": with_trait("refits"),
        PAUSE: lambda case, unit: False,
        "rescind-dd3": lambda case, unit: False,
    },
    markers={
        "refit": MarkerRule(on_unit=_may_refit, off_unit=_loses_its_refit),
        "concentration": MarkerRule(on_unit=_concentrates, off_unit=_german),
        "german-control": MarkerRule(in_hex=_held_by(GERMAN), out_of_hex=anywhere),
        "soviet-control": MarkerRule(in_hex=_held_by(SOVIET), out_of_hex=anywhere),
        "supply": MarkerRule(on_unit=anybody),
    },
    boxes={
        RESERVE: _german,
        ASTERISK: _is_asterisked,
        "special-entry": with_trait(ARTILLERY),
        "airfield": with_trait(AIRCRAFT),
        "german-eliminated": _german,
        "soviet-eliminated": _soviet,
        "soviet-removed": _soviet,
        WITHDRAWN: lambda case, unit: unit.side == GERMAN and case.phase == GERMAN_ENTRY,
        "replacement-pool": lambda case, unit: unit.counter.setup == "RP",
        **{f"turn-{number}": _waits for number in range(1, 30)},
    },
    beside={
        **dict.fromkeys(("supply", "control", "refit", "concentration"), as_a_reminder),
        "victory-points": in_boxes(tracks.DIGIT),
        "replacements": in_boxes(tracks.DIGIT),
        "weather": in_boxes(tracks.WEATHER),
        "directive": in_boxes("directive", "markers"),
        "pause": in_boxes(tracks.TURN, "markers"),
        "turn": on_the_turn,
    },
    replaced={"convert": [SOVIET_ENTRY], "reorganize": [TURN_START], "": [SOVIET_ENTRY, TURN_START]},
    replaces=_soviet,
    arrives=_arrives,
    gains=_gains,
    leaves=_leaves,
)
grant(RULES, MAY)
