"""Random legal games put into disorder, as hands do it, one battle or move at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from fieldpost.hexes import Hex
from fieldpost.hexes.geometry import neighbors
from players.game import Played
from players.logs import LogWriter, plain_board
from validator import sheet
from validator.acts import judging
from validator.engine.referee import Referee
from validator.interpret import interpret
from validator.model import events as ev
from validator.model.events import Event, Origin
from validator.model.findings import Fault, Verdict

Block = Sequence[int]
"""The places of a battle's parts in its phase."""

RESULTS = ("A1", "A2", "D1", "D2", "D3", "1/1", "DE", "DR", "AL1", "AS", "1-2", "EX")


@dataclass(frozen=True)
class Phase:
    """A phase of a legal game: a referee at its start, its events, and the line of the next."""

    start: Referee
    events: Sequence[Event]
    then: Sequence[Event]

    @property
    def battles(self) -> list[Block]:
        """Battles of more parts than declaration, die and result, none of them interrupted by a march."""
        found: list[list[int]] = []
        open_ = False
        for place, event in enumerate(self.events):
            if isinstance(event, ev.Attacked):
                found.append([place])
                open_ = True
            elif isinstance(event, ev.PhaseBegan) or (isinstance(event, ev.Moved) and not event.by_battle):
                open_ = False
            elif open_:
                found[-1].append(place)
        return [block for block in found if len(block) > 3]

    @property
    def pairs(self) -> list[tuple[Block, Block]]:
        """Battles of which one follows the other at once."""
        known = self.battles
        return [(a, b) for a, b in pairwise(known) if a[-1] + 1 == b[0]]

    def of(self, block: Block) -> list[Event]:
        return [self.events[place] for place in block]

    def with_parts(self, block: Block, parts: Sequence[Event]) -> list[Event]:
        """The phase with other events in place of a run of them."""
        return [*self.events[: block[0]], *parts, *self.events[block[-1] + 1 :]]

    def judged(self, events: Sequence[Event], read: Callable[[list[Event]], list[Event]]) -> list[Fault]:
        """What is found in other events in place of those of the phase, until the next has begun."""
        known = len(self.start.findings)
        told = [e.at(Origin("test", n)) for n, e in enumerate(read([*events, *self.then]), 1)]
        referee = judging.play(self.start.fork(), told, sheet.expand).referee
        return [finding.fault for finding in referee.findings[known:]]


def phases(played: Played) -> Iterator[Phase]:
    case = played.referee.case
    referee = Referee(case.game, case.scenario, played.referee.rules, {}, dict(case.options))
    for places in judging.phases(referee, played.events):
        events = played.events[places.start : places.stop]
        yield Phase(referee.fork(), events, played.events[places.stop : places.stop + 1])
        referee.feed(events)


def as_log(played: Played, phase: Phase, events: Sequence[Event]) -> list[Fault]:
    """What is found in a log of other events in place of those of a phase, and of the line after it."""
    game, scenario = played.referee.case.game, played.referee.case.scenario
    writer = LogWriter(plain_board(game, scenario), game, scenario)
    before = next(n for n, event in enumerate(played.events) if event is phase.events[0])
    writer.write(played.events[:before])
    writer.cut()
    writer.write([*events, *phase.then])
    referee, known = phase.start.fork(), len(phase.start.findings)
    referee.case.by_hand = True
    referee = judging.play(referee, interpret(writer.log(), game, scenario).events).referee
    return [finding.fault for finding in referee.findings[known:]]


def illegal(faults: Sequence[Fault]) -> list[Fault]:
    return [fault for fault in faults if fault.verdict is Verdict.ILLEGAL]


# --- disorder ---------------------------------------------------------------------------------------------


def head_and_rest(parts: Sequence[Event], random: Random) -> tuple[list[Event], list[Event]]:
    """The declaration, chits (perhaps after the die) and dice; and what was paid, in any order in which each
    unit's own parts keep theirs."""
    head = [e for e in parts if isinstance(e, ev.Attacked | ev.ResultNamed)]
    dice = [e for e in parts if isinstance(e, ev.Rolled) and e.about is None]
    chits = [e for e in parts if isinstance(e, ev.Drawn)]
    rest = [e for e in parts if e not in (*head, *dice, *chits)]
    mixed: list[Event] = []
    while rest:
        free = [e for k, e in enumerate(rest) if not any({*e.concerned} & {*f.concerned} for f in rest[:k])]
        mixed.append(random.choice(free))
        rest.remove(mixed[-1])
    early = random.random() < 0.5
    return [*head[:1], *(chits if early else ()), *dice, *(() if early else chits), *head[1:]], mixed


