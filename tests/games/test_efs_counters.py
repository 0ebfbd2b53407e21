"""The counters of Army Group Center: what the text prints, and what every group owes."""

from __future__ import annotations

from collections import defaultdict

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import Counter

PANZER = {f"pz-{n}" for n in (3, 4, 7, 10, 12, 17, 18, 19, 20)}
MOTORIZED = {f"mot-{n}" for n in (10, 14, 18, 20, 29)} | {"ss-reich"}


@pytest.fixture(scope="module")
def game() -> Game:
    return load("efs")


def _with(game: Game, trait: str) -> list[Counter]:
    return [c for c in game.counters if trait in (*c.traits, *game.unit_type[c.type].traits)]


def _groups(game: Game) -> dict[str, list[Counter]]:
    found: dict[str, list[Counter]] = defaultdict(list)
    for counter in game.counters:
        if "formation" in counter.values:
            found[str(counter.values["formation"])].append(counter)
    return found


def _arms(game: Game, counters: list[Counter], trait: str) -> int:
    return sum(trait in game.unit_type[c.type].traits for c in counters)


def test_all_is_reconstructed_and_says_how(game: Game) -> None:
    for counter in game.counters:
        assert counter.provenance is not None
        assert counter.provenance.source == "reconstructed"
        assert counter.provenance.how


def test_the_infantry_division_of_the_rules_has_its_printed_steps(game: Game) -> None:
    """23.23: 7-8-5, then 5-6-5, then 4-4-5."""
    assert game.counter["45ID"].steps == ("7-8-5", "5-6-5")
    assert game.counter["45ID-r"].steps[0] == "4-4-5"


def test_every_infantry_division_has_a_second_counter_that_is_weaker(game: Game) -> None:
    for division in [c for c in game.counters if c.type == "infantry-division"]:
        other = game.counter[f"{division.id}-r"]
        steps = [int(s.split("-")[0]) for s in (*division.steps, *other.steps)]
        assert steps == sorted(steps, reverse=True)
        assert len(set(steps)) == 4, division.id
        assert other.label == division.label


def test_the_step_card_shows_the_divisions_as_they_are_printed(game: Game) -> None:
    card = game.table["step-reduction"]
    rows = {tuple(card.row(r.id).values()) for r in card.rows}
    printed = {
        (*c.steps, *game.counter[f"{c.id}-r"].steps) for c in game.counters if c.type == "infantry-division"
    }
    assert printed == rows


def test_regiment_substitutes_are_those_of_the_rules(game: Game) -> None:
    steps = {s for c in game.counters if c.type == "regiment-substitute" for s in c.steps}
    assert steps == {"1-2-5", "2-2-5"}


def test_armor_of_the_example_is_there(game: Game) -> None:
    assert game.counter["PzR6"].steps[0] == "6-4-7"


def test_every_panzer_division_has_what_its_bonus_asks_for(game: Game) -> None:
    """15.58: its panzer regiment, two motorized infantry regiments, the reconnaissance unit."""
    groups = _groups(game)
    assert set(groups) == PANZER | MOTORIZED
    for name in PANZER:
        assert _arms(game, groups[name], "armor") >= 1
        assert _arms(game, groups[name], "motorized-infantry") == 2
        assert _arms(game, groups[name], "recon") == 1


def test_every_motorized_division_has_two_regiments_and_its_reconnaissance(game: Game) -> None:
    groups = _groups(game)
    for name in MOTORIZED:
        assert _arms(game, groups[name], "motorized-infantry") >= 2
        assert _arms(game, groups[name], "recon") == 1
        assert _arms(game, groups[name], "armor") == 0


def test_a_formation_fits_into_two_hexes(game: Game) -> None:
    for name, counters in _groups(game).items():
        assert sum(game.unit_type[c.type].stacking for c in counters) <= 20, name


def test_guns_have_one_step_and_a_back(game: Game) -> None:
    for counter in _with(game, "artillery"):
        assert len(counter.steps) == 2, counter.id
        kind = game.unit_type[counter.type]
        assert {"fires", "modes"} & set(kind.traits), counter.id
        if "modes" in kind.traits:
            front, back = (s.split("-") for s in counter.steps)
            assert (front[0], back[3]) == ("0", "0"), counter.id
            assert back[0].endswith("A"), counter.id
        else:
            assert counter.steps[0] == counter.steps[1], counter.id


def test_rockets_and_great_guns_support_attacks_alone(game: Game) -> None:
    for counter in _with(game, "rocket"):
        assert counter.steps[0].split("-")[0].endswith("A")


def test_a_gun_that_destroys_citadels_stands_ready(game: Game) -> None:
    assert [c.id for c in _with(game, "asterisk")] == ["Karl833"]
    assert game.counter["Karl833"].steps[1].startswith("*")


def test_headquarters_print_command_and_recovery(game: Game) -> None:
    for counter in _with(game, "headquarters"):
        front, back = counter.steps
        assert front.split("-")[0] == str(counter.values["command"])
        assert back.split("-")[0] == str(counter.values["recovery"])


def test_supply_units_hold_one_and_two_points_large_dumps_four_and_three(game: Game) -> None:
    for counter in _with(game, "supply-unit"):
        points = [s.split("-")[0] for s in counter.steps]
        assert points == (["4", "3"] if "large" in game.unit_type[counter.type].traits else ["1", "2"])


def test_soviet_motorized_units_have_eight_german_armor_seven(game: Game) -> None:
    for counter in game.counters:
        kind = game.unit_type[counter.type]
        if kind.mobility == "motorized-soviet" and "motorized" in kind.traits:
            assert counter.steps[0].split("-")[-1] == "8", counter.id
        if "armor" in kind.traits and kind.side == "axis":
            assert counter.steps[0].split("-")[-1] == "7", counter.id


def test_both_air_forces_have_dummies_and_transports(game: Game) -> None:
    for side in ("axis", "soviet"):
        mine = [c for c in game.counters if game.unit_type[c.type].side == side]
        kinds = {t for c in mine for t in game.unit_type[c.type].traits}
        assert {"dummy", "transport", "fighter", "bomber"} <= kinds


def test_the_bf_109f_of_the_example_has_rating_four_and_the_mig_two(game: Game) -> None:
    assert game.counter["I-JG51"].steps == ("4-0-0",)
    assert game.counter["IAD9-1"].steps[0].startswith("2-")


def test_each_label_is_short_enough_for_a_counter(game: Game) -> None:
    assert [c.id for c in game.counters if len(c.label) > 9] == []


def test_the_order_of_battle_has_the_numbers_of_1941(game: Game) -> None:
    count = {t: sum(c.type == t for c in game.counters) for t in game.unit_type}
    assert 40 <= count["infantry-division"] <= 48
    assert count["assault-gun-battalion"] >= 8
    assert count["rifle-division"] >= 90
    assert count["tank-division"] >= 25
    assert count["headquarters"] >= 18
