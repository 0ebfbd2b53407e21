"""`fieldpost games`: what is in the box, what can be played, and where everything comes from."""

from __future__ import annotations

import argparse
from collections import Counter as Tally
from collections.abc import Iterator
from textwrap import fill
from typing import TYPE_CHECKING, Any

from fieldpost.commands.options import add_json, example, print_json
from fieldpost.phrases import points_text

if TYPE_CHECKING:
    from fieldpost.definition.mapmodel import Grid
    from fieldpost.definition.model import Game, Option, Provenance, Scenario
    from fieldpost.definition.scenariomodel import Victory


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="*", help="only these games; a folder of your own may be named")
    add_json(parser)
    example(parser, "games", "games wfm --json")


def run(arguments: argparse.Namespace) -> int:
    from fieldpost.definition import DefinitionError, games_in_the_box, load

    entries: list[dict[str, Any]] = []
    for name in arguments.game or games_in_the_box():
        try:
            entries.append(describe(load(name)))
        except DefinitionError as error:
            entries.append(_unreadable(name, len(error.problems)))
    if arguments.json:
        print_json(entries)
    else:
        print("\n\n".join(map(_as_text, entries) if arguments.game else _overview(entries)))
    return 2 if any(entry["faults"] for entry in entries) else 0


def describe(game: Game) -> dict[str, Any]:
    """A game as other programs see it."""
    return {
        "id": game.id,
        "title": game.title,
        "version": game.version,
        "designer": game.designer,
        "rights": game.rights,
        "publishable": game.is_publishable,
        "scenarios": [_scenario(scenario) for scenario in game.scenarios],
        "options": [_option(option) for option in game.options],
        "provenance": provenance(game),
        "credits": [*game.credits, *game.map.credits],
        "faults": 0,
    }


def _unreadable(name: str, faults: int) -> dict[str, Any]:
    return {"id": name, "title": name, "scenarios": [], "provenance": {}, "faults": faults}


def _scenario(scenario: Scenario) -> dict[str, Any]:
    return {
        "id": scenario.id,
        "title": scenario.title,
        "playable": scenario.playable,
        "why_not": scenario.why_not,
        "first_turn": scenario.first_turn,
        "last_turn": scenario.last_turn,
        "victory": _victory(scenario.victory) if scenario.victory else None,
    }


def _victory(victory: Victory) -> dict[str, Any]:
    return {
        "side": victory.side,
        "rule": victory.rule,
        "text": victory.text,
        "bands": [{"result": b.result, "points": points_text(b.low, b.high)} for b in victory.bands],
    }


def _option(option: Option) -> dict[str, Any]:
    return {
        "id": option.id,
        "title": option.title,
        "default": option.default,
        "choices": list(option.choices),
        "rule": option.rule,
        "note": option.note,
    }


def provenance(game: Game) -> dict[str, Any]:
    """Where every part comes from: {"turn_track", "tables", "counters", "markers", "scenarios", "map"}."""
    return {
        "game": _origin(game.provenance),
        "turn_track": _origin(game.turn_track.provenance),
        "tables": {table.id: _origin(table.provenance) for table in game.tables},
        "counters": _by_group([(c.group or c.type, c.provenance) for c in game.counters]),
        "markers": _by_group([(m.kind, m.provenance or game.provenance) for m in game.markers]),
        "scenarios": {scenario.id: _origin(scenario.provenance) for scenario in game.scenarios},
        "map": _map(game),
    }


def _origin(provenance: Provenance | None) -> dict[str, str]:
    if provenance is None:
        return {"source": "unknown"}
    given = {"source": provenance.source, "rule": provenance.rule, "how": provenance.how}
    return {key: value for key, value in given.items() if value}


def _by_group(parts: list[tuple[str, Provenance | None]]) -> dict[str, Any]:
    """For each group its origins, each with how many it holds."""
    groups: dict[str, Tally[Provenance | None]] = {}
    for group, origin in parts:
        groups.setdefault(group, Tally())[origin] += 1
    return {
        group: [{**_origin(origin), "count": count} for origin, count in origins.items()]
        for group, origins in groups.items()
    }


def _map(game: Game) -> dict[str, Any]:
    map_ = game.map
    layers: dict[str, Tally[str]] = {f"grid {grid.id}": _cells(grid) for grid in map_.grids}
    layers["places"] = Tally(place.source for place in map_.places)
    layers["hexsides"] = Tally(run.source for run in map_.side_runs for _ in run.sides)
    layers["lines"] = Tally(line.source for line in map_.lines)
    layers["areas"] = Tally(area.source for area in map_.areas)
    layers["edges"] = Tally(edge.source for edge in map_.edges)
    return {
        "provenance": map_.provenance,
        "layers": {name: dict(sources) for name, sources in layers.items() if sources},
    }


