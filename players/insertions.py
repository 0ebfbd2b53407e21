"""One random event put into a legal game: any unit, any hex, any marker, any word, at any place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import Random

from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex, neighbors
from players.faults import apart
from players.game import Played
from players.logs import LogWriter, plain_board
from players.table import game_of, new_referee
from validator.engine.case import AnyCase
from validator.engine.claims import states_before
from validator.engine.referee import Referee
from validator.interpret import interpret
from validator.model import events as ev
from validator.model.events import Event, PhaseBegan
from validator.model.findings import Finding
from validator.model.position import Unit
from validator.services import evidence

Maker = Callable[[AnyCase, Random], Event | None]
MAKERS: dict[str, Maker] = {}


def makes(maker: Maker) -> Maker:
    MAKERS[maker.__name__.replace("_", " ")] = maker
    return maker


@dataclass(frozen=True)
class Inserted:
    """What was put in, where, and what the referee said that it does not say of the game as it was played.

    `custom` says why it is nobody's fault: what every player does at a table.
    """

    kind: str
    at: int
    turn: int
    phase: str
    event: Event
    said: tuple[str, ...]
    custom: str = ""


def custom_of(case: AnyCase, event: Event) -> str:
    """Why nobody would mind an event: it tidies up, or shows what is so; empty for all others."""
    match event:
        case ev.Placed(name, str()) | ev.Moved((name,), (*_, str())) | ev.Removed(name, str()):
            if not case.position.units[name].on_map:
                return "a counter out of play is laid into another box"
        case ev.Marked(marker, Hex() as hex_) if case.game.marker[marker].kind == "control":
            holder = case.position.control.get(hex_) or case.game.holder_at_start(hex_)
            if holder == case.game.marker[marker].side:
                return "a control marker shows who holds the hex"
        case ev.Unmarked(marker, Hex() as hex_) if case.game.marker[marker].kind == "fortification":
            holder = case.position.control.get(hex_) or case.game.holder_at_start(hex_)
            if holder not in (None, case.game.marker[marker].side):
                return "a fortification that the enemy has overrun is taken away"
        case ev.Unmarked(marker, Hex()) if case.game.marker[marker].kind == "complex":
            if case.phase.startswith(f"{case.game.marker[marker].side}-"):
                return "a complex that its side carries away in its own turn, to set it up elsewhere"
        case ev.Marked(marker, str()) | ev.Unmarked(marker, str()):
            if {marker, case.game.marker[marker].kind} & HELPS.get(case.game.id, set()):
                return "a marker that reminds the players, and that no rule looks at"
            if case.game.id == "ftm" and case.game.marker[marker].kind in ("general", "leader"):
                return UNWRITTEN_RULES
        case ev.Unmarked(marker, Hex()) if (
            case.game.id == "ftm" and case.game.marker[marker].kind == "leader"
        ):
            return UNWRITTEN_RULES
        case ev.Pointed(marker):
            return BESIDE.get(case.game.marker[marker].kind, "")
    return ""


UNWRITTEN_RULES = "a general or leader is laid or taken up: the text that we have ends before their rules"

HELPS = {
    "wfm": {"moved", "railed"},
    "ftm": {"moved"},
    "lwe": {"supply"},
    "wie": {"supply", "activated", "flown", "disrupted"},
}
"""Markers that the rules of a game never ask for, by id or kind."""


REMINDS = "a marker beside the map that reminds the players of something, wherever it lies"
COUNTS = "a marker beside the map that shows a count: the count is compared when its phase ends"
BESIDE = {
    **dict.fromkeys(("control", "supply", "status", "partisan", "leader", "general"), REMINDS),
    **dict.fromkeys(("phase", "refit", "concentration", "partisan-effect", "disrupted"), REMINDS),
    **dict.fromkeys(("activated", "flown", "interdiction", "complex", "fortification"), REMINDS),
    **dict.fromkeys(("victory-points", "replacements", "treasury", "debt"), COUNTS),
}
"""Why it is nobody's fault where a marker beside the map lies: those of other kinds are judged at once."""


# --- what may be put in --------------------------------------------------------------------------------


def _any_unit(case: AnyCase, random: Random, *, on_map: bool | None = None) -> Unit | None:
    units = [unit for unit in case.position.units.values() if on_map in (None, unit.on_map)]
    return random.choice(units) if units else None


def _any_hex(case: AnyCase, random: Random) -> Hex:
    near = list(case.position.occupied())
    terrain = case.game.map.terrain
    if near and random.random() < 0.7:
        around = random.choice(near)
        return random.choice([hex_ for hex_ in (around, *neighbors(around)) if hex_ in terrain])
    return random.choice(list(terrain))


def _any_box(case: AnyCase, random: Random) -> str:
    return random.choice([box.id for box in case.game.boxes])


@makes
def a_step_to_a_neighbour(case: AnyCase, random: Random) -> Event | None:
    unit = _any_unit(case, random, on_map=True)
    near = [h for h in neighbors(unit.hex) if h in case.game.map.terrain] if unit else []
    mode = random.choice(["", "march", "retreat", "advance"])
    return ev.Moved((unit.id,), (unit.hex, random.choice(near)), mode) if unit and near else None


