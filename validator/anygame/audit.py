"""Logs of games we do not know, audited: do they hang together, who played when, how did the dice fall."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from validator.anygame import games, luck, one_log
from validator.anygame.games import Chain
from validator.anygame.luck import Luck
from validator.anygame.one_log import Entry, Modules
from validator.audit import sources
from validator.audit.sources import Found, Unusable

SITTING = timedelta(hours=1)
"""A longer pause between two steps ends a sitting."""


@dataclass(frozen=True)
class Sitting:
    log: str
    begins: datetime
    ends: datetime


@dataclass(frozen=True)
class Player:
    """`sides` are the sides taken, `steps` what was done under this name, `chat` the lines typed."""

    name: str
    sides: tuple[str, ...]
    steps: int
    chat: int


@dataclass(frozen=True)
class GameAudit:
    """What there is to say of one game without its rules."""

    module: str
    chain: Chain
    luck: Luck
    players: tuple[Player, ...]
    sittings: tuple[Sitting, ...]

    @property
    def title(self) -> str:
        return self.module or "An unnamed module"

    @property
    def verdict(self) -> str:
        """`broken` where the logs do not hang together, `unreadable` where one breaks off, else `whole`."""
        if any(not link.harmless for link in self.chain.links):
            return "broken"
        return "unreadable" if any(entry.broken for entry in self.chain.all) else "whole"


def audit(items: Iterable[Found], modules: Modules) -> tuple[list[GameAudit], list[Unusable]]:
    """Every game among the files, and the files that are neither log nor save."""
    entries, unusable = sources.apart(one_log.read(items, modules))
    return [of_chain(chain) for chain in games.games(entries)], unusable


def of_chain(chain: Chain) -> GameAudit:
    module = next((entry.module for entry in chain.entries if entry.module), "")
    sittings = tuple(sitting for entry in chain.entries for sitting in _sittings(entry))
    return GameAudit(module, chain, luck.study(chain.entries), tuple(_players(chain)), sittings)


def _players(chain: Chain) -> list[Player]:
    sides: dict[str, set[str]] = {}
    for entry in chain.entries:
        for name, side in entry.players.items():
            sides.setdefault(name, set()).add(side)
    done: Counter[str] = Counter()
    chat: Counter[str] = Counter()
    for step in itertools.chain.from_iterable(entry.done for entry in chain.entries):
        done[step.who] += 1
        chat[step.who] += step.chat
    names = filter(None, dict.fromkeys([*sides, *done]))
    return [Player(name, tuple(sorted(sides.get(name, ()))), done[name], chat[name]) for name in names]


def _sittings(entry: Entry) -> Iterable[Sitting]:
    """When it was played, as far as the ids of new pieces tell: the engine takes them from its clock."""
    sittings: list[list[datetime]] = []
    for time in sorted(entry.times):
        if not sittings or time - sittings[-1][-1] > SITTING:
            sittings.append([])
        sittings[-1].append(time)
    return [Sitting(entry.name, times[0], times[-1]) for times in sittings]
