"""The map of a scenario shows what counts in it."""

from builder.map.picture import _as_played
from fieldpost.definition import load


def _sources(area: str | None) -> list[str]:
    game = load("wfm")
    shown = _as_played(game, area)
    return sorted(
        {game.map.lattice.label(place.hex) for place in shown.places if place.kind == "supply-source"}
    )


def test_turning_point_shows_its_own_supply_sources_only() -> None:
    assert _sources("turning-point") == ["4701", "5301", "E4304", "E4309", "E4312", "E6401", "E7005"]


def test_the_whole_map_shows_the_sources_of_every_scenario() -> None:
    assert len(_sources(None)) > 7
