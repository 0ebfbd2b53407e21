"""Modules made to exhaust whoever looks into them, each by a way of its own."""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Callable

from tests.hostile_files import MB, SEED, zipped

_MODULE = "VASSAL.build.GameModule"
_MAP = "VASSAL.build.module.Map"
_BOARD = "VASSAL.build.module.map.boardPicker.Board"
_PICKER = "VASSAL.build.module.map.BoardPicker"
_GRIDS = "VASSAL.build.module.map.boardPicker.board"
_PROTOTYPES = "VASSAL.build.module.PrototypesContainer"
_PROTOTYPE = "VASSAL.build.module.PrototypeDefinition"
_PALETTE = "VASSAL.build.module.PieceWindow"
_SLOT = "VASSAL.build.widget.PieceSlot"


def module(within: str, entries: dict[str, bytes] | None = None) -> bytes:
    text = f'<{_MODULE} name="Hostile" version="1" VassalVersion="3.6.0">{within}</{_MODULE}>'
    data = {"name": "Hostile", "version": "1", "VassalVersion": "3.6.0"}
    about = "".join(f"<{key}>{value}</{key}>" for key, value in data.items())
    return zipped(
        {"buildFile.xml": text.encode(), "moduledata": f"<data>{about}</data>".encode(), **(entries or {})}
    )


def board(within: str = "", settings: str = 'width="5000" height="5000"') -> str:
    inner = f'<{_PICKER}><{_BOARD} name="Board" {settings}>{within}</{_BOARD}></{_PICKER}>'
    return f'<{_MAP} mapName="Main">{inner}</{_MAP}>'


def entities_in_entities() -> bytes:
    names = [f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12)]
    text = f'<!DOCTYPE x [<!ENTITY e0 "ha">{"".join(names)}]><{_MODULE} name="&e11;"/>'
    return zipped({"buildFile.xml": text.encode()})


def nested_components() -> bytes:
    return module("<a>" * 200_000 + "</a>" * 200_000)


def prototypes_doubling() -> bytes:
    """Each uses the one before twice."""
    made = []
    for number in range(40):
        use = f"prototype;P{number - 1}\t\t\\\tprototype;P{number - 1}\t\t\\\t" if number else ""
        made.append(f'<{_PROTOTYPE} name="P{number}">+/null/{use}piece;;;;/null;0;0;;0</{_PROTOTYPE}>')
    slot = f'<{_SLOT} entryName="A" gpid="1">+/null/prototype;P39\t\t\\\tpiece;;;a;A/null;0;0;1;0</{_SLOT}>'
    return module(f"<{_PROTOTYPES}>{''.join(made)}</{_PROTOTYPES}><{_PALETTE}>{slot}</{_PALETTE}>")


def a_cell_for_each_pixel() -> bytes:
    numbers = f'<{_GRIDS}.mapgrid.HexGridNumbering visible="true"/>'
    grid = f'<{_GRIDS}.HexGrid dx="0.01" dy="0.01" visible="true">{numbers}</{_GRIDS}.HexGrid>'
    return module(board(grid, 'width="2000000" height="2000000"'))


def thousands_of_zones() -> bytes:
    path = ";".join(f"{n % 5000},{n * 7 % 5000}" for n in range(300))
    zones = "".join(f'<{_GRIDS}.mapgrid.Zone name="Z{n}" path="{path}"/>' for n in range(5_000))
    return module(board(f"<{_GRIDS}.ZonedGrid>{zones}</{_GRIDS}.ZonedGrid>"))


def many_slots() -> bytes:
    layer = "emb2;;2;;;2;;;2;;;;1;false;0;0;a,b;,;true;;;;false;;1;1;true;;"
    slots = "".join(
        f'<{_SLOT} entryName="A{n}" gpid="{n}">+/null/{layer}\tpiece;;;a{n};A{n}/1\tnull;0;0;{n};0</{_SLOT}>'
        for n in range(150_000)
    )
    return module(f"<{_PALETTE}>{slots}</{_PALETTE}>")


def a_huge_picture() -> bytes:
    """Sixty thousand pixels wide and high, well packed."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    edge = 60_000
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(edge // 8 + 1)) for _ in range(edge)) + packer.flush()
    head = struct.pack(">IIBBBBB", edge, edge, 1, 0, 0, 0, 0)
    png = io.BytesIO(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))
    return module(board(settings='image="huge.png"'), {"images/huge.png": png.getvalue()})


def pictures_that_run() -> bytes:
    """What calls itself a picture and is a program or an archive."""
    script = b'<script>alert(1)</script><image href="file:///etc/passwd"/>'
    svg = b'<svg xmlns="http://www.w3.org/2000/svg">' + script + b"</svg>"
    entries = {"images/run.svg": svg, "images/zip.png": zipped({"a": bytes(MB)})}
    return module(board(settings='image="run.svg"') + board(settings='image="zip.png"'), entries)


def a_way_out_of_the_archive() -> bytes:
    return module(board(settings='image="../../out.png"'), {"images/../../out.png": b"x"})


def expressions_without_end() -> bytes:
    names = random.Random(SEED)
    slots = []
    for number in range(30):
        text = "{" + "(" * 10_000 + "1" + "".join(f"+a{names.randrange(10**9)}" for _ in range(20_000))
        traits = f"calcProp;X;{text}\tlabel;L;16;{text}\tpiece;;;a;A/\t{text}\tnull;0;0;{number};0"
        slots.append(f'<{_SLOT} entryName="A" gpid="{number}">+/null/{traits}</{_SLOT}>')
    return module(f"<{_PALETTE}>{''.join(slots)}</{_PALETTE}>")


MAKERS: tuple[Callable[[], bytes], ...] = (
    entities_in_entities,
    nested_components,
    prototypes_doubling,
    a_cell_for_each_pixel,
    thousands_of_zones,
    many_slots,
    a_huge_picture,
    pictures_that_run,
    a_way_out_of_the_archive,
    expressions_without_end,
)
BY_NAME = {make.__name__: make for make in MAKERS}
