"""What several commands ask and print in the same way."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fieldpost.commands import options
from fieldpost.errors import FieldpostError

if TYPE_CHECKING:
    from fieldpost.definition.model import Game
    from validator.audit.sources import Unusable
    from validator.services.turnfile import Wanted


POLICIES = ("replay", "dice-stand", "referee")


def add_json(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--json", action="store_true", help="answer for a program")


def add_judging(parser: argparse.ArgumentParser) -> None:
    """How a turn or a game is judged, and that the answer may be a reply."""
    options.add_choices(parser)
    parser.add_argument("--policy", choices=POLICIES, default="replay", help="what is done about a fault")
    parser.add_argument("--over", action="store_true", help="the last phase that is shown is over")
    parser.add_argument(
        "--reply", action="store_true", help="answer as text to paste into a mail; with --json, in it"
    )


def wanted(arguments: argparse.Namespace, **further: Any) -> Wanted:
    """What the user says of files that do not say it themselves."""
    from validator.services.turnfile import Wanted

    overlays = tuple(arguments.overlay)
    return Wanted(arguments.game, arguments.scenario, arguments.module, overlays, **further)


@contextmanager
def files_given(arguments: argparse.Namespace) -> Iterator[None]:
    """What comes from standard input is a file meanwhile."""
    from validator.services import missing_files

    missing_files.refuse_split_name(arguments.path)
    with ExitStack() as stack:
        arguments.path = [stack.enter_context(options.file_given(path)) for path in arguments.path]
        yield


def answer(
    arguments: argparse.Namespace, data: Callable[[], Any], text: Callable[[], str], *, ascii_: bool = True
) -> None:
    """For a program or for people. `text` ends its last line."""
    if arguments.json:
        print(json.dumps(data(), indent=1, ensure_ascii=ascii_))
    else:
        print(text(), end="")


def pictures_made(arguments: argparse.Namespace, file: Path, count: int) -> None:
    size = file.stat().st_size
    told = {"file": file.name, "pictures": count, "bytes": size}
    text = f"{file}: {count} pictures, {size / 1_000_000:.1f} MB"
    print(json.dumps(told) if arguments.json else text)


def not_used(unusable: Iterable[Unusable]) -> None:
    for item in unusable:
        print(f"Not used: {item.name}: {item.why}", file=sys.stderr)


ON_PAGES = "; on the page alone, else it shows those of the side whose log it is: text and JSON name all"
"""What the choice of a view means where a game's rules are known."""


def page_view(arguments: argparse.Namespace, game: Game) -> str | None:
    """The side with whose eyes a page is seen, if it was said."""
    if arguments.all_seen:
        return options.view(arguments)
    return side_named(game, arguments.view)


def side_named(game: Game, named: str | None) -> str | None:
    """As the game spells it; None if none is named."""
    from validator.sheet.tokens import however_spelled

    if named is None:
        return None
    sides = [side.id for side in game.sides]
    side = however_spelled(named, sides)
    if side is None:
        raise FieldpostError(f"there is no side {named!r}", f"Sides: {', '.join(sides)}")
    return side
