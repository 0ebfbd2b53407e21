"""CONFIRM.md: what was guessed of a module that was taken in, and what a person should look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fieldpost.vassal.module import Module

_MOST_ROWS = 40
_RULES_HINT = """\
A module holds no rules. `game/` is its game as data: hexes and units by the module's own names, its phases
and set-ups; terrain, strengths and what each phase allows are for you to write. Uncomment at the end of
`game/game.yaml` what your rulebook says; then `fieldpost check TURN --game {folder} --module MODULE.vmod`
judges by it logs of this module and of what is built from this folder: `fieldpost docs any-module`."""
_NO_GAME = "There is no game for the referee: {why}."


def text(
    module: Module,
    folder: str,
    guesses: Sequence[Mapping[str, Any]],
    repaired: Sequence[str],
    look_at: Sequence[str],
    passed: Mapping[str, int],
    why_not: str,
) -> str:
    lines = [f"# {module.name or 'The module'}: what to confirm", ""]
    lines += ["Guessed from palettes and prototypes; `types.yaml` lists each type with its pieces.", ""]
    lines += [*_palettes(guesses), ""]
    if repaired:
        lines += ["## Repaired", "", "`fieldpost import --as-is` leaves all of this as it was.", ""]
        lines += [*(f"- {line}" for line in repaired), ""]
    lines += ["## To look at", ""]
    found = [*_sideless(module, guesses), *dict.fromkeys(look_at)]
    lines += [f"- {line}" for line in found] or ["Nothing."]
    lines += ["", "## Passed through", ""]
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(passed.items()))
    lines += [f"What YAML does not say stands in `rest.xml` as it was: {kinds or 'nothing'}."]
    hint = _NO_GAME.format(why=why_not) if why_not else _RULES_HINT.format(folder=folder)
    lines += ["", "## To have its turns checked", "", hint]
    return "\n".join(lines) + "\n"


def _palettes(guesses: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A row for each palette, the largest where there are many."""
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for guess in guesses:
        rows.setdefault(_palette(guess), []).append(guess)
    large = sorted(rows, key=lambda name: -_pieces(rows[name]))[:_MOST_ROWS]
    yield from ("| pieces of | types | pieces | sides |", "| --- | --- | --- | --- |")
    for name in (name for name in rows if name in large):
        sides = Counter[str]()
        for guess in rows[name]:
            sides[guess["side"] or "?"] += len(guess["pieces"])
        said = sides if len(sides) == 1 else (f"{side} {count}" for side, count in sides.most_common())
        cells = [name, len(rows[name]), _pieces(rows[name]), ", ".join(said)]
        yield "| " + " | ".join(str(cell).replace("|", "/") for cell in cells) + " |"
    if len(rows) > len(large):
        rest = [guess for name in rows if name not in large for guess in rows[name]]
        yield f"| {len(rows) - len(large)} more | {len(rest)} | {_pieces(rest)} | |"


def _palette(guess: Mapping[str, Any]) -> str:
    return " / ".join(guess["palette"].split(" / ")[:2]) or "no palette"


def _pieces(guesses: Sequence[Mapping[str, Any]]) -> int:
    return sum(len(guess["pieces"]) for guess in guesses)


def _sideless(module: Module, guesses: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    sides = [side for side in module.sides if side.strip()]
    lacking = _pieces([guess for guess in guesses if guess["side"] is None])
    if sides and lacking:
        yield (
            f"{lacking:,} of {_pieces(guesses):,} pieces belong to none of the sides ({', '.join(sides)}), "
            "as far as palettes and prototypes tell: `side: null` in `types.yaml`. They are left out of "
            "`game/`: no set-up places them, and nothing that they do in a log is read or judged"
        )
