"""Logs of a module we did not make, written by the engine: what the audit finds without rules."""

from __future__ import annotations

import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from fieldpost.vassal import archive
from tests import oracle_files
from validator.anygame import audit as anygame
from validator.anygame import one_log
from validator.anygame.audit import GameAudit
from validator.audit import sources

BLUE, RED = "1795001418146", "1795001418150"
OTHERS = ("1795001418455", "1795001418603", "1795001418147", "1795001418899", "1795001418750")


class Campaign:
    """Plays log after log in the engine, each from where the one before ended."""

    def __init__(self, engine: ModuleType, folder: Path) -> None:
        self.engine, self.folder = engine, folder
        self.module = oracle_files.MODULE

    def play(self, name: str, *lines: str) -> Path:
        log = self.folder / f"{name}.vlog"
        self.engine.play_log(self.module, "\n".join(lines) + "\n", log, setup="Battle")
        return log

    def go_on(self, log: Path) -> None:
        """The end of a log becomes the set-up of what is played next."""
        save = self.folder / "end.vsav"
        self.engine.vlog_replay(oracle_files.MODULE, log, full=False, trace=False, resave=save)
        entries = {}
        with zipfile.ZipFile(oracle_files.MODULE) as module:
            entries = {name: module.read(name) for name in module.namelist()}
        entries["battle.vsav"] = save.read_bytes()
        self.module = self.folder / "going-on.vmod"
        self.module.write_bytes(archive.pack(entries))


def drag(piece: str, x: int, y: int) -> str:
    return f"drag\t{piece}\tMain Map\t{x}\t{y}"


ROLLS = ("button\t2d6",) * 6


@pytest.fixture(scope="module")
def logs(engine: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    campaign = Campaign(engine, tmp_path_factory.mktemp("campaign"))
    found = {"one": campaign.play("one", drag(BLUE, 216, 274), *ROLLS)}
    campaign.go_on(found["one"])
    found["two"] = campaign.play("two", drag(RED, 494, 306), *ROLLS, drag(BLUE, 216, 338))
    found["again"] = campaign.play("again", drag(RED, 494, 306), *ROLLS, drag(BLUE, 216, 210))
    campaign.go_on(found["two"])
    found["three"] = campaign.play("three", drag(BLUE, 272, 306))
    campaign.go_on(found["three"])
    campaign.go_on(campaign.play("unseen", drag(RED, 439, 274)))
    found["four"] = campaign.play("four", drag(BLUE, 328, 274))
    campaign.go_on(found["four"])
    campaign.go_on(campaign.play("five", *(drag(piece, 328, 338) for piece in OTHERS)))
    found["six"] = campaign.play("six", drag(BLUE, 383, 306))
    return found


def audited(logs: list[Path]) -> GameAudit:
    audits, unusable = anygame.audit(sources.gather(logs), one_log.Library([], oracle_files.MODULE))
    assert not unusable
    (one,) = audits
    return one


def test_logs_that_follow_each_other_hang_together(logs: dict[str, Path]) -> None:
    found = audited([logs["three"], logs["one"], logs["two"]])
    assert [entry.name for entry in found.chain.entries] == ["one.vlog", "two.vlog", "three.vlog"]
    assert (found.verdict, found.chain.links) == ("whole", ())


def test_each_fault_is_named_and_nothing_else(logs: dict[str, Path]) -> None:
    found = audited(list(logs.values()))
    assert [entry.name[:-5] for entry in found.chain.entries] == ["one", "two", "three", "four", "six"]
    assert [(link.kind, link.before, link.after) for link in found.chain.links] == [
        ("re-rolled", "two.vlog", "again.vlog"),
        ("broken", "three.vlog", "four.vlog"),
        ("gap", "four.vlog", "six.vlog"),
    ]
    _, broken, gap = found.chain.links
    assert broken.differences == ("1st Red was at 0905, now 0804",)
    assert len(gap.differences) == len(OTHERS)


def test_the_dice_are_counted_by_player_and_die(logs: dict[str, Path]) -> None:
    found = audited([logs["one"], logs["two"]])
    (tally,) = found.luck.tallies
    assert (tally.die, tally.dice, tally.number, tally.expected) == ("2d6", 2, 2 * len(ROLLS), 7.0)
