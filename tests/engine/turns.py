"""Turns as people play them: clean, in a hurry, with faults: `python -m tests.engine.turns FOLDER [NAME...]`.

The logs in tests/data/table/ were written so, in the engine of the kit (those in 3.8/ in a newer one);
tests/validator/test_played_turns.py holds what is found in them. Dice and decks are loaded, or nobody could
play on after a roll.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from builder.module import keys
from builder.module.package import build
from fieldpost.definition import load
from fieldpost.vassal.module import Module
from tests.engine import engine
from tests.engine.playing import Script, play

COMBAT, ATTRITION = 0, 2  # dice of wfm, by their keys


def wfm_clean(script: Script) -> None:
    """Chits, a battle, its losses: all by key."""
    script.dice(4)
    script.hotkey(keys.NEXT_PHASE, 3)
    script.press("65A,21A", keys.DRAW)
    script.press("65A,21A", keys.ATTACK)
    script.press("11AK", keys.TARGET)
    script.roll(COMBAT)
    script.press("11AK", keys.LOSE_STEP)


def wfm_sloppy(script: Script) -> None:
    """The second battle is declared without a word, the third rolled for before its target."""
    wfm_clean(script)
    script.dice(4, 5)
    script.press("57A", keys.DRAW)
    script.press("57A", keys.ATTACK)
    script.press("Ru6AK", keys.TARGET)
    script.roll(COMBAT)
    script.press("Ru6AK", keys.ELIMINATE)
    script.press("1GdA", keys.DRAW)
    script.press("1GdA", keys.ATTACK)
    script.roll(COMBAT)
    script.press("Ru5AK", keys.TARGET)
    script.press("Ru5AK,1GdA", keys.ELIMINATE)
    script.hotkey(keys.NEXT_PHASE)
    script.drag("66A", "E4508")


def wfm_faulty(script: Script) -> None:
    """A die taken back, the wrong button, a second counter, a march too far, an enemy counter deleted."""
    script.dice(6, 2, 5)
    script.hotkey(keys.NEXT_PHASE, 3)
    script.press("65A", keys.DRAW)
    script.press("65A", keys.ATTACK)
    script.press("11AK", keys.TARGET)
    script.roll(COMBAT)
    script.undo()
    script.roll(ATTRITION)
    script.press("8AK", keys.DELETE)
    script.hotkey(keys.NEXT_PHASE)
    script.drag("28A", "E4805")
    script.take("65A", "E4809")


def lwe_clean(script: Script) -> None:
    """The first assault of Army Group Centre."""
    script.dice(6)
    script.hotkey(keys.NEXT_PHASE, 7)
    script.press("3Pz", keys.ATTACK)
    script.press("FZ-1420", keys.TARGET)
    script.roll(COMBAT)
    script.press("FZ-1420", keys.ELIMINATE)


def lwe_sloppy(script: Script) -> None:
    """The die before the target, and the next assault without a word."""
    script.dice(6, 6)
    script.hotkey(keys.NEXT_PHASE, 7)
    script.press("3Pz", keys.ATTACK)
    script.roll(COMBAT)
    script.press("FZ-1420", keys.TARGET)
    script.press("FZ-1420", keys.ELIMINATE)


def lwe_faulty(script: Script) -> None:
    """A die taken back and a second counter."""
    script.dice(2, 6)
    script.hotkey(keys.NEXT_PHASE, 7)
    script.press("3Pz", keys.ATTACK)
    script.press("FZ-1420", keys.TARGET)
    script.roll(COMBAT)
    script.undo()
    script.roll(COMBAT)
    script.take("3Pz", "1421")


def ftm_clean(script: Script) -> None:
    """A march, an overrun, a chit, an attack with aircraft, its retreat and advance, exploitation."""
    script.dice(4, 4)
    script.hotkey(keys.NEXT_PHASE)
    script.drag("46PzK", "0511")
    script.drag("SB-4", "0310")
    script.hotkey(keys.NEXT_PHASE)
    script.press("8A", keys.DRAW)
    script.press("1AK,26AK", keys.ATTACK)
    script.press("8A", keys.TARGET)
    script.choose("AB-1", keys.SUPPORT.text)
    script.press("AU-1", keys.FLIP)
    script.roll(COMBAT)
    script.drag("8A", "0806")
    script.drag("1AK", "0706")
    script.hotkey(keys.NEXT_PHASE)
    script.drag("38AK", "0707")


def ftm_faulty(script: Script) -> None:
    """From zone to zone, too far, aircraft from afar, no chit, a base that exploits, a second counter."""
    script.dice(6, 5)
    script.hotkey(keys.NEXT_PHASE)
    script.drag("54AK", "0422")
    script.drag("17AK", "1014")
    script.hotkey(keys.NEXT_PHASE)
    script.press("11AK,30AK", keys.ATTACK)
    script.press("18A", keys.TARGET)
    script.choose("AB-1", keys.SUPPORT.text)
    script.roll(COMBAT)
    script.hotkey(keys.NEXT_PHASE)
    script.drag("AB-2", "0411")
    script.hotkey(keys.NEXT_PHASE)
    script.take("1AK", "0705")


TURNS: dict[str, tuple[str, str, str, Callable[[Script], None]]] = {
    "wfm-clean": ("wfm", "turning-point", "Turning Point", wfm_clean),
    "wfm-sloppy": ("wfm", "turning-point", "Turning Point", wfm_sloppy),
    "wfm-faulty": ("wfm", "turning-point", "Turning Point", wfm_faulty),
    "ftm-clean": ("ftm", "barbarossa", "Whole map", ftm_clean),
    "ftm-faulty": ("ftm", "barbarossa", "Whole map", ftm_faulty),
    "lwe-clean": ("lwe", "army-group-centre", "Army Group Centre", lwe_clean),
    "lwe-sloppy": ("lwe", "army-group-centre", "Army Group Centre", lwe_sloppy),
    "lwe-faulty": ("lwe", "army-group-centre", "Army Group Centre", lwe_faulty),
}


def main(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or TURNS:
        id_, scenario, board, act = TURNS[name]
        game = load(id_)
        module = build(game, folder / "modules").path
        script = Script(Module.read(module), board)
        act(script)
        played = play(engine, module, script, folder / f"{name}.vlog", game, game.scenario[scenario], True)
        print(name, played.report["problems"])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
