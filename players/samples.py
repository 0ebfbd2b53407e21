"""The samples in the box: a game of Turning Point, and the same game with forty faults.

    python -m players.samples examples/samples        # writes both, with the manifest of the faults

Each game is a turn sheet and the logs that the players mail each other, three a turn; a log ends with the
step to the next player's phase.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from builder.module.boards import Board
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex
from players.faults import Fault, accused, new_referee, trials
from players.game import Played, play
from players.mail import said_of_logs, written
from players.table import game_of
from validator import sheet
from validator.model import position as positions
from validator.model.events import Event, Moved, Unmarked
from validator.model.findings import Finding

SEED, WANTED, EACH, PATIENCE, ROUNDS = 39, 40, 12, 6, 6
# --- the faulty game ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Planted:
    rule: str
    name: str


def spoiled(
    played: Played, number: int = WANTED, start: list[Event] | None = None, known: Sequence[Planted] = ()
) -> tuple[list[Event], list[Planted]]:
    """The game with so many faults of different rules, none of which is the cause of a second accusation."""
    events, planted = list(start or played.events), list(known)
    for seed in range(1, ROUNDS + 1):
        if len(planted) < number:
            events = _round(replace(played, events=events), planted, number, Random(seed))
    return events, planted


def _round(played: Played, planted: list[Planted], number: int, random: Random) -> list[Event]:
    """More faults, added to `planted`; the game with them."""
    before = Counter((f.fault.rule, f.fault.message) for f in said_of(played, played.events))
    chosen: list[Fault] = []
    by_rule: dict[str, list[Fault]] = {}
    for trial in trials(played, random, EACH):
        new = list((Counter(trial.said) - before).elements())
        if len(new) == 1 and new[0][0] in trial.fault.rules:
            by_rule.setdefault(new[0][0], []).append(trial.fault)
    for rule in sorted(by_rule.keys() - {one.rule for one in planted}, key=lambda rule: len(by_rule[rule])):
        for fault in by_rule[rule][:PATIENCE]:
            if len(planted) < number and _alone(played, planted, [*chosen, fault], rule):
                planted.append(Planted(rule, fault.name))
                chosen.append(fault)
                print(len(planted), rule, fault.name, file=sys.stderr, flush=True)
                break
    return _events(played, chosen)


def _events(played: Played, faults: list[Fault]) -> list[Event]:
    events = list(played.events)
    for fault in sorted(faults, key=lambda fault: -fault.at):
        events[fault.at : fault.at + fault.removed] = fault.inserted
    return list(_mended(events, played.scenario))


def _mended(events: list[Event], scenario: str) -> Iterator[Event]:
    """Moves begin where the counters are now, and fleets are taken off where they lie."""
    game = game_of()
    position = positions.start(game, game.scenario[scenario])
    for event in events:
        if isinstance(event, Moved) and len(event.units) == 1:
            here = position.units[event.units[0]].spot
            if here is not None and here not in (event.start, event.end):
                event = replace(event, path=(here, event.end))
        elif isinstance(event, Unmarked) and isinstance(event.on, Hex):
            lies = [hex_ for hex_, marks in position.marks.items() if event.marker in marks]
            event = replace(event, on=lies[0]) if lies else event
        position.apply(event)
        yield event


def _alone(played: Played, planted: list[Planted], faults: list[Fault], rule: str) -> bool:
    """Whether with the last of the faults there is one accusation more, of its rule, in sheet and logs."""
    *others, last = faults
    if any(other.at == last.at and (other.removed or last.removed) for other in others):
        return False
    events = _events(played, faults)
    rules = sorted(finding.fault.rule for finding in said_of(played, events))
    wanted = sorted([rule, *(one.rule for one in planted)])
    return rules == wanted and _rules_said_of_logs(events) == wanted


def said_of(played: Played, events: list[Event]) -> list[Finding]:
    """What is called illegal in a whole game."""
    referee = new_referee(played)
    referee.feed(events)
    referee.close()
    return accused(referee.findings)


def _rules_said_of_logs(events: list[Event]) -> list[str]:
    """Nothing, if no counters can do what a fault wants."""
    try:
        return sorted(rule for rule, _ in said_of_logs("wfm", "turning-point", events))
    except (StopIteration, LookupError, FieldpostError):
        return []


# --- files ----------------------------------------------------------------------------------------------


def main(folder: Path) -> None:
    game = game_of()
    scenario = game.scenario["turning-point"]
    played = play("wfm", "turning-point", SEED)
    events, planted = spoiled(played)
    board = _real_board()
    for name, these in (("turning-point", played.events), ("turning-point-faulty", events)):
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "game.txt").write_text(sheet.write(game, scenario, these))
        for mail, data in written("wfm", scenario.id, these, board):
            (folder / name / f"{mail.name}.vlog").write_bytes(data)
    text = json.dumps(manifest(played, events, planted), indent=1, ensure_ascii=False)
    (folder / "turning-point-faulty" / "faults.json").write_text(f"{text}\n")


def manifest(played: Played, events: list[Event], planted: list[Planted]) -> list[dict[str, object]]:
    """What was planted, in the order in which it is found."""
    names = {one.rule: one.name for one in planted}
    return [
        {
            "rule": finding.fault.rule,
            "fault": names[finding.fault.rule],
            "turn": finding.turn,
            "phase": finding.phase,
            "message": finding.fault.message,
        }
        for finding in said_of(played, events)
    ]


def _real_board() -> Board:
    """The board of the module as it is built, so that its players can step through the logs."""
    from builder.module import drawnmaps
    from builder.module.package import HEX_PX
    from builder.module.pictures import default_cache

    game = game_of()
    want = next(want for want in drawnmaps.wanted(game) if want.name == "Turning Point")
    return drawnmaps.drawn(game, want, "classic", HEX_PX, default_cache())[0]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
