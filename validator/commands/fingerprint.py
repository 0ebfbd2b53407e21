"""`fieldpost fingerprint`: a game's scenarios in numbers, to compare another program with."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from fieldpost.commands import options
from fieldpost.commands.options import example
from fieldpost.definition import load
from fieldpost.errors import FieldpostError
from validator.commands.output import add_json, answer
from validator.queries import answers, fingerprint
from validator.services import rulebooks

Sides = Mapping[str, Mapping[str, Any]]


def configure(parser: argparse.ArgumentParser) -> None:
    example(parser, "fingerprint wfm", "fingerprint ftm --scenario barbarossa --json")
    parser.add_argument("game", help="a game in the box, or the folder of a game of your own")
    parser.add_argument("--scenario", help="only this scenario")
    options.add_overlays(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    game = load(arguments.game, options.overlays(arguments))
    answers.of(game)
    rules = rulebooks.of(game)
    if rules is None:
        raise FieldpostError(f"{game.title} has no rules yet", "'fieldpost games' lists what is in the box.")
    if arguments.scenario is not None and arguments.scenario not in game.scenario:
        raise FieldpostError(f"no scenario {arguments.scenario!r}", f"There are: {', '.join(game.scenario)}")
    chosen = [arguments.scenario] if arguments.scenario else list(game.scenario)
    found = {
        id_: fingerprint.data(fingerprint.of_scenario(game, game.scenario[id_], rules)) for id_ in chosen
    }
    answer(
        arguments,
        lambda: {"game": game.id, "version": game.version, "scenarios": found},
        lambda: f"{text(game.id, found)}\n",
        ascii_=False,
    )
    return 0


def text(game: str, found: Mapping[str, Any]) -> str:
    return "\n".join(line for id_, sides in found.items() for line in _of_scenario(game, id_, sides))


def _of_scenario(game: str, scenario: str, sides: Sides) -> list[str]:
    lines = [f"{game} {scenario}{'' if sides else ': sets no unit up'}"]
    for side, of in sides.items():
        lines.append(f"  {side}: {of['units']} units")
        lines += [f"    {what}: {_numbers(of[what])}" for what in ("reach", "supply", "attacks") if of[what]]
    return lines


def _numbers(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{what} {number}" for what, number in counted.items())
