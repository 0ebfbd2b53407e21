"""Chapters 8.1, 8.4 and 11.2: a battle worked out, and which mistake a player's own reckoning fits."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from fieldpost.errors import FieldpostError
from validator.core.battle import all_across
from validator.core.board import HexId
from validator.core.combat import CombatRules, Worksheet, prepare, resolve
from validator.core.odds import Columns, Shift, parse_odds
from validator.core.results import Grammar, Modifier, Pays, Phrase, Result
from validator.core.strength import Change, Fighter, Rounding, total
from validator.games.wfm.battles import Battle
from validator.games.wfm.book import AXIS, SOVIET
from validator.games.wfm.c07_strength import ATTACK, DEFENSE, fighter, halved_together, rounded_early
from validator.games.wfm.c10_air import SIEGE, air_shift, destroyed, fleets, group_supports, siege_fault
from validator.games.wfm.field import CLEAR, SNOW, Field, field_of
from validator.games.wfm.state import Case
from validator.procedures.battlebook import units_of

MINOR, MAJOR = "minor-river", ("major-river", "strait")
FIRST_WINTER, OVERRUN, GROUP, GUN = 11, "overrun", "osg", "siege"
ROUNDED_UP = Rounding()
GRAMMAR = Grammar(
    (
        Phrase("AE", attacker=(Pays.ALL, 0, 0)),
        Phrase("DE", defender=(Pays.ALL, 0, 0)),
        Phrase(r"A(?P<n>\d)", attacker=(Pays.EITHER, "n", 0)),
        Phrase(r"D(?P<n>\d)", defender=(Pays.EITHER, "n", 0)),
        Phrase(r"(?P<a>\d)/(?P<d>\d)", (Pays.STEPS, "a", 0), (Pays.STEPS, "d", 0), "defender"),
        Phrase(r"NE|-|none|no effect"),
    )
)


@dataclass(frozen=True)
class Sum:
    """All that goes into a battle before the die; a mistake is a sum with one thing changed."""

    attack: tuple[Fighter, ...]
    defense: tuple[Fighter, ...]
    river: Change | None
    rows: tuple[str, ...]
    shift: int
    modifiers: tuple[Modifier, ...]
    upward: bool = False  # the mistake of rounding odds in the attacker's favour

    def without(self, key: str) -> Sum:
        return replace(self, modifiers=tuple(m for m in self.modifiers if m.key != key))

    def plus(self, modifier: Modifier) -> Sum:
        return replace(self, modifiers=(*self.modifiers, modifier))

    def value(self, key: str) -> int:
        return sum(m.value for m in self.modifiers if m.key == key)


def rules_of(case: Case) -> CombatRules:
    return CombatRules(case.game.table["combat-results"], GRAMMAR, 1, 10)


def columns(case: Case, row: str) -> Columns:
    table = case.game.table["odds"]
    return Columns.from_cells([table.cell(row, column) for column in table.columns], table.columns)


# --- what goes in ----------------------------------------------------------------------------


def sum_of(case: Case, battle: Battle, doubtful: Collection[str] = ()) -> Sum | None:
    """None if an army has no strength marker, or nobody is there to fight."""
    sound = [name for name in battle.attacker.steps if name not in doubtful] or battle.attacker.steps
    attack = [fighter(case, unit, ATTACK) for unit in units_of(case, sound)]
    defense = [fighter(case, unit, DEFENSE) for unit in units_of(case, battle.defender.steps)]
    if not attack or not defense or None in (*attack, *defense):
        return None
    field = field_of(case)
    targets = [field.board.hexes[h] for h in battle.targets]
    plain = Sum(
        tuple(f for f in attack if f),
        tuple(f for f in defense if f),
        None,
        tuple(dict.fromkeys(row_of(case, field, h, battle.defender.side) for h in battle.targets)),
        air_shift(case, battle.attacker.side, targets),
        tuple(_modifiers(case, battle)),
    )
    return replace(plain, river=river(case, field, battle, plain.defense))


def river(case: Case, field: Field, battle: Battle, defense: Sequence[Fighter]) -> Change | None:
    """8.42 to 8.46: only if every attacker comes across a river."""
    ice = "ice-road"
    minor = (MINOR, ice) if case.option("ice-road-combat") == "minor-river" else (MINOR,)
    major = MAJOR if ice in minor else (*MAJOR, ice)
    stood = list(battle.attacker.stood.values())
    if not all_across(field.board, stood, battle.targets, (*minor, *major)):
        return None
    if all_across(field.board, stood, battle.targets, minor):
        pairs = [(a, t) for a in stood for t in battle.targets if field.board.are_adjacent(a, t)]
        if not any(set(field.board.side_of(a, t)) & set(major) for a, t in pairs):
            return minor_river(defense)
    return Change("major-river", "major river", 2)


def minor_river(defense: Sequence[Fighter]) -> Change:
    """+2, or +1 for a defence of one point."""
    return Change("minor-river", "minor river", plus=1 if total(defense, ROUNDED_UP).value == 1 else 2)


def row_of(case: Case, field: Field, hex_id: HexId, defender: str) -> str:
    """The row of odds by the defender's ground (8.1 step 4, 8.47, 5.27)."""
    places = {place.kind for place in field.board.places.get(hex_id, ())}
    if "fortress" in places:
        stands = defender == SOVIET and not destroyed(case, field.board.hexes[hex_id])
        return "major-city" if stands or "major-city" in places else "minor-city"
    for kind in ("major-city", "minor-city"):
        if kind in places:
            return kind
    terrain = field.board.terrain[hex_id]
    return "forest" if terrain == "swamp" and field.season == SNOW else terrain


