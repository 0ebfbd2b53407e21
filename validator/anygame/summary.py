"""An audit without rules as data and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import repeat
from typing import Any

from fieldpost.phrases import count, joined, phrase
from validator.anygame.audit import GameAudit, Player
from validator.anygame.luck import Fallen
from validator.anygame.one_log import Entry
from validator.audit.dice import NO_PROOF
from validator.audit.sources import Unusable

NO_RULES = "The rules of this game are not known; this is what the logs show."
VERDICTS = {
    "whole": "the logs hang together",
    "broken": "the logs do not hang together",
    "unreadable": "a log could not be read to its end",
}
GRAVEST = ("broken", "unreadable", "whole")
WHOLE = {
    (True, True): VERDICTS["whole"],
    (True, False): "one log, read to its end",
    (False, True): "saved games only, they tell no steps",
    (False, False): "one saved game, it tells no steps",
}
"""By whether there are steps, and whether there are several files."""
_MOST = 12
_OBSERVER = "<observer>"


def data(audits: Sequence[GameAudit], unusable: Sequence[Unusable]) -> dict[str, Any]:
    """One game as itself, several as a list."""
    spoiled = [{"file": item.name, "why": item.why} for item in unusable]
    if len(audits) == 1:
        return game_data(audits[0]) | {"unusable": spoiled}
    worst = min((audit.verdict for audit in audits), key=GRAVEST.index, default="unreadable")
    games = [game_data(audit) for audit in audits]
    return {"game": None, "verdict": worst, "games": games, "unusable": spoiled}


def game_data(audit: GameAudit) -> dict[str, Any]:
    return {
        "game": None,
        "module": audit.module,
        "rules": "unknown",
        "note": NO_RULES,
        "seen_by": seen_by(audit),
        "verdict": audit.verdict,
        "logs": [_log(entry) for entry in audit.chain.entries],
        "set_aside": [entry.name for entry in audit.chain.set_aside],
        "chain": [link.data() for link in audit.chain.links],
        "dice": audit.luck.data(),
        "players": [asdict(one) for one in audit.players],
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
    blocks = ["\n".join(_lines(audit)) for audit in audits] or ["No log of a game was found."]
    if unusable:
        blocks.append("\n".join(["Not used:", *(f"  {item.name}: {item.why}" for item in unusable)]))
    return "\n\n".join(blocks) + "\n"


def seen_by(audit: GameAudit) -> list[str]:
    return list(dict.fromkeys(line for entry in audit.chain.all for line in entry.seen_by))


def headline(audit: GameAudit) -> str:
    entries = audit.chain.entries
    whole = WHOLE[any(entry.done for entry in entries), len(entries) > 1]
    words = VERDICTS | {"whole": whole}
    return f"{audit.title}: {words[audit.verdict]}"


def _lines(audit: GameAudit) -> Iterator[str]:
    entries = audit.chain.entries
    yield headline(audit)
    yield NO_RULES
    yield from seen_by(audit)
    steps = sum(len(entry.done) for entry in entries)
    rolls = sum(len(entry.rolls) for entry in entries)
    saves = sum(not entry.done for entry in entries)
    logs = len(entries) - saves
    files = [logs and count(logs, "log"), saves and count(saves, "save")]
    yield joined([*map(phrase, repeat("{}"), files), count(steps, "step"), count(rolls, "roll")])
    yield ""
    for number, entry in enumerate(entries, 1):
        yield f"{number:>3}  {entry_line(entry)}"
        if entry.broken:
            yield f"     not read to its end: {entry.broken}"
        if entry.problems:
            yield f"     {count(entry.problems, 'command')} could not be carried out"
    yield from _links(audit)
    yield from _dice(audit)
    yield from _people(audit)


def entry_line(entry: Entry) -> str:
    when = phrase(" ({:%Y-%m-%d %H:%M} UTC)", entry.metadata.date)
    turns = dict.fromkeys((entry.start.turn, entry.end.turn))
    turn = phrase("; the turn tracker: {}", " to ".join(turns))
    what = count(len(entry.done), "step") if entry.done else "a position, no steps"
    return f"{entry.name}{when}: {what}{turn}"


def _links(audit: GameAudit) -> Iterator[str]:
    if audit.chain.links:
        yield ""
    elif len(audit.chain.entries) > 1:
        yield from ("", "Each log starts where the one before ended.")
    for link in audit.chain.links:
        yield f"- {link.message}"
        yield from (f"    {difference}" for difference in link.differences[1:_MOST])
        if len(link.differences) > _MOST:
            yield "    and more"


def _dice(audit: GameAudit) -> Iterator[str]:
    if audit.luck.tallies:
        yield from ("", "Dice")
    yield from (f"  {tally_line(one)}" for one in audit.luck.tallies)
    if audit.luck.tallies:
        yield f"  {NO_PROOF}"
    for one in audit.luck.undone:
        yield f"  taken back in {one['log']}, step {one['step']}: {_rolled_again(one)}"


def tally_line(one: Fallen) -> str:
    counted = [f"{value}: {times}" for value, times in sorted(one.values.items())]
    faces = one.faces.most_common(_MOST)
    if all(face.isdecimal() for face, _ in faces):  # dice with signs of their own that are numbers
        faces.sort(key=lambda face: int(face[0][:9]))
    counted += [f"{face}: {times}" for face, times in faces]
    shown = ", ".join(counted[:24]) + phrase(" ...", len(counted) > 24)
    mean = "" if one.expected is None else f"; mean {one.mean:.2f}, {one.expected:.1f} expected"
    return f"{one.who}, {one.die}, {count(one.number, 'time')} ({shown}){mean}{phrase('; {}', one.words)}"


def _rolled_again(one: dict[str, Any]) -> str:
    who = phrase("{}, ", one["player"])
    again = phrase(", rolled again in step {}: ", one["again"])
    return f"{who}{'; '.join(one['rolls'])}{again}{'; '.join(one['then'])}"


def _people(audit: GameAudit) -> Iterator[str]:
    if audit.players:
        yield from ("", "Players")
        yield from (f"  {player_line(one)}" for one in audit.players)
    if audit.sittings:
        yield from ("", "When it was played (UTC), as far as new pieces and stacks tell")
        for one in audit.sittings:
            minutes = round((one.ends - one.begins).total_seconds() / 60)
            yield f"  {one.begins:%Y-%m-%d %H:%M} to {one.ends:%H:%M}, {count(minutes, 'minute')}: {one.log}"


def player_line(one: Player) -> str:
    sides = phrase(" ({})", ", ".join(side.replace(_OBSERVER, "looking on") for side in one.sides))
    chat = phrase(", {} of chat", one.chat and count(one.chat, "line"))
    return f"{one.name}{sides}: {count(one.steps, 'step')}{chat}"
