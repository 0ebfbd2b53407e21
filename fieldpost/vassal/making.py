"""Traits to write: one function each, with the settings a module maker varies.

Every function returns type and fresh state. All stay within what VASSAL 3.6 and 3.8 share.
Put traits outermost first: delete, clone, trail, moved flag, report, hide, mask, send-to,
rotate, dynamic properties, then layers, markers, label. A report must stand outside the
traits whose keys it reports, a mask outside the pictures it covers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fieldpost.vassal import codec
from fieldpost.vassal.keys import KeyStroke, ctrl
from fieldpost.vassal.pieces import TraitText
from fieldpost.vassal.traits import TRAITS

SAME_SIDE = "side:"
SAME_PLAYER = "player:"
DELETE_KEY = ctrl("D")
CLONE_KEY = ctrl("C")
TRAIL_KEY = ctrl("T")
MOVED_KEY = ctrl("M")
MASK_KEY = ctrl("K")
HIDE_KEY = ctrl("I")
RETURN_KEY = ctrl("R")


def trait(prefix: str, state: str | None = None, /, **values: object) -> TraitText:
    """Any trait of the table by prefix; fields not given take their default."""
    row = TRAITS[prefix]
    return TraitText(row.type(**values), row.fresh if state is None else state)


def delete(text: str = "Delete", key: KeyStroke | None = DELETE_KEY) -> TraitText:
    return trait("delete;", text=text, key=key)


def clone(text: str = "Clone", key: KeyStroke | None = CLONE_KEY) -> TraitText:
    return trait("clone;", text=text, key=key)


def trail(
    text: str = "Movement trail", key: KeyStroke | None = TRAIL_KEY, visible: bool = False, **values: object
) -> TraitText:
    """The state says it too: 3.6 shows no trail by its type alone."""
    state = "true;;0" if visible else None
    return trait("footprint;", state, text=text, key=key, visible=visible, **values)


def moved(
    image: str, x: int, y: int, text: str = "Mark moved", key: KeyStroke | None = MOVED_KEY
) -> TraitText:
    return trait("markmoved;", image=image, x=x, y=y, text=text, key=key)


def report(keys: Sequence[KeyStroke], message: str) -> TraitText:
    """Write `message` to the chat after one of the keys."""
    return trait("report;", keys=keys, format=message)


def marker(properties: Mapping[str, str]) -> TraitText:
    """Fixed properties: names in the type, values in the state."""
    names, values = codec.encode(properties, ","), codec.encode(properties.values(), ",")
    return TraitText(f"mark;{names}", values)


def layer(
    name: str,
    images: Sequence[str],
    names: Sequence[str] | None = None,
    *,
    level: int = 1,
    up: KeyStroke | None = None,
    up_text: str = "",
    down: KeyStroke | None = None,
    down_text: str = "",
    **values: object,
) -> TraitText:
    """A picture for each level; an empty picture draws nothing.

    A level's name `+ text` is appended to the piece's, `text +` put in front, else it replaces it.
    Give `always_active=False` and a level below 0 for a layer that starts switched off.
    """
    return trait(
        "emb2;",
        str(level),
        name=name,
        images=images,
        names=[""] * len(images) if names is None else names,
        increase_key=up,
        up_text=up_text,
        decrease_key=down,
        down_text=down_text,
        **values,
    )


def mask(
    image: str,
    *,
    text: str = "Mask",
    key: KeyStroke | None = MASK_KEY,
    name: str = "?",
    access: str = SAME_SIDE,
    shown: str | None = None,
) -> TraitText:
    """Hide a piece's face from the others: they see `shown`, or the mask's own picture."""
    style = "G" + (image if shown is None else shown)
    return trait("obs;", key=key, image=image, text=text, style=style, name=name, access=access)


def hide(text: str = "Hide", key: KeyStroke | None = HIDE_KEY, access: str = SAME_SIDE) -> TraitText:
    """Make a piece invisible to the others."""
    return trait("hide;", text=text, key=key, access=access)


def label(text: str = "", **values: object) -> TraitText:
    """Write text on a piece; `menu_text` and `key` let a player change it."""
    return trait("label;", text, **values)


def set_to(value: str) -> str:
    """Change of a property: set it."""
    return codec.encode(["P", value], ",")


def add_to(amount: int) -> str:
    """Change of a property: add to it."""
    return codec.encode(["I", str(amount)], ",")


def command(text: str, key: KeyStroke | None, change: str) -> str:
    """A menu entry or key of a property, with one of the changes above."""
    return codec.encode([text, str(key or ""), change], ":")


def constraints(lowest: int | None, highest: int | None, wrap: bool = False) -> str:
    """Limits of a property; none given: it is a text."""
    numeric = lowest is not None or highest is not None
    low, high = str(lowest or 0), str(0 if highest is None else highest)
    return f"{str(numeric).lower()},{low},{high},{str(wrap).lower()}"


def dynamic(
    name: str,
    value: str,
    commands: Sequence[str] = (),
    *,
    lowest: int | None = None,
    highest: int | None = None,
    wrap: bool = False,
) -> TraitText:
    """A property of the piece that changes in play."""
    return trait(
        "PROP;",
        value,
        name=name,
        constraints=constraints(lowest, highest, wrap),
        commands=commands,
    )


def set_global(name: str, commands: Sequence[str], **values: object) -> TraitText:
    """Set a global property by key; `level` says whose (`Current Zone/Current Map/Module` when empty)."""
    return trait("setprop;", name=name, commands=commands, **values)


def calculated(name: str, expression: str) -> TraitText:
    return trait("calcProp;", name=name, expression=expression)


def prototype(name: str) -> TraitText:
    return trait("prototype;", name=name)


def trigger(name: str, keys: Sequence[KeyStroke], **values: object) -> TraitText:
    """Apply `keys` in order when `key`, `text` or a `watch` key is used and `filter` holds."""
    return trait("macro;", name=name, keys=keys, **values)


def submenu(name: str, commands: Sequence[str]) -> TraitText:
    return trait("submenu;", name=name, commands=commands)


def send_to_place(text: str, key: KeyStroke | None, map: str, board: str, label: str) -> TraitText:
    """Send a piece to the hex with that printed label."""
    return trait("sendto;", text=text, key=key, map=map, board=board, destination="G", grid_location=label)


def return_to_deck(deck: str, text: str = "Return", key: KeyStroke | None = RETURN_KEY) -> TraitText:
    return trait("return;", text=text, key=key, deck=deck, deck_expression=deck)


def place_marker(text: str, key: KeyStroke | None, piece: str, gpid: str, **values: object) -> TraitText:
    """Place the piece of a slot text (`+/null/...`) or component path; `gpid` unique in the module."""
    return trait("placemark;", text=text, key=key, piece=piece, gpid=gpid, **values)


def immobile(select: str = "", movement: str = "N", stacking: str = "R") -> TraitText:
    """select `i` only with Shift, `n` never; movement `N` normal, `V` never; stacking `L` yes, `R` no."""
    return trait("immob;", select=select, movement=movement, stacking=stacking)


def shape(corners: Sequence[tuple[int, int]]) -> TraitText:
    """Where a click meets the piece, from its middle; the trait comes before those that draw."""
    first, *others = (f"{x},{y}" for x, y in corners)
    return trait("nonRect2;", shape=",".join([f"m,{first}", *(f"l,{other}" for other in others), "c"]))


def sound(file: str, key: KeyStroke | None, text: str = "") -> TraitText:
    return trait("playSound;", sound=file, text=text, key=key)
