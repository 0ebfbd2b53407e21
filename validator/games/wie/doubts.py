"""Rules whose breach a log can never prove, and why."""

from __future__ import annotations

from validator.games.wie.book import RULES

OTHERWISE = {
    "wie-air.6": "the text does not say whether units that are carried march too",
    "wie-air.20": "the text counts interception rounds, a log may show a die thrown again by mistake",
    "wie-fort.2": "infantry may have left the fortification in the same round",
    "wie-hq.15": "a headquarters orders land units: whether planes that attack alone need one is not said",
    "wie-rep.5": "whether the order of planes is kept over the game or begins anew is not said",
    "wie-seq.3": "the two lists of parts of action 3 contradict each other",
    "wie-seq.4": "turns in which nothing was done may be missing in a log",
    "wie-set.5": "whether minor allies of all scenarios are as many is a matter of reading",
    "wie-sr.9": "whether redeployment follows all non-combat movement, or a unit's own, is not said",
    "wie-sup.1": "markers of supply are the players' own",
    "wie-sup.5": "supply is found at the check; the text also says: until they are returned to supply",
    "wie-sup.2": "markers of supply are the players' own",
    "wie-unit.3": "infantry that enters a vacant hex holds it too: only the word blitz is wrong",
    "wie-zoc.3": "the text says that armor cuts combat supply, and of headquarters only how far they reach",
    "wie-vic.4": "a claim that comes early changes nothing",
}
for _rule, _why in OTHERWISE.items():
    RULES.at_most_doubtful(_rule, _why)
