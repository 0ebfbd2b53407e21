"""Supply lines and reach of units, for players who ask."""

from __future__ import annotations

from functools import partial

from validator.core.board import HexId
from validator.core.costs import points
from validator.games.wfm.book import AXIS, special
from validator.games.wfm.c05_march import PHASES, move_rules
from validator.games.wfm.c05_transport import by_sea, not_strategic, sea_rules, strategic_move_rules
from validator.games.wfm.c06_overrun import OVERRUNS
from validator.games.wfm.c08_combat import attack_zero
from validator.games.wfm.c09_supply import Status, Supply, end_text, line_text, supply_now
from validator.games.wfm.c16_scenarios import is_played
from validator.games.wfm.field import field_of
from validator.games.wfm.state import Case
from validator.model.position import Unit
from validator.queries import moves
from validator.queries.answers import SupplyLine
from validator.queries.moves import MODES as MODES
from validator.queries.moves import Ways

zones = partial(moves.zones, field_of)

# --- supply ------------------------------------------------------------------------------------


def _line(state: Supply, unit: Unit, hex_id: HexId) -> SupplyLine:
    status = state.of(unit, hex_id)
    line = state.tracing[AXIS].depots.paths.get(hex_id, ()) if unit.has("depot") else status.line
    return moves.marked_line(
        unit,
        state.field.board,
        line,
        status=status.name,
        supplied=status.name == "supplied",
        by=status.by,
        length=None if status.length is None else points(status.length),
        limit=None if status.limit is None else points(status.limit),
        text=_text(state, unit, hex_id, status),
    )


def _text(state: Supply, unit: Unit, hex_id: HexId, status: Status) -> str:
    if unit.has("depot"):
        linked = state.tracing[AXIS].linked(hex_id)
        return (
            f"always in supply; {_chain_text(state, unit, hex_id) if linked else 'in no chain to a source'}"
        )
    saved = {"factory": "saved by a factory; ", "air": "supplied by air; "}.get(status.by, "")
    by_sea_ = "by sea: " if status.by == "sea" else ""
    return f"{saved}{by_sea_}{line_text(state, unit, hex_id)}"


def _chain_text(state: Supply, unit: Unit, hex_id: HexId) -> str:
    if not state.tracing[AXIS].linked(hex_id):
        return "in no chain to a source"
    links = state.tracing[AXIS].depots.links(hex_id)
    if not links:
        return "at a source"
    ends = [end_text(state, unit, link[-1]) for link in links]
    return f"in the chain by {', '.join(ends)}"


supply = partial(moves.supply, supply_now, _line)


# --- reach -------------------------------------------------------------------------------------


def _phases(case: Case, unit: Unit) -> dict[str, str]:
    panzer = unit.has("panzer")
    return {p: side for p, side in PHASES.items() if panzer or p in (case.phase, "axis-move", "sov-move")}


def _stays(case: Case, unit: Unit) -> str:
    slow = case.phase == "ger-mech" and not unit.has("panzer")
    return "is no panzer unit and does not move in this phase" if slow else ""


def _shut(case: Case) -> str:
    return "no unit moves by sea in this scenario" if special(case, "no-sea-movement") else ""


reach = partial(
    moves.reach,
    Ways(
        field_of=field_of,
        phases=_phases,
        is_played=is_played,
        stays=_stays,
        march=move_rules,
        not_strategic=not_strategic,
        strategic=strategic_move_rules,
        voyage=by_sea,
        sea=sea_rules,
        overruns=OVERRUNS,
        never_attacks=lambda case, unit: attack_zero(unit),
        shut=_shut,
    ),
)
