"""`fieldpost hex`: everything a game knows of one hex."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from fieldpost.commands.options import add_json, add_overlays, example, overlays, print_json
from fieldpost.errors import FieldpostError

if TYPE_CHECKING:
    from fieldpost.definition import Game, GameMap
    from fieldpost.definition.model import Scenario
    from fieldpost.hexes import Hex


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help="a game in the box or the folder of your own")
    parser.add_argument("label", help="the hex as printed, or the name of a place")
    parser.add_argument(
        "--scenario", metavar="ID", help="read the label on this scenario's sheet, show its set-up"
    )
    add_overlays(parser)
    add_json(parser)
    example(parser, "hex wfm 2706", "hex lwe 4618", "hex wfm 4708 --scenario turning-point")


def run(arguments: argparse.Namespace) -> int:
    from fieldpost.definition import load_game_or_map

    map_, game = load_game_or_map(arguments.game, overlays(arguments))
    scenario = _scenario(map_, game, arguments.scenario) if arguments.scenario else None
    facts = describe(map_, game, _find(map_, arguments.label, scenario), scenario)
    if arguments.json:
        print_json(facts)
    else:
        print(_as_text(map_, facts))
    return 0


def _scenario(map_: GameMap, game: Game | None, name: str) -> Scenario:
    known = game.scenario if game else {}
    if name not in known:
        from fieldpost.definition.problems import nearest

        near = nearest(name, known)
        hint = f"Did you mean {near}? " if near else ""
        raise FieldpostError(
            f"{map_.id} has no scenario {name!r}", f"{hint}Scenarios: {', '.join(known) or 'none'}."
        )
    return known[name]


def _find(map_: GameMap, label: str, scenario: Scenario | None) -> Hex:
    places = {place.hex for place in map_.places if place.name.casefold() == label.casefold()}
    hex_ = places.pop() if len(places) == 1 else map_.lattice.hex(label, scenario.sheet if scenario else None)
    if hex_ not in map_.hexes:
        name = map_.lattice.label(hex_)
        near = [map_.lattice.label(h) for h in _nearest(map_, hex_)]
        raise FieldpostError(f"{name} is not on the map of {map_.id}", f"Near it are {', '.join(near)}.")
    return hex_


def _nearest(map_: GameMap, hex_: Hex) -> list[Hex]:
    from fieldpost.hexes import distance

    return sorted(map_.hexes, key=lambda h: (distance(h, hex_), h))[:3]


def describe(map_: GameMap, game: Game | None, hex_: Hex, scenario: Scenario | None = None) -> dict[str, Any]:
    """All facts of a hex, and what each rests on; `game` is None for a map whose game is not written yet."""
    lattice = map_.lattice
    scenarios = [scenario] if scenario else game.scenarios if game else ()
    label = lattice.label(hex_)
    facts: dict[str, Any] = {
        "game": map_.id,
        "label": label,
        "aliases": [name for name in lattice.labels(hex_) if name != label],
        "sheet": lattice.sheet_of(hex_).id,
        "terrain": map_.terrain[hex_],
        "country": map_.grid["country"].values.get(hex_) if "country" in map_.grid else None,
        "grids": {g.id: _grid_value(g, hex_) for g in map_.grids},
        "places": [_place(p) for p in map_.places_at.get(hex_, ())],
    }
    from fieldpost.hexes import Hexside, neighbors

    around = [n for n in neighbors(hex_) if n in map_.hexes]
    labelled = [n for n in neighbors(hex_) if lattice.labels(n)]
    sides = [Hexside.between(hex_, n) for n in labelled]
    named = {side: lattice.hexside_label(side) for side in sides}
    facts |= {
        "neighbours": [lattice.label(n) for n in around],
        "directions": {lattice.label(n): lattice.direction(hex_, n) for n in labelled},
        "hexsides": {text: sorted(map_.side_kinds.get(side, ())) for side, text in named.items()},
        "hexside_facts": {text: _crossed(map_, side) for side, text in named.items()},
        "lines": [
            {"kind": line.kind, "name": line.name, "source": line.source, "rule": line.rule}
            for line in map_.lines
            if hex_ in line.hexes
        ],
        "areas": [
            {"id": a.id, "name": a.name, "kind": a.kind, "source": a.source, "rule": a.rule}
            for a in map_.areas
            if hex_ in a.hexes
        ],
        "edges": [edge.id for edge in map_.edges if hex_ in edge.hexes],
        "half": hex_ in map_.half_hexes,
        "playable": hex_ not in map_.unplayable,
        "at_start": {s.id: _start(game, s, hex_) for s in scenarios if game},
    }
    return facts


def _grid_value(grid: Any, hex_: Hex) -> dict[str, Any]:
    reason = grid.because.get(hex_)
    return {
        "value": grid.values.get(hex_),
        "source": reason.source if reason else grid.source,
        "rule": reason.rule if reason else None,
        "note": reason.note if reason else None,
    }


def _place(place: Any) -> dict[str, Any]:
    return {
        "name": place.name,
        "kind": place.kind,
        "features": list(place.features),
        "values": dict(place.values),
        "source": place.source,
        "rule": place.rule,
        "note": place.note,
    }


def _crossed(map_: GameMap, side: Any) -> dict[str, Any]:
    """What lies along a hexside, what crosses it, with names and sources."""
    runs = [run for run in map_.side_runs if side in run.sides]
    return {
        "along": [{"kind": r.kind, "name": r.name, "source": r.source, "rule": r.rule} for r in runs],
        "crossed_by": sorted(map_.line_steps.get(side, ())),
    }


def _start(game: Game, scenario: Scenario, hex_: Hex) -> dict[str, Any]:
    """Whose the hex is when a scenario begins, as far as the scenario says, and what stands there."""
    lattice, sheet = game.map.lattice, scenario.sheet
    units = [
        unit.id
        for placement in scenario.set_up
        if placement.hex and lattice.hex(placement.hex, sheet) == hex_
        for unit in placement.units
    ]
    named = [side for side, labels in scenario.control.items() if hex_ in game.map.hexes_of(labels, sheet)]
    standing = [game.unit_type[game.counter[unit].type].side for unit in units]
    supplies = [
        source.side for source in scenario.supply_sources if hex_ in game.map.hexes_of(source.hexes, sheet)
    ]
    by_rule = game.holder_at_start(hex_)
    rule = game.control_at_start.rule if game.control_at_start else None
    area = game.map.area.get(scenario.area or "")
    return {
        "owner": next(iter([*named, *standing]), by_rule),
        "because": "control" if named else "units" if standing else "rule" if by_rule else None,
        "rule": rule if by_rule and not named and not standing else None,
        "units": units,
        "supply_source_of": supplies,
        "playing_area": hex_ in area.hexes if area else None,
    }


# --- for people --------------------------------------------------------------------------------


def _as_text(map_: GameMap, facts: dict[str, Any]) -> str:
    title = ", ".join(f"{p['name']} ({_kind(map_, p['kind'])})" for p in facts["places"])
    alias = f", also {', '.join(facts['aliases'])}" if facts["aliases"] else ""
    lines = [f"{facts['label']}{alias}  {title}".rstrip() + f"  [{map_.id}, sheet {facts['sheet']}]"]
    lines += [f"  {name}: {_told(grid)}" for name, grid in facts["grids"].items() if grid["value"]]
    lines += [f"  place: {_place_line(map_, place)}" for place in facts["places"]]
    lines.append("  hexsides")
    lines += [f"    {_side_line(map_, facts, text)}" for text in facts["hexside_facts"]]
    lines += [
        f"  line: {line['name']} ({_kind(map_, line['kind'])}{_source(line)})" for line in facts["lines"]
    ]
    lines += [f"  area: {area['name']} ({area['kind']}{_source(area)})" for area in facts["areas"]]
    if facts["edges"]:
        lines.append(f"  map edge: {', '.join(facts['edges'])}")
    lines += ["  printed in half"] * facts["half"] + ["  not playable"] * (not facts["playable"])
    lines += [
        f"  at start of {name}: {text}"
        for name, start in facts["at_start"].items()
        if (text := _start_line(start))
    ]
    return "\n".join(lines)


def _kind(map_: GameMap, kind: str) -> str:
    kinds = (*map_.terrain_kinds, *map_.hexside_kinds, *map_.line_kinds, *map_.place_kinds)
    return next((k.name for k in kinds if k.id == kind), kind)


def _source(fact: dict[str, Any]) -> str:
    return f"; rule {fact['rule']}" if fact["rule"] else f"; {fact['source']}"


def _told(fact: dict[str, Any]) -> str:
    note = f" - {fact['note']}" if fact["note"] else ""
    return f"{fact['value']} ({_source(fact)[2:]}){note}"


def _place_line(map_: GameMap, place: dict[str, Any]) -> str:
    more = [*place["features"], *(f"{key} {value}" for key, value in place["values"].items())]
    told = f": {', '.join(more)}" if more else ""
    return f"{place['name']}, {_kind(map_, place['kind'])}{told} ({_source(place)[2:]})"


def _side_line(map_: GameMap, facts: dict[str, Any], text: str) -> str:
    other = next(label for label in text.split("/") if label != facts["label"])
    side = facts["hexside_facts"][text]
    along = [f"{run['name']} ({_kind(map_, run['kind'])}{_source(run)})" for run in side["along"]]
    crossed = [f"{_kind(map_, kind)} crosses" for kind in side["crossed_by"]]
    off = ["off the map"] if other not in facts["neighbours"] else []
    return f"{facts['directions'][other]:<2} {text}: {', '.join([*along, *crossed, *off]) or 'open'}"


def _start_line(start: dict[str, Any]) -> str:
    parts = []
    if start["owner"]:
        why = {"control": "by the scenario", "units": "its units stand here"}.get(
            start["because"], f"by rule {start['rule']}" if start["rule"] else "by the rules"
        )
        parts.append(f"{start['owner']} ({why})")
    if start["units"]:
        parts.append(f"units {', '.join(start['units'])}")
    if start["supply_source_of"]:
        parts.append(f"supply source of {', '.join(start['supply_source_of'])}")
    if start["playing_area"] is False:
        parts.append("outside the playing area")
    return "; ".join(parts)
