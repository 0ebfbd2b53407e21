"""In this process, one item after the other, without limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from validator.audit.engines.engine import Failed, R, W, attempt


class Here:
    def map(self, do: Callable[[W], R], works: Iterable[W]) -> Iterator[tuple[W, R | Failed]]:
        for work in works:
            yield work, attempt(do, work)

    def close(self) -> None:
        return
