"""The report in a real browser: a referee steps, jumps, filters, reads, prints."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from PIL import Image

from tests.browser.chromium import Page
from tests.validator.report import stories

FRAMES = 1 + len({event.origin.step for event in stories.events()})
UNIT_65A = "#counters .counter[data-unit='65A']"
UNIT_51A = "#counters .counter[data-unit='51A']"


def step(page: Page) -> int:
    return int(page.text("#count").split("/")[0])


def hex_of(page: Page, unit: str) -> str:
    """Where the list of pieces says a unit stands."""
    rows = page.js(
        "[...document.querySelectorAll('#pieces tr')]"
        ".map(row => [row.firstChild.innerText, row.lastChild.innerText])"
    )
    return next(str(where) for where, pieces in rows if re.search(rf"\b{unit}\b\)?:", pieces))


def bright(page: Page, folder: Path) -> float:
    """How light the page's own ground is, 0 to 255."""
    page.shot(folder / "shot.png")
    with Image.open(folder / "shot.png") as picture:
        return sum(picture.convert("RGB").getpixel((800, 20))) / 3  # type: ignore[arg-type]


# --- stepping ---


def test_opens_at_the_first_finding_with_its_place_in_sight(tab: Page, report: Path) -> None:
    tab.open(report.as_uri())
    assert tab.js("document.querySelector('.finding.chosen').id") == "finding-0"
    x, y = tab.middle("#under .fault-hex")
    left, top = tab.middle("#viewport")
    assert abs(x - left) < 400
    assert abs(y - top) < 280


def test_opens_from_a_file_and_asks_the_network_for_nothing(page: Page, report: Path) -> None:
    assert step(page) == 0
    assert page.text("#count").endswith(f"/ {FRAMES - 1}")
    outside = [url for url in page.requests if not url.startswith(("data:", report.as_uri()))]
    assert outside == []


def test_buttons_step_on_and_back(page: Page) -> None:
    for _ in range(5):
        page.click("#on")
    assert step(page) == 5
    assert "retreat E4610 – E4611 – E4711" in page.text("#what")
    page.click("#back")
    assert step(page) == 4
    assert "8AK loses 1 step" in page.text("#what")


def test_phases_and_ends(page: Page) -> None:
    page.click("#phase-on")
    assert "Soviet Combat Phase" in page.text("#when")
    page.click("#phase-on")
    assert "Soviet Movement Phase" in page.text("#when")
    page.click("#last")
    assert step(page) == FRAMES - 1
    assert page.js("document.querySelector('#on').disabled")
    page.click("#phase-back")
    assert "Turn 23" in page.text("#when")
    page.click("#first")
    assert step(page) == 0


def test_the_choice_of_phases_leads_there(page: Page) -> None:
    page.choose("#phase-choice", "3")
    assert "Turn 23" in page.text("#when")
    assert "Axis Movement Phase begins" in page.text("#what")


def test_pieces_go_and_come_back(page: Page) -> None:
    page.click("#tab-pieces")
    before = page.text("#pieces")
    assert hex_of(page, "65A") == "E4510"
    page.click("#last")
    assert hex_of(page, "65A") == "E4610"
    assert "Axis returns" in hex_of(page, "11AK")
    assert "2GdA" in page.text("#pieces")
    assert "step 2 of 2" in page.text("#pieces")
    page.click("#first")
    assert page.text("#pieces") == before


def test_the_slider_tells_where_it_is(page: Page) -> None:
    page.js("(() => { const s = document.querySelector('#scrub'); s.focus() })()")
    page.press("ArrowRight")
    assert step(page) == 1
    assert "Soviet Combat Phase" in page.js("document.querySelector('#scrub').ariaValueText")


# --- findings ---


def test_a_finding_leads_to_its_step_on_the_map(page: Page) -> None:
    page.click("#finding-1 .show")
    assert "51A marches" in page.text("#what")
    assert "5 MP needed, 3 available" in page.text("#what")
    assert page.count("#over .trail.fault") == 1
    assert page.count("#under .fault-hex") == 2
    assert page.count("#under .zone") == 1
    assert page.js("document.querySelector('#over .tag').textContent") == "wfm-5.11"
    assert "enemy zone of control" in page.text("#legend")
    assert page.count(".finding.chosen") == 1


@pytest.mark.parametrize("phone", [False, True])
def test_the_tag_with_the_rule_can_be_read_on_the_map(page: Page, tmp_path: Path, phone: bool) -> None:
    """By its pixels: light letters on the tag, over half of its height; at 2 to 3 px they are a bar."""
    page.size(390 if phone else 1400, 844 if phone else 900, phone=phone)
    page.click("#finding-1 .show")
    page.painted()
    tag = page.box("#over .tag rect")
    page.shot(tmp_path / "tag.png")
    with Image.open(tmp_path / "tag.png") as shot:
        ratio = shot.width / page.js("innerWidth")
        area = (tag.left * ratio, tag.top * ratio, tag.right * ratio, tag.bottom * ratio)
        cut = shot.convert("L").crop(tuple(map(round, area)))
    darkest = cut.getextrema()[0]
    letters = [
        y
        for y in range(2, cut.height - 2)
        if cut.crop((4, y, cut.width - 4, y + 1)).getextrema()[1] > darkest + 100
    ]
    assert len(letters) > 0.35 * cut.height


