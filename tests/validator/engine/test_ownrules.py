"""`rules.py` in the folder of a game of one's own: judged by, and never run unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from fieldpost.cli import main
from validator.engine import ownrules
from validator.engine.rulebook import Rulebook

RULES = '''
"""Rules that the block does not tell of."""

from dataclasses import dataclass, field

from fieldpost.hexes import distance
from validator.engine.case import Memory
from validator.engine.rulebook import Rulebook
from validator.model.events import Attacked, Moved
from validator.model.findings import Fault


@dataclass
class InTurn(Memory):
    """What is remembered of a turn; a new turn begins with a new one."""

    crossed: list[str] = field(default_factory=list)


RULES = Rulebook("ferry-at-dawn", in_turn=InTurn)
MOVEMENT = {"blue-movement": "blue", "red-movement": "red"}


@RULES.rule("ferry-2.1")
@RULES.before(Moved)
def a_unit_moves_only_in_its_own_movement_phase(case, event):
    for name in event.units:
        unit = case.position.units[name]
        if event.mode not in ("retreat", "advance") and MOVEMENT.get(case.phase) != unit.side:
            yield Fault("ferry-2.1", f"{name} moves in the {case.phase_name()}", (name,))


@RULES.rule("ferry-2.2")
@RULES.before(Attacked)
def an_attack_needs_a_neighbouring_enemy(case, event):
    for name in event.units:
        unit = case.position.units[name]
        for target in event.targets:
            if not unit.on_map or distance(unit.hex, target) != 1:
                far = f"{name} is not beside {case.label(target)}"
                yield Fault("ferry-2.2", far, (name,), (target,))


@RULES.track(Moved)
def note_who_crosses(case, event):
    """A reducer: it writes what later rules ask for, and judges nothing."""
    if crosses(case, event):
        case.in_turn.crossed += event.units


@RULES.rule("ferry-6.1")
@RULES.before(Moved)
def one_unit_a_turn_crosses_by_the_ferry(case, event):
    crossed = case.in_turn.crossed
    if crosses(case, event) and len(crossed) > 1:
        yield Fault("ferry-6.1", f"{', '.join(crossed)} crossed by the ferry this turn", event.units)


def crosses(case, event):
    return any(step in ferries(case) for step in zip(event.path, event.path[1:], strict=False))


def ferries(case):
    """Each ferry as a step from hex to hex, there and back."""
    sides = [side for side, kinds in case.game.map.side_kinds.items() if "ferry" in kinds]
    return {*sides, *((side.b, side.a) for side in sides)}
'''
SHEET = """game {folder} dawn
turn 1 blue-movement
move 2B 0402-0403
move {crossing} 0403-0504
move TankB 0403-0504
move {stranger}
turn 1 blue-combat
attack {attack}
"""
FAULTY = SHEET.format(folder="raid", crossing="1B", stranger="MilR-1 0603-0602", attack="3B x 0603")
LEGAL = SHEET.format(folder="raid", crossing="1B", stranger="3B 0303-0403", attack="TankB x 0603").replace(
    "move 1B 0403-0504\n", ""
)

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def raid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new game, and two turns of it."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "raid"]) == 0
    (tmp_path / "raid" / "rules.py").write_text(RULES)
    _without_block(tmp_path / "raid" / "game.yaml")
    (tmp_path / "faulty.txt").write_text(FAULTY)
    (tmp_path / "legal.txt").write_text(LEGAL)
    return tmp_path / "raid"


def _without_block(game: Path) -> None:
    text = game.read_text()
    game.write_text(text[: text.index("rules:\n")])


def test_a_turn_is_judged_by_the_rules_of_its_folder(raid: Path, capsys: Capture) -> None:
    assert main(["check", "faulty.txt", "--game", str(raid)]) == 1
    said = capsys.readouterr().out
    assert "[ferry-6.1] line 5: 1B, TankB crossed by the ferry this turn" in said
    assert "[ferry-2.1] line 6: MilR-1 moves in the Blue Movement" in said
    assert "[ferry-2.2] line 8: 3B is not beside 0603" in said
    assert "Rule: One unit a turn may cross by the ferry." in said


def test_a_legal_turn_is_legal(raid: Path, capsys: Capture) -> None:
    assert main(["check", "legal.txt", "--game", "raid"]) == 0
    assert "nothing illegal in 4 actions" in capsys.readouterr().out


def test_an_audit_judges_by_them_too(raid: Path, capsys: Capture) -> None:
    assert main(["audit", "faulty.txt", "--game", "raid"]) == 1
    assert "3 illegal in 5 actions" in capsys.readouterr().out


def test_the_list_of_rules_knows_what_they_enforce(raid: Path, capsys: Capture) -> None:
    capsys.readouterr()
    assert main(["rules", str(raid)]) == 0
    assert "12 rules: 3 enforced" in capsys.readouterr().out


def test_a_folder_that_only_the_turn_names_is_not_run(raid: Path, capsys: Capture) -> None:
    (raid / "rules.py").write_text("raise SystemExit('run')")
    assert main(["check", "faulty.txt"]) == 2
    assert "--game FOLDER" in capsys.readouterr().err
    assert main(["audit", "."]) == 2


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("x = (", "rules.py:1: SyntaxError"),
        ("x = 1\nx.y", "rules.py:2: AttributeError"),
        ("x = 1", "there is no RULES in it"),
    ],
)
def test_a_fault_in_the_program_is_told_with_its_line(
    raid: Path, capsys: Capture, program: str, told: str
) -> None:
    (raid / "rules.py").write_text(program)
    assert main(["check", "faulty.txt", "--game", "raid"]) == 2
    assert told in capsys.readouterr().err


def test_a_rule_that_breaks_down_is_told_with_its_line(raid: Path, capsys: Capture) -> None:
    text = (raid / "rules.py").read_text()
    (raid / "rules.py").write_text(text.replace("case.phase_name()", "case.no_such_thing"))
    assert main(["check", "faulty.txt", "--game", "raid"]) == 2
    line = text[: text.index("case.phase_name()")].count("\n") + 1
    assert f"rules.py:{line}: AttributeError" in capsys.readouterr().err


def test_a_game_in_the_box_has_no_folder_of_its_own(raid: Path) -> None:
    assert ownrules.folder_of("wfm") is None
    assert ownrules.folder_of("no-such-game") is None
    assert ownrules.folder_of("raid") == Path("raid")
    book = ownrules.load(raid)
    assert isinstance(book, Rulebook)
    (raid / "rules.py").unlink()
    assert ownrules.load(raid) is None


BOTH = """
from dataclasses import dataclass, field

