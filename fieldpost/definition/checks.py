"""What must hold between the parts of a game beyond the type of each value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from fieldpost.definition.atlas import Atlas
from fieldpost.definition.files import GroupEntry, UnitEntry
from fieldpost.definition.model import Counter, Game, Marker, Phase, Provenance, Step, Table
from fieldpost.definition.problems import listing, nearest
from fieldpost.definition.reader import Key, Reader
from fieldpost.definition.references import known, unique
from fieldpost.definition.scenario_checks import check_scenario
from fieldpost.definition.symbols import SIGNS, UNIT_SYMBOLS

_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_WANTED_COLOR = 'a colour such as "#8fa3b5"'
MOST_ALIKE = 500
MOST_FACES = 4  # of a marker that shows a level; on cardboard the first two


def check_game(
    reader: Reader, game: Game, groups: Sequence[GroupEntry], atlas: Atlas | None, has_counters: bool
) -> None:
    """Note every fault between the parts with the reader. Without an atlas hexes go unchecked."""
    checks = _Checks(reader, game)
    checks.provenance()
    checks.sides()
    checks.sequence()
    checks.turns()
    checks.unit_types()
    checks.groups(groups)
    checks.counters()
    checks.markers()
    checks.decks_and_boxes()
    checks.tables()
    checks.every_terrain_has_a_row()
    checks.options()
    checks.control_at_start()
    checks.battle_plate()
    checks.printing()
    checks.printed_sides()
    if atlas is not None:
        checks.setup_hexes(atlas)
    unique(reader, game.scenarios, lambda s: s.id, "the scenario")
    for scenario in game.scenarios:
        check_scenario(reader, game, scenario, atlas, has_counters)


class _Checks:
    def __init__(self, reader: Reader, game: Game) -> None:
        self.reader = reader
        self.game = game
        self.side_ids = [s.id for s in game.sides]
        self.knows_sides = reader.intact(game, "sides")  # else what refers to them goes unchecked

    # --- where data comes from

    def provenance(self) -> None:
        for each in self.reader.all(Provenance):
            if not self.reader.intact(each, "source", "rule", "how"):
                continue
            if each.source == "rulebook" and not each.rule:
                self.reader.fault(each, ("source",), "the rulebook says so: in which rule?", 'rule: "8.1"')
            if each.source == "reconstructed" and not each.how:
                self.reader.fault(each, ("source",), "this is reconstructed: how?", "how: in a sentence")

    # --- sides and the sequence of play

    def sides(self) -> None:
        game, reader = self.game, self.reader
        if reader.intact(game, "sides") and len(game.sides) < 2:
            reader.fault(game, ("sides",), "a game needs two sides", "at least two sides")
        unique(reader, game.sides, lambda s: s.id, "the side")
        unique(reader, [n for s in game.sides for n in s.nationalities], lambda n: n.id, "the nationality")
        for side in game.sides:
            self._color(side, "color", side.color)
            for nationality in side.nationalities:
                for name in ("color", "ink", "box"):
                    self._color(nationality, name, getattr(nationality, name))

    def _color(self, owner: object, name: str, color: str | None, path: tuple[str | int, ...] = ()) -> None:
        if color and not _COLOR.fullmatch(color):
            self.reader.fault(owner, (*path, name), f"{color!r} is no colour", _WANTED_COLOR)

    def _side(self, owner: object, side: str | None, name: str = "side") -> None:
        if side is not None and self.knows_sides:
            known(self.reader, owner, (name,), side, self.side_ids, "side")

    def sequence(self) -> None:
        phases = self.game.sequence
        who = [*self.side_ids, "both"]
        unique(self.reader, phases, lambda p: p.id, "the phase")
        unique(self.reader, [s for p in phases for s in p.steps], lambda s: s.id, "the step")
        parts: list[Phase | Step] = [*phases, *(s for p in phases for s in p.steps)]
        for part in parts:
            known(self.reader, part, ("active",), part.active, who, "side")
        if self.reader.intact(self.game, "sequence") and not phases:
            self.reader.fault(self.game, ("sequence",), "there are no phases", "at least one phase")
        self._orders()

    def _orders(self) -> None:
        """Each order of phases begins after the one before, the first with the game."""
        ids = [phase.id for phase in self.game.sequence]
        wanted = str(min((turn.number for turn in self.game.turn_track.turns), default=1))
        for before, order in pairwise([None, *self.game.orders]):
            assert order is not None
            for place, phase in enumerate(order.phases):
                known(self.reader, order, ("phases", place), phase, ids, "phase")
            if before is not None:
                wanted = f"{before.first_turn + 1} or more"
            late = (
                str(order.first_turn) != wanted if before is None else order.first_turn <= before.first_turn
            )
            if late and self.reader.intact(order, "first_turn"):
                message = f"an order of phases begins with turn {order.first_turn}"
                self.reader.fault(order, ("first_turn",), message, wanted)
            if not order.phases and self.reader.intact(order, "phases"):
                self.reader.fault(order, ("phases",), "there are no phases", "at least one phase")

    def turns(self) -> None:
        turns = self.game.turn_track.turns
        unique(self.reader, turns, lambda t: str(t.number), "the turn")
        for before, turn in pairwise(turns):
            if turn.number not in (before.number, before.number + 1) and self.reader.intact(turn, "number"):
                self.reader.fault(
                    turn,
                    ("number",),
                    f"turn {turn.number} follows turn {before.number}",
                    str(before.number + 1),
                )
        for turn in turns:
            if self.game.seasons:
                known(self.reader, turn, ("season",), turn.season, self.game.seasons, "season")
        if not turns and self.reader.intact(self.game.turn_track, "turns"):
            self.reader.fault(self.game.turn_track, ("turns",), "there are no turns", "at least one turn")

    # --- units

    def unit_types(self) -> None:
        unique(self.reader, self.game.unit_types, lambda t: t.id, "the unit type")
        nations = {n.id: s.id for s in self.game.sides for n in s.nationalities}
        for kind in self.game.unit_types:
            self._side(kind, kind.side)
            if self.knows_sides and known(
                self.reader, kind, ("nationality",), kind.nationality, nations, "nationality"
            ):
                home = nations.get(kind.nationality, kind.side)
                if kind.side in self.side_ids and home != kind.side:
                    message = f"{kind.nationality} is on the side {home}, not {kind.side}"
                    own = [n for n, side in nations.items() if side == kind.side]
                    self.reader.fault(kind, ("nationality",), message, listing(own))
            known(self.reader, kind, ("symbol",), kind.symbol, sorted(UNIT_SYMBOLS), "unit symbol")
            if kind.steps < 1 and self.reader.intact(kind, "steps"):
                self.reader.fault(kind, ("steps",), f"{kind.steps} steps cannot be", "1 or more")
            if kind.stacking < 0:
                self.reader.fault(kind, ("stacking",), f"{kind.stacking} cannot be", "0 or more")

    def groups(self, groups: Iterable[GroupEntry]) -> None:
        types = self.game.unit_type
        nations = self.game.nationality
        for group in groups:
            known(self.reader, group, ("type",), group.type, types, "unit type")
            owners: list[GroupEntry | UnitEntry] = [group, *group.units]
            for owner in owners:
                if owner.nationality and self.knows_sides:
                    known(self.reader, owner, ("nationality",), owner.nationality, nations, "nationality")

    def counters(self) -> None:
        game = self.game
        unique(self.reader, game.counters, lambda c: c.id, "the unit")
        faulted: set[int] = set()
        for counter in game.counters:
            _, node = self.reader.place(counter)
            if id(node) in faulted:  # counters alike share one entry
                continue
            faulted.add(id(node))
            self._factors(counter)
        units = game.counter
        for marker in game.markers:
            if marker.id in units:
                self.reader.fault(marker, ("id",), f"a unit has the id {marker.id!r} already")

    def _factors(self, counter: Counter) -> None:
        kind = self.game.unit_type.get(counter.type)
        if kind is None or kind.steps < 1 or not self.reader.intact(kind, "factors", "steps"):
            return
        if not self.reader.intact(counter, "steps"):
            return
        if not kind.factors and not counter.steps:
            return
        if not 1 <= len(counter.steps) <= kind.steps:
            count = len(counter.steps)
            message = f"{counter.id} has {count} printed step{'s' if count != 1 else ''}"
            wanted = f"1 to {kind.steps}, since {kind.id} has {kind.steps}" if kind.steps > 1 else "1"
            self.reader.fault(counter, ("steps",), message, wanted)
        for index, step in enumerate(counter.steps):
            parts = step.split("-")
            if len(parts) != len(kind.factors) or not all(parts):
                message = f"{step!r} does not fit the factors of {kind.id}"
                wanted = "-".join(kind.factors) or "no factors"
                self.reader.fault(counter, ("steps", index), message, wanted)

    def setup_hexes(self, atlas: Atlas) -> None:
        """A set-up code of a counter may be a hex, or a word; one that looks like a hex must be one."""
        for counter in self.game.counters:
            if counter.setup and re.fullmatch(r"[A-Z]?\d{4}", counter.setup):
                atlas.hex(counter, ("setup",), counter.setup)

    # --- markers, decks, boxes

    def markers(self) -> None:
        unique(self.reader, self.game.markers, lambda m: m.id, "the marker")
        for marker in self.game.markers:
            self._side(marker, marker.side)
            if not 1 <= len(marker.faces) <= MOST_FACES and self.reader.intact(marker, "faces"):
                self.reader.fault(
                    marker, ("faces",), f"{len(marker.faces)} faces cannot be", f"1 to {MOST_FACES} faces"
                )
            if not 1 <= marker.count <= MOST_ALIKE and self.reader.intact(marker, "count"):
                self.reader.fault(marker, ("count",), f"{marker.count} cannot be", f"1 to {MOST_ALIKE}")
            for index, face in enumerate(marker.faces):
                self._color(marker, "color", face.color, ("faces", index))
                self._color(marker, "ink", face.ink, ("faces", index))
                if face.symbol:
                    signs = sorted(SIGNS | UNIT_SYMBOLS)
                    known(self.reader, marker, ("faces", index, "symbol"), face.symbol, signs, "sign")

    def decks_and_boxes(self) -> None:
        unique(self.reader, self.game.decks, lambda d: d.id, "the deck")
        unique(self.reader, self.game.boxes, lambda b: b.id, "the box")
        unique(self.reader, self.game.dice, lambda d: d.id, "the dice")
        for box in self.game.boxes:
            self._side(box, box.side)
        for deck in self.game.decks:
            self._side(deck, deck.side)
            kinds = sorted({m.kind for m in self.game.markers if m.kind})
            known(self.reader, deck, ("holds",), deck.holds, kinds, "kind of marker")
            held = [m for m in self.game.markers if m.kind == deck.holds and _has(m, deck.where)]
            if deck.holds in kinds and not held:
                self.reader.fault(deck, ("where",), f"no {deck.holds} marker has these values")
        for dice in self.game.dice:
            if dice.count < 1 or dice.sides < 2:
                self.reader.fault(dice, (), f"{dice.count}d{dice.sides} cannot be rolled", "1 die or more")

    # --- tables and options

    def tables(self) -> None:
        unique(self.reader, self.game.tables, lambda t: t.id, "the table")
        for table in self.game.tables:
            unique(self.reader, table.rows, lambda r: r.id, "the row")
            self._columns(table)
            if table.kind == "terrain-effects":
                self._terrain_rows(table)

    def every_terrain_has_a_row(self) -> None:
        """What no table of effects names would cost as clear ground does, and nobody would know."""
        tables = [table for table in self.game.tables if table.kind == "terrain-effects"]
        if not tables or not self.game.map.id or not all(self.reader.intact(t, "rows") for t in tables):
            return
        map_ = self.game.map
        rows = {row.id for table in tables for row in table.rows}
        kinds = (map_.terrain_kinds, map_.hexside_kinds, map_.line_kinds, map_.place_kinds)
        misspelled = rows - {kind.id for group in kinds for kind in group}  # told already
        used = sorted({kind.id for kind in map_.terrain_kinds} & set(map_.terrain.values()) - rows)
        if used and not misspelled:
            message = f"no row for {listing(used)}, which the map has"
            self.reader.fault(tables[0], ("rows",), message, "a row for each terrain of the map")

    def _columns(self, table: Table) -> None:
        if not self.reader.intact(table, "columns"):
            return
        seen: set[str] = set()
        for index, column in enumerate(table.columns):
            if column in seen:
                self.reader.fault(table, ("columns", index), f"the column {column!r} is here a second time")
            seen.add(column)
        for row in table.rows:
            if len(row.cells) != len(table.columns) and self.reader.intact(row, "cells"):
                message = f"row {row.id!r} has {len(row.cells)} cells, the table {len(table.columns)} columns"
                self.reader.fault(
                    row, ("cells",), message, f"a cell for each of {listing(table.columns, most=20)}"
                )

    def _terrain_rows(self, table: Table) -> None:
        map_ = self.game.map
        kinds = [
            k.id for k in (*map_.terrain_kinds, *map_.hexside_kinds, *map_.line_kinds, *map_.place_kinds)
        ]
        if not map_.id:
            return
        for row in table.rows:
            known(self.reader, row, ("id",), row.id, kinds, "terrain or hexside kind")
        mobilities = {t.mobility for t in self.game.unit_types}
        for index, column in enumerate(table.columns):
            mobility, at, season = column.partition("@")
            if not at:
                continue
            for word, names, what in (
                (mobility, mobilities, "mobility class"),
                (season, self.game.seasons, "season"),
            ):
                if word not in names:
                    self.reader.fault(
                        table,
                        ("columns", index),
                        f"there is no {what} {word!r}",
                        listing(sorted(names)),
                        nearest(word, names),
                    )

    def options(self) -> None:
        unique(self.reader, self.game.options, lambda o: o.id, "the option")
        for option in self.game.options:
            known(self.reader, option, ("default",), option.default, option.choices, "choice")

    def control_at_start(self) -> None:
        control, map_ = self.game.control_at_start, self.game.map
        if control is None or not map_.id:
            return
        self._side(control, control.otherwise, "otherwise")
        if not known(self.reader, control, ("grid",), control.grid, map_.grid, "grid") or not control.grid:
            return
        values = sorted(set(map_.grid[control.grid].values.values()))
        for value, side in control.sides.items():
            known(self.reader, control, ("sides", Key(value)), value, values, f"value of {control.grid}")
            known(self.reader, control, ("sides", value), side, self.side_ids, "side")

    def printed_sides(self) -> None:
        """Named sides are two, as counters have."""
        for kind in self.game.unit_types:
            if kind.sides and len(kind.sides) != 2:
                self.reader.fault(kind, ("sides",), "a counter has two sides", "two names: [Mobile, Firing]")

    def printing(self) -> None:
        """The words of `printing` are factors and traits of this game."""
        game, printing = self.game, self.game.printing
        factors = sorted({factor for kind in game.unit_types for factor in kind.factors})
        said = [*(kind.traits for kind in game.unit_types), *(c.traits for c in game.counters)]
        traits = sorted({trait for each in said for trait in each})
        if printing.boxed is not None:
            known(self.reader, printing, ("boxed",), printing.boxed, factors, "factor")
        for mark in printing.factors:
            known(self.reader, mark, ("trait",), mark.trait, traits, "trait")
            known(self.reader, mark, ("factor",), mark.factor, factors, "factor")
        if printing.band is not None:
            known(self.reader, printing.band, ("trait",), printing.band.trait, traits, "trait")
        for trait in printing.codes:
            known(self.reader, printing, ("codes", Key(trait)), trait, traits, "trait")

    def battle_plate(self) -> None:
        plate, map_ = self.game.battle_plate, self.game.map
        if plate is None:
            return
        if plate.rows is not None:
            known(self.reader, plate, ("rows",), plate.rows, self.game.table, "table")
        kinds = {
            "terrain": [kind.id for kind in map_.terrain_kinds],
            "places": [kind.id for kind in map_.place_kinds],
            "without": [kind.id for kind in map_.place_kinds],
        }
        sides = [kind.id for kind in map_.hexside_kinds]
        kinds |= dict.fromkeys(("across", "some_across", "none_across"), sides)
        kinds["areas"] = sorted({area.kind for area in map_.areas})
        factors = sorted({factor for kind in self.game.unit_types for factor in kind.factors})
        for name, factor in (("support", plate.support), ("close_support", plate.close_support)):
            if factor is not None:
                known(self.reader, plate, (name,), factor, factors, "factor")
        for half in plate.halved:
            for name in ("across", "places") if map_.id else ():
                for index, word in enumerate(getattr(half, name)):
                    known(self.reader, half, (name, index), word, kinds[name], "kind")
        for effect in plate.effects:
            self._side(effect, effect.attacker, "attacker")
            if effect.marker is not None:
                known(self.reader, effect, ("marker",), effect.marker, self.game.marker, "marker")
            for name, ids in kinds.items() if map_.id else ():
                for index, word in enumerate(getattr(effect, name)):
                    known(self.reader, effect, (name, index), word, ids, "kind")


def _has(marker: Marker, where: object) -> bool:
    assert hasattr(where, "items")
    return all(str(marker.values.get(name)) == value for name, value in where.items())
