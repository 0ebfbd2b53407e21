"""Whatever lies in a folder, an audit says what is wrong with it, goes on, and ends."""

from __future__ import annotations

import io
import os
import zipfile
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest

from fieldpost.errors import FieldpostError
from tests.fieldpost.commands.running import Run, run
from tests.validator.audit import mailed
from validator.audit import sources
from validator.audit.sources import Item, Unusable

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def good() -> bytes:
    return mailed.whole()[0].data


def zipped(**entries: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name.replace("__", "."), content)
    return data.getvalue()


def audit(capsys: Capture, *paths: Path) -> Run:
    """Both ways say the same of what is bad; neither a traceback nor a page of noise."""
    done = run(capsys, "audit", *paths)
    many = run(capsys, "audit", *paths, "--jobs", 0)
    assert many.status == done.status
    assert "Traceback" not in many.err + many.out + done.out
    return done


def found(path: Path) -> tuple[list[str], dict[str, str]]:
    items = list(sources.gather([path]))
    return (
        [item.name for item in items if isinstance(item, Item)],
        {item.name: item.why for item in items if isinstance(item, Unusable)},
    )


def test_a_log_cut_anywhere_is_read_or_named(good: bytes, tmp_path: Path, capsys: Capture) -> None:
    for number, at in enumerate(range(1, len(good), len(good) // 12)):
        (tmp_path / f"{number:02}.vlog").write_bytes(good[:at])
    done = audit(capsys, tmp_path)
    assert done.status in (1, 2)
    for path in tmp_path.iterdir():
        assert path.name in done.out


def test_a_zip_of_logs_cut_anywhere_is_named(good: bytes, tmp_path: Path, capsys: Capture) -> None:
    whole = zipped(a__vlog=good, b__vlog=good)
    for number, at in enumerate(range(1, len(whole) - 1, len(whole) // 8)):
        (tmp_path / f"{number}.zip").write_bytes(whole[:at])
    done = audit(capsys, tmp_path)
    assert done.status == 2
    for path in tmp_path.iterdir():
        assert path.name in done.out


def test_bytes_turned_at_random_end_in_words(good: bytes, tmp_path: Path, capsys: Capture) -> None:
    random = Random(4)
    for number in range(25):
        spoiled = bytearray(good)
        for _ in range(random.choice((1, 4, 60))):
            spoiled[random.randrange(len(spoiled))] = random.randrange(256)
        (tmp_path / f"{number}.vlog").write_bytes(bytes(spoiled))
    assert audit(capsys, tmp_path).status in (0, 1, 2)


def test_a_link_in_a_circle_and_links_out_are_not_followed(good: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "a.vlog").write_bytes(good)
    (folder / "again").symlink_to(folder)
    (folder / "up").symlink_to(tmp_path)
    (folder / "self.vlog").symlink_to(folder / "self.vlog")
    (folder / "passwd.vlog").symlink_to("/etc/passwd")
    links = dict.fromkeys(("again", "passwd.vlog", "self.vlog", "up"), "a link, which is not followed")
    assert found(folder) == (["a.vlog"], links)


def test_a_link_to_itself_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "self").symlink_to(tmp_path / "self")
    with pytest.raises(FieldpostError, match="no such file"):
        found(tmp_path / "self")


def test_pipes_and_sockets_are_passed_by(good: bytes, tmp_path: Path, capsys: Capture) -> None:
    """Opening a pipe would wait for a writer for ever."""
    (tmp_path / "a.vlog").write_bytes(good)
    os.mkfifo(tmp_path / "pipe.vlog")
    os.mkfifo(tmp_path / "box.mbox")
    names, unusable = found(tmp_path)
    assert names == ["a.vlog"]
    assert unusable == dict.fromkeys(("box.mbox", "pipe.vlog"), "neither a file nor a folder")
    assert audit(capsys, tmp_path / "pipe.vlog").status == 2


def test_what_may_not_be_read_is_named(good: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a folder that refuses, as permissions do not bind whoever runs these tests as root."""
    (tmp_path / "a.vlog").write_bytes(good)
    (tmp_path / "closed").mkdir()
    listed = Path.iterdir

    def refusing(path: Path) -> object:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", refusing)
    assert found(tmp_path) == (["a.vlog"], {"closed": "permission denied"})


def test_a_file_that_goes_while_it_is_audited_is_named(good: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.vlog").write_bytes(good)
    [pointer] = list(sources.point(tmp_path))
    assert isinstance(pointer, sources.Pointer)
    (tmp_path / "a.vlog").unlink()
    assert isinstance(sources.load(pointer), Unusable)


def test_folders_very_deep_are_walked(good: bytes, tmp_path: Path) -> None:
    deep = tmp_path
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(200):
        deep = deep / "abcdefgh"
    os.close(here)
    deep.mkdir(parents=True)
    (deep / "a.vlog").write_bytes(good)
    assert found(tmp_path) == (["a.vlog"], {})


def test_a_zip_of_more_entries_than_anybody_has_is_refused(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for number in range(100_001):
            archive.writestr(zipfile.ZipInfo(f"{number}.vlog"), b"")
    (tmp_path / "many.zip").write_bytes(data.getvalue())
    names, unusable = found(tmp_path)
    assert names == []
    assert "too many" in unusable["many.zip"]


def test_many_small_bombs_stop_at_a_sum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "UNPACKED_AT_LEAST", 20 << 20)
    bombs = zipped(**{f"{number}__vlog": bytes(3 << 20) for number in range(50)})
    (tmp_path / "bombs.zip").write_bytes(bombs)
    names, unusable = found(tmp_path)
    assert len(names) == 6
    assert "unpacks to more than" in unusable["bombs.zip"]


def test_a_zip_that_points_out_of_itself_is_refused(good: bytes, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "out.zip").write_bytes(zipped(**{"../../evil__vlog": good}))
    done = audit(capsys, tmp_path)
    assert done.status == 2
    assert "points outside the archive" in done.out


BAD_BOXES = {
    "empty": b"",
    "no mail": b"From nobody at all\n\n\n",
    "only lines": b"From \n" * 3000,
    "no end": b"From a Mon Jun  1 12:00:00 2026\nContent-Type: multipart/mixed; boundary=x\n\n--x\n",
    "one line": b"From " + b"x" * (1 << 20),
    "bad header": b"From a\n\xff\xfe: \x00\nDate: never\nContent-Type: ;;;=\n\nhello\n",
    "bad base64": (
        b"From a\nContent-Type: application/octet-stream; name=a.vlog\n"
        b"Content-Disposition: attachment; filename=a.vlog\nContent-Transfer-Encoding: base64\n\n%%%%\n"
    ),
}


@pytest.mark.parametrize("kind", BAD_BOXES)
def test_a_bad_mailbox_ends_in_words(kind: str, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "box.mbox").write_bytes(BAD_BOXES[kind])
    assert audit(capsys, tmp_path / "box.mbox").status == 2


def test_mails_in_mails_without_end_end(good: bytes, tmp_path: Path, capsys: Capture) -> None:
    message = EmailMessage()
    message.add_attachment(good, maintype="application", subtype="zip", filename="a.vlog")
    for _ in range(40):
        outer = EmailMessage()
        outer.set_content("see below")
        outer.add_attachment(message)
        message = outer
    (tmp_path / "deep.eml").write_bytes(message.as_bytes())
    assert audit(capsys, tmp_path / "deep.eml").status in (0, 2)


def test_names_no_terminal_can_show_are_shown_somehow(good: bytes, tmp_path: Path, capsys: Capture) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\xfe\x1b[31m.vlog"
    with open(path, "wb") as file:
        file.write(b"PK\x03\x04 nothing")
    with open(os.fsencode(tmp_path) + b"/\xff.vlog", "wb") as file:
        file.write(good)
    assert run(capsys, "audit", tmp_path, "--json").status in (0, 2)
    assert run(capsys, "audit", tmp_path, "--jobs", 0, "--out", tmp_path / "o.jsonl", "--json").status in (
        0,
        2,
    )
