"""Which logs are of one game, where those of many lie together."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.fieldpost.commands.running import Run, run
from tests.validator.audit import mailed
from tests.validator.audit.mailed import OTHER_SEED, Sent
from validator.audit import game, sources
from validator.services.turnfile import Wanted

Capture = pytest.CaptureFixture[str]
Logs = tuple[Sent, ...]


def put(folder: Path, *logs: Sent, prefix: str = "") -> Path:
    folder.mkdir(exist_ok=True, parents=True)
    for log in logs:
        (folder / f"{prefix}{log.name}").write_bytes(log.data)
    return folder


def games(*paths: Path) -> list[tuple[str, list[str]]]:
    found, unusable = game.games(sources.gather(list(paths)), Wanted())
    assert unusable == []
    return [(name, sorted(entry.name for entry in entries)) for name, entries in found]


def parted(*paths: Path) -> list[list[str]]:
    return sorted(names for _, names in games(*paths))


def names(prefix: str, logs: Logs) -> list[str]:
    return sorted(f"{prefix}{log.name}" for log in logs)


@pytest.fixture(scope="module")
def one() -> Logs:
    return mailed.whole()


@pytest.fixture(scope="module")
def other() -> Logs:
    return mailed.whole(OTHER_SEED)


def test_two_games_of_one_scenario_in_one_folder_are_two(one: Logs, other: Logs, tmp_path: Path) -> None:
    put(tmp_path, *one, prefix="a-")
    put(tmp_path, *other, prefix="b-")
    found = games(tmp_path)
    assert [sorted(group) for _, group in found] == [names("a-", one), names("b-", other)]
    assert [name for name, _ in found] == [
        f"{tmp_path.name}: a-{one[0].name}",
        f"{tmp_path.name}: b-{other[0].name}",
    ]


def test_a_game_is_called_as_its_folder(one: Logs, other: Logs, tmp_path: Path) -> None:
    put(tmp_path / "league" / "anna-bert", *one)
    put(tmp_path / "league" / "carl-dora", *other)
    assert [name for name, _ in games(tmp_path)] == ["anna-bert", "carl-dora"]


def test_folders_of_the_same_name_are_told_apart_by_what_they_lie_in(
    one: Logs, other: Logs, tmp_path: Path
) -> None:
    put(tmp_path / "1941" / "turns", *one[:2])
    put(tmp_path / "1942" / "turns", *other[:2])
    assert [name for name, _ in games(tmp_path)] == ["1941/turns", "1942/turns"]


def test_one_game_in_two_folders_is_one(one: Logs, tmp_path: Path) -> None:
    put(tmp_path / "sent", *one[::2])
    put(tmp_path / "received", *one[1::2])
    assert parted(tmp_path) == [names("", one)]


def test_what_follows_a_gap_goes_to_the_game_it_fits(one: Logs, other: Logs, tmp_path: Path) -> None:
    """Both lack a log; the rest of one must not go to the other, which stood otherwise."""
    put(tmp_path, *one[:4], *one[5:], prefix="a-")
    put(tmp_path, *other[:4], *other[5:], prefix="b-")
    assert [len(group) for group in parted(tmp_path)] == [8, 8]
    assert all(len({name[0] for name in group}) == 1 for group in parted(tmp_path))


def test_a_complete_game_takes_no_piece_of_one_in_pieces(one: Logs, other: Logs, tmp_path: Path) -> None:
    put(tmp_path, *one, prefix="a-")
    put(tmp_path, *other[5:], prefix="b-")
    assert parted(tmp_path) == [names("a-", one), names("b-", other[5:])]


def test_another_version_is_of_the_game_it_is_a_version_of(one: Logs, other: Logs, tmp_path: Path) -> None:
    put(tmp_path, *one, prefix="a-")
    put(tmp_path, *other, mailed.rerolled(4, OTHER_SEED), prefix="b-")
    assert parted(tmp_path) == [names("a-", one), sorted([*names("b-", other), "b-again.vlog"])]


def test_a_copy_goes_with_its_original_wherever_it_lies(one: Logs, tmp_path: Path) -> None:
    put(tmp_path / "anna", *one)
    put(tmp_path / "bert", *one[3:5])
    found = games(tmp_path)
    assert [(name, len(group)) for name, group in found] == [("anna", 11)]


def test_a_game_kept_twice_is_one(one: Logs, tmp_path: Path) -> None:
    put(tmp_path / "anna", *one)
    put(tmp_path / "bert", *one)
    assert [(name, len(group)) for name, group in games(tmp_path)] == [("anna", 18)]


def test_two_games_that_begin_with_the_same_turn_are_two(one: Logs, tmp_path: Path) -> None:
    put(tmp_path / "a", *one)
    put(tmp_path / "b", *one[:3], *mailed.forked(3))
    assert [(name, len(group)) for name, group in games(tmp_path)] == [("a", 9), ("b", 5)]


def test_two_lines_of_play_from_one_position_are_two_games(one: Logs, tmp_path: Path) -> None:
    """A club starts every game from the same first turn."""
    put(tmp_path / "a", *one)
    put(tmp_path / "b", *mailed.forked(3))
    assert sorted(len(group) for group in parted(tmp_path)) == [2, 9]


def test_turn_sheets_of_the_same_time_are_of_several_games(tmp_path: Path) -> None:
    for name in ("one.turn", "two.turn"):
        (tmp_path / name).write_text("game wfm turning-point\nturn 22 sov-move\nmove 28A 5405-5404\n")
    (tmp_path / "two.turn").write_text("game wfm turning-point\nturn 22 sov-move\nmove 51A 5008-5109\n")
    assert parted(tmp_path) == [["one.turn"], ["two.turn"]]


def test_order_and_place_of_the_files_do_not_matter(one: Logs, other: Logs, tmp_path: Path) -> None:
    everything = [("a-", log) for log in one] + [("b-", log) for log in other]
    for number, (prefix, log) in enumerate(Random(8).sample(everything, len(everything))):
        put(tmp_path / f"{number % 3}", log, prefix=prefix)
    assert parted(tmp_path) == [names("a-", one), names("b-", other)]


# --- mails ---


def test_threads_tell_what_hangs_on_nothing(one: Logs, other: Logs, tmp_path: Path) -> None:
    """Of both games the beginning is lost; in one mailbox, by thread."""
    box = mailed.in_threads(
        tmp_path / "club.mbox", {"<one@example.org>": one[:2] + one[4:6], "<two@example.org>": other[7:]}
    )
    assert [len(group) for group in parted(box)] in ([4, 2], [2, 4])


def audit(capsys: Capture, *arguments: object) -> Run:
    return run(capsys, "audit", *arguments)


def test_several_games_are_told_one_after_the_other_by_name(
    one: Logs, other: Logs, tmp_path: Path, capsys: Capture
) -> None:
    put(tmp_path / "anna-bert", *one[:2])
    put(tmp_path / "carl-dora", *other[:2])
    done = audit(capsys, tmp_path)
    assert done.status == 0
    assert "== anna-bert ==" in done.out
    assert "== carl-dora ==" in done.out


def test_files_of_one_name_in_one_game_are_told_apart(one: Logs, tmp_path: Path, capsys: Capture) -> None:
    for number, log in enumerate(one[:3]):
        put(tmp_path / f"turn-{number}", Sent("mine.vlog", log.data))
    done = run(capsys, "audit", tmp_path, "--json")
    logs = [log["file"] for log in done.json["logs"]]
    assert logs == ["mine.vlog in turn-0", "mine.vlog in turn-1", "mine.vlog in turn-2"]
