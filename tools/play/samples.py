"""The samples in the box: a game of Turning Point, and the same game with forty faults.

    python -m tools.play.samples examples/samples        # writes both, with the manifest of the faults

Each game is a turn sheet and the logs that the players mail each other, three a turn; a log ends with the
step to the next player's phase.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fieldpost.errors import FieldpostError
from tools.play.game import Played, play
from tools.play.logs import LogWriter, plain_board
from tools.play.mutations import Fault, accused, everywhere, kinds, new_referee
from tools.play.table import game_of
from validator import sheet
from validator.events import Event, PhaseBegan
from validator.interpret import interpret
from validator.referee import Referee

SEED, WANTED, PATIENCE, ROUNDS = 39, 40, 16, 4
MAILED = ("sov-combat", "ger-mech", "supply")  # phases whose beginning hands the game over


@dataclass(frozen=True)
class Mail:
    name: str
    events: tuple[Event, ...]


def mails(events: list[Event]) -> Iterator[Mail]:
    """A game cut where the other player goes on; that step is still in the log."""
    part: list[Event] = []
    number, side = 0, {"sov-combat": "axis", "ger-mech": "soviet", "supply": "axis-end"}
    turn = 0
    for event in events:
        part.append(event)
        if not isinstance(event, PhaseBegan):
            continue
        if len(part) > 1 and event.phase in MAILED:
            number += 1
            yield Mail(f"{number}-turn-{turn}-{side[event.phase]}", tuple(part))
            part = []
        turn = event.turn
    yield Mail(f"{number + 1}-turn-{turn}-axis-end", tuple(part))


def written(events: list[Event], board: object = None) -> Iterator[tuple[Mail, bytes]]:
    """The logs of a game; each begins with the position that the one before ended in."""
    game = game_of()
    scenario = game.scenario["turning-point"]
    writer = LogWriter(board or plain_board(game, scenario), game, scenario)  # type: ignore[arg-type]
    for mail in mails(events):
        writer.write(mail.events)
        yield mail, writer.cut()


# --- the faulty game ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Planted:
    fault: Fault
    rule: str
    message: str


def spoiled(played: Played, number: int = WANTED, seed: int = 1) -> tuple[list[Event], list[Planted]]:
    """The game with so many faults of different rules, none of which is the cause of a second accusation."""
    random = Random(seed)
    found: dict[str, list[Fault]] = {kind.name: [] for kind in kinds()}
    for fault in everywhere(played, random):
        found[fault.name].append(fault)
    for some in found.values():
        random.shuffle(some)
    planted: list[Planted] = []
    for turn in range(ROUNDS):
        for name in sorted(found, key=lambda name: len(found[name])):
            tries = found[name][turn * PATIENCE : (turn + 1) * PATIENCE]
            one = _first(played, planted, tries)
            if one is not None:
                planted.append(one)
                print(len(planted), one.rule, one.fault.name, file=sys.stderr)
            if len(planted) == number:
                return _events(played, [one.fault for one in planted]), planted
    return _events(played, [one.fault for one in planted]), planted


def _first(played: Played, planted: list[Planted], faults: list[Fault]) -> Planted | None:
    known = {one.rule for one in planted}
    tried = (_alone(played, planted, fault, known) for fault in faults if fault.rules - known)
    return next((one for one in tried if one is not None), None)


def _events(played: Played, faults: list[Fault]) -> list[Event]:
    events = list(played.events)
    for fault in sorted(faults, key=lambda fault: -fault.at):
        events[fault.at : fault.at + fault.removed] = fault.inserted
    return events


def _alone(played: Played, planted: list[Planted], fault: Fault, known: set[str]) -> Planted | None:
    """The fault, if with it there is one accusation more, of a new rule, in the sheet and as logs."""
    others = [one.fault for one in planted]
    if any(abs(other.at - fault.at) < 3 for other in others):
        return None
    events = _events(played, [*others, fault])
    said = _said(played, events)
    new = [one for one in said if one[0] not in known]
    if len(said) != len(planted) + 1 or len(new) != 1 or new[0][0] not in fault.rules:
        return None
    if sorted(_rules_said_of_logs(events)) != sorted(rule for rule, _ in said):
        return None
    return Planted(fault, *new[0])


def _said(played: Played, events: list[Event]) -> list[tuple[str, str]]:
    referee = new_referee(played)
    referee.feed(events)
    referee.close(game_over=True)
    return [(f.fault.rule, f.fault.message) for f in accused(referee.findings)]


def _rules_said_of_logs(events: list[Event]) -> list[str]:
    """Nothing, if no counters can do what a fault wants."""
    try:
        return [rule for rule, _ in said_of_logs(events)]
    except (StopIteration, LookupError, FieldpostError):
        return []


def said_of_logs(events: list[Event]) -> list[tuple[str, str]]:
    """What is said of the logs one after the other, each by itself."""
    from validator import registry

    game = game_of()
    scenario, rules = game.scenario["turning-point"], registry.load("wfm")
    assert rules is not None
    found = []
    writer = LogWriter(plain_board(game, scenario), game, scenario)
    for mail in mails(events):
        writer.write(mail.events)
        reading = interpret(writer.log(), game, scenario)
        referee = Referee(game, scenario, rules, {}, None, reading.start)
        referee.feed(reading.events)
        if mail.name.endswith("turn-24-axis-end"):
            referee.close(game_over=True)
        found += [(f.fault.rule, f.fault.message) for f in accused(referee.findings)]
        writer.cut()
    return found


# --- files ----------------------------------------------------------------------------------------------


def main(folder: Path) -> None:
    game = game_of()
    scenario = game.scenario["turning-point"]
    played = play(SEED)
    events, planted = spoiled(played)
    board = _real_board()
    for name, these in (("turning-point", played.events), ("turning-point-faulty", events)):
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "game.txt").write_text(sheet.write(game, scenario, these))
        for mail, data in written(these, board):
            (folder / name / f"{mail.name}.vlog").write_bytes(data)
    manifest = [_entry(one, events) for one in sorted(planted, key=lambda one: one.fault.at)]
    text = json.dumps(manifest, indent=1, ensure_ascii=False)
    (folder / "turning-point-faulty" / "faults.json").write_text(f"{text}\n")


def _entry(one: Planted, events: list[Event]) -> dict[str, object]:
    fault = one.fault
    return {
        "rule": one.rule,
        "fault": fault.name,
        "turn": fault.turn,
        "phase": fault.phase,
        "message": one.message,
    }


def _real_board() -> object:
    """The board of the module as it is built, so that its players can step through the logs."""
    from builder.module import drawnmaps
    from builder.module.package import HEX_PX
    from builder.module.pictures import default_cache

    game = game_of()
    want = next(want for want in drawnmaps.wanted(game) if want.name == "Turning Point")
    return drawnmaps.drawn(game, want, "classic", HEX_PX, default_cache())[0]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
