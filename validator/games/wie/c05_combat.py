"""Chapter 5: the attack: who attacks what, out of which hexes, and whether he is in supply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.battles import beside, free_attacks, out_of_combat, sent_to
from validator.games.wie.book import COMBAT, DROP, ENEMY, EXPLOIT, FIGHTING, RULES, part_of, side_of
from validator.games.wie.field import Field, field_of, ours
from validator.games.wie.lines import (
    commanded,
    counter_offensive,
    cut_from_command,
    in_red_city,
    is_out,
    reconnected,
    shortened,
)
from validator.games.wie.state import Case
from validator.games.wie.units import (
    PARTISAN,
    RAIL_GUN,
    ROCKET,
    counts,
    fights,
    is_air,
    is_hq,
    on_the_ground,
    on_the_map,
)
from validator.model.events import Attacked
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import each, note_each
from validator.procedures.rounds import Engagement, Side

MOST_A_SIDE = 6


@dataclass(frozen=True)
class Assault:
    """An attack on a hex in play, by units that stand in such."""

    side: str
    target: HexId
    units: list[Unit]
    stood: list[tuple[Unit, HexId]]


def assaults(case: Case, event: Attacked) -> Iterator[Assault]:
    """The attack that an event is; none, if it is on nothing in play."""
    field, units = field_of(case), case.units(event.units)
    for target in field.ids(event.targets[:1]):
        yield Assault(side_of(case.phase), target, units, field.standing(units))


@RULES.track(Attacked, when=JUDGED, phases=FIGHTING)
@note_each(assaults)
def a_battle_begins(case: Case, event: Attacked, assault: Assault) -> None:
    side, target, stood = assault.side, assault.target, {unit.id: here for unit, here in assault.stood}
    enemy = ENEMY[side]
    there = {u.id: target for u in field_of(case).units(target, enemy) if fights(u)}
    exploiting = part_of(case.phase) == EXPLOIT
    defender = Side(enemy, there, disrupted=out_of_combat(case, there))
    battle = Engagement(event.battle, target, Side(side, stood), defender, exploiting)
    case.in_phase.battles.append(battle)
    if not exploiting:
        case.in_turn.by(side).fought |= set(stood)


@RULES.rule("wie-seq.1", "wie-cbt.1", "wie-cbt.2", "wie-cbt.8", "wie-cbt.12")
@RULES.rule("wie-unit.6", "wie-unit.8", "wie-opt.5", "wie-brk.2", "wie-air.7")
@RULES.before(Attacked, phases=FIGHTING)
@each(assaults)
def who_attacks_what(case: Case, event: Attacked, assault: Assault) -> Faults:
    """From hexes beside it, six units of a hex at most; planes that were sent there."""
    foreign = [unit.id for unit in assault.units if unit.side != assault.side]
    text = f"attacks in the {case.phase_name()}: only the side whose turn it is does"
    yield from faults.of_units("wie-seq.1", foreign, text, hexes=event.targets)
    if foreign:
        return
    field, number = field_of(case), len(event.targets)
    if all(map(is_air, field.units(assault.target, ENEMY[assault.side]))):
        text = f"no enemy stands in {_place(field, assault.target)}"
        yield Fault("wie-cbt.1", text, event.units, event.targets)
    if number > 1:
        text = f"{'+'.join(event.units)} attacks {number} hexes at once, one may be attacked"
        yield Fault("wie-cbt.1", text, event.units, event.targets)
    if not event.units:
        yield faults.no_attacker(case, event, "wie-cbt.1")
    for unit, here in assault.stood:
        yield from (_sent if is_air(unit) else _may_attack)(case, field, unit, here, assault.target)
    yield from _crowds(field, assault)


@RULES.rule("wie-cbt.1")
@RULES.before(Attacked, phases=FIGHTING)
def an_attack_is_on_a_hex_in_play(case: Case, event: Attacked) -> Faults:
    """Rounds and dice of such an attack are told with it."""
    if event.targets and not field_of(case).ids(event.targets[:1]):
        text = f"{'+'.join(event.units)} attacks {case.label(event.targets[0])}, which is not in play"
        yield Fault("wie-cbt.1", text, event.units, event.targets)


def _place(field: Field, hex_id: HexId) -> str:
    return field.ground.named_place(field.board.hexes[hex_id])


def _crowds(field: Field, assault: Assault) -> Faults:
    by_hex: dict[HexId, list[str]] = {}
    for unit, here in assault.stood:
        if counts(unit):
            by_hex.setdefault(here, []).append(unit.id)
    for hex_id, names in by_hex.items():
        if len(names) > MOST_A_SIDE and hex_id != assault.target:
            text = f"{len(names)} units attack {_place(field, assault.target)} "
            text += f"from {field.ground.wording.hex(hex_id)}, six may"
            yield Fault("wie-cbt.2", text, tuple(names), field.hexes((hex_id,)))


def _may_attack(case: Case, field: Field, unit: Unit, here: HexId, target: HexId) -> Faults:
    hexes, turn = field.hexes((here, target)), case.in_turn.by(unit.side)

    def fault(rule: str, text: str, verdict: Verdict = Verdict.ILLEGAL) -> Fault:
        return Fault(rule, f"{unit.id} {text}", (unit.id,), hexes, verdict=verdict)

    landed = here == target and unit.id in turn.dropped
    if is_hq(unit) or unit.has(ROCKET):
        yield fault("wie-cbt.1", "does not fight")
    elif unit.has(PARTISAN):
        yield fault("wie-opt.5", "are partisans and do not attack")
    elif not beside(field, here, target) and not landed:
        far = f"attacks {case.label(hexes[1])} from {case.label(hexes[0])}, which is not beside it"
        yield fault("wie-unit.8" if unit.has(RAIL_GUN) else "wie-cbt.1", far)
    disrupted = unit.id in turn.disrupted
    sides = [battle.attacker for battle in case.in_phase.battles]
    if unit.id in turn.salvos:
        yield fault("wie-unit.6", "fired a salvo in this turn and does not attack")
    elif disrupted or any(unit.id in side.disrupted for side in sides):
        yield fault("wie-cbt.12", "was disrupted and may not fight again in this turn")
    elif any(unit.id in side.gone for side in sides):
        text = "left a battle and attacks again, of which the text says nothing"
        yield fault("wie-cbt.12", text, Verdict.WARNING)
    if unit.id in case.in_phase.advanced and part_of(case.phase) == COMBAT:
        text = "attacks on out of a hex that it entered in this phase: fresh units do, exploiting"
        yield fault("wie-brk.2", text, Verdict.WARNING)


def _sent(case: Case, field: Field, unit: Unit, here: HexId, target: HexId) -> Faults:
    """Planes were sent to the hex as the army moved."""
    if sent_to(case, unit, here, target):
        return
    hexes, flight = field.hexes((target,)), case.in_turn.by(unit.side).flights.get(unit.id)
    if flight is not None and flight.last == DROP and here == target:
        text = f"{unit.id} dropped paratroops in this turn and does nothing else"
        yield Fault("wie-air.7", text, (unit.id,), hexes)
    else:
        text = f"{unit.id} was not sent to {case.label(hexes[0])} to support the attack"
        yield Fault("wie-cbt.8", text, (unit.id,), hexes)


def attackers_on_the_ground(case: Case, event: Attacked) -> list[Unit]:
    """Of the side whose turn it is; none in the turn of the counter-offensive, when supply binds nobody."""
    side = side_of(case.phase)
    units = case.units(() if counter_offensive(case, side) else event.units)
    return on_the_ground(on_the_map(ours(case, units)))


@RULES.rule("wie-cbt.11", "wie-hq.1", "wie-hq.12", "wie-sup.5", "wie-zoc.3")
@RULES.before(Attacked, phases=FIGHTING)
@each(attackers_on_the_ground)
def attackers_are_in_supply(case: Case, event: Attacked, unit: Unit) -> Faults:
    """In range of a headquarters, and in general supply when it was checked last."""
    field, free = field_of(case), free_attacks(case, unit.side)
    dropped, out = unit.id in case.in_turn.by(unit.side).dropped, is_out(case, unit)

    def fault(rule: str, text: str, *, sure: bool) -> Fault:
        verdict = Verdict.ILLEGAL if sure else Verdict.WARNING
        return Fault(rule, f"{unit.id} {text}", (unit.id,), (unit.hex,), verdict=verdict)

    if out and not in_red_city(field, unit):
        again = reconnected(case, field, unit)
        text = "was without general supply at the last check and may not attack"
        yield fault("wie-sup.5" if again else "wie-cbt.11", text, sure=not again)
    elif not dropped and not commanded(case, field, unit):
        rule = "wie-hq.12" if shortened(case, field, unit) else "wie-hq.1"
        text = "attacks, and no headquarters of its side is in range"
        yield fault(rule, text, sure=not (out or free))  # cut off in a red city; for nothing
    elif cut_from_command(case, field, unit) and not (dropped or free):
        text = "attacks, and enemy armor cuts it off from every headquarters in range"
        yield fault("wie-zoc.3", text, sure=False)


# --- when it is over ----------------------------------------------------------------------------------------


def battles_fought(case: Case) -> list[Engagement]:
    return case.in_phase.battles


@RULES.rule("wie-cbt.3")
@RULES.at_phase_end(*FIGHTING)
@each(battles_fought)
def an_attack_is_fought(case: Case, battle: Engagement) -> Faults:
    """It may have been called off, or its dice are missing; headquarters alone do not fight."""
    names, hexes = tuple(battle.attacker.stood), field_of(case).hexes((battle.target,))
    if names and battle.defender.stood and not battle.round.shots:
        again = f" for round {battle.round.number}" if len(battle.rounds) > 1 else ""
        text = f"{'+'.join(names)} attacks {case.label(hexes[0])}: no die followed{again}"
        yield Fault("wie-cbt.3", text, names, hexes, verdict=Verdict.WARNING)


@RULES.rule("wie-unit.8")
@RULES.at_phase_end(*FIGHTING)
@each(battles_fought)
def rail_guns_support_others(case: Case, battle: Engagement) -> Faults:
    """They fire in rounds of an attack that others make; alone they send a salvo."""
    on_it = [other.attacker.stood for other in case.in_phase.battles if other.target == battle.target]
    alone = all(unit.has(RAIL_GUN) for stood in on_it for unit in case.units(stood))
    text = "attacks alone: rail guns support others that attack, or send a salvo"
    guns = battle.attacker.stood if alone else ()
    hexes = field_of(case).hexes((battle.target,))
    called_off = not any(round_.fired(name) for round_ in battle.rounds for name in guns)
    yield from faults.of_units("wie-unit.8", guns, text, faults.unless(called_off), hexes)
