"""Supply lines and reach of units, for players who ask."""

from __future__ import annotations

from functools import partial

from validator.core.board import HexId
from validator.games.ftm.book import EXPLOITING, MOVING
from validator.games.ftm.c05_march import begins_in_zone, closes_up, move_rules
from validator.games.ftm.c05_transport import by_sea, not_strategic, sea_rules, strategic_move_rules
from validator.games.ftm.c07_overrun import OVERRUNS
from validator.games.ftm.c08_odds import attack_zero
from validator.games.ftm.field import field_of
from validator.games.ftm.state import Case
from validator.games.ftm.supply import Supply, supply_now
from validator.model.position import Unit
from validator.procedures.supplylines import shown_line
from validator.procedures.supplymarks import status_of
from validator.queries import moves
from validator.queries.answers import SupplyLine
from validator.queries.moves import MODES as MODES
from validator.queries.moves import Ways

zones = partial(moves.zones, field_of)

# --- supply ------------------------------------------------------------------------------------


def _line(state: Supply, unit: Unit, hex_id: HexId) -> SupplyLine:
    status = state.of(unit, hex_id, status_of(unit))
    length, limit, line = shown_line(status.net, hex_id)
    saved = "saved by a factory; " if status.by == "factory" else ""
    return moves.marked_line(
        unit,
        state.field.board,
        line,
        status=status.name,
        supplied=status.supplied,
        by=status.by,
        length=length,
        limit=limit,
        text=saved + state.text(unit, hex_id, status),
    )


supply = partial(moves.supply, supply_now, _line)


# --- reach -------------------------------------------------------------------------------------


def _is_played(case: Case, turn: int, phase: str) -> bool:
    return phase in case.sequence.of_turn(turn)


def _phases(case: Case, unit: Unit) -> dict[str, str]:
    exploits = unit.has("exploits")
    return {p: s for p, s in MOVING.items() if exploits or p == case.phase or p not in EXPLOITING}


def _stays(case: Case, unit: Unit) -> str:
    rests = closes_up(case, unit) and (not unit.has("closes-up") or begins_in_zone(case, unit))
    return "does not move in this phase" if rests else ""


reach = partial(
    moves.reach,
    Ways(
        field_of=field_of,
        phases=_phases,
        is_played=_is_played,
        stays=_stays,
        march=move_rules,
        not_strategic=not_strategic,
        strategic=strategic_move_rules,
        voyage=by_sea,
        sea=sea_rules,
        overruns=OVERRUNS,
        never_attacks=attack_zero,
    ),
)
