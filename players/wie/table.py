"""The table of War in the East: dice of many sides, boxes, room in a hex, headquarters not yet used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fieldpost.hexes import Hex
from players import table
from validator.core.board import HexId
from validator.games.wie.book import ENEMY, side_of
from validator.games.wie.field import Field, field_of
from validator.games.wie.units import counts, is_air, is_hq, light_grey
from validator.model.events import Fired, Moved, Rolled, Unmarked
from validator.model.position import Unit

ROOM = 6
Front = tuple[HexId, list[Unit]]
"""A hex beside the attacked one, and who attacks out of it."""


class Table(table.Table[Field]):
    game_id = "wie"

    def __init__(self, scenario: str, seed: int, *, strict: bool = True) -> None:
        super().__init__(scenario, seed, strict=strict)
        self.over = False
        self.moved: set[str] = set()  # in this player turn
        self.fought: set[str] = set()
        self.ordered: set[str] = set()  # headquarters of this player turn
        self.captured: set[HexId] = set()
        self.bases: dict[str, HexId] = {}  # of planes that fly
        self.sent: dict[HexId, list[str]] = {}  # planes to support an attack
        self.defended: set[str] = set()
        self.called: dict[str, int] = {}  # planes in support of a defense, and the round they fight from

    def new_player_turn(self) -> None:
        self.moved, self.fought, self.ordered, self.captured = set(), set(), set(), set()
        self.bases, self.sent, self.defended, self.called = {}, {}, set(), {}

    def make_field(self) -> Field:
        return field_of(self.case)

    @property
    def side(self) -> str:
        return side_of(self.case.phase)

    @property
    def enemy(self) -> str:
        return ENEMY[self.side]

    # --- what a player decides: here at random ---

    at_complex = 2  # new units that a player places at a complex in a turn
    most_bought, most_of_a_kind = 9, 3
    buys_after_allies = True  # nothing, if no unit of the minor allies is offered
    battles = 5

    def offered(self) -> list[Unit]:
        """What a player looks at when he buys: the pool; of the minor allies also the lost and the window."""
        pool, more = f"{self.side}-pool", (f"{self.side}-eliminated", None)
        units = [unit for unit in self.position.units.values() if unit.side == self.side]
        return [u for u in units if u.spot == pool or (light_grey(u) and u.spot in more)]

    def shopping(self, pool: list[Unit]) -> list[Unit]:
        """What could be bought, in the order in which it is wanted."""
        self.random.shuffle(pool)
        return pool

    def station(self, unit: Unit, hexes: Sequence[HexId]) -> HexId:
        """Where a new unit is placed."""
        return self.random.choice(hexes)

    def goal(self, unit: Unit, ends: Sequence[HexId], near: set[HexId]) -> HexId:
        """Where a march ends; `near` is beside the enemy."""
        close = [h for h in ends if h in near]
        return self.random.choice(close if close and self.chance(0.7) else ends)

    def target(self, choices: Mapping[HexId, Mapping[HexId, Sequence[Unit]]]) -> HexId | None:
        """Which of the hexes is attacked; None: none is worth it."""
        sent = [target for target in choices if target in self.sent]
        return self.random.choice(sent or list(choices))

    def fronts(self, starts: list[Front]) -> list[Front]:
        """The hexes that an attack is made out of, of those that a headquarters is near."""
        return starts[: self.random.choice((1, 2))]

    def breaks_off(self, target: HexId) -> bool:
        """After a round."""
        return self.chance(0.4)

    # --- what is done ---

    def hex(self, hex_id: HexId) -> Hex:
        return self.field.board.hexes[hex_id]

    def throw(self, number: int, sides: int) -> tuple[int, ...]:
        return tuple(self.random.randint(1, sides) for _ in range(number))

    def roll_for(self, reason: str, sides: int, about: str | None = None, number: int = 1) -> tuple[int, ...]:
        values = self.throw(number, sides)
        self.do(Rolled(values, sides, reason, about))
        return values

    def fire(
        self,
        units: Sequence[str],
        value: int,
        dice: int,
        *,
        sides: int = 12,
        manner: str = "",
        aimed: Iterable[str] = (),
        battle: int | None = None,
        support: Iterable[str] = (),
    ) -> tuple[int, ...]:
        values = self.throw(dice, sides)
        self.do(Fired(tuple(units), value, values, sides, tuple(support), tuple(aimed), manner, battle))
        return values

    def move(self, units: Sequence[str], *spots: HexId | str, mode: str = "") -> None:
        path = tuple(spot if isinstance(spot, str) else self.hex(spot) for spot in spots)
        self.do(Moved(tuple(units), path, mode))
        if not all(is_air(self.position.units[name]) for name in units):
            for hex_ in path:
                self._overrun(hex_)

    def _overrun(self, hex_: Hex | str) -> None:
        """A fortification that the enemy has left comes off."""
        if (
            isinstance(hex_, str)
            or not self.side
            or self.field.occupied(self.enemy)[self.field.board.id_of[hex_]]
        ):
            return
        for name in list(self.position.marks.get(hex_, {})):
            marker = self.game.marker[name]
            if marker.kind == "fortification" and marker.side == self.enemy:
                self.do(Unmarked(name, hex_))

    def in_box(self, box: str) -> list[Unit]:
        return list(self.position.at(box))

    def room(self, hex_id: HexId, side: str) -> int:
        return ROOM - self.field.room(hex_id, side)

    def soldiers(self, side: str) -> list[tuple[HexId, Unit]]:
        """Ground units that fight."""
        return [(h, u) for h, u in self.field.of_side(side) if not is_hq(u)]

    def near(self, side: str) -> set[HexId]:
        """Hexes beside the enemies of a side."""
        board = self.field.board
        return {n for h, u in self.field.of_side(ENEMY[side]) if counts(u) for n in board.adjacent[h]}

    def planes_at_home(self, side: str, *traits: str) -> list[tuple[HexId, Unit]]:
        field = self.field
        return [
            (h, u)
            for h, u in field.planes(side)
            if field.city(h) and field.holder(h) == side and all(map(u.has, traits)) and is_air(u)
        ]
