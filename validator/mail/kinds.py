"""What a file is by how it begins, whatever it is called; of what stays closed, what to do about it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from fieldpost.vassal import archive, codec
from fieldpost.vassal.archive import ArchiveError, Limits

GAME_STARTS = codec.MARKS
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
TNEF = b"\x78\x9f\x3e\x22"
LIMITS = Limits(file_bytes=256 << 20, saved_game_bytes=64 << 20)
LOG, ZIP, PACKED, MAILBOX, OUTLOOK, WINMAIL = "log", "zip", "packed", "mailbox", "outlook", "winmail"
MODULE, PAGE, TEXT, CLOSED, OTHER = "module", "page", "text", "closed", "other"

_UNPACK = "unpack it, and name the log that is in it"
_DECRYPT = "open it in the mail program, save the log from there, and name that"
_STARTS = (
    (b"Rar!\x1a\x07", f"an archive of WinRAR: {_UNPACK}"),
    (b"7z\xbc\xaf\x27\x1c", f"an archive of 7-Zip: {_UNPACK}"),
    (b"LZIP", f"an archive of lzip: {_UNPACK}"),
    (b"\x28\xb5\x2f\xfd", f"an archive of zstd: {_UNPACK}"),
    (b"!BDN", "Outlook's store of mails (.pst or .ost): in Outlook, open the mail and save its attachment "
              "(File, Save Attachments); or import the store into Thunderbird, and name the folder there"),
    (b"\xcf\xad\x12\xfe", "a folder of Outlook Express (.dbx): import it into Thunderbird, and name the "
                           "folder there"),
    (b"\x76\xe8\x04\x60", f"an encrypted mail of Outlook (.rpmsg): {_DECRYPT}"),
    (b"-----BEGIN PGP MESSAGE", f"encrypted with PGP: {_DECRYPT}"),
    (b"\x85\x01", f"encrypted with PGP: {_DECRYPT}"),
    (b"\x85\x02", f"encrypted with PGP: {_DECRYPT}"),
    (b"\x84\x5e", f"encrypted with PGP: {_DECRYPT}"),
)  # fmt: skip
_ENDINGS = {
    ".rpmsg": f"an encrypted mail of Outlook: {_DECRYPT}",
    ".pgp": f"encrypted with PGP: {_DECRYPT}",
    ".gpg": f"encrypted with PGP: {_DECRYPT}",
    ".pst": _STARTS[4][1],
    ".ost": _STARTS[4][1],
    ".dbx": _STARTS[5][1],
    ".olm": "a store of Outlook for Mac (.olm): drag the mails out of Outlook into a folder, which saves "
            "each as .eml, and name the folder",
    ".rar": _STARTS[0][1],
    ".7z": _STARTS[1][1],
}  # fmt: skip
_OTHERS = (
    (b"%PDF", "a PDF"), (b"\x89PNG", "a picture"), (b"\xff\xd8\xff", "a picture"), (b"GIF8", "a picture"),
    (b"BM", "a picture"), (b"RIFF", "a picture or a film"), (b"{\\rtf", "a document"),
    (OLE, "a document of Office"),
    (b"SQLite format", "a database"), (b"\x7fELF", "a program"), (b"MZ", "a program"),
)  # fmt: skip
_BY_ENDING = {
    "a picture": (".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".svg", ".heic", ".tif", ".tiff"),
    "a document": (".doc", ".docx", ".odt", ".rtf", ".xls", ".xlsx", ".ods", ".ppt", ".pptx"),
    "a calendar or an address": (".ics", ".vcf"),
    "a signature": (".p7s", ".sig", ".asc"),
    "an index of a mail program": (".msf", ".cdx", ".plist", ".sqlite", ".json", ".dat", ".html~"),
}
_PACKED = ((b"\x1f\x8b", ".gz"), (b"BZh", ".bz2"), (b"\xfd7zXZ", ".xz"))
_TAR = slice(257, 262)


@dataclass(frozen=True)
class Kind:
    """What a file is; `words` say it of one that is not read."""

    name: str
    words: str = ""


def of(data: bytes, name: str) -> Kind:
    ending = PurePosixPath(name.lower()).suffix
    if data.startswith(b"PK"):
        return _zipped(data, name, ending)
    if data.startswith(GAME_STARTS) and not _is_packed_tar(data, name):
        return Kind(LOG)
    for start, words in _STARTS:
        if data.startswith(start):
            return Kind(CLOSED, words)
    if ending in _ENDINGS and not data.startswith((OLE, TNEF)):
        return Kind(CLOSED, _ENDINGS[ending])
    if data.startswith(OLE):
        return Kind(OUTLOOK) if _is_outlook(data, ending) else Kind(OTHER, "a document of Office")
    if data.startswith(TNEF):
        return Kind(WINMAIL)
    if packing_of(data):
        return Kind(PACKED)
    if data.startswith(b"From ") and b"\n" in data[:500]:
        return Kind(MAILBOX)
    return _by_its_looks(data, ending)


def _is_packed_tar(data: bytes, name: str) -> bool:
    """A saved game of VASSAL may be packed by xz; one of other files says so by its name."""
    return data.startswith(codec.XZ_MARK) and name.lower().endswith((".xz", ".txz"))


def _by_its_looks(data: bytes, ending: str) -> Kind:
    for start, words in _OTHERS:
        if data.startswith(start):
            return Kind(OTHER, words)
    head = data[:4096].lstrip(b"\xef\xbb\xbf \r\n\t").lower()
    if head.startswith((b"<!doctype html", b"<html", b"<head", b"<body")) or ending in (".html", ".htm"):
        return Kind(PAGE)
    words = next((words for words, endings in _BY_ENDING.items() if ending in endings), "")
    if words:
        return Kind(OTHER, words)
    return Kind(TEXT)


def is_other_by_name(name: str) -> bool:
    """Whether a file is no turn by its name alone, so that it need not be unpacked."""
    path = PurePosixPath(name.lower())
    others = (ending for endings in _BY_ENDING.values() for ending in endings)
    return path.suffix in others and path.suffix != ".dat"


def packing_of(data: bytes) -> str:
    """The ending of the archives that Python opens; empty for anything else."""
    if data[_TAR] == b"ustar":
        return ".tar"
    return next((ending for start, ending in _PACKED if data.startswith(start)), "")


def _is_outlook(data: bytes, ending: str) -> bool:
    """A mail in Outlook's own form holds streams of these names."""
    return ending in (".msg", ".oft") or "__properties_version1.0".encode("utf-16-le") in data


