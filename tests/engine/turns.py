"""Turns as people play them: clean, in a hurry, with faults: `python -m tests.engine.turns FOLDER [NAME...]`.

The logs in tests/data/table/ were written so, in the engine of the kit (those in 3.8/ in a newer one);
tests/validator/test_played_turns.py holds what is found in them. Dice and decks are loaded, or nobody could
play on after a roll.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from builder.module import keys, volleys
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


def wie_clean(script: Script) -> None:
    """Units bought and placed, a city bombed, two rounds of battle with hits and a retreat, redeployment."""
    script.dice(2)
    script.button("Weather 1d6")
    script.hotkey(keys.NEXT_PHASE)
    _book(script, "carried = 0", "income = 50")
    _buy(script, "MLI-10", "GI-49", "GI-50", "Pz-21")
    _book(script, "purchases = 22", "treasury = 28")
    script.hotkey(keys.NEXT_PHASE)
    script.drag("MLI-10,GI-49,GI-50,Pz-21", "0415")  # they lie in one stack now
    script.hotkey(keys.NEXT_PHASE)
    script.choose("GB-2", "City-bombing move")
    script.drag("GB-2", "1514")
    script.press("SArt-5", volleys.fire("anti-air"))
    script.button("City bombing 1d4")
    script.hotkey(keys.NEXT_PHASE)
    _first_round(script)
    script.drag("SLI-10", "1315")
    script.press("SI-7,SArt-3,GI-15,GM-5", keys.ELIMINATE)
    script.press("Guderian", volleys.ORDER)
    script.hotkey(volleys.NEXT_ROUND)
    for unit in ("GI-10", "Pz-5", "SAr-4"):
        script.press(unit, volleys.fire())
    script.press("SAr-4,GI-10", keys.ELIMINATE)
    script.drag("Pz-5", "1115")
    script.choose("GB-2", "Fly-home move")
    script.drag("GB-2", "1015")
    script.hotkey(keys.NEXT_PHASE, 2)
    script.choose("GI-16", "Non-combat move")
    script.drag("GI-16", "1116")
    script.choose("GI-11", "Strategic move")
    script.drag("GI-11", "1116")
    script.hotkey(keys.NEXT_PHASE)


def wie_faulty(script: Script) -> None:
    """Too many light infantry, a point too much, Krakow, a march too far, a round that nobody orders."""
    script.dice(2)
    script.button("Weather 1d6")
    script.hotkey(keys.NEXT_PHASE)
    _book(script, "carried = 0", "income = 50")
    _buy(script, "MLI-10", "GLI-18", "GLI-19", "GLI-20", "GLI-21")
    _book(script, "purchases = 15", "treasury = 36")
    script.hotkey(keys.NEXT_PHASE)
    script.drag("MLI-10,GLI-18,GLI-19,GLI-21", "0415")
    script.drag("GLI-20", "0817")
    script.hotkey(keys.NEXT_PHASE)
    script.drag("GI-9", "0714")
    script.hotkey(keys.NEXT_PHASE)
    _first_round(script)
    script.press("SI-7,SArt-3,SAr-4,GI-15,GM-5", keys.ELIMINATE)
    script.hotkey(volleys.NEXT_ROUND)
    script.press("GI-10", volleys.fire())
    script.hotkey(keys.NEXT_PHASE, 2)
    script.choose("GI-11", "Strategic move")
    script.drag("GI-11", "0414")
    script.take("GI-1", "1015")


def _buy(script: Script, *units: str) -> None:
    for unit in units:
        script.lay(unit, "Axis: bought this turn")


def _book(script: Script, *lines: str) -> None:
    """Typed: the button of a line asks for its number in a dialog, which no script can fill in."""
    for line in lines:
        script.say(f"[fp] declare {line}")


def _first_round(script: Script) -> None:
    """In 1116 against 1115, over a river: an infantry helped by the tanks, the defenders by the river."""
    script.button(keys.NEW_BATTLE.text)
    script.press("GI-10,GI-15,Pz-5,GM-5", keys.ATTACK)
    script.press("SLI-10,SI-7,SAr-4,SArt-3", keys.TARGET)
    script.hotkey(volleys.NEXT_ROUND)
    script.press("GI-10,SLI-10,SI-7,SAr-4,SArt-3", volleys.MORE)
    script.press("GI-10,GI-15,Pz-5,GM-5", volleys.fire())
    script.press("SLI-10,SI-7,SAr-4,SArt-3", volleys.fire())


TURNS: dict[str, tuple[str, str, str, Callable[[Script], None]]] = {
    "wfm-clean": ("wfm", "turning-point", "Turning Point", wfm_clean),
    "wfm-sloppy": ("wfm", "turning-point", "Turning Point", wfm_sloppy),
    "wfm-faulty": ("wfm", "turning-point", "Turning Point", wfm_faulty),
    "ftm-clean": ("ftm", "barbarossa", "Whole map", ftm_clean),
    "ftm-faulty": ("ftm", "barbarossa", "Whole map", ftm_faulty),
    "wie-clean": ("wie", "barbarossa", "Whole map", wie_clean),
    "wie-faulty": ("wie", "barbarossa", "Whole map", wie_faulty),
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
