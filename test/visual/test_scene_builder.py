"""Each kind of message is drawn with its content in the frame of the map, and no message makes the view fail."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.registry import ROLE_NAMES
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import StateEstimate
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    Outcome,
    Result,
    SkillRequest,
    SkillTarget,
    TaskResult,
    TaskStatus,
)
from stma_ros.types.scene_graph import Frontier, Frontiers, ObjectNode, Relation, RoomNode, Route, SceneGraph
from stma_ros.types.sensing import Detection, KeyframeDetections, ObjectHypothesis
from stma_ros.types.standard import (
    ColorRGBA,
    Header,
    Odometry,
    Point,
    Point32,
    Polygon,
    Pose,
    PoseStamped,
    PoseWithCovariance,
    Quaternion,
    RegionOfInterest,
    Time,
    TransformStamped,
    Vector3,
)
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import ModelCall, RoleCall
from stma_ros.visual import keyframe_join, paths
from stma_ros.visual.drawables import (
    Arrows,
    Boxes,
    Clear,
    Drawn,
    GraphView,
    Grid,
    Level,
    Lines,
    Picture,
    Points,
    PoseOf,
    Remark,
    Series,
    Text,
)
from stma_ros.visual.figures import charts
from stma_ros.visual.scene_builder import LOOKED_AT, SceneBuilder
from support.apps.synthetic_run import synthetic_run
from support.apps.text_game_run import text_game_run
from support.components.wall_frames import HEIGHT, WIDTH, frame
from support.storage.message_strategies import messages

ThingT = TypeVar("ThingT")

SECOND = 1_000_000_000


def stamped(seconds: float, frame_id: str = "map") -> Header:
    return Header(Time.from_nanoseconds(round(seconds * SECOND)), frame_id)


def drawn_of(taken: Iterable[tuple[str, Message]], builder: SceneBuilder | None = None) -> list[Drawn]:
    builder = builder or SceneBuilder()
    return [drawn for topic, message in taken for drawn in builder.take(topic, message)]


def last(drawn: Sequence[Drawn], path: str, kind: type[ThingT]) -> ThingT:
    thing = [one.thing for one in drawn if one.path == path][-1]
    assert isinstance(thing, kind)
    return thing


@pytest.fixture(scope="module")
def run() -> list[Drawn]:
    return drawn_of(synthetic_run())


def test_objects_are_drawn_as_boxes_with_names_and_states_at_their_poses() -> None:
    graph = SceneGraph(
        at=StepStamp(header=stamped(1)),
        objects=(
            ObjectNode(
                id="cup_1",
                category="cup",
                box=BoundingBox3D.aligned(Point(1, 2, 0.9), Vector3(0.1, 0.1, 0.2)),
                color=ColorRGBA(1, 0.5, 0, 1),
            ),
            ObjectNode(
                id="fridge_1",
                category="fridge",
                box=BoundingBox3D.upright(Point(3, 2, 0.8), Vector3(0.6, 0.6, 0.0), 0.3),
                states=(StateEstimate(state="open"),),
            ),
            ObjectNode(
                id="plate_1",
                category="plate",
                box=BoundingBox3D.aligned(Point(9, 9, 9)),
                states=(StateEstimate(state="missing"),),
            ),
            ObjectNode(id="fork_1", category="fork", box=BoundingBox3D.aligned(Point(5, 5, 1))),
        ),
        relations=(Relation("fork_1", "held by", "robot"),),
    )
    (boxes,) = (d.thing for d in drawn_of([(topics.SCENE_GRAPH, graph)]) if isinstance(d.thing, Boxes))
    assert boxes.ids == ("cup_1", "fridge_1")  # missing and held objects have no box
    assert boxes.labels == ("cup 1", "fridge 1, open")
    np.testing.assert_allclose(boxes.centers, [(1, 2, 0.9), (3, 2, 0.8)], rtol=1e-6)
    np.testing.assert_allclose(boxes.yaws, [0.0, 0.3], rtol=1e-6)
    assert boxes.sizes[1, 2] > 0  # a surface that was seen from its edge can still be seen
    np.testing.assert_array_equal(boxes.colours, [(255, 128, 0, 255), (184, 190, 201, 255)])


def test_labels_of_objects_on_other_objects_are_minor() -> None:
    graph = SceneGraph(
        objects=(ObjectNode(id="cup_1", category="cup"), ObjectNode(id="table_1", category="table")),
        relations=(Relation("cup_1", "on", "table_1"), Relation("table_1", "near", "cup_1")),
    )
    assert last(drawn_of([(topics.SCENE_GRAPH, graph)]), paths.OBJECTS, Boxes).minor == (True, False)


def test_mutually_supporting_objects_appear_once_in_the_tree() -> None:
    graph = SceneGraph(
        objects=(ObjectNode(id="cup_1", category="cup"), ObjectNode(id="tray_1", category="tray")),
        relations=(Relation("cup_1", "on", "tray_1"), Relation("tray_1", "on", "cup_1")),
    )
    view = last(drawn_of([(topics.SCENE_GRAPH, graph)]), paths.GRAPH, GraphView)
    assert view.edges == (("cup_1", "on", "tray_1"),)
    assert len(np.unique(view.positions, axis=0)) == 2


def test_rooms_are_drawn_as_closed_outlines_with_names() -> None:
    square = Polygon(tuple(Point32(x, y, 0) for x, y in ((0, 0), (4, 0), (4, 3), (0, 3))))
    rooms = (
        RoomNode(id="room_1", category="bedroom", footprint=square),
        RoomNode(id="room_2", category="bedroom", footprint=square),
        RoomNode(id="room_3", category="", footprint=Polygon()),
    )
    lines = last(
        drawn_of([(topics.SCENE_GRAPH, SceneGraph(at=StepStamp(header=stamped(1)), rooms=rooms))]),
        paths.ROOMS,
        Lines,
    )
    assert lines.labels == ("bedroom 1", "bedroom 2")
    assert (lines.strips[0][:, 2] > 0).all()
    np.testing.assert_array_equal(lines.strips[0][0], lines.strips[0][-1])
    assert len(lines.strips[0]) == 5


def test_rooms_of_an_upper_floor_are_drawn_just_above_it() -> None:
    square = Polygon(tuple(Point32(x, y, 2.8) for x, y in ((0, 0), (4, 0), (4, 3), (0, 3))))
    graph = SceneGraph(at=StepStamp(header=stamped(1)), rooms=(RoomNode(id="room_1", footprint=square),))
    lines = last(drawn_of([(topics.SCENE_GRAPH, graph)]), paths.ROOMS, Lines)
    assert (lines.strips[0][:, 2] > 2.8).all()
    assert (lines.strips[0][:, 2] < 2.9).all()


def test_relations_are_drawn_as_lines_between_objects_and_as_graph_edges() -> None:
    graph = SceneGraph(
        at=StepStamp(header=stamped(1)),
        objects=(
            ObjectNode(id="cup_1", category="cup", box=BoundingBox3D.aligned(Point(1, 2, 0.9))),
            ObjectNode(id="table_1", category="table", box=BoundingBox3D.aligned(Point(1, 2.5, 0.4))),
        ),
        rooms=(RoomNode(id="room_1", category="kitchen", center=Point(2, 2, 0)),),
        relations=(
            Relation("cup_1", "on", "table_1"),
            Relation("cup_1", "in room", "room_1"),
            Relation("table_1", "in room", "room_1"),
            Relation("cup_1", "on", "nothing_1"),
        ),
    )
    drawn = drawn_of([(topics.SCENE_GRAPH, graph)])
    lines = last(drawn, paths.RELATIONS, Lines)
    assert lines.labels == ("on",)
    np.testing.assert_allclose(lines.strips[0], [(1, 2, 0.9), (1, 2.5, 0.4)], rtol=1e-6)
    view = last(drawn, paths.GRAPH, GraphView)
    assert view.ids == ("room_1", "cup_1", "table_1")
    assert view.labels == ("kitchen", "cup 1", "table 1")
    # The cup hangs on the table, and so not on the room as well.
    assert view.edges == (("cup_1", "on", "table_1"), ("table_1", "in room", "room_1"))
    # An indented list: the kitchen, the table in it, the cup on that.
    np.testing.assert_array_equal(view.positions, [(0, 0), (3, 2), (1.5, 1)])


def test_a_held_object_is_a_child_of_the_robot_in_the_graph() -> None:
    graph = SceneGraph(
        objects=(ObjectNode(id="cup_1", category="cup"),), relations=(Relation("cup_1", "held by", "robot"),)
    )
    view = last(drawn_of([(topics.SCENE_GRAPH, graph)]), paths.GRAPH, GraphView)
    assert view.edges == (("cup_1", "held by", "robot"),)
    assert view.labels == ("the hand", "cup 1")


def test_the_robot_and_its_path_are_drawn_at_the_localized_poses() -> None:
    turned = Pose.planar(10.0, 0.0, math.pi / 2)
    taken: list[tuple[str, Message]] = [
        (topics.LOCALIZATION, TransformStamped.of_pose(stamped(0, "home"), "odom", turned))
    ]
    for step in range(5):
        here = PoseWithCovariance(Pose.planar(step * 1.0, 0.0, 0.0))
        taken.append((topics.ODOMETRY, Odometry(stamped(step, "odom"), "base_link", here)))
    drawn = drawn_of(taken)
    pose = last(drawn, paths.ROBOT, PoseOf)
    np.testing.assert_allclose(pose.pose[:3, 3], (10, 4, 0), atol=1e-9)
    assert {one.frame_id for one in drawn} == {"home"}
    way = last(drawn, f"{paths.PATH}/0", Lines)
    np.testing.assert_allclose(way.strips[0][:, :2], [(10, y) for y in range(5)], atol=1e-6)


def test_robot_and_camera_of_the_first_frame_are_drawn_at_the_localization_that_follows_them() -> None:
    drawn = drawn_of(
        [
            (topics.CAMERA_POSE, PoseStamped(stamped(1, "odom"), Pose(Point(1.0, 0.0, 1.2)))),
            (
                topics.ODOMETRY,
                Odometry(stamped(1, "odom"), "base_link", PoseWithCovariance(Pose.planar(1.0, 0.0, 0.0))),
            ),
            (
                topics.LOCALIZATION,
                TransformStamped.of_pose(stamped(1, "home"), "odom", Pose.planar(10.0, 0.0, math.pi / 2)),
            ),
        ]
    )
    robots = [one.thing for one in drawn if isinstance(one.thing, PoseOf) and one.path == paths.ROBOT]
    np.testing.assert_allclose([robot.pose[:3, 3] for robot in robots], [(10, 1, 0)], atol=1e-9)
    np.testing.assert_allclose(last(drawn, paths.CAMERA, PoseOf).pose[:3, 3], (10, 1, 1.2), atol=1e-9)
    assert {one.frame_id for one in drawn} == {"home"}


def test_a_long_path_is_drawn_in_connected_segments() -> None:
    taken = [
        (
            topics.ODOMETRY,
            Odometry(stamped(step), "base_link", PoseWithCovariance(Pose.planar(step * 0.1, 0.0, 0.0))),
        )
        for step in range(300)
    ]
    drawn = [one for one in drawn_of(taken) if one.path.startswith(paths.PATH)]
    assert (
        max(len(one.thing.strips[0]) for one in drawn) < 100
    )  # each step costs the same, however long the way
    pieces = {one.path: one.thing.strips[0] for one in drawn}
    ordered = list(pieces.values())
    for one, other in itertools.pairwise(ordered):
        np.testing.assert_array_equal(one[-1], other[0])
    np.testing.assert_allclose([ordered[0][0, 0], ordered[-1][-1, 0]], (0.0, 29.9), atol=1e-5)


def test_a_keyframe_shows_its_detections_and_adds_its_points_to_the_cloud() -> None:
    stamp = Time.from_nanoseconds(2 * SECOND)
    cup = Detection(
        hypotheses=(ObjectHypothesis(category="cup", score=0.9),), roi=RegionOfInterest(10, 20, 6, 8)
    )
    parts = frame(stamp, base=Pose.planar(1.0, 0.0, 0.0))
    update = KeyframeDetections(
        header=Header(stamp, "map"), processed_until=stamp, keyframe=True, detections=(cup,)
    )
    for taken in (
        [*parts.items(), (topics.KEYFRAME_DETECTIONS, update)],
        [(topics.KEYFRAME_DETECTIONS, update), *parts.items()],
    ):
        drawn = drawn_of(taken)
        picture = last(drawn, paths.KEYFRAME, Picture)
        assert picture.pixels.shape == (HEIGHT, WIDTH, 3)
        assert picture.labels == ("cup",)
        # The detection's region: x 10, y 20, height 6, width 8.
        np.testing.assert_array_equal(picture.boxes, [(10, 20, 18, 26)])
        cloud = last(drawn, f"{paths.CLOUD}/0", Points)
        # The wall stands 2 m before a camera at x = 1 m, 1 m above the floor.
        np.testing.assert_allclose(cloud.positions[:, 0], 3.0, atol=1e-4)
        assert cloud.positions[:, 2].min() < 0 < 1.9 < cloud.positions[:, 2].max() < 2.2
        np.testing.assert_array_equal(np.unique(cloud.colours, axis=0), [(230, 230, 230, 255)])


def test_the_cloud_of_an_upper_floor_has_the_heights_of_the_ground_floor() -> None:
    stamp = Time.from_nanoseconds(SECOND)
    keyframe = KeyframeDetections(header=Header(stamp, "map"), processed_until=stamp, keyframe=True)
    clouds = []
    for height in (0.0, 2.8):
        parts = frame(stamp)
        lifted = Pose(Point(0.0, 0.0, height))
        parts[topics.LOCALIZATION] = TransformStamped.of_pose(Header(stamp, "map"), "odom", lifted)
        drawn = drawn_of([*parts.items(), (topics.KEYFRAME_DETECTIONS, keyframe)])
        clouds.append(last(drawn, f"{paths.CLOUD}/0", Points).positions - (0, 0, height))
    ground, upper = (cloud[:, 2] for cloud in clouds)
    assert (upper.min(), upper.max()) == pytest.approx((ground.min(), ground.max()), abs=0.06)


def test_a_view_that_was_seen_before_adds_no_points_to_the_cloud() -> None:
    taken: list[tuple[str, Message]] = []
    for second in (1, 2, 3):
        stamp = Time.from_nanoseconds(second * SECOND)
        base = Pose.planar(0.0, 0.0 if second < 3 else 5.0, 0.0)
        taken += [*frame(stamp, base=base).items()]
        taken.append(
            (
                topics.KEYFRAME_DETECTIONS,
                KeyframeDetections(header=Header(stamp, "map"), processed_until=stamp, keyframe=True),
            )
        )
    clouds = [one for one in drawn_of(taken) if one.path.startswith(f"{paths.CLOUD}/")]
    assert [one.stamp_ns for one in clouds] == [SECOND, 3 * SECOND]
    points = np.concatenate([one.thing.positions for one in clouds])
    assert len(np.unique(np.floor(points / 0.05), axis=0)) == len(points)


def test_a_frame_that_is_no_keyframe_adds_no_points_to_the_cloud() -> None:
    stamp = Time.from_nanoseconds(SECOND)
    update = KeyframeDetections(header=Header(stamp, "map"), processed_until=stamp, keyframe=False)
    drawn = drawn_of([*frame(stamp).items(), (topics.KEYFRAME_DETECTIONS, update)])
    assert not any(isinstance(one.thing, Points) for one in drawn)
    assert not any(one.path == paths.KEYFRAME for one in drawn)


def test_the_camera_image_is_drawn_twice_a_second_and_every_keyframe_is_drawn() -> None:
    taken: list[tuple[str, Message]] = []
    for tenth in range(30):
        stamp = Time.from_nanoseconds(SECOND + tenth * SECOND // 10)
        taken.append((topics.COLOR, frame(stamp)[topics.COLOR]))
        taken.append(
            (
                topics.KEYFRAME_DETECTIONS,
                KeyframeDetections(
                    header=Header(stamp, "map"), processed_until=stamp, keyframe=tenth % 2 == 0
                ),
            )
        )
    drawn = drawn_of(taken)
    assert sum(one.path == paths.COLOR for one in drawn) == 6
    assert sum(one.path == paths.KEYFRAME for one in drawn) == 15


def late_keyframes(count: int) -> tuple[list[tuple[str, Message]], list[int]]:
    """Returns the frames of so many seconds, then the detections of the first and the last, with their stamps."""
    stamps = [Time.from_nanoseconds(second * SECOND) for second in range(1, count + 1)]
    taken: list[tuple[str, Message]] = [part for stamp in stamps for part in frame(stamp).items()]
    for stamp in (stamps[0], stamps[-1]):
        detections = KeyframeDetections(header=Header(stamp), processed_until=stamp, keyframe=True)
        taken.append((topics.KEYFRAME_DETECTIONS, detections))
    return taken, [stamps[0].nanoseconds, stamps[-1].nanoseconds]


def test_the_oldest_images_are_dropped_where_keyframes_are_not_known_in_advance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keyframe_join, "MAX_WAITING_BYTES", 10 * WIDTH * HEIGHT * 3)
    taken, stamps = late_keyframes(12)
    assert [one.stamp_ns for one in drawn_of(taken) if one.path == paths.KEYFRAME] == stamps[-1:]


def test_keyframes_of_a_recording_are_drawn_however_late_their_detections_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keyframe_join, "MAX_WAITING_BYTES", 0)
    taken, stamps = late_keyframes(100)
    drawn = drawn_of(taken, SceneBuilder(keyframes=stamps))
    assert [one.stamp_ns for one in drawn if one.path == paths.KEYFRAME] == stamps
    assert [one.stamp_ns for one in drawn if one.path.startswith(f"{paths.CLOUD}/")] == stamps[:1]


def test_the_map_is_drawn_as_the_floor_and_frontiers_as_viewing_directions() -> None:
    frontier = Frontier(
        id="frontier_3",
        center=Point(1, 2, 0),
        viewpoint=Pose.planar(1.0, 2.0, math.pi / 2),
        length=0.5,
        unknown_area=4.25,
    )
    nowhere = Frontier(id="frontier_4", center=Point(), viewpoint=Pose.none())
    turned = Quaternion(1e200, 1e200, 1e200, 1e200)
    undirected = Frontier(id="frontier_5", center=Point(), viewpoint=Pose(Point(), turned))
    drawn = drawn_of(
        [
            (
                topics.FRONTIERS,
                Frontiers(at=StepStamp(header=stamped(1)), frontiers=(frontier, nowhere, undirected)),
            )
        ]
    )
    arrows = last(drawn, paths.FRONTIERS, Arrows)
    assert arrows.labels == ("frontier 3, 4.2 m² unknown",)
    np.testing.assert_allclose(arrows.origins[0, :2], (1, 2))
    np.testing.assert_allclose(arrows.vectors[0, :2] / np.linalg.norm(arrows.vectors[0]), (0, 1), atol=1e-6)


def test_the_target_and_goal_of_a_skill_are_highlighted_until_it_ends() -> None:
    request = SkillRequest(
        header=stamped(1),
        request_id="task_1/1",
        action=Action("pick", ("cup_1",)),
        targets=(
            SkillTarget(
                id="cup_1", category="cup", pose=Pose.planar(2, 1, -0.4), size=Vector3(0.1, 0.1, 0.1)
            ),
        ),
        base_goal=Pose.planar(1.5, 1.0, 0.0),
    )
    here = Odometry(stamped(1), "base_link", PoseWithCovariance(Pose.planar(0.0, 0.0, 0.0)))
    localized = TransformStamped.of_pose(stamped(1), "odom", Pose())
    builder = SceneBuilder()
    taken = [(topics.ODOMETRY, here), (topics.LOCALIZATION, localized), (topics.SKILL_REQUEST, request)]
    drawn = drawn_of(taken, builder)
    box = last(drawn, paths.TARGET, Boxes)
    assert box.labels == ("pick(cup_1)",)
    assert box.sizes[0, 0] > 0.1
    np.testing.assert_allclose(box.yaws, [-0.4], rtol=1e-6)
    way = last(drawn, paths.GOAL, Lines)
    np.testing.assert_allclose(way.strips[0][:, :2], [(0, 0), (1.5, 1.0)])
    outcome = Outcome(
        header=stamped(4), request_id="task_1/1", step=1, action=request.action, result=Result.SUCCEEDED
    )
    after = drawn_of([(topics.OUTCOME, outcome)], builder)
    assert {one.path for one in after if isinstance(one.thing, Clear)} == {paths.TARGET, paths.GOAL}


def test_routes_are_drawn_from_the_robot_to_their_goals() -> None:
    belief = SpatialBelief(
        at=StepStamp(header=stamped(1)),
        robot=Pose.planar(1.0, 1.0, 0.0),
        routes=(Route(target="cup_1", goal=Pose.planar(3.0, 1.0, 0.0), length=2.5), Route(target="cup_2")),
    )
    routes = last(drawn_of([(topics.SPATIAL_BELIEF, belief)]), paths.ROUTES, Lines)
    assert routes.labels == ("to cup 1, 2.5 m",)
    np.testing.assert_allclose(routes.strips[0][:, :2], [(1, 1), (3, 1)])


def test_plans_beliefs_verdicts_and_results_are_shown_as_text(run: list[Drawn]) -> None:
    pages = {path: [d.thing.markdown for d in run if d.path == path] for path in (paths.PLAN, paths.TASK)}
    assert any("look into cupboard 1" in page and "because" in page for page in pages[paths.PLAN])
    assert any("open(cupboard\\_1) rejected, spatial: " in page for page in pages[paths.PLAN])
    assert any("**succeeded** after" in page for page in pages[paths.TASK])
    assert last(run, paths.TEMPORAL_BELIEF, Text).markdown.startswith("#### step ")
    assert last(run, paths.SPATIAL_BELIEF, Text).markdown.startswith("#### step ")
    lines = {d.path: [] for d in run}
    for one in run:
        if isinstance(one.thing, Remark):
            lines[one.path].append((one.thing.level, one.thing.text))
    assert (Level.ERROR, "failed: everything that can be searched was searched") in lines[paths.TASKS_LOG]
    assert any(level is Level.WARNING and "rejected" in text for level, text in lines[paths.CRITIC_LOG])
    assert any(level is Level.GOOD and "accepted" in text for level, text in lines[paths.CRITIC_LOG])
    assert any("explore(frontier_7) failed: a chair" in text for _, text in lines[paths.OUTCOMES_LOG])
    assert any("BAD_IMAGE" in text for _, text in lines[paths.FAULTS_LOG])


@pytest.mark.parametrize(
    ("keyframe", "what"), [(True, "a keyframe is incomplete"), (False, "a frame was not used")]
)
def test_perception_errors_are_shown_in_the_log_of_faults(keyframe: bool, what: str) -> None:
    blind = KeyframeDetections(
        header=stamped(1), keyframe=keyframe, error=Error(ErrorCode.BAD_IMAGE, "it sees nothing")
    )
    remark = last(drawn_of([(topics.KEYFRAME_DETECTIONS, blind)]), paths.FAULTS_LOG, Remark)
    assert (remark.level, remark.text) == (Level.WARNING, f"perception: {what}: it sees nothing")


def test_message_texts_are_escaped_in_markdown() -> None:
    belief = SpatialBelief(
        at=StepStamp(header=stamped(1)), text="# mug_1 *is* [here](http://example.com)\n      and `there`"
    )
    page = last(drawn_of([(topics.SPATIAL_BELIEF, belief)]), paths.SPATIAL_BELIEF, Text).markdown
    assert "\\# mug\\_1 \\*is\\* \\[here\\](http://example.com)  \nand \\`there\\`" in page


def test_figures_of_a_run_are_drawn_as_time_series(run: list[Drawn]) -> None:
    series: Mapping[str, list[float]] = {
        path: [d.thing.value for d in run if d.path == path]
        for path in (paths.OBJECTS_KNOWN, paths.COMMANDS, paths.REJECTIONS, paths.FAILURES, paths.AREA)
    }
    outcomes = [m for _, m in synthetic_run() if isinstance(m, Outcome) and m.step > 0]
    assert series[paths.COMMANDS] == list(range(1, len(outcomes) + 1))
    assert series[paths.FAILURES][-1] == 1
    assert series[paths.REJECTIONS][-1] == 1
    graphs = [m for _, m in synthetic_run() if isinstance(m, SceneGraph)]
    assert series[paths.OBJECTS_KNOWN] == [len(graph.objects) for graph in graphs]
    grid = [d.thing for d in run if isinstance(d.thing, Grid)][-1]
    assert series[paths.AREA][-1] == pytest.approx(np.count_nonzero(grid.cells >= 0) * 0.05**2, rel=1e-6)


def test_model_tokens_add_up_and_failures_are_logged() -> None:
    calls = [
        ModelCall(header=stamped(1), role="planner", latency=1.5, prompt_tokens=100, reply_tokens=20),
        ModelCall(header=stamped(2), role="critic", latency=0.5),  # a server that reports no tokens
        ModelCall(header=stamped(3), role="critic", latency=0.25, prompt_tokens=50, reply_tokens=5),
    ]
    drawn = drawn_of((topics.MODEL_CALL, call) for call in calls)
    assert [d.thing.value for d in drawn if d.path == paths.TOKENS] == [120, 120, 175]
    assert [d.thing.value for d in drawn if d.path == paths.LATENCY] == [1.5, 0.5, 0.25]


def test_context_tokens_are_drawn_as_one_time_series_for_each_role() -> None:
    calls = [
        RoleCall(at=StepStamp(header=stamped(1)), role=role, context_tokens=tokens)
        for role, tokens in ((PLANNER.name, 40), (CRITIC.name, 7))
    ]
    figures = [(d.path, d.thing.value) for d in drawn_of((topics.ROLE_CALLS, call) for call in calls)]
    assert figures == [(f"{paths.CONTEXT}/planner", 40), (f"{paths.CONTEXT}/critic", 7)]
    charted = {path for chart in charts(ROLE_NAMES) for path, _, _ in chart.lines}
    assert charted >= {path for path, _ in figures}


def test_a_text_game_shows_its_output_command_by_command() -> None:
    drawn = drawn_of(text_game_run())
    output = [d for d in drawn if d.path == paths.WORLD_TEXT]
    assert output
    assert [d.stamp_ns for d in output] == sorted(d.stamp_ns for d in output)
    assert not any(d.path.startswith(paths.WORLD) and isinstance(d.thing, Points | Picture) for d in drawn)


def test_a_message_without_a_stamp_gets_the_time_of_the_previous_one() -> None:
    builder = SceneBuilder()
    drawn_of([(topics.FRONTIERS, Frontiers(at=StepStamp(header=stamped(7))))], builder)
    (series, *_) = [
        d for d in drawn_of([(topics.FRONTIERS, Frontiers())], builder) if isinstance(d.thing, Series)
    ]
    assert series.stamp_ns == 7 * SECOND


def test_unused_topics_draw_nothing() -> None:
    unseen = [(topic, message) for topic, message in synthetic_run() if topic not in LOOKED_AT]
    assert topics.GROUND_TRUTH not in LOOKED_AT
    assert drawn_of(unseen) == []


ANY = st.sampled_from(sorted(topics.TOPICS)).flatmap(
    lambda topic: st.tuples(st.just(topic), messages(topics.TOPICS[topic].type))
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(ANY, max_size=4))
def test_any_message_can_be_drawn(taken: list[tuple[str, Message]]) -> None:
    for drawn in drawn_of(taken):
        for name in ("centers", "sizes", "yaws", "positions", "origins", "vectors"):
            assert np.all(np.isfinite(getattr(drawn.thing, name, 0.0)))
        if not isinstance(drawn.thing, Grid | Series | Text | Remark):
            rows = getattr(drawn.thing, "colours", None)
            labels = getattr(drawn.thing, "labels", None)
            assert rows is None or rows.dtype == np.uint8
            assert rows is None or labels is None or len(rows) == len(labels)


@pytest.mark.parametrize(
    ("status", "level", "said"),
    [
        (TaskStatus.SUCCEEDED, Level.GOOD, "succeeded: The oven is off."),
        (
            TaskStatus.UNVERIFIED,
            Level.WARNING,
            "unverified: I believe so, but could not check: The oven is off.",
        ),
        (TaskStatus.FAILED, Level.ERROR, "failed: The oven is off."),
    ],
)
def test_the_log_of_tasks_tells_how_a_task_ended(status: TaskStatus, level: Level, said: str) -> None:
    drawn = drawn_of([(topics.TASK_RESULT, TaskResult(status=status, text="The oven is off."))])
    assert last(drawn, paths.TASKS_LOG, Remark) == Remark(said, level)
