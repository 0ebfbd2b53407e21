"""What a game hands on to its module as it is: prototypes, components and their pictures."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from builder.module.faults import DataFault
from fieldpost.definition.model import Game
from fieldpost.definition.passed import PassedXml
from fieldpost.vassal.module_pieces import Definition
from fieldpost.vassal.pieces import TraitText


def prototypes(game: Game) -> dict[str, tuple[TraitText, ...]]:
    """The prototypes of one's own, by name."""
    found: dict[str, tuple[TraitText, ...]] = {}
    for name, text in _read(game, "prototypes").prototypes.items():
        definition = Definition.read(text)
        if definition is None:
            raise DataFault(
                f"the prototype {name!r} cannot be read", "game", "prototypes", "+/null/TYPE/STATE"
            )
        found[name] = definition.traits
    return found


def components(game: Game) -> dict[str, str]:
    """XML for the module and for its main map."""
    return {part: "\n".join(_read(game, part).elements) for part in ("module", "map")}


def images(game: Game) -> dict[str, bytes]:
    """Pictures that the XML names, under their own names without folders."""
    named = {PurePosixPath(name).name: game.art[name].path for name in game.vassal.images}
    return {name: Path(path).read_bytes() for name, path in named.items()}


def _read(game: Game, part: str) -> PassedXml:
    text = game.passed.get(part)
    return PassedXml((), {}) if text is None else PassedXml.read(text, part)
