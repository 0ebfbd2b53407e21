"""The real engine names hundreds of pixels on boards of every kind of grid: we name them the same."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import ModuleType
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

import pytest

from fieldpost.vassal.module import Module
from fieldpost.vassal.module_map import Layout, chosen_boards
from tests.engine import samples

pytestmark = pytest.mark.xdist_group("grids")  # one worker, so that it is made once

GRID = samples.BUILD + "map.boardPicker.board."
COLUMNS, BOARDS, POINTS = 5, 40, 20
EDGE = (13, 29)


def _element(tag: str, attributes: dict[str, object], body: str = "") -> str:
    settings = "".join(f" {name}={quoteattr(str(value).lower())}" for name, value in attributes.items())
    return f"<{GRID}{tag}{settings}>{body}</{GRID}{tag}>"


def _numbering(random: Random, tag: str) -> str:
    flag = lambda: random.random() < 0.5  # noqa: E731
    settings: dict[str, object] = {
        "sep": random.choice(["", ".", "-"]),
        "hLeading": random.randint(0, 2),
        "vLeading": random.randint(0, 2),
        "hOff": random.randint(-2, 30),
        "vOff": random.randint(0, 9),
        "hDescend": flag(),
        "vDescend": flag(),
        "stagger": flag(),
    }
    kinds = f' first="{random.choice("HV")}" hType="{random.choice("NA")}" vType="{random.choice("NNA")}"'
    shown = random.choice(["$gridLocation$", "hex $gridLocation$", "$column$ of $row$"])
    return _element(tag, settings).replace(
        f"<{GRID}{tag}", f'<{GRID}{tag}{kinds} locationFormat="{shown}"', 1
    )


def _hex_grid(random: Random) -> str:
    down = random.choice([24, 40, 55, 64.5])
    settings: dict[str, object] = {
        "dx": round(down * random.uniform(0.7, 1.0), 3),
        "dy": down,
        "x0": random.randint(-20, 40),
        "y0": random.randint(-20, 40),
        "sideways": random.random() < 0.5,
    }
    if random.random() < 0.2:
        settings = {}  # the engine's defaults
    return _element("HexGrid", settings, _numbering(random, "mapgrid.HexGridNumbering"))


def _square_grid(random: Random) -> str:
    settings: dict[str, object] = {
        "dx": random.uniform(20, 70),
        "dy": random.uniform(20, 70),
        "x0": random.randint(-20, 40),
        "y0": random.randint(0, 40),
    }
    return _element("SquareGrid", settings, _numbering(random, "mapgrid.SquareGridNumbering"))


def _region_grid(random: Random) -> str:
    places = [(random.randint(0, 399), random.randint(0, 299)) for _ in range(9)]
    regions = (
        f'<{GRID}Region name="Place {number}" originx="{x}" originy="{y}"/>'
        for number, (x, y) in enumerate(places)
    )
    return _element("RegionGrid", {}, "".join(regions))


PLAIN = [_hex_grid, _hex_grid, _square_grid, _region_grid]


def _zoned_grid(random: Random) -> str:
    zones = "".join(_zone(random, number) for number in range(3))
    return _element("ZonedGrid", {}, zones + random.choice(PLAIN)(random))


def _zone(random: Random, number: int) -> str:
    path = ";".join(f"{random.randint(0, 400)},{random.randint(0, 300)}" for _ in range(random.randint(3, 7)))
    shown = random.choice(["$name$", "$gridLocation$", "$name$: $gridLocation$"])
    parent = random.random() < 0.5
    body = "" if parent or random.random() < 0.3 else random.choice(PLAIN)(random)
    attributes = {"path": path, "useParentGrid": parent}
    zone = _element("mapgrid.Zone", attributes, body)
    named = f'<{GRID}mapgrid.Zone name="Zone {number}" locationFormat="{shown}"'
    return zone.replace(f"<{GRID}mapgrid.Zone", named, 1)


class Scene(NamedTuple):
    module: Path
    game: Path
    layout: Layout
    points: dict[str, tuple[int, int]]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("grids")
    random = Random(41)
    kinds = [*PLAIN, _zoned_grid, _zoned_grid]
    boards = "".join(
        samples.board(f"Board {number}", kinds[number % len(kinds)](random), 400, 300 + number % 7)
        for number in range(BOARDS)
    )
    module = samples.module(folder / "grids.vmod", samples.map_component("Main", boards, *EDGE))
    picked = "".join(f"\tBoard {n}\t{n % COLUMNS}\t{n // COLUMNS}" for n in range(BOARDS))
    command = "MainBoardPicker" + picked
    points = {
        f"p{number}": (random.randint(0, 400 * COLUMNS + 20), random.randint(0, 305 * BOARDS // COLUMNS))
        for number in range(BOARDS * POINTS)
    }
    pieces = [samples.counter(ident, "Main", *point) for ident, point in points.items()]
    game = samples.save(folder / "grids.vsav", [*pieces, command])
    layout = Module.read(module).map("Main").layout(chosen_boards(command))
    return Scene(module, game, layout, points)


@pytest.fixture(scope="module")
def replayed(engine: ModuleType, scene: Scene) -> dict[str, dict[str, object]]:
    report = engine.vlog_replay(scene.module, scene.game, full=False, trace=False)
    assert report["problems"] == []
    return {piece["id"]: piece for piece in report["pieces"]}


def test_every_pixel_bears_the_engines_name(replayed: dict[str, dict[str, object]], scene: Scene) -> None:
    assert len(replayed) == BOARDS * POINTS
    wrong = []
    for ident, point in scene.points.items():
        piece, ours = replayed[ident], scene.layout.locate(*point)
        theirs = (piece.get("board"), piece.get("zone"), piece["location"])
        if theirs != (ours.board, ours.zone, "offboard" if ours.label is None else ours.label):
            wrong.append((point, theirs, ours))
    assert wrong == []


def test_the_pixels_lie_on_boards_in_zones_and_off_the_map(
    replayed: dict[str, dict[str, object]],
) -> None:
    assert len({piece.get("board") for piece in replayed.values()}) == BOARDS + 1
    assert sum(1 for piece in replayed.values() if piece.get("zone")) > 30
    assert any(piece["location"] == "offboard" for piece in replayed.values())


# Points exactly on an edge, where the rounding of Java's polygons decides.
ON_AN_EDGE = [
    ("47,42;3,60;58,49", (28, 55)),
    ("0,42;55,9;14,10", (25, 27)),
    ("33,21;7,47;4,48", (18, 36)),
    ("0,0;40,0;40,40;0,40", (40, 20)),
    ("0,0;40,0;40,40;0,40", (0, 20)),
]


def test_a_point_on_a_zones_edge_is_in_or_out_as_in_the_engine(engine: ModuleType, tmp_path: Path) -> None:
    boards = "".join(
        samples.board(
            f"B{number}",
            _element("ZonedGrid", {}, f'<{GRID}mapgrid.Zone name="Zone" path="{path}"/>'),
        )
        for number, (path, _) in enumerate(ON_AN_EDGE)
    )
    path = samples.module(tmp_path / "edges.vmod", samples.map_component("Main", boards))
    command = "MainBoardPicker" + "".join(f"\tB{n}\t{n}\t0" for n in range(len(ON_AN_EDGE)))
    points = {f"p{n}": (300 * n + x, y) for n, (_, (x, y)) in enumerate(ON_AN_EDGE)}
    pieces = [samples.counter(ident, "Main", *point) for ident, point in points.items()]
    report = engine.vlog_replay(path, samples.save(tmp_path / "edges.vsav", [*pieces, command]))
    layout = Module.read(path).map("Main").layout(chosen_boards(command))
    theirs = {piece["id"]: piece["zone"] for piece in report["pieces"]}
    assert theirs == {ident: layout.locate(*point).zone for ident, point in points.items()}
    assert set(theirs.values()) == {"Zone", None}
