"""The smaller parts of a module: sides, turn trackers, dice, charts, set-ups, properties."""

from __future__ import annotations

from dataclasses import dataclass

from fieldpost.vassal import codec
from fieldpost.vassal.module_tree import Component


@dataclass(frozen=True)
class TurnLevel:
    """A level that counts (`values` empty) or runs through a list."""

    name: str
    property: str
    values: tuple[str, ...]
    start: int
    step: int
    loop_limit: int | None
    levels: tuple[TurnLevel, ...]
    format: str = "$value$"


@dataclass(frozen=True)
class TurnTracker:
    ident: str
    name: str
    format: str
    report: str
    levels: tuple[TurnLevel, ...]


def read_trackers(root: Component) -> tuple[TurnTracker, ...]:
    return tuple(
        TurnTracker(
            f"TurnTracker{number}",
            part.get("name"),
            part.get("turnFormat", "$level1$ $level2$ $level3$ $level4$"),
            part.get("reportFormat"),
            _levels(part),
        )
        for number, part in enumerate(root.all(".TurnTracker"))
    )


def _levels(component: Component) -> tuple[TurnLevel, ...]:
    return tuple(_level(part) for part in component.parts() if part.kind.endswith("TurnLevel"))


def _level(part: Component) -> TurnLevel:
    listed = part.kind.endswith("ListTurnLevel")
    return TurnLevel(
        name=part.get("name"),
        property=part.get("property"),
        values=tuple(codec.decode(part.get("list"), ",")) if listed and part.get("list") else (),
        start=part.integer("start", 1),
        step=part.integer("incr", 1),
        loop_limit=part.integer("loopLimit") if part.flag("loop") else None,
        levels=_levels(part),
        format=part.get("turnFormat") or "$value$",
    )


@dataclass(frozen=True)
class Dice:
    """A dice button; `kind` is its class. Text buttons and most symbol dice have no number of sides.

    `numbered` are symbol dice whose faces are the numbers from 1 on: they are as good as any dice.
    """

    kind: str
    name: str
    count: int
    sides: int
    report: str
    numbered: bool = False


def read_dice(root: Component) -> tuple[Dice, ...]:
    kinds = (".DiceButton", ".SpecialDiceButton", ".RandomTextButton", ".InternetDiceButton")
    return tuple(_dice(part) for part in root.all(*kinds))


def _dice(part: Component) -> Dice:
    kind, report = part.kind.rpartition(".")[2], part.get("reportFormat") or part.get("format")
    dice = [[face.get("text") for face in die.all(".SpecialDieFace")] for die in part.all(".SpecialDie")]
    if dice and all(faces == [str(number) for number in range(1, len(dice[0]) + 1)] for faces in dice):
        return Dice(kind, part.get("name"), len(dice), len(dice[0]), report, numbered=True)
    return Dice(kind, part.get("name"), part.integer("nDice", 2), part.integer("nSides", 6), report)


@dataclass(frozen=True)
class Chart:
    name: str
    file: str


def read_charts(root: Component) -> tuple[Chart, ...]:
    return tuple(
        Chart(part.get("chartName"), part.get("fileName")) for part in root.all(".Chart", ".HtmlChart")
    )


@dataclass(frozen=True)
class Setup:
    """A start of the module's menu; `file` is the save it loads, None for the stacks at start only."""

    name: str
    file: str | None


def read_setups(root: Component) -> tuple[Setup, ...]:
    return tuple(
        Setup(part.get("name"), (part.get("file") or None) if part.flag("useFile", True) else None)
        for part in root.all(".PredefinedSetup")
        if not part.flag("isMenu")
    )


@dataclass(frozen=True)
class GlobalProperty:
    """`container` is Module, a map's name, or for a property of a zone the zone's name."""

    name: str
    value: str
    container: str


def read_properties(root: Component, container: str = "Module") -> tuple[GlobalProperty, ...]:
    found: list[GlobalProperty] = []
    for part in root.children:
        if part.kind.endswith((".GlobalProperty", ".ZoneProperty")):
            found.append(GlobalProperty(part.get("name"), part.get("initialValue"), container))
        within = part.get("mapName") or (part.get("name") if part.kind.endswith(".Zone") else "")
        found += read_properties(part, within or container)
    return tuple(found)


def read_sides(root: Component) -> tuple[str, ...]:
    """The sides of the roster, observers not among them."""
    return tuple(
        entry.text
        for roster in root.all(".PlayerRoster")
        for entry in roster.children
        if entry.kind == "entry" and entry.text
    )
