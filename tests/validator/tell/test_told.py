"""What happened, told: battles with what came of them, moves together, towns that changed hands."""

from __future__ import annotations

from tests.validator.tell.telling import telling, told
from validator.tell import render


def test_a_battle_is_told_with_die_result_losses_retreat_and_advance() -> None:
    text = (
        "turn 22 sov-combat\nattack 5TkA+1GdA x 4613\ndraw csm-a-9-7 from csm-a for 5TkA\n"
        "roll combat 1d6=5 in 1\nresult D4\nremove Ru5AK in 1\nadvance 5TkA 4512-4613\n"
    )
    assert told(text) == [
        "The 5th Tank Army (9-7) and the 1st Guards Army attacked Rumanian V Corps just south-west of "
        "Serafimovich (E4613): die 5, D4. Rumanian V Corps was eliminated. "
        "The 5th Tank Army advanced into the hex."
    ]


def test_what_happens_to_one_unit_is_one_sentence() -> None:
    text = (
        "turn 23 axis-combat\nattack 11AK x 4510 : 1d6=4 = A2\nstep 11AK 1>2 in 1\nretreat 11AK 4611-4711\n"
    )
    (said,) = told(text)
    assert said.endswith(
        "XI Army Corps lost a step and fell back to E4711, two hexes south-east of Serafimovich."
    )


def test_a_battle_without_loss_says_so() -> None:
    (said,) = told("turn 23 axis-combat\nattack 11AK x 4510 : 1d6=4 = -\n")
    assert said.endswith("No losses, and nobody gave ground.")


def test_a_loss_that_turns_a_corps_into_a_kampfgruppe_belongs_to_its_battle() -> None:
    text = "turn 22 sov-combat\nattack 21A x 4611 : 1d6=5 = 2/2\nreplace 11AK with InfKG-4 at 4611\n"
    (said,) = told(text)
    assert "XI Army Corps was reduced to Kampfgruppe Grossmann." in said


def test_an_overrun_that_took_the_hex_is_one_and_another_was_tried() -> None:
    failed, won = (
        told(f"turn 22 sov-move\noverrun 64A x 4709 : 1d6=4 = 2/2\nremove {unit} in 1\n")[0]
        for unit in ("64A", "51AK")
    )
    assert "The 64th Army attacked LI Army Corps" in failed
    assert "in an overrun" in failed
    assert "The 64th Army overran LI Army Corps" in won


def test_odds_and_support_are_told_where_they_were_declared() -> None:
    (said,) = told("turn 23 axis-combat\nattack 11AK x 4510 with air+siege-gun at 3:1 : 1d6=4 = D1\n")
    assert "with air and siege gun: odds 3:1, die 4, D1." in said


def test_moves_to_one_town_are_told_together() -> None:
    said = told("turn 22 sov-move\nmove 51A 5008-4907\nmove OSG-1 5008-4907\nmove 3GdA 4311-4509\n")
    assert said == [
        "The 51st Army and Offensive Support Group 1 moved to E4907, two hexes south-east of Stalingrad; "
        "the 3rd Guards Army moved from Serafimovich to E4509, two hexes north-west of Stalingrad."
    ]


def test_units_that_meet_in_one_hex_are_told_together() -> None:
    said = told("turn 22 sov-move\nmove 3GdA 4311-4907\nmove 37A 6612-4907\nmove 51A 5008-4907\n")
    assert said == [
        "The 51st Army, the 3rd Guards Army from Serafimovich and the 37th Army from Sukhumi moved to E4907, "
        "two hexes south-east of Stalingrad."
    ]


def test_a_unit_that_moves_twice_is_told_once_and_one_that_comes_back_not_at_all() -> None:
    assert told("turn 22 sov-move\nmove 51A 5008-4907\nmove 51A 4907-5007\nmove 51A 5007-5008\n") == []
    assert len(told("turn 22 sov-move\nmove 51A 5008-4907\nmove 51A 4907-4906\n")) == 1


def test_arrivals_departures_and_boxes_are_told_apart() -> None:
    said = told(
        "turn 23 axis-move\nplace 57PzK 5411\nremove SD-2 to axis-eliminated\nplace 14PzK axis-pool\n"
        "move 14PzK axis-pool>axis-withdrawn\nmove 14PzK axis-withdrawn>5411\n"
    )
    assert said == [
        "XIV and LVII Panzer Corps arrived two hexes north-west of Divnoe (E5411).",
        "Extended supply depot 2 was taken off the map to “Axis eliminated”.",
        "From “Kampfgruppen and broken down corps” to “Axis withdrawn”: XIV Panzer Corps.",
    ]


