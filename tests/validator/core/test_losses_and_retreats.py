"""After the dice: losses in order, retreats by priority, advances, and what is owed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.validator.core import boards
from tests.validator.core.random_boards import World, some, worlds
from validator.core.advance import AdvanceRules, advances, check_advance
from validator.core.board import Board
from validator.core.costs import CostTable, Prices
from validator.core.losses import LossRules, Sufferer, check_losses, distributions
from validator.core.obligations import Obligation
from validator.core.results import Part, Pays
from validator.core.retreat import (
    Preference,
    RetreatRules,
    choices,
    find_retreat,
    inside,
    judge_retreat,
    losses_on,
    outside,
    retreats,
    straight_paths,
)


def both_of(one: Preference, other: Preference) -> Preference:
    return lambda a, b: one(a, b) and other(a, b)


WIDE = "\n".join(["......."] * 7)

# --- losses ------------------------------------------------------------------------------------

FORCE = [Sufferer("a", 2), Sufferer("b", 1), Sufferer("base", 1, tier=1)]


def loss_keys(**lost: int) -> list[str]:
    return [breach.key for breach in check_losses(LossRules(), FORCE, lost)]


def test_every_unit_loses_a_step_before_one_loses_two() -> None:
    assert loss_keys(a=1, b=1) == []
    assert loss_keys(a=2) == ["loss-spread"]
    assert loss_keys(a=2, b=1) == []


def test_units_of_a_later_tier_lose_nothing_while_earlier_ones_have_steps() -> None:
    assert loss_keys(base=1) == ["loss-tier"]
    assert loss_keys(a=1, b=1, base=1) == ["loss-tier"]
    assert loss_keys(a=2, b=1, base=1) == []


def test_distributions_are_all_permitted_ones() -> None:
    assert list(distributions(LossRules(), FORCE, 1)) == [
        {"a": 1, "b": 0, "base": 0},
        {"a": 0, "b": 1, "base": 0},
    ]
    assert list(distributions(LossRules(), FORCE, 9)) == [{"a": 2, "b": 1, "base": 1}]


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 1)), min_size=1, max_size=4),
    st.integers(0, 8),
)
def test_distributions_are_what_taking_one_step_after_the_other_finds(
    units: list[tuple[int, int]], number: int
) -> None:
    force = [Sufferer(f"u{i}", steps, tier) for i, (steps, tier) in enumerate(units)]
    found = {tuple(lost.values()) for lost in distributions(LossRules(), force, number)}
    by_hand = {tuple([0] * len(units))}
    for _ in range(min(number, sum(steps for steps, _ in units))):
        by_hand = {new for old in by_hand for new in one_more(units, old)}
    assert found == by_hand


def one_more(units: list[tuple[int, int]], lost: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Everyone who may lose the next step: of the first tier with steps, whoever lost least."""
    left = [i for i, (steps, _) in enumerate(units) if lost[i] < steps]
    tier = min(units[i][1] for i in left)
    tier_left = [i for i in left if units[i][1] == tier]
    least = min(lost[i] for i in tier_left)
    for i in tier_left:
        if lost[i] == least:
            yield (*lost[:i], lost[i] + 1, *lost[i + 1 :])


# --- retreat -----------------------------------------------------------------------------------


def rules(on: Board, **changes: Any) -> RetreatRules:
    return replace(RetreatRules(boards.table(on), {"enemy": on.mask()}), **changes)


def prioritized(on: Board, friends: str = "", zone: str = "", enemy: str = "") -> RetreatRules:
    own, held = on.mask(on.ids(friends)), on.mask(on.ids(zone))
    return RetreatRules(
        boards.table(on),
        {"enemy": on.mask(on.ids(enemy))},
        (
            ("vacant", outside(own, held)),
            ("friendly", both_of(inside(own), outside(held))),
            ("friendly-in-zone", inside(own, held)),
            ("vacant-in-zone", both_of(inside(held), outside(own))),
        ),
        losses={"zone": bytes(1 if h and not o else 0 for h, o in zip(held, own, strict=True))},
    )


def test_vacant_hex_free_of_zones_comes_first() -> None:
    on = boards.board("...\n...\n...")
    r = prioritized(on, friends="0102", zone="0103 0201")
    found = choices(on, r, on.id("0202"), on.id("0202"))
    assert found is not None
    assert found.key == "vacant"
    assert {on.label(h) for h in found.hexes} == {"0203", "0302", "0303"}


