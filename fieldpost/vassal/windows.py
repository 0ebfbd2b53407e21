"""Which windows of a game everybody sees: the maps, and the hands and other windows that belong to a side.

A window that is not surely public is private. The module tells; without it, or with one that does not fit the
log by its name and its maps, only the first map is surely public, unless its name says that it is not.
"""

from __future__ import annotations

import re

from fieldpost.phrases import count
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_tree import Component
from fieldpost.vassal.table import Table

_PUBLIC_KINDS = ("module.Map", "widget.WidgetMap", "VASL.build.module.ASLMap")
_PRIVATE_KINDS = (".PrivateMap", ".PlayerHand")
_PRIVATE_NAME = re.compile(
    r"\b(hands?|private|secret|hidden|personal|planning|orders|player\s*\d+)\b", re.IGNORECASE
)
Owners = frozenset[str]
"""The sides that see a window."""


class Windows:
    def __init__(self, table: Table, module: Module | None, log_of: str | None) -> None:
        """`log_of` is the module's name as the log states it."""
        self._table = table
        self.misfit = "" if module is None else _misfit(table, module, log_of)
        self._owners = _owners(module) if module is not None and not self.misfit else None
        self._first: str | None = None
        self._guessed: dict[tuple[str, str | None, frozenset[str]], bool] = {}

    def sees(self, name: str, side: str | None) -> bool:
        """Whether a side, or everybody, sees what lies in a window."""
        if self._owners is not None:
            owners = self._owners.get(name, frozenset())
            return owners is None or side in owners
        sides = _sides(self._table)
        key = name, side, sides
        if key not in self._guessed:
            self._guessed[key] = self._is_public(name, sides) or (
                side is not None and _is_named_after(name, side, sides)
            )
        return self._guessed[key]

    def remarks(self) -> list[str]:
        """What to say at the head of an output about windows that had to be left closed."""
        closed = (
            []
            if self._owners is not None
            else [name for name in map_names(self._table) if not self.sees(name, None)]
        )
        if not closed:
            return [self.misfit] if self.misfit else []
        first = self._first_map()
        is_known = first is not None and self.sees(first, None)
        known = f"only {first} is surely public" if is_known else "no window is surely public"
        why = self.misfit or "The module is not given"
        return [f"{why}: {known}, {count(len(closed), 'window')} left closed."]

    def _is_public(self, name: str, sides: frozenset[str]) -> bool:
        is_private = _PRIVATE_NAME.search(name) or any(_has_word(name, side) for side in sides)
        return name == self._first_map() and not is_private

    def _first_map(self) -> str | None:
        """Modules begin with the map that all play on, and logs name their maps in the module's order."""
        if self._first is None:
            self._first = next(iter(map_names(self._table)), None)
        return self._first


def _is_named_after(name: str, side: str, sides: frozenset[str]) -> bool:
    return _has_word(name, side) and not any(_has_word(name, other) for other in sides - {side})


def _sides(table: Table) -> frozenset[str]:
    return frozenset(
        {seat.side for seat in table.players.values() if seat.side and not seat.side.startswith("<")}
    )


def _has_word(name: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", name, re.IGNORECASE) is not None


def map_names(table: Table) -> list[str]:
    """The maps whose boards the log names, in its order, then those on which something lies."""
    lain = (name for (name, _, _), _ in table.layout.spots() if name is not None)
    return list(dict.fromkeys([*table.boards, *lain]))


def _misfit(table: Table, module: Module, log_of: str | None) -> str:
    if log_of and module.name != log_of:
        return f"The module is of {module.name!r}, the log is of {log_of!r}"
    known = {name for one in module.maps for name in (one.name, one.ident)}
    missing = [name for name in map_names(table) if name not in known]
    if missing:
        return f"The module lacks {count(len(missing), 'window')} of the log and is of another version"
    return ""


def _owners(module: Module) -> dict[str, Owners | None]:
    """Of each window of a module the sides that see it; None: all do."""
    found: dict[str, Owners | None] = {}
    for number, part in enumerate(module.map_parts):
        name = part.get("mapName") or f"Map{number}"
        owners = _owners_of(part)
        if name in found and None not in (owners, found[name]):
            owners = (owners or frozenset()) & (found[name] or frozenset())
        elif name in found:
            owners = owners if owners is not None else found[name]
        found[name] = owners
    return found


def _owners_of(part: Component) -> Owners | None:
    if part.kind in _PUBLIC_KINDS and "side" not in part.attributes:
        return None
    if part.flag("visible") and part.kind.endswith(_PRIVATE_KINDS):
        return None
    return frozenset(part.get("side").split(",")) - {""}


def private_windows(module: Module) -> dict[str, Owners]:
    """Hands and other private windows of a module, with the sides that own them."""
    return {name: owners for name, owners in _owners(module).items() if owners is not None}
