"""Acts as sentences. Nothing is said that the log does not show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from fieldpost.definition.model import Game
from fieldpost.hexes import Hex
from fieldpost.phrases import count, grouped, joined, listed, phrase, sentence
from validator.model.events import Spot
from validator.report.describe import Namer
from validator.tell import acts
from validator.tell.acts import ELIMINATED, REDUCED, Act, Fight, March, PhaseTale
from validator.tell.names import Names
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
        self._sides: dict[str | None, str] = {c.id: game.unit_type[c.type].side for c in game.counters}
        self._assault = phrase("a {}", game.called.get("overrun")) or "an overrun"

    def phase(self, tale: PhaseTale) -> list[Told]:
        """Its sentences: what was said and marked, who came, who moved, who fought, who changed or left."""
        told: list[Told] = []
        mine = [act for act in tale.acts if self._wanted(act)]
        for chapter in _CHAPTERS:
            acts_ = [act for act in mine if type(act) is chapter.kind and chapter.holds(act, tale)]
            told += [Told(chapter.kind.KIND, sentence(text)) for text in chapter.tell(self, acts_)]
        return told

    def _wanted(self, act: Act) -> bool:
        """What no side did is everybody's."""
        return self.side is None or not {self.side, None}.isdisjoint(self._sides_of(act))

    def _sides_of(self, act: Act) -> set[str | None]:
        match act:
            case Fight():
                return {act.side, *map(self._sides.get, act.defenders)}
            case acts.Dice():
                return {self._sides.get(act.about)}
        return {getattr(act, "side", None)}

    # --- who and where ---

    def who(self, deeds: Iterable[Any]) -> str:
        """The units of acts that are alike."""
        return self.names.of(_units(deeds))

    def at(self, spot: Spot) -> str:
        """Where something happened."""
        return self._place(spot, "in {}", self.gazetteer.at)

    def to(self, spot: Spot) -> str:
        return self._place(spot, "to {}", self.gazetteer.to)

    def region(self, spot: Spot) -> str:
        """The town a move is told by; a hex alone where there is none."""
        return self._place(spot, "{}", lambda hex_, label: self.gazetteer.town(hex_) or f"hex {label}")

    def label(self, spot: Spot) -> str:
        return self._place(spot, "{}", lambda hex_, label: label)

    def _place(self, spot: Spot, boxed: str, on_map: Callable[[Hex, str], str]) -> str:
        """Of a box the form with its name, of a hex what is made of it and its number."""
        if isinstance(spot, str):
            return boxed.format(self.box(spot))
        return on_map(spot, self.namer.hex(spot))

    def box(self, id_: str) -> str:
        return f"“{self._boxes.get(id_, id_)}”"

    # --- moves ---

    def moves(self, marches: Sequence[March]) -> Iterator[str]:
        """By where they went; within that by where they came from."""
        moved = (march for march in marches if march.start != march.end)
        groups = grouped(moved, lambda march: (march.mode or "march", self.region(march.end)))
        for (mode, goal), group in groups.items():
            yield self._towards(VERBS.get(mode, f"moved ({mode})"), goal, group)

    def _towards(self, verb: str, goal: str, group: Sequence[March]) -> str:
        """By where they came from, or by where they came to, whichever is shorter."""
        by_start = grouped(group, lambda march: self.region(march.start))
        by_end = grouped(group, lambda march: march.end)
        if len(by_end) < len(by_start):
            parts = [f"{self._from(alike, goal)} {verb} {self.to(end)}" for end, alike in by_end.items()]
        else:
            parts = [
                f"{self.who(alike)} {verb}{_origin(start, goal)} {self._goal(alike, start, goal)}"
                for start, alike in by_start.items()
            ]
        return "; ".join(parts)

    def _from(self, alike: Sequence[March], goal: str) -> str:
        """The units, each with where it came from; those from near by first."""
        groups = grouped(alike, lambda march: self.region(march.start))
        near_first = sorted(groups.items(), key=lambda group: group[0] != goal)
        return listed([f"{self.who(ours)}{_origin(start, goal)}" for start, ours in near_first])

    def _goal(self, alike: Sequence[March], start: str, goal: str) -> str:
        spots = list(dict.fromkeys(march.end for march in alike))
        if len(spots) == 1:
            return self.to(spots[0])
        return f"{'around' if start == goal else 'towards'} {goal} ({listed([*map(self.label, spots)])})"

    # --- battles ---

    def fights(self, fights: Sequence[Fight]) -> Iterator[str]:
        for fight in fights:
            told = self._rounds(fight) if fight.rounds else [self._outcome(fight)]
            yield " ".join([sentence(self._clash(fight)), *told])

    def _clash(self, fight: Fight) -> str:
        attackers = self._with_strength(fight, fight.attackers) or "units unknown"
        defenders = self._with_strength(fight, fight.defenders) or "nobody"
        verb, how = "attacked", phrase(" in {}", fight.overrun and self._assault)
        if fight.overrun and fight.won and "overrun" not in self.game.called:
            verb, how = "overran", ""
        places = listed([self.at(hex_) for hex_ in fight.targets])
        support = phrase(", with {}", listed([_words(one) for one in fight.support]))
        return f"{attackers} {verb} {defenders} {places}{how}{support}{self._throw(fight)}"

    def _with_strength(self, fight: Fight, units: Sequence[str]) -> str:
        return self.names.each(units, [fight.strengths.get(unit, "") for unit in units])

    def _throw(self, fight: Fight) -> str:
        die = "die {}" if len(fight.dice) == 1 else "dice {}"
        dice = phrase(die, listed([*map(str, fight.dice)]))
        return phrase(": {}", joined([phrase("odds {}", fight.column), dice, fight.result]))

    def _rounds(self, fight: Fight) -> Iterator[str]:
        """Round by round: who hit how often, and what came of it."""
        for number in range(fight.rounds + 1):
            round_ = fight.of_round(number)
            if number:
                yield sentence(f"Round {number}: {self._hits(fight, number)}")
            if round_.cost:
                yield self._outcome(round_)

    def _hits(self, fight: Fight, number: int) -> str:
        hits: Counter[str] = Counter()
        dice: Counter[str] = Counter()
        for volley in fight.volleys:
            if volley.round == number:
                hits[volley.side] += volley.hits
                dice[volley.side] += len(volley.values)
        said = [f"{self.namer.side(side)} {hits[side]} of {thrown}" for side, thrown in dice.items()]
        return phrase("hits by {} dice", listed(said)) or "no dice"

    def _outcome(self, fight: Fight) -> str:
        """A sentence for each unit, or several to which the same happened."""
        clauses = grouped((*self._losses(fight), *self._follow(fight)), lambda clause: clause[0])
        told = [
            sentence(f"{self.names.of(units)} {listed([said for _, said in alike])}")
            for units, alike in clauses.items()
        ]
        return " ".join(told) or "No losses, and nobody gave ground."

    def _losses(self, fight: Fight) -> Iterator[Clause]:
        for loss in fight.losses:
            if loss.into:
                yield (loss.unit,), f"was reduced to {self.names.of(loss.into)}"
        for steps, alike in grouped(fight.losses, lambda loss: loss.reduced).items():
            if steps:
                yield _units(alike), f"lost {_steps(steps, alike)}"
        gone = _units(loss for loss in fight.losses if loss.gone)
        if gone:
            yield gone, f"{_was(gone)} eliminated"

    def _follow(self, fight: Fight) -> Iterator[Clause]:
        for end, alike in grouped(fight.retreats, lambda march: march.end).items():
            yield _units(alike), f"fell back {self.to(end)}"
        for end, alike in grouped(fight.advances, lambda march: march.end).items():
            where = "into the hex" if (end,) == fight.targets else self.to(end)
            yield _units(alike), f"advanced {where}"

    # --- the rest ---

    def arrivals(self, arrivals: Sequence[acts.Arrival]) -> Iterator[str]:
        for spot, alike in grouped(arrivals, lambda act: act.spot).items():
            yield f"{self.who(alike)} arrived {self.at(spot)}"

    def transfers(self, transfers: Sequence[acts.Transfer]) -> Iterator[str]:
        for (start, end), alike in grouped(transfers, lambda act: (act.start, act.end)).items():
            yield f"from {self.label(start)} to {self.label(end)}: {self.who(alike)}"

    def departures(self, gone: Sequence[acts.Departure]) -> Iterator[str]:
        for box, alike in grouped(gone, lambda act: act.box).items():
            to = phrase(" to {}", box and self.box(box))
            yield f"{self.who(alike)} {_was(alike)} taken off the map{to}"

    def exchanges(self, exchanges: Sequence[acts.Exchange]) -> Iterator[str]:
        for act in exchanges:
            old, new = self.names.of(act.old), self.names.of(act.new)
            yield f"{old} became {new} {self.at(act.spot)}{phrase(' ({})', _words(act.why))}"

    def steps(self, steps: Sequence[acts.Steps]) -> Iterator[str]:
        for lost, alike in grouped(steps, lambda act: act.lost).items():
            verb = "lost" if lost > 0 else "got back"
            yield f"{self.who(alike)} {verb} {_steps(abs(lost), alike)}"

    def marks(self, marks: Sequence[acts.Mark]) -> Iterator[str]:
        """Markers taken up from a hex are not told: most lie for a phase only."""
        on_units = (act for act in marks if isinstance(act.on, str))
        groups = grouped(on_units, lambda act: (act.marker, act.face, act.off))
        for (marker, face, off), alike in groups.items():
            units = self.names.of(str(act.on) for act in alike)
            if not off:
                yield f"{self._face(marker, face)}: {units}"
            elif self.game.marker[marker].kind == SUPPLY:
                yield f"in supply again: {units}"
            else:
                yield f"no longer {self._face(marker, 0)}: {units}"
        for act in marks:
            if isinstance(act.on, Hex) and not act.off:
                yield f"{self._face(act.marker, 0)} was placed {self.at(act.on)}"

    def _face(self, id_: str, face: int) -> str:
        """A marker by its name; by half of it where the name tells of both faces: Out of / Lack of Supply."""
        marker = self.game.marker[id_]
        front, slash, back = marker.name.partition(" / ")
        if " / " in back or not slash or len(marker.faces) != 2:
            return marker.name
        _, _, shared = back.rpartition(" ")
        halves = {1: front if front.endswith(shared) else f"{front} {shared}", 2: back}
        return halves.get(face, marker.name)

    def weather(self, weather: Sequence[acts.Weather]) -> Iterator[str]:
        for act in weather:
            name = self._boxes.get(act.box, act.box)
            yield f"{self.game.marker[act.marker].name}: {name.rpartition(': ')[2]}"

    def dice(self, dice: Sequence[acts.Dice]) -> Iterator[str]:
        for reason, alike in grouped(dice, lambda act: act.reason).items():
            yield f"dice for {_words(reason) or 'no declared reason'}: {', '.join(map(self._roll, alike))}"

    def shots(self, shots: Sequence[acts.Shot]) -> Iterator[str]:
        for shot in shots:
            at = phrase(" at {}", self.names.of(shot.aimed))
            how = phrase(" ({})", _words(shot.manner))
            hits = count(shot.hits, "hit") if shot.hits else "no hits"
            yield f"{self.names.of(shot.units)} fired{at}{how}: {_sum(shot.values)}, {hits}"

    def _roll(self, act: acts.Dice) -> str:
        return _sum(act.values) + phrase(" for {}", act.about and self.names.of([act.about]))

    def words(self, words: Sequence[acts.Word]) -> Iterator[str]:
        booked = [act for act in words if act.books]
        if len(booked) > 1:  # an account is one sentence
            yield "booked: " + ", ".join(f"{_words(act.what)} {act.value}" for act in booked)
            words = [act for act in words if not act.books]
        for (what, value), alike in grouped(words, lambda act: (act.what, act.value)).items():
            units = self.names.of(unit for act in alike for unit in act.units)
            hexes = listed([self.at(hex_) for act in alike for hex_ in act.hexes])
            yield f"declared: {joined([_words(what) + phrase(' = {}', value), units, hexes])}"

    def remarks(self, remarks: Sequence[acts.Remark]) -> Iterator[str]:
        yield from (f"[{act.text}]" for act in remarks)


