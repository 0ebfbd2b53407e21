"""Verdicts as sentences: the one place where the core's data become words.

A `Wording` knows how the game calls things: kinds of terrain, keys of its rules, whose zone a hex is in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from validator.core.board import Board, HexId
from validator.core.breach import Breach
from validator.core.combat import Worksheet
from validator.core.costs import Item, points_text
from validator.core.movement import BUDGET, ENTER_ZONE, LEAVE_ZONE, ONE_HEX, PathStep, PathVerdict, Way
from validator.core.odds import odds_text
from validator.core.stacking import StackVerdict
from validator.core.strength import Change, Force, Share
from validator.core.supply import LENGTH, LineVerdict
from validator.core.victory import Score

PHRASES: Mapping[str, str] = {
    "enemy": "{hexes} holds enemy units",
    "zone-to-zone": "steps from one enemy zone of control into another at {hexes}",
    "zone-stop": "the enemy zone of control at {hexes} ends the move",
    "too-near": "too near the enemy at {hexes}",
    "off-line": "leaves the railway at {hexes}",
    "budget": "{needed} MP needed, {available} available",
    "length": "{needed} needed, {available} allowed",
    "zone": "an enemy zone of control at {hexes}",
    "terrain": "{kind} may not be entered at {hexes}",
    "hexside": "{kind} hexside may not be crossed at {hexes}",
    "not-adjacent": "{hexes} are not adjacent",
    "stacking": "{units}: {needed} stacked, {available} allowed",
    "stacking-slots": "{units} do not fit into the hex together",
    "nationality": "{units} may not share a hex",
    "class": "{units} share a hex, {available} {kind} allowed",
    "water": "no attack crosses the water between {hexes}",
    "no-port": "no port at {hexes}",
    "enemy-port": "{hexes} is not a friendly port",
    "other-sea": "{hexes} lie on different waters",
    "many-on-many": "{units} attack several hexes together: {hexes}",
    "too-many-targets": "{needed} hexes attacked, {available} allowed",
    "attacked-before": "{units} attacked before in this phase",
    "hex-attacked-before": "{hexes} was attacked before in this phase",
    "loss-tier": "{units} lost steps while units that must lose theirs first had some left",
    "loss-spread": "{units} lost another step before all others had lost one",
    "order": "a better hex was open for the retreat than {first}: {rest}",
    "away": "{hexes} is no farther from the battle",
    "first-hex": "{hexes} is not a hex the enemy left",
    "advance-length": "{needed} hexes advanced, {available} allowed",
    "advance-stop": "the advance had to end at {hexes}",
    "phase": "{detail} is not for this phase",
    "side": "{detail} is for the other side now",
    "step-order": "it is too late for this: {detail} has begun",
    "phase-order": "{detail} does not follow",
    "too-early": "{units} is due in turn {needed}, this is turn {available}",
    "not-due": "{units} is not due",
    "place": "{units} may not arrive at {hexes}",
    "unpaid": "{needed} {detail} owed, {available} paid",
    "overpaid": "{available} steps lost, {needed} owed",
    "retreat-too-far": "{units} retreated {available} hexes, {needed} owed",
    "uneven-retreat": "{units} retreated different numbers of hexes",
    "retreat-not-allowed": "{units} may not retreat: the result is paid in steps",
    "stranded": "{units} cannot retreat and must be eliminated",
}

ITEMS: Mapping[str, str] = {
    "terrain": "{kind} {price}",
    "line": "{kind} {price}",
    "hexside": "{kind} +{price}",
    "opened": "crossing +{price}",
    "doubled": "doubled +{price}",
    "multiplied": "by region {price}",
    "at-least": "hindered +{price}",
    "leave-zone": "leaving {zone} +{price}",
    "enter-zone": "entering {zone} +{price}",
    "between-zones": "from zone to zone {price}",
    "whole": "whole allowance {price}",
    "settle": "left by a dearer way +{price}",
}


@dataclass(frozen=True)
class Wording:
    """How a game calls things. `phrases` adds to or replaces those of keys; `zone_of` names the units whose
    zone a hex is in."""

    board: Board
    names: Mapping[str, str] = field(default_factory=dict)
    phrases: Mapping[str, str] = field(default_factory=dict)
    zone_of: Callable[[HexId], str] | None = None
    sheet: str | None = None

    @classmethod
    def of(cls, board: Board, sheet: str | None = None, **changes: Mapping[str, str]) -> Wording:
        """Names of kinds as the map has them."""
        kinds = (
            *board.map.hexside_kinds,  # what has the name of a terrain is called by that of the terrain
            *board.map.terrain_kinds,
            *board.map.line_kinds,
            *board.map.place_kinds,
        )
        names = {kind.id: kind.name.lower() for kind in kinds}
        return cls(board, {**names, **changes.get("names", {})}, changes.get("phrases", {}), None, sheet)

    def name(self, id_: str) -> str:
        return self.names.get(id_, id_.replace("-", " "))

    def hex(self, hex_id: HexId) -> str:
        return self.board.lattice.label(self.board.hexes[hex_id], self.sheet)

    def hexes(self, ids: Iterable[HexId]) -> str:
        return listed([self.hex(h) for h in ids])

    def zone(self, hex_id: HexId) -> str:
        whose = self.zone_of(hex_id) if self.zone_of else ""
        return f"the zone of {whose}" if whose else "an enemy zone"


def listed(words: Sequence[str]) -> str:
    """a; a and b; a, b and c."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def counted(number_: int, word: str) -> str:
    """1 step, 2 steps, 2 hexes."""
    several = f"{word}es" if word.endswith("x") else f"{word}s"
    return f"{number_} {word if number_ == 1 else several}"


