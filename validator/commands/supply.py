"""`fieldpost supply`: each unit's supply line at the end of a file, or as a scenario is set up."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

from fieldpost.commands.options import example
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex
from validator.commands import position_arguments
from validator.commands.output import answer, side_named
from validator.queries import answers
from validator.queries.answers import SupplyLine
from validator.queries.snapshot import Standing
from validator.report.describe import Namer
from validator.sheet.tokens import however_spelled, nearest

COLOURS = {
    "supplied": "#3d8b4f",
    "attenuated": "#8fae3a",
    "lack of supply": "#d9a21b",
    "out of supply": "#c0392b",
    "isolated": "#7d1f17",
}


def configure(parser: argparse.ArgumentParser) -> None:
    example(
        parser,
        "supply turn.vsav --side axis --picture axis.png",
        "supply --game wfm --scenario turning-point",
    )
    position_arguments.add_file(parser)
    parser.add_argument("--side", help="only the units of this side")
    parser.add_argument("--unit", action="append", default=[], help="only this unit; may be repeated")
    parser.add_argument("--wanting", action="store_true", help="only units that are not in supply")
    parser.add_argument("--picture", type=Path, metavar="OUT.png", help="draw the lines on the map")


def run(arguments: argparse.Namespace) -> int:
    stands = position_arguments.read(arguments)
    asked = _chosen(stands, answers.of(stands.game).supply(stands.case), arguments)
    lines = [line for line in asked if not (arguments.wanting and line.supplied)]
    namer = Namer(stands.game, stands.scenario)
    if arguments.picture is not None:
        draw(stands, lines, namer, arguments.picture)
    answer(
        arguments,
        lambda: data(stands, lines, namer),
        lambda: f"{text(stands, lines, namer, asked)}\n",
        ascii_=False,
    )
    return 0


def _chosen(stands: Standing, lines: list[SupplyLine], arguments: argparse.Namespace) -> list[SupplyLine]:
    side = side_named(stands.game, arguments.side)
    line_of = {line.unit: line for line in lines}
    units = [_unit(name, line_of) for name in arguments.unit] or line_of
    return [line for line in lines if side in (None, line.side) and line.unit in units]


def _unit(name: str, units: Mapping[str, SupplyLine]) -> str:
    unit = however_spelled(name, units)
    if unit is None:
        raise FieldpostError(f"{name!r} is no unit on the map", nearest(name, units))
    return unit


# --- text ----------------------------------------------------------------------------------------


def text(
    stands: Standing, lines: Sequence[SupplyLine], namer: Namer, asked: Sequence[SupplyLine] | None = None
) -> str:
    """`lines` are shown, `asked` are all that were asked about, and counted."""
    parts = [f"{stands.name}: turn {stands.case.turn}, {stands.phase_name}"]
    for side, group in groupby(lines if asked is None else asked, key=lambda line: line.side):
        units = list(group)
        wanting = sum(not line.supplied for line in units)
        counted = f"{len(units)} unit{'s' if len(units) > 1 else ''}"
        parts += ["", f"{namer.side(side)}: {wanting} of {counted} not in supply"]
        parts += _rows([line for line in lines if line.side == side], namer)
    return "\n".join(parts if len(parts) > 1 else [*parts, "", "no units"])


def _rows(lines: Sequence[SupplyLine], namer: Namer) -> list[str]:
    """In columns, wider than usual where a name or a status is long."""
    unit = max((len(line.unit) + 2 for line in lines), default=0)
    status = max((len(line.status) + 2 for line in lines), default=0)
    return [
        f"  {line.unit:<{max(unit, 10)}}{namer.hex(line.hex):<7}{line.status:<{max(status, 15)}}"
        f"{line.text}{_wrong(line)}"
        for line in lines
    ]


def _wrong(line: SupplyLine) -> str:
    """The marker stays for the turn, so it may differ from the supply now."""
    status = "out of supply" if line.status == "isolated" else line.status
    return "" if line.marked in ("", status) else f" (now marked {line.marked})"


def data(stands: Standing, lines: Sequence[SupplyLine], namer: Namer) -> dict[str, Any]:
    return {
        "file": stands.name,
        "game": stands.game.id,
        "scenario": stands.scenario.id,
        "turn": stands.case.turn,
        "phase": stands.case.phase,
        "units": [_unit_data(line, namer) for line in lines],
    }


def _unit_data(line: SupplyLine, namer: Namer) -> dict[str, Any]:
    return {
        "unit": line.unit,
        "side": line.side,
        "hex": namer.hex(line.hex),
        "status": line.status,
        "marked": line.marked,
        "by": line.by,
        "length": _number(line.length),
        "limit": _number(line.limit),
        "line": [namer.hex(h) for h in line.line],
        "text": line.text,
    }


def _number(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


# --- picture ---------------------------------------------------------------------------------------


def draw(stands: Standing, lines: Sequence[SupplyLine], namer: Namer, path: Path) -> None:
    picture = position_arguments.picture_around(
        stands, namer, {h for line in lines for h in (line.hex, *line.line)}
    )
    for line in lines:
        picture.trail(line.line, COLOURS[line.status])
    wanting = {line.unit: COLOURS[line.status] for line in lines if not line.supplied}

    def look(hex_: Hex, units: list[str]) -> position_arguments.Look:
        return units, next((wanting[unit] for unit in units if unit in wanting), position_arguments.PLAIN)

    position_arguments.put_units(stands, picture, look)
    picture.save(path)
