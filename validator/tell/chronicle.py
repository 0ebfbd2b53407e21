"""Events become acts: moves joined by unit, battles with what came of them, towns that changed hands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from fieldpost.definition.model import Game, Phase
from fieldpost.hexes import Hex
from validator.model import events as ev
from validator.model.events import Event
from validator.model.position import Position
from validator.procedures.control import taken
from validator.tell import acts
from validator.tell.acts import Act, Fight, Loss, March, PhaseTale, Taken, Tale, TurnTale
from validator.tell.places import Gazetteer

CONTROL = "control"  # the kind of markers that show who holds a hex
WEATHER = "weather"
RETREAT, ADVANCE = "retreat", "advance"
POINTS, OUTCOME = "victory-points", "victory"
AIR, PARTISAN = "air", "partisan"  # a class of movement and a trait of units that hold no hex


Watch = Callable[["Chronicler"], None]


class Chronicler:
    """Reads a game log by log. It keeps the position, so that it knows who stood where."""

    def __init__(self, game: Game, gazetteer: Gazetteer, watch: Watch | None = None) -> None:
        """`watch` is called whenever a phase is over, before the next begins."""
        self.game = game
        self.watch = watch or (lambda chronicler: None)
        self.towns = gazetteer.towns
        self.phases = {phase.id: phase for phase in game.sequence}
        self._order = [counter.id for counter in game.counters]
        kinds = {deck.holds for deck in game.decks}
        self.chits = {
            marker.id: {number: face.text for number, face in enumerate(marker.faces, 1)}
            for marker in game.markers
            if marker.kind in kinds
        }
        self.tale = Tale([])
        self.position = Position(game)
        self.fight: Fight | None = None
        self.marches: dict[str, March] = {}
        self.held: dict[Hex, str] = {}

    def read(self, start: Position, events: Iterable[Event]) -> None:
        first = not self.position.turn
        if not first and (start.turn, start.phase) != (self.position.turn, self.position.phase):
            self.watch(self)
        self.position = start.copy()
        self.fight, self.marches = None, {}
        self._see_holders(first)
        for event in events:
            self._enter_towns(event)
            reader = _READERS.get(type(event))
            if reader is not None:
                reader(self, event)
            self.position.apply(event)

    def remark(self, text: str) -> None:
        if self.tale.turns:
            self._tell(acts.Remark(text))

    # --- where we are ---

    def _turn(self) -> TurnTale:
        number, turns = self.position.turn, self.tale.turns
        if not turns or turns[-1].number != number:
            turns.append(TurnTale.of(self.game, number))
        return turns[-1]

    def _phase(self) -> PhaseTale:
        phases, id_ = self._turn().phases, self.position.phase
        if not phases or phases[-1].phase != id_:
            phase = self.phases.get(id_, Phase(id_, id_, "both"))
            phases.append(PhaseTale(id_, phase.name, phase.active))
        return phases[-1]

    def _tell(self, *told: Act) -> None:
        self._phase().acts.extend(told)

    def _side(self, unit: str) -> str:
        return self.position.units[unit].side

    def _see_holders(self, first: bool) -> None:
        """Of towns, as a log shows them when it begins. Who stands in a town holds it.

        Whose the others are is known only when the war begins: behind the lines of a later scenario
        nobody may have stood there for long.
        """
        from_the_start = self.position.turn == self.game.turn_track.turns[0].number
        for hex_ in self.towns:
            known = self.position.control.get(hex_) or _marked_holder(self.position, hex_)
            occupants = {unit.side for unit in self.position.at(hex_)}
            if len(occupants) == 1:
                known = occupants.pop()
            if known is None and first and from_the_start:
                known = self.game.holder_at_start(hex_)
            if known is not None:
                self.held[hex_] = known

    def _enter_towns(self, event: Event) -> None:
        side, hexes = taken(self.position, event)
        units = [self.position.units[name] for name in event.concerned]
        if all(unit.type.mobility == AIR or unit.has(PARTISAN) for unit in units):
            return  # over a town, or in hiding there
        for hex_ in dict.fromkeys(hexes):
            self._take(hex_, side)

    def _take(self, hex_: Hex, side: str) -> None:
        """Told of a town that was the other's; of others nobody knows whose they were."""
        if hex_ in self.towns:
            before = self.held.get(hex_, side)
            self.held[hex_] = side
            if before != side:
                self._turn().taken.append(Taken(hex_, self.towns[hex_].name, side, before))

    # --- readers ---

    def begin(self, event: ev.PhaseBegan) -> None:
        if (event.turn, event.phase) != (self.position.turn, self.position.phase):
            self.watch(self)
            self.fight, self.marches = None, {}

    def move(self, event: ev.Moved) -> None:
        side = self._side(event.units[0])
        if event.mode in (RETREAT, ADVANCE):
            self._follow(event, side)
            return
        if isinstance(event.start, str) or isinstance(event.end, str):
            self._tell(*(self._by_box(unit, side, event) for unit in event.units))
            return
        self.fight = None
        for unit in event.units:
            march = self.marches.get(unit)
            if march is not None and (march.end, march.mode) == (event.start, event.mode):
                march.end = event.end
            else:
                march = self.marches[unit] = March(unit, side, event.start, event.end, event.mode)
                self._tell(march)

    def _by_box(self, unit: str, side: str, event: ev.Moved) -> acts.Act:
        """Out of a box onto the map a unit arrives, into one it leaves."""
        self.marches.pop(unit, None)
        if isinstance(event.end, Hex):
            return acts.Arrival(unit, side, event.end)
        if isinstance(event.start, Hex):
            return acts.Departure(unit, side, event.start, event.end)
        return acts.Transfer(unit, side, event.start, event.end)

    def _follow(self, event: ev.Moved, side: str) -> None:
        fight = self._fight_of(event.battle)
        now = fight.rounds if fight is not None else 0
        marches = [March(unit, side, event.start, event.end, event.mode, now) for unit in event.units]
        for unit in event.units:
            self.marches.pop(unit, None)
        if fight is None:
            self._tell(*marches)
        else:
            (fight.retreats if event.mode == RETREAT else fight.advances).extend(marches)

    def attack(self, event: ev.Attacked) -> None:
        defenders = sorted(
            (unit.id for hex_ in event.targets for unit in self.position.at(hex_)), key=self._order.index
        )
        attackers = [unit for unit in event.units if unit in self.position.units]
        side = self._side(attackers[0]) if attackers else ""
        self.fight = Fight(
            event.battle, side, tuple(attackers), event.targets,
            tuple(unit for unit in defenders if self._side(unit) != side),
            event.overrun, event.support, event.column or "",
        )  # fmt: skip
        for unit in (*self.fight.attackers, *self.fight.defenders):
            for mark, face in self.position.units[unit].marks.items():
                self._strength(unit, mark, face)
        self._tell(self.fight)

    def _strength(self, unit: str, marker: str, face: int = 1) -> None:
        texts = self.chits.get(marker)
        if self.fight is not None and texts is not None:
            self.fight.strengths.setdefault(unit, texts.get(face, ""))

    def draw(self, event: ev.Drawn) -> None:
        if self.fight is not None and event.unit is not None and self.fight.holds(event.unit):
            self._strength(event.unit, event.marker)

    def _fight_of(self, battle: int | None) -> Fight | None:
        """The fight of this number in this phase; the last one where no number is said."""
        if battle is None:
            return self.fight
        fights = [fight for fight in self._phase().fights if fight.number == battle]
        return fights[-1] if fights else self.fight

    def _named(self, battle: int | None) -> Fight | None:
        return None if battle is None else self._fight_of(battle)

    def _lost_in(self, unit: str, battle: int | None) -> Fight | None:
        """The fight that is named; where none is, that which the unit is in."""
        fight = self._fight_of(battle)
        return fight if fight is not None and (battle is not None or fight.holds(unit)) else None

    def _loss(self, fight: Fight, unit: str) -> Loss:
        for loss in fight.losses:
            if loss.unit == unit:
                return loss
        fight.losses.append(Loss(unit, self._side(unit), round=fight.rounds))
        return fight.losses[-1]

    def step(self, event: ev.StepChanged) -> None:
        fight = self._lost_in(event.unit, event.battle)
        if fight is not None and event.new > event.old:
            self._loss(fight, event.unit).steps += event.new - event.old
        else:
            self._tell(acts.Steps(event.unit, self._side(event.unit), event.new - event.old))

    def remove(self, event: ev.Removed) -> None:
        fight = self._lost_in(event.unit, event.battle)
        if fight is not None:
            self._loss(fight, event.unit).gone = True
            return
        unit = self.position.units[event.unit]
        if unit.on_map:
            self._tell(acts.Departure(unit.id, unit.side, unit.spot, event.box))

    def replace(self, event: ev.Replaced) -> None:
        new = tuple(name for name, _ in event.new)
        fight = self._lost_in(event.old[0], None) if event.old and not event.why else None
        if fight is not None:
            self._loss(fight, event.old[0]).into = new
        else:
            side = next(map(self._side, (*event.old, *new)), "")
            self._tell(acts.Exchange(event.old, new, side, event.spot, event.why))

    def place(self, event: ev.Placed) -> None:
        if isinstance(event.spot, Hex):
            self._tell(acts.Arrival(event.unit, self._side(event.unit), event.spot))

    def mark(self, event: ev.Marked) -> None:
        self._mark(event.marker, event.face, event.on, off=False)

    def unmark(self, event: ev.Unmarked) -> None:
        self._mark(event.marker, 1, event.on, off=True)

    def _mark(self, marker: str, face: int, on: str | Hex, *, off: bool) -> None:
        kind = self._kind(marker)
        if not kind or marker in self.chits:
            return
        side = self.game.marker[marker].side if kind == CONTROL or isinstance(on, Hex) else self._side(on)
        if kind != CONTROL:
            self._tell(acts.Mark(marker, face, on, side, off))
        elif isinstance(on, Hex) and side is not None and not off:
            self._take(on, side)  # it shows a town that changed hands

    def _kind(self, marker: str) -> str:
        """Empty for one that the game does not have."""
        return self.game.marker[marker].kind if marker in self.game.marker else ""

    def point(self, event: ev.Pointed) -> None:
        if self._kind(event.marker) == WEATHER:
            self._tell(acts.Weather(event.marker, event.box))

    def roll(self, event: ev.Rolled) -> None:
        fight = self._named(event.battle)
        if fight is not None:
            fight.dice.extend(event.values)
        else:
            self._tell(acts.Dice(event.reason, event.values, event.about))

    def round(self, event: ev.RoundBegan) -> None:
        fight = self._fight_of(event.battle)
        if fight is not None:
            fight.rounds = event.number

    def fire(self, event: ev.Fired) -> None:
        if not event.units:  # of a hex where none stands
            return
        fight = self._named(event.battle)
        if fight is None:
            self._tell(acts.Shot(event.manner, event.units, event.aimed, event.values, event.hits))
        else:
            side = self._side(event.units[0])
            fight.volleys.append(acts.Volley(fight.rounds, side, event.values, event.hits))

    def result(self, event: ev.ResultNamed) -> None:
        fight = self._fight_of(event.battle)
        if fight is not None:
            fight.result = event.result

    def declare(self, event: ev.Declared) -> None:
        turn = self._turn()
        if event.what == POINTS:
            turn.points = event.value
        elif event.what == OUTCOME:
            turn.outcome = event.value
        else:
            self._tell(acts.Word(event.what, event.value, event.units, event.hexes))


