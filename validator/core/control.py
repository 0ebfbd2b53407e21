"""Who holds a hex: the last to occupy it, or whose zone nobody contests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from validator.core.board import HexId, Mask


class Control:
    """The side that holds each hex: as at the start, then whoever came last."""

    def __init__(self, size: int, at_start: Mapping[HexId, str], default: str = "") -> None:
        self._holder = [default] * size
        for hex_id, side in at_start.items():
            self._holder[hex_id] = side

    def __getitem__(self, hex_id: HexId) -> str:
        return self._holder[hex_id]

    def enter(self, side: str, path: Iterable[HexId]) -> list[HexId]:
        """A side's units went this way; the hexes that changed hands."""
        changed = []
        for hex_id in path:
            if self._holder[hex_id] != side:
                self._holder[hex_id] = side
                changed.append(hex_id)
        return changed

    def mask(self, side: str) -> bytearray:
        return bytearray(1 if holder == side else 0 for holder in self._holder)


def uncontested(occupied: Mask, zone: Mask, enemy_occupied: Mask, enemy_zone: Mask) -> bytes:
    """Hexes a side controls by presence: its units there, or its zone where no enemy zone or unit is."""
    return bytes(
        1 if own or (reach and not enemy and not against) else 0
        for own, reach, enemy, against in zip(occupied, zone, enemy_occupied, enemy_zone, strict=True)
    )
