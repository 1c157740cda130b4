"""Tests of what the report shows of an exploration: evidence, checklist, frontiers, snapshots and trail."""

from __future__ import annotations

import base64
import io
import math
import re
from collections.abc import Callable
from dataclasses import replace
from string import ascii_uppercase
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from stma_ros.apps.report.checklist import MAX_ITEMS, checklist_over_time
from stma_ros.apps.report.collect import collect
from stma_ros.apps.report.evidence import cited_pictures, evidence_cards, subjects_in_graph
from stma_ros.apps.report.map_figure import map_figure
from stma_ros.apps.report.render import render_report
from stma_ros.apps.report.snapshot_cards import (
    MAX_DROPPED,
    MAX_FRONTIERS,
    frontier_cards,
    snapshot_cards,
)
from stma_ros.apps.report.task_run import TaskRun
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types import topics
from stma_ros.types.exploration import ChecklistItem, ExplorationPlan, Snapshot, VisualBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import SkillRequest, Task, TaskResult
from stma_ros.types.scene_graph import Frontiers
from stma_ros.types.sensing import Detection, KeyframeDetections, ObjectHypothesis
from stma_ros.types.standard import CameraInfo, CompressedImage, Header, Point, Pose, Time
from stma_ros.types.standard import Image as RawImage
from stma_ros.types.stepped import SteppedMessage
from stma_ros.visual.colours import TARGET
from support.apps.exploration_run import (
    ANSWER,
    CENTERS,
    DOOR,
    FIND,
    OVEN,
    QUESTION,
    REFUTED,
    SOFA,
    TASK,
    TRAIL,
    exploration_run,
)
from support.apps.page_reader import Balance
from support.apps.synthetic_run import synthetic_run
from support.storage.message_strategies import messages

NOTHING_KNOWN = CategoryKnowledge.of({})


@pytest.fixture(scope="module")
def page() -> str:
    return render_report(exploration_run(), "run-1", {})


@pytest.fixture(scope="module")
def run() -> TaskRun:
    return collect(exploration_run()).tasks[0]


def changed(change: Callable[[Message], Message]) -> list[tuple[str, Message]]:
    return [(topic, change(message)) for topic, message in exploration_run()]


def with_keyframe(place: int) -> list[tuple[str, Message]]:
    """Returns the run with the camera's image of the evidence at a place in the recording."""
    messages = exploration_run()
    image = RawImage.from_array(Header(Time(31)), np.full((120, 160, 3), 80, np.uint8), "rgb8")
    shown = next(m for _, m in reversed(messages) if isinstance(m, VisualBelief)).snapshots[-1]
    keyframe = KeyframeDetections(header=Header(Time(31)), keyframe=True, detections=shown.detections)
    messages[place:place] = [(topics.COLOR, image), (topics.KEYFRAME_DETECTIONS, keyframe)]
    return messages


def explored_at(place: Point) -> TaskRun:
    """Returns the run with all its frontiers at one place."""

    def moved(message: Message) -> Message:
        if not isinstance(message, SkillRequest):
            return message
        targets = tuple(replace(target, pose=Pose(place)) for target in message.targets)
        return replace(message, targets=targets)

    return collect(changed(moved)).tasks[0]


def pixels(uri: str) -> NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(uri.split(",")[1]))).convert("RGB"))


def is_near(colours: NDArray[np.uint8], wanted: tuple[int, int, int]) -> NDArray[np.bool_]:
    near: NDArray[np.bool_] = np.abs(colours.astype(int) - wanted).max(axis=-1) < 40
    return near


def marks(figure: str, kind: str) -> list[ElementTree.Element]:
    return [node for node in ElementTree.fromstring(figure).iter() if node.get("class") == kind]


def corners(node: ElementTree.Element) -> list[tuple[float, float]]:
    pairs = (pair.split(",") for pair in str(node.get("points")).split())
    return [(float(x), float(y)) for x, y in pairs]


def test_report_shows_question_answer_evidence_checklist_snapshots_and_trail(page: str) -> None:
    for words in (QUESTION, ANSWER, "Evidence", "Checklist over the steps", "Snapshots", "Trail", *TRAIL):
        assert words in page
    assert f"eliminated at step 2: {REFUTED}" in page
    assert "://" not in page
    assert "url(" not in page


def test_report_of_a_run_without_an_exploration_has_no_sections_about_one() -> None:
    page = render_report(synthetic_run(), "run", {})
    for words in ("Evidence", "Checklist", "Snapshots", "Trail", "towards the frontier", "kept picture"):
        assert f">{words}" not in page


