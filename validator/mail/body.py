"""The turn in a text: a file, or the text of a mail. Every line of it is read, or left out by a rule.

Left out are what stands above the line `game ...`, quoted lines, an older mail below, and closing words (a
signature, footers of mail programs and lists). `matter.py` has the rules; where closing words begin the
sheet's reader decides, which knows the game. All else is the turn: a slip is an error and is not overlooked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from validator.mail import matter
from validator.sheet.encoding import visible
from validator.sheet.reader import MAX_LINE
from validator.sheet.written import Written, acts, meant_verb, starts_with_path, verb_of

MAX_TEXT = 2_000_000
MOST_LINES = 20_000
TOO_LONG = f"turn (the text is too long: a turn has {MOST_LINES:,} lines at most)"  # an error when it is read
PARAGRAPH = "\u2029"  # ends a line of a page that is a paragraph: there is a gap below it, and no empty line
MOST_TURNS = 20  # in one text; in the last of more the next is an error
WRAPPED_FROM = 55  # a mail program breaks no line shorter than this
QUOTED, OLDER, CLOSING = "quoted", "an older mail", "closing words"

_GAME = re.compile(r"game:?\s+[a-z0-9-]+(\s+[a-z0-9-]+){0,2}[.,;]?\s*(#.*)?", re.IGNORECASE)
_MAY_HOLD = re.compile(r"^[^\w\r\n]*(?:\d{1,3}\W+)?_?(?:game|turn)\b", re.IGNORECASE | re.MULTILINE)
_PHASE = re.compile(r"turn\s+\d+\s+[a-z0-9-]+\s*(#.*)?", re.IGNORECASE)
_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028]")
_MARK = re.compile(
    r"(?:[-*+\u2022\u00b7\u25aa\u25e6\u2023\u2043o]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(?=[*_\"'A-Za-z#])"
)
_BOLD = re.compile(r"(?<![\w*])(\*\*|__|[*_`])(?=[^\s*_`])([^*`]*?)(?<=[^\s*_`])\1(?![\w*])")
ADDRESS = re.compile(r"<?[^\s<>@\"]{1,64}@[^\s<>@\"]{1,200}\.[^\s<>@\"]{1,60}>?")
_LOOSE_SIGNS = re.compile(r"^[*_`]+(?=[A-Za-z])|(?<=\w)[*_`]+$")
_FULL_STOP = re.compile(r"(?<=[\w\")])[.;]$")
_PLACE_BELOW = re.compile(r"\s*>\s*[A-Za-z]?\d{4}(?!\d)")
_PLACE_ENDS = re.compile(r"[A-Za-z]?\d{4}\s*[-,>]?\s*$")
_TYPED = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "×": "x", "\u2192": "->"}
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63", "-")
)
_WIDE = re.compile(r"[\uff01-\uff5e]+")
_QUOTE_MARKS = re.compile(r"[\s>|]*[>|]\s?")


@dataclass(frozen=True)
class Left:
    """Lines that are not read as the turn, and what they are."""

    first: int
    last: int
    what: str


@dataclass(frozen=True)
class Turn:
    """The lines of one turn, and those below it that are none of it. `is_older` is one in an older mail."""

    lines: tuple[Written, ...]
    left: tuple[Left, ...] = ()
    joined: int = 0
    is_older: bool = False
    named: bool = True  # its first line names the game

    @property
    def key(self) -> str:
        """Alike for a turn and what is quoted of it: its game, its first phase."""
        heads = [line.text for line in self.lines if verb_of(line.text) in ("game", "turn")]
        return " ".join(" ".join(heads[:2]).lower().split())


def lines_of(text: str) -> list[Written]:
    lines: list[Written] = []
    gap = True
    for number, line in enumerate(_split(text), 1):
        whole = line.rstrip(PARAGRAPH)
        lines.append(Written(number, whole, gap))
        gap = whole != line or not whole.strip()
    return lines


def _split(text: str) -> list[str]:
    lines = _BREAKS.split(text[: MAX_TEXT + 1])
    return [*lines[:MOST_LINES], TOO_LONG] if len(lines) > MOST_LINES or len(text) > MAX_TEXT else lines


def turn(text: str) -> Turn | None:
    """The first turn in a text, its lines numbered as there; an older mail's only if there is no other."""
    return next(iter(turns(text)), None)


def turns(text: str) -> list[Turn]:
    """Each turn in a text, those of older mails last."""
    if not _MAY_HOLD.search(text):
        return []
    lines = lines_of(text)
    parts = list(_mails(lines))
    found: list[Turn] = []
    for older, part in enumerate(parts):
        found += _of_part(part, lines, is_older=bool(found) and older > 0)
    return found


