"""Tests of the report of a recording without a task, and of runs whose stamps are times of day."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.apps.replay_external import replay_external
from stma_ros.apps.report.collect import _Collector, collect
from stma_ros.apps.report.frames import Keyframe, pick
from stma_ros.apps.report.render import render_report
from stma_ros.apps.report.task_run import PathLength
from stma_ros.sensing.camera_frame import HAND_HELD
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.planning import Outcome, Task
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.sensing import Detection, KeyframeDetections, ObjectHypothesis
from stma_ros.types.standard import Header, Image, Odometry, Point, Pose, PoseWithCovariance, Time
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import ModelCall, RoleCall
from support.apps.page_reader import Balance
from support.sensing.external_bags import MOUNT, drive, write_mcap
from support.sensing.hand_held_bags import carried

DAY = 1_600_000_000


def moves(child: str = "base_link", begin: int = DAY) -> Iterator[tuple[str, Message]]:
    """Yields odometry of 3 m along x and 1 m up, in 40 s."""
    for k in range(41):
        pose = PoseWithCovariance(Pose(Point(3 * k / 40, 0.0, k / 40)))
        yield topics.ODOMETRY, Odometry(Header(Time(begin + k), "odom"), child, pose)


def text_of(page: str) -> str:
    body = re.sub(r"(?s)<style>.*?</style>|<[^>]*>", " ", page)
    return re.sub(r"\s+", " ", body)


def test_report_of_a_watched_bag_has_its_time_and_the_way_of_the_robot(tmp_path: Path) -> None:
    file = tmp_path / "mapping.yaml"
    file.write_text(MOUNT)
    replay_external(write_mcap(tmp_path / "bag", drive(3.0)), file, out=tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    text = text_of(page)
    assert "a recording of 2.9 s" in text
    assert "travelled 1.4 m time 2.9 s" in text
    assert "Map and way" in text
    assert "way of the robot, start to end" in text
    assert "no task" not in text
    assert "17000000" not in re.sub(r"<table>.*</table>", "", page, flags=re.DOTALL)
    checker = Balance()
    checker.feed(page)
    assert checker.open == []


def test_report_of_a_hand_held_camera_has_the_way_of_the_camera(tmp_path: Path) -> None:
    replay_external(write_mcap(tmp_path / "bag", carried(4.0)), None, out=tmp_path / "out")
    text = text_of((tmp_path / "out" / "report.html").read_text())
    (way,) = re.findall(r"way of the camera (\d+\.\d) m", text)
    assert 1.0 < float(way) < 3.0
    assert "What the camera saw" in text
    assert "robot" not in text.split("Metrics")[0]


@pytest.mark.parametrize(("child", "name"), [("base_link", "travelled"), (HAND_HELD, "way of the camera")])
def test_task_that_was_given_before_the_first_stamp_begins_with_it(child: str, name: str) -> None:
    task = topics.TASK, Task(task_id="task_1", text="where is the mug?")
    text = text_of(render_report([task, *moves(child)], "run", {}))
    assert "time 40.0 s" in text
    assert f"{name} 3.2 m" in text
    (run,) = collect([task, *moves(child)]).tasks
    assert (run.start, run.end) == (DAY, DAY + 40)


def test_clock_that_starts_with_the_run_is_left_as_it_is() -> None:
    task = topics.TASK, Task(task_id="task_1", text="where is the mug?")
    view = collect([task, *moves(begin=5)])
    assert (view.begin, view.tasks[0].start, view.tasks[0].end, view.watched) == (0.0, 0.0, 45.0, None)


def test_watched_recording_is_told_from_its_begin() -> None:
    view = collect(moves(begin=1000))
    assert (view.begin, view.watched is not None) == (1000.0, True)


def test_report_has_the_answers_to_questions_with_their_pictures() -> None:
    sightings = [
        {"object": "mug_1", "picture": ""},
        {"object": "mug_1", "picture": "keyframes/7.jpg", "pictured_at": {"seconds": 6.5}},
    ]
    answer = {"question": "where is the mug?", "text": "I last saw <it>.", "sightings": sightings}
    page = render_report([*moves()], "run", {"frames": 3, "answers": [answer]})
    text = text_of(page)
    assert "Answers where is the mug? I last saw &lt;it&gt;. picture of 6.5 s" in text
    assert '<a href="keyframes/7.jpg">' in page
    assert "sightings" not in text


def test_recording_without_a_task_and_without_poses_is_not_a_watched_one() -> None:
    assert collect([]).watched is None
    assert "The recording holds no task." in render_report([], "run", {})


def test_poses_that_are_not_numbers_do_not_spoil_the_way_of_a_watched_recording() -> None:
    messages = list(moves())
    topic, message = messages[20]
    assert isinstance(message, Odometry)
    messages[20] = topic, replace(message, pose=PoseWithCovariance(Pose(Point(math.nan, 0.0, 0.0))))
    watched = collect(messages).watched
    assert watched is not None
    assert watched.distance == pytest.approx(math.hypot(3, 1), abs=0.06)


def test_robot_that_stands_with_a_jittering_pose_travels_nowhere() -> None:
    task = topics.TASK, Task(task_id="task_1", text="where is the mug?")
    poses = [PoseWithCovariance(Pose(Point(0.06 * (k % 2), 0.0, 0.0))) for k in range(100)]
    odometry = [
        (topics.ODOMETRY, Odometry(Header(Time(DAY + k), "odom"), "base_link", pose))
        for k, pose in enumerate(poses)
    ]
    (run,) = collect([task, *odometry]).tasks
    assert run.distance <= 0.06


def test_task_whose_skills_did_not_travel_has_no_distance() -> None:
    task = topics.TASK, Task(task_id="task_1", text="close the drawer")
    outcome = topics.OUTCOME, Outcome(task_id="task_1", step=1)
    (run,) = collect([task, outcome, *moves()]).tasks
    assert run.distance == 0.0


def test_pictures_before_the_first_task_are_not_stored_once_it_comes() -> None:
    header = Header(Time(DAY))
    picture = Image.from_array(header, np.zeros((4, 6, 3), np.uint8), "rgb8")
    seen = [
        (topics.COLOR, picture),
        (topics.KEYFRAME_DETECTIONS, KeyframeDetections(header=header, keyframe=True)),
    ]
    collector = _Collector()
    for topic, message in (*seen, *moves()):
        collector.take(topic, message)
    assert len(collector._watched.keyframes) == 1
    collector.take(topics.TASK, Task(task_id="task_1", text="where is the mug?"))
    assert collector._watched.keyframes == []
    assert collector.finish().watched is None


def test_report_of_a_watched_recording_holds_only_what_it_can_show() -> None:
    """A robot may be watched for hours. Colours and categories of frames 0 to 19 repeat."""
    collector = _Collector()
    frames = []
    for number in range(20):
        header = Header(Time(DAY + number))
        found = Detection(hypotheses=(ObjectHypothesis(category=f"thing_{max(0, number - 15)}"),))
        seen = KeyframeDetections(header=header, keyframe=True, detections=(found,))
        picture = Image.from_array(header, np.full((4, 6, 3), number, np.uint8), "rgb8")
        messages = (topics.COLOR, picture), (topics.KEYFRAME_DETECTIONS, seen)
        for topic, message in (
            *messages,
            (topics.SCENE_GRAPH, SceneGraph(at=StepStamp(header=header, step=number))),
        ):
            collector.take(topic, message)
        frames.append(Keyframe(header.stamp.nanoseconds, b"", seen.detections))
    held = collector._watched.keyframes
    assert [frame.stamp for frame in held] == [frames[k].stamp for k in (0, 16, 17, 18, 19)]
    assert [each.keyframe.stamp for each in pick(held, "", ())] == [
        each.keyframe.stamp for each in pick(frames, "", ())
    ]
    assert collector._early == []
    assert collector._watched.graph is not None


MODEL_CALLS: tuple[tuple[str, Message], ...] = (
    (
        topics.MODEL_CALL,
        ModelCall(
            header=Header(Time(DAY + 3)),
            role="scene_graph",
            model="small-vlm",
            error=Error(ErrorCode.MODEL_UNREACHABLE, "no server listens"),
        ),
    ),
    (topics.ROLE_CALLS, RoleCall(role="scene_graph", error="3x object without a usable box")),
)


@pytest.mark.parametrize("is_watched", [True, False])
def test_report_tells_of_models_that_were_asked_outside_of_tasks(is_watched: bool) -> None:
    task = topics.TASK, Task(task_id="task_1", text="where is the mug?")
    page = render_report([*MODEL_CALLS, *moves(), *([] if is_watched else [task])], "run", {})
    text = text_of(page)
    title = "Language models" if is_watched else "Language models outside of tasks"
    assert f"{title} role calls" in text
    assert text.count("small-vlm") == 1
    assert "no server listens" in text
    assert "corrected: 3&times; object without a usable box" in text
    checker = Balance()
    checker.feed(page)
    assert checker.open == []


@given(st.lists(st.tuples(*[st.floats(-50, 50)] * 3), max_size=30), st.floats(0, 0.004))
def test_length_of_a_path_ignores_noise_and_never_exceeds_the_sum_of_the_steps(
    places: list[tuple[float, float, float]], noise: float
) -> None:
    path, noisy = PathLength(), PathLength()
    for place in places:
        path.add(place)
        for sign in (1, -1) * 20:  # of a camera that stands there
            noisy.add((place[0] + sign * noise, place[1], place[2]))
    steps = sum(map(math.dist, places, places[1:]))
    assert path.metres <= steps + 1e-9
    assert path.metres >= (math.dist(places[0], places[-1]) if places else 0.0) - 1e-9
    assert noisy.metres <= steps + 2 * noise * (len(places) + 1) + 1e-9


def test_late_answers_of_a_watched_recording_are_shown() -> None:
    """In each keyframe something is seen for the first time, by a model that answers after all of them."""
    messages: list[tuple[str, Message]] = []
    late: list[tuple[str, Message]] = []
    for number in range(1, 5):
        header = Header(Time(number))
        found = Detection(hypotheses=(ObjectHypothesis(category=f"thing {number}", score=0.9),))
        seen = KeyframeDetections(header=header, keyframe=True, awaits_answer=True)
        messages += [
            (topics.COLOR, Image.from_array(header, np.full((4, 6, 3), number, np.uint8), "rgb8")),
            (topics.KEYFRAME_DETECTIONS, seen),
        ]
        answered = replace(seen, awaits_answer=False, revision=1, detections=(found,))
        late.append((topics.KEYFRAME_DETECTIONS, answered))
    collector = _Collector()
    for topic, message in (*messages, *late):
        collector.take(topic, message)
    shown = [(keyframe.stamp // 10**9, len(keyframe.detections)) for keyframe in collector._watched.keyframes]
    assert sorted(shown) == [(1, 1), (2, 1), (3, 1), (4, 1)]
