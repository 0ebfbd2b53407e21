"""Chapters 11.8 to 11.28: a battle worked out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from validator.core.battle import concentric, sides_across
from validator.core.board import HexId
from validator.core.odds import Ladder, Shift
from validator.core.results import Grammar, Pays, Phrase
from validator.core.strength import HALF, Change, Fighter, Force, Per, Round, Rounding, capped, total
from validator.games.lwe.battles import ARTILLERY, ZONE, Battle
from validator.games.lwe.book import GERMAN, GERMAN_PA_FIRST, SNOW, SOVIET
from validator.games.lwe.course import AUGUST, RIVERLESS, SOUTH
from validator.games.lwe.field import STRAITS, Field, field_of, mechanized, printed
from validator.games.lwe.lines import unmarked
from validator.games.lwe.state import Case
from validator.model.position import Unit, all_have, any_has, having, lacking
from validator.procedures import faults
from validator.procedures.battle import odds
from validator.procedures.faults import all_true
from validator.procedures.printedvalues import columns_shifted

AL1, DE, DR, DL1 = "AL1", "DE", "DR", "DL1"
LADDER = Ladder("1:3", "6:1", below=AL1, above=DE)
ROUNDING = Rounding(Round.DOWN, Per.GROUP, at_least=1)
GRAMMAR = Grammar(
    (
        Phrase("AS"),
        Phrase("AL1", attacker=(Pays.STEPS, 1, 0)),
        Phrase("DR", defender=(Pays.RETREAT, 1, 0)),
        Phrase("DE", defender=(Pays.EACH, 1, 0)),
        Phrase("BB", attacker=(Pays.SAME, 0, 0), defender=(Pays.EACH, 1, 0), first="defender"),
        Phrase("DL1", defender=(Pays.STEPS, 1, 0)),
    )
)
THAWED = ("dry", "rain", "mud")  # weather in which rivers and marsh count (10.6, 10.7)
MIXED = "mixed"
# Keys of changes and shifts are the rules that ask for them.
RIVER, MARSH, PANZER, STRAIT, CITY_DEFENSE = (
    "lwe-11.17a",
    "lwe-11.16a",
    "lwe-11.22d",
    "lwe-11.19a",
    "lwe-11.22c",
)
FIRST, CONCENTRIC, AIR, SUPPLY = "lwe-5.3c", "lwe-11.27a", "lwe-11.25b", "lwe-7.4a"


@dataclass(frozen=True)
class Sum(odds.Sum):
    rounding: Rounding = ROUNDING
    artillery: Fighter | None = None
    supply: Shift | None = None  # attenuated supply, the last of all
    uncapped: bool = False  # the mistake of counting all the dice of the artillery command
    held_first: bool = False  # ... of shifting from the end of the table


class Odds(odds.Odds[Battle, Sum]):
    grammar = GRAMMAR

    def sum_of(self, case: Case, battle: Battle, left_out: Collection[str] = ()) -> Sum | None:
        return sum_of(case, battle, left_out, field_of(case))

    def scales(self, case: Case, sum_: Sum) -> Sequence[Ladder]:
        return (LADDER,)

    def forces(self, sum_: Sum) -> tuple[Force, Force]:
        attack, defense = super().forces(sum_)
        if sum_.artillery is not None:
            guns = total([sum_.artillery], sum_.rounding)
            if not sum_.uncapped:
                guns = capped(guns, attack.value, "lwe-11.26b")
            attack = Force((*attack.shares, *guns.shares), guns.changes, attack.value + guns.value)
        if sum_.held_first:
            attack = replace(attack, value=min(attack.value, 7 * defense.value - 1))
        return attack, defense

    def shifts(self, sum_: Sum) -> tuple[Shift, ...]:
        return (*sum_.shifts, sum_.supply) if sum_.supply and sum_.supply.columns else sum_.shifts

    def unshifted(self, sum_: Sum) -> Sequence[Sum]:
        """Before any shift, or before the die for supply."""
        bare = replace(sum_, supply=None)
        return replace(bare, shifts=()), bare

    def offsets(self, sum_: Sum) -> set[int]:
        supply, shifts = sum_.supply.columns if sum_.supply else 0, sum(s.columns for s in sum_.shifts)
        return {0, supply, shifts, shifts + supply}

    def converted(self, case: Case, battle: Battle, cell: str) -> tuple[str, str | None]:
        """11.22, 11.24"""
        field, table = field_of(case), case.game.table["result-conversions"]
        if not battle.targets or cell not in [row.id for row in table.rows]:
            return cell, None
        target = battle.targets[0]
        if field.board.has_place(target, "city"):
            new, rule = table.cell(cell, "city"), "lwe-11.22b"
        elif has_zone(case, battle) and field.board.has_place(target, "large-town"):
            new, rule = table.cell(cell, "large town with a fortified zone"), "lwe-11.24d"
        else:
            return cell, None
        return new, rule if new != cell else None


ODDS = Odds()


# --- strengths (1.3, 2.10, 11.16 to 11.19, 11.22, 11.24, 11.26) -------------------------------------


def sum_of(case: Case, battle: Battle, left_out: Collection[str], field: Field) -> Sum | None:
    """None if nobody is there to fight, or the dice of the artillery command are not shown."""
    sound = battle.attackers_but(left_out)
    attackers = case.units(sound)
    guns, others = having(attackers, ARTILLERY), lacking(attackers, ARTILLERY)
    unseen = bool(guns) and not battle.dice
    if unseen or not others or not battle.defender.steps or len(battle.targets) != 1:
        return None
    (target,) = battle.targets
    commands = [
        Fighter(unit.id, sum(battle.dice), changes(case, field, battle, unit, target)) for unit in guns
    ]
    return Sum(
        tuple(attacker(case, field, battle, unit, target) for unit in others),
        tuple(defender(field, unit, target) for unit in case.units(battle.defender.steps)),
        shifts=tuple(shifts(case, field, battle)),
        artillery=next(iter(commands), None),
        supply=supply_shift(case, field, battle),
    )


def attacker(case: Case, field: Field, battle: Battle, unit: Unit, target: HexId) -> Fighter:
    return Fighter(unit.id, printed(unit, "attack"), changes(case, field, battle, unit, target))


def changes(case: Case, field: Field, battle: Battle, unit: Unit, target: HexId) -> tuple[Change, ...]:
    """What reduces an attacker; in frost and snow rivers and marsh are nothing."""
    thawed, stood = field.weather(target) in THAWED, battle.attacker.stood.get(unit.id)
    crossed = sides_across(field.board, stood, [target]) if stood is not None else frozenset()
    rivers = thawed and not (unit.side == GERMAN and case.turn in RIVERLESS)
    marsh = thawed and field.board.terrain[target] == "marsh"
    city = not battle.overrun and field.board.has_place(target, "city")
    straits = [kind for kind in STRAITS if kind in crossed and not strait_open(case, field, kind, target)]
    rows = (
        (rivers and "river" in crossed, Change(RIVER, "river", HALF)),
        (marsh and mechanized(unit), Change(MARSH, "marsh", HALF)),
        (city and unit.has("panzer"), Change(PANZER, "city", HALF)),
        *((True, _in_a_strait(unit, kind)) for kind in straits),
    )
    reduced = tuple(all_true(*rows))
    if case.option("halving-groups") == "all":
        reduced = tuple(
            replace(one, key=RIVER, subject="halved") if one.set_to is None else one for one in reduced
        )
    return reduced[:1] if case.option("double-halving") == "once" else reduced


def _in_a_strait(unit: Unit, kind: str) -> Change:
    return Change(STRAIT, kind, set_to=1) if mechanized(unit) else Change(STRAIT, kind, HALF)


def strait_open(case: Case, field: Field, kind: str, target: HexId) -> bool:
    """10.7 against 11.19; all of Sivash lies in the southern zone."""
    weather = field.course.weather(SOUTH) if kind == "sivash" else field.weather(target)
    return weather == SNOW and case.option("strait-snow") == "open"


def defender(field: Field, unit: Unit, target: HexId) -> Fighter:
    """Soviet mechanized and cavalry units have 1 in a city (11.22)."""
    weak = unit.has("weak-in-cities") and field.board.has_place(target, "city")
    return Fighter(
        unit.id, printed(unit, "defense"), (Change(CITY_DEFENSE, "city", set_to=1),) if weak else ()
    )


# --- shifts (5.3, 11.11 to 11.27) ------------------------------------------------------------------


def shifts(case: Case, field: Field, battle: Battle) -> Iterator[Shift]:
    target, board = battle.targets[0], field.board
    city = board.has_place(target, "city")
    terrain = "" if city else board.terrain[target]
    german, prepared = battle.attacker.side == GERMAN, not battle.overrun
    columns = concentric_columns(case, field, battle)
    air = "aircraft-attack" if german else "aircraft-defense"
    due = all_true(
        (
            german and prepared and case.phase == GERMAN_PA_FIRST,
            Shift(FIRST, "prepared assaults before movement", chart_shift(case, "fight-first")),
        ),
        (columns, Shift(concentric_rule(case, battle), "concentric", columns)),
        (
            terrain == "marsh" and prepared and field.weather(target) in THAWED,
            Shift(MARSH, "marsh", chart_shift(case, "marsh")),
        ),
        (terrain == "forest", Shift("lwe-11.14a", "forest", chart_shift(case, "forest"))),
        (terrain == "hills", Shift("lwe-11.15a", "hills", chart_shift(case, "hills"))),
        (
            board.has_place(target, "large-town"),
            Shift("lwe-11.21a", "large-town", chart_shift(case, "large-town")),
        ),
        (city, Shift("lwe-11.22a", "city", chart_shift(case, "city"))),
        (
            stands_in_line(field, battle),
            Shift("lwe-11.23b", "fortified-line", chart_shift(case, "fortified-line")),
        ),
        (has_zone(case, battle), Shift("lwe-11.24a", "fortified zone", chart_shift(case, "fortified-zone"))),
        (battle.air, Shift(AIR, "aircraft", chart_shift(case, air))),
    )
    return (shift for shift in due if shift.columns)


def chart_shift(case: Case, row: str) -> int:
    """Columns to the right by the chart of shifts (11.11)."""
    return columns_shifted(case.game.table["combat-shifts"].cell(row, "columns"))


def stands_in_line(field: Field, battle: Battle) -> bool:
    return battle.defender.side == SOVIET and bool(field.intact_lines[battle.targets[0]])


def has_zone(case: Case, battle: Battle) -> bool:
    return any_has(case.units(battle.defender.steps), ZONE)


def surrounds(case: Case, field: Field, battle: Battle) -> bool:
    """From opposite hexes, three alternate ones, or more than three (11.27)."""
    hexes, target = set(battle.attacker.stood.values()), battle.targets[0]
    if case.option("concentric-rest") == "off" and len(hexes) == 3:
        six = field.board.neighbors[target]
        return hexes in ({*six[::2]}, {*six[1::2]})
    return concentric(field.board, hexes, target)


def barred_from_concentric(case: Case, field: Field, battle: Battle) -> bool:
    """Cities, intact lines, fortified zones, mobile assaults (11.22 to 11.24, 11.27, 9.24)."""
    city = field.board.has_place(battle.targets[0], "city")
    return city or battle.overrun or stands_in_line(field, battle) or has_zone(case, battle)


def concentric_columns(case: Case, field: Field, battle: Battle) -> int:
    if barred_from_concentric(case, field, battle) or not surrounds(case, field, battle):
        return 0
    all_german = composition(case, battle) == GERMAN
    return chart_shift(case, "concentric-german" if all_german else "concentric-other")


def composition(case: Case, battle: Battle) -> str:
    """All German, German and satellite, or others."""
    groups = {unit.has("german") for unit in case.units(battle.attacker.steps)}
    return MIXED if len(groups) > 1 else GERMAN if groups == {True} else "others"


def concentric_rule(case: Case, battle: Battle) -> str:
    return {GERMAN: CONCENTRIC, MIXED: "lwe-11.38b"}.get(composition(case, battle), "lwe-11.27b")


# --- attenuated supply (7.4 to 7.6) ------------------------------------------------------------------


def needs_supply_die(case: Case, field: Field, battle: Battle) -> str | None:
    """The rule by which a die for attenuated supply is due."""
    units, course = case.units(battle.attacker.steps), field.course
    august, paused = case.turn in AUGUST, course.pause is not None  # cut short, or not over yet: no benefit
    free = battle.attacker.side != GERMAN or course.rested(case.turn) or (units and not unmarked(units))
    return faults.first_true(
        (free or not (august or east(field, battle)), None),
        (paused and course.aborted, "lwe-7.5d"),
        (paused, "lwe-7.5e"),
        (august, "lwe-7.4c"),
        otherwise=SUPPLY,
    )


def east(field: Field, battle: Battle) -> bool:
    """Some attacker stands beyond the GAS Line."""
    return any(field.ground.attenuated[h] for h in battle.attacker.stood.values())


def supply_modifier(case: Case, field: Field, battle: Battle) -> int:
    rows = {row.id: int(row.cells[0]) for row in case.game.table["attenuated-supply"].modifiers}
    august = case.turn in AUGUST
    return faults.first_true(
        (august and east(field, battle), 0),
        (august, rows["august-west"]),
        (case.turn == 22, rows["december"]),
        (case.turn >= 10, rows["autumn"]),
        otherwise=0,
    )


def supply_shift(case: Case, field: Field, battle: Battle) -> Shift | None:
    if battle.supply_die is None or needs_supply_die(case, field, battle) is None:
        return None
    return shift_for(case, battle.supply_die + supply_modifier(case, field, battle))


def shift_for(case: Case, roll: int) -> Shift:
    table = case.game.table["attenuated-supply"]
    ends = [int(row.id) for row in table.rows]
    cell = table.cell(str(min(max(roll, ends[0]), ends[-1])), table.columns[0])
    return Shift(SUPPLY, "attenuated supply", -int(cell))


def plain_rule(sum_: Sum) -> str:
    """The rule of odds without shifts."""
    attack, defense = ODDS.forces(sum_)
    return "lwe-11.8a" if attack.value >= defense.value else "lwe-11.9a"


def may_stand(case: Case, battle: Battle) -> bool:
    """All-German defenders of a prepared assault may lose a step instead of retreating (11.39)."""
    units = case.units(battle.defender.steps)
    return bool(units) and not battle.overrun and all_have(units, "german")


read_result = ODDS.read
