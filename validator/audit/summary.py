"""An audit as data and as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from fieldpost.phrases import count, joined, listed, phrase
from validator.audit import sources
from validator.audit.chain import moment
from validator.audit.dice import NO_PROOF, SECOND_ROLL, Tally, in_places
from validator.audit.entries import Entry
from validator.audit.game import Audit, worst
from validator.audit.sources import Unusable
from validator.model.findings import Report
from validator.report import text
from validator.report.describe import SHORT_HEADINGS, Namer, finding_data, left_data
from validator.report.left import Left

VERDICTS = {
    "legal": "nothing illegal, and the logs hang together",
    "illegal": "not legal as played",
    "broken": "nothing illegal, but the logs do not hang together",
    "unreadable": "could not be read to its end",
}
MOST_NAMED = 50
MOST_OTHERS = 8
NO_TURN = (
    "No turn of a game was found. Turns are logs and saves of VASSAL, and turn sheets; they may lie in "
    "folders, zips and mails."
)
ALONE = {**VERDICTS, "legal": "nothing illegal"}  # one log has no other to hang together with


def verdict_in_words(audit: Audit) -> str:
    return with_what_is_left(
        VERDICTS[audit.verdict] if len(audit.reports) > 1 else ALONE[audit.verdict], audit
    )


def with_what_is_left(verdict: str, audit: Audit) -> str:
    """What a verdict may not be said without."""
    left = Left.of(audit.reports)
    if left.owed:
        verdict = re.sub("nothing illegal( was found)?", r"\g<0> so far", verdict)
    return ", ".join([verdict, *left.headlines])


def data(audits: Sequence[Audit], unusable: Sequence[Unusable]) -> dict[str, Any]:
    """One game as itself, several as a list."""
    spoiled = unusable_data(unusable)
    games = [game_data(audit) for audit in audits]
    names = [item.name for item in unusable if item.harmless]
    others = {"others": names} if names else {}
    if len(games) == 1:
        return games[0] | {"unusable": spoiled} | others
    verdict = worst({audit.verdict for audit in audits}, otherwise="unreadable")
    return {"game": None, "verdict": verdict, "games": games, "unusable": spoiled} | others


def unusable_data(unusable: Sequence[Unusable]) -> list[dict[str, str]]:
    """What may hold a turn and could not be used."""
    return [{"file": item.name, "why": item.why} for item in sources.spoiled(unusable)]


def game_data(audit: Audit) -> dict[str, Any]:
    namer = Namer(audit.game, audit.scenario)
    pairs = zip(audit.chain.entries, audit.reports, strict=True)
    return {
        "name": audit.name,
        "game": audit.game.id,
        "scenario": audit.scenario.id,
        "verdict": audit.verdict,
        "actions": audit.actions,
        "logs": [_log(entry, report) for entry, report in pairs],
        "set_aside": [entry.name for entry in audit.chain.set_aside],
        "chain": [link.data() for link in audit.chain.links],
        "dice": audit.dice.data(),
        "findings": [finding_data(finding, namer) for finding in audit.findings],
        **left_data(audit.reports),
    }


def _log(entry: Entry, report: Report) -> dict[str, Any]:
    return {
        "file": entry.name,
        "via": entry.pointer.via,
        "begins": {"turn": entry.start.turn, "phase": entry.start.phase},
        "ends": {"turn": entry.end.turn, "phase": entry.end.phase},
        "module": entry.metadata.module,
        "version": entry.metadata.version,
        "verdict": report.verdict,
        "actions": report.actions,
        "rolls": len(entry.rolls),
        "broken": report.broken,
    }


# --- text ----------------------------------------------------------------------------------------


def render(audits: Sequence[Audit], unusable: Sequence[Unusable], *, color: bool = False) -> str:
    several = len(audits) > 1
    lines = [line for audit in audits for line in _lines(audit, color, several=several)]
    if not audits:
        lines.append(NO_TURN)
    seen = how_many(audits, unusable)
    if seen:
        lines.insert(2 if len(audits) == 1 else 0, seen)
    if unusable:
        lines += ["", *not_used(unusable)]
    return "\n".join(lines) + "\n"


def how_many(audits: Sequence[Audit], unusable: Sequence[Unusable]) -> str:
    """How many files and parts of mails were seen, and what became of them; empty if all are turns."""
    if not unusable:
        return ""
    chains = [audit.chain for audit in audits]
    turns = sum(len(chain.entries) + len(chain.set_aside) for chain in chains)
    copies = sum(len(entry.copies) for chain in chains for entry in chain.entries)
    spoiled = sources.spoiled(unusable)
    others = len(unusable) - len(spoiled)
    parts = [
        count(turns, "turn"),
        phrase("{}", copies and ("1 copy" if copies == 1 else f"{copies:,} copies")),
        phrase("{:,} that could not be used", len(spoiled)),
        phrase("{:,} without a turn", others),
    ]
    seen = turns + copies + len(unusable)
    return f"{count(seen, 'file')} and parts of mails were seen: {joined(parts)}."


def not_used(unusable: Sequence[Unusable]) -> Iterator[str]:
    """The first of them by name; JSON has them all."""
    spoiled = sources.spoiled(unusable)
    if spoiled:
        yield "Not used:"
        yield from (f"  {item.name}: {item.why}" for item in spoiled[:MOST_NAMED])
    if len(spoiled) > MOST_NAMED:
        yield f"  and {len(spoiled) - MOST_NAMED:,} more"
    others = [f"{item.name} ({item.why})" for item in unusable if item.harmless]
    if others:
        yield f"Seen, and no turn: {listed(others, MOST_OTHERS)}."


def _lines(audit: Audit, color: bool, *, several: bool) -> Iterator[str]:
    namer = Namer(audit.game, audit.scenario)
    if several:
        yield from ("", f"== {audit.name} ==")
    yield f"{audit.game.title}, {audit.scenario.title}: {verdict_in_words(audit)}"
    yield f"{count(len(audit.reports), 'log')}, {count(audit.actions, 'action')}, {_verdicts(audit)}"
    yield ""
    for number, (entry, report) in enumerate(zip(audit.chain.entries, audit.reports, strict=True), 1):
        yield f"{number:>3}  {entry.name}: {moment(entry.start, namer)} to {moment(entry.end, namer)}"
        yield f"     {text.headline(report)}"
    yield from _links(audit)
    for entry, report in zip(audit.chain.entries, audit.reports, strict=True):
        if report.findings or not replace(report, untried={}).complete:
            yield ""
            yield text.render(report, namer, entry.name, color=color).rstrip("\n")
    untried = Left.of(audit.reports).untried_line
    if untried:
        yield from ("", untried)
    yield from _dice(audit)


def _verdicts(audit: Audit) -> str:
    return ", ".join(f"{audit.counts[verdict]} {words}" for verdict, words in SHORT_HEADINGS.items())


def _links(audit: Audit) -> Iterator[str]:
    if audit.chain.links:
        yield ""
    elif len(audit.reports) > 1:
        yield from ("", "Each log starts where the one before ended.")
    for link in audit.chain.links:
        yield f"- {link.message}"
        yield from (f"    {difference}" for difference in link.differences[1:])


def _dice(audit: Audit) -> Iterator[str]:
    dice = audit.dice
    if not dice.tallies:
        return
    yield ""
    yield "Dice"
    names = {side.id: f"{side.name} phases" for side in audit.game.sides}
    for tally in dice.tallies:
        yield f"  {names.get(tally.side, 'Phases of both')}: {_tally(tally)}"
    titles = ("Rolls taken back", "Rolls without a declared reason", SECOND_ROLL)
    yield from (f"  {title}: {in_places(rows)}" for title, rows in zip(titles, dice.odd, strict=True) if rows)
    yield f"  {NO_PROOF}"


def _tally(tally: Tally) -> str:
    counts = " ".join(f"{face}:{times}" for face, times in enumerate(tally.counts, 1))
    middle = (tally.sides + 1) / 2
    noun = "die" if tally.number == 1 else "dice"
    return (
        f"{tally.number} {noun}, mean {tally.mean:.2f} ({middle:.1f} is expected), {counts}; {tally.words()}"
    )
