"""Chapter 20.3: security divisions. 20.1 is in chapter 9, 20.2 in chapter 14, 20.4 in chapter 8."""

from __future__ import annotations

from validator.core.explain import counted
from validator.engine.rulebook import Faults
from validator.games.wfm.book import AXIS, RULES, SOVIET
from validator.games.wfm.field import Field, field_at_phase_start, field_of
from validator.games.wfm.state import Case
from validator.model.events import Replaced
from validator.model.findings import Fault
from validator.model.position import having, names_of

AWAY = 4


@RULES.rule("wfm-20.33")
@RULES.before(Replaced)
def security_divisions_are_no_part_of_others(case: Case, event: Replaced) -> Faults:
    """No part in buildup and step exchange; that they only march is judged in chapter 5."""
    for name in names_of(having(case.units(event.concerned), "security"))[:1] if event.why else ():
        yield Fault("wfm-20.33", f"{name} takes no part in {event.why.replace('-', ' ')}", (name,))


@RULES.rule("wfm-20.34")
@RULES.at_phase_end("axis-move")
def security_divisions_keep_away_from_the_front(case: Case) -> Faults:
    """Four hexes; one that begins nearer may stay, or move farther off."""
    before, now = field_at_phase_start(case), field_of(case)
    for hex_id, unit in now.of_side(AXIS, "security"):
        here, starts = _nearest(now, hex_id), before.ids([before.position.units[unit.id].spot])
        there = [_nearest(now, start) for start in starts if start != hex_id]
        if here < AWAY and any(hexes >= AWAY or here <= hexes for hexes in there):
            text = f"{unit.id} ends {counted(here, 'hex')} from a Soviet unit; "
            text += f"security divisions keep {AWAY} away"
            yield Fault("wfm-20.34", text, (unit.id,), (now.board.hexes[hex_id],))


def _nearest(field: Field, hex_id: int) -> int:
    nearest = field.board.nearest(hex_id, (h for h, _ in field.of_side(SOVIET)))
    return 99 if nearest is None else nearest
