"""`fieldpost inspect`: what is in a module, and what in it is broken or wasteful."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from fieldpost.commands.options import add_json, example, print_json
from fieldpost.phrases import count

if TYPE_CHECKING:
    from fieldpost.vassal.inspection import Inspection, Problem

_MOST = 12
_HEADINGS = {"broken": "Broken", "waste": "Wasteful", "hint": "Worth knowing"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("module", type=Path, help="a .vmod or .vmdx")
    parser.add_argument(
        "--html", type=Path, metavar="OUT.html", help="write a page: problems and what to do, maps, pieces"
    )
    add_json(parser)
    example(parser, "inspect game.vmod", "inspect game.vmod --html report.html")


def run(arguments: argparse.Namespace) -> int:
    from fieldpost.vassal import inspection, shown

    found = inspection.inspect(arguments.module)
    if arguments.html:
        from fieldpost import pages
        from fieldpost.vassal import inspection_page

        pages.write(arguments.html, inspection_page.render(found, arguments.module))
    if arguments.json:
        print_json(shown.data(found.data()))
    else:
        print(shown.text("\n".join(_lines(found))))
    return 1 if any(problem.weight == "broken" for problem in found.problems) else 0


def _lines(found: Inspection) -> Iterator[str]:
    data = found.data()
    yield f"{found.title} for VASSAL {found.module.engine or '?'}, {found.size / 1e6:.1f} MB"
    for one in data["maps"]:
        yield f"  map {one['name']}: {_boards(one)}"
    palettes = ", ".join(f"{name or 'elsewhere'} {pieces}" for name, pieces in data["palettes"].items())
    yield f"  {count(data['pieces'], 'piece')}: {palettes}" if palettes else "  no pieces"
    yield f"  {count(data['prototypes'], 'prototype')}, {count(data['pictures']['number'], 'picture')}"
    for key, noun in (("sides", "sides"), ("decks", "decks"), ("charts", "charts"), ("setups", "set-ups")):
        if data[key]:
            yield f"  {noun}: {_listed(data[key])}"
    if data["dice"]:
        yield f"  dice: {_listed([one['name'] for one in data['dice']])}"
    if data["turn_trackers"]:
        yield f"  turn trackers: {_listed(data['turn_trackers'])}"
    yield ""
    if not found.problems:
        yield "Nothing broken, nothing wasteful."
    for weight, problems in groupby(found.problems, key=lambda problem: problem.weight):
        yield f"{_HEADINGS[weight]}:"
        for _, alike in groupby(sorted(problems, key=_kind), key=_kind):
            yield from _problems(list(alike))


def _kind(problem: Problem) -> str:
    return problem.kind


def _problems(alike: list[Problem]) -> Iterator[str]:
    for problem in alike[:_MOST]:
        where = f"{problem.where}: " if problem.where else ""
        times = f" ({problem.count} times)" if problem.count > 1 else ""
        yield f"  {problem.kind}: {where}{problem.text}{times}"
    if len(alike) > _MOST:
        yield f"  {alike[0].kind}: and {len(alike) - _MOST} more"


def _boards(one: dict[str, object]) -> str:
    boards = one["boards"]
    assert isinstance(boards, list)
    if not boards:
        return "no boards"
    shown = [
        f"{board['name']} {board['width']} x {board['height']}, "
        + (
            f"{board['grid']}{'' if board['numbered'] else ' without numbers'}"
            if board["grid"]
            else "no grid"
        )
        for board in boards[:4]
    ]
    return "; ".join(shown) + (f"; {len(boards) - 4} more boards" if len(boards) > 4 else "")


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_MOST]) + (f" and {len(names) - _MOST} more" if len(names) > _MOST else "")
