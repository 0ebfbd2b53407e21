"""Cards: a board with a pile to draw from and one of discards for each deck, and a hand for each side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from PIL import Image, ImageDraw

from builder.art import loaded
from builder.fonts import font
from builder.map.panels import wrapped
from builder.module.decks import Pile
from builder.module.pictures import Picture, key
from fieldpost.definition.artmodel import ArtFile, Card, CardDeck
from fieldpost.definition.model import Game
from fieldpost.vassal import making
from fieldpost.vassal.keys import ctrl
from fieldpost.vassal.pieces import PieceDesign

MAP_NAME = "Cards"
IMAGE = "cards.png"
KIND = "card"
DISCARD_KEY = ctrl("R")
_GAP, _HEAD, _FOOT = 40, 56, 48
_PAPER, _INK, _EDGE = "#f6f1e2", "#2d2a26", "#8c7d5d"


@dataclass(frozen=True)
class CardBoard:
    piles: tuple[Pile, ...]
    hands: tuple[tuple[str, str], ...]  # side, and the name of its window
    width: int
    height: int

    @property
    def hand_size(self) -> tuple[int, int]:
        """Room for five cards side by side."""
        wide, high = (max(pile.size[axis] for pile in self.piles) for axis in (0, 1))
        return 5 * wide + 6 * _GAP, high + 2 * _GAP

    def draw(self) -> Image.Image:
        image = Image.new("RGB", (self.width, self.height), "#e9e2d0")
        pen = ImageDraw.Draw(image)
        face, small = font("serif-bold", 20), font("sans", 14)
        for pile in self.piles:
            (x, y), (wide, high) = pile.center, pile.size
            box = x - wide // 2 - 6, y - high // 2 - 6, x + wide // 2 + 6, y + high // 2 + 6
            pen.rounded_rectangle(box, 12, fill="#d8cdb2", outline=_EDGE)
            pen.text((x, box[1] - 12), pile.name, font=face, fill=_INK, anchor="ms")
            if pile.rule:
                pen.text((x, box[3] + 22), f"rule {pile.rule}", font=small, fill="#6d665c", anchor="ms")
        return image


def board(game: Game) -> CardBoard | None:
    """None for a game without cards."""
    if not game.card_decks:
        return None
    face = font("serif-bold", 20)
    found: list[Pile] = []
    left, height = _GAP, 0
    for deck in game.card_decks:
        wide, high = deck.size
        names = [(deck.id, deck.name)] + [(f"{deck.id}-discards", discards(deck))] * deck.discard
        for id_, name in names:
            room = max(wide, round(face.getlength(name)))
            center = left + room // 2, _HEAD + high // 2
            pile = id_ == deck.id
            by_hand = "Always" if deck.shuffle == "always" else "Via right-click Menu"
            found.append(
                Pile(
                    id_,
                    name,
                    center,
                    (wide, high),
                    pile,
                    by_hand if pile else "Never",
                    "" if pile else deck.name,
                    deck.rule if pile else None,
                )
            )
            left += room + _GAP
        height = max(height, high)
    hands = tuple((side.name, f"{side.name} hand") for side in game.sides)
    return CardBoard(tuple(found), hands, left, _HEAD + height + _FOOT)


def discards(deck: CardDeck) -> str:
    return f"{deck.name}: discards"


def face_file(card: Card) -> str:
    return f"card-{card.id}.png"


def back_file(deck: CardDeck) -> str:
    return f"card-back-{deck.id}.png"


def design(deck: CardDeck, card: Card, gpid: str) -> PieceDesign:
    """A card: it can be turned over and sent to the discards."""
    sent = (
        making.report([DISCARD_KEY], "$PlayerName$ discards $BasicName$"),
        making.return_to_deck(discards(deck), "Discard", DISCARD_KEY),
    )
    traits = (
        *(sent if deck.discard else ()),
        making.mask(back_file(deck), text="Turn over", key=ctrl("F")),
        making.marker({"Kind": KIND, "CardId": card.id, "Label": card.name}),
    )
    return PieceDesign(card.name, face_file(card), traits, gpid)


def copies(deck: CardDeck) -> Iterator[tuple[Card, int]]:
    """Each card as often as it is there."""
    for card in deck.cards:
        yield from ((card, number) for number in range(1, card.count + 1))


# --- pictures ---


def pictures(game: Game) -> Iterator[Picture]:
    for deck in game.card_decks:
        size = deck.size[0], deck.size[1]
        for card in deck.cards:
            art = game.art[card.image] if card.image else None
            yield Picture(
                face_file(card), partial(_face, card, art, size), key("module/cards.py", card, art, size)
            )
        back = game.art[deck.back] if deck.back else None
        yield Picture(
            back_file(deck),
            partial(_back, deck.name, back, size),
            key("module/cards.py", deck.name, back, size),
        )


def _face(card: Card, art: ArtFile | None, size: tuple[int, int]) -> Image.Image:
    if art is not None:
        return _whole(art, size)
    image, pen = _blank(size, _PAPER)
    wide, high = size
    title = font("serif-bold", max(12, wide // 9))
    for number, line in enumerate(wrapped(card.name, "serif-bold", max(12, wide // 9), wide - 24)):
        pen.text((wide // 2, 24 + (number + 1) * wide // 8), line, font=title, fill=_INK, anchor="ms")
    size_px = max(10, wide // 13)
    y = high // 2
    for line in wrapped(card.text, "sans", size_px, wide - 28):
        pen.text((14, y), line, font=font("sans", size_px), fill=_INK, anchor="ls")
        y += round(size_px * 1.35)
    return image


def _back(name: str, art: ArtFile | None, size: tuple[int, int]) -> Image.Image:
    if art is not None:
        return _whole(art, size)
    image, pen = _blank(size, _EDGE)
    inset = size[0] // 12
    pen.rounded_rectangle((inset, inset, size[0] - inset, size[1] - inset), 10, outline="#e9e2d0", width=3)
    words = max(11, size[0] // 11)
    for number, line in enumerate(wrapped(name, "serif-bold", words, size[0] - 4 * inset)):
        at = size[0] // 2, size[1] // 2 + number * round(words * 1.3)
        pen.text(at, line, font=font("serif-bold", words), fill="#f6f1e2", anchor="ms")
    return image


def _whole(art: ArtFile, size: tuple[int, int]) -> Image.Image:
    """The picture in the middle of its card, as large as fits."""
    picture = loaded(art, size)
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    image.paste(picture, ((size[0] - picture.width) // 2, (size[1] - picture.height) // 2), picture)
    return image


def _blank(size: tuple[int, int], color: str) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), 12, fill=color, outline=_INK, width=2)
    return image, pen
