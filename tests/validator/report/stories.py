"""A small made-up turn with findings, and a module with pictures for it."""

from __future__ import annotations

import io
import zipfile
from functools import cache
from pathlib import Path
from xml.sax.saxutils import quoteattr

from PIL import Image

from fieldpost.definition import load
from fieldpost.definition.model import Game, Scenario
from fieldpost.geometry import BOARD_PROPERTY, GAME_PROPERTY, Geometry
from fieldpost.hexes import Cell, Hex, Layout
from tests.engine import samples
from validator import sheet
from validator.model import position as positions
from validator.model.events import Event, Origin
from validator.model.findings import Fault, Finding, Report, Unchecked, Verdict
from validator.report.html import Chapter

SHEET = """game wfm turning-point
turn 22 sov-combat
say "The <b>first</b> snow </script> & more"
attack 65A x 4610 : 1d6=5 = D1
step 8AK 1>2 in 1
retreat 8AK+PzKG-4 4610-4611-4711
advance 65A 4510-4610
turn 22 sov-move
move 51A 5008-5109-5110 as march
mark 51A out-of-supply
place 2GdA 4309
turn 23 axis-move
move 51AK 4709-4710
remove 11AK to axis-returns
roll attrition 1d6=2
turn 23 axis-combat
attack 51AK x 4610 : 1d6=6 = D2
"""


@cache
def game() -> Game:
    return load("wfm")


@cache
def scenario() -> Scenario:
    return game().scenario["turning-point"]


def at(label: str) -> Hex:
    return game().map.lattice.hex(label, "E")


def events() -> list[Event]:
    return sheet.read(SHEET, lambda _: game(), "made-up.turn").events


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(SHEET.splitlines(), 1) if line.startswith(text))


def findings() -> tuple[Finding, ...]:
    path = [at(label) for label in ("5008", "5109", "5110")]
    steps = ["5008-5109 clear 1, leaving the zone of Ru7AK +3", "5109-5110 clear 1"]
    return (
        _finding("wfm-7.11", "attack 65A", "65A fights without a strength marker", 22, "sov-combat", "soviet",
                 units=("65A",), hexes=(at("4510"),)),
        _finding("wfm-5.11", "move 51A", f"51A: 5 MP needed, 3 available: {'; '.join(steps)}", 22, "sov-move",
                 "soviet", units=("51A",), hexes=(path[0], path[-1]),
                 evidence={"available": "3", "path": path, "steps": steps}),
        _finding("wfm-13.11", "place 2GdA", "2GdA is due in turn 23", 22, "sov-move", "soviet",
                 Verdict.WARNING, units=("2GdA",), hexes=(at("4309"),)),
        _finding("wfm-9.91", "turn 23 axis-combat", "51AK owes a step", 23, "axis-move", "axis",
                 Verdict.JUDGEMENT, units=("51AK",)),
    )  # fmt: skip


def _finding(
    rule: str,
    line: str,
    message: str,
    turn: int,
    phase: str,
    side: str,
    verdict: Verdict = Verdict.ILLEGAL,
    **details: object,
) -> Finding:
    fault = Fault(rule, message, verdict=verdict, **details)  # type: ignore[arg-type]
    origin = Origin("made-up.turn", line_of(line))
    return Finding(fault, f"What {rule} says.", origin, turn, phase, side, remedy="play it again")


def chapter(name: str = "made-up.turn") -> Chapter:
    report = Report("wfm", "turning-point", 11, findings(), (Unchecked("a battle without odds", 3),))
    return Chapter(name, positions.start(game(), scenario()), events(), report)


# --- a module -------------------------------------------------------------------------------------


def module(path: Path, *, hexes_px: int = 24, made_for: str = "wfm 0.1.0") -> Path:
    """With two boards, one of them too small for the scenario, and the counters of 65A and 51A."""
    area = game().map.area["turning-point"].hexes
    layout = Layout.regular(game().map.lattice.orientation, hexes_px, 0, 0)
    xs, ys = zip(*(layout.center(hex_) for hex_ in area), strict=True)
    left, top = hexes_px - min(xs), hexes_px - min(ys)
    size = (max(xs) + left + hexes_px, max(ys) + top + hexes_px)
    moved = Layout.regular(game().map.lattice.orientation, hexes_px, left, top)
    boxes = {"axis-returns": (2, 2, 60, 40)}
    geometry = Geometry(moved, Cell(0, 0), boxes).text()
    properties = {
        GAME_PROPERTY: made_for,
        f"{BOARD_PROPERTY}Front": geometry,
        f"{BOARD_PROPERTY}Corner": geometry,
    }
    parts = "".join(
        f"<{samples.BUILD}properties.GlobalProperty name={quoteattr(name)} initialValue={quoteattr(value)}/>"
        for name, value in properties.items()
    )
    boards = "".join(
        f'<{samples.BUILD}map.boardPicker.Board name="{name}" image="{image}"/>'
        for name, image in (("Front", "map-front.png"), ("Corner", "map-corner.png"))
    )
    properties_part = (
        f"<{samples.BUILD}properties.GlobalProperties>{parts}</{samples.BUILD}properties.GlobalProperties>"
    )
    samples.module(path, samples.map_component("Map", boards), properties_part)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("images/map-front.png", _png(size, "#88aa66"))
        archive.writestr("images/map-corner.png", _png((50, 50), "#aa3333"))
        for unit in ("65A", "51A"):
            archive.writestr(f"images/unit-{unit}-1.png", _png((75, 75), "#cc8833"))
    return path


def _png(size: tuple[int, int], color: str) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", size, color).save(data, "PNG")
    return data.getvalue()
