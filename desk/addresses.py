"""Where the pages lie, in each of the two homes of the desk; the templates ask for no address elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Addresses(Protocol):
    is_site: bool

    def start(self) -> str: ...
    def static(self, name: str) -> str: ...
    def check(self) -> str: ...
    def example(self, name: str) -> str: ...
    def game(self, game: str) -> str: ...
    def rules(self, game: str, status: str = "") -> str: ...
    def module(self, game: str) -> str: ...
    def map(self, game: str) -> str: ...
    def replay(self, result: str, number: int, finding: int | None = None) -> str: ...
    def report(self, result: str, number: int) -> str: ...
    def next_turn(self, result: str, number: int) -> str: ...
    def text(self, result: str) -> str: ...
    def data(self, result: str) -> str: ...


@dataclass(frozen=True)
class Served:
    """`fieldpost serve`: pages made when they are asked for."""

    is_site = False

    def start(self) -> str:
        return "/"

    def static(self, name: str) -> str:
        return f"/static/{name}"

    def check(self) -> str:
        return "/check"

    def example(self, name: str) -> str:
        return f"/examples/{name}"

    def game(self, game: str) -> str:
        return f"/games/{game}"

    def rules(self, game: str, status: str = "") -> str:
        return f"/games/{game}/rules" + (f"?status={status}" if status else "")

    def module(self, game: str) -> str:
        return f"/games/{game}/module"

    def map(self, game: str) -> str:
        return f"/games/{game}/map.webp"

    def replay(self, result: str, number: int, finding: int | None = None) -> str:
        place = f"?finding={finding + 1}" if finding is not None else ""
        return f"/results/{result}/map/{number}{place}"

    def report(self, result: str, number: int) -> str:
        return f"/results/{result}/report/{number}?save"

    def next_turn(self, result: str, number: int) -> str:
        return f"/results/{result}/start/{number}"

    def text(self, result: str) -> str:
        return f"/results/{result}/text"

    def data(self, result: str) -> str:
        return f"/results/{result}/json"


@dataclass(frozen=True)
class Static:
    """The site: files beside each other in one folder, and places within a page, which its script shows."""

    modules: tuple[tuple[str, str], ...] = ()

    is_site = True

    def start(self) -> str:
        return "index.html"

    def static(self, name: str) -> str:
        return name

    def check(self) -> str:
        return "#check"

    def example(self, name: str) -> str:
        return f"index.html#example/{name}"

    def game(self, game: str) -> str:
        return f"game-{game}.html"

    def rules(self, game: str, status: str = "") -> str:
        return f"rules-{game}.html" + (f"?status={status}" if status else "")

    def module(self, game: str) -> str:
        return dict(self.modules)[game]

    def map(self, game: str) -> str:
        return f"map-{game}.webp"

    def replay(self, result: str, number: int, finding: int | None = None) -> str:
        return f"#map/{number}" + (f"/finding={finding + 1}" if finding is not None else "")

    def report(self, result: str, number: int) -> str:
        return f"#save/{number}"

    def next_turn(self, result: str, number: int) -> str:
        return f"#start/{number}"

    def text(self, result: str) -> str:
        return "#text"

    def data(self, result: str) -> str:
        return "#json"
