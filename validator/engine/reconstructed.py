"""Verdicts that rest on reconstructed data, where the game was played with a module that is not ours.

With our module, map, charts and counters are what both players agreed on, and so they are with an overlay in
which the owner typed what his copy says. Another module may show others: what rests on ours is doubtful then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from fieldpost.definition.model import Game, Provenance, Scenario
from fieldpost.definition.overlay import WHOLE_MAP
from fieldpost.phrases import listed
from validator.model.findings import Fault, Verdict

MAP, COUNTERS, TURNS, SCENARIO, TEXT = "map", "counters", "turn-track", "scenario", "text"
NAMES = {
    MAP: "map",
    COUNTERS: "counters",
    TURNS: "turn track",
    SCENARIO: "scenario",
    TEXT: "reading of a chapter that we had not",
}
NOT_CHECKED = "what the map, charts and counters of the module that was played forbid: ours were used"


def unconfirmed(game: Game, fault: Fault) -> Fault:
    """A fault is doubtful, and says why, where the owner of a game has not compared its data."""
    if not game.unconfirmed or fault.verdict is not Verdict.ILLEGAL:
        return fault
    why = f"doubtful only: {listed(game.unconfirmed)} of this game not `confirmed`"
    return replace(fault, message=f"{fault.message} ({why})", verdict=Verdict.WARNING)


@dataclass(frozen=True)
class Reconstructed:
    """Which data the rules of a game rest on, and which of these are reconstructed."""

    game: Game
    scenario: Scenario
    rests_on: Mapping[str, tuple[str, ...]]  # by rule: ids of tables, and the words above

    def doubted(self, fault: Fault) -> Fault:
        """A fault that is not sure by the rules' text alone becomes doubtful, and says why."""
        ours = list(self._ours(self.rests_on.get(fault.rule, ()), fault.units))
        if not ours or fault.verdict is not Verdict.ILLEGAL:
            return fault
        why = f"doubtful only: it rests on our {' and '.join(ours)}, and another module was played"
        return replace(fault, message=f"{fault.message} ({why})", verdict=Verdict.WARNING)

    def _ours(self, names: Iterable[str], units: tuple[str, ...]) -> Iterator[str]:
        for name in names:
            if self._is_ours(name, units):
                table = self.game.table.get(name)
                yield NAMES[name] if table is None else f"chart {table.title!r}"

    def _is_ours(self, name: str, units: Iterable[str]) -> bool:
        ask = _OURS.get(name)
        return ask(self, units) if ask is not None else _is_reconstructed(self.game.table[name].provenance)

    def _counters_are_ours(self, units: Iterable[str]) -> bool:
        """Those of the units; without any, one of the game's."""
        concerned = [counter for name in units if (counter := self.game.counter.get(name)) is not None]
        return any(_is_reconstructed(counter.provenance) for counter in concerned or self.game.counters)


_OURS: dict[str, Callable[[Reconstructed, Iterable[str]], bool]] = {
    TEXT: lambda data, units: True,
    MAP: lambda data, units: bool(data.game.map.provenance) and data.game.map.provenance != WHOLE_MAP,
    COUNTERS: Reconstructed._counters_are_ours,
    TURNS: lambda data, units: _is_reconstructed(data.game.turn_track.provenance),
    SCENARIO: lambda data, units: _is_reconstructed(data.scenario.provenance),
}


def _is_reconstructed(provenance: Provenance | None) -> bool:
    return provenance is not None and provenance.source == "reconstructed"
