"""An audit without rules as data and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from validator.anygame.audit import GameAudit, Player
from validator.anygame.luck import Fallen
from validator.anygame.reading import Entry
from validator.audit.sources import Unusable

NO_RULES = "The rules of this game are not known; this is what the logs show."
VERDICTS = {
    "whole": "the logs hang together",
    "broken": "the logs do not hang together",
    "unreadable": "a log could not be read to its end",
}
ALONE = VERDICTS | {"whole": "one log, read to its end"}
SAVES = VERDICTS | {"whole": "saved games only, they tell no steps"}
_MOST = 12
_OBSERVER = "<observer>"


def data(audits: Sequence[GameAudit], unusable: Sequence[Unusable]) -> dict[str, Any]:
    """One game as itself, several as a list."""
    spoiled = [{"file": item.name, "why": item.why} for item in unusable]
    found = [game_data(audit) for audit in audits]
    if len(found) == 1:
        return found[0] | {"unusable": spoiled}
    verdicts = {audit.verdict for audit in audits}
    worst = next((word for word in ("broken", "unreadable", "whole") if word in verdicts), "unreadable")
    return {"game": None, "verdict": worst, "games": found, "unusable": spoiled}


def game_data(audit: GameAudit) -> dict[str, Any]:
    return {
        "game": None,
        "module": audit.module,
        "rules": "unknown",
        "note": NO_RULES,
        "verdict": audit.verdict,
        "logs": [_log(entry) for entry in audit.chain.entries],
        "set_aside": [entry.name for entry in audit.chain.set_aside],
        "chain": [link.data() for link in audit.chain.links],
        "dice": audit.luck.data(),
        "players": [
            {"name": one.name, "sides": list(one.sides), "steps": one.steps, "chat": one.chat}
            for one in audit.players
        ],
        "sittings": [
            {"log": one.log, "begins": _iso(one.begins), "ends": _iso(one.ends)} for one in audit.sittings
        ],
        "findings": [],
    }


def _log(entry: Entry) -> dict[str, Any]:
    return {
        "file": entry.name,
        "via": entry.pointer.via,
        "date": _iso(entry.metadata.date) if entry.metadata.date else None,
        "module": entry.metadata.module,
        "version": entry.metadata.version,
        "engine": entry.metadata.engine,
        "begins": entry.start.turn,
        "ends": entry.end.turn,
        "pieces": len(entry.start.pieces),
        "steps": len(entry.done),
        "undone": sum(done.undone_by is not None for done in entry.done),
        "rolls": len(entry.rolls),
        "not_carried_out": entry.problems,
        "broken": entry.broken,
    }


def _iso(date: datetime) -> str:
    return date.isoformat(timespec="seconds")


# --- text ------------------------------------------------------------------------------------------


def render(audits: Sequence[GameAudit], unusable: Sequence[Unusable]) -> str:
    lines: list[str] = []
    for audit in audits:
        lines += ["", *_lines(audit)] if lines else _lines(audit)
    if not audits:
        lines.append("No log of a game was found.")
    if unusable:
        lines += ["", "Not used:", *(f"  {item.name}: {item.why}" for item in unusable)]
    return "\n".join(lines) + "\n"


def headline(audit: GameAudit) -> str:
    entries = audit.chain.entries
    words = VERDICTS if len(entries) > 1 else ALONE
    if not any(entry.done for entry in entries):
        words = SAVES if len(entries) > 1 else VERDICTS | {"whole": "one saved game, it tells no steps"}
    return f"{audit.module or 'An unnamed module'}: {words[audit.verdict]}"


def _lines(audit: GameAudit) -> Iterator[str]:
    entries = audit.chain.entries
    yield headline(audit)
    yield NO_RULES
    steps = sum(len(entry.done) for entry in entries)
    rolls = sum(len(entry.rolls) for entry in entries)
    saves = sum(not entry.done for entry in entries)
    files = [
        _count(number, noun) for number, noun in ((len(entries) - saves, "log"), (saves, "save")) if number
    ]
    yield f"{', '.join(files)}, {_count(steps, 'step')}, {_count(rolls, 'roll')}"
    yield ""
    for number, entry in enumerate(entries, 1):
        yield f"{number:>3}  {entry_line(entry)}"
        if entry.broken:
            yield f"     not read to its end: {entry.broken}"
        if entry.problems:
            yield f"     {_count(entry.problems, 'command')} could not be carried out"
    yield from _links(audit)
    yield from _dice(audit)
    yield from _people(audit)


def entry_line(entry: Entry) -> str:
    when = f" ({entry.metadata.date:%Y-%m-%d %H:%M} UTC)" if entry.metadata.date else ""
    turn = ""
    if entry.start.turn or entry.end.turn:
        turn = f"; the turn tracker: {entry.start.turn}"
        if entry.end.turn != entry.start.turn:
            turn += f" to {entry.end.turn}"
    what = _count(len(entry.done), "step") if entry.done else "a position, no steps"
    return f"{entry.name}{when}: {what}{turn}"


def _links(audit: GameAudit) -> Iterator[str]:
    if audit.chain.links or len(audit.chain.entries) > 1:
        yield ""
    if not audit.chain.links and len(audit.chain.entries) > 1:
        yield "Each log starts where the one before ended."
    for link in audit.chain.links:
        yield f"- {link.message}"
        yield from (f"    {difference}" for difference in link.differences[1:_MOST])
        if len(link.differences) > _MOST:
            yield "    and more"


def _dice(audit: GameAudit) -> Iterator[str]:
    if not audit.luck.tallies:
        return
    yield from ("", "Dice")
    yield from (f"  {tally_line(one)}" for one in audit.luck.tallies)
    for one in audit.luck.undone:
        yield f"  taken back in {one['log']}, step {one['step']}: {_rolled_again(one)}"


def tally_line(one: Fallen) -> str:
    counted = [f"{value}: {times}" for value, times in sorted(one.values.items())]
    faces = one.faces.most_common(_MOST)
    if all(face.isdecimal() for face, _ in faces):  # dice with signs of their own that are numbers
        faces.sort(key=lambda face: int(face[0][:9]))
    counted += [f"{face}: {times}" for face, times in faces]
    shown = ", ".join(counted[:24]) + (" ..." if len(counted) > 24 else "")
    mean = ""
    if one.mean is not None and one.expected is not None:
        mean = f"; mean {one.mean:.2f}, {one.expected:.1f} expected"
    words = f"; {one.words}" if one.words else ""
    return f"{one.who}, {one.die}, {_count(one.number, 'time')} ({shown}){mean}{words}"


def _rolled_again(one: dict[str, Any]) -> str:
    who = f"{one['player']}, " if one["player"] else ""
    then = f", rolled again in step {one['again']}: {'; '.join(one['then'])}" if one["again"] else ""
    return f"{who}{'; '.join(one['rolls'])}{then}"


def _people(audit: GameAudit) -> Iterator[str]:
    if audit.players:
        yield from ("", "Players")
        yield from (f"  {player_line(one)}" for one in audit.players)
    if audit.sittings:
        yield from ("", "When it was played (UTC), as far as new pieces and stacks tell")
        for one in audit.sittings:
            minutes = round((one.ends - one.begins).total_seconds() / 60)
            yield f"  {one.begins:%Y-%m-%d %H:%M} to {one.ends:%H:%M}, {_count(minutes, 'minute')}: {one.log}"


def player_line(one: Player) -> str:
    taken = ["looking on" if side == _OBSERVER else side for side in one.sides]
    sides = f" ({', '.join(taken)})" if taken else ""
    chat = f", {_count(one.chat, 'line')} of chat" if one.chat else ""
    return f"{one.name}{sides}: {_count(one.steps, 'step')}{chat}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
