"""What is no turn sheet is answered with line, column and caret, whatever it is."""

from __future__ import annotations

import random
import string
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost.errors import FieldpostError
from tests.validator.sheet.test_document import HEADING, game
from validator import sheet
from validator.sheet.reader import MAX_LINE
from validator.sheet.verbs import VERBS

# A wrong line, the word the caret must stand below, and what the message must name.
WRONG = [
    ("retreat 65A", None, "path"),
    ("retreat 65A 4510", "4510", "at least two hexes"),
    ("advance 65B 4510-4511", "65B", "no unit '65B'"),
    ("move 65A 4510-9999", "9999", "9999"),
    ("move 65A 4510-4511 by sea", "by", "by"),
    ("move 65A 4510-4511 as", None, "a way of moving"),
    ("step 11AK 1-2", "1-2", "no change of step"),
    ("step 11AK ²>1", "²>1", "no change of step"),
    ("step 11AK 1>0", "1>0", "no change of step"),
    ("step 10A 1>2", "1>2", "10A has one step"),
    ("place 10A 5317 step 2", "2", "10A has one step"),
    ("mark 8AK out-of-supply:9", "out-of-supply:9", "out-of-supply has"),
    ("place InfKG-2 nowhere", "nowhere", "nowhere"),
    ("place InfKG-2 5317 step two", "two", "no step 'two'"),
    ("remove Ru6AK to mars", "mars", "no box"),
    ("replace 11AK InfKG-2 at 4611", None, "'with'"),
    ("replace 11AK with InfKG-2:x at 4611", "InfKG-2:x", "no step 'x'"),
    ("replace 11AK with InfKG-2 in 4611", None, "'at'"),
    ("mark 8AK tired", "tired", "no marker"),
    ("mark 8AK out-of-supply:²", "out-of-supply:²", "no marker"),
    ("unmark 8AK", None, "marker"),
    ("set weather nowhere", "nowhere", "no box"),
    ("draw csm-c-4-6 for 65A", None, "'from'"),
    ("draw csm-c-4-6 from hat for 65A", "hat", "no deck"),
    ("return csm-z-9-9 to csm-c", "csm-z-9-9", "no marker"),
    ("overrun 3PzK 6406", None, "'x'"),
    ("attack 3PzK x 6406 : 1d6", "1d6", "no roll"),
    ("attack 3PzK x 6406 : 1d6=7", "1d6=7", "does not show a die of 6 sides"),
    ("attack 3PzK x 6406 : 2d6=3", "2d6=3", "does not show 2 dice"),
    ("attack 3PzK x 6406 : 1d6=3 =", None, "a result"),
    ("buy 3PzK", "3PzK", "no box"),
    ("round two", "two", "no number"),
    ("round 2 under nobody", "nobody", "no unit 'nobody'"),
    ("fire 3PzK : 1d12=4", None, "'at'"),
    ("fire 3PzK at 4", None, "':'"),
    ("fire 3PzK at 4 : 4 13", "13", "no dice of 12 sides"),
    ("fire 3PzK at 4 as joke : 4", "joke", "no manner of fire 'joke'"),
    ("roll attrition", None, "a roll"),
    ("result D2 in a", "a", "no number"),
    ("declare", None, "what is declared"),
    ("undone 1;2", "1;2", "no list of steps"),
    ("move 65A 4510-4511 as rail", "rail", "no way of moving 'rail'"),
    ("attack 9A x 6407 with bananas", "bananas", "no support 'bananas'"),
    ("attack 9A x 6407 with air+bananas", "bananas", "no support 'bananas'"),
    ("attack 9A x 6407 at even", "even", "no odds"),
    ("attack 9A x 6407 : 1d6=3 = ZZ", "ZZ", "no result 'ZZ'"),
    ("result ZZ", "ZZ", "no result 'ZZ'"),
    ("roll lunch 1d6=3", "lunch", "no reason to roll 'lunch'"),
    ("replace 11AK with InfKG-2:2 at 4611 for fun", "fun", "no reason to replace counters 'fun'"),
    ("declare peace", "peace", "no declaration 'peace'"),
    ("declare victory = Axis triumph", "Axis triumph", "no value of victory"),
    ("declare victory-points = many", "many", "no value of victory-points"),
    ("declare evacuate = 7", "7", "no value of evacuate"),
    ("unknown", None, "a text"),
    ("doubled 65B 4510", "65B", "no unit '65B'"),
    ('other-die 4 "attrition" three', "three", "no list of dice"),
    ("say", None, "a text"),
    ("unread", None, "a reason"),
    ("turn 99 axis-move", "99", "no turn 99"),
    ("turn 23 axis-mover", "axis-mover", "no phase"),
    ("option stack-sum maybe", "maybe", "no choice"),
    ("option speed fast", "speed", "no option"),
    ("atack 3PzK x 6406", "atack", "no verb"),
]


