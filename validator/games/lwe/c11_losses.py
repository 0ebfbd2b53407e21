"""Chapters 11.29 to 11.36, 11.39: what a result costs each side, and in which order it is paid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from validator.core import explain as say
from validator.core.board import HexId
from validator.core.results import Part, Pays
from validator.engine.rulebook import Faults
from validator.games.lwe import c11_odds as odds
from validator.games.lwe.battles import AIRCRAFT, SETTING, Battle, battles
from validator.games.lwe.book import RULES
from validator.games.lwe.c06_stacking import LIMIT, fits, load_of
from validator.games.lwe.c11_doubts import results_in_doubt
from validator.games.lwe.c11_exits import can_go, goes_together, retreating
from validator.games.lwe.c11_results import settle_unrolled, supply_overdue
from validator.games.lwe.field import Field, field_of
from validator.games.lwe.state import Case
from validator.model.events import Attacked, Event, Placed, StepChanged
from validator.model.findings import Verdict
from validator.model.position import Unit, lacking, names_of, of_side
from validator.procedures import faults
from validator.procedures.battle import losses
from validator.procedures.battlebook import Loss, Party
from validator.procedures.corrections import puts_back
from validator.procedures.settlement import Bill, bill_of

RULE_OF = {
    "AS": "lwe-11.30a",
    "AL1": "lwe-11.31a",
    "DR": "lwe-11.32a",
    "DE": "lwe-11.35a",
    "BB": "lwe-11.36a",
    "DL1": "lwe-11.39a",
}


# --- losses as the log shows them (11.29) ---------------------------------------------------------------


@RULES.track(StepChanged, Placed)
def what_is_put_right_is_no_loss(case: Case, event: StepChanged | Placed) -> None:
    """A counter deleted or turned by mistake, and put back."""
    if puts_back(case, event):
        case.forgive(event.unit)
        for battle in reversed(battles(case)):
            party = battle.party(event.unit)
            if party is not None and party.lost.get(event.unit):
                lost = party.lost[event.unit]
                party.lost[event.unit] = 0 if isinstance(event, Placed) else lost - event.old + event.new
                party.removed_whole.discard(event.unit)
                break


class Losses(losses.Losses[Battle, Party]):
    no_part, late, order = "lwe-11.29a", "lwe-11.5a", "lwe-11.29a"
    no_die = "lwe-11.28a"
    order_verdict = Verdict.WARNING
    boxes_kept = ("german-withdrawn", "airfield", "okh-reserve", "special-entry")

    def loss_of(self, case: Case, event: Event) -> Loss | None:
        loss = super().loss_of(case, event)
        return None if loss is None or case.position.units[loss.unit].has(AIRCRAFT) else loss

    def paid_for(self, case: Case, loss: Loss) -> tuple[Battle, Party] | None:
        """An overfull hex is cut down by the opponent (6.2): no loss of a battle whose price is paid."""
        paid = super().paid_for(case, loss)
        if paid is None or not loss.whole or loss.battle is not None:
            return paid
        room = not paid[1].alive(loss.unit) or self.is_for_something_else(case, loss)
        return None if room else paid

    def is_for_something_else(self, case: Case, loss: Loss) -> bool:
        unit = case.position.units[loss.unit]
        return unit.on_map and load_of(of_side(case.position.at(unit.hex), unit.side)) > LIMIT

    def before_the_next(self, case: Case, event: Attacked) -> Faults:
        for battle in battles(case)[:-1]:
            yield from supply_overdue(case, battle)
        yield from super().before_the_next(case, event)

    def at_the_end(self, case: Case) -> Faults:
        for battle in battles(case):
            draft, unrolled = settle_unrolled(case, battle)
            yield from unrolled
            if draft.rolled:
                yield from self.settle(case, draft, final=True)
            else:
                yield from faults.no_die(case, field_of(case), battle, self.no_die)

    def is_excused(self, case: Case, battle: Battle, party: Party) -> bool:
        nobody = set(battle.attacker.steps) <= battle.attacker.doubtful  # who attacked should have
        return party.strayed or battle.opponent(party).strayed or nobody

    def of_party(self, case: Case, battle: Battle, party: Party) -> Bill | None:
        bill = super().of_party(case, battle, party)
        raw = self._unconverted(case, battle, party) if bill else None
        return bill if bill is None or raw is None else replace(bill, rule=raw, verdict=Verdict.ILLEGAL)

    def bills(self, case: Case, battle: Battle, party: Party) -> Iterator[Sequence[Bill]]:
        """The result, what it should have been, and the step that Germans may lose instead of retreating."""
        named = [result for result in (battle.result, battle.else_) if result is not None]
        for result in [*named, *results_in_doubt(case, battle)]:
            text, part = result.text.upper(), battle.asks(result, party)
            yield list(self._bills_of(case, battle, party, text, part))
            if text == odds.DR and odds.may_stand(case, battle):
                instead = Part(Pays.STEPS, 1) if party is battle.defender else Part()
                yield list(self._bills_of(case, battle, party, odds.DL1, instead))

    def _unconverted(self, case: Case, battle: Battle, party: Party) -> str | None:
        """The rule that changes the result, where the side paid for what stands in the table."""
        if battle.raw is None:
            return None
        _, rule = odds.ODDS.converted(case, battle, battle.raw)
        raw = odds.read_result(battle.raw)
        if rule is None or raw is None:
            return None
        part = raw.attacker if party is battle.attacker else raw.defender
        return None if list(self._bills_of(case, battle, party, battle.raw, part)) else rule

    def _bills_of(self, case: Case, battle: Battle, party: Party, text: str, part: Part) -> Iterator[Bill]:
        if text == odds.DR and party is battle.defender:
            yield from _of_retreat(case, battle, party)
        elif party.paths:
            names = tuple(party.paths)
            rule = _rule_of(party, text, part)
            yield Bill(rule, f"{'+'.join(names)} retreated, and {text} asks no retreat", names)
        else:
            rule = _rule_of(party, text, part)
            due = losses.obligation(party, part, party.lost)
            yield from self.of_payment(case, part, due, lambda key: rule)
            if text == "AL1" and battle.overrun and party is battle.attacker:
                yield from _of_mobile_assault(case, party)


Losses(SETTING).enforce(
    losses=["lwe-11.29a"],
    results=[
        "lwe-11.28a",
        "lwe-11.30a",
        "lwe-11.31a",
        "lwe-11.31b",
        "lwe-11.32a",
        "lwe-11.32e",
        "lwe-11.33a",
        "lwe-11.33c",
        "lwe-2.12a",
        "lwe-11.33b",
        "lwe-11.35a",
        "lwe-11.36a",
        "lwe-11.39a",
        "lwe-11.22b",
        "lwe-11.24d",
        "lwe-11.10a",
    ],
)


def _rule_of(party: Party, text: str, part: Part) -> str:
    """Of a result; 2.12 where a counter was taken off for a single step."""
    whole = part.pays is Pays.STEPS and party.removed_whole
    return "lwe-2.12a" if whole else RULE_OF.get(text, "lwe-11.28a")


def _of_mobile_assault(case: Case, party: Party) -> Iterator[Bill]:
    """11.31: the step comes from a panzer or panzer grenadier division."""
    wrong = names_of(lacking(case.units(party.lost), "leads-assault"))
    text = "loses the step, which a panzer or panzer grenadier division owes"
    yield from bill_of("lwe-11.31b", wrong, text)


# --- retreat or stand (11.32, 11.33) --------------------------------------------------------------------


def _of_retreat(case: Case, battle: Battle, party: Party) -> Iterator[Bill]:
    static = filter(party.alive, party.immobile)
    yield from bill_of("lwe-11.32e", static, "cannot retreat and is eliminated", open_=True)
    mobile = [name for name in party.steps if name not in party.immobile]
    gone = list(filter(party.hexes_retreated, mobile))
    stayed = [name for name in mobile if name not in gone]
    parted = bool(gone and lacking(case.units(stayed), "coastal-army"))
    text = "does not retreat with the others: all do, or none"
    yield from bill_of("lwe-11.33c", stayed if parted else (), text, open_=True)
    if gone and not parted:
        yield from _of_those_gone(case, battle, party, gone)
    elif stayed and not parted:
        yield from _of_those_that_stand(case, battle, party, stayed)


def _of_those_gone(case: Case, battle: Battle, party: Party, gone: list[str]) -> Iterator[Bill]:
    yield from bill_of("lwe-11.32a", filter(party.lost.get, gone), "retreats and loses a step besides")
    if not can_go(case, battle):
        return
    by_land = lacking(case.units(gone), "coastal-army")
    ends = {party.paths[unit.id][-1] for unit in by_land}
    if len(ends) > 1 and goes_together(case, battle):
        unsure = not _one_would_do(case, battle, ends, by_land)
        text = f"{'+'.join(gone)} part where one hex has room for all"
        yield Bill("lwe-11.33b", text, tuple(gone), verdict=faults.unless(unsure))


def _one_would_do(case: Case, battle: Battle, ends: Iterable[HexId], group: Sequence[Unit]) -> bool:
    """Whether one of the hexes that they went to had room for all when the die fell, and still has."""
    field, side, load = field_of(case), battle.defender.side, load_of(group)
    roomy = (h for h in ends if battle.rooms.get(h, 0) >= load)
    return not field.position.partial and any(fits(field, side, h, group) for h in roomy)


def _of_those_that_stand(case: Case, battle: Battle, party: Party, mobile: list[str]) -> Iterator[Bill]:
    """Without a way out each loses a step where it stands; with one they must go; an army may sail."""
    lost, by_land = [party.lost.get(name, 0) for name in mobile], bool(retreating(case, party))
    paid, none, names = set(lost) == {1}, not any(lost), tuple(mobile)
    way_out = can_go(case, battle)
    where = f"open: {_open_hexes(case, field_of(case), battle)}"
    due = f"without a way out each of {'+'.join(mobile)} loses one step where it stands"
    shut = "lwe-11.33a" if battle.exits else "lwe-11.33c"
    who = "+".join(mobile)
    bills = (
        (paid and not (way_out and by_land), None),
        (not way_out, Bill(shut, due, names, min(lost) == 0)),
        (not by_land and none, Bill("lwe-11.32f", f"{who} neither sails nor loses a step", names, True)),
        (not by_land, Bill(shut, due, names, min(lost) == 0)),
        (none, Bill("lwe-11.32a", f"{who} does not retreat; {where}", names, True)),
    )
    instead = Bill("lwe-11.33c", f"{who} loses steps instead of retreating; {where}", names)
    bill = faults.first_true(*bills, otherwise=instead)
    if bill is not None:
        yield bill


def _open_hexes(case: Case, field: Field, battle: Battle) -> str:
    return say.listed([field.ground.wording.hex(h) for h, room in sorted(battle.rooms.items()) if room > 0])
