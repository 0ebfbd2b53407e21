"""Where another module was played, what rests on reconstructed data is doubtful at most."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.definition.overlay import OWNER
from fieldpost.definition.rulelist import load_rules
from fieldpost.geometry import GAME_PROPERTY
from fieldpost.vassal import archive
from validator.audit import game as audits
from validator.audit import sources
from validator.engine.reconstructed import NAMES, NOT_CHECKED, Reconstructed
from validator.model.findings import Fault, Report, Verdict
from validator.services import one_turn
from validator.services.turnfile import Wanted

FAULTY = Path("examples/samples/turning-point-faulty/1-turn-22-axis.vlog")
OURS = Wanted()
FOREIGN = Wanted("wfm", "turning-point")
GAMES = ("wfm", "lwe", "ftm", "wie")


@cache
def game_of(name: str) -> Game:
    return load(name)


def doubts(game: Game, **rests_on: str) -> Reconstructed:
    named = {rule.replace("_", "-"): tuple(words.split()) for rule, words in rests_on.items()}
    return Reconstructed(game, game.scenarios[0], named)


def verdict(doubts: Reconstructed, rule: str, *units: str) -> Verdict:
    return doubts.doubted(Fault(rule, "it is wrong", units)).verdict


@pytest.mark.parametrize("name", GAMES)
def test_what_rules_rest_on_is_in_the_game(name: str) -> None:
    known = {*NAMES, *game_of(name).table}
    assert {word for rule in load_rules(name) for word in rule.rests_on} - known == set()


def test_a_rule_that_the_text_decides_stays_sure() -> None:
    assert verdict(doubts(game_of("ftm")), "ftm-6.1") is Verdict.ILLEGAL


@pytest.mark.parametrize("word", ["map", "counters", "turn-track", "scenario", "text", "combat-results"])
def test_reconstructed_data_make_doubtful(word: str) -> None:
    assert verdict(doubts(game_of("ftm"), a_rule=word), "a-rule") is Verdict.WARNING


def test_tables_of_the_rulebook_do_not() -> None:
    assert verdict(doubts(game_of("ftm"), a_rule="returns"), "a-rule") is Verdict.ILLEGAL


def test_the_owner_s_tables_do_not() -> None:
    game = game_of("ftm")
    tables = tuple(replace(table, provenance=OWNER) for table in game.tables)
    owned = replace(game, tables=tables)
    assert verdict(doubts(owned, a_rule="combat-results"), "a-rule") is Verdict.ILLEGAL
    assert verdict(doubts(owned, a_rule="combat-results map"), "a-rule") is Verdict.WARNING


def test_an_overlay_that_says_so_makes_the_map_the_owner_s(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.yaml"
    overlay.write_text("game: ftm\nwhole_map: true\n")
    assert verdict(doubts(load("ftm", [overlay]), a_rule="map"), "a-rule") is Verdict.ILLEGAL


def test_the_counters_are_those_that_the_fault_names() -> None:
    game = game_of("ftm")
    known = next(c.id for c in game.counters if c.provenance and c.provenance.source == "rulebook")
    ours = next(c.id for c in game.counters if c.provenance and c.provenance.source == "reconstructed")
    found = doubts(game, a_rule="counters")
    assert verdict(found, "a-rule", known) is Verdict.ILLEGAL
    assert verdict(found, "a-rule", known, ours) is Verdict.WARNING


def test_the_sentence_says_why() -> None:
    found = doubts(game_of("ftm"), a_rule="map combat-results returns")
    told = found.doubted(Fault("a-rule", "3 MP needed")).message
    assert told == (
        "3 MP needed (doubtful only: it rests on our map and chart 'Combat Results', "
        "and another module was played)"
    )


# --- logs ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The faulty sample as a module that is not ours would have written it."""
    content = archive.read(FAULTY)
    path = tmp_path_factory.mktemp("stranger") / FAULTY.name
    archive.write_game(path, (content.text or "").replace(GAME_PROPERTY, "SomebodysGame"), content.metadata)
    return path


@pytest.fixture(scope="module")
def reports(stranger: Path) -> tuple[Report, Report]:
    return one_turn.check(FAULTY, OURS).report, one_turn.check(stranger, FOREIGN).report


def by_rule(report: Report) -> dict[str, Verdict]:
    return {finding.fault.rule: finding.fault.verdict for finding in report.findings}


def test_our_log_is_judged_without_reserve(reports: tuple[Report, Report]) -> None:
    found = by_rule(reports[0])
    assert found["wfm-9.11"] is found["wfm-10.11"] is Verdict.ILLEGAL
    assert NOT_CHECKED not in {item.reason for item in reports[0].unchecked}


def test_a_stranger_s_log_is_accused_by_the_text_alone(reports: tuple[Report, Report]) -> None:
    ours, theirs = map(by_rule, reports)
    assert ours.keys() == theirs.keys()
    assert (theirs["wfm-9.11"], theirs["wfm-10.11"]) == (Verdict.WARNING, Verdict.ILLEGAL)
    assert NOT_CHECKED in {item.reason for item in reports[1].unchecked}


def test_an_audit_says_the_same(stranger: Path, reports: tuple[Report, Report]) -> None:
    ((audit,), _) = audits.audit(sources.gather([stranger]), FOREIGN)
    assert by_rule(audit.reports[0]) == by_rule(reports[1])
