"""Turn sheets typed into mails, as they arrive."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fieldpost.errors import FieldpostError
from validator.mail import body, page
from validator.services import turnfile
from validator.services.turnfile import Turnfile, Wanted
from validator.sheet import reader
from validator.sheet.written import HEADS

SHEET = ["game wfm turning-point", "", "turn 22 sov-move", "move 9A 6507-6607"]
FOOTERS = [
    ["Have a nice weekend", "", "Yours", "F."],
    ["Mark Smith"],
    ["Please let me know by Sunday, 20:00."],
    ["Tel. 0123 4567 89"],
    ["--", "Mark Move", "move away from here"],
    ["________________________________", "Consim mailing list", "https://lists.example.org/consim"],
    ["Sent from my iPhone"],
    ["This e-mail is confidential. If you have received it in error, please return it."],
    ["> On Monday you wrote:", "> move 28A 5405-5404"],
    ["On Mon, Nov 16, 2026 at 8:00 PM F. <f@example.org> wrote:", "> move 28A 5405-5404"],
    [
        "Von: F. <f@example.org>",
        "Gesendet: Montag, 16. November 2026 20:00",
        "",
        *SHEET,
        "move 28A 5405-5404",
    ],
    ["-----Ursprüngliche Nachricht-----", "", "move 28A 5405-5404"],
]


def read(*lines: str) -> Turnfile:
    return turnfile.of_bytes("it", "\n".join(lines).encode(), Wanted())


def lines(*text: str) -> list[str]:
    turn = body.turn("\n".join(text))
    return [line.text for line in turn.lines if line.text] if turn is not None else []


def test_the_heads_of_lines_are_those_that_are_read() -> None:
    assert set(HEADS) == set(reader.HEADS)


@pytest.mark.parametrize("below", FOOTERS, ids=lambda below: below[0])
def test_what_closes_a_mail_is_no_part_of_the_turn_and_is_counted(below: list[str]) -> None:
    turn = read("Dear friend,", "here is my turn.", "", *SHEET, "", *below)
    assert turn.events == read(*SHEET).events
    assert "3 lines of it are the turn. Not read as such: line" in " ".join(turn.remarks)


@pytest.mark.parametrize("below", [each for each in FOOTERS if each[0].startswith(("_", "Sent", "On"))])
def test_a_footer_stands_straight_below_too(below: list[str]) -> None:
    assert read(*SHEET, *below).events == read(*SHEET).events


@pytest.mark.parametrize("gap", [[], [""], ["--"], ["", "-- "], ["", "Cheers,", ""]], ids=str)
@pytest.mark.parametrize(
    "line", ["Move 28A 5405-5404", "- move 28A 5405-5404", "3) move 28A 5405-5404", "*move* 28A 5405-5404",
             "move 28A 5405\u20115404.", "MOVE 28A 5405\u21925404"],
)  # fmt: skip
def test_a_last_line_is_read_however_it_is_written(gap: list[str], line: str) -> None:
    if gap[1:2] == ["Cheers,"]:
        with pytest.raises(FieldpostError, match="verb"):
            read(*SHEET, *gap, line)
    else:
        assert read(*SHEET, *gap, line).events == read(*SHEET, "move 28A 5405-5404").events


@pytest.mark.parametrize("gap", [[], [""], ["--"]], ids=str)
@pytest.mark.parametrize(
    "line", ["mvoe 28A 5405-5404", "moev 28A 5405-5404", "28A 5405-5404", "Zug 28A 5405", "atack 28A x 5404",
             "delcare expend-depot", "declare expand-depot", "sya \"a word\"",
             "1d6=4 for 28A"],
)  # fmt: skip
def test_a_slip_in_the_last_line_is_an_error_that_names_it(gap: list[str], line: str) -> None:
    with pytest.raises(FieldpostError, match=f"it:{len(SHEET) + len(gap) + 1}:"):
        read(*SHEET, *gap, line)


def test_a_slip_in_the_middle_is_an_error() -> None:
    for slip in ("mvoe 28A 5405-5404", "and now the other wing", "Jim"):
        with pytest.raises(FieldpostError, match="it:6:"):
            read(*SHEET, "", slip, "", "move 24A 4511-4512")


def test_an_action_above_the_line_that_names_the_game_is_an_error() -> None:
    with pytest.raises(FieldpostError, match="names the game"):
        read("Dear friend,", "move 28A 5405-5404", *SHEET)


def test_a_turn_without_its_first_line_is_an_error_that_names_it() -> None:
    with pytest.raises(FieldpostError, match="names the game"):
        read("Dear friend,", "", *SHEET[2:])
    assert body.turn("turn 5 of our game\nwas fun") is None


def test_a_quoted_turn_is_not_judged_again() -> None:
    quoted = "\n".join(f"> {line}" for line in SHEET)
    assert body.turn(f"You wrote:\n{quoted}\nI agree.\n") is None
    assert [one.standing for one in body.found_in(f"You wrote:\n{quoted}\nI agree.\n")] == [body.IN_QUOTE]
    assert lines(*SHEET, "> move 3PzK 6407-6306", "move 24A 4511-4512")[-2:] == [
        "move 9A 6507-6607",
        "move 24A 4511-4512",
    ]


def test_an_older_turn_below_is_known_as_such() -> None:
    older = ["From: F. <f@example.org>", "Sent: Monday 20:00", "To: A. <a@example.org>", "", *SHEET]
    found = body.found_in("\n".join([*SHEET, "move 24A 4511-4512", "", *older]))
    assert [one.standing for one in found] == [body.OWN, body.IN_OLDER]
    (alone,) = body.found_in("\n".join(["Here it is again.", "", *older]))
    assert alone.standing == body.OWN


def test_two_turns_in_one_text_are_two() -> None:
    one, other = body.found_in("\n".join([*SHEET, "", *SHEET, "move 24A 4511-4512", "", "F."]))
    assert (one.text.count("game"), other.text.count("game")) == (1, 1)


def test_a_line_that_was_broken_is_whole_again_and_the_others_keep_their_numbers() -> None:
    long = "attack 8AK+51AK+PzKG-4+InfKG-2+InfKG-3+InfKG-4 x 4510 with"
    turn = body.turn("\n".join([*SHEET, long, "air at 3:1 : 1d6=3 = D2", "retreat 65A 4510-4409"]))
    assert turn is not None
    assert turn.lines[4].text == f"{long} air at 3:1 : 1d6=3 = D2"
    assert turn.lines[6].text == "retreat 65A 4510-4409"
    assert turn.joined == 1


@pytest.mark.parametrize("below", ["Move 28A 5405-5404", "mvoe 28A 5405-5404", "28A 5405-5404"])
def test_a_line_with_room_above_it_is_not_joined_to_a_remark(below: str) -> None:
    above = "move 24A 4511-4512  # so that the tanks do not come this way again"
    assert lines(*SHEET, above, below)[-1] == below


def test_a_short_line_is_not_taken_for_a_broken_one() -> None:
    with pytest.raises(FieldpostError, match="it:5:"):
        read(*SHEET, "and so on")


def test_what_a_mail_program_made_prettier_is_as_typed() -> None:
    assert lines("Game wfm turning\u2011point", "move\u00a09A 6507\u20136607", "say “well played”") == [
        "Game wfm turning-point", "move 9A 6507-6607", 'say "well played"',
    ]  # fmt: skip


def test_words_about_games_are_no_sheet() -> None:
    for text in ("game over my friend\nsee you", "Game on Tuesday\nMark says yes", "game wfm turning-point",
                 "The game wfm turning-point was fun\nmove on"):  # fmt: skip
        assert body.turn(text) is None


def test_a_page_gives_its_lines() -> None:
    html = (
        "<html><head><style>p {x: y}</style></head><body><div>Hello</div>"
        "<div>game wfm turning-point</div><p>turn 22&nbsp;sov-combat<br>step 11AK 1&gt;2</p>"
        "<div style='display:none'>move 9A</div><!-- no --><p>F.</p></body></html>"
    )
    seen = page.text_of(html).replace(body.PARAGRAPH, "")
    assert seen.split("\n") == [
        "Hello",
        "game wfm turning-point",
        "turn 22\xa0sov-combat",
        "step 11AK 1>2",
        "F.",
    ]


def test_what_a_page_quotes_is_quoted() -> None:
    assert page.text_of("a<blockquote>b<br>c</blockquote>d").replace(body.PARAGRAPH, "") == "a\n> b\n> c\nd"


@pytest.mark.parametrize("sign", ["<!--", '<a "', "<", "<p", "&", "<script>", "<!"])
def test_a_page_of_signs_takes_no_time(sign: str) -> None:
    page.text_of(sign * 200_000)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=400))
def test_any_text_is_survived(text: str) -> None:
    for tried in (text, page.text_of(text), "game a b\nmove 1234-1235\n" + text):
        body.found_in(tried)
        found = body.turn(tried)
        assert found is None or len({line.number for line in found.lines}) == len(found.lines)
