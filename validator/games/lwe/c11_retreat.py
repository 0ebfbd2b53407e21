"""Chapters 11.6, 11.22, 11.23, 11.32, 11.33, 11.37: retreat and advance after combat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from validator.core import explain as say
from validator.core.advance import AdvanceRules, check_advance
from validator.core.board import HexId
from validator.core.retreat import judge_retreat
from validator.core.sea import check_voyage
from validator.engine.referee import Case
from validator.engine.rulebook import Faults
from validator.games.lwe.battles import ARTILLERY, FIGHTING, Battle, battles, engaged
from validator.games.lwe.book import ASSAULTING, ENEMY, GERMAN, RULES
from validator.games.lwe.c06_stacking import LIMIT, load_of
from validator.games.lwe.c09_sea import sea_rules
from validator.games.lwe.c11_exits import BESIDE, COASTAL_ARMY, footing, retreat_rules
from validator.games.lwe.field import Field, field_of
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.battlebook import Party
from validator.procedures.moves import since_return, way_of

KEYS = {
    "enemy": "lwe-11.32b",
    BESIDE: "lwe-11.32b",
    "enemy-city": "lwe-11.22f",
    "fortified": "lwe-11.23d",
    "order": "lwe-11.32c",
    "not-adjacent": "lwe-11.32a",
    "length": "lwe-11.32a",
}
TEXTS = {BESIDE: "{} is beside a unit that attacked", "enemy": "{} holds an enemy unit"}


# --- retreat (11.32, 11.33) -----------------------------------------------------------------------------


@RULES.rule("lwe-11.6a", "lwe-11.22f", "lwe-11.23d", "lwe-11.32a", "lwe-11.32b", "lwe-11.32c", "lwe-11.32e")
@RULES.rule("lwe-11.33a", "lwe-11.29a")
@RULES.before(Moved, phases=FIGHTING)
def retreats_go_where_they_must(case: Case, event: Moved) -> Faults:
    event = replace(event, path=tuple(since_return(event.path)))
    if event.mode != "retreat" or sails(case, event) or len(event.path) < 2:
        return
    field = field_of(case)
    found = next((pair for name in event.units if (pair := engaged(case, name, event.battle))), None)
    if found is None:
        yield faults.no_part("lwe-11.29a", battles(case), event, "retreats")
        return
    battle, party = found
    if _put_back(case, field, event, party):
        for name in event.units:
            party.paths.pop(name, None)
            case.take_back(name)
        party.strayed = False
        return
    for fault in _retreat_faults(case, field, battle, party, event):
        if fault.verdict is Verdict.ILLEGAL:
            party.strayed = True
        yield fault
    way = tuple(field.ids(event.path))
    for name in event.units:
        if party.holds(name):
            party.paths[name] = way


def _put_back(case: Case, field: Field, event: Moved, party: Party) -> bool:
    """Dragged back by hand to the hex it retreated from: it retreats anew."""
    end = field.id(event.end)
    return all(len(way := party.paths.get(name, ())) > 1 and way[0] == end for name in event.units)


def sails(case: Case, event: Moved) -> bool:
    return all(case.position.units[name].has(COASTAL_ARMY) for name in event.units)


@RULES.rule("lwe-11.32f")
@RULES.before(Moved, phases=FIGHTING)
def the_coastal_army_is_evacuated_by_sea(case: Case, event: Moved) -> Faults:
    """To another Soviet port on the same sea, with room."""
    if event.mode not in ("retreat", "sea") or not sails(case, event) or case.phase not in FIGHTING:
        return
    found = engaged(case, event.units[0], event.battle)
    if found is None:
        return
    field = field_of(case)
    start, end = field.id(event.start), field.id(event.end)
    if start is None or end is None:
        return
    party, names = found[1], event.units
    breaches = check_voyage(sea_rules(field), start, end)
    group = [case.position.units[name] for name in names]
    text = ""
    if breaches:
        text = say.breach_text(field.ground.wording, breaches[0])
    elif load_of(field.units(end, party.side)) + load_of(group) > LIMIT:
        text = f"no room in {field.ground.wording.hex(end)}"
    if text:
        party.strayed = True
        hexes = (field.board.hexes[end],)
        yield Fault("lwe-11.32f", f"{'+'.join(names)} is evacuated: {text}", names, hexes)
    for name in names:
        party.paths[name] = (start, end)


def _retreat_faults(case: Case, field: Field, battle: Battle, party: Party, event: Moved) -> Iterator[Fault]:
    """One fault of a retreat."""
    who = "+".join(event.units)
    if static := tuple(name for name in event.units if name in party.immobile):
        yield Fault("lwe-11.32e", f"{'+'.join(static)} never retreats: it is eliminated", static)
        return
    if not battle.rolled:
        text = f"{who} leaves the hex before battle {battle.number} is resolved"
        yield Fault("lwe-11.6a", text, event.units)
        return
    path = way_of(field, event)
    if path is None or len(path) < 2:
        yield Fault("lwe-11.32b", f"{who} retreats off the map in play", event.units)
        return
    done = party.paths.get(event.units[0], ())
    if len(path) > 2 or len(done) > 1 or not field.board.are_adjacent(path[0], path[-1]):
        yield Fault("lwe-11.32a", f"{who} retreats more than one hex", event.units)
        return
    yield from _wrong_hex(case, field, battle, party, event, path)


def _wrong_hex(
    case: Case, field: Field, battle: Battle, party: Party, event: Moved, path: Sequence[HexId]
) -> Iterator[Fault]:
    who, words = "+".join(event.units), field.ground.wording
    verdict = judge_retreat(field.board, retreat_rules(case, field, battle, party), path, 1)
    hexes = (field.board.hexes[path[-1]],)
    group = [case.position.units[name] for name in event.units]
    for breach in verdict.breaches[:1]:
        if breach.key == "order" and not any(
            battle.rooms.get(h, 0) >= load_of(group) for h in breach.hexes[1:]
        ):
            break  # what leads closer is full, or holds another nation
        rule = KEYS.get(breach.key, "lwe-11.33a")
        plain = TEXTS.get(breach.key, "").format(words.hex(path[-1]))
        text = f"{who} retreats to {words.hex(path[-1])}: {plain or say.breach_text(words, breach)}"
        soft = breach.key == "order"
        yield Fault(rule, text, event.units, hexes, {}, Verdict.WARNING if soft else Verdict.ILLEGAL)
        if not soft:
            return
    there = [unit for unit in field.units(path[-1], party.side) if unit not in group]
    if load_of([*there, *group]) > LIMIT:
        text = f"{who} retreats to {words.hex(path[-1])}, where there is no room"
        yield Fault("lwe-11.33a", text, event.units, hexes)


# --- advance (11.37) ----------------------------------------------------------------------------------------


@RULES.rule("lwe-11.37a", "lwe-11.37c", "lwe-11.37d", "lwe-11.26c", "lwe-11.23d")
@RULES.before(Moved, phases=ASSAULTING)
def advances_follow_the_enemy(case: Case, event: Moved) -> Faults:
    event = replace(event, path=tuple(since_return(event.path)))
    if event.mode != "advance" or len(event.path) < 2:
        return
    for name in event.units:
        unit = case.position.units[name]
        found = engaged(case, name, event.battle)
        if unit.has(ARTILLERY):
            yield Fault("lwe-11.26c", f"{name} never advances", (name,))
        elif found is None:
            yield faults.no_part("lwe-11.37a", battles(case), replace(event, units=(name,)), "advances")
        elif name in found[1].advanced and found[1].stood.get(name) == field_of(case).id(event.end):
            found[1].advanced.discard(name)  # dragged back by hand: nobody must advance
            case.take_back(name)
        elif found[1] is found[0].defender:
            yield Fault("lwe-11.37c", f"{name} defended; defenders never advance", (name,))
        else:
            yield from _advance_faults(case, found[0], found[1], unit, event)
            found[1].advanced.add(name)


def _advance_faults(case: Case, battle: Battle, party: Party, unit: Unit, event: Moved) -> Iterator[Fault]:
    if any(other.number > battle.number for other in battles(case)):
        text = f"{unit.id} advances after another battle was begun"
        yield Fault("lwe-11.37d", text, (unit.id,))
        return
    field, foe = field_of(case), battle.foe(party)
    way = way_of(field, event)
    if way is None or len(way) < 2:
        yield Fault("lwe-11.37a", f"{unit.id} advances off the map in play", (unit.id,))
        return
    if unit.has("no-advance"):
        yield Fault("lwe-11.37a", f"{unit.id} never advances", (unit.id,))
        return
    for breach in check_advance(field.board, _advance_rules(case, field, battle, party), way)[:1]:
        if breach.key in ("first-hex", "enemy") and (foe.strayed or foe.owing(battle.part(foe))):
            continue  # what the other side still owes is named when the battle is over
        through = party.side == GERMAN and any(
            field.sound_lines[h] for h in way[1:] if h not in battle.targets
        )
        text = say.breach_text(field.ground.wording, breach)
        hexes = tuple(field.board.hexes[h] for h in breach.hexes)
        rule = "lwe-11.23d" if through else "lwe-11.37a"
        yield Fault(rule, f"{unit.id} advances: {text}", (unit.id,), hexes)


def _advance_rules(case: Case, field: Field, battle: Battle, party: Party) -> AdvanceRules:
    enemy = field.occupied(ENEMY[party.side])
    empty = frozenset(h for h in battle.targets if not enemy[h])
    costs = footing(case, field)
    return AdvanceRules(1, empty, costs, costs, enemy)