def counted_in_words(number_: int, word: str) -> str:
    """One step, 2 steps."""
    return f"one {word}" if number_ == 1 else counted(number_, word)


def number(value: Fraction | int | None) -> str:
    if value is None:
        return "?"
    whole, rest = divmod(Fraction(value), 1)
    return f"{whole}" if not rest else f"{rest}" if not whole else f"{whole} {rest}"


# --- ways and prices -----------------------------------------------------------------------------


def item_text(words: Wording, step: PathStep, item: Item) -> str:
    zone = ""
    if item.key in (LEAVE_ZONE, ENTER_ZONE):
        zone = words.zone(step.start if item.key == LEAVE_ZONE else step.end)
    form = ITEMS.get(item.key, "{kind} {price}")
    return form.format(kind=words.name(item.subject), price=points_text(item.price), zone=zone)


def way_text(words: Wording, way: Way) -> str:
    """6407-6306 clear 1, leaving the zone of 64A +3; 6306-6205 forest 2."""
    return "; ".join(
        f"{words.hex(step.start)}-{words.hex(step.end)} "
        + ", ".join(item_text(words, step, item) for item in step.items)
        for step in way.steps
    )


def path_text(words: Wording, verdict: PathVerdict) -> str:
    """One sentence on a move: its price, or what stands in the way."""
    if verdict.way is not None and not verdict.way.steps:
        return f"stays in {words.hex(verdict.start)}"
    if verdict.way is not None:
        price = f"{points_text(verdict.way.cost)} of {points_text(verdict.budget)} MP"
        rest = " (a unit may always go one hex)" if verdict.minimum else ""
        price = "its one hex" if verdict.budget == ONE_HEX else f"{price}{rest}"
        return f"{price}: {way_text(words, verdict.way)}"
    obstacle = verdict.obstacle
    if obstacle is None:
        return f"{words.hex(verdict.target)} cannot be reached from {words.hex(verdict.start)} in any way"
    reasons = [
        _too_dear(verdict, obstacle.way) if breach.key == BUDGET else breach_text(words, breach)
        for breach in obstacle.breaches
    ]
    return f"{'; '.join(reasons)}: {way_text(words, obstacle.way)}"


def _too_dear(verdict: PathVerdict, way: Way) -> str:
    if verdict.budget == ONE_HEX:
        return "farther than its one hex"
    return f"{points_text(way.cost)} MP needed, {points_text(verdict.budget)} available"


_ONE_OF_MANY = re.compile(r"\b1 (hex|step)e?s\b")
_ONE_HEX = re.compile(r"^(\{hexes\} )(holds|is)(?= (?!a ))")
_SEVERAL = {"holds": "hold", "is": "are"}


def breach_text(words: Wording, breach: Breach) -> str:
    """A broken rule in a few words, without the rule's number."""
    root, _, kind = breach.key.partition(":")
    form = words.phrases.get(breach.key) or words.phrases.get(root) or PHRASES.get(breach.key)
    form = form or (PHRASES.get(root) if kind else None)
    if form is None:
        where = f" at {words.hexes(breach.hexes)}" if breach.hexes else ""
        return f"{words.name(breach.key)}{where}"
    if len(set(breach.hexes)) > 1:
        form = _ONE_HEX.sub(lambda match: match[1] + _SEVERAL[match[2]], form)
    text = form.format(
        hexes=words.hexes(breach.hexes),
        first=words.hexes(breach.hexes[:1]),
        rest=words.hexes(breach.hexes[1:]),
        units=listed(breach.units),
        needed=number(breach.needed),
        available=number(breach.available),
        detail=words.name(breach.detail),
        kind=words.name(kind),
    )
    return _ONE_OF_MANY.sub(r"1 \1", text)