from validator.engine.case import Memory
from validator.engine.rulebook import Rulebook
from validator.model.events import Moved
from validator.model.findings import Fault


@dataclass
class InTurn(Memory):
    moved: list[str] = field(default_factory=list)


RULES = Rulebook("raid", in_turn=InTurn)


@RULES.track(Moved)
def note_who_moved(case, event):
    case.in_turn.moved += event.units


@RULES.rule("ferry-2.3")
@RULES.before(Moved)
def the_second_battalion_moves_first(case, event):
    if event.units != ("2B",) and "2B" not in case.in_turn.moved:
        yield Fault("ferry-2.3", f"{event.units[0]} moves before 2B", event.units)
"""


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with a block and a program of rules."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "ford"]) == 0
    (tmp_path / "ford" / "rules.py").write_text(BOTH)
    (tmp_path / "turn.txt").write_text(
        "game ford dawn\nturn 1 blue-movement\nmove 3B 0303-0302\nmove 1B 0403-0303-0302-0201-0101-0102\n"
    )
    return tmp_path


def test_a_block_and_a_program_judge_side_by_side(both: Path, capsys: Capture) -> None:
    assert main(["check", "turn.txt", "--game", "ford"]) == 1
    said = capsys.readouterr().out
    assert "[ferry-2.3] line 3: 3B moves before 2B" in said
    assert "[ferry-4.1] line 4: 1B: 5 MP needed" in said
    assert main(["rules", "ford"]) == 0
    assert "12 rules: 12 enforced" in capsys.readouterr().out


def test_a_program_that_does_not_run_is_named_as_not_checked(both: Path, capsys: Capture) -> None:
    assert main(["check", "turn.txt"]) == 1
    said = capsys.readouterr().out
    assert "rules.py of this game: it runs if you name it, --game FOLDER" in said
    assert "ferry-2.3" not in said
