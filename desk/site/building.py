"""The site, written into a folder: pages, modules, pictures, samples, Python and our code for it."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from desk import pages, tasks
from desk.addresses import Static
from desk.lane import DONE
from desk.library import WITHHELD, Module
from desk.site import fetching
from desk.templates import EXAMPLES, POLICIES, STATUSES, environment, render
from fieldpost import data
from fieldpost.definition import compiled, known_games, load
from fieldpost.definition.model import Game
from fieldpost.errors import FieldpostError
from validator.anygame import replay
from validator.report.html import page as report
from validator.report.html.pictures import ModulePictures
from validator.services import rulebooks

LIST = "site.json"  # the files of a site, by which a later build knows its own
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs")
ON_DEMAND = (".vmod",)  # kept on the visitor's machine only once he asks for them
SHELL = ("index.html", "desk.css", "desk.js", "site.js", "worker.js", "emblem.svg", *pages.FACES)
CODE = ("fieldpost", "validator", "desk")
LEFT_OUT = ("/commands/", "/engines/", "/site/building.py", "/site/fetching.py")
SERVER = ("app", "child", "desk", "guard", "lane", "library", "pages", "protocol", "server", "shelf", "tasks")
OF_SERVER = {f"desk/{name}.py" for name in (*SERVER, "memory", "uploads", "warm")}
ICONS_PX = (192, 512)
ALWAYS_THE_SAME = (1980, 1, 1, 0, 0, 0)
Say = Callable[[str], None]


@dataclass
class Site:
    folder: Path
    say: Say
    files: dict[str, int] = field(default_factory=dict)

    def write(self, name: str, content: bytes | str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = content.encode() if isinstance(content, str) else content
        path.write_bytes(content)
        self.files[name] = len(content)

    def withhold(self, name: str) -> None:
        (self.folder / name).unlink()
        del self.files[name]


def build(folder: Path, say: Say, *, group: bool = False) -> tuple[dict[str, int], list[str]]:
    """Every file of the site with its size, and the games whose modules are withheld; from a `group` none is.

    What an earlier build left there goes.
    """
    _must_be_ours(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".site-") as beside:
        site = Site(Path(beside) / "site", say)
        site.folder.mkdir()
        say("fetching Python for the browser")
        for package in fetching.packages():
            fetching.archive(package.id)
        games, pictures = _games(site, group)
        say("compiling the checker")
        _python(site, pictures)
        say("writing the pages")
        _pages(site, games)
        _samples(site)
        _looks(site)
        _worker(site)
        site.write(LIST, json.dumps(site.files, indent=1))
        if folder.exists():
            shutil.rmtree(folder)
        site.folder.rename(folder)
    return site.files, [name for name, game in games.items() if game.get("withheld")]


def _must_be_ours(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / LIST).is_file())):
        raise FieldpostError(
            f"{folder} is there already, and is no site of ours",
            "Name a new folder, or an empty one: what is in it would be removed.",
        )


# --- Python and our code -------------------------------------------------------------------------


def _python(site: Site, pictures: dict[str, Any]) -> None:
    given = fetching.pyodide()
    for name in PYODIDE:
        site.write(f"python/{name}", given[name])
    site.write("python/LICENCE.txt", _about_pyodide())
    archive = _archive(pictures)
    with tempfile.TemporaryDirectory() as beside:
        for name in ("package.json", *PYODIDE, "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"):
            (Path(beside) / name).write_bytes(given[name])
        ours, library = _precompiled(Path(beside), archive)
    packed = {"pyodide.asm.wasm": given["pyodide.asm.wasm"], "library.zip": library, "fieldpost.zip": ours}
    for name, content in packed.items():
        site.write(f"python/{name}.gz", gzip.compress(content, 9, mtime=0))
    start = {
        "lock": {"info": json.loads(given["pyodide-lock.json"])["info"], "packages": {}},
        "sizes": {name: site.files[f"python/{name}.gz"] for name in packed},
    }
    site.write("python/start.json", json.dumps(start))


def _precompiled(pyodide: Path, archive: bytes) -> tuple[bytes, bytes]:
    """Our code and Python's own library as byte code of the Python in the browser."""
    node = fetching.find_program("node")
    if node is None:
        raise FieldpostError(
            "node is needed to compile our code for browsers", "Install Node.js 20 or newer."
        )
    ours, out = pyodide / "ours-given.zip", pyodide / "out"
    ours.write_bytes(archive)
    out.mkdir()
    script = Path(__file__).with_name("precompile.mjs")
    sample = data.path("examples", "faulty-turn.txt")
    done = subprocess.run(
        [node, str(script), str(pyodide), str(ours), str(sample), str(out)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise FieldpostError(f"our code does not run in Pyodide: {done.stderr.strip()[-800:]}")
    return (out / "ours.zip").read_bytes(), (out / "library.zip").read_bytes()


def _about_pyodide() -> str:
    package = next(one for one in fetching.packages() if one.id == "pyodide")
    return "\n".join(
        [
            f"Pyodide {package.version}, as published on npm; parts are compressed or compiled beforehand.",
            "It is under the Mozilla Public License 2.0 (https://www.mozilla.org/MPL/2.0/), Python in it",
            "under the PSF License; the source is at https://github.com/pyodide/pyodide",
            "",
        ]
    )


def _archive(pictures: dict[str, Any]) -> bytes:
    """Our code and what it needs, as one zip; always the same bytes from the same files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(dict(_contents(pictures)).items()):
            info = zipfile.ZipInfo(name, ALWAYS_THE_SAME)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content, compresslevel=9)
    return packed.getvalue()


def _contents(pictures: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    yield from _code()
    for name in ("jinja2", "markupsafe"):
        yield from fetching.sources(name)
    for kind in data.KINDS:
        yield f"fieldpost/_data/{kind}/.there", b""
    for part in ("desk", "report", "replay"):
        folder = data.path("templates", part)
        for path in sorted(folder.rglob("*")):
            if path.is_file() and (part != "desk" or path.suffix == ".j2"):
                yield (
                    f"fieldpost/_data/templates/{part}/{path.relative_to(folder).as_posix()}",
                    path.read_bytes(),
                )
    for name in known_games():
        game = load(name)
        yield (
            f"fieldpost/_data/compiled/{name}{compiled.ENDING}",
            compiled.dump(_without_paths(game), rulebooks.entries(game)),
        )
        if name in pictures:
            yield f"fieldpost/_data/compiled/{name}.pictures.json", json.dumps(pictures[name]).encode()


def _without_paths(game: Game) -> Game:
    """Pictures of one's own are in the prepared ones; where they lay on this machine is nobody's business."""
    return replace(game, art={name: replace(art, path=name) for name, art in game.art.items()}, passed={})


def _code() -> Iterator[tuple[str, bytes]]:
    root = Path(__file__).resolve().parents[2]
    for package in CODE:
        for path in sorted((root / package).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            left_out = name in OF_SERVER or any(part in name for part in LEFT_OUT)
            if not left_out and "/_data/" not in name:
                yield name, path.read_bytes()


# --- games ---------------------------------------------------------------------------------------


def _games(site: Site, group: bool) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """What there is to tell of each; modules and pictures are made on the way."""
    told = {game["id"]: game for game in tasks.tell_games(site.folder)}
    pictures: dict[str, Any] = {}
    for name, game in told.items():
        if game["playable"]:
            site.say(f"making the module of {game['title']}")
            module = _module(site, name)
            pictures[name] = _pictures(site, name, module.path)
            game["withheld"] = not (group or game["publishable"])
            if game["withheld"]:
                site.withhold(module.path.name)
            game["module"] = Module(name, WITHHELD) if game["withheld"] else module
    return told, pictures


def _module(site: Site, game: str) -> Module:
    folder = site.folder / "making"
    folder.mkdir()
    facts = tasks.make_module(folder, game)
    module = Module(game, DONE, site.folder, facts)
    site.write(module.path.name, (folder / facts["file"]).read_bytes())
    site.write(f"map-{game}.webp", (folder / "map.webp").read_bytes())
    shutil.rmtree(folder)
    return module


def _pictures(site: Site, game: str, module: Path) -> dict[str, Any]:
    """The boards and all counters, as the replay shows them."""
    found = ModulePictures.read(module)
    boards = []
    for number, board in enumerate(found.boards()):
        file = f"board-{game}-{number}.webp"
        site.write(file, board.webp())
        size = {"width": board.width, "height": board.height}
        boards.append({"file": file, **size, "geometry": board.geometry.text()})
    sheet, cells, columns, rows = found.sheet(_counter_names(module))
    file = f"counters-{game}.webp"
    site.write(file, sheet)
    return {"boards": boards, "sheet": {"file": file, "cells": cells, "columns": columns, "rows": rows}}


def _counter_names(module: Path) -> list[str]:
    with zipfile.ZipFile(module) as archive:
        names = [name.removeprefix("images/").removesuffix(".png") for name in archive.namelist()]
    return [name for name in names if name.startswith(("unit-", "marker-"))]


# --- pages ---------------------------------------------------------------------------------------


def policy() -> str:
    """Nothing but files of the site, no matter who asks: the page, the worker or the replay in its frame."""
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src 'self' 'wasm-unsafe-eval' 'sha256-{report.PAGES.script_digest()}' "
            f"'sha256-{replay.PAGES.script_digest()}'",
            "worker-src 'self' blob:",
            "connect-src 'self' blob:",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self'",
            "manifest-src 'self'",
            "form-action 'none'",
            "base-uri 'none'",
        ]
    )


def _pages(site: Site, games: dict[str, dict[str, Any]]) -> None:
    modules = {name: game.get("module", Module(name)) for name, game in games.items()}
    at = Static(tuple((name, module.path.name) for name, module in modules.items() if module.ready))

    def page(file: str, template: str, **shown: Any) -> None:
        site.write(file, render(template, at, here=file, policy_of_site=policy(), **shown))

    page("index.html", "start", games=games, modules=modules, examples=EXAMPLES, policies=POLICIES)
    for name, game in games.items():
        counts = {status: sum(rule["status"] == status for rule in game["rules"]) for status in STATUSES}
        page(f"game-{name}.html", "game", game=game, module=modules[name], counts=counts, statuses=STATUSES)
        page(f"rules-{name}.html", "rules", game=game, rules=game["rules"], statuses=STATUSES, chosen="")


def _samples(site: Site) -> None:
    root = data.path("examples")
    listed: dict[str, list[str]] = {}
    for name, (_, patterns) in EXAMPLES.items():
        paths = [path for pattern in patterns for path in sorted(root.glob(pattern))]
        listed[name] = [path.relative_to(root).as_posix() for path in paths]
        for path in paths:
            site.write(f"examples/{path.relative_to(root).as_posix()}", path.read_bytes())
    site.write("examples.json", json.dumps(listed))


def _looks(site: Site) -> None:
    for name in ("desk.css", "desk.js", "site.js", "worker.js", "emblem.svg"):
        site.write(name, data.path("templates", "desk", name).read_bytes())
    for name in pages.FACES:
        site.write(name, pages.face(name).read_bytes())
    for size in ICONS_PX:
        site.write(f"emblem-{size}.png", _icon(size))
    icons = [
        {"src": f"emblem-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size in ICONS_PX
        for purpose in ("any", "maskable")
    ]
    manifest = {
        "name": "Fieldpost",
        "short_name": "Fieldpost",
        "description": "Is this turn legal? Wargames by mail, checked by the rules.",
        "start_url": "index.html",
        "display": "standalone",
        "background_color": "#f4f1ea",
        "theme_color": "#2c5f66",
        "icons": icons,
    }
    site.write("site.webmanifest", json.dumps(manifest, indent=1))
    site.write("licences.txt", _licences())


def _icon(size: int) -> bytes:
    """The emblem as a picture: the letter on a square, which systems cut to their own shape."""
    from PIL import Image, ImageDraw

    scale = size * 4 // 48
    large = Image.new("RGB", (48 * scale, 48 * scale), "#2c5f66")
    pen = ImageDraw.Draw(large)
    pen.rectangle([13 * scale, 17 * scale, 35 * scale, 32 * scale], fill="#fffdf9")
    flap = [(13 * scale, 17 * scale), (24 * scale, 26 * scale), (35 * scale, 17 * scale)]
    pen.line(flap, fill="#2c5f66", width=round(2.4 * scale), joint="curve")
    picture = io.BytesIO()
    large.resize((size, size), Image.Resampling.LANCZOS).save(picture, "PNG", optimize=True)
    return picture.getvalue()


def _licences() -> str:
    rows = [f"{one.title}, {one.version}: {one.licence}" for one in fetching.packages()]
    return "\n".join(
        [
            "Fieldpost: Apache License 2.0",
            *rows,
            "PT Serif and Barlow Condensed (typefaces): SIL Open Font License 1.1",
            "",
            "The games belong to their designers and publishers. The page of each game says, under Credits,",
            "whose geography its map is made from.",
            "",
        ]
    )


def _worker(site: Site) -> None:
    """The service worker, which names every file; its build is the digest of them all."""
    kept = [name for name in sorted(site.files) if not name.endswith(ON_DEMAND)]
    digest = hashlib.sha256()
    for name in kept:
        digest.update(name.encode() + (site.folder / name).read_bytes())
    text = (
        environment()
        .get_template("sw.js.j2")
        .render(build=f"fieldpost-{digest.hexdigest()[:16]}", files=kept, shell=SHELL)
    )
    site.write("sw.js", text)
