"""Files in any order become the tale of a game, joined as the audit joins them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fieldpost.errors import FieldpostError
from fieldpost.phrases import phrase
from validator.audit import sources
from validator.audit.chain import BROKEN, GAP, Chain
from validator.audit.entries import Entry
from validator.audit.game import chain_of, games
from validator.audit.sources import Item, Unusable
from validator.services.turnfile import Wanted

MOST_NAMED = 4
NOT_A_LOG = "It takes logs and saves of VASSAL, and turn sheets, in any wrapping."


class ForeignGame(FieldpostError):
    """The logs are of a game whose rules are not known: `items` are the logs, `unusable` what is none."""

    def __init__(self, items: list[Item], unusable: list[Unusable]) -> None:
        super().__init__("the rules of this game are not known")
        self.items, self.unusable = items, unusable


def read(paths: Sequence[Path], wanted: Wanted) -> tuple[Chain, list[Unusable]]:
    """The one game in these files, its logs in order, and what could not be used."""
    found, unusable = games(sources.gather(list(paths)), wanted)
    unusable = sources.spoiled(unusable)
    foreign = [one.foreign for one in unusable if one.foreign is not None]
    if not found:
        if foreign:
            raise ForeignGame(foreign, [one for one in unusable if one.foreign is None])
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
        return FieldpostError(f"{names}: there is no turn of a game", NOT_A_LOG)
    first = unusable[0]
    more = phrase(" (and {} more)", len(unusable) - 1)
    return FieldpostError(f"{first.name}: {first.why}{more}")
