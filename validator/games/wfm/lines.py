"""Where lines of supply reach (9.2 to 9.4, 9.7), by side, in one state of the position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from validator.core.board import HexId, Mask, union
from validator.core.costs import ONE, CostTable, Local, Prices
from validator.core.supply import Chain, Lines, SupplyRules, chain, network
from validator.games.wfm.book import AXIS, ENEMY, SOVIET
from validator.games.wfm.control import controller
from validator.games.wfm.field import SNOW, TRACK, Field
from validator.games.wfm.partisans import hindering
from validator.games.wfm.state import Case
from validator.model.position import Unit
from validator.procedures.supplylines import Net

AXIS_RANGE, SOVIET_RANGE, SEA_RANGE = 4, 6, 2
MINORS = ("rumanian", "finnish")
SOVIET_SEA_BASES = ("6205", "6402")  # Novorossiisk or Tuapse (9.71)
AXIS_SEA_BASES = ("5718", "6313")  # Odessa and Sevastopol (9.72)
ODESSA, SEVASTOPOL = AXIS_SEA_BASES
NORTHERN_PORTS = ("N1327", "N2718")  # Murmansk and Archangelsk (12.42)
MOSCOW, MURMANSK = "2706", "N1327"

MAIN_SHEET = "C"


def at(field: Field, label: str) -> HexId | None:
    """A hex by its number on the main sheet; None where it is not in play."""
    hex_ = field.board.lattice.hex(label, MAIN_SHEET)
    return field.board.id_of.get(hex_)


class Tracing:
    """The lines of one side. `expended` are depots turned over in this phase (9.26), and where they stand."""

    def __init__(self, case: Case, field: Field, side: str, expended: Mapping[str, HexId]) -> None:
        self.case, self.field, self.side = case, field, side
        self.expended = expended if side == AXIS else {}
        self.board = field.board
        self.blocked = {"enemy": field.occupied(ENEMY[side]), "zone": field.uncovered(side)}
        self.costs = line_costs(case, field, side)

    def rules(self, limit: int) -> SupplyRules:
        return SupplyRules(self.costs, limit * ONE, self.blocked)

    # --- sources and railways (9.32, 9.47, 16.42, 19.44) ---

    @cached_property
    def sources(self) -> list[HexId]:
        return list(dict.fromkeys(self._sources()))

    def _sources(self) -> Iterator[HexId]:
        scenario, lattice = self.case.scenario, self.board.lattice
        for source in scenario.supply_sources:
            if source.side == self.side:
                hexes = (lattice.hex(label, scenario.sheet) for label in source.hexes)
                yield from (self.board.id_of[h] for h in hexes if h in self.board.id_of)
        section = (scenario.provenance.rule or "").partition(".")[0]
        for hex_id, places in self.board.places.items():
            for place in places:
                used_in = str(place.values.get("scenarios", "")).split()
                if f"supply-source-{self.side}" in place.features and section in used_in:
                    yield hex_id
        if self.side == AXIS and self.held(MURMANSK):
            yield self._at(MURMANSK)

    def held(self, label: str) -> bool:
        hex_id = at(self.field, label)
        return hex_id is not None and self.holds(hex_id)

    def holds(self, hex_id: HexId) -> bool:
        return controller(self.case, self.board.hexes[hex_id]) == self.side

    def _at(self, label: str) -> HexId:
        hex_id = at(self.field, label)
        assert hex_id is not None
        return hex_id

    @cached_property
    def closed(self) -> Mask:
        return union(*self.blocked.values())

    def railed(self, goals: Iterable[HexId]) -> Lines:
        """Hexes with an open railway to any of these, whatever its length (9.47)."""
        return network(self.board, [TRACK], goals, self.closed)

    @cached_property
    def to_source(self) -> Lines:
        """Railways to the side's sources: for ports, factories and sea supply (9.71, 12.33, 12.41)."""
        return self.railed(self.sources)

    @cached_property
    def to_capital(self) -> dict[str, Lines]:
        """Railways of headquarters: of a minor nation to its capital, of the Soviets also to Moscow."""
        if self.side == SOVIET:
            moscow = at(self.field, MOSCOW)
            if moscow is None or moscow_lost(self.case):
                return {SOVIET: self.to_source}
            return {SOVIET: self.railed([*self.sources, moscow])}
        return {nation: self.railed(self._capital_goals(nation)) for nation in MINORS}

    def _capital_goals(self, nation: str) -> list[HexId]:
        capital = self.capital(nation)
        if capital is not None:
            return [] if self.capital_lost(nation) else [capital]
        return self.sources if self.case.option("rumanian-source") == "on" else []

    def capital(self, nation: str) -> HexId | None:
        return next(iter(self.board.with_feature(f"capital-{nation}")), None)

    def capital_lost(self, nation: str) -> bool:
        """9.28: the Soviets control it."""
        capital = self.capital(nation)
        return capital is not None and controller(self.case, self.board.hexes[capital]) == SOVIET

    # --- the ways of being supplied ---

    def units(self, trait: str) -> Iterator[tuple[HexId, Unit]]:
        return self.field.of_side(self.side, trait)

    def railways_of(self, unit: Unit) -> Lines:
        """The railways a headquarters needs."""
        return self.to_capital[SOVIET if self.side == SOVIET else unit.nationality]

    @cached_property
    def main(self) -> Net:
        """Germans, Italians and Hungarians trace to depots and sources, Soviets to headquarters."""
        if self.side == AXIS:
            return Net.of("depot", self.rules(AXIS_RANGE), self._depot_ends())
        return Net.of("headquarters", self.rules(SOVIET_RANGE), self._headquarters(None))

    @cached_property
    def minor(self) -> dict[str, Net]:
        """Rumanians and Finns trace to their headquarters and capital (9.28)."""
        limit = int(self.case.option("minor-supply-range"))
        return {
            nation: Net.of("headquarters", self.rules(limit), self._minor_ends(nation)) for nation in MINORS
        }

    def _headquarters(self, nation: str | None) -> Iterator[HexId]:
        for hex_id, unit in self.units("hq"):
            if nation in (None, unit.nationality) and self.railways_of(unit).length(hex_id) is not None:
                yield hex_id

    def _minor_ends(self, nation: str) -> Iterator[HexId]:
        if self.capital_lost(nation):
            return
        yield from self._headquarters(nation)
        capital = self.capital(nation)
        if capital is not None:
            yield capital

    # --- chains of depots (9.22, 20.1) ---

    @property
    def extended_last(self) -> bool:
        """20.11 is played, and the scenario does not use extended depots alone (16.32)."""
        special = {rule.id for rule in self.case.scenario.special_rules}
        return self.case.option("extended-depots") == "on" and "only-extended-depots" not in special

    @cached_property
    def depots(self) -> Chain:
        """Every depot with a chain to a source, whatever its kind."""
        return chain(self.rules(AXIS_RANGE), self.sources, (h for h, _ in self.units("depot")))

    def linked(self, hex_id: HexId) -> bool:
        """Whether a depot there is in a chain to a source."""
        return hex_id in self._ends_in_chain

    @cached_property
    def _ends_in_chain(self) -> frozenset[HexId]:
        sources = () if self.extended_last and self.case.option("direct-source") == "off" else self.sources
        if not self.extended_last:
            return frozenset((*sources, *self.depots.ends))
        return frozenset((*sources, *self._extended_chain()))

    def _extended_chain(self) -> Iterator[HexId]:
        """From the unit: extended depots, then at least one normal one, then the source."""
        rules = self.rules(AXIS_RANGE)
        kinds: dict[bool, list[HexId]] = {True: [], False: []}
        for hex_id, unit in self.units("depot"):
            kinds[unit.has("extended")].append(hex_id)
        lines = chain(rules, self.sources, kinds[False])
        normal = [h for h in kinds[False] if h in lines or h in self.sources]
        yield from chain(rules, normal, kinds[True]).ends

    def _depot_ends(self) -> Iterator[HexId]:
        yield from sorted(self._ends_in_chain)
        yield from self.expended.values()

    # --- over the sea (9.7) ---

    @cached_property
    def ports(self) -> list[HexId]:
        """Black Sea ports that supply comes through."""
        if not self.sea_open:
            return []
        azov = self.case.option("azov-ports") == "on"
        return [h for h in self.field.ground.ports(azov) if self._black_sea(h) and self._usable(h)]

    def _black_sea(self, hex_id: HexId) -> bool:
        return self.board.has_feature(hex_id, "black-sea-port")

    @cached_property
    def sea_open(self) -> bool:
        """9.71, 9.72: the ports that supply is shipped from are held and on a railway to a source."""
        if self.side == SOVIET:
            return any(self._based(label) for label in SOVIET_SEA_BASES)
        return all(self._based(label) for label in AXIS_SEA_BASES)

    def _based(self, label: str) -> bool:
        """Held, and in normal supply by railway."""
        return self.held(label) and self.to_source.length(self._at(label)) is not None

    def _usable(self, hex_id: HexId) -> bool:
        if self.side == SOVIET and hex_id == at(self.field, ODESSA) and self.axis_holds_sevastopol():
            return False
        return self.holds(hex_id) or self.case.option("sea-supply-port") == "off"

    def axis_holds_sevastopol(self) -> bool:
        hex_id = at(self.field, SEVASTOPOL)
        return hex_id is not None and controller(self.case, self.board.hexes[hex_id]) == AXIS

    @cached_property
    def northern_ports(self) -> list[HexId]:
        """12.42: one of the two supplies by sea while the other has a railway to a source."""
        if self.side == AXIS or self.case.option("northern-sea-supply") == "off":
            return []
        if not all(self.held(label) for label in NORTHERN_PORTS):
            return []
        one, other = (self._at(label) for label in NORTHERN_PORTS)
        pairs = ((one, other), (other, one))
        return [port for port, base in pairs if self.to_source.length(base) is not None]

    @cached_property
    def sea(self) -> Net:
        return Net.of("sea", self.rules(SEA_RANGE), [*self.ports, *self.northern_ports])


