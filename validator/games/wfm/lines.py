"""Where lines of supply reach (9.2 to 9.4, 9.7), by side, in one state of the position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from validator.procedures.supplylines import Net, scenario_sources

AXIS_RANGE, SOVIET_RANGE, SEA_RANGE = 4, 6, 2
MINORS = ("rumanian", "finnish")
SOVIET_SEA_BASES = ("6205", "6402")  # Novorossiisk or Tuapse (9.71)
AXIS_SEA_BASES = ("5718", "6313")  # Odessa and Sevastopol (9.72)
ODESSA, SEVASTOPOL = AXIS_SEA_BASES
NORTHERN_PORTS = ("N1327", "N2718")  # Murmansk and Archangelsk (12.42)
MOSCOW, MURMANSK = "2706", "N1327"

MAIN_SHEET = "C"


def at(field: Field, *labels: str) -> list[HexId]:
    """Hexes by their numbers on the main sheet, of those in play."""
    return field.ids(field.board.lattice.hex(label, MAIN_SHEET) for label in labels)


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
        yield from scenario_sources(self.case, self.board, self.side)
        yield from filter(self._is_used, self.board.with_feature(f"supply-source-{self.side}"))
        if self.side == AXIS:
            yield from self.held(MURMANSK)

    def _is_used(self, hex_id: HexId) -> bool:
        """Of the sources that the map prints for a side, those that name the scenario."""
        section = (self.case.scenario.provenance.rule or "").partition(".")[0]
        places = (p for p in self.board.places[hex_id] if f"supply-source-{self.side}" in p.features)
        return any(section in str(place.values.get("scenarios", "")).split() for place in places)

    def held(self, *labels: str) -> list[HexId]:
        """Those of the hexes that the side holds."""
        return list(filter(self.holds, at(self.field, *labels)))

    def holds(self, hex_id: HexId) -> bool:
        return controller(self.case, self.board.hexes[hex_id]) == self.side

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
            moscow = [] if moscow_lost(self.case) else at(self.field, MOSCOW)
            return {SOVIET: self.railed([*self.sources, *moscow]) if moscow else self.to_source}
        return {nation: self.railed(self._capital_goals(nation)) for nation in MINORS}

    def _capital_goals(self, nation: str) -> Sequence[HexId]:
        if self.capital(nation):
            return () if self.capital_lost(nation) else self.capital(nation)
        return self.sources if self.case.option("rumanian-source") == "on" else ()

    def capital(self, nation: str) -> Sequence[HexId]:
        return self.board.with_feature(f"capital-{nation}")[:1]

    def capital_lost(self, nation: str) -> bool:
        """9.28: the Soviets control it."""
        return any(controller(self.case, hex_) == SOVIET for hex_ in self.field.hexes(self.capital(nation)))

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
        return Net.of("headquarters", self.rules(SOVIET_RANGE), (h for h, _ in self._headquarters()))

    @cached_property
    def minor(self) -> dict[str, Net]:
        """Rumanians and Finns trace to their headquarters and capital (9.28)."""
        limit = int(self.case.option("minor-supply-range"))
        return {
            nation: Net.of("headquarters", self.rules(limit), self._minor_ends(nation)) for nation in MINORS
        }

    def _headquarters(self) -> list[tuple[HexId, Unit]]:
        """On a railway as they need it."""
        return [(h, unit) for h, unit in self.units("hq") if self.railways_of(unit).length(h) is not None]

    def _minor_ends(self, nation: str) -> list[HexId]:
        if self.capital_lost(nation):
            return []
        own = [h for h, unit in self._headquarters() if unit.nationality == nation]
        return [*own, *self.capital(nation)]

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
        if not self.extended_last:
            return frozenset((*self.sources, *self.depots.ends))
        sources = () if self.case.option("direct-source") == "off" else self.sources
        return frozenset((*sources, *self._extended_chain()))

    def _extended_chain(self) -> Sequence[HexId]:
        """From the unit: extended depots, then at least one normal one, then the source."""
        rules = self.rules(AXIS_RANGE)
        extended = self.field.places_of(self.side, lambda unit: unit.has("extended"), "depot")
        others = self.field.places_of(self.side, lambda unit: not unit.has("extended"), "depot")
        lines = chain(rules, self.sources, others)
        normal = [h for h in others if h in lines or h in self.sources]
        return chain(rules, normal, extended).ends

    def _depot_ends(self) -> Iterator[HexId]:
        yield from sorted(self._ends_in_chain)
        yield from self.expended.values()

    # --- over the sea (9.7) ---

    @cached_property
    def ports(self) -> list[HexId]:
        """Black Sea ports that supply comes through."""
        azov = self.case.option("azov-ports") == "on"
        ports = self.field.ground.ports(azov) if self.sea_open else ()
        return [h for h in ports if self.board.has_feature(h, "black-sea-port") and self._usable(h)]

    @cached_property
    def sea_open(self) -> bool:
        """9.71, 9.72: the ports that supply is shipped from are held and on a railway to a source."""
        if self.side == SOVIET:
            return any(self._based(label) for label in SOVIET_SEA_BASES)
        return all(self._based(label) for label in AXIS_SEA_BASES)

    def _based(self, label: str) -> bool:
        """Held, and in normal supply by railway."""
        return any(self.to_source.length(hex_id) is not None for hex_id in self.held(label))

    def _usable(self, hex_id: HexId) -> bool:
        if self.side == SOVIET and hex_id in at(self.field, ODESSA) and self.axis_holds_sevastopol():
            return False
        return self.holds(hex_id) or self.case.option("sea-supply-port") == "off"

    def axis_holds_sevastopol(self) -> bool:
        sevastopol = self.field.hexes(at(self.field, SEVASTOPOL))
        return any(controller(self.case, hex_) == AXIS for hex_ in sevastopol)

    @cached_property
    def northern_ports(self) -> list[HexId]:
        """12.42: one of the two supplies by sea while the other has a railway to a source."""
        choice = self.case.option("northern-sea-supply")
        if self.side == AXIS or choice == "off" or (choice == "no-snow" and self.field.season == SNOW):
            return []
        held = self.held(*NORTHERN_PORTS)
        if len(held) < len(NORTHERN_PORTS):
            return []
        based = [port for port in held if self.to_source.length(port) is not None]
        return [port for port in held if set(based) - {port}]

    @cached_property
    def sea(self) -> Net:
        return Net.of("sea", self.rules(SEA_RANGE), [*self.ports, *self.northern_ports])


# --- what a step of a line costs -----------------------------------------------------------------


def line_costs(case: Case, field: Field, side: str) -> CostTable:
    """9.43 to 9.46, 9.83. Tables are kept: they change with the season and the partisans only."""
    partisans = frozenset(hindering(case, field)) if side == AXIS else frozenset()
    add = case.option("partisan-swamp") == "add"
    key = (line_costs, side, field.season, partisans, add)
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
    entered = case.in_game.moscow_entered or "destroyed" in case.position.marks.get(hex_, {})
    return entered or controller(case, hex_) == AXIS
