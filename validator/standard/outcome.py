"""What the results of a game ask of each side, as parts that can be paid."""

from __future__ import annotations

import re

from fieldpost.definition import effects, results
from fieldpost.definition.model import Game, Table
from fieldpost.definition.rulesmodel import CombatRules, Toll
from validator.core.results import Grammar, Part, Pays, Phrase
from validator.procedures.faults import first_true
from validator.standard.book import rules_of

NO_EFFECT = "|".join(map(re.escape, results.NOTHING))


def part_of(toll: Toll) -> Part:
    return first_true(
        (toll.all, Part(Pays.ALL)),
        (toll.exchange, Part(Pays.SAME)),
        (toll.each, Part(Pays.EACH, toll.each)),
        (toll.either, Part(Pays.EITHER, toll.either)),
        (min(toll.lose, toll.retreat), Part(Pays.BOTH, toll.lose, toll.retreat)),
        (toll.lose, Part(Pays.STEPS, toll.lose)),
        (toll.retreat, Part(Pays.RETREAT, toll.retreat)),
        otherwise=Part(),
    )


def results_table(game: Game) -> Table | None:
    """The table that the rules name, or the only one."""
    return results.table_of(game, "combat-results", (rules_of(game).combat or CombatRules()).table)


def grammar_of(game: Game) -> Grammar:
    """Every result that the game's table prints, or that stands beyond its ends."""
    combat, table, plate = rules_of(game).combat or CombatRules(), results_table(game), effects.plate_of(game)
    cells = filter(None, (*(table.cells if table else ()), plate.below, plate.above))
    phrases = [_phrase(cell, results.tolls_of(combat, cell)) for cell in dict.fromkeys(cells)]
    return Grammar((Phrase(NO_EFFECT), *phrases))


def _phrase(cell: str, tolls: results.Tolls | None) -> Phrase:
    """`lint` names the cells that cannot be read."""
    attacker, defender = map(part_of, tolls or (Toll(), Toll()))
    return Phrase(re.escape(cell.strip()), _said(attacker), _said(defender))


def _said(part: Part) -> tuple[Pays, int, int]:
    return part.pays, part.points, part.hexes
