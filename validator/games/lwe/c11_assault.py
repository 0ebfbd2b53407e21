"""Chapters 11.1 to 11.7, 11.18, 11.25, 11.26, 11.38: who may assault whom, and with what support."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fieldpost.hexes import Hex
from validator.core import explain as say
from validator.core.battle import Attacker, BattleRules, check_battle
from validator.core.board import Mask
from validator.core.breach import merged
from validator.engine.referee import Case
from validator.engine.rulebook import Faults
from validator.games.lwe.battles import (
    AIRCRAFT,
    ARTILLERY,
    FIGHTING,
    Battle,
    across,
    battles,
    numbered,
    open_battle,
)
from validator.games.lwe.book import ASSAULTING, COMMAND_ROLL, MOVING, RULES, SNOW
from validator.games.lwe.c11_losses import settle_before_the_next
from validator.games.lwe.field import Field, field_of
from validator.games.lwe.lines import REGULAR, state_of
from validator.model.events import Attacked, Declared, Event, Moved, Placed, Removed, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import battlebook

RULES_OF_PLACE = BattleRules(twice=True, targets=1)
KEYS = {
    "not-adjacent": "lwe-11.1a",
    "sea": "lwe-11.18a",
    "lake": "lwe-11.18a",
    "many-on-many": "lwe-11.3a",
    "too-many-targets": "lwe-11.3a",
    "attacked-before": "lwe-11.4a",
}
REVEAL, AHEAD = "reveal", "aircraft-ahead"
SUPPORT = (AIRCRAFT, "air")  # words for the aircraft in a declaration


# --- declaring (11.1 to 11.5) ------------------------------------------------------------------------


@RULES.rule("lwe-11.5a")
@RULES.before(Attacked)
def one_battle_at_a_time(case: Case, event: Attacked) -> Faults:
    yield from settle_before_the_next(case)
    open_ = next((b for b in battles(case) if not b.rolled and b.number != event.battle and not b.late), None)
    if open_ is not None:
        open_.late = True
        text = f"battle {open_.number} was declared and has no result yet"
        yield Fault("lwe-11.5a", text, event.units, event.targets, verdict=Verdict.WARNING)


@RULES.rule("lwe-11.1a", "lwe-11.1c", "lwe-11.3a", "lwe-11.4a", "lwe-11.18a", "lwe-11.26a", "lwe-11.38a")
@RULES.before(Attacked)
def assaults_are_declared_as_they_may_be(case: Case, event: Attacked) -> Faults:
    field, before = field_of(case), list(battles(case))
    battle = open_battle(case, field, event)
    units = [case.position.units[name] for name in battle.attacker.steps]
    if not units:
        case.not_checked("an attack without attackers")
        return
    faults = [*_of_side(case, battle, units, event), *_of_artillery(case, field, battle, units)]
    if not battle.overrun:
        faults += _of_place(case, field, battle, units, before)
        faults += _of_nations(units, event)
    battle.attacker.doubtful.update(u for f in faults for u in f.units if u in battle.attacker.steps)
    yield from faults
    named = any(word in SUPPORT or _is_aircraft(case, word) for word in battle.support)
    battle.air = named or _flew_ahead(case, battle)
    yield from _of_aircraft(case, battle)


def _of_side(case: Case, battle: Battle, units: list[Unit], event: Attacked) -> Iterator[Fault]:
    """11.1: the phasing player attacks, in his own phase of prepared assaults."""
    active = ASSAULTING.get(case.phase) or MOVING.get(case.phase)
    strays = tuple(unit.id for unit in units if active is not None and unit.side != active)
    if strays:
        yield Fault("lwe-11.1c", f"{'+'.join(strays)} attacks in the other side's turn", strays)
    elif case.phase not in ASSAULTING and not battle.overrun:
        text = f"{'+'.join(event.units)} makes a prepared assault outside its phase"
        yield Fault("lwe-11.1a", text, event.units, event.targets)


def _of_place(
    case: Case, field: Field, battle: Battle, units: list[Unit], before: list[Battle]
) -> Iterator[Fault]:
    fought = battlebook.fought_before(b for b in before if not b.idle)
    stood = battle.attacker.stood
    attackers = [
        Attacker(unit.id, stood[unit.id], banned(case, field, battle)) for unit in units if unit.id in stood
    ]
    words = field.ground.wording
    for breach in merged(check_battle(field.board, RULES_OF_PLACE, attackers, battle.targets, fought)):
        hexes = tuple(field.board.hexes[h] for h in breach.hexes)
        if breach.key != "many-on-many":
            yield Fault(KEYS[breach.key], say.breach_text(words, breach), breach.units, hexes)
    for unit in units:
        if unit.id not in stood:
            yield Fault("lwe-11.1a", f"{unit.id} is not on the map in play", (unit.id,))
    empty = [h for h in battle.targets if not field.units(h, battle.defender.side)]
    if empty or not battle.targets:
        where = say.listed([words.hex(h) for h in empty]) or "the attacked hex"
        yield Fault("lwe-11.1a", f"no enemy unit is in {where}", tuple(battle.attacker.steps))


def banned(case: Case, field: Field, battle: Battle) -> Mapping[str, Mask]:
    """Hexsides no assault crosses: sea, and lakes but in snow (11.18)."""
    frozen = bool(battle.targets) and field.may_be(battle.targets[0], SNOW)
    return {kind: across(case, kind) for kind in (("sea",) if frozen else ("sea", "lake"))}


def _of_nations(units: list[Unit], event: Attacked) -> Iterator[Fault]:
    nations = {unit.nationality for unit in units if unit.has("satellite")}
    if len(nations) > 1:
        text = f"{say.listed(sorted(n.title() for n in nations))} units assault together"
        yield Fault("lwe-11.38a", text, event.units, event.targets)


def _of_artillery(case: Case, field: Field, battle: Battle, units: list[Unit]) -> Iterator[Fault]:
    """11.26: prepared assaults only, in regular supply, stacked with another unit of its side."""
    for guns in (unit for unit in units if unit.has(ARTILLERY)):
        company = [u for u in case.position.at(guns.hex) if u is not guns and not u.has(AIRCRAFT)]
        if battle.overrun:
            yield Fault("lwe-11.26a", f"{guns.id} takes no part in mobile assaults", (guns.id,))
        elif not company:
            yield Fault("lwe-11.26a", f"{guns.id} attacks only when stacked with other units", (guns.id,))
        elif (state := state_of(case, guns, field)) != REGULAR:
            text = f"{guns.id} attacks only in regular supply; its supply is {state}"
            yield Fault("lwe-11.26a", text, (guns.id,))


# --- looking under the top unit (11.7) -----------------------------------------------------------------


@RULES.rule("lwe-11.7a")
@RULES.before(Declared, phases=FIGHTING)
def stacks_are_looked_into_once_they_are_attacked(case: Case, event: Declared) -> Faults:
    """The defender may show what he likes, and one log holds the acts of both: so it is doubtful."""
    if event.what != REVEAL:
        return
    active = ASSAULTING.get(case.phase) or MOVING.get(case.phase)
    attacked = {h for battle in battles(case) for h in battle.targets}
    for unit in (case.position.units[name] for name in event.units):
        hex_id = field_of(case).id(unit.spot)
        if unit.side != active and hex_id is not None and hex_id not in attacked:
            text = f"{unit.id} is revealed, and no attack on its hex has been declared"
            yield Fault("lwe-11.7a", text, (unit.id,), (unit.hex,), verdict=Verdict.WARNING)


# --- the aircraft (11.25) ------------------------------------------------------------------------------


def _is_aircraft(case: Case, name: str) -> bool:
    unit = case.position.units.get(name)
    return unit is not None and unit.has(AIRCRAFT)


@RULES.rule("lwe-11.25a", "lwe-11.25c", "lwe-8.12d")
@RULES.before(Moved, Placed, Declared, phases=FIGHTING)
def the_aircraft_is_committed(case: Case, event: Event) -> Faults:
    """Its counter comes to the attacked hex, or the German player says so."""
    hexes = _flown_to(case, event)
    if not hexes:
        return
    field = field_of(case)
    targets = {h for hex_ in hexes if (h := field.id(hex_)) is not None}
    battle = next((b for b in reversed(battles(case)) if targets & set(b.targets)), None)
    if battle is None or (battle.over and not battle.air):
        case.in_phase.notes[AHEAD] = targets
        return
    if battle.revealed and not battle.air:
        text = f"the aircraft joins battle {battle.number} after its odds were known"
        yield Fault("lwe-11.25c", text, hexes=hexes, verdict=Verdict.WARNING)
        return
    known, battle.air = battle.air, True
    if not known:
        yield from _of_aircraft(case, battle)


def _flew_ahead(case: Case, battle: Battle) -> bool:
    """It was put there, or announced, before the attack was declared: in good time."""
    ahead: set[int] = case.in_phase.notes.pop(AHEAD, set())
    return bool(ahead & set(battle.targets))


def _flown_to(case: Case, event: Event) -> tuple[Hex, ...]:
    if isinstance(event, Declared):
        return event.hexes if event.what in SUPPORT else ()
    names = event.units if isinstance(event, Moved) else (event.unit,) if isinstance(event, Placed) else ()
    end = event.end if isinstance(event, Moved) else event.spot if isinstance(event, Placed) else None
    if not names or not all(_is_aircraft(case, name) for name in names):
        return ()
    return (end,) if isinstance(end, Hex) else ()


def _of_aircraft(case: Case, battle: Battle) -> Iterator[Fault]:
    """From turn 2 to turn 21, for one battle of the whole game turn."""
    if not battle.air:
        return
    type_ = next((t for t in case.game.unit_types if AIRCRAFT in t.traits), None)
    first, last = (int(type_.values[key]) for key in ("first-turn", "last-turn")) if type_ else (2, 21)
    flown: list[int] = case.in_turn.notes.setdefault("aircraft", [])
    rule, text = "", ""
    if case.turn > last:
        rule, text = "lwe-8.12d", f"it was withdrawn at the start of turn {last + 1}"
    elif case.turn < first:
        rule, text = "lwe-11.25a", f"it may be used from turn {first} on"
    elif flown:
        rule, text = "lwe-11.25a", "it supports one battle in a game turn"
    flown.append(battle.number)
    if rule:
        battle.accused.add(rule)
        hexes = tuple(field_of(case).board.hexes[h] for h in battle.targets)
        yield Fault(rule, f"the aircraft in battle {battle.number}: {text}", hexes=hexes)


@RULES.rule("lwe-11.25b")
@RULES.before(Removed, phases=FIGHTING)
def the_aircraft_is_never_lost(case: Case, event: Removed) -> Faults:
    if _is_aircraft(case, event.unit) and event.box == "german-eliminated":
        yield Fault("lwe-11.25b", f"{event.unit} cannot be lost", (event.unit,))


# --- the dice of the artillery command (11.26) ---------------------------------------------------------


@RULES.rule("lwe-11.26b")
@RULES.before(Rolled, phases=ASSAULTING)
def artillery_rolls_three_dice(case: Case, event: Rolled) -> Faults:
    if event.reason.lower() != COMMAND_ROLL:
        return
    battle = numbered(case, event.battle)
    guns = (
        [] if battle is None else [n for n in battle.attacker.steps if case.position.units[n].has(ARTILLERY)]
    )
    if battle is None or not guns:
        case.not_checked("dice of an artillery command without its battle")
        return
    if len(event.values) != 3 or event.sides != 6:
        yield Fault("lwe-11.26b", f"{guns[0]} rolls three six-sided dice", tuple(guns))
    elif battle.dice:
        yield Fault("lwe-11.26b", f"{guns[0]} rolls a second time for battle {battle.number}", tuple(guns))
        return
    battle.dice = event.values
