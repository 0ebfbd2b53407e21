"""Supply phases played by the rules, from positions drawn at random; and single faults put into them."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from random import Random

from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.hexes import Hex
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.games.wfm.book import AXIS
from validator.games.wfm.c09_attrition import loss_due
from validator.games.wfm.c09_markers import judged
from validator.games.wfm.c09_supply import LEAVES_THE_MAP, Status, Supply
from validator.games.wfm.field import field_at_phase_start
from validator.model.events import (
    Declared,
    Event,
    Marked,
    PhaseBegan,
    Removed,
    Replaced,
    Returned,
    Rolled,
    StepChanged,
    Unmarked,
)
from validator.model.findings import Verdict
from validator.model.position import Position, Unit
from validator.procedures.strengthchits import chit_of, steps_left
from validator.procedures.supplymarks import MARKER, OUT, SUPPLIED

UNITS = [
    "SD-1",
    "SD-2",
    "SD-3",
    "SD-4",
    "Ru3AHQ",
    "Ru4AHQ",
    "Ru1AK",
    "Ru2AK",
    "It8A",
    "11AK",
    "51AK",
    "3PzK",
    "4AB",
]
UNITS += [
    "StgHQ",
    "SWHQ",
    "NcsHQ",
    "TcsHQ",
    "28A",
    "51A",
    "57A",
    "62A",
    "64A",
    "65A",
    "5TkA",
    "OSG-1",
    "ARS",
    "BOL",
]
STRENGTH = {"A": "csm-a-8-6", "B": "csm-b-5-7", "C": "csm-c-3-5"}
MIDDLES = ["4814", "5214", "4710", "5010"]
REACH = 7


@functools.cache
def game() -> Game:
    return load("wfm")


class SupplyPhase:
    """A referee before a supply phase of Turning Point, and the events that play it rightly."""

    def __init__(self, seed: int) -> None:
        self.draw = Random(seed)
        rules = rulebook.load("wfm")
        assert rules is not None
        self.position = self._scattered()
        scenario = game().scenario["turning-point"]
        self.referee = Referee(game(), scenario, rules, {}, {}, self.position)

    def _scattered(self) -> Position:
        """Both sides near each other; some units still marked from the turn before."""
        position = Position(game())
        position.turn, position.phase = 22, "admin"
        middle = game().map.lattice.hex(self.draw.choice(MIDDLES), "E")
        land = [
            h
            for h in sorted(game().map.area["turning-point"].hexes)
            if game().map.terrain[h] not in ("sea", "lake")
            and max(abs(h.q - middle.q), abs(h.r - middle.r)) < REACH
        ]
        for name in UNITS:
            hex_, unit = self.draw.choice(land), position.units[name]
            if not self._fits(position, unit, hex_):
                continue
            position.put(name, hex_)
            if not unit.has("always-supplied") and self.draw.random() < 0.3:
                unit.marks[MARKER] = self.draw.choice((1, 2))
            if unit.has("draws-strength"):
                unit.marks[STRENGTH[str(unit.type.values["class"])]] = self.draw.choice((1, 2))
        for marker in ("Kov", "Kor"):
            position.marks.setdefault(self.draw.choice(land), {})[marker] = 1
        return position

    @staticmethod
    def _fits(position: Position, unit: Unit, hex_: Hex) -> bool:
        """One unit that takes room in a hex, and none of the other side."""
        others = position.at(hex_)
        friends = all(other.side == unit.side for other in others)
        return friends and not (unit.type.stacking and any(other.type.stacking for other in others))

    def play(self) -> list[Event]:
        """Plays it and gives back what was done; the last event begins the next phase."""
        self.done: list[Event] = []
        self._do(PhaseBegan(23, "supply"))
        for event in self._right():
            self._do(event)
        self._do(PhaseBegan(23, "axis-move"))
        return self.done

    def _do(self, event: Event) -> None:
        self.done.append(event)
        self.referee.judge(event)

    @property
    def accused(self) -> list[str]:
        return accused(self.referee)

    # --- what the rules ask for ---

    def _right(self) -> Iterator[Event]:
        case = self.referee.case
        yield from self._bases_and_fleets()
        for depot in self._spent():
            yield Declared("expend-depot", (depot.id,))
        supply = Supply(
            case, field_at_phase_start(case), case.in_phase.expended, judged(case).fleets
        )  # all at once, as the phase began
        found = {u.id: supply.of(u, h) for side in ("axis", "soviet") for h, u in supply.field.of_side(side)}
        for name, status in found.items():
            unit = case.position.units[name]
            if unit.on_map:
                yield from self._settled(unit, status)
        for name in case.in_phase.expended:
            yield Removed(name, "axis-returns")

    def _bases_and_fleets(self) -> Iterator[Event]:
        case = self.referee.case
        base = case.position.units["4AB"]
        if not base.on_map:
            return
        if judged(case).surely(base, OUT):
            yield Removed(base.id, "axis-returns")
        elif self.draw.random() < 0.7:
            yield Marked("4AF", base.hex)

    def _spent(self) -> list[Unit]:
        depots = [unit for unit in self.position.on_map(AXIS) if unit.has("depot")]
        return [depot for depot in depots if self.draw.random() < 0.15]

    def _settled(self, unit: Unit, status: Status) -> Iterator[Event]:
        if status.status == OUT and any(unit.has(trait) for trait in LEAVES_THE_MAP):
            yield Removed(unit.id, "axis-returns" if unit.side == AXIS else "soviet-returns")
            if unit.has("hq"):
                yield Rolled((self.draw.randint(1, 6),), reason="headquarters-return")
            return
        shown = unit.marks.get(MARKER, SUPPLIED)
        if status.status == SUPPLIED and shown:
            yield Unmarked(MARKER, unit.id)
        elif status.status != shown:
            yield Marked(MARKER, unit.id, status.status)
        if status.isolated:
            yield from self._checked(unit)

    def _checked(self, unit: Unit) -> Iterator[Event]:
        die = self.draw.randint(1, 6)
        about = unit.id if self.draw.random() < 0.5 else None
        yield Rolled((die,), reason="attrition", about=about)
        due, _ = loss_due(self.referee.case, unit, die)
        strength = chit_of(self.referee.case, unit)
        if due == steps_left(self.referee.case, unit):
            yield Removed(unit.id, f"{unit.side}-eliminated")
            if strength is not None:
                yield Returned(strength, strength[:5], unit.id)
        elif unit.has("draws-strength"):
            yield from [Marked(str(strength), unit.id, 2)] * due
        elif unit.step + due <= len(unit.counter.steps):
            yield from [StepChanged(unit.id, unit.step, unit.step + due)] * (due > 0)
        else:
            kind = str(unit.type.values["breaks-into"])
            heir = next(u for u in self.position.units.values() if u.type.id == kind and u.spot is None)
            lost = unit.step + due - len(unit.counter.steps)
            yield Replaced((unit.id,), ((heir.id, lost),), unit.hex, "losses")


def accused(referee: Referee) -> list[str]:
    return [
        f"{f.fault.rule}: {f.fault.message}" for f in referee.findings if f.fault.verdict is Verdict.ILLEGAL
    ]


# --- single faults -----------------------------------------------------------------------------


def spoilings(done: list[Event]) -> Iterator[tuple[str, list[Event]]]:
    """The same phase with one marker, one removal, one die or one loss forgotten or wrong.

    How a unit was marked that died of attrition does not matter.
    """
    dead = {event.unit for event in done if isinstance(event, Removed)}
    for index, event in enumerate(done):
        if isinstance(event, Marked | Unmarked) and event.on in dead:
            continue
        rest = [*done[:index], *done[index + 1 :]]
        if _matters(event):
            yield f"without {_name(event)}", rest
        if isinstance(event, Marked) and event.marker == MARKER:
            other = Marked(MARKER, event.on, 3 - event.face)
            yield f"turned {_name(event)}", [*done[:index], other, *done[index + 1 :]]


def _name(event: Event) -> str:
    match event:
        case Marked() | Unmarked():
            return f"{event.marker} on {event.on}"
        case Rolled():
            return f"{event.reason} {event.values[0]} for {event.about}"
        case Removed() | StepChanged():
            return f"{type(event).__name__} {event.unit}"
    return type(event).__name__


def _matters(event: Event) -> bool:
    if isinstance(event, Removed):
        return event.unit.endswith(("HQ", "AB", "SD"))
    if isinstance(event, Marked | Unmarked):
        return event.marker == MARKER
    return isinstance(event, Rolled | StepChanged)


def replayed(seed: int, events: list[Event]) -> list[str]:
    """What is said of other events from the same position."""
    phase = SupplyPhase(seed)
    for event in events:
        phase.referee.judge(event)
    return phase.accused
