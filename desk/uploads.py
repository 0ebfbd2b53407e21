"""Files as they come in: read bit by bit, with a limit of size, number and time. A name is only a label."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import tempfile
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from email.message import Message
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast
from urllib.parse import parse_qsl

from starlette.datastructures import FormData, Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from desk.limits import MB, Limits

ENDINGS = (".vlog", ".vsav", ".log", ".sav", ".turn", ".txt", ".eml", ".emlx", ".mbox", ".mbx", ".zip")
LABEL_LENGTH = 120
FIELDS = 60
FIELD_BYTES = 4096
FORM_BYTES = 64 * 1024  # what the form itself may need beside the files
CHARSETS = ("utf-8", "iso-8859-1", "us-ascii")
DRAINED = 4  # times the limit is read and thrown away, so that a browser hears the answer


class Refused(Exception):
    """An upload that is not taken: the status, what is wrong, what to do."""

    def __init__(self, status: int, message: str, hint: str) -> None:
        super().__init__(message)
        self.status, self.message, self.hint = status, message, hint


@dataclass
class Held:
    """Bytes of uploads that are on this machine and not checked yet."""

    bytes: int = 0


@dataclass
class _Spool:
    """One file without a name for all files of an upload, however many: each is a stretch of it."""

    file: BinaryIO | None = None
    end: int = 0
    readers: int = 0

    def append(self, data: bytes) -> None:
        if self.file is None:
            self.file = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115
        self.file.seek(self.end)
        self.file.write(data)
        self.end += len(data)

    def read(self, start: int, length: int) -> bytes:
        if self.file is None or not length:
            return b""
        self.file.seek(start)
        return self.file.read(length)

    def leave(self) -> None:
        self.readers -= 1
        if self.readers == 0 and self.file is not None:
            self.file.close()
            self.file = None


@dataclass
class _Stretch:
    """One file of an upload. Files come one after the other, so what is written belongs at the end."""

    spool: _Spool
    start: int = 0
    at: int = 0
    length: int = 0
    closed: bool = False

    def __post_init__(self) -> None:
        self.spool.readers += 1

    def write(self, data: bytes) -> int:
        if not self.length:  # it is made before what belongs to the file before it is written
            self.start = self.spool.end
        self.spool.append(data)
        self.length += len(data)
        return len(data)

    def seek(self, at: int) -> int:
        self.at = at
        return at

    def read(self, size: int = -1) -> bytes:
        left = self.length - self.at
        data = self.spool.read(self.start + self.at, left if size < 0 else min(size, left))
        self.at += len(data)
        return data

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.spool.leave()


class _Upload(UploadFile):
    """Only writing takes a thread: of hundreds of files each would wait for one twice more."""

    async def seek(self, offset: int) -> None:
        self.file.seek(offset)

    async def close(self) -> None:
        self.file.close()


class _Parser(MultiPartParser):
    """Takes no file before the token of this run has come."""

    is_token: Callable[[str], bool]
    spool: _Spool

    def on_headers_finished(self) -> None:
        super().on_headers_finished()
        part = self._current_part
        if part.file is None:
            return
        self._files_to_close_on_error.pop().close()
        if not any(name == "token" and self.is_token(str(value)) for name, value in self.items):
            raise not_ours()
        stretch = _Stretch(self.spool)
        self._files_to_close_on_error.append(stretch)  # type: ignore[arg-type]
        part.file = _Upload(
            cast(BinaryIO, stretch),
            size=0,
            filename=part.file.filename,
            headers=Headers(raw=part.item_headers),
        )


def not_ours() -> Refused:
    return Refused(403, "This form is not of this run of fieldpost.", "Load the first page again and retry.")


async def form_of(request: Request, limits: Limits, held: Held, is_token: Callable[[str], bool]) -> FormData:
    """The form with its files; close it afterwards."""
    _refuse_by_head(request, limits)
    stream = _Stream(request, limits, held)
    parser = _Parser(
        request.headers,
        stream.chunks(),
        max_files=limits.files,
        max_fields=FIELDS,
        max_part_size=FIELD_BYTES,
    )
    parser.is_token, parser.spool = is_token, _Spool()
    try:
        async with asyncio.timeout(limits.upload_seconds):
            return await parser.parse()
    except TimeoutError:
        raise Refused(408, "The files came too slowly.", "Try again; nothing was kept.") from None
    except MultiPartException as fault:
        many = "Too many files" in fault.message
        hint = f"Send at most {limits.files} at once, or a zip." if many else "Choose the files again."
        raise Refused(400, "The upload could not be read.", hint) from None
    except (ValueError, LookupError):  # of headers spoiled in some other way
        raise Refused(400, "The upload could not be read.", "Choose the files again.") from None
    except ClientDisconnect:
        raise Refused(400, "The upload was broken off.", "Nothing was kept.") from None
    except Refused:
        await stream.drain()
        raise
    finally:
        held.bytes -= stream.size


def _refuse_by_head(request: Request, limits: Limits) -> None:
    kind = request.headers.get("content-type", "")
    if not kind.lower().startswith("multipart/form-data"):
        raise Refused(415, "This is no form with files.", "Use the form on the first page.")
    head = Message()
    head["Content-Type"] = kind
    if (head.get_content_charset() or CHARSETS[0]) not in CHARSETS:
        raise Refused(400, "The upload could not be read.", "Use the form on the first page.")
    length = request.headers.get("content-length", "0")
    if not length.isdigit() or int(length) > DRAINED * limits.upload_bytes:
        raise too_large(limits)


def too_large(limits: Limits) -> Refused:
    return Refused(
        413,
        f"These files are too large: {limits.upload_bytes // MB} MB is the most at once.",
        "A log is seldom larger than 1 MB. Send the logs alone, without the module, or in parts.",
    )


class _Stream:
    """The body of a request, counted and timed."""

    def __init__(self, request: Request, limits: Limits, held: Held) -> None:
        self.limits, self.held = limits, held
        self.body = request.stream()
        self.size = 0

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        while True:
            async with asyncio.timeout(self.limits.silence_seconds):
                chunk = await anext(self.body, None)
            if chunk is None:
                return
            self.size += len(chunk)
            self.held.bytes += len(chunk)
            if refusal := self._refusal():
                raise refusal
            yield chunk

    def _refusal(self) -> Refused | None:
        if self.size > self.limits.upload_bytes + FORM_BYTES:
            return too_large(self.limits)
        if self.held.bytes > self.limits.held_bytes:
            return Refused(503, "Too much is being sent at once.", "Try again in a minute.")
        return None

    async def drain(self) -> None:
        """A browser listens for the answer only when it has sent everything."""
        rest = DRAINED * self.limits.upload_bytes
        try:
            async with asyncio.timeout(self.limits.silence_seconds):
                async for chunk in self.body:
                    rest -= len(chunk)
                    if rest < 0:
                        return
        except (TimeoutError, ClientDisconnect):
            return


# --- onto the disk -------------------------------------------------------------------------------


def files_of(form: FormData) -> list[UploadFile]:
    """Those that were chosen; a browser sends an empty one for none."""
    return [
        item
        for item in form.getlist("files")
        if isinstance(item, UploadFile) and (item.filename or item.size)
    ]


async def store(files: list[UploadFile], folder: Path) -> list[tuple[str, str]]:
    """Copies of the files under names of our own: (name there, name for people)."""
    return await asyncio.to_thread(_store, files, folder)


def _store(files: list[UploadFile], folder: Path) -> list[tuple[str, str]]:
    folder.mkdir(mode=0o700, parents=True)
    names = []
    for file in files:
        label = label_of(file.filename or "")
        name = f"{secrets.token_hex(8)}{_ending(label)}"
        with (folder / name).open("xb") as target:
            shutil.copyfileobj(file.file, target, MB)
        names.append((name, label))
    return names


def label_of(name: str) -> str:
    """A file's name without folders and without what cannot be shown."""
    last = PurePosixPath(name.replace("\\", "/")).name
    shown = "".join(letter for letter in last if letter.isprintable()).strip()
    return shown[-LABEL_LENGTH:] or "file"


def _ending(label: str) -> str:
    ending = PurePosixPath(label).suffix.lower()
    return ending if ending in ENDINGS else ""


async def short_form(request: Request) -> dict[str, str]:
    """A form without files, which is short."""
    body = await short_body(request, FIELD_BYTES)
    try:
        return dict(parse_qsl(body.decode("ascii", "replace"), max_num_fields=FIELDS))
    except ValueError:
        raise Refused(400, "This form could not be read.", "Use the buttons of the page.") from None


async def short_body(request: Request, most: int = FORM_BYTES) -> bytes:
    body = b""
    try:
        async with asyncio.timeout(Limits.silence_seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise Refused(413, "This form is too long.", "Use the buttons of the page.")
    except (TimeoutError, ClientDisconnect):
        raise Refused(408, "The form came too slowly.", "Try again.") from None
    return body