# --- what a step of a line costs -----------------------------------------------------------------


def line_costs(case: Case, field: Field, side: str) -> CostTable:
    """9.43 to 9.46, 9.83. Tables are kept: they change with the season and the partisans only."""
    partisans = frozenset(hindering(case, field)) if side == AXIS else frozenset()
    add = case.option("partisan-swamp") == "add"
    key = ("lines of supply", side, field.season, partisans, add)
    return case.once(key, lambda: _table(field, side, partisans, add))


def undoubled_costs(field: Field, side: str) -> CostTable:
    """As if no hex counted double: to tell whether that is what makes a line too long."""
    prices = _prices(field).terrain_at(dict.fromkeys(("swamp", "tundra"), ONE))
    return CostTable(field.board, prices, Local(open=_opened(field, side)))


def _prices(field: Field) -> Prices:
    column = "los-snow" if field.season == SNOW else "los"
    prices = Prices.from_table(field.ground.table, field.board, column)
    return prices.hexsides_at({"ice-road": None})


def _opened(field: Field, side: str) -> Mask:
    """Water that lines cross: the causeway (9.44), and for the Soviets ice roads in snow (9.43)."""
    causeway = field.board.steps_across("causeway")
    over_ice = field.season == SNOW and side == SOVIET
    return union(causeway, field.ground.ice_roads) if over_ice else causeway


def _table(field: Field, side: str, partisans: frozenset[HexId], add: bool) -> CostTable:
    board, prices = field.board, _prices(field)
    dear = {h for h in partisans if add and prices.of(board.terrain[h]) == 2 * ONE}
    least = {h: (3 if h in dear else 2) * ONE for h in partisans}
    along = dict.fromkeys(partisans, ONE)
    return CostTable(board, prices, Local(at_least=least, at_least_on_line=along, open=_opened(field, side)))


def moscow_lost(case: Case) -> bool:
    """9.32: once an Axis unit has been in Moscow it is no source any more."""
    hex_ = case.game.map.lattice.hex(MOSCOW, MAIN_SHEET)
    return (
        case.in_game.moscow_entered
        or "destroyed" in case.position.marks.get(hex_, {})
        or controller(case, hex_) == AXIS
    )
