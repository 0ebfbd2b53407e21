"""A reply to paste into a mail: the verdict first, then each fault with its rule and its remedy.

Plain ASCII within 72 columns, so that any mail program leaves it as it is. It names files, never folders.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from fieldpost.definition.rulelist import load_rules
from fieldpost.errors import FieldpostError
from fieldpost.phrases import count, full_stop, grouped, joined, phrase
from validator.model.findings import Finding, Report, Verdict
from validator.report.describe import Namer, short_message, verdict_counts
from validator.report.left import Left, remedies

WIDTH = 72
MOST_SOURCES = 3  # of a rule that stands in several places
HEADINGS = {
    Verdict.ILLEGAL: "FAULTS",
    Verdict.WARNING: "DOUBTFUL: allowed only under something the file does not show",
    Verdict.JUDGEMENT: "FOR YOU TO JUDGE",
}
CLOSE = (
    "This comes from a program that reads the rules closely but can err. If you read a rule otherwise, "
    "please say so, and let us look at it together."
)
ONCE_AGAIN = (
    "When play starts again at the first fault, what came after it falls away; "
    "the rest is listed so that it need not happen twice."
)
REPLAY = "replay"
_ASCII = str.maketrans(
    {"–": "-", "—": "-", "−": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "×": "x", "…": "...", "·": "-"}
    | {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ø": "oe", "å": "aa", "ł": "l"}
    | {"½": " 1/2", "¼": " 1/4", "¾": " 3/4", "ß": "ss", "→": "->", "≥": ">=", "≤": "<=", "\u00a0": " "}
)
_NOT_ASCII = re.compile(r"[^ -~]")


@dataclass(frozen=True)
class Part:
    """One file, and what the referee says of it. `counts` is what its numbers count: steps or lines."""

    file: str
    report: Report
    counts: str = "step"
    typed: Mapping[int, str] = field(default_factory=dict)  # the lines of a turn sheet as they were typed

    @property
    def name(self) -> str:
        return PurePath(self.file).name


Block = list[str]
"""Lines that stand together; an empty line parts it from the next."""


def render(
    report: Report,
    namer: Namer,
    file: str,
    *,
    counts: str = "step",
    policy: str = REPLAY,
    remarks: Sequence[str] = (),
    typed: Mapping[int, str] | None = None,
) -> str:
    """The reply to one turn; `remarks` are what else there is to say of the mail or the file."""
    part = Part(file, report, counts, typed or {})
    return _text([sentence(part), *map(full_stop, remarks)], [part], namer, policy)


def unreadable(error: FieldpostError) -> str:
    """The reply to what could not be read: what is wrong with it, and what to do."""
    said = [line for line in error.message.split("\n") if line.strip()]
    blocks = [
        filled("Your turn could not be read, and so it was not judged."),
        [line for text in said for line in filled(text, "  ")],
        *([filled(error.hint)] if error.hint else []),
        filled("Please send it again. The log in a zip, attached to the mail, arrives whole most often."),
    ]
    return "\n\n".join("\n".join(map(_plain, block)) for block in blocks) + "\n"


def render_game(
    verdict: str, parts: Sequence[Part], namer: Namer, policy: str, remarks: Sequence[str]
) -> str:
    """The reply to a whole game: the verdict, what is to say of the files, then all faults in order."""
    return _text([full_stop(verdict), *(f"- {full_stop(item)}" for item in remarks)], parts, namer, policy)


def sentence(part: Part) -> str:
    """The verdict in one sentence."""
    report, file = part.report, part.name
    illegal, actions = verdict_counts(report.findings)[Verdict.ILLEGAL], count(report.actions, "action")
    if report.judged < report.actions:
        actions = f"{report.judged} of {actions} that could be judged"
    if illegal:
        return f"{file} is not legal as played: {count(illegal, 'fault')} in {actions}."
    if report.broken:
        return f"{file} could be read only in part; there is nothing illegal in what could be read."
    points = phrase("{} should be looked at", report.findings and count(len(report.findings), "point"))
    but = phrase(", but {}", joined([points, *Left.of([report]).headlines], " and "))
    return f"Nothing illegal was found {phrase('so far ', report.open)}in the {actions} of {file}{but}."


def _text(opening: Sequence[str], parts: Sequence[Part], namer: Namer, policy: str) -> str:
    blocks = [
        [line for text in opening for line in filled(text, phrase("  ", text.startswith("- ")))],
        *_not_read(parts),
        *_findings(parts, namer, policy),
        *_left(parts),
        filled(CLOSE),
    ]
    return "\n\n".join("\n".join(map(_plain, block)) for block in blocks) + "\n"


def _not_read(parts: Sequence[Part]) -> Iterator[Block]:
    for part in parts:
        if part.report.broken:
            yield filled(f"Reading stopped: {part.report.broken}. What came before was checked.")
        words = Left.of([part.report]).not_understood
        if words:
            yield _list(f"NOT UNDERSTOOD in {part.name}, and so not judged", words)
        for heading, lines in Left.of([part.report]).not_judged:
            yield [*filled(heading), *_list("", lines)[1:]]
        yield from map(filled, Left.of([part.report]).how_to)


def _list(heading: str, items: Iterable[str]) -> Block:
    return [heading, *(line for item in items for line in filled(f"  {item}", "      "))]


# --- findings ------------------------------------------------------------------------------------


def _findings(parts: Sequence[Part], namer: Namer, policy: str) -> Iterator[Block]:
    cited = citations(part.report.game for part in parts)
    every = [(part, finding) for part in parts for finding in part.report.findings]
    by_verdict = grouped(every, lambda pair: pair[1].fault.verdict)
    several = len(parts) > 1
    for verdict in sorted(by_verdict, key=list(Verdict).index):
        alike = by_verdict[verdict]
        yield [HEADINGS[verdict]]
        for number, (part, finding) in enumerate(alike, 1):
            yield _finding(number, part, finding, namer, cited, several=several)
        for part in parts:
            for line in remedies([finding for owner, finding in alike if owner is part], part.counts):
                yield filled(full_stop(line) + phrase(" ({})", several and part.name))
        if verdict is Verdict.ILLEGAL and len(alike) > 1 and policy == REPLAY:
            yield filled(ONCE_AGAIN)


def _finding(
    number: int, part: Part, finding: Finding, namer: Namer, cited: Mapping[str, str], *, several: bool
) -> Block:
    head = f"{number}. ".rjust(4)
    indent = " " * len(head)
    place = f"Turn {finding.turn}, {namer.phase(finding.phase)}, {where(finding, part.counts)}"
    rule = cited.get(finding.fault.rule, _number_of(finding.fault.rule))
    told = [
        f"{place}{phrase(' of {}', several and part.name)}",
        full_stop(_capital(short_message(finding))),
        phrase("The log does not declare this; it is inferred.", finding.origin.inferred),
        f"Rule {rule}: {full_stop(finding.statement or 'see the rulebook')}",
    ]
    typed = part.typed.get(finding.origin.step or 0)
    told[1:1] = [f"Your line: {typed}"] if typed else []
    lines = [line for text in told for line in filled(text, indent, indent)]
    return [head + lines[0].lstrip(), *lines[1:], *_sum(finding, namer, indent)]


def where(finding: Finding, counts: str) -> str:
    return phrase(counts + " {}", finding.origin.step) or "at its end"


def _sum(finding: Finding, namer: Namer, indent: str) -> Iterator[str]:
    steps = [str(namer.plain(item)) for item in finding.fault.evidence.get("steps") or ()]
    if steps:
        yield f"{indent}The sum:"
    for step in steps:
        inner = indent + "  " + " " * (len(step) - len(step.lstrip()))
        yield from filled(step.lstrip(), inner + "  ", inner)


# --- what is left to say -------------------------------------------------------------------------


def _left(parts: Sequence[Part]) -> Iterator[Block]:
    left = Left.of([part.report for part in parts])
    for heading, lines in left.passages("STILL OWED: the phase is not over"):
        yield _list(heading, lines) if lines else filled(heading)
    if left.unchecked:
        reasons = grouped(left.unchecked, lambda item: item.reason).items()
        sums = [f"{sum(item.count for item in alike)} x {reason}" for reason, alike in reasons]
        yield _list("NOT CHECKED", sums)
    elif all(replace(part.report, broken=None).complete for part in parts):
        broken = any(part.report.broken for part in parts)
        yield [f"Everything {'that could be read' if broken else 'in it'} could be checked."]


# --- rules as players cite them ------------------------------------------------------------------


def citations(games: Iterable[str]) -> dict[str, str]:
    """Where each rule stands in the rulebook, by the rule's id."""
    cited: dict[str, str] = {}
    for game in dict.fromkeys(games):
        try:
            rules = load_rules(game)
        except FieldpostError:  # a game of one's own may do without a list
            continue
        cited |= {rule.id: _citation(rule.source) for rule in rules if rule.source}
    return cited


def _citation(source: Sequence[str]) -> str:
    """The number first that players would name first."""
    first, *others = source
    also = ", ".join(others[: MOST_SOURCES - 1])
    return f"{first} (also {also})" if also else first


def _number_of(rule: str) -> str:
    return rule.partition("-")[2] or rule


# --- words ---------------------------------------------------------------------------------------


def filled(text: str, indent: str = "", first: str = "") -> list[str]:
    """Within the width; `first` stands before its first line, `indent` before all others."""
    return textwrap.wrap(
        _plain(text),
        WIDTH,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=True,
        break_on_hyphens=False,
    )


def _plain(text: str) -> str:
    """ASCII, and nothing a terminal or a mail program could take for a command."""
    parted = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", text).translate(_ASCII))
    letters = "".join(letter for letter in parted if not unicodedata.combining(letter))
    return _NOT_ASCII.sub("?", letters)


def _capital(text: str) -> str:
    """A unit's id keeps its letters: cde2Pz."""
    is_id = any(letter.isdigit() for letter in text.split(" ", 1)[0])
    return text if is_id else text[:1].upper() + text[1:]
