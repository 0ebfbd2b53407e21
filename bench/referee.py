"""A turn checked from the command line, and actions judged a second beside python-chess and its plies.

The log is that of a random game with about 300 actions. python-chess (extra `bench`) validates the plies
of random games: each is looked for among the legal moves, then made.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from bench import Result, best_of
from players.faults import new_referee
from players.game import Played, play
from players.logs import LogWriter, plain_board
from players.table import game_of

LIMIT_SECONDS = 0.5
PLIES = 300


def run() -> list[Result]:
    played = play("wfm", "turning-point", 0)
    actions = played.referee.actions
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "game.vlog"
        _write(played, log)
        pycache = str(Path(folder) / "pycache")  # modules are compiled once, as where they are installed
        start = min(_cpu_seconds(pycache, "-c", "pass") for _ in range(5))
        check = min(_cpu_seconds(pycache, "-m", "fieldpost", "check", str(log)) for _ in range(6))
    judged = best_of(3, lambda: new_referee(played).feed(played.events))
    chess = _chess()
    return [
        Result("the interpreter starts", start),
        Result(
            f"a log of {actions} actions checked, over that",
            check - start,
            limit_seconds=LIMIT_SECONDS * max(actions, 300) / 300,
        ),
        Result("an action judged", judged / actions, None, note=f"{actions / judged:,.0f} a second"),
        *chess,
    ]


def _write(played: Played, path: Path) -> None:
    game = game_of()
    scenario = game.scenario[played.scenario]
    writer = LogWriter(plain_board(game, scenario), game, scenario)
    writer.write(played.events)
    path.write_bytes(writer.cut())


def _cpu_seconds(pycache: str, *arguments: str) -> float:
    """What a run of the interpreter costs in processor time: other work on the machine does not count."""
    settings = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *arguments]
    subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, env={**settings, "PYTHONPYCACHEPREFIX": pycache}
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def _chess() -> list[Result]:
    try:
        import chess
    except ImportError:
        return [Result("python-chess", 0.0, note="not installed: make bench installs it")]
    random, board, moves = Random(1), chess.Board(), []
    while len(moves) < PLIES and not board.is_game_over():
        moves.append(random.choice(list(board.legal_moves)))
        board.push(moves[-1])

    def validate() -> None:
        fresh = chess.Board()
        for move in moves:
            assert fresh.is_legal(move)
            fresh.push(move)

    seconds = best_of(3, validate)
    rate = len(moves) / seconds
    return [
        Result(
            "python-chess: a ply validated",
            seconds / len(moves),
            "an action judged",
            note=f"{rate:,.0f} a second",
        )
    ]
