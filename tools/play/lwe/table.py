"""The table of Land Without End: the order of the German turn, and whether the game is over."""

from __future__ import annotations

from tools.play import table
from validator.games.lwe.field import Field, field_of


class Table(table.Table[Field]):
    game_id = "lwe"

    def __init__(self, scenario: str, seed: int, *, strict: bool = True) -> None:
        super().__init__(scenario, seed, strict=strict)
        self.over = False  # points enough at a victory check end the game (4.5)
        self.fights_first: dict[int, bool] = {}  # by turn, what the German player chose (5.3)

    @property
    def field(self) -> Field:
        return field_of(self.case)
