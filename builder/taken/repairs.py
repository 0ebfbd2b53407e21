"""Faults of a module that are mended when it is taken in. Each is said; no piece is lost or changed by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO

from lxml import etree

from builder.taken import standins
from fieldpost.errors import FieldpostError
from fieldpost.vassal import archive, codec, inspection, pieces, traits
from fieldpost.vassal.inspection import BROKEN, Inspection
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_map import UNSIZED
from fieldpost.vassal.module_pictures import picture_sizes
from fieldpost.vassal.module_pieces import Definition
from fieldpost.vassal.module_tree import parse
from fieldpost.vassal.pieces import TraitText

_PIECES = (".PieceSlot", ".CardSlot")
_MAPS = (".Map", ".PrivateMap", ".PlayerHand", ".WidgetMap")
_CONTAINER = "VASSAL.build.module.PrototypesContainer"
_PROTOTYPE = "VASSAL.build.module.PrototypeDefinition"
_NO_TRAITS = pieces.add(None, "piece;;;;", "null;0;0;;0")
_MOST_NAMED = 400
_DIGITS = 10
_MARKERS = ("placemark", "replace")
_GPID = 10
"""Which field of a marker's type is its id."""
_USUAL = ["null", "0", "0", "false", "", "", ""]
"""What older editors left away of a marker's type, from the fifth field on."""
_LEAST_FIELDS = _GPID + 1 - len(_USUAL)
_FILES = "Put yours into `files/` under the same name."


@dataclass
class Repairs:
    """What was mended and what stays broken, in sentences; `files` are to be put into the module.

    `mended` are the subjects of what was mended, with their kinds.
    """

    said: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    mended: set[tuple[str, str]] = field(default_factory=set)

    def say(self, kind: str, subjects: Iterable[str], text: str) -> None:
        """`{names}` in the text becomes the names of what was mended."""
        names = sorted(set(subjects))
        self.mended |= {(kind, name) for name in names}
        if names:
            shown = ", ".join(f"`{name}`" for name in names[:_MOST_NAMED])
            more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
            self.said.append(text.format(count=f"{len(names):,}", names=shown + more))


def mend(root: etree._Element, module: Module, stream: BinaryIO, name: str) -> Repairs:
    """Mend the tree of a build file; `module` and `stream` are the whole module as it is."""
    found = inspection.inspect_read(module, stream, name)
    made = Repairs()
    _pictures(found, stream, name, made)
    _prototypes(root, found, made)
    _ids(root, module, made)
    _setups(root, found, made)
    _stacks(root, found, made)
    stays = Counter[str]()
    for problem in found.problems:
        if problem.weight == BROKEN and (problem.kind, problem.subject) not in made.mended:
            stays[problem.kind] += problem.count
    if stays:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(stays.items()))
        made.left.append(f"more is broken and stays as it was, `fieldpost inspect` tells where: {kinds}")
    return made


def module_of(root: etree._Element, module: Module, name: str, files: Mapping[str, bytes]) -> Module:
    """The mended module; its boards are as large as the sheets that stand in for their pictures."""
    boards = [board for one in module.maps for board in one.boards]
    sizes = {board.image: board.size for board in boards if board.image and board.size != UNSIZED}
    sizes |= picture_sizes(BytesIO(archive.pack(files)), {board.image for board in boards if board.image})
    return Module.of(parse(etree.tostring(root), name), sizes, module.entries | files.keys())


# --- one after the other ---------------------------------------------------------------------------


def _subjects(found: Inspection, kind: str) -> set[str]:
    return {problem.subject for problem in found.problems if problem.kind == kind}


def _pictures(found: Inspection, stream: BinaryIO, name: str, made: Repairs) -> None:
    by_lower = {entry.lower(): entry for entry in found.module.entries}
    copied: list[str] = []
    for picture in filter(standins.is_file_name, sorted(_subjects(found, "picture-case"))):
        try:
            made.files[f"images/{picture}"] = archive.extract_one(
                stream, name, by_lower[f"images/{picture}".lower()]
            )
        except FieldpostError:
            continue
        copied.append(picture)
    made.say(
        "picture-case",
        copied,
        "pictures spelled otherwise than they are named: {count}, there a second time now: {names}",
    )
    sheets = standins.pictures(found.module, stream, name, _subjects(found, "missing-picture"))
    made.files |= {f"images/{picture}": sheet for picture, sheet in sheets.items()}
    text = "missing pictures: {count}, with a marked sheet in the place of each: {names}. "
    made.say("missing-picture", sheets, text + _FILES.replace("files/", "files/images/"))
    charts = standins.charts(_subjects(found, "missing-chart"))
    made.files |= charts
    files = [entry.removeprefix("images/") for entry in charts]
    made.say(
        "missing-chart",
        files,
        "missing charts: {count}, with a marked sheet in the place of each: {names}. " + _FILES,
    )


def _prototypes(root: etree._Element, found: Inspection, made: Repairs) -> None:
    names = {name for name in _subjects(found, "dangling-prototype") if name}
    if not names:
        return
    container = next(root.iter(_CONTAINER), None)
    if container is None:
        container = etree.SubElement(root, _CONTAINER)
    for name in sorted(names):
        element = etree.SubElement(container, _PROTOTYPE, {"name": name})
        element.text = _NO_TRAITS
    text = "prototypes in use that nobody defined: {count}, there now without traits: {names}"
    made.say("dangling-prototype", names, text)