@pytest.mark.parametrize(("line", "word", "named"), WRONG, ids=[line for line, _, _ in WRONG])
def test_an_error_points_at_the_word(line: str, word: str | None, named: str) -> None:
    with pytest.raises(sheet.SheetError) as caught:
        sheet.read(f"{HEADING}\n{line}\n", game, "turn.txt")
    error = caught.value
    assert named in error.plain
    assert error.line == 3
    first, shown, caret = str(error.message).splitlines()
    assert first.startswith(f"turn.txt:3:{error.column}: ")
    assert shown == f"  {line}"
    assert caret.index("^") == error.column + 1
    if word is not None:
        assert line[error.column - 1 :].startswith(word)


def test_each_verb_has_an_error_of_its_own_among_these() -> None:
    assert {verb.name for verb in VERBS} <= {line.split()[0] for line, _, _ in WRONG}


def test_a_slip_of_the_pen_is_answered_with_the_likely_word() -> None:
    with pytest.raises(sheet.SheetError) as caught:
        sheet.read(f"{HEADING}atack 3PzK x 6406", game)
    assert caught.value.hint == "Did you mean 'attack'?"


@pytest.mark.parametrize(
    "text", ["", "\n# only a comment\n", "turn 23 axis-move", "game wfm", "game wfm nowhere", "game"]
)
def test_a_sheet_begins_with_its_game_and_scenario(text: str) -> None:
    with pytest.raises(FieldpostError):
        sheet.read(text, game)


@pytest.mark.parametrize(
    ("heading", "column", "hint"),
    [
        ("game wfn turning-point", 6, "Did you mean wfm?"),
        ("Game  WFN turning-point", 7, "Did you mean wfm?"),
        ("game game game", 6, "In the box: efs, ftm"),
        ("game ./nothing turning-point", 6, "A game is a folder"),
        ("game wfm turning-pint", 10, "Did you mean 'turning-point'?"),
    ],
)
def test_an_unknown_game_or_scenario_is_pointed_at(heading: str, column: int, hint: str) -> None:
    with pytest.raises(sheet.SheetError) as caught:
        sheet.read(f"# a turn\n{heading}\nmove 3PzK 6407-6406\n", game, "turn.txt")
    first, shown, caret = str(caught.value.message).splitlines()
    assert first.startswith(f"turn.txt:2:{column}: ")
    assert (shown.strip(), caret.index("^")) == (heading, column + 1)
    assert hint in (caught.value.hint or "")


def test_a_game_that_is_named_elsewhere_is_not_the_sheet_s_fault() -> None:
    with pytest.raises(FieldpostError, match="wfx") as caught:
        sheet.read(HEADING, lambda _: game("wfx"))
    assert not isinstance(caught.value, sheet.SheetError)


def test_a_line_of_no_end_is_refused() -> None:
    with pytest.raises(sheet.SheetError, match="too long"):
        sheet.read(f"{HEADING}say {'x' * (MAX_LINE + 1)}", game)


def test_comments_and_quotes_are_told_apart() -> None:
    events = sheet.read(f'{HEADING}say "a # b" # and a comment\n  # another\n', game).events
    assert [getattr(event, "text", "") for event in events] == ["a # b"]


_WORDS = [word for verb in VERBS for word in (verb.name, *verb.example.split())]
_SCRAPS = st.one_of(
    st.sampled_from(
        [*_WORDS, "in", "none", "as", "=", ":", "with", "to", "from", '"', "\\", "#", "turn", "option"]
    ),
    st.text(string.printable + "²٣ßé\u2028\x85\ud800", max_size=6),
    st.integers(-9, 10**12).map(str),
)


@given(st.lists(_SCRAPS, max_size=9).map(" ".join))
def test_scraps_of_sheets_end_in_events_or_in_a_clear_error(line: str) -> None:
    with suppress(FieldpostError):
        sheet.read(HEADING + line, game)


@given(st.randoms(use_true_random=False))
def test_a_good_line_with_one_letter_changed_never_breaks_the_reader(rng: random.Random) -> None:
    line = rng.choice(VERBS).example
    at = rng.randrange(len(line))
    changed = line[:at] + rng.choice('+-:>="#x0²\\ ') + line[at + rng.randrange(2) :]
    with suppress(FieldpostError):
        sheet.read(HEADING + changed, game)


def test_all_errors_of_a_sheet_are_told_in_one_run() -> None:
    lines = ["atack 3PzK x 6406", "attack 3PzK x 6406 with bananas : 1d6=5 = A9", "move 65A 4510-9999"]
    with pytest.raises(sheet.SheetError) as caught:
        sheet.read(HEADING + "\n".join(lines), game, "turn.txt")
    told = str(caught.value)
    places = ["turn.txt:2:1:", "turn.txt:3:25:", "turn.txt:3:43:", "turn.txt:4:15:"]
    assert [told.count(place) for place in places] == [1, 1, 1, 1]
    assert told.endswith("4 errors.")
    assert "Did you mean 'attack'?" in told
    assert (caught.value.line, caught.value.column) == (2, 1)
