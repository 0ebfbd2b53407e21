"""What a phase remembers of its battles, and results paid by each unit or as the other side paid."""

from __future__ import annotations

from validator.core.obligations import OVERPAID, UNPAID, Obligation
from validator.core.results import Grammar, Part, Pays, Phrase
from validator.procedures.battlebook import Battle, Party, engaged, retreated

GRAMMAR = Grammar((Phrase("BB", attacker=(Pays.SAME, 0, 0), defender=(Pays.EACH, 1, 0), first="defender"),))


def battle(number: int = 1) -> Battle[Party]:
    attacker = Party("red", {"a": 2, "b": 2}, {"a": 1, "b": 1})
    defender = Party("blue", {"x": 1, "y": 2}, {"x": 2, "y": 2})
    made: Battle[Party] = Battle(number, False, attacker, defender, (2,), (), None)
    made.result = GRAMMAR.read("BB")
    return made


def test_each_unit_owes_its_own_step() -> None:
    due = Obligation(1, "blue", Part(Pays.EACH, 1), {"x": 1, "y": 2})
    due.lose("x")
    assert [(b.key, b.units) for b in due.settle()] == [(UNPAID, ("y",))]
    due.lose("y")
    assert due.settle() == ()
    due.lose("y")
    assert [(b.key, b.units) for b in due.settle()] == [(OVERPAID, ("y",))]


def test_the_attacker_owes_what_the_defender_has_lost() -> None:
    fought = battle()
    assert fought.part(fought.attacker) == Part(Pays.STEPS, 0)
    fought.defender.lose("x", 1)
    fought.defender.lose("y", 1)
    assert fought.part(fought.attacker) == Part(Pays.STEPS, 2)


def test_a_loss_belongs_to_the_latest_battle_that_still_owes() -> None:
    first, second = battle(1), battle(2)
    assert engaged([first, second], "y", None) is second
    second.defender.lose("y", 1)
    second.defender.lose("x", 1)
    assert engaged([first, second], "y", None) is first
    assert engaged([first, second], "y", 2) is second
    assert engaged([first, second], "z", None) is None


def test_heirs_count_as_those_they_replaced() -> None:
    fought = battle()
    fought.defender.heirs["kg"] = "y"
    fought.defender.lose("kg", 2)
    assert not fought.defender.alive("y")
    fought.attacker.paths["a"] = (1, 3)
    fought.attacker.heirs["c"] = "a"
    assert retreated([fought]) == {"a", "c"}


def test_retreats_from_overruns_are_told_apart() -> None:
    fought = battle()
    fought.overrun = True
    fought.defender.paths["y"] = (2, 3)
    assert retreated([fought]) == set()
    assert retreated([fought], overruns=True) == {"y"}
