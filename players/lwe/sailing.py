"""Soviet movement by sea (9.17)."""

from __future__ import annotations

from players.lwe.table import Table
from validator.core.board import HexId
from validator.games.lwe.book import SOVIET
from validator.model.events import Moved
from validator.model.position import Unit

AZOV = ("3544", "3744", "4144", "4344")
KERCH = ("3448", "3348", "3449")
ROOM = 5


def sail(table: Table) -> None:
    """Up to five rifle divisions from port to port, or the coastal army alone."""
    ports = open_ports(table)
    if not ports or not table.chance(0.5):
        return
    at_sea = [(h, u) for h in ports for u in table.field.units(h, SOVIET) if u.has("sea-transport")]
    table.random.shuffle(at_sea)
    army = [(h, u) for h, u in at_sea if u.has("sea-only")]
    divisions = [(h, u) for h, u in at_sea if not u.has("sea-only") and u.id not in table.spent]
    for start, unit in army[:1] if army and table.chance(0.3) else divisions[: table.random.randint(1, ROOM)]:
        ends = destinations(table, unit, start)
        if ends:
            _go(table, unit, table.random.choice(ends))


def _go(table: Table, unit: Unit, end: HexId) -> None:
    hexes = table.field.board.hexes
    table.do(Moved((unit.id,), (unit.hex, hexes[end]), "sea" if table.chance(0.8) else ""))
    table.spent[unit.id] = 99


def open_ports(table: Table) -> list[HexId]:
    """Towns on the Black Sea and the Sea of Azov that are Soviet."""
    board, field = table.field.board, table.field
    ports = {*board.with_feature("port"), *board.with_feature("coastal-supply")}
    return sorted(h for h in ports if field.holder(h) == SOVIET)


def destinations(table: Table, unit: Unit, start: HexId) -> list[HexId]:
    """Soviet ports on the same sea with room; the seas are one while all of Kerch is Soviet."""
    field, board = table.field, table.field.board
    kerch = [board.id_of.get(board.lattice.hex(label)) for label in KERCH]
    joined = all(h is None or field.holder(h) == SOVIET for h in kerch)

    def same_sea(hex_id: HexId) -> bool:
        return joined or (board.label(hex_id) in AZOV) == (board.label(start) in AZOV)

    return [h for h in open_ports(table) if h != start and same_sea(h) and table.room(h, [unit])]