def test_supply_is_told_by_its_markers() -> None:
    said = told("turn 23 supply\nmark 9A out-of-supply\nmark 6A out-of-supply\nunmark PzKG-2 out-of-supply\n")
    assert said == ["Out of Supply: the 6th and 9th Armies.", "In supply again: Kampfgruppe Lauchert."]


def test_weather_is_told_by_where_its_marker_lies() -> None:
    said = told("turn 14 weather\nset weather-north weather-frost\n", "campaign", "lwe")
    assert said == ["Northern Weather: frost."]


def test_strength_markers_are_nobodys_news() -> None:
    assert (
        told("turn 22 admin\ndraw csm-c-3-5 from csm-c for 28A\nreturn csm-c-3-5 to csm-c from 28A\n") == []
    )


def test_one_side_hears_of_its_own_deeds_and_of_the_battles_it_was_in() -> None:
    text = "turn 22 sov-move\nmove 51A 5008-4907\nmove PzKG-2 5505-5504\noverrun 64A x 4709 : 1d6=4 = 2/2\n"
    axis = told(text, side="axis")
    assert len(axis) == 2
    assert not any("51st Army" in said for said in axis)
    assert any("64th Army" in said for said in axis)


# --- towns ---


def taken(text: str, scenario: str, game: str) -> list[tuple[str, str]]:
    tale = telling(text, scenario, game).tale
    return [(town.name, town.by) for turn in tale.turns for town in turn.taken]


def test_a_town_changes_hands_when_the_other_side_enters_or_passes() -> None:
    text = "turn 22 sov-move\nremove PzKG-3\nmove 62A 4708-4709-4810-4910\nmove 62A 4910-4810\n"
    assert taken(text, "turning-point", "wfm") == [("Kalach", "soviet")]


def test_nobody_takes_a_town_of_which_the_logs_do_not_say_whose_it_was() -> None:
    """In 1942 the Axis drives through its own rear, far inside the country."""
    assert (
        taken("turn 23 axis-move\nmove 57PzK 5211-5411\nmove SD-1 6211-6210\n", "turning-point", "wfm") == []
    )


def test_when_the_war_begins_towns_are_their_countrys() -> None:
    text = "turn 1 german-move\nplace 3Pz 2019\nmove 3Pz 2019-2118-2217\n"
    assert taken(text, "campaign", "lwe") == taken(text, "army-group-centre", "lwe")
    assert all(by == "german" for _, by in taken(text, "campaign", "lwe"))


# --- the whole ---

TURN = "turn 22 sov-combat\nattack 21A x 4611 : 1d6=5 = 2/2\nremove 21A in 1\nstep 11AK 1>2 in 1\n"
END = 'turn 24 admin\ndeclare victory-points = 34\ndeclare victory = "Soviet victory"\n'


def test_a_turn_ends_with_its_sum() -> None:
    text = render.text(telling(TURN + END))
    assert "Turn 22: November 1942, snow\n============================\n" in text
    assert "Battle losses: Axis 1 reduced; Soviet 1 eliminated.\n" in text
    assert "Victory points: 34 (Soviet victory, if the game ended so).\n" in text
    assert all(len(line) <= render.WIDTH for line in text.splitlines())


def test_markdown_has_headings_and_no_letter_that_means_something_else() -> None:
    text = render.markdown(telling(TURN))
    assert text.startswith("# War for the Motherland: Turning Point\n\n## Turn 22")
    assert "### Soviet Combat Phase\n\n- The 21st Army" in text
    assert render._safe("*<b>_x_") == "\\*\\<b\\>\\_x\\_"


def test_the_answer_for_programs_has_turns_phases_and_sums() -> None:
    said = render.data(telling(TURN + END))
    assert (said["game"], said["scenario"], [turn["turn"] for turn in said["turns"]]) == (
        "wfm",
        "turning-point",
        [22, 24],
    )
    (phase,) = said["turns"][0]["phases"]
    assert (phase["phase"], phase["side"], phase["told"][0]["kind"]) == ("sov-combat", "soviet", "battle")
    assert said["losses"] == {"axis": {"reduced": 1}, "soviet": {"eliminated": 1}}
    assert said["turns"][1]["victory_points"] == "34"


def test_one_turn_can_be_told_alone() -> None:
    assert [turn.number for turn in telling(TURN + END, turn=24).turns] == [24]


def test_nothing_is_told_of_nothing() -> None:
    nothing = telling("")
    assert render.text(nothing) == "War for the Motherland: Turning Point\n"
    assert render.data(nothing)["turns"] == []
