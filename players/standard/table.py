"""The table of a game that is refereed by its data."""

from __future__ import annotations

from fieldpost.definition.effects import closed_to_attack
from fieldpost.definition.model import Game
from fieldpost.definition.rulesmodel import Rules
from players import table as tables
from validator.core.board import HexId
from validator.model.position import Unit
from validator.standard.book import rules_of
from validator.standard.field import Field, field_of
from validator.standard.stacking import has_room


class Table(tables.Table[Field]):
    game_id = tables.EXAMPLE
    game_of_table: Game

    def find_game(self) -> Game:
        return self.game_of_table

    def make_field(self) -> Field:
        return field_of(self.case)

    @property
    def rules(self) -> Rules:
        return rules_of(self.game)

    @property
    def banned(self) -> frozenset[str]:
        """Hexsides that no attack crosses."""
        return closed_to_attack(self.game)

    def active(self) -> list[str]:
        """The sides whose phase this is."""
        active = self.case.sequence.phase(self.case.phase).active
        return [side.id for side in self.game.sides if active in (side.id, "both")]

    def has_room(self, hex_id: HexId, unit: Unit) -> bool:
        return has_room(self.field, hex_id, unit)
