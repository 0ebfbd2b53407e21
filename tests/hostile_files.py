"""Files made to exhaust whoever reads them, each by a way of its own."""

from __future__ import annotations

import io
import os
import random
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

from fieldpost.vassal import archive, codec
from fieldpost.vassal.codec import ESC

MB = 1 << 20
SEED = 14


def zipped(entries: dict[str, bytes], level: int = 6) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as made:
        for name, content in entries.items():
            made.writestr(name, content)
    return data.getvalue()


def log(text: str) -> bytes:
    return zipped({"savedGame": codec.obfuscate(text)}, 1)


def one_bomb() -> bytes:
    return zipped({"savedGame": bytes(300 * MB)})


def fifty_bombs() -> bytes:
    """Each below the ratio at which one is refused."""
    noise = random.Random(SEED).randbytes(100_000).hex().encode()
    bomb = zipped({"savedGame": b"begin_save" + noise + bytes(12 * MB)})
    return zipped({f"{number}.vlog": bomb for number in range(50)}, 0)


def lying_directory() -> bytes:
    """The directory says that little was packed, or much."""
    data = zipped({"savedGame": b"CHATx\x1b" * (50 * MB)}, 9)
    at = data.rfind(b"PK\x01\x02")
    return data[: at + 20] + struct.pack("<II", 100 * MB, 1000) + data[at + 28 :]


def no_directory() -> bytes:
    return zipped({"savedGame": b"CHATx\x1b" * (50 * MB)}, 9)[:-60]


def long_directory() -> bytes:
    """A directory of millions of entries without anything in them."""
    entry = b"PK\x01\x02" + bytes(24) + struct.pack("<H", 0) + bytes(16)
    count = 1_000_000
    head = b"PK\x03\x04" + bytes(26)
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 60000, 60000, count * len(entry), len(head), 0)
    return head + entry * count + end


def many_entries() -> bytes:
    return zipped({f"{number}.vlog": b"" for number in range(30_000)}, 0)


def tiny_pieces() -> bytes:
    return log(
        "begin_save" + ESC + ESC.join(f"+/{n}/stack/null" for n in range(4_000_000)) + ESC + "end_save"
    )


def as_many_pieces_as_allowed() -> bytes:
    pieces = ESC.join(f"+/{n}/piece;;;a;b/Main;1;2;3;0" for n in range(490_000))
    return log(f"begin_save{ESC}{pieces}{ESC}end_save{ESC}LOG\tCHATx")


def one_deep_stack() -> bytes:
    """Every piece moved onto the same point, one by one."""
    pieces = ESC.join(f"+/{n}/piece;;;a;b/Main;{n};2;3;0" for n in range(6_000))
    moves = ESC.join(f"LOG\tM/{n}/Main/5/5/null/Main/{n}/2/null" for n in range(6_000))
    return log(f"begin_save{ESC}{pieces}{ESC}end_save{ESC}{moves}")


def only_delimiters() -> bytes:
    return log("begin_save" + ESC * (40 * MB))


def long_state() -> bytes:
    return log(f"begin_save{ESC}+/1/piece;;;a;b/Main;1;2;3;" + "9;" * (20 * MB) + f"{ESC}end_save")


def long_members() -> bytes:
    return log(f"begin_save{ESC}+/1/stack/Main;1;2;" + "1;" * (20 * MB) + f"{ESC}end_save")


def deep_types() -> bytes:
    """Types of many traits, none like the other, so that nothing is worth keeping."""
    deep = [codec.nest([f"mark;{n}{'x' * 40};{at}" for at in range(150)]) for n in range(600)]
    pieces = ESC.join("+/" + codec.encode([str(n), type, "null;0;0;;0"], "/") for n, type in enumerate(deep))
    return log(f"begin_save{ESC}{pieces}{ESC}end_save")


def backslashes() -> bytes:
    return log("begin_save" + ESC + ESC.join("\\" * (n % 300) for n in range(30_000)))


def many_passwords() -> bytes:
    moves = ESC.join(f"LOG\tM/1/Main/1/2/null/Main/3/4/null/pw{n}" for n in range(60_000))
    return log(f"begin_save{ESC}end_save{ESC}{moves}{ESC}LOG\tCHAT{'pw ' * 100_000}")


def wide_letters() -> bytes:
    """A single letter outside the usual ones makes Python keep four bytes for each."""
    return zipped({"savedGame": ("begin_save\x1bCHAT\U0001f600" + "xy " * (20 * MB)).encode()}, 1)


def many_tags() -> bytes:
    return zipped({"buildFile.xml": b"<a>" + b"<b/>" * (15 * MB) + b"</a>"}, 1)


def noise() -> bytes:
    return random.Random(SEED).randbytes(3 * MB)


def half_noise() -> bytes:
    return b"PK\x03\x04" + noise()


MAKERS: tuple[Callable[[], bytes], ...] = (
    one_bomb,
    fifty_bombs,
    lying_directory,
    no_directory,
    long_directory,
    many_entries,
    tiny_pieces,
    as_many_pieces_as_allowed,
    one_deep_stack,
    only_delimiters,
    long_state,
    long_members,
    deep_types,
    backslashes,
    many_passwords,
    wide_letters,
    many_tags,
    noise,
    half_noise,
)
BY_NAME = {make.__name__: make for make in MAKERS}


def junk_folder(top: Path, copies: int) -> None:
    """Much of it at once, a pipe and an endless device among them."""
    for number in range(copies):
        for make in (noise, half_noise, one_bomb, lying_directory, deep_types):
            (top / f"{make.__name__}{number}.vlog").write_bytes(_kept(make))
    os.mkfifo(top / "pipe.vlog")
    (top / "endless.vlog").symlink_to("/dev/zero")
    (top / "loop").symlink_to(top)
    (top / "empty.zip").write_bytes(archive.pack({}))


_MADE: dict[str, bytes] = {}


def _kept(make: Callable[[], bytes]) -> bytes:
    return _MADE.setdefault(make.__name__, make())
