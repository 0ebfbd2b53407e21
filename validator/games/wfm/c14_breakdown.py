"""Chapter 14 and 20.2: breakdown, buildup, step exchange, armies rebuilt, incorporation.

A `Replaced` event carries which of these it is; the counters that leave and come show the steps.
"""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex, distance
from validator.events import Declared, Marked, Removed, Replaced
from validator.findings import Fault, Verdict
from validator.games.wfm.book import AXIS, RULES, SOVIET
from validator.games.wfm.c12_economy import production
from validator.games.wfm.c15_victory import steps_left
from validator.games.wfm.field import MUD, field_of
from validator.games.wfm.status import out_of_supply, unsupplied
from validator.position import Unit
from validator.referee import Case
from validator.registry import Faults

GERMAN = ("breakdown", "buildup", "exchange-steps")
SOVIETS = ("rebuild", "army-breakdown")
CONVERT = "convert"


def leaving(case: Case, event: Replaced) -> list[Unit]:
    return [case.position.units[name] for name in event.old]


def coming(case: Case, event: Replaced) -> list[tuple[Unit, int]]:
    return [(case.position.units[name], step) for name, step in event.new]


def _steps(unit: Unit, step: int) -> int:
    return unit.type.steps - (step - 1)


@RULES.rule("wfm-14.11", "wfm-14.12", "wfm-14.13", "wfm-14.15", "wfm-14.21", "wfm-14.23", "wfm-14.24")
@RULES.rule("wfm-14.25", "wfm-14.26", "wfm-9.54")
@RULES.before(Replaced)
def german_units_break_down_and_build_up(case: Case, event: Replaced) -> Faults:
    if event.why not in GERMAN:
        return
    names = (*event.old, *(name for name, _ in event.new))
    spot = (event.spot,) if isinstance(event.spot, Hex) else ()
    for rule, text in _german_faults(case, event):
        verdict = Verdict.WARNING if rule == "wfm-14.24" else Verdict.ILLEGAL
        yield Fault(
            rule,
            f"{'+'.join(event.old)} to {'+'.join(n for n, _ in event.new)}: {text}",
            names,
            spot,
            {},
            verdict,
        )
        break
    used: set[str] = case.in_phase.notes.setdefault("regrouped", set())
    used.update(names)


def _german_faults(case: Case, event: Replaced) -> Iterator[tuple[str, str]]:
    """What is wrong, the plainest first."""
    old, new = leaving(case, event), coming(case, event)
    if case.phase != "admin":
        yield "wfm-14.11", "only in the administrative phase"
    if any(not unit.has("german") or unit.has("security") for unit in (*old, *(u for u, _ in new))):
        yield "wfm-14.15", "only German units other than security divisions"
    if any(unit.spot != event.spot for unit in old):
        yield "wfm-14.13", "the units stand in different hexes"
    if any(unsupplied(unit) for unit in old):
        yield "wfm-9.54", "a unit is out of supply"
    field = field_of(case)
    if case.season != MUD and any(field.in_enemy_zone(unit) for unit in old):
        yield "wfm-14.12", "beside the enemy, and it is no mud turn"
    used: set[str] = case.in_phase.notes.get("regrouped", set())
    if used & {unit.id for unit in old}:
        yield "wfm-14.25", "a unit takes part in a second action of this phase"
    yield from _wrong_kinds(event.why, old, new)
    yield from _wrong_steps(event.why, old, new)
    yield from _not_available(case, event.why, new)


def _family(unit: Unit) -> str:
    """The Kampfgruppen a unit is made of; divisions are panzer."""
    if unit.has("panzer"):
        return "panzer"
    return "mountain" if unit.has("mountain") else "infantry"


def _wrong_kinds(why: str, old: list[Unit], new: list[tuple[Unit, int]]) -> Iterator[tuple[str, str]]:
    families = {_family(unit) for unit in (*old, *(unit for unit, _ in new))}
    if why == "exchange-steps":
        if families & {"mountain"} or any(not (u.has("exchanges") or u.has("gives-steps")) for u in old):
            yield "wfm-14.26", "only infantry and panzer units exchange steps"
        elif _division_takes(old, new):
            yield "wfm-14.26", "a panzer division gives steps and takes none"
    if len(families) > 1:
        rule = {"breakdown": "wfm-14.21", "buildup": "wfm-14.23"}.get(why, "wfm-14.26")
        yield rule, "units of different types"
    if why == "buildup" and any(not unit.has("kg") for unit in old):
        yield "wfm-14.23", "a corps is built from Kampfgruppen"
    if why == "breakdown" and any(unit.has("division") for unit in old):
        yield "wfm-14.21", "a division does not break down"


def _division_takes(old: list[Unit], new: list[tuple[Unit, int]]) -> bool:
    after = {unit.id: _steps(unit, step) for unit, step in new}
    return any(unit.has("division") and after.get(unit.id, 0) > steps_left(unit) for unit in old)


def _wrong_steps(why: str, old: list[Unit], new: list[tuple[Unit, int]]) -> Iterator[tuple[str, str]]:
    before, after = sum(map(steps_left, old)), sum(_steps(unit, step) for unit, step in new)
    if before != after:
        rule = {"breakdown": "wfm-14.21", "buildup": "wfm-14.23"}.get(why, "wfm-14.26")
        yield rule, f"{before} steps become {after}"


def _not_available(case: Case, why: str, new: list[tuple[Unit, int]]) -> Iterator[tuple[str, str]]:
    for unit, _ in new:
        due = entry_turn(case, unit)
        if due is not None and due > case.turn:
            if unit.has("kg"):
                yield "wfm-14.24", f"{unit.id} arrives in turn {due}"
            else:
                yield "wfm-14.23", f"{unit.id} arrives in turn {due}"


