"""Movement by sea: picked up in one port, put down in another on the same water."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from validator.core.board import HexId, Mask, those_in
from validator.core.breach import Breach, broken_where


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
    ends = (start, end)
    if missing := tuple(h for h in ends if h not in rules.ports):
        return (Breach("no-port", missing),)
    hostile = tuple(h for h in ends if not rules.friendly[h])
    shut = [(key, those_in(mask, ends)) for key, mask in rules.closed.items()]
    return broken_where(
        (hostile, Breach("enemy-port", hostile)),
        (rules.ports[start].isdisjoint(rules.ports[end]), Breach("other-sea", ends)),
        *((hexes, Breach(key, hexes)) for key, hexes in shut),
    )


def destinations(rules: SeaRules, start: HexId) -> list[HexId]:
    """Ports a unit in a port may go to."""
    return sorted(p for p in rules.ports if p != start and not check_voyage(rules, start, p))
