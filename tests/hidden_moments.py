"""A made log of many pieces, hidden in every way at every moment, with a word in every place of each.

Everything that shows a word shows a colour as well: a piece's name goes with its picture, a layer's name with
that of the layer, a label with its ground, a place with whatever of the piece lies there. So an engine's
paintings tell which words a player could see.
"""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from PIL import Image

from tests import secret_game as game
from tests.secret_game import BLUE, HAND, MAIN, ROOM, SHOWN, Location

STEPS = 9
CELL_PX = 24
SIZE_PX = 10
Colour = tuple[int, int, int]

HIDERS = {
    "mask": ("obs;77,130;{back};Mask;I;Unknown unit;player:;Peek;", f"{BLUE};false|0", "null;"),
    "mask of the side": ("obs;77,130;{back};Mask;B;Unknown unit;side:;Peek;", "Blue;false|0", "null;"),
    "mask with a picture": ("obs;77,130;{back};Mask;G{back};Unknown unit;player:;;", f"{BLUE};", "null;"),
    "hide": ("hide;73,130;Invisible;255,255,255;player:;0.3;", BLUE, "null"),
    "hide of the side": ("hide;73,130;Invisible;255,255,255;side:;0.3;", "Blue", "null"),
    "hide without a password": ("hide;73,130;Invisible;255,255,255;player:;0.3;", "", "null"),
}
MASKS = [way for way in HIDERS if way.startswith("mask")]
ACTIONS = ("stays", "moves", "turns", "is labelled", "toggles", "toggles and moves", "moves and toggles")
WAYS = ((), *((one,) for one in HIDERS), *((one, two) for one in HIDERS for two in HIDERS))
WINDOWS = (MAIN, MAIN, MAIN, MAIN, ROOM, HAND, SHOWN)


@dataclass
class Words:
    """Numbers words, and keeps what shows each: a colour, and for places where it must lie."""

    colours: dict[str, Colour] = field(default_factory=dict)
    places: dict[str, tuple[Location, frozenset[Colour]]] = field(default_factory=dict)
    about: dict[str, str] = field(default_factory=dict)
    count: int = 0

    def new(self, about: str) -> str:
        self.count += 1
        word = f"w{self.count:05d}q"
        self.about[word] = about
        return word

    def coloured(self, about: str) -> tuple[str, Colour]:
        word = self.new(about)
        number = self.count * 7919 % 0xFFFFFE + 1
        colour = number >> 16, number >> 8 & 255, number & 255
        self.colours[word] = colour
        return word, colour


class Actor:
    """One piece: its traits from the outside in, and where it is; `act` gives the commands of an action."""

    def __init__(
        self, number: int, way: tuple[str, ...], words: Words, made: Made, chance: random.Random
    ) -> None:
        self.id, self.way = f"u{number}", way
        self.made, self.words = made, words
        about = " in ".join(way) or "open"
        face, colour = words.coloured(f"{about}: name")
        upper, upper_colour = words.coloured(f"{about}: layer")
        self.label, label_colour = words.coloured(f"{about}: label")
        back_colour = words.coloured(f"{about}: back")[1]
        made.pictures |= {f"{face}.png": _square(colour), f"{upper}.png": _square(upper_colour, 4)}
        back = f"back{number}.png"
        made.pictures[back] = _square(back_colour)
        self.colours = frozenset({colour, upper_colour, label_colour, back_colour})
        ground = ",".join(map(str, label_colour))
        self.types = [HIDERS[one][0].format(back=back) for one in way]
        self.types.append(f"label;;;6;{ground};0,0,0;b;0;c;0;t;c;;;Dialog;0;0;Text;;false")
        keys = ";128;;;128;;;128;;;;1;false;0;0;"
        self.types.append(f"emb2;{keys},{upper}.png;,+ {upper};true;Step;;;false;;1;1;true;;;;;1.0;;true")
        self.types.append(f"piece;;;{face}.png;{face}")
        self.states = [HIDERS[one][chance.choice((1, 2))] for one in way] + ["", "1"]
        self.window = chance.choice(WINDOWS)
        self.at = self._place()

    def _place(self) -> Location:
        word = self.words.new(f"{' in '.join(self.way) or 'open'} on {self.window}: place")
        at = self.made.cell(self.window, word)
        self.words.places[word] = at, self.colours
        return at

    @property
    def all_states(self) -> list[str]:
        return [*self.states, game.basic(self.at)]

    def setup(self) -> list[str]:
        return [
            game.piece(self.id, self.types, self.all_states),
            game.stack(f"s{self.id}", self.at, self.id),
        ]

    def act(self, action: str, step: int, chance: random.Random) -> Iterator[str]:
        for part in action.split(" and "):
            if part == "moves":
                yield from self._move(step, chance)
            elif part != "stays":
                yield self._change(part, chance)

    def _move(self, step: int, chance: random.Random) -> Iterator[str]:
        old = self.at
        self.window = chance.choice((self.window, self.window, *WINDOWS))
        self.at = self._place()
        yield game.move(self.id, old, self.at)
        yield game.stack(f"s{self.id}-{step}-{self.at.x}-{self.at.y}", self.at, self.id)

    def _change(self, what: str, chance: random.Random) -> str:
        old = list(self.all_states)
        count = len(self.way)
        if what == "turns":
            self.states[count + 1] = "2" if self.states[count + 1] == "1" else "1"
        elif what == "is labelled":
            self.states[count] = self.label
        elif count:
            at = chance.randrange(count)
            _, hidden, shown = HIDERS[self.way[at]]
            self.states[at] = hidden if self.states[at] == shown else shown
        return game.change(self.id, self.all_states, old)


class Made:
    """The log, its module, and the words in them."""

    def __init__(self, seed: int, pieces: int) -> None:
        chance = random.Random(seed)
        self.words, self.pictures = Words(), dict[str, bytes]()
        self.locations: list[Location] = []
        self._used = dict.fromkeys((MAIN, ROOM, HAND, SHOWN), 0)
        ways = [*WAYS, *(chance.choice(WAYS) for _ in range(max(0, pieces - len(WAYS))))]
        chance.shuffle(ways)
        actors = [Actor(number, way, self.words, self, chance) for number, way in enumerate(ways[:pieces], 1)]
        setup = [text for actor in actors for text in actor.setup()]
        steps = [
            [text for actor in actors for text in actor.act(chance.choice(ACTIONS), step, chance)]
            for step in range(1, STEPS + 1)
        ]
        self.text = game.log(setup, steps)
        self.module = game.module(self.locations, self.pictures)

    def cell(self, window: str, word: str) -> Location:
        """The next free cell of a window."""
        number = self._used[window]
        self._used[window] += 1
        across = game.SIZE_PX // CELL_PX - 2
        at = Location(window, CELL_PX * (1 + number % across), CELL_PX * (1 + number // across), word)
        self.locations.append(at)
        return at


def _square(colour: Colour, inset: int = 0) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (SIZE_PX - inset, SIZE_PX - inset), colour).save(out, "PNG")
    return out.getvalue()
