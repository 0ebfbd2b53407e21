"""A module taken apart into a folder: YAML for what can be said, its files, and rest.xml for what cannot."""

from __future__ import annotations

import re
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

import yaml
from lxml import etree

from builder.taken import confirm, game, hexes, pieces, repairs, setups
from builder.taken.game import Seen
from builder.taken.hexes import Hexes
from builder.taken.parts import FORMAT, MARK, said
from fieldpost import bounds
from fieldpost.errors import FieldpostError
from fieldpost.progress import doing, track
from fieldpost.vassal import archive, steps
from fieldpost.vassal.archive import ArchiveError
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_tree import ModuleError, parse

GROUPS = {
    "module": "module", "side": "sides", "map": "maps", "die": "dice", "turn track": "turns",
    "palette": "palettes", "prototype": "prototypes", "chart": "charts", "set-up": "set_ups",
}  # fmt: skip
OWN_FILE = {"maps": "maps.yaml", "palettes": "palettes.yaml", "prototypes": "prototypes.yaml"}
MOST_UNPACKED = 2 << 30
_LONG_NAME = 6
_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass
class Taken:
    """What was taken, in numbers, and what a person should look at."""

    folder: Path
    counts: Counter[str] = field(default_factory=Counter)
    confirm: list[str] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    repaired: list[str] = field(default_factory=list)


