"""Supply lines, reach and zones of any game, for players who ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fieldpost.definition.model import Game
from fieldpost.definition.rulesmodel import MovementRules
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.model.position import Unit
from validator.procedures.marches import MARCH
from validator.procedures.supplylines import shown_line
from validator.queries import answers
from validator.queries.answers import Reach, SupplyLine
from validator.standard.book import MOVEMENT, NOT_CONFIGURED, SUPPLY, rules_of
from validator.standard.field import field_of
from validator.standard.movement import ORDINARY, mode_of, move_rules
from validator.standard.sequence import moving_phases
from validator.standard.state import Case
from validator.standard.supply import SOURCE, Supply, supply_now

SUPPLIED, OUT = "supplied", "out of supply"


@dataclass(frozen=True)
class Standard:
    """What a game with a `rules:` block can show."""

    game: Game

    @property
    def MODES(self) -> Sequence[str]:
        told = rules_of(self.game).movement or MovementRules()
        return (MARCH, *(mode.id for mode in told.modes))

    def zones(self, case: Case, side: str) -> set[Hex]:
        field = field_of(case)
        return set(field.hexes(field.board.members(field.zones(side))))

    def supply(self, case: Case) -> list[SupplyLine]:
        """Every unit on the map, as it would be judged now."""
        supply = supply_now(case)
        if supply is None:
            raise FieldpostError(NOT_CONFIGURED[SUPPLY], "supply: under rules: in its game.yaml")
        sides = (side.id for side in self.game.sides)
        return [_line(supply, unit, hex_id) for hex_id, unit in supply.field.of_sides(*sides)]

    def reach(self, case: Case, unit: str, mode: str, target: Hex | None) -> Reach:
        """In the present phase if that is its own, else as its next one begins."""
        if rules_of(self.game).movement is None:
            raise FieldpostError(NOT_CONFIGURED[MOVEMENT], "movement: under rules: in its game.yaml")
        side = case.position.units[unit].side
        phases = {p: side if of == "both" else of for p, of in moving_phases(self.game).items()}
        asked = answers.ask(case, field_of, phases, unit, target)
        rules = move_rules(asked.case, asked.field, asked.unit, mode_of(asked.case, mode) or ORDINARY)
        if rules is None:
            return asked.nowhere(mode, f"the counter of {unit} shows no allowance")
        return answers.searched(asked, mode, rules)


def _line(supply: Supply, unit: Unit, hex_id: HexId) -> SupplyLine:
    supplied, net = supply.feeds(unit), supply.net_of(unit, hex_id)
    length, limit, way = shown_line(net or supply.nets(unit.side)[0], hex_id)
    return SupplyLine(
        unit=unit.id,
        side=unit.side,
        hex=unit.hex,
        status=SUPPLIED if supplied else OUT,
        supplied=supplied,
        marked="",
        by=net.by if net is not None else SOURCE,
        length=length,
        limit=limit,
        line=tuple(supply.field.hexes(way)),
        text=supply.text(unit, hex_id),
    )
