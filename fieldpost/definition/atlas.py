"""Labels to hexes while a definition is read: what is no hex of the map is noted where it stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from fieldpost.definition.problems import listing, nearest
from fieldpost.definition.reader import Reader
from fieldpost.hexes import Hex, HexError, Hexside, Lattice, adjacent

_MOST_HINTS = 12  # looking for the nearest label takes time, so only the first faults get one


class Atlas:
    def __init__(self, reader: Reader, lattice: Lattice) -> None:
        self.reader = reader
        self.lattice = lattice
        self.on_map: frozenset[Hex] | None = None  # not known before the terrain is read
        self._known: dict[tuple[str, str | None], Hex | None] = {}
        self._sides: dict[str, Hexside | None] = {}
        self._hints = 0
        self._labels: list[str] = []

    # --- looking up

    def find(self, label: str, sheet: str | None = None) -> Hex | None:
        """The hex of a label, if the lattice has one."""
        key = (label, sheet)
        if key not in self._known:
            try:
                self._known[key] = self.lattice.hex(label, sheet)
            except HexError:
                self._known[key] = None
        return self._known[key]

    def hex(
        self,
        owner: object,
        path: tuple[str | int, ...],
        label: str,
        sheet: str | None = None,
        named: Collection[str] = (),
    ) -> Hex | None:
        """The hex of a label; if it is none of the map, that is a fault at the label.

        `named`: words that could have stood in its place.
        """
        found = self.find(label, sheet)
        if found is not None and (self.on_map is None or found in self.on_map):
            return found
        reason = "there is no hex" if found is None else "the map has no hex"
        self._fault(owner, path, label, f"{reason} {label!r}", label, named)
        return None

    def hexes(
        self, owner: object, path: tuple[str | int, ...], labels: Iterable[str], sheet: str | None = None
    ) -> list[Hex]:
        found = (self.hex(owner, path, label, sheet) for label in labels)
        return [hex_ for hex_ in found if hex_ is not None]

    def places(
        self,
        owner: object,
        path: tuple[str | int, ...],
        words: Iterable[str],
        named: Collection[str],
        sheet: str | None = None,
    ) -> None:
        """Labels, and ids that stand for several hexes or for a box."""
        for word in words:
            if word not in named:
                self.hex(owner, path, word, sheet, named)

    def hexside(self, owner: object, path: tuple[str | int, ...], text: str) -> Hexside | None:
        if text not in self._sides:
            self._sides[text] = self._hexside(owner, path, text)
        return self._sides[text]

    def _hexside(self, owner: object, path: tuple[str | int, ...], text: str) -> Hexside | None:
        first, slash, second = text.partition("/")
        if not slash or not first or not second:
            self.reader.fault_at_word(
                owner, path, text, f"{text!r} is no hexside", "two labels with a slash, such as 6006/6007"
            )
            return None
        a, b = self.find(first), self.find(second)
        for label, found in ((first, a), (second, b)):
            if found is None:
                self._fault(owner, path, text, f"there is no hex {label!r}", label)
        if a is None or b is None:
            return None
        if not adjacent(a, b):
            self.reader.fault_at_word(
                owner, path, text, f"{first} and {second} are not neighbours", self.neighbours_of(a)
            )
            return None
        if self.on_map is not None and a not in self.on_map and b not in self.on_map:
            self.reader.fault_at_word(owner, path, text, f"neither hex of {text} is on the map")
            return None
        return Hexside.between(a, b)

    def way(self, owner: object, path: tuple[str | int, ...], labels: Iterable[str]) -> tuple[Hex, ...]:
        """Hexes one after the other, each the neighbour of the last; a gap is a fault."""
        walked: list[Hex] = []
        for label in labels:
            hex_ = self.hex(owner, path, label)
            if hex_ is None:
                return ()
            if walked and not adjacent(walked[-1], hex_):
                before = self.lattice.label(walked[-1])
                self.reader.fault_at_word(
                    owner,
                    path,
                    label,
                    f"the line has a gap: {before} and {label} are not neighbours",
                    self.neighbours_of(walked[-1]),
                )
                return ()
            walked.append(hex_)
        return tuple(walked)

    def split_way(self, labels: tuple[str, ...]) -> list[str]:
        """The labels of a line written with hyphens, where no label holds one itself."""
        if any("-" in s.separator + s.prefix for s in self.lattice.sheets):
            return list(labels)
        return [word for text in labels for word in re.split("-+", text) if word]

    # --- faults

    def neighbours_of(self, hex_: Hex) -> str:
        near = []
        for direction in (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0)):
            other = hex_ + direction
            if self.on_map is None or other in self.on_map:
                try:
                    near.append(self.lattice.label(other))
                except HexError:
                    continue
        return f"one of the neighbours of {self.lattice.label(hex_)}: {', '.join(near)}"

    def _fault(
        self,
        owner: object,
        path: tuple[str | int, ...],
        word: str,
        message: str,
        label: str,
        named: Collection[str] = (),
    ) -> None:
        near = nearest(label, named) or self._nearest_label(label)
        expected = listing(["a hex of the map", *sorted(named)])
        self.reader.fault_at_word(owner, path, word, message, expected, near)

    def _nearest_label(self, label: str) -> str | None:
        if not self.on_map or self._hints >= _MOST_HINTS:
            return None
        self._hints += 1
        if not self._labels:
            self._labels = sorted(label for hex_ in self.on_map for label in self.lattice.labels(hex_))
        return nearest(label, self._labels)
