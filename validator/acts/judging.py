"""Events are judged phase by phase: as they were written, or as they were meant.

Where parts of a battle stand out of order, the phase is judged again from its start, on a fork of the
referee, with the parts of each such battle in the order of the rules. Where something is illegal then, ways
in several drags are joined, if fewer faults are left so. What was put in order or put right is named once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from fieldpost.progress import track
from validator.acts.reading import LOSSES, Act, Reading, in_order
from validator.acts.settlement import Settlement
from validator.acts.undeclared import Inferred, inferred
from validator.acts.ways import Way, ways
from validator.engine.claims import ORDER, WAY
from validator.engine.referee import Referee
from validator.model import events as ev
from validator.model.events import Event
from validator.model.findings import Fault, Verdict
from validator.model.position import Position

MOST_READINGS = 16
"""Of a phase: how many ways are tried that may have been meant."""

Expand = Callable[[Event, Position], Event]
"""Names the units of an event, where it names a hex for those in it."""


def as_it_is(event: Event, position: Position) -> Event:
    return event


@dataclass
class Start:
    """A referee as a phase began, the place of its first event, and the options first asked for in it."""

    place: int
    referee: Referee
    asked: frozenset[str] = frozenset()


@dataclass
class Played:
    """Events that were judged: the referee afterwards, and from where other choices of options are tried."""

    referee: Referee
    starts: list[Start] = field(default_factory=list)

    def start_of(self, option: str) -> Start | None:
        """The start of the phase in which an option was first asked for."""
        return next((start for start in self.starts if option in start.asked), None)


def play(
    referee: Referee, events: Sequence[Event], expand: Expand = as_it_is, *, most_kept: int = 0
) -> Played:
    """Judges events; while no more actions than `most_kept` were judged, the starts of phases are kept."""
    played = Played(referee)
    taken: set[int] = set()  # places of events that the phase before has taken
    all_phases = list(phases(referee, events))
    for number, phase in enumerate(track(all_phases, len(all_phases), "phases judged")):
        referee = played.referee
        settlement: Settlement | None = referee.rules.settlement
        keep, known = referee.actions <= most_kept, frozenset(referee.case.asked_options)
        shown = [events[place] for place in phase if place not in taken]
        settlement = settlement if may_be_meant_otherwise(shown) else None
        start = referee.fork() if keep or settlement is not None else None
        if start is None or settlement is None:
            feed(referee, shown, expand)
        else:
            then = all_phases[number + 1] if phase.stop < len(events) else range(0)
            late = list(_paid_first(events, then))
            last = Judging(start, settlement, expand, over=bool(then))
            played.referee = last.after(referee, shown, [events[place] for place in late])
            taken.update(late if last.took_late else ())
        asked = frozenset(played.referee.case.asked_options) - known
        if start is not None and asked and keep:
            played.starts.append(Start(phase.start, start, asked))
    return played


def _paid_first(events: Sequence[Event], phase: range) -> Iterator[int]:
    """What is paid for battles at the head of a phase, before anything else is done in it."""
    for place in phase[1:]:
        event = events[place]
        if not (isinstance(event, LOSSES) or (isinstance(event, ev.Moved) and event.by_battle)):
            return
        yield place


def phases(referee: Referee, events: Sequence[Event]) -> Iterable[range]:
    """The places of the events of each phase, with the line that begins it."""
    first, now = 0, (referee.case.turn, referee.case.phase)
    for place, event in enumerate(events):
        if isinstance(event, ev.PhaseBegan) and (event.turn, event.phase) != now:
            now = event.turn, event.phase
            if place > first:
                yield range(first, place)
            first = place
    if first < len(events):
        yield range(first, len(events))


def may_be_meant_otherwise(events: Iterable[Event]) -> bool:
    """Whether there are battles, or ways in several drags: all else is judged as it was written."""
    dragged: set[tuple[str, ...]] = set()
    for event in events:
        if isinstance(event, ev.Attacked | ev.Rolled):
            return True
        if isinstance(event, ev.Moved):
            if event.units in dragged or len(event.path) > 2:
                return True
            dragged.add(event.units)
    return False


def has_battles(events: Iterable[Event]) -> bool:
    return any(isinstance(event, ev.Attacked) for event in events)


def feed(referee: Referee, events: Iterable[Event], expand: Expand) -> None:
    for event in events:
        referee.judge(expand(event, referee.case.position))


@dataclass
class Judging:
    """How a phase is judged: `start` is a fork as it began, `over` says whether another phase follows."""

    start: Referee
    settlement: Settlement
    expand: Expand
    over: bool
    took_late: bool = False

    def after(self, referee: Referee, events: Sequence[Event], late: Sequence[Event]) -> Referee:
        """The referee after the phase; `late` stands behind the line of the next one and may belong to it."""
        referee = self._judged(referee, events)
        known = len(self.start.findings)
        wrong = referee.illegal_since(known, over=True) if late and has_battles(events) else []
        if not wrong:
            return referee
        other = self._judged(self.start.fork(), [*events, *late])
        left, before = (_weight(faults) for faults in (other.illegal_since(known, over=True), wrong))
        if left > before or (left == before and not any(isinstance(event, ev.Moved) for event in late)):
            return referee  # a retreat or an advance is illegal in the next phase besides
        units = tuple(dict.fromkeys(name for event in late for name in event.concerned))
        text = f"{'+'.join(units)}: what follows from a battle was entered after the line of the next phase"
        other.note(Fault(ORDER, text, units, verdict=Verdict.WARNING), late[0].origin)
        self.took_late = True
        return other

    def _judged(self, referee: Referee, events: Iterable[Event]) -> Referee:
        start, over, reading = self.start, self.over, Reading(self.settlement)
        for event in events:
            shown = self.expand(event, referee.case.position)
            reading.see(referee.case, shown)
            referee.judge(shown)
        reading.finish()
        order, known, chosen = in_order(reading), len(start.findings), list[Way]()
        if reading.disordered:
            referee = _judged_anew(start, [reading.events[place] for place in order])
        referee, battles = _declared(referee, start, reading, order, over=over)
        if not battles:
            referee, chosen = _put_right(referee, start, reading, order, over=over)
        doubts = [*map(_of_order, reading.disordered), *map(_of_declaration, battles)]
        doubts += map(_of_way, filter(_is_doubtful, chosen))
        for place, fault in doubts:
            referee.note(fault, reading.events[place].origin)
        if reading.disordered or chosen or battles:
            referee.put_findings_in_order(known, reading.events)
        return referee


def _weight(faults: Sequence[Fault]) -> tuple[int, int]:
    """How much is wrong: so many faults, of so many units."""
    return len(faults), sum(len(fault.units) for fault in faults)


def _judged_anew(start: Referee, events: Iterable[Event]) -> Referee:
    referee = start.fork()
    referee.feed(events)
    return referee


def _declared(
    referee: Referee, start: Referee, reading: Reading, order: Sequence[int], *, over: bool
) -> tuple[Referee, list[Inferred]]:
    """For each die of a battle that no hand declared: the declaration that leaves the fewest faults."""
    chosen: list[Inferred] = []
    side = reading.settlement.attacks.get(referee.case.phase, "")
    unjudged = any(isinstance(event, ev.Undeclared) for event in reading.events)
    if unjudged or not side or not reading.undeclared:
        return referee, chosen
    known = len(start.findings)
    wrong = referee.illegal_since(known, over=over)
    for place, position in reading.undeclared.items():
        meant: Inferred | None = None
        for battle in islice(inferred(reading, place, position, side), MOST_READINGS):
            other = _judged_anew(start, _with_battles(reading, order, [*chosen, battle]))
            left = other.illegal_since(known, over=over)
            if _weight(left) < _weight(wrong):
                referee, wrong, meant = other, left, battle
        chosen += [meant] if meant is not None else []
    return referee, chosen


def _with_battles(reading: Reading, order: Sequence[int], chosen: Sequence[Inferred]) -> list[Event]:
    """The events in the order in which they are judged, with a declaration before each such die."""
    told = {place: event for battle in chosen for place, event in battle.parts.items()}
    found: list[Event] = []
    for place in order:
        event = told.get(place, reading.events[place])
        for battle in chosen:
            if battle.place == place and isinstance(event, ev.Rolled):
                found.append(battle.attack)
                event = replace(event, battle=battle.attack.battle)
        found.append(event)
    return found


def _put_right(
    referee: Referee, start: Referee, reading: Reading, order: Sequence[int], *, over: bool
) -> tuple[Referee, list[Way]]:
    """The reading of ways in several drags that leaves the fewest faults."""
    chosen: list[Way] = []
    rows = list(ways(order, reading.events))
    if not rows:
        return referee, chosen
    known = len(start.findings)
    wrong, tried = referee.illegal_since(known, over=over), 0
    for readings in rows:
        if not any(set(fault.units).intersection(readings[0].move.units) for fault in wrong):
            continue
        meant: Way | None = None
        for way in readings[: MOST_READINGS - tried]:
            tried += 1
            other = _judged_anew(start, _with_ways(reading, order, [*chosen, way]))
            left = other.illegal_since(known, over=over)
            if _weight(left) < _weight(wrong):
                referee, wrong, meant = other, left, way
        chosen += [meant] if meant is not None else []
    return referee, chosen


def _with_ways(reading: Reading, order: Sequence[int], chosen: Sequence[Way]) -> list[Event]:
    """The events in the order in which they are judged, one move in place of the drags of each way."""
    move_at = {way.places[-1]: way.move for way in chosen}
    dropped = {place for way in chosen for place in way.places} - move_at.keys()
    events = [move_at.get(place, reading.events[place]) for place in order if place not in dropped]
    return [event for event in events if not isinstance(event, ev.Moved) or len(event.path) > 1]


# --- doubts -------------------------------------------------------------------------------------------

Doubt = tuple[int, Fault]
"""What was put right, and the place of the event that it is said of."""


def _of_order(act: Act) -> Doubt:
    text = f"battle {act.number} is judged in the order of the rules: {'; '.join(act.late)}"
    fault = Fault(act.rule, text, tuple(sorted(act.attackers)), act.targets, verdict=Verdict.WARNING)
    return min(act.late.values()), fault


def _of_declaration(battle: Inferred) -> Doubt:
    attack = battle.attack
    who = "+".join(attack.units)
    text = f"a battle was not declared; it is judged as an attack by {who}, its odds are not checked"
    return battle.place, Fault(ORDER, text, attack.units, attack.targets, verdict=Verdict.WARNING)


def _is_doubtful(way: Way) -> bool:
    return way.corrected


def _of_way(way: Way) -> Doubt:
    who = "+".join(way.move.units)
    text = f"{who} was dragged back or put right; its way is judged as one"
    return way.places[0], Fault(WAY, text, way.move.units, verdict=Verdict.WARNING)
