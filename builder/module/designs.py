"""Pieces of a module: every counter, marker and chit as VASSAL traits, by prototypes.

The order of traits matters: outermost first, reports outside what they report, pictures inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from builder.counters import Pictures
from builder.module import battle, cups, fog, keys, odds
from builder.module.keys import Command
from builder.module.vocabulary import Vocabulary
from fieldpost.definition.model import Counter, Deck, Game, Marker, UnitType
from fieldpost.vassal import making
from fieldpost.vassal.keys import KeyStroke, named
from fieldpost.vassal.pieces import PieceDesign, TraitText

Traits = tuple[TraitText, ...]
BATTLE_MARKER = f'{{Kind=="{battle.KIND}"}}'
_AIR = dict.fromkeys(("airbase", "air-fleet", "aircraft", "bomber", "fighter"), "air")
_ABOVE = 2  # where a marker that is called for comes to lie
NAMED = "$BasicName$"  # of a marker or chit, in the chat
DELETE = making.delete(keys.DELETE.text, keys.DELETE.key)  # inside all else, so last in the menu
LABEL_LETTERS = 9  # what there is room for under a counter in the stack viewer
UNDER = "ground"  # of markers on hexsides: a click goes to the units above them
SIDE = "Side"  # which hexside a marker lies on
LAYER = "unit"  # of pieces that stack; the battle marker lies above them
# Where badges sit, in halves of a counter from its middle: on the edge, clear of factors and identity.
BADGES = {"mode": (-0.95, -0.85), "supply": (0.98, 0.1), "battle": (-0.98, 0.1)}


@dataclass(frozen=True)
class Art:
    """Names of pictures in the module, and the size of a counter."""

    counter_px: int
    pictures: Pictures

    def unit(self, counter: Counter, step: int) -> str:
        return self.pictures.counter(counter, step)

    def marker(self, marker: Marker, face: int) -> str:
        return self.pictures.marker(marker, face)

    def badge(self, kind: str, name: str) -> str:
        return f"badge-{kind}-{name}.png"

    def back(self, side: str) -> str:
        return f"back-{side}.png"

    MOVED = "badge-moved.png"
    VEIL = "veil.png"

    def corner(self, kind: str) -> tuple[int, int]:
        """Where a badge sits, from the middle of the counter."""
        across, down = BADGES[kind]
        return round(across * self.counter_px / 2), round(down * self.counter_px / 2)


def told(command: Command, name: str = "$UnitId$") -> TraitText:
    """What the chat says of a command."""
    return making.report([command.key], command.told(name))


def next_battle(commands: Sequence[Command]) -> Traits:
    """A declaration after the die of a battle opens the next one; outside all that asks for its number."""
    opened = f"{{{battle.ROLLED_PROPERTY}==Battle?Battle+1:Battle}}"
    return (
        making.set_global(
            "Battle",
            [making.command("", command.key, making.set_to(opened)) for command in commands],
            level=cups.ANY_LEVEL,
            constraints=making.constraints(None, None),
        ),
    )


def unit_prototype(art: Art, words: Vocabulary) -> Traits:
    """What every unit can do."""
    commands = [command for command in words.fighting if command is not keys.NO_BATTLE]
    commands += [] if words.moving else [command for _, command in words.modes]
    commands += [keys.supplied(), *(status.command for status in words.supply)] if words.supply else []
    reports = [told(command) for command in (*commands, keys.DELETE)]
    declared = [command for command in words.fighting if command is not keys.NO_BATTLE]
    return (
        making.trail(keys.TRAIL.text, keys.TRAIL.key, visible=True, to_all=True),
        making.moved(
            art.MOVED, art.counter_px // 2 - 14, -art.counter_px // 2 - 2, keys.MOVED.text, keys.MOVED.key
        ),
        *reports,
        *next_battle(declared),
        *_menus(words),
        *_battle(art, words),
        *([] if words.moving else _mode(art, words.modes)),
        *_supply(art, words),
    )


def moves(number: int) -> str:
    """The prototype of units that share their ways of moving."""
    return f"Moves {number}"


def moves_prototype(art: Art, words: Vocabulary, names: tuple[str, ...]) -> Traits:
    """Ways of moving that some units have and others have not."""
    modes = words.some(names)
    if not modes:
        return ()
    texts = [keys.MARCH.text, *(command.text for _, command in modes)]
    return (
        *(told(command) for _, command in modes),
        making.submenu("Movement", texts),
        *_mode(art, modes),
    )


def _menus(words: Vocabulary) -> list[TraitText]:
    menus = [making.submenu("Battle", [command.text for command in words.fighting])]
    if words.modes and not words.moving:
        moves = [keys.MARCH.text, *(command.text for _, command in words.modes)]
        menus.append(making.submenu("Movement", moves))
    if words.supply:
        menus.append(
            making.submenu("Supply", ["In supply", *(status.command.text for status in words.supply)])
        )
    return menus


class Choice(NamedTuple):
    """A value of a property: its name, and the menu entry and key that choose it."""

    name: str
    command: Command


def _choice(
    art: Art, prop: str, kind: str, none: Choice, choices: Sequence[Choice], reset: KeyStroke
) -> Traits:
    """A property that menu entries set, its number beside it, and the badge that follows the number.

    VASSAL asks for a layer's level whenever it paints: a number is quick, an expression is not.
    """
    chosen = [*choices, none]
    names = [making.command(c.command.text, c.command.key, making.set_to(c.name)) for c in chosen]
    levels = [making.command("", c.command.key, making.set_to(str(n))) for n, c in enumerate(choices, 2)]
    levels.append(making.command("", none.command.key, making.set_to("1")))
    return (
        making.dynamic(prop, none.name, [*names, making.command("", reset, making.set_to(none.name))]),
        making.dynamic(f"{prop}Level", "1", [*levels, making.command("", reset, making.set_to("1"))]),
        _badge(art, kind, [c.name for c in choices], f"{prop}Level"),
    )


def _badge(art: Art, kind: str, names: Sequence[str], level: str) -> TraitText:
    x, y = art.corner(kind)
    images = ["", *(art.badge(kind, name) for name in names)]
    return making.layer(
        f"{kind.capitalize()}Badge", images, follow=True, property=level, x=x, y=y, always_active=True
    )


def _battle(art: Art, words: Vocabulary) -> list[TraitText]:
    roles = [
        Choice("attacker", keys.ATTACK),
        Choice("target", keys.TARGET),
        Choice("support", keys.SUPPORT),
        *([Choice("overrun", words.overrun)] if words.overrun else []),
    ]
    numbers = [making.command("", role.command.key, making.set_to("$Battle$")) for role in roles]
    none = Choice("none", keys.NO_BATTLE)
    return [
        *_choice(art, "BattleRole", "battle", none, roles, keys.CLEAR_BATTLE),
        making.dynamic("BattleNumber", "0", numbers),
        *(_tell(role.command, keys.TARGETED if role.name == "target" else keys.ODDS) for role in roles),
        _tell(keys.NO_BATTLE, keys.ODDS),
    ]


def _tell(command: Command, key: KeyStroke) -> TraitText:
    """Send a key to the battle marker; inside what the command changes, so that it comes after."""
    return making.trait(
        "globalkey;", key=command.key, sent_key=key, filter=BATTLE_MARKER, target=cups.EVERYWHERE
    )


def _mode(art: Art, modes: Sequence[tuple[str, Command]]) -> Traits:
    if not modes:
        return ()
    choices = [Choice(name, command) for name, command in modes]
    return _choice(art, "Mode", "mode", Choice("march", keys.MARCH), choices, keys.CLEAR_MODE)


def _supply(art: Art, words: Vocabulary) -> Traits:
    """The badge follows a number of its own, which two buttons take off and put back."""
    if not words.supply:
        return ()
    statuses = [Choice(status.name, status.command) for status in words.supply]
    supplied = Choice("supplied", keys.supplied())
    name, level, _ = _choice(art, "Supply", "supply", supplied, statuses, keys.CLEAR_SUPPLY)
    shown = [
        *(making.command("", c.command.key, making.set_to(str(n))) for n, c in enumerate(statuses, 2)),
        *(making.command("", key, making.set_to("1")) for key in (supplied.command.key, keys.SUPPLY_OFF)),
        making.command("", keys.CLEAR_SUPPLY, making.set_to("1")),
        making.command("", keys.SUPPLY_ON, making.set_to("{SupplyLevel}")),
    ]
    badge = _badge(art, "supply", [status.name for status in statuses], "SupplyShown")
    return name, level, making.dynamic("SupplyShown", "1", shown), badge


def side_prototype(words: Vocabulary, side: str) -> Traits:
    """What units of one side can declare."""
    return _declarations(words.declarations[side])


@dataclass(frozen=True)
class Grave:
    """Where a unit goes when it is eliminated: a box, and its place there from the middle."""

    map: str
    box: str
    x: int = 0
    y: int = 0

    def traits(self) -> Traits:
        """Numbers, not properties: VASSAL 3.8 calls it bad data when it cannot find one at once."""
        aside = {"index_x": "1", "index_y": "1", "offset_x": str(self.x), "offset_y": str(self.y)}
        return (told(keys.ELIMINATE), _send_to_box(keys.ELIMINATE, self.map, self.box, **aside))


def _send_to_box(command: Command, map_name: str, box: str, **aside: str) -> TraitText:
    """To the middle of a holding box, or as far aside as told, on whichever board is laid out."""
    return making.trait(
        "sendto;", text=command.text, key=command.key, map=map_name, destination="Z", zone=box, **aside
    )


def _declarations(commands: Sequence[Command]) -> Traits:
    if not commands:
        return ()
    return (
        making.report([command.key for command in commands], keys.DECLARED),
        making.submenu("Declare", [command.text for command in commands]),
        making.dynamic(
            "Declared",
            "",
            [
                making.command(command.text, command.key, making.set_to(command.report.split()[1]))
                for command in commands
            ],
        ),
    )


def laid_upon(game: Game) -> list[Marker]:
    """Markers that a unit can call for; supply statuses have badges of their own."""
    return [marker for marker in game.markers if marker.lies_on == "unit" and marker.kind != "supply"]


def places(marker: Marker) -> str:
    """The prototype by which a unit calls for a marker."""
    return f"Takes {marker.id}"


def places_prototype(marker: Marker, design: PieceDesign, gpid: str, number: int) -> Traits:
    """A menu entry that puts a marker on the counter."""
    key = named(f"fpMark{number}")
    return (making.place_marker(marker.name, key, design.slot(), gpid, placement=_ABOVE),)


def unit(
    game: Game,
    counter: Counter,
    art: Art,
    gpid: str,
    map_name: str,
    cup: str | None = None,
    grave: Grave | None = None,
    extra: Sequence[str] = (),
    more: Mapping[str, str] | None = None,
) -> PieceDesign:
    """`cup`: the deck it draws strength from; `gpid` is also its number among those that draw.

    `extra` and `more`: prototypes and facts that not all units have.
    """
    unit_type = game.unit_type[counter.type]
    nation = game.nationality[counter.nationality or unit_type.nationality]
    side = next(side for side in game.sides if side.id == unit_type.side)
    facts = {
        "Kind": "unit",
        "PieceLayer": LAYER,
        "UnitId": counter.id,
        "Side": side.id,
        "SideName": side.name,
        "Nationality": nation.id,
        "UnitType": unit_type.id,
        "TypeName": unit_type.name,
        "SupportKind": _AIR.get(unit_type.symbol, unit_type.symbol),
        "Label": counter.id if len(counter.id) <= LABEL_LETTERS else "",
        cups.ARMY: gpid if cup is not None else "0",
        **(more or {}),
    }
    if odds.DRAWS in (*unit_type.traits, *counter.traits):
        facts["Draws"] = "1"
    markers = [marker for marker in laid_upon(game) if marker.is_for(counter, unit_type)]
    traits = [
        making.prototype("Unit"),
        making.prototype(f"Unit of {side.id}"),
        *(making.prototype(name) for name in extra),
        *([making.submenu("Markers", [marker.name for marker in markers])] if markers else ()),
        *(making.prototype(places(marker)) for marker in markers),
        *((told(keys.DRAW), *cups.draws(cup, gpid, map_name)) if cup is not None else ()),
        *(grave.traits() if grave is not None else ()),
        *(fog.traits(art.back(side.id), art.VEIL) if fog.is_concealable(counter, unit_type) else ()),
        *_range(counter, unit_type),
        *_steps(counter, unit_type, art),
        *odds.strengths(game, counter),
        DELETE,
        making.marker(facts),
    ]
    return PieceDesign(counter.name, art.unit(counter, 1), tuple(traits), gpid)


def _range(counter: Counter, unit_type: UnitType) -> list[TraitText]:
    """The hexes that a gun or headquarters reaches, by key; it follows the side that is up."""
    if "range" in unit_type.factors:
        ranges = odds.of_steps(counter, unit_type.factors.index("range"))
    else:
        ranges = [int(unit_type.values.get("command-range", 0))]
    if not any(ranges):
        return []
    return [
        making.trait(
            "AreaOfEffect;",
            text=keys.RANGE.text,
            key=keys.RANGE.key,
            colour=(214, 40, 30),
            opacity=22,
            always_on=False,
            fixed_radius=False,
            radius_property="Range",
            name="Range",
        ),
        odds.strength("Range", ranges),
    ]


def _steps(counter: Counter, unit_type: UnitType, art: Art) -> list[TraitText]:
    if len(counter.steps) < 2:
        return []
    lose, gain = keys.LOSE_STEP, keys.GAIN_STEP
    if unit_type.sides:
        first, second = unit_type.sides
        lose = lose._replace(text=f"Turn to {second}", said=f"is turned to {second}")
        gain = gain._replace(text=f"Turn to {first}", said=f"is turned to {first}")
    images = [art.unit(counter, step) for step in range(1, len(counter.steps) + 1)]
    names = ["", *(f"+ (step {step})" for step in range(2, len(images) + 1))]
    return [
        told(lose),
        told(gain),
        making.layer(
            "Step",
            images,
            names,
            up=lose.key,
            up_text=lose.text,
            down=gain.key,
            down_text=gain.text,
            loop=False,
            always_active=True,
        ),
    ]


def marker(marker: Marker, art: Art, gpid: str, goes: Traits = (), chit: bool = False) -> PieceDesign:
    """A marker, or a chit of a deck; `goes` is what may become of it, outside its faces."""
    kind = "chit" if chit else "marker"
    facts = {"Kind": kind, "MarkerId": marker.id, "MarkerKind": marker.kind, "Side": marker.side or ""}
    facts |= {"Label": "", "PieceLayer": LAYER}
    facts |= {_property(name): str(value) for name, value in marker.values.items()}
    own = [making.prototype(name) for name in marker.prototypes]
    traits = [making.prototype("Chit" if chit else "Marker"), *own, *goes]
    if marker.lies_on == "hexside":
        facts["PieceLayer"] = UNDER
        traits += [
            making.immobile(stacking="R"),
            told(keys.TURN, NAMED),
            told(keys.TURN_BACK, NAMED),
            making.trait(
                "rotate;",
                "0",
                facings=6,
                clockwise_key=keys.TURN.key,
                clockwise_text=keys.TURN.text,
                counter_key=keys.TURN_BACK.key,
                counter_text=keys.TURN_BACK.text,
                name=SIDE,
            ),
        ]
    if len(marker.faces) > 1:
        images = [art.marker(marker, face) for face in range(1, len(marker.faces) + 1)]
        traits.append(told(keys.FLIP, NAMED))
        traits.append(
            making.layer(
                "Face",
                images,
                ["", *(f"+ (side {face})" for face in range(2, len(images) + 1))],
                up=keys.FLIP.key,
                up_text=keys.FLIP.text,
                loop=True,
                always_active=True,
                reset_key=keys.FRONT if chit else None,
            )
        )
    traits += odds.chit_strengths(marker) if chit else [making.marker(odds.nothing())]
    traits += [DELETE, making.marker(facts)]
    return PieceDesign(marker.name, art.marker(marker, 1), tuple(traits), gpid)


def chit_goes(marker: Marker, deck: Deck, map_name: str, removed: str | None) -> Traits:
    """Back into its cup, its front up; a starred chit leaves the game instead, if there is a box for such."""
    hidden = (making.mask(cups.BACK, text="", key=None),) if deck.face_down else ()
    answers = (*cups.fetched(), *hidden)
    if removed is not None and str(marker.values.get("starred", 0)) == "1":
        return (told(keys.TAKE_OUT, NAMED), _send_to_box(keys.TAKE_OUT, map_name, removed), *answers)
    home = [keys.FRONT, keys.HOME]
    return (
        told(keys.RETURN, NAMED),
        making.trigger("return", home, text=keys.RETURN.text, key=keys.RETURN.key),
        making.return_to_deck(deck.name, "", keys.HOME),
        *answers,
    )


def _property(name: str) -> str:
    return "Value" + "".join(part.capitalize() for part in name.replace("_", "-").split("-"))


def marker_prototype() -> Traits:
    return (
        told(keys.DELETE, NAMED),
        making.clone(keys.CLONE.text, keys.CLONE.key),
    )


def chit_prototype() -> Traits:
    """A chit is one of a kind: it may be put back or taken out, and not copied."""
    return (told(keys.DELETE, NAMED),)
