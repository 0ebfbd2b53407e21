"""A reply to paste into a mail: the verdict first, then each fault with its rule and its remedy.

Plain ASCII within 72 columns, so that any mail program leaves it as it is. It names files, never folders.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from fieldpost.definition.rulelist import load_rules
from fieldpost.errors import FieldpostError
from validator.model.findings import Finding, Report, Verdict
from validator.report.describe import Namer, short_message
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
    | {"½": " 1/2", "¼": " 1/4", "¾": " 3/4", "ß": "ss", "→": "->", "≥": ">=", "≤": "<=", "\u00a0": " "}
)


@dataclass(frozen=True)
class Part:
    """One file, and what the referee says of it. `counts` is what its numbers count: steps or lines."""

    file: str
    report: Report
    counts: str = "step"


def render(
    report: Report,
    namer: Namer,
    file: str,
    *,
    counts: str = "step",
    policy: str = REPLAY,
    remarks: Sequence[str] = (),
) -> str:
    """The reply to one turn; `remarks` are what else there is to say of the mail or the file."""
    part = Part(file, report, counts)
    return _text([sentence(part), *map(_full_stop, remarks)], [part], namer, policy)


def render_game(
    verdict: str, parts: Sequence[Part], namer: Namer, policy: str, remarks: Sequence[str]
) -> str:
    """The reply to a whole game: the verdict, what is to say of the files, then all faults in order."""
    return _text([_full_stop(verdict), *(f"- {_full_stop(item)}" for item in remarks)], parts, namer, policy)


def sentence(part: Part) -> str:
    """The verdict in one sentence."""
    report, file = part.report, PurePath(part.file).name
    count = {verdict: sum(f.fault.verdict is verdict for f in report.findings) for verdict in Verdict}
    illegal, actions = count[Verdict.ILLEGAL], number(report.actions, "action")
    if illegal:
        return f"{file} is not legal as played: {number(illegal, 'fault')} in {actions}."
    if report.broken:
        return f"{file} could be read only in part; there is nothing illegal in what could be read."
    rest = [number(len(report.findings), "point") + " should be looked at"] if report.findings else []
    rest += Left.of([report]).headlines
    but = f", but {' and '.join(rest)}" if rest else ""
    return f"Nothing illegal was found {'so far ' if report.open else ''}in the {actions} of {file}{but}."


def _text(opening: Sequence[str], parts: Sequence[Part], namer: Namer, policy: str) -> str:
    lines = [line for text in opening for line in filled(text, "  " if text.startswith("- ") else "")]
    for part in parts:
        if part.report.broken:
            lines += ["", *filled(f"Reading stopped: {part.report.broken}. What came before was checked.")]
        lines += _not_understood(part)
    cited = citations(part.report.game for part in parts)
    for verdict in Verdict:
        lines += _chapter(verdict, parts, namer, cited, policy)
    lines += _left(parts)
    lines += _unchecked(parts)
    lines += ["", *filled(CLOSE)]
    return "\n".join(map(_plain, lines)) + "\n"


# --- findings ------------------------------------------------------------------------------------


def _chapter(
    verdict: Verdict, parts: Sequence[Part], namer: Namer, cited: Mapping[str, str], policy: str
) -> Iterator[str]:
    found = [(part, f) for part in parts for f in part.report.findings if f.fault.verdict is verdict]
    if not found:
        return
    yield ""
    yield HEADINGS[verdict]
    for number, (part, finding) in enumerate(found, 1):
        yield ""
        yield from _finding(number, part, finding, namer, cited, several=len(parts) > 1)
    for part in parts:
        mine = [finding for owner, finding in found if owner is part]
        for line in remedies(mine, part.counts):
            yield ""
            name = f" ({PurePath(part.file).name})" if len(parts) > 1 else ""
            yield from filled(_full_stop(line) + name)
    if verdict is Verdict.ILLEGAL and len(found) > 1 and policy == REPLAY:
        yield ""
        yield from filled(ONCE_AGAIN)


def _finding(
    number: int, part: Part, finding: Finding, namer: Namer, cited: Mapping[str, str], *, several: bool
) -> Iterator[str]:
    head = f"{number}. ".rjust(4)
    indent = " " * len(head)
    place = f"Turn {finding.turn}, {namer.phase(finding.phase)}, {where(finding, part.counts)}"
    if several:
        place += f" of {PurePath(part.file).name}"
    yield from filled(head + place, indent)
    yield from filled(indent + _full_stop(_capital(short_message(finding))), indent)
    if finding.origin.inferred:
        yield from filled(f"{indent}The log does not declare this; it is inferred.", indent)
    rule = cited.get(finding.fault.rule, _number_of(finding.fault.rule))
    yield from filled(f"{indent}Rule {rule}: {_full_stop(finding.statement or 'see the rulebook')}", indent)
    yield from _sum(finding, namer, indent)


def where(finding: Finding, counts: str) -> str:
    return f"{counts} {finding.origin.step}" if finding.origin.step else "at its end"


def _sum(finding: Finding, namer: Namer, indent: str) -> Iterator[str]:
    steps = [str(namer.plain(item)) for item in finding.fault.evidence.get("steps") or ()]
    if steps:
        yield f"{indent}The sum:"
    for step in steps:
        inner = indent + "  " + " " * (len(step) - len(step.lstrip()))
        yield from filled(inner + step.lstrip(), inner + "  ")


def _not_understood(part: Part) -> Iterator[str]:
    if part.report.not_understood:
        yield ""
        yield f"NOT UNDERSTOOD in {PurePath(part.file).name}, and so not judged"
        for line in Left.of([part.report]).not_understood:
            yield from filled(f"  {line}", "      ")


def _left(parts: Sequence[Part]) -> Iterator[str]:
    left = Left.of([part.report for part in parts])
    if left.owed:
        yield ""
        yield "STILL OWED: the phase is not over"
        for text in left.owed:
            yield from filled(f"  {text}", "      ")
    if left.ways:
        yield ""
        yield "The direct path is not open; this path was judged instead:"
        for text in left.ways:
            yield from filled(f"  {text}", "      ")
    if left.decided:
        yield ""
        yield from filled(f"Decided by options: {', '.join(left.decided)}.")
    if left.untried:
        yield ""
        yield from filled(left.untried_line)


def _unchecked(parts: Sequence[Part]) -> Iterator[str]:
    items = [item for part in parts for item in part.report.unchecked]
    if not items:
        broken = any(part.report.broken for part in parts)
        if all(replace(part.report, broken=None).complete for part in parts):
            yield ""
            yield f"Everything {'that could be read' if broken else 'in it'} could be checked."
        return
    yield ""
    counts: dict[str, int] = {}
    for item in items:
        counts[item.reason] = counts.get(item.reason, 0) + item.count
    yield "NOT CHECKED"
    for reason, count in counts.items():
        yield from filled(f"  {count} x {reason}", "      ")


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


def filled(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(
        _plain(text), WIDTH, subsequent_indent=indent, break_long_words=True, break_on_hyphens=False
    )


def _plain(text: str) -> str:
    """ASCII, and nothing a terminal or a mail program could take for a command."""
    known = unicodedata.normalize("NFKD", text.translate(_ASCII))
    letters = (letter for letter in known if not unicodedata.combining(letter))
    return "".join(letter if " " <= letter <= "~" else "?" for letter in letters)


def _capital(text: str) -> str:
    return text if text[:1].isupper() or text[:1].isdigit() or _is_id(text) else text[:1].upper() + text[1:]


def _is_id(text: str) -> bool:
    """A unit's id keeps its letters: cde2Pz."""
    return any(letter.isdigit() for letter in text.split(" ", 1)[0])


def _full_stop(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
