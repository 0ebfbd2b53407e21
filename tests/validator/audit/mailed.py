"""A whole game of Turning Point as the logs that players mail, and ways to spoil them."""

from __future__ import annotations

import mailbox
from dataclasses import dataclass, replace
from email.message import EmailMessage
from functools import cache
from pathlib import Path

from fieldpost.hexes import neighbors
from players.game import play
from players.logs import LogWriter, plain_board
from players.mail import Mail, mails
from players.table import game_of
from validator.model.events import Event, Rolled

SEED, OTHER_SEED = 39, 5


@dataclass(frozen=True)
class Sent:
    name: str
    data: bytes


@cache
def events(seed: int = SEED) -> tuple[Event, ...]:
    return tuple(play("wfm", "turning-point", seed).events)


def _writer() -> LogWriter:
    game = game_of()
    scenario = game.scenario["turning-point"]
    return LogWriter(plain_board(game, scenario), game, scenario)


def _written(writer: LogWriter, mail: Mail) -> Sent:
    writer.write(mail.events)
    return Sent(f"{mail.name}.vlog", writer.cut())


def _mails(seed: int) -> list[Mail]:
    return list(mails("wfm", list(events(seed))))


@cache
def whole(seed: int = SEED) -> tuple[Sent, ...]:
    """Nine logs, three a turn."""
    writer = _writer()
    return tuple(_written(writer, mail) for mail in _mails(seed))


def tampered(number: int, unit: str) -> tuple[Sent, ...]:
    """The logs from this number on, after a piece was moved by one hex that no log shows."""
    writer = _writer()
    sent = []
    for at, mail in enumerate(_mails(SEED)):
        if at == number:
            _displace(writer, unit)
            writer.cut()
        done = _written(writer, mail)
        if at >= number:
            sent.append(done)
    return tuple(sent)


def forked(number: int) -> tuple[Sent, ...]:
    """Two logs as they would be, had the first of them ended with one move more."""
    writer = _writer()
    sent = []
    for at, mail in enumerate(_mails(SEED)[: number + 2]):
        writer.write(mail.events)
        if at == number:
            _displace(writer, _idle(writer, number))
        sent.append(Sent(f"{mail.name}.vlog", writer.cut()))
    return tuple(sent[number:])


def _idle(writer: LogWriter, number: int) -> str:
    """A unit that the next log does not speak of."""
    told = repr(_mails(SEED)[number + 1].events)
    pieces = [piece for piece in writer.builder.table.pieces.values() if piece.place.map is not None]
    found = (piece.value("UnitId") for piece in pieces if piece.value("Kind") == "unit")
    return next(unit for unit in found if unit and f"'{unit}'" not in told)


def _displace(writer: LogWriter, unit: str) -> None:
    here = writer.builder.table.pieces[writer._unit(unit).id]
    hex_ = writer.board.geometry.hex_at(here.place.x, here.place.y)
    writer._move([here], next(h for h in neighbors(hex_) if h in writer.board.hexes))


def rerolled(number: int, seed: int = SEED) -> Sent:
    """A log from the same start with another first die, ended there."""
    writer = _writer()
    for at, mail in enumerate(_mails(seed)):
        if at < number:
            _written(writer, mail)
            continue
        return replace(_written(writer, _other_die(mail)), name="again.vlog")
    raise LookupError(number)


def _other_die(mail: Mail) -> Mail:
    at = next(n for n, event in enumerate(mail.events) if isinstance(event, Rolled))
    roll = mail.events[at]
    assert isinstance(roll, Rolled)
    other = replace(roll, values=tuple(value % roll.sides + 1 for value in roll.values))
    return replace(mail, events=(*mail.events[:at], other))


def in_mbox(path: Path, logs: list[Sent]) -> Path:
    """Each log in a mail of its own, in the order given."""
    box = mailbox.mbox(path)
    for number, log in enumerate(logs):
        box.add(_message(log, number))
    box.close()
    return path


def _message(log: Sent, number: int) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = "one@example.org", "two@example.org"
    message["Subject"] = "my turn"
    message["Date"] = f"Mon, {number + 1:02} Jun 2026 12:00:00 +0000"
    message.set_content("Here it is.")
    message.add_attachment(log.data, maintype="application", subtype="octet-stream", filename=log.name)
    return message


def in_threads(path: Path, threads: dict[str, tuple[Sent, ...]]) -> Path:
    """Mails that each answer the first of their thread, one thread after the other."""
    box = mailbox.mbox(path)
    for number, (thread, log) in enumerate((thread, log) for thread, logs in threads.items() for log in logs):
        message = _message(log, number)
        message["References"] = f"{thread} <{number}@example.org>"
        box.add(message)
    box.close()
    return path


def in_mail(path: Path, log: Sent) -> Path:
    path.write_bytes(_message(log, 0).as_bytes())
    return path
