"""Traits and pieces: the table of traits, nesting, builders."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost.vassal import codec, making, pieces, traits
from fieldpost.vassal.fields import Field
from fieldpost.vassal.keys import KeyStroke, alt, ctrl, ctrl_shift, key, named
from fieldpost.vassal.pieces import BasicState, DeckState, PieceDesign, PieceError, StackState, TraitText

# Types as the engine itself writes them.
ENGINE_TYPES = [
    "emb2;;128;;Flip;128;;;128;;;;1;false;0;0;a.png,b.png;,reduced +;true;Step;;;false;;1;1;true;;"
    "70,130;;;1.0;;true",
    "mark;Side,Strength",
    "delete;Delete;68,130;",
    "footprint;84,130;Movement Trail;false;false;10;255,255,255;0,0,0;100;50;20;30;1.0;;;;;false",
    r"markmoved;moved.png;20;-6;Mark Moved;77,130;;false;Mark piece as moved;;Mark piece as unmoved;",
    r"report;70\,130,68\,130;$PlayerName$: $oldPieceName$ -> $newPieceName$;;;;false",
    "hide;73,130;Hidden;0,0,0;side:;0.30000001192092896;;false",
    "obs;75,130;mask.png;Mask;Gmask.png;?;side:;Peek;;false;;",
    "sendto;Eliminate;69,130;Main Map;Battlefield;0;0;;;0;0;0;0;to dead pile;G;;;;1208",
    "rotate;6;93,130;91,130;Rotate CW;Rotate CCW;;;Facing;;;;;true",
    r"PROP;Fatigue;true,0,4,false;Tired:85\,130:I\,1;",
    "immob;n;V;L;d",
    'macro;name;cmd;84,130;{Side=="Blue"};70\\,130;71\\,130,72\\,130;true;73,130;74,130;while;{a};{b};3;true;idx;1;2',
]


@pytest.mark.parametrize("text", ENGINE_TYPES)
def test_type_of_the_engine_is_read_field_by_field_and_written_back(text: str) -> None:
    trait = traits.read(text)
    assert trait.spec is not None
    values = trait.values
    if trait.prefix == "mark;":
        assert "mark;" + codec.encode(trait.list_of("names"), ",") == text
    else:
        assert trait.spec.type(**values) == text


def test_free_rotation_has_fields_of_its_own() -> None:
    values = traits.read("rotate;1;83,130;Set angle;82,130;rnd;Free;d;;;;true").values
    assert (values["facings"], values["key"], values["name"]) == (1, ctrl("S"), "Free")


def test_fields_are_typed() -> None:
    values = traits.read(ENGINE_TYPES[0]).values
    assert values["images"] == ("a.png", "b.png")
    assert values["names"] == ("", "reduced +")
    assert values["increase_key"] == ctrl("F")
    assert values["activate_key"] is None
    assert (values["loop"], values["first_level"], values["scale"]) == (True, 1, 1.0)


def test_short_type_takes_defaults() -> None:
    values = traits.read("obs;75,130;mask.png").values
    assert (values["access"], values["style"], values["name"]) == ("player:", "I", "?")


def test_unknown_trait_is_kept() -> None:
    trait = traits.read("ours;a;b")
    assert (trait.spec, trait.name, trait.text, trait.values) == (None, "ours", "ours;a;b", {})


def test_written_types_stay_within_what_36_knows() -> None:
    layer = making.layer("Step", ["a.png", "b.png"], ["", "reduced +"], up=ctrl("F"), up_text="Flip")
    assert layer == TraitText(
        "emb2;;128;;Flip;128;;;128;;;;1;false;0;0;a.png,b.png;,reduced +;true;Step;;;false;;1;1;true;;"
        "70,130;;;1.0",
        "1",
    )
    assert making.mask("m.png").type == "obs;75,130;m.png;Mask;Gm.png;?;side:;;;false"


def test_younger_field_is_written_when_asked_for() -> None:
    made = making.layer("S", ["a.png"], when_property="Mode", when_value="rail")
    assert made.type.endswith(";1.0;Mode;rail")


def test_unknown_field_is_named() -> None:
    with pytest.raises(TypeError, match="no such field: colour"):
        making.trait("delete;", colour="red")


@pytest.mark.parametrize(
    ("made", "type", "state"),
    [
        (making.delete(), "delete;Delete;68,130;", ""),
        (making.marker({"Side": "Axis", "Name": "a,b"}), "mark;Side,Name", "Axis,a\\,b"),
        (making.prototype("Unit"), "prototype;Unit;", ""),
        (making.moved("m.png", 1, 2), "markmoved;m.png;1;2;Mark moved;77,130;", "false"),
        (making.hide(), "hide;73,130;Hide;0,0,0;side:;0.3;", "null"),
        (making.label("HQ"), None, "HQ"),
        (making.trail(), None, "false;;0"),
        (making.mask("m.png"), None, "null;"),
        (making.report([ctrl("F"), ctrl("D")], "x"), "report;70\\,130,68\\,130;x;;;", "-1"),
        (
            making.dynamic(
                "F", "0", [making.command("Up", ctrl("U"), making.add_to(1))], lowest=0, highest=4
            ),
            "PROP;F;true,0,4,false;Up:85\\,130:I\\,1;",
            "0",
        ),
    ],
)
def test_builders_write_type_and_fresh_state(made: TraitText, type: str | None, state: str) -> None:
    assert made.state == state
    if type is not None:
        assert made.type == type


@pytest.mark.parametrize(
    ("stroke", "text"),
    [
        (ctrl("F"), "70,130"),
        (ctrl_shift("f"), "70,195"),
        (alt("N"), "78,520"),
        (key("5"), "53,0"),
        (named("markLost"), "57344,0,markLost"),
    ],
)
def test_key_strokes_are_read_and_written(stroke: KeyStroke, text: str) -> None:
    assert str(stroke) == text
    assert KeyStroke.parse(text) == stroke


def test_old_key_is_a_letter_with_ctrl() -> None:
    assert KeyStroke.parse("f") == ctrl("F")
    assert KeyStroke.parse("") is None
    assert KeyStroke.parse("x,y") is None


def test_every_row_of_the_table_can_be_written_and_read() -> None:
    for row in traits.TRAITS.values():
        trait = traits.read(row.type())
        assert trait.spec is row
        assert row.state is None or trait.state(row.fresh)


def test_basic_state_is_read_and_written() -> None:
    text = "Main Map;161;242;3;2;OldZone;;UniqueID;u1"
    state = BasicState.read(text)
    assert state == BasicState("Main Map", 161, 242, "3", (("OldZone", ""), ("UniqueID", "u1")))
    assert state.write() == text


@pytest.mark.parametrize("text", ["null;62;56", "Main;1;2;3", "Main;1;2;3;0", "null;-5;0;;0"])
def test_basic_state_of_old_engines_survives(text: str) -> None:
    assert BasicState.read(text).write() == text


@pytest.mark.parametrize("text", ["Main;1;2;a;b;@@1", "Main;1;2;a", "null", "Main;1;2;@@-1", "null;@@1"])
def test_stack_state_is_read_and_written(text: str) -> None:
    assert StackState.read(text).write() == text


@pytest.mark.parametrize("text", ["Cards;1;2;true;a,b", "Cards;1;2;false"])
def test_deck_state_is_read_and_written(text: str) -> None:
    assert DeckState.read(text).write() == text


TRAIT_TEXTS = st.text(alphabet="ab;'\\\t/", max_size=8)


@given(st.lists(st.tuples(TRAIT_TEXTS, TRAIT_TEXTS), min_size=1, max_size=8))
def test_state_survives_byte_for_byte(pairs: list[tuple[str, str]]) -> None:
    type = pieces.read_type(codec.nest([one for one, _ in pairs]))
    text = codec.nest([state for _, state in pairs])
    assert type.state(text).text == text
    assert type.state(text + "\tsurplus").text == text + "\tsurplus"


def test_piece_with_352_traits_is_read_and_written() -> None:
    design = PieceDesign("deep", "a.png", tuple(making.marker({f"p{n}": str(n)}) for n in range(352)))
    type = pieces.read_type(design.type)
    assert len(type.traits) == 353
    assert type.exact
    assert "\\" * 351 + "\t" in design.type
    assert type.states(design.state())[300] == "300"


def test_slot_escapes_its_slashes() -> None:
    design = PieceDesign("a/b", "a.png", gpid="7")
    assert design.slot() == r"+/null/piece;;;a.png;a\/b/null;0;0;7;0"


def test_prototypes_are_expanded_in_place_and_recursively() -> None:
    inner, outer = [making.clone()], [making.delete(), making.prototype("Inner")]
    design = PieceDesign("x", traits=(making.prototype("Outer"), making.label()))
    expanded = design.expand({"Outer": outer, "Inner": inner})
    assert [trait.type.split(";")[0] for trait in expanded.traits] == ["delete", "clone", "label"]


def test_prototype_that_contains_itself_is_an_error() -> None:
    with pytest.raises(PieceError, match="contains itself"):
        PieceDesign(traits=(making.prototype("A"),)).expand({"A": [making.prototype("A")]})


def test_fields_of_the_table_have_distinct_names() -> None:
    for row in traits.TRAITS.values():
        fields: tuple[Field, ...] = row.fields.rows
        assert len({field.name for field in fields}) == len(fields), row.prefix
