"""One line of a typed turn changed as people and programs change it, in the form of each mail program.

The turn is judged as it was meant, or an error names the line: it is never judged without the line.
"""

from __future__ import annotations

import html
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fieldpost.errors import FieldpostError
from tests.validator.mail.messages import message, written
from validator import mail
from validator.model.events import Event, Origin
from validator.services import turnfile
from validator.services.turnfile import Wanted

TURN = [
    "game wfm turning-point",
    "",
    "turn 23 axis-move",
    "place 57PzK 5317",
    "move 57PzK 5317-5217-5117  # there is no enemy zone of control near it at all",
    "move 11AK 4611-4711-4811-4911",
    "move Ru5AK 4613-4612",
    "",
    "turn 23 axis-combat",
    "attack 51AK x 4708 : 1d6=5 = D1",
]
FILLED = [at for at, line in enumerate(TURN) if line and at]
QUOTED = [f"> {line}" for line in TURN[:4]]
OLDER = ["", "From: A. <a@example.org>", "Sent: Monday, 16 November 2026 20:00", "To: F. <f@example.org>", ""]


def of(lines: list[str]) -> list[Event]:
    found = turnfile.of_bytes("turn.txt", "\n".join(lines).encode(), Wanted())
    return [event.at(Origin()) for event in found.events]


MEANT = of(TURN)


def page(tag: str, between: str = "") -> Callable[[list[str]], bytes]:
    def made(lines: list[str]) -> bytes:
        body = between.join(f"<{tag}>{html.escape(line) or '&nbsp;'}</{tag}>" for line in lines)
        mailed = message("")
        mailed.set_content(f"<html><body>{body}</body></html>", subtype="html")
        return written(mailed)

    return made


def plain(lines: list[str]) -> bytes:
    return written(message("\n".join(lines)))


def flowed(lines: list[str]) -> bytes:
    made = message("\n".join(lines))
    made.set_param("format", "flowed")
    return written(made)


def broken_lines(lines: list[str]) -> bytes:
    made = message("")
    made.set_content("<div>" + "<br>".join(map(html.escape, lines)) + "</div>", subtype="html")
    return written(made)


FORMS: dict[str, Callable[[list[str]], bytes]] = {
    "plain": plain,
    "flowed": flowed,
    "paragraphs": page("p"),
    "Outlook": page("p class=MsoNormal", "\n"),
    "divs": page("div"),
    "breaks": broken_lines,
    "table": page("tr"),
    "signed": lambda lines: plain([*lines, "", "Cheers,", "F.", "-- ", "F. of the club"]),
    "phone": lambda lines: plain([*lines, "", "Sent from my iPhone"]),
    "answer": lambda lines: plain([*lines, *OLDER, *TURN[:4]]),
    "quoted": lambda lines: plain([*lines, "", "On Mon, Nov 16, 2026 F. wrote:", *QUOTED]),
    "list": lambda lines: plain([*lines, "_" * 47, "Consim mailing list", "https://lists.example.org/consim"]),
}  # fmt: skip


def typo(line: str, at: int, kind: str) -> str:
    verb, _, rest = line.partition(" ")
    at %= max(len(verb) - 1, 1)
    match kind:
        case "swapped":
            verb = verb[:at] + verb[at + 1] + verb[at] + verb[at + 2 :]
        case "left out":
            verb = verb[:at] + verb[at + 1 :]
        case "twice":
            verb = verb[:at] + verb[at] + verb[at:]
        case _:
            verb = verb[:at] + "q" + verb[at + 1 :]
    return f"{verb} {rest}"


def changed(how: str, number: int, at: int) -> list[str]:
    lines = list(TURN)
    line = lines[number]
    match how:
        case "capital":
            lines[number] = line[:1].upper() + line[1:]
        case "capitals":
            lines[number] = line.upper()
        case "empty line":
            lines.insert(number, "")
        case "divider":
            lines.insert(number, "--")
        case "joined":
            above = lines[number - 1]
            lines[number - 1 : number + 1] = [f"{above} {line}"] if above else [line]
        case "wrapped":
            words = line.split(" ")
            cut = 1 + at % max(len(words) - 1, 1)
            lines[number : number + 1] = [" ".join(words[:cut]), " ".join(words[cut:])]
        case "- " | "* " | "1. " | "2) " | "\u2022 ":
            lines[number] = how + line
        case "*" | "_" | "`":
            verb, _, rest = line.partition(" ")
            lines[number] = f"{how}{verb}{how} {rest}"
        case _:
            lines[number] = typo(line, at, how)
    return lines


HOW = ["capital", "capitals", "empty line", "divider", "joined", "wrapped", "swapped", "left out", "twice",
       "other", "- ", "* ", "1. ", "2) ", "\u2022 ", "*", "_", "`"]  # fmt: skip


def judged(data: bytes) -> list[Event]:
    files = mail.read(mail.parse(data), "it.eml").files
    own = [file for file in files if file.standing == "own"]
    if not own:
        raise FieldpostError("no turn in it")
    found = turnfile.of_bytes(own[0].name, own[0].data or b"", Wanted())
    return [event.at(Origin()) for event in found.events]


@pytest.mark.parametrize("form", FORMS)
def test_an_unchanged_turn_is_read_in_each_form(form: str) -> None:
    assert judged(FORMS[form](TURN)) == MEANT


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(FORMS)), st.sampled_from(HOW), st.sampled_from(FILLED), st.integers(0, 9))
def test_a_changed_line_is_read_as_meant_or_named(form: str, how: str, number: int, at: int) -> None:
    lines = changed(how, number, at)
    try:
        found = judged(FORMS[form](lines))
    except FieldpostError as error:
        said = error.message
    else:
        assert found == MEANT
        return
    assert "it.eml, text:" in said
