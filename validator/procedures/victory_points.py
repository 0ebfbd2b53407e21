"""Victory points: cities that are held, and what players claim of their count.

A game gives `judge_claim` its count (`Score`); the bands of the scenario say what it makes of the game.
"""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.definition.scenariomodel import VictoryCity
from fieldpost.definition.words import POINTS, WINNER
from fieldpost.hexes import Hex
from validator.core import explain as say
from validator.core.explain import Wording
from validator.core.victory import Score, ScoreItem
from validator.engine.case import AnyCase
from validator.model.events import Declared, PhaseBegan
from validator.model.findings import Fault, Verdict
from validator.procedures.control import holder

CITIES = "cities"


def held_cities(case: AnyCase) -> list[tuple[VictoryCity, Hex]]:
    """The cities that a scenario names, held by the side whose points it counts."""
    victory, lattice = case.scenario.victory, case.game.map.lattice
    if victory is None:
        return []
    cities = [(city, lattice.hex(city.hex, case.scenario.sheet)) for city in victory.cities]
    return [(city, hex_) for city, hex_ in cities if holder(case.position, hex_) == victory.side]


def cities_held(case: AnyCase) -> Iterator[ScoreItem]:
    return (of_city(city) for city, _ in held_cities(case))


def of_city(city: VictoryCity) -> ScoreItem:
    return ScoreItem(CITIES, city.name or city.hex, 1, city.points)


def judge_claim(case: AnyCase, event: Declared, rule: str, right: Score, words: Wording) -> Iterator[Fault]:
    """`declare victory-points = 55`, and `declare victory = ...` with the result of a band."""
    victory = case.scenario.victory
    doubtful = case.position.partial or not isinstance(next(iter(case.in_game.events), None), PhaseBegan)
    verdict = Verdict.WARNING if doubtful else Verdict.ILLEGAL
    evidence = {"steps": say.score_text(words, right).split("\n")}
    if event.what == POINTS and event.value.lstrip("+") != str(right.points):
        text = f"{event.value} points are claimed, {right.points} are held"
        yield Fault(rule, text, evidence=evidence, verdict=verdict)
    band = None if victory is None else right.band(victory.bands)
    if event.what == WINNER and band is not None and event.value != band.result:
        text = f"{event.value!r} is claimed; {right.points} points are: {band.result}"
        yield Fault(rule, text, evidence=evidence, verdict=verdict)
