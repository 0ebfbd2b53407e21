"""Chapter 8.1 to 8.7: who may attack whom, the odds, the die and the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from validator.core.board import Mask
from validator.core.breach import Breach
from validator.games.wfm import c08_odds as odds
from validator.games.wfm.battles import SETTING, Battle, Party
from validator.games.wfm.book import AXIS, SOVIET, is_allied
from validator.games.wfm.c05_march import modes_of
from validator.games.wfm.c08_odds import siege_gun, support_group
from validator.games.wfm.c10_air import AIR, GROUP, SIEGE, standing_city
from validator.games.wfm.c20_losses import armor_that_rolls
from validator.games.wfm.field import crosses_ice, field_of, ground_of
from validator.games.wfm.state import Case
from validator.model.events import Attacked
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, having, names_of, on_map
from validator.procedures.battle import result
from validator.procedures.battle.armies import Opening
from validator.procedures.battle.mistakes import Mistake
from validator.procedures.battle.odds import Sum
from validator.procedures.field import printed
from validator.procedures.marches import STRATEGIC

PHASE_OF = {"axis-combat": AXIS, "sov-combat": SOVIET}
WATER = ("sea", "lake", "causeway")


# --- declaring (8.2, 8.3) ------------------------------------------------------------------------


class Declaration(Opening[Battle, Party]):
    battle, side = Battle, Party
    phases = PHASE_OF
    keys = {
        "phase": "wfm-8.21a",
        "not-adjacent": "wfm-8.21b",
        "off-map": "wfm-8.21b",
        "no-enemy": "wfm-8.21b",
        "water": "wfm-8.46",
        "ice-road": "wfm-8.46",
        "many-on-many": "wfm-8.34",
        "attacked-before": "wfm-8.23a",
        "defended-before": "wfm-8.23b",
        "nations": "wfm-8.36a",
    }

    def declared(self, case: Case, event: Attacked) -> Battle:
        field, battle = field_of(case), super().declared(case, event)
        battle.city = any(standing_city(case, field, h) for h in battle.targets)
        battle.armored = armor_that_rolls(battle)
        return battle

    def party(self, case: Case, side: str, units: Sequence[Unit], guests: tuple[str, ...] = ()) -> Party:
        party, field = super().party(case, side, units, guests), field_of(case)
        party.with_zone = frozenset(unit.id for unit in on_map(units) if field.has_zone(unit))
        party.armor = frozenset(names_of(having(units, "armor")))
        return party

    def of_units(self, case: Case, battle: Battle, units: Sequence[Unit], event: Attacked) -> Iterator[Fault]:
        for unit in units:
            if attack_zero(unit):
                yield Fault("wfm-8.24", f"{unit.id} has an attack strength of 0", (unit.id,), event.targets)
            elif STRATEGIC in modes_of(case, unit):
                text = f"{unit.id} used strategic movement in this turn"
                yield Fault("wfm-5.63", text, (unit.id,), event.targets)

    def banned(self, case: Case, battle: Battle, unit: Unit) -> Mapping[str, Mask]:
        """Hexsides that no attack crosses; ice roads carry Soviet units other than armour, in snow (8.46)."""
        ground = ground_of(case)
        banned: dict[str, Mask] = {"water": ground.board.steps_across(*WATER)}
        if not crosses_ice(unit, case.season):
            banned["ice-road"] = ground.ice_roads
        return banned

    def is_of_an_ally(self, unit: Unit) -> bool:
        return is_allied(unit)

    def rule_of(self, breach: Breach, before: Sequence[Battle]) -> str:
        """8.23: a unit whose first attack was not carried out divides its strength."""
        fought = (b for b in before if not b.attacker.names.isdisjoint(breach.units))
        divided = breach.key == "attacked-before" and not all(battle.rolled for battle in fought)
        return "wfm-8.23c" if divided else self.keys[breach.key]


Declaration(SETTING).enforce(
    "wfm-8.21a",
    "wfm-8.21b",
    "wfm-8.23a",
    "wfm-8.23b",
    "wfm-8.23c",
    "wfm-8.24",
    "wfm-8.34",
    "wfm-8.36a",
    "wfm-8.46",
    "wfm-5.63",
)


def attack_zero(unit: Unit) -> bool:
    return not unit.has("draws-strength") and printed(unit, "attack") == 0


# --- odds, die and result (8.1) ------------------------------------------------------------------


class Results(result.Results[Battle, Party, Sum]):
    undeclared = second = twice = missing = "wfm-8.1d"
    misrolled = "wfm-8.1c"
    early = "wfm-8.1d"
    odds_text = "odds of {} were announced, the column is {}"

    def sums_after_faults(self, case: Case, battle: Battle, sums: Sequence[Sum]) -> Iterator[Sum]:
        """Support that was declared and is not to be had may have counted, or not."""
        known = list(sums)
        if GROUP in battle.accused:
            known += [
                other for one in sums for other in (one.plus(support_group(case)), one.without(odds.GROUP))
            ]
        if SIEGE in battle.accused:
            known += [one.plus(siege_gun(case)) for one in sums]
        if AIR in battle.accused:
            known += [one.without(odds.AIR).shifted(odds.AIR, by) for one in known for by in range(-2, 3)]
        return iter(known)

    def mistakes(self, case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
        return odds.mistakes_of_result(case, battle, sum_)

    def mistakes_of_odds(self, case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
        return odds.mistakes_of_odds(case, battle, sum_)

    def rule_of_odds(self, sum_: Sum) -> str:
        return "wfm-8.1a"

    def rule_of_result(self, battle: Battle) -> str:
        return "wfm-8.1c" if battle.announced else "wfm-8.1a"

    def with_guess(self, case: Case, battle: Battle, fault: Fault, guess: Mistake[Sum] | None) -> Fault:
        """Only a siege gun that was not declared may make a result right (8.72)."""
        told = super().with_guess(case, battle, fault, guess)
        gun = told.guess == "wfm-8.72"
        return replace(told, rule=told.guess, verdict=Verdict.WARNING) if gun else told


Results(SETTING, odds.ODDS).enforce(
    odds=[
        "wfm-8.1a",
        "wfm-8.1b",
        "wfm-8.42",
        "wfm-8.43",
        "wfm-2.4a",
        "wfm-2.4b",
        "wfm-8.22",
        "wfm-8.35",
        "wfm-8.52",
        "wfm-8.53",
        "wfm-8.1d",
        "wfm-9.52",
        "wfm-9.53",
    ],
    results=[
        "wfm-8.1c",
        "wfm-8.62",
        "wfm-8.64",
        "wfm-8.72",
        "wfm-11.27",
        "wfm-11.28",
        "wfm-6.1b",
        "wfm-8.71",
    ],
)
