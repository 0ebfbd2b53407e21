"""Acts as sentences. Nothing is said that the log does not show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fieldpost.definition.model import Game
from fieldpost.hexes import Hex
from fieldpost.phrases import listed
from validator.model.events import Spot
from validator.report.describe import Namer
from validator.tell import acts
from validator.tell.acts import Act, Fight, March, PhaseTale
from validator.tell.names import Names, sentence
from validator.tell.places import Gazetteer

VERBS = {
    "": "moved",
    "march": "moved",
    "sea": "sailed",
    "rail": "went by rail",
    "strategic": "moved strategically",
    "non-combat": "moved behind the front",
    "exploitation": "exploited",
    "blitz": "dashed",
    "ground-support": "flew in support of an attack",
    "defensive-support": "flew in support of the defense",
    "escort": "flew as escort",
    "interception": "flew to intercept",
    "interdiction": "flew to interdict movement",
    "city-bombing": "flew to bomb the city",
    "complex-bombing": "flew to bomb the industry",
    "oil-bombing": "flew to bomb the oil fields",
    "drop": "flew with paratroops",
    "transport": "flew with troops",
    "fly-home": "flew home",
    "base-change": "changed base",
    "retreat": "fell back",
    "advance": "advanced",
}
HOME = "fly-home"
SUPPLY = "supply"  # the kind of markers that show who lacks it
Clause = tuple[tuple[str, ...], str]


@dataclass(frozen=True)
class Told:
    kind: str
    text: str


class Teller:
    def __init__(self, game: Game, namer: Namer, gazetteer: Gazetteer, side: str | None = None) -> None:
        self.game, self.namer, self.gazetteer, self.side = game, namer, gazetteer, side
        self.names = Names(game)
        self._boxes = game.off_map

    def phase(self, tale: PhaseTale) -> list[Told]:
        """Its sentences: what was said and marked, who came, who moved, who fought, who changed or left."""
        told: list[Told] = []
        homing: list[Any] = []  # planes that fly home when all is fought
        for kind, tell in _CHAPTERS.items():
            found: list[Any] = [act for act in tale.acts if type(act) is kind and self._wanted(act)]
            if kind is acts.Word:
                found = _not_done(found, tale)
            if kind is March:
                found, homing = _parted(found, lambda march: march.mode != HOME)
            told += [Told(kind.KIND, sentence(text)) for text in tell(self, found) if text]
            if kind is Fight:
                told += [Told(March.KIND, sentence(text)) for text in self.moves(homing)]
        return told

    def _wanted(self, act: Act) -> bool:
        if self.side is None:
            return True
        if isinstance(act, Fight):
            return self.side == act.side or any(self._of(unit) == self.side for unit in act.defenders)
        side = getattr(act, "side", None)
        if side is None and isinstance(act, acts.Dice):
            side = self._of(act.about) if act.about else None
        return side is None or side == self.side

    def _of(self, unit: str) -> str | None:
        counter = next((c for c in self.game.counters if c.id == unit), None)
        return self.game.unit_type[counter.type].side if counter else None

    # --- where ---

    def at(self, spot: Spot) -> str:
        """Where something happened."""
        if isinstance(spot, str):
            return f"in {self.box(spot)}"
        return self.gazetteer.at(spot, self.namer.hex(spot))

    def to(self, spot: Spot) -> str:
        if isinstance(spot, str):
            return f"to {self.box(spot)}"
        return self.gazetteer.to(spot, self.namer.hex(spot))

    def box(self, id_: str) -> str:
        return f"“{self._boxes.get(id_, id_)}”"

    def region(self, spot: Spot) -> str:
        """The town a move is told by; a hex alone where there is none."""
        if isinstance(spot, str):
            return self.box(spot)
        return self.gazetteer.town(spot) or f"hex {self.namer.hex(spot)}"

    def labels(self, spots: Iterable[Spot]) -> str:
        return listed(
            [self.namer.hex(s) if isinstance(s, Hex) else self.box(s) for s in dict.fromkeys(spots)]
        )

    # --- moves ---

    def moves(self, marches: Sequence[March]) -> Iterator[str]:
        """By where they went; within that by where they came from."""
        shown = [march for march in marches if march.start != march.end]
        groups: dict[tuple[str, str], list[March]] = {}
        for march in shown:
            groups.setdefault((march.mode or "march", self.region(march.end)), []).append(march)
        for (mode, goal), group in groups.items():
            yield self._towards(VERBS.get(mode, f"moved ({mode})"), goal, group)

    def _towards(self, verb: str, goal: str, group: Sequence[March]) -> str:
        """By where they came from, or by where they came to, whichever is shorter."""
        by_start = _grouped(group, lambda march: self.region(march.start))
        by_end = _grouped(group, lambda march: march.end)
        if len(by_end) < len(by_start):
            return "; ".join(f"{self._from(some, goal)} {verb} {self.to(end)}" for end, some in by_end)
        parts = []
        for start, some in by_start:
            units = self.names.of(march.unit for march in some)
            origin = f" from {start}" if start != goal else ""
            parts.append(f"{units} {verb}{origin} {self._goal(some, goal, near=start == goal)}")
        return "; ".join(parts)

    def _from(self, some: Sequence[March], goal: str) -> str:
        """The units, each with where it came from; those from near by first."""
        groups = _grouped(some, lambda march: self.region(march.start))
        groups.sort(key=lambda found: found[0] != goal)
        return listed(
            [
                self.names.of(march.unit for march in ours) + (f" from {start}" if start != goal else "")
                for start, ours in groups
            ]
        )

    def _goal(self, some: Sequence[March], goal: str, *, near: bool) -> str:
        spots = {march.end for march in some}
        if len(spots) == 1:
            return self.to(spots.pop())
        return f"{'around' if near else 'towards'} {goal} ({self.labels(march.end for march in some)})"

    # --- battles ---

    def fights(self, fights: Sequence[Fight]) -> Iterator[str]:
        for fight in fights:
            told = self._rounds(fight) if fight.rounds else [self._outcome(fight)]
            yield " ".join([sentence(self._clash(fight)), *told])

    def _clash(self, fight: Fight) -> str:
        attackers = self._with_strength(fight, fight.attackers) or "units unknown"
        defenders = self._with_strength(fight, fight.defenders) or "nobody"
        called = self.game.called.get("overrun")
        verb = "overran" if fight.overrun and fight.won and not called else "attacked"
        assault = f" in a {called}" if called else " in an overrun"
        how = assault if fight.overrun and verb == "attacked" else ""
        places = listed([self.at(hex_) for hex_ in fight.targets])
        support = (
            f", with {listed([word.replace('-', ' ') for word in fight.support])}" if fight.support else ""
        )
        return f"{attackers} {verb} {defenders} {places}{how}{support}{self._throw(fight)}"

    def _with_strength(self, fight: Fight, units: Sequence[str]) -> str:
        return self.names.each(units, [fight.strengths.get(unit, "") for unit in units])

    def _throw(self, fight: Fight) -> str:
        parts = [
            f"odds {fight.column}" if fight.column else "",
            f"{'die' if len(fight.dice) == 1 else 'dice'} {listed([str(die) for die in fight.dice])}"
            if fight.dice
            else "",
            fight.result,
        ]
        said = ", ".join(part for part in parts if part)
        return f": {said}" if said else ""

    def _rounds(self, fight: Fight) -> Iterator[str]:
        """Round by round: who hit how often, and what came of it."""
        for number in range(fight.rounds + 1):
            of_round = replace(
                fight,
                losses=[loss for loss in fight.losses if loss.round == number],
                retreats=[march for march in fight.retreats if march.round == number],
                advances=[march for march in fight.advances if march.round == number],
            )
            yield from self._hits(fight, number)
            if of_round.losses or of_round.retreats or of_round.advances:
                yield self._outcome(of_round)

    def _hits(self, fight: Fight, number: int) -> Iterator[str]:
        hits: dict[str, list[int]] = {}
        for volley in (volley for volley in fight.volleys if volley.round == number):
            known = hits.setdefault(volley.side, [0, 0])
            known[0] += volley.hits
            known[1] += len(volley.values)
        said = [f"{self._side_name(side)} {hit} of {dice}" for side, (hit, dice) in hits.items()]
        if number:
            yield sentence(f"Round {number}: " + (f"hits by {listed(said)} dice" if said else "no dice"))

    def _side_name(self, side: str) -> str:
        return next((known.name for known in self.game.sides if known.id == side), side)

    def _outcome(self, fight: Fight) -> str:
        """A sentence for each unit, or several to which the same happened."""
        clauses: dict[tuple[str, ...], list[str]] = {}
        for units, clause in (*self._losses(fight), *self._follow(fight)):
            clauses.setdefault(units, []).append(clause)
        told = (sentence(f"{self.names.of(units)} {listed(said)}") for units, said in clauses.items())
        return " ".join(told) or "No losses, and nobody gave ground."

    def _losses(self, fight: Fight) -> Iterator[Clause]:
        for loss in fight.losses:
            if loss.into:
                yield (loss.unit,), f"was reduced to {self.names.of(loss.into)}"
        for steps, some in _grouped(fight.losses, lambda loss: 0 if loss.gone or loss.into else loss.steps):
            if steps:
                yield _units(some), f"lost {_steps(steps, each=len(some) > 1)}"
        gone = _units([loss for loss in fight.losses if loss.gone])
        if gone:
            yield gone, "was eliminated" if len(gone) == 1 else "were eliminated"

    def _follow(self, fight: Fight) -> Iterator[Clause]:
        for end, some in _grouped(fight.retreats, lambda march: march.end):
            yield _units(some), f"fell back {self.to(end)}"
        for end, some in _grouped(fight.advances, lambda march: march.end):
            yield (
                _units(some),
                "advanced into the hex" if (end,) == fight.targets else f"advanced {self.to(end)}",
            )

    # --- the rest ---

    def arrivals(self, arrivals: Sequence[acts.Arrival]) -> Iterator[str]:
        for spot, some in _grouped(arrivals, lambda act: act.spot):
            yield f"{self.names.of(act.unit for act in some)} arrived {self.at(spot)}"

    def transfers(self, transfers: Sequence[acts.Transfer]) -> Iterator[str]:
        for (start, end), some in _grouped(transfers, lambda act: (act.start, act.end)):
            yield f"from {self.box(start)} to {self.box(end)}: {self.names.of(act.unit for act in some)}"

    def departures(self, gone: Sequence[acts.Departure]) -> Iterator[str]:
        for box, some in _grouped(gone, lambda act: act.box):
            units = self.names.of(act.unit for act in some)
            verb = "was" if len(some) == 1 else "were"
            yield f"{units} {verb} taken off the map{f' to {self.box(box)}' if box else ''}"

    def exchanges(self, exchanges: Sequence[acts.Exchange]) -> Iterator[str]:
        for act in exchanges:
            why = f" ({act.why.replace('-', ' ')})" if act.why else ""
            yield f"{self.names.of(act.old)} became {self.names.of(act.new)} {self.at(act.spot)}{why}"

    def steps(self, steps: Sequence[acts.Steps]) -> Iterator[str]:
        for lost, some in _grouped(steps, lambda act: act.lost):
            verb = "lost" if lost > 0 else "got back"
            yield f"{self.names.of(act.unit for act in some)} {verb} {_steps(abs(lost), each=len(some) > 1)}"

    def marks(self, marks: Sequence[acts.Mark]) -> Iterator[str]:
        """Markers taken up from a hex are not told: most lie for a phase only."""
        on_units = [act for act in marks if isinstance(act.on, str)]
        for (marker, face, off), some in _grouped(on_units, lambda act: (act.marker, act.face, act.off)):
            units = self.names.of(str(act.on) for act in some)
            if off and self.game.marker[marker].kind == SUPPLY:
                yield f"in supply again: {units}"
            else:
                yield f"{'no longer ' if off else ''}{self._face(marker, 0 if off else face)}: {units}"
        for act in marks:
            if isinstance(act.on, Hex) and not act.off:
                yield f"{self._face(act.marker, 0)} was placed {self.at(act.on)}"

    def _face(self, id_: str, face: int) -> str:
        """A marker by its name; by half of it where the name tells of both faces: Out of / Lack of Supply."""
        marker = self.game.marker[id_]
        faces = marker.name.split(" / ")
        if not face or len(faces) != len(marker.faces) or len(faces) != 2:
            return marker.name
        shared = faces[1].rpartition(" ")[2]
        name = faces[face - 1]
        return name if name.endswith(shared) else f"{name} of {shared}" if face == 2 else f"{name} {shared}"

    def weather(self, weather: Sequence[acts.Weather]) -> Iterator[str]:
        for act in weather:
            name = self._boxes.get(act.box, act.box)
            yield f"{self.game.marker[act.marker].name}: {name.rpartition(': ')[2]}"

    def dice(self, dice: Sequence[acts.Dice]) -> Iterator[str]:
        for reason, some in _grouped(dice, lambda act: act.reason):
            rolls = ", ".join(map(self._roll, some))
            yield f"dice for {reason.replace('-', ' ') or 'no declared reason'}: {rolls}"

    def shots(self, shots: Sequence[acts.Shot]) -> Iterator[str]:
        for shot in shots:
            at = f" at {self.names.of(shot.aimed)}" if shot.aimed else ""
            dice, hits = "+".join(map(str, shot.values)), shot.hits or "no"
            how = f" ({shot.manner.replace('-', ' ')})" if shot.manner else ""
            yield f"{self.names.of(shot.units)} fired{at}{how}: {dice}, {hits} hit{'' if hits == 1 else 's'}"

    def _roll(self, act: acts.Dice) -> str:
        whom = f" for {self.names.of([act.about])}" if act.about else ""
        return f"{'+'.join(map(str, act.values))}{whom}"

    def words(self, words: Sequence[acts.Word]) -> Iterator[str]:
        booked = [
            act for act in words if act.value.lstrip("+-").isdecimal() and not act.units and not act.hexes
        ]
        if len(booked) > 1:  # an account is one sentence
            yield "booked: " + ", ".join(f"{act.what.replace('-', ' ')} {act.value}" for act in booked)
            words = [act for act in words if act not in booked]
        for (what, value), some in _grouped(words, lambda act: (act.what, act.value)):
            units = self.names.of(unit for act in some for unit in act.units)
            hexes = listed([self.at(hex_) for act in some for hex_ in act.hexes])
            said = what.replace("-", " ") + (f" = {value}" if value else "")
            yield f"declared: {', '.join(part for part in (said, units, hexes) if part)}"

    def remarks(self, remarks: Sequence[acts.Remark]) -> Iterator[str]:
        yield from (f"[{act.text}]" for act in remarks)


_CHAPTERS: dict[type[Act], Callable[[Teller, Any], Iterator[str]]] = {
    acts.Remark: Teller.remarks,
    acts.Word: Teller.words,
    acts.Weather: Teller.weather,
    acts.Mark: Teller.marks,
    acts.Arrival: Teller.arrivals,
    acts.March: Teller.moves,
    acts.Fight: Teller.fights,
    acts.Exchange: Teller.exchanges,
    acts.Shot: Teller.shots,
    acts.Dice: Teller.dice,
    acts.Steps: Teller.steps,
    acts.Departure: Teller.departures,
    acts.Transfer: Teller.transfers,
}


def _parted(items: Iterable[Any], wanted: Callable[[Any], bool]) -> tuple[list[Any], list[Any]]:
    """Those that are wanted, and the others."""
    both = list(items)
    return [item for item in both if wanted(item)], [item for item in both if not wanted(item)]


def _grouped(items: Iterable[Any], key: Callable[[Any], Any]) -> list[tuple[Any, list[Any]]]:
    """In the order in which the first of each group came."""
    groups: dict[Any, list[Any]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.items())


def _not_done(words: Sequence[Any], tale: PhaseTale) -> list[Any]:
    """Declarations without those that an exchange tells of."""
    done = {(act.why, unit) for act in tale.acts if isinstance(act, acts.Exchange) for unit in act.old}
    return [word for word in words if not any((word.what, unit) in done for unit in word.units)]


def _units(items: Iterable[Any]) -> tuple[str, ...]:
    return tuple(item.unit for item in items)


def _steps(number: int, *, each: bool) -> str:
    return f"{'a step' if number == 1 else f'{number} steps'}{' each' if each else ''}"


# --- sums ----------------------------------------------------------------------------------------


def losses(fights: Iterable[Fight]) -> dict[str, Counter[str]]:
    """By side: how many units battles eliminated or reduced, and the steps they lost."""
    found: dict[str, Counter[str]] = {}
    for fight in fights:
        for loss in fight.losses:
            count = found.setdefault(loss.side, Counter())
            if loss.gone:
                count["eliminated"] += 1
            elif loss.into or loss.steps:
                count["reduced"] += 1
    return found


def losses_text(counts: Counter[str]) -> str:
    parts = [f"{counts[word]} {word}" for word in ("eliminated", "reduced") if counts[word]]
    return listed(parts)
