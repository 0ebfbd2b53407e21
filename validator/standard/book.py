"""Which rule a breach is told under, and what the standard rules say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fieldpost.definition.model import Game
from fieldpost.definition.rulesmodel import Rules
from validator.engine.case import AnyCase
from validator.engine.rulebook import Faults, Rulebook
from validator.model.events import Event

SEQUENCE, MOVEMENT, ZONES, STACKING, SUPPLY = "sequence", "movement", "zones", "stacking", "supply"
COMBAT, RETREAT, ADVANCE = "combat", "retreat", "advance"
REINFORCEMENTS, VICTORY = "reinforcements", "victory"

STATEMENTS: Mapping[str, str] = {
    SEQUENCE: "Phases follow one another, and what none of them allows does not happen.",
    MOVEMENT: "A unit moves in its own phase, where it may go, and no farther than its points reach.",
    ZONES: "Enemy zones of control stop, bind or cost as the game says.",
    STACKING: "At the end of a phase no hex holds more than its limit.",
    SUPPLY: "A unit without a line to a source is out of supply.",
    COMBAT: "Who may attack whom, the odds, the die, and what the result costs each side.",
    RETREAT: "A retreat leads away from the battle, through hexes that are open.",
    ADVANCE: "After a battle the winner may enter the hex the enemy left.",
    REINFORCEMENTS: "Reinforcements arrive when and where the scenario says.",
    VICTORY: "Victory points are counted, and the winner named, as the scenario says.",
}
"""In our own words, for a part of the block that names no rule of the game's own."""

NOT_CONFIGURED: Mapping[str, str] = {
    MOVEMENT: "movement: nothing in `rules` tells what it costs",
    ZONES: "zones of control: nothing in `rules` tells what they do",
    STACKING: "stacking: no limit named in `rules`",
    SUPPLY: "supply: nothing in `rules` tells of it",
    COMBAT: "combat: no table named in `rules`",
    RETREAT: "retreats: nothing under `combat` tells where they lead",
    ADVANCE: "advances: nothing under `combat` tells how far they go",
    REINFORCEMENTS: "reinforcements: nothing in `rules` tells of them",
    VICTORY: "victory: nothing in `rules` tells that it is counted",
}


def rules_of(game: Game) -> Rules:
    return game.rules or Rules()


def part(game: Game, name: str) -> object | None:
    """A part of the block; None if it is left out."""
    rules = rules_of(game)
    if name in (RETREAT, ADVANCE):
        return getattr(rules.combat, name, None)
    found: object | None = getattr(rules, name)
    return found


def cited(game: Game, name: str, own: str | None = None) -> str:
    """The rule that a breach of a part is told under."""
    return own or getattr(part(game, name), "rule", None) or name


def cites(game: Game, *names: str) -> list[str]:
    """The rules of those parts that a game tells of."""
    return [cited(game, name) for name in names if part(game, name) is not None]


def name_left_out(
    rules: Rulebook, game: Game, names: Iterable[str], *events: type[Event], **which: Any
) -> None:
    """Of the parts that a game leaves out, such events are named as not checked."""
    for name in names:
        if part(game, name) is None:
            name_not_checked(rules, NOT_CONFIGURED[name], *events, **which)


def name_not_checked(rules: Rulebook, reason: str, *events: type[Event], **which: Any) -> None:
    @rules.before(*events, **which)
    def note(case: AnyCase, event: Event) -> Faults:
        case.not_checked(reason)
        return iter(())


def statements(game: Game) -> dict[str, str]:
    """Of the standard rules that a game is judged by under their standard names."""
    return {
        name: text
        for name, text in STATEMENTS.items()
        if part(game, name) is not None and cited(game, name) == name
    }
