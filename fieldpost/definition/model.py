"""What a game is: the types a definition in YAML is read into.

The YAML has the same shape and the same names as these classes; the reader, the checks and the
JSON Schema for editors are made from them. Everything is frozen once read. Unit and marker ids are
what players type (57PzK, 65A); all other ids are lower case with hyphens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal

from fieldpost.definition.annotations import Id, LabelList, PieceId, Rights, Written
from fieldpost.definition.artmodel import NOTHING_PASSED, ArtFile, CardDeck, FurtherMap, Passed
from fieldpost.definition.mapmodel import GameMap
from fieldpost.definition.rulesmodel import Rules
from fieldpost.definition.scenariomodel import (
    DeckContent,
    Placement,
    Reinforcement,
    SideId,
    SpecialRule,
    SupplySource,
    Victory,
)
from fieldpost.hexes import Hex

Source = Literal["rulebook", "reconstructed", "owner"]
Season = str


@dataclass(frozen=True)
class Provenance:
    """Where data comes from: the rulebook (which rule), a reconstruction (how), or the owner's copy."""

    source: Source
    rule: str | None = None
    how: str | None = None


@dataclass(frozen=True)
class Nationality:
    id: Id
    name: str
    color: str  # counter ground, #rrggbb
    ink: str = "#000000"  # text and symbol on it
    box: str | None = None  # ground of the unit box, if it differs


@dataclass(frozen=True)
class Side:
    id: Id
    name: str
    color: str
    nationalities: tuple[Nationality, ...]


@dataclass(frozen=True)
class Step:
    """A step of a phase: who acts and what may happen. `may` holds action verbs of the referee."""

    id: Id
    name: str
    active: str  # a side id or "both"
    may: tuple[str, ...] = ()
    rule: str | None = None


@dataclass(frozen=True)
class Phase:
    id: Id
    name: str
    active: str  # a side id or "both"
    steps: tuple[Step, ...] = ()
    may: tuple[str, ...] = ()
    rule: str | None = None
    note: str | None = None
    goes_on: bool = False  # battles declared in the phase before go on in it: their marks stay


@dataclass(frozen=True)
class Order:
    """The phases of a turn from a turn on, where a game changes their order in its course."""

    first_turn: int
    phases: tuple[Id, ...]


def phases_of(sequence: tuple[Phase, ...], orders: tuple[Order, ...], turn: int) -> tuple[Phase, ...]:
    """The phases of a turn, in their order."""
    order = next((order for order in reversed(orders) if order.first_turn <= turn), None)
    if order is None:
        return sequence
    known = {phase.id: phase for phase in sequence}
    return tuple(known[id_] for id_ in order.phases)


@dataclass(frozen=True)
class Turn:
    """One space of the turn track."""

    number: int
    date: str
    season: Season
    production: int | None = None  # the production number, on production turns
    note: str = ""  # a few words for its space: the climate, a modifier
    events: tuple[str, ...] = ()


@dataclass(frozen=True)
class TurnTrack:
    provenance: Provenance
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class UnitType:
    """A kind of counter: how it looks and what rules tell it apart by."""

    id: Id
    name: str
    side: SideId
    nationality: str  # default for its counters
    symbol: str  # infantry, armor, mechanized, motorized, cavalry, mountain, headquarters ...
    size: str = ""  # XX, XXX, XXXX, XXXXX, KG ...
    mobility: str = "none"  # a class of movement, a column of the terrain effects
    factors: tuple[str, ...] = ()  # what the printed numbers mean: attack, defense, movement; class, movement
    steps: int = 1
    sides: tuple[str, ...] = ()  # what its printed sides are called where they are no steps: Mobile, Firing
    stacking: Fraction = Fraction(0)
    zoc: bool = True
    traits: tuple[str, ...] = ()  # tags that rules ask for: panzer, sea-transport, never-retreats ...
    values: Mapping[str, str | int | Fraction] = field(
        default_factory=dict
    )  # supply-range: 4, advance: 3 ...
    symbol_image: str | None = None  # a picture of one's own in the place of the symbol
    prototypes: tuple[str, ...] = ()  # of one's own, from the XML that is passed through
    rule: str | None = None


@dataclass(frozen=True)
class Counter:
    """One printed counter of a unit."""

    id: PieceId
    name: str
    type: str
    steps: tuple[str, ...]  # printed factors of each step, the full strength first: 9-8-7, 7-6-7
    label: str = ""  # identity as printed; the id if empty
    nationality: str | None = None  # if it differs from the type's
    enters: str | None = None  # reinforcement code as printed: GT23
    setup: str | None = None  # set-up hex as printed
    group: str = ""  # where it is filed in the palette and inventory
    traits: tuple[str, ...] = ()
    values: Mapping[str, str | int | Fraction] = field(default_factory=dict)
    images: tuple[str, ...] = ()  # pictures of the whole counter, one for each step
    symbol_image: str | None = None  # if it differs from the type's
    provenance: Provenance | None = None  # if it differs from its group's


