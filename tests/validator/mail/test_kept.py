"""Mails and mailboxes as programs keep and export them: each turn in them is judged, or named."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import mailbox
import shutil
import struct
import tarfile
from itertools import pairwise
from pathlib import Path

import pytest

from tests.fieldpost.commands.running import Run, run
from tests.validator.audit import mailed
from tests.validator.mail.messages import FAULTY, attach, message, written, zipped
from validator.mail import outlook, signed, tnef

Capture = pytest.CaptureFixture[str]
LOG = mailed.whole()[0].data
JUDGED = "nothing illegal in 5 actions"


def check(capsys: Capture, folder: Path, data: bytes, name: str, *arguments: str) -> Run:
    (folder / name).write_bytes(data)
    return run(capsys, "check", folder / name, *arguments)


# --- Outlook's wrapping ---


def attribute(number: int, data: bytes, level: int = 2) -> bytes:
    return struct.pack("<BHHI", level, number, 6, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def winmail(name: str, data: bytes, body: str = "") -> bytes:
    long_name = name.encode("utf-16-le") + b"\0\0"
    named = (
        struct.pack("<IHHII", 1, 0x001F, 0x3707, 1, len(long_name)) + long_name + bytes(-len(long_name) % 4)
    )
    parts = [
        attribute(0x800C, body.encode() + b"\0", 1),
        attribute(0x9002, bytes(14)),
        attribute(0x8010, b"TURN22~1.VLO\0"),
        attribute(0x800F, data),
        attribute(0x9005, named),
    ]
    return tnef.SIGNATURE + b"\1\0" + b"".join(parts)


def test_what_outlook_wraps_is_read(tmp_path: Path, capsys: Capture) -> None:
    wrapped = winmail("turn 22.vlog", LOG)
    for data, name in (
        (wrapped, "winmail.dat"),
        (written(attach(message(), "winmail.dat", wrapped, "ms-tnef")), "a.eml"),
    ):
        done = check(capsys, tmp_path, data, name)
        assert done.out.splitlines()[0] == f"turn 22.vlog: {JUDGED}"


def test_a_turn_typed_in_what_outlook_wraps_is_read(tmp_path: Path, capsys: Capture) -> None:
    made = attach(message(), "winmail.dat", winmail("map.png", b"\x89PNG", FAULTY), "ms-tnef")
    done = check(capsys, tmp_path, written(made), "a.eml")
    assert (done.status, "Not judged: map.png" in done.out) == (1, True)


@pytest.mark.parametrize("at", range(0, 400, 23))
def test_a_damaged_wrapping_raises_nothing(at: int) -> None:
    whole = winmail("turn.vlog", LOG)
    tnef.opened(whole[:at])
    tnef.opened(whole[:at] + b"\xff" * 9 + whole[at + 9 :])


# --- Outlook's own files ---


def compound(tree: dict[str, object]) -> bytes:
    """A file system as Outlook writes it: all streams in sectors of 512 bytes."""
    entries: list[tuple[str, int, bytes, list[int]]] = [("Root Entry", 5, b"", [])]

    def add(inside: dict[str, object], parent: int) -> None:
        for name, value in inside.items():
            entries.append(
                (name, 2 if isinstance(value, bytes) else 1, value if isinstance(value, bytes) else b"", [])
            )
            entries[parent][3].append(len(entries) - 1)
            if isinstance(value, dict):
                add(value, len(entries) - 1)

    add(tree, 0)
    sectors: list[bytes] = []
    following: list[int] = []

    def put(data: bytes) -> int:
        if not data:
            return 0xFFFFFFFE
        first = len(sectors)
        pieces = [data[at : at + 512].ljust(512, b"\0") for at in range(0, len(data), 512)]
        sectors.extend(pieces)
        following.extend([*range(first + 1, first + len(pieces)), 0xFFFFFFFE])
        return first

    rows = []
    none = 0xFFFFFFFF
    next_of = {a: b for *_, within in entries for a, b in pairwise(within)}
    for number, (name, kind, data, within) in enumerate(entries):
        coded = name.encode("utf-16-le") + b"\0\0"
        links = struct.pack("<III", none, next_of.get(number, none), within[0] if within else none)
        start = put(data)
        rows.append(
            coded.ljust(64, b"\0")
            + struct.pack("<HBB", len(coded), kind, 1)
            + links
            + bytes(36)
            + struct.pack("<IQ", start, len(data))
        )
    directory = put(b"".join(rows).ljust(512, b"\0"))
    tables = -(-(len(sectors) + 8) // 127)
    table_at = len(sectors)
    following += [0xFFFFFFFD] * tables
    table = struct.pack(f"<{len(following)}I", *following).ljust(tables * 512, b"\xff")
    head = outlook.SIGNATURE + bytes(16) + struct.pack("<HHHHH", 62, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, tables, directory, 0, 0, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    numbers = [*range(table_at, table_at + tables)] + [none] * (109 - tables)
    return head + struct.pack("<109I", *numbers) + b"".join(sectors) + table


def msg(text: str, **attached: bytes) -> bytes:
    tree: dict[str, object] = {"__substg1.0_1000001F": text.encode("utf-16-le")}
    for number, (name, data) in enumerate(attached.items()):
        tree[f"__attach_version1.0_#{number:08X}"] = {
            "__substg1.0_37010102": data,
            "__substg1.0_3707001F": name.replace("_", ".").encode("utf-16-le"),
        }
    return compound(tree)


def test_a_mail_that_outlook_saved_is_read(tmp_path: Path, capsys: Capture) -> None:
    done = check(capsys, tmp_path, msg("Here it is.", turn_vlog=LOG), "turn.msg")
    assert done.out.splitlines()[:2] == [f"turn.vlog: {JUDGED}", "Judged is turn.vlog out of turn.msg."]
    typed = check(
        capsys, tmp_path, msg("Hello,\r\n\r\n" + FAULTY.replace("\n", "\r\n") + "\r\nF."), "typed.msg"
    )
    assert (typed.status, typed.out.splitlines()[0]) == (1, "typed.msg, text: 1 illegal in 3 actions")


@pytest.mark.parametrize("at", range(0, 3000, 171))
def test_a_damaged_mail_of_outlook_raises_nothing(at: int) -> None:
    whole = msg("Hello", turn_vlog=LOG)
    outlook.opened(whole[:at])
    outlook.opened(whole[:at] + b"\xff\xff\xff\x00" + whole[at + 4 :])


# --- archives, signatures ---


def tar(**files: bytes) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name.replace("_", "."))
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


ARCHIVES = {
    "turn.vlog.gz": gzip.compress(LOG),
    "turn.vlog.bz2": bz2.compress(LOG),
    "turn.tar": tar(turn_vlog=LOG),
    "turn.tgz": gzip.compress(tar(turn_vlog=LOG)),
    "turn.tar.gz": gzip.compress(tar(turn_vlog=LOG)),
    "turn.tar.xz": lzma.compress(tar(turn_vlog=LOG)),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_archives_are_opened_alone_and_in_a_mail(name: str, tmp_path: Path, capsys: Capture) -> None:
    data = ARCHIVES[name]
    assert check(capsys, tmp_path, data, name).out.startswith(f"turn.vlog: {JUDGED}")
    assert check(capsys, tmp_path, written(attach(message(), name, data)), "a.eml").out.startswith(
        f"turn.vlog: {JUDGED}"
    )
    torn = check(capsys, tmp_path, data[: len(data) // 2], name)
    assert torn.status in (1, 2)


@pytest.mark.parametrize(
    "start", [b"Rar!\x1a\x07\0", b"7z\xbc\xaf\x27\x1c", b"!BDN....", b"\xcf\xad\x12\xfe..."]
)
def test_what_stays_closed_is_named_with_what_to_do(start: bytes, tmp_path: Path, capsys: Capture) -> None:
    alone = check(capsys, tmp_path, start + bytes(90), "turn.bin")
    mail = check(capsys, tmp_path, written(attach(message(), "turn.bin", start + bytes(90))), "a.eml")
    (tmp_path / "a.eml").write_bytes(written(attach(message(), "turn.vlog", LOG)))
    audited = run(capsys, "audit", tmp_path)
    assert (alone.status, mail.status, audited.status) == (2, 2, 2)
    for said in (alone.err, mail.err, audited.out):
        assert "unpack it" in said.lower() or "Thunderbird" in said


def der(tag: int, content: bytes) -> bytes:
    size = len(content).to_bytes(4, "big")
    return bytes((tag, 0x84)) + size + content


def test_a_mail_within_its_signature_is_read(tmp_path: Path, capsys: Capture) -> None:
    inner = written(attach(message(), "turn.vlog", LOG))
    data = bytes.fromhex("06092a864886f70d010701") + der(0xA0, der(0x04, inner))
    content = der(
        0x30,
        bytes.fromhex("06092a864886f70d010702")
        + der(0xA0, der(0x30, b"\2\1\1" + der(0x31, b"") + der(0x30, data))),
    )
    assert signed.content_of(content) == inner
    assert (
        check(
            capsys, tmp_path, written(attach(message(), "smime.p7m", content, "pkcs7-mime")), "a.eml"
        ).status
        == 0
    )
    done = check(
        capsys,
        tmp_path,
        written(attach(message(), "smime.p7m", b"\x30\x80" + bytes(50), "pkcs7-mime")),
        "b.eml",
    )
    assert "an encrypted mail" in done.err


# --- mailboxes in any form ---


def box(path: Path) -> Path:
    return mailed.in_mbox(path, list(mailed.whole()[:3]))


def in_maildir(path: Path) -> Path:
    made = mailbox.Maildir(path)
    made.add(mailbox.mbox(path.parent / "box")[0])
    for name in ("Games", "Sent"):
        made.add_folder(name)
    made.get_folder("Games").add(mailbox.mbox(path.parent / "box")[1])
    made.get_folder("Sent").add(mailbox.mbox(path.parent / "box")[2])
    return path


@pytest.mark.parametrize(
    "form", ["mbox", "maildir", "mh", "apple", "zip", "tgz", "zipped maildir", "profile", "letter"]
)
def test_a_mailbox_is_read_in_whatever_form_it_lies(form: str, tmp_path: Path, capsys: Capture) -> None:
    source = box(tmp_path / "box")
    target = tmp_path / "it"
    if form == "mbox":
        target = source
    elif form == "maildir":
        in_maildir(target)
    elif form == "mh":
        made = mailbox.MH(target)
        for mail in mailbox.mbox(source):
            made.add(mail)
    elif form == "apple":
        target = tmp_path / "Games.mbox"
        target.mkdir()
        shutil.copy(source, target / "mbox")
    elif form == "zip":
        target.write_bytes(zipped(All_mbox=source.read_bytes()))
    elif form == "tgz":
        target.write_bytes(gzip.compress(tar(All_mbox=source.read_bytes())))
    elif form == "zipped maildir":
        shutil.make_archive(str(target), "zip", in_maildir(tmp_path / "kept"))
        target = tmp_path / "it.zip"
    elif form == "profile":
        (target / "Mail" / "Local Folders").mkdir(parents=True)
        shutil.copy(source, target / "Mail" / "Local Folders" / "Inbox")
        (target / "Mail" / "Local Folders" / "Inbox.msf").write_text('// <!-- <mdb:mork:z v="1.4"/> -->')
    else:
        text = source.read_bytes().replace(
            b"Here it is.", b"Hello,\n\nFrom Monday on I am away.\n\nFrom me", 1
        )
        target.write_bytes(text)
    done = run(capsys, "audit", target, "--json")
    assert done.status == 0
    assert [log["actions"] for log in done.json["logs"]] == [5, 87, 11]


def test_a_folder_of_files_of_all_kinds_names_each(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "turn.vlog").write_bytes(LOG)
    for name, data in (
        ("map.jpg", b"\xff\xd8\xff"),
        ("letter.txt", b"Hello"),
        ("demo.docx", b"x"),
        ("x.pst", b"!BDN"),
    ):
        (tmp_path / name).write_bytes(data)
    done = run(capsys, "audit", tmp_path)
    assert done.status == 2
    assert (
        "5 files and parts of mails were seen: 1 turn, 1 that could not be used, 3 without a turn."
        in done.out
    )
    for name in ("map.jpg", "letter.txt", "demo.docx", "x.pst: Outlook's store"):
        assert name in done.out
