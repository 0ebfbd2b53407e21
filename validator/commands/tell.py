"""`fieldpost tell`: a game as a story by turns, or its front as moving pictures."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from fieldpost.commands import options
from validator.commands.output import (
    add_json,
    answer,
    files_given,
    not_used,
    pictures_made,
    side_named,
    wanted,
)

if TYPE_CHECKING:
    from fieldpost.definition.model import Game
    from validator.audit.sources import Unusable
    from validator.tell.render import Telling
    from validator.tell.stills import Still

FORMATS = ("text", "markdown")


def configure(parser: argparse.ArgumentParser) -> None:
    options.example(
        parser,
        "tell our-game/",
        "tell our-game/ --turn 23 --side soviet",
        "tell our-game/ --animate front.gif",
    )
    parser.add_argument(
        "path",
        type=Path,
        nargs="+",
        help="logs, turn sheets, folders, zips, mails or mailboxes of one game; - is standard input",
    )
    options.add_wanted(parser, "the files do not say it")
    parser.add_argument("--turn", type=int, metavar="N", help="only this turn")
    parser.add_argument("--side", help="only what this side did or suffered")
    options.add_view(parser)
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--format", choices=FORMATS, default="text", help="how it is written")
    add_json(forms)
    parser.add_argument(
        "--animate", type=Path, metavar="FILE", help="instead, the front as moving pictures: .gif or .webp"
    )


def run(arguments: argparse.Namespace) -> int:
    with files_given(arguments):
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from validator.audit.summary import unusable_data
    from validator.commands import any_game
    from validator.tell import film, from_files, render

    if arguments.animate:
        film.form_of(arguments.animate)  # before the work begins
    try:
        telling, stills, spoiled = _telling(arguments)
    except from_files.ForeignGame as foreign:
        return any_game.tell(arguments, foreign.items, foreign.unusable)
    if arguments.animate:
        _animate(arguments, telling, stills)
    else:
        answer(
            arguments,
            lambda: render.data(telling) | {"unusable": unusable_data(spoiled)},
            lambda: str(getattr(render, arguments.format)(telling)),
        )
    if not arguments.json:
        not_used(spoiled)
    return 2 if spoiled else 0


def _telling(arguments: argparse.Namespace) -> tuple[Telling, list[Still], list[Unusable]]:
    from validator.tell import from_files
    from validator.tell.chronicle import chronicle
    from validator.tell.places import Gazetteer
    from validator.tell.render import Telling
    from validator.tell.stills import Camera

    chain, spoiled = from_files.read(arguments.path, wanted(arguments))
    turn = chain.entries[0].turn
    parts = [(entry.start, entry.events, from_files.remark_before(chain, entry)) for entry in chain.entries]
    camera = Camera()
    tale = chronicle(turn.game, Gazetteer(turn.game.map), parts, camera if arguments.animate else None)
    _check_choice(arguments, turn.game, [told.number for told in tale.turns])
    telling = Telling(turn.game, turn.scenario, tale, arguments.turn, arguments.side)
    return telling, camera.stills, spoiled


def _animate(arguments: argparse.Namespace, telling: Telling, stills: list[Still]) -> None:
    from validator.tell import film

    chosen = [still for still in stills if arguments.turn in (None, still.turn)]
    count = film.make(arguments.animate, telling.game, telling.scenario, chosen)
    pictures_made(arguments, arguments.animate, count)


def _check_choice(arguments: argparse.Namespace, game: Game, turns: list[int]) -> None:
    from fieldpost.errors import FieldpostError

    arguments.side = side_named(game, arguments.side)
    if arguments.turn is not None and arguments.turn not in turns:
        listed = ", ".join(map(str, dict.fromkeys(turns))) or "none"
        raise FieldpostError(f"nothing is told of turn {arguments.turn}", f"Turns in these files: {listed}")
