"""Steps are lost for a battle, in their time, and what each side owes is settled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from validator.core import explain as say
from validator.core.obligations import NO_RETREAT, OVERPAID, STRANDED, TOO_FAR, UNEVEN, UNPAID, Obligation
from validator.core.results import Part, Pays
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults
from validator.model.events import Attacked, Event, Removed, StepChanged
from validator.model.findings import Fault, Verdict
from validator.procedures import battlebook, faults, settlement
from validator.procedures.battle.step import B, P, Step
from validator.procedures.battlebook import Loss
from validator.procedures.settlement import Bill

RuleOf = Callable[[str], str]
"""The rule that a key of the core breaks."""

MAY_BE_PUT_RIGHT = (UNPAID, STRANDED, UNEVEN)  # by later losses or retreats


class Losses(Step[B, P]):
    """Judges and books losses, and settles each battle: before the next one what is beyond repair, at the end
    of the phase all. A game says in `readings` what a side may have been asked for, and in `bills` what is
    wrong with how it paid; the reading with fewest faults counts.

    Values: `no_part` is the rule for losses of units that did not fight, `late` for those after the next
    battle, `order` for a side that pays too late (`order_verdict`: how sure that is; "" if nothing shows it),
    `no_die` for an attack that nothing came of. `boxes_kept` are boxes whose counters are not lost. `losing`
    are the kinds of events that may be losses.
    """

    no_part = ""
    late = ""
    no_die = ""
    order = ""
    order_verdict = Verdict.ILLEGAL
    boxes_kept: Sequence[str] = ()
    losing: Sequence[type[Event]] = (StepChanged, Removed)

    def enforce(self, losses: Iterable[str], results: Iterable[str]) -> None:
        """`losses` are the rules of single losses, `results` those of a result as a whole."""
        book, phases = self.setting.rules, self.setting.phases
        book.rule(*losses)(book.before(*self.losing, phases=phases)(self.judge))
        book.track(*self.losing, when=JUDGED, phases=phases)(self.note)
        book.before(Attacked)(self.before_the_next)
        book.rule(*results)(book.at_phase_end(*phases)(self.at_the_end))

    # --- what a game overrides ---

    def loss_of(self, case: AnyCase, event: Event) -> Loss | None:
        return battlebook.loss_of(case.position, event, self.boxes_kept)

    def paid_for(self, case: AnyCase, loss: Loss) -> tuple[B, P] | None:
        """The battle that a loss pays for, and the side that pays."""
        return self.engaged(case, loss.unit, loss.battle)

    def is_for_something_else(self, case: AnyCase, loss: Loss) -> bool:
        """Whether a loss that pays for no battle has another reason, such as want of room."""
        return False

    def is_in_time(self, case: AnyCase, battle: B, party: P, loss: Loss) -> bool:
        """Whether a loss pays for no result, and so may come at any time."""
        return False

    def besides(self, case: AnyCase, battle: B, party: P, loss: Loss) -> Iterator[Fault]:
        """What else is wrong with a loss, whenever it comes."""
        return iter(())

    def book(self, case: AnyCase, battle: B, party: P, loss: Loss, event: Event) -> None:
        if loss.whole and loss.steps > 1:
            party.removed_whole.add(party.root(loss.unit))
        party.lose(loss.unit, loss.steps)

    def before_the_next(self, case: AnyCase, event: Attacked) -> Faults:
        """When the next battle is declared. What is merely unpaid may come late, until the phase ends."""
        for battle in self.battles(case)[:-1]:
            yield from self.settle(case, battle, final=False)

    def at_the_end(self, case: AnyCase) -> Faults:
        for battle in self.battles(case):
            if battle.rolled:
                yield from self.settle(case, battle, final=True)
            else:
                yield from self.without_die(case, battle)

    def without_die(self, case: AnyCase, battle: B) -> Iterator[Fault]:
        """Neither a die nor a result followed an attack."""
        yield from faults.no_die(case, self.field(case), battle, self.no_die)

    def is_excused(self, case: AnyCase, battle: B, party: P) -> bool:
        """Whether nothing is asked of a side: a fault reported before has changed what it could do."""
        return party.strayed

    def bills(self, case: AnyCase, battle: B, party: P) -> Iterator[Sequence[Bill]]:
        """What is wrong in each reading of what is asked and of what was paid."""
        raise NotImplementedError

    # --- what they share ---

    def judge(self, case: AnyCase, event: Event) -> Faults:
        loss = self.loss_of(case, event)
        found = self.paid_for(case, loss) if loss else None
        if loss is None:
            return
        if found is not None:
            if not self.is_in_time(case, *found, loss):
                yield from self._in_its_time(case, *found, loss.unit)
            yield from self.besides(case, *found, loss)
        elif not self.is_for_something_else(case, loss):
            yield faults.outsider(self.no_part, loss)

    def note(self, case: AnyCase, event: Event) -> None:
        loss = self.loss_of(case, event)
        found = self.paid_for(case, loss) if loss else None
        if loss is not None and found is not None:
            self.book(case, *found, loss, event)
        elif isinstance(event, StepChanged) and event.new < event.old:
            self._give_back(case, event)

    def _give_back(self, case: AnyCase, event: StepChanged) -> None:
        """A counter that is turned back pays for nothing any more."""
        found = self.engaged(case, event.unit, event.battle)
        if found is not None:
            party, root = found[1], found[1].root(event.unit)
            party.lost[root] = max(party.lost.get(root, 0) - (event.old - event.new), 0)

    def _in_its_time(self, case: AnyCase, battle: B, party: P, name: str) -> Iterator[Fault]:
        yield from settlement.late(self.late, self.battles(case), battle, name)
        if self.order and not battle.attacker.doubtful and settlement.out_of_order(battle, party):
            other = "defender" if party is battle.attacker else "attacker"
            text = f"{name} loses its step after the {other}, not before"
            once = ("order", battle.number)
            yield Fault(self.order, text, (name,), verdict=self.order_verdict, once=once)

    def settle(self, case: AnyCase, battle: B, *, final: bool) -> Iterator[Fault]:
        def of_party(battle: B, party: P) -> Bill | None:
            return self.of_party(case, battle, party)

        yield from settlement.settle(self.field(case), battle, of_party, final=final)

    def of_party(self, case: AnyCase, battle: B, party: P) -> Bill | None:
        """The first fault of the reading that has fewest; None if one reading is right."""
        if self.is_excused(case, battle, party):
            return None
        best = settlement.fewest(self.bills(case, battle, party))
        return best[0] if best else None

    def of_payment(
        self,
        case: AnyCase,
        part: Part,
        due: Obligation,
        rule_of: RuleOf,
        *,
        stranded: bool = True,
    ) -> Iterator[Bill]:
        """Too little paid, too much, or otherwise than asked; `rule_of` gives rules to the keys of the core.
        Unless `stranded`, units that cannot retreat may stay behind."""
        found = {breach.key: breach for breach in due.settle()}
        if not stranded:
            found.pop(STRANDED, None)
        for key in (NO_RETREAT, UNEVEN, TOO_FAR, STRANDED, UNPAID, OVERPAID):
            if key in found:
                text = say.breach_text(self.field(case).ground.wording, found[key])
                yield Bill(rule_of(key), text, found[key].units, key in MAY_BE_PUT_RIGHT)
        needed = max(part.points - (due.retreated if part.pays is Pays.EITHER else 0), 0)
        if not due.survivors and part.pays in COUNTED and due.surely_paid > needed:
            text = f"{say.counted(due.surely_paid, 'step')} lost, {needed} owed"
            yield Bill(rule_of(OVERPAID), text, tuple(due.lost))


COUNTED = (Pays.EITHER, Pays.STEPS, Pays.NOTHING)  # results that do not take all of a side


def obligation(
    party: P, part: Part, lost: Mapping[str, int], steps: Mapping[str, int] | None = None
) -> Obligation:
    """What a side owes, with the steps that its units lost booked on it."""
    due = Obligation(0, party.side, part, party.steps if steps is None else steps, party.immobile)
    for unit, number in lost.items():
        due.lose(unit, number)
    return due