def test_the_marked_hex_is_where_the_piece_is_drawn(page: Page) -> None:
    page.click("#finding-0 .show")
    marked, piece = page.middle("#under .fault-hex"), page.middle(UNIT_65A)
    assert math.dist(marked, piece) < 12


def test_a_finding_is_brought_into_sight_large_enough_to_read(tab: Page, report: Path) -> None:
    tab.open(f"{report.as_uri()}#finding=4")
    tab.click("#finding-1 .show")
    left, top = tab.middle("#viewport")
    x, y = tab.middle(UNIT_51A)
    assert abs(x - left) < 400
    assert abs(y - top) < 280
    assert tab.box(UNIT_51A).width > 40
    tab.press("0")
    tab.click("#finding-1 .show")
    assert tab.box(UNIT_51A).width > 40


def test_next_and_previous_finding(page: Page) -> None:
    steps = []
    for _ in range(4):
        page.click("#fault-on")
        steps.append(step(page))
    assert steps == sorted(set(steps))
    assert page.js("document.querySelector('.finding.chosen').id") == "finding-3"
    page.click("#fault-back")
    assert page.js("document.querySelector('.finding.chosen').id") == "finding-2"


def test_an_address_with_a_finding_opens_there(tab: Page, report: Path) -> None:
    tab.open(f"{report.as_uri()}#finding=2")
    assert "51A marches" in tab.text("#what")
    tab.click("#finding-2 .show")
    assert tab.js("location.hash") == "#finding=3"


def test_severity_side_and_rule_filter_list_map_and_timeline(page: Page) -> None:
    assert (page.count(".finding"), page.count(".tick")) == (4, 4)
    page.click("#filters input[value=illegal]")
    assert (page.count(".finding"), page.count(".tick")) == (2, 2)
    assert page.text("#shown") == "2 of 4 shown"
    page.choose("#filters select[name=side]", "axis")
    assert page.count(".finding") == 1
    page.choose("#filters select[name=side]", "")
    page.click("#filters input[value=illegal]")
    page.choose("#filters select[name=rule]", "wfm-5.11")
    assert page.count(".finding") == 1
    page.click("#fault-on")
    assert page.js("document.querySelector('.finding.chosen').id") == "finding-1"
    page.choose("#filters select[name=rule]", "wfm-7.11")
    assert page.count("#under .fault-hex") == 0


# --- without a mouse ---


def test_keys_step_by_step_phase_and_finding(page: Page) -> None:
    for key, expected in ((".", 1), (".", 2), (",", 1), ("ArrowRight", 2), ("End", FRAMES - 1), ("Home", 0)):
        page.press(key)
        assert step(page) == expected, key
    page.press("PageDown")
    page.press("PageDown")
    assert "Soviet Movement Phase" in page.text("#when")
    page.press("Home")
    page.press("n")
    assert page.js("document.querySelector('.finding.chosen').id") == "finding-0"


def test_keys_can_be_turned_off(page: Page) -> None:
    page.press("?")
    assert page.js("document.querySelector('#keys').open")
    page.click("#keys-on")
    page.press("Escape")
    page.press(".")
    assert step(page) == 0


def test_arrows_on_the_map_go_from_hex_to_hex_and_say_what_is_there(page: Page) -> None:
    page.js("document.querySelector('#viewport').focus()")
    page.press("ArrowLeft")
    first = page.text("#what")
    page.press("ArrowLeft")
    second = page.text("#what")
    assert re.match(r"E\d{4}, ", first)
    assert re.match(r"E\d{4}, ", second)
    assert int(second[1:5]) == int(first[1:5]) + 1  # columns are counted from the east
    assert step(page) == 0
    page.press("Enter")
    assert page.text("#hex h2") == f"Hex {second[:5]}"


def test_tabs_are_walked_with_arrows(page: Page) -> None:
    page.js("document.querySelector('#tab-faults').focus()")
    page.press("ArrowRight")
    assert page.js("document.activeElement.id") == "tab-course"
    assert page.count("#panel-course") == 1
    assert page.count("#panel-faults") == 0
    assert "65A attacks E4610" not in page.text("#course")
    page.press("Home")
    assert page.count("#panel-faults") == 1


def test_everything_to_press_has_a_name(page: Page) -> None:
    page.send("Accessibility.enable")
    nodes = page.send("Accessibility.getFullAXTree")["nodes"]
    pressed = {"button", "slider", "checkbox", "combobox", "tab", "link", "application"}
    found = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if node.get("role", {}).get("value") in pressed and not node.get("ignored")
    ]
    assert len(found) > 20
    assert [role for role, name in found if not name.strip()] == []