def winter(case: Case) -> int:
    """11.27, 11.28"""
    if case.season != SNOW:
        return 0
    return 3 if case.turn <= FIRST_WINTER else 1


def _modifiers(case: Case, battle: Battle) -> Iterator[Modifier]:
    side = battle.attacker.side
    targets = [field_of(case).board.hexes[h] for h in battle.targets]
    if winter(case) and (side == SOVIET or case.option("winter-die") == "both"):
        yield Modifier("winter", "snow", winter(case))
    if battle.overrun:
        yield Modifier(OVERRUN, "overrun", 1)
    if group_supports(case, side, targets):
        yield Modifier(GROUP, "offensive support group", 3)
    if SIEGE in battle.support and SIEGE not in battle.accused:
        yield Modifier(GUN, "siege artillery", 4)


# --- what comes out ---------------------------------------------------------------------------


def worksheet(case: Case, sum_: Sum, die: int | None = None) -> Worksheet:
    changes = (sum_.river,) if sum_.river else ()
    attack, defense = total(sum_.attack, ROUNDED_UP), total(sum_.defense, ROUNDED_UP, changes)
    scales = [columns(case, row) for row in sum_.rows]
    shifts = (Shift("air", "air support", sum_.shift),) if sum_.shift else ()
    if sum_.upward:
        attack = replace(attack, value=attack.value + defense.value - 1)
    sheet = prepare(rules_of(case), attack, defense, scales, shifts, sum_.modifiers)
    return sheet if die is None else resolve(rules_of(case), sheet, die)


def cell_at(case: Case, index: int, sum_: Sum, die: int) -> str:
    """The result in some column, by its place, with the die as it is modified."""
    table = case.game.table["combat-results"]
    index = min(max(index, 0), len(table.columns) - 1)
    final = min(max(die + sum(m.value for m in sum_.modifiers), 1), 10)
    return table.cell(str(final), table.columns[index])


