"""What is hidden from a player stays out of all that is said of a log; what he sees is said."""

from __future__ import annotations

import contextlib
import io
import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest

from fieldpost.cli import main
from tests import secret_game as game
from tests.secret_game import BLUE, HAND, MAIN, ROOM, SHOWN, Location

HILL, MILL = Location(MAIN, 100, 100, "Hill"), Location(MAIN, 200, 100, "Mill")
BAY, CAPE = Location(MAIN, 300, 100, "SECRET-BAY"), Location(MAIN, 400, 100, "SECRET-CAPE")
DEPOT, FRONT = Location(ROOM, 100, 100, "SECRET-DEPOT"), Location(ROOM, 200, 100, "SECRET-FRONT")
LEFT, RIGHT = Location(HAND, 100, 100, "SECRET-LEFT"), Location(HAND, 200, 100, "SECRET-RIGHT")
PORCH = Location(SHOWN, 100, 100, "Porch")
LOCATIONS = (HILL, MILL, BAY, CAPE, DEPOT, FRONT, LEFT, RIGHT, PORCH)
FACE = "piece;;;unit.png;SECRET-NAME"
HIDE, SIDE_HIDE = "hide;73,130;Invisible;255,255,255;player:;0.3;", "hide;73,130;;255,255,255;side:;0.3;"
MASK, SIDE_MASK = "obs;77,130;back.png;Mask;I;Unknown unit;player:;Peek;", "obs;77,130;b.png;;I;Unit;side:;;"
CONCEAL = "conceal;C;back.png;ge;;"
MASKED, OPEN = f"{BLUE};false|0", "null;"


def unit(types: Sequence[str], states: Sequence[str], at: Location) -> list[str]:
    return [game.piece("u", [*types, FACE], [*states, game.basic(at)]), game.stack("s", at, "u")]


def turned(new: Sequence[str], old: Sequence[str], at: Location) -> str:
    return game.change("u", [*new, game.basic(at)], [*old, game.basic(at)])


def drag(old: Location, new: Location) -> list[str]:
    return [game.move("u", old, new), game.stack("s2", new, "u")]


