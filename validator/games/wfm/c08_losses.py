"""Chapters 8.8 and 8.9: what a result costs, in steps lost and hexes retreated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from validator.core import explain as say
from validator.core.board import HexId
from validator.core.losses import LossRules, Sufferer, check_losses
from validator.core.obligations import OVERPAID, STRANDED, TOO_FAR, UNEVEN, UNPAID, Obligation
from validator.core.results import Part, Pays
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.battles import (
    FIGHTING,
    SETTING,
    Battle,
    Party,
    battles,
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
from validator.procedures import battlebook
from validator.procedures.battle import losses
from validator.procedures.battle.losses import obligation
from validator.procedures.battlebook import Extra, Loss
from validator.procedures.settlement import Bill

IN_RANK = LossRules()
FIRST_STEPS = LossRules(tiers=False)
MANY = 7  # steps owed for retreats that are tried in every reading
ZONE, RIVER = "enemy-zone", "major-river"
GOES_ON = ("breakdown", "buildup", "exchange-steps", "convert", "rebuild", "incorporate", "army-breakdown")


@dataclass(frozen=True)
class Reading:
    """What a side may have been asked for, and by whom it may have been paid."""

    part: Part
    payers: tuple[str | None, ...]  # of the extra steps that retreats cost
    spare: bool  # the last hex retreated was for want of room
    idle: frozenset[str]  # units left out


# --- losses, and what is owed ----------------------------------------------------------------------


class Losses(losses.Losses[Battle, Party]):
    no_part, late, order = "wfm-8.22", "wfm-8.1d", "wfm-8.86"
    boxes_kept = ("axis-withdrawn", "evacuated-factories")
    losing = (StepChanged, Marked, Removed, Replaced)

    def loss_of(self, case: Case, event: Event) -> Loss | None:
        """Steps of armies are sides of their strength markers; corps give way to Kampfgruppen."""
        units = case.position.units
        match event:
            case Marked(marker, str(name), 2) if marker.startswith("csm-"):
                loss = Loss(name, 1, None) if units[name].marks.get(marker) == 1 else None
            case Replaced((name,), new, _, why) if why not in GOES_ON and units[name].on_map:
                left = sum(units[heir].type.steps - step + 1 for heir, step in new)
                loss = Loss(name, steps_left(units[name]) - left, None)
            case _:
                loss = battlebook.loss_of(case.position, event, self.boxes_kept, steps_left)
        lost = loss is not None and loss.steps > 0 and not _dies_as_a_guest(case, loss.unit)
        return loss if lost else None

    def is_for_something_else(self, case: Case, loss: Loss) -> bool:
        """Want of room (4.18); airbases that are overrun."""
        unit = case.position.units[loss.unit]
        return _overstacked(case, unit) or (case.phase == "ger-mech" and unit.has("airbase"))

    def is_in_time(self, case: Case, battle: Battle, party: Party, loss: Loss) -> bool:
        """Additional losses, and those for want of room, pay for no result."""
        return self._makes_room(case, party, loss) or pays_additional(battle, party, loss.unit)

    def book(self, case: Case, battle: Battle, party: Party, loss: Loss, event: Event) -> None:
        root = party.root(loss.unit)
        if isinstance(event, Replaced):
            party.heirs.update({heir: root for heir, _ in event.new})
        if pays_additional(battle, party, loss.unit):
            battle.paid.add(root)
        elif self._makes_room(case, party, loss):
            party.excused.add(root)
        else:
            super().book(case, battle, party, loss, event)
            if isinstance(event, Removed):
                case.in_turn.eliminated.append(loss.unit)

    def _makes_room(self, case: Case, party: Party, loss: Loss) -> bool:
        """8.105: a unit that retreated dies where it finds no room."""
        retreated = loss.whole and party.hexes_retreated(party.root(loss.unit)) > 0
        return retreated and _overstacked(case, case.position.units[loss.unit])

    def before_the_next(self, case: Case, event: Attacked) -> Faults:
        yield from super().before_the_next(case, event)
        yield from _room(case, battles(case)[:-1])

    def settle(self, case: Case, battle: Battle, *, final: bool) -> Iterator[Fault]:
        yield from super().settle(case, battle, final=final)
        if final and battle.result is not None:
            yield from _guests(case, battle)
            yield from additional_losses(case, battle)

    def bills(self, case: Case, battle: Battle, party: Party) -> Iterator[Sequence[Bill]]:
        """By who paid for what the retreat cost, and whether the last hex was for want of room."""
        if len(party.extras) > MANY:
            case.not_checked("a retreat past very many enemies")
            yield ()
            return
        payers = product(*[_payers(party, extra) for extra in party.extras])
        spared = [False, True] if any(party.spare.values()) else [False]
        for part, paid, spare, idle in product(battle.parts(party), payers, spared, _idle(party)):
            yield list(self._bills_of(case, battle, party, Reading(part, paid, spare, idle)))

    def _bills_of(self, case: Case, battle: Battle, party: Party, reading: Reading) -> Iterator[Bill]:
        lost = Counter({u: steps for u, steps in party.lost.items() if u not in party.excused})
        lost.subtract(payer for payer in reading.payers if payer is not None)
        if any(steps < 0 for steps in lost.values()):
            yield Bill("wfm-8.84", "the same step was counted twice", tuple(lost))
            return
        due = _obligation(party, reading, lost)
        stranded = case.option("immobile-retreat") != "stays"

        def rule_of(key: str) -> str:
            return _rule_of(party, reading.part, due, key)

        yield from self.of_payment(case, reading.part, due, rule_of, stranded=stranded)
        yield from _of_order(case, party, due, lost)
        for extra, payer in zip(party.extras, reading.payers, strict=True):
            if payer is None and extra.required and any(party.alive(unit) for unit in extra.units):
                yield _unpaid_extra(case, party, extra)


Losses(SETTING).enforce(
    losses=["wfm-8.22", "wfm-8.1d"],
    results=[
        "wfm-8.84",
        "wfm-8.85",
        "wfm-8.86",
        "wfm-8.101a",
        "wfm-8.102",
        "wfm-8.104",
        "wfm-8.107",
        "wfm-8.108",
        "wfm-4.29a",
        "wfm-8.105",
        "wfm-8.118",
        "wfm-20.41",
    ],
)


def _rule_of(party: Party, part: Part, due: Obligation, key: str) -> str:
    """The rule that a payment breaks."""
    if key == STRANDED or (key == UNPAID and due.survivors and set(due.survivors) <= due.immobile):
        return "wfm-8.101a"
    if key in (UNEVEN, TOO_FAR):
        return "wfm-8.102"
    if key == OVERPAID and party.removed_whole:
        return "wfm-8.94"
    return "wfm-8.86" if part.pays is Pays.STEPS else "wfm-8.84"


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


def _idle(party: Party) -> list[frozenset[str]]:
    """Units that may be left out of the reckoning: they should not have fought, and paid nothing."""
    idle = frozenset(u for u in party.doubtful if not party.lost.get(u) and u not in party.paths)
    return [frozenset(), idle] if idle else [frozenset()]


def _payers(party: Party, extra: Extra) -> list[str | None]:
    """Who may have lost the extra step; None if it was not lost."""
    return [None, *dict.fromkeys(unit for unit in extra.units if party.lost.get(unit))]


def _obligation(party: Party, reading: Reading, lost: Mapping[str, int]) -> Obligation:
    """Steps that extras took are no longer there to pay with."""
    counted = {u: party.steps[u] - party.lost.get(u, 0) + lost.get(u, 0) for u in party.steps}
    steps = {u: left for u, left in counted.items() if u not in party.excused | reading.idle}
    due = obligation(party, reading.part, lost, steps)
    for unit in party.steps:
        hexes = party.hexes_retreated(unit) - (party.spare.get(unit, 0) if reading.spare else 0)
        if hexes and unit not in party.excused:
            due.retreat(unit, hexes)
    return due


def _of_order(case: Case, party: Party, due: Obligation, lost: Mapping[str, int]) -> Iterator[Bill]:
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
