"""Chapter 9.1.3: isolated units, a die for each of their hexes, and what they lose."""

from __future__ import annotations

from validator.games.ftm.book import RULES, SUPPLY
from validator.games.ftm.c09_supply import statuses
from validator.games.ftm.state import Case
from validator.games.ftm.supply import LEAVES_THE_MAP
from validator.model.position import Unit
from validator.procedures import attrition
from validator.procedures.attrition import Attrition
from validator.procedures.strengthchits import steps_left


def loss_due(case: Case, die: int) -> int:
    return int(case.game.table["attrition"].cell(str(die), "steps"))


def _isolated(case: Case, unit: Unit) -> list[bool]:
    return [status.isolated for _, _, status in statuses(case, unit)]


def _suffers(unit: Unit) -> bool:
    return not any(map(unit.has, ("always-supplied", *LEAVES_THE_MAP)))


attrition.register(
    RULES,
    Attrition(
        checks="ftm-9.1.3",
        costs="ftm-9.1.3",
        phase=SUPPLY,
        reason="attrition",
        place_of=lambda unit: unit.spot,
        isolated=_isolated,
        due=lambda case, place, die: (loss_due(case, die), ()),
        steps_left=steps_left,
        suffers=_suffers,
        spared=lambda case, place: "ftm-9.1.3",
    ),
)
