"""The words of a page of HTML, a line for each that is seen.

It is read in one pass, so that a broken page costs no more than a sound one.
"""

from __future__ import annotations

import re
from html import unescape

from validator.mail.body import PARAGRAPH

MAX_PAGE = 4_000_000
BLOCKS = frozenset(
    (
        *(
            "p",
            "div",
            "li",
            "tr",
            "pre",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "blockquote",
            "table",
            "ul",
            "ol",
        ),
        *("dl", "dt", "dd", "section", "article", "header", "footer", "hr", "body", "form"),
    )
)
PARAGRAPHS = frozenset(
    ("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "blockquote", "hr", "pre")
)
UNSEEN = frozenset(("script", "style", "head", "title", "template", "noscript"))
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)
_NAME = re.compile(r"/?([a-zA-Z][a-zA-Z0-9:]*)")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.IGNORECASE)
_INDENT = re.compile(r"border\s*:\s*(none|0)", re.IGNORECASE)  # a blockquote that quotes nothing
_SPACES = re.compile(r"[ \t\r\n\f]+")
_LINK = re.compile(r"""href\s{0,9}=\s{0,9}["']?(https?://[^"'\s<>]{1,2000})""", re.IGNORECASE)
_LONGEST_TAG = 20_000


class _Page:
    """What was read so far: whole lines, and the words of the one that is open."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.open: list[str] = []
        self.kept = self.quotes = 0  # how many `pre` and how many quotations are open
        self.unseen: list[str] = []  # the elements within one that is not shown
        self.quoting: list[bool] = []

    def add(self, text: str) -> None:
        if self.unseen:
            return
        if self.kept:
            first, *others = text.replace("\r\n", "\n").split("\n")
            self.open.append(first)
            for line in others:
                self.end_line()
                self.open.append(line)
        else:
            self.open.append(_SPACES.sub(" ", text))

    def end_line(self) -> None:
        """The line ends here, even if it is empty."""
        words = "".join(self.open)
        words = words if self.kept else words.strip(" ")
        self.lines.append(("> " * self.quotes) + words)
        self.open.clear()

    def end_block(self, *, paragraph: bool) -> None:
        """What follows is seen on a line of its own; an empty block is not seen."""
        if "".join(self.open).strip(" \n"):
            self.end_line()
        self.open.clear()
        if paragraph and self.lines and not self.lines[-1].endswith(PARAGRAPH):
            self.lines[-1] += PARAGRAPH

    def start(self, tag: str, inside: str) -> None:
        if self.unseen:
            if tag == self.unseen[-1]:
                self.unseen.append(tag)
            return
        if tag == "br":
            self.end_line()
        elif tag == "td" or tag == "th":
            self.open.append(" ")
        elif tag in BLOCKS:
            self.end_block(paragraph=tag in PARAGRAPHS)
        if (tag in UNSEEN or _HIDDEN.search(inside)) and tag not in _VOID:
            self.unseen.append(tag)
        elif tag == "blockquote":
            self.quoting.append(_INDENT.search(inside) is None)
            self.quotes += self.quoting[-1]
        elif tag == "pre":
            self.kept += 1

    def end(self, tag: str) -> None:
        if self.unseen:
            if tag == self.unseen[-1]:
                self.unseen.pop()
            return
        if tag in BLOCKS:
            self.end_block(paragraph=tag in PARAGRAPHS)
        if tag == "blockquote" and self.quoting:
            self.quotes -= self.quoting.pop()
        elif tag == "pre":
            self.kept = max(0, self.kept - 1)


def text_of(html: str) -> str:
    """The lines as they are seen."""
    page = _Page()
    html = html[:MAX_PAGE]
    at, end = 0, len(html)
    while at < end:
        tag = html.find("<", at)
        if tag < 0:
            page.add(unescape(html[at:]))
            break
        if tag > at:
            page.add(unescape(html[at:tag]))
        at = _tag(page, html, tag)
    page.end_block(paragraph=False)
    return "\n".join(page.lines)


def _tag(page: _Page, html: str, at: int) -> int:
    """Read what begins with `<`; where it ends."""
    if html.startswith("<!--", at):
        return _after(html, "-->", at + 4)
    if html.startswith(("<!", "<?"), at):
        return _after(html, ">", at)
    name = _NAME.match(html, at + 1)
    if name is None:
        page.add("<")
        return at + 1
    closed = _closing_of(html, name.end())
    if closed < 0:
        return len(html)
    tag = name[1].lower()
    if html[at + 1] == "/":
        page.end(tag)
    else:
        page.start(tag, html[name.end() : min(closed, name.end() + _LONGEST_TAG)])
        if tag in ("script", "style") and html[closed - 1] != "/":
            return _after_raw(page, html, tag, closed + 1)
    return closed + 1


def _closing_of(html: str, at: int) -> int:
    """Where a tag ends, over what stands in quotation marks in it; -1 if it never does."""
    closed = html.find(">", at)
    for quote in ('"', "'"):
        while 0 <= closed < at + _LONGEST_TAG and html.count(quote, at, closed) % 2:
            again = html.find(quote, closed, at + _LONGEST_TAG)
            if again < 0:
                break
            closed = html.find(">", again)
    return closed


def _after_raw(page: _Page, html: str, tag: str, at: int) -> int:
    """The words of a script or of styles are no tags."""
    found = re.compile(rf"</{tag}\s*>", re.IGNORECASE).search(html, at)
    if found is None:
        return len(html)
    page.end(tag)
    return found.end()


def _after(html: str, end: str, at: int) -> int:
    found = html.find(end, at)
    return len(html) if found < 0 else found + len(end)


def links_of(html: str) -> list[str]:
    """Where its links lead."""
    return [unescape(link) for link in _LINK.findall(html[:MAX_PAGE])]
