"""Chapter 7: Finnish limits: how many units come to Finland in a turn, and how."""

from __future__ import annotations

from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.book import AXIS, DROP, REDEPLOY, RULES, STRATEGIC, TRANSPORT, both, part_of
from validator.games.wie.field import FINLAND, Field, field_of
from validator.games.wie.sources import HIDDEN, boxed, source_of
from validator.games.wie.state import Case
from validator.games.wie.units import PARTISAN, RAIL_GUN, ROCKET, is_air, is_hq
from validator.model.events import Moved, Placed
from validator.model.findings import Fault
from validator.model.position import Unit

MOST, MOST_FLOWN, MOST_BY_RAIL, MOST_HEXES = 3, 2, 1, 4
FROM_AFAR = (DROP, TRANSPORT, STRATEGIC)
ACTING = both("place", "move", "combat", "exploit", "redeploy")


def how(event: Moved | Placed, unit: Unit) -> str:
    """The mode in which a unit comes; a rail gun and a launcher have one way only."""
    by_rail = unit.has(RAIL_GUN) or unit.has(ROCKET)
    return "" if isinstance(event, Placed) else STRATEGIC if by_rail else event.mode


def newcomers(case: Case, event: Moved | Placed) -> list[Unit]:
    """Units that an event brings into Finland; planes only to stay, headquarters and hidden units never."""
    field, found = field_of(case), []
    for unit, old, new in boxed(case, event):
        ends = [field.ground.country(hex_id) for hex_id in field.ids((old, new))]
        free = is_hq(unit) or unit.has(PARTISAN) or source_of(case, unit, old) == HIDDEN
        passing = is_air(unit) and len(ends) == 2 and part_of(case.phase) != REDEPLOY
        comes = ends[-1:] == [FINLAND] and ends[:-1] != [FINLAND] and field.id(new) is not None
        if comes and unit.side == AXIS and not free and not passing:
            found.append(unit)
    return found


@RULES.track(Moved, Placed, when=JUDGED, phases=ACTING)
def note_who_comes_to_finland(case: Case, event: Moved | Placed) -> None:
    for unit in newcomers(case, event):
        turn = case.in_turn.by(AXIS)
        turn.into_finland[unit.id] = how(event, unit)


@RULES.rule("wie-fin.1", "wie-fin.2", "wie-fin.3", "wie-sr.7")
@RULES.before(Moved, Placed, phases=ACTING)
def few_come_to_finland(case: Case, event: Moved | Placed) -> Faults:
    """Three in a turn; two of them by air, one by rail, not from far away."""
    new, where = newcomers(case, event), field_of(case).id(event.comes_to)
    if not new or where is None:
        return
    way = how(event, new[0])
    ways = [*case.in_turn.by(AXIS).into_finland.values(), *(way for _ in new)]
    far = near_germans(field_of(case), where) if way in FROM_AFAR else 0
    if way == TRANSPORT and ways.count(TRANSPORT) > MOST_FLOWN:
        wrong = ("wie-fin.2", f"{ways.count(TRANSPORT)} infantry units are flown to Finland, and two may be")
    elif way == STRATEGIC and ways.count(STRATEGIC) > MOST_BY_RAIL:
        wrong = ("wie-sr.7", f"{ways.count(STRATEGIC)} units are redeployed into Finland, and one may be")
    elif len(ways) > MOST:
        wrong = ("wie-fin.1", f"{len(ways)} units come to Finland, and three may")
    elif far > MOST_HEXES:
        wrong = ("wie-fin.3", f"the nearest German hex is {far} hexes away, and {MOST_HEXES} is the most")
    else:
        return
    names = tuple(unit.id for unit in new)
    rule, text = wrong
    yield Fault(rule, f"{'+'.join(names)} comes to Finland in this turn: {text}", names)


def near_germans(field: Field, hex_id: HexId) -> int:
    """Hexes over land to the nearest Axis hex outside Finland."""
    links = field.ground.costs.links()
    found, ring, steps = {hex_id}, [hex_id], 0
    while ring:
        if any(field.holder(h) == AXIS and field.ground.country(h) != FINLAND for h in ring):
            return steps
        ring = list(dict.fromkeys(there for h in ring for there, _ in links[h] if there not in found))
        found.update(ring)
        steps += 1
    return len(field.board)
