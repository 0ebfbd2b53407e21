"""Chapters 8.10 and 8.11: retreat and advance after combat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from validator.core.advance import AdvanceRules
from validator.core.board import HexId, Mask, minus
from validator.core.breach import Breach
from validator.core.costs import CostTable
from validator.core.results import Pays
from validator.core.strategic import flat_table
from validator.games.wfm.battles import SETTING, Battle, Party
from validator.games.wfm.book import AXIS, ENEMY, is_allied, is_stranger_to
from validator.games.wfm.c04_stacking import stack
from validator.games.wfm.c08_combat import attack_zero
from validator.games.wfm.field import SNOW, TRACK, Field, field_of
from validator.games.wfm.state import Case
from validator.model.events import Moved
from validator.model.findings import Fault
from validator.model.position import Unit, any_has
from validator.procedures.battle import zones
from validator.procedures.battle.armies import ZoneAdvances
from validator.procedures.battle.zones import RIVER, ZONE, held_by, vacated
from validator.procedures.battlebook import Extra
from validator.procedures.faults import first_that_holds
from validator.procedures.field import printed
from validator.procedures.supplymarks import out_of_supply

WATER = ("sea", "lake", "causeway", "ice-road")  # neither retreat nor advance crosses them (8.103, 8.115)
LONGEST = 3  # hexes of an advance (8.113)


def table(case: Case, bans: tuple[str, ...], rail: bool = False) -> CostTable:
    """One point a hex, without these hexsides, nor into sea and lakes; compiled once."""
    key = (table, bans, rail)
    along = (TRACK,) if rail else ()
    return case.once(key, lambda: flat_table(field_of(case).board, bans, ("sea", "lake"), only_along=along))


# --- retreat --------------------------------------------------------------------------------------


class Retreats(zones.ZoneRetreats[Battle, Party]):
    no_part, late, off_map, immobile = "wfm-8.22", "wfm-8.1d", "wfm-8.103", "wfm-8.101a"
    keys = {
        "away": "wfm-8.101b",
        "order": "wfm-8.106",
        "enemy": "wfm-8.103",
        "not-adjacent": "wfm-8.101b",
        "off-line": "wfm-8.75",
        "zone-unsupplied": "wfm-4.29b",
        "never-zone": "wfm-5.28b",
    }
    told_elsewhere = ("nationality",)  # judged in chapter 4

    def costs(self, case: Case, group: Sequence[Unit]) -> CostTable:
        return table(case, WATER, any_has(group, "rail-only"))

    def closed(
        self, field: Field, party: Party, group: Sequence[Unit], zones: Mask, friends: Mask
    ) -> Iterator[tuple[str, Mask]]:
        yield "enemy", field.occupied(ENEMY[party.side])
        if any(out_of_supply(unit) for unit in group):
            yield "zone-unsupplied", minus(zones, friends)
        if any_has(group, "never-ezoc"):
            yield "never-zone", zones
        nations = {unit.nationality for unit in filter(is_allied, group)}
        if nations:
            yield "nationality", field.board.mask(field.places_of(AXIS, is_stranger_to(nations)))

    def rivers(self, case: Case, group: Sequence[Unit]) -> Mapping[str, Mask]:
        """8.108"""
        return {RIVER: field_of(case).board.steps_across(RIVER)} if any_has(group, "armor") else {}

    def counted(self, case: Case, party: Party, origin: HexId, losses: list[Breach]) -> list[Breach]:
        """8.104: by choice one step for all zones of a retreat."""
        if case.option("retreat-loss") != "once":
            return losses
        paid = any((extra.key, extra.origin) == (ZONE, origin) for extra in party.extras)
        zones = [loss for loss in losses if loss.key == ZONE]
        dropped = zones if paid else zones[1:]
        return [loss for loss in losses if loss not in dropped]

    def extras(
        self, case: Case, party: Party, group: Sequence[Unit], loss: Breach, origin: HexId
    ) -> list[Extra]:
        """For a river armour pays."""
        extra_steps = super().extras(case, party, group, loss, origin)
        if loss.key != RIVER:
            return extra_steps
        return [replace(one, units=tuple(u for u in one.units if u in party.armor)) for one in extra_steps]

    def is_full(self, case: Case, party: Party, group: Sequence[Unit], hex_id: HexId) -> bool:
        """8.105"""
        there = {unit.id: unit for unit in (*field_of(case).units(hex_id), *group)}
        verdict = stack(case, there.values(), party.side)
        return verdict.load > verdict.limit


RETREATS = Retreats(SETTING)
RETREATS.enforce(
    "wfm-8.101a",
    "wfm-8.101b",
    "wfm-8.103",
    "wfm-8.106",
    "wfm-8.75",
    "wfm-4.29b",
    "wfm-8.22",
    "wfm-5.28b",
)


retreat_rules = RETREATS.rules_of


# --- advance ----------------------------------------------------------------------------------------


def advance_rules(case: Case, field: Field, battle: Battle, party: Party, unit: Unit) -> AdvanceRules:
    opponent = battle.opponent(party)
    enemy = field.occupied(ENEMY[party.side])
    rough = field.board.of_terrain(*(() if field.season == SNOW else ("swamp",)))
    return AdvanceRules(
        hexes=min(advance_limit(battle, opponent), int(unit.type.values.get("advance", 1))),
        vacated=vacated(field, battle, opponent),
        first=table(case, WATER),
        later=table(case, (*WATER, "major-river")),
        enemy=enemy,
        stop=minus(field.enemy_zones(party.side).mask, field.board.mask(held_by(battle, opponent))),
        forbidden={"swamp": rough},
    )


def advance_limit(battle: Battle, opponent: Party) -> int:
    """8.113: the result less the steps the other side paid with; what its retreat cost does not count, nor
    those who could not go along (8.101)."""
    parts = battle.parts(opponent)
    if not parts or any(part.pays is Pays.ALL for part in parts):
        return LONGEST
    left_behind = sum(opponent.lost.get(unit, 0) for unit in opponent.immobile) if opponent.paths else 0
    return max(part.points for part in parts) - max(
        opponent.lost_steps - len(opponent.extras) - left_behind, 0
    )


class Advances(ZoneAdvances[Battle, Party]):
    limits = staticmethod(advance_rules)
    no_part, late, off_map, otherwise = "wfm-8.111", "wfm-8.111", "wfm-8.115", "wfm-8.115"
    keys = {
        "first-hex": "wfm-8.115",
        "advance-length": "wfm-8.113",
        "advance-stop": "wfm-8.116",
        "enemy": "wfm-8.111",
    }

    def never(self, case: Case, unit: Unit) -> Fault | None:
        rows = (
            (unit.has("no-advance") or printed(unit, "movement") == 0, "wfm-8.112", "never advances"),
            (attack_zero(unit), "wfm-8.24", "has an attack strength of 0 and does not advance"),
        )
        return next(first_that_holds(rows, f"{unit.id} ", (unit.id,)), None)

    def barred(self, case: Case, battle: Battle, party: Party, unit: Unit) -> Fault | None:
        if not battle.overrun or party is battle.attacker:
            return None
        return Fault("wfm-6.27b", f"{unit.id} advances after an overrun against it", (unit.id,))

    def advances_by_step(self, case: Case, battle: Battle, party: Party) -> bool:
        """What follows an overrun is chapter 6's."""
        return not battle.overrun

    def rule_of(self, case: Case, battle: Battle, party: Party, breach: Breach, event: Moved) -> str:
        if breach.key == "first-hex" and held_by(battle, battle.opponent(party)).issuperset(breach.hexes):
            return "wfm-8.111"
        return super().rule_of(case, battle, party, breach, event)


Advances(SETTING).enforce(
    "wfm-8.111", "wfm-8.112", "wfm-8.113", "wfm-8.115", "wfm-8.116", "wfm-8.24", "wfm-6.27b"
)
