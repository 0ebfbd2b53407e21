"""Chapter 17 as far as we have it: when units come, and come back (3.1, 9.1.3, 9.1.1), and where.

Where is not in the text. Two places of it tell a part: Axis units come to supply bases, and to none with a
partisan (10.4); Offensive Support comes to a hex in supply, out of enemy zones (12.1). The rest is ours.
"""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.engine.rulebook import Faults
from validator.games.ftm.book import ADMIN, AXIS, ENEMY, FIGHTING, MOVING, RULES
from validator.games.ftm.c05_march import COUNTRY, country_rule
from validator.games.ftm.c05_movement import BAKU
from validator.games.ftm.c10_partisans import has_base, partisans
from validator.games.ftm.c12_economy import EVACUATED, WAITING
from validator.games.ftm.c15_admin import POOL
from validator.games.ftm.field import TRACK, field_of
from validator.games.ftm.lines import Kind
from validator.games.ftm.state import Case
from validator.games.ftm.supply import supplied_mask, supply_now
from validator.model.events import Placed
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, any_has
from validator.procedures import entries
from validator.procedures.entries import Entries, Reason

ARRIVAL = {"axis-move": AXIS, "sov-move": ENEMY[AXIS]}
OWN = "ftm-own.entry"
CHOICES = {"on": Verdict.ILLEGAL, "judge": Verdict.WARNING}


def by_another_rule(case: Case, unit: Unit) -> bool:
    """Produced, an asset, exchanged, a third step put down by hand, or what our text does not speak of."""
    produced = case.phase == ADMIN and unit.has("offensive-support")
    exchanged = unit.spot == POOL and case.phase == ADMIN
    others = any_has([unit], "kg", "star", "turkish", "economic-asset") or unit.spot in (BAKU, WAITING)
    return produced or exchanged or others


@RULES.rule(*COUNTRY.values())
@RULES.before(Placed, having="turkish", comes_to=Hex)
def turkey_enters_the_war_by_option(case: Case, event: Placed) -> Faults:
    """Who comes, when and where stands in 21.2, which our text lacks."""
    unit = case.unit(event.unit)
    rule, names, hexes = country_rule(unit), (unit.id,), event.entered
    enters = not case.phase_start.units[unit.id].on_map
    if enters and case.option("turkey") == "off":
        yield Fault(rule, f"{unit.id} enters; Turkey is not in the war", names, hexes)
    elif enters and not unit.has("star"):
        text = f"{unit.id} enters; when and where Turkish units come is the players' to say (21.2)"
        yield Fault(rule, text, names, hexes, verdict=Verdict.JUDGEMENT)


def wrong_place(case: Case, unit: Unit, spot: Hex) -> Iterator[Reason]:
    field, hex_id, sure = field_of(case), field_of(case).id(spot), Verdict.ILLEGAL
    held = [marker for marker, hex_ in partisans(case) if hex_ == spot]
    if hex_id is None or field.occupied(ENEMY[unit.side])[hex_id]:
        yield "ftm-5.2.2", "enters in a hex with enemy units", sure
        return
    if unit.side == AXIS and held and has_base(case, spot):
        yield "ftm-10.4", f"enters on a supply base with {held[0]}", sure
    if field.ground.closed_to(unit)[hex_id]:
        yield country_rule(unit), "may not enter that country", sure
    ours = CHOICES.get(case.option("arrival-places"))
    if ours is not None and (reason := _out_of_place(case, unit, hex_id)):
        yield OWN, reason, ours


def _out_of_place(case: Case, unit: Unit, hex_id: HexId) -> str | None:
    """Ours: the Axis comes to its bases and edges, the Soviets to cities, railways and edges, in supply."""
    field, tracing = field_of(case), supply_now(case).tracing
    if unit.side == AXIS:
        places, where = {h for h, _ in tracing.bases()}, "supply base and edge of the map"
    else:
        places, where = set(field.board.with_place("city")), "city, railway and edge of the map"
    on_rails = unit.side != AXIS and field.board.on_line(TRACK)[hex_id]
    if not on_rails and hex_id not in {*places, *tracing.sources(Kind.of(unit))}:
        return f"enters away from every {where}"
    if field.enemy_zones(unit.side).mask[hex_id]:
        return "enters in an enemy zone of control"
    return None if supplied_mask(case, unit)[hex_id] else "enters in a hex that is not in supply"


def _returns_from_combat(case: Case, unit: Unit) -> bool:
    """Supply bases do (9.3.4), others by the option."""
    return unit.has("supply-base") or case.option("returns-from-combat") == "on"


entries.register(
    RULES,
    Entries(
        time="ftm-3.1k",
        returns="ftm-9.1.4",
        phases=ARRIVAL,
        moving=MOVING,
        kept=(WAITING, EVACUATED),
        otherwise=by_another_rule,
        places=wrong_place,
        fighting=FIGHTING,
        from_combat=_returns_from_combat,
        others=("ftm-10.4", "ftm-5.2.2", "ftm-5.2.1c", *COUNTRY.values(), OWN),
    ),
)
