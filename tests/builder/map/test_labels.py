"""Names overlap nothing and stay on the map."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image

from builder.fonts import font
from builder.map.frame import Frame, frame
from builder.map.labels import Request, Room, collisions, place_names
from builder.map.lettering import NUMBER, Glyph, Label, box_at, extent, write
from builder.map.naming import NUMBER_FACE, NUMBER_SIZE
from builder.map.palette import STYLES, rgb, style
from builder.map.picture import Plan, plan
from fieldpost.definition.mapmodel import GameMap
from fieldpost.hexes import Orientation
from tests.builder.map.samples import boxed, boxed_maps, example, island


def planned(game_map: GameMap, style_id: str = "classic") -> Plan:
    return plan(game_map, frame(game_map, 88), style(style_id))


def faults(found: Plan) -> list[str]:
    named = [label for label in found.labels if label.kind != "badge"]
    return collisions(named, found.symbols, found.frame) + found.unplaced


@pytest.mark.parametrize("map_id", boxed_maps())
def test_no_name_on_a_map_of_the_box_overlaps_another_or_leaves_the_map(map_id: str) -> None:
    found = planned(boxed(map_id))
    assert faults(found) == []
    written = {label.text.casefold() for label in found.labels if label.kind == "place"}
    assert len(written) > 50


@pytest.mark.parametrize("orientation", list(Orientation))
@pytest.mark.parametrize("style_id", list(STYLES))
def test_no_name_on_a_small_crowded_map_overlaps(orientation: Orientation, style_id: str) -> None:
    found = planned(island(orientation), style_id)
    assert faults(found) == []
    assert {"GRAND DUCHESS-ON-SEA", "Upper Saltmarsh", "Lower Saltmarsh", "Lakeside"} <= {
        label.text for label in found.labels
    }


@pytest.mark.parametrize("map_id", boxed_maps())
def test_every_named_sea_and_lake_bears_its_name(map_id: str) -> None:
    game_map = boxed(map_id)
    waters = {area.name for area in game_map.areas if area.kind in ("sea", "lake")}
    seas = {"Baltic Sea", "Black Sea", "Sea of Azov", "Gulf of Finland", "Lake Ladoga"}
    if map_id == "wie":  # at 100 km a hex the gulf is a hexside
        seas -= {"Gulf of Finland"}
    assert waters >= ({"Lake Narach", "Mauersee", "Spirdingsee"} if map_id == "efs" else seas)
    written = {label.text for label in planned(game_map).labels if label.kind == "water"}
    if map_id == "wfm":  # a single column of hexes at the rim; its scenario's map names it
        waters -= {"Caspian Sea"}
    assert waters <= written


def test_every_hex_bears_its_number() -> None:
    game_map = example().map
    numbers = {label.text for label in planned(game_map).labels if label.kind == "number"}
    assert numbers == {game_map.lattice.label(h) for h in game_map.hexes}


def test_names_of_rivers_and_assets_are_written() -> None:
    found = {(label.kind, label.text) for label in planned(boxed("wfm")).labels}
    assert {("river", "Dnieper"), ("river", "Volga"), ("badge", "STF"), ("badge", "50")} <= found


def test_seas_areas_zones_lines_and_edges_are_named() -> None:
    found = {(label.kind, "".join(label.text)) for label in planned(island()).labels}
    assert {("water", "Cold Sea"), ("area", "WEST"), ("edge", "East"), ("river", "Long Water")} <= found
    assert {text for kind, text in found if kind == "zone"} == {"NORTH WEATHER", "SOUTH WEATHER"}
    assert ("line", "GAS LINE") in {(label.kind, label.text) for label in planned(boxed("lwe")).labels}


def label_at(text: str, x: float, y: float) -> Label:
    box = box_at(text, "sans", 14, x, y)
    return Label(text, "place", (Glyph(text, x, y),), "sans", 14, rgb("#000000"), None, 0, (box,))


def middle(shown: Frame) -> tuple[float, float]:
    return shown.layout.exact(sorted(shown.hexes)[len(shown.hexes) // 2])


def test_the_check_sees_an_overlap_a_covered_symbol_and_a_name_off_the_map() -> None:
    shown = frame(island(), 88)
    x, y = middle(shown)
    one, two = label_at("one", x, y), label_at("two", x + 8, y + 3)
    assert collisions([one], [], shown) == []
    assert collisions([one, two], [], shown) == ["place 'two' overlaps place 'one'"]
    assert collisions([one], [(x, y, x + 4, y + 4)], shown) == ["place 'one' overlaps a symbol"]
    assert collisions([label_at("off", 2, 2)], [], shown) == ["place 'off' leaves the map"]


def request(text: str, x: float, y: float) -> Request:
    ink = rgb("#000000")
    return Request(text, "sans", 14, 1, (x, y), (x - 5, y - 5, x + 5, y + 5), ink, ink, 2)


def test_a_name_goes_elsewhere_when_its_best_place_is_taken() -> None:
    shown = frame(island(), 88)
    x, y = middle(shown)
    (free,), _ = place_names([request("name", x, y)], Room(shown))
    room = Room(shown)
    room.take(free.boxes, "something")
    (moved,), missing = place_names([request("name", x, y)], room)
    assert missing == []
    assert moved.boxes != free.boxes


def test_a_name_without_any_room_is_reported() -> None:
    shown = frame(island(), 88)
    x, y = middle(shown)
    room = Room(shown)
    room.take([(x - 300, y - 300, x + 300, y + 300)], "everything")
    done, missing = place_names([request("name", x, y)], room)
    assert done == []
    assert missing == ["name"]


def test_a_blocked_name_gets_the_first_choice_in_the_next_round() -> None:
    shown = frame(island(), 88)
    x, y = middle(shown)
    crowd = [request(f"settlement {i}", x + 26 * (i % 3), y + 22 * (i // 3)) for i in range(9)]
    done, missing = place_names([replace(r, rank=i) for i, r in enumerate(crowd)], Room(shown))
    assert missing == []
    assert collisions(done, [], shown) == []


@pytest.mark.parametrize("style_id", list(STYLES))
def test_names_stand_out_from_their_halo(style_id: str) -> None:
    looks = style(style_id)
    assert contrast(looks.ink, looks.halo) >= 7
    assert contrast(looks.water_ink, looks.halo) >= 4.5
    assert contrast(looks.ink, looks.panel) >= 7
    assert contrast(looks.quiet, looks.panel) >= 4.5
    for color in looks.symbols.values():
        if color not in [looks.symbols[name] for name in ("ground", "blocks", "red-ground")]:
            assert contrast(color, looks.halo) >= 4.5, color


@pytest.mark.parametrize("style_id", list(STYLES))
def test_hex_numbers_are_readable_on_every_ground(style_id: str) -> None:
    looks = style(style_id)
    weak = {k: contrast(looks.number, t.tint) for k, t in looks.terrain.items() if not t.water}
    assert min(weak.values()) >= 2.6, weak
    assert contrast(looks.number, looks.terrain["clear"].tint) >= 4.5


def contrast(a: str, b: str) -> float:
    """The WCAG contrast ratio of two colours."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    shares = [c / 255 for c in rgb(color)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("orientation", list(Orientation))
