"""Art of one's own: every picture and XML file that a game names, looked at before anything is built."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from fieldpost.definition.artmodel import ArtFile, Card, CardDeck, FurtherMap, Hexes, Passed, Scan
from fieldpost.definition.artmodel import Squares as SquareGrid
from fieldpost.definition.files import GroupEntry, UnitEntry
from fieldpost.definition.model import Counter, Game, Marker, MarkerFace, UnitType
from fieldpost.definition.passed import PassedXml, XmlFault
from fieldpost.definition.problems import listing, nearest
from fieldpost.definition.reader import Key, Reader
from fieldpost.definition.references import known, unique
from fieldpost.definition.svg import SvgFault, svg_size
from fieldpost.hexes import HexError, Lattice, Layout
from fieldpost.hexes.fitting import Fitted, fit

FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".gif": "GIF", ".svg": "SVG"}
MOST_BYTES = 64_000_000
MOST_PIXELS, MOST_MAP_PIXELS = 16_000_000, 150_000_000
MOST_OFF = 0.15  # of a hex, how far an anchor may lie from the grid
MOST_STRETCHED = 0.08  # of a regular hex
MOST_CARDS = 500
MODULE_WINDOWS = ("Map", "Cups", "Cards")

Path_ = tuple[str | int, ...]


def check_art(reader: Reader, game: Game, folder: Path) -> tuple[dict[str, ArtFile], dict[str, bytes]]:
    """Note every fault with the reader; the pictures that can be used by their names, and XML by its part."""
    art = _Art(reader, game, folder)
    for owner, path, name, is_map in _pictures(reader):
        art.picture(owner, path, name, is_map)
    for counter in game.counters:
        art.steps(counter)
    for scan in reader.all(Scan):
        art.scan(scan)
    art.cards()
    art.maps()
    art.passed()
    return art.files, art.xml


def _pictures(reader: Reader) -> Iterator[tuple[object, Path_, str, bool]]:
    """Everything that names a picture, and whether that is a map's."""
    singles: list[tuple[type[object], str, bool]] = [
        (UnitType, "symbol_image", False),
        (GroupEntry, "symbol_image", False),
        (UnitEntry, "symbol_image", False),
        (MarkerFace, "image", False),
        (MarkerFace, "symbol_image", False),
        (Scan, "image", True),
        (CardDeck, "back", False),
        (Card, "image", False),
        (FurtherMap, "image", True),
    ]
    for kind, field, is_map in singles:
        for owner in reader.all(kind):
            name = getattr(owner, field)
            if name and reader.intact(owner, field):
                yield owner, (field,), name, is_map
    entries: list[GroupEntry | UnitEntry] = [*reader.all(GroupEntry), *reader.all(UnitEntry)]
    for entry in entries:
        for number, name in enumerate(entry.images):
            yield entry, ("images", number), name, False
    for passed in reader.all(Passed):
        for number, name in enumerate(passed.images):
            yield passed, ("images", number), name, True


