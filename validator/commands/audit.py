"""`fieldpost audit`: a whole game, whatever order its logs are in."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from fieldpost.commands import options
from validator.commands import many_games
from validator.commands.answering import answer
from validator.commands.check import POLICIES

if TYPE_CHECKING:
    from fieldpost.definition.model import Game
    from validator.audit import Audit
    from validator.audit.sources import Unusable


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "example: fieldpost audit our-game/\n"
        "         fieldpost audit pbem.mbox --html game.html\n"
        "         fieldpost audit league/ --jobs 4 --out league.jsonl\n\n"
        f"{parser.epilog}"
    )
    parser.add_argument(
        "path",
        type=Path,
        nargs="+",
        help="logs, turn sheets, folders, zips, mails (.eml), an mbox or a Maildir; - is standard input",
    )
    options.add_wanted(parser, "the files do not say it")
    options.add_choices(parser)
    parser.add_argument("--policy", choices=POLICIES, default="replay", help="what is done about a fault")
    parser.add_argument("--over", action="store_true", help="the last phase in the last file is over")
    parser.add_argument("--html", type=Path, metavar="OUT.html", help="write the whole game as a page")
    options.add_plain_map(parser)
    parser.add_argument("--json", action="store_true", help="answer for a program")
    parser.add_argument(
        "--reply", action="store_true", help="answer as text to paste into a mail; with --json, in it"
    )
    many_games.configure(parser)


def run(arguments: argparse.Namespace) -> int:
    if many_games.wanted(arguments):
        return many_games.run(arguments)
    with ExitStack() as stack:
        arguments.path = [stack.enter_context(options.file_given(path)) for path in arguments.path]
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from validator.audit import audit, game, replying, sources, telling
    from validator.commands import any_game
    from validator.engine import ownrules
    from validator.services.turnfile import Wanted

    own = ownrules.folder_of(arguments.game)
    wanted = Wanted(arguments.game, arguments.scenario, arguments.module, arguments.overlay, own=own)
    items = sources.gather(arguments.path)
    audits, unusable = audit(items, wanted, arguments.option, arguments.policy, over=arguments.over)
    foreign, unusable = any_game.apart(unusable)
    if foreign and not audits:
        return any_game.audit(arguments, foreign, unusable)
    unusable += any_game.set_aside(foreign)
    if arguments.html:
        _write_pages(arguments, audits, unusable)
    reply = replying.render(audits, unusable, arguments.policy) if arguments.reply else ""
    answer(
        arguments,
        lambda: telling.data(audits, unusable) | ({"reply": reply} if reply else {}),
        lambda: reply or telling.render(audits, unusable, color=sys.stdout.isatty()),
    )
    return game.status((each.verdict for each in audits), unusable)


def _write_pages(arguments: argparse.Namespace, audits: list[Audit], unusable: list[Unusable]) -> None:
    from fieldpost.errors import FieldpostError
    from validator.audit import paging
    from validator.report.html import built, pictures

    if not audits:
        raise FieldpostError("there is no game to show", "No turn of a game was found in these files.")

    def pictures_of(game: Game) -> pictures.ModulePictures | None:
        beside = pictures.find(game, arguments.module, arguments.path[0])
        return beside if beside is not None or arguments.plain_map else built.pictures(game)

    paging.write(arguments.html, audits, unusable, pictures_of)
