"""Help pages of a module: its keys, and where its data comes from."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image, ImageDraw

from builder.fonts import font
from builder.module import charts, keys
from builder.module.buildfile import HelpPage, environment
from builder.module.keys import Command
from builder.module.plan import Plan
from fieldpost.vassal.keys import ALT, CTRL, SHIFT, KeyStroke

_MODIFIERS = ((CTRL, "Ctrl"), (ALT, "Alt"), (SHIFT, "Shift"))


def pages(plan: Plan) -> list[HelpPage]:
    templates = environment()
    keyboard = templates.get_template("keys.html.j2").render(
        title=plan.game.title,
        commands=[(spell(c.key), c.text, c.help) for c in _commands(plan) if not c.key.name],
        tools=[(spell(t.key), t.text, t.tip) for t in keys.TOOLS if t.key is not None],
    )
    sources = templates.get_template("sources.html.j2").render(
        game=plan.game,
        map=plan.game.map,
        tables=[(table.title, charts.source(table.provenance)) for table in plan.game.tables],
        track=charts.source(plan.game.turn_track.provenance),
        scenarios=plan.game.scenarios,
        describe=charts.source,
    )
    return [
        HelpPage("Keys and menus", "help/keys.html", keyboard),
        HelpPage("Where the data comes from", "help/sources.html", sources),
    ]


def _commands(plan: Plan) -> Iterator[Command]:
    yield from keys.PIECE_COMMANDS
    yield keys.MARCH
    yield from (command for _, command in plan.words.modes)
    if plan.words.supply:
        yield keys.supplied()
        yield from (status.command for status in plan.words.supply)


def spell(stroke: KeyStroke) -> str:
    """A key stroke as people write it: Ctrl+Shift+A."""
    names = [name for bits, name in _MODIFIERS if stroke.modifiers & bits == bits]
    return "+".join([*names, chr(stroke.code)])


def about_picture(title: str, designer: str, version: str) -> Image.Image:
    """The picture of the about box."""
    image = Image.new("RGB", (640, 360), "#efe8d8")
    pen = ImageDraw.Draw(image)
    pen.rectangle((14, 14, 625, 345), outline="#8c7d5d", width=2)
    lines = [
        (title, font("serif-bold", 40), "#2d2a26", 130),
        (f"designed by {designer}" if designer else "", font("serif-italic", 22), "#4d4840", 175),
        (f"module version {version}, built with fieldpost", font("sans", 18), "#6d665c", 250),
        (
            "Help tells which data is from the rulebook and which is reconstructed.",
            font("sans", 16),
            "#6d665c",
            290,
        ),
    ]
    for text, face, color, y in lines:
        pen.text((320, y), text, font=face, fill=color, anchor="ms")
    return image
