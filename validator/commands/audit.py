"""`fieldpost audit`: a whole game, whatever order its logs are in."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fieldpost.commands import options
from validator.commands import many_games
from validator.commands.output import ON_PAGES, add_json, add_judging, answer, files_given, page_view, wanted

if TYPE_CHECKING:
    from fieldpost.definition.model import Game
    from validator.audit import Audit
    from validator.audit.sources import Unusable


def configure(parser: argparse.ArgumentParser) -> None:
    options.example(
        parser,
        "audit our-game/",
        "audit pbem.mbox --html game.html",
        "audit league/ --jobs 4 --out league.jsonl",
    )
    parser.add_argument(
        "path",
        type=Path,
        nargs="+",
        help="logs, turn sheets, folders, zips, mails (.eml), an mbox or a Maildir; - is standard input",
    )
    options.add_wanted(parser, "the files do not say it")
    add_judging(parser)
    parser.add_argument("--html", type=Path, metavar="OUT.html", help="write the whole game as a page")
    options.add_view(parser, ON_PAGES)
    parser.add_argument(
        "--secrets",
        action="store_true",
        help="after the game: open what was hidden and judge whether it stayed what it was; every side that "
        "hid something must agree, by its password or by a last log in which it hides nothing",
    )
    parser.add_argument(
        "--passwords",
        type=Path,
        metavar="FILE",
        help="with --secrets: a line SIDE=password for each side that agrees; - is standard input",
    )
    options.add_plain_map(parser)
    add_json(parser)
    many_games.configure(parser)


def run(arguments: argparse.Namespace) -> int:
    if many_games.wanted(arguments):
        return many_games.run(arguments)
    with files_given(arguments):
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from validator.audit import audit, game, mail_reply, sources, summary
    from validator.commands import any_game
    from validator.engine import ownrules

    files = wanted(arguments, own=ownrules.folder_of(arguments.game))
    items = list(sources.gather(arguments.path))
    if arguments.secrets:
        return any_game.open_secrets(arguments, items)
    audits, unusable = audit(items, files, arguments.option, arguments.policy, over=arguments.over)
    foreign, unusable = any_game.apart(unusable)
    if foreign and not audits:
        return any_game.audit(arguments, foreign, unusable)
    unusable += any_game.set_aside(foreign)
    if arguments.html:
        _write_pages(arguments, audits, unusable)
    reply = mail_reply.render(audits, unusable, arguments.policy) if arguments.reply else ""
    answer(
        arguments,
        lambda: summary.data(audits, unusable) | ({"reply": reply} if reply else {}),
        lambda: reply or summary.render(audits, unusable, color=sys.stdout.isatty()),
    )
    return game.status((each.verdict for each in audits), unusable)


def _write_pages(arguments: argparse.Namespace, audits: list[Audit], unusable: list[Unusable]) -> None:
    from fieldpost.errors import FieldpostError
    from validator.audit import game_pages
    from validator.report.html import built, pictures

    if not audits:
        raise FieldpostError("there is no game to show", "No turn of a game was found in these files.")

    def pictures_of(game: Game) -> pictures.ModulePictures | None:
        beside = pictures.find(game, arguments.module, arguments.path[0])
        return beside if beside is not None or arguments.plain_map else built.pictures(game)

    view = page_view(arguments, audits[0].game)
    game_pages.write(arguments.html, audits, unusable, pictures_of, view)
