"""Every kind of event is a sentence."""

from __future__ import annotations

import pytest

from fieldpost.definition import load
from fieldpost.phrases import listed
from tests.validator.report import stories
from tests.validator.report.stories import at
from validator.model import events as ev
from validator.model.events import Event
from validator.report.describe import Namer
from validator.report.html.words import Words

SENTENCES: list[tuple[Event, str]] = [
    (ev.PhaseBegan(22, "sov-move"), "Soviet Movement Phase begins"),
    (ev.Moved(("65A",), (at("4510"), at("4610")), "march"), "65A marches E4510 – E4610"),
    (ev.Moved(("65A", "24A"), (at("4510"), at("4409")), "retreat"), "65A and 24A retreat E4510 – E4409"),
    (ev.Moved(("65A",), (at("4510"), "axis-returns"), "airbase"), "65A moves (airbase) E4510 – Axis returns"),
    (ev.StepChanged("8AK", 1, 2, 3), "8AK loses 1 step in battle 3"),
    (ev.StepChanged("8AK", 3, 1), "8AK regains 2 steps"),
    (ev.Placed("2GdA", at("4309")), "2GdA is placed in E4309"),
    (ev.Placed("InfKG-2", at("4309"), 2), "InfKG-2 is placed in E4309 at step 2"),
    (ev.Removed("8AK"), "8AK is removed"),
    (ev.Replaced(("3PzK",), (("PzKG-1", 1), ("PzKG-2", 1)), at("6407"), "breakdown"),
     "3PzK replaced by PzKG-1 and PzKG-2 in E6407 (breakdown)"),
    (ev.Marked("out-of-supply", "8AK", 2), "8AK is marked: Out of Supply / Lack of Supply (LACK OF)"),
    (ev.Pointed("out-of-supply", "axis-returns"),
     "Out of Supply / Lack of Supply (OUT OF) is put on Axis returns"),
    (ev.Unmarked("out-of-supply", at("4610")), "Out of Supply / Lack of Supply taken off E4610"),
    (ev.Drawn("csm-c-4-6", "csm-c", "65A"), "Strength C 4-6 drawn from Strength C for 65A"),
    (ev.Returned("csm-c-4-6", "csm-c", "65A"), "Strength C 4-6 of 65A goes back to Strength C"),
    (ev.Returned("csm-c-4-6", None), "Strength C 4-6 leaves the game"),
    (ev.Attacked(1, ("65A", "21A"), (at("4610"), at("4611")), False, ("air",), "3:1"),
     "65A and 21A attack E4610 and E4611 with air at 3:1"),
    (ev.Attacked(1, ("3PzK",), (at("6406"),), True), "3PzK overruns E6406"),
    (ev.Rolled((3, 5), 6, "attrition", "8AK"), "2d6 rolled for attrition (8AK): 3, 5"),
    (ev.ResultNamed("D2"), "result D2"),
    (ev.RoundBegan(3, 2, ("65A",)), "Round 2 of battle 3, ordered by 65A"),
    (ev.Fired(("65A", "21A"), 4, (3, 7), support=("8AK",)),
     "65A and 21A fire at 4, supported by 8AK: 3, 7, 1 hit"),
    (ev.Declared("victory-points", (), (), "55"), "declared: victory points = 55"),
    (ev.Undone((12, 13), 1), "2 steps taken back, 1 roll among them"),
    (ev.Doubled("65A", at("4510")), "a second counter of 65A in E4510"),
    (ev.OtherDie(4, "attrition", (3,)), "battle 4 without a die; one for attrition was rolled"),
    (ev.Said("a fine morning"), "“a fine morning”"),
    (ev.Unread("a piece of no game", "secret"), "not read: a piece of no game"),
    (ev.Undeclared((3,)), "no battle is declared in this phase"),
    (ev.ClockUnknown(("8AK: E4510, set up in E4511",)), "turn and phase are not known"),
    (ev.NotUnderstood("[fp] resalt D1", "result"), "not understood: [fp] resalt D1"),
]  # fmt: skip


@pytest.mark.parametrize(("event", "sentence"), SENTENCES, ids=lambda value: type(value).__name__)
def test_event_is_told(event: Event, sentence: str) -> None:
    assert Words(stories.game(), Namer(stories.game(), stories.scenario())).of(event) == sentence


def test_an_overrun_bears_the_name_its_rules_give_it() -> None:
    game = load("lwe")
    overrun = ev.Attacked(1, ("3Pz",), (game.map.lattice.hex("2214"),), overrun=True)
    words = Words(game, Namer(game, game.scenario["campaign"]))
    assert words.of(overrun).startswith("3Pz attacks ")
    assert words.of(overrun).endswith(" in a mobile assault")


def test_every_event_has_a_sentence() -> None:
    told = {type(event).__name__ for event, _ in SENTENCES}
    kinds = {
        kind.__name__ for kind in vars(ev).values() if isinstance(kind, type) and issubclass(kind, Event)
    }
    assert kinds - {"Event", "UnitEvent", "MarkerEvent"} == told


def test_names_are_listed() -> None:
    assert [listed(names) for names in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
