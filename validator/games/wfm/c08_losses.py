"""Chapters 8.8 and 8.9: what a result costs, in steps lost and hexes retreated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product

from validator.core import explain as say
from validator.core.board import HexId
from validator.core.losses import LossRules, Sufferer, check_losses
from validator.core.obligations import (
    NO_RETREAT,
    OVERPAID,
    STRANDED,
    TOO_FAR,
    UNEVEN,
    UNPAID,
    Obligation,
)
from validator.core.results import Part, Pays
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.battles import (
    FIGHTING,
    Battle,
    Party,
    battles,
    engaged,
    steps_left,
)
from validator.games.wfm.book import RULES
from validator.games.wfm.c04_stacking import stack
from validator.games.wfm.c20_losses import additional_losses, pays_additional
from validator.games.wfm.field import Field, field_of
from validator.games.wfm.state import Case
from validator.model.events import Attacked, Event, Marked, Removed, Replaced, StepChanged
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import battlebook, faults, settlement
from validator.procedures.battlebook import Extra, Loss
from validator.procedures.settlement import Bill

IN_RANK = LossRules()
FIRST_STEPS = LossRules(tiers=False)
MANY = 7  # steps owed for retreats that are tried in every reading
ZONE, RIVER = "enemy-zone", "major-river"
GOES_ON = ("breakdown", "buildup", "exchange-steps", "convert", "rebuild", "incorporate", "army-breakdown")
NOT_LOST = ("axis-withdrawn", "evacuated-factories")


# --- losses as the log shows them ---------------------------------------------------------------


def loss_of(case: Case, event: Event) -> Loss | None:
    units = case.position.units
    match event:
        case Marked(marker, str(name), 2) if marker.startswith("csm-"):
            return Loss(name, 1, None) if units[name].marks.get(marker) == 1 else None
        case Replaced((name,), new, _, why) if why not in GOES_ON and units[name].on_map:
            left = sum(units[heir].type.steps - step + 1 for heir, step in new)
            return Loss(name, steps_left(units[name]) - left, None)
    return battlebook.loss_of(case.position, event, NOT_LOST, steps_left)


@RULES.rule("wfm-8.22", "wfm-8.1d")
@RULES.before(StepChanged, Marked, Removed, Replaced, phases=FIGHTING)
def losses_are_those_of_a_battle(case: Case, event: Event) -> Faults:
    loss = _loss_in_battle(case, event)
    found = engaged(case, loss.unit, loss.battle) if loss else None
    if loss is not None and found is None:
        yield from _outsider(case, loss)
    elif loss is not None and found is not None and _pays(case, *found, loss):
        yield from _in_its_time(case, *found, loss.unit)


def _loss_in_battle(case: Case, event: Event) -> Loss | None:
    loss = loss_of(case, event)
    real = loss is not None and loss.steps > 0 and not _dies_as_a_guest(case, loss.unit)
    return loss if real else None


def _pays(case: Case, battle: Battle, party: Party, loss: Loss) -> bool:
    """Whether a loss pays for the result: not the additional one, not for want of room."""
    makes_room = loss.whole and _makes_room(case, party, loss.unit)
    return not makes_room and not pays_additional(battle, party, loss.unit)


@RULES.track(StepChanged, Marked, Removed, Replaced, when=JUDGED, phases=FIGHTING)
def note_the_loss(case: Case, event: Event) -> None:
    loss = _loss_in_battle(case, event)
    found = engaged(case, loss.unit, loss.battle) if loss else None
    if loss is None or found is None:
        return
    battle, party = found
    root, pays = party.root(loss.unit), _pays(case, battle, party, loss)
    if isinstance(event, Replaced):
        party.heirs.update({heir: root for heir, _ in event.new})
    if pays_additional(battle, party, loss.unit):
        battle.paid.add(root)
    elif not pays:
        party.excused.add(root)
    else:
        if loss.whole and loss.steps > 1:
            party.removed_whole.add(root)
        party.lose(loss.unit, loss.steps)
        if isinstance(event, Removed):
            case.in_turn.eliminated.append(loss.unit)


def _outsider(case: Case, loss: Loss) -> Iterator[Fault]:
    """8.22: units that did not fight are not affected."""
    unit = case.position.units[loss.unit]
    if _overstacked(case, unit):
        return
    if case.phase == "ger-mech" and unit.has("airbase"):
        return
    yield faults.outsider("wfm-8.22", loss)


def _dies_as_a_guest(case: Case, name: str) -> bool:
    """8.107: with the hex it had retreated into."""
    return any(
        name in battle.defender.guests and battle.part(battle.defender).adverse for battle in battles(case)
    )


def _overstacked(case: Case, unit: Unit) -> bool:
    """4.18: units leave an overfull hex when the phase ends."""
    if not unit.on_map:
        return False
    verdict = stack(case, case.position.at(unit.hex), unit.side)
    return verdict.load > verdict.limit


def _makes_room(case: Case, party: Party, name: str) -> bool:
    """8.105: a unit that retreated dies where it finds no room."""
    return party.hexes_retreated(party.root(name)) > 0 and _overstacked(case, case.position.units[name])


def _in_its_time(case: Case, battle: Battle, party: Party, name: str) -> Iterator[Fault]:
    """8.1d: a battle is finished before the next is fought; 8.86: the defender pays a red box first."""
    yield from settlement.late("wfm-8.1d", battles(case), battle, name)
    if not battle.attacker.doubtful and settlement.out_of_order(battle, party):
        text = f"{name} loses its step after the attacker, not before"
        yield Fault("wfm-8.86", text, (name,), once=("order", battle.number))


@RULES.rule("wfm-8.94")
@RULES.before(StepChanged, Replaced, phases=("supply", *FIGHTING))
def steps_follow_one_another(case: Case, event: Event) -> Faults:
    """8.94: the weaker side, then one Kampfgruppe of the same type, then nothing."""
    units = case.position.units
    if isinstance(event, StepChanged):
        if event.new > event.old and event.old != units[event.unit].step:
            text = f"{event.unit} is on step {units[event.unit].step}, not {event.old}"
            yield Fault("wfm-8.94", text, (event.unit,))
        return
    if not isinstance(event, Replaced) or event.why in GOES_ON or len(event.old) != 1:
        return
    unit = units[event.old[0]]
    heir = str(unit.type.values.get("breaks-into", ""))
    types = [units[name].type.id for name, _ in event.new]
    if types != [heir] or event.spot != unit.spot:
        text = f"{unit.id} gives way to {'+'.join(name for name, _ in event.new) or 'nothing'}"
        wanted = f"one counter of type {heir} in its hex" if heir else "nothing"
        yield Fault("wfm-8.94", f"{text}; it is replaced by {wanted}", (unit.id,))


# --- what is owed ---------------------------------------------------------------------------------


def settle_before_the_next(case: Case, known: Sequence[Battle]) -> Iterator[Fault]:
    """When the next battle is declared. What is merely unpaid may come late; the phase's end tells."""
    for battle in known:
        yield from _settle(case, battle, final=False)
    yield from _room(case, known)