def _zipped(data: bytes, name: str, ending: str) -> Kind:
    try:
        names = archive.entry_names(data, name, LIMITS)
    except ArchiveError:
        return Kind(LOG if ending in (".vlog", ".vsav", ".log", ".sav") else ZIP)
    if ending == ".olm" or any("com.microsoft.__messages" in entry.lower() for entry in names):
        return Kind(CLOSED, _ENDINGS[".olm"])
    try:
        if archive.is_wrapping(data, name, LIMITS):
            office = "[Content_Types].xml" in names or "mimetype" in names
            return Kind(OTHER, "a document of Office") if office else Kind(ZIP)
    except ArchiveError:
        return Kind(ZIP)
    if any(entry in archive.BUILD_FILES for entry in names) and archive.SAVED_GAME not in names:
        return Kind(MODULE, "a module, not a turn: the log (.vlog) is needed")
    return Kind(LOG)


_LINK = re.compile(
    r"https?://[^\s<>\"]*?(drive\.google|docs\.google|dropbox|onedrive|1drv\.ms|sharepoint|wetransfer|we\.tl"
    r"|icloud|mega\.nz|box\.com|mediafire|sendspace|pcloud|magentacloud|swisstransfer|filemail|gofile|transfer\.sh"
    r"|nextcloud|owncloud|mail-attachment|yousendit|file\.io|terabox|attachment)[^\s<>\"]*",
    re.IGNORECASE,
)
_LINKED_LOG = re.compile(r"https?://[^\s<>\"]*\.(vlog|vsav|zip)\b", re.IGNORECASE)
_MAIL_DROP = re.compile(
    r"click to download|download attachment|mail ?drop|anhang laden|télécharger la pièce", re.I
)
_TAKEN_OUT = re.compile(
    r"(attachment|anhang|non-text|html|scrubbed|pièce jointe|adjunto|allegato|file)[^\n]{0,80}"
    r"(was scrubbed|scrubbed|was removed|removed|stripped|deleted|detached|entfernt|gelöscht|blocked|supprimé"
    r"|eliminado|rimosso|quarantin)",
    re.IGNORECASE,
)
_LOG_NAMED = re.compile(r"[\w.() -]{1,60}\.(?:vlog|vsav|zip)\b", re.IGNORECASE)


_GAME_WORDS = re.compile(
    r"\b(turn|log|logs|vlog|vassal|zug|runde|phase|tour|turno)\b|\.vlog|\.vsav", re.IGNORECASE
)


def of_a_game(text: str) -> bool:
    """Whether a mail that holds a link speaks of a game at all."""
    return _GAME_WORDS.search(text[:20_000]) is not None


def absent(text: str) -> str:
    """What a mail's text says of a turn that is not in the mail, but behind a link or taken out."""
    text = text[:100_000]
    named = _LOG_NAMED.search(text)
    which = f" ({named[0].strip()})" if named else ""
    if _TAKEN_OUT.search(text):
        where, remedy = (" and lies behind a link", "download it there, or ") if "http" in text else ("", "")
        return f"an attachment{which} was removed on its way{where}: {remedy}ask for the log again, in a zip"
    if _LINK.search(text) or _LINKED_LOG.search(text) or (_MAIL_DROP.search(text) and "http" in text):
        return f"it holds a link instead of the file{which}: download the log in a browser, and name that"
    if "-----BEGIN PGP MESSAGE-----" in text:
        return f"its text is encrypted with PGP: {_DECRYPT}"
    return ""
