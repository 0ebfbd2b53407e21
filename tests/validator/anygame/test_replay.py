"""The replay's data: what lies where after each step, and that no secret is in it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fieldpost.cli import main
from fieldpost.vassal import archive, codec, looks, steps
from fieldpost.vassal.looks import Box, StackStep
from fieldpost.vassal.module import Module
from fieldpost.vassal.sight import Sight
from fieldpost.vassal.table import Table
from tests import oracle_files
from validator.anygame import picture
from validator.anygame.art import Art
from validator.anygame.replay import Film

NAMES = ("oracle", "random1", "random2", "random3")


def film(name: str, side: str | None = None) -> Film:
    made = Film(Art.read(oracle_files.MODULE), side)
    made.add(f"{name}.vlog", steps.read(oracle_files.log(name)), Module.read(oracle_files.MODULE), "")
    return made


def shown(made: Film) -> list[str]:
    return [look.name for look in made.cast.looks]


@pytest.mark.parametrize("name", NAMES)
def test_after_every_step_as_many_lie_there_as_the_table_has_to_show(name: str) -> None:
    log = steps.read(oracle_files.log(name))
    table = Table.of(log)
    for step, actors in zip([None, *log.steps], picture.play(film(name).frames), strict=True):
        if step is not None:
            table.step(step)
        loose = [
            piece
            for piece in table.pieces.values()
            if piece.place.map and piece.hidden_by is None and not hasattr(piece.parent, "face_down")
        ]
        decks = [deck for deck in table.decks.values() if deck.map]  # an empty one by its outline
        assert len(actors) == len(loose) + len(decks)


def test_stacks_lie_by_their_left_and_lower_edges_as_in_the_engine() -> None:
    small, large = Box(-10, -10, 10, 10), Box(-20, -20, 20, 20)
    assert StackStep().next((100, 100), small, small) == (102, 96)
    assert StackStep().next((100, 100), small, large) == (112, 86)


def test_cards_that_lie_face_down_are_not_in_the_page() -> None:
    made = film("oracle")
    assert not any(name.startswith("Event") for name in shown(made) if "(" not in name)
    page = json.dumps(made.frames)
    assert not re.search(r"Event [1-5]", page)


def test_a_hidden_piece_leaves_the_board_and_its_number_is_not_used_again() -> None:
    made = film("oracle")
    left = {op[0]: at for at, frame in enumerate(made.frames) for op in frame["ops"] if len(op) == 1}
    assert left
    for actor, at in left.items():
        assert not any(op[0] == actor for frame in made.frames[at + 1 :] for op in frame["ops"])


def test_the_owner_may_see_his_own() -> None:
    everybody, blue = film("oracle"), film("oracle", "Blue")
    count = [len(list(picture.play(made.frames))[-1]) for made in (everybody, blue)]
    assert count[1] >= count[0]


def test_a_side_that_did_not_play_sees_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = str(oracle_files.log("oracle"))
    assert main(["replay", log, "--view", "Red", "-o", str(tmp_path / "r.html")]) == 2
    assert "nobody played the side 'Red'" in capsys.readouterr().err


def test_the_page_holds_neither_password_nor_foreign_markup(tmp_path: Path) -> None:
    path = tmp_path / "replay.html"
    assert main(["replay", str(oracle_files.log("oracle")), "-o", str(path)]) == 0
    page = path.read_text(encoding="utf-8")
    assert oracle_files.PASSWORD not in page
    data: dict[str, Any] = json.loads(page.partition('id="film">')[2].partition("</script>")[0])
    assert len(data["frames"]) == 28
    assert all(uri.startswith("data:image/") for uri in data["images"])


def test_names_with_broken_bytes_and_passwords_are_made_fit_for_the_page(tmp_path: Path) -> None:
    data = archive.read(oracle_files.log("oracle"))
    text = (data.text or "").replace("3rd Blue", f"3rd \udca3 {oracle_files.PASSWORD} Blue")
    damaged, page = tmp_path / "damaged.vlog", tmp_path / "replay.html"
    damaged.write_bytes(archive.pack({"savedGame": codec.obfuscate(text)}))
    assert main(["replay", str(damaged), "-o", str(page)]) == 0
    assert oracle_files.PASSWORD not in page.read_text(encoding="utf-8")


def test_moving_pictures_of_a_series_of_logs(tmp_path: Path) -> None:
    from PIL import Image

    path = tmp_path / "game.gif"
    assert main(["tell", str(oracle_files.log("oracle")), "--animate", str(path)]) == 0
    with Image.open(path) as made:
        assert getattr(made, "n_frames", 1) > 5


def test_labels_show_global_properties_counts_of_decks_and_sums() -> None:
    module = Module.read(oracle_files.MODULE)
    table = Table.of(steps.read(oracle_files.log("oracle")))
    table.properties["Module", "Morale"] = "4"
    deck = next(iter(table.decks.values()))
    piece = next(one for one in table.pieces.values() if one.type.find("label;") is not None)
    texts = {
        "$Morale$ left": "4 left",
        '{Morale + 3 + "/" + GetProperty("Morale")}': "7/4",
        f"${deck.name}_numPieces$": str(len(deck.contents)),
        "{Morale > 3 ? 1 : 2}": None,
    }
    for text, wanted in texts.items():
        piece.states[piece.type.find("label;") or 0] = text
        sight = Sight(table, module)
        look = looks.of_piece(sight.seal(piece), sight, lambda _: None)
        assert look is not None
        assert [part.text for part in look.parts if isinstance(part, looks.Text)] == (
            [wanted] if wanted else []
        )


def test_a_label_written_as_html_is_its_letters() -> None:
    table = Table.of(steps.read(oracle_files.log("oracle")))
    sight = Sight(table, Module.read(oracle_files.MODULE))
    piece = next(one for one in table.pieces.values() if one.type.find("label;") is not None)
    style = "<style>" + "td { color: red } " * 30 + "</style>"
    piece.states[piece.type.find("label;") or 0] = f"<html>{style}<b>Strength</b> &lt;5&gt;</html>"
    look = looks.of_piece(sight.seal(piece), sight, lambda _: None)
    assert look is not None
    (label,) = [part.text for part in look.parts if isinstance(part, looks.Text)]
    assert " ".join(label.split()) == "Strength <5>"
