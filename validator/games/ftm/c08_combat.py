"""Chapter 8: who may attack whom, with what support, and what follows from the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from validator.core import explain as say
from validator.core.advance import AdvanceRules
from validator.core.battle import BattleRules
from validator.core.board import HexId, Mask, minus, union
from validator.core.breach import Breach
from validator.core.costs import CostTable
from validator.core.losses import LossRules
from validator.core.obligations import OVERPAID, STRANDED, UNPAID, Obligation
from validator.core.results import Part, Pays
from validator.engine.rulebook import Faults
from validator.games.ftm.battles import SETTING
from validator.games.ftm.book import AXIS, COMBAT, ENEMY, RULES, SNOW, SOVIET, barred_by
from validator.games.ftm.c05_march import country_rule
from validator.games.ftm.c05_movement import BAKU
from validator.games.ftm.c06_stacking import stack
from validator.games.ftm.c08_odds import (
    GENERAL,
    GUN,
    SUPPORT,
    TOO_WEAK,
    attack_zero,
    panzers_over_kerch,
    with_generals,
)
from validator.games.ftm.c12_economy import EVACUATED
from validator.games.ftm.c14_air import GONE
from validator.games.ftm.c15_admin import EXCHANGES
from validator.games.ftm.field import BRIDGE, ICE, WATER, Field, field_of
from validator.games.ftm.state import Battle, Case, Party
from validator.model.events import Attacked, Event, Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, all_have, any_has, having, names_of
from validator.procedures.battle import zones
from validator.procedures.battle.armies import NextStep, Opening, ZoneAdvances
from validator.procedures.battle.declaration import units_barred
from validator.procedures.battle.losses import RuleOf
from validator.procedures.battle.odds import supporters
from validator.procedures.battle.zones import RIVER, vacated
from validator.procedures.battlebook import Extra, Loss
from validator.procedures.faults import all_that_hold, unless
from validator.procedures.settlement import Bill
from validator.procedures.supplymarks import out_of_supply

SPREAD = LossRules(tiers=False)
NEXT_STEP = {AXIS: "ftm-8.5.2", SOVIET: "ftm-8.5.3"}  # the rule of what takes a unit's place
FARTHEST = 2  # hexes of an advance (8.7.1)


# --- attacks (8.0, 8.3) --------------------------------------------------------------------------------


def banned(case: Case, unit: Unit) -> Mapping[str, Mask]:
    """Hexsides that no attack crosses (8.3.9, 8.4.2, 8.4.3)."""
    across = field_of(case).board.steps_across
    closed: dict[str, Mask] = {"water": across(*WATER, BRIDGE)}
    if not (case.season == SNOW and unit.has(ICE)):
        closed["ice"] = across(ICE)
    if unit.has("armor") and not unit.has("panzer"):
        closed["strait"] = across("strait")
    return closed


class Declaration(Opening[Battle, Party]):
    battle, side = Battle, Party
    place = BattleRules(twice=True, targets=1)
    phases = COMBAT
    keys = {
        "phase": "ftm-8.0",
        "not-adjacent": "ftm-8.0",
        "off-map": "ftm-8.0",
        "no-enemy": "ftm-8.0",
        "water": "ftm-8.3.9",
        "ice": "ftm-8.4.3",
        "strait": "ftm-8.4.2",
        "attacked-before": "ftm-8.3.1",
        "defended-before": "ftm-8.3.1",
        "too-many-targets": "ftm-8.3.2",
        "many-on-many": "ftm-8.3.2",
        "nations": "ftm-8.3.7",
    }

    def of_units(self, case: Case, battle: Battle, units: Sequence[Unit], event: Attacked) -> Iterator[Fault]:
        for unit in units:
            if unit.has("never-attacks"):
                text = f"{unit.id} is a fortress and never attacks"
                yield Fault("ftm-8.3.6", text, (unit.id,), event.targets)
            elif attack_zero(case, unit):
                yield Fault("ftm-8.3.8", f"{unit.id} has an attack factor of 0", (unit.id,), event.targets)

    def banned(self, case: Case, battle: Battle, unit: Unit) -> Mapping[str, Mask]:
        return banned(case, unit)

    def is_of_an_ally(self, unit: Unit) -> bool:
        return unit.has("allied")

    def note_who_should_not_attack(self, case: Case, event: Attacked) -> None:
        """What is wrong with an attack is not reported again of its odds."""
        party = self.battles(case)[-1].attacker
        party.doubtful.update(units_barred(case.faults).intersection(party.steps))


Declaration(SETTING).enforce(*Declaration.keys.values(), "ftm-8.3.6", "ftm-8.3.8")


@RULES.rule("ftm-8.4.2b")
@RULES.before(Attacked)
def panzers_over_the_kerch_strait(case: Case, event: Attacked) -> Faults:
    """8.4.2 bars tank and mechanized units; whether panzer units are meant is open."""
    over = panzers_over_kerch(case, case.units(event.units), event.targets)
    verdict = barred_by(case, "kerch-panzer") if over else None
    if verdict is not None:
        for unit in over:
            text = f"{unit.id}, a panzer unit, attacks over the Kerch Strait"
            yield Fault("ftm-8.4.2b", text, (unit.id,), event.targets, verdict=verdict)


def named_supports(case: Case, event: Attacked) -> set[str]:
    """What an attack says of Offensive Support: the word, or the units that give it."""
    counters = having(case.position.units.values(), SUPPORT)
    return set(event.support) & {SUPPORT, *names_of(counters)}


@RULES.rule("ftm-8.1c", "ftm-8.2.1", "ftm-13.0", "ftm-7.2.3")
@RULES.before(Attacked)
def ground_support_is_to_be_had(case: Case, event: Attacked) -> Faults:
    units = case.units(event.units)
    near = names_of(supporters(case, SUPPORT, event.targets))
    attacks, named = any(unit.side == SOVIET for unit in units), named_supports(case, event)
    support = attacks and near and named <= {SUPPORT, *near}
    gun = any_has(units, "german") and supporters(case, "railroad-gun", event.targets)
    rows = (
        (
            named and not support,
            "ftm-7.2.3" if event.overrun else "ftm-13.0",
            "no Offensive Support unit is within three hexes of the target of a Soviet attack",
        ),
        (GUN in event.support and event.overrun, "ftm-8.1c", "no railroad gun supports an overrun"),
        (
            GUN in event.support and not (event.overrun or gun),
            "ftm-8.1c",
            "no railroad gun has the target of a German attack in range",
        ),
        (
            GENERAL in event.support and not any(with_generals(case, units)),
            "ftm-8.2.1",
            "no general who has not been used is with the attackers",
        ),
    )
    yield from all_that_hold(rows, "", event.units, event.targets)


@RULES.rule("ftm-8.1c")
@RULES.before(Attacked, overrun=False)
def offensive_support_is_named(case: Case, event: Attacked) -> Faults:
    """8.1, step 3. Its +3 counts all the same (13.0), and in a log the battle plate shows it."""
    attacks = any(unit.side == SOVIET for unit in case.units(event.units))
    near = supporters(case, SUPPORT, event.targets) if not case.by_hand else []
    if attacks and near and not named_supports(case, event):
        text = f"{near[0].id} is within three hexes and was not named; its +3 counts"
        yield Fault(
            "ftm-8.1c", text, (near[0].id,), event.targets, verdict=Verdict.WARNING, once=("support",)
        )


# --- losses (8.5) -----------------------------------------------------------------------------------------


class Losses(zones.MixedLosses[Battle, Party]):
    no_part, late, order = "ftm-8.5a", "ftm-8.1f", "ftm-8.1e"
    no_die = "ftm-8.1d"
    order_verdict = Verdict.WARNING
    guest, spread, twice = "ftm-8.6.5", "ftm-8.5.1", "ftm-8.5a"
    boxes_kept = (GONE, EVACUATED, BAKU)
    exchanges = EXCHANGES

    def without_die(self, case: Case, battle: Battle) -> Iterator[Fault]:
        """An overrun below 1:3 needs none: its A2 is due at once (7.1)."""
        called_off = list(super().without_die(case, battle))
        if battle.automatic is None or not called_off:
            yield from called_off
        elif battle.attacker.suffered:
            draft = battle.draft()
            draft.result = battle.automatic
            yield from self.settle(case, draft, final=True)
        else:
            text = f"{'+'.join(battle.attacker.steps)} overruns below 1:3, and nothing of {TOO_WEAK} was paid"
            yield self.fault(case, battle, "ftm-7.1b", text, unless(case.by_hand))

    def is_for_something_else(self, case: Case, loss: Loss) -> bool:
        """Too many in a hex (6.0)."""
        unit = case.position.units[loss.unit]
        return unit.on_map and not stack(case, case.position.at(unit.hex), unit.side).legal

    def is_in_time(self, case: Case, battle: Battle, party: Party, loss: Loss) -> bool:
        """6.0 takes whom the opponent names, also one that fought, when the result is paid."""
        paid = not any(party.owing(part) for part in battle.parts(party))
        return loss.whole and paid and self.is_for_something_else(case, loss)

    def book(self, case: Case, battle: Battle, party: Party, loss: Loss, event: Event) -> None:
        if self.is_in_time(case, battle, party, loss):
            party.excused.add(party.root(loss.unit))
        else:
            super().book(case, battle, party, loss, event)

    def rule_of(self, party: Party, part: Part, due: Obligation, key: str) -> str:
        only_fixed = bool(due.survivors) and set(due.survivors) <= due.immobile
        if key == STRANDED or (key == UNPAID and only_fixed):
            return "ftm-8.5b"
        whole = key == OVERPAID and party.removed_whole
        return NEXT_STEP[party.side] if whole else "ftm-8.5a"

    def may_be_stranded(self, case: Case, due: Obligation) -> bool:
        """8.5: units that cannot retreat lose a step for each hex the others retreat, or all (option)."""
        fixed = [unit for unit in due.survivors if unit in due.immobile]
        if case.option("immobile-retreat") == "eliminated":
            return not fixed
        return all(due.lost.get(unit, 0) >= due.retreated for unit in fixed)

    def of_payment(
        self, case: Case, part: Part, due: Obligation, rule_of: RuleOf, *, stranded: bool = True
    ) -> Iterator[Bill]:
        """8.5: nor does a unit that cannot retreat lose more than the steps of the result and those hexes."""
        bills = list(super().of_payment(case, part, due, rule_of, stranded=stranded))
        yield from bills
        fixed = [unit for unit in due.immobile if due.lost.get(unit, 0) > due.retreated]
        paid = due.surely_paid + sum(due.lost[unit] - due.retreated for unit in fixed)
        needed = max(part.points - due.retreated, 0)
        pays = case.option("immobile-retreat") == "pays" and part.pays is Pays.EITHER
        if fixed and pays and due.retreated and due.survivors and paid > needed and not bills:
            text = f"{say.counted(paid, 'step')} lost besides the retreat, {needed} owed"
            yield Bill(rule_of(OVERPAID), text, tuple(fixed))

    def orders(self, case: Case) -> Sequence[LossRules]:
        return (SPREAD,)

    def tier(self, case: Case, party: Party, unit: str) -> int | None:
        shares = case.position.units[unit].type.zoc or case.option("loss-share") == "all"
        return 0 if shares else None

    def unpaid(self, case: Case, party: Party, extra: Extra) -> tuple[str, str]:
        where = field_of(case).ground.wording.hexes(extra.hexes)
        rule = "ftm-8.6.3" if extra.key == RIVER else "ftm-4.2.1"
        return rule, f"the retreat at {where} costs one more step"


Losses(SETTING).enforce(
    losses=["ftm-8.5a", "ftm-8.1f", "ftm-8.1e"],
    results=["ftm-8.1d", "ftm-8.5a", "ftm-8.5b", "ftm-8.5.1", "ftm-8.6.5", "ftm-4.2.1", "ftm-8.6.3"],
)


NextStep(NEXT_STEP, EXCHANGES).enforce(RULES)


# --- retreat (8.6) ----------------------------------------------------------------------------------------


class Retreats(zones.ZoneRetreats[Battle, Party]):
    barred_stay = True  # 8.5.1, for what 4.2.3 and 8.6.4 close
    no_part, late, off_map, immobile = "ftm-8.5a", "ftm-8.1f", "ftm-8.6.4", "ftm-8.5b"
    keys = {
        "away": "ftm-8.6a",
        "not-adjacent": "ftm-8.6a",
        "order": "ftm-8.6.1",
        "enemy": "ftm-8.6.4",
        "off-line": "ftm-8.6.4",
        "high-mountain": "ftm-8.6.4",
        "never-zone": "ftm-4.2.3a",
        "zone-unsupplied": "ftm-4.2.2",
        "country": "ftm-5.2.1a",
        f"hexside:{ICE}": "ftm-8.6.4",
    }

    def rule_of(self, breach: Breach, group: Sequence[Unit]) -> str:
        return country_rule(group[0]) if breach.key == "country" else super().rule_of(breach, group)

    def costs(self, case: Case, group: Sequence[Unit]) -> CostTable:
        ground = field_of(case).ground
        return ground.along_railways if any_has(group, "rail-only") else ground.retreat_costs

    def closed(
        self, field: Field, party: Party, group: Sequence[Unit], zones: Mask, friends: Mask
    ) -> Iterator[tuple[str, Mask]]:
        yield "enemy", field.occupied(ENEMY[group[0].side])
        if any(out_of_supply(unit) for unit in group):
            yield "zone-unsupplied", minus(zones, friends)
        if any_has(group, "never-ezoc"):
            yield "never-zone", zones
        if not all_have(group, "mountain"):
            yield "high-mountain", field.board.of_terrain("high-mountain")
        yield "country", union(*(field.ground.closed_to(unit) for unit in group))

    def rivers(self, case: Case, group: Sequence[Unit]) -> Mapping[str, Mask]:
        across = field_of(case).board.steps_across("minor-river", "major-river", "strait")
        return {RIVER: across} if any_has(group, "armor") else {}

    def extras(
        self, case: Case, party: Party, group: Sequence[Unit], loss: Breach, origin: HexId
    ) -> list[Extra]:
        """8.6.3: each armoured unit pays for rivers, once or for each of them."""
        if loss.key != RIVER:
            return super().extras(case, party, group, loss, origin)
        each = case.option("river-loss-count") == "each"
        armor = [(party.root(unit.id),) for unit in having(group, "armor")]
        paid = {extra.units for extra in party.extras if extra.key == RIVER}
        return [Extra(RIVER, loss.hexes, origin, unit) for unit in armor if each or unit not in paid]


RETREATS = Retreats(SETTING)
COUNTRIES = ("ftm-5.2.1b", "ftm-5.2.1c")
RETREATS.enforce("ftm-8.5a", "ftm-8.6.4", "ftm-8.5b", *Retreats.keys.values(), *COUNTRIES)


# --- advance (8.7) ----------------------------------------------------------------------------------------


def advance_rules(case: Case, field: Field, battle: Battle, party: Party, unit: Unit) -> AdvanceRules:
    ground, opponent = field.ground, battle.opponent(party)
    shut = {"country": ground.closed_to(unit)}
    if not unit.has("mountain"):
        shut["high-mountain"] = field.board.of_terrain("high-mountain")
    return AdvanceRules(
        hexes=min(advance_limit(case, battle, opponent), int(unit.type.values.get("advance", 1))),
        vacated=vacated(field, battle, opponent),
        first=ground.retreat_costs,
        later=ground.second_hex_costs,
        enemy=field.occupied(ENEMY[party.side]),
        forbidden=shut,
        first_forbidden=shut,
    )


def died(opponent: Party) -> bool:
    return not any(opponent.alive(unit) for unit in opponent.steps)


def advance_limit(case: Case, battle: Battle, opponent: Party) -> int:
    """By the reading of the result that lets the winner go farthest."""
    return max((_limit_of(case, opponent, part) for part in battle.parts(opponent)), default=0)


def _limit_of(case: Case, opponent: Party, part: Part) -> int:
    """8.7: the result less the steps that it cost the loser, two hexes at most; options where he was wiped
    out. Of a result that was paid, the hexes retreated are what is left; units that die because they cannot
    follow take nothing from it."""
    if part.pays is Pays.ALL:
        return 1 if case.option("advance-after-elimination") == "one" else FARTHEST
    if part.pays is Pays.STEPS:
        return 0
    rivers = sum(extra.required and extra.key == RIVER for extra in opponent.extras)
    counted = rivers if rivers and case.option("river-loss-advance") == "on" else 0
    besides = sum(extra.required for extra in opponent.extras) - counted
    left = part.points - max(opponent.lost_steps - besides, 0)
    if died(opponent):
        return {"one": 1, "two": FARTHEST, "judge": FARTHEST}.get(case.option("advance-after-losses"), left)
    retreated = max(map(opponent.hexes_retreated, opponent.steps), default=0)
    return min(min(retreated, part.points) - counted if retreated else left, FARTHEST)


def advance_doubt(case: Case, battle: Battle, party: Party, unit: Unit) -> Fault | None:
    """Where the text does not say how far who wiped the enemy out advances (8.7, 8.7.1)."""
    opponent = battle.opponent(party)
    by_result = any(part.pays is Pays.ALL for part in battle.parts(opponent))
    option = "advance-after-elimination" if by_result else "advance-after-losses"
    mandatory = any(part.pays is Pays.STEPS for part in battle.parts(opponent))
    if not died(opponent) or mandatory or case.option(option) != "judge":
        return None
    text = f"{unit.id} advances after the enemy was wiped out"
    return Fault("ftm-8.7d", text, (unit.id,), verdict=Verdict.JUDGEMENT)


def may_advance(case: Case, unit: Unit) -> bool:
    return not unit.has("no-advance") and int(unit.counter.steps[0].split("-")[-1] or 0) > 0


class Advances(ZoneAdvances[Battle, Party]):
    limits = staticmethod(advance_rules)
    no_part, late, off_map, otherwise = "ftm-8.7.3", "ftm-8.7a", "ftm-8.6.4", "ftm-8.7.2"
    keys = {
        "first-hex": "ftm-8.7.2",
        "advance-length": "ftm-8.7b",
        "enemy": "ftm-8.7a",
        "country": "ftm-5.2.1a",
        "high-mountain": "ftm-5.1.5b",
    }

    def never(self, case: Case, unit: Unit) -> Fault | None:
        barred = not may_advance(case, unit)
        return Fault("ftm-8.7.3", f"{unit.id} never advances", (unit.id,)) if barred else None

    def barred(self, case: Case, battle: Battle, party: Party, unit: Unit) -> Fault | None:
        own = battle.overrun and party is battle.attacker
        return None if own else advance_doubt(case, battle, party, unit)

    def advances_by_step(self, case: Case, battle: Battle, party: Party) -> bool:
        """What follows an overrun is chapter 7's."""
        return not (battle.overrun and party is battle.attacker)

    def rule_of(self, case: Case, battle: Battle, party: Party, breach: Breach, event: Moved) -> str:
        if breach.key == "country":
            return country_rule(case.unit(event.units[0]))
        return super().rule_of(case, battle, party, breach, event)


Advances(SETTING).enforce(*Advances.keys.values(), "ftm-8.7.3", "ftm-8.7d", "ftm-8.6.4", *COUNTRIES)
