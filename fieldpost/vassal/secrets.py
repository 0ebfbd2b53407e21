"""Passwords, mail addresses and names in a saved game: found, and taken out.

A player's id is his password. It is learned where only an id can stand: in PLAYER (and notes and
unmasking), as the last field of a move, as owner in the state of a mask, a concealed, hidden or
restricted piece. It is then taken out wherever it stands as a field of its own (a property, a label, a
command nobody knows) and from all that people wrote, and becomes `player-1`, `player-2`, ...; the result
replays the same. Private and sealed notes lose their text.

In a copy for others an alias ends in a line of its own: VASSAL's field for the password takes no second line,
so nobody can sit down under it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from html import escape
from secrets import token_hex

from fieldpost.vassal import chat, codec, commands, pieces, tree
from fieldpost.vassal.codec import ESC, TAB
from fieldpost.vassal.pieces import NO_USER, NONE, PieceType
from fieldpost.vassal.steps import LOG, UNDO_CLOSES, UNDO_OPENS, Log
from fieldpost.vassal.steps import parse as parse_log
from fieldpost.vassal.table import Aliases
from fieldpost.vassal.traits import Trait

HIDDEN = "***"
NO_MAIL = "mail removed"
_MAIL = re.compile(r"[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,8}[A-Za-z]{2,24}")
_ALIAS = re.compile(r"player-\d{1,4}(?:\n[0-9a-f]{16})?")  # what scrubbed logs have in a password's place
_UNTYPED = re.compile(r"player-\d{1,4}\n[0-9a-f]{16}")
_PRIVATE_CHAT = "PRIV_CHAT"
_LONG = 6
_PIECE = ("+/", "D/", "M/")
_PLAYER, _LEAVES, _NOTE, _SEALED = "PLAYER\t", "PYREMOVE\t", "PNOTE\t", "SNOTE\t"
_UNMASK, _SCENARIO = "UNMASK\t", "INFO\t"
_NAME_AT = 2
_IDS: dict[str, slice] = {
    _PLAYER: slice(1, 2),
    _LEAVES: slice(1, 2),
    _NOTE: slice(1, 2),
    _SEALED: slice(2, 3),
    _UNMASK: slice(1, None),
    _SCENARIO: slice(11, None, 2),  # each followed by his notes
}
"""Which fields of a command are ids; the command's word is field 0."""

_VALUES = {"MutableProperty\t": (TAB, (2, 3)), "GlobalProperty\t": (";", (2,))}
"""Which fields of a command are values that a player may have set."""

_FIXED = frozenset({"begin_save", "end_save", UNDO_OPENS, UNDO_CLOSES, "SETUP_STACK\t"})
_NUMBERS_ONLY = (commands.Turn, commands.Boards, commands.VaslBoards, commands.LineOfSight, commands.Flare)
_MEANINGFUL = ("true", "false", "null", "stack", "Module")
"""Words of the format: as a password, such a word is taken from its places only."""

_PLACES = ("UniqueID", "OldZone", "OldLocationName", "OldDeckName", "OldX", "OldY", "OldBoard", "OldMap")
_WRITTEN_BY_ENGINE = frozenset({*_PLACES, "ClickedX", "ClickedY", "CloneID"})
_WITH_VALUES = {"PROP;": None, "label;": None, "propertysheet;": None, "mark;": ",", "table;": ","}
"""Traits whose state is, or lists, values that a player may have set."""

_DELIMITERS = "\t\x1b;/,|:"
_BETWEEN = re.compile(rf"[{re.escape(_DELIMITERS)}]")
_FIELD_ENDS = re.escape(_DELIMITERS) + r"=<>\s"
_MOVE_LIKE = re.compile(r".{1,2}/[^/]+/[^/]*/-?\d+/-?\d+/[^/]*/[^/]*/-?\d+/-?\d+/[^/]*/(?P<id>.+)", re.DOTALL)


