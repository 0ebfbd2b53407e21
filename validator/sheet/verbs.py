"""The verbs of a turn sheet: one row each, with how it is read and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from validator.model import events as ev
from validator.model.events import Event
from validator.sheet import forms
from validator.sheet.forms import Context, Parts
from validator.sheet.tokens import Line


@dataclass(frozen=True)
class Verb:
    name: str
    event: type[Event]
    read: Callable[[Line, Context], list[Event]]
    write: Callable[[Any, Context], Parts]
    owns: Callable[[Any], bool] = lambda event: True
    form: str = ""
    example: str = ""
    meaning: str = ""
    game: str = "wfm"  # that of the example


VERBS: tuple[Verb, ...] = (
    Verb("retreat", ev.Moved, forms.read_move("retreat"), forms.write_move, lambda e: e.mode == "retreat",
         "UNITS PATH [in BATTLE]", "retreat 65A 4510-4410-4309", "retreat after combat"),
    Verb("advance", ev.Moved, forms.read_move("advance"), forms.write_move, lambda e: e.mode == "advance",
         "UNITS PATH [in BATTLE]", "advance 3PzK 4610-4510", "advance after combat"),
    Verb("move", ev.Moved, forms.read_move(), forms.write_move,
         form="UNITS PATH [as MODE] [in BATTLE]", example="move 57PzK+PzKG-1 5317-5216-5115 as march",
         meaning="any other move; a mode is `march`, `strategic`, `sea` ..."),
    Verb("step", ev.StepChanged, forms.read_step, forms.write_step,
         form="UNIT OLD>NEW [in BATTLE]", example="step 11AK 1>2 in 3",
         meaning="steps lost or got back; 1 is full strength"),
    Verb("buy", ev.Placed, forms.read_buy, forms.write_buy, forms.is_bought,
         "UNITS", "buy Pz-21+GLI-18", "counters come into the box of what their side has bought", game="wie"),
    Verb("place", ev.Placed, forms.read_place, forms.write_place,
         form="UNIT HEX|BOX [step N]", example="place InfKG-2 5317 step 2",
         meaning="a unit comes onto the map or into a box"),
    Verb("remove", ev.Removed, forms.read_remove, forms.write_remove,
         form="UNIT [to BOX] [in BATTLE]", example="remove Ru6AK in 3",
         meaning="a unit leaves the map for a box, or the game"),
    Verb("replace", ev.Replaced, forms.read_replace, forms.write_replace,
         form="UNITS with UNITS at HEX [for WHY]", example="replace 11AK with InfKG-2:2 at 4611",
         meaning="counters give way to others; after a colon the step"),
    Verb("mark", ev.Marked, forms.read_mark, forms.write_mark,
         form="UNIT|HEX MARKER[:FACE]", example="mark 8AK out-of-supply:2",
         meaning="a marker is put, or turned to a face"),
    Verb("unmark", ev.Unmarked, forms.read_unmark, forms.write_unmark,
         form="UNIT|HEX MARKER", example="unmark 8AK out-of-supply", meaning="a marker is taken off"),
    Verb("set", ev.Pointed, forms.read_set, forms.write_set,
         form="MARKER[:FACE] BOX", example="set weather turn-24",
         meaning="a marker is put into a box beside the map, such as a track"),
    Verb("draw", ev.Drawn, forms.read_draw, forms.write_draw,
         form="MARKER from DECK [for UNIT]", example="draw csm-c-4-6 from csm-c for 65A",
         meaning="a chit is drawn"),
    Verb("return", ev.Returned, forms.read_return, forms.write_return,
         form="MARKER [to DECK] [from UNIT]", example="return csm-c-4-6 to csm-c from 65A",
         meaning="a chit goes back into its deck, or without `to` out of the game"),
    Verb("overrun", ev.Attacked, forms.read_attack(True), forms.write_attack, lambda e: e.overrun,
         "UNITS|HEXES x HEXES [with SUPPORT] [at ODDS] [in BATTLE] [: ROLL] [= RESULT]",
         "overrun 3PzK x 6406 : 1d6=5 = D2", "an overrun, with its die and result"),
    Verb("attack", ev.Attacked, forms.read_attack(False), forms.write_attack,
         form="UNITS|HEXES x HEXES [with SUPPORT] [at ODDS] [in BATTLE] [: ROLL] [= RESULT]",
         example="attack 4610+4611 x 4510 with air at 3:1 : 1d6=3 = D2",
         meaning="an attack; a hex stands for all units in it that can attack"),
    Verb("round", ev.RoundBegan, forms.read_round, forms.write_round,
         form="N [under UNITS] [in BATTLE]", example="round 2 under 3PzK+4TK",
         meaning="a round of a battle, and the headquarters that order it"),
    Verb("fire", ev.Fired, forms.read_fire, forms.write_fire,
         form="UNITS|HEXES at VALUE [with UNITS] [on UNITS] [as MANNER] [in BATTLE] : ROLL",
         example="fire 57PzK+3PzK at 4 with 8AK : 2d12=2,11",
         meaning="a volley: the units' dice in order, each a hit at the value or less; `with` what supports, "
         "`on` what it is fired at"),
    Verb("roll", ev.Rolled, forms.read_roll, forms.write_roll,
         form="[REASON] ROLL [for UNIT] [in BATTLE]", example="roll attrition 1d6=4 for 8AK",
         meaning="dice for anything"),
    Verb("result", ev.ResultNamed, forms.read_result, forms.write_result,
         form="RESULT [in BATTLE]", example="result 1/2 in 4", meaning="the result, named later"),
    Verb("declare", ev.Declared, forms.read_declare, forms.write_declare,
         form="WHAT [= VALUE] [for UNITS] [at HEXES]", example="declare victory-points = 55",
         meaning="anything else that is declared"),
    Verb("undone", ev.Undone, forms.read_undone, forms.write_undone,
         form="STEP,STEP... [with ROLLS]", example="undone 12,13 with 1",
         meaning="steps of a log that were taken back, and how many rolls among them"),
    Verb("doubled", ev.Doubled, forms.read_doubled, forms.write_doubled,
         form="UNIT HEX|BOX", example="doubled 3PzK 6407",
         meaning="a second counter of a unit that is in play was laid out"),
    Verb("other-die", ev.OtherDie, forms.read_other_die, forms.write_other_die,
         form="BATTLE \"REASON\" VALUES", example='other-die 4 "attrition" 3',
         meaning="a battle got no die, but one fell for something else while it waited"),
    Verb("say", ev.Said, forms.read_say, forms.write_say,
         form='"TEXT"', example='say "a fine morning"', meaning="a line of chat"),
    Verb("unknown", ev.NotUnderstood, forms.read_unknown, forms.write_unknown,
         form='"TEXT" [near WORD]', example='unknown "[fp] resalt 2/2 #2" near result',
         meaning="a line of a log with a word that the game does not know"),
    Verb("unread", ev.Unread, forms.read_unread, forms.write_unread,
         form='"REASON" ["TEXT"]', example='unread "a piece that is none of the game\'s was moved"',
         meaning="something in a log that no rule can be asked about"),
)  # fmt: skip
"""In the order they are tried for an event: of two verbs for one event, the narrower comes first."""

BY_NAME = {verb.name: verb for verb in VERBS}
