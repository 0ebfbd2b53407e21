"""What chance has to say of a game's dice, in plain words. Nothing here says why they fell so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from validator.audit.dice import NO_PROOF, SECOND_ROLL, Dice, Tally, in_places
from validator.report.html import Passage

CAUTION = (
    "Of a hundred games about one shows what chance gives once in a hundred. "
    f"None of this says why dice fell as they did. {NO_PROOF}"
)


def passages(dice: Dice, sides: Mapping[str, str]) -> list[Passage]:
    """One for each side's dice, one for rolls that stand out, and a caution; none for a game without dice."""
    if not dice.tallies:
        return []
    tallied = [Passage(_title(tally, sides), tuple(_lines(tally))) for tally in dice.tallies]
    odd = tuple(_odd(dice))
    return [*tallied, Passage("Rolls that stand out", odd or ("None.",)), Passage("", (CAUTION,))]


def _title(tally: Tally, sides: Mapping[str, str]) -> str:
    whose = f"{sides[tally.side]} phases" if tally.side in sides else "Phases of both sides"
    return f"How likely: {whose}, d{tally.sides}"


def _lines(tally: Tally) -> Iterator[str]:
    middle = (tally.sides + 1) / 2
    dice = "1 die" if tally.number == 1 else f"{tally.number} dice"
    yield (
        f"{dice}, mean {tally.mean:.2f}, {middle:.1f} expected: chance alone gives a mean at least "
        f"so far off in {share(tally.p_mean)} (worked out exactly)."
    )
    if tally.p_even is None:
        yield f"How evenly the numbers fell cannot be said of so few dice of {tally.sides} sides."
    else:
        how = "counted out, since they are few" if tally.few else f"chi-square {tally.chi_square:.1f}"
        yield f"Chance alone gives numbers at least so uneven in {share(tally.p_even)} ({how})."
    yield f"In short: {tally.words()}."


def share(chance: float) -> str:
    """A chance as people count: 37 of 100 such games, 4 of 1,000 such games."""
    for games in (100, 1_000, 10_000, 1_000_000):
        number = round(chance * games)
        if number >= 3:
            return f"{number} of {games:,} such games"
    return "fewer than 3 of 1,000,000 such games"


def _odd(dice: Dice) -> Iterator[str]:
    titles = ("Taken back", "Without a declared reason", SECOND_ROLL)
    yield from (f"{title}: {in_places(rows)}." for title, rows in zip(titles, dice.odd, strict=True) if rows)