@RULES.rule("wfm-8.84", "wfm-8.85", "wfm-8.86", "wfm-8.101a", "wfm-8.102", "wfm-8.104", "wfm-8.107")
@RULES.rule("wfm-8.108", "wfm-4.29a", "wfm-8.105", "wfm-8.118", "wfm-20.41")
@RULES.at_phase_end(*FIGHTING)
def every_result_is_met(case: Case) -> Faults:
    for battle in battles(case):
        if not battle.rolled:
            case.not_checked("an attack without a die or a result")
        else:
            yield from _settle(case, battle, final=True)


def _settle(case: Case, battle: Battle, final: bool) -> Iterator[Fault]:
    yield from settlement.settle(field_of(case), battle, partial(judge_party, case), final=final)
    if final and battle.result is not None:
        yield from _guests(case, battle)
        yield from additional_losses(case, battle)


def judge_party(case: Case, battle: Battle, party: Party) -> Bill | None:
    """The fault in the reading of losses and retreats that has fewest; None if one reading is right."""
    if party.strayed:
        return None
    if len(party.extras) > MANY:
        case.not_checked("a retreat past very many enemies")
        return None
    payers = product(*[_payers(party, extra) for extra in party.extras])
    readings = product(battle.parts(party), payers, _spared(party), _idle(party))
    best = settlement.fewest(list(_bills(case, party, *reading)) for reading in readings)
    return best[0] if best else None


