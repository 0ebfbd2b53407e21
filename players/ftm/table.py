"""The table of For the Motherland!: room in a hex, strength chits, losses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from players import zoned
from validator.core.advance import AdvanceRules
from validator.core.board import HexId, Mask
from validator.core.movement import MoveRules
from validator.core.retreat import RetreatRules
from validator.games.ftm.book import AXIS, ENEMY
from validator.games.ftm.c05_march import forbids, move_rules
from validator.games.ftm.c06_stacking import stack
from validator.games.ftm.c07_overrun import price
from validator.games.ftm.c08_combat import RETREATS, SPREAD, advance_doubt, advance_rules, may_advance
from validator.games.ftm.c11_chits import CHITS
from validator.games.ftm.c12_economy import ECONOMY
from validator.games.ftm.field import Field, field_of
from validator.games.ftm.lines import Kind
from validator.games.ftm.state import Battle, Party
from validator.games.ftm.supply import is_always_supplied, supplied_mask
from validator.model.events import (
    Drawn,
    Event,
    Marked,
    Moved,
    Placed,
    Removed,
    Replaced,
    Returned,
    StepChanged,
    Unmarked,
)
from validator.model.position import Position, Unit
from validator.procedures.entries import returns_after
from validator.procedures.strengthchits import REDUCED, chit_of, class_of, draws, steps_left
from validator.procedures.wareconomy import first_free_box


class Table(zoned.Table[Field]):
    game_id = "ftm"
    losses = SPREAD

    def __init__(self, scenario: str, seed: int, *, strict: bool = True) -> None:
        super().__init__(scenario, seed, strict=strict)
        self._fed: dict[tuple[object, ...], Mask] = {}

    def make_field(self) -> Field:
        return field_of(self.case)

    def do(self, *events: Event) -> None:
        """Control markers are laid as hexes are taken: a log by itself shows nothing else of them."""
        for event in events:
            super().do(event)
            if isinstance(event, Moved | Placed):
                super().do(*self._markers_laid(event))

    def _markers_laid(self, event: Moved | Placed) -> list[Event]:
        side = self.position.units[event.concerned[0]].side
        own, other = f"{side}-control", f"{ENEMY[side]}-control"
        contested = set(self.field.hexes(self.field.ground.contested))
        laid: list[Event] = []
        for hex_ in contested.intersection(event.entered):
            marks = self.position.marks.get(hex_, {})
            if other in marks:
                laid.append(Unmarked(other, hex_))
            if own not in marks and self.position.game.holder_at_start(hex_) != side:
                laid.append(Marked(own, hex_))
        return laid

    def room(self, hex_id: HexId, units: list[Unit], field: Field | None = None) -> bool:
        """Whether these units fit into a hex with those of their side that are there."""
        side = units[0].side
        names = {unit.id for unit in units}
        there = [u for u in (field or self.field).units(hex_id, side) if u.id not in names]
        return stack(self.case, [*there, *units], side).legal

    def fed(self, unit: Unit) -> Mask:
        """Hexes in supply, as they were when the player first looked in this phase."""
        always = is_always_supplied(unit)
        key = (self.case.turn, self.case.phase, Kind.of(unit), unit.has("allied"), always)
        if key not in self._fed:
            self._fed = {k: v for k, v in self._fed.items() if k[:2] == key[:2]}
            self._fed[key] = supplied_mask(self.case, unit)
        return self._fed[key]

    # --- what a player wants: here nothing but to fight, and to be fed ---

    def worths(self, units: list[Unit], ends: Iterable[HexId]) -> list[float]:
        zone, fed = self.field.enemy_zones(units[0].side).mask, self.fed(units[0])
        fights = units[0].type.zoc
        return [self.worth(units, h, beside=fights and bool(zone[h]), fed=bool(fed[h])) for h in ends]

    def worth(self, units: list[Unit], hex_id: HexId, *, beside: bool, fed: bool) -> float:
        """How much units would like to end a march in a hex; `beside`: in a zone of the enemy."""
        return (7 if beside else 1) * (4 if fed else 1)

    def dares(self, units: list[Unit], target: HexId) -> bool:
        """Whether these units would attack a hex."""
        return True

    def joins(self, chosen: list[Unit], target: HexId) -> bool:
        """Whether one more unit joins an attack."""
        return not chosen or self.chance(0.8)

    def spares(self) -> bool:
        """Whether an enemy hex is left alone in a combat phase."""
        return self.chance(0.35)

    # --- the rules of marches and battles ---

    def field_at(self, position: Position) -> Field:
        return Field(self.field.ground, position, self.case.season)

    def move_rules(self, unit: Unit, units: list[Unit]) -> MoveRules:
        return move_rules(self.case, self.field, unit, units)

    def price(self, unit: Unit) -> int:
        return price(self.case, unit)

    def unbarred(self, units: list[Unit], way: zoned.Way) -> bool:
        event = Moved(tuple(unit.id for unit in units), tuple(self.field.board.hexes[h] for h in way))
        return not any(list(forbids(self.case, self.field, unit, list(way), event)) for unit in units)

    def goes_with(self, unit: Unit) -> object:
        """Finns and Germans go different ways."""
        return unit.nationality

    def retreat_rules(self, field: Field, party: Party, units: list[Unit]) -> RetreatRules:
        return list(RETREATS.rules_of(self.case, field, party, units))[1]

    def may_advance(self, battle: Battle, party: Party, unit: Unit) -> bool:
        return may_advance(self.case, unit) and not advance_doubt(self.case, battle, party, unit)

    def advance_rules(self, battle: Battle, party: Party, unit: Unit) -> AdvanceRules:
        return advance_rules(self.case, self.field, battle, party, unit)

    # --- strength chits, losses ---

    def draw(self, army: Unit) -> bool:
        """A chit for an army without one; False if its cup is empty."""
        cup = CHITS.cup_of(class_of(army))
        chits = self.position.decks[cup]
        if chits:
            self.do(Drawn(self.random.choice(chits), cup, army.id))
        return bool(chits)

    def give_back(self, chit: str, army: str | None) -> None:
        values = self.game.marker[chit].values
        cup = None if values.get("starred") else CHITS.cup_of(values["class"])
        self.do(Returned(chit, cup, army))

    def lose(self, unit: Unit, steps: int, battle: int | None = None) -> None:
        """Steps lost one way or another: flipped, replaced by a Kampfgruppe, or taken off."""
        if draws(unit) and chit_of(self.case, unit) is None:
            self.draw(unit)
        left = steps_left(self.case, unit) - steps
        chit = chit_of(self.case, unit)
        if left <= 0:
            self.eliminate(unit, battle)
        elif chit is not None:
            self.do(Marked(chit, unit.id, REDUCED))
        elif left >= unit.type.steps - len(unit.counter.steps) + 1:
            self.do(StepChanged(unit.id, unit.step, unit.type.steps - left + 1, battle))
        else:
            if unit.step < len(unit.counter.steps):
                self.do(StepChanged(unit.id, unit.step, len(unit.counter.steps), battle))
            heir = self.heir(unit)
            self.do(Replaced((unit.id,), ((heir.id, 1),), unit.hex))

    def heir(self, unit: Unit) -> Unit:
        """The counter that takes the place of a corps or an allied army."""
        star = unit.counter.values.get("star")
        return (
            self.position.units[str(star)] if star else next(self.spare(str(unit.type.values["breaks-into"])))
        )

    def spare(self, type_id: str) -> Iterator[Unit]:
        """Not one that fell in a battle of this phase: it stands for itself there."""
        fought = {
            name for battle in self.case.in_phase.battles for party in battle.parties for name in party.names
        }
        free = (u for u in self.position.units.values() if u.type.id == type_id and not u.on_map)
        return (u for u in free if u.id not in fought)

    def grave(self, unit: Unit) -> str:
        """Where a counter goes that is lost."""
        after = returns_after(unit)
        if unit.has("economic-asset"):
            return first_free_box(ECONOMY, self.case)
        if unit.has("kg") or unit.has("star"):
            return "axis-pool"
        if after is not None and self.case.turn + after in self.case.game.turn:
            return f"turn-{self.case.turn + after}"
        return "axis-eliminated" if unit.side == AXIS else "soviet-eliminated"

    def eliminate(self, unit: Unit, battle: int | None = None) -> None:
        chit = chit_of(self.case, unit)
        self.do(Removed(unit.id, self.grave(unit), battle))
        if chit is not None:
            self.give_back(chit, unit.id)


def opponent(side: str) -> str:
    return ENEMY[side]
