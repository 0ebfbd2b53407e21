"""Supply lines, reach and zones of any game, for players who ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fieldpost.definition.model import Game
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.core.costs import points
from validator.model.position import Unit
from validator.queries import answers
from validator.queries.answers import Reach, SupplyLine
from validator.standard.book import MOVEMENT, NOT_CONFIGURED, SUPPLY, rules_of
from validator.standard.field import field_of
from validator.standard.movement import MARCH, mode_of, move_rules
from validator.standard.sequence import moving_phases
from validator.standard.state import Case
from validator.standard.supply import Supply, supply_now

SUPPLIED, OUT = "supplied", "out of supply"


@dataclass(frozen=True)
class Standard:
    """What a game with a `rules:` block can show."""

    game: Game

    @property
    def MODES(self) -> Sequence[str]:
        movement = rules_of(self.game).movement
        return (MARCH, *(mode.id for mode in movement.modes)) if movement else (MARCH,)

    def zones(self, case: Case, side: str) -> set[Hex]:
        field = field_of(case)
        return set(field.hexes(field.board.members(field.zones(side))))

    def supply(self, case: Case) -> list[SupplyLine]:
        """Every unit on the map, as it would be judged now."""
        found = supply_now(case)
        if found is None:
            raise FieldpostError(NOT_CONFIGURED[SUPPLY], "supply: under rules: in its game.yaml")
        sides = [side.id for side in self.game.sides]
        return [_line(found, unit, h) for side in sides for h, unit in found.field.of_side(side)]

    def reach(self, case: Case, unit: str, mode: str, target: Hex | None) -> Reach:
        """In the present phase if that is its own, else as its next one begins."""
        if rules_of(self.game).movement is None:
            raise FieldpostError(NOT_CONFIGURED[MOVEMENT], "movement: under rules: in its game.yaml")
        side = case.position.units[unit].side
        phases = {p: side if of == "both" else of for p, of in moving_phases(self.game).items()}
        asked = answers.ask(case, field_of, phases, unit, target)
        rules = move_rules(asked.case, asked.field, asked.unit, mode_of(asked.case, mode))
        if rules is None:
            return asked.nowhere(mode, f"the counter of {unit} shows no allowance")
        return answers.searched(asked, mode, rules)


def _line(found: Supply, unit: Unit, hex_id: HexId) -> SupplyLine:
    supplied = found.feeds(unit)
    verdict = found.explained(unit, hex_id)
    post = found.post_of(unit, hex_id)
    way = verdict.way.path if verdict.way is not None else ()
    limit = found.told.range if post is None else points(post.rules.limit)
    return SupplyLine(
        unit=unit.id,
        side=unit.side,
        hex=unit.hex,
        status=SUPPLIED if supplied else OUT,
        supplied=supplied,
        marked="",
        by=post.unit.id if post is not None else "",
        length=None if verdict.way is None else points(verdict.way.cost),
        limit=limit,
        line=tuple(found.field.hexes(way)),
        text=found.text(unit, hex_id),
    )
