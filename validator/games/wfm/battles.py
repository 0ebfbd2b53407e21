"""The battles of a phase: what this game's parties and battles remember besides what all do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from validator import fighting
from validator.core.board import Mask
from validator.events import Attacked
from validator.games.wfm.book import ENEMY
from validator.games.wfm.field import Field, ground_of, printed
from validator.position import Unit
from validator.referee import Case

MOVING = ("axis-move", "sov-move", "ger-mech")
FIGHTING = ("axis-combat", "sov-combat", *MOVING)


@dataclass
class Party(fighting.Party):
    """8.107: guests; Kampfgruppen are heirs of corps; 8.105: for want of room."""

    with_zone: frozenset[str] = frozenset()
    armor: frozenset[str] = frozenset()


@dataclass
class Battle(fighting.Battle[Party]):
    city: bool = False  # a major city or fortress that stands was attacked (20.41)
    armored: tuple[str, ...] = ()  # attackers that roll for additional losses (20.41)
    additional: dict[str, bool] = field(default_factory=dict)  # unit rolled for: a step is due
    paid: set[str] = field(default_factory=set)  # ... and was lost


def battles(case: Case) -> list[Battle]:
    """The battles of this phase, in the order they were declared."""
    found: list[Battle] = case.in_phase.notes.setdefault("battles", [])
    return found


def numbered(case: Case, number: int | None) -> Battle | None:
    return fighting.numbered(battles(case), number)


def engaged(case: Case, unit: str, number: int | None) -> tuple[Battle, Party] | None:
    """The battle a loss or move belongs to, and the unit's side of it."""
    battle = fighting.engaged(battles(case), unit, number)
    party = battle.party(unit) if battle else None
    return (battle, party) if battle and party else None


def retreated_before(case: Case) -> set[str]:
    """Units that retreated in a battle of this phase, by their names now."""
    return fighting.retreated(battles(case))


def open_battle(case: Case, field_now: Field, event: Attacked) -> Battle:
    """A battle as it was declared, with those who stand in the attacked hexes."""
    position = case.position
    attackers = [position.units[name] for name in event.units]
    side = attackers[0].side if attackers else "axis"
    targets = tuple(h for hex_ in event.targets if (h := field_now.id(hex_)) is not None)
    there = [u for h in targets for u in field_now.units(h) if u.side == ENEMY[side]]
    guests = [] if event.overrun else [u.id for u in there if u.id in retreated_before(case)]
    residents = [u for u in there if u.id not in guests] or there
    left = tuple(name for name in guests if name not in {u.id for u in residents})
    battle = Battle(
        event.battle,
        event.overrun,
        _party(field_now, side, attackers, ()),
        _party(field_now, ENEMY[side], residents, left),
        targets,
        event.support,
        event.column,
    )
    battles(case).append(battle)
    return battle


def _party(field_now: Field, side: str, units: Sequence[Unit], guests: tuple[str, ...]) -> Party:
    return Party(
        side,
        {unit.id: steps_left(unit) for unit in units},
        {unit.id: h for unit in units if (h := field_now.id(unit.spot)) is not None},
        frozenset(unit.id for unit in units if printed(unit, "movement") == 0),
        guests,
        with_zone=frozenset(unit.id for unit in units if unit.on_map and field_now.has_zone(unit)),
        armor=frozenset(unit.id for unit in units if unit.has("armor")),
    )


def strength_marker(unit: Unit) -> str | None:
    """The strength marker an army carries (7.1)."""
    return next((mark for mark in unit.marks if mark.startswith("csm-")), None)


def steps_left(unit: Unit) -> int:
    """8.91 to 8.93; an army's steps are the sides of its strength marker."""
    marker = strength_marker(unit)
    if marker is not None:
        return 3 - unit.marks[marker]
    return fighting.printed_steps_left(unit)


def across(case: Case, *kinds: str) -> Mask:
    """Step mask: hexsides of these kinds; worked out once."""
    key = ("across", kinds)
    if key not in case.cache:
        case.cache[key] = ground_of(case).board.steps_across(*kinds)
    found: Mask = case.cache[key]
    return found


def units_of(case: Case, names: Iterable[str]) -> Iterator[Unit]:
    return (case.position.units[name] for name in names)
