"""One turn, checked: read, judged, reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from fieldpost.definition.model import Game
from fieldpost.errors import FieldpostError
from validator import sheet
from validator.acts.judging import Played, play
from validator.engine import claims, ownrules
from validator.engine.reconstructed import NOT_CHECKED, Reconstructed
from validator.engine.referee import Referee
from validator.model import events as ev
from validator.model.events import Event
from validator.model.findings import Finding, NotUnderstood, Report, Unchecked, Verdict
from validator.services import evidence, rulebooks, turnfile, unjudged
from validator.services.turnfile import Turnfile, Wanted

REMEDIES = {
    "replay": "play again from the fault on; what follows does not count",
    "dice-stand": "take the move back and play it again; dice already rolled stand where they still apply",
    "referee": "the referee decides",
}


@dataclass(frozen=True)
class Checked:
    turn: Turnfile
    report: Report


def check(
    path: Path, wanted: Wanted, options: Iterable[str] = (), policy: str = "replay", *, over: bool = False
) -> Checked:
    turn = turnfile.read(path, wanted)
    chosen = {**turn.options, **options_of(turn.game, options)}
    judged = _judged(turn, chosen, over=over)
    report = judged.report
    choices = list(undecided(turn, chosen, judged.asked))
    if too_much(report.actions):
        report = replace(report, untried=defaults_of(turn.game, choices))
    else:
        others = {choice: _otherwise(turn, chosen, judged, choice, over=over) for choice in choices}
        decided = [choice for choice, other in others.items() if differ(report, other, turn.events)]
        report = replace(report, options=defaults_of(turn.game, decided))
    merged = evidence.merged(report.findings, evidence.findings(turn.start, turn.events))
    findings = tuple(with_remedy(finding, policy, report) for finding in merged)
    report = unjudged.with_lines(report, turn.game, turn.scenario)
    puzzles = not_understood(turn.events)
    return Checked(
        turn,
        replace(report, findings=findings, broken=turn.broken, counts=turn.counts, not_understood=puzzles),
    )


@dataclass(frozen=True)
class _Judged:
    """A turn judged. `before` and `number` are the report and the findings on what was played before it."""

    report: Report
    asked: frozenset[str]  # options that rules have asked for
    before: Report
    number: int
    played: Played


def _judged(turn: Turnfile, options: Mapping[str, str], *, over: bool) -> _Judged:
    referee = referee_at_start(turn, options)
    before, number = referee.report(), len(referee.findings)
    referee.seal()
    if turn.own is None and ownrules.beside(turn.game.id):
        referee.case.not_checked(f"{ownrules.FILE} of this game: it runs if you name it, --game FOLDER")
    if turn.foreign:
        referee.case.not_checked(NOT_CHECKED)
    played = play(referee, turn.events, sheet.expand, most_kept=MOST_ACTIONS)
    report = _report(played.referee, before, number, over=over)
    return _Judged(report, frozenset(played.referee.case.asked_options), before, number, played)


def _report(referee: Referee, before: Report, number: int, *, over: bool) -> Report:
    if over:
        referee.close()
    return _since(referee.report(), before, number)


def _otherwise(
    turn: Turnfile, chosen: Mapping[str, str], judged: _Judged, choice: Choice, *, over: bool
) -> Report:
    """The report with another choice of an option, from the phase on in which rules first asked for it."""
    start = judged.played.start_of(choice[0])
    if start is None:  # asked for when the turn before it was judged, or when it ended
        return _judged(turn, {**chosen, **dict([choice])}, over=over).report
    referee = start.referee.fork(dict([choice]))
    played = play(referee, turn.events[start.place :], sheet.expand)
    return _report(played.referee, judged.before, judged.number, over=over)


# --- options that decided something --------------------------------------------------------------


MOST_ACTIONS, MOST_FILES = 400, 3  # of more, the report says that its options were not tried


Choice = tuple[str, str]
"""An option, and a choice of it other than its default."""


def too_much(actions: int, files: int = 1) -> bool:
    """Whether judging it again for each choice would take too long."""
    return actions > MOST_ACTIONS or files > MOST_FILES


def undecided(turn: Turnfile, chosen: Iterable[str], asked: frozenset[str]) -> Iterator[Choice]:
    """The other choices of each option that rules asked for and nobody chose."""
    settled = {*chosen, *turn.scenario.options}
    for option in turn.game.options:
        if option.id in asked and option.id not in settled:
            yield from ((option.id, choice) for choice in option.choices if choice != option.default)


def defaults_of(game: Game, choices: Iterable[Choice]) -> dict[str, str]:
    """The defaults of the options that choices are of."""
    ids = {id_ for id_, _ in choices}
    return {option.id: option.default for option in game.options if option.id in ids}


def differ(report: Report, other: Report, events: Iterable[Event]) -> bool:
    """Whether two reports on the same events find other things in them."""
    acting = {str(name) for event in events for kind, name in claims.touched(event) if kind == "unit"}
    return _said(report, acting) != _said(other, acting)


def _said(report: Report, acting: set[str]) -> list[tuple[str, str, str]]:
    """Findings about what was done in the turn, not about what lay there before."""
    told = (finding.fault for finding in report.findings)
    return [
        (fault.rule, fault.verdict.value, fault.message)
        for fault in told
        if not fault.units or acting.intersection(fault.units)
    ]


def not_understood(events: Iterable[Event]) -> tuple[NotUnderstood, ...]:
    puzzles = (event for event in events if isinstance(event, ev.NotUnderstood))
    return tuple(NotUnderstood(event.origin.step, event.text, event.nearest) for event in puzzles)


def referee_at_start(turn: Turnfile, options: Mapping[str, str]) -> Referee:
    """A referee who knows what was played before, where the turn names a file for that."""
    if turn.before is None:
        return referee_for(turn, options)
    before = turn.before.turn
    earlier = replace(turn, start=before.start, before=before.before)
    referee = referee_at_start(earlier, {**before.options, **options})
    for event in before.events:
        referee.judge(sheet.expand(event, referee.case.position))
    turn.before.opening.apply(referee.case.position)
    return referee


def _since(report: Report, before: Report, number: int) -> Report:
    """What a report says beyond an earlier one of the same referee, who had so many findings."""
    counts = Counter({item.reason: item.count for item in report.unchecked})
    counts.subtract({item.reason: item.count for item in before.unchecked})
    return replace(
        report,
        actions=report.actions - before.actions,
        findings=tuple(f for f in report.findings[number:] if f not in before.findings),
        ways=report.ways[len(before.ways) :],
        not_judged=report.not_judged[len(before.not_judged) :],
        unchecked=tuple(Unchecked(reason, count) for reason, count in counts.items() if count),
    )


def referee_for(turn: Turnfile, options: Mapping[str, str]) -> Referee:
    rules = rulebooks.of(turn.game, turn.own)
    if rules is None:
        raise FieldpostError(
            f"the rules of {turn.game.title} are not written yet",
            "'fieldpost games' lists what is in the box, 'fieldpost rules' how each rule is decided. "
            "A game of your own needs a rules: block in its game.yaml, or a rules.py and to be named: "
            "--game FOLDER",
        )
    entries, by_hand = rulebooks.entries(turn.game, turn.own), turn.counts == "step"
    statements = {entry.id: entry.title for entry in entries}
    rests_on = {entry.id: entry.rests_on for entry in entries}
    foreign = Reconstructed(turn.game, turn.scenario, rests_on) if turn.foreign else None
    start = turn.start.copy()
    return Referee(
        turn.game, turn.scenario, rules, statements, options, start, by_hand=by_hand, foreign=foreign
    )


def options_of(game: Game, given: Iterable[str]) -> dict[str, str]:
    choices_of = {option.id: option.choices for option in game.options}
    chosen = {}
    for text in given:
        name, _, choice = text.partition("=")
        if choice not in choices_of.get(name, ()):
            choices = ", ".join(f"{o.id}={'|'.join(o.choices)}" for o in game.options)
            raise FieldpostError(f"there is no option {text!r}", f"Options: {choices}")
        chosen[name] = choice
    return chosen


def with_remedy(finding: Finding, policy: str, report: Report) -> Finding:
    """None where battles of the phase are not declared: what is to be done hangs on them."""
    unsure = any((item.turn, item.phase) == (finding.turn, finding.phase) for item in report.not_judged)
    if finding.fault.verdict is not Verdict.ILLEGAL or unsure:
        return finding
    remedy = REMEDIES[policy]
    if policy == "replay" and finding.dice_followed:
        remedy += "; dice were rolled after it, so both players should agree"
    return replace(finding, remedy=remedy)
