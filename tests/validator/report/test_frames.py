"""A game cut into frames: what each changes, and where each finding belongs."""

from __future__ import annotations

from dataclasses import replace

from tests.validator.report import stories
from validator.model import events as ev
from validator.model.events import Origin
from validator.report.html.frames import Chapter, film


def test_a_line_is_one_frame_and_a_phase_that_begins_another() -> None:
    frames = film(stories.game(), stories.scenario(), [stories.chapter()]).frames
    attack = next(frame for frame in frames if frame.step == stories.line_of("attack 65A"))
    assert [type(event) for event in attack.events] == [ev.Attacked, ev.Rolled, ev.ResultNamed]
    begun = [(frame.turn, frame.phase) for frame in frames if frame.has(ev.PhaseBegan)]
    assert begun == [(22, "sov-combat"), (22, "sov-move"), (23, "axis-move"), (23, "axis-combat")]


def test_events_without_a_step_are_frames_of_their_own() -> None:
    whole = stories.chapter()
    bare = [event.at(Origin()) for event in whole.events]
    frames = film(stories.game(), stories.scenario(), [replace(whole, events=bare)]).frames
    assert len(frames) == 1 + len(bare)


def test_playing_the_changes_gives_the_position() -> None:
    chapter = stories.chapter()
    frames = film(stories.game(), stories.scenario(), [chapter]).frames
    position = chapter.start.copy()
    for event in chapter.events:
        position.apply(event)
    seen = {}
    for frame in frames:
        seen.update(frame.units)
    assert {name: unit.spot for name, unit in position.units.items() if unit.spot is not None} == {
        name: state.spot for name, state in seen.items() if state.spot is not None
    }
    assert seen["8AK"].step == 2
    assert dict(seen["51A"].marks) == {"out-of-supply": 1}
    assert seen["11AK"].spot == "axis-returns"


def test_the_start_of_the_chapter_is_left_alone() -> None:
    chapter = stories.chapter()
    before = chapter.start.units["65A"].spot
    film(stories.game(), stories.scenario(), [chapter])
    assert chapter.start.units["65A"].spot == before


def test_a_finding_stands_at_its_step_and_one_of_the_phase_end_at_its_last_step() -> None:
    story = film(stories.game(), stories.scenario(), [stories.chapter()])
    at = {finding.fault.rule: story.frames[number] for finding, number in story.findings}
    assert at["wfm-5.11"].step == stories.line_of("move 51A 5008")
    assert (at["wfm-9.91"].phase, at["wfm-9.91"].step) == ("axis-move", stories.line_of("roll"))
    assert [story.findings[n][0].fault.rule for n in at["wfm-7.11"].findings] == ["wfm-7.11"]


def test_a_finding_of_no_known_step_or_phase_stands_at_the_end() -> None:
    whole = stories.chapter()
    lost = replace(whole.report.findings[0], turn=30, origin=Origin())
    story = film(
        stories.game(), stories.scenario(), [replace(whole, report=replace(whole.report, findings=(lost,)))]
    )
    assert story.findings[0][1] == len(story.frames) - 1


def test_frames_with_findings_know_the_zones_around_as_they_were_before() -> None:
    story = film(stories.game(), stories.scenario(), [stories.chapter()])
    march = next(frame for frame in story.frames if frame.step == stories.line_of("move 51A 5008"))
    assert stories.at("5008") in march.zones["axis"]  # Ru7AK stands beside it
    assert stories.at("6316") not in march.zones["axis"]  # far away
    assert not next(frame for frame in story.frames if not frame.findings).zones


def test_a_second_file_begins_with_what_differs_only() -> None:
    first = stories.chapter()
    end = first.start.copy()
    for event in first.events:
        end.apply(event)
    end.put("65A", stories.at("4409"))
    second = Chapter("second.turn", end, [], replace(first.report, findings=()))
    frames = film(stories.game(), stories.scenario(), [first, second]).frames
    assert set(frames[-1].units) == {"65A"}
    assert frames[-1].chapter == 1
