"""Tests of what is drawn of an exploration: checklist, frontiers, snapshots and evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.models.images import picture
from stma_ros.types import topics
from stma_ros.types.exploration import VisualBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import Plan, Task, TaskResult
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.standard import CompressedImage, Header, Pose, RegionOfInterest, Time
from stma_ros.visual import colours, paths
from stma_ros.visual.contact_sheet import Tile, contact_sheet
from stma_ros.visual.drawables import Clear, Drawn, Level, Lines, Picture, Remark, Text
from stma_ros.visual.scene_builder import SceneBuilder
from support.apps.exploration_run import DOOR, FIND, OVEN, REFUTED, SOFA, exploration_run
from support.apps.synthetic_run import synthetic_run

PATHS = (
    paths.CHECKLIST,
    paths.FRONTIER_VIEWS,
    paths.SNAPSHOTS,
    paths.EVIDENCE,
    paths.EVIDENCE_PICTURES,
    paths.CHECKLIST_LOG,
)


def drawn_of(messages: Sequence[tuple[str, Message]]) -> list[Drawn]:
    builder = SceneBuilder(knowledge=CategoryKnowledge.of({}))
    return [drawn for topic, message in messages for drawn in builder.take(topic, message)]


def at(drawn: Sequence[Drawn], path: str) -> list[object]:
    return [one.thing for one in drawn if one.path == path]


@pytest.fixture(scope="module")
def drawn() -> list[Drawn]:
    return drawn_of(exploration_run())


def test_checklist_page_shows_each_item_with_its_state_and_those_that_left(drawn: list[Drawn]) -> None:
    pages = [page.markdown for page in at(drawn, paths.CHECKLIST) if isinstance(page, Text)]
    assert len(pages) == 4
    assert "no checklist" in pages[0]
    assert f"- **now: {OVEN}**\n- {DOOR}\n- {FIND}" in pages[1]
    assert f"- ~~{OVEN}~~ {REFUTED}\n- **now: {DOOR}**" in pages[2]
    assert f"- ~~{FIND}~~ done" in pages[3]
    assert f"**no longer in the list**\n\n- {DOOR}" in pages[3]


def test_checklist_log_has_a_line_for_each_item_that_was_done_or_eliminated(drawn: list[Drawn]) -> None:
    assert at(drawn, paths.CHECKLIST_LOG) == [
        Remark(f"checklist, step 2: eliminated: {OVEN}: {REFUTED}", Level.WARNING),
        Remark(f"checklist, step 3: done: {FIND}", Level.GOOD),
    ]


def test_frontier_sheet_names_ways_and_frames_the_frontier_that_was_chosen(drawn: list[Drawn]) -> None:
    sheets = [sheet for sheet in at(drawn, paths.FRONTIER_VIEWS) if isinstance(sheet, Picture)]
    assert len(sheets) == 8  # once the belief is there, and again once the plan is
    assert sheets[3].labels == ("frontier 1, 2.2 m", "frontier 2")
    shades = [[tuple(row[:3]) for row in sheet.colours] for sheet in sheets]
    assert shades[2] == [colours.FRONTIER, colours.FRONTIER]
    assert shades[3] == [colours.TARGET, colours.FRONTIER]
    framed = np.all(sheets[3].pixels == colours.TARGET, axis=-1)
    assert framed[:, : framed.shape[1] // 2].any()
    assert not framed[:, framed.shape[1] // 2 :].any()


def test_frontier_sheet_is_the_same_when_the_plan_is_recorded_before_the_belief(drawn: list[Drawn]) -> None:
    early = exploration_run()
    plan = next(k for k, (_, m) in enumerate(early) if isinstance(m, Plan) and m.step == 1)
    belief = next(k for k, (_, m) in enumerate(early) if isinstance(m, VisualBelief) and m.step == 1)
    early.insert(belief, early.pop(plan))
    first, second = (at(these, paths.FRONTIER_VIEWS) for these in (drawn, drawn_of(early)))
    expected, found = first[3], second[2]
    assert isinstance(expected, Picture)
    assert isinstance(found, Picture)
    np.testing.assert_array_equal(found.pixels, expected.pixels)


def test_views_of_kept_snapshots_start_at_their_cameras(drawn: list[Drawn]) -> None:
    *_, newest = (lines for lines in at(drawn, paths.SNAPSHOTS) if isinstance(lines, Lines))
    assert len(newest.strips) == 2
    for strip in newest.strips:
        np.testing.assert_allclose(strip[5], (0.0, 0.0, 1.2), atol=1e-6)
    # The last snapshot looks along x: its pyramid is symmetric about that axis.
    np.testing.assert_allclose(newest.strips[1][:4, 1].sum(), 0.0, atol=1e-6)


def test_evidence_is_drawn_from_its_camera_to_what_the_question_names(drawn: list[Drawn]) -> None:
    *_, lines = (thing for thing in at(drawn, paths.EVIDENCE) if isinstance(thing, Lines))
    assert lines.labels == ("evidence A", "")
    np.testing.assert_allclose(lines.strips[1], [(0, 0, 1.2), (SOFA.x, SOFA.y, SOFA.z)], atol=1e-6)


def test_evidence_picture_outlines_what_the_question_names(drawn: list[Drawn]) -> None:
    *_, picture = (thing for thing in at(drawn, paths.EVIDENCE_PICTURES) if isinstance(thing, Picture))
    assert picture.labels == ("sofa", "evidence A: sofa, 31.0 s")
    left, top, right, bottom = picture.boxes[0].astype(int)
    red = picture.pixels[(top + bottom) // 2, (left + right) // 2]
    assert red[0] > 150 > red[2]
    assert right - left == pytest.approx((picture.pixels.shape[1] - 16) / 4, abs=2)


def test_evidence_of_an_agent_without_snapshots_is_outlined_by_the_detections_of_its_keyframe() -> None:
    messages = exploration_run()
    shown = next(m for _, m in reversed(messages) if isinstance(m, VisualBelief)).snapshots[-1]
    keyframe = KeyframeDetections(header=Header(shown.stamp), keyframe=True, detections=shown.detections)
    without = [pair for pair in messages if not isinstance(pair[1], VisualBelief)]
    drawn = drawn_of([(topics.KEYFRAME_DETECTIONS, keyframe), *without])
    *_, picture = (thing for thing in at(drawn, paths.EVIDENCE_PICTURES) if isinstance(thing, Picture))
    assert picture.labels[0] == "sofa"


def test_captions_of_evidence_count_from_the_begin_of_a_recording_with_the_time_of_day() -> None:
    day = 1_700_000_000
    result = next(m for _, m in reversed(exploration_run()) if isinstance(m, TaskResult))
    evidence = tuple(replace(each, stamp=Time(day + 31)) for each in result.evidence)
    ended = replace(result, header=Header(Time(day + 40)), evidence=evidence)
    drawn = drawn_of([(topics.TASK, Task(header=Header(Time(day)))), (topics.TASK_RESULT, ended)])
    *_, picture = (thing for thing in at(drawn, paths.EVIDENCE_PICTURES) if isinstance(thing, Picture))
    assert picture.labels == ("evidence A, 31.0 s",)


def test_new_task_clears_what_was_drawn_of_the_last_answer() -> None:
    messages = exploration_run()
    task = next(message for topic, message in messages if topic == topics.TASK)
    again = drawn_of([*messages, (topics.TASK, replace(task, task_id="task_2"))])
    for path in (paths.SNAPSHOTS, paths.EVIDENCE, paths.EVIDENCE_PICTURES):
        assert isinstance(at(again, path)[-1], Clear)


def test_nothing_of_an_exploration_is_drawn_of_other_runs() -> None:
    drawn = drawn_of(synthetic_run())
    assert not [one for one in drawn if one.path in PATHS and not isinstance(one.thing, Clear)]


def with_pictures(message: Message, broken: CompressedImage) -> Message:
    if isinstance(message, VisualBelief):
        snapshots = tuple(replace(s, picture=broken, camera=Pose.none()) for s in message.snapshots)
        views = tuple(replace(v, view=replace(v.view, picture=broken)) for v in message.frontiers)
        return replace(message, snapshots=snapshots, frontiers=views)
    if isinstance(message, TaskResult):
        evidence = tuple(replace(e, picture=broken, camera=Pose.none()) for e in message.evidence)
        return replace(message, evidence=evidence)
    return message


@pytest.mark.parametrize(
    "data",
    [np.zeros(3, np.uint8), np.frombuffer(picture(np.zeros((900, 2, 3), np.uint8)).png, np.uint8)],
    ids=["damaged", "a strip"],
)
def test_pictures_that_cannot_be_shown_are_left_out(data: NDArray[np.uint8]) -> None:
    broken = CompressedImage(format="png", data=data)
    drawn = drawn_of([(topic, with_pictures(message, broken)) for topic, message in exploration_run()])
    assert not any(isinstance(one.thing, Picture) for one in drawn)
    *_, lines = (thing for thing in at(drawn, paths.EVIDENCE) if isinstance(thing, Lines))
    assert lines.strips == ()


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
def test_contact_sheet_shows_every_picture_above_its_caption(count: int) -> None:
    shades = [(20 + 30 * number, 0, 0) for number in range(count)]
    tiles = [Tile(Image.new("RGB", (80, 60), shade), str(shade[0]), colours.KEPT) for shade in shades]
    sheet = contact_sheet(tiles, 40)
    assert sheet.labels == tuple(str(shade[0]) for shade in shades)
    for shade, (left, top, right, _) in zip(shades, sheet.boxes.astype(int), strict=True):
        assert tuple(sheet.pixels[top - 15, (left + right) // 2]) == shade
    height, width, _ = sheet.pixels.shape
    assert sheet.boxes.min() >= 0
    assert np.all(sheet.boxes[:, 2] <= width)
    assert np.all(sheet.boxes[:, 3] <= height)


def test_contact_sheet_scales_outlines_with_their_pictures() -> None:
    message = next(m for _, m in reversed(exploration_run()) if isinstance(m, VisualBelief))
    detections = message.snapshots[1].detections[:1]
    tile = Tile(Image.new("RGB", (160, 120)), "one", colours.KEPT, detections=detections)
    sheet = contact_sheet([tile], 80)
    left, top, right, bottom = sheet.boxes[0] - 8  # the gap around pictures
    assert (left, top, right, bottom) == (30, 20, 50, 40)


def test_contact_sheet_keeps_boxes_within_their_pictures() -> None:
    message = next(m for _, m in reversed(exploration_run()) if isinstance(m, VisualBelief))
    endless = replace(message.snapshots[1].detections[0], roi=RegionOfInterest(10, 10, 2**32 - 1, 2**32 - 1))
    sheet = contact_sheet([Tile(Image.new("RGB", (80, 60)), "one", colours.KEPT, detections=(endless,))], 80)
    assert sheet.boxes[0].tolist() == [18, 18, 88, 68]


def test_contact_sheet_without_pictures_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        contact_sheet([], 40)