def test_evidence_outlines_the_thing_that_the_question_names_and_no_other(run: TaskRun) -> None:
    (cited,) = cited_pictures(run, NOTHING_KNOWN)
    assert cited.asked == {"sofa"}
    assert [detection.category for detection in cited.frame.detections] == ["sofa"]
    (card,) = evidence_cards((cited,))
    assert (card.letter, card.shown, card.time) == ("A", "sofa", 31.0)
    outlined = is_near(pixels(card.uri), TARGET)
    rows, columns = np.nonzero(outlined[170:, :])  # without the label, which is above the box
    # The box is that of the red patch: 30 to 50 of 80 columns, 20 to 40 of 60 rows.
    scale = outlined.shape[1] / 80
    assert columns.min() == pytest.approx(30 * scale, abs=4)
    assert columns.max() == pytest.approx(50 * scale, abs=4)
    assert rows.max() + 170 == pytest.approx(40 * scale, abs=4)


def test_evidence_outlines_in_the_camera_image_where_that_was_recorded() -> None:
    (cited,) = cited_pictures(collect(with_keyframe(len(exploration_run()) - 1)).tasks[0], NOTHING_KNOWN)
    (sofa,) = cited.frame.detections
    assert (sofa.roi.x_offset, sofa.roi.width) == (60, 40)
    assert Image.open(io.BytesIO(cited.frame.jpeg)).width == 160


def test_evidence_outlines_in_a_keyframe_of_an_earlier_task() -> None:
    """As for an answer from memory, whose belief holds no snapshot."""
    first = with_keyframe(len(exploration_run()) - 1)
    task, result = (next(m for _, m in first if isinstance(m, kind)) for kind in (Task, TaskResult))
    second = [
        (topics.TASK, replace(task, task_id="task_2")),
        (topics.TASK_RESULT, replace(result, task_id="task_2")),
    ]
    page = render_report([*first, *second], "run", {})
    assert page.count("outlined: sofa") == 2


def test_report_shows_evidence_without_its_snapshot_as_a_plain_picture() -> None:
    messages = [
        (topic, message) for topic, message in exploration_run() if not isinstance(message, VisualBelief)
    ]
    (card,) = evidence_cards(cited_pictures(collect(messages).tasks[0], NOTHING_KNOWN))
    assert card.shown == ""
    assert "nothing in it is named" in render_report(messages, "run", {})


def test_report_leaves_out_evidence_that_cannot_be_read_and_bounds_it() -> None:
    def broken(message: Message) -> Message:
        if not isinstance(message, TaskResult):
            return message
        (good,) = message.evidence
        bad = replace(good, snapshot="lost", picture=CompressedImage(format="jpeg"))
        return replace(message, evidence=(bad, *(good,) * 50))

    cited = cited_pictures(collect(changed(broken)).tasks[0], NOTHING_KNOWN)
    assert len(cited) == len(ascii_uppercase) - 1
    assert cited[0].letter == "B"


def test_map_marks_what_the_question_is_about(run: TaskRun) -> None:
    cited = cited_pictures(run, NOTHING_KNOWN)
    assert [target.id for target in subjects_in_graph(cited, run.graph)] == ["sofa_1"]
    assert subjects_in_graph(cited, None) == ()


