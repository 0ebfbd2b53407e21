"""Rules whose breach is never more than doubtful, and why."""

from validator.games.lwe.book import RULES

CLAIM = "A claim of supply is no move: what follows from it is judged where a unit moves or attacks."
for _rule in ("5.4e", "7.3a", "7.9a", "7.10a", "7.11a", "7.13a", "7.14a", "7.15a", "7.17a"):
    RULES.at_most_doubtful(f"lwe-{_rule}", CLAIM)
CONSENT = "The opponent may have allowed it, and often nothing hangs on it."
for _rule in ("9.2c", "9.5a", "9.6a", "11.5a"):
    RULES.at_most_doubtful(f"lwe-{_rule}", CONSENT)
for _rule, _why in {
    "2.4a": "Players may have agreed to play without the two divisions.",
    "3.1a": "The order of the set-up changes nothing once both sides have set up.",
    "3.6a": "A marker that was forgotten changes nobody's control.",
    "4.6a": "The level is a matter of words; the points are judged.",
    "7.12e": "A supply check that removes nobody changes nothing.",
    "8.3b": "Whether there was room may hang on units that were moved later.",
    "11.7a": "The defender may show what he likes, and one log holds the acts of both.",
    "11.25c": "The log does not tell when the players worked out the odds.",
}.items():
    RULES.at_most_doubtful(f"lwe-{_rule}", _why)
