"""The events of a phase are read into battles: what is part of which, and what stands out of its order.

Reading does not ask what is legal. It looks on while the phase is judged as it was written, and takes from
the referee's memory what each side still owes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from fieldpost.hexes import Hex
from validator.acts.settlement import Settlement
from validator.engine.case import AnyCase
from validator.engine.claims import ORDER
from validator.model import events as ev
from validator.model.events import Event
from validator.model.position import Position
from validator.procedures.battlebook import Battle, Party

DECLARED, CHITS, DIE, RESULT, PAID_FIRST, FOLLOWED_FIRST, PAID_SECOND, FOLLOWED_SECOND = range(8)
"""The parts of a battle, in the order of the rules."""

LOSSES = (ev.StepChanged, ev.Removed, ev.Replaced, ev.Marked, ev.Returned, ev.Placed)


@dataclass
class Act:
    """A battle, as the events show it.

    `parts` are places in the phase, each with its rank. `late` says in words what stands out of order.
    """

    number: int
    attackers: set[str]
    defenders: set[str]
    targets: tuple[Hex, ...]
    parts: dict[int, int] = field(default_factory=dict)
    die: int | None = None
    late: dict[str, int] = field(default_factory=dict)  # and where it stands first
    rule: str = ""  # the rule that its order breaks first
    closed: bool = False  # fully paid before a later battle: an advance after that one is no disorder
    apart: bool = False  # declared long before it was fought, or otherwise than meant
    misnamed: bool = False  # as an attack where only overruns can be, or the other way round

    def holds(self, unit: str) -> bool:
        return unit in self.attackers or unit in self.defenders

    def in_order(self) -> list[int]:
        """The places of its parts, in the order of the rules."""
        return sorted(self.parts, key=lambda place: (self.parts[place], place))

    def out_of_order(self, what: str, place: int, rule: str = ORDER) -> None:
        self.late.setdefault(what, place)
        self.rule = self.rule or rule

    @property
    def anchor(self) -> int:
        """Where it stands in the phase: at its die, at the result that needed none, or at its first part."""
        if self.die is not None:
            return self.die
        return min((place for place, rank in self.parts.items() if rank == RESULT), default=min(self.parts))

    @property
    def is_decided(self) -> bool:
        return self.die is not None or RESULT in self.parts.values()


@dataclass
class Reading:
    """The battles of one phase, read event by event."""

    settlement: Settlement
    acts: list[Act] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    early_dice: dict[int, Position] = field(default_factory=dict)  # that fell before a declaration
    early_results: list[int] = field(default_factory=list)
    given_up: dict[str, Act] = field(default_factory=dict)  # by unit, the battle it was last taken off for

    def see(self, case: AnyCase, event: Event) -> None:
        """The next event of the phase, before it is judged."""
        place = len(self.events)
        self.events.append(event)
        match event:
            case ev.Attacked():
                self._open(case, event, place)
            case ev.Rolled() if event.about is None and event.reason.lower() in self.settlement.reasons:
                self._roll(case, event, place)
            case ev.ResultNamed():
                self._name(case, event, place)
            case ev.Drawn(unit=str(unit)):
                self._draw(case, unit, place)
            case ev.Moved():
                self._move(case, event, place)
            case _ if isinstance(event, LOSSES):
                self._lose(case, event, place)

    # --- before the result ---

    def _open(self, case: AnyCase, event: ev.Attacked, place: int) -> None:
        attackers = set(event.units)
        sides = {case.position.units[name].side for name in attackers}
        there = [unit for hex_ in event.targets for unit in case.position.at(hex_)]
        defenders = {unit.id for unit in there if unit.side not in sides}
        act = Act(event.battle, attackers, defenders, event.targets, {place: DECLARED})
        if self.settlement.one_by_one:
            self._close_paid(case, act)
        self.acts.append(act)
        act.misnamed = self._is_misnamed(case.phase, event)

    def _is_misnamed(self, phase: str, event: ev.Attacked) -> bool:
        """Where a phase has attacks or overruns alone, the phase decides what a battle is."""
        attacks, overruns = phase in self.settlement.attacks, phase in self.settlement.overruns
        return attacks != overruns and event.overrun == attacks

    def _roll(self, case: AnyCase, event: ev.Rolled, place: int) -> None:
        waiting = (act for act in self.acts if act.die is None and event.battle in (None, act.number))
        act = next(waiting, None) if event.battle is None else next(iter([*waiting][-1:]), None)
        if act is None:
            if event.battle is None or self._numbered(event.battle) is None:
                self.early_dice[place] = case.position.snapshot()
            return
        self._close_paid(case, act)
        act.die, act.parts[place] = place, DIE
        if event.battle is None and len(self.acts) > 1:
            self._give_number(act, event, place)
        if RESULT in act.parts.values():
            act.out_of_order("the result was named before the die", place)

    def _give_number(self, act: Act, event: ev.Rolled, place: int) -> None:
        """Dice without a number go to the battles that wait for one, in the order of their declarations."""
        self.events[place] = replace(event, battle=act.number)
        if act is not self.acts[-1]:
            act.apart = True
            act.out_of_order("its die was rolled without its number", place)

    def _close_paid(self, case: AnyCase, later: Act) -> None:
        """Battles that both sides have paid for when a later one is fought are over."""
        for act in self.acts:
            battle = self._battle(case, act)
            if act is not later and act.is_decided and battle is not None:
                act.closed = act.closed or not any(map(battle.owes, battle.parties))

    def _name(self, case: AnyCase, event: ev.ResultNamed, place: int) -> None:
        act = self._numbered(event.battle)
        if act is None:
            self.early_results.append(place)
        else:
            if not act.is_decided:
                self._close_paid(case, act)
            act.parts[place] = RESULT

    def _draw(self, case: AnyCase, unit: str, place: int) -> None:
        """A chit for who fights, and has none yet."""
        act = self._of_unit(unit)
        marks = case.position.units[unit].marks
        if act is None or any(self.settlement.is_chit(case, marker) for marker in marks):
            return
        act.parts[place] = CHITS
        if act.die is not None:
            act.out_of_order(f"the chit of {unit} was drawn after the die", place)

    # --- after it ---

    def _move(self, case: AnyCase, event: ev.Moved, place: int) -> None:
        act = self._of_move(case, event)
        battle = None if act is None else self._battle(case, act)
        if act is None or battle is None:
            return
        attacks = event.units[0] in act.attackers
        party = battle.attacker if attacks else battle.defender
        if event.mode == "advance":
            self._advance(act, battle, party, event, place)
        elif event.mode == "retreat":
            self._pay(act, battle, party, place, f"{'+'.join(event.units)} retreated")
        if event.implied and event.battle != act.number and place in act.parts:
            self.events[place] = replace(event, battle=act.number)

    def _advance(self, act: Act, battle: Battle[Any], party: Party, event: ev.Moved, place: int) -> None:
        later = self._next(act) if self.settlement.one_by_one else self._later_die(act)
        if later is not None and (act.closed or self.settlement.advances_late):
            return  # its time was over when that die fell, or is not limited
        who = "+".join(event.units)
        if battle.owes(battle.opponent(party)):
            act.out_of_order(f"{who} advanced before the other side had paid", place)
        elif later is not None:
            act.out_of_order(f"{who} advanced after battle {later.number} was begun", place)
        if self.settlement.one_by_one:
            self._set_apart(act, place)
        act.parts[place] = FOLLOWED_FIRST if party is not self._first(battle) else FOLLOWED_SECOND

    def _lose(self, case: AnyCase, event: Event, place: int) -> None:
        for unit in event.concerned:
            act = self.given_up.get(unit) if isinstance(event, ev.Placed) else self._of_unit(unit)
            battle = None if act is None else self._battle(case, act)
            if act is None or battle is None or not act.is_decided:
                continue
            party = battle.attacker if unit in act.attackers else battle.defender
            self._pay(act, battle, party, place, f"{unit} paid")
            if isinstance(event, ev.Replaced):
                (act.attackers if party is battle.attacker else act.defenders).update(event.comers)
            return

    def _pay(self, act: Act, battle: Battle[Any], party: Party, place: int, what: str) -> None:
        """A loss or retreat of a side that still owes something."""
        if not battle.owes(party) and not self._follows_payment(act, place):
            return
        first, later = self._first(battle), self._later_die(act)
        if later is not None:
            act.out_of_order(f"{what} after the die of battle {later.number}", place, self.settlement.late)
        named = battle.result.first if battle.result is not None else None
        if named and party is first and battle.opponent(party).lost_steps:
            act.out_of_order(f"{what} after the other side", place, self.settlement.first)
        act.parts[place] = PAID_FIRST if party is first else PAID_SECOND

    def _follows_payment(self, act: Act, place: int) -> bool:
        """A chit that goes with its unit, say: what is about a unit that has just paid."""
        before = self.events[place - 1] if place - 1 in act.parts else None
        units = set(self.events[place].concerned)
        return (
            before is not None and not units.isdisjoint(before.concerned) and not isinstance(before, ev.Moved)
        )

    # --- which battle ---

    def _battle(self, case: AnyCase, act: Act) -> Battle[Any] | None:
        known = self.settlement.battles(case)
        return next((battle for battle in reversed(known) if battle.number == act.number), None)

    def _first(self, battle: Battle[Any]) -> Party:
        named = battle.result.first if battle.result is not None else None
        party: Party = battle.defender if named == "defender" else battle.attacker
        return party

    def _numbered(self, number: int | None) -> Act | None:
        return next((act for act in reversed(self.acts) if number in (None, act.number)), None)

    def _of_unit(self, unit: str) -> Act | None:
        """The last battle that a unit takes part in."""
        return next((act for act in reversed(self.acts) if act.holds(unit)), None)

    def _of_move(self, case: AnyCase, event: ev.Moved) -> Act | None:
        """By the number that a hand wrote, else by who moves; what the grammar supplied is a hint."""
        if not event.by_battle:
            return None
        joined = [act for act in self.acts if any(map(act.holds, event.units))]
        numbered = [act for act in joined if act.number == event.battle]
        if numbered or not (event.implied or event.battle is None):
            return next(iter(numbered), None)
        owed = (act for act in joined if self._is_owed(case, act, event.units[0]))
        return next(owed, joined[-1] if joined else None)

    def _is_owed(self, case: AnyCase, act: Act, unit: str) -> bool:
        battle = self._battle(case, act)
        party = battle.party(unit) if battle is not None else None
        return battle is not None and party is not None and battle.owes(party)

    def _later_die(self, act: Act) -> Act | None:
        """The battle that was decided first after this one."""
        later = [other for other in self.acts if other.is_decided and other.anchor > act.anchor]
        return min(later, key=lambda other: other.anchor, default=None)

    def _next(self, act: Act) -> Act | None:
        """The battle that was declared first after this one was decided."""
        later = [other for other in self.acts if min(other.parts) > act.anchor]
        return min(later, key=lambda other: min(other.parts), default=None)

    def _set_apart(self, act: Act, place: int) -> None:
        """Battles declared before this one was decided, and not fought yet: they count from their die."""
        for other in self.acts:
            if other is not act and not other.is_decided and min(other.parts) < act.anchor:
                other.apart = True
                other.out_of_order(f"it was declared before battle {act.number} was settled", place)

    # --- the end of the phase ---

    def finish(self) -> None:
        """Dice and results that came before any battle belong to the next that has none."""
        for places, rank in ((self.early_dice, DIE), (self.early_results, RESULT)):
            for place in places:
                self._give(place, rank)
        for act in self.acts:
            if act.misnamed and act.is_decided:
                self._rename(act)

    def _rename(self, act: Act) -> None:
        place = min(place for place, rank in act.parts.items() if rank == DECLARED)
        event = self.events[place]
        if isinstance(event, ev.Attacked):
            self.events[place] = replace(event, overrun=not event.overrun)
            act.apart = True
            act.out_of_order(f"it can only be {'an attack' if event.overrun else 'an overrun'}", place)

    def _give(self, place: int, rank: int) -> None:
        waits = (act for act in self.acts if min(act.parts) > place and rank not in act.parts.values())
        act = next(waits, None)
        event = self.events[place]
        if act is None or not isinstance(event, ev.Rolled | ev.ResultNamed):
            return
        if event.battle not in (None, act.number):
            return
        act.parts[place] = rank
        self.events[place] = replace(event, battle=act.number)
        act.out_of_order(
            "its die fell before it was declared" if rank == DIE else "its result was named first", place
        )
        if rank == DIE:
            act.die = place

    @property
    def undeclared(self) -> dict[int, Position]:
        """Dice that belong to no battle, each with the position it fell in."""
        return {place: position for place, position in self.early_dice.items() if not self._is_part(place)}

    def _is_part(self, place: int) -> bool:
        return any(place in act.parts for act in self.acts)

    @property
    def disordered(self) -> list[Act]:
        return [act for act in self.acts if act.late and self._would_move(act)]

    def _would_move(self, act: Act) -> bool:
        """Whether the order of the rules differs from that of the hands."""
        others = (other for other in self.acts if other is not act)
        last = max(act.parts)
        if self.settlement.one_by_one:
            between = any(act.anchor < min(other.parts) < last for other in others)
        else:
            between = any(other.is_decided and act.anchor < other.anchor < last for other in others)
        return between or act.apart or act.in_order() != sorted(act.parts)


def in_order(reading: Reading) -> list[int]:
    """The places of the phase, the parts of each disordered battle in the order of the rules, at its die."""
    moved = {place: act for act in reading.disordered for place in act.parts}
    order: list[int] = []
    for place in range(len(reading.events)):
        act = moved.get(place)
        if act is None:
            order.append(place)
        elif place == act.anchor:
            order += act.in_order()
    return order
