"""fieldpost render: a game's counters as a sheet or to print, its map as a picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from fieldpost.commands.options import add_overlays
from fieldpost.vassal.archive import write_bytes

EXAMPLE = """\
example:
  fieldpost render counters wfm -o out            out/wfm-counters.png, every face once
  fieldpost render counters wfm -o out --pdf      out/wfm-counters.pdf, sheets to print and cut
  fieldpost render counters wfm -o out --pieces   out/wfm-counters/, each face by itself
  fieldpost render map wfm -o out --style print
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"{EXAMPLE}\n{parser.epilog or ''}"
    what = parser.add_subparsers(dest="what", required=True, metavar="counters|map")
    counters = what.add_parser("counters", help="draw counters, markers and chits")
    _game_and_folder(counters)
    counters.add_argument("--size", type=int, default=75, help="width of a counter in pixels (75)")
    counters.add_argument("--pdf", action="store_true", help="a PDF to print: fronts, backs, cut marks")
    counters.add_argument("--pieces", action="store_true", help="a picture for each face")
    counters.add_argument("--paper", choices=("a4", "letter"), default="a4", help="paper of the PDF (a4)")
    counters.add_argument("--mm", type=float, default=15.9, help="width of a printed counter in mm (15.9)")
    drawn_map = what.add_parser("map", help="draw the map")
    _game_and_folder(drawn_map)
    drawn_map.add_argument("--style", default="classic", help="classic, safe (for the colour-blind) or print")
    drawn_map.add_argument("--area", help="only this sheet or area")
    drawn_map.add_argument("--hex", type=int, metavar="PX", help="width of a hex in pixels")
    drawn_map.add_argument("--bare", action="store_true", help="without title, key, track and boxes")
    drawn_map.add_argument("--png", action="store_true", help="a PNG, whatever its size")


def _game_and_folder(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("game", help="a game in the box (wfm) or a folder with one of your own")
    add("-o", "--output", type=Path, default=Path(), metavar="DIR", help="where to write (here)")
    add_overlays(parser)


def run(args: argparse.Namespace) -> int:
    return _map(args) if args.what == "map" else _counters(args)


def _counters(args: argparse.Namespace) -> int:
    from builder import counters
    from fieldpost.definition import load

    game = load(args.game, args.overlay)
    for problem in counters.problems(game):
        print(f"warning: {problem}")
    stem = f"{game.id}-counters"
    if args.pdf:
        _write(args.output / f"{stem}.pdf", counters.print_pdf(game, args.mm, args.paper))
    if args.pieces:
        faces = list(counters.faces(game))
        for face in faces:
            write_bytes(args.output / stem / face.file, counters.png(face.draw(args.size)))
        print(f"wrote {args.output / stem}: {len(faces)} pictures")
    if not args.pdf and not args.pieces:
        _write(args.output / f"{stem}.png", counters.png(counters.sheet(game, args.size)))
    return 0


def _map(args: argparse.Namespace) -> int:
    from builder import map as maps
    from fieldpost.definition import load_game_or_map

    game_map, game = load_game_or_map(args.game, args.overlay)
    size = {} if args.hex is None else {"hex_px": args.hex}
    picture = maps.draw(game or game_map, args.style, area=args.area, furniture=not args.bare, **size)
    data, ending = picture.encode(".png" if args.png else None)
    name = "-".join(part for part in (game_map.id, "map", args.area, _unless(args.style, "classic")) if part)
    _write(args.output / f"{name}{ending}", data)
    return 0


def _unless(value: str, usual: str) -> str:
    return "" if value == usual else value


def _write(path: Path, data: bytes) -> None:
    write_bytes(path, data)
    print(f"wrote {path}")
