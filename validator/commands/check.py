"""`fieldpost check`: what is illegal in a turn, by which rule, and why."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fieldpost.commands import options
from fieldpost.errors import FieldpostError
from validator.commands.output import ON_PAGES, add_json, add_judging, answer, page_view, wanted

TYPED = "The turn in your mail"

if TYPE_CHECKING:
    from validator.report.describe import Namer
    from validator.services.one_turn import Checked


def configure(parser: argparse.ArgumentParser) -> None:
    options.example(parser, "check turn.vlog", "check message.eml --reply", "check - < turn.txt")
    parser.add_argument(
        "file",
        type=Path,
        help="a log (.vlog), a turn sheet, or a mail (.eml) or zip with one in it; - is standard input",
    )
    parser.add_argument("others", type=Path, nargs="*", help=argparse.SUPPRESS)  # to say what is meant
    options.add_wanted(parser)
    parser.add_argument("--attachment", metavar="NAME", help="which turn, if a mail holds several")
    add_judging(parser)
    parser.add_argument(
        "--html", type=Path, metavar="OUT.html", help="write a page to step through, faults on the map"
    )
    options.add_view(parser, ON_PAGES)
    options.add_plain_map(parser)
    forms = parser.add_mutually_exclusive_group()
    add_json(forms)
    forms.add_argument("--junit", action="store_true", help="answer as JUnit XML")


def run(arguments: argparse.Namespace) -> int:
    from validator.services import missing_files

    missing_files.refuse_split_name([arguments.file, *arguments.others])
    if arguments.others:
        raise FieldpostError("a check is of one turn", "Several files of a game: fieldpost audit FILES")
    name = arguments.file.name
    try:
        with options.file_given(arguments.file) as arguments.file:
            return _run(arguments)
    except FieldpostError as error:
        if arguments.json:
            from validator.report import describe

            data = describe.unreadable_data(name, error)
            answer(arguments, lambda: data, str)
        elif arguments.reply:
            from validator.report import reply

            print(_in_your_mail(reply.unreadable(error), name), end="")
            return 2
        raise


def _run(arguments: argparse.Namespace) -> int:
    from validator.engine import ownrules
    from validator.report import describe, junit, text
    from validator.services import one_turn

    turn = wanted(arguments, attachment=arguments.attachment, own=ownrules.folder_of(arguments.game))
    checked = one_turn.check(arguments.file, turn, arguments.option, arguments.policy, over=arguments.over)
    namer = describe.Namer(checked.turn.game, checked.turn.scenario)
    report, name = checked.report, checked.turn.name
    if arguments.html:
        _write_page(arguments, checked)
    mail = arguments.file.name if arguments.file.name != name else ""
    reply = _reply(checked, namer, arguments.policy, mail) if arguments.reply else ""

    def data() -> dict[str, Any]:
        remarks = {"remarks": list(checked.turn.remarks)}
        return describe.report_data(report, namer, name) | remarks | ({"reply": reply} if reply else {})

    def words() -> str:
        if reply or arguments.junit:
            return reply or junit.render(report, namer, name)
        return text.render(report, namer, name, checked.turn.remarks, color=sys.stdout.isatty())

    answer(arguments, data, words)
    return 1 if report.verdict == "illegal" else 2 if report.broken else 0


def _reply(checked: Checked, namer: Namer, policy: str, mail: str) -> str:
    from validator.report import reply

    turn = checked.turn
    name = TYPED if turn.name.endswith(", text") else turn.name
    remarks = [_in_your_mail(remark.replace(turn.name, name), mail) for remark in turn.remarks]
    return reply.render(
        checked.report, namer, name, counts=turn.counts, policy=policy, remarks=remarks, typed=turn.typed
    )


def _in_your_mail(text: str, mail: str) -> str:
    """Without the name that the one who checks gave the file."""
    return text.replace(f"{mail}, text", TYPED).replace(mail, "your mail") if mail else text


def _write_page(arguments: argparse.Namespace, checked: Checked) -> None:
    from validator.report import html
    from validator.report.html import built, pictures

    turn = checked.turn
    chapter = html.Chapter(turn.name, turn.start, turn.events, checked.report, turn.concealed)
    drawn = pictures.find(turn.game, arguments.module, arguments.file)
    if drawn is None and not arguments.plain_map:
        drawn = built.pictures(turn.game)
    notes = [html.Note(remark, harmless=True) for remark in turn.remarks]
    view = page_view(arguments, turn.game) or turn.side
    page = html.render(turn.game, turn.scenario, [chapter], drawn, notes, view=view)
    html.write(arguments.html, page)
