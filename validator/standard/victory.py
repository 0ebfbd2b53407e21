"""Victory points: cities held, and what each side has lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fieldpost.definition.model import Game
from fieldpost.definition.words import POINTS, WINNER
from validator.core.victory import Score, ScoreItem, score
from validator.engine.rulebook import APPLIED, Faults, Rulebook
from validator.model.events import Declared, Event, Moved, Placed
from validator.model.position import Unit
from validator.procedures.control import taken
from validator.procedures.victory_points import cities_held, judge_claim
from validator.standard.book import NOT_CONFIGURED, VICTORY, cited, name_left_out, rules_of
from validator.standard.field import field_of
from validator.standard.state import Case


def install(rules: Rulebook, game: Game) -> None:
    rules.track(Moved, Placed, when=APPLIED)(note_who_came)
    rules.track_start()(note_who_is_there)
    name_left_out(rules, game, (VICTORY,), Declared, what=(POINTS, WINNER))
    if rules_of(game).victory is not None:
        judge = rules.before(Declared, what=(POINTS, WINNER))(the_score_is_right)
        rules.rule(cited(game, VICTORY))(judge)


def note_who_came(case: Case, event: Event) -> None:
    """Who holds what, and at which strength each unit came into play."""
    side, hexes = taken(case.position, event)
    for hex_ in hexes:
        case.position.take(hex_, side)
    note_who_is_there(case)


def note_who_is_there(case: Case) -> None:
    for unit in case.position.on_map():
        case.in_game.began.setdefault(unit.id, unit.step)


def the_score_is_right(case: Case, event: Declared) -> Faults:
    if case.scenario.victory is None:
        case.not_checked(NOT_CONFIGURED[VICTORY])
        return iter(())
    words, rule = field_of(case).ground.wording, cited(case.game, VICTORY)
    return judge_claim(case, event, rule, score_of(case), words)


def score_of(case: Case) -> Score:
    """As the position stands, for the side that counts."""
    return score((*cities_held(case), *_losses(case)))


def _losses(case: Case) -> Iterator[ScoreItem]:
    victory = case.scenario.victory
    for key, points in victory.points.items() if victory is not None else ():
        owner, _, what = key.rpartition("-")
        lost = LOST[what]
        began = ((case.position.units[name], step) for name, step in case.in_game.began.items())
        count = sum(lost(unit, step) for unit, step in began if owner in (unit.side, unit.type.id))
        yield ScoreItem(key, "lost", count, points)


def _steps_lost(unit: Unit, began: int) -> int:
    """Of a unit that has been on the map, since it came."""
    return max(unit.step - began, 0) if unit.on_map else unit.type.steps - began + 1


LOST: Mapping[str, Callable[[Unit, int], int]] = {
    "step": _steps_lost,
    "unit": lambda unit, began: int(not unit.on_map),
}