@dataclass(frozen=True)
class MarkerFace:
    text: str = ""
    small: str = ""  # a second, smaller line
    symbol: str | None = None  # a drawn sign: arrow, flag, disc, cross ...
    color: str = "#ffffff"
    ink: str = "#000000"
    image: str | None = None  # a picture of the whole face
    symbol_image: str | None = None  # a picture in the place of the sign


@dataclass(frozen=True)
class Marker:
    """A marker or chit; two faces if it is printed on both sides, up to four if it shows a level."""

    id: PieceId
    name: str
    kind: str  # control, supply, weather, strength, turn, status ...
    faces: tuple[MarkerFace, ...]
    count: int = 1
    side: SideId | None = None
    values: Mapping[str, str | int | Fraction] = field(
        default_factory=dict
    )  # attack: 6, defense: 9, class: C
    enters: str | None = None
    prototypes: tuple[str, ...] = ()  # of one's own, as unit types have
    # What it tells of; on a unit it lies on its counter, on a hexside it turns to the side it names.
    lies_on: Literal["hex", "unit", "hexside"] = "hex"
    provenance: Provenance | None = None

    def is_for(self, counter: Counter, unit_type: UnitType) -> bool:
        """Whether a unit can carry it: of its side, and of the trait it asks for as `on`."""
        asked = self.values.get("on")
        ours = self.side in (None, unit_type.side)
        return ours and (asked is None or asked in (*unit_type.traits, *counter.traits))


@dataclass(frozen=True)
class Deck:
    """A cup or pool that chits are drawn from."""

    id: Id
    name: str
    holds: str  # a marker kind
    where: Mapping[str, str] = field(default_factory=dict)  # values a marker must have: class: A
    face_down: bool = True
    side: SideId | None = None
    returns: str | None = None  # when chits go back, in our own words
    rule: str | None = None


@dataclass(frozen=True)
class Box:
    """A holding box beside the map."""

    id: Id
    name: str
    side: SideId | None = None
    rule: str | None = None


@dataclass(frozen=True)
class TableRow:
    id: Written
    cells: tuple[Written, ...]
    label: Written | None = None


@dataclass(frozen=True)
class Table:
    """A chart: what players read in the module is what the referee looks up."""

    id: Id
    title: str
    provenance: Provenance
    columns: tuple[Written, ...]
    rows: tuple[TableRow, ...]
    kind: Literal["combat-results", "terrain-effects", "lookup", "list"] = "lookup"
    corner: str = ""  # heading above the row labels
    notes: tuple[str, ...] = ()
    modifiers: tuple[TableRow, ...] = ()  # die or column modifiers: label, cells (value, when)
    tab: str | None = None  # charts of one tab lie together in the module's window

    @cached_property
    def _cells(self) -> dict[tuple[str, str], str]:
        return {
            (row.id, name): cell
            for row in self.rows
            for name, cell in zip(self.columns, row.cells, strict=True)
        }

    @property
    def cells(self) -> list[str]:
        """Of all rows, one after the other."""
        return [cell for row in self.rows for cell in row.cells]

    def cell(self, row: str, column: str) -> str:
        return self._cells[row, column]

    def row(self, row: str) -> dict[str, str]:
        return {name: self._cells[row, name] for name in self.columns}


@dataclass(frozen=True)
class Dice:
    id: Id
    name: str
    count: int = 1
    sides: int = 6
    reasons: tuple[str, ...] = ()  # what it is rolled for, each a button or menu entry in the module
    before_combat: tuple[str, ...] = ()  # of them, what a declared battle is rolled for before its own die


@dataclass(frozen=True)
class Option:
    """An optional rule, or a reading of an ambiguous one that players may choose."""

    id: Id
    title: str
    default: str
    choices: tuple[str, ...]
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class ControlAtStart:
    """Whose a hex is before anyone has moved, by the value of a grid such as the country it lies in."""

    grid: str
    sides: Mapping[str, SideId]  # greater-germany: axis ...
    otherwise: SideId | None = None
    rule: str | None = None


@dataclass(frozen=True)
class Declaration:
    """A word of `declare` that no phase names in its `may`, and what is said after `=`."""

    id: Id
    value: Literal["none", "number", "victory", "seasons"] = "none"
    title: str = ""  # as the module's menus have it, where the word alone says too little

    @property
    def named(self) -> str:
        return self.title or self.id.replace("-", " ").capitalize()


