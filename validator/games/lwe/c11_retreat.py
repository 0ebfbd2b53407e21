"""Chapters 11.6, 11.22, 11.23, 11.32, 11.33, 11.37: retreat and advance after combat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fieldpost.hexes import Hex
from validator.core import explain as say
from validator.core.advance import AdvanceRules, check_advance
from validator.core.board import HexId
from validator.core.retreat import judge_retreat
from validator.core.sea import check_voyage
from validator.engine.rulebook import JUDGED, Faults
from validator.games.lwe.battles import ARTILLERY, FIGHTING, STATIC, Battle, battles, engaged
from validator.games.lwe.book import ASSAULTING, ENEMY, GERMAN, RULES
from validator.games.lwe.c06_stacking import LIMIT, load_of
from validator.games.lwe.c09_sea import sea_rules
from validator.games.lwe.c11_exits import BESIDE, COASTAL_ARMY, footing, retreat_rules
from validator.games.lwe.field import Field, field_of
from validator.games.lwe.state import Case
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
    if not _retreats(case, event):
        return
    found = _fought(case, event)
    if found is None:
        yield faults.no_part(case, "lwe-11.29a", event, "retreats")
    elif not _put_back(case, field_of(case), event, found[1]):
        yield from of_retreat(case, *found, event)


def _retreats(case: Case, event: Moved) -> bool:
    return event.mode == "retreat" and not sails(case, event) and len(event.path) > 1


def _fought(case: Case, event: Moved) -> tuple[Battle, Party] | None:
    return next((pair for name in event.units if (pair := engaged(case, name, event.battle))), None)


def of_retreat(case: Case, battle: Battle, party: Party, event: Moved) -> list[Fault]:
    return case.about("retreat", lambda: list(_retreat_faults(case, field_of(case), battle, party, event)))


@RULES.track(Moved, when=JUDGED, phases=FIGHTING)
def note_the_retreat(case: Case, event: Moved) -> None:
    event = replace(event, path=tuple(since_return(event.path)))
    found = _fought(case, event) if _retreats(case, event) else None
    if found is None:
        return
    battle, party = found
    if _put_back(case, field_of(case), event, party):
        for name in event.units:
            party.paths.pop(name, None)
            case.forgive(name)
        party.strayed = False
        return
    wrong = any(fault.verdict is Verdict.ILLEGAL for fault in of_retreat(case, battle, party, event))
    party.strayed = party.strayed or wrong
    way = tuple(field_of(case).ids(event.path))
    party.paths.update({name: way for name in event.units if party.holds(name)})


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
    voyage = _evacuated(case, event)
    text = _why_not_by_sea(case, event, *voyage) if voyage else ""
    if text:
        names = event.units
        hexes = (event.end,) if isinstance(event.end, Hex) else ()
        yield Fault("lwe-11.32f", f"{'+'.join(names)} is evacuated: {text}", names, hexes)


def _evacuated(case: Case, event: Moved) -> tuple[Party, HexId, HexId] | None:
    """The party, and the ends of the voyage."""
    if event.mode not in ("retreat", "sea") or not sails(case, event):
        return None
    found, field = engaged(case, event.units[0], event.battle), field_of(case)
    start, end = field.id(event.start), field.id(event.end)
    return None if found is None or start is None or end is None else (found[1], start, end)


def _why_not_by_sea(case: Case, event: Moved, party: Party, start: HexId, end: HexId) -> str:
    field = field_of(case)
    group = [case.position.units[name] for name in event.units]
    for breach in check_voyage(sea_rules(field), start, end):
        return say.breach_text(field.ground.wording, breach)
    full = load_of(field.units(end, party.side)) + load_of(group) > LIMIT
    return f"no room in {field.ground.wording.hex(end)}" if full else ""


@RULES.track(Moved, when=JUDGED, phases=FIGHTING)
def note_the_evacuation(case: Case, event: Moved) -> None:
    voyage = _evacuated(case, event)
    if voyage is not None:
        party, start, end = voyage
        party.strayed = party.strayed or bool(_why_not_by_sea(case, event, *voyage))
        party.paths.update(dict.fromkeys(event.units, (start, end)))


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
        elif found is None and unit.has(STATIC):
            continue  # 2.9 tells
        elif found is None:
            yield faults.no_part(case, "lwe-11.37a", replace(event, units=(name,)), "advances")
        elif found[1] is found[0].defender:
            yield Fault("lwe-11.37c", f"{name} defended; defenders never advance", (name,))
        elif not _comes_back(case, found[1], name, event):
            yield from _advance_faults(case, found[0], found[1], unit, event)


def _comes_back(case: Case, party: Party, name: str, event: Moved) -> bool:
    """Dragged back by hand: nobody must advance."""
    return name in party.advanced and party.stood.get(name) == field_of(case).id(event.end)


@RULES.track(Moved, when=JUDGED, phases=ASSAULTING)
def note_the_advance(case: Case, event: Moved) -> None:
    event = replace(event, path=tuple(since_return(event.path)))
    for name in event.units if event.mode == "advance" and len(event.path) > 1 else ():
        found = engaged(case, name, event.battle)
        if case.position.units[name].has(ARTILLERY) or found is None or found[1] is found[0].defender:
            continue
        if _comes_back(case, found[1], name, event):
            found[1].advanced.discard(name)
            case.forgive(name)
        else:
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
