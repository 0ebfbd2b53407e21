"""`fieldpost supply`: each unit's supply line at the end of a file, or as a scenario is set up."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

from fieldpost.errors import FieldpostError
from validator.commands import standing
from validator.queries import answers
from validator.queries.answers import SupplyLine
from validator.queries.snapshot import Standing
from validator.report.describe import Namer

COLOURS = {
    "supplied": "#3d8b4f",
    "attenuated": "#8fae3a",
    "lack of supply": "#d9a21b",
    "out of supply": "#c0392b",
    "isolated": "#7d1f17",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "example: fieldpost supply turn.vsav --side axis --picture axis.png\n"
        "         fieldpost supply --game wfm --scenario turning-point\n\n"
        f"{parser.epilog}"
    )
    standing.add_file(parser)
    parser.add_argument("--side", help="only the units of this side")
    parser.add_argument("--unit", action="append", default=[], help="only this unit; may be repeated")
    parser.add_argument("--wanting", action="store_true", help="only units that are not in supply")
    parser.add_argument("--picture", type=Path, metavar="OUT.png", help="draw the lines on the map")
    parser.add_argument("--json", action="store_true", help="answer for a program")


def run(arguments: argparse.Namespace) -> int:
    found = standing.read(arguments)
    asked = _chosen(found, answers.of(found.game).supply(found.case), arguments)
    lines = [line for line in asked if not (arguments.wanting and line.supplied)]
    namer = Namer(found.game, found.scenario)
    if arguments.picture is not None:
        draw(found, lines, namer, arguments.picture)
    if arguments.json:
        print(json.dumps(data(found, lines, namer), indent=1, ensure_ascii=False))
    else:
        print(text(found, lines, namer, asked))
    return 0


def _chosen(found: Standing, lines: list[SupplyLine], arguments: argparse.Namespace) -> list[SupplyLine]:
    sides = [side.id for side in found.game.sides]
    if arguments.side is not None and arguments.side not in sides:
        raise FieldpostError(f"there is no side {arguments.side!r}", f"Sides: {', '.join(sides)}")
    known = {line.unit for line in lines}
    for name in arguments.unit:
        if name not in known:
            raise FieldpostError(f"{name!r} is no unit on the map")
    return [
        line
        for line in lines
        if arguments.side in (None, line.side) and (not arguments.unit or line.unit in arguments.unit)
    ]


# --- text ----------------------------------------------------------------------------------------


def text(
    found: Standing, lines: Sequence[SupplyLine], namer: Namer, asked: Sequence[SupplyLine] | None = None
) -> str:
    """`lines` are shown, `asked` are all that were asked about, and counted."""
    parts = [f"{found.name}: turn {found.case.turn}, {found.phase_name}"]
    for side, group in groupby(lines if asked is None else asked, key=lambda line: line.side):
        units = list(group)
        wanting = sum(not line.supplied for line in units)
        counted = f"{len(units)} unit{'s' if len(units) > 1 else ''}"
        parts += ["", f"{namer.side(side)}: {wanting} of {counted} not in supply"]
        parts += [_row(line, namer) for line in lines if line.side == side]
    return "\n".join(parts if len(parts) > 1 else [*parts, "", "no units"])


def _row(line: SupplyLine, namer: Namer) -> str:
    return f"  {line.unit:<10}{namer.hex(line.hex):<7}{line.status:<15}{line.text}{_wrong(line)}"


def _wrong(line: SupplyLine) -> str:
    """The marker stays for the turn, so it may differ from the supply now."""
    status = "out of supply" if line.status == "isolated" else line.status
    return "" if line.marked in ("", status) else f" (now marked {line.marked})"


def data(found: Standing, lines: Sequence[SupplyLine], namer: Namer) -> dict[str, Any]:
    return {
        "file": found.name,
        "game": found.game.id,
        "scenario": found.scenario.id,
        "turn": found.case.turn,
        "phase": found.case.phase,
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


def draw(found: Standing, lines: Sequence[SupplyLine], namer: Namer, path: Path) -> None:
    from validator.report.picture import MapPicture, around

    position = found.case.position
    seen = {h for line in lines for h in (line.hex, *line.line)}
    area = around(seen, found.hexes, found.game.map.lattice.orientation)
    picture = MapPicture(position, namer, area)
    for line in lines:
        picture.trail(line.line, COLOURS[line.status])
    sides = {side.id: side.color for side in found.game.sides}
    shown = {line.unit: line for line in lines}
    for hex_ in sorted({h for h in position.occupied() if h in set(picture.hexes)}):
        units = position.at(hex_)
        worst = [shown[u.id].status for u in units if u.id in shown and not shown[u.id].supplied]
        ring = COLOURS[worst[0]] if worst else "#2d2a26"
        picture.unit(hex_, [unit.id for unit in units], sides[units[0].side], ring)
    picture.save(path)
