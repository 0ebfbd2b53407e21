"""The pictures of a module: drawn on all cores, or taken from a cache of what was drawn before.

Equal keys, equal pictures: a key holds what a picture shows and the code that draws it, so a change
of one counter draws that counter only.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PIL import Image

from builder.counters import png
from fieldpost.errors import FieldpostError
from fieldpost.progress import track
from fieldpost.vassal.archive import write_bytes

_PACKAGE = Path(__file__).resolve().parent.parent
_BATCH = 40
_MAGIC = b"\x89PNG"


@dataclass(frozen=True)
class Picture:
    """A file of the module's images folder. What draws it goes to another process."""

    name: str
    draw: Callable[[], Image.Image]
    key: str


def key(code: str, *facts: object) -> str:
    """A key from what a picture depends on: a folder or file of the builder, and facts."""
    return hashlib.sha256(repr((_code(code), facts)).encode()).hexdigest()


@cache
def _code(part: str) -> str:
    path = _PACKAGE / part
    sources = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    digest = hashlib.sha256()
    for source in [*sources, _PACKAGE / "fonts.py", _PACKAGE / "art.py"]:
        digest.update(source.read_bytes())
    return digest.hexdigest()


def default_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "fieldpost" / "pictures"


def render(pictures: list[Picture], folder: Path | None, jobs: int) -> dict[str, bytes]:
    """Name and PNG of every picture, drawn on `jobs` processes unless the cache holds it."""
    known = {picture.name: _cached(folder, picture) for picture in pictures}
    missing = [picture for picture in pictures if known[picture.name] is None]
    for picture, data in track(_draw_all(missing, jobs), len(missing), "pictures drawn"):
        known[picture.name] = data
        if folder is not None:
            keep(folder / picture.key, data)
    return {name: data for name, data in known.items() if data is not None}


def _draw_all(pictures: list[Picture], jobs: int) -> Iterator[tuple[Picture, bytes]]:
    batches = [pictures[at : at + _BATCH] for at in range(0, len(pictures), _BATCH)]
    if jobs < 2 or len(batches) < 2:
        for batch in batches:
            yield from zip(batch, _draw_batch(batch), strict=True)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for batch, drawn in zip(batches, pool.map(_draw_batch, batches), strict=True):
            yield from zip(batch, drawn, strict=True)


def _draw_batch(pictures: list[Picture]) -> list[bytes]:
    return [png(picture.draw()) for picture in pictures]


def _cached(folder: Path | None, picture: Picture) -> bytes | None:
    data = kept(folder / picture.key) if folder is not None else None
    return data if data is not None and data.startswith(_MAGIC) else None


def kept(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def keep(path: Path, data: bytes) -> None:
    """A cache that cannot be written is no cache, and no error."""
    with suppress(OSError, FieldpostError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, data)
