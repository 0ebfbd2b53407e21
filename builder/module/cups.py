"""The window of cups: one board beside the map, with a place for each deck."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image, ImageDraw

from builder.fonts import font
from builder.module import keys
from builder.module.decks import Pile
from fieldpost.definition.model import Deck, Game
from fieldpost.vassal import making
from fieldpost.vassal.pieces import PieceDesign, TraitText

IMAGE = "cups.png"
BACK = "chit-back.png"
ANY_LEVEL = "Current Zone/Current Map/Module"  # whose global property a piece sets: the first that has it
EVERYWHERE = "COUNTER|false|MAP|||||0|0||false|||EQUALS"  # target of a key command sent by a piece
COUNT = "count"  # kind of the labels that tell how many chits are in a cup
COUNT_DOWN_PX = 40  # below the cup's edge
_GAP = 44
_HEAD = 52


@dataclass(frozen=True)
class CupBoard:
    name: str
    cups: tuple[Pile, ...]
    width: int
    height: int
    size_px: int
    image: str = IMAGE

    def draw(self) -> Image.Image:
        image = Image.new("RGB", (self.width, self.height), "#e9e2d0")
        pen = ImageDraw.Draw(image)
        face, small = font("serif-bold", 20), font("sans", 14)
        for cup in self.cups:
            x, y = cup.center
            half = self.size_px // 2 + 8
            pen.rounded_rectangle(
                (x - half, y - half, x + half, y + half), 12, fill="#d8cdb2", outline="#8c7d5d"
            )
            pen.text((x, y - half - 12), cup.name, font=face, fill="#2d2a26", anchor="ms")
            if cup.rule:
                pen.text((x, y + half + 20), f"rule {cup.rule}", font=small, fill="#6d665c", anchor="ms")
        return image


def count(cup: Pile) -> PieceDesign:
    """A label beside a cup: how many chits are left in it."""
    return PieceDesign(
        "Count",
        "",
        (
            making.immobile(select="n", movement="V", stacking="R"),
            making.label(
                f"${cup.name}_numPieces$",
                size=18,
                style=1,
                foreground=(45, 42, 38),
                v_pos="c",
                v_just="c",
                h_pos="c",
                h_just="c",
                name_format="$pieceName$",
                font="SansSerif",
            ),
            making.marker({"Kind": COUNT}),
        ),
        "",
    )


def back(counter_px: int) -> Image.Image:
    """What a chit shows in its cup."""
    large = counter_px * 4
    image = Image.new("RGBA", (large, large), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle(
        (2, 2, large - 3, large - 3), large // 14, fill="#8c7d5d", outline="#2d2a26", width=4
    )
    inset = large // 9
    pen.rounded_rectangle(
        (inset, inset, large - inset, large - inset), large // 18, outline="#e9e2d0", width=large // 40
    )
    return image.resize((counter_px, counter_px), Image.Resampling.LANCZOS)


def board(game: Game, counter_px: int) -> CupBoard | None:
    """None for a game without decks."""
    if not game.decks:
        return None
    face = font("serif-bold", 20)
    widest = max([counter_px + 16, *(round(face.getlength(deck.name)) for deck in game.decks)])
    step = widest + _GAP
    middle = _HEAD + counter_px // 2 + 8
    cups = tuple(
        _cup(deck, (_GAP // 2 + step * number + step // 2, middle), counter_px)
        for number, deck in enumerate(game.decks)
    )
    return CupBoard("Cups", cups, step * len(cups) + _GAP, middle + counter_px // 2 + 56, counter_px)


def _cup(deck: Deck, center: tuple[int, int], size_px: int) -> Pile:
    return Pile(deck.id, deck.name, center, (size_px, size_px), deck.face_down, rule=deck.rule)


DRAWING = "DrawingUnit"  # global property: the number of the unit that draws or fetches a chit at this moment
ARMY = "Army"  # the number of a unit that draws, and on its chit: whose it is; 0 for all others


def draws(cup: str, number: str, map_name: str) -> tuple[TraitText, ...]:
    """A unit's command to draw a chit from its cup: it calls the chit to itself, then lies down on it.

    After a move it fetches its chit in the same way, if it has left it behind.
    """
    itself = f'{{Kind=="unit" && {ARMY}=={number}}}'
    left = f'Kind==\\"chit\\" && Carrier=={number} && (CurrentX!=$CurrentX$ || CurrentY!=$CurrentY$)'
    return (
        making.trigger(
            "draw",
            [keys.SEND_ME, keys.FETCH, keys.ON_TOP, keys.REST],
            text=keys.DRAW.text,
            key=keys.DRAW.key,
        ),
        making.trigger(
            "carry",
            [keys.SEND_ME, keys.CARRY, keys.ON_TOP],
            key=keys.ARRIVED,
            filter=f'{{CurrentZone=~"Sheet .*" && Count("{{{left}}}","{map_name}")>0}}',
        ),
        making.set_global(
            DRAWING,
            [making.command("", keys.SEND_ME, making.set_to(number))],
            level=ANY_LEVEL,
            constraints=making.constraints(None, None),
        ),
        making.trait(
            "globalkey;",
            key=keys.FETCH,
            sent_key=keys.FETCHED,
            filter=f'{{Kind=="chit" && DeckName=="{cup}"}}',
            deck_selection="1",
            target=EVERYWHERE,
        ),
        making.trait(
            "globalkey;",
            key=keys.CARRY,
            sent_key=keys.FETCHED,
            filter=f'{{Kind=="chit" && Carrier=={number}}}',
            deck_selection="0",
            target=EVERYWHERE,
        ),
        # A pixel aside, and the grid puts it back: VASSAL sends no piece to where it stands.
        making.trait(
            "sendto;", key=keys.ON_TOP, destination="A", counter_filter=itself, index_x="1", offset_x="1"
        ),
        # VASSAL 3.6 marks it as moved for that, 3.8 does not.
        making.dynamic("WasMoved", "false", [making.command("", keys.SEND_ME, making.set_to("{Moved}"))]),
        making.trigger("unmark", [keys.MOVED.key], key=keys.REST, filter="{Moved==true && WasMoved==false}"),
    )


def fetched() -> tuple[TraitText, ...]:
    """A chit's answer: it comes to the unit that draws. Wherever it comes to lie it learns whose it is."""
    alone = f'{{CountStack("Draws")==1?SumStack("{ARMY}"):Carrier}}'
    return (
        making.dynamic(
            "Carrier",
            "0",
            [
                making.command("", keys.FETCHED, making.set_to(f"{{{DRAWING}}}")),
                making.command("", keys.ARRIVED, making.set_to(alone)),
                making.command("", keys.HOME, making.set_to("0")),
            ],
        ),
        making.trait(
            "sendto;",
            key=keys.FETCHED,
            destination="A",
            counter_filter=f'{{Kind=="unit" && {ARMY}=={DRAWING}}}',
        ),
    )
