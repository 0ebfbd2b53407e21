"""Every trait of a piece: one table, from which reader, writer and reference are made.

A trait is its type (prefix and fields, the same all game long) and its state.
What the table does not know is kept as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from fieldpost.vassal import codec
from fieldpost.vassal.fields import Fields, Value

RAW = ""
"""State delimiter of a state that is one text without encoding."""


@dataclass(frozen=True, slots=True)
class TraitSpec:
    """One row: `fields` of the type, `state` fields or None where the state is empty."""

    prefix: str
    name: str
    fields: Fields
    state: Fields | None
    note: str = ""

    @property
    def fresh(self) -> str:
        """The state of a piece never touched."""
        if self.state is None:
            return ""
        if self.state.delimiter == RAW:
            return self.state.rows[0].default
        return self.state.write({})

    def type(self, **values: Value) -> str:
        """Write a type; fields not given take their default."""
        return self.prefix + self.fields.write(values)


_TABLE = """\
piece; basic piece
    type   clone_key delete_key image name
    state; map=null x:i=0 y:i=0 gpid properties:i=0
    note   state: as many pairs of key and value as `properties` says follow
emb2; layer
    type   activate_text activate_modifiers:i=128 activate_letters up_text
           up_modifiers:i=128 up_letters down_text down_modifiers:i=128 down_letters
           reset_text reset_key:k reset_level=1 under_when_selected:b=false x:i=0 y:i=0
           images:l names:l loop:b=true name random_key:k random_text follow:b=false
           property first_level:i=1 version:i=1 always_active:b=true activate_key:k
           increase_key:k decrease_key:k description scale:n=1.0 | when_property
           when_value=true
    state  level:i=1
    note   level below 0: inactive, remembers the level
mark; marker
    type   names:l
    state  values:l
    note   both are one list with `,`
delete; delete
    type   text key:k description
clone; clone
    type   text key:k description
footprint; trail
    type   key:k text visible:b=false to_all:b=false radius:i=10 fill:c=255,255,255
           line:c=0,0,0 selected_opacity:i=100 opacity:i=50 edge_point:i=20
           edge_display:i=30 width:n=1.0 on_key:k off_key:k clear_key:k description |
           ignore_same_place:b=false
    state; visible:b=false map points:i=0
    note   state: `points` times x,y follow, then two more
markmoved; moved flag
    type   image x:i=0 y:i=0 text key:k description | ignore_same_place:b=false
           mark_text mark_key:k unmark_text unmark_key:k
    state  moved:b=false
report; report
    type   keys:K format cycle_keys:K cycle_formats:l description | no_suppress:b=false
    state  cycle:i=-1
label; label
    type   key:k menu_text size:i=10 background:c foreground:c=0,0,0 v_pos=t
           v_offset:i=0 h_pos=c h_offset:i=0 v_just=b h_just=c
           name_format=$pieceName$_($label$) font=Dialog style:i=0 rotation:i=0
           property=TextLabel description | always_format:b=false
    state  text
obs; mask
    type   key:k image text style=I name=? access=player: peek_text description
           auto_peek:b=false | deal_key:k deal_expression
    state; owner=null options
    note   owner null: open; a side, or a player's password
hide; hide
    type   key:k text background:c=0,0,0 access=player: opacity:n=0.3 description |
           no_report:b=false
    state  owner=null
    note   owner null: seen by all; a side, or a player's password
sendto; send to
    type   text key:k map board x=0 y=0 back_text back_key:k index_x=0 index_y=0
           offset_x=0 offset_y=0 description destination=L zone region counter_filter
           grid_location
    state; back_map back_x back_y
rotate; rotate
    type   facings:i=6 clockwise_key:k counter_key:k clockwise_text counter_text
           random_key:k random_text name description direct_key:k direct_text
           direct_expression direct_is_facing:b=true
    state  facing:n=0
    note   facings 1: key and text instead of the four, the state is an angle
PROP; dynamic property
    type   name constraints:l=false,0,100,false commands:l description
    state  value
    note   constraints numeric,min,max,wrap; a command is text:key:change
