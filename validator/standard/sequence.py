"""The order of the phases, and what each lets happen."""

from __future__ import annotations

from collections.abc import Callable

from fieldpost.definition.model import Game, Phase
from fieldpost.definition.words import POINTS, WINNER
from validator.engine.rulebook import Faults, Rulebook
from validator.model import events as ev
from validator.model.events import Event
from validator.model.position import Unit
from validator.procedures import turnorder
from validator.procedures.permissions import (
    ANY,
    MarkerRule,
    OfUnit,
    Permissions,
    anybody,
    anywhere,
    grant,
)
from validator.standard.book import SEQUENCE, cited, rules_of
from validator.standard.outcome import grammar_of
from validator.standard.state import Case

MOVE, ATTACK, OVERRUN = "move", "attack", "overrun"
ARRIVE, RECOVER, REBUILD, WITHDRAW = "place-reinforcement", "recover", "rebuild", "withdraw"
FIGHT = ("combat", "overrun", "")  # what dice of battles are rolled for
LOSE, MARKER, SUPPLY, DRAW = "step-loss", "marker", "set-supply", "draw"
"""Words of `may` that the standard referee knows; others are declarations."""


def verbs(phase: Phase) -> frozenset[str]:
    """What anybody may do in a phase."""
    return frozenset(phase.may).union(*(step.may for step in phase.steps))


def phases_with(game: Game, *words: str) -> tuple[str, ...]:
    return tuple(phase.id for phase in game.sequence if verbs(phase).intersection(words))


def fighting_phases(game: Game) -> tuple[str, ...]:
    """Those in which attacks are made, or in which battles of the phase before go on."""
    return tuple(dict.fromkeys((*phases_with(game, ATTACK), *phases_that_go_on(game))))


def phases_that_go_on(game: Game) -> tuple[str, ...]:
    return tuple(phase.id for phase in game.sequence if phase.goes_on)


def moving_phases(game: Game) -> dict[str, str]:
    """Each phase of movement with the side it belongs to."""
    return {phase.id: phase.active for phase in game.sequence if any(map(_is_of_moving, verbs(phase)))}


def _is_of_moving(verb: str) -> bool:
    return verb == MOVE or verb.endswith("-move")


def may(case: Case, unit: Unit, *words: str) -> bool:
    """Whether the unit's side may do one of these things now."""
    return bool(case.sequence.verbs(case.phase, unit.side).intersection(words))


def arrival_phases(game: Game, side: str) -> tuple[str, ...]:
    """Phases that say so; without any, those in which the side moves."""
    named = phases_with(game, ARRIVE) or phases_with(game, MOVE)
    return tuple(p.id for p in game.sequence if p.id in named and p.active in (side, "both"))


def install(rules: Rulebook, game: Game) -> None:
    id_ = rules.unclaimed = rules.elsewhere = cited(game, SEQUENCE)
    grant(rules, _permissions(game))
    turnorder.follow(rules, id_, id_)
    rules.before(ev.Marked, ev.Unmarked, ev.Pointed, ev.Drawn, ev.Returned)(markers_are_not_told)
    rules.before(ev.Declared)(declarations_are_not_told)


BETWEEN_MAPS = "moves between maps: `rules` tells of the main map alone"

OfMarker = ev.Marked | ev.Unmarked | ev.Pointed | ev.Drawn | ev.Returned


def markers_are_not_told(case: Case, event: OfMarker) -> Faults:
    kind = case.game.marker[event.marker].kind
    case.not_checked(f"markers: what {kind} does is not told in `rules`")
    return iter(())


def declarations_are_not_told(case: Case, event: ev.Declared) -> Faults:
    if event.what not in (POINTS, WINNER):
        case.not_checked(f"what {event.what!r} does is not told in `rules`")
    return iter(())


# --- permissions ------------------------------------------------------------------------------------------


def _permissions(game: Game) -> Permissions:
    fighting, grammar = fighting_phases(game), grammar_of(game)
    marking = tuple(dict.fromkeys((*phases_with(game, MARKER), *fighting)))
    status = MarkerRule(anybody, in_hex=anywhere, phases=marking)
    supply = MarkerRule(anybody, in_hex=anywhere, phases=(*phases_with(game, SUPPLY), *marking))
    return Permissions(
        moving=moving_phases(game),
        fighting=fighting,
        read_result=grammar.find,
        rolls=dict.fromkeys(_other_rolls(game), (ANY,)),
        declared=dict.fromkeys((POINTS, WINNER), (ANY,)) if rules_of(game).victory else {},
        markers={m.kind: supply if m.kind == "supply" else status for m in game.markers},
        boxes={box.id: _leaves_for(box.side) for box in game.boxes}
        | {map_.id: _goes_to_another_map for map_ in game.maps},
        replaced=dict.fromkeys(game.words.exchanges, (ANY,)),
        arrives=_arrives,
        loses=lambda case, unit: may(case, unit, LOSE) and case.phase not in fighting,
        gains=lambda case, unit: may(case, unit, RECOVER),
        leaves=_leaves,
        draws=_draws(game),
        returns=_draws(game),
    )


def _other_rolls(game: Game) -> set[str]:
    """What dice are rolled for besides battles."""
    return {reason.lower() for dice in game.dice for reason in dice.reasons}.difference(FIGHT)


def _arrives(case: Case, unit: Unit) -> bool:
    return may(case, unit, REBUILD) or case.phase in arrival_phases(case.game, unit.side)


def _leaves_for(side: str | None) -> OfUnit:
    """A box takes units of its side that left the map by a battle, or may leave it."""

    def belongs(case: Case, unit: Unit) -> bool:
        fought = any(battle.party(unit.id) is not None for battle in case.in_phase.battles)
        free = fought or not unit.on_map or may(case, unit, WITHDRAW, LOSE)
        return side in (None, unit.side) and free

    return belongs


def _leaves(case: Case, unit: Unit, box: str | None) -> bool:
    another = box in [map_.id for map_ in case.game.maps]
    return may(case, unit, WITHDRAW) or (another and _goes_to_another_map(case, unit))


def _goes_to_another_map(case: Case, unit: Unit) -> bool:
    """By way of moving; whether it is far or near, the data do not tell."""
    case.not_checked(BETWEEN_MAPS)
    return may(case, unit, MOVE, WITHDRAW, LOSE) or not unit.on_map


def _draws(game: Game) -> Callable[[Case, Event], bool]:
    """Chits are drawn in phases that say so; without any, whenever players like."""
    named = phases_with(game, DRAW, "draw-strength")
    return lambda case, event: not named or case.phase in named