def same_result(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one.strip().upper() == other.strip().upper()


def read_result(text: str) -> Result | None:
    return next((found for phrase in GRAMMAR.phrases if (found := phrase.read(text))), None)


def column_named(case: Case, sum_: Sum, announced: str) -> int | None:
    """The column that announced odds mean: the last one not above them. None if they are no odds."""
    try:
        odds = parse_odds(announced)
    except FieldpostError:
        return None
    return min(columns(case, row).find(odds, odds * 0 + 1).index for row in sum_.rows)


def start_index(case: Case, sum_: Sum) -> int:
    """The column before the air shift."""
    return worksheet(case, replace(sum_, shift=0)).column.index


# --- which mistake it was ----------------------------------------------------------------------


def mistakes(case: Case, battle: Battle, sum_: Sum, of_odds: bool) -> Iterator[tuple[str, Sum]]:
    """Sums with one thing wrong, each with the rule that it breaks, the likeliest first."""
    if any(fleets(case)):
        yield from mistakes_of_air(case, battle, sum_)
    yield from _left_out(case, battle, sum_)
    if battle.city:
        yield from _siege(case, battle, sum_)
    yield from _of_row(case, battle, sum_)
    if of_odds:
        yield from mistakes_of_odds(case, battle, sum_)
    yield from _added(case, battle, sum_)
    yield from mistakes_of_air(case, battle, sum_)


def mistakes_of_odds(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """Mistakes that show in the column already."""
    if any(fleets(case)):
        yield from mistakes_of_air(case, battle, sum_)
    yield from _of_halving(sum_)
    yield from _of_rivers(sum_)
    yield "wfm-8.1a", replace(sum_, upward=True)
    yield from _of_numbers(sum_)


def mistakes_of_air(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    axis = battle.attacker.side == AXIS
    own = "wfm-6.29a" if battle.overrun and axis else "wfm-8.52" if axis else "wfm-8.53"
    toward = 1 if axis else -1
    if sum_.shift:
        yield own, replace(sum_, shift=0)
        yield "wfm-8.54", replace(sum_, shift=2 * toward)
    else:
        yield "wfm-8.55" if case.season != CLEAR else own, replace(sum_, shift=toward)


def _of_halving(sum_: Sum) -> Iterator[tuple[str, Sum]]:
    yield "wfm-2.4a", replace(sum_, attack=halved_together(sum_.attack))
    yield "wfm-2.4a", replace(sum_, defense=halved_together(sum_.defense))
    yield "wfm-2.4b", replace(sum_, defense=rounded_early(sum_.defense))
    for side in ("attack", "defense"):
        fighters: tuple[Fighter, ...] = getattr(sum_, side)
        for i, one in enumerate(fighters):
            if one.changes:
                whole = (*fighters[:i], replace(one, changes=()), *fighters[i + 1 :])
                yield one.changes[0].key, Sum(**{**vars(sum_), side: whole})


def _of_rivers(sum_: Sum) -> Iterator[tuple[str, Sum]]:
    minor, major = minor_river(sum_.defense), Change("major-river", "major river", 2)
    if sum_.river is None:
        yield "wfm-8.42", replace(sum_, river=minor)
        yield "wfm-8.43", replace(sum_, river=major)
        return
    rule = "wfm-8.42" if sum_.river.key == "minor-river" else "wfm-8.43"
    yield rule, replace(sum_, river=None)
    yield rule, replace(sum_, river=major if rule == "wfm-8.42" else minor)
    yield rule, replace(sum_, river=replace(sum_.river, plus=2) if sum_.river.plus else sum_.river)
    yield rule, replace(sum_, river=replace(major, plus=2))


def _of_numbers(sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """Defenders left out (8.22), or only a part of one attacker's strength used (8.23)."""
    for number in range(1, len(sum_.defense)):
        for some in combinations(sum_.defense, number):
            yield "wfm-8.22", replace(sum_, defense=some)
    for i, one in enumerate(sum_.attack):
        for less in range(1, int(one.printed)):
            part = (*sum_.attack[:i], replace(one, printed=less), *sum_.attack[i + 1 :])
            yield "wfm-8.23c", replace(sum_, attack=part)


def _left_out(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """Modifiers of the die that are due and were forgotten, or taken for another."""
    season = "wfm-11.27" if winter(case) == 3 else "wfm-11.28"
    if battle.overrun:
        yield "wfm-6.1b", sum_.without(OVERRUN)
    if sum_.value("winter"):
        yield season, sum_.without("winter")
        other = 4 - sum_.value("winter")
        yield season, sum_.without("winter").plus(Modifier("winter", "snow", other))
    if sum_.value(GROUP):
        yield "wfm-6.29b" if battle.overrun else "wfm-8.64", sum_.without(GROUP)
    if sum_.value(GUN):
        yield "wfm-8.71", sum_.without(GUN)


def _siege(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    if battle.attacker.side == AXIS and not sum_.value(GUN):
        rule = "wfm-8.71" if siege_fault(case, battle) else "wfm-8.72"
        yield rule, sum_.plus(Modifier(GUN, "siege artillery", 4))


def _added(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """Modifiers that were not due."""
    if battle.attacker.side == SOVIET:
        yield "wfm-8.62", sum_.plus(Modifier(GROUP, "offensive support group", 3))
    if not battle.overrun:
        yield "wfm-8.1c", sum_.plus(Modifier(OVERRUN, "overrun", 1))
    yield from _siege(case, battle, sum_)
    yield "wfm-8.1c", replace(sum_, modifiers=())


def _of_row(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    board = field_of(case).board
    rule = "wfm-8.1b"
    if len(sum_.rows) > 1:
        rule = "wfm-8.35"
    elif any(board.has_place(h, "fortress") for h in battle.targets):
        rule = "wfm-8.47"
    for row in case.game.table["odds"].rows:
        yield rule, replace(sum_, rows=(row.id,))