UNTYPED = f"\n{0:016x}"
"""The ending of aliases where the same input must always give the same output."""


def untyped() -> str:
    """The ending of aliases in a copy: no password that anybody can type ends so."""
    return f"\n{token_hex(8)}"


class Redactor:
    """Blanks what must not be shown in a text made from a log."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._exact = frozenset(secret for secret in secrets if not _ALIAS.fullmatch(secret))
        self._replace = _Replacer(dict.fromkeys(self._exact, HIDDEN), HIDDEN)

    def clean(self, text: str) -> str:
        return HIDDEN if text in self._exact else self._replace(text)


def redactor(log: Log) -> Redactor:
    """A redactor that knows every password of a log."""
    return Redactor(Scrubber(log).secrets())


def scrub(log: Log, names: bool = False) -> str:
    """The saved game without passwords and mail addresses, on request without names."""
    return Scrubber(log, names).text(log.parts)


def discreet(log: Log) -> Log:
    """The same log for showing: nothing in it is secret, whatever is made from it."""
    scrubber = Scrubber(log)
    meta = log.metadata
    description = meta.description and scrubber.free(meta.description)
    clean = parse_log(scrubber.text(log.parts), replace(meta, description=description), log.name)
    return replace(clean, remarks=log.remarks)


@dataclass
class Disguises:
    """What players are called in copies; those of one game share them, so that a player stays the same."""

    aliases: Aliases = field(default_factory=Aliases)
    names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def untyped(cls, ending: str) -> Disguises:
        """Aliases with an ending that no password has; those that have one already stay."""
        return cls(Aliases(ending, _UNTYPED))


class Scrubber:
    """Knows the secrets of one log and writes its commands without them."""

    def __init__(self, log: Log, names: bool = False, disguises: Disguises | None = None) -> None:
        self._types: dict[str, PieceType | None] = {}
        disguises = disguises or Disguises()
        self._aliases, self._names = disguises.aliases, disguises.names
        self._vocabulary: set[str] = set(_MEANINGFUL)
        self._met: set[str] = set()
        for text in _all_texts(log.parts):
            self._learn(text)
        self.found = len(self._met.intersection(self.secrets()))
        self._words = "\n".join(self._vocabulary)
        self._names_too = names
        aliases = {secret: self._aliases.of(secret) for secret in self.secrets()}
        shown_names = {name: alias for name, alias in self._names.items() if names and name not in aliases}
        structural = {secret: alias for secret, alias in aliases.items() if not self.spares(secret)}
        self._anywhere = _Replacer(
            structural | {name: alias for name, alias in shown_names.items() if name not in self._words}
        )
        in_text = {secret: alias.partition("\n")[0] for secret, alias in aliases.items()}
        self.free: Callable[[str], str] = _Replacer(in_text | shown_names)
        """Any text without secrets: chat, notes, descriptions."""
        self._in_fields = _fields_of(
            {secret: alias for secret, alias in aliases.items() if secret not in self._vocabulary}
        )

    def secrets(self) -> list[str]:
        return [secret for secret in self._aliases.secrets() if secret not in ("", NONE, NO_USER)]

    def spares(self, secret: str) -> bool:
        """True if a password means something else as well: then it is taken where it is a field by itself."""
        return secret in self._words or secret.isdecimal() or len(secret) < 3

    def text(self, parts: Iterable[str]) -> str:
        return codec.encode([self.part(part) for part in parts], ESC)

    def part(self, part: str) -> str:
        """One part of the top level."""
        return tree.write(self.node(tree.read(part)))

    def node(self, node: tree.Node) -> tree.Node:
        """A tree of commands without secrets; what has none keeps its bytes."""
        for _, item in node.walk():
            if item.raw == item.text:
                item.text = item.raw = self.value(item.text)
                continue
            clean = self.command(item.text)
            if clean != item.text:
                item.text, item.raw = clean, None
            elif item.raw is not None and self.free(item.raw) != item.raw:
                item.raw = None
        return node

    def command(self, text: str) -> str:
        """One command without secrets; `LOG` may stand before it any number of times."""
        plain = _LOGGED.sub("", text)
        return text[: len(text) - len(plain)] + self._plain(plain)

    def _plain(self, text: str) -> str:
        if text.startswith(_PIECE):
            return self._anywhere(self._piece_command(text))
        if text in _FIXED:
            return text
        for prefix in _IDS:
            if text.startswith(prefix):
                return self._addressed(_without_notes(text), _IDS[prefix])
        if text.startswith(_PRIVATE_CHAT):
            return _PRIVATE_CHAT
        for prefix, (delimiter, places) in _VALUES.items():
            if text.startswith(prefix):
                return self._anywhere(self._with_values(text, delimiter, places))
        spec = commands.find(text)
        if spec is None:
            return self.value(_without_id(text))
        if spec.cls in _NUMBERS_ONLY:
            return self._anywhere(text)
        return self.free(text) if spec.cls in _PROSE else self.value(text)

    def value(self, text: str) -> str:
        """A value or a command without secrets, each a field in it or a word."""
        return text if text in self._vocabulary else self.free(self._in_fields(text))

    # -- finding

    def _learn(self, text: str) -> None:
        if text.startswith("+/"):
            self._learn_piece(text)
        elif text.startswith("D/"):
            tokens = codec.decode(text[2:], "/")
            for state in tokens[1:3]:
                self._learn_owners(self._types.get(tokens[0]), state)
        elif text.startswith("M/"):
            tokens = codec.decode(text[2:], "/")
            self._vocabulary.update(tokens[1:2])
            if len(tokens) > 9:
                self._meet(tokens[9])
        elif text.startswith("CHAT"):
            self._learn_names(text[4:])
        elif "BoardPicker" in text:
            self._learn_boards(text)
        else:
            self._learn_addressed(text)

    def _learn_piece(self, text: str) -> None:
        tokens = codec.decode(text[2:], "/")
        if len(tokens) < 3 or tokens[1] == "stack":
            return
        self._vocabulary.add(tokens[1])
        if tokens[1].startswith("deck;"):
            return
        try:
            self._types[tokens[0]] = type = pieces.read_type(tokens[1])
        except codec.NestingError:
            return
        self._learn_owners(type, tokens[2])

    def _learn_owners(self, type: PieceType | None, state: str) -> None:
        if type is None or not type.owned:
            return
        states = type.states(state)
        for at in type.owned:
            owner = pieces.owner_of(type.traits[at], states[at])
            if owner is not None:
                self._meet(owner)

    def _learn_boards(self, text: str) -> None:
        """Names of maps and boards have to stay for the log to open."""
        match commands.parse(text):
            case commands.Boards(map, boards):
                self._vocabulary.update([map, *boards[::3]])

    def _learn_addressed(self, text: str) -> None:
        for prefix, places in _IDS.items():
            if text.startswith(prefix):
                tokens = codec.decode(text, TAB)
                for id in tokens[places]:
                    self._meet(id)
                if prefix == _PLAYER and len(tokens) > _NAME_AT:
                    self._name(tokens[_NAME_AT])
                return
        for id in _ids_in_damaged(text):
            self._meet(id)

    def _learn_names(self, line: str) -> None:
        spoken = chat.parse(line)
        if isinstance(spoken, chat.Said | chat.Dice):
            self._name(spoken.name or "")

    def _name(self, name: str) -> None:
        if name:
            self._names.setdefault(name, f"Player {len(self._names) + 1}")

    def _meet(self, id: str) -> None:
        self._aliases.of(id)
        self._met.add(id)

    # -- replacing

    def _shown_name(self, name: str) -> str:
        """A name stays unless it is to go, or is a password as well."""
        if self._names_too:
            return self._names.get(name, name)
        return self._aliases.of(name) if name in self.secrets() else self.free(name)

    def _alias(self, id: str) -> str:
        return id if id in ("", NONE) else self._aliases.of(id)

    def _piece_command(self, text: str) -> str:
        tokens = codec.decode(text[2:], "/")
        if text[0] == "M":
            if len(tokens) < 10 or tokens[9] in ("", NONE):
                return text
            tokens[9] = self._aliases.of(tokens[9])
            return "M/" + codec.encode(tokens, "/")
        if text[0] == "+" and (len(tokens) < 2 or tokens[1].startswith(("stack", "deck;"))):
            return text
        type = self._types.get(tokens[0])
        first = 2 if text[0] == "+" else 1
        clean = [*tokens[:first], *(self._state(type, state) for state in tokens[first:])]
        return text if clean == tokens else text[:2] + codec.encode(clean, "/")

    def _state(self, type: PieceType | None, text: str) -> str:
        if type is None:
            return text
        states = type.states(text)
        clean = [self._trait(trait, state) for trait, state in zip(type.traits[:-1], states, strict=False)]
        clean.append(self._basic(states[-1]))
        return text if clean == states else codec.nest(clean)

    def _trait(self, trait: Trait, state: str) -> str:
        if not state:
            return state
        if pieces.names_player(trait):
            owner = pieces.owner_of(trait, state)
            return state if owner is None else pieces.with_owner(trait, state, self._aliases.of(owner))
        if trait.spec is not None and trait.prefix not in _WITH_VALUES:
            return state
        delimiter = _WITH_VALUES.get(trait.prefix)
        return self.value(state) if delimiter is None else self._list(state, delimiter)

    def _list(self, text: str, delimiter: str) -> str:
        tokens = codec.decode(text, delimiter)
        clean = [self.value(token) for token in tokens]
        return text if clean == tokens else codec.encode(clean, delimiter)

    def _basic(self, text: str) -> str:
        """The properties a piece remembers; what the engine writes about places stays."""
        tokens = codec.decode(text, ";")
        clean = list(tokens)
        for at in range(6, len(tokens), 2):
            if tokens[at - 1] not in _WRITTEN_BY_ENGINE:
                clean[at] = self.value(tokens[at])
        return text if clean == tokens else codec.encode(clean, ";")

    def _with_values(self, text: str, delimiter: str, places: Iterable[int]) -> str:
        tokens = codec.decode(text, delimiter)
        clean = list(tokens)
        for at in places:
            if at < len(tokens):
                clean[at] = self.value(tokens[at])
        return text if clean == tokens else codec.encode(clean, delimiter)

    def _addressed(self, text: str, places: slice) -> str:
        tokens = codec.decode(text, TAB)
        ids = set(range(len(tokens))[places])
        names = {_NAME_AT} if text.startswith(_PLAYER) else set()
        clean = [
            self._alias(token) if at in ids else self._shown_name(token) if at in names else self.value(token)
            for at, token in enumerate(tokens[1:], 1)
        ]
        return text if clean == tokens[1:] else codec.encode([tokens[0], *clean], TAB)


_LOGGED = re.compile(rf"\A(?:{LOG})+")
_PROSE = (commands.Chat, commands.Notes, commands.PublicNotes)


class _Replacer:
    """Puts other words for words in what people wrote."""

    def __init__(self, words: dict[str, str], mail: str = NO_MAIL) -> None:
        self._words = {form: other for word, other in words.items() for form in (escape(word, False), word)}
        self._mail = mail
        found = sorted(self._words, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_wherever_it_stands, found))) if found else None
        self._signs = tuple({max(_BETWEEN.split(word), key=len) for word in self._words})

    def __call__(self, text: str) -> str:
        if self._pattern is not None and any(sign in text for sign in self._signs):
            text = self._pattern.sub(lambda found: self._word(found[0]), text)
        return _MAIL.sub(self._mail, text) if "@" in text else text

    def _word(self, found: str) -> str:
        return self._words.get(found) or self._words[_unescaped(found, self._words)]


def _wherever_it_stands(word: str) -> str:
    """Long words in other words too, short ones where they stand alone."""
    text = _with_escapes(word)
    if len(word) >= _LONG:
        return text
    before = r"(?<!\w)" if re.match(r"\w", word) else r"(?<!\S)"
    after = r"(?!\w)" if re.search(r"\w\Z", word) else r"(?!\S)"
    return before + text + after


def _with_escapes(word: str) -> str:
    """A word as a pattern: lists in lists put backslashes before delimiters in it."""
    return "".join(rf"\\*{re.escape(mark)}" if mark in _DELIMITERS else re.escape(mark) for mark in word)


def _unescaped(found: str, words: Iterable[str]) -> str:
    return next(word for word in words if re.fullmatch(_with_escapes(word), found))


def _fields_of(words: dict[str, str]) -> Callable[[str], str]:
    """Replaces words that are a whole field of some list, however deep it lies in others."""
    if not words:
        return str
    found = sorted(words, key=len, reverse=True)
    before, after = rf"(?:(?<=[{_FIELD_ENDS}'])|\A)", rf"(?=\\*[{_FIELD_ENDS}']|\Z)"
    pattern = re.compile(f"{before}(?:{'|'.join(map(_with_escapes, found))}){after}")

    def clean(text: str) -> str:
        return pattern.sub(lambda one: words.get(one[0]) or words[_unescaped(one[0], words)], text)

    return clean


# -- notes


def _without_notes(text: str) -> str:
    """A note that not everybody may read, without its text."""
    tokens = codec.decode(text, TAB)
    if text.startswith(_NOTE):
        tokens[2:] = [""]
    elif text.startswith(_SEALED) and tokens[3:4] != ["false"]:
        tokens[4:5] = [""]
    elif text.startswith(_SCENARIO):
        tokens[12::2] = [""] * len(tokens[12::2])
    else:
        return text
    return codec.encode(tokens, TAB)


# -- damaged commands


def _ids_in_damaged(text: str) -> Iterator[str]:
    """Ids in a command nobody knows but that looks like one that holds them."""
    if (keyword := _damaged_keyword(text)) is not None:
        yield codec.head(text[keyword:], TAB)
    elif (moved := _MOVE_LIKE.fullmatch(text)) is not None:
        yield moved["id"]


def _damaged_keyword(text: str) -> int | None:
    """Where the id begins, if the text begins almost as a command that names a player does."""
    if commands.find(text) is not None:
        return None
    for keyword in (_PLAYER, _LEAVES, _NOTE, _UNMASK):
        for length in (len(keyword), len(keyword) - 1):  # changed, or a letter lost
            if len(text) > length and _alike(keyword, text[:length]):
                return length
    return None


def _alike(keyword: str, text: str) -> bool:
    if len(text) == len(keyword):
        return sum(one != other for one, other in zip(keyword, text, strict=True)) <= 2
    return any(keyword[:at] + keyword[at + 1 :] == text for at in range(len(keyword)))


def _without_id(text: str) -> str:
    """A damaged command, whatever stands in the place of its id taken out."""
    at = _damaged_keyword(text)
    if at is None:
        return text
    rest = codec.decode(text[at:], TAB)
    return text[:at] + codec.encode([HIDDEN, *rest[1:]], TAB)


def _all_texts(parts: Iterable[str]) -> Iterator[str]:
    for part in parts:
        for text in tree.read(part):
            yield text[len(LOG) :] if text.startswith(LOG) else text


__all__ = [
    "HIDDEN",
    "UNTYPED",
    "Disguises",
    "Redactor",
    "Scrubber",
    "discreet",
    "redactor",
    "scrub",
    "untyped",
]
