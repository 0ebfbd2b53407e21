"""Writes a module with pywargame, in a Python of its own: ORDER, a module with the PICTURES, TARGET."""

from __future__ import annotations

import json
import sys
import time
from zipfile import ZipFile

from pywargame.vassal.buildfile import BuildFile  # type: ignore[import-not-found]
from pywargame.vassal.moduledata import ModuleData  # type: ignore[import-not-found]
from pywargame.vassal.traits import BasicTrait, DeleteTrait, LayerTrait, MarkTrait, PrototypeTrait  # type: ignore[import-not-found]
from pywargame.vassal.vmod import VMod  # type: ignore[import-not-found]


def main(order_file: str, pictures_of: str, target: str) -> None:
    with open(order_file, encoding="utf-8") as file:
        order = json.load(file)
    with ZipFile(pictures_of) as module:
        pictures = {name: module.read(name) for name in module.namelist() if name.startswith("images/")}
    started = time.perf_counter()
    build = BuildFile()
    game = build.addGame(name=order["title"], version=order["version"], description=order["title"])
    game.addPrototypes().addPrototype(name="Unit", traits=[DeleteTrait(), BasicTrait()])
    tabs = game.addPieceWindow(name="Counters").addTabs(entryName="Counters")
    panel = tabs.addPanel(entryName="All")
    for piece in order["pieces"]:
        panel.addPieceSlot(entryName=piece["name"], traits=_traits(piece), gpid=game.nextPieceSlotId())
    board = game.addMap(mapName="Map").addBoardPicker()
    for name in pictures:
        if name.startswith("images/map-"):
            board.addBoard(name=name, image=name.removeprefix("images/"))
    data = ModuleData()
    inner = data.addData()
    inner.addVersion(version=order["version"])
    inner.addName(name=order["title"])
    with VMod(target, "w") as module:
        module.addFiles(**{"buildFile.xml": build.encode(), "moduledata": data.encode()})
        module.addFiles(**pictures)
    print(json.dumps({"seconds": time.perf_counter() - started}))


def _traits(piece: dict) -> list:  # type: ignore[type-arg]
    marks = [MarkTrait(name=name, value=value) for name, value in piece["facts"].items()]
    layers = [LayerTrait(images=piece["images"], name="Step")] if len(piece["images"]) > 1 else []
    return [
        PrototypeTrait(name="Unit"),
        *layers,
        *marks,
        BasicTrait(name=piece["name"], filename=piece["images"][0]),
    ]


if __name__ == "__main__":
    main(*sys.argv[1:])