def line_text(words: Wording, verdict: LineVerdict) -> str:
    """One sentence on a unit's line of supply."""
    limit = points_text(verdict.limit)
    if verdict.way is not None and not verdict.way.steps:
        return f"{words.hex(verdict.hex_id)} is a source itself"
    if verdict.way is not None:
        return f"line of {points_text(verdict.way.cost)} of {limit} hexes: {way_text(words, verdict.way)}"
    if not verdict.breaks:
        return f"{words.hex(verdict.hex_id)} has no line to any source"
    cut = verdict.breaks[0]
    reasons = [
        f"{points_text(cut.way.cost)} hexes, {limit} allowed" if b.key == LENGTH else breach_text(words, b)
        for b in cut.breaches
    ]
    return f"no line: {'; '.join(reasons)} on {'-'.join(words.hex(h) for h in cut.way.path)}"


# --- stacks, battles, points ------------------------------------------------------------------------


def stack_text(words: Wording, verdict: StackVerdict) -> str:
    sizes = ", ".join(f"{unit} {number(size)}" for unit, size in verdict.sizes)
    text = f"{number(verdict.load)} of {number(verdict.limit)} stacked: {sizes or 'nothing that counts'}"
    others = [breach_text(words, b) for b in verdict.breaches if b.key != "stacking"]
    fits = verdict.load <= verdict.limit  # and something else is wrong
    return "; ".join(others if fits and others else [text, *others])


def change_text(words: Wording, change: Change) -> str:
    reason = words.name(change.subject or change.key)
    if change.set_to is not None:
        return f"{reason} = {number(change.set_to)}"
    parts = [f"x{number(change.times)}"] if change.times != 1 else []
    parts += [f"{'+' if change.plus > 0 else ''}{number(change.plus)}"] if change.plus else []
    return f"{reason} {' '.join(parts)}".strip()


def force_lines(words: Wording, title: str, force: Force) -> list[str]:
    lines = [f"{title} {number(force.value)}"]
    lines += [f"  {_share_text(words, share)}" for share in force.shares]
    lines += [f"  {change_text(words, change)}" for change in force.changes]
    return lines


def _share_text(words: Wording, share: Share) -> str:
    text = f"{'+'.join(share.units)} {number(share.printed)}"
    if share.changes:
        text += f" ({', '.join(change_text(words, change) for change in share.changes)})"
    return text if share.value == share.printed else f"{text} = {number(share.value)}"


def worksheet_text(words: Wording, sheet: Worksheet) -> str:
    """A battle from strengths to result, a line for each step."""
    column = sheet.column
    lines = [
        *force_lines(words, "attack", sheet.attack),
        *force_lines(words, "defense", sheet.defense),
        f"odds {odds_text(sheet.attack.value, sheet.defense.value)}, column {column.start}",
    ]
    lines += [f"  {words.name(s.subject or s.key)} {s.columns:+d}" for s in column.shifts]
    if column.label != column.start:
        beyond = column.clamped and ("beyond the table" if column.automatic else "the last there is")
        lines.append(f"  column {column.label}{f' ({beyond})' if beyond else ''}")
    if sheet.roll is not None:
        lines.append(f"die {sheet.roll.die}")
        lines += [f"  {words.name(m.subject or m.key)} {m.value:+d}" for m in sheet.roll.modifiers]
        if sheet.roll.final != sheet.roll.die:
            lines.append(f"  die {sheet.roll.final}")
    if sheet.cell is not None:
        lines.append(f"result {sheet.cell}")
    return "\n".join(lines)


def difference_text(words: Wording, right: Worksheet, wrong: Worksheet) -> str:
    """What a battle worked out wrongly has otherwise than the right one: `with siege gun +4`."""
    ours, theirs = _items(words, right), _items(words, wrong)
    added = [item for item in theirs if item not in ours]
    missing = [item for item in ours if item not in theirs]
    if added and missing:
        return f"with {listed(added)} instead of {listed(missing)}"
    if added or missing:
        return f"with {listed(added)}" if added else f"without {listed(missing)}"
    if wrong.column.start != right.column.start:
        return f"with odds of {wrong.column.start} before all shifts"
    return "in another row or column of the table"


_SUMS = ("column ", "die ")
_NAMELESS = re.compile(r"^[a-z]+[ -]\d+\.\d+[a-z]? (?=[+-])")  # a shift that has a rule's number for a name


def _items(words: Wording, sheet: Worksheet) -> list[str]:
    """The strengths, shifts and modifiers of a battle, without its sums."""
    lines = worksheet_text(words, sheet).split("\n")
    items = [line.strip() for line in lines if line.startswith(" ") and not line.strip().startswith(_SUMS)]
    return [_NAMELESS.sub("a shift of ", item) for item in items]


def score_text(words: Wording, score: Score) -> str:
    lines = [
        f"{words.name(item.key)}: {item.subject} {item.count} x {number(item.each)} = {number(item.points)}"
        for item in score.items
    ]
    return "\n".join([*lines, f"in all {number(score.points)}"])
