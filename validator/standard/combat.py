"""Combat: who may attack whom, the odds, the die and the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fieldpost.definition.effects import closed_to_attack
from fieldpost.definition.model import Game
from fieldpost.definition.rulesmodel import CombatRules
from validator.core import explain as say
from validator.core.battle import Attacker, BattleRules, Fought, check_battle
from validator.core.board import HexId, Mask
from validator.core.combat import Worksheet
from validator.engine.rulebook import FIRST, JUDGED, Faults, Rulebook
from validator.model.events import Attacked, ResultNamed, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import battlebook, faults
from validator.standard import odds
from validator.standard.book import COMBAT, NOT_CONFIGURED, SEQUENCE, SUPPLY, cited, rules_of
from validator.standard.field import Field, factor, field_of
from validator.standard.outcome import plain
from validator.standard.sequence import ATTACK, OVERRUN, may, phases_with
from validator.standard.settling import settle_before_the_next
from validator.standard.state import Battle, Case, Party
from validator.standard.supply import wants

FIGHT = ("combat", "overrun", "")
FAR = "not-adjacent"
OVERRUNS = "overruns: the standard referee has no rules for them"


def install(rules: Rulebook, game: Game) -> None:
    rules.track(Attacked, when=FIRST)(open_the_battle)
    rules.track(Attacked, when=JUDGED)(note_whether_it_is_sound)
    rules.track(Rolled, when=JUDGED)(note_the_die)
    rules.track(ResultNamed, when=JUDGED)(note_the_result)
    cites = [cited(game, COMBAT)] if rules_of(game).combat else []
    cites += [cited(game, SUPPLY)] if rules_of(game).supply else []
    rules.rule(*cites)(rules.before(Attacked)(attacks_are_as_they_may_be))
    rules.before(Attacked)(the_last_battle_is_over)
    rules.before(Rolled)(one_die_decides_at_the_right_odds)
    rules.before(ResultNamed)(the_named_result_is_right)


# --- declared ---------------------------------------------------------------------------------------------


def open_the_battle(case: Case, event: Attacked) -> None:
    field, units = field_of(case), case.units(event.units)
    side = units[0].side if units else ""
    targets = tuple(field.ids(event.targets))
    there = [unit for hex_id in targets for unit in field.units(hex_id) if unit.side != side]
    foe = there[0].side if there else next((s.id for s in case.game.sides if s.id != side), "")
    attacker, defender = _party(field, side, units), _party(field, foe, there)
    case.in_phase.battles.append(Battle.declared(event, attacker, defender, targets))


def _party(field: Field, side: str, units: list[Unit]) -> Party:
    steps = {unit.id: steps_left(unit) for unit in units}
    return Party(side, steps, field.where(units))


def steps_left(unit: Unit) -> int:
    return battlebook.printed_steps_left(unit)


def the_last_battle_is_over(case: Case, event: Attacked) -> Faults:
    yield from settle_before_the_next(case, case.in_phase.battles[:-1])


def attacks_are_as_they_may_be(case: Case, event: Attacked) -> Faults:
    told = rules_of(case.game).combat
    if told is None:
        case.not_checked(NOT_CONFIGURED[COMBAT])
    if rules_of(case.game).supply is None:
        case.not_checked(NOT_CONFIGURED[SUPPLY])
    if event.overrun:
        case.not_checked(OVERRUNS)
    for support in event.support:
        if told is not None and support not in told.support:
            case.not_checked(f"combat: what {support} does is not told in `rules`")
    yield from of_declaration(case, event)


def of_declaration(case: Case, event: Attacked) -> list[Fault]:
    return case.about("declaration", lambda: list(_of_declaration(case, event)))


def _of_declaration(case: Case, event: Attacked) -> Iterator[Fault]:
    units, told = case.units(event.units), rules_of(case.game).combat
    if not units:
        yield faults.no_attacker(case, event, cited(case.game, COMBAT))
        return
    verb = OVERRUN if event.overrun else ATTACK
    strays = [unit.id for unit in units if not may(case, unit, verb)]
    if strays and case.phase in phases_with(case.game, verb):  # elsewhere nothing permits it: that is told
        text = f"{'+'.join(strays)} attacks in the {case.phase_name()}"
        yield Fault(cited(case.game, SEQUENCE), text, tuple(strays), event.targets)
    if told is not None and not event.overrun:
        yield from _of_place(case, told, event, units)
        yield from _of_units(case, told, event, units)


def _of_place(case: Case, told: CombatRules, event: Attacked, units: list[Unit]) -> Iterator[Fault]:
    field, rule = field_of(case), cited(case.game, COMBAT)
    *declared, battle = case.in_phase.battles
    before = [b for b in declared if not (b.idle and b.is_declared_anew_by(battle))]
    closed = closed_to_attack(case.game)
    kinds = {kind.id for kind in case.game.map.hexside_kinds}
    banned: Mapping[str, Mask] = {
        f"hexside:{kind}": field.board.steps_across(kind) for kind in closed & kinds
    }
    attackers = [Attacker(unit, hex_id, banned) for unit, hex_id in battle.attacker.stood.items()]
    fought = _fought(before) if told.once else Fought()
    rules = BattleRules(many_on_many=True, twice=not told.once)
    for breach in check_battle(field.board, rules, attackers, battle.targets, fought):
        if breach.key == FAR and _in_range(case, told, field, breach.units[0], *breach.hexes):
            continue
        text = _far_text(field, breach.units[0], breach.hexes[1]) if breach.key == FAR else ""
        text = text or say.breach_text(field.ground.wording, breach)
        yield Fault(rule, text, breach.units, field.hexes(breach.hexes))
    for unit in units:
        if unit.id not in battle.attacker.stood:
            yield Fault(rule, f"{unit.id} is not on the map in play", (unit.id,))
    shut = [h for h in battle.targets if field.board.terrain[h] in closed]
    if shut:
        where = field.ground.wording.hexes(shut)
        yield Fault(rule, f"no attack is made into {where}", event.units, event.targets)
    empty = [h for h in battle.targets if not any(u.side != battle.attacker.side for u in field.units(h))]
    if empty or not battle.targets:
        where = field.ground.wording.hexes(empty) or "the attacked hex"
        yield Fault(rule, f"no enemy unit is in {where}", event.units, event.targets)


def _fought(before: list[Battle]) -> Fought:
    fought = battlebook.fought_before(before)
    for battle in before:
        fought.book((), battle.targets, ())
    return fought


def _far_text(field: Field, unit: str, target: HexId) -> str:
    return f"{unit} is not beside {field.ground.wording.hex(target)}"


def _in_range(case: Case, told: CombatRules, field: Field, name: str, start: HexId, target: HexId) -> bool:
    reach = factor(case.position.units[name], told.range) if told.range else None
    return reach is not None and field.board.distance(start, target) <= reach


def _of_units(case: Case, told: CombatRules, event: Attacked, units: list[Unit]) -> Iterator[Fault]:
    first = units[0].side
    for unit in units:
        if unit.side != first:
            text = f"{unit.id} attacks with the other side"
            yield Fault(cited(case.game, COMBAT), text, (unit.id,), event.targets)
        if told.attack not in unit.type.factors:
            text = f"{unit.id} has no strength to attack with"
            yield Fault(cited(case.game, COMBAT), text, (unit.id,), event.targets)
        lacks = wants(case, unit)
        if lacks is not None and not lacks.may_attack:
            text = f"{unit.id} attacks and is out of supply"
            yield Fault(cited(case.game, SUPPLY), text, (unit.id,), event.targets)


def note_whether_it_is_sound(case: Case, event: Attacked) -> None:
    battle = case.in_phase.battles[-1]
    support = rules_of(case.game).combat
    known = set(support.support) if support else set()
    battle.sound = not (of_declaration(case, event) or event.overrun or set(event.support) - known)


# --- odds and die -----------------------------------------------------------------------------------------


def battle_of(case: Case, event: Rolled | ResultNamed) -> Battle | None:
    found: Battle | None = battlebook.numbered(case.in_phase.battles, event.battle)
    return found


def _worked_out(case: Case, battle: Battle) -> Worksheet | str:
    """When the die falls."""
    chart = odds.chart_of(case)
    if chart is None:
        return NOT_CONFIGURED[COMBAT]
    if not battle.sound:
        return "combat: the odds of an attack that should not have been made so"
    return case.about(("sheet", battle.number), lambda: odds.worksheet(case, chart, battle))


def one_die_decides_at_the_right_odds(case: Case, event: Rolled) -> Faults:
    if event.reason.lower() not in FIGHT:
        case.not_checked(f"a roll for {event.reason}")
        return
    battle = battle_of(case, event)
    if odds.chart_of(case) is None:
        return
    if battle is None:
        if event.reason:
            text = "a combat die without a declared attack"
            yield Fault(cited(case.game, COMBAT), text, verdict=Verdict.WARNING)
        return
    units, rule = tuple(battle.attacker.steps), cited(case.game, COMBAT)
    if battle.rolled:
        if event.battle is not None:
            yield Fault(rule, f"a second die for battle {battle.number}", units)
        return
    if len(event.values) != 1:
        case.not_checked("combat: a battle with several dice")
        return
    sheet = _worked_out(case, battle)
    if isinstance(sheet, str):
        case.not_checked(sheet)
    elif battle.announced is not None and not _is_announced(sheet, battle.announced):
        text = f"odds of {battle.announced} were announced, the column is {sheet.column.label}"
        yield _of_battle(case, battle, text, sheet)


def _is_announced(sheet: Worksheet, announced: str) -> bool:
    """By the column, or by the odds before what shifts them."""
    said = announced.replace("-", ":")
    return said in (sheet.column.label.replace("-", ":"), sheet.column.start.replace("-", ":"))


def _of_battle(case: Case, battle: Battle, text: str, sheet: Worksheet) -> Fault:
    field = field_of(case)
    steps = say.worksheet_text(field.ground.wording, sheet).split("\n")
    units, hexes = tuple(battle.attacker.steps), field.hexes(battle.targets)
    return Fault(cited(case.game, COMBAT), text, units, hexes, {"steps": steps})


def note_the_die(case: Case, event: Rolled) -> None:
    battle, chart = battle_of(case, event), odds.chart_of(case)
    if event.reason.lower() not in FIGHT or battle is None or battle.rolled:
        return
    battle.die = sum(event.values)
    sheet = _worked_out(case, battle)
    if chart is not None and not isinstance(sheet, str) and len(event.values) == 1:
        battle.sheet = odds.rolled(chart, sheet, event.values[0])
        battle.result = battle.sheet.result


# --- the result -------------------------------------------------------------------------------------------


def the_named_result_is_right(case: Case, event: ResultNamed) -> Faults:
    battle = battle_of(case, event)
    if battle is not None and battle.die is None and odds.chart_of(case) is not None:
        text = f"{event.result} was named and no die was rolled"
        yield Fault(cited(case.game, COMBAT), text, tuple(battle.attacker.steps), verdict=Verdict.WARNING)
    if battle is not None and _is_misnamed(battle, event):
        assert battle.sheet is not None
        text = f"{event.result} was named, the worksheet gives {battle.sheet.cell}"
        yield _of_battle(case, battle, text, battle.sheet)


def _is_misnamed(battle: Battle, event: ResultNamed) -> bool:
    cell = battle.sheet.cell if battle.sheet is not None else None
    return battle.named is None and cell is not None and plain(cell) != plain(event.result)


def note_the_result(case: Case, event: ResultNamed) -> None:
    """Players go on by what they named."""
    battle, chart = battle_of(case, event), odds.chart_of(case)
    read = chart.read(event.result) if chart is not None else None
    if battle is None or read is None or battle.named is not None:
        return
    if _is_misnamed(battle, event):
        battle.else_ = battle.result
    battle.named, battle.result = event.result, read
