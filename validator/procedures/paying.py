"""How the sides of a battle pay for its result: losses as the log shows them, and what is owed.

A game states its `Payment`; `register` gives its rulebook the judges and reducers. Losses are booked in the
battles of the phase (`in_phase.battles`); every reading of who paid what is tried, and the kindest counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

from validator.core import explain as say
from validator.core.losses import LossRules, Sufferer, check_losses
from validator.core.obligations import NO_RETREAT, OVERPAID, STRANDED, UNEVEN, UNPAID, Obligation
from validator.core.results import Part, Pays
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model.events import Attacked, Event, Marked, Removed, Replaced, StepChanged
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import battlebook, faults, settlement
from validator.procedures.battlebook import Battle, Extra, Loss, Party
from validator.procedures.settlement import Bill
from validator.procedures.strengthchits import FULL, REDUCED, is_chit

MANY = 7  # steps owed for retreats that are tried in every reading
SPREAD = LossRules(tiers=False)


@dataclass(frozen=True)
class Payment:
    """How a game's results are paid. Rules it names: `outsider`, who did not fight loses nothing; `late`, a
    battle is settled before the next; `paid`, the result; `steps`, a result in steps alone; `stranded`, units
    that cannot retreat; `spread`, no second step before all lost one; `next_step`, what takes the place of a
    corps; `guest`, who retreated into the hex dies; `order`, which side pays first; `extras`, the rule of a
    step that a retreat costs, by its kind."""

    field_of: Callable[[Any], Any]
    steps_left: Callable[[Any, Unit], int]
    fighting: Sequence[str]
    exchanges: Sequence[str]  # replacements that are no losses
    not_lost: Sequence[str]  # boxes that are no graves
    outsider: str
    late: str
    paid: str
    steps: str
    stranded: str
    spread: str
    next_step: Mapping[str, str]  # by side
    guest: str
    order: str
    extras: Mapping[str, str]
    may_leave: Callable[[Any, Unit], bool]  # off the map, in a phase of battles, but not by one
    shares: Callable[[Any, Unit], bool]  # whether a unit's losses are spread with those of others
    fixed_pay: bool  # units that cannot retreat lose a step for each hex that the others retreat


def register(rules: Rulebook, of: Payment) -> None:
    @rules.rule(of.outsider, of.late, of.order)
    @rules.before(StepChanged, Marked, Removed, Replaced, phases=of.fighting)
    def losses_are_those_of_a_battle(case: AnyCase, event: Event) -> Faults:
        loss = _loss_in_battle(of, case, event)
        found = _engaged(case, loss) if loss else None
        if loss is not None and found is None and not of.may_leave(case, case.position.units[loss.unit]):
            yield faults.outsider(of.outsider, loss)
        elif loss is not None and found is not None:
            yield from settlement.late(of.late, case.in_phase.battles, found[0], loss.unit)
            yield from _out_of_order(of, *found, loss)

    @rules.track(StepChanged, Marked, Removed, Replaced, when=JUDGED, phases=of.fighting)
    def note_the_loss(case: AnyCase, event: Event) -> None:
        loss = _loss_in_battle(of, case, event)
        found = _engaged(case, loss) if loss else None
        if loss is None or found is None:
            return
        party = found[1]
        if isinstance(event, Replaced):
            party.heirs.update({heir: party.root(loss.unit) for heir, _ in event.new})
        if loss.whole and loss.steps > 1:
            party.removed_whole.add(party.root(loss.unit))
        party.lose(loss.unit, loss.steps)

    @rules.rule(*of.next_step.values())
    @rules.before(Replaced)
    def steps_follow_one_another(case: AnyCase, event: Replaced) -> Faults:
        """The weaker side, then one counter of the next type, then nothing."""
        if event.why in of.exchanges or len(event.old) != 1:
            return
        unit = case.position.units[event.old[0]]
        types = [case.position.units[name].type.id for name, _ in event.new]
        heir = str(unit.type.values.get("breaks-into", ""))
        named = unit.counter.values.get("star")
        fits = types == [heir] and named in (None, event.new[0][0]) and event.spot == unit.spot
        if not fits or unit.step < len(unit.counter.steps):
            text = f"{unit.id} gives way to {'+'.join(name for name, _ in event.new) or 'nothing'}"
            wanted = f"its back, then one counter of type {heir} in its hex" if heir else "nothing"
            yield Fault(of.next_step[unit.side], f"{text}; it is replaced by {wanted}", (unit.id,))

    @rules.before(Attacked)
    def earlier_battles_are_paid(case: AnyCase, event: Attacked) -> Faults:
        """What is merely unpaid may come late; the phase's end tells."""
        for battle in case.in_phase.battles:
            if battle.number != event.battle:
                yield from _settle(of, case, battle, final=False)

    @rules.rule(of.paid, of.steps, of.stranded, of.spread, of.guest, *of.extras.values())
    @rules.at_phase_end(*of.fighting)
    def every_result_is_met(case: AnyCase) -> Faults:
        for battle in case.in_phase.battles:
            if battle.rolled:
                yield from _settle(of, case, battle, final=True)
                yield from _guests(of, case, battle)
            else:
                case.not_checked("an attack without a die or a result")


