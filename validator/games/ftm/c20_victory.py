"""Victory: no chapter that we had covers it. Cities count, and economic assets that are eliminated."""

from __future__ import annotations

from validator.core.victory import Score, ScoreItem, score
from validator.engine.rulebook import Faults
from validator.games.ftm.book import RULES
from validator.games.ftm.c12_economy import ECONOMY
from validator.games.ftm.field import field_of
from validator.games.ftm.state import Case
from validator.model.events import Declared
from validator.procedures.victory_points import cities_held, judge_claim
from validator.procedures.wareconomy import lost_boxes

ASSET = "eliminated-asset"


def score_of(case: Case) -> Score:
    """As the position stands, for the side that the scenario counts for."""
    victory = case.scenario.victory
    each = victory.points.get(ASSET, 0) if victory is not None else 0
    assets = ScoreItem(ASSET, "eliminated", len(lost_boxes(ECONOMY, case)), each)
    return score((*cities_held(case), assets))


@RULES.rule("ftm-own.victory")
@RULES.before(Declared, what=("victory-points", "victory"))
def the_count_is_right(case: Case, event: Declared) -> Faults:
    wording = field_of(case).ground.wording
    yield from judge_claim(case, event, "ftm-own.victory", score_of(case), wording)