class _Art:
    def __init__(self, reader: Reader, game: Game, folder: Path) -> None:
        self.reader, self.game, self.folder = reader, game, folder
        self.files: dict[str, ArtFile] = {}
        self.xml: dict[str, bytes] = {}

    # --- files

    def picture(self, owner: object, path: Path_, name: str, is_map: bool) -> None:
        if name in self.files:
            return
        file = self._file(owner, path, name, tuple(FORMATS))
        if file is None:
            return
        try:
            data = file.read_bytes()
            size = svg_size(data) if file.suffix.lower() == ".svg" else _size(data, file.suffix.lower())
        except (_Unreadable, SvgFault, OSError) as error:
            expected = getattr(error, "expected", None)
            self.reader.fault(owner, path, f"{name}: {error}", expected)
            return
        most = MOST_MAP_PIXELS if is_map else MOST_PIXELS
        if size[0] * size[1] > most:
            message = f"{name} has {size[0]} by {size[1]} pixels"
            self.reader.fault(owner, path, message, f"at most {most // 1_000_000} million: save it smaller")
            return
        from hashlib import sha256  # loads OpenSSL, which most games need not

        digest = sha256(data).hexdigest()
        self.files[name] = ArtFile(str(file), digest, *size, drawing=file.suffix.lower() == ".svg")

    def _file(self, owner: object, path: Path_, name: str, endings: tuple[str, ...]) -> Path | None:
        """A file of the game's folder, of one of these kinds."""
        fault = self.reader.fault
        if "\\" in name or name.startswith("/") or re.match(r"[A-Za-z]:", name):
            fault(owner, path, f"{name!r} is no path within the game's folder", "a path such as art/tank.png")
            return None
        file = self.folder / name
        root = os.path.realpath(self.folder)
        if not Path(os.path.realpath(file)).is_relative_to(root):
            fault(owner, path, f"{name!r} leads out of the game's folder", "a file beside game.yaml")
            return None
        if not file.is_file():
            there = [str(p.relative_to(self.folder)) for p in _files(self.folder, endings)]
            near = nearest(name, there)
            fault(owner, path, f"there is no file {name!r}", f"a file in {self.folder.name}/", near)
            return None
        if file.suffix.lower() not in endings:
            fault(owner, path, f"{name!r} is of no kind that can be used", listing(endings))
            return None
        if file.stat().st_size > MOST_BYTES:
            fault(owner, path, f"{name} is too large", f"at most {MOST_BYTES // 1_000_000} MB")
            return None
        return file

    # --- counters

    def steps(self, counter: Counter) -> None:
        if counter.images and len(counter.images) != len(counter.steps):
            count = len(counter.steps)
            self.reader.fault(
                counter,
                ("images",),
                f"{counter.id} has {count} printed step{'s' if count != 1 else ''} "
                f"and {len(counter.images)} image{'s' if len(counter.images) != 1 else ''}",
                "one image for each step, the full strength first",
            )

    # --- the map

    def scan(self, scan: Scan) -> None:
        lattice = self.game.map.lattice
        if lattice.sheets and self._anchors(scan, scan.anchors, lattice):
            self._hexes_on(scan, lattice)
        boxes, turns = [box.id for box in self.game.boxes], [str(turn) for turn in self.game.turn]
        for group, names, what in (("boxes", boxes, "box"), ("turns", turns, "turn")):
            for name, numbers in getattr(scan, group).items():
                known(self.reader, scan, (group, Key(name)), name, names, what)
                self._rectangle(scan, (group, name), numbers)

        missing = [turn for turn in turns if turn not in scan.turns]
        if scan.turns and missing:
            message = f"turn {missing[0]} has no place on the scan, others have"
            self.reader.fault(scan, ("turns",), message, "a place for every turn, or none for any")

    def _hexes_on(self, scan: Scan, lattice: Lattice) -> None:
        """The scan shows every hex of the map."""
        fitted, _ = fitted_anchors(scan.anchors, lattice)
        art = self.files.get(scan.image)
        if fitted is None or art is None:
            return
        for hex_ in sorted(self.game.map.hexes):
            x, y = fitted.center(hex_, lattice.orientation)
            if not (0 <= x < art.width and 0 <= y < art.height):
                message = f"hex {lattice.label(hex_)} would lie at {x:.0f}, {y:.0f}, outside the picture"
                wanted = (
                    f"a scan of all hexes of the terrain; this one has {art.width} by {art.height} pixels"
                )
                self.reader.fault(scan, ("anchors",), message, wanted)
                return

    def _rectangle(self, owner: object, path: Path_, numbers: tuple[int, ...]) -> None:
        if len(numbers) != 4 or min(numbers) < 0 or min(numbers[2:]) < 1:
            self.reader.fault(owner, path, "this is no rectangle", "[left, top, width, height] in pixels")

    def _anchors(self, owner: object, anchors: Mapping[str, tuple[int, ...]], lattice: Lattice) -> bool:
        """Whether they tell where the grid lies."""
        fitted, fault = fitted_anchors(anchors, lattice)
        if fault is not None:
            label, message, expected = fault
            path: Path_ = ("anchors",) if label is None else ("anchors", Key(label))
            self.reader.fault(owner, path, message, expected)
            return False
        assert fitted is not None
        if min(fitted.across, fitted.down) < 8:
            self.reader.fault(
                owner,
                ("anchors",),
                f"columns would lie {fitted.across:.1f} and rows {fitted.down:.1f} pixels apart",
                "pixels from the left and from the top, to the right and downwards",
            )
            return False
        for label, off in zip(anchors, fitted.errors, strict=True):
            if off > MOST_OFF * min(fitted.across, fitted.down):
                message = f"the centre of {label} lies {off:.0f} pixels from the grid that fits all of them"
                wanted = "the pixel of its centre, on a scan that is straight"
                self.reader.fault(owner, ("anchors", label), message, wanted)
                return False
        regular = Layout.regular(lattice.orientation, 100, 0, 0)
        stretched = fitted.across / fitted.down * regular.down_px / regular.across_px - 1
        if abs(stretched) > MOST_STRETCHED:
            message = (
                f"columns would lie {fitted.across:.0f} and rows {fitted.down:.0f} pixels apart: "
                f"hexes {abs(stretched):.0%} too {'wide' if stretched > 0 else 'high'}"
            )
            self.reader.fault(owner, ("anchors",), message, "the centres of hexes, as far apart as can be")
            return False
        return True

    # --- cards

    def cards(self) -> None:
        reader, decks = self.reader, self.game.card_decks
        unique(reader, decks, lambda deck: deck.id, "the deck of cards")
        unique(reader, [card for deck in decks for card in deck.cards], lambda card: card.id, "the card")
        for deck in decks:
            if len(deck.size) != 2 or not all(40 <= side <= 1200 for side in deck.size):
                reader.fault(deck, ("size",), "a card cannot be so large", "[width, height], each 40 to 1200")
            if not deck.cards and reader.intact(deck, "cards"):
                reader.fault(deck, ("cards",), "there are no cards", "at least one card")
            for card in deck.cards:
                if not 1 <= card.count <= MOST_CARDS:
                    reader.fault(card, ("count",), f"{card.count} cannot be", f"1 to {MOST_CARDS}")

    # --- further maps

    def maps(self) -> None:
        maps = self.game.maps
        unique(self.reader, maps, lambda map_: map_.id, "the map")
        for map_ in maps:
            if map_.name in MODULE_WINDOWS or [other.name for other in maps].count(map_.name) > 1:
                self.reader.fault(map_, ("name",), f"another window is named {map_.name!r}", "another name")
            if map_.id in [box.id for box in self.game.boxes]:
                self.reader.fault(map_, ("id",), f"a box has the id {map_.id!r} already")
            if sum(map(bool, (map_.hexes, map_.squares, map_.areas))) > 1:
                self.reader.fault(map_, (), "a map has hexes, squares or areas", "one of the three")
            if map_.width is not None and not 40 <= map_.width <= 12_000:
                self.reader.fault(map_, ("width",), f"{map_.width} pixels cannot be", "40 to 12000")
            self._grid(map_)

    def _grid(self, map_: FurtherMap) -> None:
        if isinstance(map_.hexes, Hexes):
            self._anchors(
                map_.hexes, map_.hexes.anchors, Lattice(map_.hexes.orientation, (map_.hexes.sheet,))
            )
        if isinstance(map_.squares, SquareGrid):
            squares = map_.squares
            if not (1 <= squares.columns <= 200 and 1 <= squares.rows <= 200 and squares.size >= 8):
                self.reader.fault(
                    squares, (), "such squares cannot be laid", "1 to 200 columns and rows, size: 8 or more"
                )
        for name, corners in map_.areas.items():
            if len(corners) < 6 or len(corners) % 2:
                self.reader.fault(map_, ("areas", name), "this is no area", "x, y of three corners or more")

    # --- XML

    def passed(self) -> None:
        passed = self.game.vassal
        names: list[str] = []
        for part in ("prototypes", "module", "map"):
            name = getattr(passed, part)
            file = self._file(passed, (part,), name, (".xml",)) if name else None
            if file is None:
                continue
            data = file.read_bytes()
            try:
                found = PassedXml.read(data, part)
            except XmlFault as error:
                line = f" line {error.line}:" if error.line else ""
                self.reader.fault(passed, (part,), f"{name}:{line} {error}", error.expected)
                continue
            self.xml[part] = data
            if part == "prototypes":
                names = list(found.prototypes)
        kinds: list[UnitType | Marker] = [*self.game.unit_types, *self.game.markers]
        for kind in kinds:
            for number, name in enumerate(kind.prototypes):
                known(self.reader, kind, ("prototypes", number), name, names, "prototype of your own")


