"""Passwords, mail addresses and names in a saved game: found, and taken out.

Passwords stand as the id of a PLAYER (and of notes and unmasking), as the last field of a
move, and as owner in the state of a mask, a hidden piece or a restricted one. They become
`player-1`, `player-2`, ...; the result replays the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from fieldpost.vassal import codec, commands, pieces, tree
from fieldpost.vassal.codec import ESC
from fieldpost.vassal.pieces import NONE, PieceType
from fieldpost.vassal.secret import Secret
from fieldpost.vassal.steps import LOG, UNDO_CLOSES, UNDO_OPENS, Log
from fieldpost.vassal.table import Aliases

HIDDEN = "***"
NO_MAIL = "mail removed"
_MAIL = re.compile(r"[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,8}[A-Za-z]{2,24}")
_TYPED = re.compile(r"CHAT<([^<>]{1,80})> - ")
_SHORTEST = 3
_LONG = 6
_ADDRESSED = ("PLAYER\t", "PYREMOVE\t", "PNOTE\t", "SNOTE\t", "UNMASK\t")

_PROSE = (commands.Chat, commands.Notes, commands.PublicNotes)
_FIXED = frozenset({"begin_save", "end_save", UNDO_OPENS, UNDO_CLOSES, "SETUP_STACK\t"})
_MEANINGFUL = ("true", "false", "null", "stack", "Module")
"""Words of the format: as a password, such a word is taken from its places only."""


class Redactor:
    """Blanks what must not be shown in a text made from a log."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._exact = frozenset(secrets)
        self._pattern = _any_of(self._exact)

    def clean(self, text: str) -> str:
        if text in self._exact:
            return HIDDEN
        if self._pattern is not None:
            text = self._pattern.sub(HIDDEN, text)
        return _MAIL.sub(HIDDEN, text) if "@" in text else text


def redactor(log: Log) -> Redactor:
    """A redactor that knows every password of a log."""
    return Redactor(Scrubber(log).secrets())


def scrub(log: Log, names: bool = False) -> str:
    """The saved game without passwords and mail addresses, on request without names."""
    return Scrubber(log, names).text(log.parts)


