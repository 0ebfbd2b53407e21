"""Rules whose breach is never more than doubtful, and why."""

from validator.games.wfm.book import RULES

ORDER = "Out of order is doubtful only: often nothing hangs on the order, and players mend it by agreement."
for _rule in ("3.0d", "3.0f", "5.16"):
    RULES.at_most_doubtful(f"wfm-{_rule}", ORDER)
for _rule, _why in {
    "3.0e": "The tracker is a help: turned too far, or late, it changes nothing.",
    "5.73": "A marker that was forgotten changes nobody's control.",
    "8.72": "Whether the gun was announced in time is not in the log.",
    "13.24": "The chit may have been drawn for another unit.",
    "14.24": "Another counter serves until then.",
}.items():
    RULES.at_most_doubtful(f"wfm-{_rule}", _why)