# --- in what order a phase is told -----------------------------------------------------------------


def _every(act: Any, tale: PhaseTale) -> bool:
    return True


def _homeward(march: March, tale: PhaseTale) -> bool:
    """Planes fly home when all is fought."""
    return march.mode == HOME


def _onward(march: March, tale: PhaseTale) -> bool:
    return not _homeward(march, tale)


def _by_itself(word: acts.Word, tale: PhaseTale) -> bool:
    """Not a declaration that an exchange tells of."""
    done = {(act.why, unit) for act in tale.acts if isinstance(act, acts.Exchange) for unit in act.old}
    return done.isdisjoint((word.what, unit) for unit in word.units)


class Chapter(NamedTuple):
    kind: type[Act]
    tell: Callable[[Teller, Any], Iterator[str]]
    holds: Callable[[Any, PhaseTale], bool] = _every


_CHAPTERS = (
    Chapter(acts.Remark, Teller.remarks),
    Chapter(acts.Word, Teller.words, _by_itself),
    Chapter(acts.Weather, Teller.weather),
    Chapter(acts.Mark, Teller.marks),
    Chapter(acts.Arrival, Teller.arrivals),
    Chapter(March, Teller.moves, _onward),
    Chapter(Fight, Teller.fights),
    Chapter(March, Teller.moves, _homeward),
    Chapter(acts.Exchange, Teller.exchanges),
    Chapter(acts.Shot, Teller.shots),
    Chapter(acts.Dice, Teller.dice),
    Chapter(acts.Steps, Teller.steps),
    Chapter(acts.Departure, Teller.departures),
    Chapter(acts.Transfer, Teller.transfers),
)


