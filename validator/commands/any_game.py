"""What `audit` and `tell` do with logs of games whose rules are not known."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from validator.anygame.audit import GameAudit
    from validator.anygame.joining import Chain
    from validator.anygame.reading import Library, Modules
    from validator.audit.sources import Item, Unusable


def apart(unusable: Sequence[Unusable]) -> tuple[list[Item], list[Unusable]]:
    """The logs of unknown games, and what is none."""
    foreign = [one.foreign for one in unusable if one.foreign is not None]
    return foreign, [one for one in unusable if one.foreign is None]


def set_aside(foreign: Sequence[Item]) -> list[Unusable]:
    """Beside a game we know, logs of others are only named."""
    from validator.audit.sources import Unusable

    why = "of a game whose rules are not known: audit it by itself"
    return [Unusable(item.name, why) for item in foreign]


def audit(arguments: argparse.Namespace, items: Sequence[Item], unusable: list[Unusable]) -> int:
    from validator.anygame import audit as anygame
    from validator.anygame import reading, telling

    modules = reading.Library(arguments.path, arguments.module)
    audits, spoiled = anygame.audit(items, modules)
    unusable = [*unusable, *spoiled]
    if arguments.html:
        _write_pages(arguments.html, audits, items, modules)
    if arguments.json:
        print(json.dumps(telling.data(audits, unusable), indent=1))
    else:
        print(telling.render(audits, unusable), end="")
    if any(one.verdict == "broken" for one in audits):
        return 1
    return 2 if unusable or not audits or any(one.verdict == "unreadable" for one in audits) else 0


def _write_pages(path: Path, audits: Sequence[GameAudit], items: Sequence[Item], library: Library) -> None:
    """One game as this file; several beside it, by number."""
    from validator.anygame import replay

    for number, audit in enumerate(audits, 1):
        page = path if len(audits) == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        art = replay.art_for(library.path(audit.module), library.extensions(audit.module))
        replay.write(page, replay.render(audit, items, library, art))


def tell(arguments: argparse.Namespace, items: Sequence[Item], unusable: Sequence[Unusable]) -> int:
    from validator.anygame import reading, tale

    modules = reading.Library(arguments.path, arguments.module)
    chain, spoiled = chain_of(items, modules)
    if arguments.animate:
        return _animate(arguments, chain, items, modules)
    told = tale.tell(chain, items, modules, tale.Choice(arguments.turn, arguments.side))
    left = [{"file": item.name, "why": item.why} for item in (*unusable, *spoiled)]
    if arguments.json:
        print(json.dumps(tale.data(told) | {"unusable": left}, indent=1))
    else:
        print(getattr(tale, arguments.format)(told), end="")
        for item in left:
            print(f"Not used: {item['file']}: {item['why']}", file=sys.stderr)
    return 2 if left else 0


def _animate(arguments: argparse.Namespace, chain: Chain, items: Sequence[Item], library: Library) -> int:
    from validator.anygame import picture, replay

    module = next((entry.module for entry in chain.entries if entry.module), None)
    art = replay.art_for(library.path(module), library.extensions(module))
    count = picture.animate(arguments.animate, replay.film_of(chain, items, library, art))
    size = arguments.animate.stat().st_size
    answer = {"file": arguments.animate.name, "pictures": count, "bytes": size}
    text = f"{arguments.animate}: {count} pictures, {size / 1_000_000:.1f} MB"
    print(json.dumps(answer) if arguments.json else text)
    return 0


def chain_of(items: Sequence[Item], modules: Modules) -> tuple[Chain, list[Unusable]]:
    """The one game in these files, and what could not be read."""
    from validator.anygame import joining, reading, tale
    from validator.audit.sources import Unusable

    found = list(reading.read(items, modules))
    spoiled = [one for one in found if isinstance(one, Unusable)]
    chains = joining.games(one for one in found if isinstance(one, reading.Entry))
    return tale.one_chain(chains, spoiled), spoiled
