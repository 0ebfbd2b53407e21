"""Combat: who may attack whom, the odds, the die and the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fieldpost.definition.effects import closed_to_attack
from fieldpost.definition.model import Dice, Game, Table
from fieldpost.definition.rulesmodel import CombatRules
from validator.acts.settlement import Settlement
from validator.core import explain as say
from validator.core.battle import BattleRules
from validator.core.board import Mask
from validator.core.breach import Breach
from validator.core.results import Result
from validator.engine.rulebook import Faults, Rulebook
from validator.model.events import Attacked, Rolled
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import battlebook, faults
from validator.procedures.battle import declaration, result
from validator.procedures.battle.odds import Sum
from validator.procedures.battle.step import Setting
from validator.standard import after_battle
from validator.standard.book import COMBAT, SEQUENCE, SUPPLY, cited, cites, name_left_out, rules_of
from validator.standard.field import factor, field_of
from validator.standard.odds import Odds, untold_support
from validator.standard.outcome import results_table
from validator.standard.sequence import ATTACK, FIGHT, OVERRUN, fighting_phases, may, phases_with
from validator.standard.state import Battle, Case, Party
from validator.standard.supply import left_to

OVERRUNS = "overruns: the standard referee has no rules for them"


def install(rules: Rulebook, game: Game) -> None:
    book = battlebook.BattleBook[Battle, Party]()
    phases = (*fighting_phases(game), *phases_with(game, OVERRUN))
    setting = Setting(rules, book, field_of, phases)
    rules.track_start()(battles_go_on)
    told, table, declared = rules_of(game).combat, results_table(game), Declaration(setting, game)
    rules.before(Rolled)(other_dice_are_not_told)
    name_left_out(rules, game, (COMBAT, SUPPLY), Attacked)
    if told is None or table is None:
        rules.track(Attacked)(declared.open)
        return
    odds, rule = Odds(game, told, table), cited(game, COMBAT)
    declared.enforce(*cites(game, COMBAT, SUPPLY))
    Results(setting, odds, rule, dice_of(game, table)).enforce([rule], [rule])
    after_battle.install(setting, game, told)
    rules.settlement = Settlement(book.of, advances_late=True)


def battles_go_on(case: Case) -> None:
    """In a phase of which the game says so; every other begins without any."""
    if case.sequence.phase(case.phase).goes_on:
        case.in_phase.battles = case.in_game.battles
    case.in_game.battles = case.in_phase.battles


def other_dice_are_not_told(case: Case, event: Rolled) -> Faults:
    if event.reason.lower() not in FIGHT:
        case.not_checked(f"a roll for {event.reason}")
    return iter(())


def dice_of(game: Game, table: Table) -> Dice:
    """What decides battles: the dice that are rolled for them, or those the game has, or one for the rows."""
    named = [dice for dice in game.dice if not set(FIGHT).isdisjoint(map(str.lower, dice.reasons))]
    return next(iter((*named, *game.dice)), Dice("die", "Die", 1, int(table.rows[-1].id)))


class Declaration(declaration.Declaration[Battle, Party]):
    def __init__(self, setting: Setting[Battle, Party], game: Game) -> None:
        super().__init__(setting)
        self.game, self.told = game, rules_of(game).combat or CombatRules()
        self.rule, self.supply = cited(game, COMBAT), cited(game, SUPPLY)
        self.keys = dict.fromkeys(("off-map", "no-enemy"), self.rule)
        self.place = BattleRules(many_on_many=True, twice=not self.told.once)
        self.closed = closed_to_attack(game)
        self.hexsides = self.closed.intersection(kind.id for kind in game.map.hexside_kinds)

    def declared(self, case: Case, event: Attacked) -> Battle:
        field, units = self.field(case), case.units(event.units)
        side = units[0].side if units else ""
        targets = tuple(field.ids(event.targets))
        there = [unit for hex_id in targets for unit in field.units(hex_id) if unit.side != side]
        opponent = next((unit.side for unit in there), "")
        parties = (self._party(case, side, units), self._party(case, opponent, there))
        return Battle.declared(event, *parties, targets)

    def _party(self, case: Case, side: str, units: Sequence[Unit]) -> Party:
        steps = {unit.id: battlebook.printed_steps_left(unit) for unit in units}
        return Party(side, steps, self.field(case).where(units))

    def judge(self, case: Case, event: Attacked) -> Faults:
        if event.overrun:
            case.not_checked(OVERRUNS)
        for support in untold_support(case, event.support):
            case.not_checked(f"combat: what {support} does is not told in `rules`")
        return super().judge(case, event)

    def of_side(self, case: Case, battle: Battle, units: Sequence[Unit], event: Attacked) -> Iterator[Fault]:
        verb = OVERRUN if battle.overrun else ATTACK
        strays = (unit.id for unit in units if not may(case, unit, verb))
        text = f"attacks in the {case.phase_name()}"
        yield from faults.of_units(cited(self.game, SEQUENCE), strays, text, hexes=event.targets)
        others = (unit.id for unit in units if unit.side != battle.attacker.side)
        yield from faults.of_units(self.rule, others, "attacks with the other side", hexes=event.targets)

    def of_units(self, case: Case, battle: Battle, units: Sequence[Unit], event: Attacked) -> Iterator[Fault]:
        if battle.overrun:
            return
        board, words = self.field(case).board, self.field(case).ground.wording
        shut = [hex_id for hex_id in battle.targets if board.terrain[hex_id] in self.closed]
        if shut:
            yield Fault(self.rule, f"no attack is made into {words.hexes(shut)}", event.units, event.targets)
        weak = (unit.id for unit in units if self.told.attack not in unit.type.factors)
        yield from faults.of_units(self.rule, weak, "has no strength to attack with", hexes=event.targets)
        lacking = (unit.id for unit in units if not left_to(case, unit).may_attack)
        text = "attacks and is out of supply"
        yield from faults.of_units(self.supply, lacking, text, hexes=event.targets)

    def banned(self, case: Case, battle: Battle, unit: Unit) -> Mapping[str, Mask]:
        across = self.field(case).board.steps_across
        return {f"hexside:{kind}": across(kind) for kind in self.hexsides}

    def reach(self, case: Case, unit: Unit) -> int:
        return max(factor(unit, self.told.range or "") or 1, 1)

    def earlier(self, before: Sequence[Battle]) -> Sequence[Battle]:
        return before if self.told.once else ()

    def rule_of(self, breach: Breach, before: Sequence[Battle]) -> str:
        return self.rule


class Results(result.Results[Battle, Party, Sum]):
    odds_text = "odds of {} were announced, the column is {}"

    def __init__(self, setting: Setting[Battle, Party], odds: Odds, rule: str, dice: Dice) -> None:
        super().__init__(setting, odds)
        self.dice, self.sides = dice.count, dice.sides
        self.die_text = f"{say.counted(dice.count, 'die')} of {dice.sides} sides decide a battle"
        self.undeclared = self.second = self.twice = self.misrolled = self.early = rule
        self.needless = self.missing = self.misread = rule

    def rule_of_odds(self, sum_: Sum) -> str:
        return self.misread

    def accepts(self, case: Case, battle: Battle, result: Result, acceptable: set[str]) -> bool:
        """By what it asks for: `-` is as good as `NE`."""
        parts = (result.attacker, result.defender)
        readings = (self.odds.read(cell) for cell in acceptable)
        return any(reading and (reading.attacker, reading.defender) == parts for reading in readings)
