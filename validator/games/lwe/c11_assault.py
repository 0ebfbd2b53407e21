"""Chapters 11.1 to 11.7, 11.18, 11.25, 11.26, 11.38: who may assault whom, and with what support."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from fieldpost.hexes import Hex
from validator.core.battle import BattleRules
from validator.core.board import Mask
from validator.engine.rulebook import JUDGED, Faults
from validator.games.lwe.battles import (
    AIRCRAFT,
    ARTILLERY,
    FIGHTING,
    SETTING,
    Battle,
    artillery_of,
    battles,
    combatants,
    declared,
    numbered,
)
from validator.games.lwe.book import ASSAULTING, COMMAND_ROLL, ENEMY, MOVING, RULES, SNOW
from validator.games.lwe.field import field_of
from validator.games.lwe.lines import REGULAR, state_of
from validator.games.lwe.state import Case
from validator.model.events import Attacked, Declared, Event, Moved, Placed, Removed, Rolled
from validator.model.findings import Fault
from validator.model.position import Unit, having, names_of, of_side, on_map
from validator.procedures import faults
from validator.procedures.battle import declaration
from validator.procedures.battlebook import Party
from validator.procedures.moves import spot_of

REVEAL = "reveal"
ACTIVE = ASSAULTING | MOVING  # who attacks in a phase
SUPPORT = (AIRCRAFT, "air")  # words for the aircraft in a declaration


# --- declaring (11.1 to 11.5) ------------------------------------------------------------------------


class Declaration(declaration.Declaration[Battle, Party]):
    place = BattleRules(twice=True, targets=1, many_on_many=True)
    keys = {
        "not-adjacent": "lwe-11.1a",
        "off-map": "lwe-11.1a",
        "no-enemy": "lwe-11.1a",
        "sea": "lwe-11.18a",
        "lake": "lwe-11.18a",
        "too-many-targets": "lwe-11.3a",
        "attacked-before": "lwe-11.4a",
        "nations": "lwe-11.38a",
    }

    def declared(self, case: Case, event: Attacked) -> Battle:
        battle = declared(case, field_of(case), event)
        named = any(word in SUPPORT or _is_aircraft(case, word) for word in battle.support)
        ahead = bool(case.in_phase.aircraft_ahead & set(battle.targets))
        battle.air = bool(battle.attacker.steps) and (named or ahead)
        if battle.attacker.steps:
            case.in_phase.aircraft_ahead = set()
        return battle

    def judge(self, case: Case, event: Attacked) -> Faults:
        yield from super().judge(case, event)
        yield from _of_aircraft(case, battles(case)[-1])

    def note_who_should_not_attack(self, case: Case, event: Attacked) -> None:
        super().note_who_should_not_attack(case, event)
        for other in battles(case)[:-1]:
            other.supply_due = None  # reported now, if it was due
        _note_the_aircraft(case, battles(case)[-1])

    def of_side(self, case: Case, battle: Battle, units: Sequence[Unit], event: Attacked) -> Iterator[Fault]:
        """11.1: the phasing player attacks, in his own phase of prepared assaults."""
        active = ACTIVE.get(case.phase)
        strays = names_of(of_side(units, ENEMY[active])) if active else ()
        early = () if strays or battle.overrun or case.phase in ASSAULTING else event.units
        yield from faults.of_units("lwe-11.1c", strays, "attacks in the other side's turn")
        text = "makes a prepared assault outside its phase"
        yield from faults.of_units("lwe-11.1a", early, text, hexes=event.targets)

    def of_units(self, case: Case, battle: Battle, units: Sequence[Unit], event: Attacked) -> Iterator[Fault]:
        """11.26: artillery in prepared assaults only, in regular supply, stacked with another unit."""
        for guns in having(on_map(units), ARTILLERY):
            alone = combatants(case.position.at(guns.hex)) == [guns]
            state = state_of(case, guns, field_of(case))
            rows = (
                (battle.overrun, "takes no part in mobile assaults"),
                (alone, "attacks only when stacked with other units"),
                (state != REGULAR, f"attacks only in regular supply; its supply is {state}"),
            )
            wrong = faults.of_rule("lwe-11.26a", rows)
            yield from faults.first_that_holds(wrong, f"{guns.id} ", (guns.id,))

    def earlier(self, before: Sequence[Battle]) -> Sequence[Battle]:
        return [battle for battle in before if not battle.idle]

    def banned(self, case: Case, battle: Battle, unit: Unit) -> Mapping[str, Mask]:
        """Hexsides no assault crosses: sea, and lakes but in snow (11.18)."""
        field = field_of(case)
        frozen = bool(battle.targets) and field.may_be(battle.targets[0], SNOW)
        return {kind: field.board.steps_across(kind) for kind in (("sea",) if frozen else ("sea", "lake"))}

    def is_of_an_ally(self, unit: Unit) -> bool:
        return unit.has("satellite")


Declaration(SETTING).enforce(
    "lwe-11.1a", "lwe-11.1c", "lwe-11.3a", "lwe-11.4a", "lwe-11.18a", "lwe-11.26a", "lwe-11.38a"
)


@RULES.rule("lwe-11.5a")
@RULES.before(Attacked)
def one_battle_at_a_time(case: Case, event: Attacked) -> Faults:
    waiting = (b.number for b in battles(case)[:-1] if not b.rolled and b.number != event.battle)
    for number in waiting:
        text = f"battle {number} was declared and has no result yet"
        yield Fault("lwe-11.5a", text, event.units, event.targets, once=("undecided", number))


# --- looking under the top unit (11.7) -----------------------------------------------------------------


@RULES.rule("lwe-11.7a")
@RULES.before(Declared, phases=FIGHTING, what=REVEAL)
def stacks_are_looked_into_once_they_are_attacked(case: Case, event: Declared) -> Faults:
    """The defender may show what he likes, and one log holds the acts of both: so it is doubtful."""
    attacked = {h for battle in battles(case) for h in battle.targets}
    hidden = of_side(case.units(event.units), ENEMY[ACTIVE[case.phase]])
    for unit in (unit for unit, hex_id in field_of(case).standing(hidden) if hex_id not in attacked):
        text = f"{unit.id} is revealed, and no attack on its hex has been declared"
        yield Fault("lwe-11.7a", text, (unit.id,), (unit.hex,))


# --- the aircraft (11.25) ------------------------------------------------------------------------------


def _is_aircraft(case: Case, name: str) -> bool:
    unit = case.position.units.get(name)
    return unit is not None and unit.has(AIRCRAFT)


@RULES.rule("lwe-11.25a", "lwe-11.25c", "lwe-8.12d")
@RULES.before(Moved, Placed, Declared, phases=FIGHTING)
def the_aircraft_is_committed(case: Case, event: Event) -> Faults:
    """Its counter comes to the attacked hex, or the German player says so."""
    hexes, battle = _flown_to(case, event), _supported(case, event)
    if battle is not None and battle.revealed and not battle.air:
        text = f"the aircraft joins battle {battle.number} after its odds were known"
        yield Fault("lwe-11.25c", text, hexes=hexes)
    elif battle is not None and not battle.air:
        yield from _of_aircraft(case, replace(battle, air=True))


def _supported(case: Case, event: Event) -> Battle | None:
    """The battle that the aircraft flies to."""
    hexes = _flown_to(case, event)
    targets = set(field_of(case).ids(hexes)) if hexes else set()
    return next((b for b in reversed(battles(case)) if targets & set(b.targets)), None)


@RULES.track(Moved, Placed, Declared, when=JUDGED, phases=FIGHTING)
def note_where_the_aircraft_flies(case: Case, event: Event) -> None:
    """Put there, or announced, before the attack is declared it is in good time."""
    hexes, battle = _flown_to(case, event), _supported(case, event)
    if hexes and battle is None:
        case.in_phase.aircraft_ahead = set(field_of(case).ids(hexes))
    elif battle is not None and not battle.air and not battle.revealed:
        battle.air = True
        _note_the_aircraft(case, battle)


def _flown_to(case: Case, event: Event) -> tuple[Hex, ...]:
    if isinstance(event, Declared):
        return event.hexes if event.what in SUPPORT else ()
    flies = isinstance(event, Moved | Placed) and all(_is_aircraft(case, name) for name in event.concerned)
    return spot_of(event.comes_to) if flies else ()


def _of_aircraft(case: Case, battle: Battle) -> Iterator[Fault]:
    """From turn 2 to turn 21, for one battle of the whole game turn."""
    wrong = _why_grounded(case) if battle.air else None
    if wrong is not None:
        hexes = field_of(case).hexes(battle.targets)
        yield Fault(wrong[0], f"the aircraft in battle {battle.number}: {wrong[1]}", hexes=hexes)


def _why_grounded(case: Case) -> tuple[str, str] | None:
    """Why the aircraft may not support another battle now, and by which rule."""
    type_ = next((t for t in case.game.unit_types if AIRCRAFT in t.traits), None)
    first, last = (int(type_.values[key]) for key in ("first-turn", "last-turn")) if type_ else (2, 21)
    wrong = faults.those_that_hold(
        (case.turn > last, "lwe-8.12d", f"it was withdrawn at the start of turn {last + 1}"),
        (case.turn < first, "lwe-11.25a", f"it may be used from turn {first} on"),
        (case.in_turn.aircraft, "lwe-11.25a", "it supports one battle in a game turn"),
    )
    return next(wrong, None)


def _note_the_aircraft(case: Case, battle: Battle) -> None:
    """For reducers."""
    wrong = _why_grounded(case) if battle.air else None
    if wrong is not None:
        battle.accused.add(wrong[0])
    if battle.air:
        case.in_turn.aircraft.append(battle.number)


@RULES.rule("lwe-11.25b")
@RULES.before(Removed, phases=FIGHTING, having=AIRCRAFT, box="german-eliminated")
def the_aircraft_is_never_lost(case: Case, event: Removed) -> Faults:
    yield Fault("lwe-11.25b", f"{event.unit} cannot be lost", (event.unit,))


# --- the dice of the artillery command (11.26) ---------------------------------------------------------


STRAY_DICE = "dice of an artillery command without its battle"


@RULES.rule("lwe-11.26b")
@RULES.before(Rolled, phases=ASSAULTING, reason=COMMAND_ROLL)
def artillery_rolls_three_dice(case: Case, event: Rolled) -> Faults:
    battle = _fired_for(case, event)
    if battle is None and event.battle is not None:
        case.not_checked(STRAY_DICE)
    elif (len(event.values), event.sides) != (3, 6):
        yield Fault("lwe-11.26b", "an artillery command rolls three six-sided dice")
    elif battle is not None and battle.dice:
        guns = artillery_of(case, battle)
        yield Fault("lwe-11.26b", f"{guns[0]} rolls a second time for battle {battle.number}", guns)


@RULES.track(Rolled, when=JUDGED, phases=ASSAULTING, reason=COMMAND_ROLL)
def note_the_dice_of_the_artillery(case: Case, event: Rolled) -> None:
    """Of no battle yet: for the attack that is declared next."""
    battle = _fired_for(case, event)
    if battle is None and event.battle is None:
        case.in_phase.gun_dice = event.values
    elif battle is not None and not (battle.dice and len(event.values) == 3):
        battle.dice = event.values


def _fired_for(case: Case, event: Rolled) -> Battle | None:
    """The battle that is named; without a name the latest, if its die has not fallen."""
    battle = numbered(case, event.battle)
    if battle is None or not artillery_of(case, battle):
        return None
    return None if event.battle is None and battle.rolled else battle


@RULES.rule("lwe-11.26b")
@RULES.at_phase_end(*FIGHTING)
def dice_ahead_of_a_battle_have_theirs(case: Case) -> Sequence[Fault]:
    """None is wrong; which battle they were for is not known."""
    if case.in_phase.gun_dice:
        case.not_checked(STRAY_DICE)
    if case.in_phase.supply_die is not None:
        case.not_checked("a die for attenuated supply without its attack")
    return ()