def test_worse_hex_is_named_with_the_better_ones() -> None:
    on = boards.board("...\n...\n...")
    r = prioritized(on, friends="0102")
    verdict = judge_retreat(on, r, on.ids("0202-0102"), 1)
    assert [b.key for b in verdict.breaches] == ["order"]
    assert verdict.breaches[0].detail == "vacant"
    assert judge_retreat(on, r, on.ids("0202-0103"), 1).legal


def test_friendly_hex_is_taken_when_no_vacant_one_is_free_of_zones() -> None:
    on = boards.board("...\n...\n...")
    r = prioritized(on, friends="0102", zone="0103 0201 0203 0302 0303")
    assert judge_retreat(on, r, on.ids("0202-0102"), 1).legal
    assert not judge_retreat(on, r, on.ids("0202-0103"), 1).legal


def test_vacant_hex_in_a_zone_is_last_and_costs_a_step() -> None:
    on = boards.board("..")
    r = prioritized(on, zone="0102")
    verdict = judge_retreat(on, r, on.ids("0101-0102"), 1)
    assert verdict.legal
    assert [loss.key for loss in verdict.losses] == ["zone"]


def test_each_hex_of_a_retreat_is_farther_from_the_battle() -> None:
    on = boards.board(WIDE)
    ends = {path[-1] for path in retreats(on, rules(on), on.id("0404"), 2)}
    assert {on.distance(on.id("0404"), end) for end in ends} == {2}
    assert len(ends) == 12
    back = judge_retreat(on, rules(on), on.ids("0404-0405-0404"), 2)
    assert "away" in [b.key for b in back.breaches]


def test_retreat_of_the_wrong_length_is_named() -> None:
    on = boards.board(WIDE)
    verdict = judge_retreat(on, rules(on), on.ids("0404-0405"), 2)
    assert [(b.key, b.needed, b.available) for b in verdict.breaches] == [("length", 2, 1)]


def test_enemy_hex_and_banned_hexside_are_named() -> None:
    on = boards.board("...", sides={"lake": "0101/0102"})
    r = prioritized(on, enemy="0103")
    assert [b.key for b in judge_retreat(on, r, on.ids("0102-0103"), 1).breaches] == ["enemy"]
    assert [b.key for b in judge_retreat(on, r, on.ids("0102-0101"), 1).breaches] == ["hexside:lake"]
    assert not list(retreats(on, r, on.id("0102"), 1))


def test_retreat_over_a_marked_hexside_costs_a_step() -> None:
    on = boards.board("..", sides={"river": "0101/0102"})
    r = rules(on, step_losses={"major-river": on.steps_across("river")})
    assert [loss.key for loss in losses_on(on, r, on.ids("0101-0102"))] == ["major-river"]


def test_retreat_must_lead_nearer_to_supply_where_some_hex_does() -> None:
    on = boards.board(WIDE)
    lengths = [on.distance(h, on.id("0101")) for h in range(len(on))]
    r = rules(on, order=(("nearer", lambda a, b: lengths[b] < lengths[a]), ("any", outside())))
    found = choices(on, r, on.id("0404"), on.id("0404"))
    assert found is not None
    assert {on.label(h) for h in found.hexes} == {"0304", "0403"}


def test_dead_end_is_a_choice_only_without_looking_ahead() -> None:
    on = boards.board("....")
    blind, seeing = rules(on), rules(on, look_ahead=True)
    one = choices(on, blind, on.id("0103"), on.id("0103"), 2)
    two = choices(on, seeing, on.id("0103"), on.id("0103"), 2)
    assert one is not None
    assert two is not None
    assert set(two.hexes) < set(one.hexes)
    assert [on.label(h) for h in two.hexes] == ["0102"]


def test_looking_ahead_stops_with_the_retreat() -> None:
    on = boards.board("....")
    verdict = judge_retreat(on, rules(on, look_ahead=True), on.ids("0103-0102-0101"), 2)
    assert verdict.legal
    assert [choice is not None for choice in verdict.choices] == [True, True]


def test_looking_ahead_on_a_way_across_the_map_takes_no_longer_than_its_hexes() -> None:
    on = boards.board("\n".join(["." * 30] * 30))  # a mouse that slipped: thousands of millions of ways
    (path,) = straight_paths(on, on.id("0101"), on.id("3030"))
    verdict = judge_retreat(on, rules(on, look_ahead=True), path, len(path) - 1)
    assert len(verdict.choices) == len(path) - 1