def take(path: Path, folder: Path, as_is: bool = False) -> Taken:
    """Take a module apart; the folder must not exist, or be empty. Nothing is left where that fails.

    What is broken is mended, unless it is to be taken as it is.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FieldpostError(f"{folder} exists already", "Choose a folder that does not exist yet.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (
        archive.opened(path) as stream,
        tempfile.TemporaryDirectory(dir=folder.parent, prefix=".import-") as beside,
    ):
        taken = _take(stream, path.name, Path(beside), Taken(folder), as_is)
        folder.mkdir(exist_ok=True)
        for made in Path(beside).iterdir():
            made.rename(folder / made.name)
    return taken


def _take(stream: BinaryIO, name: str, home: Path, taken: Taken, as_is: bool) -> Taken:
    """The module itself has the time of one file, and each of its set-ups, too."""
    started = time.process_time()
    with bounds.time_held():
        module = Module.parse_from(stream, name)
        if module.is_extension:
            raise FieldpostError(
                f"{name} is an extension of {module.name or 'a module'}, not a module",
                "Take the module in. `fieldpost inspect` looks into extensions, too.",
            )
        build_file = next(name for name in archive.BUILD_FILES if name in module.entries)
        root = _tree(archive.extract_one(stream, name, build_file), name)
        if not as_is:
            with doing("mending what is broken"):
                module = _mended(root, module, stream, name, home, taken)
        groups, rest = _apart(root, taken)
        board = hexes.find(module)
        guesses = list(_guesses(module))
        saves = {setup.file for setup in module.setups if setup.file}
        _write_files(stream, home, build_file, saves, taken)
    spent = time.process_time() - started
    seen = _write_setups(stream, name, module, board, home, saves, taken)
    with bounds.time_held(spent=spent):
        why_not = game.write(module, home, guesses, board, seen)
        _write_yaml(home, module, build_file, groups, guesses)
    (home / "rest.xml").write_bytes(rest)
    said = confirm.text(
        module, taken.folder.name, guesses, taken.repaired, taken.confirm, taken.passed, why_not
    )
    (home / "CONFIRM.md").write_text(said, encoding="utf-8", errors="backslashreplace")
    return taken


def _mended(
    root: etree._Element, module: Module, stream: BinaryIO, name: str, home: Path, taken: Taken
) -> Module:
    made = repairs.mend(root, module, stream, name)
    for entry, content in made.files.items():
        _write_file(home, entry, content)
    taken.counts["file"] += len(made.files)
    taken.repaired += made.said
    taken.confirm += made.left
    return repairs.module_of(root, module, name, made.files) if made.said else module


# --- the build file --------------------------------------------------------------------------------


def _tree(text: bytes, name: str) -> etree._Element:
    parse(text, name)  # refuses what is hostile
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    return etree.fromstring(text, parser)


def _apart(root: etree._Element, taken: Taken) -> tuple[dict[str, list[Any]], bytes]:
    """What is said of each component by groups, and the tree without it."""
    groups: dict[str, list[Any]] = {}
    numbers = iter(range(1, 10_000_000))
    todo: list[tuple[etree._Element, list[Any] | None]] = [(root, None)]
    while todo:
        element, around = todo.pop()
        row = said(element.tag)
        inner = around
        if row is None:
            taken.passed[element.tag.rpartition(".")[2]] += 1
        else:
            number = next(numbers)
            entry = _entry(element, number)
            taken.counts[row.kind] += 1
            group = GROUPS.get(row.kind)
            home = groups.setdefault(group, []) if group and (around is None or group != "charts") else around
            home = groups.setdefault("elsewhere", []) if home is None else home
            home.append(entry)
            inner = None if row.kind == "module" else entry.setdefault("holds", [])
        todo.extend((child, inner) for child in element.iterchildren(etree.Element, reversed=True))
    _prune(groups)
    return groups, etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def _entry(element: etree._Element, number: int) -> dict[str, Any]:
    """What is said of one component; it is taken out of the tree."""
    row = said(str(element.tag))
    assert row is not None
    entry: dict[str, Any] = {"part": number, "is": row.kind}
    for attribute, word in row.settings.items():
        if attribute in element.attrib:
            entry[word] = _value(str(element.attrib.pop(attribute)))
    if row.text == "line":
        entry["name"] = (element.text or "").strip()
        element.text = None
    elif row.text == "piece":
        entry["piece"] = pieces.take((element.text or "").strip())
        element.text = None
    element.set(MARK, str(number))
    return entry


def _value(text: str) -> str | int | bool:
    """Whole numbers and flags as such, where they come out the same."""
    if re.fullmatch(r"0|-?[1-9]\d{0,8}", text):
        return int(text)
    return text == "true" if text in ("true", "false") else text


def _prune(groups: dict[str, list[Any]]) -> None:
    todo = [entry for entries in groups.values() for entry in entries]
    while todo:
        entry = todo.pop()
        if not entry.get("holds"):
            entry.pop("holds", None)
        todo.extend(entry.get("holds", ()))


# --- files -----------------------------------------------------------------------------------------


def _write_files(stream: BinaryIO, folder: Path, build_file: str, saves: set[str], taken: Taken) -> None:
    """Pictures and all other files of the module, under names that stay inside the folder."""
    with zipfile.ZipFile(stream) as opened:
        names = [name for name in opened.namelist() if not name.endswith("/")]
    names = [name for name in names if name not in (build_file, "moduledata", *saves)]
    limits = archive.Limits(saved_game_bytes=archive.DEFAULT_LIMITS.file_bytes)
    left = MOST_UNPACKED
    each = zip(names, archive.extract_from(stream, "the module", names, limits), strict=True)
    for name, found in track(each, len(names), "files"):
        left -= len(found) if isinstance(found, bytes) else 0
        if left < 0:
            raise FieldpostError(f"the module unpacks to more than {MOST_UNPACKED >> 30} GB")
        if isinstance(found, ArchiveError):
            taken.confirm.append(f"{name} could not be read: {found.message}")
            continue
        _write_file(folder, name, found)
        taken.counts["file"] += 1


def _write_file(folder: Path, name: str, content: bytes) -> None:
    target = folder / "files" / PurePosixPath(name)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    except OSError as error:  # a folder of that name, a name too long
        raise FieldpostError(f"{name!r} of the module cannot be written: {error.strerror}") from None


def _write_setups(
    stream: BinaryIO,
    name: str,
    module: Module,
    board: Hexes | None,
    folder: Path,
    saves: set[str],
    taken: Taken,
) -> dict[str, Seen]:
    """What the set-ups tell by their names in the module; each has the time that a saved game may take."""
    titles = {setup.file: setup.name for setup in module.setups}
    seen: dict[str, Seen] = {}
    types: dict[str, int] = {}
    here = sorted(saves & set(module.entries))
    taken.confirm += [f"the set-up file {file} is missing" for file in sorted(saves - set(here))]
    each = zip(here, archive.extract_from(stream, name, here), strict=True)
    for file, found in track(each, len(here), "set-ups"):
        try:
            if isinstance(found, ArchiveError):
                raise found
            with bounds.time_held():
                saved = archive.member_of(found, file)
                text, left_over = setups.without_leftovers(saved.text or "")
                log = steps.of(replace(saved, text=text))
                scenario = {"format": FORMAT, "file": file, **setups.take(log, module, types)}
                _write_scenario(folder, file, scenario, taken)
                if left_over:
                    taken.confirm.append(f"{left_over:,} empty stacks are left out of {file}")
                if board is not None:
                    seen[titles[file] or file] = game.seen(log, module, board)
        except FieldpostError as error:
            taken.confirm.append(f"the set-up {file} is left out, it cannot be read: {error.message}")
    with bounds.time_held():
        said = {"format": FORMAT, "types": [setups.said_type(type) for type in types]}
        (folder / setups.TYPES).write_text(_dumped(said), encoding="utf-8")
    return seen


def _write_scenario(folder: Path, file: str, scenario: dict[str, Any], taken: Taken) -> None:
    target = folder / "scenarios" / f"{_slug(file)}.yaml"
    if target.exists():  # names that differ in other letters only
        target = target.with_stem(f"{target.stem}-{taken.counts['scenario'] + 1}")
    target.parent.mkdir(exist_ok=True)
    target.write_text(_dumped(scenario), encoding="utf-8")
    taken.counts["scenario"] += 1


def _slug(text: str) -> str:
    return _SLUG.sub("-", text.lower().removesuffix(".vsav")).strip("-") or "set-up"


def _write_yaml(
    folder: Path, module: Module, build_file: str, groups: dict[str, list[Any]], guesses: list[dict[str, Any]]
) -> None:
    head = {"format": FORMAT, "build_file": build_file}
    for group, file in OWN_FILE.items():
        if group in groups:
            (folder / file).write_text(_dumped({group: groups.pop(group)}), encoding="utf-8")
    (folder / "module.yaml").write_text(_dumped(head | groups), encoding="utf-8")
    (folder / "types.yaml").write_text(_dumped({"guessed_types": guesses}), encoding="utf-8")


def _dumped(value: object) -> str:
    text: str = yaml.dump(
        value,
        Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper),
        allow_unicode=True,
        sort_keys=False,
        width=110,
        default_flow_style=None,
    )
    return text


# --- guesses ---------------------------------------------------------------------------------------


def _guesses(module: Module) -> Iterator[dict[str, Any]]:
    """Pieces of the same prototypes and palette are of one type, until someone says else."""
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for slot in module.slots:
        if slot.definition is None:
            continue
        uses = tuple(
            trait.type.removeprefix("prototype;").split(";")[0]
            for trait in slot.definition.traits
            if trait.type.startswith("prototype;")
        )
        found.setdefault((" / ".join(slot.path[1:]), uses), []).append(slot.name)
    for (palette, uses), names in found.items():
        side = next((side for side in module.sides if _names_side(side, palette, uses)), None)
        yield {"palette": palette, "prototypes": list(uses), "side": side, "pieces": sorted(set(names))}


def _names_side(side: str, palette: str, uses: tuple[str, ...]) -> bool:
    """Prussia is the Prussian side; red is not reduced."""
    word = rf"\b{re.escape(side[:-2])}" if len(side) >= _LONG_NAME else rf"\b{re.escape(side)}(?![^\W_])"
    return any(re.search(word, text, re.IGNORECASE) for text in (palette, *uses))


__all__ = ["ModuleError", "Taken", "take"]
