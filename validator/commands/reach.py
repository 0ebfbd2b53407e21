"""`fieldpost reach`: where a unit may go, with costs; or whether it can get to one hex."""

from __future__ import annotations

import argparse
from itertools import groupby
from pathlib import Path
from typing import Any

from fieldpost.commands.options import example
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex, HexError
from validator.commands import position_arguments
from validator.commands.output import answer
from validator.core.explain import number
from validator.procedures.transport import SEA
from validator.queries import answers
from validator.queries.answers import Reach, Reached
from validator.queries.snapshot import Standing
from validator.report.describe import Namer
from validator.sheet.tokens import however_spelled

HERE = "#c0392b"
NEAR, FAR = (92, 160, 88), (214, 178, 74)  # the colours of the cheapest and the dearest hex


def configure(parser: argparse.ArgumentParser) -> None:
    example(
        parser,
        "reach turn.vsav 57PzK --to 5216",
        "reach turn.vsav 57PzK --picture reach.png",
        "reach 57PzK --game wfm --scenario turning-point",
    )
    position_arguments.add_file(parser)
    parser.add_argument("unit", help="the unit that is asked about")
    parser.add_argument("--mode", default="march", help="how it moves: march, sea ... (march)")
    parser.add_argument("--to", metavar="HEX", help="whether it can get to this hex, and how")
    parser.add_argument("--picture", type=Path, metavar="OUT.png", help="draw what it reaches on the map")


def run(arguments: argparse.Namespace) -> int:
    if arguments.file is None and Path(arguments.unit).is_file():
        raise FieldpostError("no unit is named", f"For example: fieldpost reach {arguments.unit} 57PzK")
    stands = position_arguments.read(arguments)
    able = answers.of(stands.game)
    if arguments.mode not in able.MODES:
        raise FieldpostError(f"no way of moving {arguments.mode!r}", f"There are: {', '.join(able.MODES)}")
    unit, target = _unit(stands, arguments.unit), _hex(stands, arguments.to)
    reach = able.reach(stands.case, unit, arguments.mode, target)
    namer = Namer(stands.game, stands.scenario)
    if arguments.picture is not None:
        draw(stands, reach, namer, arguments.picture)
    answer(
        arguments,
        lambda: data(stands, reach, namer),
        lambda: f"{text(stands, reach, namer)}\n",
        ascii_=False,
    )
    return 0


def _unit(stands: Standing, name: str) -> str:
    units = stands.case.position.units
    unit = however_spelled(name, units)
    if unit is None:
        from difflib import get_close_matches

        near = get_close_matches(name, units, n=3, cutoff=0.4)
        raise FieldpostError(f"there is no unit {name!r}", f"Near to it: {', '.join(near)}" if near else None)
    return unit


def _hex(stands: Standing, label: str | None) -> Hex | None:
    if label is None:
        return None
    try:
        return stands.game.map.lattice.hex(label, stands.scenario.sheet)
    except HexError as error:
        raise FieldpostError(f"there is no hex {label!r}", "Write it as it is printed: 5216.") from error


# --- text ----------------------------------------------------------------------------------------


def text(stands: Standing, reach: Reach, namer: Namer) -> str:
    head = (
        f"{reach.unit} in {namer.hex(reach.start)}, turn {reach.turn}, {namer.phase(reach.phase)}, "
        f"{reach.mode}"
    )
    if reach.reason:
        return f"{head}\n{reach.reason}"
    if reach.answer is not None:
        can = "can" if reach.answer.reached else "cannot"
        return f"{head}\n{can} reach {namer.hex(reach.answer.hex)}: {reach.answer.text}"
    hexes = "1 hex" if len(reach.hexes) == 1 else f"{len(reach.hexes)} hexes"
    title = f"{hexes}{_for_points(reach)}"
    rows = _rows([h for h in reach.hexes if not h.bonus], namer)
    for bonus, group in groupby((h for h in reach.hexes if h.bonus), key=lambda h: h.bonus):
        rows += [f"with {bonus}:", *_rows(list(group), namer)]
    if reach.targets:
        rows.append(f"by {reach.attack}:")
        rows += [
            f"  {number(target.cost):>6}: {namer.hex(target.hex)} from {namer.hex(target.start)}"
            for target in sorted(reach.targets, key=lambda target: (target.cost, target.hex))
        ]
    return "\n".join([head, title, *rows, *reach.leaves_out])


def _for_points(reach: Reach) -> str:
    if reach.mode == SEA:
        return ""
    if reach.budget < 1:
        return ", one hex away"
    return f" for up to {number(reach.budget)} {'point' if reach.budget == 1 else 'points'}"


def _rows(hexes: list[Reached], namer: Namer) -> list[str]:
    """A line for each price."""
    ordered = sorted(hexes, key=lambda h: (h.minimum, h.cost, h.hex))
    by_cost = groupby(ordered, key=lambda h: "1 hex" if h.minimum else number(h.cost))
    return [f"  {cost:>6}: {' '.join(namer.hex(h.hex) for h in group)}" for cost, group in by_cost]


def data(stands: Standing, reach: Reach, namer: Namer) -> dict[str, Any]:
    answer = reach.answer
    return {
        "file": stands.name,
        "game": stands.game.id,
        "scenario": stands.scenario.id,
        "turn": reach.turn,
        "phase": reach.phase,
        "unit": reach.unit,
        "hex": namer.hex(reach.start),
        "mode": reach.mode,
        "budget": str(reach.budget),
        "reason": reach.reason,
        "to": answer and {"hex": namer.hex(answer.hex), "reached": answer.reached, "text": answer.text},
        "hexes": [
            {
                "hex": namer.hex(h.hex),
                "cost": str(h.cost),
                "path": [namer.hex(p) for p in h.path],
                "minimum": h.minimum,
                "bonus": h.bonus,
            }
            for h in reach.hexes
        ],
        "targets": [
            {"hex": namer.hex(t.hex), "from": namer.hex(t.start), "cost": str(t.cost), "by": reach.attack}
            for t in reach.targets
        ],
        "leaves_out": list(reach.leaves_out),
    }


# --- picture ---------------------------------------------------------------------------------------


def draw(stands: Standing, reach: Reach, namer: Namer, path: Path) -> None:
    picture = position_arguments.picture_around(stands, namer, [reach.start, *(h.hex for h in reach.hexes)])
    dearest = max((h.cost for h in reach.hexes), default=reach.budget)
    for h in reach.hexes:
        share = float(h.cost / dearest) if dearest else 0.0
        picture.tint(h.hex, _between(share), number(h.cost))

    def look(hex_: Hex, units: list[str]) -> position_arguments.Look:
        ring = HERE if hex_ == reach.start else position_arguments.PLAIN
        return sorted(units, key=lambda name: name != reach.unit), ring

    position_arguments.put_units(stands, picture, look)
    picture.save(path)


def _between(share: float) -> str:
    mixed = (round(a + (b - a) * share) for a, b in zip(NEAR, FAR, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed) + "a0"
