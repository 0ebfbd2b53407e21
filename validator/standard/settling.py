"""What a result costs: steps lost, hexes retreated; and who may follow up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from fieldpost.definition.model import Game
from validator.core import explain as say
from validator.core.advance import AdvanceRules, check_advance
from validator.core.board import HexId, Mask
from validator.core.breach import Breach
from validator.core.obligations import UNEVEN, UNPAID, Obligation
from validator.core.results import Part, Pays
from validator.core.retreat import (
    RetreatRules,
    RetreatVerdict,
    find_retreat,
    judge_retreat,
    retreats,
)
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model.events import Event, Moved, Removed, Replaced, StepChanged
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import battlebook, faults, settlement
from validator.procedures.battlebook import Loss
from validator.procedures.moves import movers, way_of
from validator.procedures.settlement import Bill
from validator.standard.book import ADVANCE, COMBAT, NOT_CONFIGURED, RETREAT, cited, part, rules_of
from validator.standard.field import Field, field_of
from validator.standard.stacking import full_for
from validator.standard.state import Battle, Case, Party

RETREATS = (Pays.RETREAT, Pays.BOTH, Pays.EITHER)
_BOOK = battlebook.BattleBook[Battle, Party]()


def install(rules: Rulebook, game: Game) -> None:
    rules.track(StepChanged, Removed, when=JUDGED)(note_the_loss)
    rules.track(Moved, when=JUDGED)(note_the_retreat)
    rules.before(StepChanged, Removed)(losses_come_in_their_time)
    rules.before(Replaced)(exchanges_are_not_told)
    retreat = rules.before(Moved)(retreats_go_where_they_may)
    advance = rules.before(Moved)(advances_go_where_they_may)
    settled = rules.at_phase_end()(every_result_is_met)
    for name, judge in ((RETREAT, retreat), (ADVANCE, advance), (COMBAT, settled)):
        if part(game, name) is not None:
            rules.rule(cited(game, name))(judge)


# --- losses -----------------------------------------------------------------------------------------------


def _loss(case: Case, event: Event) -> tuple[Loss, Battle, Party] | None:
    loss = battlebook.loss_of(case.position, event)
    found = _BOOK.engaged(case, loss.unit, loss.battle) if loss is not None else None
    return (loss, *found) if loss is not None and found is not None else None


def losses_come_in_their_time(case: Case, event: Event) -> Faults:
    found = _loss(case, event)
    if found is None:
        return
    loss, battle, party = found
    yield from settlement.late(cited(case.game, COMBAT), case.in_phase.battles, battle, loss.unit)
    if _dies_instead(battle, party, loss) and _can_retreat(case, battle, party, loss.unit):
        text = f"{loss.unit} is taken off and could have retreated"
        yield Fault(cited(case.game, RETREAT), text, (loss.unit,), verdict=Verdict.WARNING)


def exchanges_are_not_told(case: Case, event: Replaced) -> Faults:
    case.not_checked("counters that give way to others")
    yield from ()


def note_the_loss(case: Case, event: Event) -> None:
    found = _loss(case, event)
    if found is None:
        return
    loss, battle, party = found
    if _dies_instead(battle, party, loss):
        party.excused.add(party.root(loss.unit))
    else:
        party.lose(loss.unit, loss.steps)


def _dies_instead(battle: Battle, party: Party, loss: Loss) -> bool:
    """A unit that is lost where only a retreat, or no more steps, are asked for."""
    asked = battle.part(party)
    left = party.steps[party.root(loss.unit)] - party.lost.get(party.root(loss.unit), 0)
    if asked.pays not in RETREATS or loss.steps < left:
        return False
    owed = asked.points if asked.pays is not Pays.RETREAT else 0
    return party.lost_steps + loss.steps > owed


def _can_retreat(case: Case, battle: Battle, party: Party, name: str) -> bool:
    """Surely: to a hex with room for it."""
    field, unit = field_of(case), case.position.units[name]
    start = party.stood.get(party.root(name))
    if part(case.game, RETREAT) is None or start is None or party.hexes_retreated(party.root(name)):
        return False
    hexes = _hexes_owed(battle, party, name)
    full: Mask = full_for(case, field, unit) if rules_of(case.game).stacking else field.board.mask()
    ways = retreats(field.board, retreat_rules(case, field, unit), start, hexes)
    return hexes > 0 and any(not full[way[-1]] for way in ways)


# --- retreats ---------------------------------------------------------------------------------------------


def retreat_rules(case: Case, field: Field, unit: Unit) -> RetreatRules:
    told = rules_of(case.game).combat
    closed: dict[str, Mask] = {"enemy": field.enemies(unit.side)}
    if told is None or told.retreat is None or told.retreat.zones == "closed":
        closed["zone"] = field.zones_against(unit.side, "retreat")
    return RetreatRules(field.costs_of(unit, flat=True), closed)


def _hexes_owed(battle: Battle, party: Party, name: str) -> int:
    """How far a unit retreats for the result; 0 if it does not."""
    asked = battle.part(party)
    if asked.pays is Pays.BOTH:
        return asked.hexes
    if asked.pays is Pays.EITHER:
        return max(asked.points - party.lost_steps, 0)
    return asked.points if asked.pays is Pays.RETREAT else 0


@dataclass(frozen=True)
class Going:
    """One unit on its retreat: the whole way so far, judged."""

    unit: Unit
    verdict: RetreatVerdict
    owed: int


def retreats_go_where_they_may(case: Case, event: Moved) -> Faults:
    if event.mode != "retreat":
        return
    if part(case.game, RETREAT) is None:
        case.not_checked(NOT_CONFIGURED[RETREAT])
        return
    field, rule = field_of(case), cited(case.game, RETREAT)
    for going in going_back(case, event):
        faults = [b for b in going.verdict.breaches if b.key != "length"]
        for breach in faults[:1]:
            text = f"{going.unit.id} retreats: {say.breach_text(field.ground.wording, breach)}"
            yield Fault(rule, text, (going.unit.id,), field.hexes(breach.hexes))


def going_back(case: Case, event: Moved) -> list[Going]:
    return case.about("retreat", lambda: list(_going_back(case, event)))


def _going_back(case: Case, event: Moved) -> Iterator[Going]:
    field = field_of(case)
    way = way_of(field, event)
    for unit in movers(case, event):
        found = _BOOK.engaged(case, unit.id, event.battle)
        if found is None or way is None or field.id(unit.spot) != way[0]:
            continue
        battle, party = found
        before = party.paths.get(party.root(unit.id), ())
        whole = (*before[:-1], *way) if before and before[-1] == way[0] else tuple(way)
        owed = _hexes_owed(battle, party, unit.id)
        rules = retreat_rules(case, field, unit)
        if all(field.board.step(a, b) >= 0 for a, b in pairwise(whole)):
            verdict = judge_retreat(field.board, rules, whole, max(owed, len(whole) - 1))
        else:
            far = max(owed, field.board.distance(whole[0], whole[-1]))
            verdict = find_retreat(field.board, rules, whole[0], whole[-1], far)
        yield Going(unit, verdict, owed)


def note_the_retreat(case: Case, event: Moved) -> None:
    if event.mode != "retreat":
        return
    for going in going_back(case, event):
        found = _BOOK.engaged(case, going.unit.id, event.battle)
        if found is not None:
            _, party = found
            party.paths[party.root(going.unit.id)] = going.verdict.path
            party.strayed = party.strayed or any(b.key != "length" for b in going.verdict.breaches)


# --- advances ---------------------------------------------------------------------------------------------


def advances_go_where_they_may(case: Case, event: Moved) -> Faults:
    if event.mode != "advance":
        return
    told = rules_of(case.game).combat
    if told is None or told.advance is None:
        case.not_checked(NOT_CONFIGURED[ADVANCE])
        return
    field, rule = field_of(case), cited(case.game, ADVANCE)
    way = way_of(field, event)
    if way is None:
        yield Fault(rule, f"{'+'.join(event.units)} leaves the hexes in play", event.units)
        return
    for unit in movers(case, event):
        found = _BOOK.engaged(case, unit.id, event.battle)
        if found is None:
            continue  # nothing permits it: that is told
        battle, party = found
        if party is battle.defender and not told.advance.defenders:
            yield Fault(rule, f"{unit.id} defended and does not advance", (unit.id,))
            continue
        yield from _of_advance(case, field, unit, battle, party, way, told.advance.hexes)


def _of_advance(
    case: Case, field: Field, unit: Unit, battle: Battle, party: Party, way: Sequence[HexId], hexes: int
) -> Iterator[Fault]:
    costs = field.costs_of(unit, flat=True)
    foe = battle.foe(party)
    left = frozenset(battle.targets if party is battle.attacker else foe.stood.values())
    enemies = field.enemies(unit.side)
    vacated = frozenset(h for h in left if not enemies[h])
    rules = AdvanceRules(hexes, vacated, costs, costs, enemies)
    for breach in check_advance(field.board, rules, list(way))[:1]:
        text = f"{unit.id} advances: {say.breach_text(field.ground.wording, breach)}"
        yield Fault(cited(case.game, ADVANCE), text, (unit.id,), field.hexes(breach.hexes))


# --- settled ----------------------------------------------------------------------------------------------


def settle_before_the_next(case: Case, known: Sequence[Battle]) -> Faults:
    """What is merely unpaid may come late; the end of the phase tells."""
    for battle in known:
        yield from settlement.settle(field_of(case), battle, partial(_bill, case), final=False)


def every_result_is_met(case: Case) -> Faults:
    for battle in case.in_phase.battles:
        if battle.rolled:
            yield from settlement.settle(field_of(case), battle, partial(_bill, case), final=True)
        else:
            yield from faults.no_die(case, field_of(case), battle, cited(case.game, COMBAT))


def _bill(case: Case, battle: Battle, party: Party) -> Bill | None:
    """The fault in the reading that has fewest; None if one reading is right, or a retreat was faulty."""
    if party.strayed:
        return None
    readings = [list(_bills(case, party, asked)) for asked in battle.parts(party)]
    best = settlement.fewest(readings)
    return best[0] if best else None


def _bills(case: Case, party: Party, asked: Part) -> Iterator[Bill]:
    """Retreats count only where the game tells of them."""
    told = part(case.game, RETREAT) is not None
    if not told:
        asked = _without_retreat(asked)
        if asked.pays is Pays.EITHER:
            case.not_checked(NOT_CONFIGURED[RETREAT])
            return
    steps = {unit: number for unit, number in party.steps.items() if unit not in party.excused}
    due = Obligation(0, party.side, asked, steps)
    for unit, number in party.lost.items():
        if unit in steps:
            due.lose(unit, number)
    for unit in steps if told else ():
        if party.hexes_retreated(unit):
            due.retreat(unit, party.hexes_retreated(unit))
    yield from _too_far(case, asked, due)
    words = field_of(case).ground.wording
    for breach in due.settle():
        rule = cited(case.game, RETREAT if _is_of_retreat(asked, breach.key, breach.detail) else COMBAT)
        yield Bill(rule, _text(asked, due, words, breach), breach.units, breach.key in (UNPAID, UNEVEN))


def _too_far(case: Case, asked: Part, due: Obligation) -> Iterator[Bill]:
    """Farther than the result asks; where steps may be lost instead, the sum tells."""
    if asked.pays not in (Pays.RETREAT, Pays.BOTH):
        return
    most = asked.hexes if asked.pays is Pays.BOTH else asked.points
    far = tuple(unit for unit, hexes in due.hexes.items() if hexes > most)
    if far:
        text = f"{'+'.join(far)} retreated {due.retreated} hexes, {most} asked for"
        yield Bill(cited(case.game, RETREAT), text, far)


def _without_retreat(asked: Part) -> Part:
    if asked.pays is Pays.BOTH:
        return Part(Pays.STEPS, asked.points)
    return Part() if asked.pays is Pays.RETREAT else asked


def _is_of_retreat(asked: Part, key: str, detail: str) -> bool:
    return key == UNEVEN or detail == "hexes" or (key == UNPAID and asked.pays is Pays.RETREAT)


def _text(asked: Part, due: Obligation, words: say.Wording, breach: Breach) -> str:
    if breach.key == UNPAID and asked.pays is Pays.RETREAT:
        return f"to retreat {asked.points}, retreated {due.retreated}"
    return say.breach_text(words, breach)
