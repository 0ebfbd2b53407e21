"""Supply by distance: lines of hexes to the sources of the scenario, or to a headquarters in supply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as kept
from fractions import Fraction

from fieldpost.definition import rulesmodel
from validator.core import explain as say
from validator.core.board import HexId
from validator.core.costs import scaled
from validator.core.spread import NEVER
from validator.core.supply import Lines, LineVerdict, SupplyRules, explain_line, trace
from validator.model.position import Unit
from validator.standard.book import rules_of
from validator.standard.field import Field, field_at_phase_start, field_of
from validator.standard.state import Case

RANGE = "supply-range"


@dataclass(frozen=True)
class Post:
    """A headquarters in supply, and the lines that lead to it."""

    unit: Unit
    hex_id: HexId
    rules: SupplyRules
    lines: Lines


@dataclass
class Supply:
    """All lines in one state of the position."""

    case: Case
    field: Field
    told: rulesmodel.SupplyRules
    _lines: dict[str, Lines] = kept(default_factory=dict)
    _posts: dict[str, list[Post]] = kept(default_factory=dict)

    def feeds(self, unit: Unit) -> bool:
        """Whether a unit is in supply; one that is not on the map counts as if it were."""
        hex_id = self.field.id(unit.spot)
        if hex_id is None or any(unit.has(trait) for trait in self.told.always):
            return True
        return self.lines(unit.side).reaches(hex_id) or self.post_of(unit, hex_id) is not None

    def post_of(self, unit: Unit, hex_id: HexId) -> Post | None:
        """The headquarters that passes supply on to a unit."""
        posts = (post for post in self.posts(unit.side) if post.unit.id != unit.id)
        return next((post for post in posts if post.lines.reaches(hex_id)), None)

    def lines(self, side: str) -> Lines:
        """To the sources."""
        if side not in self._lines:
            self._lines[side] = trace(self.rules(side, self.told.range), self.sources(side), times=0)
        return self._lines[side]

    def posts(self, side: str) -> list[Post]:
        if side not in self._posts:
            self._posts[side] = list(self._found_posts(side))
        return self._posts[side]

    def _found_posts(self, side: str) -> Iterator[Post]:
        trait = self.told.headquarters
        for hex_id, unit in self.field.of_side(side) if trait is not None else ():
            value = unit.counter.values.get(RANGE, unit.type.values.get(RANGE))
            if not unit.has(trait or "") or value is None or not self.lines(side).reaches(hex_id):
                continue
            rules = self.rules(side, Fraction(value))
            yield Post(unit, hex_id, rules, trace(rules, [hex_id], times=0))

    def rules(self, side: str, limit: Fraction | None) -> SupplyRules:
        ground, told = self.field.ground, self.told
        costs = ground.costs(told.mobility, self.field.season) if told.mobility else ground.plain
        blocked = {"enemy": self.field.enemies(side)}
        if told.zones:
            blocked["zone"] = self.field.zones_against(side, "supply")
        return SupplyRules(costs, NEVER - 1 if limit is None else scaled(limit), blocked)

    def sources(self, side: str) -> list[HexId]:
        scenario, lattice = self.case.scenario, self.case.game.map.lattice
        labels = (
            label for source in scenario.supply_sources if source.side == side for label in source.hexes
        )
        return self.field.ids(lattice.hex(label, scenario.sheet) for label in labels)

    def explained(self, unit: Unit, hex_id: HexId) -> LineVerdict:
        """The line of a unit, or what cuts it."""
        post = self.post_of(unit, hex_id)
        if post is not None and not self.lines(unit.side).reaches(hex_id):
            return explain_line(post.rules, [post.hex_id], hex_id)
        return explain_line(self.rules(unit.side, self.told.range), self.sources(unit.side), hex_id)

    def text(self, unit: Unit, hex_id: HexId) -> str:
        if any(unit.has(trait) for trait in self.told.always):
            return "needs no supply"
        post = self.post_of(unit, hex_id)
        by = f"by {post.unit.id}: " if post and not self.lines(unit.side).reaches(hex_id) else ""
        return by + say.line_text(self.field.ground.wording, self.explained(unit, hex_id))


def supply_now(case: Case) -> Supply | None:
    told, now = rules_of(case.game).supply, field_of(case)
    return case.kept("supply", now, lambda: Supply(case, now, told)) if told else None


def supply_at_phase_start(case: Case) -> Supply | None:
    """As it was judged: when the phase began."""
    told, start = rules_of(case.game).supply, field_at_phase_start(case)
    return case.kept("supply at start", start, lambda: Supply(case, start, told)) if told else None


def wants(case: Case, unit: Unit) -> rulesmodel.Unsupplied | None:
    """What is left to a unit that was out of supply when the phase began; None for one that was not."""
    supply = supply_at_phase_start(case)
    begun = case.phase_start.units[unit.id]
    return None if supply is None or supply.feeds(begun) else supply.told.without
