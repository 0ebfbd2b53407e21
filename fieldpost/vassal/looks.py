"""How a piece looks: the pictures and texts its traits put over each other, as the engine draws them.

Traits nobody can draw without the engine (areas of effect, borders, trails) are left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import unescape
from typing import NamedTuple

from fieldpost.phrases import count
from fieldpost.vassal import codec
from fieldpost.vassal.grid import Size
from fieldpost.vassal.pieces import integer
from fieldpost.vassal.sight import Sealed, Sight
from fieldpost.vassal.things import Deck
from fieldpost.vassal.traits import Trait

HALF_SEEN = 0.3
CARDS_LEFT = "_numPieces"
"""Behind a deck's name: the property that counts its cards."""
_VARIABLE = re.compile(r"\$([^$]+)\$")
_TERM = re.compile(
    r'\s*(?:"([^"]{0,200})"|(\d{1,9})|([A-Za-z_]\w{0,100})|GetProperty\(\s*"([^"]{0,100})"\s*\))\s*(\+|$)'
)
_LONGEST_LABEL, _LONGEST_MARKUP = 200, 20_000
_UNSEEN_MARKUP = re.compile(r"<(style|script|head|title)\b[^<>]*>[^<]*</\1\s*>|<!--[^<>]*-->", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,2000}>")
_MOST_PARTS = 60
_MOST_STACKED = 21
"""Of a deck's type: the field that tells how many cards are drawn."""
_USUAL_CARDS, _MOST_CARDS = 10, 50
_CARD_STEP_PX = 2
_LETTER_WIDTH, LINE_HEIGHT = 0.6, 1.17
"""Of a letter, by its size: labels are measured without their font."""

Sizes = Callable[[str], Size | None]
"""The size of a picture of the module, if it has it."""


class Part(NamedTuple):
    """A picture: its centre from the piece's own, in pixels, its scale, its turn clockwise in degrees."""

    image: str
    x: float = 0
    y: float = 0
    scale: float = 1
    angle: float = 0
    opacity: float = 1


class Text(NamedTuple):
    """A label: the point it hangs on, which side of it lies there (`l`, `c`, `r` and `t`, `c`, `b`)."""

    text: str
    x: float
    y: float
    across: str
    down: str
    size: int
    ink: str
    ground: str
    style: int = 0
    angle: float = 0


class Frame(NamedTuple):
    """A rectangle from its upper left corner: a card's back without a picture, the place of an empty deck."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def with_(self, other: Box) -> Box:
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


NOWHERE = Box(0, 0, 0, 0)
Drawn = Part | Text | Frame
_EDGE = "#000000"


@dataclass(frozen=True)
class Look:
    """`box` is the piece's shape unturned, from its centre; it decides where in a stack the next one lies."""

    name: str
    parts: tuple[Drawn, ...] = ()
    box: Box = NOWHERE

    def blank(self, colour: str) -> Look:
        """As the engine draws what lies below in a stack, where a map gives it one colour."""
        if not colour or self.box == NOWHERE:
            return self
        left, top, right, bottom = self.box
        return replace(self, parts=(Frame(left, top, right - left, bottom - top, colour, _EDGE),))

    def shifted(self, x: float, y: float) -> tuple[Drawn, ...]:
        return tuple(part._replace(x=part.x + x, y=part.y + y) for part in self.parts)


def of_piece(piece: Sealed, sight: Sight, sizes: Sizes) -> Look | None:
    """What can be seen of a piece; None if nothing."""
    return _Drawing(piece, sight, sizes).look if piece.in_sight else None


def of_deck(deck: Deck, sight: Sight, sizes: Sizes, blank: str = "") -> Look | None:
    """The cards as they lie, the upper ones a little aside; face down by their backs."""
    if not sight.sees_window(deck.map):
        return None
    fields = codec.decode(deck.type, ";")
    if not deck.contents:
        return _empty(deck, fields)
    most = integer(fields[_MOST_STACKED]) if len(fields) > _MOST_STACKED else _USUAL_CARDS
    cards = deck.contents[-max(1, min(most, _MOST_CARDS)) :]
    top = sight.seal_in_deck(cards[-1], face_down=deck.face_down, is_top=True)
    looks = [_Drawing(top if deck.face_down else sight.seal(card), sight, sizes).look for card in cards[:-1]]
    drawn = [*(look.blank(blank) for look in looks), _Drawing(top, sight, sizes).look]
    parts: list[Drawn] = []
    for number, look in enumerate(drawn):
        parts += look.shifted(_CARD_STEP_PX * number, -_CARD_STEP_PX * number)
    name = f"{deck.name or 'deck'} ({count(len(deck.contents), 'card')})"
    if not deck.face_down and top.in_sight:
        name += f": {top.name}"
    return Look(name, tuple(parts[-_MOST_PARTS:]), drawn[-1].box)


