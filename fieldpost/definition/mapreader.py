"""The files of a map to a `GameMap`."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable
from dataclasses import dataclass

from fieldpost.definition.atlas import Atlas
from fieldpost.definition.files import (
    AreaEntry,
    AreasFile,
    EdgeEntry,
    GridEntry,
    GridsFile,
    HexsidesFile,
    LinesFile,
    MapFile,
    PlacesFile,
)
from fieldpost.definition.mapmodel import Area, GameMap, Grid, Kind, Line, MapEdge, Place, Reason, SideRun
from fieldpost.definition.problems import listing
from fieldpost.definition.reader import Key, Reader
from fieldpost.definition.references import known, unique
from fieldpost.hexes import Cell, Hex, Lattice, from_cell, to_cell

NO_HEX = "_"


@dataclass(frozen=True)
class MapFiles:
    """What the files of a map hold; those that are missing or cannot be read are None."""

    map: MapFile | None
    grids: GridsFile | None
    places: PlacesFile | None = None
    hexsides: HexsidesFile | None = None
    lines: LinesFile | None = None
    areas: AreasFile | None = None


def link_map(reader: Reader, files: MapFiles) -> tuple[GameMap | None, Atlas | None]:
    """The map, and the atlas that reads labels on it. Faults are noted with the reader."""
    if files.map is None or not reader.intact(files.map, "sheets", "orientation"):
        return None, None
    for kinds in ("terrain_kinds", "hexside_kinds", "line_kinds", "place_kinds"):
        unique(reader, getattr(files.map, kinds), lambda k: k.id, "the kind")
    if not _sheets_hold(reader, files.map):
        return None, None
    atlas = Atlas(reader, Lattice(files.map.orientation, files.map.sheets))
    return _Linker(reader, files.map, files, atlas).link(), atlas


def _sheets_hold(reader: Reader, file: MapFile) -> bool:
    unique(reader, file.sheets, lambda s: s.id, "the sheet")
    if not file.sheets:
        reader.fault(file, ("sheets",), "a map needs a sheet", "at least one sheet with its numbering")
        return False
    sound = True
    for sheet in file.sheets:
        for name in ("columns", "rows"):
            axis = getattr(sheet, name)
            if axis.step not in (1, -1):
                reader.fault(sheet, (name, "step"), f"numbers cannot go by {axis.step}", "1 or -1")
                sound = False
            if axis.low is not None and axis.high is not None and axis.low > axis.high:
                reader.fault(sheet, (name, "low"), f"low {axis.low} is above high {axis.high}")
                sound = False
            if not 1 <= axis.digits <= 6:
                reader.fault(sheet, (name, "digits"), f"{axis.digits} digits cannot be", "1 to 6")
                sound = False
            if axis.letters and (axis.low is None or axis.low < 1):
                reader.fault(sheet, (name,), "letters begin with 1 = A", "low: 1 or more")
                sound = False
    return sound


class _Linker:
    def __init__(self, reader: Reader, file: MapFile, files: MapFiles, atlas: Atlas) -> None:
        self.reader = reader
        self.file = file
        self.files = files
        self.atlas = atlas

    def link(self) -> GameMap | None:
        grids = self._grids()
        terrain = next((g for g in grids if g.id == "terrain"), None)
        if terrain is None or not terrain.values:
            return None
        self.atlas.on_map = frozenset(terrain.values)
        for grid in grids:
            self._inside(grid)
        file = self.file
        return GameMap(
            id=file.id,
            title=file.title,
            lattice=self.atlas.lattice,
            hex_km=file.hex_km,
            north_degrees=file.north_degrees,
            terrain_kinds=file.terrain_kinds,
            hexside_kinds=file.hexside_kinds,
            line_kinds=file.line_kinds,
            place_kinds=file.place_kinds,
            grids=tuple(grids),
            places=tuple(self._places()),
            side_runs=tuple(self._side_runs()),
            lines=tuple(self._lines()),
            areas=tuple(self._areas()),
            edges=tuple(self._edges()),
            half_hexes=frozenset(self.atlas.hexes(file, ("half_hexes",), file.half_hexes)),
            unplayable=frozenset(self.atlas.hexes(file, ("unplayable",), file.unplayable)),
            scan=file.scan,
            credits=file.credits,
            provenance=file.provenance,
        )

    # --- grids

    def _grids(self) -> list[Grid]:
        file = self.files.grids
        if file is None:
            return []
        unique(self.reader, file.grids, lambda g: g.id, "the grid")
        if self.reader.intact(file, "grids") and not any(g.id == "terrain" for g in file.grids):
            self.reader.fault(file, ("grids",), "there is no grid 'terrain'", "a grid with id: terrain")
        return [grid for entry in file.grids if (grid := self._grid(entry)) is not None]

    def _grid(self, entry: GridEntry) -> Grid | None:
        if not self.reader.intact(entry, "key", "rows"):
            return None
        self._check_key(entry)
        values = self._cells(entry)
        if not values:
            self.reader.fault(entry, ("rows",), "this grid has no hex", "rows of letters")
        grid = Grid(entry.id, entry.source, values, self._because(entry), entry.note)
        self.reader.follow(grid, entry)
        return grid

    def _check_key(self, entry: GridEntry) -> None:
        kinds = [k.id for k in self.file.terrain_kinds]
        for letter, value in entry.key.items():
            if len(letter) != 1 or letter == NO_HEX or letter.isspace():
                self.reader.fault(
                    entry,
                    ("key", Key(letter)),
                    f"{letter!r} cannot stand for a hex",
                    "one letter or sign other than _",
                )
            if entry.id == "terrain":
                known(self.reader, entry, ("key", letter), value, kinds, "terrain kind")

    def _cells(self, entry: GridEntry) -> dict[Hex, str]:
        orientation, lattice = self.file.orientation, self.atlas.lattice
        terrain = entry.id == "terrain"  # every other grid has no hex that it has not
        values: dict[Hex, str] = {}
        rows, width = self._rows(entry)
        for row, letters in enumerate(rows):
            for column, letter in enumerate(letters.ljust(width)):  # what a short row lacks is there unread
                if letter == NO_HEX:
                    continue
                cell = Cell(column, row)
                if terrain and not any(s.covers(cell, orientation) for s in lattice.sheets):
                    self._row_fault(entry, row, column, f"no sheet covers raw column {column}, row {row}")
                    return values
                values[from_cell(cell, orientation)] = entry.key.get(letter, "")
        return values

    def _rows(self, entry: GridEntry) -> tuple[list[str], int]:
        """The rows of letters and how long they should be; a letter unknown is told once."""
        rows = entry.rows.rstrip("\n").split("\n")
        width = Tally(map(len, rows)).most_common(1)[0][0]
        for row, letters in enumerate(rows):
            if len(letters) != width:
                self._row_fault(entry, row, 0, f"this row has {len(letters)} hexes, others have {width}")
        counts = Tally("".join(rows))
        for letter in counts.keys() - entry.key.keys() - {NO_HEX}:
            row = next(index for index, letters in enumerate(rows) if letter in letters)
            more = f" (it stands in {counts[letter]} hexes)" if counts[letter] > 1 else ""
            message = f"the key has no {letter!r}{more}"
            self._row_fault(entry, row, rows[row].index(letter), message, listing(entry.key))
        return rows, width

    def _row_fault(
        self, entry: GridEntry, row: int, column: int, message: str, expected: str | None = None
    ) -> None:
        source, node = self.reader.place(entry, "rows")
        line, indent = source.block_line(node, row)
        source.at((line, indent + column), message, expected)

    def _because(self, entry: GridEntry) -> dict[Hex, Reason]:
        reasons: dict[Hex, Reason] = {}
        for because in entry.because:
            self._needs_rule(because)
            reason = Reason(because.source, because.rule, because.note)
            reasons |= dict.fromkeys(self.atlas.hexes(because, ("hexes",), because.hexes), reason)
        return reasons

    def _inside(self, grid: Grid) -> None:
        on_map = self.atlas.on_map or frozenset()
        outside = [h for h in [*grid.values, *grid.because] if h not in on_map]
        if outside:
            label = self._label(outside[0])
            more = f" and {len(outside) - 1} more" if len(outside) > 1 else ""
            message = f"the grid {grid.id!r} has {label}{more}, which the terrain has not"
            self.reader.fault(grid, ("rows",), message)

    def _label(self, hex_: Hex) -> str:
        labels = self.atlas.lattice.labels(hex_)
        return labels[0] if labels else f"a hex on no sheet {tuple(to_cell(hex_, self.file.orientation))}"

    # --- features

    def _needs_rule(self, entry: object) -> None:
        nameless = getattr(entry, "source", None) == "rule" and not getattr(entry, "rule", None)
        if nameless and self.reader.intact(entry, "rule", "source"):
            self.reader.fault(entry, ("source",), "source: rule needs the rule", 'rule: "9.32"')

    def _kind(self, entry: object, kind: str, kinds: tuple[Kind, ...], what: str) -> None:
        known(self.reader, entry, ("kind",), kind, [k.id for k in kinds], what)

    def _places(self) -> Iterable[Place]:
        named: dict[tuple[Hex, str], int] = {}
        for entry in self.files.places.places if self.files.places else ():
            self._needs_rule(entry)
            self._kind(entry, entry.kind, self.file.place_kinds, "place kind")
            hex_ = self.atlas.hex(entry, ("hex",), entry.hex) if entry.hex else None
            if hex_ is None:
                continue
            line = self.reader.place(entry)[1].line + 1
            first = named.setdefault((hex_, entry.name + entry.kind), line)
            if first != line:
                self.reader.fault(entry, ("hex",), f"{entry.name} is in {entry.hex} already (line {first})")
            yield Place(
                hex_,
                entry.name,
                entry.kind,
                entry.source,
                entry.rule,
                entry.features,
                entry.values,
                entry.note,
            )

    def _side_runs(self) -> Iterable[SideRun]:
        for entry in self.files.hexsides.hexsides if self.files.hexsides else ():
            self._needs_rule(entry)
            self._kind(entry, entry.kind, self.file.hexside_kinds, "hexside kind")
            found = (self.atlas.hexside(entry, ("sides",), text) for text in entry.sides)
            sides = tuple(side for side in found if side is not None)
            yield SideRun(entry.kind, entry.name, entry.source, sides, entry.rule, entry.note)

    def _lines(self) -> Iterable[Line]:
        for entry in self.files.lines.lines if self.files.lines else ():
            self._needs_rule(entry)
            self._kind(entry, entry.kind, self.file.line_kinds, "line kind")
            hexes = self.atlas.way(entry, ("hexes",), self.atlas.split_way(entry.hexes))
            yield Line(entry.kind, entry.name, entry.source, hexes, entry.rule, entry.note)

    def _areas(self) -> Iterable[Area]:
        entries = self.files.areas.areas if self.files.areas else ()
        for entry in entries:
            self._needs_rule(entry)
            hexes = frozenset(self.atlas.hexes(entry, ("hexes",), entry.hexes))
            yield Area(entry.id, entry.name, entry.kind, entry.source, hexes, entry.rule, entry.note)

    def _edges(self) -> Iterable[MapEdge]:
        entries: tuple[EdgeEntry, ...] = self.files.areas.edges if self.files.areas else ()
        areas = self.files.areas.areas if self.files.areas else ()
        named: list[AreaEntry | EdgeEntry] = [*areas, *entries]
        unique(self.reader, named, lambda each: each.id, "the area or map edge")
        for entry in entries:
            self._needs_rule(entry)
            hexes = tuple(self.atlas.hexes(entry, ("hexes",), entry.hexes))
            yield MapEdge(entry.id, entry.name, hexes, entry.source, entry.side, entry.rule)
