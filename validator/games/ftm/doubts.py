"""Rules whose breach is never more than doubtful, or only by an option, and rules that no log can show."""

from validator.games.ftm.book import RULES

ORDER = "Out of order is doubtful only: often nothing hangs on the order, and players mend it by agreement."
for _rule in ("3.1a", "3.1b", "3.1c", "8.1e", "8.1f"):
    RULES.at_most_doubtful(f"ftm-{_rule}", ORDER)
ASKED = "The text leaves it open, and a referee is asked; where {} decides, a breach is told under {}."
for _rule, _options, _other in (
    ("5.1.3", "the option one-hex-from-zone", "4.2a"),
    ("8.7d", "the option advance-after-losses or advance-after-elimination", "8.7b"),
):
    RULES.at_most_doubtful(f"ftm-{_rule}", ASKED.format(_options, _other))
RULES.at_most_doubtful("ftm-3.1d", "The tracker is a help: turned too far, or late, it changes nothing.")

BARRED = "The text leaves it open: by default a referee is asked; with the option {} {} a breach is illegal."
for _rule, _option, _choice in (
    ("14.1c", "mixed-air", "off"),
    ("8.4.2b", "kerch-panzer", "off"),
    ("own.entry", "arrival-places", "on"),
):
    RULES.sure_by_option(f"ftm-{_rule}", BARRED.format(_option, _choice))

RULES.cannot_check("ftm-2.3a", "Where bases begin is the scenario's set-up, which every log starts from.")
RULES.cannot_check("ftm-14.0c", "The set-up has three air bases and five air units, and the game no more.")
