"""Chapter 7: Finnish limits: how many units come to Finland in a turn, and how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.book import AXIS, DROP, REDEPLOY, RULES, STRATEGIC, TRANSPORT, both, part_of
from validator.games.wie.field import FINLAND, Field, field_of
from validator.games.wie.sources import HIDDEN, source_of
from validator.games.wie.state import Case
from validator.games.wie.units import PARTISAN, RAIL_GUN, ROCKET, finnish, is_air, is_hq
from validator.model.events import Moved, Placed, Spot
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import note_each
from validator.procedures.transfers import Transfer, transfers

MOST, MOST_FLOWN, MOST_BY_RAIL, MOST_HEXES = 3, 2, 1, 4
FROM_AFAR = (DROP, TRANSPORT, STRATEGIC)
RETURN = "return"  # Finns that come back on foot
ACTING = both("place", "move", "combat", "exploit", "redeploy")


def how(event: Moved | Placed, unit: Unit) -> str:
    """The mode in which a unit comes; a rail gun and a launcher have one way only."""
    if isinstance(event, Placed):
        return ""
    if unit.has(RAIL_GUN) or unit.has(ROCKET):
        return STRATEGIC
    on_foot = isinstance(event.path[0], Hex) and event.mode not in FROM_AFAR and not is_air(unit)
    return RETURN if on_foot and finnish(unit) else event.mode


def newcomers(case: Case, event: Moved | Placed) -> list[Unit]:
    """Units that an event brings into Finland; planes only to stay, headquarters and hidden units never."""
    own = [
        transfer for transfer in transfers(case, event) if transfer.unit.side == AXIS and _counts(transfer)
    ]
    flying = part_of(case.phase) != REDEPLOY
    return [
        transfer.unit for transfer in own if _comes(case, transfer) and not (flying and _is_passing(transfer))
    ]


def _counts(transfer: Transfer) -> bool:
    free = is_hq(transfer.unit) or transfer.unit.has(PARTISAN)
    return not free and source_of(transfer) != HIDDEN


def _comes(case: Case, transfer: Transfer) -> bool:
    return in_finland(case, transfer.new) and not in_finland(case, transfer.old)


def in_finland(case: Case, spot: Spot | None) -> bool:
    field = field_of(case)
    return [field.ground.country(hex_id) for hex_id in field.ids((spot,))] == [FINLAND]


def _is_passing(transfer: Transfer) -> bool:
    """A plane that comes from elsewhere on the map."""
    return is_air(transfer.unit) and not transfer.arrives


@RULES.track(Moved, Placed, when=JUDGED, phases=ACTING)
@note_each(newcomers)
def note_who_comes_to_finland(case: Case, event: Moved | Placed, unit: Unit) -> None:
    case.in_turn.by(AXIS).into_finland[unit.id] = how(event, unit)


@RULES.rule("wie-fin.1", "wie-fin.2", "wie-fin.3", "wie-sr.7")
@RULES.before(Moved, Placed, phases=ACTING)
def few_come_to_finland(case: Case, event: Moved | Placed) -> Faults:
    """Three in a turn; two of them by air, one by rail, not from far away."""
    new = newcomers(case, event)
    for where in field_of(case).ids((event.comes_to,)) if new else ():
        way = how(event, new[0])
        ways = Counter([*case.in_turn.by(AXIS).into_finland.values(), *(how(event, unit) for unit in new)])
        unsure = faults.doubts({"wie-fin.1": way == RETURN or ways.total() - ways[RETURN] <= MOST})
        flown, by_rail = ways[TRANSPORT], ways[STRATEGIC]
        far = near_germans(field_of(case), where) if way in FROM_AFAR else 0
        flown_text = f"{flown} infantry units are flown to Finland, and two may be"
        rail_text = f"{by_rail} units are redeployed into Finland, and one may be"
        far_text = f"the nearest German hex is {far} hexes away, and {MOST_HEXES} is the most"
        rows: faults.Rows = [
            (way == TRANSPORT and flown > MOST_FLOWN, "wie-fin.2", flown_text),
            (way == STRATEGIC and by_rail > MOST_BY_RAIL, "wie-sr.7", rail_text),
            (ways.total() > MOST, "wie-fin.1", f"{ways.total()} units come to Finland, and three may"),
            (far > MOST_HEXES, "wie-fin.3", far_text),
        ]
        names = tuple(unit.id for unit in new)
        text = f"{'+'.join(names)} comes to Finland in this turn: "
        yield from faults.first_that_holds(rows, text, names, (), unsure)


def near_germans(field: Field, hex_id: HexId) -> int:
    """Hexes over land to the nearest Axis hex outside Finland."""
    far = len(field.board)
    return next((steps for steps, ring in _rings(field, hex_id) if _german_hexes(field, ring)), far)


def german_hexes_near(field: Field, hex_id: HexId) -> set[HexId]:
    """Axis hexes outside Finland that are no further over land than units may come from; else the nearest."""
    found: set[HexId] = set()
    for steps, ring in _rings(field, hex_id):
        if steps > MOST_HEXES and found:
            break
        found |= _german_hexes(field, ring)
    return found


def _german_hexes(field: Field, ring: set[HexId]) -> set[HexId]:
    return {h for h in ring if field.holder(h) == AXIS and field.ground.country(h) != FINLAND}


def _rings(field: Field, hex_id: HexId) -> Iterator[tuple[int, set[HexId]]]:
    """The hexes that lie so many steps over land from a hex, ring by ring."""
    links = field.ground.costs.links()
    reached, ring, steps = {hex_id}, {hex_id}, 0
    while ring:
        yield steps, ring
        ring = {there for h in ring for there, _ in links[h]} - reached
        reached |= ring
        steps += 1
