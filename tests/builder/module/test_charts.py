"""Charts: all of a table is on its picture, and no wider than the window they open in."""

from __future__ import annotations

import pytest

from builder.module import chartgrid, charts
from fieldpost.definition import load
from fieldpost.definition.model import Table

WINDOW_PX = 1180  # the pane of the chart in templates/module/buildFile.xml.j2
TABLES = [table for game in ("wfm", "lwe", "wie") for table in load(game).tables]


@pytest.fixture(scope="module")
def terrain() -> Table:
    return load("lwe").table["terrain-effects"]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.title)
def test_a_chart_is_not_wider_than_its_window(table: Table) -> None:
    assert charts.draw(table).width <= WINDOW_PX


def test_the_seasons_of_a_class_stand_together_under_its_name(terrain: Table) -> None:
    grid = chartgrid.grid(terrain)
    assert grid.groups == (
        ("Mechanized", 1, 4),
        ("Non-mechanized", 5, 8),
        ("Cavalry", 9, 12),
        ("Mountain", 13, 16),
    )
    assert grid.lines[0][:6] == ("Terrain", "else", "mud", "frost", "snow", "else")
    assert grid.lines[0][-2:] == ("Combat", "Mobile assault")


def test_every_cell_stays_under_its_own_heading(terrain: Table) -> None:
    grid = chartgrid.grid(terrain)
    for row, line in zip(terrain.rows, grid.lines[1:], strict=True):
        cells = dict(zip(terrain.columns, row.cells, strict=True))
        for name, first, last in grid.groups:
            told = dict(zip(grid.lines[0][first : last + 1], line[first : last + 1], strict=True))
            expected = {
                column.partition("@")[2] or chartgrid.ELSE: cell
                for column, cell in cells.items()
                if column.partition("@")[0] == name.lower()
            }
            assert told == expected


def test_a_table_without_seasons_has_no_groups() -> None:
    grid = chartgrid.grid(load("lwe").table["combat-results"])
    assert grid.groups == ()
    assert grid.lines[0] == ("Die", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1")
