"""What is other in a second position: units, markers, cups, the time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from fieldpost.hexes import Hex
from validator.model.events import Spot
from validator.model.position import Position, Unit
from validator.report.describe import Namer


def differences(before: Position, after: Position, namer: Namer | None = None) -> Iterator[str]:
    """What is other in the second position, the pieces first."""

    def spot(place: Spot | None) -> str:
        if place is None:
            return "out of play"
        return namer.hex(place) if isinstance(place, Hex) and namer else f"{place}"

    astray = chits_in_hexes(before) | chits_in_hexes(after)
    for name, unit in before.units.items():
        yield from _unit(name, unit, after.units[name], spot, astray)
    yield from _hex_marks(before, after, spot, astray)
    for deck in before.decks:
        was, now = Counter(before.decks[deck]), Counter(after.decks.get(deck, []))
        for chit in sorted((was - now) + (now - was)):
            yield f"{deck} held {was[chit]} of {chit}, now {now[chit]}"
    if (before.turn, before.phase) != (after.turn, after.phase):
        phase = namer.phase if namer else str
        yield (f"the turn was {before.turn}, {phase(before.phase)}, now {after.turn}, {phase(after.phase)}")


def chits_in_hexes(position: Position) -> set[str]:
    """Chits that lie in hexes by themselves: an army went on and left its own behind."""
    chits = {deck.holds for deck in position.game.decks}
    lying = {marker for marks in position.marks.values() for marker in marks}
    return {marker for marker in lying if position.game.marker[marker].kind in chits}


def without(marks: Mapping[str, int], markers: Container[str]) -> dict[str, int]:
    return {marker: face for marker, face in marks.items() if marker not in markers}


def _unit(
    name: str, was: Unit, now: Unit, spot: Callable[[Spot | None], str], astray: set[str]
) -> Iterator[str]:
    if was.spot != now.spot:
        yield f"{name} was in {spot(was.spot)}, now {spot(now.spot)}"
    if was.spot is not None and now.spot is not None and was.step != now.step:
        yield f"{name} stood at step {was.step}, now {now.step}"
    # what a counter beside the map shows means nothing
    if was.on_map and without(was.marks, astray) != without(now.marks, astray):
        yield f"{name} carried {_listed(was.marks, 'nothing')}, now {_listed(now.marks, 'nothing')}"


def _listed(marks: Iterable[str], none: str) -> str:
    return " ".join(sorted(marks)) or none


def _hex_marks(
    before: Position, after: Position, spot: Callable[[Spot | None], str], astray: set[str]
) -> Iterator[str]:
    """But for chits: one that lies about is in no cup, which tells."""
    for hex_ in sorted({*before.marks, *after.marks}):
        was, now = (without(position.marks.get(hex_, {}), astray) for position in (before, after))
        if was != now:
            yield f"{spot(hex_)} held {_listed(was, 'no marker')}, now {_listed(now, 'no marker')}"
