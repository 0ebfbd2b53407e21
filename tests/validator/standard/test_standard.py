"""Games refereed by their data: worked cases, random legal play, planted faults, what is left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from fieldpost.definition.model import BattlePlate, Game, Order, Table
from fieldpost.definition.rulesmodel import CombatRules, Rules, StackingRules, ZoneRules
from fieldpost.definition.rulesmodel import SupplyRules as SupplyBlock
from fieldpost.definition.scenariomodel import SupplySource
from players import faults
from players.game import play
from players.standard.game import player, with_rules
from players.table import EXAMPLE, game_of, referee_of
from tests.places import REPOSITORY
from tests.processes import alone
from tests.validator.standard.variants import variants, with_ford
from validator import sheet
from validator.model.findings import Report, Verdict
from validator.services import cases, rulebooks
from validator.standard.supply import supply_now

FERRY = game_of(EXAMPLE)
CASES = cases.load(REPOSITORY / "examples" / "first-game")
VARIANTS = variants()


def judged(
    lines: list[str], game: Game = FERRY, *, over: bool = False, weak: str = "", moved: str = ""
) -> Report:
    """`weak`: a unit on its second step; `moved`: one that stands on the ferry's landing."""
    referee = referee_of(game, "dawn")
    if weak:
        referee.case.position.units[weak].step = 2
    if moved:
        referee.case.position.put(moved, game.map.lattice.hex("0504", "A"))
    read = sheet.read("\n".join([f"game {game.id} dawn", *lines]), lambda name: game)
    for event in read.events:
        referee.judge(sheet.expand(event, referee.case.position))
    if over:
        referee.close()
    return referee.report()


def said(report: Report) -> list[tuple[str, str]]:
    return [(finding.fault.rule, finding.fault.verdict.value) for finding in report.findings]


# --- worked cases -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=[f"{case.rule}-{n}" for n, case in enumerate(CASES)])
def test_a_worked_case_is_decided_by_its_own_rule(case: cases.Case) -> None:
    book = rulebooks.of(FERRY)
    assert book is not None
    assert cases.play(case, case.legal, FERRY, book) == []
    found = [finding.fault.rule for finding in cases.play(case, case.illegal, FERRY, book)]
    assert set(found) == {case.rule}


def test_every_enforced_rule_of_the_example_has_a_case() -> None:
    book = rulebooks.of(FERRY)
    assert book is not None
    assert {case.rule for case in CASES} == set(book.enforced)


# --- random games -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(VARIANTS))
def test_random_legal_play_is_never_accused(name: str) -> None:
    for seed in range(3):
        played = play(EXAMPLE, "dawn", seed, player=player(VARIANTS[name]))
        assert played.referee.findings == []


def test_battles_of_every_kind_come_up_in_random_games() -> None:
    games = [play(EXAMPLE, "dawn", seed, player=player(VARIANTS["zones that cost"])) for seed in range(9)]
    events = [event for played in games for event in played.events]
    modes = Counter(getattr(event, "mode", "") for event in events)
    assert modes["retreat"] > 1
    assert modes["advance"] > 1


def _planted() -> list[faults.Trial]:
    return [trial for seed in range(4) for trial in faults.trials(play(EXAMPLE, "dawn", seed), Random(seed))]


def test_planted_faults_are_found() -> None:
    trials = alone(_planted)
    missed = [(trial.fault.name, trial.said) for trial in trials if not trial.found]
    assert missed == []
    assert len({trial.fault.name for trial in trials}) >= 15


# --- what is left out -------------------------------------------------------------------------------------


def test_what_is_not_configured_is_named_and_never_all_checked() -> None:
    bare = with_rules(FERRY, **dict.fromkeys(("movement", "zones", "stacking", "supply", "combat")))
    lines = ["turn 1 blue-movement", "move 2B 0402-0102", "turn 1 blue-combat", "attack 1B x 0504"]
    report = judged(lines, bare)
    reasons = {item.reason.partition(":")[0] for item in report.unchecked}
    assert reasons == {"movement", "zones of control", "stacking", "supply", "combat"}
    assert not report.complete


def test_an_empty_block_checks_the_sequence_alone() -> None:
    bare = replace(FERRY, rules=Rules())
    lines = ["turn 1 blue-movement", "move MilR-1 0603-0602", "turn 1 blue-combat", "step 1B 1>2"]
    assert said(judged(lines, bare)) == [("sequence", "illegal"), ("sequence", "illegal")]


def test_combat_without_retreats_leaves_them_unchecked() -> None:
    game = with_rules(with_ford(FERRY), combat=CombatRules(rule="ferry-2.2"))
    lines = ["turn 3 blue-combat", "attack 1B+TankB x 0504 : 1d6=4", "retreat FerryR 0504-0604-0605"]
    assert [item.reason for item in judged(lines, game).unchecked] == [
        "retreats: nothing under `combat` tells where they lead"
    ]