@dataclass(frozen=True)
class Found:
    """The text of a turn as it stands in a mail, from its first line on."""

    text: str
    key: str
    standing: str


OWN, IN_OLDER, IN_QUOTE = "own", "older", "quoted"


def found_in(text: str) -> list[Found]:
    """Each turn in the text of a mail; one that is quoted only if there is no other."""
    lines = _split(text)
    each = turns(text)
    firsts = [one.lines[0].number for one in each]
    ends = [
        next(
            (
                first - 1
                for first, other in zip(firsts[at + 1 :], each[at + 1 :], strict=True)
                if other.is_older == one.is_older
            ),
            len(lines),
        )
        for at, one in enumerate(each)
    ]
    found = [
        Found(
            "\n".join(lines[first - 1 : end]).rstrip(f"\n{PARAGRAPH}") + "\n",
            one.key,
            IN_OLDER if one.is_older else OWN,
        )
        for one, first, end in zip(each, firsts, ends, strict=True)
    ]
    again = None if found else quoted(text)
    if again is not None:
        bare = "\n".join(line.text for line in again.lines) + "\n"
        found.append(Found(bare, again.key, IN_QUOTE))
    return list({one.text: one for one in reversed(found)}.values())[::-1]


def quoted(text: str) -> Turn | None:
    """The turn that stands in a text as a quotation."""
    if not _MAY_HOLD.search(text):
        return None
    lines = [line for line in lines_of(text) if matter.is_quoted(line.text)]
    bare = [replace(line, text=_QUOTE_MARKS.sub("", line.text, count=1)) for line in lines]
    return next(iter(_of_part(bare, bare, is_older=True)), None)


def _mails(lines: Sequence[Written]) -> Iterator[list[Written]]:
    """The text of the mail, then that of each older mail below it."""
    texts = [line.text for line in lines]
    start = at = 0
    while at < len(lines):
        marks = matter.older_mail_begins(texts, at)
        if marks and not _quotes_follow(texts, at + marks):
            yield list(lines[start:at])
            start = at
        at += marks or 1
    yield list(lines[start:])


def _quotes_follow(texts: Sequence[str], at: int) -> bool:
    return matter.is_quoted(next((text for text in texts[at : at + 4] if text.strip()), ""))


def _of_part(part: Sequence[Written], whole: Sequence[Written], *, is_older: bool) -> Iterator[Turn]:
    cleaned = _cleaned(part)
    last_act = next((at for at in range(len(cleaned) - 1, -1, -1) if _is_act(cleaned[at].text)), -1)
    heads = [at for at, line in enumerate(cleaned) if _GAME.fullmatch(line.text.strip()) and at < last_act]
    nameless = not heads
    if nameless:
        heads = [at for at, line in enumerate(cleaned) if _PHASE.fullmatch(line.text.strip())][:1]
        if not heads or not any(acts(line.text) for line in cleaned[heads[0] + 1 :]):
            return
    above = [at for at, line in enumerate(cleaned[: heads[0]]) if _is_plainly_act(line.text)]
    heads[0] = above[0] if above else heads[0]
    heads = heads[:MOST_TURNS]
    for head, end in zip(heads, [*heads[1:], len(part)], strict=True):
        yield _turn(cleaned[head:end], part[head:end], whole, is_older=is_older, named=not nameless)


def _is_act(line: str) -> bool:
    """Whether a line is one of a turn: `game on Tuesday` above others is no heading."""
    return _is_plain_verb(line) or acts(line)


def _is_plain_verb(line: str) -> bool:
    return verb_of(line) is not None and line.lstrip()[:1].islower()


def _is_plainly_act(line: str) -> bool:
    return _is_plain_verb(line) and acts(line)


def _turn(
    lines: Sequence[Written], raw: Sequence[Written], whole: Sequence[Written], *, is_older: bool, named: bool
) -> Turn:
    kept, joined = _joined(lines, raw)
    read = {line.number for line in kept if line.text}
    quotes = (line.number for line in raw if matter.is_quoted(line.text) and line.number not in read)
    left = list(ranges(quotes, QUOTED))
    last = raw[-1].number
    if whole and last < whole[-1].number and not is_older:
        below = [line for line in whole if line.number > last]
        if any(line.text.strip() for line in below):
            left.append(Left(below[0].number, below[-1].number, OLDER))
    return Turn(tuple(_signed(kept)), tuple(left), joined, is_older, named)


# --- lines as they were typed ---------------------------------------------------------------------


