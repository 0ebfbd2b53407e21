"""A module written for 3.7 or 3.8, made fit for the 3.6 of the kit (see kit/DIFFERENCES.md)."""

from __future__ import annotations

import zipfile
from pathlib import Path

from lxml import etree

from tests.engine import samples

_YOUNG = ("pieceZoom2", "pieceZoom3", "zoomOn", "losThickness", "onlyReportChangedLocation")
_YOUNG_TURN = ("fwdOnly", "plusButtonSize", "turnButtonHeight")


def for_kit(source: Path, target: Path) -> Path:
    """Copy a module: an older version number, boards named where 3.6 needs it, no attribute 3.6 lacks."""
    with zipfile.ZipFile(source) as given, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for name in given.namelist():
            data = given.read(name)
            if name == "moduledata":
                data = _set_version(data)
            elif name == "buildFile.xml":
                data = _build_file(data)
            made.writestr(name, data)
    return target


def _set_version(moduledata: bytes) -> bytes:
    root = etree.fromstring(moduledata)
    version = root.find("VassalVersion")
    assert version is not None
    version.text = samples.ENGINE
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


def _build_file(data: bytes) -> bytes:
    root = etree.fromstring(data)
    root.set("VassalVersion", samples.ENGINE)
    for element in root.iter():
        for name in (*_YOUNG, *_YOUNG_TURN):
            element.attrib.pop(name, None)
    for game_map in root.iter(f"{samples.BUILD}Map"):
        first = next(game_map.iter(f"{samples.BUILD}map.boardPicker.Board"))
        for element in game_map.iter():
            if element.get("owningBoard") == "":
                element.set("owningBoard", first.get("name", ""))
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")
