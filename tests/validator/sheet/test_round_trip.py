"""Events written as a sheet and read again are the same events."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fieldpost.definition.words import Vocabulary, WordList
from tests.validator.sheet.test_document import game
from validator import sheet
from validator.model import events as ev
from validator.sheet.forms import LONGEST
from validator.sheet.verbs import VERBS

GAME = game()
WORDS = Vocabulary(GAME)
SCENARIO = GAME.scenario["turning-point"]

units = st.sampled_from(sorted(GAME.counter))
groups = st.lists(units, min_size=1, max_size=4, unique=True).map(tuple)
hexes = st.sampled_from(sorted(GAME.map.hexes))
boxes = st.sampled_from([*(box.id for box in GAME.boxes), "turn-28"])
spots = st.one_of(hexes, hexes, boxes)
paths = st.lists(spots, min_size=2, max_size=5).map(tuple)
markers = st.sampled_from(sorted(GAME.marker))
decks = st.sampled_from([deck.id for deck in GAME.decks])
battles = st.one_of(st.none(), st.integers(0, 300))
numbers = st.integers(0, 300)
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
modes = st.sampled_from(["", "retreat", "advance", *WORDS.modes.words])
odds = st.builds("{}:{}".format, st.integers(1, 99), st.integers(1, 9))
phases = st.sampled_from([phase.id for phase in GAME.sequence])


def of(words: WordList) -> st.SearchStrategy[str]:
    return st.sampled_from(words.words)


@st.composite
def steps(draw: st.DrawFn) -> tuple[str, int]:
    unit = draw(units)
    return unit, draw(st.integers(1, max(len(GAME.counter[unit].steps), 1)))


@st.composite
def stepped(draw: st.DrawFn) -> ev.Event:
    unit, step = draw(steps())
    if draw(st.booleans()):
        return ev.Placed(unit, draw(spots), step)
    other = draw(st.integers(1, max(len(GAME.counter[unit].steps), 1)))
    return ev.StepChanged(unit, step, other, draw(battles))


@st.composite
def faced(draw: st.DrawFn) -> ev.Event:
    marker = draw(markers)
    face = draw(st.integers(1, max(len(GAME.marker[marker].faces), 1)))
    if draw(st.booleans()):
        return ev.Marked(marker, draw(st.one_of(units, hexes)), face)
    return ev.Pointed(marker, draw(boxes), face)


@st.composite
def declared(draw: st.DrawFn) -> ev.Declared:
    what = draw(of(WORDS.declarations))
    kind = WORDS.values[what].value if what in WORDS.values else "none"
    value = {"number": st.integers(-99, 999).map(str), "victory": of(WORDS.victories)}.get(kind, st.just(""))
    return ev.Declared(
        what, draw(st.one_of(st.just(()), groups)), draw(st.lists(hexes, max_size=2).map(tuple)), draw(value)
    )


@st.composite
def rolls(draw: st.DrawFn) -> tuple[tuple[int, ...], int]:
    sides = draw(st.sampled_from([2, 6, 10, 100]))
    return tuple(draw(st.lists(st.integers(1, sides), min_size=1, max_size=5))), sides


@st.composite
def rolled(draw: st.DrawFn) -> ev.Rolled:
    values, sides = draw(rolls())
    reason = draw(st.one_of(st.just("combat"), st.just(""), of(WORDS.rolls)))
    return ev.Rolled(values, sides, reason, draw(st.one_of(st.none(), units)), draw(battles))


support = st.lists(of(WORDS.supports), max_size=2).map(tuple)
events = st.one_of(
    st.builds(ev.PhaseBegan, st.sampled_from(sorted(GAME.turn)), phases),
    st.builds(ev.Moved, groups, paths, modes, battles, st.booleans()),
    stepped(),
    st.builds(ev.Removed, units, st.one_of(st.none(), boxes), battles),
    st.builds(
        ev.Replaced,
        groups,
        st.lists(steps(), min_size=1, max_size=3).map(tuple),
        spots,
        st.one_of(st.just(""), of(WORDS.exchanges)),
    ),
    faced(),
    st.builds(ev.Unmarked, markers, st.one_of(units, hexes)),
    st.builds(ev.Drawn, markers, decks, st.one_of(st.none(), units)),
    st.builds(ev.Returned, markers, st.one_of(st.none(), decks), st.one_of(st.none(), units)),
    st.builds(
        ev.Attacked,
        numbers,
        groups,
        st.lists(hexes, min_size=1, max_size=3).map(tuple),
        st.booleans(),
        support,
        st.one_of(st.none(), odds),
    ),
    rolled(),
    st.builds(ev.ResultNamed, of(WORDS.results), battles),
    declared(),
    st.builds(ev.Undone, st.lists(st.integers(0, 10**6), min_size=1, max_size=4).map(tuple), numbers),
    st.builds(ev.Said, texts),
    st.builds(ev.Unread, texts, texts),
    st.builds(ev.NotUnderstood, texts, st.one_of(st.just(""), words)),
)


def again(written: list[ev.Event]) -> list[ev.Event]:
    return sheet.read(sheet.write(GAME, SCENARIO, written), game).events


@given(st.lists(events, max_size=12))
def test_what_is_written_is_read_again(written: list[ev.Event]) -> None:
    read = again(written)
    assert read == written
    assert [getattr(e, "dragged", None) for e in read] == [getattr(e, "dragged", None) for e in written]


@given(
    st.lists(events, max_size=6), st.dictionaries(st.sampled_from(GAME.options), st.booleans(), max_size=3)
)
def test_options_are_kept(written: list[ev.Event], chosen: dict[object, bool]) -> None:
    options = {option.id: option.choices[last - 1] for option, last in chosen.items()}  # type: ignore[attr-defined]
    assert sheet.read(sheet.write(GAME, SCENARIO, written, options), game).options == options


def test_a_roll_and_result_stand_on_the_line_of_their_attack() -> None:
    target = GAME.map.lattice.hex("4510", "E")
    battle = [
        ev.Attacked(1, ("11AK",), (target,)),
        ev.Rolled((3,), 6, "combat", None, 1),
        ev.ResultNamed("D2", 1),
        ev.Moved(("65A",), (target, GAME.map.lattice.hex("4409", "E")), "retreat", 1),
    ]
    text = sheet.write(GAME, SCENARIO, battle)
    assert text.splitlines()[1:] == ["attack 11AK x 4510 : 1d6=3 = D2", "retreat 65A 4510-4409"]


def test_chatter_is_cut_where_it_is_too_long_for_a_line() -> None:
    (said,) = again([ev.Said("x" * 9000)])
    assert said == ev.Said("x" * LONGEST)


def test_every_event_has_a_verb() -> None:
    classes = {kind for kind in vars(ev).values() if isinstance(kind, type) and issubclass(kind, ev.Event)}
    kinds = {kind for kind in classes if not kind.__subclasses__()}  # the others are what several share
    of_logs_alone = {ev.Undeclared, ev.ClockUnknown}
    assert {verb.event for verb in VERBS} | {ev.PhaseBegan} | of_logs_alone == kinds


def test_hexes_of_other_sheets_bear_their_sheets() -> None:
    lattice = GAME.map.lattice
    names = [lattice.short(lattice.hex(label), "E") for label in ("E4510", "4717", "N1327")]
    assert names == ["4510", "C4717", "N1327"]
    assert lattice.short(lattice.hex("4717"), "C") == "4717"


def test_a_hex_in_an_attack_stands_for_the_units_in_it() -> None:
    from validator.model import position as positions

    (attack,) = sheet.read("game wfm turning-point\nattack 4610+11AK x 4510", game).events
    expanded = sheet.expand(attack, positions.start(GAME, SCENARIO))
    assert isinstance(expanded, ev.Attacked)
    assert expanded.units == ("8AK", "PzKG-4", "11AK")