def _ids(root: etree._Element, module: Module, made: Repairs) -> None:
    """A number of its own for each piece that has none or another's, as VASSAL's editor gives it.

    The pieces that place markers and replace traits make have ids of the same kind.
    """
    slots = [one for one in root.iter(etree.Element) if str(one.tag).endswith(_PIECES)]
    used = {_number(slot.get("gpid", "")) for slot in slots} | set(_ids_in_traits(module))
    following = _number(root.get("nextPieceSlotId", "0"))
    ids = _Ids(max(used | {following - 1, 0}) + 1)
    for slot in slots:
        slot.set("gpid", ids.own(slot.get("gpid", "")))
        slot.text = _with_ids(slot.text, ids)
    for prototype in root.iter(_PROTOTYPE):
        prototype.text = _with_ids(prototype.text, ids)
    if ids.given:
        numbers = f"{ids.first}" if ids.given == 1 else f"{ids.first} to {ids.free - 1}"
        made.said.append(f"pieces without an id (gpid) of their own: {ids.given:,}, now {numbers}")
    if slots and following < ids.free:
        root.set("nextPieceSlotId", str(ids.free))
        if not ids.given:
            text = f"the next new piece would have had the id {following}, which is in use: {ids.free} now"
            made.said.append(text)
    made.mended |= {("double-id", gpid) for gpid in ids.doubled}


class _Ids:
    """The first piece with an id keeps it; whatever needs one gets the next that is free."""

    def __init__(self, first: int) -> None:
        self.first = self.free = first
        self.known: set[int] = set()
        self.doubled: set[str] = set()

    @property
    def given(self) -> int:
        return self.free - self.first

    def own(self, gpid: str) -> str:
        number = _number(gpid)
        if number >= 0 and number not in self.known:
            self.known.add(number)
            return gpid
        if number >= 0:
            self.doubled.add(gpid)
        self.free += 1
        return str(self.free - 1)


def _number(gpid: str) -> int:
    return int(gpid) if gpid.isascii() and gpid.isdecimal() and len(gpid) < _DIGITS else -1


def _with_ids(text: str | None, ids: _Ids) -> str | None:
    """The text of a piece or prototype whose markers have ids; as it stands where it cannot be rewritten."""
    found = Definition.read((text or "").strip())
    if text is None or found is None or pieces.add(None, found.type, found.state) != text.strip():
        return text
    changed = tuple(_trait_with_id(trait, ids) for trait in found.traits)
    if changed == found.traits:
        return text
    made = Definition(changed, found.basic)
    return pieces.add(None, made.type, made.state)


def _trait_with_id(trait: TraitText, ids: _Ids) -> TraitText:
    fields = codec.decode(trait.type, ";")
    if fields[0] not in _MARKERS or codec.encode(fields, ";") != trait.type or len(fields) < _LEAST_FIELDS:
        return trait
    fields += _USUAL[len(fields) - _LEAST_FIELDS :] if len(fields) <= _GPID else []
    return trait._replace(
        type=codec.encode([*fields[:_GPID], ids.own(fields[_GPID]), *fields[_GPID + 1 :]], ";")
    )


def _ids_in_traits(module: Module) -> Iterator[int]:
    for _, definition in inspection.definitions(module):
        for trait in definition.traits:
            if trait.type.partition(";")[0] in _MARKERS:
                yield _number(traits.read(trait.type).text_of("gpid"))


def _setups(root: etree._Element, found: Inspection, made: Repairs) -> None:
    missing = _subjects(found, "missing-setup")
    titles = []
    for element in [one for one in root.iter(etree.Element) if str(one.tag).endswith(".PredefinedSetup")]:
        parent = element.getparent()
        if parent is not None and element.get("file") in missing and element.get("isMenu") != "true":
            titles.append(str(element.get("name", "")))
            parent.remove(element)
    made.say("missing-setup", titles, "set-ups whose files are missing: {count}, left out: {names}")
    made.mended |= {("missing-setup", file) for file in missing}


def _stacks(root: etree._Element, found: Inspection, made: Repairs) -> None:
    """A stack on a board that its map does not have stands on the map's board, if there is just one."""
    moved: dict[str, str] = {}
    for game_map in root.iter(etree.Element) if _subjects(found, "lost-stack") else ():
        if not str(game_map.tag).endswith(_MAPS):
            continue
        parts = list(game_map.iter(etree.Element))
        boards = [str(one.get("name")) for one in parts if str(one.tag).endswith(".Board")]
        for part in parts if len(boards) == 1 else ():
            board = part.get("owningBoard")
            if board and board != boards[0]:
                part.set("owningBoard", boards[0])
                moved[str(part.get("name", ""))] = str(board)
    text = "stacks and decks on a board that their map does not have: {count}, now on its one board: {names}"
    made.say("lost-stack", moved, text)
    made.mended |= {("lost-stack", board) for board in moved.values()}
