"""Does every word on every counter stand out from its ground? WCAG's 4.5 : 1 is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from builder.counters.colors import BLACK, NEEDED_CONTRAST, WHITE, Rgb, contrast, mix, stripe_on
from builder.counters.face import YELLOW
from builder.counters.ground import shades
from builder.counters.look import ArtLook, BackLook, CounterLook, Look, looks
from fieldpost.definition.model import Game


class Pair(NamedTuple):
    """Something printed, and the ground it is printed on."""

    what: str
    ink: Rgb
    ground: Rgb

    @property
    def ratio(self) -> float:
        return contrast(self.ink, self.ground)


def pairs(look: Look) -> Iterator[Pair]:
    """Every ink and ground that meet on a face; a shaded ground counts at both its ends."""
    if isinstance(look, BackLook | ArtLook):
        return
    for shade in shades(look.ground):
        yield Pair("text", look.ink, shade)
    if isinstance(look, CounterLook):
        yield Pair("symbol", look.ink, look.box)
        if look.motorized:
            yield Pair("factors", BLACK, YELLOW)
        for each in look.grounds:
            if each.ground is not None:
                yield Pair("factor on its own ground", each.ink, each.ground)
        if look.lost:
            yield Pair("identity on the stripe", look.ink, stripe_on(look.ground, look.ink))


def problems(game: Game) -> list[str]:
    """A sentence for each nationality and marker whose ink is too near to its ground."""
    owner = {c.id: c.nationality or game.unit_type[c.type].nationality for c in game.counters}
    found: dict[str, None] = {}
    for ident, look in looks(game):
        for pair in pairs(look):
            if pair.ratio < NEEDED_CONTRAST:
                who = f"nationality {owner[ident]}" if ident in owner else f"marker {ident}"
                found[_sentence(who, pair)] = None
    return list(found)


def _sentence(who: str, pair: Pair) -> str:
    return (
        f"{who}: {_hex(pair.ink)} on {_hex(pair.ground)} ({pair.what}) has a contrast of {pair.ratio:.1f}, "
        f"{NEEDED_CONTRAST} is needed; {_hex(_better(pair))} would do as ground"
    )


def _better(pair: Pair) -> Rgb:
    """The ground, moved far enough from the ink for the lighter and the darker end of its shading."""
    away = WHITE if contrast(pair.ink, WHITE) > contrast(pair.ink, BLACK) else BLACK
    tries = (mix(pair.ground, away, share / 20) for share in range(21))
    return next((t for t in tries if _reads(t, pair.ink)), away)


def _reads(ground: Rgb, ink: Rgb) -> bool:
    return all(contrast(shade, ink) >= NEEDED_CONTRAST for shade in shades(ground))


def _hex(color: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
