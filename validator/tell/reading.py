"""Files in any order become the tale of a game, joined as the audit joins them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fieldpost.errors import FieldpostError
from validator.audit import sources
from validator.audit.chain import BROKEN, GAP, Chain
from validator.audit.entries import Entry
from validator.audit.game import chain_of, games
from validator.audit.sources import Unusable
from validator.services.turnfile import Wanted

MOST_NAMED = 4
FOREIGN = (
    "Only games that fieldpost knows can be told. For a log of any other module: "
    "fieldpost dump FILE --module MODULE.vmod"
)


def read(paths: Sequence[Path], wanted: Wanted) -> tuple[Chain, list[Unusable]]:
    """The one game in these files, its logs in order, and what could not be used."""
    found, unusable = games(sources.gather(list(paths)), wanted)
    if not found:
        raise _nothing(paths, unusable)
    if len(found) > 1:
        names = ", ".join(name for name, _ in found)
        raise FieldpostError(f"here are {len(found)} games: {names}", "Name the files of one game.")
    chain = chain_of(found[0][1])
    halves = [
        Unusable(entry.name, f"its end, for {entry.turn.broken}")
        for entry in chain.entries
        if entry.turn.broken
    ]
    return chain, [*unusable, *halves]


def remark_before(chain: Chain, entry: Entry) -> str:
    """What a reader should know before this log is told."""
    return next(
        (link.message for link in chain.links if link.kind in (GAP, BROKEN) and link.after == entry.name), ""
    )


def _nothing(paths: Sequence[Path], unusable: Sequence[Unusable]) -> FieldpostError:
    if not unusable:
        names = ", ".join(path.name for path in paths[:MOST_NAMED])
        return FieldpostError(f"{names}: there is no turn of a game", FOREIGN)
    first = unusable[0]
    more = f" (and {len(unusable) - 1} more)" if len(unusable) > 1 else ""
    return FieldpostError(f"{first.name}: {first.why}{more}", FOREIGN if "game" in first.why else None)