def _cells(grid: Grid) -> Tally[str]:
    """How many hexes of a grid rest on what."""
    settled = Tally[str](reason.source for hex_, reason in grid.because.items() if hex_ in grid.values)
    return settled + Tally({grid.source: len(grid.values) - settled.total()})


# --- for people --------------------------------------------------------------------------------


def _overview(entries: list[dict[str, Any]]) -> Iterator[str]:
    """Every game in short, and what can be looked at though it cannot be played."""
    from fieldpost.definition.places import games_in_the_box, maps_in_the_box

    for entry in entries:
        yield _in_short(entry)
    alone = [name for name in maps_in_the_box() if name not in games_in_the_box()]
    if alone:
        yield f"maps without a game yet: {', '.join(alone)}"
    yield "'fieldpost games GAME' tells how each table, counter and map layer was made, and the options."


def _in_short(entry: dict[str, Any]) -> str:
    if entry["faults"]:
        return _as_text(entry)
    lines = [*_head(entry), "  tables, and where they come from"]
    tables: dict[str, list[str]] = {}
    for name, origin in entry["provenance"]["tables"].items():
        tables.setdefault(_origin_in_short(origin), []).append(name)
    for origin_text, names in tables.items():
        lines.append(
            fill(
                f"{origin_text}: {', '.join(names)}",
                110,
                initial_indent=" " * 4,
                subsequent_indent=" " * 6,
                break_on_hyphens=False,
            )
        )
    return "\n".join(lines)


def _head(entry: dict[str, Any]) -> list[str]:
    by = f", by {entry['designer']}" if entry["designer"] else ""
    lines = [f"{entry['id']}  {entry['title']}{by} (version {entry['version']})"]
    lines += [f"  rights: {entry['rights'] or 'not stated'} (docs/rights.md)", "  scenarios"]
    return lines + ([f"    {_scenario_line(scenario)}" for scenario in entry["scenarios"]] or ["    none"])


def _as_text(entry: dict[str, Any]) -> str:
    if entry["faults"]:
        name = entry["id"]
        return f"{name}: cannot be used, {entry['faults']} faults ('fieldpost lint {name}' shows them)"
    lines = _head(entry)
    won = [line for scenario in entry["scenarios"] for line in _victory_lines(scenario)]
    if won:
        lines += ["  how it is won", *won]
    if entry["options"]:
        lines += ["  options (the default first)"]
        lines += [line for option in entry["options"] for line in _option_lines(option)]
    origins = entry["provenance"]
    lines += ["  where it comes from", f"    turn track: {_sentence(origins['turn_track'])}"]
    lines += [f"    table {name}: {_sentence(origin)}" for name, origin in origins["tables"].items()]
    for what in ("counters", "markers"):
        for group, parts in origins[what].items():
            lines += [f"    {what} {group} ({part['count']}): {_sentence(part)}" for part in parts]
    for layer, sources in origins["map"]["layers"].items():
        counts = ", ".join(f"{count} {source}" for source, count in sources.items())
        lines.append(f"    map {layer}: {counts}")
    if origins["map"]["provenance"]:
        lines.append(f"    map: {' '.join(origins['map']['provenance'].split())}")
    return "\n".join(lines)


def _scenario_line(scenario: dict[str, Any]) -> str:
    turns = f"turns {scenario['first_turn']}-{scenario['last_turn']}"
    line = f"{scenario['id']}  {scenario['title']} ({turns})"
    return line if scenario["playable"] else f"{line}: not playable yet, {scenario['why_not']}"


def _victory_lines(scenario: dict[str, Any]) -> Iterator[str]:
    victory = scenario["victory"]
    if not victory:
        return
    rule = f" (rule {victory['rule']})" if victory["rule"] else ""
    yield f"    {scenario['id']}: points of the {victory['side']}{rule}"
    if victory["text"]:
        yield _wrapped(victory["text"], 6)
    if victory["bands"]:
        yield _wrapped("; ".join(f"{band['points']}: {band['result']}" for band in victory["bands"]), 6)


def _wrapped(text: str, indent: int) -> str:
    margin = " " * indent
    return fill(text, 110, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)


def _option_lines(option: dict[str, Any]) -> Iterator[str]:
    yield f"    {_option_line(option)}"
    if option["note"]:
        yield _wrapped(option["note"], 6)


def _option_line(option: dict[str, Any]) -> str:
    choices = [option["default"], *(choice for choice in option["choices"] if choice != option["default"])]
    rule = f" (rule {option['rule']})" if option["rule"] else ""
    return f"{option['id']} {' | '.join(choices)}: {option['title']}{rule}"


def _origin_in_short(origin: dict[str, str]) -> str:
    return {"rulebook": "the rulebook", "owner": "the owner's copy"}.get(origin["source"], origin["source"])


def _sentence(origin: dict[str, str]) -> str:
    words = _origin_in_short(origin)
    rule = f", rule {origin['rule']}" if "rule" in origin else ""
    how = f": {origin['how']}" if "how" in origin else ""
    return f"{words}{rule}{how}"