@dataclass(frozen=True)
class Words:
    """What players may say beyond what phases, dice, tables and scenarios name."""

    modes: tuple[str, ...] = ()  # ways of moving, beyond march and the ...-move of the phases
    supports: tuple[str, ...] = ()  # what supports an attack
    manners: tuple[str, ...] = ()  # of volleys outside the rounds of a battle: anti-air, salvo ...
    exchanges: tuple[str, ...] = ()  # why counters give way to others
    rolls: tuple[str, ...] = ()  # what dice are rolled for, beyond the reasons of the dice
    results: tuple[str, ...] = ()  # of battles, beyond the cells of the combat results tables
    victories: tuple[str, ...] = ()  # how a game ends, beyond the bands of the scenarios
    declarations: tuple[Declaration, ...] = ()


@dataclass(frozen=True)
class PlateEffect:
    """Something that the battle plate of the module takes into account; all conditions must hold."""

    text: str  # as the plate shows it: forest, major river
    terrain: tuple[Id, ...] = ()  # the attacked hex is of one of these
    places: tuple[Id, ...] = ()  # it holds a place of one of these kinds
    without: tuple[Id, ...] = ()  # and of none of these
    across: tuple[Id, ...] = ()  # every attacker attacks across a hexside of one of these kinds
    some_across: tuple[Id, ...] = ()  # one attacker or more does
    none_across: tuple[Id, ...] = ()  # none does
    areas: tuple[Id, ...] = ()  # it lies in an area of one of these kinds
    marker: PieceId | None = None  # this marker lies in the attacked hex
    face: int | None = None  # with this face up
    turns: tuple[int, ...] = ()
    attacker: SideId | None = None
    near: str | None = None  # a trait: a unit of the attacker's side with it is near the attacked hex
    within: int = 1  # how near, in hexes
    supported: str | None = None  # a trait: a unit with it lends support in this battle
    overrun: bool | None = None
    columns: int = 0  # to the right
    die: int = 0
    plus: int = 0  # to the defense, which it doubles at most
    times: int = 1  # the defense


@dataclass(frozen=True)
class Halving:
    """Attackers that count half, together and rounded down: all that is named must hold."""

    text: str
    across: tuple[Id, ...] = ()  # they attack across a hexside of one of these kinds
    trait: str | None = None
    places: tuple[Id, ...] = ()  # the attacked hex holds one of these


@dataclass(frozen=True)
class BattlePlate:
    """What the module's battle plate works out by itself when a target is named and when the die falls.

    Without `rows` the odds are the columns of the combat results table.
    """

    support: Id | None = None  # the factor that supporting guns add, up to what they support
    close_support: Id | None = None  # the factor that supporting aircraft bring to the die
    most_die: int | None = None  # all effects on the die together count for no more than this
    halved: tuple[Halving, ...] = ()
    rows: Id | None = None  # the table with a row of odds for each terrain and kind of place
    round_down: bool = False  # odds are whole, in favor of the defender, and count on beyond the columns
    below: str | None = None  # the result below the first column, without a die
    above: str | None = None  # and above the last
    effects: tuple[PlateEffect, ...] = ()
    omits: str = ""  # what players must still see to, in a few words for the help page


@dataclass(frozen=True)
class FactorMark:
    """How a printed factor stands out on the units of a trait: on a ground of its own."""

    trait: str
    factor: Id
    color: str
    ink: str = "#000000"


@dataclass(frozen=True)
class BandMark:
    """A band across the units of a trait; of `reduced` alone once they have lost a step."""

    trait: str
    color: str
    reduced: str | None = None  # the trait of units that show it on their weaker sides only


@dataclass(frozen=True)
class Printing:
    """What the counters of a game show beyond symbol, size, identity and factors."""

    boxed: Id | None = None  # the box of motorized units stands round this factor alone
    box: str = "#ffda3d"  # its color
    stacking: bool = False  # the stacking value stands in the left corner
    factors: tuple[FactorMark, ...] = ()
    band: BandMark | None = None
    codes: Mapping[str, str] = field(default_factory=dict)  # a letter for units of a trait: cannot-rebuild: R
    modifiers: tuple[
        Id, ...
    ] = ()  # values that are printed beside it with their sign; on the last named side


# --- scenarios --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scenario:
    id: Id
    title: str
    first_turn: int
    last_turn: int
    sheets: tuple[str, ...]
    provenance: Provenance
    playable: bool = True
    why_not: str | None = None  # what is missing, if it is not playable
    sheet: str | None = None  # the sheet that bare hex numbers are read on
    area: str | None = None  # an area of the map; the whole sheets if null
    players: str | None = None
    solitaire: str | None = None
    summary: str = ""
    set_up: tuple[Placement, ...] = ()
    reinforcements: tuple[Reinforcement, ...] = ()
    decks: tuple[DeckContent, ...] = ()
    supply_sources: tuple[SupplySource, ...] = ()
    control: Mapping[SideId, LabelList] = field(default_factory=dict)  # where it differs from the rules
    options: Mapping[str, str] = field(default_factory=dict)
    special_rules: tuple[SpecialRule, ...] = ()
    victory: Victory | None = None
    orders: tuple[Order, ...] = ()  # where the phases go in another order than the game's


