"""What must hold in a scenario: its units, hexes, decks and victory."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from fieldpost.definition.artmodel import spaces
from fieldpost.definition.atlas import Atlas
from fieldpost.definition.model import Game, Scenario
from fieldpost.definition.reader import Key, Reader
from fieldpost.definition.references import known
from fieldpost.definition.scenariomodel import PlacedMarker, PlacedUnit, Placement, Reinforcement
from fieldpost.hexes import Hex


def check_scenario(
    reader: Reader, game: Game, scenario: Scenario, atlas: Atlas | None, has_counters: bool
) -> None:
    checks = _Scenario(reader, game, scenario, atlas)
    checks.frame()
    checks.special_rules()
    checks.choices()
    checks.victory()
    if has_counters:
        checks.units()
        checks.decks()
    if atlas is not None:
        checks.hexes(atlas)


class _Scenario:
    def __init__(self, reader: Reader, game: Game, scenario: Scenario, atlas: Atlas | None) -> None:
        self.reader = reader
        self.game = game
        self.scenario = scenario
        self.sides = [s.id for s in game.sides]
        self.sheet = scenario.sheet
        if atlas is not None and self.sheet not in [s.id for s in game.map.lattice.sheets]:
            self.sheet = None

    # --- turns, sheets, area

    def frame(self) -> None:
        scenario, reader = self.scenario, self.reader
        turns = self.game.turn
        for name in ("first_turn", "last_turn"):
            number = getattr(scenario, name)
            if number not in turns and turns and reader.intact(scenario, name):
                reader.fault(
                    scenario, (name,), f"the track has no turn {number}", f"{min(turns)} to {max(turns)}"
                )
        if scenario.first_turn > scenario.last_turn and reader.intact(scenario, "first_turn", "last_turn"):
            reader.fault(
                scenario, ("last_turn",), f"turn {scenario.last_turn} is before turn {scenario.first_turn}"
            )
        if self.game.map.id:
            sheets = [s.id for s in self.game.map.lattice.sheets]
            for index, sheet in enumerate(scenario.sheets):
                known(reader, scenario, ("sheets", index), sheet, sheets, "sheet")
            if scenario.sheet is not None:
                known(reader, scenario, ("sheet",), scenario.sheet, scenario.sheets or sheets, "sheet")
            if scenario.area is not None:
                known(reader, scenario, ("area",), scenario.area, self.game.map.area, "area")
        if not scenario.playable and not scenario.why_not:
            reader.fault(scenario, ("playable",), "it is not playable: why not?", "why_not: what is missing")

    # --- units

    def units(self) -> None:
        """Every unit exists and comes once, on the map at the start or later."""
        seen: dict[str, int] = {}
        for placement in self.scenario.set_up:
            places = (placement.hex, placement.box, placement.map)
            if places.count(None) != 2 and self.reader.intact(placement, "hex", "box", "map"):
                self.reader.fault(
                    placement,
                    (),
                    "units stand in a hex or in a box, or on a further map",
                    "hex:, box: or map:, one of them",
                )
            self._further_map(placement)
            if (
                not placement.units
                and not placement.markers
                and self.reader.intact(placement, "units", "markers")
            ):
                self.reader.fault(placement, (), "nothing stands here", "units: or markers:")
            for unit in placement.units:
                self._placed(unit, seen)
            for marker in placement.markers:
                self._marker(marker)
        for reinforcement in self.scenario.reinforcements:
            self._reinforcement(reinforcement, seen)

    def _further_map(self, placement: Placement) -> None:
        """A place on a further map is one that the map has."""
        if placement.map is None:
            return
        maps = {map_.id: map_ for map_ in self.game.maps}
        if not known(self.reader, placement, ("map",), placement.map, maps, "further map"):
            return
        names = list(spaces(maps[placement.map]))
        if placement.at is None:
            self.reader.fault(placement, (), "where on that map?", "at: a hex, square or area of it")
        else:
            known(self.reader, placement, ("at",), placement.at, names, f"place on {placement.map}")

    def _placed(self, unit: PlacedUnit, seen: dict[str, int]) -> None:
        if not known(self.reader, unit, ("id",), unit.id, self.game.counter, "unit") or not unit.id:
            return
        self._once(unit, ("id",), unit.id, seen)
        kind = self.game.unit_type.get(self.game.counter[unit.id].type)
        read = self.reader.intact(unit, "step") and kind and self.reader.intact(kind, "steps")
        if kind and read and kind.steps >= 1 and not 1 <= unit.step <= kind.steps:
            self.reader.fault(unit, ("step",), f"{unit.id} has no step {unit.step}", f"1 to {kind.steps}")
        for marker in unit.markers:
            self._marker(marker)

    def _marker(self, placed: PlacedMarker) -> None:
        marker = self.game.marker.get(placed.id)
        if not known(self.reader, placed, ("id",), placed.id, self.game.marker, "marker") or marker is None:
            return
        if not 1 <= placed.face <= len(marker.faces) and self.reader.intact(marker, "faces"):
            message = f"the marker {marker.id} has no face {placed.face}"
            self.reader.fault(placed, ("face",), message, f"1 to {len(marker.faces)}")

    def _once(self, owner: object, path: tuple[str | int, ...], unit: str, seen: dict[str, int]) -> None:
        line = self.reader.place(owner, *path)[1].line + 1
        if unit in seen:
            self.reader.fault(owner, path, f"{unit} is placed a second time (first in line {seen[unit]})")
        seen.setdefault(unit, line)

    def _reinforcement(self, entry: Reinforcement, seen: dict[str, int]) -> None:
        reader, scenario = self.reader, self.scenario
        known(reader, entry, ("side",), entry.side, self.sides, "side")
        in_scenario = scenario.first_turn <= entry.turn <= scenario.last_turn
        read = reader.intact(entry, "turn") and reader.intact(scenario, "first_turn", "last_turn")
        if read and not in_scenario:
            expected = f"{scenario.first_turn} to {scenario.last_turn}"
            reader.fault(entry, ("turn",), f"turn {entry.turn} is not in this scenario", expected)
        for index, unit in enumerate(entry.units):
            path = ("units", index)
            if not known(reader, entry, path, unit, self.game.counter, "unit") or not unit:
                continue
            self._once(entry, path, unit, seen)
            kind = self.game.unit_type.get(self.game.counter[unit].type)
            if kind and kind.side != entry.side and entry.side in self.sides and kind.side in self.sides:
                reader.fault(entry, path, f"{unit} is a unit of the side {kind.side}, not {entry.side}")

    def decks(self) -> None:
        names = {d.id: d for d in self.game.decks}
        for content in self.scenario.decks:
            known(self.reader, content, ("deck",), content.deck, names, "deck")
            for index, marker in enumerate(content.markers):
                path = ("markers", index)
                if not known(self.reader, content, path, marker, self.game.marker, "marker") or not marker:
                    continue
                deck = names.get(content.deck)
                if deck and self.game.marker[marker].kind != deck.holds:
                    self.reader.fault(
                        content, path, f"{marker} is no {deck.holds} marker, which {deck.id} holds"
                    )

    # --- hexes

    def hexes(self, atlas: Atlas) -> None:
        scenario = self.scenario
        boxes = [b.id for b in self.game.boxes]
        playing, named = self._playing_area(), self.game.map.named
        for placement in scenario.set_up:
            self._placement(atlas, placement, boxes, playing)
        for source in scenario.supply_sources:
            known(self.reader, source, ("side",), source.side, self.sides, "side")
            atlas.places(source, ("hexes",), source.hexes, named, self.sheet)
            if not source.hexes and self.reader.intact(source, "hexes"):
                self.reader.fault(source, ("hexes",), "a source without a hex", "hexes, areas or map edges")
        for side, labels in scenario.control.items():
            known(self.reader, scenario, ("control", Key(side)), side, self.sides, "side")
            atlas.places(scenario, ("control", side), labels, named, self.sheet)
        for entry in scenario.reinforcements if self._arrivals_are_judged() else ():
            atlas.places(entry, ("where",), entry.where, {*named, *self.game.off_map}, self.sheet)
        for index, city in enumerate(scenario.victory.cities if scenario.victory else ()):
            if city.hex and scenario.victory:
                atlas.hex(scenario.victory, ("cities", index, "hex"), city.hex, self.sheet)

    def _arrivals_are_judged(self) -> bool:
        """By the standard referee; the code of another may read more than hexes."""
        return self.game.rules is not None and self.game.rules.reinforcements is not None

    def _playing_area(self) -> frozenset[Hex] | None:
        area = self.game.map.area.get(self.scenario.area or "")
        return area.hexes if area else None

    def _placement(
        self, atlas: Atlas, placement: Placement, boxes: Collection[str], playing: frozenset[Hex] | None
    ) -> None:
        if placement.box is not None:
            known(self.reader, placement, ("box",), placement.box, boxes, "box")
        if not placement.hex:
            return
        hex_ = atlas.hex(placement, ("hex",), placement.hex, self.sheet)
        if hex_ is not None and playing is not None and hex_ not in playing:
            message = f"hex {placement.hex} is outside the playing area {self.scenario.area}"
            self.reader.fault(placement, ("hex",), message)

    # --- rules, options, victory

    def special_rules(self) -> None:
        seen: set[str] = set()
        for rule in self.scenario.special_rules:
            if rule.id and rule.id in seen:
                self.reader.fault(rule, ("id",), f"the special rule {rule.id!r} is here a second time")
            seen.add(rule.id)

    def choices(self) -> None:
        options = {o.id: o for o in self.game.options}
        for name, choice in self.scenario.options.items():
            if name not in options:
                known(self.reader, self.scenario, ("options", Key(name)), name, options, "option")
            else:
                known(self.reader, self.scenario, ("options", name), choice, options[name].choices, "choice")

    def victory(self) -> None:
        victory = self.scenario.victory
        if victory is None:
            return
        known(self.reader, victory, ("side",), victory.side, self.sides, "side")
        for band in victory.bands:
            if band.winner is not None:
                known(self.reader, band, ("winner",), band.winner, self.sides, "side")
        if victory.bands and all(self.reader.intact(b, "low", "high") for b in victory.bands):
            self._bands()

    def _bands(self) -> None:
        """The bands cover every number of points, each once, the ends open."""
        assert self.scenario.victory is not None
        for band in self.scenario.victory.bands:
            if band.low is not None and band.high is not None and band.low > band.high:
                self.reader.fault(band, ("low",), f"low {band.low} is above high {band.high}")
                return
        lowest, highest = float("-inf"), float("inf")
        bands = sorted(self.scenario.victory.bands, key=lambda b: lowest if b.low is None else b.low)
        if bands[0].low is not None:
            self.reader.fault(bands[0], ("low",), f"who wins with less than {bands[0].low} points?", "no low")
        for below, above in pairwise(bands):
            end = highest if below.high is None else below.high
            start = lowest if above.low is None else above.low
            if start <= end:
                self.reader.fault(above, ("low",), f"{above.result!r} overlaps {below.result!r}", _after(end))
            elif start > end + 1:
                message = f"no result for {_span(int(end) + 1, int(start) - 1)} points"
                self.reader.fault(above, ("low",), message, _after(end))
        top = bands[-1]
        if top.high is not None and all(b.high is not None for b in bands):
            self.reader.fault(top, ("high",), f"who wins with more than {top.high} points?", "no high")


def _after(end: float) -> str | None:
    return None if end == float("inf") else f"low: {int(end) + 1}"


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"
