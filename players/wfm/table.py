"""The table of War for the Motherland: room in a hex, strength markers, losses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from players import zoned
from validator.core.advance import AdvanceRules
from validator.core.board import HexId
from validator.core.movement import MoveRules
from validator.core.retreat import RetreatRules
from validator.games.wfm.battles import Battle, Party
from validator.games.wfm.book import ENEMY
from validator.games.wfm.c04_stacking import stack
from validator.games.wfm.c05_march import move_rules
from validator.games.wfm.c06_overrun import price
from validator.games.wfm.c08_combat import attack_zero
from validator.games.wfm.c08_losses import IN_RANK
from validator.games.wfm.c08_retreat import advance_rules, retreat_rules
from validator.games.wfm.c09_supply import supplied_mask
from validator.games.wfm.field import Field, field_of
from validator.model.events import Drawn, Marked, Removed, Replaced, Returned, StepChanged
from validator.model.position import Position, Unit
from validator.procedures.field import printed
from validator.procedures.strengthchits import chit_of, steps_left


class Table(zoned.Table[Field]):
    game_id = "wfm"
    losses = IN_RANK

    def __init__(self, scenario: str, seed: int, *, strict: bool = True) -> None:
        super().__init__(scenario, seed, strict=strict)
        self.fed: dict[str, bytes] = {}  # by arrival, the hexes the supply phase found supplied (13.15)

    def make_field(self) -> Field:
        return field_of(self.case)

    def room(self, hex_id: HexId, units: list[Unit], field: Field | None = None) -> bool:
        """Whether these units fit into a hex with those of their side that are there."""
        side = units[0].side
        names = {unit.id for unit in units}
        there = [u for u in (field or self.field).units(hex_id) if u.side == side and u.id not in names]
        verdict = stack(self.case, [*there, *units], side)
        return not verdict.breaches and verdict.load <= verdict.limit

    # --- the rules of marches and battles ---

    def field_at(self, position: Position) -> Field:
        return Field(self.field.ground, position, self.case.season)

    def move_rules(self, unit: Unit, units: list[Unit]) -> MoveRules:
        return move_rules(self.case, self.field, unit, units)

    def price(self, unit: Unit) -> int:
        return price(self.case, unit)

    def worths(self, units: list[Unit], ends: Iterable[HexId]) -> list[float]:
        """Fighters like to be beside the enemy, and everybody in supply."""
        zone, fed = self.field.enemy_zones(units[0].side).mask, supplied_mask(self.case, units[0])
        fights = units[0].type.zoc
        return [(7 if fights and zone[h] else 1) * (4 if fed[h] else 1) for h in ends]

    def rank(self, party: Party, unit: str) -> int:
        return 0 if unit in party.with_zone else 1

    def retreat_rules(self, field: Field, party: Party, units: list[Unit]) -> RetreatRules:
        return list(retreat_rules(self.case, field, party, units))[1]

    def may_advance(self, battle: Battle, party: Party, unit: Unit) -> bool:
        return not unit.has("no-advance") and printed(unit, "movement") > 0 and not attack_zero(unit)

    def advance_rules(self, battle: Battle, party: Party, unit: Unit) -> AdvanceRules:
        return advance_rules(self.case, self.field, battle, party, unit)

    # --- strength markers, losses ---

    def draw(self, army: Unit) -> bool:
        """A strength marker for an army without one; False if its cup is empty."""
        cup = f"csm-{str(army.type.values['class']).lower()}"
        chits = self.position.decks[cup]
        if not chits:
            return False
        self.do(Drawn(self.random.choice(chits), cup, army.id))
        return True

    def give_back(self, marker: str, army: str | None) -> None:
        values = self.game.marker[marker].values
        cup = None if values.get("starred") else f"csm-{str(values['class']).lower()}"
        self.do(Returned(marker, cup, army))

    def lose(self, unit: Unit, steps: int, battle: int | None = None) -> None:
        """Steps lost one way or another: flipped, replaced by a Kampfgruppe, or taken off."""
        left = steps_left(self.case, unit) - steps
        if left > 0 and unit.has("draws-strength") and chit_of(self.case, unit) is None:
            self.draw(unit)
        marker = chit_of(self.case, unit)
        if left <= 0:
            self.eliminate(unit, battle)
        elif marker is not None:
            self.do(Marked(marker, unit.id, 2))
        elif left >= unit.type.steps - len(unit.counter.steps) + 1:
            self.do(StepChanged(unit.id, unit.step, unit.type.steps - left + 1, battle))
        else:
            heir = self.heir(unit)
            self.do(Replaced((unit.id,), ((heir.id, heir.type.steps - left + 1),), unit.hex))

    def heir(self, unit: Unit) -> Unit:
        """The Kampfgruppe that takes the place of a corps."""
        return next(self.spare(str(unit.type.values["breaks-into"])))

    def spare(self, type_id: str) -> Iterator[Unit]:
        """Counters of a type that may be used now: not those that are still to arrive."""
        coming = {
            name for r in self.case.scenario.reinforcements if r.turn >= self.case.turn for name in r.units
        }
        for unit in self.position.units.values():
            if unit.type.id == type_id and unit.spot is None and unit.id not in coming:
                yield unit

    def eliminate(self, unit: Unit, battle: int | None = None) -> None:
        marker = chit_of(self.case, unit)
        box = "conversion-waiting" if unit.has("converts") else None
        self.do(Removed(unit.id, box, battle))
        if marker is not None:
            self.give_back(marker, unit.id)
        if unit.has("draws-strength"):
            self.roll("army return", unit.id)
        elif unit.has("hq"):
            self.roll("headquarters return", unit.id)


def opponent(side: str) -> str:
    return ENEMY[side]
