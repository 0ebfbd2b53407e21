"""What the battle plate works out of a game's data: ground, rivers, season, odds, column, result.

Everything is a BeanShell expression that the engine evaluates on the plate when a unit is declared or a
die has fallen, never while it paints: VASSAL 3.6 cannot evaluate one expression in two threads.
Hexes are told by their printed labels. BeanShell takes 0714 for the number 714, so both spellings are listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from builder.module import odds
from builder.module.boards import Board
from fieldpost.definition import effects
from fieldpost.definition.model import BattlePlate, Game, Halving, PlateEffect, Table
from fieldpost.hexes import Hex
from fieldpost.vassal import making
from fieldpost.vassal.pieces import TraitText

_FIGHTS = '(BattleRole==\\"attacker\\" || BattleRole==\\"overrun\\")'
MINE = f"BattleNumber==Battle && {_FIGHTS}"  # of a unit: it attacks in the battle in hand


@dataclass(frozen=True)
class BattleSums:
    """The traits of the plate that hold what it knows, and the expressions that use them."""

    game: Game
    boards: Sequence[Board]
    map_name: str
    plate_up_px: int  # how far above the middle of the attacked hex the plate lies

    @cached_property
    def plate(self) -> BattlePlate:
        return effects.plate_of(self.game)

    @cached_property
    def results(self) -> Table | None:
        return next((table for table in self.game.tables if table.kind == "combat-results"), None)

    @cached_property
    def labels(self) -> Mapping[Hex, tuple[str, ...]]:
        """As the engine spells a hex, on any of the boards."""
        found: dict[Hex, dict[str, None]] = {}
        for board in self.boards:
            for hex_, label in board.labels():
                found.setdefault(hex_, {})[label] = None
        return {hex_: tuple(labels) for hex_, labels in found.items()}

    # --- what the plate knows -------------------------------------------------------------------

    def traits(self) -> list[TraitText]:
        """As calculated properties: a log holds these once, with the piece's type, and not in each change."""
        return [making.calculated(name, f'{{"{text}"}}') for name, text in self._known.items()]

    @cached_property
    def _known(self) -> dict[str, str]:
        """Lists of hexes, and the cells of the results table."""
        known = {name: self._list(hexes) for name, hexes in self._places.items()}
        known |= {name: self._hexsides(kinds) for kinds, name in self._sides.items()}
        if self.results is not None:
            known["Cells"] = "".join(cell.ljust(self._width) for cell in self._cells)
        return known

    @cached_property
    def _places(self) -> dict[str, Iterable[Hex]]:
        """Hexes by what they are called in an expression."""
        named: dict[str, Iterable[Hex]] = {
            f"Hexes{number}": self._hexes(effect)
            for number, effect in enumerate(self.plate.effects)
            if effect.terrain or effect.places or effect.without or effect.areas
        }
        named |= {
            f"Halving{number}": [h for h in self.labels if self._kinds_of(h) & set(half.places)]
            for number, half in enumerate(self.plate.halved)
            if half.places
        }
        return named | {f"Row{number}": hexes for number, hexes in enumerate(self._rows) if number}

    def _hexes(self, effect: PlateEffect) -> list[Hex]:
        return [hex_ for hex_ in self.labels if self._is_of(hex_, effect)]

    def _is_of(self, hex_: Hex, effect: PlateEffect) -> bool:
        kinds = self._kinds_of(hex_)
        ground = self.game.map.terrain.get(hex_)
        return (
            (not effect.terrain or ground in effect.terrain)
            and (not effect.places or bool(kinds & set(effect.places)))
            and not kinds & set(effect.without)
            and (not effect.areas or hex_ in self._inside(effect.areas))
        )

    def _inside(self, kinds: Sequence[str]) -> set[Hex]:
        return {hex_ for area in self.game.map.areas if area.kind in kinds for hex_ in area.hexes}

    def _kinds_of(self, hex_: Hex) -> set[str]:
        return {place.kind for place in self.game.map.places_at.get(hex_, ())}

    @cached_property
    def _rows(self) -> list[list[Hex]]:
        """The hexes of each row of odds; a hex with a place is of the place's row, the last that fits."""
        table = self._odds_table
        if table is None:
            return []
        kinds = {kind.id for kind in self.game.map.place_kinds}
        places = [row.id for row in table.rows if row.id in kinds][::-1]
        rows: dict[str, list[Hex]] = {row.id: [] for row in table.rows}
        for hex_ in self.labels:
            here = self._kinds_of(hex_)
            name = next((place for place in places if place in here), self.game.map.terrain.get(hex_, ""))
            rows.get(name, []).append(hex_)
        return list(rows.values())

    @cached_property
    def _odds_table(self) -> Table | None:
        return self.game.table.get(self.plate.rows) if self.plate.rows else None

    def _list(self, hexes: Iterable[Hex]) -> str:
        return "," + "".join(f"{text}," for hex_ in hexes for text in self._spellings(hex_))

    def _spellings(self, hex_: Hex) -> Iterator[str]:
        for label in self.labels.get(hex_, ()):
            yield label
            if label.isdigit() and label.startswith("0"):
                yield label.lstrip("0")

    @cached_property
    def _sides(self) -> dict[tuple[str, ...], str]:
        """Names of the lists of hexsides, by the kinds in them."""
        groups = [
            kinds
            for effect in self.plate.effects
            for kinds in (effect.across, effect.some_across, effect.none_across)
            if kinds
        ]
        groups += [half.across for half in self.plate.halved if half.across]
        return {kinds: f"Sides{number}" for number, kinds in enumerate(dict.fromkeys(groups))}

    def _hexsides(self, kinds: Sequence[str]) -> str:
        """For each hex its neighbors across such a hexside: `|4611:,4610,4711,|4612:...`."""
        wanted = set(kinds)
        beyond: dict[Hex, list[Hex]] = {}
        for side, found in self.game.map.side_kinds.items():
            if found & wanted:
                beyond.setdefault(side.a, []).append(side.b)
                beyond.setdefault(side.b, []).append(side.a)
        parts = [
            f"|{text}:{self._list(others)}"
            for hex_, others in beyond.items()
            for text in self._spellings(hex_)
        ]
        return "".join(parts) + "|"

    # --- what it works out ----------------------------------------------------------------------

    def steps(self) -> Iterator[tuple[str, str]]:
        """Properties of the plate in the order they are worked out, each with its expression."""
        yield "Attackers", self._count(MINE)
        for name in self._sides.values():
            at = f'{name}.indexOf("|"+Place+":")'
            rest = f"{name}.substring({at}+1)"
            yield f"Beyond{name}", f'{{{at}<0?"":{rest}.substring(0,{rest}.indexOf("|"))}}'
            yield f"Over{name}", self._count(f"{MINE} && {self._crossing(name)}")
        yield from self._strengths()
        for number, effect in enumerate(self.plate.effects):
            yield f"Applies{number}", f"{{({self._condition(number, effect)})?1:0}}"
        yield "Counted", "{" + self._defense() + "}"
        yield "Shift", "{" + self._sum("columns") + "}"
        most = self.plate.most_die
        die = self._sum("die")
        if self.plate.close_support is not None:
            yield "CloseAttack", "{" + self._supporting("CloseSupport", ">0") + "}"
            yield "CloseDefense", "{" + self._supporting("CloseSupport", "==0") + "}"
            die += "-CloseAttack+CloseDefense"
        yield "DieShift", "{" + (f"Math.max(-{most},Math.min({most},{die}))" if most else die) + "}"
        yield "Column", "{" + self._column() + "}"
        yield "Odds", "{" + self.heading + "}"
        yield "Why", "{" + self._why() + "}"

    @staticmethod
    def _crossing(name: str) -> str:
        return f'(\\"$Beyond{name}$\\").contains(\\",\\"+LocationName+\\",\\")'

    def _strengths(self) -> Iterator[tuple[str, str]]:
        """Attack and defense: guns add up to what they support, and some attackers count half."""
        for number, half in enumerate(self.plate.halved):
            yield f"Half{number}", f"{{{self._halved(number, half)}}}"
        yield "Printed", "{" + self._total("Attack", MINE) + "}"
        attack, defense = "Printed", 'SumLocation("Defense")'
        if self.plate.support is not None:
            yield "Guns", "{" + self._supporting("Support", ">0") + "}"
            yield "DefenseGuns", "{" + self._supporting("Support", "==0") + "}"
            yield "DefensePrinted", "{TargetBattle==Battle?" + defense + ":0}"
            attack += "+Math.min(Printed,Guns)"
            defense = "DefensePrinted+Math.min(DefensePrinted,DefenseGuns)"
        halves = "".join(f"-(Half{number}+1)/2" for number in range(len(self.plate.halved)))
        yield "AttackSum", f"{{{attack}{halves}}}"
        yield "DefenseSum", f"{{TargetBattle==Battle?{defense}:0}}"

    def _total(self, name: str, condition: str) -> str:
        return f'Sum("{name}","{{{condition}}}","{self.map_name}")'

    def _halved(self, number: int, half: Halving) -> str:
        """The printed attack of those that count half."""
        who = MINE
        if half.across:
            who += f" && {self._crossing(self._sides[half.across])}"
        if half.trait is not None:
            types = [t.id for t in self.game.unit_types if half.trait in t.traits]
            who += " && (" + " || ".join(f'UnitType==\\"{name}\\"' for name in types) + ")"
        total = self._total("Attack", who)
        return f'Halving{number}.contains(","+Place+",")?{total}:0' if half.places else total

    def _supporting(self, name: str, attacking: str) -> str:
        """What supporting units bring whose side attacks, or does not, in the battle in hand."""
        terms = []
        for side in self.game.sides:
            theirs = self._bare_count(f'{MINE} && Side==\\"{side.id}\\"')
            guns = self._total(
                name, f'BattleNumber==Battle && BattleRole==\\"support\\" && Side==\\"{side.id}\\"'
            )
            terms.append(f"({theirs}{attacking}?{guns}:0)")
        return "+".join(terms)

    def _count(self, condition: str) -> str:
        return f'{{Count("{{{condition}}}","{self.map_name}")}}'

    def _condition(self, number: int, effect: PlateEffect) -> str:
        return " && ".join(self._conditions(number, effect)) or "true"

    def _conditions(self, number: int, effect: PlateEffect) -> Iterator[str]:
        if f"Hexes{number}" in self._places:
            yield f'Hexes{number}.contains(","+Place+",")'
        if effect.turns:
            yield "(" + " || ".join(f"TurnNumber=={turn}" for turn in effect.turns) + ")"
        if effect.across:
            over = f"Over{self._sides[effect.across]}"
            yield f"Attackers>0 && {over}==Attackers"
        if effect.some_across:
            yield f"Over{self._sides[effect.some_across]}>0"
        if effect.none_across:
            yield f"Over{self._sides[effect.none_across]}==0"
        if effect.attacker is not None:
            theirs = self._bare_count(f'{MINE} && Side==\\"{effect.attacker}\\"')
            yield f"{theirs}>0"
        if effect.overrun is not None:
            overruns = self._bare_count('BattleNumber==Battle && BattleRole==\\"overrun\\"')
            yield f"{overruns}{'>' if effect.overrun else '=='}0"
        if effect.marker is not None:
            lies = f'MarkerId==\\"{effect.marker}\\" && LocationName==\\"$Place$\\"'
            lies += f" && Face_Level=={effect.face}" if effect.face is not None else ""
            yield f"{self._bare_count(lies)}>0"
        if effect.near is not None:
            yield f"{self._bare_count(self._is_near(effect))}>0"
        if effect.supported is not None:
            lends = 'BattleNumber==Battle && BattleRole==\\"support\\"'
            yield f"{self._bare_count(f'({self._of_trait(effect.supported)}) && {lends}')}>0"

    def _bare_count(self, condition: str) -> str:
        return self._count(condition)[1:-1]

    def _is_near(self, effect: PlateEffect) -> str:
        """Units within a number of hexes, by their pixels; a hex counts from its middle."""
        named = self._of_trait(effect.near)
        side = f' && Side==\\"{effect.attacker}\\"' if effect.attacker else ""
        return f"({named}){side} && {self._distance()}<{effect.within}.5"

    def _of_trait(self, trait: str | None) -> str:
        types = [t.id for t in self.game.unit_types if trait in t.traits]
        return " || ".join(f'UnitType==\\"{name}\\"' for name in types) or "false"

    def _distance(self) -> str:
        layout = self.boards[0].own_layout if self.boards else None
        if layout is None:
            return "0.0"
        east = f"Math.abs(CurrentX-$CurrentX$)/{layout.across_px}"
        south = f"Math.abs(CurrentY-($CurrentY$+{self.plate_up_px}))/{layout.down_px}"
        along, athwart = (east, south) if self.boards[0].flat else (south, east)
        return f"({along}+Math.max(0.0,{athwart}-{along}/2))"

    def _sum(self, what: str) -> str:
        terms = [
            f"(Applies{number}==1?({getattr(effect, what)}):0)"
            for number, effect in enumerate(self.plate.effects)
            if getattr(effect, what)
        ]
        return "+".join(terms) or "0"

    def _defense(self) -> str:
        plus = f"Math.min(DefenseSum,{self._sum('plus')})"
        times = "*".join(
            f"(Applies{number}==1?{effect.times}:1)"
            for number, effect in enumerate(self.plate.effects)
            if effect.times != 1
        )
        return f"(DefenseSum+{plus})*{times}" if times else f"DefenseSum+{plus}"

    def _why(self) -> str:
        terms = [
            f'(Applies{number}==1?", {effect.text}{_signed(effect)}":"")'
            for number, effect in enumerate(self.plate.effects)
        ]
        if self.plate.close_support is not None:
            terms += [
                '(CloseAttack>0?", aircraft -"+CloseAttack:"")',
                '(CloseDefense>0?", aircraft +"+CloseDefense:"")',
            ]
        terms += [f'(Half{number}>0?", {half.text} 1/2":"")' for number, half in enumerate(self.plate.halved)]
        return "+".join(terms) or '""'

    # --- column and result ------------------------------------------------------------------------

    def _column(self) -> str:
        """The number of the column, from 1, before it is held to the table; 0 where there are no odds."""
        rows = self._odds_rows()
        if not rows:
            return "0"
        start = ladder(rows[0]) if self.plate.round_down else self._found_in(rows)
        return f"Counted<1?0:({start})+Shift"

    def _odds_rows(self) -> list[Sequence[str]]:
        if self._odds_table is not None:
            return [row.cells for row in self._odds_table.rows]
        return [columns] if (columns := odds.headings(self.results)) else []

    def _found_in(self, rows: Sequence[Sequence[str]]) -> str:
        """The last column whose odds are not above attack to defense, in the row of the ground."""
        text = last_not_above(rows[0])
        for number, row in enumerate(rows[1:], 1):
            text = f'Row{number}.contains(","+Place+",")?({last_not_above(row)}):({text})'
        return text

    @property
    def heading(self) -> str:
        """The column by its name; odds beyond the table are told as its first or last column."""
        if self.results is None:
            return '""'
        text, named = '""', "" if odds.headings(self.results) else "column "
        for number, name in enumerate(self.results.columns, 1):
            test = f"{self._held}=={number}"
            text = f'({test}?"{named}{name}":{text})'
        return f'(Column==0?"-":{text})' if self._odds_rows() else '""'

    @property
    def _cells(self) -> list[str]:
        return self.results.cells if self.results is not None else []

    @property
    def _width(self) -> int:
        """How many letters each cell takes in the list of all."""
        return max(len(cell) for cell in self._cells) + 1

    @property
    def _held(self) -> str:
        most = len(self.results.columns) if self.results is not None else 1
        return f"Math.max(1,Math.min({most},Column))"

    def result(self, die: str) -> str:
        """The cell of the results table for a die, given as an expression; nothing without odds."""
        table = self.results
        if table is None or not self._odds_rows() or not _numbered(table):
            return '""'
        low, high = int(table.rows[0].id), int(table.rows[-1].id)
        row = f"Math.max({low},Math.min({high},{die}+DieShift))-({low})"
        at = f"(({row})*{len(table.columns)}+{self._held}-1)*{self._width}"
        cell = f"Cells.substring({at},{at}+{self._width}).trim()"
        if self.plate.above is not None:
            cell = f'(Column>{len(table.columns)}?"{self.plate.above}":{cell})'
        if self.plate.below is not None:
            cell = f'(Column<1?"{self.plate.below}":{cell})'
        return f'(TargetBattle==Battle && Counted>0?{cell}:"")'


def _numbered(table: Table) -> bool:
    ids = [row.id for row in table.rows]
    return all(id_.lstrip("-").isdigit() for id_ in ids) and [int(i) for i in ids] == list(
        range(int(ids[0]), int(ids[0]) + len(ids))
    )


def last_not_above(columns: Sequence[str]) -> str:
    text = "1"
    for number, label in list(enumerate(columns, 1))[1:]:
        left, right = label.split(":")
        text = f"(AttackSum*{right}>=Counted*{left}?{number}:{text})"
    return text


def _signed(effect: PlateEffect) -> str:
    if effect.die:
        return f" {effect.die:+d}"
    if effect.columns:
        return f" {abs(effect.columns)}{'R' if effect.columns > 0 else 'L'}"
    return ""


def ladder(columns: Sequence[str]) -> str:
    """The place of whole odds, in favor of the defender, counted on beyond the columns."""
    even = columns.index("1:1") + 1 if "1:1" in columns else 1
    weaker = f"(AttackSum<1?0:{even + 1}-(Counted+AttackSum-1)/AttackSum)"
    return f"(AttackSum>=Counted?{even - 1}+AttackSum/Counted:{weaker})"
