"""The list of a game's rules: `games/<id>/rules.yaml`, or `rules.yaml` in the folder of one's own."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from fieldpost import data
from fieldpost.definition import compiled
from fieldpost.definition.annotations import Ident
from fieldpost.definition.converters import read_as
from fieldpost.definition.places import is_path, own_games, shown
from fieldpost.definition.problems import DefinitionError, nearest
from fieldpost.definition.reader import Reader
from fieldpost.definition.references import unique
from fieldpost.definition.tree import read_source
from fieldpost.errors import FieldpostError

_NUMBER = re.compile(r"(?:[^-]*-)?(\d+(?:\.\d+)*)[a-z]?")  # the paragraph in an id: wfm-4.26b stands in 4.26
RuleId = Annotated[str, Ident(r"[a-z0-9][A-Za-z0-9.-]*", "an id such as wfm-4.26b")]


@dataclass(frozen=True)
class RuleEntry:
    """A rule in our own words. What is enforced is known from the referee's code, not from here."""

    CALLED = "rule"

    id: RuleId
    title: str
    source: tuple[str, ...] = ()  # where it stands in the rulebook; left out, it is the id's own number
    status: Literal["judgement", "not-checkable"] | None = None
    reason: str | None = None
    rests_on: tuple[str, ...] = ()  # data of ours that may be reconstructed
    kind: str | None = None  # this and the next: in lists written before 0.2.0; nothing reads them
    phase: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.source and (number := _NUMBER.fullmatch(self.id)):
            object.__setattr__(self, "source", (number[1],))


@dataclass(frozen=True)
class RulesFile:
    rules: tuple[RuleEntry, ...]


def rules_path(game: str | Path) -> Path:
    if isinstance(game, str) and not is_path(game):
        boxed = data.path("games", game) / "rules.yaml"
        if os.path.isfile(boxed) or not os.path.isdir(game):
            return own_games().get(game, boxed.parent) / "rules.yaml"
    return Path(game) / "rules.yaml"


def rule_lists() -> list[str]:
    """The games in the box whose rules are listed."""
    return sorted(path.parent.name for path in data.path("games").glob("*/rules.yaml"))


def load_rules(game: str | Path) -> tuple[RuleEntry, ...]:
    """Every rule of a game, in the order of its list."""
    if isinstance(game, str) and (made := compiled.load(game)) is not None:
        return made.rules
    from fieldpost.definition.yamltree import parse

    path = rules_path(game)
    if not os.path.isfile(path):
        near = nearest(str(game), rule_lists())
        hint = f"Did you mean {near}? " if near else ""
        raise FieldpostError(
            f"there is no list of rules for {str(game)!r}",
            f"{hint}There is one for {', '.join(rule_lists())}.",
        )
    reader = Reader()
    source = read_source(path, shown(path))
    node = parse(source)
    file = None if node is None else read_as(RulesFile, reader, source, node)
    if file is not None:
        check_rules(reader, file)
    if source.problems or file is None:
        raise DefinitionError(source.problems)
    return file.rules


def check_rules(reader: Reader, file: RulesFile) -> None:
    unique(reader, file.rules, lambda r: r.id, "the rule")
    for rule in file.rules:
        if rule.status and not rule.reason:
            reader.fault(rule, ("status",), f"{rule.status}: why?", "reason: in a sentence")
