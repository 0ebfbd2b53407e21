"""A small position and a turn for the demo module, made with the writers."""

from __future__ import annotations

from fieldpost.vassal import making, pieces
from fieldpost.vassal.keys import ctrl
from fieldpost.vassal.metadata import Metadata
from fieldpost.vassal.pieces import PieceDesign
from fieldpost.vassal.writer import LogBuilder, SaveBuilder, TurnLevel

DEMO = Metadata(module="Oracle Demo", version="1.0", engine="3.7.0")
MAIN, CARDS = "Main Map", "Cards"
HEX_0304, HEX_0404, HEX_0504, HEX_1004 = (161, 242), (216, 274), (272, 242), (549, 274)
DECK_POINT, FREE_POINT = (130, 100), (320, 150)

UNIT = [
    making.delete(),
    making.clone(),
    making.trail(),
    making.moved("moved.png", 20, -6),
    making.report([ctrl("F"), ctrl("D")], "$PlayerName$: $oldPieceName$ -> $newPieceName$"),
    making.hide(),
    making.mask("mask.png"),
    making.send_to_place("Eliminate", ctrl("E"), MAIN, "Battlefield", "1208"),
    making.dynamic(
        "Fatigue", "0", [making.command("Tired", ctrl("U"), making.add_to(1))], lowest=0, highest=4
    ),
]


def unit(name: str, side: str, gpid: str, level: int = 1) -> PieceDesign:
    colour = side.lower()
    step = making.layer(
        "Step",
        [f"{colour}_inf.png", f"{colour}_inf_b.png"],
        ["", "reduced +"],
        level=level,
        up=ctrl("F"),
        up_text="Flip",
    )
    own = (step, making.marker({"Side": side, "Strength": "4"}), making.label())
    return PieceDesign(name, f"{colour}_inf.png", (*UNIT, *own), gpid)


def card(number: int) -> PieceDesign:
    traits = (making.delete(), making.mask("cardback.png", text="Flip", key=ctrl("F"), name="Card"))
    return PieceDesign(f"Event {number}", f"card{number}.png", traits, str(number + 3))


def turn(number: int, phase: int) -> list[TurnLevel]:
    return [TurnLevel(number, children=(TurnLevel(phase, entries=4),))]


def position() -> SaveBuilder:
    save = SaveBuilder(DEMO)
    save.player("Blue player", "Blue")
    save.boards(MAIN, "Battlefield")
    save.boards(CARDS, "Card table")
    save.boards("Sideways", "Sideways board")
    save.property("VP", "7")
    save.property("MapWeather", "Mud", MAIN)
    save.zone_property("EastControl", "Blue", "East Front", "Battlefield", MAIN)
    save.turn(turn(3, 1))
    save.notes("two\nlines", "public")
    save.place(MAIN, *HEX_0304, [("u1", unit("1st", "Blue", "8")), ("u2", unit("2nd", "Blue", "8", level=2))])
    save.place(MAIN, *HEX_1004, [("r1", unit("1st Red", "Red", "10"))])
    deck = pieces.deck_type(name="Event Deck", colour="255,51,51", shuffle="Via right-click Menu")
    save.deck("deck", deck, CARDS, *DECK_POINT, [(f"c{n}", card(n)) for n in (1, 2, 3)])
    discards = pieces.deck_type(name="Discards", face_down="Never")
    save.deck("discards", discards, CARDS, 230, 100, face_down=False)
    return save


def turn_log() -> LogBuilder:
    """Every kind of step the builder knows."""
    log = LogBuilder.of(position())
    log.say("Blue player", "good morning")
    log.move(["u1", "u2"], MAIN, *HEX_0404, "1st, 2nd moves 0304 -> 0404 *")
    log.move(["u2"], MAIN, *HEX_0504, "reduced 2nd moves 0404 -> 0504 *")
    log.level("u1", "Step", 2)
    log.roll("1d6", "4", "Blue player")
    log.move(["u1"], MAIN, *HEX_0504)
    log.undo()
    log.move(["u1"], MAIN, *HEX_0504)
    log.set_state("u1", "PROP;", "2", "Fatigue")
    log.set_state("r1", "obs;", "Red;false|0")
    log.set_state("u2", "label;", "dug in")
    drawn = log.draw("deck", CARDS, *FREE_POINT)
    log.discard(drawn, "discards")
    log.reorder("deck", ["c2", "c1"])
    log.create("u9", unit("9th", "Red", "10"), MAIN, *HEX_1004)
    with log.one_step():
        log.create("u10", unit("10th", "Blue", "8"), MAIN, *HEX_0304)
        log.report("reinforcements")
    log.delete("r1")
    log.property("VP", "8")
    log.turn(turn(3, 2))
    log.move(["u2", "u1"], MAIN, *HEX_0304)
    return log
