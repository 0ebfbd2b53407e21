"""Retreats and advances after combat, as a log shows them.

A game states its `Aftermath`; `register` gives its rulebook the judges and reducers. What a retreat costs is
booked with its battle; `procedures.paying` asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

from validator.core import explain as say
from validator.core.advance import AdvanceRules, check_advance
from validator.core.board import Board, HexId, Mask, minus
from validator.core.breach import Breach
from validator.core.costs import CostTable
from validator.core.retreat import RetreatRules, RetreatVerdict, inside, judge_retreat, outside
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import battlebook, faults
from validator.procedures.battlebook import Battle, Extra, Party
from validator.procedures.field import printed
from validator.procedures.moves import way_of

ZONE, RIVER = "zone-loss", "river-loss"


@dataclass(frozen=True)
class Aftermath:
    """Retreats and advances of a game. `retreat_keys` and `advance_keys` give the rules of what is breached;
    `off_map`, `immobile` and `no_part` those of retreats that cannot be, `advancer` those of advances."""

    field_of: Callable[[Any], Any]
    fighting: Sequence[str]
    costs: Callable[[Any, Sequence[Unit]], CostTable]  # steps of a retreat
    closed: Callable[[Any, Any, Sequence[Unit], Mask, Mask], Mapping[str, Mask]]
    rivers: Callable[[Any], Mask]  # steps that cost armour a step
    river_each: Callable[[Any], bool]  # a step for each river, not for each unit and battle
    may_advance: Callable[[Any, Unit], bool]
    advance_rules: Callable[[Any, Any, Any, Any, Unit], AdvanceRules]
    advance_doubt: Callable[[Any, Any, Any, Unit], Fault | None]  # where the text cannot decide
    retreat_keys: Mapping[str, str]
    advance_keys: Mapping[str, str]
    no_part: str
    off_map: str
    immobile: str
    advancer: str
    never: str
    too_late: str
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Retreat:
    """A group on its way; `before` are the hexes it retreated earlier for the same battle."""

    group: list[Unit]
    verdict: RetreatVerdict
    before: tuple[HexId, ...]


def register(rules: Rulebook, of: Aftermath) -> None:
    @rules.rule(of.no_part, of.off_map, of.immobile, *of.retreat_keys.values())
    @rules.before(Moved, phases=of.fighting)
    def retreats_go_where_they_must(case: AnyCase, event: Moved) -> Faults:
        if event.mode != "retreat":
            return
        found = _fought(case, event)
        if found is None:
            yield faults.no_part(case, of.no_part, event, "retreats")
        elif way_of(of.field_of(case), event) is None:
            yield Fault(of.off_map, f"{'+'.join(event.units)} retreats off the map in play", event.units)
        elif fixed := _fixed(case, event):
            yield Fault(of.immobile, f"{'+'.join(fixed)} has no movement points and cannot retreat", fixed)
        else:
            yield from _retreat_faults(of, case, retreat_of(of, case, event, found[1]), event)

    @rules.track(Moved, when=JUDGED, phases=of.fighting)
    def note_the_retreat(case: AnyCase, event: Moved) -> None:
        found = _fought(case, event) if event.mode == "retreat" else None
        if found is None or way_of(of.field_of(case), event) is None:
            return
        party, fixed = found[1], bool(_fixed(case, event))
        party.strayed = party.strayed or fixed
        if not fixed:
            going = retreat_of(of, case, event, party)
            party.strayed = party.strayed or any(_retreat_faults(of, case, going, event))
            _book(of, case, party, going)

    @rules.rule(of.advancer, of.never, of.too_late, *of.advance_keys.values(), *of.doubts)
    @rules.before(Moved, phases=of.fighting)
    def advances_follow_the_enemy(case: AnyCase, event: Moved) -> Faults:
        for name in event.units if event.mode == "advance" else ():
            unit = case.position.units[name]
            found = battlebook.engaged(case.in_phase.battles, name, event.battle)
            party = found.party(name) if found else None
            if not of.may_advance(case, unit):
                yield Fault(of.never, f"{name} never advances", (name,))
            elif found is None or party is None:
                yield faults.no_part(
                    case, of.advancer, Moved((name,), event.path, "advance", event.battle), "advances"
                )
            elif not (found.overrun and party is found.attacker):
                yield from _advance_faults(of, case, found, party, unit, event)

    @rules.track(Moved, when=JUDGED, phases=of.fighting)
    def note_the_advance(case: AnyCase, event: Moved) -> None:
        for name in event.units if event.mode == "advance" else ():
            found = battlebook.engaged(case.in_phase.battles, name, event.battle)
            party = found.party(name) if found else None
            if party is not None:
                party.advanced.add(party.root(name))


# --- retreat -----------------------------------------------------------------------------------------


def _fought(case: AnyCase, event: Moved) -> tuple[Battle[Any], Party] | None:
    for name in event.units:
        battle = battlebook.engaged(case.in_phase.battles, name, event.battle)
        party = battle.party(name) if battle else None
        if battle is not None and party is not None:
            return battle, party
    return None


def _fixed(case: AnyCase, event: Moved) -> tuple[str, ...]:
    units = case.position.units
    return tuple(
        n for n in event.units if printed(units[n], "movement") == 0 and not units[n].has("rail-only")
    )


def retreat_of(of: Aftermath, case: AnyCase, event: Moved, party: Party) -> Retreat:
    return case.about("retreat", lambda: _retreat_of(of, case, event, party))


def _retreat_of(of: Aftermath, case: AnyCase, event: Moved, party: Party) -> Retreat:
    group = [case.position.units[name] for name in event.units]
    shown = of.field_of(case).ids(event.path)
    before = party.paths.get(party.root(group[0].id), ())
    way = (*before[:-1], *shown) if before and before[-1] == shown[0] else tuple(shown)
    return Retreat(group, _best(of, case, party, group, way), before)


def _best(
    of: Aftermath, case: AnyCase, party: Party, group: Sequence[Unit], way: tuple[HexId, ...]
) -> RetreatVerdict:
    """The reading with least against it: of the paths that fit, and of what counts as occupied."""
    board = of.field_of(case).board
    verdicts = (
        judge_retreat(board, rules, path, len(path) - 1)
        for path in _paths(board, way)
        for rules in retreat_rules(of, case, of.field_of(case), party, group)
    )
    return min(verdicts, key=lambda v: (len(v.breaches), len(v.losses)))


def _paths(board: Board, way: Sequence[HexId]) -> list[tuple[HexId, ...]]:
    """Every shortest path by the hexes shown."""
    legs = [_shortest(board, a, b) for a, b in pairwise(way)]
    return [tuple(way[:1]) + tuple(h for leg in legs_ for h in leg) for legs_ in product(*legs)]


def _shortest(board: Board, start: HexId, end: HexId) -> list[tuple[HexId, ...]]:
    """The hexes after the start, on each shortest path."""
    paths: list[tuple[HexId, ...]] = [()]
    for left in range(board.distance(start, end) - 1, -1, -1):
        paths = [
            (*path, b)
            for path in paths
            for b in board.adjacent[path[-1] if path else start]
            if board.distance(b, end) == left
        ]
    return paths


def retreat_rules(
    of: Aftermath, case: AnyCase, field: Any, party: Party, group: Sequence[Unit]
) -> Iterator[RetreatRules]:
    """Whether those of the same battle count as occupants, and whether dead ends do, either is granted."""
    names = {unit.id for unit in group}
    others = [(h, u) for h, u in field.of_side(party.side) if u.id not in names]
    everyone = field.board.mask(h for h, _ in others)
    outsiders = field.board.mask(h for h, u in others if not party.holds(u.id))
    zones = field.enemy_zones(party.side).mask
    closed = of.closed(case, field, group, zones, everyone)
    rivers = {RIVER: of.rivers(case)} if any(unit.has("armor") for unit in group) else {}
    for occupied, ahead in product((everyone, outsiders), (False, True)):
        yield RetreatRules(
            of.costs(case, group),
            closed,
            (
                ("empty", outside(zones, occupied)),
                ("friends", inside(minus(occupied, zones))),
                ("friends-in-zone", inside(zones, occupied)),
                ("zone", inside(zones)),
            ),
            look_ahead=ahead,
            losses={ZONE: minus(zones, everyone)},
            step_losses=rivers,
        )


def _retreat_faults(of: Aftermath, case: AnyCase, going: Retreat, event: Moved) -> Iterator[Fault]:
    """One fault of a retreat; hexes of it that were judged before are left alone."""
    words, verdict = of.field_of(case).ground.wording, going.verdict
    known = max(len(going.before) - 1, 0)
    old = set(verdict.path[: known + 1])
    for breach in verdict.breaches:
        if known and breach.hexes and breach.hexes[0] in old and breach.key != "order":
            continue
        rule = of.retreat_keys.get(breach.key, of.off_map)
        hexes = tuple(of.field_of(case).board.hexes[h] for h in breach.hexes)
        way = "-".join(words.hex(h) for h in verdict.path)
        text = f"{'+'.join(event.units)} retreats {way}: {say.breach_text(words, breach)}"
        yield Fault(rule, text, event.units, hexes)
        return


def _book(of: Aftermath, case: AnyCase, party: Party, going: Retreat) -> None:
    path = going.verdict.path
    names = [party.root(unit.id) for unit in going.group if party.holds(unit.id)]
    party.paths.update(dict.fromkeys(names, path))
    new = {*path[max(len(going.before), 1) :]}
    armor = [party.root(unit.id) for unit in going.group if unit.has("armor")]
    for loss in going.verdict.losses:
        if loss.hexes[-1] in new and loss.key == ZONE:
            party.extras.append(_of_stack(party, loss, path[0]))
        elif loss.hexes[-1] in new:
            party.extras += [_of_unit(of, case, party, loss, path[0], unit) for unit in armor]


def _of_stack(party: Party, loss: Breach, origin: HexId) -> Extra:
    """One for the stack: what a companion from the same hex has paid need not be paid again."""
    payers = tuple(unit for unit, stood in party.stood.items() if stood == origin)
    known = any((e.key, e.hexes, e.origin) == (loss.key, loss.hexes, origin) for e in party.extras)
    return Extra(loss.key, loss.hexes, origin, payers, not known)


def _of_unit(of: Aftermath, case: AnyCase, party: Party, loss: Breach, origin: HexId, unit: str) -> Extra:
    known = any(e.key == loss.key and e.units == (unit,) for e in party.extras)
    return Extra(loss.key, loss.hexes, origin, (unit,), of.river_each(case) or not known)


# --- advance ------------------------------------------------------------------------------------------


def _advance_faults(
    of: Aftermath, case: AnyCase, battle: Battle[Any], party: Party, unit: Unit, event: Moved
) -> Iterator[Fault]:
    field, foe = of.field_of(case), battle.foe(party)
    if any(other.rolled and other.number > battle.number for other in case.in_phase.battles):
        yield Fault(of.too_late, f"{unit.id} advances after another battle was resolved", (unit.id,))
        return
    way = way_of(field, event)
    if way is None:
        yield Fault(of.off_map, f"{unit.id} advances off the map in play", (unit.id,))
        return
    if (doubt := of.advance_doubt(case, battle, party, unit)) is not None:
        yield doubt
        if doubt.verdict is Verdict.JUDGEMENT:
            return
    for breach in check_advance(field.board, of.advance_rules(case, field, battle, party, unit), way)[:1]:
        if breach.key in ("first-hex", "enemy") and (foe.strayed or foe.owing(battle.part(foe))):
            continue  # what the other side still owes is named when the battle is over
        text = f"{unit.id} advances: {say.breach_text(field.ground.wording, breach)}"
        hexes = tuple(field.board.hexes[h] for h in breach.hexes)
        yield Fault(of.advance_keys.get(breach.key, of.advancer), text, (unit.id,), hexes)


def held_by(battle: Battle[Any], party: Party) -> set[HexId]:
    """The hexes that a side stood in when the battle was declared."""
    return set(battle.targets) if party is battle.defender else set(party.stood.values())


def vacated(field: Any, battle: Battle[Any], foe: Party) -> frozenset[HexId]:
    occupied = field.occupied(foe.side)
    return frozenset(h for h in held_by(battle, foe) if not occupied[h])