@makes
def a_move_from_anywhere_to_anywhere(case: AnyCase, random: Random) -> Event | None:
    unit = _any_unit(case, random)
    mode = random.choice(["", "march", "sea", "strategic", "retreat", "advance"])
    return ev.Moved((unit.id,), (_any_hex(case, random), _any_hex(case, random)), mode) if unit else None


@makes
def a_unit_placed(case: AnyCase, random: Random) -> Event | None:
    unit = _any_unit(case, random)
    return ev.Placed(unit.id, _any_hex(case, random)) if unit else None


@makes
def a_unit_placed_in_a_box(case: AnyCase, random: Random) -> Event | None:
    unit = _any_unit(case, random)
    return ev.Placed(unit.id, _any_box(case, random)) if unit else None


@makes
def a_unit_taken_off(case: AnyCase, random: Random) -> Event | None:
    unit = _any_unit(case, random, on_map=True)
    return ev.Removed(unit.id, random.choice([None, _any_box(case, random)])) if unit else None


@makes
def a_step_lost(case: AnyCase, random: Random) -> Event | None:
    unit = _any_unit(case, random, on_map=True)
    return ev.StepChanged(unit.id, unit.step, unit.step + 1) if unit else None


@makes
def a_step_restored(case: AnyCase, random: Random) -> Event | None:
    unit = _any_unit(case, random)
    return ev.StepChanged(unit.id, 2, 1) if unit else None


@makes
def counters_exchanged(case: AnyCase, random: Random) -> Event | None:
    old, new = _any_unit(case, random, on_map=True), _any_unit(case, random)
    whys = ["", "breakdown", "buildup", "exchange-steps", "convert", "rebuild", "reorganize"]
    return ev.Replaced((old.id,), ((new.id, 1),), old.hex, random.choice(whys)) if old and new else None


@makes
def a_marker_on_a_unit(case: AnyCase, random: Random) -> Event | None:
    unit, marker = _any_unit(case, random, on_map=True), random.choice(case.game.markers)
    return ev.Marked(marker.id, unit.id, random.choice([1, 1, 2])) if unit else None


@makes
def a_marker_in_a_hex(case: AnyCase, random: Random) -> Event | None:
    return ev.Marked(random.choice(case.game.markers).id, _any_hex(case, random))


@makes
def a_marker_set_beside_the_map(case: AnyCase, random: Random) -> Event | None:
    return ev.Pointed(random.choice(case.game.markers).id, random.choice([_any_box(case, random), "turn-1"]))


@makes
def a_marker_taken_off(case: AnyCase, random: Random) -> Event | None:
    marked = [(m, u.id) for u in case.position.units.values() for m in u.marks]
    marked += [(m, h) for h, marks in case.position.marks.items() for m in marks]  # type: ignore[misc]
    return ev.Unmarked(*random.choice(marked)) if marked else None


@makes
def a_chit_drawn(case: AnyCase, random: Random) -> Event | None:
    decks = [(deck, chits) for deck, chits in case.position.decks.items() if chits]
    unit = _any_unit(case, random, on_map=True)
    if not decks or unit is None:
        return None
    deck, chits = random.choice(decks)
    return ev.Drawn(random.choice(chits), deck, unit.id)


@makes
def a_chit_handed_back(case: AnyCase, random: Random) -> Event | None:
    carried = [(m, u.id) for u in case.position.units.values() for m in u.marks]
    carried = [(m, u) for m, u in carried if any(m in chits.markers for chits in case.scenario.decks)]
    if not carried:
        return None
    marker, unit = random.choice(carried)
    return ev.Returned(marker, random.choice([deck.id for deck in case.game.decks]), unit)


@makes
def an_attack(case: AnyCase, random: Random) -> Event | None:
    unit, target = _any_unit(case, random, on_map=True), _any_unit(case, random, on_map=True)
    number = 900 + random.randrange(100)
    overrun = random.random() < 0.3
    return ev.Attacked(number, (unit.id,), (target.hex,), overrun) if unit and target else None


@makes
def a_roll(case: AnyCase, random: Random) -> Event | None:
    unit = _any_unit(case, random)
    reason = random.choice(["combat", "attrition", "weather", "drop", "army return", "refit", "bananas", ""])
    about = unit.id if unit and random.random() < 0.5 else None
    return ev.Rolled((random.randint(1, 6),), 6, reason, about)


@makes
def a_result(case: AnyCase, random: Random) -> Event | None:
    return ev.ResultNamed(random.choice(["D2", "A1", "1/1", "DR", "DE", "NE", "bananas"]))


@makes
def a_declaration(case: AnyCase, random: Random) -> Event | None:
    unit = _any_unit(case, random)
    words = ["expend-depot", "declare-pause", "rescind-dd3", "concentrate-supply", "begin-refit", "bananas"]
    what = random.choice([*words, "victory-points", "victory"])
    value = {"victory-points": str(random.randint(0, 300)), "victory": "Axis wins"}.get(what, "")
    return ev.Declared(what, (unit.id,) if unit and not value else (), (), value)


