"""Movement by sea: picked up in one port, put down in another on the same water."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from validator.core.board import HexId, Mask
from validator.core.breach import Breach


@dataclass(frozen=True)
class SeaRules:
    """`ports` gives the waters of each port (black-sea ...); `closed` ports by key (winter ...)."""

    ports: Mapping[HexId, frozenset[str]]
    friendly: Mask
    closed: Mapping[str, Mask] = field(default_factory=dict)


def check_voyage(rules: SeaRules, start: HexId, end: HexId) -> tuple[Breach, ...]:
    """Everything wrong with a voyage; nothing if it is legal.

    Keys: `no-port`, `enemy-port`, `other-sea`, and the keys of `closed`.
    """
    if missing := tuple(h for h in (start, end) if h not in rules.ports):
        return (Breach("no-port", missing),)
    found = []
    if hostile := tuple(h for h in (start, end) if not rules.friendly[h]):
        found.append(Breach("enemy-port", hostile))
    if not rules.ports[start] & rules.ports[end]:
        found.append(Breach("other-sea", (start, end)))
    for key, mask in rules.closed.items():
        if shut := tuple(h for h in (start, end) if mask[h]):
            found.append(Breach(key, shut))
    return tuple(found)


def destinations(rules: SeaRules, start: HexId) -> list[HexId]:
    """Ports a unit in a port may go to."""
    return sorted(p for p in rules.ports if p != start and not check_voyage(rules, start, p))
