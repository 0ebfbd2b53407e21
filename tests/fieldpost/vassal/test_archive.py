"""Archives as they come, and as an attacker would have them."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fieldpost.vassal import archive, codec
from fieldpost.vassal.archive import ArchiveError, Limits
from fieldpost.vassal.metadata import Metadata

TEXT = "begin_save\x1bend_save\x1bLOG\tCHAT<A> - hello"
META = Metadata(module="A Game", version="2.1", engine="3.7.0", description="turn <5> & more")


def packed(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as made:
        for name, data in entries:
            made.writestr(name, data)
    return buffer.getvalue()


def parse(data: bytes, name: str = "a.vlog", limits: Limits = archive.DEFAULT_LIMITS) -> archive.Archive:
    return archive.parse(data, name, limits)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0), (0,)])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_entries_may_come_in_any_order_and_metadata_may_be_missing(
    order: tuple[int, ...], method: int
) -> None:
    entries = [
        ("savedGame", codec.obfuscate(TEXT)),
        ("savedata", META.savedata()),
        ("moduledata", META.moduledata()),
    ]
    content = parse(packed(*(entries[at] for at in order), method=method))
    assert (content.kind, content.text) == ("log", TEXT)
    assert content.metadata.module == ("A Game" if len(order) > 1 else None)


@pytest.mark.parametrize(
    "data",
    [TEXT.encode(), codec.obfuscate(TEXT), codec.obfuscate(TEXT, 0).upper(), codec.obfuscate_raw(TEXT)],
)
def test_saved_game_needs_no_zip_around_it(data: bytes) -> None:
    assert parse(data).text == TEXT


def test_metadata_comes_back_typed() -> None:
    when = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    meta = Metadata("A Game", "2.1", "3.7.0", "turn <5> & more", when)
    content = parse(archive.game_bytes(TEXT, meta))
    assert content.metadata.module == "A Game"
    assert content.metadata.version == "2.1"
    assert content.metadata.engine == "3.7.0"
    assert content.metadata.description == "turn <5> & more"
    assert content.metadata.date == when


@pytest.mark.parametrize(
    ("spoiled", "why"),
    [
        (b'<!DOCTYPE d [<!ENTITY a "aaaa">]><data><name>&a;</name></data>', "declares entities"),
        (b"<data>\n<name></data>", "not XML at line 2"),
        (b"\0" * (3 << 20), "unpacks to more than 1,048,576 bytes"),
    ],
    ids=["entities", "no XML", "bomb"],
)
@pytest.mark.parametrize("entry", ["savedata", "moduledata"])
def test_metadata_that_cannot_be_read_is_told_and_left_aside(entry: str, spoiled: bytes, why: str) -> None:
    other = {"savedata": "moduledata", "moduledata": "savedata"}[entry]
    content = parse(packed(("savedGame", TEXT.encode()), (entry, spoiled), (other, META.moduledata())))
    assert (content.text, content.metadata.version) == (TEXT, "2.1")
    (remark,) = content.remarks
    assert entry in remark
    assert why in remark


def test_words_of_other_languages_are_passed_over() -> None:
    spoken = META.moduledata().replace(
        b"</name>", b'</name>\n  <name lang="es">Un juego</name><description lang="de">T</description>'
    )
    metadata = parse(packed(("savedGame", TEXT.encode()), ("moduledata", spoken))).metadata
    assert (metadata.module, metadata.module_description) == ("A Game", None)


def test_zip_of_several_logs_is_a_container() -> None:
    inner = archive.game_bytes(TEXT, META)
    data = packed(("turns/1.vlog", inner), ("turns/2.vsav", inner), ("readme.txt", b"hello"))
    content = parse(data, "turns.zip")
    assert (content.kind, content.games) == ("container", ("turns/1.vlog", "turns/2.vsav"))
    assert archive.member(data, "turns.zip", "turns/1.vlog").text == TEXT


def test_container_in_a_container_is_not_opened() -> None:
    inner = packed(("1.vlog", archive.game_bytes(TEXT, META)))
    data = packed(("inner.vlog", inner))
    with pytest.raises(ArchiveError, match="archive in an archive"):
        archive.member(data, "outer.zip", "inner.vlog")


def test_module_and_extension_are_told_apart() -> None:
    assert parse(packed(("buildFile.xml", b"<x/>"))).kind == "module"
    assert parse(packed(("buildFile", b"<x/>"), ("extensiondata", META.savedata()))).kind == "extension"


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a/../../b", "C:/x", "..\\x"])
def test_entry_that_points_outside_is_refused(name: str) -> None:
    with pytest.raises(ArchiveError, match="outside"):
        parse(packed(("savedGame", TEXT.encode()), (name, b"x")))


def test_bomb_is_refused_before_it_fills_the_memory() -> None:
    data = packed(("savedGame", b"\0" * (64 << 20)))
    assert len(data) < 100_000
    with pytest.raises(ArchiveError, match="150 times"):
        parse(data)


def test_bomb_that_lies_about_its_size_is_refused() -> None:
    data = packed(("savedGame", b"\0" * (64 << 20)))
    lie = data.replace(struct.pack("<I", 64 << 20), struct.pack("<I", 100))
    with pytest.raises(ArchiveError):
        parse(lie)


def test_sizes_and_entries_have_limits() -> None:
    with pytest.raises(ArchiveError, match="more than 1,000 bytes"):
        parse(packed(("savedGame", b"x" * 2000)), limits=Limits(saved_game_bytes=1000))
    with pytest.raises(ArchiveError, match="too many"):
        parse(packed(*((f"{n}", b"") for n in range(20))), limits=Limits(entries=10))


def test_file_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "big.vlog"
    path.write_bytes(b"x" * 2000)
    with pytest.raises(ArchiveError, match="larger than"):
        archive.read(path, Limits(file_bytes=1000))


def test_encrypted_entry_is_refused() -> None:
    data = bytearray(packed(("savedGame", TEXT.encode())))
    data[6] |= 1
    data[data.rfind(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(ArchiveError, match="encrypted"):
        parse(bytes(data))


def test_packing_vassal_does_not_know_is_refused() -> None:
    with pytest.raises(ArchiveError, match="packed in a way"):
        parse(packed(("savedGame", TEXT.encode()), method=zipfile.ZIP_LZMA))


@pytest.mark.parametrize("data", [b"hello", b"%PDF-1.7", b"PK", b"\x89PNG\r\n", b"{}"])
def test_what_is_no_vassal_file_is_named_so(data: bytes) -> None:
    with pytest.raises(ArchiveError, match="not a VASSAL file") as caught:
        parse(data)
    assert caught.value.partial is None


def test_an_empty_file_is_called_empty() -> None:
    with pytest.raises(ArchiveError, match="the file is empty") as caught:
        parse(b"")
    assert caught.value.partial is None


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"gone\.vlog: no such file"):
        archive.read(tmp_path / "gone.vlog")


def test_truncated_archive_gives_its_readable_prefix() -> None:
    lines = [f"CHATline {n * n * 7919 % 100_003}" for n in range(4000)]
    text = codec.encode(["begin_save", *lines, "end_save"], codec.ESC)
    whole = archive.game_bytes(text, META)
    with pytest.raises(ArchiveError, match="cut short or damaged") as caught:
        parse(whole[: len(whole) // 2])
    partial = caught.value.partial
    assert partial is not None
    assert partial.text
    assert text.startswith(partial.text)
    assert len(partial.text) > len(text) // 4


def test_damaged_cipher_gives_its_readable_prefix() -> None:
    data = bytearray(codec.obfuscate(TEXT))
    data[-10] = ord("z")
    with pytest.raises(ArchiveError, match=f"at byte {len(data) - 10}") as caught:
        parse(packed(("savedGame", bytes(data)), ("savedata", META.savedata())))
    partial = caught.value.partial
    assert partial is not None
    assert partial.text == TEXT[: len(partial.text or "")] != ""
    assert partial.metadata.version == "2.1"


def test_every_flipped_byte_ends_in_an_answer_or_a_typed_error() -> None:
    data = archive.game_bytes(TEXT, META)
    refused = 0
    for at in range(len(data)):
        broken = bytearray(data)
        broken[at] ^= 0xFF
        try:
            assert parse(bytes(broken)).text == TEXT
        except ArchiveError:
            refused += 1
    assert refused > len(data) // 20


def test_every_truncation_ends_in_a_typed_error() -> None:
    data = archive.game_bytes(TEXT, META)
    for end in range(len(data)):
        with pytest.raises(ArchiveError):
            parse(data[:end])


def test_written_bytes_depend_on_the_content_alone(tmp_path: Path) -> None:
    first, second = tmp_path / "a.vlog", tmp_path / "b.vlog"
    archive.write_game(first, TEXT, META)
    archive.write_game(second, TEXT, META)
    assert first.read_bytes() == second.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.vlog", "b.vlog"]


def test_writing_where_no_folder_is_makes_one(tmp_path: Path) -> None:
    archive.write_game(tmp_path / "none" / "yet" / "a.vlog", TEXT, META)
    assert archive.read(tmp_path / "none" / "yet" / "a.vlog").text == TEXT


def test_writing_where_no_folder_can_be_fails_cleanly(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ArchiveError, match=r"cannot write .*a\.vlog"):
        archive.write_game(tmp_path / "file" / "a.vlog", TEXT, META)


def test_reading_takes_a_small_multiple_of_the_plain_text() -> None:
    text = "begin_save\x1b" + "CHATabcdefghij\x1b" * 300_000 + "end_save"
    data = archive.game_bytes(text, META)
    tracemalloc.start()
    parse(data, limits=Limits(ratio=10_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * len(text)


def test_repr_of_an_archive_shows_no_content() -> None:
    assert "hello" not in repr(parse(TEXT.encode()))
