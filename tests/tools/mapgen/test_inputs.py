"""The inputs of the maps: each settled thing says on whose word, each name is known, nothing is stale."""

from __future__ import annotations

import csv
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from fieldpost.definition import load_map
from tests.places import REPOSITORY

TOOL = REPOSITORY / "tools" / "mapgen"
GAMES = ("wfm", "lwe", "ftm")


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def overrides(game: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load((TOOL / game / "overrides.yaml").read_text(encoding="utf-8")))


TOWNS = {row["name"]: row for row in table(TOOL / "geography" / "gazetteer.csv")}


@pytest.mark.parametrize("game", GAMES)
def test_every_override_cites_a_rule_or_says_why_it_is_editorial(game: str) -> None:
    entries = overrides(game)
    assert entries
    for entry in entries:
        rule, why = entry.get("rule"), entry.get("editorial")
        assert (rule is None) != (why is None), entry
        assert rule is None or re.fullmatch(r"\d+\.\d+(\.\d+)?( \d+\.\d+)*", str(rule)), entry
        assert why is None or len(why) > 10, entry


@pytest.mark.parametrize("game", GAMES)
def test_every_override_shows_in_the_map(game: str) -> None:
    m = load_map(game)
    for entry in overrides(game):
        for label in str(entry.get("hexes", "")).split():
            value = entry.get("terrain")
            terrain = m.terrain[m.lattice.hex(label)]
            assert value is None or terrain == value or (value == "dry" and terrain not in ("sea", "lake"))
        for text in str(entry.get("sides", "")).split():
            kinds = m.side_kinds.get(m.lattice.hexside(text), frozenset())
            if entry.get("water") == "none":
                assert not kinds & {"sea", "lake"}, text
            elif "water" in entry:
                assert entry.get("kind", entry["water"]) in kinds, text


@pytest.mark.parametrize("game", GAMES)
def test_no_town_is_named_twice_and_every_named_town_is_known(game: str) -> None:
    rows = table(TOOL / game / "places.csv")
    unknown = [r["name"] for r in rows if not r["hex"] and (r["town"] or r["name"]) not in TOWNS]
    assert unknown == []
    names = [(r["name"], r["hex"]) for r in rows]
    assert len(names) == len(set(names))


def test_the_gazetteer_names_a_place_once_within_the_map() -> None:
    rows = table(TOOL / "geography" / "gazetteer.csv")
    assert len(rows) == len(TOWNS)
    assert all(36 < float(r["lat"]) < 72 and 12 < float(r["lon"]) < 56 for r in rows)


def test_railways_and_roads_name_known_towns_or_hexes() -> None:
    for path in TOOL.glob("*/*.csv"):
        first, *lines = path.read_text(encoding="utf-8").splitlines()
        if first in ("railway", "rollbahn", "line"):
            lattice = load_map(path.parent.name).lattice
            own = path.parent / "geography" / "gazetteer.csv"
            known = {row["name"] for row in table(own)} if own.exists() else TOWNS.keys()
            for name in {n.strip() for line in lines for n in line.split(" - ")} - known:
                assert lattice.hex(name), f"{path.name}: {name}"


def test_packages_are_pinned_by_version_and_sha256_and_say_their_licence() -> None:
    packages = tomllib.loads((TOOL / "packages.toml").read_text(encoding="utf-8"))
    assert len(packages) == 3
    for package in packages.values():
        assert re.fullmatch(r"[0-9a-f]{64}", package["sha256"])
        assert package["version"] in package["file"]
        assert "public domain" in package["licence"] or "no copyright" in package["licence"]


def test_borders_of_1941_are_a_line_of_points_on_the_map() -> None:
    rows = table(TOOL / "geography" / "borders.csv")
    assert {r["border"] for r in rows} >= {"finland-ussr", "germany-ussr", "hungary-ussr", "rumania-ussr"}
    assert all(38 < float(r["lat"]) < 71 and 19 < float(r["lon"]) < 49 for r in rows)


def test_the_documentation_credits_every_package_and_shows_every_map() -> None:
    text = (REPOSITORY / "docs" / "maps.md").read_text(encoding="utf-8")
    packages = tomllib.loads((TOOL / "packages.toml").read_text(encoding="utf-8"))
    assert all(f"`{p['package']}` {p['version'].split('-')[0]}" in text for p in packages.values())
    for game in GAMES:
        picture = REPOSITORY / "docs" / "pictures" / f"map-{game}.png"
        assert f"pictures/map-{game}.png" in text
        assert picture.stat().st_size < 400_000


@pytest.mark.parametrize("game", GAMES)
def test_the_documentation_names_every_kind_a_map_uses(game: str) -> None:
    text = (REPOSITORY / "docs" / "maps.md").read_text(encoding="utf-8")
    kinds = text.split("## Kinds")[1].split(f"* **{game}**")[1].split("\n* **")[0].split("\n`sea`")[0]
    words = set(re.findall(r"[\w*-]+", kinds))
    m = load_map(game)
    used = {*m.terrain.values(), *(r.kind for r in m.side_runs), *(line.kind for line in m.lines), *m.grid}
    assert used - words - {"terrain", "country"} == set()
