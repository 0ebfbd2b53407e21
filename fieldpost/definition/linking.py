"""The parts of a game put together: groups of counters flattened, counts expanded, defaults filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from fieldpost.definition.atlas import Atlas
from fieldpost.definition.checks import MOST_ALIKE, check_game
from fieldpost.definition.files import CountersFile, GameFile, GroupEntry, UnitEntry
from fieldpost.definition.mapmodel import GameMap
from fieldpost.definition.model import Counter, Game, Scenario, UnitType
from fieldpost.definition.overlay import Overlay
from fieldpost.definition.reader import Reader
from fieldpost.hexes import Lattice, Orientation

_NO_MAP = GameMap("", "", Lattice(Orientation.FLAT, ()), 0, 0, (), (), (), (), (), (), (), (), (), ())


def link_game(
    reader: Reader,
    file: GameFile,
    counters: CountersFile | None,
    scenarios: Sequence[Scenario],
    map_: GameMap | None,
    atlas: Atlas | None,
    overlays: Sequence[Overlay] = (),
) -> Game:
    """The game, checked. Without a map that could be read, hexes go unchecked."""
    types = {t.id: t for t in file.unit_types}
    game = Game(
        id=file.id,
        title=file.title,
        version=file.version,
        map=map_ or _NO_MAP,
        sides=file.sides,
        sequence=file.sequence,
        turn_track=file.turn_track,
        unit_types=file.unit_types,
        counters=tuple(flatten(reader, counters.counters if counters else (), types)),
        markers=(*file.markers, *(counters.markers if counters else ())),
        decks=file.decks,
        boxes=file.boxes,
        dice=file.dice,
        tables=file.tables,
        options=file.options,
        scenarios=tuple(scenarios),
        seasons=file.seasons,
        designer=file.designer,
        rights=file.rights,
        credits=file.credits,
        provenance=file.provenance,
        control_at_start=file.control_at_start,
        called=file.called,
        words=file.words,
        orders=file.orders,
        battle_plate=file.battle_plate,
        printing=file.printing,
        rules=file.rules,
        card_decks=file.card_decks,
        maps=file.maps,
        vassal=file.vassal,
        confirmed=file.confirmed,
    )
    reader.follow(game, file)
    for overlay in overlays:
        game = overlay.change_game(game)
    groups = counters.counters if counters else ()
    check_game(reader, game, groups, atlas if map_ is not None else None, counters is not None)
    return game


def flatten(reader: Reader, groups: Sequence[GroupEntry], types: Mapping[str, UnitType]) -> Iterator[Counter]:
    """Every counter by itself."""
    for group in groups:
        for entry in group.units:
            yield from _counters(reader, group, entry, types.get(group.type))


def _counters(
    reader: Reader, group: GroupEntry, entry: UnitEntry, kind: UnitType | None
) -> Iterator[Counter]:
    if not 1 <= entry.count <= MOST_ALIKE:
        reader.fault(entry, ("count",), f"{entry.count} cannot be", f"1 to {MOST_ALIKE}")
    count = min(entry.count, MOST_ALIKE)
    ids = [f"{entry.id}-{n}" for n in range(1, count + 1)] if count > 1 else [entry.id]
    values = MappingProxyType({**group.values, **entry.values})
    for name in ids:
        counter = Counter(
            id=name,
            name=entry.name or group.name or (kind.name if kind else entry.id),
            type=group.type,
            steps=entry.steps if entry.steps is not None else group.steps or (),
            label=entry.label or entry.id,
            nationality=entry.nationality or group.nationality or (kind.nationality if kind else None),
            enters=entry.enters or group.enters,
            setup=entry.setup or group.setup,
            group=entry.group or group.group or (kind.name if kind else ""),
            traits=tuple(dict.fromkeys((*group.traits, *entry.traits))),
            values=values,
            images=entry.images or group.images,
            symbol_image=entry.symbol_image or group.symbol_image,
            provenance=entry.provenance or group.provenance,
        )
        reader.follow(counter, entry)
        yield counter
