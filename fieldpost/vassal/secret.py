"""A password on its way through: compared and written back, never shown."""

from __future__ import annotations


class Secret:
    """Holds a text that no output, message or repr may show; `reveal` is for writing files only."""

    __slots__ = ("_text",)

    def __init__(self, text: str = "") -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "Secret()" if not self._text else "Secret('***')"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(("Secret", self._text))

    def __bool__(self) -> bool:
        return bool(self._text)
