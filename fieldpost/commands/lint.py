"""`fieldpost lint`: every fault of a definition, or the JSON Schema of its files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fieldpost.commands.options import add_json, add_overlays, example, overlays, print_json
from fieldpost.errors import FieldpostError

if TYPE_CHECKING:
    from fieldpost.definition import Game, Problem

SCHEMAS = (
    "game",
    "counters",
    "scenario",
    "map",
    "grids",
    "places",
    "hexsides",
    "lines",
    "areas",
    "rules",
    "overlay",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game",
        nargs="?",
        help="a game in the box or the folder of your own; without it every game in the box",
    )
    add_overlays(parser)
    add_json(parser)
    parser.add_argument(
        "--publish",
        action="store_true",
        help="also ask whether the module may be published (rights:)",
    )
    parser.add_argument(
        "--schema",
        choices=SCHEMAS,
        metavar="KIND",
        help=f"print the JSON Schema of a kind of file, for your editor: {', '.join(SCHEMAS)}",
    )
    example(
        parser,
        "lint wfm --overlay mine.yaml",
        "lint path/to/my-game",
        "lint --schema game > game.schema.json",
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.schema:
        from fieldpost.definition.schema import schema

        print_json(schema(arguments.schema))
        return 0
    if arguments.overlay and not arguments.game:
        raise FieldpostError("an overlay is of one game", "Name the game: fieldpost lint GAME --overlay FILE")
    from fieldpost.definition import games_in_the_box

    names = [arguments.game] if arguments.game else games_in_the_box()
    changes = overlays(arguments)
    results = [(name, *lint(name, changes, publish=arguments.publish)) for name in names]
    if arguments.json:
        print_json([_as_data(name, game, problems) for name, game, problems in results])
    else:
        for name, game, problems in results:
            print(_as_text(name, game, problems))
    return 2 if any(problems for _, _, problems in results) else 0


def lint(name: str, changes: list[Path], *, publish: bool = False) -> tuple[Game | None, tuple[Problem, ...]]:
    """The game, or its faults."""
    from fieldpost.definition import DefinitionError, load

    program = tuple(_own_rules(name))
    try:
        game = load(name, changes)
    except DefinitionError as error:
        return None, (*error.problems, *program)
    found = (*program, *(_rights(name, game) if publish else ()))
    return (None, found) if found else (game, ())


def _rights(name: str, game: Game) -> Iterator[Problem]:
    """What stands against publishing the module of a game."""
    from fieldpost.definition import Problem
    from fieldpost.definition.places import find

    path = find(name).game
    lines = path.read_text(encoding="utf-8").splitlines()
    line = next((number for number, text in enumerate(lines, 1) if text.startswith("rights:")), 1)
    text = lines[line - 1] if lines else ""
    if game.rights is None:
        message = "nothing says whose rights these are"
        expected = "rights: own, or rights: 'permission: who gave it, and when' (docs/rights.md)"
    elif not game.is_publishable:
        message = "the rights are others': this module is not to be published"
        expected = "ask the owner, then say: rights: 'permission: who gave it, and when' (docs/rights.md)"
    else:
        return
    yield Problem(path.name, line, 1, message, expected, text=text)


def _own_rules(name: str) -> Iterator[Problem]:
    """What is wrong with the `rules.py` of a game of one's own as a program; it is not run for that."""
    from fieldpost.definition import Problem
    from fieldpost.definition.places import find

    files = find(name)
    path = files.game.parent / "rules.py"
    if files.boxed or not path.is_file():
        return
    try:
        compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line, column = getattr(error, "lineno", 0) or 0, getattr(error, "offset", 1) or 1
        message = getattr(error, "msg", None) or str(error)
        text = (getattr(error, "text", None) or "").rstrip()
        yield Problem(path.name, line, max(column, 1), f"this is no Python: {message}", text=text)


def _as_data(name: str, game: Game | None, problems: tuple[Problem, ...]) -> dict[str, Any]:
    return {
        "game": game.id if game else name,
        "ok": game is not None,
        "problems": [asdict(p) for p in problems],
    }


def _as_text(name: str, game: Game | None, problems: tuple[Problem, ...]) -> str:
    if game is None:
        count = "one fault" if len(problems) == 1 else f"{len(problems)} faults"
        return "\n".join([*map(str, problems), f"{name}: {count}"])
    parts = [(game.map.hexes, "hexes"), (game.counters, "counters"), (game.tables, "tables")]
    counts = [f"{len(part)} {noun}" for part, noun in parts]
    scenarios = len(game.scenarios)
    counts.append(f"{scenarios} scenario{'' if scenarios == 1 else 's'}")
    return f"{name}: no faults ({', '.join(counts)})"
