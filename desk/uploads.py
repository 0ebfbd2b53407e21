"""Files as they come in: read bit by bit, with a limit of size, number and time. A name is only a label."""

from __future__ import annotations

import asyncio
import secrets
import shutil
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import parse_qsl

from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from desk.limits import MB, Limits

ENDINGS = (".vlog", ".vsav", ".log", ".sav", ".turn", ".txt", ".eml", ".emlx", ".mbox", ".mbx", ".zip")
LABEL_LENGTH = 120
FIELDS = 60
FIELD_BYTES = 4096
FORM_BYTES = 64 * 1024  # what the form itself may need beside the files
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


class _Parser(MultiPartParser):
    spool_max_size = FORM_BYTES  # more goes to a file that has no name and ends with its reader


async def form_of(request: Request, limits: Limits, held: Held) -> FormData:
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
    try:
        async with asyncio.timeout(limits.upload_seconds):
            return await parser.parse()
    except TimeoutError:
        raise Refused(408, "The files came too slowly.", "Try again; nothing was kept.") from None
    except MultiPartException as fault:
        many = "Too many files" in fault.message
        hint = f"Send at most {limits.files} at once, or a zip." if many else "Choose the files again."
        raise Refused(400, "The upload could not be read.", hint) from None
    except ClientDisconnect:
        raise Refused(400, "The upload was broken off.", "Nothing was kept.") from None
    finally:
        held.bytes -= stream.size


def _refuse_by_head(request: Request, limits: Limits) -> None:
    kind = request.headers.get("content-type", "")
    if not kind.lower().startswith("multipart/form-data"):
        raise Refused(415, "This is no form with files.", "Use the form on the first page.")
    length = request.headers.get("content-length", "0")
    if not length.isdigit() or int(length) > DRAINED * limits.upload_bytes:
        raise too_large(limits)


def too_large(limits: Limits) -> Refused:
    return Refused(
        413,
        f"These files are too large: {limits.upload_bytes // MB} MB is the limit.",
        "A log is seldom larger than 1 MB. Send the logs alone, without the module, or in parts.",
    )


class _Stream:
    """The body of a request, counted and timed."""

    def __init__(self, request: Request, limits: Limits, held: Held) -> None:
        self.request, self.limits, self.held = request, limits, held
        self.size = 0

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        body = self.request.stream()
        while True:
            async with asyncio.timeout(self.limits.silence_seconds):
                chunk = await anext(body, None)
            if chunk is None:
                return
            self.size += len(chunk)
            self.held.bytes += len(chunk)
            if refusal := self._refusal():
                await self._drain(body)
                raise refusal
            yield chunk

    def _refusal(self) -> Refused | None:
        if self.size > self.limits.upload_bytes + FORM_BYTES:
            return too_large(self.limits)
        if self.held.bytes > self.limits.held_bytes:
            return Refused(503, "Too much is being sent at once.", "Try again in a minute.")
        return None

    async def _drain(self, body: AsyncGenerator[bytes, None]) -> None:
        """A browser listens for the answer only when it has sent everything."""
        rest = DRAINED * self.limits.upload_bytes
        async for chunk in body:
            rest -= len(chunk)
            if rest < 0:
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
    await asyncio.to_thread(folder.mkdir, mode=0o700, parents=True)
    names = []
    for file in files:
        label = label_of(file.filename or "")
        name = f"{secrets.token_hex(8)}{_ending(label)}"
        await asyncio.to_thread(_copy, file, folder / name)
        names.append((name, label))
    return names


def _copy(file: UploadFile, path: Path) -> None:
    with path.open("xb") as target:
        shutil.copyfileobj(file.file, target, MB)


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
    return dict(parse_qsl(body.decode("ascii", "replace"), max_num_fields=FIELDS))


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
