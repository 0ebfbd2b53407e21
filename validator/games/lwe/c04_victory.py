"""Chapter 4: the German player's points, the fall of Moscow, and who has won.

Points for places follow from who holds them; debits are kept as they fall. Players name the count
(`declare victory-points = 17`) whenever they set the markers, and the winner (`declare victory = ...`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from validator.engine.rulebook import APPLIED, JUDGED, Faults
from validator.games.lwe import tracks
from validator.games.lwe.battles import ZONE
from validator.games.lwe.book import GERMAN, GERMAN_ENTRY, RULES, SOVIET, TURN_END, TURN_START, VICTORY
from validator.games.lwe.c08_withdrawals import declined
from validator.games.lwe.field import Field, field_at_phase_start, field_of
from validator.games.lwe.state import Case, Ledger
from validator.model.events import Attacked, Declared, Event, Moved, PhaseBegan, Placed, Rolled
from validator.model.findings import Fault, Verdict
from validator.procedures import faults
from validator.procedures.ask_each import each
from validator.procedures.control import taken

COUNT, WINNER, MOSCOW_ROLL = "victory-points", "victory", "moscow falls"
MOSCOW, MEMEL, KONIGSBERG, ODESSA = "4618", "1507", "1209", "2141"

ZONES_FROM = 4  # the turn from which fortified zones cost points (4.2)
TOWN, GERMANY, PRUSSIA, ZONES, LEFT, FLOOR = (
    "lwe-4.2a",
    "lwe-4.2b",
    "lwe-4.3b",
    "lwe-4.2c",
    "lwe-8.12c",
    "lwe-4.3a",
)
AT_START = "lwe-3.2a"
LEVELS = ("major", "substantive", "minor")
NEVER = math.inf  # more points than anybody has
PRUSSIAN = {MEMEL: 2, KONIGSBERG: 4}
WORTH = {"small-town": 1, "large-town": 2, "city": 4}


def ledger(case: Case) -> Ledger:
    return case.in_game.ledger or Ledger()


@RULES.track_start()
def open_the_ledger(case: Case) -> None:
    if case.in_game.ledger is not None:
        return
    book = case.in_game.ledger = Ledger()
    shown = tracks.points_shown(case.position)
    if case.turn == case.scenario.first_turn == 1 and not case.position.partial:
        book.known, book.board, book.sure = 0, worth(case, field_of(case)), True
    elif shown:
        book.known, book.board = shown, worth(case, field_of(case))


# --- what the board is worth (4.2, 4.3) -----------------------------------------------------------------


def worth(case: Case, field_now: Field) -> dict[str, int]:
    """Points for places by rule: Soviet towns that are German, German hexes that are Soviet."""
    board, ground, holder = field_now.board, field_now.ground, field_now.holder
    towns = (h for h in board.with_place(*WORTH) if ground.country(h) == "soviet-union")
    lost = (h for h in board.members(ground.in_country("greater-germany")) if holder(h) == SOVIET)
    of_lost = Counter(board.label(h) for h in lost)
    prussia = {label: of_lost.pop(label, 0) * points for label, points in PRUSSIAN.items()}
    return {
        TOWN: sum(town_points(field_now, h) for h in towns if holder(h) == GERMAN),
        GERMANY: -of_lost.total(),
        PRUSSIA: -sum(prussia.values()),
    }


def town_points(field_now: Field, hex_id: int) -> int:
    kinds = {place.kind for place in field_now.board.places.get(hex_id, ())}
    return max((WORTH[kind] for kind in kinds & WORTH.keys()), default=0)


def changes(case: Case) -> dict[str, int]:
    """What the count has changed by since it was last known, by rule."""
    book, now = ledger(case), Counter(worth(case, field_of(case)))
    now.subtract(book.board)
    now.subtract(book.debits)
    return dict(now)


def points(case: Case) -> int | None:
    """The count as it should be; None if it was never named."""
    book = ledger(case)
    return None if book.known is None else book.known + sum(changes(case).values())


def settle(case: Case, count: int) -> None:
    book = ledger(case)
    book.known, book.board, book.debits = count, worth(case, field_of(case)), {}


@RULES.track_end(TURN_START)
def zones_cost_points(case: Case) -> None:
    zones_cost_points_in(case, case.turn)


@RULES.track_passed(TURN_START)
def zones_cost_points_in(case: Case, turn: int) -> None:
    """4.2: each fortified zone on the map but that of Odessa, once the turn has opened."""
    if turn >= ZONES_FROM and not case.in_turn.zones_scored:
        case.in_turn.zones_scored = True
        _debit(case, ZONES, zones(case))


def zones(case: Case) -> int:
    """As they stand when it is counted; or, by choice, before the end of Directive 3 removed any."""
    before = case.option("zones-scored") == "before"
    field_then = field_at_phase_start(case) if before else field_of(case)
    labels = [field_then.board.label(h) for h, _ in field_then.of_side(SOVIET, ZONE)]
    return sum(label != ODESSA for label in labels)


@RULES.track_end(GERMAN_ENTRY)
def units_kept_cost_points(case: Case) -> None:
    units_kept_cost_points_in(case, case.turn)


@RULES.track_passed(GERMAN_ENTRY)
def units_kept_cost_points_in(case: Case, turn: int) -> None:
    """8.12, unless the count that was named has them already; of a phase not shown, all that were due."""
    if not case.in_turn.withdrawals_scored:
        case.in_turn.withdrawals_scored = True
        _debit(case, LEFT, declined(case, turn))


def _debit(case: Case, rule: str, number: int) -> None:
    debits = ledger(case).debits
    debits[rule] = debits.get(rule, 0) + number


# --- the count as players name it -------------------------------------------------------------------------


def _count_named(case: Case, event: Declared) -> list[int]:
    """What a player says the count is, but where it has the withdrawals already."""
    said = event.number
    return [] if said is None or _has_the_withdrawals(case, said) else [said]


@RULES.rule("lwe-3.2a", "lwe-4.2a", "lwe-4.2b", "lwe-4.2c", "lwe-4.3a", "lwe-4.3b", "lwe-8.12c")
@RULES.before(Declared, what=COUNT, number=int)
@each(_count_named)
def the_count_is_right(case: Case, event: Declared, said: int) -> Faults:
    right, parts, doubt = points(case), changes(case), _doubt(case)
    if right is None:
        case.not_checked("a count of victory points, for the log does not show what it was before")
    elif said != right and case.position.partial and doubt is Verdict.WARNING:
        case.not_checked("a count of victory points that hangs on places taken before the log begins")
    elif said != right:
        lines = [f"{rule.removeprefix('lwe-')}: {number:+d}" for rule, number in parts.items() if number]
        fault = _wrong_count(case, f"{said} victory points are named", said, right, parts)
        yield replace(fault, evidence={"steps": lines, "points": right}, verdict=doubt)


def _has_the_withdrawals(case: Case, said: int) -> bool:
    """A debit may be recorded as soon as it is known (4.3, 8.12), not only when its phase ends."""
    early = case.phase == GERMAN_ENTRY and not case.in_turn.withdrawals_scored
    right, due = points(case), declined(case, case.turn)
    return early and right is not None and due > 0 and said == right - due


@RULES.track(Declared, when=JUDGED, what=COUNT, number=int)
def note_withdrawals_that_are_counted(case: Case, event: Declared) -> None:
    case.in_turn.withdrawals_scored |= _has_the_withdrawals(case, event.number or 0)


@RULES.track(Declared, phases=[TURN_START], what=COUNT, number=int)
def count_the_zones_before_the_count_is_named(case: Case, event: Declared) -> None:
    zones_cost_points(case)


@RULES.track(Declared, when=JUDGED, what=COUNT, number=int)
def note_the_count(case: Case, event: Declared) -> None:
    settle(case, event.number or 0)
    case.in_turn.count_named = case.phase in (VICTORY, TURN_END)


@RULES.track_end(VICTORY)
def note_the_count_of_the_track(case: Case) -> None:
    shown = _markers_set(case)
    if shown is not None and points(case) is None:
        settle(case, shown)


def _markers_set(case: Case) -> int | None:
    """The count that the track shows, if its markers were moved in this turn."""
    return tracks.points_shown(case.position) if tracks.were_set_in_turn(case, *tracks.POINTS) else None


@RULES.rule("lwe-4.2a", "lwe-4.2b", "lwe-4.3a")
@RULES.at_phase_end(VICTORY)
def the_track_shows_the_count(case: Case) -> Faults:
    """Where its markers were moved in this turn."""
    shown, right = _markers_set(case), points(case)
    if shown is not None and right is not None and shown != right:
        fault = _wrong_count(case, f"the track shows {shown} victory points", shown, right, changes(case))
        yield replace(fault, evidence={"points": right}, verdict=Verdict.WARNING)


def _doubt(case: Case) -> Verdict:
    """A count kept from mid-game is doubtful until it is named when nothing changes it any more."""
    return faults.unless(not (ledger(case).sure or case.in_turn.count_named))


def _wrong_count(case: Case, what: str, said: int, right: int, parts: dict[str, int]) -> Fault:
    """A count that is not kept, and which change of it was forgotten or taken wrongly, as a guess."""
    text, meant = f"{what}; it is {right}", _rule_for(case, said, right, parts)
    if meant in (FLOOR, AT_START):
        return Fault(meant, text)
    number = meant.removeprefix("lwe-")
    exact = parts.get(meant) == right - said
    text += f"; it would fit without {parts[meant]:+d} by {number}" if exact else f"; perhaps for {number}"
    return Fault(FLOOR, text, guess=meant)


def _rule_for(case: Case, said: int, right: int, parts: dict[str, int]) -> str:
    """Named after what the count leaves out or takes wrongly."""
    off, opening = said - right, case.turn == case.scenario.first_turn
    changed = [rule for rule in (PRUSSIA, ZONES, LEFT, GERMANY, TOWN) if parts.get(rule)]
    exact = [rule for rule in changed if off == -parts[rule]]
    return faults.first_true(
        (opening and not any(parts.values()), AT_START),
        (right < 0 == said, FLOOR),
        *((True, rule) for rule in (*exact, *changed)),
        (case.phase == TURN_START, ZONES),
        (off < 0, GERMANY),
        otherwise=TOWN,
    )


# --- Moscow (4.4) ------------------------------------------------------------------------------------------


@RULES.rule("lwe-4.4a")
@RULES.before(Moved, Placed, Attacked)
def moscow_is_rolled_for_at_once(case: Case, event: Event) -> Faults:
    if ledger(case).roll_due:
        text = "Moscow has fallen in dry weather: its die is rolled before anything else"
        yield Fault("lwe-4.4a", text, verdict=_first_fall(case))


@RULES.track(Moved, Placed, Attacked, when=JUDGED)
def tell_once_of_the_die_for_moscow(case: Case, event: Event) -> None:
    ledger(case).roll_due = False


@RULES.track(Moved, Placed, when=APPLIED)
def note_the_fall_of_moscow(case: Case, event: Event) -> None:
    hex_, book = case.game.map.lattice.hex(MOSCOW), ledger(case)
    entered = hex_ in taken(case.position, event)[1]
    if entered and case.position.control.get(hex_) == GERMAN and not book.moscow:
        book.moscow = True
        book.roll_due = field_of(case).course.wet is False


@RULES.rule("lwe-4.4b")
@RULES.before(Rolled, reason=MOSCOW_ROLL)
def moscow_is_rolled_for_once(case: Case, event: Rolled) -> Faults:
    book = ledger(case)
    rows = (
        (book.rolls, "a second die for the fall of Moscow"),
        (field_of(case).course.wet, "no die for Moscow once the weather has been other than dry"),
        (not book.roll_due and book.moscow, "the die for Moscow falls when it is first taken"),
    )
    yield from faults.first_that_holds(faults.of_rule("lwe-4.4b", rows), "", ())


@RULES.track(Rolled, when=JUDGED, reason=MOSCOW_ROLL)
def note_the_die_for_moscow(case: Case, event: Rolled) -> None:
    book, course = ledger(case), field_of(case).course
    if book.roll_due and not book.rolls and not course.wet:
        book.collapsed = _result(case, event.values[0]) == "USSR Collapses"
    book.rolls += 1
    book.roll_due = False


def _result(case: Case, die: int) -> str:
    table, lattice = case.game.table["moscow"], case.game.map.lattice
    held = sum(case.position.control.get(lattice.hex(row.id)) == GERMAN for row in table.modifiers)
    highest = int(table.rows[-1].id)
    return table.cell(str(min(die + held, highest)), table.columns[0])


@RULES.rule("lwe-4.4a")
@RULES.at_phase_end()
def moscow_is_not_left_unrolled(case: Case) -> Faults:
    if ledger(case).roll_due:
        text = "Moscow has fallen in dry weather and no die was rolled"
        yield Fault("lwe-4.4a", text, verdict=_first_fall(case))


@RULES.track_end()
def close_the_die_for_moscow(case: Case) -> None:
    ledger(case).roll_due = False


def _first_fall(case: Case) -> Verdict:
    """It may have fallen before a log that begins in mid-game."""
    return faults.unless(case.position.partial)


# --- the end (4.5, 4.6) -------------------------------------------------------------------------------------


def threshold(case: Case, turn: int) -> float:
    """The points that win the game in a turn; in one without a check none are enough."""
    cells = {row.id: row.cells[0] for row in case.game.table["victory-check"].rows}
    return float(cells.get(str(turn), NEVER))


@RULES.rule("lwe-4.5a", "lwe-4.5b")
@RULES.before(PhaseBegan)
def the_game_ends_when_it_is_won(case: Case, event: PhaseBegan) -> Faults:
    """A new turn after a check that was passed; or after the last."""
    if event.turn == case.turn or case.phase not in (VICTORY, TURN_END):
        return
    count, needed = points(case), threshold(case, case.turn)
    last = max(turn.number for turn in case.game.turn_track.turns)
    if event.turn > last:
        yield Fault("lwe-4.5b", f"the game ended with turn {last}", verdict=Verdict.WARNING)
    elif count is not None and count >= needed and _campaign(case):
        text = f"{count} points in turn {case.turn} win the game ({needed:.0f} are needed); play goes on"
        yield Fault("lwe-4.5a", text, verdict=_doubt(case))


def _campaign(case: Case) -> bool:
    return case.scenario.id == "campaign"


@RULES.rule("lwe-4.5a", "lwe-4.5b", "lwe-4.6a")
@RULES.before(Declared, what=WINNER)
def the_winner_is_right(case: Case, event: Declared) -> Faults:
    """`declare victory = "German major victory"`: side and level of 4.6."""
    claim, count, needed = event.value.lower(), points(case), threshold(case, case.turn)
    german = GERMAN in claim
    if "concede" in claim or not _campaign(case):
        return
    if "draw" in claim:
        yield Fault("lwe-4.5b", "no game is drawn", verdict=Verdict.WARNING)
    elif count is None:
        case.not_checked("a victory whose count is not known")
    elif german and count < needed and not ledger(case).collapsed:
        why = "there is no check" if needed == NEVER else f"{needed:.0f} are needed"
        text = f"the German player claims to have won with {count} points in turn {case.turn}; {why}"
        yield Fault("lwe-4.5a", text, verdict=_doubt(case))
    else:
        yield from _level_fault(case, event, count, german)


def _level_fault(case: Case, event: Declared, count: int, german: bool) -> Iterator[Fault]:
    early = german and (case.turn < 18 or ledger(case).collapsed)
    right = "major" if early else level(case, count)
    claimed = [name for name in LEVELS if name in event.value.lower()]
    if claimed and right is not None and claimed[0] != right:
        text = f"{event.value!r} is claimed; {count} points in turn {case.turn} are a {right} victory"
        yield Fault("lwe-4.6a", text)


def level(case: Case, count: int) -> str | None:
    table = case.game.table["victory-levels"]
    for row in table.rows:
        cells = table.row(row.id)
        low, high = (int(cells[end].replace("-", str(count))) for end in ("low", "high"))
        if low <= count <= high:
            return cells["level"]
    return None
