"""What `audit` and `tell` do with logs of games whose rules are not known."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fieldpost.commands import options
from fieldpost.phrases import listed
from fieldpost.vassal import shown
from validator.commands.output import answer, not_used, pictures_made

if TYPE_CHECKING:
    from pathlib import Path

    from fieldpost.vassal.secret import Secret
    from validator.anygame.audit import GameAudit
    from validator.anygame.games import Chain
    from validator.anygame.one_log import Library, Modules
    from validator.audit.sources import Item, Unusable


def apart(unusable: Sequence[Unusable]) -> tuple[list[Item], list[Unusable]]:
    """The logs of unknown games, and what is none."""
    foreign = [item.foreign for item in unusable if item.foreign is not None]
    return foreign, [item for item in unusable if item.foreign is None]


def set_aside(foreign: Sequence[Item]) -> list[Unusable]:
    """Beside a game we know, logs of others are only named."""
    from validator.audit.sources import Unusable

    why = "of a game whose rules are not known: audit it by itself"
    return [Unusable(item.name, why) for item in foreign]


def audit(arguments: argparse.Namespace, items: Sequence[Item], unusable: list[Unusable]) -> int:
    from validator.anygame import audit as anygame
    from validator.anygame import one_log, summary
    from validator.audit import sources
    from validator.audit.game import status

    modules = one_log.Library(arguments.path, arguments.module)
    audits, spoiled = anygame.audit(items, modules)
    unusable = [*sources.spoiled(unusable), *spoiled]
    if arguments.html:
        _write_pages(arguments.html, audits, items, modules, options.view(arguments))
    answer(arguments, lambda: summary.data(audits, unusable), lambda: summary.render(audits, unusable))
    return status((audit.verdict for audit in audits), unusable)


def open_secrets(arguments: argparse.Namespace, found: Sequence[Item | Unusable]) -> int:
    """What was hidden in the logs of one game, of whatever rules, if every side agrees."""
    from validator.anygame import one_log, opened, tale
    from validator.audit import sources

    library = one_log.Library(arguments.path, arguments.module)
    items, unusable = sources.apart(found)
    chain, spoiled = chain_of(items, library)
    made = opened.open_secrets(tale.open_chain(chain, items), library, _passwords(arguments.passwords))
    answer(arguments, made.data, lambda: "".join(f"{line}\n" for line in made.lines()))
    left = [*unusable, *spoiled]
    if not arguments.json:
        not_used(left)
    return 1 if made.verdict == "illegal" else 2 if left else 0


def _passwords(path: Path | None) -> dict[str, Secret]:
    from fieldpost.errors import FieldpostError
    from validator.anygame import opened

    if path is None:
        return {}
    if str(path) == "-":
        return opened.words_from(sys.stdin)
    try:
        return opened.words_from(path.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError):
        raise FieldpostError(
            f"{path.name}: cannot be read", "It is a text: a line SIDE=password a side."
        ) from None


def _write_pages(
    path: Path, audits: Sequence[GameAudit], items: Sequence[Item], library: Library, view: str | None
) -> None:
    """One game as this file; several beside it, by number."""
    from fieldpost import pages
    from validator.anygame import replay

    for number, audit in enumerate(audits, 1):
        page = path if len(audits) == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        art = replay.art_for(library.path(audit.module), library.extensions(audit.module))
        pages.write(page, replay.render(audit, items, library, art, view))


def tell(arguments: argparse.Namespace, items: Sequence[Item], unusable: Sequence[Unusable]) -> int:
    from validator.anygame import one_log, tale
    from validator.audit.summary import unusable_data

    modules = one_log.Library(arguments.path, arguments.module)
    chain, spoiled = chain_of(items, modules)
    say_other_module(modules, chain)
    if arguments.animate:
        return _animate(arguments, chain, items, modules)
    told = tale.tell(
        chain, items, modules, tale.Choice(arguments.turn, arguments.side), options.view(arguments)
    )
    left = [*unusable, *spoiled]
    answer(
        arguments,
        lambda: tale.data(told) | {"unusable": unusable_data(left)},
        lambda: str(getattr(tale, arguments.format)(told)),
    )
    if not arguments.json:
        not_used(left)
    return 2 if left else 0


def _animate(arguments: argparse.Namespace, chain: Chain, items: Sequence[Item], library: Library) -> int:
    from validator.anygame import picture, replay

    module = next((entry.module for entry in chain.entries if entry.module), None)
    art = replay.art_for(library.path(module), library.extensions(module))
    count = picture.animate(
        arguments.animate, replay.film_of(chain, items, library, art, options.view(arguments))
    )
    pictures_made(arguments, arguments.animate, count)
    return 0


def say_other_module(library: Library, chain: Chain) -> None:
    """A module that was named and is not the logs' own is used all the same: modules get other names."""
    module = library(None)
    names = {entry.module for entry in chain.entries if entry.module}
    if module is not None and names and module.name not in names:
        text = f"The module is of {module.name!r}, the logs are of {listed(sorted(names))!r}."
        print(shown.text(f"{text} Boards and pictures may be wrong."), file=sys.stderr)


def chain_of(items: Sequence[Item], modules: Modules) -> tuple[Chain, list[Unusable]]:
    """The one game in these files, and what could not be read."""
    from validator.anygame import games, one_log, tale
    from validator.audit import sources

    entries, spoiled = sources.apart(one_log.read(items, modules))
    return tale.one_chain(games.games(entries), spoiled), spoiled
