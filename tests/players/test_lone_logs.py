"""What is still found where a player checks the one log that he got, out of the middle of a game."""

from __future__ import annotations

from random import Random

from players.faults import trials
from players.game import play
from players.mail import mails, said_alone

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
    played = play("lwe", "army-group-centre", 0)
    first = len(next(mails(played.game, played.events)).events)
    tried = [trial for trial in trials(played, Random(0), 2, EVERYDAY) if trial.fault.at >= first]
    assert {trial.fault.name for trial in tried} == set(EVERYDAY)
    missed = [trial.fault for trial in tried if not said_alone(played, trial.fault) & trial.fault.rules]
    assert len(missed) <= len(tried) / 10, missed