def _idle(party: Party) -> list[frozenset[str]]:
    """Units that may be left out of the reckoning: they should not have fought, and paid nothing."""
    idle = frozenset(u for u in party.doubtful if not party.lost.get(u) and u not in party.paths)
    return [frozenset(), idle] if idle else [frozenset()]


def _payers(party: Party, extra: Extra) -> list[str | None]:
    """Who may have lost the extra step; None if it was not lost."""
    return [None, *dict.fromkeys(unit for unit in extra.units if party.lost.get(unit))]


def _spared(party: Party) -> list[bool]:
    return [False, True] if any(party.spare.values()) else [False]


def _bills(
    case: Case,
    party: Party,
    part: Part,
    payers: tuple[str | None, ...],
    spared: bool,
    idle: frozenset[str],
) -> Iterator[Bill]:
    lost = {unit: steps for unit, steps in party.lost.items() if unit not in party.excused}
    for payer in payers:
        if payer is not None:
            lost[payer] = lost.get(payer, 0) - 1
    if any(steps < 0 for steps in lost.values()):
        yield Bill("wfm-8.84", "the same step was counted twice", tuple(lost))
        return
    due = _obligation(party, part, lost, spared, idle)
    yield from _of_payment(case, party, part, due)
    yield from _of_order(case, party, due, lost)
    for extra, payer in zip(party.extras, payers, strict=True):
        if payer is None and extra.required and any(party.alive(unit) for unit in extra.units):
            yield _unpaid_extra(case, party, extra)


def _obligation(
    party: Party, part: Part, lost: dict[str, int], spared: bool, idle: frozenset[str]
) -> Obligation:
    """Steps that extras took are no longer there to pay with."""
    counted = {u: party.steps[u] - party.lost.get(u, 0) + lost.get(u, 0) for u in party.steps}
    steps = {unit: left for unit, left in counted.items() if unit not in party.excused | idle}
    due = Obligation(0, party.side, part, steps, party.immobile)
    for unit, number in lost.items():
        due.lose(unit, number)
    for unit in party.steps:
        hexes = party.hexes_retreated(unit) - (party.spare.get(unit, 0) if spared else 0)
        if hexes and unit not in party.excused:
            due.retreat(unit, hexes)
    return due


def _of_payment(case: Case, party: Party, part: Part, due: Obligation) -> Iterator[Bill]:
    found = {breach.key: breach for breach in due.settle()}
    if case.option("immobile-retreat") == "stays":
        found.pop(STRANDED, None)
    for key in (NO_RETREAT, UNEVEN, TOO_FAR, STRANDED, UNPAID, OVERPAID):
        if key not in found:
            continue
        breach = found[key]
        rule = _payment_rule(party, part, due, key)
        text = say.breach_text(field_of(case).ground.wording, breach)
        yield Bill(rule, text, breach.units, key in (UNPAID, STRANDED, UNEVEN))
    yield from _dead_beyond_need(party, part, due)


def _dead_beyond_need(party: Party, part: Part, due: Obligation) -> Iterator[Bill]:
    """A side that died although the result did not ask for all of its steps."""
    if due.survivors or part.pays in (Pays.ALL, Pays.SPECIAL):
        return
    hexes = due.retreated if part.pays is Pays.EITHER else 0
    needed = max(part.points - hexes, 0)
    if due.paid > needed:
        text = f"{due.paid} steps lost, {needed} owed"
        yield Bill(_payment_rule(party, part, due, OVERPAID), text, tuple(due.lost))


