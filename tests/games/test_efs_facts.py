"""Army Group Center: each fact of the rules about counters, tables and map, one row each.

A row names what is said, and where that stands in the data: as traits or values of unit types, as a cell of
a table, or, if it tells how to play and not what is printed, as the rule of `games/efs/rules.yaml` that says
it. So nothing is passed over: a row that leads nowhere fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from builder.counters.look import CounterLook, counter_look
from builder.map.lines import held_behind
from fieldpost.definition import Game, load
from fieldpost.definition.model import UnitType
from fieldpost.definition.rulelist import load_rules
from fieldpost.hexes import Hexside, neighbors


@pytest.fixture(scope="module")
def game() -> Game:
    return load("efs")


@pytest.fixture(scope="module")
def paragraphs() -> set[str]:
    """The paragraphs that the list of rules cites: 14.42a stands for 14.42 and 14.4, too."""
    cited = {source for rule in load_rules("efs") for source in rule.source}
    return {source[:length] for source in cited for length in range(1, len(source) + 1)}


# --- kinds of units -------------------------------------------------------------------------------
# kind | types | traits that all of them have | what holds of them by rules of play

KINDS = """
combat unit | panzer-regiment rifle-division |  | 2.22 3.3 3.5 7.14
yellow | panzer-regiment axis-cavalry-regiment ski-battalion soviet-cavalry-division | yellow | 11.42
orange | flak-battalion axis-field-artillery soviet-field-artillery axis-supply soviet-supply | orange
    | 10.28 10.13
green | super-heavy-artillery | green super-heavy | 10.28 10.44
gray | axis-armored-train soviet-armored-train axis-railroad-artillery | gray | 11.12
blue | flotilla | blue flotilla | 22.51
red box | panzer-regiment motorized-infantry-regiment tank-division motorized-division | motorized
    | 11.32 12.4
armored | panzer-regiment panzer-battalion tank-division tank-brigade | motorized red armor
    | 10.45 15.41 15.57 24.41
armored anti-tank | armored-anti-tank-battalion | motorized red armored-anti-tank | 24.41
armored engineer | armored-engineer-battalion | motorized red armored-engineer engineer | 18.51 24.41
assault gun | assault-gun-battalion | motorized red assault-gun | 15.44
recon | reconnaissance-battalion | motorized recon | 15.57
motorcycle | motorcycle-battalion motorcycle-regiment | motorized motorcycle | 15.57
motorized infantry | motorized-infantry-regiment motorized-division | motorized motorized-infantry
    | 15.57
motorized engineer | motorized-engineer-battalion soviet-motorized-engineer
    | motorized motorized-engineer engineer | 15.57
motorized AA | motorized-flak-regiment | motorized motorized-anti-aircraft | 15.44
motorized AT | motorized-anti-tank-battalion soviet-anti-tank | motorized motorized-anti-tank | 15.57
infantry | infantry-division rifle-division axis-infantry-regiment | infantry | 3.5
mountain | mountain-division soviet-mountain-division | mountain | 11.48
airborne | airborne-brigade | airborne airborne-box | 14.7
parachute | parachute-battalion | airborne luftwaffe | 14.7
security | security-division | security | 23.11
border guard | border-guard | border-guard nkvd | 21.5
ski | ski-battalion soviet-ski-battalion | ski yellow | 5.24 11.46
engineer | engineer-battalion soviet-engineer | engineer | 15.53 22.11 22.14 22.15 22.44 22.32 18.43 19.3
cavalry | axis-cavalry-regiment axis-cavalry-battalion soviet-cavalry-division | cavalry yellow
    | 6.35 11.32 14.42
base | axis-base | base one-step | 6.6
headquarters | headquarters | headquarters one-step | 21.11 21.12 21.2 21.25 21.28 21.29 14.41 19.3 21.41
anti-aircraft | flak-battalion soviet-anti-aircraft | anti-aircraft | 10.29 14.42 15.44
anti-tank | anti-tank-battalion soviet-anti-tank-regiment | anti-tank | 7.31
field artillery | axis-field-artillery soviet-field-artillery | artillery field fires one-step
    | 13.1 13.12 13.14
coast artillery | coast-artillery soviet-coast-artillery | artillery coast fires one-step | 13.15 13.45
rockets | axis-rocket-artillery soviet-rocket-artillery | artillery rocket attack-only fires
    | 13.32 3.33 16.52
railroad guns | axis-railroad-artillery soviet-railroad-artillery
    | artillery railroad attack-only modes gray | 13.33 13.15 16.46
