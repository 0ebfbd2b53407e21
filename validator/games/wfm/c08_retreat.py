"""Chapters 8.10 and 8.11: retreat and advance after combat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from validator.core import explain as say
from validator.core.advance import AdvanceRules
from validator.core.board import Board, HexId, Mask, minus
from validator.core.breach import Breach
from validator.core.costs import CostTable
from validator.core.results import Pays
from validator.core.retreat import (
    RetreatRules,
    RetreatVerdict,
    inside,
    judge_retreat,
    outside,
    straight_paths,
)
from validator.core.strategic import flat_table
from validator.games.wfm.battles import SETTING, Battle, Party, across
from validator.games.wfm.book import AXIS, ENEMY
from validator.games.wfm.c04_stacking import stack
from validator.games.wfm.c08_combat import attack_zero
from validator.games.wfm.c08_losses import RIVER, ZONE
from validator.games.wfm.field import SNOW, TRACK, Field, field_of
from validator.games.wfm.state import Case
from validator.model.events import Moved
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures.battle import advance, retreat
from validator.procedures.battlebook import Extra
from validator.procedures.field import printed
from validator.procedures.moves import way_of
from validator.procedures.supplymarks import out_of_supply

WATER = ("sea", "lake", "causeway", "ice-road")  # neither retreat nor advance crosses them (8.103, 8.115)
LONGEST = 3  # hexes of an advance (8.113)
RETREAT_KEYS = {
    "away": "wfm-8.101b",
    "order": "wfm-8.106",
    "enemy": "wfm-8.103",
    "not-adjacent": "wfm-8.101b",
    "off-line": "wfm-8.75",
    "out-of-supply": "wfm-4.29b",
    "never-zone": "wfm-5.28b",
}
ADVANCE_KEYS = {
    "first-hex": "wfm-8.115",
    "advance-length": "wfm-8.113",
    "advance-stop": "wfm-8.116",
    "enemy": "wfm-8.111",
}


def table(case: Case, bans: tuple[str, ...], rail: bool = False) -> CostTable:
    """One point a hex, without these hexsides, nor into sea and lakes; compiled once."""
    key = (CostTable, bans, rail)
    along = (TRACK,) if rail else ()
    return case.once(key, lambda: flat_table(field_of(case).board, bans, ("sea", "lake"), only_along=along))


# --- retreat --------------------------------------------------------------------------------------


class Retreats(retreat.Retreats[Battle, Party]):
    no_part = "wfm-8.22"

    def wrong(self, case: Case, battle: Battle, party: Party, event: Moved) -> Iterator[Fault]:
        who = "+".join(event.units)
        if _off_map(case, event):
            yield Fault("wfm-8.103", f"{who} retreats off the map in play", event.units)
        elif fixed := _fixed(case, event):
            text = f"{'+'.join(fixed)} has no movement points and cannot retreat"
            yield Fault("wfm-8.101a", text, fixed)
        else:
            yield from _retreat_faults(field_of(case), retreat_of(case, event, party), event)

    def book(self, case: Case, battle: Battle, party: Party, event: Moved) -> None:
        if not (_fixed(case, event) or _off_map(case, event)):
            _book_retreat(case, field_of(case), party, retreat_of(case, event, party))

    def take_back(self, party: Party, event: Moved) -> None:
        super().take_back(party, event)
        origins = {path[0] for path in party.paths.values()}
        party.extras = [extra for extra in party.extras if extra.origin in origins]


Retreats(SETTING).enforce(
    "wfm-8.101a",
    "wfm-8.101b",
    "wfm-8.103",
    "wfm-8.106",
    "wfm-8.75",
    "wfm-4.29b",
    "wfm-8.22",
    "wfm-5.28b",
)


def _fixed(case: Case, event: Moved) -> tuple[str, ...]:
    return tuple(name for name in event.units if printed(case.position.units[name], "movement") == 0)


def _off_map(case: Case, event: Moved) -> bool:
    return way_of(field_of(case), event) is None


@dataclass(frozen=True)
class Retreat:
    """A group on its way; `before` are the hexes it retreated earlier for the same battle."""

    group: list[Unit]
    verdict: RetreatVerdict
    before: tuple[HexId, ...]


def retreat_of(case: Case, event: Moved, party: Party) -> Retreat:
    return case.about("way", lambda: _retreat_of(case, event, party))


def _retreat_of(case: Case, event: Moved, party: Party) -> Retreat:
    field = field_of(case)
    group = [case.position.units[name] for name in event.units]
    shown = field.ids(event.path)
    before = party.paths.get(party.root(group[0].id), ())
    way = (*before[:-1], *shown) if before and before[-1] == shown[0] else tuple(shown)
    return Retreat(group, _best_retreat(case, field, party, group, way), before)


def _best_retreat(
    case: Case, field: Field, party: Party, group: Sequence[Unit], way: tuple[HexId, ...]
) -> RetreatVerdict:
    """The reading with least against it: of the paths that fit, and of what counts as occupied."""
    verdicts = [
        judge_retreat(field.board, rules, path, len(path) - 1)
        for path in _paths(field.board, way)
        for rules in retreat_rules(case, field, party, group)
    ]
    return min(verdicts, key=lambda v: (len(_serious(v)), len(v.losses)))


def _serious(verdict: RetreatVerdict) -> list[Breach]:
    return [breach for breach in verdict.breaches if breach.key != "nationality"]  # chapter 4 tells


def _paths(board: Board, way: Sequence[HexId]) -> list[tuple[HexId, ...]]:
    """Every shortest path by the hexes shown."""
    legs = [straight_paths(board, a, b) for a, b in pairwise(way)]
    return [(way[0], *(h for leg in chosen for h in leg[1:])) for chosen in product(*legs)]


def retreat_rules(case: Case, field: Field, party: Party, group: Sequence[Unit]) -> Iterator[RetreatRules]:
    """Whether those of the same battle count as occupants, and whether dead ends do, either is granted."""
    names = {unit.id for unit in group}
    everyone = field.board.mask(h for h, u in field.of_side(party.side) if u.id not in names)
    outsiders = field.board.mask(
        h for h, u in field.of_side(party.side) if u.id not in names and not party.holds(u.id)
    )
    zones = field.enemy_zones(party.side).mask
    closed = dict(_closed(field, party, group, zones, everyone))
    siege = any(unit.has("rail-only") for unit in group)
    costs = table(case, WATER, siege)
    losses = {ZONE: minus(zones, everyone)}
    rivers = {RIVER: across(case, "major-river")}
    for occupied, ahead in product((everyone, outsiders), (False, True)):
        yield RetreatRules(
            costs,
            closed,
            (
                ("empty", outside(zones, occupied)),
                ("friends", inside(minus(occupied, zones))),
                ("friends-in-zone", inside(zones, occupied)),
                ("zone", inside(zones)),
            ),
            look_ahead=ahead,
            losses=losses,
            step_losses=rivers if any(unit.has("armor") for unit in group) else {},
        )


def _closed(
    field: Field, party: Party, group: Sequence[Unit], zones: Mask, friends: Mask
) -> Iterator[tuple[str, Mask]]:
    yield "enemy", field.occupied(ENEMY[party.side])
    if any(out_of_supply(unit) for unit in group):
        yield "out-of-supply", minus(zones, friends)
    if any(unit.has("never-ezoc") for unit in group):
        yield "never-zone", zones
    minors = [unit for unit in group if unit.side == AXIS and not unit.has("german")]
    if minors:
        nations = {unit.nationality for unit in minors}
        strangers = (h for h, u in field.of_side(AXIS) if not u.has("german") and {u.nationality} != nations)
        yield "nationality", field.board.mask(strangers)


def _retreat_faults(field: Field, going: Retreat, event: Moved) -> Iterator[Fault]:
    """One fault of a retreat; hexes of it that were judged before are left alone."""
    verdict, known = going.verdict, max(len(going.before) - 1, 0)
    old = set(verdict.path[: known + 1])
    for breach in _serious(verdict):
        if known and breach.hexes and breach.hexes[0] in old and breach.key != "order":
            continue
        rule = RETREAT_KEYS.get(breach.key, "wfm-8.103")
        text = say.breach_text(field.ground.wording, breach)
        hexes = tuple(field.board.hexes[h] for h in breach.hexes)
        way = "-".join(field.ground.wording.hex(h) for h in verdict.path)
        yield Fault(rule, f"{'+'.join(event.units)} retreats {way}: {text}", event.units, hexes)
        return


def _book_retreat(case: Case, field: Field, party: Party, going: Retreat) -> None:
    group, verdict, before = going.group, going.verdict, going.before
    path = verdict.path
    names = [party.root(unit.id) for unit in group if party.holds(unit.id)]
    for name in names:
        party.paths[name] = path
        if len(path) > 2 and _no_room(case, field, party, group, path[-2]):
            party.spare[name] = 1
    new = {*path[max(len(before), 1) :]}
    origin = path[0]
    losses = [loss for loss in verdict.losses if loss.hexes[-1] in new]
    if case.option("retreat-loss") == "once":
        known = any(extra.key == ZONE and extra.origin == origin for extra in party.extras)
        zone = [loss for loss in losses if loss.key == ZONE]
        losses = [loss for loss in losses if loss.key != ZONE] + ([] if known else zone[:1])
    for loss in losses:
        party.extras.append(_extra(party, loss, origin))


def _extra(party: Party, loss: Breach, origin: HexId) -> Extra:
    """One for the stack: what a companion from the same hex has paid need not be paid again."""
    payers = [unit for unit, stood in party.stood.items() if stood == origin]
    if loss.key == RIVER:
        payers = [unit for unit in payers if unit in party.armor]
    known = any((e.key, e.hexes, e.origin) == (loss.key, loss.hexes, origin) for e in party.extras)
    return Extra(loss.key, loss.hexes, origin, tuple(payers), not known)


def _no_room(case: Case, field: Field, party: Party, group: Sequence[Unit], hex_id: HexId) -> bool:
    """8.105: whether the retreat could not have ended a hex earlier."""
    there: Iterable[Unit] = {u.id: u for u in (*field.units(hex_id), *group)}.values()
    verdict = stack(case, there, party.side)
    return verdict.load > verdict.limit


# --- advance ----------------------------------------------------------------------------------------


class Advances(advance.Advances[Battle, Party]):
    no_part, late, off_map = "wfm-8.111", "wfm-8.111", "wfm-8.115"

    def never(self, case: Case, unit: Unit) -> Fault | None:
        if unit.has("no-advance") or printed(unit, "movement") == 0:
            return Fault("wfm-8.112", f"{unit.id} never advances", (unit.id,))
        if attack_zero(unit):
            text = f"{unit.id} has an attack strength of 0 and does not advance"
            return Fault("wfm-8.24", text, (unit.id,))
        return None

    def barred(self, case: Case, battle: Battle, party: Party, unit: Unit) -> Fault | None:
        if not battle.overrun or party is battle.attacker:
            return None
        return Fault("wfm-6.27b", f"{unit.id} advances after an overrun against it", (unit.id,))

    def advances_by_step(self, case: Case, battle: Battle, party: Party) -> bool:
        """What follows an overrun is chapter 6's."""
        return not battle.overrun

    def is_next(self, battle: Battle, other: Battle) -> bool:
        return other.rolled and other.number > battle.number

    def rules_of(self, case: Case, battle: Battle, party: Party, unit: Unit) -> AdvanceRules:
        return advance_rules(case, field_of(case), battle, party, unit)

    def rule_of(self, case: Case, battle: Battle, party: Party, breach: Breach, event: Moved) -> str:
        if breach.key == "first-hex" and _held(battle, battle.foe(party)).issuperset(breach.hexes):
            return "wfm-8.111"
        return ADVANCE_KEYS.get(breach.key, "wfm-8.115")


