"""Where things stand on a counter of a size, on whole pixels.

A counter is laid out on a square of 75 units; each measure is rounded once, so that strokes and
baselines fall on pixels at every size.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from builder.counters.pen import Area
from fieldpost.errors import FieldpostError

SMALLEST, LARGEST = 40, 600


@dataclass(frozen=True)
class Layout:
    size: int

    def units(self, value: float) -> int:
        return max(1, int(value * self.size / 75 + 0.5))

    @cached_property
    def margin(self) -> int:
        return self.units(5)

    @cached_property
    def radius(self) -> int:
        return self.units(6)

    @cached_property
    def frame(self) -> int:
        """The line of a unit box."""
        return max(1, int(self.size / 45 + 0.5))

    @cached_property
    def stroke(self) -> float:
        """The lines in a unit box."""
        return self.size / 52

    @cached_property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, and first pixel beyond right and bottom; centred."""
        width, height = self._centred(37), self.units(25)
        left = (self.size - width) // 2
        top = self.size_top + self.size_cap + self.units(2.4)
        return left, top, left + width, top + height

    @cached_property
    def aside(self) -> int:
        """How far the box moves left to leave room for an identity beside it."""
        return self.units(6)

    @cached_property
    def box_area(self) -> Area:
        left, top, right, bottom = self.box
        return Area(left + self.frame, top + self.frame, right - self.frame, bottom - self.frame)

    @cached_property
    def sign_area(self) -> Area:
        """Where a sign without a box stands."""
        return Area(*self.box)

    @cached_property
    def size_top(self) -> int:
        return self.units(5.5)

    @cached_property
    def size_cap(self) -> int:
        return self.units(6.5)

    @cached_property
    def code_cap(self) -> int:
        """Capitals of the set-up and reinforcement codes."""
        return max(5, self.units(7.2))

    @cached_property
    def formation(self) -> tuple[int, int, int, int]:
        """The band at the left edge that tells the formation: left, top, right, bottom."""
        return self.units(2), self.box[1], self.units(2) + self.units(4.5), self.box[3]

    @cached_property
    def factor_cap(self) -> int:
        return self.units(16)

    @cached_property
    def class_cap(self) -> int:
        return self.units(20)

    @cached_property
    def baseline(self) -> int:
        """The line the factors stand on."""
        return self.size - self.units(8)

    @cached_property
    def middle(self) -> int:
        """The height of the middle of the unit box."""
        return (self.box[1] + self.box[3]) // 2

    @cached_property
    def label_caps(self) -> tuple[int, ...]:
        return tuple(range(self.units(11), max(5, self.units(7)) - 1, -1))

    def stripes(self, count: int) -> list[tuple[int, int]]:
        """Top and bottom of the stripes that tell how many steps are lost."""
        thick = self.units(11 if count == 1 else 6)
        gap = self.units(3)
        top = self.middle - (count * thick + (count - 1) * gap) // 2
        return [(top + i * (thick + gap), top + i * (thick + gap) + thick) for i in range(count)]

    def _centred(self, value: float) -> int:
        """A width that leaves the same number of pixels on both sides."""
        width = self.units(value)
        return width if (self.size - width) % 2 == 0 else width + 1


@lru_cache(maxsize=32)
def layout(size_px: int) -> Layout:
    if not SMALLEST <= size_px <= LARGEST:
        raise FieldpostError(
            f"a counter cannot be {size_px} pixels wide", f"From {SMALLEST} to {LARGEST} can be drawn."
        )
    return Layout(size_px)
