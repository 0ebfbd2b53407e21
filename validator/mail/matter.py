"""What mail programs put into the text of a mail beside what was written.

docs/mail.md lists these rules for people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from validator.sheet.written import acts

MOST_ATTRIBUTION = 3  # lines into which `On ... Anna wrote:` may be broken
LONGEST = 2_000  # letters of a line that a mail program writes
MOST_BETWEEN = 5  # lines from `From:` to `Subject:`

_FROM = (
    "from|von|de|da|van|fra|från|od|od kogo|от|lähettäjä|feladó|kimden|nadawca|avsändare|afsender|mittente"
    "|remitente|expéditeur|发件人|差出人|보낸 사람"
)
_OTHER = (
    "sent|date|to|cc|subject|reply-to|gesendet|datum|an|betreff|kopie|envoyé|envoye|à|objet|enviado"
    "|enviado el|para|asunto|fecha|inviato|data|a|oggetto|verzonden|aan|onderwerp|sendt|dato|til|emne"
    "|skickat|till|ämne|wysłano|do|temat|отправлено|дата|кому|тема|odesláno|komu|předmět|lähetetty"
    "|vastaanottaja|aihe|assunto|enviada em|címzett|tárgy|kime|konu|发送时间|收件人|主题|日付|宛先|件名"
)
_LABEL = r"\s*[*_]{{0,2}}(?:{0})\s*[*_]{{0,2}}\s*[:：][*_]{{0,2}}(?:\s|$)"
_FROM_LINE = re.compile(_LABEL.format(_FROM), re.IGNORECASE)
_OTHER_LINE = re.compile(_LABEL.format(f"{_FROM}|{_OTHER}"), re.IGNORECASE)
_ANY_LABEL = re.compile(r"\s*[*_]{0,2}[^\W\d_][^:：\d]{0,24}[:：][*_]{0,2}\s+\S")
_ADDRESS = re.compile(r"[^\s<>@\"]+@[^\s<>@\"]+\.[^\s<>@\"]+")
_CLOCK = re.compile(r"\b\d{1,2}[:.]\d\d\b")
_RULED = re.compile(r"\s*[-_*=]{3,}\s*[^\W\d_][^-_*=]{3,60}[-_*=]{3,}\s*")
_PGP = re.compile(r"-----(BEGIN|END) PGP ")
_FORWARDED = re.compile(
    r"\s*(begin forwarded message|anfang der weitergeleiteten nachricht|start weitergeleitete nachricht"
    r"|début du message (réexpédié|transféré)|inicio del mensaje reenviado|inizio messaggio inoltrato"
    r"|begin doorgestuurd bericht)\s*:\s*",
    re.IGNORECASE,
)
_WROTE = re.compile(
    r"(wrote|schrieb|schrieb am .*|a écrit|écrit|escribió|ha scritto|scritto|schreef|geschreven|skrev"
    r"|napisał(\(a\)|a)?|escreveu|пишет|писал\(а\)|писал|написал(а)?|kirjoitti|napsal(\(a\)|a)?|írta"
    r"|şunları yazdı|yazdı|写道)\W*$",
    re.IGNORECASE,
)
_DATED = re.compile(r"\b(19|20)\d\d\b|\d{1,2}[:.]\d\d\b")
_DIVIDER = re.compile(
    r"\s*([-_=*~#+.\u2013\u2014\u2500\u2501])\1+\s*|\s*\u2014\s*|\s*([-_=*~] ){3,}[-_=*~]?\s*"
)
_FOOTER = re.compile(
    r"\s*(sent from (my|mail|outlook|yahoo|proton|gmx)|sent (with|via|using) |get outlook for|von meinem "
    r"|gesendet (mit|von|über|aus)|diese nachricht wurde von mein"
    r"|envoyé (de|à partir|depuis) |télécharger outlook"
    r"|enviado (desde|do|a partir)|obtener outlook|inviato da|scarica outlook|verzonden (vanaf|met|via)"
    r"|outlook voor |sendt fra|skickat från|wysłane z|отправлено (с|из) |lähetetty |odesláno z"
    r"|virus-free|virenfrei|sans virus|libre de virus|this e-?mail has been (checked|scanned)"
    r"|diese e-?mail wurde (von|auf)|\[?(image|cid|bild)\s*:|<#[0-9a-f-]{8,}>\s*$|<?https?://\S+>?\s*$|www\.\S+\s*$"
    r"|you received this message because|to unsubscribe|-- ?\s*you received)",
    re.IGNORECASE,
)
_FAREWELL = re.compile(
    r"\s*((best|kind|warm|with( kind| best)?)? ?regards|best( wishes)?|cheers|thanks|thank you|many thanks"
    r"|yours( truly| sincerely)?|sincerely|bye|ciao|cu|see you|have fun|good luck"
    r"|(viele|liebe|beste|schöne|mit freundlichen|freundliche) grü(ß|ss)en?|gru(ß|ss)|lg|vg|mfg"
    r"|bis (dann|bald)"
    r"|cordialement|amicalement|bien à toi|à bientôt|saludos|un saludo|saluti|un saluto|groet(en|jes)?"
    r"|met vriendelijke groet|hilsen|mvh|pozdrawiam|с уважением)\b[^\d\"]{0,40}",
    re.IGNORECASE,
)
_PICTURE = re.compile(r"\s*(\[(image|cid|bild|inline image)\s*:?[^\]]*\]|\ufffc)\s*", re.IGNORECASE)


def is_quoted(line: str) -> bool:
    return line.lstrip().startswith((">", "|"))


def is_divider(line: str) -> bool:
    """A line of nothing but two signs or more of one kind: what `--` above a signature is too."""
    return _DIVIDER.fullmatch(line) is not None


def is_signature_mark(line: str) -> bool:
    return line.strip() == "--"


def is_footer(line: str) -> bool:
    """A line that a mail program or a mailing list puts below, or a farewell."""
    return bool(_FOOTER.match(line) or _FAREWELL.fullmatch(line))


def is_picture(line: str) -> bool:
    """What stands in plain text for a picture, or for an attachment between two texts."""
    return _PICTURE.fullmatch(line) is not None


def is_code_fence(line: str) -> bool:
    return line.strip().startswith("```")


def is_pgp_line(line: str) -> bool:
    return _PGP.match(line.strip()) is not None


def older_mail_begins(lines: Sequence[str], at: int) -> int:
    """How many lines from here on say that an older mail follows; 0 if none does."""
    line = lines[at]
    if len(line) > LONGEST or not line.strip() or is_quoted(line) or is_pgp_line(line):
        return 0
    if _RULED.fullmatch(line) or _FORWARDED.fullmatch(line):
        return 1
    header = _header(lines, at)
    return header or attribution(lines, at)


def _header(lines: Sequence[str], at: int) -> int:
    """The lines `From:`, `Sent:`, `To:`, `Subject:` in any language."""
    block = []
    for line in lines[at : at + MOST_BETWEEN + 3]:
        if acts(line) or len(line) > LONGEST:
            break
        if not _ANY_LABEL.match(line) and not _OTHER_LINE.match(line):
            break
        block.append(line)
    known = sum(_OTHER_LINE.match(line) is not None for line in block)
    if _FROM_LINE.match(lines[at]) and known >= 2:
        return len(block)
    shown = any(_ADDRESS.search(line) for line in block) and any(_CLOCK.search(line) for line in block)
    return len(block) if len(block) >= 3 and shown else 0


def attribution(lines: Sequence[str], at: int) -> int:
    """How many lines `On ... Anna wrote:` takes here, in any language; 0 for none."""
    whole = ""
    if " " not in lines[at].strip():
        return 0
    for number, line in enumerate(lines[at : at + MOST_ATTRIBUTION], 1):
        if len(line) > LONGEST or not line.strip() or is_quoted(line):
            return 0
        whole = f"{whole} {line.strip()}"[:600]
        ended = whole.endswith((":", "："))
        if ended and any(map(acts, lines[at : at + number])):
            return 0
        if ended and _WROTE.search(whole) and (number == 1 or _DATED.search(whole)):
            return number
        if ended:
            return number if _DATED.search(whole) and _ADDRESS.search(whole) else 0
    return 0
