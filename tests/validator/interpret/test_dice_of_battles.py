"""Battles that are rolled for before their own die, and those that have none."""

from __future__ import annotations

from players.logs import LogWriter, plain_board
from players.table import game_of
from validator.interpret import interpret
from validator.model.events import Attacked, Event, Removed, ResultNamed, Rolled, Said

GAME = game_of("lwe")
SCENARIO = GAME.scenario["army-group-centre"]
ATTACK = Attacked(1, ("3Pz",), (GAME.map.lattice.hex("1420"),))


def read(*events: Event) -> list[Event]:
    """What is read of the log in which these are done."""
    writer = LogWriter(plain_board(GAME, SCENARIO), GAME, SCENARIO)
    writer.write(events)
    return [e for e in interpret(writer.log(), GAME, SCENARIO).events if not isinstance(e, Said)]


def test_the_die_for_supply_follows_the_declaration_and_is_of_that_battle() -> None:
    supply, combat = Rolled((3,), 6, "attenuated supply", None, 1), Rolled((5,), 6, "combat", None, 1)
    assert read(ATTACK, supply, combat) == [ATTACK, supply, combat]


def test_the_dice_of_the_artillery_command_are_of_the_battle_that_waits() -> None:
    guns = Rolled((3, 4, 5), 6, "artillery command", None, 1)
    assert read(ATTACK, guns, Rolled((5,), 6, "combat", None, 1))[:2] == [ATTACK, guns]


def test_a_result_without_a_die_completes_its_declaration() -> None:
    named, lost = ResultNamed("DE", 1), Removed("FZ-1420", "soviet-eliminated", 1)
    assert read(ATTACK, named, lost) == [ATTACK, named, lost]