def _cleaned(lines: Sequence[Written]) -> list[Written]:
    """The lines as they were typed before programs made them prettier; mail matter becomes empty lines."""
    cleaned: list[Written] = []
    texts = [line.text for line in lines]
    matter_until = 0
    gap = True
    for at, line in enumerate(lines):
        if at >= matter_until:
            marks = matter.attribution(texts, at)
            matter_until = at + marks if marks and _quotes_follow(texts, at + marks) else matter_until
        text = "" if at < matter_until else _clean(line.text, _own_above(texts, at))
        gap = gap or line.after_gap or matter.is_footer(line.text)
        cleaned.append(Written(line.number, text, gap, line.text.strip()))
        gap = not text
    return cleaned


def _own_above(texts: Sequence[str], at: int) -> str:
    above = texts[at - 1] if at else ""
    return "" if matter.is_quoted(above) and not _PLACE_BELOW.match(above) else above


def _clean(line: str, above: str) -> str:
    if matter.is_quoted(line):
        goes_on = _PLACE_BELOW.match(line) and _PLACE_ENDS.search(above)
        return line.strip() if goes_on else ""
    if (
        matter.is_divider(line)
        or matter.is_code_fence(line)
        or matter.is_picture(line)
        or matter.is_pgp_line(line)
    ):
        return ""
    return typed(line)


def typed(line: str) -> str:
    """As it was typed: without what is not seen, list marks and emphasis, with plain hyphens and quotes."""
    if len(line) > MAX_LINE:
        return line
    seen = _WIDE.sub(lambda wide: unicodedata.normalize("NFKC", wide[0]), visible(line)).translate(_TYPED)
    seen = "".join(" " if letter.isspace() else letter for letter in seen).strip()
    seen = _MARK.sub("", seen, count=1) if _MARK.match(seen) else seen
    if any(sign in seen for sign in "*_`"):
        seen = _LOOSE_SIGNS.sub("", _BOLD.sub(r"\2", seen))
    if verb_of(seen) or meant_verb(seen):
        seen = _FULL_STOP.sub("", seen)
    seen = ADDRESS.sub("(an address)", seen)
    return line if seen == line.strip() else seen


# --- lines that a program broke -------------------------------------------------------------------


def _joined(lines: Sequence[Written], raw: Sequence[Written]) -> tuple[list[Written], int]:
    """Lines that a mail program broke are whole again, and how many; the numbers of the others stay."""
    widest = max((len(line.text.rstrip()) for line in raw if len(line.text.split()) > 1), default=0)
    whole: list[Written] = []
    open_ = -1  # the line of the sheet that may go on in the next, or none
    joined = 0
    for at, line in enumerate(lines):
        above = raw[at - 1].text if at else ""
        if (
            open_ >= 0
            and line.text
            and not line.after_gap
            and _goes_on(whole[open_].text, above, line.text, widest)
        ):
            joint = (
                ""
                if re.search(r"[\w>][-+,]$", whole[open_].text) and not _in_remark(whole[open_].text)
                else " "
            )
            former = whole[open_]
            whole[open_] = replace(
                former, text=former.text + joint + line.text, typed=f"{former.typed} {line.typed}"
            )
            whole.append(replace(line, text=""))
            joined += 1
            continue
        whole.append(line)
        open_ = len(whole) - 1 if line.text else -1
    return whole, joined


def _goes_on(line: str, above: str, below: str, widest: int) -> bool:
    """Whether a line is the rest of that above it: there was no room for its first word."""
    if below.startswith(">"):
        return True
    if len(above.strip()) < WRAPPED_FROM or len(above.strip()) + 1 + len(below.split(None, 1)[0]) <= widest:
        return False
    if verb_of(below) or (meant_verb(below) and acts(below)) or below.startswith("#"):
        return False
    return not (_in_remark(line) and starts_with_path(below))


def _in_remark(line: str) -> bool:
    return "#" in re.sub(r'"[^"]*"', "", line)


# --- what is left out -----------------------------------------------------------------------------


def _signed(lines: Sequence[Written]) -> list[Written]:
    """The lines below `--` are a signature, unless one of them is meant as a line of the turn."""
    mark = next((at for at, line in enumerate(lines) if matter.is_signature_mark(line.typed)), len(lines))
    return [*lines[:mark], *(replace(line, signed=True) for line in lines[mark:])]


def ranges(numbers: Iterable[int], what: str) -> Iterator[Left]:
    first = last = None
    for number in numbers:
        if last is not None and number > last + 1:
            yield Left(first or last, last, what)
            first = None
        first, last = first or number, number
    if last is not None:
        yield Left(first or last, last, what)


def may_hold_turn(text: str) -> bool:
    """Whether a turn stands in a text, be it quoted."""
    return turn(text) is not None or quoted(text) is not None


def whole(text: str) -> Turn:
    """The turn of a file that begins as a turn sheet: it is one, whatever follows."""
    lines = lines_of(text)
    own = next(_mails(lines))
    cleaned = _cleaned(own)
    return _turn(cleaned, own, lines, is_older=False, named=True)
