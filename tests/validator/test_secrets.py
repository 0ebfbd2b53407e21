"""What is said about a turn holds no password and no mail address, whatever form it takes."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from builder.module.package import build
from fieldpost.definition import load
from fieldpost.vassal import steps
from fieldpost.vassal.writer import LogBuilder
from tests.fieldpost.commands.running import run

PASSWORDS = ("sesame-ann", "sesame-bob")
MAIL = "ann.player@mail.example.org"
SECRETS = (*PASSWORDS, MAIL)
UNIT = "unit-11AK"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A turn with a fault, played by people whose passwords are in every place that one can stand in."""
    folder = tmp_path_factory.mktemp("secrets")
    module = build(load("wfm"), folder).path
    save = folder / "start.vsav"
    save.write_bytes(zipfile.ZipFile(module).read("turning-point.vsav"))
    played = LogBuilder(steps.read(save), player="sesame-ann")
    played.add("PLAYER\tsesame-ann\tAnn Player\tAxis", "PLAYER\tsesame-bob\tBob Other\tSoviet")
    played.say("Ann Player", f"mail me at {MAIL}, password sesame-ann")
    played.add(f"NOTES\tthe other password is sesame-bob, write to {MAIL}")
    played.report(f"[fp] declare expend-depot sesame-bob @{MAIL}")
    place = played.table.layout.things[UNIT].place
    assert place is not None
    played.move([UNIT], "Map", place.x + 300, place.y + 300, "sesame-ann moves 11AK")
    played.roll("combat", f"3 (sesame-bob, {MAIL})", "Ann Player")
    path = folder / "turn.vlog"
    played.write(path)
    return path


def test_the_turn_is_full_of_secrets(log: Path) -> None:
    text = "\n".join(steps.read(log).parts)
    assert [secret for secret in SECRETS if secret not in text] == []


@pytest.mark.parametrize(
    "command",
    [
        ["check"],
        ["check", "--json"],
        ["check", "--junit"],
        ["check", "--html", "OUT", "--plain-map"],
        ["check", "--reply"],
        ["audit"],
        ["audit", "--json"],
        ["audit", "--html", "OUT", "--plain-map"],
        ["audit", "--jobs", "0"],
        ["audit", "--jobs", "0", "--json"],
        ["audit", "--jobs", "0", "--out", "OUT"],
        ["audit", "--reply"],
        ["tell"],
        ["tell", "--json"],
        ["tell", "--format", "markdown"],
        ["reach", "11AK"],
        ["reach", "11AK", "--json"],
        ["supply"],
        ["supply", "--json"],
    ],
    ids=" ".join,
)
def test_no_answer_shows_a_secret(
    command: list[str], log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    name, *rest = (str(page) if word == "OUT" else word for word in command)
    result = run(capsys, name, log, *rest)
    assert result.status in (0, 1), result.err
    said = result.out + result.err + (page.read_text(encoding="utf-8") if page.exists() else "")
    assert len(said) > 80
    assert [secret for secret in SECRETS if secret in said] == []