def _empty(deck: Deck, fields: list[str]) -> Look | None:
    """The outline of its place, if the module draws one."""
    if len(fields) < 5 or fields[1] != "true":
        return None
    width, height = (min(max(integer(text), 0), 5000) for text in fields[3:5])
    box = Box(-width // 2, -height // 2, -width // 2 + width, -height // 2 + height)
    frame = Frame(box.left, box.top, width, height, "", _colour(fields[2]) or _EDGE)
    return Look(f"{deck.name or 'deck'} (empty)", (frame,), box)


class _Drawing:
    """Goes through the traits of a piece from the inside out."""

    def __init__(self, piece: Sealed, sight: Sight, sizes: Sizes) -> None:
        self.piece, self.sight, self.sizes = piece, sight, sizes
        self.parts: list[Drawn] = []
        self.box = NOWHERE
        self.label_box = NOWHERE
        self._picture(piece.image)
        if piece.cover is not None:
            self._cover(piece.cover)
        for _, trait, state in piece.traits():
            self._trait(trait, state)
        if piece.is_half_seen:
            self.parts = [
                part._replace(opacity=HALF_SEEN) if isinstance(part, Part) else part for part in self.parts
            ]
        self.look = Look(piece.name, tuple(self.parts[:_MOST_PARTS]), self.box)

    def _picture(self, image: str, x: float = 0, y: float = 0, scale: float = 1) -> None:
        if not image:
            return
        self.parts.append(Part(image, x, y, scale))
        size = self.sizes(image)
        if size is not None:
            width, height = int(size.width * scale), int(size.height * scale)
            left, top = x - width // 2, y - height // 2  # whole pixels, as the engine halves them
            box = Box(left, top, left + width, top + height)
            self.box = box if self.box == NOWHERE else self.box.with_(box)

    def _cover(self, trait: Trait) -> None:
        """In the place of what lies within."""
        self._picture(str(trait.values.get("image") or ""))

    def _trait(self, trait: Trait, state: str) -> None:
        match trait.prefix:
            case "emb2;":
                self._layer(trait, state)
            case "rotate;":
                self._rotate(_angle(trait, state))
            case "label;":
                self._label(trait, state)
            case "markmoved;" if state.startswith("true"):
                self._flag(trait)

    def _layer(self, trait: Trait, state: str) -> None:
        values = trait.values
        images = trait.list_of("images")
        level = integer(state.split(";")[0])
        if values.get("follow") is True:
            level = self._followed(trait, level)
        if values.get("when_property") and values.get("follow") is True:
            wanted = values.get("when_value") == "true"
            if (self.piece.value(str(values["when_property"])) == "true") != wanted:
                return
        if 0 < level <= len(images):
            scale = _number(values.get("scale"), 1.0)
            self._picture(images[level - 1], _number(values.get("x")), _number(values.get("y")), scale)

    def _followed(self, trait: Trait, level: int) -> int:
        """The level that a property of the piece commands, where it is one and a number."""
        name = str(trait.values.get("property") or "").strip("{}$ ")
        value = self.piece.value(name)
        if value is None or not re.fullmatch(r"-?\d{1,6}", value):
            return level
        wanted = int(value) - integer(str(trait.values.get("first_level"))) + 1
        wanted = min(max(wanted, 1), max(len(trait.list_of("images")), 1))
        return wanted if level > 0 else -wanted

    def _rotate(self, angle: float) -> None:
        if not angle:
            return
        turn = math.radians(angle)
        cos, sin = math.cos(turn), math.sin(turn)
        self.parts = [
            part._replace(
                x=part.x * cos - part.y * sin, y=part.x * sin + part.y * cos, angle=part.angle + angle
            )
            for part in self.parts
            if not isinstance(part, Frame)
        ]

    def _label(self, trait: Trait, state: str) -> None:
        values = trait.values
        text = _without_tags(self._worked_out(state[:_LONGEST_MARKUP]))[:_LONGEST_LABEL]
        if not text.strip() or "{" in text[:1]:
            return
        x, y = _number(values.get("h_offset")), _number(values.get("v_offset"))
        box = self.box if self.label_box == NOWHERE else self.box.with_(self.label_box)
        x += {"l": box.left, "r": box.right}.get(str(values.get("h_pos")), 0)
        y += {"t": box.top, "b": box.bottom}.get(str(values.get("v_pos")), 0)
        size = int(min(max(_number(values.get("size"), 10), 4), 200))
        label = Text(
            text,
            x,
            y,
            str(values.get("h_just") or "c"),
            str(values.get("v_just") or "b"),
            size,
            _colour(values.get("foreground")) or "#000",
            _colour(values.get("background")),
            integer(str(values.get("style"))),
            _number(values.get("rotation")),
        )
        self.parts.append(label)
        if not values.get("rotation"):
            self._widen(label)

    def _worked_out(self, text: str) -> str:
        """A label with its properties filled in; of expressions sums of properties and texts alone."""
        if text.startswith("{") and text.endswith("}") and (found := self._sum(text[1:-1])) is not None:
            return found
        return _VARIABLE.sub(lambda match: self._value(match[1]), text)

    def _value(self, name: str) -> str:
        """Of the piece, else of its map, of the module, of any place."""
        value = self.piece.value(name)
        if value is not None:
            return value
        table = self.sight.table
        if name.endswith(CARDS_LEFT):
            decks = (deck for deck in table.decks.values() if deck.name + CARDS_LEFT == name)
            return next((str(len(deck.contents)) for deck in decks), "")
        known = table.properties
        for container in (self.piece.spot.place.map, "Module"):
            if container is not None and (container, name) in known:
                return known[container, name]
        elsewhere = (
            value
            for (container, other), value in known.items()
            if other == name and self.sight.sees_property(container, other)
        )
        return next(elsewhere, "")

    def _sum(self, expression: str) -> str | None:
        total: str | int | None = None
        at, more = 0, True
        while more:
            match = _TERM.match(expression, at)
            if match is None:
                return None
            literal, number, name, asked, plus = match.groups()
            term = literal if literal is not None else number or self._value(name or asked)
            one: str | int = term
            if literal is None and re.fullmatch(r"-?\d{1,9}", term):
                one = int(term)
            both = isinstance(total, int) and isinstance(one, int)
            total = one if total is None else total + one if both else f"{total}{one}"  # type: ignore[operator]
            at, more = match.end(), bool(plus)
        return str(total) if at == len(expression) else None

    def _widen(self, label: Text) -> None:
        """A later label hangs on the edge of what is there, earlier labels with it."""
        lines = label.text.split("\n")
        width = max(map(len, lines)) * label.size * _LETTER_WIDTH
        height = len(lines) * label.size * LINE_HEIGHT
        left = label.x - {"c": width / 2, "r": width}.get(label.across, 0)
        top = label.y - {"c": height / 2, "b": height}.get(label.down, 0)
        box = Box(*map(round, (left, top, left + width, top + height)))
        self.label_box = box if self.label_box == NOWHERE else self.label_box.with_(box)

    def _flag(self, trait: Trait) -> None:
        """The mark of a moved piece; its offset is that of its corner."""
        image = str(trait.values.get("image") or "")
        size = self.sizes(image)
        if size is not None:
            x = _number(trait.values.get("x")) + size.width / 2
            y = _number(trait.values.get("y")) + size.height / 2
            self.parts.append(Part(image, x, y))


def _without_tags(text: str) -> str:
    """What of a label written as HTML is letters."""
    if "<" not in text:
        return text
    text = _UNSEEN_MARKUP.sub(" ", text[:_LONGEST_MARKUP])
    return unescape(_TAG.sub(" ", text)).strip()


def _angle(trait: Trait, state: str) -> float:
    """Clockwise, in degrees: facings turn clockwise, a free angle the other way."""
    facings = _number(trait.values.get("facings"), 1)
    value = _number(state.split(";")[0])
    return -value % 360 if facings <= 1 else value * 360 / facings % 360


def _number(value: object, default: float = 0.0) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return default
    return number if math.isfinite(number) and abs(number) < 1e6 else default


def _colour(value: object) -> str:
    numbers = re.findall(r"\d+", str(value or ""))[:4]
    if len(numbers) < 3:
        return ""
    red, green, blue = (min(int(number), 255) for number in numbers[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"


def images(look: Look) -> Iterator[str]:
    return (part.image for part in look.parts if isinstance(part, Part))


@dataclass(frozen=True)
class StackStep:
    """How a stack's pieces lie over each other."""

    x: int = 2
    y: int = 4
    blank: str = ""
    """The colour of all pieces of a stack but the uppermost; none: they are drawn."""

    def next(self, point: tuple[float, float], box: Box, following: Box) -> tuple[float, float]:
        """Where the next piece of a stack lies: by its left edge and its lower edge, as the engine has it."""
        x, y = point
        if self.x > 0:
            x += box.left + self.x - following.left
        elif self.x < 0:
            x += box.right + self.x - following.right
        if self.y > 0:
            y += box.bottom - self.y - following.bottom
        elif self.y < 0:
            y += box.top - self.y - following.top
        return x, y


def stack_step(attributes: Mapping[str, str] | None) -> StackStep:
    """From a StackMetrics component's settings."""
    if attributes is None:
        return StackStep()
    x, y = (integer(attributes.get(name, str(usual))) for name, usual in (("unexSepX", 2), ("unexSepY", 4)))
    blank = _colour(attributes.get("color"))
    return StackStep(max(-200, min(x, 200)), max(-200, min(y, 200)), blank)