def test_retreat_known_by_its_ends_is_the_permitted_path_with_fewest_losses() -> None:
    on = boards.board(WIDE)
    r = rules(on, losses={"zone": on.mask(on.ids("0304"))})
    verdict = find_retreat(on, r, on.id("0404"), on.id("0204"), 2)
    assert verdict.legal
    assert verdict.losses == ()
    assert on.path_text(verdict.path) == "0404-0305-0204"


def test_retreat_by_its_ends_that_is_not_permitted_says_why() -> None:
    on = boards.board(WIDE)
    verdict = find_retreat(on, prioritized(on, enemy="0405"), on.id("0404"), on.id("0405"), 1)
    assert [b.key for b in verdict.breaches] == ["enemy"]


@given(worlds(), st.data())
def test_retreats_are_all_paths_that_judge_as_legal(world: World, data: st.DataObject) -> None:
    on = Board(world.map)
    friends = on.mask(on.id_of[h] for h in data.draw(some(world.hexes, 4)))
    zone = on.mask(on.id_of[h] for h in data.draw(some(world.hexes, 6)))
    r = RetreatRules(
        CostTable(on, boards.PRICES),
        {"enemy": on.mask(on.id_of[h] for h in data.draw(some(world.hexes, 3)))},
        (("a", outside(friends, zone)), ("b", inside(friends)), ("c", inside(zone))),
    )
    origin = on.id_of[data.draw(st.sampled_from(world.hexes))]
    found = set(retreats(on, r, origin, 2))
    walks = {(origin, a, b) for a in on.adjacent[origin] for b in on.adjacent[a]}
    legal = {walk for walk in walks if judge_retreat(on, r, walk, 2).legal}
    assert found == legal


# --- advance -----------------------------------------------------------------------------------


def advance(on: Board, hexes: int, vacated: str, **changes: Any) -> AdvanceRules:
    flat = CostTable(on, Prices(hexsides={"lake": None}))
    dry = CostTable(on, Prices(hexsides={"lake": None, "river": None}))
    return replace(AdvanceRules(hexes, frozenset(on.ids(vacated)), flat, dry, on.mask()), **changes)


def keys(on: Board, r: AdvanceRules, path: str) -> list[str]:
    return [breach.key for breach in check_advance(on, r, on.ids(path))]


def test_advance_begins_with_a_hex_the_enemy_left() -> None:
    on = boards.board(WIDE)
    r = advance(on, 1, "0405")
    assert keys(on, r, "0404-0405") == []
    assert keys(on, r, "0404-0403") == ["first-hex"]
    assert keys(on, advance(on, 2, "0202"), "0404-0402") == ["first-hex"]
    assert [on.label(h) for h in advances(on, r, on.id("0404"))] == ["0405"]


def test_advance_is_no_longer_than_allowed() -> None:
    on = boards.board("......")
    assert keys(on, advance(on, 3, "0102"), "0101-0104") == []
    assert keys(on, advance(on, 2, "0102"), "0101-0104") == ["advance-length"]
    assert keys(on, advance(on, 0, "0102"), "0101-0102") == ["advance-length"]


def test_river_may_be_crossed_into_the_first_hex_only() -> None:
    on = boards.board("....", sides={"river": "0101/0102 0102/0103"})
    r = advance(on, 3, "0102")
    assert keys(on, r, "0101-0102") == []
    assert keys(on, r, "0101-0102-0103") == ["hexside:river"]


def test_advance_stops_in_a_zone_but_not_in_the_first_hex() -> None:
    on = boards.board("....")
    assert keys(on, advance(on, 3, "0102", stop=on.mask(on.ids("0102"))), "0101-0104") == []
    assert keys(on, advance(on, 3, "0102", stop=on.mask(on.ids("0103"))), "0101-0104") == ["advance-stop"]


def test_forbidden_hexes_count_after_the_first() -> None:
    on = boards.board(".ss.")
    swamp = on.of_terrain("swamp")
    r = advance(on, 3, "0102", forbidden={"swamp": swamp})
    assert keys(on, r, "0101-0102") == []
    assert keys(on, r, "0101-0102-0103") == ["swamp"]