@makes
def a_phase_of_another_time(case: AnyCase, random: Random) -> Event | None:
    phase = random.choice(case.game.sequence).id
    turn = case.turn + random.choice([-1, 0, 0, 0, 1, 2])
    return None if (turn, phase) == (case.turn, case.phase) else PhaseBegan(turn, phase)


# --- trying ----------------------------------------------------------------------------------------------


def insertions(played: Played, random: Random, number: int) -> Iterator[Inserted]:
    """Random events put in one at a time, each judged with the rest of its phase and the next."""
    places = sorted(random.randrange(1, len(played.events)) for _ in range(number))
    clean = _texts(played.referee.findings)
    referee, at = new_referee(played.game, played.scenario), 0
    for place, kind in zip(places, _kinds(random), strict=False):
        referee.feed(played.events[at:place])
        at = place
        event = MAKERS[kind](referee.case, random)
        if event is None or _is_nothing(referee.case, event):
            continue
        said = apart(partial(_said, referee, played, at, event))
        new = tuple(text for text in said if text not in clean)
        custom = custom_of(referee.case, event)
        yield Inserted(kind, at, referee.case.turn, referee.case.phase, event, new, custom)


def insertions_in_logs(played: Played, random: Random, number: int) -> Iterator[Inserted]:
    """The same done to the counters of a log: each is read together with the rest of its phase.

    What no hand can do to counters (a unit that is nowhere moves) is left out.
    """
    places = sorted(random.randrange(1, len(played.events)) for _ in range(number))
    game = game_of(played.game)
    scenario = game.scenario[played.scenario]
    writer = LogWriter(plain_board(game, scenario), game, scenario)
    referee, at = new_referee(played.game, played.scenario), 0
    referee.case.by_hand = True
    for place, kind in zip(places, _kinds(random), strict=False):
        referee.feed(played.events[at:place])
        writer.write(played.events[at:place])
        at = place
        event = MAKERS[kind](referee.case, random)
        if event is None or _is_nothing(referee.case, event) or _shows_already(referee.case, event):
            continue
        writer.begin_anew()
        following = list(_phase(played.events[at:]))
        clean = apart(partial(_said_of_log, referee, writer, [], following))
        said = apart(partial(_said_of_log, referee, writer, [event], following))
        if said is not None and clean is not None:
            new = tuple(text for text in said if text not in clean)
            custom = custom_of(referee.case, event)
            yield Inserted(kind, at, referee.case.turn, referee.case.phase, event, new, custom)


def _kinds(random: Random) -> Iterator[str]:
    """All kinds in a random order, again and again: a small sample has each of them."""
    while True:
        yield from random.sample(sorted(MAKERS), len(MAKERS))


def _phase(events: Iterable[Event]) -> Iterator[Event]:
    """The rest of a phase, with the step to the next."""
    for event in events:
        yield event
        if isinstance(event, PhaseBegan):
            return


UNWRITTEN = (FieldpostError, LookupError, StopIteration, AssertionError, ValueError)


def _said_of_log(
    referee: Referee, writer: LogWriter, inserted: list[Event], following: list[Event]
) -> list[str] | None:
    """What is said of a log, and what is not understood in it; None if it cannot be written."""
    try:
        writer.write(inserted)
    except UNWRITTEN:
        return None
    with suppress(*UNWRITTEN):
        for event in following:  # some of it can no longer be done
            writer.write([event])
    game, known = referee.case.game, len(referee.findings)
    reading = interpret(writer.log(), game, referee.case.scenario)
    referee.feed(reading.events)
    report = referee.report()
    said = _texts(report.findings[known:])
    said += [f"owed: {item.text}" for item in report.open]
    said += [f"not judged: {item.kind} {item.line} {item.event.concerned}" for item in report.not_judged]
    found = [*reading.events, *evidence.findings(reading.start, reading.events)]
    return said + [str(item) for item in found if isinstance(item, ev.NotUnderstood | Finding)]


def _is_nothing(case: AnyCase, event: Event) -> bool:
    """What the event would change is so already: nobody sees it at the table."""
    if isinstance(event, ev.Marked | ev.Pointed):
        before = states_before(case.position, event)
        after = case.position.copy()
        after.apply(event)
        return before == states_before(after, event)
    return False


def _shows_already(case: AnyCase, event: Event) -> bool:
    """A counter that is turned to the step that lies up: no hand can do that."""
    return isinstance(event, ev.StepChanged) and case.position.units[event.unit].step == event.new


def _said(referee: Referee, played: Played, at: int, inserted: Event) -> list[str]:
    known, phases = len(referee.findings), 0
    referee.judge(inserted)
    for event in played.events[at:]:
        referee.judge(event)
        phases += isinstance(event, PhaseBegan)
        if phases == 2:
            break
    else:
        referee.close()
    return _texts(referee.findings[known:])


def _texts(findings: Iterable[Finding]) -> list[str]:
    return [f"[{f.fault.rule}] {f.fault.message}" for f in findings]
