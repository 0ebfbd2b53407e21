"""The table of For the Motherland!: room in a hex, strength chits, losses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tools.play import table
from validator.core.board import HexId, Mask
from validator.games.ftm.battles import steps_left
from validator.games.ftm.book import AXIS, ENEMY
from validator.games.ftm.c06_stacking import stack
from validator.games.ftm.c11_chits import CHITS
from validator.games.ftm.c12_economy import ECONOMY
from validator.games.ftm.field import Field, field_of
from validator.games.ftm.lines import Kind
from validator.games.ftm.supply import supplied_mask
from validator.model.events import Drawn, Marked, Removed, Replaced, Returned, StepChanged
from validator.model.position import Unit
from validator.procedures.entries import returns_after
from validator.procedures.strengthchits import REDUCED, chit_of, class_of, draws
from validator.procedures.wareconomy import first_free_box


class Table(table.Table[Field]):
    game_id = "ftm"

    def __init__(self, scenario: str, seed: int, *, strict: bool = True) -> None:
        super().__init__(scenario, seed, strict=strict)
        self._fed: dict[tuple[object, ...], Mask] = {}

    @property
    def field(self) -> Field:
        return field_of(self.case)

    def room(self, hex_id: HexId, units: list[Unit], field: Field | None = None) -> bool:
        """Whether these units fit into a hex with those of their side that are there."""
        side = units[0].side
        names = {unit.id for unit in units}
        there = [u for u in (field or self.field).units(hex_id, side) if u.id not in names]
        return stack(self.case, [*there, *units], side).legal

    def fed(self, unit: Unit) -> Mask:
        """Hexes in supply, as they were when the player first looked in this phase."""
        key = (self.case.turn, self.case.phase, Kind.of(unit), unit.has("allied"))
        if key not in self._fed:
            self._fed = {k: v for k, v in self._fed.items() if k[:2] == key[:2]}
            self._fed[key] = supplied_mask(self.case, unit)
        return self._fed[key]

    # --- what a player wants: here nothing but to fight, and to be fed ---

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

    def by_liking(self, hexes: list[int], stood: Iterable[HexId]) -> list[int]:
        """Numbers of hexes to retreat, the best first; what is left is paid in steps."""
        self.random.shuffle(hexes)
        return hexes

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
        if after is not None:
            return f"turn-{self.case.turn + after}"
        return "axis-eliminated" if unit.side == AXIS else "soviet-eliminated"

    def eliminate(self, unit: Unit, battle: int | None = None) -> None:
        chit = chit_of(self.case, unit)
        self.do(Removed(unit.id, self.grave(unit), battle))
        if chit is not None:
            self.give_back(chit, unit.id)


def foe(side: str) -> str:
    return ENEMY[side]
