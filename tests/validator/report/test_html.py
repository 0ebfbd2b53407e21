"""The page as a file: one, without a network, safe whatever a log says, small."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import html as lxml_html

from fieldpost.errors import FieldpostError
from fieldpost.pages import embedded
from fieldpost.vassal.archive import ArchiveError
from tests.fieldpost.commands.running import run
from tests.places import REPOSITORY
from tests.validator.report import stories
from validator.model import events as ev
from validator.model.events import Origin
from validator.report import html
from validator.report.html import Chapter, built, pictures
from validator.report.html.pictures import ModulePictures


def page(chapter: Chapter | None = None, found: ModulePictures | None = None) -> str:
    return html.render(stories.game(), stories.scenario(), [chapter or stories.chapter()], found)


def story_of(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="story">(.*?)</script>', text, re.S)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def with_text(said: str) -> Chapter:
    whole = stories.chapter()
    return replace(whole, events=[*whole.events, ev.Said(said, origin=Origin("made-up.turn", 99))])


def test_nothing_is_fetched_from_anywhere(tmp_path: Path) -> None:
    text = page(found=ModulePictures.read(stories.module(tmp_path / "m.vmod")))
    tree = lxml_html.fromstring(text)
    assert not re.search(r"\b(?:https?:)?//(?!www\.w3\.org/2000/svg)\w+\.\w+", text)
    links = [value for value in tree.xpath("//@src | //@href") if not value.startswith("#")]
    assert links
    assert all(value.startswith("data:image/") for value in links)


def test_only_the_script_of_the_page_may_run() -> None:
    text = page()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    scripts = re.findall(r"<script>(.*?)</script>", text, re.S)
    assert policy
    assert len(scripts) == 1
    hashed = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{hashed}'" in policy[1]
    assert "default-src 'none'" in policy[1]


@pytest.mark.parametrize(
    "said", ["</script><script>alert(1)</script>", "<!--<script>", "\u2028\u2029", '"><img src=x onerror=x>']
)
def test_what_is_said_stays_text(said: str) -> None:
    text = page(with_text(said))
    assert story_of(text)["frames"][-1]["x"] == [f"“{said}”"]
    assert len(re.findall("<script", text)) == len(re.findall("<script", page()))
    assert "onerror" not in [name for node in lxml_html.fromstring(text).iter() for name in node.attrib]


def test_a_hostile_file_name_stays_text() -> None:
    text = page(stories.chapter("<img src=x onerror=alert(1)>.vlog"))
    assert "<img src=x" not in text


def test_findings_can_be_read_without_a_script() -> None:
    tree = lxml_html.fromstring(page())
    cards = tree.xpath("//li[contains(@class, 'finding')]")
    assert [card.get("data-rule") for card in cards] == ["wfm-7.11", "wfm-5.11", "wfm-13.11", "wfm-9.91"]
    words = cards[1].text_content()
    assert "51A: 5 MP needed, 3 available" in words
    assert "What wfm-5.11 says." in words
    assert "leaving the zone of Ru7AK +3" in words
    assert "a battle without odds" in tree.text_content()


def test_the_way_step_by_step_is_not_told_twice() -> None:
    assert story_of(page())["findings"][1]["message"] == "51A: 5 MP needed, 3 available"


def test_a_finding_carries_its_path_and_hexes() -> None:
    data = story_of(page())
    fault = data["findings"][1]
    labels = data["board"]["labels"]
    assert [labels[number] for number in fault["path"]] == ["E5008", "E5109", "E5110"]
    assert [data["units"][number]["id"] for number in fault["units"]] == ["51A"]
    assert data["frames"][fault["frame"]]["z"]["axis"]


def test_without_a_module_the_map_is_drawn() -> None:
    text = page()
    tree = lxml_html.fromstring(text)
    assert tree.xpath("//svg[contains(@class, 'drawn')]//path[contains(@class, 'great-river')]")
    names = tree.xpath("//svg[contains(@class, 'drawn')]//text/text()")
    assert "Stalingrad" in names
    assert len(text) < 400_000


def test_with_a_module_its_map_and_counters_are_shown(tmp_path: Path) -> None:
    found = ModulePictures.read(stories.module(tmp_path / "m.vmod"))
    data = story_of(page(found=found))
    assert sorted(data["sprites"]) == ["unit-51A-1", "unit-65A-1"]
    number = data["board"]["labels"].index("E5110")
    centers = data["board"]["centers"]
    left = data["board"]["labels"].index("E5111")
    assert (centers[2 * number] - centers[2 * left], centers[2 * number + 1]) == (24, centers[2 * left + 1])
    assert next(box for box in data["boxes"] if box["id"] == "axis-returns")["rect"] == [2, 2, 60, 40]


def test_a_module_without_a_fitting_board_gives_counters_on_a_drawn_map(tmp_path: Path) -> None:
    found = ModulePictures.read(stories.module(tmp_path / "m.vmod"))
    found._boards = {name: board for name, board in found._boards.items() if "corner" in name}
    text = page(found=found)
    assert '<svg class="ground drawn"' in text
    assert story_of(text)["sprites"]


def test_a_module_of_this_game_is_found_beside_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.vmod").write_bytes(b"no module")
    stories.module(tmp_path / "other.vmod", made_for="efs 1")
    assert pictures.find(stories.game(), None, tmp_path / "turn.vlog") is None
    wanted = stories.module(tmp_path / "right.vmod")
    found = pictures.find(stories.game(), None, tmp_path / "turn.vlog")
    assert found
    assert found.path == wanted
    with pytest.raises((ArchiveError, FieldpostError)):
        pictures.find(stories.game(), tmp_path / "broken.vmod", tmp_path / "turn.vlog")


def test_a_broken_picture_is_left_out(tmp_path: Path) -> None:
    path = stories.module(tmp_path / "m.vmod")
    data = path.read_bytes()
    at = data.index(b"images/unit-65A-1.png") + len("images/unit-65A-1.png")
    path.write_bytes(data[:at] + bytes(40) + data[at + 40 :])
    sprites = ModulePictures.read(path).sprites(["unit-65A-1", "unit-51A-1", "unit-none-1"])
    assert list(sprites.cells) == ["unit-51A-1"]


def test_data_cannot_end_its_element() -> None:
    text = embedded({"a": "</script><!--\u2028"})
    assert "<" not in text
    assert "\u2028" not in text
    assert json.loads(text) == {"a": "</script><!--\u2028"}


def test_check_writes_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    turn = tmp_path / "mine.turn"
    turn.write_text("game wfm turning-point\nturn 22 sov-move\nmove 51A 5008-5109-5110 as march\n")
    done = run(capsys, "check", turn, "--html", "report.html", "--plain-map")
    assert done.status == 1
    assert "drawing" not in done.err
    text = (tmp_path / "report.html").read_text()
    assert '<svg class="ground drawn"' in text
    assert "mine.turn" in text
    assert story_of(text)["findings"][0]["side"] == "soviet"
    assert str(tmp_path) not in text


@pytest.mark.parametrize("game", ["wfm", "lwe"])
def test_a_page_has_the_whole_map_without_a_module_at_hand(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The game is drawn in a child; a later page takes what that one kept."""
    monkeypatch.chdir(tmp_path)
    log = REPOSITORY / "tests" / "data" / "table" / f"{game}-clean.vlog"
    run(capsys, "check", log, "--html", "first.html")
    again = run(capsys, "check", log, "--html", "again.html")
    assert "drawing" not in again.err
    for page_ in ("first.html", "again.html"):
        text = (tmp_path / page_).read_text()
        assert '<img class="ground" src="data:image/webp' in text
        assert story_of(text)["sprites"]


