"""Chapters 11.6, 11.22, 11.23, 11.32, 11.33, 11.37: retreat and advance after combat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from validator.core import explain as say
from validator.core.advance import AdvanceRules
from validator.core.board import HexId
from validator.core.breach import Breach
from validator.core.retreat import judge_retreat
from validator.core.sea import check_voyage
from validator.engine.rulebook import JUDGED, Faults
from validator.games.lwe.battles import ARTILLERY, FIGHTING, SETTING, STATIC, Battle, engaged
from validator.games.lwe.book import ASSAULTING, ENEMY, GERMAN, RULES
from validator.games.lwe.c06_stacking import fits, load_of
from validator.games.lwe.c09_sea import sea_rules
from validator.games.lwe.c11_exits import BESIDE, COASTAL_ARMY, footing, retreat_rules, surely_astray
from validator.games.lwe.field import field_of
from validator.games.lwe.state import Case
from validator.model.events import Moved
from validator.model.findings import Fault
from validator.model.position import Unit, all_have
from validator.procedures.battle import advance, retreat
from validator.procedures.battlebook import Party
from validator.procedures.faults import Wrong, doubts, first_of, first_true, of_units
from validator.procedures.moves import spot_of, way_of

KEYS = {
    "enemy": "lwe-11.32b",
    BESIDE: "lwe-11.32b",
    "enemy-city": "lwe-11.22f",
    "fortified": "lwe-11.23d",
    "order": "lwe-11.32c",
    "not-adjacent": "lwe-11.32a",
    "length": "lwe-11.32a",
}
TEXTS = {BESIDE: "{} is beside a unit that attacked", "enemy": "{} holds an enemy unit"}


# --- retreat (11.32, 11.33) -----------------------------------------------------------------------------


class Retreats(retreat.Retreats[Battle, Party]):
    no_part, late = "lwe-11.29a", "lwe-11.5a"

    def is_retreat(self, case: Case, event: Moved) -> bool:
        return super().is_retreat(case, event) and not sails(case, event)

    def wrong(self, case: Case, battle: Battle, party: Party, event: Moved) -> Iterator[Fault]:
        """One fault of a retreat."""
        path = way_of(field_of(case), event)
        static = [name for name in event.units if name in party.immobile]
        if static:
            yield from of_units("lwe-11.32e", static, "never retreats: it is eliminated")
        elif not battle.rolled:
            text = f"leaves the hex before battle {battle.number} is resolved"
            yield from of_units("lwe-11.6a", event.units, text)
        elif path is None:
            yield from of_units("lwe-11.32b", event.units, "retreats off the map in play")
        else:
            yield from _wrong_way(case, battle, party, event, path)


Retreats(SETTING).enforce(
    "lwe-11.6a",
    "lwe-11.22f",
    "lwe-11.23d",
    "lwe-11.32a",
    "lwe-11.32b",
    "lwe-11.32c",
    "lwe-11.32e",
    "lwe-11.33a",
    "lwe-11.29a",
)


def sails(case: Case, event: Moved) -> bool:
    return all_have(case.units(event.units), COASTAL_ARMY)


@RULES.rule("lwe-11.32f")
@RULES.before(Moved, phases=FIGHTING)
def the_coastal_army_is_evacuated_by_sea(case: Case, event: Moved) -> Faults:
    """To another Soviet port on the same sea, with room."""
    voyage = _evacuated(case, event)
    text = _why_not_by_sea(case, event, *voyage) if voyage else ""
    if text:
        names = event.units
        yield Fault("lwe-11.32f", f"{'+'.join(names)} is evacuated: {text}", names, spot_of(event.end))


def _evacuated(case: Case, event: Moved) -> tuple[Party, HexId, HexId] | None:
    """The party, and the ends of the voyage."""
    sailed = event.mode in ("retreat", "sea") and sails(case, event)
    fought = engaged(case, event.units[0], event.battle) if sailed else None
    if fought is None:
        return None
    match field_of(case).ids((event.start, event.end)):
        case [start, end]:
            return fought[1], start, end
    return None


def _why_not_by_sea(case: Case, event: Moved, party: Party, start: HexId, end: HexId) -> str:
    field, words = field_of(case), field_of(case).ground.wording
    breaches = [say.breach_text(words, breach) for breach in check_voyage(sea_rules(field), start, end)]
    room = fits(field, party.side, end, case.units(event.units))
    return first_true((breaches, "".join(breaches[:1])), (room, ""), otherwise=f"no room in {words.hex(end)}")


@RULES.track(Moved, when=JUDGED, phases=FIGHTING)
def note_the_evacuation(case: Case, event: Moved) -> None:
    voyage = _evacuated(case, event)
    if voyage is not None:
        party, start, end = voyage
        party.strayed = party.strayed or bool(_why_not_by_sea(case, event, *voyage))
        party.paths.update(dict.fromkeys(event.units, (start, end)))


def _wrong_way(
    case: Case, battle: Battle, party: Party, event: Moved, path: Sequence[HexId]
) -> Iterator[Fault]:
    field, done = field_of(case), party.paths.get(event.units[0], ())
    if len(path) > 2 or len(done) > 1 or not field.board.are_adjacent(path[0], path[-1]):
        yield from of_units("lwe-11.32a", event.units, "retreats more than one hex")
        return
    wrong, doubt = (
        _of_ground(case, battle, party, event, path),
        doubts({"lwe-11.32c": not _is_astray(case, battle, party, event, path)}),
    )
    who, hexes = f"{'+'.join(event.units)} retreats to ", field.hexes(path[-1:])
    yield from first_of(wrong, who, event.units, hexes, doubt)


def _is_astray(case: Case, battle: Battle, party: Party, event: Moved, path: Sequence[HexId]) -> bool:
    """Another hex, with room for all of them, surely leads closer to supply."""
    field, group = field_of(case), case.units(event.units)
    roomy = [
        h for h, room in battle.rooms.items() if room >= load_of(group) and fits(field, party.side, h, group)
    ]
    return surely_astray(case, field, party.side, path[0], path[-1], roomy)


def _of_ground(case: Case, battle: Battle, party: Party, event: Moved, path: Sequence[HexId]) -> Wrong:
    """What the hex itself forbids, and whether there is room."""
    field, group, where = field_of(case), case.units(event.units), path[-1]
    words = field.ground.wording
    verdict = judge_retreat(field.board, retreat_rules(case, field, battle, party), path, 1)
    for breach in verdict.breaches[:1]:
        plain = TEXTS.get(breach.key, "").format(words.hex(where)) or say.breach_text(words, breach)
        if breach.key != "order" or _has_room(battle, breach.hexes[1:], group):
            yield KEYS.get(breach.key, "lwe-11.33a"), f"{words.hex(where)}: {plain}"
    if not fits(field, party.side, where, group):
        yield "lwe-11.33a", f"{words.hex(where)}, where there is no room"


def _has_room(battle: Battle, hexes: Sequence[HexId], group: Sequence[Unit]) -> bool:
    """What leads closer to supply may be full, or hold another nation."""
    return any(battle.rooms.get(h, 0) >= load_of(group) for h in hexes)


# --- advance (11.37) ----------------------------------------------------------------------------------------


class Advances(advance.Advances[Battle, Party]):
    no_part, late, off_map = "lwe-11.37a", "lwe-11.37d", "lwe-11.37a"
    phases = tuple(ASSAULTING)

    def never(self, case: Case, unit: Unit) -> Fault | None:
        guns = unit.has(ARTILLERY)
        return Fault("lwe-11.26c", f"{unit.id} never advances", (unit.id,)) if guns else None

    def outsider(self, case: Case, event: Moved) -> Fault | None:
        """Static units are judged under 2.9."""
        static = case.position.units[event.units[0]].has(STATIC)
        return None if static else super().outsider(case, event)

    def barred(self, case: Case, battle: Battle, party: Party, unit: Unit) -> Fault | None:
        if party is battle.defender:
            text = f"{unit.id} defended; defenders never advance"
            return Fault("lwe-11.37c", text, (unit.id,))
        barred = unit.has("no-advance")
        return Fault("lwe-11.37a", f"{unit.id} never advances", (unit.id,)) if barred else None

    def rules_of(self, case: Case, battle: Battle, party: Party, unit: Unit) -> AdvanceRules:
        enemy, costs = field_of(case).occupied(ENEMY[party.side]), footing(case, field_of(case))
        return AdvanceRules(1, frozenset(h for h in battle.targets if not enemy[h]), costs, costs, enemy)

    def rule_of(self, case: Case, battle: Battle, party: Party, breach: Breach, event: Moved) -> str:
        field = field_of(case)
        others = (h for h in field.ids(event.path[1:]) if h not in battle.targets)
        through = party.side == GERMAN and any(field.sound_lines[h] for h in others)
        return "lwe-11.23d" if through else "lwe-11.37a"


Advances(SETTING).enforce("lwe-11.37a", "lwe-11.37c", "lwe-11.37d", "lwe-11.26c", "lwe-11.23d")
