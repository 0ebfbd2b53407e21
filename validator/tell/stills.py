"""What a moving picture of a game shows: where the units stood when each phase was over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from fieldpost.definition.mapmodel import GameMap
from fieldpost.hexes import Hex, neighbors
from validator.tell.chronicle import Chronicler
from validator.tell.sentences import losses

Stand = Mapping[Hex, tuple[tuple[str, int], ...]]  # in each hex the sides and how many units of each
WATERS = ("sea", "lake")


@dataclass(frozen=True)
class Still:
    turn: int
    phase: str
    units: Stand
    battles: tuple[Hex, ...] = ()
    eliminated: Mapping[str, int] = field(default_factory=dict)  # by side, from the start


class Camera:
    """Watches a chronicler. `stills` has one for each phase in which something changed or was fought."""

    def __init__(self) -> None:
        self.stills: list[Still] = []

    def __call__(self, chronicler: Chronicler) -> None:
        still = _still(chronicler)
        last = self.stills[-1] if self.stills else None
        if last is None or still.battles or still.units != last.units:
            self.stills.append(still)


def _still(chronicler: Chronicler) -> Still:
    position = chronicler.position
    counts: dict[Hex, Counter[str]] = {}
    for unit in position.on_map():
        counts.setdefault(unit.hex, Counter())[unit.side] += 1
    units = {hex_: tuple(sorted(counts[hex_].items())) for hex_ in sorted(counts)}
    lost = losses(fight for turn in chronicler.tale.turns for fight in turn.fights())
    eliminated = {side: count["eliminated"] for side, count in sorted(lost.items())}
    return Still(position.turn, position.phase, units, _battles(chronicler), eliminated)


def _battles(chronicler: Chronicler) -> tuple[Hex, ...]:
    turns, position = chronicler.tale.turns, chronicler.position
    if not turns or turns[-1].number != position.turn:
        return ()
    now = [phase for phase in turns[-1].phases[-1:] if phase.phase == position.phase]
    return tuple(dict.fromkeys(hex_ for phase in now for fight in phase.fights for hex_ in fight.targets))


def thinned(stills: Sequence[Still], active: Mapping[str, str], most: int) -> list[Still]:
    """All of them; where they are more than `most`, one for each side's part of a turn, or for each turn."""
    for key in (
        lambda number, still: (number,),
        lambda number, still: (still.turn, active.get(still.phase, "")),
        lambda number, still: (still.turn,),
    ):
        keys = [key(number, still) for number, still in enumerate(stills)]
        if sum(one != other for one, other in pairwise(keys)) < most:
            break
    return _last_of_each(stills, keys)


def _last_of_each(stills: Sequence[Still], keys: Sequence[object]) -> list[Still]:
    """The last still of each run of one key, with the battles of the whole run."""
    found: list[Still] = []
    battles: list[Hex] = []
    for number, still in enumerate(stills):
        battles += still.battles
        if number + 1 == len(stills) or keys[number + 1] != keys[number]:
            found.append(replace(still, battles=tuple(dict.fromkeys(battles))))
            battles = []
    return found


def territory(game_map: GameMap, hexes: Collection[Hex], units: Stand) -> dict[Hex, str]:
    """Each land hex with the side whose units are nearest over land.

    Where both are as near it goes to the side of most of its neighbours, and else to the first by name.
    """
    land = {hex_ for hex_ in hexes if game_map.terrain[hex_] not in WATERS}
    claims = {hex_: {sides[0][0]} for hex_, sides in units.items() if len(sides) == 1}
    edge = set(claims)
    while edge:
        reached: dict[Hex, set[str]] = {}
        for hex_ in edge:
            for other in neighbors(hex_):
                if other in land and other not in claims:
                    reached.setdefault(other, set()).update(claims[hex_])
        claims |= reached
        edge = set(reached)
    owner = {hex_: next(iter(sides)) for hex_, sides in claims.items() if len(sides) == 1}
    split = {hex_: _of_most(neighbors(hex_), owner, claims[hex_]) for hex_ in claims.keys() - owner.keys()}
    return owner | split


def _of_most(around: Sequence[Hex], owner: Mapping[Hex, str], sides: Collection[str]) -> str:
    votes = Counter(owner[hex_] for hex_ in around if hex_ in owner)
    return min(sides, key=lambda side: (-votes[side], side))