def test_map_shows_from_where_the_evidence_was_seen(run: TaskRun) -> None:
    figure = str(map_figure(run, (), cited_pictures(run, NOTHING_KNOWN)))
    (view,) = marks(figure, "cited-view")
    apex, *edge = corners(view)
    middle = edge[len(edge) // 2]
    assert middle[1] == pytest.approx(apex[1], abs=0.01)  # the camera looks along x
    first, last = edge[0], edge[-1]
    bearings = [math.degrees(math.atan2(apex[1] - y, x - apex[0])) for x, y in (first, last)]
    assert bearings == pytest.approx([-45.0, 45.0], abs=0.5)
    (sight,) = marks(figure, "sight")
    length = math.hypot(
        float(sight.get("x2", "")) - float(sight.get("x1", "")),
        float(sight.get("y2", "")) - float(sight.get("y1", "")),
    )
    assert length == pytest.approx(SOFA.x, abs=0.01)
    assert [node.text for node in marks(figure, "badge-letter")] == ["A"]
    assert len(marks(figure, "kept-view")) == 1  # the other snapshot that was kept


def test_map_shows_chosen_and_open_frontiers_with_the_lengths_of_ways(run: TaskRun) -> None:
    figure = str(map_figure(run, ()))
    assert [node.text for node in marks(figure, "frontier-step")] == ["1", "2"]
    assert len(marks(figure, "open-frontier")) == len(CENTERS)
    assert [node.text for node in marks(figure, "open-length")] == ["2.2 m"]  # the other is not known


def test_map_joins_the_steps_whose_marks_would_overlap() -> None:
    figure = str(map_figure(explored_at(Point(2.0, 1.0, 0.0)), ()))
    assert [node.text for node in marks(figure, "frontier-step")] == ["1, 2"]


def test_map_lists_steps_at_one_place_in_rows() -> None:
    run = explored_at(Point(2.0, 1.0, 0.0))
    going = next(step for step in run.ordered_steps if step.explored)
    steps = {number: replace(going, number=number) for number in (1, 4, 5, 8, 9, 10, 11)}
    shown = {
        numbers: marks(
            str(map_figure(replace(run, steps={n: steps[n] for n in numbers}), ())), "frontier-step"
        )
        for numbers in ((1, 4, 5), (4, 5, 8, 9, 10, 11), (1, 4, 5, 8, 9, 10, 11))
    }
    assert [node.text for (node,) in shown.values()] == ["1, 4, 5", "4, 5, 8-11", "1, …, 8-11"]


def test_report_says_how_many_dropped_snapshots_are_not_shown() -> None:
    def crowded(message: Message) -> Message:
        if not isinstance(message, VisualBelief) or message.step > 1:
            return message
        (first, *_) = message.snapshots
        names = (f"{message.step} {number}" for number in range(MAX_DROPPED))
        return replace(message, snapshots=tuple(replace(first, id=name) for name in names))

    page = render_report(changed(crowded), "run", {})
    assert f"{MAX_DROPPED} dropped before the end, and {MAX_DROPPED + 1} older ones" in page


def test_map_keeps_steps_off_the_marks_of_start_and_end() -> None:
    figure = str(map_figure(explored_at(Point(0.0, 0.0, 0.0)), ()))
    (mark,) = marks(figure, "frontier")
    ends = re.findall(r"translate\(([\d.]+) ([\d.]+)\)", figure)
    x = float(mark.get("x", "")) + float(mark.get("width", "")) / 2
    y = float(mark.get("y", "")) + float(mark.get("height", "")) / 2
    assert all(math.hypot(x - float(a), y - float(b)) > float(mark.get("height", "")) / 2 for a, b in ends)


def test_checklist_shows_how_branches_come_go_and_are_eliminated(run: TaskRun) -> None:
    checklist = checklist_over_time(run)
    assert checklist is not None
    assert checklist.marks == ("1", "2", "3")
    rows = {row.text: row for row in checklist.rows}
    assert [*rows] == [OVEN, DOOR, FIND]
    kinds = {text: [(span.kind, span.length) for span in row.spans] for text, row in rows.items()}
    assert kinds[OVEN] == [("followed", 1), ("ended", 2)]
    assert kinds[DOOR] == [("pending", 1), ("followed", 1), ("", 1)]
    assert kinds[FIND] == [("pending", 2), ("ended", 1)]
    assert rows[OVEN].fate == f"eliminated at step 2: {REFUTED}"
    assert (rows[FIND].fate, rows[FIND].is_eliminated) == ("done at step 3", False)
    assert rows[DOOR].fate == ""


def test_checklist_without_end_is_cut_and_says_so() -> None:
    def endless(message: Message) -> Message:
        if isinstance(message, ExplorationPlan):
            new = tuple(ChecklistItem(text=f"branch {message.step} {n}") for n in range(100))
            return replace(message, items=new)
        return message

    messages = changed(endless)
    checklist = checklist_over_time(collect(messages).tasks[0])
    assert checklist is not None
    assert len(checklist.rows) == MAX_ITEMS
    assert f"{400 - MAX_ITEMS} more items" in render_report(messages, "run", {})


def test_step_shows_its_frontiers_with_picture_and_way_and_which_was_chosen(run: TaskRun) -> None:
    cards = frontier_cards(run.steps[2], run)
    assert [
        (card.name, card.length.replace("\N{NO-BREAK SPACE}", " "), card.is_chosen) for card in cards
    ] == [
        ("frontier 1", "2.2 m", False),
        ("frontier 2", "way unknown", True),
    ]
    assert all(card.uri for card in cards)
    assert not any(card.is_chosen for card in frontier_cards(run.steps[3], run))


def test_step_with_very_many_frontiers_shows_some_and_the_chosen_one() -> None:
    def crowded(message: Message) -> Message:
        if not isinstance(message, VisualBelief):
            return message
        first, chosen = message.frontiers
        others = tuple(replace(first, frontier=f"frontier_{number}") for number in range(100, 140))
        return replace(message, frontiers=(*others, chosen))

    messages = changed(crowded)
    run = collect(messages).tasks[0]
    cards = frontier_cards(run.steps[2], run)
    assert len(cards) == MAX_FRONTIERS + 1
    assert [card.name for card in cards if card.is_chosen] == ["frontier 2"]
    assert f"{41 - MAX_FRONTIERS - 1} more frontiers" in render_report(messages, "run", {})


def test_picture_of_a_frontier_has_a_mark_towards_it(run: TaskRun) -> None:
    left, right = (pixels(card.uri) for card in frontier_cards(run.steps[3], run))
    for shown, center in ((left, CENTERS["frontier_1"]), (right, CENTERS["frontier_2"])):
        columns = np.nonzero(is_near(shown, (15, 118, 110)))[1]
        expected = 0.5 - center.y / center.x / 2  # the camera sees 90 degrees
        assert columns.mean() / shown.shape[1] == pytest.approx(expected, abs=0.02)


def test_snapshots_are_those_kept_at_the_end_and_those_dropped_before(run: TaskRun) -> None:
    snapshots = snapshot_cards(run, cited_pictures(run, NOTHING_KNOWN))
    assert [(card.steps, card.letter) for card in snapshots.kept] == [("steps 2 to 3", ""), ("step 3", "A")]
    assert [(card.steps, card.shown) for card in snapshots.dropped] == [
        ("steps 0 to 1", "oven"),
        ("steps 1 to 2", "oven"),
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda m: replace(m, snapshots=(), frontiers=()) if isinstance(m, VisualBelief) else m,
        lambda m: replace(m, width=0) if isinstance(m, CameraInfo) else m,
        lambda m: replace(m, frontiers=()) if isinstance(m, Frontiers) else m,
        lambda m: (
            replace(m, snapshots=tuple(map(spoiled, m.snapshots))) if isinstance(m, VisualBelief) else m
        ),
        lambda m: (
            replace(m, evidence=tuple(replace(e, camera=Pose.none()) for e in m.evidence))
            if isinstance(m, TaskResult)
            else m
        ),
    ],
    ids=["nothing seen", "no camera", "no frontiers", "spoiled snapshots", "evidence without a place"],
)
def test_report_shows_what_there_is_of_an_incomplete_exploration(
    change: Callable[[Message], Message],
) -> None:
    page = render_report(changed(change), "run", {})
    assert "Checklist over the steps" in page
    assert "nan" not in re.sub(r"data:[^\"]*", "", page).lower()


