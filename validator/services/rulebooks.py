"""Which rulebook judges a game: its code in the box, its `rules:` block, its `rules.py`, or both of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, make_dataclass
from pathlib import Path
from typing import Any

from fieldpost.definition import compiled
from fieldpost.definition.model import Game
from fieldpost.definition.rulelist import RuleEntry, load_rules, rules_path
from validator.engine import ownrules, rulebook, slips
from validator.engine.case import Memory
from validator.engine.ownrules import OwnRulebook
from validator.engine.rulebook import Rulebook

TABLES = ("before_event", "after_event", "claims", "enforced", "passed")
LISTS = ("phase_start", "phase_end", "reducers_at_start", "reducers_at_end")
STATED = ("doubtful", "by_option", "judgement", "not_checkable")


def of(game: Game, own: Path | None = None) -> Rulebook | None:
    """None for a game whose rules nobody has written. `own`: its folder, whose `rules.py` may be run."""
    written = ownrules.load(own) if own is not None else None
    book = _book(game, written)
    if book is not None:
        slips.check(book, game)
    return book


def _book(game: Game, written: OwnRulebook | None) -> Rulebook | None:
    if game.rules is None:
        return written or rulebook.load(game.id)
    from validator import standard

    rules = standard.rulebook_of(game)
    if written is not None:
        rules = joined(rules, written)
    rules.put_reducers_in_order()
    return rules


def joined(rules: Rulebook, written: OwnRulebook) -> OwnRulebook:
    """The standard rules and those of a `rules.py`, side by side."""
    both = OwnRulebook(**{each.name: getattr(rules, each.name) for each in fields(rules)}, path=written.path)
    for name in ("in_game", "in_turn", "in_phase"):
        setattr(both, name, _memory(getattr(rules, name), getattr(written, name)))
    for name in TABLES:
        _add_hooks(getattr(both, name), getattr(written, name))
    for when, reducers in written.reducers.items():
        _add_hooks(both.reducers.setdefault(when, {}), reducers)
    for name in LISTS:
        getattr(both, name).extend(getattr(written, name))
    for name in STATED:
        getattr(both, name).update(getattr(written, name))
    return both


def _add_hooks(table: dict[Any, list[Any]], further: Mapping[Any, list[Any]]) -> None:
    for key, hooks in further.items():
        table[key] = [*table.get(key, ()), *hooks]


def _memory(standard_: Any, own: Any) -> type[Memory]:
    """A memory that holds what both remember."""
    if issubclass(standard_, own):
        kept: type[Memory] = standard_
        return kept
    return make_dataclass(own.__name__, [], bases=(own, standard_))


def entries(game: Game, own: Path | None = None) -> tuple[RuleEntry, ...]:
    """The list of a game's rules, and the standard ones it is judged by under their own names."""
    named: Path | str = own or game.id
    if game.rules is None:
        return load_rules(named)
    from validator.standard import book

    listed = load_rules(named) if rules_path(named).is_file() or compiled.load(game.id) else ()
    own_ids = {entry.id for entry in listed}
    usual = [RuleEntry(name, text, ()) for name, text in book.statements(game).items() if name not in own_ids]
    return (*listed, *usual)
