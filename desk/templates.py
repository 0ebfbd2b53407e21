"""The desk's templates, filled for either home."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from desk.addresses import Addresses
from desk.limits import MB, Limits
from fieldpost import __version__, data

POLICIES = {
    "replay": "Play again from the fault on",
    "dice-stand": "Dice that fell stand",
    "referee": "The referee decides",
}
EXAMPLES = {
    "turn-with-faults": ("A turn with three faults", ("faulty-turn.txt",)),
    "game": ("A whole game, all in order", ("samples/turning-point/*.vlog",)),
    "game-with-faults": ("The same game with forty faults", ("samples/turning-point-faulty/*.vlog",)),
}
STATUSES = {
    "enforced": "checked",
    "doubtful": "doubted at most",
    "judgement": "for you to judge",
    "not-checkable": "not checked",
}
WHOLE_PAGE, MAIN_ONLY = "base.html.j2", "bare.html.j2"


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(data.path("templates", "desk")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters["megabytes"] = lambda size: f"{size / MB:.1f} MB"
    made.filters["number"] = lambda count, noun: f"{count:,} {noun}" + ("" if count == 1 else "s")
    return made


def render(name: str, at: Addresses, *, layout: str = WHOLE_PAGE, **shown: Any) -> str:
    """A page; with the layout MAIN_ONLY what stands between its head and its foot."""
    given: dict[str, Any] = {
        "at": at,
        "layout": layout,
        "limits": Limits(),
        "version": __version__,
        "here": "",
        "only_here": True,
        "token": "",
        "policy_of_site": "",
    }
    return environment().get_template(f"{name}.html.j2").render(given | shown)