super-heavy | super-heavy-artillery | artillery super-heavy attack-only modes green
    | 13.41 13.42 13.43 13.45 15.54
nkvd | nkvd-regiment nkvd-motorized-regiment nkvd-division border-guard | nkvd | 21.51 21.53 7.45 20.22
guards | guards-rifle-division soviet-rocket-artillery | guards | 21.41 21.42
militia | militia-division | militia | 21.74 7.44 8.43
zap | zap | zap | 7.43
reservist | rifle-division | infantry | 7.8
garrison | rifle-division | infantry | 21.8 21.82
flotilla | flotilla | flotilla naval blue | 22.51 22.54 22.55 22.56 22.57
armored train | soviet-armored-train | armored-train gray | 21.31 21.32 21.33 21.35 7.42
supply unit | axis-supply soviet-supply | supply-unit orange | 6.42 6.46 10.24 11.15
large dump | axis-large-dump soviet-large-dump | supply-unit large | 6.48
rsc | regiment-substitute | rsc infantry | 23.11 23.13 23.22 23.23 23.31
formation | panzer-regiment motorized-infantry-regiment reconnaissance-battalion | german | 6.5 15.58
fighter | axis-fighter soviet-fighter | air fighter | 14.1
bomber | axis-bomber axis-dive-bomber soviet-bomber soviet-long-range-bomber | air bomber | 14.22 14.44
transport | axis-transport soviet-transport | air transport | 14.7
dummy | axis-dummy soviet-dummy | air dummy | 14.24
"""


def _rows(text: str) -> list[list[str]]:
    """A row a line; a line that begins with blanks goes on with the one before."""
    lines = text.strip().replace("\n    ", " ").splitlines()
    return [[part.strip() for part in line.split("|")] for line in lines]


@pytest.mark.parametrize("row", _rows(KINDS), ids=lambda row: row[0])
def test_every_kind_of_unit_has_its_attributes(game: Game, paragraphs: set[str], row: list[str]) -> None:
    _, types, traits, rules = row
    for name in types.split():
        assert set(traits.split()) <= set(game.unit_type[name].traits), name
        assert any(counter.type == name for counter in game.counters), name
    assert set(rules.split()) <= paragraphs, set(rules.split()) - paragraphs


def _kinds(game: Game, trait: str) -> list[UnitType]:
    return [kind for kind in game.unit_types if trait in kind.traits]


@pytest.mark.parametrize(
    ("trait", "holds"),
    [
        ("artillery", lambda k: k.factors == ("support", "range", "defense", "movement") and k.steps == 2),
        ("fires", lambda k: k.sides == ("Ready", "Fired")),
        ("modes", lambda k: k.sides == ("Mobile", "Firing")),
        ("headquarters", lambda k: k.sides == ("Operational", "Non-Op") and k.stacking == 0),
        ("flotilla", lambda k: k.mobility == "flotilla" and k.steps == 1),
        ("armored-train", lambda k: k.mobility == "rail" and k.steps == 1 and "red" not in k.traits),
        ("supply-unit", lambda k: k.stacking == 0 and not k.zoc and k.factors[0] == "asp"),
        ("air", lambda k: k.factors == ("combat", "close-support", "interdiction") and k.stacking == 0),
        ("rsc", lambda k: k.steps == 1 and k.side == "axis"),
        ("zap", lambda k: k.steps == 1 and k.side == "soviet"),
        ("red", lambda k: "motorized" in k.traits),
        ("no-zoc", lambda k: not k.zoc),
        ("super-heavy", lambda k: k.side == "axis"),
        ("static", lambda k: "anti-aircraft" in k.traits and k.mobility == "none"),
        ("cannot-rebuild", lambda k: True),
    ],
)
def test_what_a_trait_prints(game: Game, trait: str, holds: Callable[[UnitType], bool]) -> None:
    assert _kinds(game, trait)
    assert [kind.id for kind in _kinds(game, trait) if not holds(kind)] == []


def test_a_supply_unit_holds_one_point_its_dump_two(game: Game) -> None:
    for name in ("axis-supply", "soviet-supply"):
        assert game.unit_type[name].sides == ("MSU", "Dump")
        for counter in (c for c in game.counters if c.type == name):
            assert [step.split("-")[0] for step in counter.steps] == ["1", "2"]


def test_an_anti_aircraft_brigade_of_allowance_0_goes_by_rail(game: Game) -> None:
    for counter in (c for c in game.counters if c.type == "soviet-anti-aircraft"):
        assert counter.steps[0].split("-")[-1] == "0"


def test_machine_guns_and_militia_brigades_are_untried_chits(game: Game) -> None:
    """21.6, 21.7: what the rules call MG is a machine gun unit, which never moves."""
    for marker in game.markers:
        if marker.kind in ("machine-gun", "militia"):
            untried, tried = marker.faces
            assert "?" in untried.text
            assert tried.text == "Remove" or tried.text.count("-") == 2
            assert (marker.values["movement"] == 0) or marker.kind == "militia"


def test_colors_boxes_bands_and_stacking_are_printed(game: Game) -> None:
    printed = game.printing
    assert (printed.boxed, printed.stacking) == ("movement", True)
    colors = {mark.trait: mark.factor for mark in printed.factors}
    assert colors == {"red": "attack"} | dict.fromkeys(
        ("yellow", "orange", "green", "gray", "blue"), "movement"
    )
    assert printed.band is not None
    assert (printed.band.trait, printed.band.reduced) == ("no-zoc", "no-zoc-reduced")
    assert printed.codes == {"cannot-rebuild": "R", "fighter": "F", "bomber": "B", "transport": "T"}
    assert printed.modifiers == ("drm", "table-drm")


# --- tables ---------------------------------------------------------------------------------------
# table | row | column | cell, as the rules tell it

CELLS = """
combat-results | 3 | 3-4 | 1/R
supply-routes | loc | hexes | 7
supply-routes | loc | in Mud, Snow, marsh, swamp | 5
supply-routes | road-net | hexes | 21
supply-routes | road-net | in Mud, Snow, marsh, swamp | 15
supply-routes | rail-net | hexes | unlimited
stacking | hex | points | 10
stacking | rockets | points | 2
stacking | engineer | points | 1
stacking | armored-train | points | 1
movement-phases | axis-motorized | axis-move | 1
movement-phases | axis-motorized | axis-motorized | 1/2
movement-phases | axis-motorized | reaction | 1/2
movement-phases | axis-foot | axis-move | 1
movement-phases | axis-cavalry | axis-move | 1
movement-phases | soviet-motorized | soviet-motorized | 1
movement-phases | soviet-motorized | soviet-move | 1/2
movement-phases | soviet-motorized | reaction | 1/2
movement-phases | soviet-cavalry | soviet-motorized | 1
movement-phases | soviet-foot | soviet-motorized | activated: 1
movement-phases | soviet-foot | soviet-move | 1
movement-conversion | 7 | half | 3 1/2
movement-conversion | 5 | strategic | 7 1/2
movement-conversion | 8 | half | 4
movement-conversion | 8 | strategic at half | 6
terrain-effects | clear | foot-axis | 1
terrain-effects | clear | motorized-soviet | 1
terrain-effects | hill | motorized-axis | 2
terrain-effects | hill | motorized-axis@mud | 3
terrain-effects | hill-woods | motorized-axis | 4
terrain-effects | hill-woods | motorized-soviet | 3
terrain-effects | woods | motorized-axis | 3
terrain-effects | woods | motorized-soviet | 2
terrain-effects | river | foot-axis | +1
terrain-effects | canal | motorized-axis | +1
terrain-effects | major-river | foot-axis | all
terrain-effects | motorway | motorized-axis | 1/2
terrain-effects | motorway | motorized-axis@mud | 1/2
terrain-effects | motorway | motorized-axis@snow | 1/2
terrain-effects | motorway | foot-soviet | 1/2
terrain-effects | motorway | foot-axis | -
terrain-effects | main-road | foot-axis | 1/2
terrain-effects | main-road | foot-axis@frost | 1/2
terrain-effects | main-road | foot-axis@mud | 1
terrain-effects | main-road | motorized-axis@snow | 1
terrain-effects | minor-road | motorized-axis | 1/2
terrain-effects | minor-road | motorized-axis@frost | 1
terrain-effects | minor-road | motorized-axis@snow | 2
terrain-effects | minor-road | foot-axis@mud | 2
terrain-effects | minor-road | motorized-axis@mud | 3
terrain-effects | city | combat | +1, armor half
terrain-effects | major-city | zone | not into
terrain-effects | major-river | zone | no
terrain-effects | fortified-line | foot-axis | +1
terrain-effects | fortified-belt | zone | Axis not into
terrain-effects | citadel | zone | not in or out
combat-modifiers | no-attack-supply | modifier | +2
combat-modifiers | below-odds | modifier | +2
combat-modifiers | city | modifier | +1
combat-modifiers | hill | modifier | +1
combat-modifiers | river | modifier | +1
combat-modifiers | frozen-major | modifier | +1
combat-modifiers | fortified-line | modifier | +1
combat-modifiers | fortified-belt | modifier | +1
combat-modifiers | strongpoint | modifier | +1
combat-modifiers | line-near-city | modifier | +2
combat-modifiers | citadel | modifier | +1
combat-modifiers | no-retreat | modifier | +1
combat-modifiers | engineer | modifier | -1
combat-modifiers | super-heavy | modifier | -1
combat-modifiers | air | modifier | -1 or +1
combat-modifiers | defender-unsupplied | modifier | -1
combat-modifiers | overrun | modifier | -1
combat-modifiers | combined-arms | modifier | -1
combat-modifiers | panzer | modifier | -1
combat-modifiers | motorized | modifier | -1
overrun | marsh | result | +2
overrun | again | result | -1
anti-aircraft | headquarters | result | +1
anti-aircraft | anti-aircraft | result | +1
anti-aircraft | dive-bomber | result | -1
anti-aircraft | interdiction | result | +1
anti-aircraft | flown-over | result | +1
retreat | guns | passes | +2
soviet-replacements | weather | Type I | +1
soviet-replacements | mandates | Type I | +1
super-heavy-effects | 1 | result | Destroyed, asterisks ignored, one step
super-heavy-effects | 3 | result | Destroyed, asterisks ignored
ranges | command | hexes | 4
ranges | reaction | hexes | 3
ranges | rail-gap | hexes | 3
ranges | militia | hexes | 5
ranges | strongpoint | hexes | 5
ranges | line-city | hexes | 4
ranges | demolition | hexes | 7
ranges | air | hexes | 25
ranges | transport | hexes | 60
ranges | fire | hexes | 1
rebuilding | eliminated-cadre | soviet | 1 of either type
rebuilding | cadre-infantry | soviet | 1 Type I
rebuilding | cadre-motorized | soviet | 2 Type I
rebuilding | cadre-motorized | axis | 2 Type I or 1 Type A
rebuilding | cadre-headquarters | soviet | 2 Type I
rebuilding | cadre-armor | soviet | 1 Type A
rebuilding | cadre-armor | axis | 1 Type A
rebuilding | train | soviet | 1 train point
rebuilding | nkvd | soviet | Type I, seven turns later
rebuilding | rsc | axis | 1 Type I
rebuilding | air | axis | 1 Type V
step-reduction | infantry-division | first | 7-8-5
step-reduction | infantry-division | second | 5-6-5
step-reduction | infantry-division | third | 4-4-5
victory-actions | step-loss | points | 1
victory-actions | disbanded | points | 1
victory-actions | withdrawal | points | -1
victory-actions | garrison | points | -1
weather-effects | mud | overrun | no
weather-effects | mud | guns | half
weather-effects | snow | combined arms | no
"""


@pytest.mark.parametrize("row", _rows(CELLS), ids=lambda row: " ".join(row[:3]))
def test_every_known_cell_is_as_the_rules_have_it(game: Game, row: list[str]) -> None:
    name, line, column, cell = row
    table = game.table[name]
    found = [each for each in (*table.rows, *table.modifiers) if each.id == line]
    assert len(found) == 1, line
    assert found[0].cells[list(table.columns).index(column)] == cell


# What the rules tell of play in form of lists, and no chart prints: the rules that say it.
PLAYED = """
supply: 6.32 6.33 6.34 6.35 6.26 15.21
zones of control: 3.26 10.49 18.33 17.31
allowance: 6.35 5.24 10.37 11.21
road users: 10.44
railroads: 11.13 11.14 11.15 11.16 14.65 22.33
stacking: 3.32 3.33 17.23 21.31
overrun: 11.31 11.32 11.33 11.35 11.37 11.38
halving: 15.41 15.42 18.51 12.15 3.42 3.43
odds: 12.21 12.22 15.47 15.5 15.6
asterisk: 16.32 16.33
retreat: 16.41 16.43 16.45 16.46 16.47 16.48
orders: 12.52 12.53 16.45
losses: 16.23 11.37 20.21 14.77
guns: 13.14 13.15 13.31 17.54 21.26
air: 14.21 14.22 14.44 14.64 14.66
transport: 14.71 14.72 14.74 14.76
citadel: 18.51 18.54 13.45 18.13
fortifications: 18.12 18.14 18.21 18.31 18.41
bombardment: 13.43 13.44
regiments: 23.11 23.23 23.26
replacements: 7.31 7.32 7.61 7.62 7.45
events: 7.51 7.52 7.53 7.41
mandates: 12.32 12.35 7.51
conversion: 19.21 19.22 19.23
victory: 24.12 24.22 24.24 24.26 24.41
markers: 11.38 13.12 7.71 12.1
"""


@pytest.mark.parametrize("line", PLAYED.strip().splitlines(), ids=lambda line: line.split(":")[0])
def test_what_no_chart_prints_is_among_the_rules(paragraphs: set[str], line: str) -> None:
    rules = set(line.split(":")[1].split())
    assert rules <= paragraphs, rules - paragraphs


# --- what the rules leave to a playbook: each is there, and says on whose word --------------------


@dataclass(frozen=True)
class Missing:
    item: str
    tables: str = ""
    boxes: str = ""
    special_rules: str = ""


MISSING = [
    Missing("combat results", "combat-results combat-modifiers"),
    Missing("terrain effects", "terrain-effects"),
    Missing("movement phases, conversion", "movement-phases movement-conversion"),
    Missing("overrun", "overrun"),
    Missing("air", "air-combat air-initiative anti-aircraft"),
    Missing("surrender and retreat", "surrender retreat"),
    Missing(
        "weather", "weather climate weather-effects", "weather-dry weather-mud weather-frost weather-snow"
    ),
    Missing("soviet replacements", "soviet-replacements"),
    Missing("fuel", "fuel-shortage"),
    Missing("limited artillery supply", "limited-artillery-supply"),
    Missing("super-heavy effects", "super-heavy-effects", special_rules="ammo"),
    Missing("bridge repair", "bridge-repair"),
    Missing("air status track", "air-readiness", "axis-ready axis-flown soviet-damaged soviet-destroyed"),
    Missing(
        "rebuilding track", "rebuilding", "axis-active axis-cadre soviet-eliminated soviet-cannot-rebuild"
    ),
    Missing("loss and replacement tracks", boxes=" ".join(f"track-{n}" for n in range(10))),
    Missing("victory", "victory-locations victory-actions"),
    Missing("attack supply", "attack-supply supply-limits", special_rules="supply-limits"),
    Missing(
        "set-up cards", "entry-hexes special-groups withdrawals conversions militia-homes axis-replacements"
    ),
    Missing(
        "scenario rules",
        special_rules="rail-capacity conversion mandates victory-levels flotilla-waters rail-cuts reservists",
    ),
    Missing("step reduction", "step-reduction", "step-reduction"),
]


@pytest.mark.parametrize("missing", MISSING, ids=lambda missing: missing.item)
def test_what_the_text_lacks_is_there(game: Game, missing: Missing) -> None:
    for name in missing.tables.split():
        table = game.table[name]
        assert table.provenance.source in ("reconstructed", "rulebook")
        assert table.provenance.how or table.provenance.rule
    assert set(missing.boxes.split()) <= {box.id for box in game.boxes}
    rules = {rule.id for scenario in game.scenarios for rule in scenario.special_rules}
    assert set(missing.special_rules.split()) <= rules


def test_bridges_and_ferries_are_as_many_as_the_card_says(game: Game) -> None:
    """2.21: the only markers that are limited."""
    limits = game.table["supply-limits"]
    assert game.marker["axis-bridge"].count == int(limits.cell("bridges", "axis"))
    assert game.marker["soviet-bridge"].count == int(limits.cell("bridges", "soviet"))
    assert game.marker["ferry"].count == int(limits.cell("ferries", "axis"))


def test_markers_that_belong_to_a_hexside_lie_on_one(game: Game) -> None:
    on_side = {marker.id for marker in game.markers if marker.lies_on == "hexside"}
    assert on_side == {
        "axis-bridge",
        "soviet-bridge",
        "ferry",
        "bridge-destroyed",
        "rail-bridge-destroyed",
        "line-destroyed",
    }


def test_flotillas_have_named_waters_on_the_map(game: Game) -> None:
    named = {run.name for run in game.map.side_runs}
    for scenario in game.scenarios:
        waters = [r.values["waters"] for r in scenario.special_rules if r.id == "flotilla-waters"]
        flotillas = {c.id for c in game.counters if c.type == "flotilla"}
        standing = {unit.id for place in scenario.set_up for unit in place.units}
        assert bool(waters) == bool(flotillas & standing), scenario.id
        for text in waters:
            assert set(str(text).split(", ")) <= named


def test_bridges_destroyed_at_the_start_lie_on_printed_bridges(game: Game) -> None:
    """22.47: in July the bridges of the Dnieper and the Dvina between the armies are blown."""
    found = 0
    for scenario in game.scenarios:
        for place in scenario.set_up:
            for mark in place.markers:
                if mark.id not in ("bridge-destroyed", "rail-bridge-destroyed"):
                    continue
                assert place.hex is not None
                hex_ = game.map.lattice.hex(place.hex, scenario.sheet)
                side = Hexside.between(hex_, neighbors(hex_)[mark.facing])
                kind = "bridge" if mark.id == "bridge-destroyed" else "railroad-bridge"
                assert kind in game.map.side_kinds[side], (place.hex, mark.facing)
                found += 1
    assert found >= 10


def test_the_naval_module_is_left_out_and_said_so(game: Game) -> None:
    assert not any("naval-unit" in kind.traits for kind in game.unit_types)
    naval = next(phase for phase in game.sequence if phase.id == "naval")
    assert "Nothing without the Naval Module" in naval.steps[0].name


def test_garrisons_lie_in_garrison_hexes_with_their_units_and_know_when_they_are_released(game: Game) -> None:
    """21.81, 21.83: the set-up card shows them."""
    hexes = {place.hex for place in game.map.places if "garrison" in place.features}
    for name in ("border-battles", "campaign"):
        scenario = game.scenario[name]
        manned = {place.hex for place in scenario.set_up if place.units}
        marked = [p.hex for p in scenario.set_up if any(mark.id == "garrison" for mark in p.markers)]
        assert len(marked) >= 5
        for label in marked:
            assert label is not None
            assert label in manned
            assert game.map.lattice.hex(label, scenario.sheet) in hexes
        (release,) = (r.values["release"] for r in scenario.special_rules if r.id == "garrisons")
        assert any("Garrisons" in event for event in game.turn[int(release)].events)


def test_the_turn_track_shows_climate_and_modifier_of_the_climate_table(game: Game) -> None:
    """4.22, 5.14."""
    table = game.table["climate"]
    for turn in game.turn_track.turns:
        row = max((r for r in table.rows if int(r.id) <= turn.number), key=lambda r: int(r.id))
        climate, modifier = row.cells
        assert turn.note == (climate if modifier == "0" else f"{climate}, die {modifier}")


def test_aircraft_print_their_kind_and_great_guns_their_modifiers(game: Game) -> None:
    """2.22b, 2.22c: F, B, T; a gun's modifiers on its Firing side."""
    for trait, letter in (("fighter", "F"), ("bomber", "B"), ("transport", "T")):
        for counter in (c for kind in _kinds(game, trait) for c in game.counters if c.type == kind.id):
            look = counter_look(game, counter, 1)
            assert isinstance(look, CounterLook)
            assert look.code.startswith(letter), counter.id
    assert _code(game, "III-StG1", 1) == "B -1"
    assert (_code(game, "Karl833", 1), _code(game, "Karl833", 2)) == ("R", "R -1 -3")


def _code(game: Game, counter: str, side: int) -> str:
    look = counter_look(game, game.counter[counter], side)
    assert isinstance(look, CounterLook)
    return look.code


def test_every_fortified_line_faces_away_from_the_hexes_it_defends(game: Game) -> None:
    """18.21: each hexside has one defended hex, so that the teeth on the map have a side."""
    held = held_behind(game.map, "fortified-line")
    sides = [side for run in game.map.side_runs if run.kind == "fortified-line" for side in run.sides]
    assert len(sides) > 80
    assert [side for side in sides if (side.a in held) == (side.b in held)] == []


def test_reinforcements_enter_by_hexes_of_their_sides_supply(game: Game) -> None:
    """8.11, 8.12: the set-up card names hexes at the edge."""
    campaign = game.scenario["campaign"]
    arriving = {unit for arrival in campaign.reinforcements for unit in arrival.units}
    sources = {h for source in campaign.supply_sources for h in source.hexes}
    rows = game.table["entry-hexes"].rows
    for row in rows[:-1]:
        assert set(row.cells[0].split()) <= sources, row.id
    for row in rows[1:-1]:
        assert set(row.cells[1].split()) <= arriving, row.id