class Scrubber:
    """Knows the secrets of one log and writes its commands without them."""

    def __init__(self, log: Log, names: bool = False) -> None:
        self._types: dict[str, PieceType | None] = {}
        self._aliases = Aliases()
        self._names: dict[str, str] = {}
        self._vocabulary: set[str] = set(_MEANINGFUL)
        for text in _all_texts(log.parts):
            self._learn(text)
        self._words = "\n".join(self._vocabulary)
        everywhere = [secret for secret in self.secrets() if not self.spares(secret)]
        self._anywhere = self._replacer(everywhere, names, self._words)
        self._in_talk = self._replacer(self.secrets(), names, "")
        self._names_too = names

    def secrets(self) -> list[str]:
        return [secret for secret in self._aliases.secrets() if secret not in ("", NONE)]

    def spares(self, secret: str) -> bool:
        """True if a password means something else as well: it is taken from its places only."""
        return secret in self._words or secret.isdecimal()

    def text(self, parts: Iterable[str]) -> str:
        return codec.encode([self.part(part) for part in parts], ESC)

    def part(self, part: str) -> str:
        """One part of the top level."""
        return tree.write(self.node(tree.read(part)))

    def node(self, node: tree.Node) -> tree.Node:
        """A tree of commands without secrets; what has none keeps its bytes."""
        for _, item in node.walk():
            if item.raw == item.text:
                item.text = item.raw = self.free(item.text)
                continue
            clean = self.command(item.text)
            if clean != item.text:
                item.text, item.raw = clean, None
            elif item.raw is not None and self.free(item.raw) != item.raw:
                item.raw = None
        return node

    def command(self, text: str) -> str:
        """One command without secrets."""
        if text.startswith(LOG):
            return LOG + self.command(text[len(LOG) :])
        if text.startswith(("+/", "D/", "M/")):
            return self._anywhere(self._piece_command(text))
        if text.startswith(_ADDRESSED):
            return self._addressed(text)
        if text in _FIXED:
            return text
        spec = commands.find(text)
        return self.free(text) if spec is None or spec.cls in _PROSE else self._anywhere(text)

    def free(self, text: str) -> str:
        """Any text without secrets: chat, notes, descriptions, commands nobody knows."""
        return self._in_talk(text)

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
                self._aliases.of(tokens[9])
        elif text.startswith(_ADDRESSED):
            self._learn_addressed(text)
        elif "BoardPicker" in text:
            self._learn_boards(text)
        elif typed := _TYPED.match(text):
            self._name(typed[1])

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
        if type is not None and type.owned:
            states = type.states(state)
            for at in type.owned:
                owner = states[at].partition(";")[0]
                if owner not in (NONE, ""):
                    self._aliases.of(owner)

    def _learn_boards(self, text: str) -> None:
        """Names of maps and boards have to stay for the log to open."""
        match commands.parse(text):
            case commands.Boards(map, boards):
                self._vocabulary.update([map, *boards[::3]])

    def _learn_addressed(self, text: str) -> None:
        match commands.parse(text):
            case commands.Player(id, name):
                self._aliases.of(id.reveal())
                self._name(name)
            case commands.PlayerLeaves(id):
                self._aliases.of(id.reveal())
            case commands.PrivateNote(owner) | commands.SecretNote(owner=owner):
                self._aliases.of(owner.reveal())
            case commands.Unmaskable(ids):
                for id in ids:
                    self._aliases.of(id.reveal())

    def _name(self, name: str) -> None:
        if name:
            self._names.setdefault(name, f"Player {len(self._names) + 1}")

    # -- replacing

    def _replacer(self, secrets: Iterable[str], names: bool, spared: str) -> _Replacer:
        words = {secret: self._aliases.of(secret) for secret in secrets}
        if names:
            words |= {name: alias for name, alias in self._names.items() if name not in spared}
        return _Replacer(words)

    def _shown_name(self, name: str) -> str:
        """A name stays unless it is to go, or is a password as well."""
        if self._names_too:
            return self._names.get(name, name)
        return self._aliases.of(name) if name in self.secrets() else self.free(name)

    def _alias(self, secret: Secret) -> Secret:
        text = secret.reveal()
        return Secret(self._aliases.of(text)) if text not in ("", NONE) else secret

    def _piece_command(self, text: str) -> str:
        tokens = codec.decode(text[2:], "/")
        if text[0] == "M":
            if len(tokens) < 10 or tokens[9] in ("", NONE):
                return text
            tokens[9] = self._aliases.of(tokens[9])
            return "M/" + codec.encode(tokens, "/")
        type = self._types.get(tokens[0])
        if type is None or not type.owned:
            return text
        first = 2 if text[0] == "+" else 1
        clean = [*tokens[:first], *(self._state(type, state) for state in tokens[first:])]
        return text if clean == tokens else text[:2] + codec.encode(clean, "/")

    def _state(self, type: PieceType, text: str) -> str:
        states = type.states(text)
        clean = list(states)
        for at in type.owned:
            owner, semicolon, rest = states[at].partition(";")
            if owner not in (NONE, ""):
                clean[at] = self._aliases.of(owner) + semicolon + rest
        return text if clean == states else codec.nest(clean)

    def _addressed(self, text: str) -> str:
        command = commands.parse(text)
        match command:
            case commands.Player(id, name):
                name = self._shown_name(name)
                command = replace(command, id=self._alias(id), name=name)
            case commands.PlayerLeaves(id):
                command = replace(command, id=self._alias(id))
            case commands.PrivateNote(owner, note):
                command = replace(command, owner=self._alias(owner), note=self.free(note))
            case commands.SecretNote(owner=owner, note=note):
                command = replace(command, owner=self._alias(owner), note=self.free(note))
            case commands.Unmaskable(ids):
                command = replace(command, ids=tuple(self._alias(id) for id in ids))
            case _:
                return self.free(text)
        return command.text


class _Replacer:
    def __init__(self, words: dict[str, str]) -> None:
        self._words = words
        self._pattern = _any_of(words)

    def __call__(self, text: str) -> str:
        if self._pattern is not None:
            text = self._pattern.sub(lambda found: self._words[found[0]], text)
        return _MAIL.sub(NO_MAIL, text) if "@" in text else text


def _any_of(words: Iterable[str]) -> re.Pattern[str] | None:
    """Finds the words: short ones where they stand alone, long ones in other words too."""
    found = sorted((word for word in words if len(word) >= _SHORTEST), key=len, reverse=True)
    if not found:
        return None
    return re.compile("|".join(re.escape(word) if len(word) >= _LONG else _alone(word) for word in found))


def _alone(word: str) -> str:
    return rf"(?<!\w){re.escape(word)}(?!\w)"


def _all_texts(parts: Iterable[str]) -> Iterator[str]:
    for part in parts:
        for text in tree.read(part):
            yield text[len(LOG) :] if text.startswith(LOG) else text


__all__ = ["HIDDEN", "Redactor", "Scrubber", "redactor", "scrub"]