@given(worlds(), st.data())
def test_advances_are_what_judges_as_legal(world: World, data: st.DataObject) -> None:
    on = Board(world.map)
    vacated = frozenset(on.id_of[h] for h in data.draw(some(world.hexes, 3)))
    r = AdvanceRules(
        data.draw(st.integers(0, 3)),
        vacated,
        CostTable(on, Prices(hexsides={"lake": None})),
        CostTable(on, Prices(hexsides={"lake": None, "river": None}, terrain={"swamp": None})),
        on.mask(on.id_of[h] for h in data.draw(some(world.hexes, 2))),
        on.mask(on.id_of[h] for h in data.draw(some(world.hexes, 3))),
    )
    start = on.id_of[data.draw(st.sampled_from(world.hexes))]
    found = set(advances(on, r, start))
    legal = {h for h in range(len(on)) if h != start and not check_advance(on, r, (start, h))}
    assert found == legal


# --- obligations --------------------------------------------------------------------------------

TWO_CORPS = {"a": 4, "b": 4}


def owed(part: Part, **changes: Any) -> Obligation:
    return replace(Obligation(1, "axis", part, TWO_CORPS), **changes)


def settled(obligation: Obligation) -> list[str]:
    return [breach.key for breach in obligation.settle()]


D2 = Part(Pays.EITHER, 2)


def test_two_points_are_two_losses_two_hexes_or_one_of_each() -> None:
    losses, hexes, mixed = (
        owed(D2, lost={}, hexes={}),
        owed(D2, lost={}, hexes={}),
        owed(D2, lost={}, hexes={}),
    )
    losses.lose("a")
    losses.lose("b")
    for unit in "ab":
        hexes.retreat(unit, 2)
        mixed.retreat(unit, 1)
    mixed.lose("a")
    assert settled(losses) == settled(hexes) == settled(mixed) == []


def test_what_is_not_paid_is_named_with_how_much() -> None:
    obligation = owed(D2, lost={"a": 1}, hexes={})
    assert obligation.owed == 1
    breach = obligation.settle()[0]
    assert (breach.key, breach.needed, breach.available) == ("unpaid", 2, 1)


def test_paying_too_much_is_named() -> None:
    assert settled(owed(D2, lost={"a": 2}, hexes={"a": 1, "b": 1})) == ["overpaid"]


def test_survivors_retreat_the_same_number_of_hexes() -> None:
    assert settled(owed(D2, lost={}, hexes={"a": 2})) == ["uneven-retreat"]
    assert settled(owed(D2, lost={}, hexes={"a": 2, "b": 1})) == ["uneven-retreat"]


def test_dead_force_owes_nothing_more() -> None:
    assert settled(owed(Part(Pays.EITHER, 4), steps={"a": 1}, lost={"a": 1}, hexes={})) == []


def test_elimination_takes_every_step() -> None:
    assert settled(owed(Part(Pays.ALL), lost={"a": 4, "b": 3}, hexes={})) == ["unpaid"]
    assert settled(owed(Part(Pays.ALL), lost={"a": 4, "b": 4}, hexes={})) == []


def test_result_paid_in_steps_allows_no_retreat() -> None:
    steps = Part(Pays.STEPS, 2)
    assert settled(owed(steps, lost={"a": 1, "b": 1}, hexes={})) == []
    assert settled(owed(steps, lost={}, hexes={"a": 2, "b": 2})) == ["unpaid", "retreat-not-allowed"]


def test_unit_that_cannot_retreat_is_eliminated_when_its_stack_does() -> None:
    stack = {"steps": {"a": 2, "base": 1}, "immobile": frozenset({"base"})}
    assert settled(owed(Part(Pays.EITHER, 1), lost={}, hexes={"a": 1}, **stack)) == ["stranded"]
    assert settled(owed(Part(Pays.EITHER, 1), lost={"base": 1}, hexes={"a": 1}, **stack)) == []


def test_retreat_may_be_owed_as_well_as_steps() -> None:
    both = Part(Pays.BOTH, 1, 2)
    assert settled(owed(both, lost={"a": 1}, hexes={"a": 2, "b": 2})) == []
    assert settled(owed(both, lost={"a": 1}, hexes={})) == ["unpaid"]


def test_no_result_allows_nothing() -> None:
    assert settled(owed(Part(), lost={"a": 1}, hexes={})) == ["overpaid"]
    assert settled(owed(Part(), lost={}, hexes={})) == []
