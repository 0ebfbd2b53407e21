"""The `rules:` block: every slip in it is told with its line and the nearest word."""

from __future__ import annotations

from pathlib import Path

import pytest

from fieldpost.definition import load
from fieldpost.definition.effects import plate_of
from fieldpost.definition.problems import DefinitionError, Problem
from fieldpost.definition.results import usual
from fieldpost.definition.rulesmodel import Toll
from tests.fieldpost.definition.patching import EXAMPLE, change, copy_of_example

STACKING = "{rule: ferry-4.3, limit: 2}"
SLIPS = [
    ("  stacking: {", "  stackin: {", "no key 'stackin'", "stacking"),
    (STACKING, "{rule: ferry-4.9, limit: 2}", "no rule in rules.yaml 'ferry-4.9'", "ferry-4.4"),
    (STACKING, "{rule: ferry-4.3}", "needs 'limit'", None),
    (STACKING, "{limit: 2, at: {hil: 1}}", "'hil'", "hill"),
    (STACKING, "{limit: 2, count: unit}", "none of the choices", "units"),
    ("    one_hex: true\n", "    allowance: movment\n", "no printed factor 'movment'", "movement"),
    ("    one_hex: true\n", "    table: terrain-effect\n", "no terrain-effects table", "terrain-effects"),
    ("hexside: ferry,", "hexside: fery,", "no hexside kind 'fery'", "ferry"),
    ("    not_across: [river]\n", "    not_across: [rivers]\n", "no hexside kind 'rivers'", "river"),
    ("cancelled_by_units: [supply, retreat]", "cancelled_by_units: [suply]", "none of the choices", "supply"),
    ("    headquarters: staff\n", "    headquarters: stuff\n", "no trait 'stuff'", "staff"),
    ("headquarters: staff", "headquarters: armor", "TankB has the trait armor and no range", None),
    ("without: {movement: 1/2,", "without: {movement: 2,", "this is no share", None),
    ("    terrain: combat\n", "    terrain: combatt\n", "no column 'combatt'", "combat"),
    ("    terrain: combat\n", "    attack: atack\n", "no printed factor 'atack'", "attack"),
    ("cells: [1, 2, 1 left]", "cells: [1, 2, one left]", "cannot read 'one left'", None),
    ("cells: [AE, AR, AR, DR, DR]", "cells: [AE, AR, AR, DR, XX]", "cannot read the result 'XX'", None),
    ("columns: [foot, wheels, combat]", "columns: [foot, wheel, combat]", "mobility class 'wheels'", None),
    ("- {id: 6, cells:", "- {id: 7, cells:", "the rows are no dice", None),
    ("count: 1, sides: 6", "count: 1, sides: 8", "can show 7", None),
    ('columns: ["1:2", "1:1",', 'columns: ["1:1", "1:2",', "the odds do not rise", None),
    ("blue\n    may: [move]", "blue\n    may: [moves]", "would be a declaration", "move"),
    ("cells: [1, 2, 1 left]", "cells: [1, two, 1 left]", "'two' is no price", None),
    ("factors: [range, movement]", "factors: [range, movment]", "reads the factor 'movment'", "movement"),
    ("advance: {rule: ferry-5.3}", "advance: {rule: ferry-5.3, hexes: 0}", "0 cannot be", None),
    ("battle_plate:\n", "battle_plate:\n  below: XX\n", "cannot read the result 'XX'", None),
    ("terrain: combat\n", "results: [{cell: AE, attacker: {all: true, lose: 1}}]\n", "asked together", None),
]  # fmt: skip


def problems_of(folder: Path) -> tuple[Problem, ...]:
    with pytest.raises(DefinitionError) as caught:
        load(folder)
    return caught.value.problems


@pytest.mark.parametrize(("old", "new", "told", "near"), SLIPS, ids=[slip[2] for slip in SLIPS])
def test_a_slip_is_told_with_its_line_and_the_nearest_word(
    tmp_path: Path, old: str, new: str, told: str, near: str | None
) -> None:
    game = copy_of_example(tmp_path)
    change(game / "game.yaml", old, new)
    problem = next(problem for problem in problems_of(game) if told in problem.message)
    assert problem.line > 0
    assert problem.nearest == near