def parts_in_any_order(phase: Phase, random: Random) -> list[Event] | None:
    if not phase.battles:
        return None
    block = random.choice(phase.battles)
    head, rest = head_and_rest(phase.of(block), random)
    return phase.with_parts(block, [*head, *rest])


def two_rolled_before_either_is_paid(phase: Phase, random: Random) -> list[Event] | None:
    if not phase.pairs:
        return None
    first, second = random.choice(phase.pairs)
    (head, rest), (then, last) = (head_and_rest(phase.of(block), random) for block in (first, second))
    return phase.with_parts([*first, *second], [*head, *then, *rest, *last])


def _a_drag(phase: Phase, random: Random) -> tuple[int, ev.Moved] | None:
    drags = [
        (place, event)
        for place, event in enumerate(phase.events)
        if isinstance(event, ev.Moved) and all(isinstance(spot, Hex) for spot in event.path)
    ]
    return random.choice(drags) if drags else None


def a_way_in_two_drags(phase: Phase, random: Random) -> list[Event] | None:
    found = _a_drag(phase, random)
    if found is None or len(found[1].path) < 3:
        return None
    place, move = found
    k = random.randrange(1, len(move.path) - 1)
    halves = [replace(move, path=move.path[: k + 1]), replace(move, path=move.path[k:])]
    return phase.with_parts([place], halves)


def _wrong_hex(move: ev.Moved, random: Random) -> Hex | None:
    start = move.start
    return (
        random.choice([h for h in neighbors(start) if h not in move.path]) if isinstance(start, Hex) else None
    )


def a_wrong_hex_and_back(phase: Phase, random: Random) -> list[Event] | None:
    found = _a_drag(phase, random)
    wrong = _wrong_hex(found[1], random) if found else None
    if found is None or wrong is None:
        return None
    place, move = found
    there, back = replace(move, path=(move.start, wrong)), replace(move, path=(wrong, move.start))
    return phase.with_parts([place], [there, back, move])


def a_wrong_hex_and_straight_on(phase: Phase, random: Random) -> list[Event] | None:
    """Of moves of one hex: what lies between longer ends is not known any more."""
    found = _a_drag(phase, random)
    wrong = _wrong_hex(found[1], random) if found else None
    if found is None or wrong is None or len(found[1].path) != 2:
        return None
    place, move = found
    there, on = replace(move, path=(move.start, wrong)), replace(move, path=(wrong, move.end), dragged=True)
    return phase.with_parts([place], [there, on])


KINDS = {
    kind.__name__.replace("_", " "): kind
    for kind in (
        parts_in_any_order,
        two_rolled_before_either_is_paid,
        a_way_in_two_drags,
        a_wrong_hex_and_back,
        a_wrong_hex_and_straight_on,
    )
}


# --- faults -----------------------------------------------------------------------------------------------


def with_fault(parts: Sequence[Event], random: Random) -> list[Event] | None:
    """A hex too far, a wrong result, or something that is not paid."""
    places = [
        place
        for place, event in enumerate(parts)
        if isinstance(event, ev.StepChanged | ev.Removed | ev.ResultNamed)
        or (isinstance(event, ev.Moved) and event.by_battle)
    ]
    if not places:
        return None
    place = random.choice(places)
    before, event, after = parts[:place], parts[place], parts[place + 1 :]
    if isinstance(event, ev.Moved) and isinstance(event.end, Hex):
        farther = random.choice([h for h in neighbors(event.end) if h not in event.path])
        return [*before, replace(event, path=(*event.path, farther)), *after]
    if isinstance(event, ev.ResultNamed):
        other = random.choice([result for result in RESULTS if result != event.result])
        return [*before, replace(event, result=other), *after]
    return [*before, *after]