Advances(SETTING).enforce(
    "wfm-8.111", "wfm-8.112", "wfm-8.113", "wfm-8.115", "wfm-8.116", "wfm-8.24", "wfm-6.27b"
)


def _held(battle: Battle, party: Party) -> set[HexId]:
    return set(battle.targets) if party is battle.defender else set(party.stood.values())


def advance_rules(case: Case, field: Field, battle: Battle, party: Party, unit: Unit) -> AdvanceRules:
    foe = battle.foe(party)
    enemy = field.occupied(ENEMY[party.side])
    swamp = () if field.season == SNOW else ("swamp",)
    rough = field.board.of_terrain(*swamp) if swamp else field.board.mask()
    return AdvanceRules(
        hexes=min(advance_limit(battle, foe), int(unit.type.values.get("advance", 1))),
        vacated=frozenset(h for h in _held(battle, foe) if not enemy[h]),
        first=table(case, WATER),
        later=table(case, (*WATER, "major-river")),
        enemy=enemy,
        stop=minus(field.enemy_zones(party.side).mask, field.board.mask(_held(battle, foe))),
        forbidden={"swamp": rough},
    )


def advance_limit(battle: Battle, foe: Party) -> int:
    """8.113: the result less the steps the other side paid with; what its retreat cost does not count."""
    parts = battle.parts(foe)
    if not parts or any(part.pays is Pays.ALL for part in parts):
        return LONGEST
    return max(part.points for part in parts) - max(foe.lost_steps - len(foe.extras), 0)