prototype; prototype
    type   name parameters:l
immob; does not stack
    type   select movement=N stacking=R description
nonRect2; non-rectangular
    type   scale:n=1.0 shape
nonRect; non-rectangular (old)
    type   shape
calcProp; calculated property
    type   name expression description
macro; trigger
    type   name text key:k filter watch:K keys:K loop:b=false pre_key:k post_key:k
           loop_type=counted while_expression until_expression count=1 index:b=false
           index_property index_start=1 index_step=1
placemark; place marker
    type   text key:k piece marker_text=null x:i=0 y:i=0 match_rotation:b=false
           after_key:k description gpid placement:i=0 above:b=false |
           copy_properties:b=false parameters:l version:i=1
replace; replace
    type   text key:k piece marker_text=null x:i=0 y:i=0 match_rotation:b=false
           after_key:k description gpid placement:i=0 above:b=false |
           copy_properties:b=false parameters:l version:i=1
return; return to deck
    type   text key:k deck prompt description version:i=2 select_deck:b=false
           deck_expression
submenu; sub-menu
    type   name commands:l description
restrict; restricted
    type   sides:l by_player:b=false movement:b=true description
    state  owner
hideCmd; restrict commands
    type   name action=Hide filter keys:K
propertysheet; property sheet
    type   definition menu_name empty commit:i=0 red green blue key:k description
    state  text
translate; move fixed
    type   text key:k x=0 y=0 move_stack:b=true index_x=0 index_y=0 offset_x=0
           offset_y=0 description
setprop; set global property
    type   name constraints:l=false,0,100,false commands:l description level search
globalkey; global key
    type   text key:k sent_key:k filter restrict_range:b=false range:i=1
           report_single:b=true fixed_range:b=true range_property description
           deck_selection=-1 target | suppress_sounds:b=false parameters:l
globalhotkey; global hotkey
    type   text key:k sent_key:k description
playSound; sound
    type   sound text key:k to_others:b=true description | no_suppress:b=false
button; button
    type   key:k x:i=0 y:i=0 width:i=0 height:i=0 description popup:b=false |
           whole_shape:b=true version:i=1 points:i=0
AreaOfEffect; area of effect
    type   colour:c opacity:i=50 radius=1 always_on:b=true text key:k shader
           fixed_radius:b=true radius_property description | name on_text on_key:k
           off_text off_key:k to_all:b=true
    state  on:b=false
pivot; pivot
    type   text key:k x:i=0 y:i=0 fixed:b=true angle:n=90.0 description | second_text
           second_key:k second_angle:n
border; border
    type   | property description thickness:i=2 colour:c second_property joined=AND
cmt; comment
    type   | text
menuSeparator; menu separator
    type   text key:k
basicName; basic name
    type   name
table; table
    type   rows:i columns:i text key:k description
    state  cells:l
mat; mat
    type   name description
    state; count:i=0
    note   state: as many ids follow
matPiece; mat cargo
    type   description keep_facing:b=false distance_x:i=0 distance_y:i=0 find_key:k
           detach_key:k
    state  mat=noMat
deselect; deselect
    type   text key:k description unstack:b=false which=D
attach; attachment
    type   | name description
    state; count:i=0
    note   21 fields, kept as read
setpieceprop; set piece property
    type   name constraints:l=false,0,100,false commands:l description
locCommand; commands for locations
    type   description locations filter menu_text key:k this_map:b=true menu_sort ascending:b=true
           numeric:b=false
locmsg; report of a location (old)
    type   format
FTPfootprint; trail (For the People)
    type   key text
    state  trail
conceal; concealment (VASL)
    type   key image nation second_nation marker
    state; owner=null options
    note   owner null: open; else a player's password
concealment; concealment counter (VASL)
    type   nation
moved; moved flag (VASL)
    type   image
    state  moved:b=false
placeDM; place DM (VASL)
    type   text key piece
placeACQ; place acquisition (VASL)
    type   text key piece
info; text (VASL)
    type   text
turr; turret (VASL)
    type   front back up_key down_key
    state; facing flipped
