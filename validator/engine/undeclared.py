"""A combat phase of a log in which no battle is declared: what could be part of one accuses no side.

Who attacked whom is not known then: dice, losses, and drags of units that stood beside the enemy are not
judged. A unit that stays in a hex with the enemy is illegal in every reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from fieldpost.hexes import Hex, neighbors
from validator.engine.case import AnyCase
from validator.model import events as ev
from validator.model.events import Event
from validator.model.findings import Fault, NotJudged, Verdict
from validator.model.position import Position, Unit

REASON = "no battle is declared in this phase"
NO_DICE = "its battles show no dice of their units; dice that were typed or thrown elsewhere prove no hit"
NO_CLOCK = "turn and phase are not known: the tracker shows the first of the game, the board shows play"
CLOCK = "log-clock"
HOW_TO_DECLARE = (
    "To have it judged, declare each battle before its die: with our module Ctrl+A on each attacker, Ctrl+X "
    "on a unit that is attacked, then the die of the battle. Or send these lines as a turn sheet, filled in."
)
HOW_TO_FIRE = "To have it judged, throw the dice of each unit by its own key (Fire)."
HOW_TO_TELL_THE_TURN = "To have it judged, move the turn tracker to the turn and phase that are played."
DIE, LOSS, MOVE, WORDS = "die", "loss", "move", "words"
SHAKEN = (DIE, LOSS, MOVE)
"""What leaves open which battles were fought, and so what the end of the phase may ask for."""


@dataclass
class Undeclared:
    """Such a phase while it is judged."""

    start: Position  # when the log began, or its first die fell
    without_dice: bool = False
    parts: list[str] = field(default_factory=list)  # what was left unjudged in it
    entered: dict[str, Hex] = field(default_factory=dict)  # by unit, where it was dragged to the enemy
    steps: dict[str, int] = field(default_factory=dict)  # by unit, the step of its last drag

    @property
    def reason(self) -> str:
        return NO_DICE if self.without_dice else REASON

    @property
    def hint(self) -> str:
        return HOW_TO_FIRE if self.without_dice else HOW_TO_DECLARE

    @property
    def shaken(self) -> bool:
        return any(part in SHAKEN for part in self.parts)


def kind_of(case: AnyCase, event: Event, of: Undeclared) -> str:
    """What part of a battle an event could be; empty if it is judged like any other."""
    match event:
        case ev.Rolled(reason=reason):
            by_data = case.game.rules is not None  # whose buttons have names of their own
            return DIE if by_data or reason.lower() in ("", "combat", "overrun") else ""
        case ev.Fired(manner=""):
            return DIE
        case ev.ResultNamed():
            return WORDS
        case ev.Moved() if event.by_battle or not _on_the_map(event):
            return MOVE if event.by_battle else ""
        case ev.Moved():
            return MOVE if any(_may_fight(case, of, unit) for unit in event.units) else ""
        case ev.StepChanged(gained=False) | ev.Removed() | ev.Replaced(why="") | ev.Returned(unit=str()):
            return LOSS if any(_may_fight(case, of, unit) for unit in event.concerned) else ""
        case ev.Marked(marker, str(unit), face):
            weaker = face > case.position.units[unit].marks.get(marker, face)
            return LOSS if weaker and _may_fight(case, of, unit) else ""
    return ""


def _on_the_map(event: ev.Moved) -> bool:
    return isinstance(event.start, Hex) and isinstance(event.end, Hex)


def _may_fight(case: AnyCase, of: Undeclared, name: str) -> bool:
    """Whether a unit stood beside the enemy before the battles, or does so now."""
    positions = (case.phase_start, of.start, case.position)
    return any(_beside_the_enemy(position, name) for position in positions)


def _beside_the_enemy(position: Position, name: str) -> bool:
    unit = position.units[name]
    if not unit.on_map or unit.has("air"):
        return False
    return any(enemies(position, hex_, unit.side) for hex_ in (unit.hex, *neighbors(unit.hex)))


def enemies(position: Position, hex_: Hex, side: str) -> list[Unit]:
    """The enemy's units in a hex but for planes, which hold none."""
    return [unit for unit in position.at(hex_) if unit.side != side and not unit.has("air")]


def unjudged(case: AnyCase, event: Event, of: Undeclared, kind: str) -> NotJudged:
    """Notes what is not judged, before the position changes."""
    of.parts.append(kind)
    if isinstance(event, ev.Moved):
        for name in event.units:
            of.entered.pop(name, None)
            held = [spot for spot in event.entered if enemies(case.position, spot, case.unit(name).side)]
            if held and not case.unit(name).has("air"):
                of.entered[name] = held[-1]
        of.steps |= dict.fromkeys(event.units, event.origin.step)
    return NotJudged(
        event.origin.step, case.turn, case.phase, kind, of.reason, _as_meant(case, event, of), of.hint
    )


def _as_meant(case: AnyCase, event: Event, of: Undeclared) -> Event:
    """A drag as what it looks like: an advance where the enemy stood when the phase began, else a retreat."""
    if not isinstance(event, ev.Moved) or event.by_battle or not isinstance(event.end, Hex):
        return event
    left = enemies(of.start, event.end, case.unit(event.units[0]).side)
    return replace(event, mode="advance" if left else "retreat")


def among_the_enemy(case: AnyCase, of: Undeclared, rule: str) -> Iterator[Fault]:
    """Units dragged into or through a hex where the enemy still stands at the end of the phase."""
    for name, hex_ in of.entered.items():
        there = enemies(case.position, hex_, case.unit(name).side)
        if there:
            where = f"{case.label(hex_)} (step {of.steps[name]})"
            text = f"{name} is dragged into {where}, where the enemy's {there[0].id} stands"
            yield Fault(rule, text, (name,), (hex_,), settled=True)


def without_clock(case: AnyCase, event: Event) -> NotJudged:
    return NotJudged(event.origin.step, case.turn, case.phase, MOVE, NO_CLOCK, event, HOW_TO_TELL_THE_TURN)


def clock_fault(event: ev.ClockUnknown) -> Fault:
    number = len(event.differences)
    text = f"{NO_CLOCK}; {number} differences from the set-up"
    return Fault(CLOCK, text, evidence={"steps": list(event.differences)}, verdict=Verdict.JUDGEMENT)


def said(case: AnyCase, event: ev.Undeclared, of: Undeclared) -> Iterator[NotJudged]:
    """The chat of the phase that tells of battles."""
    for step in event.talk:
        of.parts.append(WORDS)
        words = ev.Said("", origin=replace(event.origin, step=step))
        yield NotJudged(step, case.turn, case.phase, WORDS, of.reason, words, of.hint)
