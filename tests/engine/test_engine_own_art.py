"""The example with its own pictures, played in the real engine: scanned map, cards, hands, further maps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from builder.module.cards import MAP_NAME, board
from builder.module.furthermaps import of
from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.vassal.module import Module
from fieldpost.vassal.table import Table
from tests.engine.playing import Played, Script, play
from validator.model import events as ev

pytestmark = pytest.mark.xdist_group("built")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "own-art"
HAND = "Raiders hand"


@pytest.fixture(scope="module")
def game() -> Game:
    return load(EXAMPLE)


@pytest.fixture(scope="module")
def played(
    engine: ModuleType,
    game: Game,
    module_of: Callable[[Game], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Played:
    built = module_of(game)
    script = Script(Module.read(built), "Whole map")
    harbour, _ = of(game)
    script.sit("Raiders")
    for number in range(4):
        script.draw_to("Events", HAND, 120 + 200 * number, 160)
    script.choose("card-fog-1", "Discard")
    script.choose("card-signal-1", "Turn over")
    script.drop("card-storm-1", MAP_NAME, *_pile(game, "events-discards"))
    script.drop("W-3", harbour.name, *harbour.points["D3"])
    script.button("Bell")
    script.choose("1P", "Signal")
    script.drag("1P", "0605")
    file = tmp_path_factory.mktemp("art") / "raid.vlog"
    return play(engine, built, script, file, game, game.scenario["raid"])


def _pile(game: Game, name: str) -> tuple[int, int]:
    found = board(game)
    assert found is not None
    return next(pile.center for pile in found.piles if pile.id == name)


def _at_the_end(played: Played) -> Table:
    table = Table.of(played.log)
    for step in played.log.steps:
        table.step(step)
    return table


def test_it_is_played_without_a_problem(played: Played) -> None:
    assert played.report["problems"] == []


def test_cards_go_from_their_pile_into_a_hand_and_to_the_discards(played: Played) -> None:
    table = _at_the_end(played)
    cards = {piece.id: piece for piece in table.pieces.values() if piece.value("Kind") == "card"}
    assert {name: piece.place.map for name, piece in cards.items()} == {
        "card-fog-1": MAP_NAME,
        "card-storm-1": MAP_NAME,
        "card-storm-2": HAND,
        "card-signal-1": HAND,
    }
    assert cards["card-storm-2"].masked_by is None
    assert cards["card-signal-1"].masked_by is not None
    (discards,) = (deck for deck in table.decks.values() if deck.name == "Events: discards")
    assert [piece.id for piece in discards.contents] == ["card-fog-1", "card-storm-1"]


def test_a_piece_stands_in_the_square_it_was_dragged_to(played: Played) -> None:
    places = {piece["id"]: (piece["map"], piece["location"]) for piece in played.report["pieces"]}
    assert places["unit-W-3"] == ("Harbour of Havn", "D3")
    assert places["unit-Cutter"] == ("Harbour of Havn", "F4")
    assert places["marker-alarm-command-Alarm bell"] == ("Command", "Alarm bell")


def test_hexes_of_a_scan_are_where_its_anchors_say(played: Played) -> None:
    places = {piece["id"]: piece["location"] for piece in played.report["pieces"]}
    assert (places["unit-1P"], places["unit-2P"], places["unit-W-1"]) == ("0605", "In the boats", "0603")


def test_what_was_passed_through_works(played: Played) -> None:
    said = [command for step in played.log.steps for command in step.commands if command.startswith("CHAT")]
    assert any("rings the harbour bell" in line for line in said)
    assert any("First Party signal with its lamp" in line for line in said)


def test_the_log_is_read_as_far_as_rules_go(played: Played) -> None:
    kinds = [event for event in played.reading.events if not isinstance(event, ev.PhaseBegan)]
    assert [type(event).__name__ for event in kinds] == ["Placed"]