# --- losses as the log shows them -----------------------------------------------------------------------


def loss_of(of: Payment, case: AnyCase, event: Event) -> Loss | None:
    units = case.position.units
    match event:
        case Marked(marker, str(name), face) if is_chit(case, marker):
            flipped = face == REDUCED and units[name].marks.get(marker) == FULL
            return Loss(name, 1, None) if flipped else None
        case Replaced((name,), new, _, why) if why not in of.exchanges and units[name].on_map:
            left = sum(units[heir].type.steps - step + 1 for heir, step in new)
            return Loss(name, of.steps_left(case, units[name]) - left, None)
    return battlebook.loss_of(case.position, event, of.not_lost, partial(of.steps_left, case))


def _loss_in_battle(of: Payment, case: AnyCase, event: Event) -> Loss | None:
    loss = loss_of(of, case, event)
    return loss if loss is not None and loss.steps > 0 and not _dies_as_a_guest(case, loss.unit) else None


def _engaged(case: AnyCase, loss: Loss) -> tuple[Battle[Any], Party] | None:
    battle = battlebook.engaged(case.in_phase.battles, loss.unit, loss.battle)
    party = battle.party(loss.unit) if battle else None
    return (battle, party) if battle and party else None


def _dies_as_a_guest(case: AnyCase, name: str) -> bool:
    """With the hex it had retreated into."""
    return any(
        name in battle.defender.guests and battle.part(battle.defender).adverse
        for battle in case.in_phase.battles
    )


def _out_of_order(of: Payment, battle: Battle[Any], party: Party, loss: Loss) -> Iterator[Fault]:
    """The side that pays first loses a step after the other has."""
    first = None if battle.result is None else battle.result.first
    pays_first = {"attacker": battle.attacker, "defender": battle.defender}.get(first or "")
    if party is pays_first and battle.foe(party).lost_steps:
        text = f"{loss.unit} loses its step after the other side, not before"
        yield Fault(of.order, text, (loss.unit,), verdict=Verdict.WARNING, once=("order", battle.number))


# --- what is owed -----------------------------------------------------------------------------------------


def _settle(of: Payment, case: AnyCase, battle: Battle[Any], final: bool) -> Iterator[Fault]:
    judge = partial(judge_party, of, case)
    yield from settlement.settle(of.field_of(case), battle, judge, final=final)


def judge_party(of: Payment, case: AnyCase, battle: Battle[Any], party: Party) -> Bill | None:
    """The fault in the reading of losses and retreats that has fewest; None if one reading is right."""
    if party.strayed:
        return None
    if len(party.extras) > MANY:
        case.not_checked("a retreat past very many enemies")
        return None
    payers = product(*[_payers(party, extra) for extra in party.extras])
    readings = product(battle.parts(party), payers, _idle(party))
    best = settlement.fewest([list(_bills(of, case, party, *reading)) for reading in readings])
    return best[0] if best else None


def _idle(party: Party) -> list[frozenset[str]]:
    """Units that may be left out of the reckoning: they should not have fought, and paid nothing."""
    idle = frozenset(u for u in party.doubtful if not party.lost.get(u) and u not in party.paths)
    return [frozenset(), idle] if idle else [frozenset()]


def _payers(party: Party, extra: Extra) -> list[str | None]:
    """Who may have lost the extra step; None if it was not lost."""
    return [None, *dict.fromkeys(unit for unit in extra.units if party.lost.get(unit))]


