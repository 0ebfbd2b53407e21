"""Chapters 4 and 5: the +1 that guns and tanks give infantry, and planes armor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from validator.core.explain import counted
from validator.core.volleys import room_for_help
from validator.engine.rulebook import Faults
from validator.games.wie.battles import sent_to, soldiers, standing
from validator.games.wie.book import FIGHTING, RULES
from validator.games.wie.c05_hits import battles_before
from validator.games.wie.field import Field, field_of
from validator.games.wie.state import Case
from validator.games.wie.units import GUNS, KATYUSHA, kind, planes_among, value
from validator.games.wie.values import FROM_AIR, FROM_GROUND
from validator.model.events import Fired, RoundBegan
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.ask_each import each
from validator.procedures.rounds import Engagement

OPTIONAL_HELP = {"tank-destroyer": "wie-opt.7", "heavy-armor": "wie-opt.8"}


def helpers(field: Field, battle: Engagement) -> dict[str, int]:
    """Attackers on the ground that give infantry a +1, and to how many; those that fell in this round too."""
    attacker, now = battle.attacker, battle.round.number
    fired = {shot.unit for shot in battle.round.of(attacker.side)}
    fought = (name for name in fired | set(attacker.disrupted) if name in attacker.stood)
    units = field.position.units
    fallen = [units[name] for name in fought if attacker.disrupted.get(name, now) == now]
    return _supporting([*soldiers(field, battle, attacker), *fallen], "supports")


def lifters(case: Case, field: Field, battle: Engagement) -> dict[str, int]:
    """Planes in the attack that give armor a +1; also those that were sent there unnamed."""
    side, target = battle.attacker, battle.target
    unnamed = [u for u in field.planes_over(target, side.side) if u.id not in {*side.stood, *side.gone}]
    sent = [unit for unit in unnamed if sent_to(case, unit, target, target)]
    return _supporting([*planes_among(standing(field, side)), *sent], "lifts")


def _supporting(units: Iterable[Unit], key: str) -> dict[str, int]:
    numbers = {unit.id: value(unit, key) for unit in units}
    return {name: number for name, number in numbers.items() if number}


def too_much_help(case: Case, field: Field, battle: Engagement, event: Fired, helped: Counter[str]) -> Faults:
    """A +1 for which no supporter is left, by a volley that takes one itself."""
    before, number = battle.round.helped, battle.round.number
    side = battle.attacker.side
    guns_and_tanks, planes = helpers(field, battle), lifters(case, field, battle)
    raised, lifted = helped[FROM_GROUND], helped[FROM_AIR]
    if raised > max(room_for_help(guns_and_tanks), before[side, FROM_GROUND]):
        text = f"{counted(raised, 'unit')} of infantry at +1 in round {number}, "
        text += f"and guns and tanks of the attack help {room_for_help(guns_and_tanks) or 'none'}"
        yield Fault(_rule_of_help(case.units(guns_and_tanks)), text, event.units)
    if lifted > max(room_for_help(planes), before[side, FROM_AIR]):
        text = f"{counted(lifted, 'unit')} of armor at +1 in round {number}, "
        text += f"and planes of the attack help {room_for_help(planes) or 'none'}"
        yield Fault("wie-unit.4", text, event.units)
    for unit in case.units(name for name in event.support if name not in guns_and_tanks | planes):
        rule = "wie-unit.7" if unit.has(KATYUSHA) else "wie-unit.4"
        text = f"{unit.id} is named as support and gives none in battle {battle.number}"
        yield Fault(rule, text, (unit.id,))


def _rule_of_help(supporters: list[Unit]) -> str:
    """Of guns alone, of a single kind that an option brings in, or of all."""
    kinds = "+".join({kind(unit) for unit in supporters})
    if kinds in OPTIONAL_HELP:
        return OPTIONAL_HELP[kinds]
    only_guns = supporters and all(unit.has(GUNS) for unit in supporters)
    return "wie-unit.5" if only_guns else "wie-unit.4"


# --- supporters that fight on -------------------------------------------------------------------------------


@RULES.rule("wie-unit.4")
@RULES.before(RoundBegan, phases=FIGHTING)
@each(battles_before)
def supporters_fight_in_the_round(case: Case, event: RoundBegan, battle: Engagement) -> Faults:
    yield from _silent_supporters(case, battle)


@RULES.rule("wie-unit.4")
@RULES.at_phase_end(*FIGHTING)
def supporters_fight_in_the_last_round(case: Case) -> Faults:
    for battle in case.in_phase.battles:
        yield from _silent_supporters(case, battle)


def _silent_supporters(case: Case, battle: Engagement) -> Faults:
    """After the first round: who throws no die has gone on no longer, and helps nobody."""
    side, number = battle.attacker.side, battle.round.number
    if number < 2 or not battle.round.of(side):
        return
    firing = case.units(dict.fromkeys(battle.attacking_now()))
    for helper, key in ((FROM_GROUND, "supports"), (FROM_AIR, "lifts")):
        room, helped = room_for_help(_supporting(firing, key)), battle.round.helped[side, helper]
        if helped > room:
            text = (
                f"{counted(helped, 'unit')} at +1 by {helper} in round {number} of battle {battle.number}, "
            )
            text += f"and those that fire in it help {room or 'none'}"
            names = tuple(battle.attacking_now())
            hexes, once = field_of(case).hexes((battle.target,)), ("silent help", battle.number, number, key)
            yield Fault("wie-unit.4", text, names, hexes, verdict=Verdict.WARNING, once=once)
