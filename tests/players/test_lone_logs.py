"""What is still found where a player checks the one log that he got, out of the middle of a game."""

from __future__ import annotations

from random import Random

from players.faults import Fault, trials
from players.game import play
from players.mail import mails, said_alone
from tests.processes import alone

EVERYDAY = (
    "a march too far",
    "a march into the enemy",
    "a march out of supply",
    "a hex too full",
    "an attack from afar",
    "odds too good",
    "odds too poor",
    "a result misread",
    "a loss forgotten",
    "a retreat beside the attackers",
    "an advance of two hexes",
    "a mobile assault without the points",
    "a mandatory attack left out",
)


def test_everyday_faults_are_found_in_the_one_log_that_has_them() -> None:
    tried, missed = alone(_tried_and_missed)
    assert {fault.name for fault in tried} == set(EVERYDAY)
    assert len(missed) <= len(tried) / 10, missed


def _tried_and_missed() -> tuple[list[Fault], list[Fault]]:
    played = play("lwe", "army-group-centre", 0)
    first = len(next(mails(played.game, played.events)).events)
    faults = [trial.fault for trial in trials(played, Random(0), 2, EVERYDAY)]
    tried = [fault for fault in faults if fault.at >= first]
    return tried, [fault for fault in tried if not said_alone(played, fault) & fault.rules]