ANY = st.one_of(
    *(
        st.tuples(st.just(topic), messages(topics.TOPICS[topic].type))
        for topic in (
            topics.VISUAL_BELIEF,
            topics.EXPLORATION_PLAN,
            topics.FRONTIERS,
            topics.PLAN,
            topics.TEMPORAL_BELIEF,
            topics.SKILL_REQUEST,
            topics.CAMERA_INFO,
            topics.TASK_RESULT,
        )
    )
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(ANY, st.integers(0, 3)), min_size=1, max_size=3))
def test_report_of_any_messages_of_an_exploration_can_be_made(
    strange: list[tuple[tuple[str, Message], int]],
) -> None:
    recorded = exploration_run()
    for (topic, message), step in strange:
        if isinstance(message, SteppedMessage):
            message = replace(message, at=replace(message.at, task_id=TASK, step=step))
        elif isinstance(message, SkillRequest | TaskResult):
            message = replace(message, task_id=TASK)
        recorded.append((topic, message))
    checker = Balance()
    checker.feed(render_report(recorded, "run", {}))
    assert checker.open == []


@settings(max_examples=60, deadline=None)
@given(messages(Detection), messages(Pose), st.floats(width=32))
def test_report_of_any_box_camera_and_way_can_be_made(
    detection: Detection, camera: Pose, length: float
) -> None:
    sofa = replace(detection, hypotheses=(ObjectHypothesis(category="sofa"),))

    def strange(message: Message) -> Message:
        if isinstance(message, TaskResult):
            return replace(message, evidence=tuple(replace(e, camera=camera) for e in message.evidence))
        if not isinstance(message, VisualBelief):
            return message
        snapshots = tuple(replace(s, detections=(sofa,), camera=camera) for s in message.snapshots)
        views = (replace(v, length=length, view=snapshots[0]) for v in message.frontiers)
        return replace(message, snapshots=snapshots, frontiers=tuple(views))

    assert "Evidence" in render_report(changed(strange), "run", {})


def spoiled(snapshot: Snapshot) -> Snapshot:
    return replace(
        snapshot, picture=CompressedImage(format="jpeg", data=np.zeros(5, np.uint8)), camera=Pose.none()
    )