LEAKS = {
    "a piece hidden by a player moves": (unit([HIDE], [BLUE], BAY), drag(BAY, CAPE)),
    "a piece hidden by a side moves": (unit([SIDE_HIDE], ["Blue"], BAY), drag(BAY, CAPE)),
    "a piece hidden by a player without a password": (unit([HIDE], [""], BAY), drag(BAY, CAPE)),
    "a masked piece moves": (unit([MASK], [MASKED], HILL), drag(HILL, MILL)),
    "a piece concealed in VASL's way moves": (unit([CONCEAL], [MASKED], HILL), drag(HILL, MILL)),
    "a hidden piece is masked": (
        unit([MASK, HIDE], [OPEN, BLUE], BAY),
        [turned([MASKED, BLUE], [OPEN, BLUE], BAY)],
    ),
    "a hidden piece gets another owner": (
        unit([HIDE], [BLUE], BAY),
        [turned(["another-word"], [BLUE], BAY)],
    ),
    "the inner of two masks": (unit([SIDE_MASK, MASK], [OPEN, MASKED], HILL), drag(HILL, MILL)),
    "the inner of two hides": (unit([SIDE_HIDE, HIDE], ["null", BLUE], BAY), drag(BAY, CAPE)),
    "a masked and hidden piece": (unit([MASK, HIDE], [MASKED, BLUE], BAY), drag(BAY, CAPE)),
    "a trait nobody knows": (unit(["cloak;1"], [""], BAY), drag(BAY, CAPE)),
    "moved in a private window": (unit([], [], DEPOT), drag(DEPOT, FRONT)),
    "made in a private window": ([], unit([], [], DEPOT)),
    "removed from a private window": (unit([], [], DEPOT), ["-/u"]),
    "masked in a hand": (unit([MASK], [OPEN], LEFT), [turned([MASKED], [OPEN], LEFT)]),
    "from a private window to a hand": (unit([], [], DEPOT), drag(DEPOT, LEFT)),
    "an invisible card in an open deck": (
        [
            game.piece("u", [HIDE, FACE], [BLUE, game.basic(HILL)]),
            game.deck("d", "Reserves", HILL, ["u"], face_down=False),
        ],
        [],
    ),
    "a card in a deck that lies face down": (
        [
            game.piece("u", [MASK, FACE], [OPEN, game.basic(HILL)]),
            game.deck("d", "Reserves", HILL, ["u"], face_down=True),
        ],
        ["-/u"],
    ),
    "a label outside of a mask that names what is inside": (
        unit(
            ["label;;;10;;0,0,0;t;0;c;0;b;c;;;0;0;Text;", MASK, "PROP;Secret;;;"],
            ["$Secret$ $pieceName$", MASKED, "SECRET-VALUE"],
            HILL,
        ),
        drag(HILL, MILL),
    ),
    "a card drawn from a closed deck into a hand": (
        [
            game.piece("u", [MASK, FACE], [OPEN, game.basic(HILL)]),
            game.deck("d", "Reserves", HILL, ["u"], face_down=True),
        ],
        drag(HILL, LEFT),
    ),
    "a card out of a hand into a closed deck": (
        [
            *unit([MASK], [OPEN], LEFT),
            game.deck("d", "Reserves", HILL, [], face_down=True),
        ],
        [game.move("u", LEFT, HILL)],
    ),
    "a card of a hand played masked": (
        unit([MASK], [OPEN], LEFT),
        [turned([MASKED], [OPEN], LEFT), *drag(LEFT, HILL)],
    ),
    "a chat for one player": ([], ["PRIV_CHAT\tRolf\tSECRET-WORDS"]),
    "a property of a private window": ([], [f"MutableProperty\tGold\t0\tSECRET-9\t{ROOM}"]),
    "a private note": ([], [f"PNOTE\t{BLUE}\tSECRET-NOTE"]),
    "a sealed note": ([], [f"SNOTE\tNote\t{BLUE}\ttrue\tSECRET-NOTE\t1\th"]),
}
AT_ONCE = {
    "hidden, then moved": [turned([BLUE], ["null"], HILL), *drag(HILL, BAY)],
    "moved, then hidden": [*drag(HILL, BAY), turned([BLUE], ["null"], BAY)],
    "sent to a private window": drag(HILL, DEPOT),
}


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "module" / "game.vmod"
    path.parent.mkdir()
    path.write_bytes(game.module(LOCATIONS))
    return path


def said(*arguments: object) -> str:
    """All that a command prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = main([str(argument) for argument in arguments])
    assert status in (0, 1, 2)
    return out.getvalue()


def everything_said(log: Path, module: Path, folder: Path, *, pages: bool = True) -> str:
    """What all commands say of a log to a stranger and to Red's player, with and without the module."""
    found = [said("info", log), said("info", log, "--json"), said("check", log), said("audit", log, "--json")]
    page = folder / "page.html"
    for known, view in itertools.product(([], ["--module", module]), ([], ["--view", "Red"])):
        found += [said("dump", log, *form, *known, *view) for form in ([], ["--all"], ["--json"])]
        found += [said("tell", log, *form, *known, *view) for form in ([], ["--json"])]
        if pages:
            found.append(said("replay", log, *known, *view, "-o", page))
            found.append(page.read_text(encoding="utf-8"))
    return "\n".join(found)


@pytest.mark.parametrize("way", LEAKS)
def test_nothing_is_said_of_what_is_hidden(way: str, module: Path, tmp_path: Path) -> None:
    setup, step = LEAKS[way]
    log = game.write(tmp_path / "game.vlog", game.log(setup, [step, []]))
    found = everything_said(log, module, tmp_path)
    assert "SECRET" not in found
    assert BLUE not in found


@pytest.mark.parametrize("way", AT_ONCE)
def test_a_piece_that_goes_out_of_sight_leaves_neither_name_nor_place(
    way: str, module: Path, tmp_path: Path
) -> None:
    log = game.write(tmp_path / "game.vlog", game.log(unit([HIDE], ["null"], HILL), [AT_ONCE[way]]))
    assert "SECRET" not in everything_said(log, module, tmp_path, pages=False)
    assert "A piece goes out of sight." in said("tell", log, "--module", module)