def test_what_is_owed_while_the_phase_is_open_accuses_nobody() -> None:
    lines = ["turn 3 blue-combat", "attack 1B+TankB x 0504 : 1d6=1"]
    report = judged(lines)
    assert report.findings == ()
    assert [(owed.rule, owed.units) for owed in report.open] == [("ferry-2.2", ("1B", "TankB"))]
    assert said(judged(lines, over=True)) == [("ferry-2.2", "illegal")]


# --- slips, moves in parts, marks -------------------------------------------------------------------------


def test_a_move_in_parts_costs_what_it_costs_at_once() -> None:
    lines = ["turn 1 blue-movement", "move 2B 0402-0302", "move 2B 0302-0201", "move 2B 0201-0202-0203"]
    assert judged(lines).findings == ()
    assert said(judged([*lines, "move 2B 0203-0204"])) == [("ferry-4.1", "illegal")]


def test_a_counter_dragged_back_has_not_gone() -> None:
    lines = [
        "turn 1 blue-movement",
        "move 1B 0403-0402-0302",
        "move 1B 0302-0402-0403",
        "move 1B 0403-0303-0302-0301",
    ]
    assert judged(lines).findings == ()


def test_a_crossing_that_was_taken_back_leaves_room_for_another() -> None:
    there = ["given remove FerryR", "turn 1 blue-movement", "move 1B 0403-0504"]
    lines = [*there, "move 1B 0504-0403", "move TankB 0403-0504"]
    assert judged_position(lines) == []
    assert judged_position([*there, "move TankB 0403-0504"]) == [("ferry-6.1", "illegal")]


def judged_position(lines: list[str]) -> list[tuple[str, str]]:
    referee = referee_of(FERRY, "dawn")
    referee.case.position.put("FerryR", None)
    read = sheet.read("\n".join(["game ferry dawn", *lines[1:]]), lambda name: FERRY)
    referee.feed(read.events)
    return said(referee.report())


def test_an_attack_by_another_side_or_of_nobody_is_told_once() -> None:
    assert said(judged(["turn 1 blue-combat", "attack MilR-1 x 0403"]))[0] == ("ferry-2.1", "illegal")
    assert said(judged(["turn 1 blue-combat", "attack 1B x 0404"])) == [("ferry-2.2", "illegal")]


def test_markers_that_the_rules_do_not_tell_of_are_not_checked() -> None:
    report = judged(["turn 1 end", "unmark MilR-2 disordered"])
    assert report.findings == ()
    assert [item.reason for item in report.unchecked] == ["markers: what status does is not told in `rules`"]


def test_a_retreat_is_no_longer_than_the_result_asks() -> None:
    case = next(case for case in CASES if case.rule == "ferry-5.2")
    book = rulebooks.of(FERRY)
    assert book is not None
    lines = [case.legal[0], "retreat TankB 0604-0504-0503-0502"]
    (finding,) = cases.play(case, lines, FERRY, book)
    assert (finding.fault.rule, finding.fault.units) == ("ferry-5.2", ("TankB",))


def test_who_could_have_retreated_and_was_taken_off_is_doubtful() -> None:
    case = next(case for case in CASES if case.rule == "ferry-5.2")
    book = rulebooks.of(FERRY)
    assert book is not None
    lines = [case.legal[0], "remove TankB in 1"]
    (finding,) = cases.play(case, lines, FERRY, book)
    assert finding.fault.verdict is Verdict.WARNING


# --- what makers of games write ---------------------------------------------------------------------------


def phases(game: Game, **changes: dict[str, object]) -> Game:
    """The same game with other phases, by their ids with `_` for a hyphen."""
    named = {name.replace("_", "-"): change for name, change in changes.items()}
    return replace(game, sequence=tuple(replace(p, **named.get(p.id, {})) for p in game.sequence))  # type: ignore[arg-type]


def test_a_retreat_is_not_paid_for_by_steps() -> None:
    lines = [
        "turn 3 blue-combat",
        "attack 1B+TankB x 0504 : 1d6=3 = AR",
        "step 1B 1>2 in 1",
        "remove TankB in 1",
    ]
    assert ("ferry-5.2", "illegal") in said(judged(lines, over=True))


def test_a_lone_unit_does_not_cancel_the_zone_that_binds_it() -> None:
    bound = with_rules(with_ford(FERRY), zones=ZoneRules(lock=True, cancelled_by_units=("movement",)))
    alone = ["turn 3 red-movement", "move FerryR 0504-0604"]
    assert said(judged(alone, bound)) == [("zones", "illegal")]
    assert said(judged(alone, bound, moved="MilR-3")) == []


def test_stacks_are_counted_by_steps() -> None:
    game = with_rules(FERRY, stacking=StackingRules(Fraction(3), count="steps"))
    lines = ["turn 3 blue-movement", "move 3B 0303-0402", "turn 3 blue-combat"]
    assert said(judged(lines, game)) == [("stacking", "illegal")]
    assert said(judged(lines, game, weak="3B")) == []