def test_parts_ask_for_what_they_use(tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    change(game / "scenarios" / "dawn.yaml", "points: {red-step: 1}", "points: {red-steps: 1}")
    text = (game / "game.yaml").read_text()
    (game / "game.yaml").write_text(text.replace("may: [move]", "may: [march]"))
    told = [problem.message for problem in problems_of(game)]
    assert "nobody ever moves" in told
    assert "there is no thing to count 'red-steps'" in told


SOURCES = "{side: red, hexes: 0701 0706}"


def test_areas_and_map_edges_stand_for_their_hexes(tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    dawn = game / "scenarios" / "dawn.yaml"
    change(dawn, SOURCES, "{side: red, hexes: [E, blue-bank]}")
    change(dawn, "where: 0703 0702 0603 0704", 'where: "E, 0603"')
    change(dawn, 'red: ["0504", "0702"]', "red: E 0504")
    map_, scenario = load(game).map, load(game).scenario["dawn"]
    edge, bank = len(map_.named["E"]), len(map_.named["blue-bank"])
    assert len(map_.hexes_of(scenario.supply_sources[-1].hexes, "A")) == edge + bank
    assert len(map_.hexes_of(scenario.reinforcements[0].where, "A")) == edge + 1


@pytest.mark.parametrize(
    ("old", "new", "told", "near"),
    [
        (SOURCES, "{side: red, hexes: Es 0706}", "'Es'", "E"),
        (SOURCES, "{side: red, hexes: '07999'}", "'07999'", None),
        ("where: 0703 0702 0603 0704", "where: blue-bnk", "'blue-bnk'", "blue-bank"),
        ("where: 0703 0702 0603 0704", "where: far-rood", "'far-rood'", "far-road"),
    ],
)
def test_words_that_stand_for_no_hex_are_told(
    tmp_path: Path, old: str, new: str, told: str, near: str | None
) -> None:
    game = copy_of_example(tmp_path)
    change(game / "scenarios" / "dawn.yaml", old, new)
    (problem,) = problems_of(game)
    assert problem.message == f"there is no hex {told}"
    assert problem.nearest == near


def test_an_empty_block_is_sound(tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    text = (game / "game.yaml").read_text()
    (game / "game.yaml").write_text(text[: text.index("rules:\n")] + "rules: {}\n")
    rules = load(game).rules
    assert rules is not None
    assert rules.movement is None


@pytest.mark.parametrize(
    ("cell", "attacker", "defender"),
    [
        ("-", Toll(), Toll()),
        ("NE", Toll(), Toll()),
        ("AE", Toll(all=True), Toll()),
        ("dr", Toll(), Toll(retreat=2)),
        ("DR3", Toll(), Toll(retreat=3)),
        ("A1", Toll(lose=1), Toll()),
        ("DL2", Toll(), Toll(lose=2)),
        ("D1R", Toll(), Toll(lose=1, retreat=2)),
        ("1/2", Toll(lose=1), Toll(lose=2)),
        ("-/1", Toll(), Toll(lose=1)),
        ("A1/DR", Toll(lose=1), Toll(retreat=2)),
    ],
)
def test_usual_results_are_read(cell: str, attacker: Toll, defender: Toll) -> None:
    assert usual(cell, 2) == (attacker, defender)


@pytest.mark.parametrize("cell", ["EX", "A1 A2", "D", "X2"])
def test_other_results_are_asked_for(cell: str) -> None:
    assert usual(cell, 2) is None


def test_the_plate_of_the_module_knows_what_the_referee_reads_from_the_ground() -> None:
    effects = {effect.text: (effect.columns, effect.die) for effect in plate_of(load(EXAMPLE)).effects}
    assert effects == {"night": (0, -1), "forest": (-1, 0), "hill": (-1, 0), "ferry": (-2, 0)}