def _payment_rule(party: Party, part: Part, due: Obligation, key: str) -> str:
    if key == STRANDED or (key == UNPAID and due.survivors and set(due.survivors) <= due.immobile):
        return "wfm-8.101a"
    if key in (UNEVEN, TOO_FAR):
        return "wfm-8.102"
    if key == OVERPAID and party.removed_whole:
        return "wfm-8.94"
    return "wfm-8.86" if part.pays is Pays.STEPS else "wfm-8.84"


def _of_order(case: Case, party: Party, due: Obligation, lost: dict[str, int]) -> Iterator[Bill]:
    """8.85, 8.95: units with a zone of control first, and none twice before all of them once."""
    moved = due.retreated > 0
    sufferers = [
        Sufferer(unit, steps, 0 if unit in party.with_zone else 1)
        for unit, steps in due.steps.items()
        if not (moved and unit in party.immobile)
    ]
    rules = IN_RANK if case.option("loss-order") == "all-steps" else FIRST_STEPS
    for breach in check_losses(rules, sufferers, lost):
        text = say.breach_text(field_of(case).ground.wording, breach)
        yield Bill("wfm-8.85", text, breach.units)


def _unpaid_extra(case: Case, party: Party, extra: Extra) -> Bill:
    where = field_of(case).ground.wording.hexes(extra.hexes)
    if extra.key == RIVER:
        text = f"armour that retreats over the major river at {where} costs its stack one more armoured step"
        return Bill("wfm-8.108", text, extra.units, True)
    rule = "wfm-8.104" if party.lost_steps else "wfm-4.29a"
    return Bill(rule, f"the retreat beside the enemy at {where} costs one more step", extra.units, True)


def _guests(case: Case, battle: Battle) -> Iterator[Fault]:
    """8.107: who retreated into a hex dies with any adverse result against it."""
    party = battle.defender
    if not battle.part(party).adverse:
        return
    alive = [name for name in party.guests if case.position.units[name].on_map]
    if alive:
        text = f"{'+'.join(alive)} retreated into the attacked hex before and must be eliminated"
        yield Fault("wfm-8.107", text, tuple(alive))


# --- stacking when a battle is over (8.105, 8.118) ------------------------------------------------


def _room(case: Case, known: Sequence[Battle]) -> Iterator[Fault]:
    """At a phase's end chapter 4 looks; between battles those that retreated or advanced must fit."""
    field = field_of(case)
    for battle in known if not all(b.overrun for b in known) else ():
        for party, unit, here in _moved_in(case, field, battle):
            if _full(case, field, here, party.side):
                rule = "wfm-8.105" if unit in party.paths else "wfm-8.118"
                text = f"{field.ground.wording.hex(here)} is overstacked at the end of battle {battle.number}"
                yield Fault(rule, text, (unit,), (field.board.hexes[here],), once=("overstacked", here))


def _moved_in(case: Case, field: Field, battle: Battle) -> Iterator[tuple[Party, str, HexId]]:
    """Units that retreated or advanced, and where they are now."""
    for party in battle.parties:
        for unit in (*(() if party.strayed else party.paths), *party.advanced):
            here = field.id(case.position.units[_now(party, unit)].spot)
            if here is not None:
                yield party, unit, here


@RULES.track(Attacked, when=JUDGED)
def note_what_was_told_overstacked(case: Case, event: Attacked) -> None:
    """The check at the phase's end need not name it again."""
    told = (fault for fault in case.faults if fault.rule in ("wfm-8.105", "wfm-8.118"))
    case.in_phase.overstacked.update(field_of(case).ids(hex_ for fault in told for hex_ in fault.hexes))


def _now(party: Party, unit: str) -> str:
    return next((heir for heir, root in party.heirs.items() if root == unit), unit)


def _full(case: Case, field: Field, hex_id: HexId, side: str) -> bool:
    verdict = stack(case, field.units(hex_id), side)
    return verdict.load > verdict.limit