def test_what_is_held_for_sure_lies_on_the_map(orientation: Orientation) -> None:
    shown = frame(island(orientation), 40)
    sure = 0
    for x in range(0, shown.width, 23):
        for y in range(0, shown.height, 19):
            box = (x, y, x + 37.0, y + 14.0)
            if shown.surely_holds(*box):
                sure += 1
                assert all(shown.layout.at(px, py) in shown.hexes for px in box[::2] for py in box[1::2])
    assert sure > 10


@pytest.mark.parametrize("text", ["Q4023", "AVATAR, Tolyatti", "Velikie Luki", "W 1 - (7.5)", " ", ""])
@pytest.mark.parametrize("face", ["condensed", "serif-italic", "sans-bold"])
def test_a_line_of_text_is_measured_as_the_typeface_says(text: str, face: str) -> None:
    whole = font(face, 17.3).getbbox(text, anchor="ls")
    width, above, below = extent(text, face, 17.3)
    assert width == font(face, 17.3).getlength(text)
    assert above + below == whole[3] - whole[1]


@pytest.mark.parametrize("unit", [0.36, 72 / 88, 1.0])
def test_numbers_are_set_as_the_typeface_sets_them(unit: float) -> None:
    """Hex numbers are set from single letters: pixel by pixel as if written at once."""
    for index, text in enumerate(("Q4023", "P0110", "1111", "E7474", "S0909")):
        written = []
        for kind in (NUMBER, "place"):
            sheet = Image.new("RGB", (60, 30), "#c8bea0")
            glyph, color = Glyph(text, 28.3 + 0.3 * index, 14.6), (60, 50, 40, 255)
            label = Label(
                text, kind, (glyph,), NUMBER_FACE, NUMBER_SIZE * unit, color, None, 0, ((0, 0, 60, 30),)
            )
            write(sheet, [label], (index, 0))
            written.append(sheet.tobytes())
        assert written[0] == written[1], text
