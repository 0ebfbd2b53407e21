"""Chapter 11: the strength chits of Soviet armies, mechanized groups and fortresses."""

from __future__ import annotations

from validator.games.ftm.book import ADMIN, FIGHTING, RULES, SUPPLY
from validator.games.ftm.field import field_of
from validator.games.ftm.state import Case
from validator.model.position import Unit
from validator.procedures import strengthchits


def beside_enemy(case: Case, unit: Unit) -> bool:
    return field_of(case).beside_enemy(unit, with_zone=case.option("chit-neighbours") == "combat")


def _starred_back(case: Case, alive: bool) -> tuple[bool]:
    return (alive and case.option("starred-chits") == "back",)


CHITS = strengthchits.ChitRules(
    cup="ftm-11.1.1",
    once="ftm-11.1.1",
    arrived="ftm-11.0",
    new="ftm-11.0",
    full="ftm-11.3",
    fights="ftm-8.1b",
    beside="ftm-11.1.2",
    away="ftm-11.2.1",
    dead="ftm-11.2.1",
    back="ftm-11.2.2b",
    starred="ftm-11.2.2b",
    cups="chits-{}",
    fighting=FIGHTING,
    supply=SUPPLY,
    admin=ADMIN,
    beside_enemy=beside_enemy,
    starred_back=_starred_back,
)
strengthchits.register(RULES, CHITS)
