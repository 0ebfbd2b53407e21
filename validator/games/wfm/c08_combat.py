"""Chapter 8.1 to 8.7: who may attack whom, the odds, the die and the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from validator.core import explain as say
from validator.core.battle import Attacker, BattleRules, check_battle
from validator.core.board import Mask
from validator.core.combat import Worksheet
from validator.core.results import Modifier
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm import c08_odds as odds
from validator.games.wfm.battles import MOVING, Battle, across, battles, declared, numbered
from validator.games.wfm.book import AXIS, RULES, SOVIET
from validator.games.wfm.c08_losses import settle_before_the_next
from validator.games.wfm.c10_air import AIR, GROUP, SIEGE, standing_city
from validator.games.wfm.c20_losses import armor_that_rolls
from validator.games.wfm.field import SNOW, Field, field_of
from validator.games.wfm.state import Case
from validator.games.wfm.travel import STRATEGIC, modes_of
from validator.model.events import Attacked, ResultNamed, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import battlebook
from validator.procedures.faults import as_guess
from validator.procedures.field import printed

PHASE_OF = {"axis-combat": AXIS, "sov-combat": SOVIET}
WATER = ("sea", "lake", "causeway")
KEYS = {
    "not-adjacent": "wfm-8.21b",
    "water": "wfm-8.46",
    "ice-road": "wfm-8.46",
    "many-on-many": "wfm-8.34",
    "attacked-before": "wfm-8.23a",
}
FIGHT = ("combat", "overrun", "")


# --- declaring (8.2, 8.3) ------------------------------------------------------------------------


@RULES.track(Attacked)
def open_the_battle(case: Case, event: Attacked) -> None:
    field = field_of(case)
    battle = declared(case, field, event)
    battle.city = any(standing_city(case, field, h) for h in battle.targets)
    battle.armored = armor_that_rolls(battle)
    battles(case).append(battle)


@RULES.before(Attacked)
def the_last_battle_is_over(case: Case, event: Attacked) -> Faults:
    yield from settle_before_the_next(case, battles(case)[:-1])


@RULES.rule("wfm-8.21a", "wfm-8.21b", "wfm-8.23a", "wfm-8.23b", "wfm-8.23c", "wfm-8.24", "wfm-8.34")
@RULES.rule("wfm-8.36a", "wfm-8.46", "wfm-5.63")
@RULES.before(Attacked)
def attacks_are_declared_as_they_may_be(case: Case, event: Attacked) -> Faults:
    if not event.units:
        case.not_checked("an attack without attackers")
    yield from of_declaration(case, event)


def of_declaration(case: Case, event: Attacked) -> list[Fault]:
    return case.about("declaration", lambda: list(_of_declaration(case, event)))


def _of_declaration(case: Case, event: Attacked) -> Iterator[Fault]:
    field, units = field_of(case), [case.position.units[name] for name in event.units]
    *before, battle = battles(case)
    if not units:
        return
    yield from _of_side(case, battle, event)
    yield from _of_strength(case, units, event)
    if not battle.overrun:
        yield from _of_place(case, field, battle, units, before)
        yield from _of_defenders(field, battle, before, event)
        yield from _of_nations(units, event)


@RULES.track(Attacked, when=JUDGED)
def note_who_should_not_attack(case: Case, event: Attacked) -> None:
    battle = battles(case)[-1]
    faulty = {unit for fault in of_declaration(case, event) for unit in fault.units}
    battle.attacker.doubtful.update(faulty.intersection(battle.attacker.steps))


def _of_side(case: Case, battle: Battle, event: Attacked) -> Iterator[Fault]:
    side = battle.attacker.side
    strays = [name for name in event.units if case.position.units[name].side != side]
    if strays:
        yield Fault("wfm-8.21a", f"{'+'.join(strays)} attacks with the other side", tuple(strays))
    if not battle.overrun and PHASE_OF.get(case.phase) != side:
        where = "the movement phases know only overruns" if case.phase in MOVING else "not its combat phase"
        yield Fault("wfm-8.21a", f"{'+'.join(event.units)} attacks: {where}", event.units, event.targets)


def _of_strength(case: Case, units: list[Unit], event: Attacked) -> Iterator[Fault]:
    for unit in units:
        if attack_zero(unit):
            yield Fault("wfm-8.24", f"{unit.id} has an attack strength of 0", (unit.id,), event.targets)
        elif STRATEGIC in modes_of(case, unit):
            text = f"{unit.id} used strategic movement in this turn"
            yield Fault("wfm-5.63", text, (unit.id,), event.targets)


def attack_zero(unit: Unit) -> bool:
    return not unit.has("draws-strength") and printed(unit, "attack") == 0


def _of_place(
    case: Case, field: Field, battle: Battle, units: list[Unit], before: list[Battle]
) -> Iterator[Fault]:
    fought = battlebook.fought_before(before)
    attackers = [
        Attacker(unit.id, battle.attacker.stood[unit.id], _banned(case, field, unit))
        for unit in units
        if unit.id in battle.attacker.stood
    ]
    for breach in check_battle(field.board, BattleRules(twice=True), attackers, battle.targets, fought):
        rule = KEYS[breach.key]
        if rule == "wfm-8.23a" and not all(b.rolled for b in before if _fights_in(b, breach.units)):
            rule = "wfm-8.23c"
        hexes = tuple(field.board.hexes[h] for h in breach.hexes)
        yield Fault(rule, say.breach_text(field.ground.wording, breach), breach.units, hexes)
    for unit in units:
        if unit.id not in battle.attacker.stood:
            yield Fault("wfm-8.21b", f"{unit.id} is not on the map in play", (unit.id,))


def _fights_in(battle: Battle, units: tuple[str, ...]) -> bool:
    return any(unit in battle.attacker.names for unit in units)


def _banned(case: Case, field: Field, unit: Unit) -> Mapping[str, Mask]:
    """Hexsides that no attack crosses; ice roads bear Soviet units other than armour, in snow (8.46)."""
    banned: dict[str, Mask] = {"water": across(case, *WATER)}
    if not (field.season == SNOW and unit.side == SOVIET and unit.has("ice-roads")):
        banned["ice-road"] = field.ground.ice_roads
    return banned


def _of_defenders(field: Field, battle: Battle, before: list[Battle], event: Attacked) -> Iterator[Fault]:
    enemies = {u.id for h in battle.targets for u in field.units(h) if u.side == battle.defender.side}
    empty = [h for h in battle.targets if not any(u.side == battle.defender.side for u in field.units(h))]
    if empty or not battle.targets:
        where = say.listed([field.ground.wording.hex(h) for h in empty]) or "the attacked hex"
        yield Fault("wfm-8.21b", f"no enemy unit is in {where}", event.units, event.targets)
    again = {u for other in before if not other.overrun for u in other.defender.names} & enemies
    again &= set(battle.defender.steps)
    if again:
        text = f"{'+'.join(sorted(again))} was attacked before in this phase"
        yield Fault("wfm-8.23b", text, tuple(sorted(again)), event.targets)


def _of_nations(units: list[Unit], event: Attacked) -> Iterator[Fault]:
    nations = {unit.nationality for unit in units if unit.side == AXIS and not unit.has("german")}
    if len(nations) > 1:
        text = f"{say.listed(sorted(nations))} units attack together"
        yield Fault("wfm-8.36a", text, event.units, event.targets)


# --- odds and die (8.1) ---------------------------------------------------------------------------


@RULES.rule("wfm-8.1a", "wfm-8.1b", "wfm-8.42", "wfm-8.43", "wfm-2.4a", "wfm-2.4b", "wfm-8.22", "wfm-8.35")
@RULES.rule("wfm-8.52", "wfm-8.53", "wfm-8.1d", "wfm-9.52", "wfm-9.53")
@RULES.before(Rolled)
def the_announced_column_is_right(case: Case, event: Rolled) -> Faults:
    """The odds are reckoned when the die falls: strength markers are drawn after the declaration."""
    if event.reason not in FIGHT:
        return
    battle = numbered(case, event.battle)
    if battle is None or (battle.rolled and event.battle is None):
        if event.reason:
            text = "a combat die without a declared attack"
            yield Fault("wfm-8.1d", text, verdict=Verdict.WARNING)
        return
    if battle.rolled:
        text = f"a second die for battle {battle.number}, which has its die"
        yield Fault("wfm-8.1d", text, tuple(battle.attacker.steps))
        return
    if len(event.values) != 1 or event.sides != 6:
        yield Fault("wfm-8.1c", "one six-sided die decides a battle", tuple(battle.attacker.steps))
    found = reckoned(case, event, battle)
    if found is None:
        case.not_checked("a battle whose strengths are not known")
    elif battle.attacker.doubtful or battle.defender.doubtful:
        case.not_checked("the odds of an attack that should not have been made so")
    elif battle.announced is not None and found.die is not None and found.named is None:
        case.not_checked("announced odds that are no odds")
    elif found.misnamed:
        yield _column_fault(case, battle, found)


@dataclass(frozen=True)
class Reckoned:
    """A battle worked out when its die falls; `named` is the column of the odds that were announced."""

    sum: odds.Sum
    sheet: Worksheet
    die: int | None
    named: int | None
    misnamed: bool


def reckoned(case: Case, event: Rolled, battle: Battle) -> Reckoned | None:
    return case.about("reckoned", lambda: _reckon(case, event, battle))


def _reckon(case: Case, event: Rolled, battle: Battle) -> Reckoned | None:
    sum_ = odds.sum_of(case, battle, battle.attacker.doubtful)
    if sum_ is None:
        return None
    die = event.values[0] if event.sides == 6 else None
    sheet = odds.worksheet(case, sum_, die)
    named = None if battle.announced is None else odds.column_named(case, sum_, battle.announced)
    sound = die is not None and not (battle.attacker.doubtful or battle.defender.doubtful)
    right = (None, sheet.column.index, odds.start_index(case, sum_))
    return Reckoned(sum_, sheet, die, named, sound and named not in right)


@RULES.track(Rolled, when=JUDGED)
def note_the_die(case: Case, event: Rolled) -> None:
    battle = numbered(case, event.battle) if event.reason in FIGHT else None
    if battle is None or battle.rolled:
        return
    battle.die = event.values[0] if event.sides == 6 else None
    found = reckoned(case, event, battle)
    if found is None:
        return
    battle.sum, battle.sheet, battle.result = found.sum, found.sheet, found.sheet.result
    if found.misnamed and found.named is not None and found.die is not None:
        battle.accused.add("column")
        battle.else_ = battle.result
        battle.result = odds.read_result(odds.cell_at(case, found.named, found.sum, found.die))
    elif found.named is None:
        battle.announced = None


def _column_fault(case: Case, battle: Battle, found: Reckoned) -> Fault:
    wrongly = ((r, odds.worksheet(case, s)) for r, s in odds.mistakes_of_odds(case, battle, found.sum))
    guess = next(((r, wrong) for r, wrong in wrongly if wrong.column.index == found.named), None)
    text = f"odds of {battle.announced} were announced, the column is {found.sheet.column.label}"
    return _battle_fault(case, battle, "wfm-8.1a", text, found.sheet, guess)


Guess = tuple[str, Worksheet]
"""A rule, and a battle as he reckons it who misreads that rule."""


def _battle_fault(
    case: Case, battle: Battle, rule: str, text: str, sheet: Worksheet, guess: Guess | None
) -> Fault:
    """A wrong column or result; only a siege gun that was not declared may make a result right (8.72)."""
    field = field_of(case)
    steps = say.worksheet_text(field.ground.wording, sheet).split("\n")
    hexes = tuple(field.board.hexes[h] for h in battle.targets)
    meant = guess[0] if guess else ""
    if guess:
        text += as_guess(field.ground.wording, sheet, guess[1], meant)
    verdict, rule = (Verdict.WARNING, meant) if meant == "wfm-8.72" else (Verdict.ILLEGAL, rule)
    return Fault(rule, text, tuple(battle.attacker.steps), hexes, {"steps": steps}, verdict, guess=meant)


# --- result (8.1 step 7) ----------------------------------------------------------------------------


@RULES.rule("wfm-8.1c", "wfm-8.62", "wfm-8.64", "wfm-8.72", "wfm-11.27", "wfm-11.28", "wfm-6.1b", "wfm-8.71")
@RULES.before(ResultNamed)
def the_named_result_is_right(case: Case, event: ResultNamed) -> Faults:
    battle = numbered(case, event.battle)
    read = odds.read_result(event.result)
    if battle is None or read is None:
        return
    if battle.sheet is not None and battle.die is not None and _is_misnamed(case, battle, event):
        rule = "wfm-8.1c" if battle.announced else "wfm-8.1a"
        text = f"{event.result} was named, the worksheet gives {battle.sheet.cell}"
        guess = _mistake(case, battle, battle.sum, battle.die, event.result)
        yield _battle_fault(case, battle, rule, text, battle.sheet, guess)


def _is_misnamed(case: Case, battle: Battle, event: ResultNamed) -> bool:
    """Whether a result differs from what the sound reckoning of a battle allows; asked of the first named."""
    doubtful = battle.attacker.doubtful or battle.defender.doubtful
    if doubtful or battle.sum is None or battle.die is None or battle.named is not None:
        return False
    cells = _acceptable(case, battle, battle.sum, battle.die)
    return not any(odds.same_result(event.result, cell) for cell in cells)


@RULES.track(ResultNamed, when=JUDGED)
def note_the_result(case: Case, event: ResultNamed) -> None:
    battle, read = numbered(case, event.battle), odds.read_result(event.result)
    if battle is None or read is None:
        return
    if battle.attacker.doubtful or battle.defender.doubtful:
        battle.else_ = battle.result
    elif battle.sheet is not None and _is_misnamed(case, battle, event):
        battle.else_ = battle.sheet.result
    battle.named, battle.result = event.result, read


def _acceptable(case: Case, battle: Battle, sum_: odds.Sum, die: int) -> Iterator[str | None]:
    """What the worksheet gives; where a fault was found already, also what would follow from it."""
    yield odds.worksheet(case, sum_, die).cell
    variants = [sum_]
    if GROUP in battle.accused:
        variants += [sum_.plus(Modifier(GROUP, GROUP, 3)), sum_.without(odds.GROUP)]
    if SIEGE in battle.accused:
        variants.append(sum_.plus(Modifier(SIEGE, SIEGE, 4)))
    shifts = (-2, -1, 0, 1, 2) if AIR in battle.accused else (0, sum_.shift)
    for variant in variants:
        start = odds.start_index(case, variant)
        if AIR in battle.accused:
            yield from (odds.cell_at(case, start + shift, variant, die) for shift in shifts)
        if "column" in battle.accused and battle.announced:
            named = odds.column_named(case, variant, battle.announced) or 0
            yield from (odds.cell_at(case, named + shift, variant, die) for shift in shifts)
        yield odds.worksheet(case, variant, die).cell


def _mistake(case: Case, battle: Battle, sum_: odds.Sum, die: int, named: str) -> Guess | None:
    """The mistake that would give the named result."""
    for rule, wrong in odds.mistakes(case, battle, sum_, battle.announced is None):
        sheet = odds.worksheet(case, wrong, die)
        if odds.same_result(sheet.cell, named):
            return rule, sheet
    return None
