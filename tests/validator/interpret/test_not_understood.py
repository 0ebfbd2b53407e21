"""A line of the protocol with a word that the game does not know is listed, not passed over."""

from __future__ import annotations

import pytest

from tests.validator.interpret.desk import Desk
from validator.model.events import Attacked, Declared, NotUnderstood, ResultNamed, Rolled, Said

LINES = [
    ("resalt 2/2 #2", "[fp] resalt 2/2 #2", "result"),
    ("result ZZ", "[fp] result ZZ", ""),
    ("result", "[fp] result", ""),
    ("roll atrition 1d6=3", "[fp] roll atrition 1d6=3", "attrition"),
    ("support bananas 64A @ #1", "[fp] support bananas 64A @ #1", ""),
    ("attack 65B @ #1", "[fp] attack 65B @ #1", "65A"),
    ("overrun", "[fp] overrun", ""),
    ("target 65A #1", "[fp] target 65A #1", ""),
    ("declare peace", "[fp] declare peace", ""),
    ("declare victory = Axis wine", "[fp] declare victory = Axis wine", "Axis victory"),
    ("declare victory-points = many", "[fp] declare victory-points = many", ""),
    ("mode rail 9A @", "[fp] mode rail 9A @", ""),
    ("supply suplied 9A @", "[fp] supply suplied 9A @", "supplied"),
    ("reveal nobody", "[fp] reveal nobody", ""),
]


@pytest.mark.parametrize(("line", "text", "nearest"), LINES, ids=[line for line, _, _ in LINES])
def test_an_unknown_word_of_a_module_s_line_is_listed(line: str, text: str, nearest: str) -> None:
    desk = Desk()
    desk.say(line)
    (event,) = desk.events()
    assert isinstance(event, NotUnderstood)
    assert event.text == text
    assert event.origin.step > 0
    if nearest:
        assert event.nearest == nearest


@pytest.mark.parametrize("line", ["resalt D1 #2", "result ZZ", "declare peace", "attack 9A @6507 #1"])
def test_a_typed_line_of_the_protocol_is_not_taken_for_chat(line: str) -> None:
    desk = Desk()
    desk.builder.say("player", f"[fp] {line}")
    assert [type(event) for event in desk.events()] == [NotUnderstood]


def test_words_are_known_however_they_are_spelled() -> None:
    desk = Desk()
    for line in ("result no effect", "declare victory=axis wins", "Result d1"):
        desk.builder.say("player", f"[fp] {line}")
    desk.say("roll army-return 1d6=5")
    assert desk.events() == [
        ResultNamed("-"),
        Declared("victory", value="Axis victory"),
        ResultNamed("D1"),
        Rolled((5,), 6, "army return"),
    ]


def test_a_sentence_that_only_mentions_the_sign_is_chat() -> None:
    desk = Desk()
    desk.builder.say("player", "did you see the [fp] lines?")
    assert [type(event) for event in desk.reading().events] == [Said]


def test_an_attack_of_an_unknown_unit_is_no_attack() -> None:
    desk = Desk()
    for line in ("battle #1", "attack 65B @ #1", "target 65A @4510 #1", "roll combat 1d6=3 #1"):
        desk.say(line)
    assert not any(isinstance(event, Attacked) for event in desk.events())
