"""VASSAL steps to game events.

Steps that were undone are no longer part of the game: they leave an `Undone` behind, as evidence.
Drags of the same units one after the other are one move, with way-points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import ClassVar

from fieldpost.definition.model import Game, Scenario
from fieldpost.definition.words import Vocabulary
from fieldpost.hexes import Hex, HexError
from fieldpost.vassal import changes as vassal
from fieldpost.vassal import chat, codec, turns
from fieldpost.vassal.changes import Change
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_parts import TurnTracker
from fieldpost.vassal.steps import Log, Step
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Piece, Place
from validator.interpret import concealed, pieces, protocol, words
from validator.interpret.battles import DECLARING, Battles
from validator.interpret.exchanges import Exchange, is_heir, losses_replaced
from validator.interpret.joining import dice_of, joined
from validator.interpret.markers import Markers
from validator.interpret.phases import with_phases
from validator.interpret.pieces import COUNTERS, DOUBLE, LYING, UNIT, Identities, Identity
from validator.interpret.setup import unlike_the_set_up
from validator.interpret.slips import without_slips
from validator.interpret.spots import Spots
from validator.interpret.undeclared import with_phases_undeclared
from validator.interpret.understood import Understood
from validator.interpret.volleys import volley_of
from validator.model import events as ev
from validator.model.events import Event, Origin, Spot
from validator.model.position import Position, held_at_start


def _declares(change: Change) -> bool:
    """Whether a change is a line that declares something of a battle, or throws its die."""
    line = protocol.parse(change.line) if isinstance(change, vassal.ChatLine) else None
    return line is not None and (line.verb in DECLARING or line.verb == "roll")


@dataclass
class Reading:
    """A log read: the position it begins with, and its events."""

    start: Position
    events: list[Event] = field(default_factory=list)
    concealed: Mapping[str, str] = field(default_factory=dict)
    """Units that are hidden from the other side at its end, with the side that hides them."""
    side: str | None = None
    """The side whose log it is, if one side alone moved."""
    understood: Understood | None = None
    """How much of it was read, where another hand built the module."""


def interpret(log: Log, game: Game, scenario: Scenario, module: Module | None = None) -> Reading:
    return Interpreter(log, game, scenario, module).read()


def _early(game: Game) -> frozenset[str]:
    return frozenset(reason for dice in game.dice for reason in dice.before_combat)


class Interpreter:
    """Reads one log, step by step."""

    def __init__(self, log: Log, game: Game, scenario: Scenario, module: Module | None = None) -> None:
        self.log, self.game, self.scenario = log, game, scenario
        self.table = Table.of(log)
        self.spots = Spots(game, scenario, self.table, module)
        self.identities = Identities(game, self.table.pieces.values())
        trackers = module.turn_trackers if module is not None else ()
        self.trackers = {tracker.ident: tracker for tracker in trackers}
        self.markers = Markers(game, self.table, self.spots, self.identities)
        self.words = Vocabulary(game)
        self.battles = Battles(where=self._where, reasons=self.words.rolls, early=_early(game))
        self.modes: dict[str, str] = {}
        self._supply_faces = words.supply_faces(game)
        self.understood = Understood(self.table.pieces.values(), self.spots, self.identities)
        self.unclear: tuple[str, ...] = ()  # how the board is other than the set-up, where it shows play
        self.position = self._initial()
        self.exchange = Exchange(self.words.exchanges.words)
        self._ways: set[tuple[Spot | None, Spot | None]] = set()  # of the units moved in this step
        self._origin = Origin()

    @property
    def shows_no_phases(self) -> bool:
        """Whether the trackers of another module show turns only, and the game has several phases."""
        shown = any(words for tracker in self.trackers.values() for words in turns.phases(tracker))
        return not self.spots.ruled and len(self.game.sequence) > 1 and not shown

    # --- the position a log begins with ---

    def _initial(self) -> Position:
        position = Position(self.game)
        position.turn, position.phase = self._opening()
        for tracker, state in self.table.turns.items():
            position.turn, position.phase = self._turn(tracker, state)
        start = self._opening()
        position.partial = (position.turn, position.phase) not in (start, (0, ""))
        for piece, unit in self.identities.units(self.table.pieces.values()):
            self._lay_out(position, piece, unit)
        self.markers.lay_out(position)
        if not position.partial:
            self.unclear = unlike_the_set_up(position, self.game, self.scenario)
            position.partial = bool(self.unclear)
        if not position.partial:
            position.control = held_at_start(self.game, self.scenario)
        return position

    def _lay_out(self, position: Position, piece: Piece, name: str) -> None:
        spot, unit = self.spots.of(piece.place), position.units[name]
        if spot is None:
            return
        if unit.spot is not None:  # the first is the unit, as in the log before
            self.identities.take_for(piece, DOUBLE)
            return
        position.put(name, spot)
        position.turn_over(name, pieces.step_of(piece))
        self._set_mode(name, piece.value("Mode"))
        status = piece.value("Supply")
        if status in self._supply_faces:
            marker, face = self._supply_faces[status]
            position.mark(name, marker, face)

    # --- steps ---

    def read(self) -> Reading:
        reading = Reading(self.position)
        movers = concealed.Movers(self.game, self.table)
        events: list[Event] = []
        for step in self.log.steps:
            self._origin = Origin(self.log.name, step.number)
            done = self.table.step(step)
            movers.watch(done)
            self.understood.count(done, lambda line: isinstance(chat.parse(line), chat.Dice))
            if step.is_undo:
                events += self._undone(step)
            elif step.undone_by is None:
                events += [
                    event.at(event.origin if event.origin.step else self._origin)
                    for event in self._read(done)
                ]
        events += [event.at(self._origin) for event in self._flush()]
        whole = joined(losses_replaced(events, self.game))
        whole = without_slips(whole, reading.start, self.game, self.scenario)
        if self.shows_no_phases:
            whole = list(with_phases(whole, reading.start, self.game, self.scenario))
        phase = reading.start.phase
        reading.events = [*with_phases_undeclared(phase, whole, self.game, self.scenario, self.words)]
        if self.unclear:
            reading.events.insert(0, ev.ClockUnknown(self.unclear, origin=Origin(self.log.name, 1)))
        reading.concealed = concealed.units(self.game, self.table, self.identities)
        reading.side = movers.side
        reading.understood = None if self.spots.ruled else self.understood
        return reading

    def _undone(self, step: Step) -> Iterator[Event]:
        if step.undoes:
            undone = self.log.steps[step.undoes - 1]
            lines = [chat.parse(c[4:]) for c in undone.commands if c.startswith("CHAT")]
            dice = [line.values for line in lines if isinstance(line, chat.Dice)]
            yield ev.Undone((step.undoes,), len(dice), tuple(chain(*dice)), origin=self._origin)

    def _read(self, done: list[Change]) -> Iterator[Event]:
        if self.exchange.why and not all(map(self._exchanging, done)):
            yield from self.exchange.close()
        yield from self.markers.weak_draws(done)
        if not any(map(_declares, done)):
            yield from self.battles.settle()
        moved = [change for change in done if isinstance(change, vassal.Moved)]
        moved.sort(key=self._attacker_leaves)  # one step is done at once: the defender's loss comes first
        yield from self._moves(moved)
        for change in done:
            match change:
                case vassal.Added(piece, place):
                    yield from self._added(piece, place)
                case vassal.Removed(piece, place):
                    yield from self._gone(piece, place)
                case vassal.StateChanged():
                    yield from self._changed(change)
                case vassal.TurnChanged(tracker, _, new):
                    yield from self._turned(tracker, new)
                case vassal.ChatLine(line):
                    yield from self._said(line)

    def _exchanging(self, change: Change) -> bool:
        """Whether a change can belong to a declared exchange: counters come, go and turn; nothing is said."""
        match change:
            case vassal.ChatLine(line):
                return protocol.parse(line) is None
            case vassal.Moved(piece, old, new):
                staying = isinstance(self.spots.of(old), Hex) and isinstance(self.spots.of(new), Hex)
                return self._is_counter(piece) and not staying
            case vassal.Added(piece, _) | vassal.Removed(piece, _) | vassal.StateChanged(piece):
                return self._is_counter(piece)
        return True

    def _attacker_leaves(self, change: vassal.Moved) -> bool:
        leaves = not isinstance(self.spots.of(change.new), Hex)
        return leaves and self.identities.unit(change.piece) in self.battles.fought.units

    def _is_counter(self, piece: Piece) -> bool:
        return self.identities.of(piece).kind in COUNTERS

    # --- moves ---

    def _moves(self, moved: list[vassal.Moved]) -> Iterator[Event]:
        together: dict[tuple[Spot, Spot], list[str]] = {}
        self._ways = {self._way(change) for change in moved if self._is_counter(change.piece)}
        for change in moved:
            identity, (old, new) = self.identities.of(change.piece), self._way(change)
            if identity.unit is None:
                yield from self._other_moved(change, identity, old, new)
            elif isinstance(old, Hex) and isinstance(new, Hex):
                together.setdefault((old, new), []).append(identity.unit)
            elif old != new:
                yield from self._transfer(identity.unit, change.piece, old, new)
        for path, units in together.items():
            if path[0] != path[1]:
                yield from self._move(units, path)

    def _way(self, change: vassal.Moved) -> tuple[Spot | None, Spot | None]:
        return self.spots.of(change.old), self.spots.of(change.new)

    def _other_moved(
        self, change: vassal.Moved, identity: Identity, old: Spot | None, new: Spot | None
    ) -> Iterator[Event]:
        """What is no unit was moved: a chit or a marker, if no unit took it along, or no part of the game."""
        if identity.kind == DOUBLE:
            yield ev.Unread("a second counter of a unit was moved")
        elif identity.kind in LYING:
            if change.old_deck or change.deck or old is None or (old, new) not in self._ways:
                yield from self.markers.moved(change, identity, old, new)
        elif old not in (None, new) and change.piece.value("Kind") not in pieces.UNRULED:
            yield ev.Unread("a piece that is none of the game's was moved")

    def _move(self, units: list[str], path: tuple[Spot, Spot]) -> Iterator[Event]:
        """Of a stack that is dragged whole some may retreat: the others do not move because of the battle."""
        if self._after(units[0], path) is None:
            fought = [unit for unit in units if self._after(unit, path) is not None]
            others = [unit for unit in units if unit not in fought]
            yield from (self._moved_so(part, path) for part in (fought, others) if part)
        else:
            yield self._moved_so(units, path)

    def _after(self, unit: str, path: tuple[Spot, Spot]) -> tuple[str, int] | None:
        return self.battles.follow_up(unit, path, self.modes.get(unit, ""))

    def _moved_so(self, units: list[str], path: tuple[Spot, Spot]) -> Event:
        after = self._after(units[0], path)
        if after is not None:
            mode, battle = after
            origin = replace(self._origin, inferred=True)
            return ev.Moved(tuple(units), path, mode, battle, True, origin=origin)
        return ev.Moved(tuple(units), path, self.modes.get(units[0], ""), dragged=True)

    def _transfer(self, unit: str, piece: Piece, old: Spot | None, new: Spot | None) -> Iterator[Event]:
        """Between map, boxes and nowhere."""
        if old is None and new is not None and self._has_double(piece, unit):
            self.identities.take_for(piece, DOUBLE)
            yield ev.Doubled(unit, new)
        elif isinstance(new, Hex):
            yield from self._placed(unit, piece, new)
        elif isinstance(old, Hex):
            yield from self._removed(unit, old, new)
        elif isinstance(old, str) and isinstance(new, str):
            yield ev.Moved((unit,), (old, new))
        elif new is not None:
            yield ev.Placed(unit, new, pieces.step_of(piece))

    def _placed(self, unit: str, piece: Piece, spot: Hex) -> Iterator[Event]:
        step = pieces.step_of(piece)
        if self.exchange.goes_on(spot):
            self.exchange.entered(unit, step, spot)
            return
        yield from self.exchange.close()
        self.battles.inherit(unit, [lost for lost in self.battles.lost if is_heir(self.game, unit, lost)])
        yield ev.Placed(unit, spot, step)

    def _removed(self, unit: str, old: Spot | None, box: str | None) -> Iterator[Event]:
        if self.exchange.goes_on(old):
            self.exchange.left(unit, old, box)
        else:
            yield from self.exchange.close()
            self.battles.left(unit)
            yield ev.Removed(unit, box, self.battles.loser(unit))

    def _added(self, piece: Piece, place: Place) -> Iterator[Event]:
        identity, spot = self.identities.of(piece), self.spots.of(place)
        if spot is None:
            return
        if identity.unit is not None:
            yield from self._transfer(identity.unit, piece, None, spot)
        elif identity.kind in LYING:
            yield from self.markers.laid(piece, identity, spot)

    def _has_double(self, piece: Piece, unit: str) -> bool:
        """Whether another counter of this unit lies on the map or in a box beside it."""
        others = [other for other in self._counters(unit) if other is not piece]
        return any(self.spots.of(other.place) is not None for other in others)

    def _counters(self, unit: str) -> Iterator[Piece]:
        """The pieces that are this unit; one, unless a second is being laid out."""
        return (piece for piece in self.table.pieces.values() if self.identities.unit(piece) == unit)

    def _gone(self, piece: Piece, place: Place) -> Iterator[Event]:
        identity, spot = self.identities.of(piece), self.spots.of(place)
        if identity.kind == DOUBLE:
            self.identities.take_for(piece, UNIT)
        elif identity.unit is not None and isinstance(spot, Hex):
            yield from self._removed(identity.unit, spot, None)
        elif identity.kind in LYING and isinstance(spot, Hex):
            yield from self.markers.taken_off(piece, identity, spot, None)

    # --- states ---

    def _changed(self, change: vassal.StateChanged) -> Iterator[Event]:
        identity = self.identities.of(change.piece)
        match change.trait.prefix, str(change.trait.values.get("name", "")), identity.kind:
            case "emb2;", "Step", pieces.UNIT:
                yield from self._step(identity.id, abs(int(change.old or 1)), abs(int(change.new or 1)))
            case "emb2;", "Face", pieces.CHIT | pieces.MARKER:
                yield from self.markers.laid(change.piece, identity, self.spots.of(change.piece.place))
            case "PROP;", "Mode", pieces.UNIT:
                yield from self._mode(identity.id, change.new)
            case "PROP;", "Supply", pieces.UNIT:
                yield from self._supply(identity.id, change.old, change.new)

    def _step(self, unit: str, old: int, new: int) -> Iterator[Event]:
        if not self.exchange.turned(unit, new):
            yield ev.StepChanged(unit, old, new, self.battles.loser(unit))

    def _set_mode(self, unit: str, named: str | None) -> bool:
        """Whether the way of moving that a counter shows is known."""
        mode = self.words.modes.find(named or "march")
        self.modes[unit] = "" if mode in ("march", None) else mode
        return mode is not None

    def _mode(self, unit: str, named: str) -> Iterator[Event]:
        if not self._set_mode(unit, named):
            yield ev.NotUnderstood(f"{unit}: way of moving {named!r}"[:200], self.words.modes.nearest(named))

    def _supply(self, unit: str, old: str, new: str) -> Iterator[Event]:
        if new in self._supply_faces:
            marker, face = self._supply_faces[new]
            yield ev.Marked(marker, unit, face)
        elif old in self._supply_faces:
            yield ev.Unmarked(self._supply_faces[old][0], unit)

    # --- turns and words ---

    def _turned(self, tracker: str, state: str) -> Iterator[Event]:
        yield from self._flush()
        self.battles.phase_ended()
        self.modes.clear()
        turn, phase = self._turn(tracker, state)
        yield ev.PhaseBegan(turn, phase)

    def _turn(self, tracker: str, state: str) -> tuple[int, str]:
        """Turn and phase of a tracker of ours: for each order a counter, phases below it."""
        if not self.spots.ruled and tracker in self.trackers:
            return self._shown(self.trackers[tracker], state)
        try:
            levels = codec.decode(state, "|")
            counter = codec.decode(levels[1 + int(levels[0])], ";")
            turn, index = int(counter[0]), int(codec.decode(counter[4], ";")[0])
            return turn, self.game.phases(turn, self.scenario)[index].id
        except (IndexError, ValueError):
            return self._opening()

    def _shown(self, tracker: TurnTracker, state: str) -> tuple[int, str]:
        """What a tracker of another module shows; what it does not show goes on as it began."""
        turn, phase = turns.now(tracker, state)
        first, opening = self._opening()
        played = {phase.id for phase in self.game.sequence}
        return first if turn is None else turn, phase if phase in played else opening

    def _opening(self) -> tuple[int, str]:
        return self.scenario.first_turn, self.game.phases(self.scenario.first_turn, self.scenario)[0].id

    def _said(self, text: str) -> Iterator[Event]:
        line = protocol.parse(text)
        if line is not None:
            yield from self._protocol(line)
            return
        typed = chat.parse(text)
        if isinstance(typed, chat.Said):
            yield from self._typed(typed)
        elif isinstance(typed, chat.Dice):
            yield from self._other_dice(dice_of(typed))

    def _other_dice(self, rolled: Event) -> Iterator[Event]:
        """Dice of another button go to the battle that waits for its own, unless units throw theirs."""
        battle = self.battles.first_waiting
        known = isinstance(rolled, ev.Rolled) and self.words.rolls.find(rolled.reason) is not None
        if isinstance(rolled, ev.Rolled) and battle is not None and not known and not self.game.words.manners:
            yield ev.Unread(f"step {self._origin.step}: a plain die, taken as that of battle {battle.number}")
            yield from self.battles.take(replace(rolled, origin=self._origin), battle)
        else:
            yield rolled

    def _typed(self, typed: chat.Said) -> Iterator[Event]:
        """Players may type what no counter can declare; dice are not believed when typed."""
        line = protocol.parse(typed.text)
        if line is None or line.verb == "roll":
            yield ev.Said(typed.text)
        elif line.verb in protocol.TYPED or line.verb not in protocol.VERBS or not self.spots.ruled:
            yield from self._protocol(line)
        else:
            yield ev.NotUnderstood(line.text)  # it is said by counters, and by them alone

    def _protocol(self, line: protocol.Line) -> Iterator[Event]:
        unknown = words.unknown(line, self.words, self.game)
        if unknown is not None:
            yield ev.NotUnderstood(line.text, unknown)
            return
        tell = self._TELLS.get(line.verb)
        if tell is not None:
            yield from tell(self, line)

    def _attack(self, line: protocol.Line) -> Iterable[Event]:
        self.battles.attack(line, self._origin)
        return ()

    def _support(self, line: protocol.Line) -> Iterable[Event]:
        self.battles.support(line, self._origin)
        return ()

    def _battle(self, line: protocol.Line) -> Iterator[Event]:
        yield from self.battles.declare()
        yield from self.exchange.close()

    def _roll(self, line: protocol.Line) -> Iterator[Event]:
        return self.battles.roll(line, self._origin)

    def _result(self, line: protocol.Line) -> Iterator[Event]:
        named = words.result_of(line, self.words) or line.first
        return self.battles.result(line, named, self._origin)

    def _reveal(self, line: protocol.Line) -> Iterator[Event]:
        yield ev.Declared("reveal", line.words[:1])

    def _round(self, line: protocol.Line) -> Iterator[Event]:
        """It opens with its battle, if that has not been told yet."""
        yield from self.battles.fight(line.battle)
        battle = line.battle or 0
        yield ev.RoundBegan(battle, int(line.words[0]), line.words[1:])

    def _fired(self, line: protocol.Line) -> Iterator[Event]:
        volley = volley_of(line, self.words)
        if volley is not None:
            yield from self.battles.fight(None if volley.manner else line.battle)
            yield ev.Fired(
                volley.units,
                volley.value,
                volley.values,
                volley.sides,
                manner=volley.manner,
                battle=line.battle,
            )

    def _target(self, line: protocol.Line) -> Iterator[Event]:
        hex_ = self._named_hex(line)
        if hex_ is None:
            yield ev.Unread("an attack names a hex that is not on the map")
            return
        units = self.identities.units(self.table.pieces.values())
        defenders = [unit for piece, unit in units if self.spots.of(piece.place) == hex_]
        self.battles.target(line, hex_, defenders, self._origin)

    def _named_hex(self, line: protocol.Line) -> Hex | None:
        """Where the named unit stands; its printed label, if it is not on the map."""
        spot = self._where(line.words[0])
        if isinstance(spot, Hex):
            return spot
        try:
            return self.game.map.lattice.hex(line.hex or "", self.scenario.sheet)
        except HexError:
            return None

    def _where(self, unit: str) -> Spot | None:
        piece = next(self._counters(unit), None)
        return self.spots.of(piece.place) if piece is not None else None

    def _declared(self, line: protocol.Line) -> Iterator[Event]:
        what = self.words.declarations.find(line.what) or line.what
        value = self.words.value(what, line.value)[0] or ""
        yield from self.exchange.close()
        self.exchange.open(what)
        units = tuple(word for word in line.words[1:2] if word in self.game.counter)
        if units or value or not self.exchange.why:
            yield ev.Declared(what, units, value=value)

    _TELLS: ClassVar[dict[str, Callable[[Interpreter, protocol.Line], Iterable[Event]]]] = {
        "attack": _attack, "overrun": _attack, "target": _target, "support": _support, "battle": _battle,
        "roll": _roll, "result": _result, "round": _round, "fire": _fired, "declare": _declared,
        "reveal": _reveal,
    }  # fmt: skip
    """What lines of each verb tell; modes and supply are told by the pieces."""

    def _flush(self) -> Iterator[Event]:
        """What waits for more and will get none."""
        yield from self.battles.settle()
        yield from self.battles.declare()
        yield from self.battles.without_die()
        yield from self.exchange.close()
        yield from self.markers.weak_draws([])
