"""Chapter 8: who may attack whom, with what support, and what follows from the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from validator.core.advance import AdvanceRules
from validator.core.board import Mask, minus, union
from validator.core.costs import CostTable
from validator.core.results import Pays
from validator.engine.rulebook import Faults
from validator.games.ftm.battles import steps_left
from validator.games.ftm.book import AXIS, COMBAT, ENEMY, FIGHTING, RULES, SNOW, SOVIET
from validator.games.ftm.c06_stacking import stack
from validator.games.ftm.c08_odds import GUN, SUPPORT, attack_zero, supporters
from validator.games.ftm.c12_economy import EVACUATED
from validator.games.ftm.c14_air import GONE
from validator.games.ftm.c15_admin import EXCHANGES
from validator.games.ftm.field import BRIDGE, ICE, WATER, Field, field_of
from validator.games.ftm.state import Battle, Case, Party
from validator.model.events import Attacked
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import attacking, paying, withdrawing
from validator.procedures.attacking import Attacks
from validator.procedures.paying import Payment
from validator.procedures.withdrawing import RIVER, ZONE, Aftermath, vacated

SURE = {"off": Verdict.ILLEGAL, "judge": Verdict.JUDGEMENT}
FARTHEST = 2  # hexes of an advance (8.7.1)


# --- attacks (8.0, 8.3) --------------------------------------------------------------------------------


def banned(case: Case, field: Field, unit: Unit) -> Mapping[str, Mask]:
    """Hexsides that no attack crosses (8.3.9, 8.4.2, 8.4.3)."""
    across = field.board.steps_across
    found: dict[str, Mask] = {"water": across(*WATER, BRIDGE)}
    if not (case.season == SNOW and unit.has(ICE)):
        found["ice"] = across(ICE)
    if unit.has("armor") and not unit.has("panzer"):
        found["strait"] = across("strait")
    return found


def wrong_units(case: Case, units: Sequence[Unit]) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for unit in units:
        if unit.has("never-attacks"):
            yield "ftm-8.3.6", (unit.id,), "is a fortress and never attacks"
        elif attack_zero(case, unit):
            yield "ftm-8.3.8", (unit.id,), "has an attack factor of 0"
    nations = {unit.nationality for unit in units if unit.has("allied")}
    if len(nations) > 1:
        yield "ftm-8.3.7", tuple(unit.id for unit in units), "attack together, of several allied nations"


attacking.register(
    RULES,
    Attacks(
        field_of=field_of,
        steps_left=steps_left,
        phases=COMBAT,
        banned=banned,
        units=wrong_units,
        side="ftm-8.0",
        again="ftm-8.3.1",
        keys={
            "not-adjacent": "ftm-8.0",
            "water": "ftm-8.3.9",
            "ice": "ftm-8.4.3",
            "strait": "ftm-8.4.2",
            "attacked-before": "ftm-8.3.1",
            "too-many-targets": "ftm-8.3.2",
            "many-on-many": "ftm-8.3.2",
        },
        others=("ftm-8.3.6", "ftm-8.3.7", "ftm-8.3.8"),
    ),
)


@RULES.rule("ftm-8.4.2b")
@RULES.before(Attacked)
def panzers_over_the_kerch_strait(case: Case, event: Attacked) -> Faults:
    """8.4.2 bars tank and mechanized units; whether panzer units are meant is open."""
    board, verdict = field_of(case).board, SURE.get(case.option("kerch-panzer"))
    strait = {board.hexes[board.ends(step)[0]] for step in board.members(board.steps_across("strait"))}
    for unit in (case.position.units[name] for name in event.units):
        if verdict and unit.has("panzer") and {unit.spot, *event.targets} <= strait:
            text = f"{unit.id}, a panzer unit, attacks over the Kerch Strait"
            yield Fault("ftm-8.4.2b", text, (unit.id,), event.targets, verdict=verdict)


@RULES.rule("ftm-8.1c", "ftm-13.0", "ftm-7.2.3")
@RULES.before(Attacked)
def ground_support_is_to_be_had(case: Case, event: Attacked) -> Faults:
    for rule, reason in _no_support(case, event):
        yield Fault(rule, reason, event.units, event.targets)


def _no_support(case: Case, event: Attacked) -> Iterator[tuple[str, str]]:
    units = [case.position.units[name] for name in event.units]
    soviet = any(unit.side == SOVIET for unit in units)
    if SUPPORT in event.support and not (soviet and supporters(case, SUPPORT, event.targets)):
        rule = "ftm-7.2.3" if event.overrun else "ftm-13.0"
        yield rule, "no Offensive Support unit is within three hexes of the target of a Soviet attack"
    german = any(unit.has("german") for unit in units)
    guns = supporters(case, "railroad-gun", event.targets)
    if GUN in event.support and (event.overrun or not (german and guns)):
        yield "ftm-8.1c", "no railroad gun has the target of a German attack in range"


# --- losses (8.5) -----------------------------------------------------------------------------------------


def _may_leave(case: Case, unit: Unit) -> bool:
    """Too many in a hex (6.0)."""
    return unit.on_map and not stack(case, case.position.at(unit.hex), unit.side).legal


def _shares(case: Case, unit: Unit) -> bool:
    return unit.type.zoc or case.option("loss-share") == "all"


paying.register(
    RULES,
    Payment(
        field_of=field_of,
        steps_left=steps_left,
        fighting=FIGHTING,
        exchanges=EXCHANGES,
        not_lost=(GONE, EVACUATED),
        outsider="ftm-8.5a",
        late="ftm-8.1f",
        paid="ftm-8.5a",
        steps="ftm-8.5a",
        stranded="ftm-8.5b",
        spread="ftm-8.5.1",
        next_step={AXIS: "ftm-8.5.2", SOVIET: "ftm-8.5.3"},
        guest="ftm-8.6.5",
        order="ftm-8.1e",
        extras={ZONE: "ftm-4.2.1", RIVER: "ftm-8.6.3"},
        may_leave=_may_leave,
        shares=_shares,
        fixed_pay=True,
    ),
)


# --- retreat (8.6) ----------------------------------------------------------------------------------------


def retreat_costs(case: Case, group: Sequence[Unit]) -> CostTable:
    ground = field_of(case).ground
    return ground.along_railways if any(unit.has("rail-only") for unit in group) else ground.retreat_costs


def retreat_closed(
    case: Case, field: Field, group: Sequence[Unit], zones: Mask, friends: Mask
) -> dict[str, Mask]:
    """Hexes that a retreat may not enter, by the rule that closes them."""
    closed: dict[str, Mask] = {"enemy": field.occupied(ENEMY[group[0].side])}
    if any(unit.marks.get("out-of-supply") == 1 for unit in group):
        closed["out-of-supply"] = minus(zones, friends)
    if any(unit.has("never-ezoc") for unit in group):
        closed["never-zone"] = zones
    if not all(unit.has("mountain") for unit in group):
        closed["high-mountain"] = field.board.of_terrain("high-mountain")
    closed["country"] = union(*(field.ground.closed_to(unit) for unit in group))
    return closed


# --- advance (8.7) ----------------------------------------------------------------------------------------


def advance_rules(case: Case, field: Field, battle: Battle, party: Party, unit: Unit) -> AdvanceRules:
    ground, foe = field.ground, battle.foe(party)
    shut = {"country": ground.closed_to(unit)}
    if not unit.has("mountain"):
        shut["high-mountain"] = field.board.of_terrain("high-mountain")
    return AdvanceRules(
        hexes=min(advance_limit(case, battle, foe), int(unit.type.values.get("advance", 1))),
        vacated=vacated(field, battle, foe),
        first=ground.retreat_costs,
        later=ground.second_hex_costs,
        enemy=field.occupied(ENEMY[party.side]),
        forbidden=shut,
        first_forbidden=shut,
    )


def died(foe: Party) -> bool:
    return not any(foe.alive(unit) for unit in foe.steps)


def advance_limit(case: Case, battle: Battle, foe: Party) -> int:
    """8.7: the result less the steps the loser paid, two hexes at most; options where he was wiped out."""
    parts = battle.parts(foe)
    if any(part.pays is Pays.ALL for part in parts):
        return 1 if case.option("advance-after-elimination") == "one" else FARTHEST
    if any(part.pays is Pays.STEPS for part in parts) or not parts:
        return 0
    cost = len(foe.extras) if case.option("river-loss-advance") == "off" else 0
    left = max(part.points for part in parts) - max(foe.lost_steps - cost, 0)
    after = {"one": 1, "two": FARTHEST, "judge": FARTHEST}.get(case.option("advance-after-losses"), left)
    return after if died(foe) else min(left, FARTHEST)


def advance_doubt(case: Case, battle: Battle, party: Party, unit: Unit) -> Fault | None:
    """Where the text does not say how far who wiped the enemy out advances (8.7, 8.7.1)."""
    foe = battle.foe(party)
    by_result = any(part.pays is Pays.ALL for part in battle.parts(foe))
    option = "advance-after-elimination" if by_result else "advance-after-losses"
    mandatory = any(part.pays is Pays.STEPS for part in battle.parts(foe))
    if not died(foe) or mandatory or case.option(option) != "judge":
        return None
    text = f"{unit.id} advances after the enemy was wiped out"
    return Fault("ftm-8.7d", text, (unit.id,), verdict=Verdict.JUDGEMENT)


def may_advance(case: Case, unit: Unit) -> bool:
    return not unit.has("no-advance") and int(unit.counter.steps[0].split("-")[-1] or 0) > 0


AFTERMATH = Aftermath(
    field_of=field_of,
    fighting=FIGHTING,
    costs=retreat_costs,
    closed=retreat_closed,
    rivers=lambda case: field_of(case).board.steps_across("minor-river", "major-river", "strait"),
    river_each=lambda case: case.option("river-loss-count") == "each",
    may_advance=may_advance,
    advance_rules=advance_rules,
    advance_doubt=advance_doubt,
    retreat_keys={
        "away": "ftm-8.6a",
        "not-adjacent": "ftm-8.6a",
        "order": "ftm-8.6.1",
        "enemy": "ftm-8.6.4",
        "off-line": "ftm-8.6.4",
        "high-mountain": "ftm-8.6.4",
        "never-zone": "ftm-4.2.3a",
        "out-of-supply": "ftm-4.2.2",
        "country": "ftm-5.2.1b",
        f"hexside:{ICE}": "ftm-8.6.4",
    },
    advance_keys={
        "first-hex": "ftm-8.7.2",
        "advance-length": "ftm-8.7b",
        "enemy": "ftm-8.7a",
        "country": "ftm-5.2.1b",
        "high-mountain": "ftm-5.1.5b",
    },
    no_part="ftm-8.5a",
    off_map="ftm-8.6.4",
    immobile="ftm-8.5b",
    advancer="ftm-8.7.2",
    never="ftm-8.7.3",
    too_late="ftm-8.7a",
    doubts=("ftm-8.7d",),
)
withdrawing.register(RULES, AFTERMATH)
