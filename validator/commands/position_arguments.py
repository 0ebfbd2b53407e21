"""The arguments of commands that look at the end of a file, or at the set-up of a scenario."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fieldpost.commands import options
from fieldpost.hexes import Hex
from validator.commands.output import add_json, wanted
from validator.queries import snapshot
from validator.queries.snapshot import Standing
from validator.report.describe import Namer

if TYPE_CHECKING:
    from validator.report.picture import MapPicture

PLAIN = "#2d2a26"  # a ring that says nothing
Look = tuple[list[str], str]


def add_file(parser: argparse.ArgumentParser) -> None:
    """A file, or instead of one a scenario."""
    text = "a log, a save or a turn sheet (- is standard input); without one, the set-up of --scenario"
    parser.add_argument("file", type=Path, nargs="?", help=text)
    options.add_wanted(parser)
    options.add_choices(parser)
    add_json(parser)


def picture_around(standing: Standing, namer: Namer, seen: Iterable[Hex]) -> MapPicture:
    """The map where these hexes lie."""
    from validator.report.hexsheet import around
    from validator.report.picture import MapPicture

    area = around(seen, standing.hexes, standing.game.map.lattice.orientation)
    return MapPicture(standing.case.position, namer, area)


def put_units(standing: Standing, picture: MapPicture, look: Callable[[Hex, list[str]], Look]) -> None:
    """The units of each hex that is shown: in what order they are named, and in what ring they stand."""
    position, shown = standing.case.position, set(picture.hexes)
    colours = {side.id: side.color for side in standing.game.sides}
    for hex_ in sorted(shown.intersection(position.occupied())):
        units = position.at(hex_)
        names, ring = look(hex_, [unit.id for unit in units])
        picture.unit(hex_, names, colours[units[0].side], ring)


def read(arguments: argparse.Namespace) -> Standing:
    if arguments.file is None:
        return snapshot.read(wanted(arguments), arguments.option, None)
    with options.file_given(arguments.file) as file:
        return snapshot.read(wanted(arguments), arguments.option, file)
