"""`fieldpost rules`: every rule of a game and what decides it."""

from __future__ import annotations

import argparse
from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fieldpost.commands.options import add_json, example, print_json
from fieldpost.errors import FieldpostError

if TYPE_CHECKING:
    from fieldpost.definition.rulelist import RuleEntry
    from validator.engine.rulebook import Rulebook
    from validator.services.cases import Case

STATUSES = ("enforced", "doubtful", "judgement", "not-checkable")
NOT_WRITTEN = "not written yet"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help="a game in the box or the folder of your own")
    parser.add_argument("rule", nargs="?", help="one rule, by its id or by its number in the rulebook")
    parser.add_argument("--status", choices=STATUSES, help="only rules of this status")
    add_json(parser)
    example(parser, "rules wfm", "rules wfm wfm-4.26b", "rules wfm --status enforced --json")


def run(arguments: argparse.Namespace) -> int:
    rules = describe(arguments.game)
    if arguments.rule:
        rules = _chosen(rules, arguments.rule, arguments.game)
    if arguments.status:
        rules = [rule for rule in rules if rule["status"] == arguments.status]
    if arguments.json:
        print_json(rules)
    elif arguments.rule:
        print("\n\n".join(map(_in_full, rules)))
    else:
        print(_as_text(arguments.game, rules))
    return 0


def describe(game: str, *, program: bool = True) -> list[dict[str, Any]]:
    """Every rule with its status. `program`: the `rules.py` of a game of one's own is run for it."""
    from fieldpost.definition import load
    from fieldpost.definition.places import has_game
    from fieldpost.definition.rulelist import load_rules
    from validator.engine import ownrules, rulebook
    from validator.services import codeplaces, rulebooks

    own = ownrules.folder_of(game)
    worked = _cases(game, own)
    if own is not None and has_game(game):
        definition = load(game)
        entries, book = rulebooks.entries(definition, own), rulebooks.of(definition, own if program else None)
    else:
        entries, book = load_rules(game), rulebook.load(game)
    code = {} if own else codeplaces.named_in_code(game)
    return [_rule(entry, book, worked.get(entry.id, []), code.get(entry.id, ())) for entry in entries]


def _cases(game: str, own: Path | None) -> dict[str, list[Case]]:
    """The worked cases of a game, by rule."""
    from fieldpost.definition.rulelist import rule_lists
    from validator.services import cases

    worked: dict[str, list[Case]] = {}
    if own is None and game not in rule_lists():
        return worked
    for case in cases.load(own or game):
        worked.setdefault(case.rule, []).append(case)
    return worked


def _rule(entry: RuleEntry, book: Rulebook | None, worked: list[Case], code: Sequence[str]) -> dict[str, Any]:
    status, reason = _status(entry, book)
    return {
        "id": entry.id,
        "title": entry.title,
        "status": status,
        "reason": reason,
        "cases": len(worked),
        "source": list(entry.source),
        "rests_on": list(entry.rests_on),
        "code": list(code),
        "worked": [_case(case) for case in worked],
    }


def _case(case: Case) -> dict[str, Any]:
    return {
        "place": f"cases/{case.source}",
        "turn": case.turn,
        "given": list(case.given),
        "legal": list(case.legal),
        "illegal": list(case.illegal),
        "why": case.why,
    }


def _status(entry: RuleEntry, book: Rulebook | None) -> tuple[str, str | None]:
    """What the code says goes before what the list says."""
    if book is not None:
        reasons: dict[str, Mapping[str, str | None]] = {
            "doubtful": book.doubtful,
            "enforced": dict.fromkeys(book.enforced) | book.by_option,
            "judgement": book.judgement,
            "not-checkable": book.not_checkable,
        }
        for status, ids in reasons.items():
            if entry.id in ids:
                return status, ids[entry.id]
    return entry.status or "not-checkable", entry.reason or NOT_WRITTEN


def _chosen(rules: list[dict[str, Any]], wanted: str, game: str) -> list[dict[str, Any]]:
    by_id = {rule["id"]: rule for rule in rules}
    if wanted in by_id:
        return [by_id[wanted]]
    named = [rule for rule in rules if wanted in (*rule["source"], rule["id"].removeprefix(f"{game}-"))]
    named = named or [rule for rule in rules if any(_is_within(number, wanted) for number in rule["source"])]
    if not named:
        from fieldpost.definition.problems import nearest

        near = nearest(wanted, by_id)
        hint = f"Did you mean {near}?" if near else f"'fieldpost rules {game}' lists them."
        raise FieldpostError(f"there is no rule {wanted!r} in {game}", hint)
    return named


def _is_within(number: str, chapter: str) -> bool:
    """Whether a paragraph belongs to a chapter: 8.111 to 8 and to 8.11."""
    rest = number.removeprefix(chapter)
    return rest != number and chapter[:1].isdigit() and ("." in chapter or rest.startswith("."))


def _as_text(game: str, rules: list[dict[str, Any]]) -> str:
    width = max((len(rule["id"]) for rule in rules), default=0)
    lines = [f"{rule['id']:<{width}}  {rule['status']:<13}  {rule['title']}" for rule in rules]
    counts = Tally(rule["status"] for rule in rules)
    sums = ", ".join(f"{counts[status]} {status}" for status in STATUSES)
    return "\n".join([*lines, f"{game}: {len(rules)} {'rule' if len(rules) == 1 else 'rules'}: {sums}"])


def _in_full(rule: dict[str, Any]) -> str:
    status = [rule["status"], rule["reason"]]
    rests_on = [f"{', '.join(rule['rests_on'])} (docs/overlays.md)"] if rule["rests_on"] else []
    rows = {
        "status": ": ".join(filter(None, status)),
        "source": ", ".join(rule["source"]),
        "rests on": "".join(rests_on),
        "in the code": ", ".join(rule["code"]),
        "cases": str(rule["cases"]),
    }
    lines = [f"{rule['id']}  {rule['title']}", *(f"  {name}: {text}" for name, text in rows.items() if text)]
    for case in rule["worked"]:
        lines.append(
            f"    turn {case['turn']}" + (f": {case['why']}" if case["why"] else "") + f"  ({case['place']})"
        )
        lines += [
            f"      {what}: {'; '.join(case[what])}" for what in ("given", "legal", "illegal") if case[what]
        ]
    return "\n".join(lines)