def test_the_course_lists_the_phase_and_leads_to_a_step(page: Page) -> None:
    page.click("#phase-on")
    page.click("#tab-course")
    page.click("#course li:nth-child(3) button")
    assert "65A attacks E4610" in page.text("#what")
    assert page.js("document.querySelector('#course [aria-current=step]').innerText").startswith("Illegal")


# --- how it looks ---


def test_dark_follows_the_system_and_the_button_turns_it(page: Page, tmp_path: Path) -> None:
    light = bright(page, tmp_path)
    page.dark(True)
    dark = bright(page, tmp_path)
    assert light > 230
    assert dark < 60
    page.click("#theme")
    assert bright(page, tmp_path) > 230


CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_from_its_ground(page: Page, dark: bool) -> None:
    page.dark(dark)
    page.click("#finding-1 .show")
    assert page.js(CONTRAST) == []
    for tab in ("course", "pieces", "dice", "about"):
        page.click(f"#tab-{tab}")
        assert page.js(CONTRAST) == [], tab


def test_what_is_in_the_middle_stays_there_when_the_window_changes(page: Page) -> None:
    page.size(700, 500)
    page.click("#fault-on")
    page.size(1200, 800)
    x, y = page.middle(".fault-hex")
    room = page.box("#viewport")
    assert room.left + room.width / 4 < x < room.right - room.width / 4
    assert room.top + room.height / 4 < y < room.bottom - room.height / 4


def test_a_telephone_shows_map_and_buttons_without_scrolling_sideways(tab: Page, report: Path) -> None:
    tab.size(390, 844, phone=True)
    tab.open(report.as_uri())
    assert tab.js("document.documentElement.scrollWidth") <= 390
    for box in map(tab.box, ("#viewport", "#on", "#back", "#fault-on")):
        assert box.left >= 0
        assert box.right <= 390
        assert box.bottom <= 844
        assert box.width >= 36
    tab.click("#finding-1 .show")
    assert tab.box("#viewport").top > -1
    assert "51A marches" in tab.text("#what")


def test_a_touch_on_the_map_lists_the_hex(page: Page) -> None:
    page.click("#finding-0 .show")
    page.click_at(*page.middle(UNIT_65A))
    assert "65A" in page.text("#hex")


def test_zoom_and_drag_move_the_map_and_keep_it_in_sight(page: Page) -> None:
    before = page.box("#world")
    page.click("#zoom-in")
    assert page.box("#world").width > before.width
    for kind, x in (("mousePressed", 500), ("mouseMoved", 560), ("mouseReleased", 560)):
        page.send("Input.dispatchMouseEvent", type=kind, x=x, y=400, button="left", clickCount=1, buttons=1)
    assert page.box("#world").left != before.left
    for _ in range(40):
        page.press("-")
    assert page.box("#world").width > 50
    page.press("0")
    assert page.box("#world").width == pytest.approx(before.width, rel=0.02)


def test_paper_holds_the_map_and_all_findings_also_those_filtered_out(page: Page) -> None:
    page.click("#filters input[value=illegal]")
    data = page.pdf()
    assert data.startswith(b"%PDF")
    page.send("Emulation.setEmulatedMedia", media="print")
    assert page.count(".finding") == 4
    assert page.count(".tools, .transport, .filters, [role=tablist]") == 0
    assert page.count("#viewport") == 1
    assert "leaving the zone of Ru7AK" in page.text("#panel-faults")


def test_the_drawn_map_does_the_same(tab: Page, drawn_report: Path) -> None:
    tab.open(drawn_report.as_uri())
    tab.click("#finding-1 .show")
    assert tab.count("svg.drawn path.great-river") == 1
    assert "C-3" in tab.text("#counters .counter[data-unit='51A']").replace("\u2011", "-")
    assert tab.count("#over .trail.fault") == 1


def test_without_a_script_the_findings_are_read(tab: Page, report: Path) -> None:
    tab.send("Emulation.setScriptExecutionDisabled", value=True)
    tab.open(report.as_uri())
    tab.send("Emulation.setScriptExecutionDisabled", value=False)
    assert tab.count(".finding") == 4
    assert tab.count(".transport, #viewport") == 0
    assert "51A: 5 MP needed" in tab.text("#panel-faults")


def test_dice_are_counted_by_side(page: Page) -> None:
    page.click("#tab-dice")
    words = page.text("#dice")
    assert "Axis phases, d6" in words
    assert "2 dice, mean 4.00" in words


def test_said_text_is_only_text(page: Page) -> None:
    page.press(".")
    page.press(".")
    assert "The <b>first</b> snow </script> & more" in page.text("#what")


def test_pictures_are_whole(page: Page) -> None:
    assert page.js("document.querySelector('img.ground').naturalWidth") > 100
    assert "url(" in page.js(f'getComputedStyle(document.querySelector("{UNIT_65A}")).backgroundImage')
