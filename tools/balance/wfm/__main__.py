"""python -m tools.balance.wfm --games 60"""

from __future__ import annotations

import argparse
from collections import Counter

from fieldpost.definition import load
from tools.balance.wfm import AXIS_POLICIES, Match, match


def main() -> None:
    parser = argparse.ArgumentParser(
        description=match.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    game = load("wfm")
    for policy in AXIS_POLICIES:
        matches = [Match(game, args.seed + n, policy) for n in range(args.games)]
        points = sorted(m.play() for m in matches)
        results = Counter("Axis" if p >= 58 else "draw" if p >= 51 else "Soviet" for p in points)
        fought = sum((m.attacks for m in matches), Counter())
        print(f"Axis plays {policy}: points {points[0]}-{points[-1]}, median {points[len(points) // 2]}")
        print(
            "  "
            + ", ".join(f"{name} {results[name] / len(points):.0%}" for name in ("Axis", "draw", "Soviet"))
        )
        print(
            "  attacks a game: " + ", ".join(f"{k} {v / len(points):.1f}" for k, v in sorted(fought.items()))
        )


if __name__ == "__main__":
    main()
