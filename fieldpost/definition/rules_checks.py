"""What must hold in the `rules:` block of a game: its words lead to tables, kinds, factors and traits."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches

from fieldpost.definition import effects, results, rules_tables
from fieldpost.definition.model import Game, Table
from fieldpost.definition.problems import listing
from fieldpost.definition.reader import Key, Reader
from fieldpost.definition.references import known, unique
from fieldpost.definition.rulesmodel import CombatRules, MovementRules, Rules, StackingRules, SupplyRules

NO_MOBILITY = "none"
MOVE, ATTACK, MARCH = "move", "attack", "march"


def check_rules_block(reader: Reader, game: Game) -> None:
    if game.rules is not None:
        _Checks(reader, game).all()


def check_citations(reader: Reader, game: Game, listed: Collection[str]) -> None:
    """Each `rule` of the block is an id in the list of rules."""
    for part in parts_with_rules(game):
        named = getattr(part, "rule", None)
        if named:
            known(reader, part, ("rule",), named, listed, "rule in rules.yaml")


def parts_with_rules(game: Game) -> Iterator[object]:
    """Every part of the block that may cite a rule and stands in the file."""
    rules = game.rules
    if rules is None:
        return
    parts = (rules.sequence, rules.movement, rules.zones, rules.stacking, rules.supply, rules.combat)
    yield from (part for part in (*parts, rules.reinforcements, rules.victory) if part is not None)
    if rules.movement is not None:
        yield from (*rules.movement.modes, *rules.movement.crossings)
    if rules.combat is not None:
        yield from (part for part in (rules.combat.retreat, rules.combat.advance) if part is not None)


class _Checks:
    def __init__(self, reader: Reader, game: Game) -> None:
        self.reader, self.game = reader, game
        map_ = game.map
        self.has_map = bool(map_.id)
        self.terrain = [kind.id for kind in map_.terrain_kinds]
        self.hexsides = [kind.id for kind in map_.hexside_kinds]
        self.lines = [kind.id for kind in map_.line_kinds]
        self.places = [kind.id for kind in map_.place_kinds]
        self.factors = sorted({factor for kind in game.unit_types for factor in kind.factors})
        traits = {trait for kind in game.unit_types for trait in kind.traits}
        self.traits = sorted(traits | {trait for counter in game.counters for trait in counter.traits})

    def all(self) -> None:
        rules = self.game.rules
        assert rules is not None
        modes = rules.movement.modes if rules.movement else ()
        rules_tables.check_verbs(self.reader, self.game, [mode.id for mode in modes])
        self.factors_are_read(rules)
        if rules.movement is not None:
            self.movement(rules.movement)
        if rules.zones is not None:
            self._kinds(rules.zones, "not_across", self.hexsides, "hexside kind")
            self._kinds(rules.zones, "not_into", self.terrain, "terrain")
            self._words(rules.zones, "ignored_by", self.traits, "trait")
            for name in ("enter", "leave"):
                price = getattr(rules.zones, name)
                if price < 0 or not rules_tables.is_in_twelfths(str(price)):
                    self.reader.fault(
                        rules.zones, (name,), f"{price} is no price", "0 or more points, or 1/2"
                    )
        if rules.stacking is not None:
            self.stacking(rules.stacking)
        if rules.supply is not None:
            self.supply(rules.supply)
        if rules.combat is not None:
            self.combat(rules.combat)
        if rules.reinforcements is not None and not any(s.reinforcements for s in self.game.scenarios):
            message = "no scenario has reinforcements"
            self.reader.fault(rules.reinforcements, (), message, "reinforcements: in a scenario")
        if rules.victory is not None:
            self.victory(rules.victory)

    # --- parts ------------------------------------------------------------------------------------

    def movement(self, movement: MovementRules) -> None:
        self._phases(movement, MOVE, "moves")
        self._factor(movement, "allowance", movement.allowance)
        table = self._table(movement, "terrain-effects", movement.table)
        if table is not None:
            self._mobility_columns(movement, table, movement.allowance)
        unique(self.reader, movement.modes, lambda mode: mode.id, "the mode")
        for mode in movement.modes:
            if mode.id == MARCH:
                self.reader.fault(mode, ("id",), "march is the ordinary way of moving", "another word")
            self._kinds(mode, "only_along", self.lines, "line kind")
            self._words(mode, "traits", self.traits, "trait")
            if (mode.hexes is not None and mode.hexes < 1) or mode.times <= 0:
                self.reader.fault(mode, (), "nobody moves so far", "hexes: 1 or more, or times: above 0")
        for crossing in movement.crossings:
            if self.has_map:
                known(self.reader, crossing, ("hexside",), crossing.hexside, self.hexsides, "hexside kind")
            if crossing.units < 0:
                self.reader.fault(crossing, ("units",), f"{crossing.units} cannot be", "0 or more")

    def _mobility_columns(self, owner: object, table: Table, allowance: str) -> None:
        """Each class that moves has its prices."""
        movers = {kind.mobility for kind in self.game.unit_types if allowance in kind.factors}
        columns = {column.partition("@")[0] for column in table.columns}
        rules_tables.check_prices(self.reader, table, movers & columns)
        for mobility in sorted(movers - columns - {NO_MOBILITY}):
            message = f"the table {table.id} has no column for the mobility class {mobility!r}"
            self.reader.fault(owner, ("table",), message, f"one of {listing(table.columns, most=20)}")

    def stacking(self, stacking: StackingRules) -> None:
        self._words(stacking, "free", self.traits, "trait")
        if stacking.count == "size" and not any(kind.stacking for kind in self.game.unit_types):
            message = "no unit type has a `stacking` size"
            self.reader.fault(stacking, (), message, "stacking: 1 of a type, or count: units")
        if stacking.limit < 0:
            self.reader.fault(stacking, ("limit",), f"{stacking.limit} cannot be", "0 or more")
        for kind in stacking.at if self.has_map else ():
            names = [*self.terrain, *self.places]
            known(self.reader, stacking, ("at", Key(kind)), kind, names, "terrain or kind of place")

    def supply(self, supply: SupplyRules) -> None:
        self._words(supply, "always", self.traits, "trait")
        if supply.range is not None and supply.range < 0:
            self.reader.fault(supply, ("range",), f"{supply.range} cannot be", "0 or more hexes")
        movement = self.game.rules.movement if self.game.rules else None
        table = results.table_of(self.game, "terrain-effects", movement.table if movement else None)
        if supply.mobility is not None and table is not None:
            columns = sorted({column.partition("@")[0] for column in table.columns})
            known(self.reader, supply, ("mobility",), supply.mobility, columns, "column of terrain effects")
        if supply.headquarters is not None:
            trait = supply.headquarters
            if known(self.reader, supply, ("headquarters",), trait, self.traits, "trait"):
                self._has_ranges(supply, trait)
        for name in ("movement", "attack", "defense"):
            if not 0 <= getattr(supply.without, name) <= 1:
                self.reader.fault(supply, ("without", name), "this is no share", "0 to 1, such as 1/2")
        if not any(scenario.supply_sources for scenario in self.game.scenarios):
            self.reader.fault(supply, (), "no scenario has sources", "supply_sources: in a scenario")

    def _has_ranges(self, supply: SupplyRules, trait: str) -> None:
        for counter in self.game.counters:
            kind = self.game.unit_type.get(counter.type)
            if kind is None or trait not in (*kind.traits, *counter.traits):
                continue
            value = counter.values.get("supply-range", kind.values.get("supply-range"))
            if value is None or isinstance(value, str):
                message = f"{counter.id} has the trait {trait} and no range"
                self.reader.fault(
                    supply, ("headquarters",), message, "values: {supply-range: 4} on it or its type"
                )

    def combat(self, combat: CombatRules) -> None:
        self._phases(combat, ATTACK, "attacks")
        self._factor(combat, "attack", combat.attack)
        self._factor(combat, "defense", combat.defense)
        if combat.range is not None:
            self._factor(combat, "range", combat.range)
        self._kinds(combat, "not_across", self.hexsides, "hexside kind")
        table = self._table(combat, "combat-results", combat.table)
        if table is not None:
            rules_tables.check_results(self.reader, self.game, combat, table)
        for part in (combat.retreat, combat.advance):
            if part is not None and part.hexes < 1:
                self.reader.fault(part, ("hexes",), f"{part.hexes} cannot be", "1 or more")
        if combat.terrain is not None:
            self._terrain_column(combat, combat.terrain)

    def _terrain_column(self, combat: CombatRules, column: str) -> None:
        movement = self.game.rules.movement if self.game.rules else None
        table = results.table_of(self.game, "terrain-effects", movement.table if movement else None)
        if table is None or not known(self.reader, combat, ("terrain",), column, table.columns, "column"):
            return
        place = table.columns.index(column)
        for row in table.rows:
            if place < len(row.cells) and effects.read_cell(row.cells[place]) is None:
                message = f"the referee cannot read {row.cells[place]!r}"
                self.reader.fault(row, ("cells", place), message, effects.FORMS)

    def victory(self, part: object) -> None:
        scenarios = [scenario for scenario in self.game.scenarios if scenario.victory is not None]
        if not scenarios:
            self.reader.fault(part, (), "no scenario has victory conditions", "victory: in a scenario")
        names = sorted(point_keys(self.game))
        for scenario in scenarios:
            assert scenario.victory is not None
            for name in scenario.victory.points:
                known(self.reader, scenario, ("victory", "points", Key(name)), name, names, "thing to count")

    def factors_are_read(self, rules: Rules) -> None:
        """A factor that is almost one that the block reads is a slip: the unit would be without it."""
        movement, combat = rules.movement, rules.combat
        read = [movement.allowance] if movement else []
        read += [name for name in (combat.attack, combat.defense, combat.range) if name] if combat else []
        for kind in self.game.unit_types:
            for index, factor in enumerate(kind.factors):
                meant = get_close_matches(factor, read, 1, rules_tables.ALIKE)
                if meant and factor not in read and meant[0] not in kind.factors:
                    message = f"no rule reads the factor {factor!r}"
                    self.reader.fault(kind, ("factors", index), message, listing(sorted(set(read))), meant[0])

    # --- words ------------------------------------------------------------------------------------

    def _phases(self, owner: object, verb: str, what: str) -> None:
        said = {verb for phase in self.game.sequence for verb in phase.may}
        said |= {verb for phase in self.game.sequence for step in phase.steps for verb in step.may}
        if verb not in said and self.reader.intact(self.game, "sequence"):
            self.reader.fault(owner, (), f"nobody ever {what}", f"may: [{verb}] in a phase")

    def _factor(self, owner: object, key: str, factor: str) -> None:
        known(self.reader, owner, (key,), factor, self.factors, "printed factor")

    def _table(self, owner: object, kind: str, named: str | None) -> Table | None:
        tables = [table.id for table in self.game.tables if table.kind == kind]
        if named is not None and not known(self.reader, owner, ("table",), named, tables, f"{kind} table"):
            return None
        table = results.table_of(self.game, kind, named)
        if table is None and self.reader.intact(self.game, "tables"):
            many = f"there are {len(tables)} {kind} tables" if tables else f"there is no {kind} table"
            self.reader.fault(owner, ("table",), many, f"table: {listing(tables) or f'kind: {kind}'}")
        return table if table and all(self.reader.intact(row, "cells") for row in table.rows) else None

    def _kinds(self, owner: object, name: str, kinds: Sequence[str], what: str) -> None:
        if self.has_map:
            self._words(owner, name, kinds, what)

    def _words(self, owner: object, name: str, words: Collection[str], what: str) -> None:
        for index, word in enumerate(getattr(owner, name)):
            known(self.reader, owner, (name, index), word, words, what)


def point_keys(game: Game) -> Iterator[str]:
    """What victory points may be given for besides cities: steps and units that a side or a type has lost."""
    for owner in (*(side.id for side in game.sides), *(kind.id for kind in game.unit_types)):
        yield from (f"{owner}-step", f"{owner}-unit")