def test_where_the_game_cannot_be_drawn_the_page_is_plain_and_says_how(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(built, "_build", lambda game, path: False)
    assert built.pictures(stories.game()) is None
    assert "fieldpost build wfm -o dist" in capsys.readouterr().err


def test_a_page_that_cannot_be_written_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn = tmp_path / "mine.turn"
    turn.write_text("game wfm turning-point\nturn 22 sov-move\n")
    done = run(capsys, "check", turn, "--html", turn / "report.html", "--plain-map")
    assert done.status == 2
    assert "report.html" in done.err


def test_a_whole_game_stays_small() -> None:
    whole = stories.chapter()
    moves = [event for event in whole.events if isinstance(event, ev.Moved) and event.mode == "march"]
    turns = [event for event in whole.events if isinstance(event, ev.PhaseBegan)]
    many = [turns[0]]
    for step in range(1000, 6000):
        many.append(moves[0].at(Origin("made-up.turn", step)))
    size = len(page(replace(whole, events=many)).encode()) - len(page().encode())
    assert size / 5000 * 20_000 < 4_000_000  # what 20,000 actions take beside 4 MB of pictures


def test_chapter_turn_and_phase_are_told_where_they_change() -> None:
    frames = story_of(page())["frames"]
    assert [frame["t"] for frame in frames if "t" in frame] == [22, 23]
    assert [frame["p"] for frame in frames if "p" in frame] == [
        "supply", "sov-combat", "sov-move", "axis-move", "axis-combat",
    ]  # fmt: skip


def test_what_is_wrong_with_the_files_is_told_at_the_top_and_what_is_harmless_below() -> None:
    clean = replace(stories.chapter(), report=replace(stories.chapter().report, findings=()))
    notes = [html.Note("c.vlog is missing"), html.Note("b.vlog is a copy", harmless=True)]
    text = html.render(stories.game(), stories.scenario(), [clean], None, notes)
    tree = lxml_html.fromstring(text)
    assert tree.xpath("//p[@class='notice'][@role]/text()") == ["c.vlog is missing"]
    assert tree.xpath("//ul[@class='notes']/li/text()") == ["c.vlog is missing", "b.vlog is a copy"]
    assert "The files do not hang together" in tree.xpath("//header")[0].text_content()


ROUNDS = """game wie barbarossa
turn 1 axis-combat
attack GI-1+Pz-3 x 1111
round 1
fire GI-1+Pz-3 at 7 : 2 9
fire SI-5 at 4 : 11
round 2 under AGN
fire Pz-3 at 7 : 12
fire SI-5 at 4 : 3
"""


def test_a_battle_is_shown_round_by_round_and_a_pool_by_one_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "turn.txt").write_text(ROUNDS, encoding="utf-8")
    run(capsys, "check", tmp_path / "turn.txt", "--html", tmp_path / "page.html", "--plain-map")
    story = story_of((tmp_path / "page.html").read_text(encoding="utf-8"))
    opening = [frame["x"][0] for frame in story["frames"] if frame.get("q")]
    assert opening == [
        "GI-1 and Pz-3 attack 1111",
        "Round 1 of battle 1. Hits: Axis 1, Soviet 0",
        "Round 2 of battle 1, ordered by AGN. Hits: Axis 0, Soviet 1",
    ]
    faces = {unit["id"]: unit["face"] for unit in story["units"]}
    assert (faces["GI-7"], faces["SI-5"], faces["AGN"]) == ("GI-1", "SI-1", "AGN")
