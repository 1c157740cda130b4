"""Tests of the spatial memory in a building of two floors: it describes the floor on which the robot is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stma_ros.components.spatial_memory.spatial_memory import SpatialMemory, SpatialMemoryConfig
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.component import Emission
from stma_ros.types.scene_graph import Frontiers, SceneGraph
from stma_ros.types.sensing import Detection, KeyframeDetections, Observation
from stma_ros.types.standard import Header, OccupancyGrid, Time
from stma_ros.types.stepped import StepStamp
from support.components.household_components import spatial_memory
from support.mapping.box_world import ALL_ROUND, CAMERA, MOUNT, look, shell, two_rooms
from support.mapping.poses import planar_pose
from support.memory.keyframes import seen

UP = 3.0
K = np.array([[CAMERA.fx, 0, CAMERA.cx], [0, CAMERA.fy, CAMERA.cy], [0, 0, 1]])
CONFIG = SpatialMemoryConfig(resolution=0.1, floors=f"0, {UP}")
ROOMS = {0.0: [*shell(0, 0, 8.1, 4), (6.4, 1.2, 0.0, 6.8, 2.8, 2.5)], UP: two_rooms()}
"""The rooms of each floor, as if that were at z = 0."""

STANDS = 1.5, 2.0
TABLE = (2.5, 2.0, 0.37), (0.8, 0.8, 0.74)
MUG = (2.5, 2.0, 0.79), (0.08, 0.08, 0.1)


class Robot:
    """A robot that looks around, and its spatial memory."""

    def __init__(self, config: SpatialMemoryConfig = CONFIG) -> None:
        self.memory: SpatialMemory = spatial_memory(config)
        self._second = 0
        self._step = -1

    def look_around(self, floor: float, *things: tuple[str, float]) -> list[Emission]:
        """Returns the answers to a step with a look around from one place of a floor.

        Args:
            floor: its height [m].
            things: categories of what perception finds, and the height of the floor on which it finds them [m].
        """
        x, y = STANDS
        for number, yaw in enumerate(ALL_ROUND):
            base = planar_pose(x, y, float(yaw))
            depth, pose = look(ROOMS[floor], base @ MOUNT), base @ MOUNT
            base[2, 3], pose[2, 3] = floor, pose[2, 3] + floor
            self._second += 1
            frame = CameraFrame.from_arrays(depth=depth, k=K, camera_pose=pose, base=base, stamp=self._second)
            header = frame.header
            found = tuple(_seen(*thing) for thing in things) if number == 0 else ()
            update = KeyframeDetections(
                header=header, processed_until=header.stamp, keyframe=bool(found), detections=found
            )
            list(self.memory.handle(topics.CAMERA_FRAME, frame))
            list(self.memory.handle(topics.KEYFRAME_DETECTIONS, update))
        self._step += 1
        at = StepStamp(header=Header(Time(self._second)), task_id="t", step=self._step)
        observation = Observation(task_id="t", step=self._step, watermark=Time(self._second))
        return [
            answer
            for topic, message in (
                (topics.OBSERVATION, observation),
                (topics.TEMPORAL_BELIEF, TemporalBelief(at=at)),
            )
            for answer in self.memory.handle(topic, message)
        ]


def _seen(category: str, floor: float) -> Detection:
    (x, y, z), size = TABLE if category == "table" else MUG
    return seen(category, (x, y, z + floor), size)


def _frontiers(answers: list[Emission]) -> Frontiers:
    (found,) = [message for _, message in answers if isinstance(message, Frontiers)]
    return found


def _map(answers: list[Emission]) -> OccupancyGrid:
    (found,) = [message for _, message in answers if isinstance(message, OccupancyGrid)]
    return found


def _graph(answers: list[Emission]) -> SceneGraph:
    (found,) = [message for _, message in answers if isinstance(message, SceneGraph)]
    return found


def _belief(answers: list[Emission]) -> SpatialBelief:
    (found,) = [message for _, message in answers if isinstance(message, SpatialBelief)]
    return found


def test_map_and_frontiers_are_those_of_the_floor_on_which_the_robot_is() -> None:
    robot = Robot()
    lower, upper = robot.look_around(0.0), robot.look_around(UP)
    for answers, floor in ((lower, 0.0), (upper, UP)):
        assert _map(answers).info.origin.position.z == floor
        assert _frontiers(answers).frontiers
        assert {each.center.z for each in _frontiers(answers).frontiers} == {floor}
        assert {each.viewpoint.position.z for each in _frontiers(answers).frontiers} == {floor}
        assert _belief(answers).robot.position.z == floor
    assert not np.array_equal(_map(lower).data, _map(upper).data)
    alone = Robot(SpatialMemoryConfig(resolution=0.1)).look_around(0.0)
    assert np.array_equal(_map(lower).data, _map(alone).data)
    assert _frontiers(lower) == _frontiers(alone)


def test_frontiers_keep_their_ids_when_the_robot_comes_back_to_their_floor() -> None:
    robot = Robot()
    first, upstairs, again = (robot.look_around(floor) for floor in (0.0, UP, 0.0))
    ids = [{each.id for each in _frontiers(answers).frontiers} for answers in (first, upstairs, again)]
    assert ids[0] == ids[2]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_things_keep_their_heights_and_rooms_and_have_no_route_from_another_floor() -> None:
    robot = Robot()
    robot.look_around(0.0, ("table", 0.0), ("mug", 0.0))
    answers = robot.look_around(UP, ("table", UP), ("mug", UP))
    graph, belief = _graph(answers), _belief(answers)
    heights = {node.id: node.box.center.position.z for node in graph.objects}
    expected = {"table_1": 0.37, "mug_1": 0.79, "table_2": UP + 0.37, "mug_2": UP + 0.79}
    assert heights == pytest.approx(expected, abs=0.02)
    floors = {room.id: room.center.z for room in graph.rooms}
    rooms = {fact.subject: fact.object for fact in graph.relations if fact.predicate == words.IN_ROOM}
    assert {name: floors[room] for name, room in rooms.items()} == {
        "table_1": 0.0,
        "mug_1": 0.0,
        "table_2": UP,
        "mug_2": UP,
    }
    on = {(fact.subject, fact.object) for fact in graph.relations if fact.predicate == words.ON}
    assert on == {("mug_1", "table_1"), ("mug_2", "table_2")}
    goals = {route.target: route.goal for route in belief.routes}
    assert [goals[name].given for name in ("table_1", "mug_1")] == [False, False]
    assert [goals[name].position.z for name in ("table_2", "mug_2")] == [UP, UP]
    near = {
        fact.object for fact in belief.facts if (fact.subject, fact.predicate) == (words.ROBOT, words.NEAR)
    }
    assert near == {"table_2", "mug_2"}
    assert belief.room in floors
    assert floors[belief.room] == UP


def test_memory_of_a_building_is_saved_and_goes_on_upstairs(tmp_path: Path) -> None:
    config = SpatialMemoryConfig(resolution=0.1, floors=f"0, {UP}", memory_dir=str(tmp_path))
    robot = Robot(config)
    robot.look_around(0.0)
    before = robot.look_around(UP)
    robot.memory.close()
    later = Robot(config)
    after = later.look_around(UP)
    assert {room.id for room in _graph(after).rooms} == {room.id for room in _graph(before).rooms}
    assert [each.id for each in _frontiers(after).frontiers] == [
        each.id for each in _frontiers(before).frontiers
    ]
    later.memory.close()
    assert [path.name for path in tmp_path.glob("*.stma")] == ["memory.stma"]