Confirmed = Literal["rules", "map", "phases"]
CONFIRMED: tuple[Confirmed, ...] = ("rules", "map", "phases")


# --- the game ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    """Everything in games/<id>/, counters/<id>.yaml and maps/<id>/, read, checked and linked."""

    id: Id
    title: str
    version: str
    map: GameMap
    sides: tuple[Side, ...]
    sequence: tuple[Phase, ...]
    turn_track: TurnTrack
    unit_types: tuple[UnitType, ...]
    counters: tuple[Counter, ...]  # groups flattened, counts expanded, defaults filled in
    markers: tuple[Marker, ...]
    decks: tuple[Deck, ...]
    boxes: tuple[Box, ...]
    dice: tuple[Dice, ...]
    tables: tuple[Table, ...]
    options: tuple[Option, ...]
    scenarios: tuple[Scenario, ...]
    seasons: tuple[Season, ...] = ()
    designer: str = ""
    rights: Rights | None = None  # whether its module may be published: docs/rights.md
    credits: tuple[str, ...] = ()
    provenance: Provenance | None = None
    control_at_start: ControlAtStart | None = None
    called: Mapping[Id, str] = field(default_factory=dict)  # what its rules call an overrun
    words: Words = field(default_factory=Words)
    orders: tuple[Order, ...] = ()  # none: all phases in the order of the sequence, in every turn
    battle_plate: BattlePlate | None = None
    printing: Printing = field(default_factory=Printing)
    rules: Rules | None = None  # for the standard referee
    card_decks: tuple[CardDeck, ...] = ()
    maps: tuple[FurtherMap, ...] = ()
    vassal: Passed = NOTHING_PASSED
    art: Mapping[str, ArtFile] = field(default_factory=dict)  # every picture of one's own, by its name
    passed: Mapping[str, bytes] = field(default_factory=dict)  # the XML of `vassal`, by its part
    confirmed: tuple[Confirmed, ...] | None = None  # what its owner has compared; None: all of it

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """What its owner has not compared with rulebook and map: nothing illegal can be said on it."""
        return () if self.confirmed is None else tuple(one for one in CONFIRMED if one not in self.confirmed)

    @property
    def is_publishable(self) -> bool:
        """Whether its module may be given to anyone: it is its maker's own, or the owner has permitted it."""
        return self.rights is not None and self.rights != "private"

    def phases(self, turn: int, scenario: Scenario | None = None) -> tuple[Phase, ...]:
        """The phases of a turn; in the order of a scenario, where it has its own."""
        own = scenario.orders if scenario is not None else ()
        return phases_of(self.sequence, own or self.orders, turn)

    def holder_at_start(self, hex_: Hex) -> SideId | None:
        """Whose a hex is by the rules when a scenario begins, where the scenario itself says nothing."""
        held, otherwise = self._held_at_start
        return held.get(hex_, otherwise)

    @cached_property
    def _held_at_start(self) -> tuple[Mapping[Hex, SideId | None], SideId | None]:
        control = self.control_at_start
        if control is None or control.grid not in self.map.grid:
            return {}, None
        values = self.map.grid[control.grid].values.items()
        held = {hex_: control.sides.get(value, control.otherwise) for hex_, value in values if value}
        return held, control.otherwise

    @cached_property
    def unit_type(self) -> Mapping[str, UnitType]:
        return {t.id: t for t in self.unit_types}

    @cached_property
    def counter(self) -> Mapping[str, Counter]:
        return {c.id: c for c in self.counters}

    @property
    def off_map(self) -> dict[str, str]:
        """The names of the boxes and further maps, by id."""
        return {box.id: box.name for box in self.boxes} | {map_.id: map_.name for map_ in self.maps}

    @cached_property
    def formations(self) -> tuple[str, ...]:
        """What more than one counter names as its `formation` among its values, in their order."""
        named = [str(c.values["formation"]) for c in self.counters if "formation" in c.values]
        return tuple(name for name in dict.fromkeys(named) if named.count(name) > 1)

    @cached_property
    def marker(self) -> Mapping[str, Marker]:
        return {m.id: m for m in self.markers}

    @cached_property
    def table(self) -> Mapping[str, Table]:
        return {t.id: t for t in self.tables}

    @cached_property
    def scenario(self) -> Mapping[str, Scenario]:
        return {s.id: s for s in self.scenarios}

    @cached_property
    def nationality(self) -> Mapping[str, Nationality]:
        return {n.id: n for side in self.sides for n in side.nationalities}

    @cached_property
    def turn(self) -> Mapping[int, Turn]:
        return {t.number: t for t in self.turn_track.turns}
