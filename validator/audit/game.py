"""One game: from files in any order to a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fieldpost.definition.model import Game, Scenario
from fieldpost.progress import track
from validator.acts.judging import play
from validator.audit import chain as chains
from validator.audit import dice, entries, grouping, sequence, sources, survey
from validator.audit.chain import GAP, Chain
from validator.audit.dice import Dice
from validator.audit.differences import differences
from validator.audit.entries import Entry
from validator.audit.sources import Found, Pointer, Unusable
from validator.audit.survey import Record
from validator.engine.reconstructed import NOT_CHECKED
from validator.engine.referee import Referee
from validator.model.findings import Finding, Report, Unchecked, Verdict
from validator.model.position import Position
from validator.report.describe import Namer
from validator.services import evidence, one_turn, unjudged
from validator.services.one_turn import Choice
from validator.services.turnfile import Wanted

VERDICTS = ("illegal", "broken", "unreadable", "legal")
"""Of a game, the gravest first; it is broken if its logs do not hang together."""
SOUND = {"legal", "whole"}  # a game of unknown rules can be whole, no more


def worst(verdicts: Container[str], otherwise: str = "legal") -> str:
    return next((verdict for verdict in VERDICTS if verdict in verdicts), otherwise)


def status(verdicts: Iterable[str], unusable: Sequence[Unusable]) -> int:
    """The exit status that games and what could not be used lead to."""
    gravest = set(verdicts)
    if gravest & {"illegal", "broken"}:
        return 1
    return 0 if gravest and gravest <= SOUND and not sources.spoiled(unusable) else 2


@dataclass(frozen=True)
class Audit:
    """What there is to say of one game. `reports` has one report a log, in the order of the chain."""

    name: str
    game: Game
    scenario: Scenario
    chain: Chain
    reports: tuple[Report, ...]
    dice: Dice

    @property
    def findings(self) -> list[Finding]:
        return [finding for report in self.reports for finding in report.findings]

    @property
    def actions(self) -> int:
        return sum(report.actions for report in self.reports)

    @property
    def unchecked(self) -> list[Unchecked]:
        return [item for report in self.reports for item in report.unchecked]

    @property
    def verdict(self) -> str:
        """The gravest of its logs' and of how they hang together."""
        links = {"legal" if link.harmless else "broken" for link in self.chain.links}
        return worst(links.union(report.verdict for report in self.reports))

    @property
    def counts(self) -> Counter[Verdict]:
        """How many findings of each verdict there are."""
        return Counter(finding.fault.verdict for finding in self.findings)


def audit(
    items: Iterable[Found],
    wanted: Wanted,
    options: Sequence[str] = (),
    policy: str = "replay",
    *,
    over: bool = False,
) -> tuple[list[Audit], list[Unusable]]:
    """Every game among the files, and the files that are no turn of any."""
    groups, unusable = games(items, wanted)
    return [of_game(name, group, options, policy, over=over) for name, group in groups], unusable


def games(items: Iterable[Found], wanted: Wanted) -> tuple[list[tuple[str, list[Entry]]], list[Unusable]]:
    """The files of each game with the game's name, and what is of none."""
    read, unusable = sources.apart(entries.read(items, wanted))
    read, unusable = entries.without_repeats(read, unusable, lambda entry: entry.pointer)
    records = [survey.record(entry) for entry in read]
    entry_of = {_place(record): entry for record, entry in zip(records, read, strict=True)}
    groups = [
        (group.name, [replace(entry_of[_place(record)], pointer=record.pointer) for record in group.records])
        for group in grouping.part(records)
    ]
    return groups, unusable


def _place(record: Record) -> Pointer:
    return replace(record.pointer, apart_from="")


def of_game(
    name: str, group: Sequence[Entry], options: Sequence[str], policy: str, *, over: bool = False
) -> Audit:
    """One game of which these are all the files."""
    turn = group[0].turn
    chain = chain_of(group)
    reports = _judge(chain, options, policy, over)
    return Audit(name, turn.game, turn.scenario, chain, reports, dice.study(chain.entries))


def chain_of(group: Sequence[Entry]) -> Chain:
    """The files of one game in order, and how they hang together."""
    turn = group[0].turn
    entry_of = {
        id(record := survey.record(entry)): (record, entry) for entry in entries.distinctly_named(group)
    }
    in_order = sequence.in_sequence(record for record, _ in entry_of.values())
    turns = entries.without_copies(entry_of[id(record)][1] for record in in_order)
    return chains.join(turns, Namer(turn.game, turn.scenario))


Judged = tuple[Report, frozenset[str]]
"""The report on a log, and the options that rules have asked for until its end."""


# --- the referee over all ------------------------------------------------------------------------


