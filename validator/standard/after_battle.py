"""What a result costs: steps lost, hexes retreated; and who may follow up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from fieldpost.definition import rulesmodel
from fieldpost.definition.model import Game
from validator.core import explain as say
from validator.core.advance import AdvanceRules
from validator.core.board import HexId, Mask
from validator.core.breach import Breach
from validator.core.obligations import STRANDED, TOO_FAR, UNEVEN, UNPAID
from validator.core.results import Part, Pays
from validator.core.retreat import RetreatRules, RetreatVerdict, find_retreat, judge_retreat, retreats
from validator.core.sequence import Moment
from validator.engine.rulebook import Faults
from validator.model.events import Event, Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.battle import advance, losses, retreat
from validator.procedures.battle.step import Setting
from validator.procedures.battle.zones import vacated
from validator.procedures.battlebook import Loss
from validator.procedures.moves import way_of
from validator.procedures.settlement import Bill
from validator.standard.book import ADVANCE, COMBAT, NOT_CONFIGURED, RETREAT, cited, name_left_out
from validator.standard.field import Field, field_of
from validator.standard.stacking import full_for
from validator.standard.state import Battle, Case, Party

RETREATS = (Pays.RETREAT, Pays.BOTH, Pays.EITHER)
OF_RETREATS = (STRANDED, TOO_FAR, UNEVEN)


def install(setting: Setting[Battle, Party], game: Game, told: rulesmodel.CombatRules) -> None:
    rule = cited(game, COMBAT)
    Losses(setting, game, told).enforce([rule], [rule])
    name_left_out(setting.rules, game, (RETREAT,), Moved, mode="retreat")
    name_left_out(setting.rules, game, (ADVANCE,), Moved, mode="advance")
    if told.retreat is not None:
        Retreats(setting, cited(game, RETREAT)).enforce(cited(game, RETREAT))
    if told.advance is not None:
        Advances(setting, cited(game, ADVANCE), told.advance).enforce(cited(game, ADVANCE))


# --- losses -----------------------------------------------------------------------------------------------


class Losses(losses.Losses[Battle, Party]):
    def __init__(self, setting: Setting[Battle, Party], game: Game, told: rulesmodel.CombatRules) -> None:
        super().__init__(setting)
        self.told = told
        self.late = self.no_die = self.rule = cited(game, COMBAT)
        self.retreat = cited(game, RETREAT)

    def at_the_end(self, case: Case) -> Faults:
        """Unless the battles go on in the next phase."""
        following = case.sequence.after(Moment(case.turn, case.phase))
        goes_on = case.sequence.phase(following.phase).goes_on
        return iter(()) if goes_on else super().at_the_end(case)

    def is_for_something_else(self, case: Case, loss: Loss) -> bool:
        return True  # nothing permits it: that is told

    def besides(self, case: Case, battle: Battle, party: Party, loss: Loss) -> Iterator[Fault]:
        dies = self.told.retreat is not None and _dies_instead(battle, party, loss)
        if dies and _can_retreat(case, battle, party, loss.unit):
            text = f"{loss.unit} is taken off and could have retreated"
            yield Fault(self.retreat, text, (loss.unit,), verdict=Verdict.WARNING)

    def book(self, case: Case, battle: Battle, party: Party, loss: Loss, event: Event) -> None:
        if _dies_instead(battle, party, loss):
            party.excused.add(party.root(loss.unit))
        else:
            super().book(case, battle, party, loss, event)

    def bills(self, case: Case, battle: Battle, party: Party) -> Iterator[Sequence[Bill]]:
        for asked in battle.parts(party):
            if self.told.retreat is None and asked.pays in RETREATS:
                case.not_checked(NOT_CONFIGURED[RETREAT])
                asked = _without_retreat(asked)
            yield list(self._bills_of(case, party, asked))

    def _bills_of(self, case: Case, party: Party, asked: Part) -> Iterator[Bill]:
        steps = {unit: number for unit, number in party.steps.items() if unit not in party.excused}
        lost = {unit: number for unit, number in party.lost.items() if unit in steps}
        due = losses.obligation(party, asked, lost, steps)
        for unit in steps:
            due.retreat(unit, party.hexes_retreated(unit))

        def rule_of(key: str) -> str:
            hexes_owed = key == UNPAID and (asked.pays is Pays.RETREAT or not due.owed)
            return self.retreat if hexes_owed or key in OF_RETREATS else self.rule

        yield from self.of_payment(case, asked, due, rule_of)


def _without_retreat(asked: Part) -> Part:
    return Part(Pays.STEPS, asked.points) if asked.pays is Pays.BOTH else Part(Pays.SPECIAL)


def _dies_instead(battle: Battle, party: Party, loss: Loss) -> bool:
    """A unit that is lost where only a retreat, or no more steps, are asked for."""
    asked, name = battle.part(party), party.root(loss.unit)
    left = party.steps[name] - party.lost.get(name, 0)
    owed = 0 if asked.pays is Pays.RETREAT else asked.points
    return asked.pays in RETREATS and loss.steps >= left and party.lost_steps + loss.steps > owed


def _can_retreat(case: Case, battle: Battle, party: Party, name: str) -> bool:
    """Surely: to a hex with room for it."""
    field, unit, root = field_of(case), case.position.units[name], party.root(name)
    start, hexes = party.stood.get(root), hexes_owed(battle, party)
    if start is None or hexes == 0 or party.hexes_retreated(root):
        return False
    full = full_for(field, unit)
    return any(not full[way[-1]] for way in retreats(field.board, retreat_rules(field, unit), start, hexes))


# --- retreats ---------------------------------------------------------------------------------------------


def retreat_rules(field: Field, unit: Unit) -> RetreatRules:
    told = field.ground.rules.combat
    closed: dict[str, Mask] = {"enemy": field.enemies(unit.side)}
    if told is None or told.retreat is None or told.retreat.zones == "closed":
        closed["zone"] = field.zones_against(unit.side, "retreat")
    return RetreatRules(field.costs_of(unit, flat=True), closed)


def hexes_owed(battle: Battle, party: Party) -> int:
    """How far units retreat for the result; 0 if they do not."""
    asked = battle.part(party)
    return {
        Pays.BOTH: asked.hexes,
        Pays.EITHER: max(asked.points - party.lost_steps, 0),
        Pays.RETREAT: asked.points,
    }.get(asked.pays, 0)


class Retreats(retreat.Retreats[Battle, Party]):
    def __init__(self, setting: Setting[Battle, Party], rule: str) -> None:
        super().__init__(setting)
        self.no_part = self.late = self.rule = rule

    def wrong(self, case: Case, battle: Battle, party: Party, event: Moved) -> Iterator[Fault]:
        if way_of(self.field(case), event) is None:
            yield Fault(self.rule, f"{'+'.join(event.units)} leaves the hexes in play", event.units)
        for name, verdict in self._verdicts(case, battle, party, event).items():
            for breach in [breach for breach in verdict.breaches if breach.key != "length"][:1]:
                text = say.breach_text(self.field(case).ground.wording, breach)
                yield Fault(self.rule, f"{name} retreats: {text}", (name,), self.hexes(case, breach.hexes))

    def book(self, case: Case, battle: Battle, party: Party, event: Moved) -> None:
        verdicts = self._verdicts(case, battle, party, event)
        party.paths.update({party.root(name): verdict.path for name, verdict in verdicts.items()})

    def _verdicts(self, case: Case, battle: Battle, party: Party, event: Moved) -> dict[str, RetreatVerdict]:
        """The whole way of each unit so far, judged."""

        def judge() -> dict[str, RetreatVerdict]:
            way = way_of(self.field(case), event)
            units = [unit for unit in case.units(event.units) if way is not None and party.holds(unit.id)]
            return {unit.id: self._verdict(case, battle, party, unit, way or []) for unit in units}

        return case.about(self._verdicts, judge)

    def _verdict(
        self, case: Case, battle: Battle, party: Party, unit: Unit, way: Sequence[HexId]
    ) -> RetreatVerdict:
        field, before = field_of(case), party.paths.get(party.root(unit.id), ())
        path = (*before[:-1], *way) if before[-1:] == (way[0],) else tuple(way)
        owed, rules = hexes_owed(battle, party), retreat_rules(field, unit)
        if all(field.board.are_adjacent(a, b) for a, b in pairwise(path)):
            return judge_retreat(field.board, rules, path, max(owed, len(path) - 1))
        far = max(owed, field.board.distance(path[0], path[-1]))
        return find_retreat(field.board, rules, path[0], path[-1], far)


# --- advances ---------------------------------------------------------------------------------------------


class Advances(advance.Advances[Battle, Party]):
    def __init__(self, setting: Setting[Battle, Party], rule: str, told: rulesmodel.AdvanceRules) -> None:
        super().__init__(setting)
        self.told = told
        self.no_part = self.off_map = self.rule = rule

    def barred(self, case: Case, battle: Battle, party: Party, unit: Unit) -> Fault | None:
        if party is battle.attacker or self.told.defenders:
            return None
        return Fault(self.rule, f"{unit.id} defended and does not advance", (unit.id,))

    def is_next(self, battle: Battle, other: Battle) -> bool:
        return False  # a game may let units advance when all battles are over

    def rules_of(self, case: Case, battle: Battle, party: Party, unit: Unit) -> AdvanceRules:
        field = field_of(case)
        costs = field.costs_of(unit, flat=True)
        left = vacated(field, battle, battle.opponent(party))
        return AdvanceRules(self.told.hexes, left, costs, costs, field.enemies(unit.side))

    def rule_of(self, case: Case, battle: Battle, party: Party, breach: Breach, event: Moved) -> str:
        return self.rule
