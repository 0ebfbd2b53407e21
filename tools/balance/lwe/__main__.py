"""python -m tools.balance.lwe --games 12 [--scenario campaign]"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable
from statistics import median_low

from fieldpost.definition import load
from tools.balance.lwe import PLANS, Match, Outcome, match

TOLD = ("Minsk", "Smolensk", "Kiev", "Leningrad", "Odessa", "Orel", "Kharkov", "Rostov", "Moscow")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=match.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scenario", default="campaign")
    args = parser.parse_args()
    game = load("lwe")
    for plan in PLANS:
        seeds = range(args.seed, args.seed + args.games)
        played = [Match(game, args.scenario, seed, plan).play(to_the_end=True) for seed in seeds]
        print(f"The German player is {plan}:")
        for line in told(played):
            print(f"  {line}")


def told(played: list[Outcome]) -> Iterable[str]:
    turns = sorted(played[0].points)
    ends = sorted(o.final for o in played)
    yield f"points at the end: {ends[0]}-{ends[-1]}, median {median_low(ends)}"
    yield "points by turn: " + by_turn(turns, played, lambda o, t: o.points[t])
    yield "German steps lost: " + by_turn(turns, played, lambda o, t: o.losses[t]["german"])
    yield "Soviet steps lost: " + by_turn(turns, played, lambda o, t: o.losses[t]["soviet"])
    yield "Soviet units on the map: " + by_turn(turns, played, lambda o, t: o.strength[t][1])
    wins = Counter(o.won for o in played)
    yield "German wins, by turn: " + ", ".join(f"{t}: {wins[t]}" for t in turns if wins[t])
    yield f"collapses with Moscow: {sum(o.collapsed for o in played)} of {len(played)}"
    yield "falls: " + ", ".join(f"{town} {fallen(town, played)}" for town in TOLD)


def by_turn(turns: list[int], played: list[Outcome], number: Callable[[Outcome, int], int]) -> str:
    return " ".join(str(median_low([number(o, t) for o in played])) for t in turns)


def fallen(town: str, played: list[Outcome]) -> str:
    when = median_low([o.taken.get(town, 99) for o in played])
    return "never" if when == 99 else f"turn {when}"


if __name__ == "__main__":
    main()
