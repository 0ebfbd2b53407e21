"""The position at the end of a file, or as a scenario sets it up: for commands that only look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fieldpost.definition import load
from fieldpost.definition.model import Game, Scenario
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex
from validator import sheet
from validator.engine.case import AnyCase
from validator.model import position as positions
from validator.services import one_turn, turnfile
from validator.services.turnfile import Turnfile, Wanted


@dataclass(frozen=True)
class Standing:
    name: str
    case: AnyCase

    @property
    def game(self) -> Game:
        return self.case.game

    @property
    def scenario(self) -> Scenario:
        return self.case.scenario

    @property
    def hexes(self) -> frozenset[Hex]:
        """The hexes in play."""
        game_map = self.game.map
        if self.scenario.area is not None:
            return game_map.area[self.scenario.area].hexes - game_map.unplayable
        lattice, sheets = game_map.lattice, self.scenario.sheets
        return frozenset(h for h in game_map.hexes - game_map.unplayable if lattice.sheet_of(h).id in sheets)

    @property
    def phase_name(self) -> str:
        return self.case.phase_name()


def read(wanted: Wanted, options: Iterable[str], file: Path | None) -> Standing:
    """The case after the last event of the file; without one, as a scenario is set up."""
    turn = turnfile.read(file, wanted) if file is not None else _set_up(wanted)
    chosen = {**turn.options, **one_turn.options_of(turn.game, options)}
    referee = one_turn.referee_at_start(turn, chosen)
    for event in turn.events:
        referee.judge(sheet.expand(event, referee.case.position))
    return Standing(turn.name, referee.case)


def _set_up(wanted: Wanted) -> Turnfile:
    if wanted.game is None or wanted.scenario is None:
        raise FieldpostError(
            "no file to read", "Name a log, save or turn sheet; or --game wfm --scenario turning-point."
        )
    game = load(wanted.game, wanted.overlays)
    scenario = game.scenario.get(wanted.scenario)
    if scenario is None:
        raise FieldpostError(f"no scenario {wanted.scenario!r}", f"There are: {', '.join(game.scenario)}")
    return Turnfile(scenario.id, game, scenario, positions.start(game, scenario), [])