def _judge(chain: Chain, options: Sequence[str], policy: str, over: bool) -> tuple[Report, ...]:
    """A report on each log, with the options that decided something in it, as a check names them."""
    played = [*track(_round(chain, options, {}, over), len(chain.entries), "logs judged")]
    reports = [report for report, _ in played]
    choices = _undecided(chain, options, frozenset().union(*(asked for _, asked in played)))
    if one_turn.too_much(sum(report.actions for report in reports), len(reports)):
        untried = one_turn.defaults_of(chain.entries[0].turn.game, choices)
        reports = [replace(report, untried=untried) for report in reports]
    else:
        reports = _with_options(chain, options, reports, choices, over)
    return tuple(
        _finished(report, entry, policy) for report, entry in zip(reports, chain.entries, strict=True)
    )


def _undecided(chain: Chain, options: Sequence[str], asked: frozenset[str]) -> list[Choice]:
    """The other choices of options that were asked for, and that not every log chooses by itself."""
    chosen = [_options(entry, options).keys() for entry in chain.entries]
    by_all = set(chosen[0]).intersection(*chosen[1:])
    return list(one_turn.undecided(chain.entries[0].turn, by_all, asked))


def _with_options(
    chain: Chain, options: Sequence[str], reports: Sequence[Report], choices: Sequence[Choice], over: bool
) -> list[Report]:
    """Each report with the options that decided something in its log."""
    game = chain.entries[0].turn.game
    decided: list[list[Choice]] = [[] for _ in reports]
    for choice in choices:
        others = _round(chain, options, dict([choice]), over)
        for in_log, report, (other, _), entry in zip(decided, reports, others, chain.entries, strict=True):
            if one_turn.differ(report, other, entry.events):
                in_log.append(choice)
    return [
        replace(report, options=one_turn.defaults_of(game, in_log))
        for report, in_log in zip(reports, decided, strict=True)
    ]


def _round(chain: Chain, options: Sequence[str], tried: Mapping[str, str], over: bool) -> Iterator[Judged]:
    """One referee goes from log to log; after a gap a new one begins, who knows nothing of before."""
    gaps = {link.after for link in chain.links if link.kind == GAP}
    referee: Referee | None = None
    for number, entry in enumerate(chain.entries):
        if referee is None or entry.name in gaps:
            chosen = {**tried, **_options(entry, options)}
            referee = one_turn.referee_for(replace(entry.turn, start=entry.start), chosen)
        else:
            go_on(referee, entry.start)
        last = number == len(chain.entries) - 1
        referee, report = _feed(referee, entry, last=last, over=over)
        yield report, frozenset(referee.case.asked_options)


def _options(entry: Entry, options: Sequence[str]) -> dict[str, str]:
    return {**entry.turn.options, **one_turn.options_of(entry.turn.game, options)}


def go_on(referee: Referee, start: Position) -> None:
    """Where a log starts otherwise than the one before ended, its own start is what counts."""
    position = referee.case.position
    if next(differences(position, start), None) is not None:
        fresh = start.copy()
        fresh.version = position.version + 1
        referee.case.position = fresh


def _feed(referee: Referee, entry: Entry, *, last: bool, over: bool) -> tuple[Referee, Report]:
    """What one log adds, and who judges the next; what is still owed is said where the last one ends."""
    referee.seal()
    ways, findings, left = len(referee.ways), len(referee.findings), len(referee.not_judged)
    actions, unchecked = referee.actions, Counter(referee.case.unchecked)
    if entry.turn.foreign:
        referee.case.not_checked(NOT_CHECKED)
    referee = play(referee, entry.events).referee
    if over and last:
        referee.close()
    new = Counter(referee.case.unchecked) - unchecked
    report = Report(
        game=entry.turn.game.id,
        scenario=entry.turn.scenario.id,
        actions=referee.actions - actions,
        findings=tuple(referee.findings[findings:]),
        unchecked=tuple(Unchecked(reason, count) for reason, count in new.most_common()),
        ways=tuple(referee.ways[ways:]),
        not_judged=tuple(referee.not_judged[left:]),
    )
    if not last:
        return referee, report
    at_the_end = (*report.findings, *referee.settled())
    return referee, replace(report, findings=at_the_end, open=tuple(referee.owed()))


def _finished(report: Report, entry: Entry, policy: str) -> Report:
    """With what the log itself shows."""
    judged = evidence.merged(report.findings, evidence.findings(entry.start, entry.events))
    return replace(
        unjudged.with_lines(report, entry.turn.game, entry.turn.scenario),
        findings=tuple(one_turn.with_remedy(finding, policy, report) for finding in judged),
        broken=entry.turn.broken,
        counts=entry.turn.counts,
        not_understood=one_turn.not_understood(entry.events),
    )