def test_battles_go_on_in_a_phase_that_says_so() -> None:
    game = phases(FERRY, red_movement={"goes_on": True})
    declared = ["turn 3 blue-combat", "attack 1B+TankB x 0504", "turn 3 red-movement"]
    fought = [*declared, "roll combat 1d6=1 in 1"]
    assert said(judged(declared, game)) == []
    assert ("ferry-2.2", "illegal") in said(judged([*fought, "turn 3 red-combat"], game))


def test_a_phase_that_is_passed_over_leaves_no_battle_unsettled() -> None:
    lines = ["turn 3 blue-combat", "attack 1B+TankB x 0504 : 1d6=1 = AE", "turn 3 red-combat"]
    (finding,) = judged(lines, phases(FERRY, red_movement={"goes_on": True})).findings
    assert (finding.fault.rule, finding.fault.verdict) == ("ferry-2.2", Verdict.WARNING)
    assert finding.fault.message.startswith("the phase was passed over")


def test_two_dice_decide_where_the_game_has_two() -> None:
    rows = [replace(row, id=str(number)) for number, row in zip(range(2, 8), results().rows, strict=True)]
    rows += [replace(rows[-1], id=str(number)) for number in range(8, 13)]
    tables = tuple(replace(t, rows=tuple(rows)) if t.id == "combat-results" else t for t in FERRY.tables)
    game = replace(FERRY, tables=tables, dice=(replace(FERRY.dice[0], count=2),))
    assert said(judged(["turn 3 blue-combat", "attack 1B+TankB x 0504 : 2d6=1,1"], game)) == []
    one = ["turn 3 blue-combat", "attack 1B+TankB x 0504 : 1d6=3"]
    assert said(judged(one, game)) == [("ferry-2.2", "illegal")]


def test_a_result_beyond_the_columns_is_a_word_like_those_in_them() -> None:
    game = replace(FERRY, battle_plate=BattlePlate(below="A1"))
    lines = ["turn 3 blue-combat", "attack 1B x 0504 = A1", "remove 1B in 1"]
    assert said(judged(lines, game, weak="1B", over=True)) == []


def results() -> Table:
    return FERRY.table["combat-results"]


def test_who_was_never_lost_is_not_rebuilt_before_its_turn() -> None:
    game = phases(FERRY, red_movement={"may": ("move", "rebuild")})
    lines = ["turn 3 red-movement", "place GunR 0703"]
    assert said(judged(lines, game)) == [("ferry-6.2", "illegal")]


def test_a_side_without_a_source_is_not_judged_by_supply() -> None:
    (scenario,) = FERRY.scenarios
    blue = tuple(source for source in scenario.supply_sources if source.side == "blue")
    game = replace(FERRY, scenarios=(replace(scenario, supply_sources=blue),))
    report = judged(["turn 3 red-movement", "move MilR-1 0603-0602-0601"], game)
    assert report.findings == ()
    assert [item.reason for item in report.unchecked] == ["supply: the scenario names no source of red"]


def test_a_hex_that_attacks_stands_for_the_units_with_a_strength() -> None:
    there = referee_of(FERRY, "dawn").case.position
    there.put("HqB", there.units["1B"].spot)
    read = sheet.read(
        "\n".join(["game ferry dawn", "turn 3 blue-combat", "attack 0403 x 0504"]), lambda name: FERRY
    )
    attack = sheet.expand(read.events[-1], there)
    assert set(attack.units) == {"1B", "TankB"}  # type: ignore[attr-defined]


def test_an_attack_on_an_empty_hex_is_a_fault_and_its_advance_too() -> None:
    lines = ["turn 3 blue-combat", "attack 1B x 0404 : 1d6=3", "advance 1B 0403-0404"]
    assert ("ferry-2.2", "illegal") in said(judged(lines, over=True))


def test_a_battle_in_a_phase_that_the_turn_lacks_is_told() -> None:
    every = tuple(phase.id for phase in FERRY.sequence)
    shorter = tuple(phase for phase in every if phase != "blue-combat")
    game = replace(FERRY, orders=(Order(1, shorter), Order(4, every)))
    lines = ["turn 3 blue-combat", "attack 1B+TankB x 0504 : 1d6=3 = AR", "turn 3 red-movement"]
    assert ("ferry-2.1", "illegal") in said(judged(lines, game))


def test_a_unit_beside_the_enemy_has_a_line_out_of_its_own_hex() -> None:
    told = SupplyBlock(range=Fraction(20))
    game = with_rules(FERRY, supply=told, zones=ZoneRules(stop=True))
    scenario = game.scenario["dawn"]
    source = SupplySource("blue", ("0101",))
    game = replace(game, scenarios=(replace(scenario, supply_sources=(source,)),))
    case = referee_of(game, "dawn").case
    case.position.put("1B", game.map.lattice.hex("0503", "A"))
    supply = supply_now(case)
    assert supply is not None
    assert supply.feeds(case.position.units["1B"])
