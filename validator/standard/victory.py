"""Victory points: cities held, and what each side has lost."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.definition.model import Game
from fieldpost.definition.words import POINTS, WINNER
from fieldpost.hexes import Hex
from validator.core import explain as say
from validator.core.victory import Score, ScoreItem, score
from validator.engine.rulebook import APPLIED, Faults, Rulebook
from validator.model.events import Declared, Event, Moved, PhaseBegan, Placed
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.control import holder, taken
from validator.standard.book import NOT_CONFIGURED, VICTORY, cited, rules_of
from validator.standard.field import field_of
from validator.standard.state import Case

CITIES = "cities"


def install(rules: Rulebook, game: Game) -> None:
    rules.track(Moved, Placed, when=APPLIED)(note_who_came)
    rules.track_start()(note_who_is_there)
    judge = rules.before(Declared)(the_score_is_right)
    if rules_of(game).victory is not None:
        rules.rule(cited(game, VICTORY))(judge)


def note_who_came(case: Case, event: Event) -> None:
    """Who holds what, and at which strength each unit came into play."""
    side, hexes = taken(case.position, event)
    for hex_ in hexes:
        case.position.take(hex_, side)
    note_who_is_there(case)


def note_who_is_there(case: Case) -> None:
    for unit in case.position.on_map():
        if unit.id not in case.in_game.began:
            case.in_game.began[unit.id] = unit.step


def the_score_is_right(case: Case, event: Declared) -> Faults:
    if event.what not in (POINTS, WINNER):
        return
    victory = case.scenario.victory
    if rules_of(case.game).victory is None or victory is None:
        case.not_checked(NOT_CONFIGURED[VICTORY])
        return
    right = score_of(case)
    doubtful = case.position.partial or not isinstance(next(iter(case.in_game.events), None), PhaseBegan)
    verdict = Verdict.WARNING if doubtful else Verdict.ILLEGAL
    evidence = {"steps": say.score_text(field_of(case).ground.wording, right).split("\n")}
    rule = cited(case.game, VICTORY)
    if event.what == POINTS and event.value.lstrip("+") != str(right.points):
        text = f"{event.value} points are claimed, {right.points} are held"
        yield Fault(rule, text, evidence=evidence, verdict=verdict)
    band = right.band(victory.bands)
    if event.what == WINNER and band is not None and event.value != band.result:
        text = f"{event.value!r} is claimed; {right.points} points are: {band.result}"
        yield Fault(rule, text, evidence=evidence, verdict=verdict)


def score_of(case: Case) -> Score:
    """As the position stands, for the side that counts."""
    return score((*_cities(case), *_losses(case)))


def _cities(case: Case) -> Iterator[ScoreItem]:
    victory, lattice = case.scenario.victory, case.game.map.lattice
    for city in victory.cities if victory is not None else ():
        hex_: Hex = lattice.hex(city.hex, case.scenario.sheet)
        if victory is not None and holder(case.position, hex_) == victory.side:
            yield ScoreItem(CITIES, city.name or city.hex, 1, city.points)


def _losses(case: Case) -> Iterator[ScoreItem]:
    victory = case.scenario.victory
    for key, points in victory.points.items() if victory is not None else ():
        owner, _, what = key.rpartition("-")
        began: dict[str, int] = case.in_game.began
        units = [case.position.units[name] for name in began]
        those = [unit for unit in units if owner in (unit.side, unit.type.id)]
        count = sum(_lost(case, unit, what == "step") for unit in those)
        yield ScoreItem(key, "lost", count, points)


def _lost(case: Case, unit: Unit, by_steps: bool) -> int:
    """Of a unit that has been on the map: its steps lost since, or itself."""
    if not by_steps:
        return 0 if unit.on_map else 1
    began: int = case.in_game.began[unit.id]
    gone = unit.type.steps - began + 1
    return max(unit.step - began, 0) if unit.on_map else gone
