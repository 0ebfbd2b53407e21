"""The rules of Ferry at Dawn, for `fieldpost check TURN --game FOLDER`. docs/game-data.md explains it."""

from dataclasses import dataclass, field

from fieldpost.hexes import distance
from validator.engine.case import Memory
from validator.engine.rulebook import Rulebook
from validator.model.events import Attacked, Moved
from validator.model.findings import Fault


@dataclass
class InTurn(Memory):
    """What is remembered of a turn; a new turn begins with a new one."""

    crossed: list[str] = field(default_factory=list)


RULES = Rulebook("ferry-at-dawn", in_turn=InTurn)
MOVEMENT = {"blue-movement": "blue", "red-movement": "red"}


@RULES.rule("ferry-2.1")
@RULES.before(Moved)
def a_unit_moves_only_in_its_own_movement_phase(case, event):
    for name in event.units:
        unit = case.position.units[name]
        if event.mode not in ("retreat", "advance") and MOVEMENT.get(case.phase) != unit.side:
            yield Fault("ferry-2.1", f"{name} moves in the {case.phase_name()}", (name,))


@RULES.rule("ferry-2.2")
@RULES.before(Attacked)
def an_attack_needs_a_neighbouring_enemy(case, event):
    for name in event.units:
        unit = case.position.units[name]
        for target in event.targets:
            if not unit.on_map or distance(unit.hex, target) != 1:
                far = f"{name} is not beside {case.label(target)}"
                yield Fault("ferry-2.2", far, (name,), (target,))


@RULES.track(Moved)
def note_who_crosses(case, event):
    """A reducer: it writes what later rules ask for, and judges nothing."""
    if crosses(case, event):
        case.in_turn.crossed += event.units


@RULES.rule("ferry-6.1")
@RULES.before(Moved)
def one_unit_a_turn_crosses_by_the_ferry(case, event):
    crossed = case.in_turn.crossed
    if crosses(case, event) and len(crossed) > 1:
        yield Fault("ferry-6.1", f"{', '.join(crossed)} crossed by the ferry this turn", event.units)


def crosses(case, event):
    return any(step in ferries(case) for step in zip(event.path, event.path[1:], strict=False))


def ferries(case):
    """Each ferry as a step from hex to hex, there and back."""
    sides = [side for side, kinds in case.game.map.side_kinds.items() if "ferry" in kinds]
    return {*sides, *((side.b, side.a) for side in sides)}
