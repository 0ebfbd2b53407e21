"""Help pages of a module: its keys, and where its data comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from builder.fonts import font
from builder.module import buildfile, charts, designs, fog, keys, volleys
from builder.module.buildfile import HelpPage, environment
from builder.module.keys import Command
from builder.module.plan import Plan
from fieldpost.phrases import points_text
from fieldpost.vassal.keys import ALT, CTRL, SHIFT, KeyStroke

_F1 = 112
_MODIFIERS = ((CTRL, "Ctrl"), (ALT, "Alt"), (SHIFT, "Shift"))


def pages(plan: Plan) -> list[HelpPage]:
    templates = environment()
    keyboard = templates.get_template("keys.html.j2").render(
        title=plan.game.title,
        commands=[(spell(c.key), c.text, c.help) for c in _commands(plan) if not c.key.name],
        tools=[(spell(t.key), t.text, t.tip) for t in keys.TOOLS if t.key is not None],
        omits=plan.game.battle_plate.omits if plan.game.battle_plate else "",
        overrun=plan.words.overrun and plan.words.overrun.text,
        stacks=fog.wanted(plan.game),
        menus=buildfile.menus(plan),
        declared=[
            (side.name, [command.text for command in plan.words.declarations[side.id]])
            for side in plan.game.sides
            if plan.words.declarations[side.id]
        ],
        laid=[marker.name for marker in designs.laid_upon(plan.game)],
    )
    sides = {side.id: side.name for side in plan.game.sides}
    turns = templates.get_template("turns.html.j2").render(game=plan.game, who={**sides, "both": "Both"})
    winning = templates.get_template("winning.html.j2").render(
        game=plan.game, sides=sides, span=lambda band: points_text(band.low, band.high)
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
        HelpPage("Turn by turn", "help/turns.html", turns),
        HelpPage("How it is won", "help/winning.html", winning),
        HelpPage("Where the data comes from", "help/sources.html", sources),
    ]


def _commands(plan: Plan) -> Iterator[Command]:
    """What the counters of this game can do."""
    yield from plan.words.fighting
    yield from keys.KEEPING
    if any(map(plan.cup_of, plan.game.counters)):
        yield keys.DRAW
    if plan.game.decks:
        yield keys.RETURN
    if fog.wanted(plan.game):
        yield from (keys.CONCEAL, keys.REVEAL)
    yield from volleys.commands(plan.words)
    yield keys.MARCH
    yield from (command for _, command in plan.words.modes)
    if plan.words.supply:
        yield keys.supplied()
        yield from (status.command for status in plan.words.supply)


def spell(stroke: KeyStroke) -> str:
    """A key stroke as people write it: Ctrl+Shift+A."""
    names = [name for bits, name in _MODIFIERS if stroke.modifiers & bits == bits]
    letter = f"F{stroke.code - _F1 + 1}" if _F1 <= stroke.code < _F1 + 12 else chr(stroke.code)
    return "+".join([*names, letter])


@dataclass(frozen=True)
class About:
    """The picture of the about box: what it is, whose it is, and some of its counters."""

    title: str
    designer: str
    version: str
    counters: tuple[Callable[[int], Image.Image], ...]

    def draw(self) -> Image.Image:
        image = Image.new("RGB", (640, 400), "#efe8d8")
        pen = ImageDraw.Draw(image)
        pen.rectangle((14, 14, 625, 385), outline="#8c7d5d", width=2)
        pen.rectangle((19, 19, 620, 380), outline="#8c7d5d", width=1)
        by = f"designed by {self.designer}" if self.designer else ""
        lines = [
            (self.title, _fitting(self.title, 560), "#2d2a26", 100),
            (by, font("serif-italic", 22), "#4d4840", 142),
            (f"module version {self.version}, built with fieldpost", font("sans", 18), "#6d665c", 312),
            (_HELP_TELLS, font("sans", 16), "#6d665c", 344),
        ]
        for text, face, color, y in lines:
            pen.text((320, y), text, font=face, fill=color, anchor="ms")
        self._row(image)
        return image

    def _row(self, image: Image.Image) -> None:
        left = 320 - len(self.counters) * _SHOWN_STEP // 2
        for number, draw in enumerate(self.counters):
            shown = draw(_SHOWN_PX).convert("RGBA")
            image.paste(shown, (left + number * _SHOWN_STEP, 178), shown)


_HELP_TELLS = "Help tells which data is from the rulebook and which is reconstructed."
_SHOWN, _SHOWN_PX, _SHOWN_STEP = 6, 75, 86


def _fitting(title: str, width: int) -> ImageFont.FreeTypeFont:
    faces = [font("serif-bold", size) for size in (42, 36, 30, 25)]
    return next((face for face in faces if face.getlength(title) <= width), faces[-1])


def about(plan: Plan) -> About:
    """The first counter of as many types as there is room for, side by side."""
    game = plan.game
    by_type = {counter.type: counter for counter in reversed(game.counters)}
    sides = [
        [by_type[t.id] for t in game.unit_types if t.side == side.id and t.id in by_type]
        for side in game.sides
    ]
    shown = [counter for counters in sides for counter in counters[: _SHOWN // len(sides)]]
    wanted = {plan.pictures.counter(counter, 1) for counter in shown}
    draws = {face.file: face.draw for face in plan.pictures.faces() if face.file in wanted}
    pictures = tuple(draws[plan.pictures.counter(counter, 1)] for counter in shown)
    return About(game.title, game.designer, game.version, pictures)
