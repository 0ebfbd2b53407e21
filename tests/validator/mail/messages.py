"""Mails as mail programs write them."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage
from email.policy import SMTP

SHEET = "game wfm turning-point\nturn 22 sov-move\nmove 9A 6507-6607\n"
FAULTY = SHEET + "move 3PzK 6407-6306\nroll return 1d6=2\n"


def message(text: str = "Here it is.", subject: str = "my turn") -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"] = "one@example.org", "two@example.org"
    made["Subject"] = subject
    made["Date"] = "Mon, 01 Jun 2026 12:00:00 +0000"
    made.set_content(text)
    return made


def attach(made: EmailMessage, name: str, data: bytes, kind: str = "octet-stream") -> EmailMessage:
    made.add_attachment(data, maintype="application", subtype=kind, filename=name)
    return made


def zipped(**files: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return data.getvalue()


def written(made: EmailMessage) -> bytes:
    return made.as_bytes(policy=SMTP)


def raw(*lines: str) -> bytes:
    """By hand, with the line ends of the wire."""
    return "\r\n".join(lines).encode("latin-1")
