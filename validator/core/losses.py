"""Step losses: in which order units of a force must take them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from validator.core.breach import Breach

TIER, SPREAD = "loss-tier", "loss-spread"


@dataclass(frozen=True, slots=True)
class Sufferer:
    """A unit that may lose steps. Lower tiers lose all their steps before higher ones lose any."""

    unit: str
    steps: int
    tier: int = 0


@dataclass(frozen=True)
class LossRules:
    """`spread`: no unit loses another step before every unit of its tier lost as many.
    `tiers`: lower tiers pay in full before higher ones begin.
    `rounds`: no unit, of whatever tier, loses another step before all lost as many; lower tiers lose theirs
    first."""

    spread: bool = True
    tiers: bool = True
    rounds: bool = False


def check_losses(
    rules: LossRules, sufferers: Sequence[Sufferer], lost: Mapping[str, int]
) -> tuple[Breach, ...]:
    """Whether steps were lost in a permitted order. `lost` holds the steps each unit lost."""
    breaches = []
    if rules.tiers and (early := _out_of_tier(sufferers, lost)):
        breaches.append(Breach(TIER, units=early))
    if rules.spread and (uneven := _uneven(sufferers, lost)):
        breaches.append(Breach(SPREAD, units=uneven))
    if rules.rounds and (early := _out_of_round(sufferers, lost)):
        breaches.append(Breach(SPREAD, units=early))
    return tuple(breaches)


def distributions(rules: LossRules, sufferers: Sequence[Sufferer], number: int) -> Iterator[dict[str, int]]:
    """Every permitted way to lose so many steps; if there are fewer, all of them."""
    number = min(number, sum(s.steps for s in sufferers))
    for lost in _shares(list(sufferers), number):
        if not check_losses(rules, sufferers, lost):
            yield lost


def _out_of_tier(sufferers: Sequence[Sufferer], lost: Mapping[str, int]) -> tuple[str, ...]:
    """Units that lost steps while one of a lower tier still had some."""
    unspent = [s.tier for s in sufferers if lost.get(s.unit, 0) < s.steps]
    return tuple(s.unit for s in sufferers if lost.get(s.unit, 0) and any(t < s.tier for t in unspent))


def _uneven(sufferers: Sequence[Sufferer], lost: Mapping[str, int]) -> tuple[str, ...]:
    """Units that lost two steps more than one of their tier that could have lost one."""
    return tuple(
        s.unit
        for s in sufferers
        if any(
            other.tier == s.tier
            and lost.get(other.unit, 0) < other.steps
            and lost.get(s.unit, 0) - lost.get(other.unit, 0) > 1
            for other in sufferers
        )
    )


def _out_of_round(sufferers: Sequence[Sufferer], lost: Mapping[str, int]) -> tuple[str, ...]:
    """Units that lost a step while another that comes before them in this round could have."""
    return tuple(
        s.unit
        for s in sufferers
        for steps in [lost.get(s.unit, 0)]
        if any(
            lost.get(other.unit, 0) < min(other.steps, steps if other.tier < s.tier else steps - 1)
            for other in sufferers
        )
    )


def _shares(sufferers: list[Sufferer], number: int) -> Iterator[dict[str, int]]:
    if not sufferers:
        if number == 0:
            yield {}
        return
    first, *rest = sufferers
    for taken in range(min(first.steps, number), -1, -1):
        for others in _shares(rest, number - taken):
            yield {first.unit: taken, **others}
