"""Battles of games with zones of control, with results paid in steps lost and hexes retreated in any mix.

`ZoneRetreats` judges retreats of several hexes by classes of hexes; what a retreat costs on its way it books
as extra steps of the party. `MixedLosses` tries every reading of who paid for what; the kindest counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise, product
from typing import Any

from validator.core import explain as say
from validator.core.board import Board, HexId, Mask, minus
from validator.core.breach import Breach
from validator.core.costs import CostTable
from validator.core.losses import LossRules, Sufferer, check_losses
from validator.core.obligations import Obligation
from validator.core.results import Part
from validator.core.retreat import (
    RetreatRules,
    RetreatVerdict,
    choices,
    inside,
    judge_retreat,
    outside,
    straight_paths,
)
from validator.engine.case import AnyCase
from validator.engine.rulebook import LAST
from validator.model.events import Event, Marked, Moved, Removed, Replaced, ResultNamed, Rolled, StepChanged
from validator.model.findings import Fault
from validator.model.position import Unit, lacking
from validator.procedures import battlebook, faults
from validator.procedures.battle.losses import Losses, obligation
from validator.procedures.battle.retreat import Retreats
from validator.procedures.battle.step import B, P
from validator.procedures.battlebook import Battle, Extra, Loss, Party, retreated
from validator.procedures.field import Field, printed
from validator.procedures.moves import way_of
from validator.procedures.settlement import Bill
from validator.procedures.strengthchits import FULL, REDUCED, is_chit, steps_left

ZONE, RIVER = "enemy-zone", "major-river"  # what costs a step on the way
MANY = 7  # extra steps that are tried in every reading


# --- retreats ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """The retreat of a group, as judged; `before` are the hexes it retreated earlier for the same battle."""

    group: list[Unit]
    verdict: RetreatVerdict
    before: tuple[HexId, ...]


class ZoneRetreats(Retreats[B, P]):
    """Each hex of a retreat is of the best class there is: empty, with friends, with friends in an enemy
    zone, in an enemy zone.

    Values: `keys` gives the rules of what is breached, `off_map` those of ways that leave the map (and of
    other breaches), `immobile` of units that cannot retreat. Breaches of the keys in `told_elsewhere` are
    left to other judges.
    """

    keys: Mapping[str, str] = {}
    off_map = ""
    immobile = ""
    told_elsewhere: Sequence[str] = ()
    barred_stay = False  # a unit to which every hex is closed counts as one that cannot move

    def enforce(self, *rules: str) -> None:
        super().enforce(*rules)
        if self.barred_stay:
            book, phases = self.setting.rules, self.setting.phases
            book.track(Rolled, ResultNamed, when=LAST, phases=phases)(self.note_who_is_barred)

    # --- what a game overrides ---

    def enemy_zones(self, field: Any, side: str) -> Mask:
        zones: Mask = field.enemy_zones(side).mask
        return zones

    def costs(self, case: AnyCase, group: Sequence[Unit]) -> CostTable:
        """The steps that a retreat may take."""
        raise NotImplementedError

    def closed(
        self, field: Any, party: P, group: Sequence[Unit], zones: Mask, friends: Mask
    ) -> Iterator[tuple[str, Mask]]:
        """Hexes that may not be entered, by key."""
        raise NotImplementedError

    def rivers(self, case: AnyCase, group: Sequence[Unit]) -> Mapping[str, Mask]:
        """Steps that cost a step, by key."""
        return {}

    def counted(self, case: AnyCase, party: P, origin: HexId, losses: list[Breach]) -> list[Breach]:
        """Those of the losses on a way that the game asks for."""
        return losses

    def extras(
        self, case: AnyCase, party: P, group: Sequence[Unit], loss: Breach, origin: HexId
    ) -> list[Extra]:
        """One for the stack, lost by those of it who retreat: what a companion has paid need not be paid
        again."""
        staying = party.immobile - party.paths.keys()
        payers = tuple(unit for unit, stood in party.stood.items() if stood == origin and unit not in staying)
        known = any((e.key, e.hexes, e.origin) == (loss.key, loss.hexes, origin) for e in party.extras)
        return [Extra(loss.key, loss.hexes, origin, payers, not known)]

    def is_full(self, case: AnyCase, party: P, group: Sequence[Unit], hex_id: HexId) -> bool:
        """Whether the retreat could not have ended in a hex, for lack of room."""
        return False

    def rule_of(self, breach: Breach, group: Sequence[Unit]) -> str:
        return self.keys.get(breach.key, self.off_map)

    # --- what they share ---

    def wrong(self, case: AnyCase, battle: B, party: P, event: Moved) -> Iterator[Fault]:
        who, fixed = "+".join(event.units), self._fixed(case, event)
        if way_of(self.field(case), event) is None:
            yield Fault(self.off_map, f"{who} retreats off the map in play", event.units)
        elif fixed:
            text = f"{'+'.join(fixed)} has no movement points and cannot retreat"
            yield Fault(self.immobile, text, fixed)
        else:
            yield from self._wrong_way(case, self._way(case, party, event), event)

    def book(self, case: AnyCase, battle: B, party: P, event: Moved) -> None:
        if self._fixed(case, event) or way_of(self.field(case), event) is None:
            return
        way = self._way(case, party, event)
        path, group = way.verdict.path, way.group
        spare = len(path) > 2 and self.is_full(case, party, group, path[-2])
        for name in (party.root(unit.id) for unit in group if party.holds(unit.id)):
            party.paths[name] = path
            party.spare[name] = int(spare)
        new = {*path[max(len(way.before), 1) :]}
        losses = [loss for loss in way.verdict.losses if loss.hexes[-1] in new]
        for loss in self.counted(case, party, path[0], losses):
            party.extras += self.extras(case, party, group, loss, path[0])

    def note_who_is_barred(self, case: AnyCase, event: Rolled | ResultNamed) -> None:
        """As the hexes around lie when the result is known, before anybody goes."""
        battle = self.numbered(case, event.battle)
        for party in battle.parties if battle is not None and battle.rolled else ():
            if not party.suffered:
                units = [unit for unit in self.units(case, party.steps) if unit.on_map]
                party.immobile |= {unit.id for unit in units if self._is_barred(case, party, unit)}

    def _is_barred(self, case: AnyCase, party: P, unit: Unit) -> bool:
        """Whether no hex around is open to it."""
        field = self.field(case)
        start, rules = field.id(unit.spot), next(iter(self.rules_of(case, field, party, [unit])))
        return start is not None and choices(field.board, rules, start, start) is None

    def take_back(self, party: P, event: Moved) -> None:
        super().take_back(party, event)
        origins = {path[0] for path in party.paths.values()}
        party.extras = [extra for extra in party.extras if extra.origin in origins]

    def _fixed(self, case: AnyCase, event: Moved) -> tuple[str, ...]:
        units = self.units(case, event.units)
        return tuple(unit.id for unit in lacking(units, "rail-only") if printed(unit, "movement") == 0)

    def _way(self, case: AnyCase, party: P, event: Moved) -> Way:
        """The reading with least against it: of the paths that fit, and of what counts as occupied."""

        def work_out() -> Way:
            field, group = self.field(case), self.units(case, event.units)
            shown = field.ids(event.path)
            before = party.paths.get(party.root(group[0].id), ())
            shown = [*before[:-1], *shown] if before and before[-1] == shown[0] else shown
            verdicts = [
                judge_retreat(field.board, rules, path, len(path) - 1)
                for path in _paths(field.board, shown)
                for rules in self.rules_of(case, field, party, group)
            ]
            best = min(verdicts, key=lambda verdict: (len(self._serious(verdict)), len(verdict.losses)))
            return Way(group, best, before)

        return case.about(self._way, work_out)

    def _serious(self, verdict: RetreatVerdict) -> list[Breach]:
        return [breach for breach in verdict.breaches if breach.key not in self.told_elsewhere]

    def rules_of(self, case: AnyCase, field: Any, party: P, group: Sequence[Unit]) -> Iterator[RetreatRules]:
        """Whether those of the same battle count as occupants, and dead ends as ways: either is granted."""
        names, board = {unit.id for unit in group}, field.board
        others = [(h, unit) for h, unit in field.of_side(party.side) if unit.id not in names]
        everyone = board.mask(h for h, _ in others)
        outsiders = board.mask(h for h, unit in others if not party.holds(unit.id))
        zones = self.enemy_zones(field, party.side)
        closed = dict(self.closed(field, party, group, zones, everyone))
        for occupied, ahead in product((everyone, outsiders), (False, True)):
            yield RetreatRules(
                self.costs(case, group),
                closed,
                (
                    ("empty", outside(zones, occupied)),
                    ("friends", inside(minus(occupied, zones))),
                    ("friends-in-zone", inside(zones, occupied)),
                    ("zone", inside(zones)),
                ),
                look_ahead=ahead,
                losses={ZONE: minus(zones, everyone)},
                step_losses=self.rivers(case, group),
            )

    def _wrong_way(self, case: AnyCase, way: Way, event: Moved) -> Iterator[Fault]:
        """One fault of a retreat; hexes of it that were judged before are left alone."""
        words, path = self.field(case).ground.wording, way.verdict.path
        old = set(path[: len(way.before)])
        for breach in self._serious(way.verdict):
            if breach.key == "order" or not old.intersection(breach.hexes[:1]):
                shown = "-".join(words.hex(h) for h in path)
                text = f"{'+'.join(event.units)} retreats {shown}: {say.breach_text(words, breach)}"
                rule = self.rule_of(breach, way.group)
                yield Fault(rule, text, event.units, self.hexes(case, breach.hexes))
                return


MOST_PATHS = 1000


def _paths(board: Board, way: Sequence[HexId]) -> list[tuple[HexId, ...]]:
    """Every shortest path by the hexes shown, as far as they can be counted."""
    legs = [straight_paths(board, a, b) for a, b in pairwise(way)]
    return [
        (way[0], *(h for leg in chosen for h in leg[1:])) for chosen in islice(product(*legs), MOST_PATHS)
    ]


def held_by(battle: Battle[Any], party: Party) -> set[HexId]:
    """The hexes that a side stood in when the battle was declared."""
    return set(battle.targets) if party is battle.defender else set(party.stood.values())


def vacated(field: Field, battle: Battle[Any], opponent: Party) -> frozenset[HexId]:
    occupied = field.occupied(opponent.side)
    return frozenset(h for h in held_by(battle, opponent) if not occupied[h])


def residents(battles: Sequence[Battle[Any]], there: Sequence[Unit]) -> tuple[list[Unit], tuple[str, ...]]:
    """Who defends a hex; the rest are guests, who retreated into it earlier in the phase."""
    gone = retreated(battles)
    staying = [unit for unit in there if unit.id not in gone] or list(there)
    return staying, tuple(unit.id for unit in there if unit not in staying)


# --- losses --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reading:
    """What a side may have been asked for, and by whom it may have been paid."""

    part: Part
    payers: tuple[str | None, ...]  # of the extra steps that retreats cost
    spare: bool  # the last hex retreated was for lack of room
    idle: frozenset[str]  # units left out


class MixedLosses(Losses[B, P]):
    """Values: `guest` is the rule by which units die that retreated into the hex before, `spread` that of the
    order of losses, `twice` that of a step that would have to pay for two things. Replacements for a reason
    in `exchanges` are no losses.
    """

    guest = ""
    spread = ""
    twice = ""
    exchanges: Sequence[str] = ()
    losing = (StepChanged, Marked, Removed, Replaced)

    # --- what a game overrides ---

    def rule_of(self, party: P, part: Part, due: Obligation, key: str) -> str:
        """The rule that a payment breaks, by the keys of the core's obligations."""
        raise NotImplementedError

    def may_be_stranded(self, case: AnyCase, due: Obligation) -> bool:
        """Whether units that cannot retreat may stay when the others go."""
        return False

    def orders(self, case: AnyCase) -> Sequence[LossRules]:
        """The orders in which steps may be lost: one of them must fit."""
        return (LossRules(),)

    def tier(self, case: AnyCase, party: P, unit: str) -> int | None:
        """Lower tiers lose their steps before higher ones; units of none in any order."""
        return 0

    def unpaid(self, case: AnyCase, party: P, extra: Extra) -> tuple[str, str]:
        """The rule and words for an extra step that nobody lost."""
        raise NotImplementedError

    # --- what they share ---

    def loss_of(self, case: AnyCase, event: Event) -> Loss | None:
        """Steps of armies are the sides of their chits; other counters give way to weaker ones."""
        match event:
            case Marked(marker, str(name), face) if is_chit(case, marker):
                turned = face == REDUCED and case.position.units[name].marks.get(marker) == FULL
                loss = Loss(name, 1, None) if turned else None
            case Replaced():
                loss = self.of_replacement(case, event)
            case _:
                left = partial(steps_left, case)
                loss = battlebook.loss_of(case.position, event, self.boxes_kept, left)
        lost = loss is not None and loss.steps > 0 and not self.dies_as_a_guest(case, loss.unit)
        return loss if lost else None

    def settle(self, case: AnyCase, battle: B, *, final: bool) -> Iterator[Fault]:
        yield from super().settle(case, battle, final=final)
        if final and battle.part(battle.defender).adverse:
            guests = [name for name in battle.defender.guests if case.position.units[name].on_map]
            text = "retreated into the attacked hex before and must be eliminated"
            yield from faults.of_units(self.guest, guests, text)

    def dies_as_a_guest(self, case: AnyCase, name: str) -> bool:
        """With the hex it had retreated into."""
        return any(
            name in battle.defender.guests and battle.part(battle.defender).adverse
            for battle in self.battles(case)
        )

    def of_replacement(self, case: AnyCase, event: Replaced) -> Loss | None:
        """A counter gives way to weaker ones, its heirs."""
        units = case.position.units
        if event.why in self.exchanges or len(event.old) != 1 or not units[event.old[0]].on_map:
            return None
        left = sum(units[heir].type.steps - step + 1 for heir, step in event.new)
        return Loss(event.old[0], steps_left(case, units[event.old[0]]) - left, None)

    def book(self, case: AnyCase, battle: B, party: P, loss: Loss, event: Event) -> None:
        if isinstance(event, Replaced):
            party.heirs.update({heir: party.root(loss.unit) for heir, _ in event.new})
        super().book(case, battle, party, loss, event)

    def bills(self, case: AnyCase, battle: B, party: P) -> Iterator[Sequence[Bill]]:
        """By who paid for what the retreat cost, and whether the last hex was for lack of room."""
        if len(party.extras) > MANY:
            case.not_checked("a retreat past very many enemies")
            yield ()
            return
        payers = product(*[_payers(party, extra) for extra in party.extras])
        spared = [False, True] if any(party.spare.values()) else [False]
        for part, paid, spare, idle in product(battle.parts(party), payers, spared, _idle(party)):
            yield list(self._bills_of(case, party, Reading(part, paid, spare, idle)))

    def _bills_of(self, case: AnyCase, party: P, reading: Reading) -> Iterator[Bill]:
        lost = Counter({u: steps for u, steps in party.lost.items() if u not in party.excused})
        lost.subtract(payer for payer in reading.payers if payer is not None)
        if any(steps < 0 for steps in lost.values()):
            yield Bill(self.twice, "the same step was counted twice", tuple(lost))
            return
        due = _due(party, reading, lost)
        stranded = not self.may_be_stranded(case, due)

        def rule_of(key: str) -> str:
            return self.rule_of(party, reading.part, due, key)

        yield from self.of_payment(case, reading.part, due, rule_of, stranded=stranded)
        yield from self._of_order(case, party, due, lost)
        for extra, payer in zip(party.extras, reading.payers, strict=True):
            if payer is None and extra.required and any(party.alive(unit) for unit in extra.units):
                yield Bill(*self.unpaid(case, party, extra), extra.units, True)

    def _of_order(self, case: AnyCase, party: P, due: Obligation, lost: Mapping[str, int]) -> Iterator[Bill]:
        """Units that stay behind when the others retreat are left out."""
        left_out = due.immobile if due.retreated else frozenset[str]()
        sufferers = [
            Sufferer(unit, steps, tier)
            for unit, steps in due.steps.items()
            if unit not in left_out and (tier := self.tier(case, party, unit)) is not None
        ]
        found = [check_losses(order, sufferers, lost) for order in self.orders(case)]
        for breach in found[0] if all(found) else ():
            text = say.breach_text(self.field(case).ground.wording, breach)
            yield Bill(self.spread, text, breach.units)


def _idle(party: Party) -> list[frozenset[str]]:
    """Units that may be left out of the sum: they should not have fought, and paid nothing."""
    idle = frozenset(u for u in party.doubtful if not party.lost.get(u) and u not in party.paths)
    return [frozenset(), idle] if idle else [frozenset()]


def _payers(party: Party, extra: Extra) -> list[str | None]:
    """Who may have lost the extra step; None if it was not lost."""
    return [None, *dict.fromkeys(unit for unit in extra.units if party.lost.get(unit))]


def _due(party: Party, reading: Reading, lost: Mapping[str, int]) -> Obligation:
    """Steps that extras took are no longer there to pay with."""
    counted = {u: party.steps[u] - party.lost.get(u, 0) + lost.get(u, 0) for u in party.steps}
    steps = {u: left for u, left in counted.items() if u not in party.excused | reading.idle}
    due = obligation(party, reading.part, lost, steps)
    due.immobile = frozenset(unit for unit in party.immobile if not party.hexes_retreated(unit))
    for unit in party.steps:
        hexes = party.hexes_retreated(unit) - (party.spare.get(unit, 0) if reading.spare else 0)
        if hexes and unit not in party.excused:
            due.retreat(unit, hexes)
    return due
