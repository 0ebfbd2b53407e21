"""Logs of a module we know nothing of: put in order, joined, counted, told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fieldpost.cli import main
from fieldpost.vassal import archive, steps
from fieldpost.vassal.metadata import Metadata
from tests import oracle_files
from validator.anygame import audit as anygame
from validator.anygame import one_log, summary
from validator.anygame.audit import GameAudit
from validator.audit import sources

LOG = oracle_files.log("random1")


def cut(folder: Path, name: str, first: int, last: int, *, drop: str = "", version: str = "") -> Path:
    """A part of a log as a log of its own: it starts where the steps before it end."""
    log = steps.read(LOG)
    head = [part for at, part in enumerate(log.parts) if not any(step.part == at for step in log.steps)]
    before = [log.parts[step.part] for step in log.steps[:first]]
    played = [part.replace("LOG\t", "") for part in before]
    kept = [log.parts[step.part] for step in log.steps[first:last]]
    text = "\x1b".join([*head, *played, *kept])
    meta = replace(log.metadata, version=version) if version else log.metadata
    path = folder / name
    archive.write_game(path, text.replace(drop, "") if drop else text, meta)
    return path


def audited(*paths: Path) -> GameAudit:
    audits, unusable = anygame.audit(sources.gather(list(paths)), one_log.Library([], oracle_files.MODULE))
    assert not unusable
    (one,) = audits
    return one


def test_parts_of_a_log_in_any_order_are_one_whole_game(tmp_path: Path) -> None:
    parts = [cut(tmp_path, f"turn{n}.vlog", 50 * (n - 1), 50 * n) for n in (3, 1, 2)]
    found = audited(*parts)
    assert [entry.name for entry in found.chain.entries] == ["turn1.vlog", "turn2.vlog", "turn3.vlog"]
    assert (found.verdict, found.chain.links) == ("whole", ())


def test_a_missing_log_is_a_gap(tmp_path: Path) -> None:
    found = audited(*[cut(tmp_path, f"turn{n}.vlog", 50 * (n - 1), 50 * n) for n in (1, 3)])
    assert [(link.kind, link.before, link.after) for link in found.chain.links] == [
        ("gap", "turn1.vlog", "turn3.vlog")
    ]
    assert found.verdict == "broken"


def test_saves_alone_tell_what_changed_and_miss_no_log(tmp_path: Path) -> None:
    found = audited(*[cut(tmp_path, f"turn{n}.vsav", 50 * n, 50 * n) for n in (1, 2)])
    assert [(link.kind, link.before, link.after) for link in found.chain.links] == [
        ("saved", "turn1.vsav", "turn2.vsav")
    ]
    assert found.verdict == "whole"
    text = summary.render([found], [])
    assert "saved games only, they tell no steps\n" in text
    assert "2 saves, 0 steps" in text


def test_a_copy_is_harmless(tmp_path: Path) -> None:
    first = cut(tmp_path, "turn1.vlog", 0, 40)
    copy = tmp_path / "copy.vlog"
    copy.write_bytes(first.read_bytes())
    found = audited(first, copy)
    assert (found.verdict, [link.kind for link in found.chain.links]) == ("whole", ["copy"])


def test_a_log_begun_again_is_told(tmp_path: Path) -> None:
    found = audited(cut(tmp_path, "short.vlog", 0, 20), cut(tmp_path, "long.vlog", 0, 60))
    assert [link.kind for link in found.chain.links] == ["restarted"]
    assert [entry.name for entry in found.chain.entries] == ["long.vlog"]


def test_another_version_of_the_module_is_harmless_and_named(tmp_path: Path) -> None:
    found = audited(cut(tmp_path, "a1.vlog", 0, 40), cut(tmp_path, "a2.vlog", 40, 80, version="9.9"))
    assert [link.message for link in found.chain.links] == [
        "a2.vlog was played with version 9.9, a1.vlog with 1.0"
    ]
    assert found.verdict == "whole"


def test_the_verdict_says_at_its_head_that_no_rules_were_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(LOG)]) == 0
    assert capsys.readouterr().out.splitlines()[1] == summary.NO_RULES
    assert main(["audit", str(LOG), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["game"], answer["rules"], answer["verdict"]) == (None, "unknown", "whole")


def test_no_password_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["audit", str(LOG)], ["audit", str(LOG), "--json"], ["tell", str(LOG)]):
        main(command)
        assert oracle_files.PASSWORD not in capsys.readouterr().out


def test_a_roll_taken_back_and_made_again_is_named() -> None:
    found = audited(oracle_files.log("random3"))
    assert [(one["step"], one["again"]) for one in found.luck.undone] == [(111, 135)]


def test_a_file_without_pieces_and_steps_is_no_log(tmp_path: Path) -> None:
    path = tmp_path / "empty.vlog"
    archive.write_game(path, "begin_save\x1b\x1bend_save", Metadata("X", "1", "3.6"))
    audits, unusable = anygame.audit(sources.gather([path]), one_log.Library([]))
    assert (audits, [one.why for one in unusable]) == ([], ["neither pieces nor steps are in it"])
