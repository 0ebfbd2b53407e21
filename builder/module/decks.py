"""A deck of VASSAL: what its place on a board and its line in a saved game both say."""

from __future__ import annotations

from dataclasses import dataclass

from fieldpost.vassal import pieces


@dataclass(frozen=True)
class Pile:
    """A place beside the map that holds cards, or the chits of a cup."""

    id: str
    name: str
    center: tuple[int, int]
    size: tuple[int, int]
    hidden: bool  # they lie face down
    shuffle: str = "Always"  # Always, Never or Via right-click Menu
    back_to: str = ""  # the pile that its cards are shuffled back into
    rule: str | None = None

    @property
    def face_down(self) -> str:
        return "Always" if self.hidden else "Never"

    @property
    def type(self) -> str:
        """The deck in a saved game, which must say what its DrawPile says."""
        return pieces.deck_type(
            draw=True,
            colour=(90, 80, 60),
            width=self.size[0],
            height=self.size[1],
            face_down=self.face_down,
            shuffle=self.shuffle,
            shuffle_command="Shuffle" if self.shuffle.startswith("Via") else "",
            allow_multiple=True,
            draw_face_up=True,
            name=self.name,
            **(
                {"reshuffle_command": self.reshuffle, "reshuffle_target": self.back_to}
                if self.back_to
                else {}
            ),
        )

    @property
    def reshuffle(self) -> str:
        return f"Shuffle into {self.back_to}" if self.back_to else ""