Misfit = tuple[str | None, str, str | None]  # the label it is about, what is wrong, what was expected


def fitted_anchors(
    anchors: Mapping[str, tuple[int, ...]], lattice: Lattice
) -> tuple[Fitted | None, Misfit | None]:
    """The grid that fits the anchors of a picture, or what is wrong with them."""
    centers = []
    for label, point in anchors.items():
        try:
            hex_ = lattice.hex(label)
        except HexError:
            return None, (label, f"there is no hex {label!r}", "the label of a hex")
        if len(point) != 2:
            return None, (label, "this is no point", "[x, y] in pixels of the picture")
        centers.append((hex_, (float(point[0]), float(point[1]))))
    fitted = fit(lattice.orientation, centers)
    if fitted is None or not math.isfinite(fitted.across + fitted.down):
        wanted = "the centres of two hexes or more, far apart, neither in one column nor in one row"
        return None, (None, "these anchors do not tell where the grid lies", wanted)
    return fitted, None


def _files(folder: Path, endings: tuple[str, ...]) -> list[Path]:
    """Files that could have been meant; of a very large folder, some."""
    found = []
    for number, path in enumerate(folder.rglob("*")):
        if number > 5000:
            break
        if path.suffix.lower() in endings and path.is_file():
            found.append(path)
    return found


class _Unreadable(Exception):
    def __init__(self, message: str, expected: str | None = None) -> None:
        super().__init__(message)
        self.expected = expected


def _size(data: bytes, ending: str) -> tuple[int, int]:
    """Width and height of a picture, which must be what its name says and whole."""
    import io
    import warnings

    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data)) as picture:
                size, form = picture.size, picture.format
                picture.verify()
    except Exception as error:  # Pillow's formats raise many kinds
        raise _Unreadable(f"this is no picture that can be read ({type(error).__name__})") from error
    if form != FORMATS[ending]:
        raise _Unreadable(f"this is a picture of the kind {form}", f"the ending of a {form} file")
    return size