def _bills(
    of: Payment,
    case: AnyCase,
    party: Party,
    part: Part,
    payers: tuple[str | None, ...],
    idle: frozenset[str],
) -> Iterator[Bill]:
    lost = dict(party.lost)
    for payer in payers:
        if payer is not None:
            lost[payer] = lost.get(payer, 0) - 1
    if any(steps < 0 for steps in lost.values()):
        yield Bill(of.paid, "the same step was counted twice", tuple(lost))
        return
    due = _obligation(party, part, lost, idle)
    yield from _of_payment(of, case, party, part, due)
    yield from _of_spread(of, case, party, due, lost)
    for extra, payer in zip(party.extras, payers, strict=True):
        if payer is None and extra.required and any(party.alive(unit) for unit in extra.units):
            where = of.field_of(case).ground.wording.hexes(extra.hexes)
            text = f"the retreat at {where} costs one more step"
            yield Bill(of.extras[extra.key], text, extra.units, True)


def _obligation(party: Party, part: Part, lost: Mapping[str, int], idle: frozenset[str]) -> Obligation:
    """Steps that extras took are no longer there to pay with."""
    counted = {u: party.steps[u] - party.lost.get(u, 0) + lost.get(u, 0) for u in party.steps}
    steps = {unit: left for unit, left in counted.items() if unit not in idle}
    due = Obligation(0, party.side, part, steps, party.immobile)
    for unit, number in lost.items():
        due.lose(unit, number)
    for unit in party.steps:
        if party.hexes_retreated(unit):
            due.retreat(unit, party.hexes_retreated(unit))
    return due


def _of_payment(of: Payment, case: AnyCase, party: Party, part: Part, due: Obligation) -> Iterator[Bill]:
    found = {breach.key: breach for breach in due.settle()}
    if of.fixed_pay and all(due.lost.get(u, 0) >= due.retreated for u in due.survivors if u in due.immobile):
        found.pop(STRANDED, None)
    for key in (NO_RETREAT, UNEVEN, STRANDED, UNPAID, OVERPAID):
        if key in found:
            text = say.breach_text(of.field_of(case).ground.wording, found[key])
            rule = _rule(of, party, part, due, key)
            yield Bill(rule, text, found[key].units, key in (UNPAID, STRANDED, UNEVEN))
    yield from _dead_beyond_need(of, party, part, due)


def _dead_beyond_need(of: Payment, party: Party, part: Part, due: Obligation) -> Iterator[Bill]:
    """A side that died although the result did not ask for all of its steps."""
    if due.survivors or part.pays is Pays.ALL:
        return
    hexes = due.retreated if part.pays is Pays.EITHER else 0
    needed = max(part.points - hexes, 0)
    if due.paid > needed:
        text = f"{due.paid} steps lost, {needed} owed"
        yield Bill(_rule(of, party, part, due, OVERPAID), text, tuple(due.lost))


def _rule(of: Payment, party: Party, part: Part, due: Obligation, key: str) -> str:
    only_fixed = bool(due.survivors) and set(due.survivors) <= due.immobile
    if key == STRANDED or (key == UNPAID and only_fixed):
        return of.stranded
    if key == OVERPAID and party.removed_whole:
        return of.next_step[party.side]
    return of.steps if part.pays is Pays.STEPS else of.paid


def _of_spread(
    of: Payment, case: AnyCase, party: Party, due: Obligation, lost: Mapping[str, int]
) -> Iterator[Bill]:
    """No unit loses a second step before all that share lost one."""
    moved = due.retreated > 0
    units = case.position.units
    sufferers = [
        Sufferer(unit, steps)
        for unit, steps in due.steps.items()
        if of.shares(case, units[unit]) and not (moved and unit in party.immobile)
    ]
    for breach in check_losses(SPREAD, sufferers, lost):
        text = say.breach_text(of.field_of(case).ground.wording, breach)
        yield Bill(of.spread, text, breach.units)


def _guests(of: Payment, case: AnyCase, battle: Battle[Any]) -> Iterator[Fault]:
    """Who retreated into a hex dies with any adverse result against it."""
    party = battle.defender
    alive = [name for name in party.guests if case.position.units[name].on_map]
    if alive and battle.part(party).adverse:
        text = f"{'+'.join(alive)} retreated into the attacked hex before and must be eliminated"
        yield Fault(of.guest, text, tuple(alive))