def entry_turn(case: Case, unit: Unit) -> int | None:
    """The turn a unit is due, by the scenario's schedule or its own code."""
    for arrival in case.scenario.reinforcements:
        if unit.id in arrival.units:
            return arrival.turn
    code = unit.counter.enters or ""
    return int(code[2:]) if code.startswith("GT") and code[2:].isdigit() else None


# --- Soviet armies ---------------------------------------------------------------------------------------


@RULES.rule("wfm-14.31", "wfm-14.34", "wfm-20.21")
@RULES.before(Replaced)
def soviet_armies_are_rebuilt_from_corps(case: Case, event: Replaced) -> Faults:
    if event.why not in SOVIETS:
        return
    old, new = leaving(case, event), [unit for unit, _ in coming(case, event)]
    names = (*event.old, *(unit.id for unit in new))
    found = _rebuild(case, event, old, new) if event.why == "rebuild" else _army_breakdown(case, old, new)
    for rule, text in found:
        yield Fault(rule, f"{'+'.join(event.old)}: {text}", names)
        break


def _rebuild(case: Case, event: Replaced, old: list[Unit], new: list[Unit]) -> Iterator[tuple[str, str]]:
    if case.phase != "admin":
        yield "wfm-14.31", "only in the administrative phase"
    if len(old) != 2 or not all(unit.has("rebuilds") for unit in old):
        yield "wfm-14.31", "an army is rebuilt from two corps, neither of them airborne"
    if any(unit.spot != event.spot for unit in old):
        yield "wfm-14.31", "the two corps do not share a hex"
    if any(out_of_supply(unit) for unit in old):
        yield "wfm-14.31", "a corps is Out of Supply"
    for army in new:
        tank = army.has("armor") and case.option("rebuild-tank") == "on" and all(u.has("armor") for u in old)
        if not (army.has("convertible") or tank):
            yield "wfm-14.31", f"{army.id} is not rebuilt from corps"
        if army.on_map or (army.id not in _lost(case) and army.spot is None and entry_turn(case, army)):
            yield "wfm-14.31", f"{army.id} was neither eliminated nor converted"


def _lost(case: Case) -> set[str]:
    found = {e.unit for e in case.in_game.events if isinstance(e, Removed)}
    return found | {name for e in case.in_game.events if isinstance(e, Replaced) for name in e.old}


def _army_breakdown(case: Case, old: list[Unit], new: list[Unit]) -> Iterator[tuple[str, str]]:
    if case.option("army-breakdown") == "off":
        yield "wfm-14.34", "Soviet armies do not break down"
        return
    done = case.in_phase.notes.get("army-breakdown", 0)
    case.in_phase.notes["army-breakdown"] = done + 1
    if case.phase != "admin" or production(case) is None:
        yield "wfm-20.21", "only in a production turn"
    if done:
        yield "wfm-20.21", "a second army breaks down in one turn"
    if len(old) != 1 or not old[0].has("convertible"):
        yield "wfm-20.21", "only a regular army breaks down"
    armor = sum(unit.has("armor") for unit in new)
    if len(new) != 2 or armor > 1 or not all(unit.has("corps") for unit in new):
        yield "wfm-20.21", "it becomes two infantry corps, or one and a mechanized corps"
    field = field_of(case)
    for army in old:
        hex_id = field.id(army.spot)
        near = hex_id is not None and any(field.occupied(AXIS)[h] for h in field.board.adjacent[hex_id])
        if unsupplied(army) or near:
            yield "wfm-20.21", f"{army.id} is beside the enemy or out of supply"


# --- incorporation (14.4) ---------------------------------------------------------------------------


@RULES.rule("wfm-14.41")
@RULES.before(Declared, Removed, Marked, phases=["admin"])
def a_corps_is_incorporated_into_an_army(case: Case, event: Declared | Removed | Marked) -> Faults:
    """A corps leaves, and the strength marker of an army beside it turns to its full side."""
    waiting: dict[str, Hex] = case.in_phase.notes.setdefault("incorporated", {})
    if isinstance(event, Removed):
        unit = case.position.units[event.unit]
        if unit.side == SOVIET and unit.has("corps") and isinstance(unit.spot, Hex):
            waiting[unit.id] = unit.spot
    elif isinstance(event, Marked) and _turns_full(case, event):
        army = case.position.units[str(event.on)]
        found = list(_incorporation(case, army, waiting))
        if found:
            yield Fault("wfm-14.41", f"{army.id}: {found[0]}", (army.id, *list(waiting)[:1]))
        for corps in list(waiting)[:1]:
            del waiting[corps]


def _turns_full(case: Case, event: Marked) -> bool:
    if not isinstance(event.on, str) or case.game.marker[event.marker].kind != "strength":
        return False
    return event.face == 1 and case.position.units[event.on].marks.get(event.marker) == 2


def _incorporation(case: Case, army: Unit, waiting: dict[str, Hex]) -> Iterator[str]:
    if not waiting:
        yield "its strength is restored without a corps"
        return
    corps = case.position.units[next(iter(waiting))]
    least = 0 if case.option("incorporate-same-hex") == "on" else 1
    if isinstance(army.spot, Hex) and not least <= distance(army.spot, waiting[corps.id]) <= 1:
        yield f"{corps.id} is not beside it"
    if not corps.has("incorporated"):
        yield f"{corps.id} may not be incorporated"
    if army.has("armor") and not corps.has("armor"):
        yield "a tank army takes in mechanized corps only"
    if unsupplied(army) or unsupplied(case.phase_start.units[corps.id]):
        yield "army or corps is out of supply"
