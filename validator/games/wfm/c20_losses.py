"""Chapter 20.4, an option: additional losses of armour that attacks cities."""

from __future__ import annotations

from collections.abc import Iterator

from validator.games.wfm.battles import Battle, Party, battles, numbered
from validator.games.wfm.book import RULES
from validator.games.wfm.state import Case
from validator.model.events import Rolled
from validator.model.findings import Fault
from validator.procedures import faults

REASON = "additional"


@RULES.track(Rolled)
def additional_losses_are_rolled_for(case: Case, event: Rolled) -> None:
    """20.42, 20.43: who was hit or driven back loses a step on 1 to 3, others on 1."""
    unit = event.about
    if not is_additional(event) or unit is None:
        return
    battle = numbered(case, event.battle)
    if event.battle is None:
        battle = next((b for b in reversed(battles(case)) if b.attacker.holds(unit)), battle)
    if battle is not None:
        party = battle.attacker
        root = party.root(unit)
        hit = bool(party.lost.get(root)) or party.hexes_retreated(root) > 0
        battle.additional[root] = event.values[0] <= (3 if hit else 1)


def is_additional(event: Rolled) -> bool:
    return event.reason.lower().startswith(REASON)


def pays_additional(battle: Battle, party: Party, unit: str) -> bool:
    """Whether a loss is the additional one that was rolled for; it pays for nothing else."""
    root = party.root(unit)
    return party is battle.attacker and battle.additional.get(root, False) and root not in battle.paid


def armor_that_rolls(battle: Battle) -> tuple[str, ...]:
    """20.41: more than half of the steps that attack a city are armour."""
    steps, armor = battle.attacker.steps, battle.attacker.armor
    if not battle.city or 2 * sum(steps[unit] for unit in armor) <= sum(steps.values()):
        return ()
    return tuple(sorted(armor))


def additional_losses(case: Case, battle: Battle) -> Iterator[Fault]:
    """What is still due when the battle is over."""
    if case.option("additional-losses") != "on" or battle.overrun:
        return
    alive = [unit for unit in battle.armored if battle.attacker.alive(unit)]
    missing = (unit for unit in alive if unit not in battle.additional)
    unpaid = (unit for unit in alive if battle.additional.get(unit) and unit not in battle.paid)
    yield from faults.of_units("wfm-20.41", missing, "did not roll for additional losses")
    yield from faults.of_units("wfm-20.41", unpaid, "did not lose the step rolled for")