def test_what_is_shown_again_is_said(module: Path, tmp_path: Path) -> None:
    shown = [turned(["null"], [BLUE], HILL)]
    log = game.write(tmp_path / "game.vlog", game.log(unit([HIDE], [BLUE], HILL), [shown, drag(HILL, MILL)]))
    text = said("tell", log, "--module", module)
    assert "SECRET-NAME comes into sight at Hill." in text
    assert "SECRET-NAME moves from Hill to Mill." in text


def test_a_mask_taken_off_shows_the_name(module: Path, tmp_path: Path) -> None:
    lifted = [turned([OPEN], [MASKED], HILL)]
    log = game.write(tmp_path / "game.vlog", game.log(unit([MASK], [MASKED], HILL), [lifted]))
    assert "Unknown unit at Hill is turned face up: SECRET-NAME." in said("tell", log, "--module", module)


def test_the_owner_sees_his_own(module: Path, tmp_path: Path) -> None:
    log = game.write(tmp_path / "game.vlog", game.log(unit([HIDE], [BLUE], BAY), [drag(BAY, CAPE)]))
    seen = said("tell", log, "--module", module, "--view", "Blue")
    assert "SECRET-NAME moves from SECRET-BAY to SECRET-CAPE." in seen
    assert "Seen with the eyes of Blue" in seen
    seen = said("dump", log, "--module", module, "--all-seen")
    assert "SECRET-NAME: SECRET-BAY -> SECRET-CAPE" in seen
    assert "for a referee alone" in seen


def test_a_private_window_that_all_may_see_is_public(module: Path, tmp_path: Path) -> None:
    log = game.write(tmp_path / "game.vlog", game.log(unit([], [], HILL), [drag(HILL, PORCH)]))
    assert "SECRET-NAME moves from Hill to Porch." in said("tell", log, "--module", module)


def test_windows_that_are_not_surely_public_are_closed_and_counted(module: Path, tmp_path: Path) -> None:
    log = game.write(tmp_path / "game.vlog", game.log(unit([], [], HILL), [drag(HILL, MILL)]))
    head = "The module is not given: only Main Map is surely public, 3 windows left closed."
    for command in (["dump", log], ["tell", log], ["audit", log]):
        assert head in said(*command)


def test_another_games_module_opens_no_window(tmp_path: Path) -> None:
    from tests import oracle_files

    log = game.write(tmp_path / "game.vlog", game.log(unit([], [], DEPOT), [drag(DEPOT, FRONT)]))
    text = said("tell", log, "--module", oracle_files.MODULE)
    assert "The module is of 'Oracle Demo', the log is of 'Secret game'" in text
    assert "SECRET" not in text


def test_logs_that_do_not_fit_are_compared_by_what_was_public(module: Path, tmp_path: Path) -> None:
    one = game.write(tmp_path / "turn1.vlog", game.log(unit([HIDE], [BLUE], BAY), [[]]))
    other = game.write(tmp_path / "turn2.vlog", game.log(unit([HIDE], [BLUE], CAPE), [[]]))
    text = said("audit", one, other, "--module", module)
    assert "1 hidden piece elsewhere, or changed" in text
    assert "SECRET" not in text + said("audit", one, other, "--json")


def test_pieces_with_traits_nobody_knows_are_counted_at_the_head(module: Path, tmp_path: Path) -> None:
    log = game.write(tmp_path / "game.vlog", game.log(unit(["cloak;1"], [""], BAY), [drag(BAY, CAPE)]))
    head = "1 piece left out: nothing is known of what their trait 'cloak' hides."
    assert head in said("tell", log, "--module", module)


@pytest.mark.parametrize("name", ["5", "moves", "To"])
def test_a_name_that_reads_as_a_word_of_the_sentence_is_marked(
    name: str, module: Path, tmp_path: Path
) -> None:
    setup = [game.piece("u", [f"piece;;;;{name}"], [game.basic(HILL)]), game.stack("s", HILL, "u")]
    log = game.write(tmp_path / "game.vlog", game.log(setup, [drag(HILL, MILL)]))
    assert f'"{name}" moves from Hill to Mill.' in said("tell", log, "--module", module)
