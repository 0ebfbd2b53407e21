"""Games read beforehand: linked, checked and kept as one file each, for the site in a browser.

Reading the YAML takes seconds there, a compiled game a fraction of one. `fieldpost site` makes them; where
one lies beside the data, it goes before the YAML.
"""

from __future__ import annotations

import io
import os
import pickle
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fieldpost import data

if TYPE_CHECKING:
    from fieldpost.definition.model import Game
    from fieldpost.definition.rulelist import RuleEntry

ENDING = ".game"
_ID = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")


@dataclass(frozen=True)
class Compiled:
    game: Game
    rules: tuple[RuleEntry, ...]


class Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        """Read-only views are the one thing in a game that cannot be pickled as it is."""
        return (read_only, (dict(value),)) if type(value) is MappingProxyType else NotImplemented


def read_only(values: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(values)


def dump(game: Game, rules: tuple[RuleEntry, ...]) -> bytes:
    written = io.BytesIO()
    Pickler(written, protocol=5).dump(Compiled(game, rules))
    return written.getvalue()


@cache
def load(game: str) -> Compiled | None:
    """A game of the box, if it lies there compiled. Only files of the installation itself are ever read."""
    if not _ID.fullmatch(game):
        return None
    path = data.compiled() / f"{game}{ENDING}"
    if not os.path.isfile(path):  # which, unlike Path.is_file, never raises
        return None
    made: Compiled = pickle.loads(path.read_bytes())
    return made
