"""Rules whose breach is never more than doubtful, and rules that no log can show."""

from validator.games.ftm.book import RULES

ORDER = "Out of order is doubtful only: often nothing hangs on the order, and players mend it by agreement."
for _rule in ("3.1a", "3.1b", "3.1c", "8.1e", "8.1f"):
    RULES.at_most_doubtful(f"ftm-{_rule}", ORDER)
OPEN = "The text leaves it open: by default a referee is asked, an option decides."
for _rule in ("5.1.3", "8.7d", "14.1c", "8.4.2b", "own.entry"):
    RULES.at_most_doubtful(f"ftm-{_rule}", OPEN)
RULES.at_most_doubtful("ftm-3.1d", "The tracker is a help: turned too far, or late, it changes nothing.")

RULES.cannot_check("ftm-2.3a", "Where bases begin is the scenario's set-up, which every log starts from.")
RULES.cannot_check("ftm-14.0c", "The set-up has three air bases and five air units, and the game no more.")
