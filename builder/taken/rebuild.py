"""A folder that a module was taken into becomes a module again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from lxml import etree

from builder.taken import pieces, setups
from builder.taken.parts import FORMAT, MARK, said
from fieldpost.errors import FieldpostError
from fieldpost.progress import doing, track
from fieldpost.vassal import archive
from fieldpost.vassal.metadata import Metadata
from fieldpost.vassal.module import Module

MOST_BYTES = 64 << 20
FILES = ("module.yaml", "maps.yaml", "palettes.yaml", "prototypes.yaml")


@dataclass(frozen=True)
class Made:
    path: Path
    title: str
    version: str
    pieces: int
    setups: tuple[str, ...]
    size: int


def is_taken(folder: Path) -> bool:
    return (folder / "module.yaml").is_file() and (folder / "rest.xml").is_file()


def make(folder: Path, out: Path) -> Made:
    with doing("putting the module together"):
        entries: dict[int, dict[str, Any]] = {}
        for file in FILES:
            if (folder / file).is_file():
                entries |= {entry["part"]: entry for entry in _entries(_read(folder / file), file)}
        build_file = _build_file(folder, entries)
        head = _read(folder / "module.yaml")
        files = {str(head.get("build_file") or "buildFile.xml"): build_file}
        module = Module.parse(archive.pack(files | _pictures(folder)), "the module")
    metadata = Metadata(
        module=module.name, version=module.version, engine=module.engine, module_engine=module.engine
    )
    files |= {"moduledata": metadata.moduledata()} | _other_files(folder)
    files |= dict(_saves(folder, module, metadata))
    path = out / f"{_file_name(module.name) or 'module'}-{_file_name(module.version) or '1'}.vmod"
    with doing("packing the module"):
        archive.write_bytes(path, archive.pack(files))
    return Made(
        path,
        module.name,
        module.version,
        len(module.slots),
        tuple(setup.name for setup in module.setups),
        path.stat().st_size,
    )


def _file_name(text: str) -> str:
    """What a module calls itself, fit for a file's name: it must not lead out of the folder."""
    return re.sub(r"[^\w.]+", "-", text).strip("-.")[:60]


def _read(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise FieldpostError(f"{path}: larger than {MOST_BYTES:,} bytes")
        text = path.read_text(encoding="utf-8")
        found = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise FieldpostError(f"{path}{where}: no sound YAML", getattr(error, "problem", None)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise FieldpostError(f"{path}: cannot be read ({error})") from None
    except RecursionError:
        raise FieldpostError(f"{path}: nested too deep") from None
    if not isinstance(found, dict):
        raise FieldpostError(f"{path}: a list of settings was expected", "Take the module in anew.")
    if path.name == "module.yaml" and found.get("format") != FORMAT:
        raise FieldpostError(f"{path}: not of the format {FORMAT!r}", "Take the module in anew.")
    return found


def _entries(said_: dict[str, Any], file: str) -> Iterator[dict[str, Any]]:
    """Every component of a file, those in others among them."""
    todo = [entry for group in said_.values() if isinstance(group, list) for entry in group]
    while todo:
        entry = todo.pop()
        if not isinstance(entry, dict) or not isinstance(entry.get("part"), int):
            raise FieldpostError(f"{file}: an entry without its part", "Each entry says `part`: its number.")
        yield entry
        todo.extend(entry.get("holds") or ())


# --- the build file --------------------------------------------------------------------------------


def _build_file(folder: Path, entries: dict[int, dict[str, Any]]) -> bytes:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring((folder / "rest.xml").read_bytes(), parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        raise FieldpostError(f"{folder / 'rest.xml'}: no sound XML at line {line}, column {column}") from None
    for element in list(root.iter()):
        mark = element.attrib.pop(MARK, None) if isinstance(element.tag, str) else None
        if mark is None:
            continue
        entry = entries.get(int(mark)) if str(mark).isdecimal() else None
        if entry is None:
            _remove(element)  # its entry was taken out of the YAML
        else:
            _fill(element, entry)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def _remove(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is None:
        raise FieldpostError("module.yaml: the module itself is not said", "Take the module in anew.")
    parent.remove(element)


def _fill(element: etree._Element, entry: dict[str, Any]) -> None:
    row = said(str(element.tag))
    assert row is not None
    for attribute, word in row.settings.items():
        if word in entry:
            element.set(attribute, _text(entry[word]))
    if row.text == "line":
        element.text = _text(entry.get("name", ""))
    elif row.text == "piece":
        element.text = pieces.give(entry.get("piece") or {})


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


# --- files -----------------------------------------------------------------------------------------


def _pictures(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in _other_files(folder).items() if name.startswith("images/")}


def _other_files(folder: Path) -> dict[str, bytes]:
    top = folder / "files"
    found = sorted(path for path in top.rglob("*") if path.is_file() and not path.is_symlink())
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in found}


def _saves(folder: Path, module: Module, metadata: Metadata) -> Iterator[tuple[str, bytes]]:
    types = [setups.given_type(type) for type in _read(folder / setups.TYPES).get("types") or ()]
    scenarios = sorted((folder / "scenarios").glob("*.yaml"))
    for path in track(scenarios, len(scenarios), "set-ups"):
        scenario = _read(path)
        try:
            text = setups.give(scenario, module, types)
        except FieldpostError as error:
            raise FieldpostError(f"{path}: {error.message}", error.hint) from None
        except (KeyError, TypeError, AttributeError):
            raise FieldpostError(f"{path}: a piece without its id or type") from None
        yield (
            str(scenario.get("file") or f"{path.stem}.vsav"),
            archive.game_bytes(text, metadata, level=archive.QUICK),
        )
