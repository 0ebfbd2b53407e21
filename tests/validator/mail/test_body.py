"""Turn sheets typed into mails, as they arrive."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from validator.mail import body

SHEET = ["game wfm turning-point", "", "turn 22 sov-move", "move 9A 6507-6607"]


def test_greeting_and_signature_are_no_part_of_the_sheet() -> None:
    text = "\n".join(["Dear friend,", "here is my turn.", "", *SHEET, "-- ", "move away from here"])
    assert body.sheet(text) == "\n".join(SHEET) + "\n"


def test_last_words_without_a_signature_are_no_part_of_it() -> None:
    text = "\n".join([*SHEET, "", "Have a nice weekend", "", "Yours", "F."])
    assert (body.sheet(text) or "").split("\n")[-2] == ""
    assert (body.sheet(text) or "").strip().endswith("move 9A 6507-6607")


def test_a_slip_in_the_middle_stays_and_so_becomes_an_error() -> None:
    text = "\n".join([*SHEET, "", "mvoe 28A 5405-5404", "", "move 24A 4511-4512"])
    assert "mvoe 28A" in (body.sheet(text) or "")


def test_a_slip_in_the_last_lines_of_a_paragraph_stays_too() -> None:
    assert "mvoe" in (body.sheet("\n".join([*SHEET, "mvoe 28A 5405-5404"])) or "")


def test_a_quoted_sheet_is_not_judged_again() -> None:
    quoted = "\n".join(f"> {line}" for line in SHEET)
    assert body.sheet(f"You wrote:\n{quoted}\nI agree.\n") is None
    mine = body.sheet("\n".join([*SHEET, "> move 3PzK 6407-6306", "move 24A 4511-4512"]))
    assert mine is not None
    assert "3PzK" not in mine
    assert "24A" in mine


def test_a_line_that_was_broken_is_whole_again_and_the_others_keep_their_numbers() -> None:
    long = "attack 8AK+51AK+PzKG-4+InfKG-2+InfKG-3+InfKG-4 x 4510 with"
    sheet = body.sheet("\n".join([*SHEET, long, "air at 3:1 : 1d6=3 = D2", "retreat 65A 4510-4409"]))
    assert sheet is not None
    lines = sheet.split("\n")
    assert lines[4] == f"{long} air at 3:1 : 1d6=3 = D2"
    assert lines[6] == "retreat 65A 4510-4409"


def test_a_short_line_is_not_taken_for_a_broken_one() -> None:
    assert "6607\nand so on" in (body.sheet("\n".join([*SHEET, "and so on"])) or "")


def test_what_a_mail_program_made_prettier_is_as_typed() -> None:
    text = "game wfm turning-point\nmove\u00a09A 6507–6607\nsay “well played”\n"
    assert body.sheet(text) == 'game wfm turning-point\nmove 9A 6507-6607\nsay "well played"\n'


def test_words_about_games_are_no_sheet() -> None:
    assert body.sheet("game over my friend\nsee you") is None
    assert body.sheet("The game wfm turning-point was fun") is None
    assert body.sheet("game wfm turning-point") is None


def test_a_page_gives_its_lines() -> None:
    page = (
        "<html><head><style>p {x: y}</style></head><body><div>Hello</div>"
        "<div>game wfm turning-point</div><p>turn 22&nbsp;sov-combat<br>step 11AK 1&gt;2</p></body></html>"
    )
    assert body.sheet(body.of_html(page)) == "game wfm turning-point\n\nturn 22 sov-combat\nstep 11AK 1>2\n"


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=400))
def test_any_text_is_survived_and_what_is_found_begins_as_a_sheet(text: str) -> None:
    for tried in (text, body.of_html(text), "game a b\n" + text):
        found = body.sheet(tried)
        assert found is None or body.FIRST.fullmatch(found.split("\n")[0])
