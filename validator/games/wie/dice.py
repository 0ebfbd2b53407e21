"""Which dice are thrown for what, and which deeds need an option."""

from __future__ import annotations

from validator.engine.rulebook import Faults
from validator.games.wie.book import (
    ASSASSINATION_DIE,
    CITY_DIE,
    COMPLEX_DIE,
    COUNTER_OFFENSIVE,
    INTERDICTION_DIE,
    LEADER,
    OIL_BOMB_DIE,
    OIL_DIE,
    PARTISAN_DIE,
    RESERVE,
    ROCKET_DIE,
    RULES,
    WEATHER_DIE,
)
from validator.games.wie.state import Case
from validator.model.events import Declared, Rolled
from validator.model.findings import Fault

ANY, EACH = 0, -1
DICE = {
    WEATHER_DIE: ("wie-wx.1", 1, 6),
    RESERVE: ("wie-set.2", 2, 12),
    OIL_DIE: ("wie-rep.1", ANY, 6),
    CITY_DIE: ("wie-air.12", EACH, 4),
    OIL_BOMB_DIE: ("wie-air.14", EACH, 6),
    COMPLEX_DIE: ("wie-air.15", EACH, 12),
    INTERDICTION_DIE: ("wie-air.10", ANY, 12),
    ROCKET_DIE: ("wie-opt.11", EACH, 12),
    PARTISAN_DIE: ("wie-opt.5", 1, 4),
    ASSASSINATION_DIE: ("wie-opt.13", 1, 12),
}
"""For what, the rule, how many dice, and their sides; EACH: one for a unit that is named, else any number."""

OPTIONAL = {
    LEADER: ("wie-opt.1", "modified-hq"),
    COUNTER_OFFENSIVE: ("wie-opt.4", "counter-offensive"),
    PARTISAN_DIE: ("wie-opt.5", "partisans"),
    ROCKET_DIE: ("wie-opt.11", "v2"),
    ASSASSINATION_DIE: ("wie-opt.13", "assassination"),
}
"""What is declared or rolled for, the rule, and the option that it needs."""


@RULES.rule(*(rule for rule, _, _ in DICE.values()))
@RULES.before(Rolled, reason=tuple(DICE))
def the_right_dice_are_thrown(case: Case, event: Rolled) -> Faults:
    rule, number, sides = DICE[event.reason]
    if number == EACH:
        number = 1 if event.about else ANY
    if event.sides != sides or number not in (ANY, len(event.values)):
        due = f"{number or len(event.values)}d{sides}"
        text = f"{event.reason} is rolled with {len(event.values)}d{event.sides}, and {due} is due"
        yield Fault(rule, text, event.concerned)


@RULES.rule(*(rule for rule, _ in OPTIONAL.values()))
@RULES.before(Rolled, reason=tuple(OPTIONAL))
@RULES.before(Declared, what=tuple(OPTIONAL))
def options_are_agreed_on(case: Case, event: Rolled | Declared) -> Faults:
    what = event.what if isinstance(event, Declared) else event.reason
    rule, option = OPTIONAL[what]
    if case.option(option) == "no":
        yield Fault(
            rule, f"{what.replace('-', ' ')} needs the option {option}, which is off", event.concerned
        )
