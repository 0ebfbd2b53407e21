"""Chapter 13.5: units that come back after they were lost.

A lost headquarters or army is rolled for (`roll "army return" 1d6=3 for 24A`); it then waits on the turn
track (`place 24A turn-28`) or in its side's returns box. Dice that name no unit may be for any that waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from validator.engine.rulebook import LAST, Faults
from validator.games.wfm.book import RULES
from validator.games.wfm.state import Case, Die, Loss
from validator.model.events import Moved, Placed, Removed, Replaced, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.entries import box_turn
from validator.procedures.faults import first_true

AFTER = 4  # turns until an airbase or depot returns (13.52, 13.53)
CORPS_AFTER = 2  # turns until a corps comes for an army that never returns (13.55)
WITHDRAWN, CONVERSION_BOX = "axis-withdrawn", "conversion-waiting"
KEPT = ("evacuated-factories", WITHDRAWN, "soviet-converted", "axis-pool")
NEVER = ""  # no rule brings the unit back
BASES, DEPOTS, STAFFS = "wfm-13.52", "wfm-9.27", "wfm-13.54"
ARMIES, TANKS, GUARDS = "wfm-13.55", "wfm-13.56", "wfm-13.57"
RETURNS = {"airbase": BASES, "depot": DEPOTS, "hq": STAFFS, "converts": GUARDS, "draws-strength": ARMIES}
ROLLED_FOR = (STAFFS, ARMIES, TANKS, GUARDS)
NO_RETURN = 1  # the die after which an army never returns
STAFF_DELAYS = {**dict.fromkeys((1, 2, 3), 1), **dict.fromkeys((4, 5, 6), 2)}  # turns, by the die (13.54)
ARMY_DELAYS = {die: 2 * die for die in (2, 3, 4, 5, 6)}  # 13.55
CORPS_OF = {"soviet-infantry-corps": ARMIES, "soviet-mechanized-corps": TANKS}
CORPS_FOR = {ARMIES: "an infantry corps", TANKS: "a mechanized corps"}


Reason = tuple[str, str]
"""A rule, and how it is broken."""


@dataclass(frozen=True)
class Return:
    """A way for a unit to come back, and the turns it may be due by the dice; empty if they are not known."""

    loss: Loss
    rule: str
    due: frozenset[int]

    def open_in(self, turn: int) -> bool:
        return not self.due or min(self.due) <= turn

    def text(self, unit: str) -> str:
        turns = " or ".join(map(str, sorted(self.due)))
        if unit == self.loss.unit:
            return f"was lost in turn {self.loss.turn} and returns in turn {turns}"
        return f"comes for {self.loss.unit}, lost in turn {self.loss.turn}, and that is in turn {turns}"


def return_rule(unit: Unit) -> str:
    """The rule by which a lost unit comes back."""
    rule = next((rule for trait, rule in RETURNS.items() if unit.has(trait)), NEVER)
    return TANKS if rule == ARMIES and unit.has("armor") else rule


@RULES.track(Removed)
def note_what_is_lost(case: Case, event: Removed) -> None:
    """Kampfgruppen are used again as needed; what leaves in the administrative phase is no loss."""
    unit = case.position.units[event.unit]
    reused = any(map(unit.has, ("kg", "economic-asset", "osg")))
    if unit.on_map and event.box not in KEPT and not reused and case.phase != "admin":
        since = len(case.in_game.events) - len(case.in_phase.events)
        lost = Loss(unit.id, case.turn, case.phase, unit.spot, return_rule(unit), since)
        case.in_game.lost[unit.id] = lost


@RULES.track(Placed, when=LAST)
def what_is_put_back_was_not_lost(case: Case, event: Placed) -> None:
    """A counter taken off by mistake, and put back where it was in the same phase."""
    loss = case.in_game.lost.get(event.unit)
    if loss is not None and (loss.turn, loss.phase, loss.spot) == (case.turn, case.phase, event.spot):
        del case.in_game.lost[event.unit]


# --- dice ------------------------------------------------------------------------------------------


@RULES.rule(*ROLLED_FOR)
@RULES.before(Rolled)
def one_die_decides_when_a_unit_returns(case: Case, event: Rolled) -> Faults:
    unit = case.position.units.get(event.about or "")
    rule = return_rule(unit) if unit is not None and "return" in event.reason.lower() else NEVER
    if unit is not None and rule in ROLLED_FOR and _dice_since_its_loss(case, unit) > 1:
        yield Fault(rule, f"{unit.id} rolls a second time for its return", (unit.id,))


def _dice_since_its_loss(case: Case, unit: Unit) -> int:
    """With the one that falls; in the phase of the loss the die may come before the counter goes."""
    loss = case.in_game.lost.get(unit.id)
    phase = len(case.in_game.events) - len(case.in_phase.events)
    since = phase if loss is None or unit.on_map else loss.since
    return sum(die.about == unit.id and die.number >= since for die in case.in_game.return_dice)


@RULES.track(Rolled)
def note_return_dice(case: Case, event: Rolled) -> None:
    reason = event.reason.lower()
    if "return" in reason and event.values:
        kind = next((kind for kind in ("headquarters", "army") if kind in reason), "")
        die = Die(len(case.in_game.events), kind, event.about, event.values[0])
        case.in_game.return_dice.append(die)


def dice(case: Case, loss: Loss) -> set[int]:
    """What may have been rolled for a unit: its own die, else any of its kind that names no unit."""
    kinds = ("headquarters" if loss.rule == STAFFS else "army", "")
    rolled = [die for die in case.in_game.return_dice if die.number >= loss.since and die.kind in kinds]
    own = {die.value for die in rolled if die.about == loss.unit}
    return own or {die.value for die in rolled if die.about is None}


def own_return(case: Case, loss: Loss) -> Return:
    """When the unit itself is due by its die."""
    if loss.rule in (BASES, DEPOTS):
        return Return(loss, loss.rule, frozenset({loss.turn + AFTER}))
    return Return(loss, loss.rule, _due(loss, dice(case, loss)))


def _due(loss: Loss, rolled: set[int]) -> frozenset[int]:
    delays = STAFF_DELAYS if loss.rule == STAFFS else ARMY_DELAYS
    return frozenset(loss.turn + delays[die] for die in rolled & delays.keys())


def for_another(case: Case, unit: Unit) -> Iterator[Return]:
    """13.55 to 13.57: a corps for an army whose die was a 1, any regular army for a Guard or Shock army."""
    for loss in case.in_game.lost.values():
        if not loss.answered and loss.rule in (ARMIES, TANKS, GUARDS):
            yield from _instead(case, unit, loss)


def _instead(case: Case, unit: Unit, loss: Loss) -> Iterator[Return]:
    """The unit may come in the place of one that was lost; whenever it will, where the die is not known."""
    rolled = dice(case, loss)
    army_for_a_guard = unit.has("convertible") and loss.rule == GUARDS
    due = _due(loss, rolled) if army_for_a_guard else _due_of_a_corps(loss, rolled)
    if (due or not rolled) and (army_for_a_guard or _comes_for(case, unit, loss.rule)):
        yield Return(loss, loss.rule, due)


def _due_of_a_corps(loss: Loss, rolled: set[int]) -> frozenset[int]:
    return frozenset({loss.turn + CORPS_AFTER} if NO_RETURN in rolled else ())


def _comes_for(case: Case, unit: Unit, rule: str) -> bool:
    comes = rule != GUARDS or case.option("guard-return-corps") != "off"
    return comes and CORPS_OF.get(unit.type.id) == (TANKS if rule == TANKS else ARMIES)


# --- on the turn track ---------------------------------------------------------------------------------


@RULES.rule(BASES, DEPOTS, *ROLLED_FOR)
@RULES.after(Placed, Moved, Removed)
def lost_units_wait_as_long_as_the_die_says(case: Case, event: Placed | Moved | Removed) -> Faults:
    """Where a lost unit is put on the turn track."""
    yield from _on_a_wrong_turn(case, event.concerned)


@RULES.rule(*ROLLED_FOR)
@RULES.at_phase_end()
def a_die_that_falls_later_moves_the_unit(case: Case) -> Faults:
    """Who was put on the turn track before its die."""
    yield from _on_a_wrong_turn(case, case.in_phase.concerned(Rolled))


def _on_a_wrong_turn(case: Case, names: Iterable[str]) -> Iterator[Fault]:
    for unit in case.units(names):
        turn, ways = box_turn(unit.spot), ways_back(case, unit)
        if turn is not None and ways and all(way.due and turn not in way.due for way in ways):
            text = f"{unit.id} is put on turn {turn}, but {ways[0].text(unit.id)}"
            yield Fault(ways[0].rule, text, (unit.id,), once=("turn", unit.id))


def ways_back(case: Case, unit: Unit) -> list[Return]:
    """Every way by which a unit may come back, its own first."""
    loss = case.in_game.lost.get(unit.id)
    returns = loss is not None and loss.rule not in (NEVER, GUARDS) and not _is_gone(case, loss)
    return [*([own_return(case, loss)] if loss is not None and returns else []), *for_another(case, unit)]


def _is_gone(case: Case, loss: Loss) -> bool:
    """An army that never returns by its die (13.55)."""
    return loss.rule in CORPS_FOR and dice(case, loss) == {NO_RETURN}


# --- back on the map -------------------------------------------------------------------------------------


def came_back(case: Case, unit: Unit) -> list[Reason] | None:
    """What is wrong with a unit that enters again; None if nothing is known of a loss."""
    ways = ways_back(case, unit)
    if any(way.open_in(case.turn) for way in ways):
        return []
    return [(way.rule, way.text(unit.id)) for way in ways[:1]] or _never(case, unit)


def answer_a_loss(case: Case, unit: Unit) -> None:
    """For reducers: a unit enters, and what it comes for is answered."""
    way = next((way for way in ways_back(case, unit) if way.open_in(case.turn)), None)
    if way is not None:
        way.loss.answered = True
        case.in_game.lost.pop(unit.id, None)


def _never(case: Case, unit: Unit) -> list[Reason] | None:
    loss = case.in_game.lost.get(unit.id)
    if loss is not None:
        return [_why_never(case, loss)]
    if unit.has("convertible") and unit.id in _converted(case):
        return [("wfm-13.26", "was converted and comes back only by being rebuilt from two corps")]
    return _wrong_corps(case, unit) or None


def _why_never(case: Case, loss: Loss) -> tuple[str, str]:
    before = f"was lost in turn {loss.turn}"
    return first_true(
        (
            loss.rule == GUARDS,
            (GUARDS, "was lost; it returns to the Conversion Waiting box, not onto the map"),
        ),
        (
            loss.rule in CORPS_FOR,
            (
                loss.rule,
                f"{before} with a return die of 1: {CORPS_FOR.get(loss.rule)} comes in its place",
            ),
        ),
        otherwise=("wfm-13.59", f"{before}, and no rule brings it back"),
    )


def _wrong_corps(case: Case, unit: Unit) -> list[Reason]:
    """An infantry corps for a tank army, or a mechanized one for another."""
    other = {ARMIES: TANKS, TANKS: ARMIES}.get(CORPS_OF.get(unit.type.id, NEVER))
    waiting = (loss for loss in case.in_game.lost.values() if loss.rule == other and not loss.answered)
    gone = [loss for loss in waiting if _is_gone(case, loss)][:1]
    return [(loss.rule, f"comes for {loss.unit}; {CORPS_FOR[loss.rule]} is due") for loss in gone]


def _converted(case: Case) -> set[str]:
    """Armies out of play since they were converted; those rebuilt since are not."""
    out: set[str] = set()
    for event in case.in_game.of(Replaced):
        out.difference_update(event.comers)
        out.update(event.old if event.why == "convert" else ())
    return out


# --- what is owed ------------------------------------------------------------------------------------------


@RULES.rule(*ROLLED_FOR)
@RULES.at_phase_end("admin")
def lost_units_are_rolled_for(case: Case) -> Faults:
    """By the end of the turn; a headquarters that the supply phase took off is asked about there (9.57)."""
    lost = (loss for loss in case.in_game.lost.values() if loss.turn == case.turn)
    for loss in (loss for loss in lost if loss.rule in ROLLED_FOR):
        elsewhere = loss.rule == STAFFS and loss.phase == "supply"
        if not elsewhere and not dice(case, loss):
            yield Fault(loss.rule, f"{loss.unit} was lost and no die was rolled for its return", (loss.unit,))
        if loss.rule == GUARDS and case.unit(loss.unit).spot != CONVERSION_BOX:
            text = f"{loss.unit} was lost and is not in the Conversion Waiting box"
            yield Fault(GUARDS, text, (loss.unit,), verdict=Verdict.WARNING)


def waits(case: Case, unit: Unit) -> bool:
    """Whether an army is sure to return by its die (13.55): then it may not be rebuilt meanwhile."""
    loss = case.in_game.lost.get(unit.id)
    return loss is not None and loss.rule in CORPS_FOR and bool(own_return(case, loss).due)
