"""Chapters 8.8 and 8.9: what a result costs, in steps lost and hexes retreated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from validator.core.board import HexId
from validator.core.losses import LossRules
from validator.core.obligations import OVERPAID, STRANDED, TOO_FAR, UNEVEN, UNPAID, Obligation
from validator.core.results import Part, Pays
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.battles import (
    FIGHTING,
    SETTING,
    Battle,
    Party,
    battles,
)
from validator.games.wfm.book import ENEMY, RULES
from validator.games.wfm.c04_stacking import stack
from validator.games.wfm.c20_losses import additional_losses, pays_additional
from validator.games.wfm.field import Field, field_of
from validator.games.wfm.state import Case
from validator.model.events import Attacked, Event, Removed, StepChanged
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.battle import zones
from validator.procedures.battle.armies import NextStep
from validator.procedures.battle.zones import RIVER
from validator.procedures.battlebook import Extra, Loss

IN_RANK = LossRules()
IN_ROUNDS = LossRules(spread=False, tiers=False, rounds=True)
ORDERS = {"either": (IN_RANK, IN_ROUNDS), "all-steps": (IN_RANK,), "first-step": (IN_ROUNDS,)}
SETTLING = ("supply", *FIGHTING)
GOES_ON = ("breakdown", "buildup", "exchange-steps", "convert", "rebuild", "incorporate", "army-breakdown")


class Losses(zones.MixedLosses[Battle, Party]):
    no_part, late = "wfm-8.22", "wfm-8.1d"
    no_die = "wfm-8.1d"
    guest, spread, twice = "wfm-8.107", "wfm-8.85", "wfm-8.84"
    boxes_kept = ("axis-withdrawn", "evacuated-factories")
    exchanges = GOES_ON

    def is_for_something_else(self, case: Case, loss: Loss) -> bool:
        """Want of room (4.18); a drop that failed (13.43); airbases that are overrun."""
        unit = case.position.units[loss.unit]
        return (
            loss.unit in case.in_phase.drops
            or _overstacked(case, unit)
            or (case.phase == "ger-mech" and unit.has("airbase"))
        )

    def is_in_time(self, case: Case, battle: Battle, party: Party, loss: Loss) -> bool:
        """Additional losses, and those for lack of room, pay for no result."""
        return self._makes_room(case, party, loss) or pays_additional(battle, party, loss.unit)

    def book(self, case: Case, battle: Battle, party: Party, loss: Loss, event: Event) -> None:
        root = party.root(loss.unit)
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
            yield from additional_losses(case, battle)

    def rule_of(self, party: Party, part: Part, due: Obligation, key: str) -> str:
        immobile = due.survivors and set(due.survivors) <= due.immobile
        return faults.first_true(
            (key == STRANDED or (key == UNPAID and immobile), "wfm-8.101a"),
            (key in (UNEVEN, TOO_FAR), "wfm-8.102"),
            (key == OVERPAID and party.removed_whole, "wfm-8.94"),
            (part.pays is Pays.STEPS, "wfm-8.86"),
            otherwise="wfm-8.84",
        )

    def may_be_stranded(self, case: Case, due: Obligation) -> bool:
        return case.option("immobile-retreat") == "stays"

    def orders(self, case: Case) -> Sequence[LossRules]:
        """8.95 spares units without a zone of control to the end, 8.85 for the first step only."""
        return ORDERS[case.option("loss-order")]

    def tier(self, case: Case, party: Party, unit: str) -> int:
        """8.85: units with a zone of control first."""
        return 0 if unit in party.with_zone else 1

    def unpaid(self, case: Case, party: Party, extra: Extra) -> tuple[str, str]:
        where = field_of(case).ground.wording.hexes(extra.hexes)
        if extra.key == RIVER:
            text = (
                f"armour that retreats over the major river at {where} costs its stack one more armoured step"
            )
            return "wfm-8.108", text
        rule = "wfm-8.104" if party.lost_steps else "wfm-4.29a"
        return rule, f"the retreat beside the enemy at {where} costs one more step"


Losses(SETTING).enforce(
    losses=["wfm-8.22", "wfm-8.1d"],
    results=[
        "wfm-8.1d",
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


def _overstacked(case: Case, unit: Unit) -> bool:
    """4.18: units leave an overfull hex when the phase ends."""
    return unit.on_map and _overfull(case, case.position.at(unit.hex), unit.side)


def _overfull(case: Case, units: Sequence[Unit], side: str) -> bool:
    verdict = stack(case, units, side)
    return verdict.load > verdict.limit


@RULES.rule("wfm-8.94")
@RULES.before(StepChanged, phases=SETTLING)
def steps_are_lost_from_the_side_shown(case: Case, event: StepChanged) -> Faults:
    shown = case.unit(event.unit).step
    if event.new > event.old != shown:
        yield Fault("wfm-8.94", f"{event.unit} is on step {shown}, not {event.old}", (event.unit,))


NextStep(dict.fromkeys(ENEMY, "wfm-8.94"), GOES_ON, SETTLING).enforce(RULES)


# --- stacking when a battle is over (8.105, 8.118) ------------------------------------------------


def _room(case: Case, known: Sequence[Battle]) -> Iterator[Fault]:
    """At a phase's end chapter 4 looks; between battles those that retreated or advanced must fit."""
    field = field_of(case)
    for battle in known if not all(b.overrun for b in known) else ():
        for party, unit, here in _moved_in(case, field, battle):
            if _overfull(case, field.units(here), party.side):
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
