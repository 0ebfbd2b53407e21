"""VASSAL steps to game events.

Steps that were undone are no longer part of the game: they leave an `Undone` behind, as evidence.
Drags of the same units one after the other are one move, with way-points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

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
from validator.interpret import pieces, protocol, understanding
from validator.interpret.battles import DECLARING, Battles
from validator.interpret.exchanges import Exchange, is_heir, losses_replaced
from validator.interpret.joining import dice_of, joined
from validator.interpret.markers import Markers
from validator.interpret.pieces import UNIT, Identities
from validator.interpret.spots import Spots
from validator.interpret.volleys import volley_of
from validator.model import events as ev
from validator.model.events import Event, Origin, Spot
from validator.model.position import Position


def _declares(change: Change) -> bool:
    """Whether a change is a line that declares something of a battle, or throws its die."""
    line = protocol.parse(change.line) if isinstance(change, vassal.ChatLine) else None
    return line is not None and (line.verb in DECLARING or line.verb == "roll")


@dataclass
class Reading:
    """A log read: the position it begins with, and its events."""

    start: Position
    events: list[Event] = field(default_factory=list)


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
        self.trackers = {one.ident: one for one in module.turn_trackers} if module else {}
        self.markers = Markers(game, self.table, self.spots, self.identities)
        self.words = Vocabulary(game)
        self.battles = Battles(where=self._where, reasons=self.words.rolls, early=_early(game))
        self.modes: dict[str, str] = {}
        self._doubles: set[str] = set()  # pieces that are a second counter of some unit
        self.position = self._initial()
        self.exchange = Exchange(self.words.exchanges.words)
        self._ways: set[tuple[Spot | None, Spot | None]] = set()  # of the units moved in this step
        self._origin = Origin()

    # --- the position a log begins with ---

    def _initial(self) -> Position:
        position = Position(self.game)
        for tracker, state in self.table.turns.items():
            position.turn, position.phase = self._turn(tracker, state)
        start = self._opening()
        position.partial = (position.turn, position.phase) not in (start, (0, ""))
        for piece in self.table.pieces.values():
            identity = self.identities.of(piece)
            spot = self.spots.of(piece.place)
            if identity is not None and identity.kind == UNIT and spot is not None:
                if (
                    position.units[identity.id].spot is not None
                ):  # the first is the unit, as in the log before
                    self._doubles.add(piece.id)
                    continue
                position.put(identity.id, spot)
                position.units[identity.id].step = pieces.step_of(piece)
                self._initial_status(position, identity.id, piece)
        self.markers.lay_out(position)
        return position

    def _initial_status(self, position: Position, unit: str, piece: Piece) -> None:
        mark = self._supply_mark(piece.value("Supply") or "")
        if mark is not None:
            position.units[unit].marks[mark[0]] = mark[1]

    # --- steps ---

    def read(self) -> Reading:
        reading = Reading(self.position)
        events: list[Event] = []
        for step in self.log.steps:
            self._origin = Origin(self.log.name, step.number)
            done = self.table.step(step)
            if step.is_undo:
                events += self._undone(step)
            elif step.undone_by is None:
                events += [
                    event.at(event.origin if event.origin.step else self._origin)
                    for event in self._read(done)
                ]
        events += [event.at(self._origin) for event in self._flush()]
        reading.events = list(joined(list(losses_replaced(events, self.game))))
        return reading

    def _undone(self, step: Step) -> Iterator[Event]:
        if step.undoes:
            undone = self.log.steps[step.undoes - 1]
            said = [chat.parse(c[4:]) for c in undone.commands if c.startswith("CHAT")]
            dice = [line for line in said if isinstance(line, chat.Dice)]
            values = tuple(value for line in dice for value in line.values)
            yield ev.Undone((step.undoes,), len(dice), values, origin=self._origin)

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
                return self._is_unit(piece) and not staying
            case vassal.Added(piece, _) | vassal.Removed(piece, _) | vassal.StateChanged(piece):
                return self._is_unit(piece)
        return True

    def _attacker_leaves(self, change: vassal.Moved) -> bool:
        fought = self.battles.fought
        leaves = not isinstance(self.spots.of(change.new), Hex)
        return leaves and fought is not None and self._names(change.piece) in fought.units

    def _is_unit(self, piece: Piece) -> bool:
        identity = self.identities.of(piece)
        return identity is not None and identity.kind == UNIT

    # --- moves ---

    def _moves(self, moved: list[vassal.Moved]) -> Iterator[Event]:
        together: dict[tuple[Spot, Spot], list[str]] = {}
        self._ways = {
            (self.spots.of(change.old), self.spots.of(change.new))
            for change in moved
            if self._is_unit(change.piece)
        }
        for change in moved:
            identity = self.identities.of(change.piece)
            old, new = self.spots.of(change.old), self.spots.of(change.new)
            if change.piece.id in self._doubles:
                yield ev.Unread("a second counter of a unit was moved")
            elif identity is None:
                if old not in (None, new) and change.piece.value("Kind") not in pieces.UNRULED:
                    yield ev.Unread("a piece that is none of the game's was moved")
            elif identity.kind == UNIT:
                if isinstance(old, Hex) and isinstance(new, Hex):
                    if old != new:
                        together.setdefault((old, new), []).append(identity.id)
                elif old != new:
                    yield from self._transfer(identity.id, change.piece, old, new)
            elif change.old_deck or change.deck or old is None or (old, new) not in self._ways:
                yield from self.markers.moved(change, identity, old, new)
        for path, units in together.items():
            yield self._move(tuple(units), path)

    def _move(self, units: tuple[str, ...], path: tuple[Spot, Spot]) -> Event:
        after = self.battles.follow_up(units[0], path)
        fought, said = self.battles.fought, self.modes.get(units[0], "")
        entered = fought is not None and path[-1] in fought.targets
        if after is not None and (entered or not (said and fought is not None and fought.in_rounds)):
            mode, battle = after
            return ev.Moved(units, path, mode, battle, True, origin=replace(self._origin, inferred=True))
        return ev.Moved(units, path, said, dragged=True)

    def _transfer(self, unit: str, piece: Piece, old: Spot | None, new: Spot | None) -> Iterator[Event]:
        """Between map, boxes and nowhere."""
        if old is None and new is not None and self._has_double(piece, unit):
            self._doubles.add(piece.id)
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
        if self.exchange.why and self.exchange.at(spot):
            self.exchange.entered(unit, step, spot)
            return
        yield from self.exchange.close()
        for lost in self.battles.lost:
            if is_heir(self.game, unit, lost):
                self.battles.inherit(unit, lost)
                break
        yield ev.Placed(unit, spot, step)

    def _removed(self, unit: str, old: Spot | None, box: Spot | None) -> Iterator[Event]:
        if self.exchange.why and self.exchange.at(old):
            self.exchange.left(unit, old, box if isinstance(box, str) else None)
        else:
            yield from self.exchange.close()
            self.battles.left(unit)
            yield ev.Removed(unit, box if isinstance(box, str) else None, self.battles.loser(unit))

    def _added(self, piece: Piece, place: Place) -> Iterator[Event]:
        identity, spot = self.identities.of(piece), self.spots.of(place)
        if identity is None or spot is None:
            return
        if identity.kind == UNIT:
            yield from self._transfer(identity.id, piece, None, spot)
        else:
            yield from self.markers.laid(piece, identity, spot)

    def _has_double(self, piece: Piece, unit: str) -> bool:
        """Whether another counter of this unit lies on the map or in a box beside it."""
        return any(
            other is not piece
            and other.id not in self._doubles
            and self._names(other) == unit
            and self.spots.of(other.place) is not None
            for other in self.table.pieces.values()
        )

    def _names(self, piece: Piece) -> str | None:
        identity = self.identities.of(piece)
        return identity.id if identity is not None and identity.kind == UNIT else None

    def _gone(self, piece: Piece, place: Place) -> Iterator[Event]:
        identity, spot = self.identities.of(piece), self.spots.of(place)
        if identity is None or not isinstance(spot, Hex) or piece.id in self._doubles:
            self._doubles.discard(piece.id)
            return
        if identity.kind == UNIT:
            yield from self._removed(identity.id, spot, None)
        else:
            yield from self.markers.taken_off(piece, identity, spot, None)

    # --- states ---

    def _changed(self, change: vassal.StateChanged) -> Iterator[Event]:
        identity = self.identities.of(change.piece)
        if identity is None or change.piece.id in self._doubles:
            return
        name = str(change.trait.values.get("name", ""))
        if change.trait.prefix == "emb2;" and name == "Step" and identity.kind == UNIT:
            old, new = abs(int(change.old or 1)), abs(int(change.new or 1))
            if self.exchange.turned(identity.id, new):
                return
            yield ev.StepChanged(identity.id, old, new, self.battles.loser(identity.id))
        elif change.trait.prefix == "emb2;" and name == "Face" and identity.kind != UNIT:
            yield from self.markers.laid(change.piece, identity, self.spots.of(change.piece.place))
        elif change.trait.prefix == "PROP;" and identity.kind == UNIT:
            yield from self._property(identity.id, name, change.old, change.new)

    def _property(self, unit: str, name: str, old: str, new: str) -> Iterator[Event]:
        if name == "Mode":
            mode = self.words.modes.find(new)
            self.modes[unit] = "" if mode in ("march", None) else mode
            if mode is None:
                yield ev.NotUnderstood(f"{unit}: way of moving {new!r}"[:200], self.words.modes.nearest(new))
        elif name == "Supply":
            before, now = self._supply_mark(old), self._supply_mark(new)
            if now is not None:
                yield ev.Marked(now[0], unit, now[1])
            elif before is not None:
                yield ev.Unmarked(before[0], unit)

    def _supply_mark(self, status: str) -> tuple[str, int] | None:
        """The marker and face that stand for a supply status."""
        for marker in self.game.markers:
            if marker.kind == "supply":
                for number, face in enumerate(marker.faces, 1):
                    words = f"{face.text} {face.small}".lower().split()
                    if "-".join(words) == status:
                        return marker.id, number
        return None

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
        known = {one.id for one in self.game.sequence}
        return first if turn is None else turn, phase if phase in known else opening

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
            yield dice_of(typed)

    def _typed(self, typed: chat.Said) -> Iterator[Event]:
        """Players may type what no counter can declare; dice are not believed when typed."""
        line = protocol.parse(typed.text)
        if line is None or line.verb == "roll":
            yield ev.Said(typed.text)
        elif line.verb in protocol.TYPED or line.verb not in protocol.VERBS:
            yield from self._protocol(line)
        else:
            yield ev.NotUnderstood(line.text)  # it is said by counters, and by them alone

    def _protocol(self, line: protocol.Line) -> Iterator[Event]:
        unknown = understanding.unknown(line, self.words, self.game)
        if unknown is not None:
            yield ev.NotUnderstood(line.text, unknown)
            return
        match line.verb:
            case "attack" | "overrun":
                self.battles.attack(line, self._origin)
            case "target":
                yield from self._target(line)
            case "support":
                self.battles.support(line, self._origin)
            case "battle":
                yield from self.battles.declare()
                yield from self.exchange.close()
            case "roll":
                yield from self.battles.roll(line, self._origin)
            case "result":
                yield from self.battles.result(line, self._result(line), self._origin)
            case "round":
                yield from self._round(line)
            case "fire":
                yield from self._fired(line)
            case "declare":
                yield from self._declared(line)
            case "reveal":
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

    def _result(self, line: protocol.Line) -> str:
        """`no effect` is two words; what follows a result of one word is nothing to us."""
        known = self.words.results
        return known.find(" ".join(line.words)) or known.find(line.words[0]) or line.words[0]

    def _target(self, line: protocol.Line) -> Iterator[Event]:
        hex_ = self._named_hex(line)
        if hex_ is None:
            yield ev.Unread("an attack names a hex that is not on the map")
            return
        defenders = [
            identity.id
            for piece in self.table.pieces.values()
            if (identity := self.identities.of(piece)) is not None
            and identity.kind == UNIT
            and self.spots.of(piece.place) == hex_
        ]
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
        for piece in self.table.pieces.values():
            identity = self.identities.of(piece)
            counts = piece.id not in self._doubles
            if counts and identity is not None and (identity.kind, identity.id) == (UNIT, unit):
                return self.spots.of(piece.place)
        return None

    def _declared(self, line: protocol.Line) -> Iterator[Event]:
        what = self.words.declarations.find(line.what) or line.what
        value = self.words.value(what, line.value)[0] or ""
        yield from self.exchange.close()
        self.exchange.open(what)
        units = tuple(word for word in line.words[1:2] if word in self.game.counter)
        if units or value or not self.exchange.why:
            yield ev.Declared(what, units, value=value)

    def _flush(self) -> Iterator[Event]:
        """What waits for more and will get none."""
        yield from self.battles.settle()
        yield from self.battles.declare()
        yield from self.battles.without_die()
        yield from self.exchange.close()
        yield from self.markers.weak_draws([])