_READERS: dict[type[Event], Callable[[Chronicler, Any], None]] = {
    ev.PhaseBegan: Chronicler.begin,
    ev.Moved: Chronicler.move,
    ev.Attacked: Chronicler.attack,
    ev.Drawn: Chronicler.draw,
    ev.StepChanged: Chronicler.step,
    ev.Removed: Chronicler.remove,
    ev.Replaced: Chronicler.replace,
    ev.Placed: Chronicler.place,
    ev.Marked: Chronicler.mark,
    ev.Unmarked: Chronicler.unmark,
    ev.Pointed: Chronicler.point,
    ev.Rolled: Chronicler.roll,
    ev.RoundBegan: Chronicler.round,
    ev.Fired: Chronicler.fire,
    ev.ResultNamed: Chronicler.result,
    ev.Declared: Chronicler.declare,
}
Parts = Sequence[tuple[Position, Sequence[Event], str]]


def chronicle(game: Game, gazetteer: Gazetteer, parts: Parts, watch: Watch | None = None) -> Tale:
    """From logs in order: where each starts, what it holds, and what is to say before it."""
    chronicler = Chronicler(game, gazetteer, watch)
    for start, events, remark in parts:
        if remark:
            chronicler.remark(remark)
        chronicler.read(start, events)
    if parts:
        chronicler.watch(chronicler)
    return chronicler.tale


def _marked_holder(position: Position, hex_: Hex) -> str | None:
    kinds = (position.game.marker[name] for name in position.marks.get(hex_, {}))
    return next((marker.side for marker in kinds if marker.kind == CONTROL), None)