"""


def _rows(table: str) -> Iterator[TraitSpec]:
    for block in re.split(r"\n(?=\S)", table.strip()):
        title, *lines = block.split("\n")
        prefix, _, name = title.partition(" ")
        yield _spec(prefix, name, _parts(lines))


def _parts(lines: list[str]) -> dict[str, str]:
    parts: dict[str, str] = {}
    tag = ""
    for line in lines:
        tag = line[4:11].strip() or tag
        parts[tag] = f"{parts.get(tag, '')} {line[11:]}".strip()
    return parts


def _spec(prefix: str, name: str, parts: dict[str, str]) -> TraitSpec:
    state = None
    for tag, delimiter in (("state", RAW), ("state;", ";"), ("state,", ",")):
        if tag in parts:
            state = Fields.parse(parts[tag], delimiter)
    return TraitSpec(prefix, name, Fields.parse(parts["type"]), state, parts.get("note", ""))


TRAITS: dict[str, TraitSpec] = {row.prefix: row for row in _rows(_TABLE)}

DECK = Fields.parse(
    "draw:b=true colour:c width:i=60 height:i=84 face_down=Always shuffle=Never allow_multiple:b=false "
    "allow_select:b=false reversible:b=false reshuffle_command reshuffle_target reshuffle_message name "
    "shuffle_format reverse_format face_down_format draw_face_up:b=false can_save:b=false shuffle_key:k "
    "reshuffle_key:k max_stack:i=10 count_expressions:l expression_counting:b=false commands:l "
    "key_on_empty:b=false empty_key:k select_property=$BasicName$ select_sort restrict:b=false "
    "restrict_expression shuffle_command=Shuffle reverse_command=Reverse reverse_key:k"
)
"""Fields of a deck's type behind `deck;`, as far as VASSAL 3.6 knows them; the rest are texts and keys."""


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait as it stands in a type: its text, and its row where the table has one."""

    text: str
    prefix: str
    spec: TraitSpec | None

    @property
    def name(self) -> str:
        return self.spec.name if self.spec else self.prefix.rstrip(";")

    @property
    def values(self) -> dict[str, Value]:
        """The fields by name; empty where the trait is unknown."""
        return _values(self.text)

    def text_of(self, field: str) -> str:
        return cast(str, self.values[field])

    def list_of(self, field: str) -> tuple[str, ...]:
        return cast("tuple[str, ...]", self.values[field])

    def state(self, text: str) -> dict[str, Value]:
        """The fields of a state by name; empty where there are none to know."""
        if self.spec is None or self.spec.state is None:
            return {}
        fields = self.spec.state
        if self.prefix == "mark;":
            return {"values": tuple(codec.decode(text, ","))}
        if fields.delimiter == RAW:
            return {fields.rows[0].name: fields.rows[0].read(text)}
        return fields.read(text)


_LONG = 16_384  # what is longer is not kept


def read(text: str) -> Trait:
    """Read a trait's type."""
    return _kept(text) if len(text) < _LONG else _read(text)


def _read(text: str) -> Trait:
    prefix = text[: text.find(";") + 1]
    return Trait(text, prefix, TRAITS.get(prefix))


_kept = lru_cache(maxsize=8192)(_read)


def _values(text: str) -> dict[str, Value]:
    return _kept_values(text) if len(text) < _LONG else _read_values(text)


def _read_values(text: str) -> dict[str, Value]:
    trait = read(text)
    if trait.spec is None:
        return {}
    body = text[len(trait.prefix) :]
    if trait.prefix == "mark;":
        return {"names": tuple(codec.decode(body, ","))}
    if trait.prefix == "rotate;" and codec.head(body, ";") == "1":
        return FREE_ROTATION.read(body)
    return trait.spec.fields.read(body)


_kept_values = lru_cache(maxsize=8192)(_read_values)
FREE_ROTATION = Fields.parse(
    "facings:i=1 key:k text random_key:k random_text name description direct_key:k direct_text "
    "direct_expression direct_is_facing:b=true"
)
