"""A field with zones of control: whose zones reach where. A game says who has one, and where it reaches."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from fieldpost.hexes import Hex
from validator.core.board import HexId, Mask
from validator.core.explain import Wording, listed
from validator.core.recent import made
from validator.core.zones import Projection, ZoneMap
from validator.model.position import Position, Unit, names_of
from validator.procedures import field


class ZonedField(field.Field):
    def __init__(self, ground: field.Ground, position: Position, season: str) -> None:
        super().__init__(ground, position)
        self.season = season

    def has_zone(self, unit: Unit) -> bool:
        return unit.type.zoc

    def projection(self, unit: Unit) -> Projection:
        """Where the zone of a unit reaches."""
        raise NotImplementedError

    @cached_property
    def _zones(self) -> dict[str, ZoneMap]:
        return {}

    def zones(self, side: str) -> ZoneMap:
        """The zones of a side's own units."""
        exerting = ((h, self.projection(u)) for h, u in self.of_side(side) if self.has_zone(u))
        return made(self._zones, side, lambda: ZoneMap.of(self.board, exerting))

    def zone_hexes(self, side: str) -> set[Hex]:
        return {self.board.hexes[hex_id] for hex_id in self.board.members(self.zones(side).mask)}

    def opponent(self, side: str) -> str:
        return next(other.id for other in self.position.game.sides if other.id != side)

    def enemy_zones(self, side: str) -> ZoneMap:
        return self.zones(self.opponent(side))

    def uncovered(self, side: str) -> Mask:
        """Enemy zones where no unit of the side stands."""
        return self.enemy_zones(side).negated(self.occupied(side))

    def in_enemy_zone(self, unit: Unit) -> bool:
        hex_id = self.id(unit.spot)
        return hex_id is not None and self.enemy_zones(unit.side).holds(hex_id)

    def zone_owners(self, side: str, hex_id: HexId) -> list[Unit]:
        """The enemy units whose zone a hex is in."""
        exerting = self.enemy_zones(side).exerted_by(hex_id)
        return [u for h in exerting for u in self.units(h) if u.side != side and self.has_zone(u)]

    def zone_wording(self, side: str) -> Wording:
        """Words of the ground that name whose enemy zone a hex is in."""
        return replace(self.ground.wording, zone_of=lambda h: listed(names_of(self.zone_owners(side, h))))

    def beside_enemy(self, unit: Unit, *, with_zone: bool = False) -> bool:
        """Whatever the hexside; any enemy unit, or one that has a zone."""
        hex_id = self.id(unit.spot)
        near = () if hex_id is None else self.board.adjacent[hex_id]
        opponents = (opponent for h in near for opponent in self.units(h, self.opponent(unit.side)))
        return any(self.has_zone(opponent) or not with_zone for opponent in opponents)