# --- pieces of sentences ---------------------------------------------------------------------------


def _origin(start: str, goal: str) -> str:
    return phrase(" from {}", start != goal and start)


def _units(deeds: Iterable[Any]) -> tuple[str, ...]:
    return tuple(deed.unit for deed in deeds)


def _was(items: Sequence[object]) -> str:
    return "was" if len(items) == 1 else "were"


def _steps(number: int, alike: Sequence[object]) -> str:
    """What one unit, or each of several, lost or got back."""
    steps = "a step" if number == 1 else f"{number} steps"
    return steps + phrase(" each", len(alike) > 1)


def _words(id_: str) -> str:
    return id_.replace("-", " ")


def _sum(values: Iterable[int]) -> str:
    return "+".join(map(str, values))


# --- sums ----------------------------------------------------------------------------------------


def losses(fights: Iterable[Fight]) -> dict[str, Counter[str]]:
    """By side: how many units battles eliminated or reduced."""
    by_side = grouped(chain.from_iterable(fight.losses for fight in fights), lambda loss: loss.side)
    return {side: Counter(filter(None, (loss.fate for loss in lost))) for side, lost in by_side.items()}


def losses_text(counts: Counter[str]) -> str:
    return listed([f"{counts[fate]} {fate}" for fate in (ELIMINATED, REDUCED) if counts[fate]])
