"""The port of the house world: skills, messages, failures and cancellation."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

import itertools

from stma_ros.types import topics
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ConfigurationError, ErrorCode, MissingDependencyError, WorldError
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, Outcome, Result, SkillRequest, SkillTarget
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Image, Point, Pose, Vector3
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.flat import Furniture
from stma_ros.worlds.house.house import House
from stma_ros.worlds.registry import make_world
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.motion import Ground, Increment
from stma_ros.worlds.robot.places import standing_place
from stma_ros.worlds.robot.reach import REACH
from stma_ros.worlds.robot.sensors import CAMERA_FRAME, planar
from stma_ros.worlds.robot.truth import bounding_box
from support.worlds.map_frames import in_map

SMALL = HouseConfig(width=64, height=48)


@pytest.fixture
def house() -> House:
    world = House(SMALL)
    assert world.reset("flat_1004", 3) == "flat_1004"
    return world


def target_of(piece: Furniture) -> SkillTarget:
    given = bounding_box(piece.box)
    return SkillTarget(id="it", category=piece.category, pose=given.center, size=given.size)


def request(skill: str, *targets: SkillTarget, goal: Pose | None = None) -> SkillRequest:
    return SkillRequest(
        header=Header(frame_id="map"),
        request_id="r1",
        task_id="t1",
        step=4,
        subgoal="",
        action=Action(skill, tuple(t.id for t in targets)),
        targets=targets,
        base_goal=Pose.none() if goal is None else goal,
    )


def run(house: House, wanted: SkillRequest) -> tuple[list[Emission], Outcome]:
    """Executes a request whose places are in the frame of the flat."""
    emissions = list(house.execute(in_map(house, wanted), CancelToken()))
    assert emissions[-1][0] == topics.OUTCOME
    outcome = emissions[-1][1]
    assert isinstance(outcome, Outcome)
    return emissions, outcome


def in_front_of(piece: Furniture) -> Pose:
    return Pose.planar(*piece.ahead(0.9), piece.placement.yaw + math.pi)


def go_to(house: House, piece: Furniture) -> Outcome:
    return run(house, request("navigate", target_of(piece), goal=in_front_of(piece)))[1]


def a_container(house: House) -> Furniture:
    return min(house.flat.containers, key=lambda piece: piece.box)


def test_house_frames_have_all_parts_at_one_stamp_and_stamps_increase(house: House) -> None:
    emissions, _ = run(house, request("look_around"))
    body = emissions[:-3]
    size = len(topics.FRAME) + 1
    assert len(body) == 6 * size
    stamps = []
    for k in range(0, len(body), size):
        parts = body[k : k + size]
        assert [topic for topic, _ in parts] == [*topics.FRAME, topics.CLOCK]
        clock = parts[-1][1].clock.nanoseconds
        assert {message.header.stamp.nanoseconds for _, message in parts[:-1]} == {clock}
        stamps.append(clock)
    assert stamps == sorted(set(stamps))
    observation = emissions[-2][1]
    assert observation.watermark.nanoseconds == stamps[-1]
    assert (observation.task_id, observation.step, observation.last_outcome.request_id) == ("t1", 4, "r1")


def test_segmentation_ids_are_labelled_and_mean_nothing_beyond_the_frame(house: House) -> None:
    numbers = []
    for _ in range(2):
        parts = dict(run(house, request("observe"))[0])
        ids = np.unique(parts[topics.SEGMENTATION].array())
        labels = parts[topics.SEGMENTATION_LABELS].labels
        assert [label.id for label in labels] == list(range(1, len(labels) + 1)) == list(ids)
        numbers.append([label.category for label in labels])
    assert {"floor", "wall"} <= set(numbers[0])
    assert sorted(numbers[0]) == sorted(numbers[1])
    assert numbers[0] != numbers[1]


def test_camera_pose_and_info_project_the_floor(house: House) -> None:
    emissions = run(house, request("look_around"))[0]
    size = len(topics.FRAME) + 1
    shown = 0
    for k in range(0, 6 * size, size):
        parts: dict[str, Any] = dict(emissions[k : k + size])
        assert parts[topics.COLOR].header.frame_id == CAMERA_FRAME
        q, origin = parts[topics.CAMERA_POSE].pose.orientation, parts[topics.CAMERA_POSE].pose.position
        x, y, z, w = q.x, q.y, q.z, q.w
        # Last row of the rotation.
        up = np.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])
        intrinsics = parts[topics.CAMERA_INFO].k.reshape(3, 3)
        labels = parts[topics.SEGMENTATION_LABELS].labels
        floor = parts[topics.SEGMENTATION].array() == next(
            (label.id for label in labels if label.category == "floor"), 0
        )
        v, u = np.nonzero(floor)
        depth = parts[topics.DEPTH].array()[floor] / 1000.0
        (fx, _, cx), (_, fy, cy), _ = intrinsics
        rays = np.stack([(u - cx) / fx, (v - cy) / fy, np.ones_like(u)])
        np.testing.assert_allclose(origin.z + depth * (up @ rays), 0.0, atol=0.01)
        shown += u.size
    assert shown > 500


def test_navigate_ends_at_its_goal(house: House) -> None:
    piece = a_container(house)
    goal = in_front_of(piece)
    emissions, outcome = run(house, request("navigate", target_of(piece), goal=goal))
    assert outcome.result == Result.SUCCEEDED
    assert outcome.distance > 0
    robot = house.robot
    assert math.hypot(robot.x - goal.position.x, robot.y - goal.position.y) < 0.05
    assert math.cos(robot.yaw - goal.yaw) > 0.9999
    odometry = [message.pose.pose.position for topic, message in emissions if topic == topics.ODOMETRY]
    gaps = [math.hypot(b.x - a.x, b.y - a.y) for a, b in itertools.pairwise(odometry)]
    assert max(gaps) < 0.81


def test_navigate_to_a_goal_outside_drives_as_near_as_possible_and_fails_as_unreachable(house: House) -> None:
    before = house.robot
    _, outcome = run(
        house, request("navigate", target_of(a_container(house)), goal=Pose.planar(-3.0, -3.0, 0.0))
    )
    after = house.robot
    assert (outcome.result, outcome.error.code) == (Result.FAILED, ErrorCode.UNREACHABLE)
    assert "short of the goal" in outcome.error.text
    assert math.hypot(after.x + 3, after.y + 3) < math.hypot(before.x + 3, before.y + 3)


@pytest.mark.parametrize("goal", [Pose.none(), Pose(Point(math.inf, 0.0, 0.0))])
def test_navigate_to_an_invalid_goal_fails_as_unreachable(house: House, goal: Pose) -> None:
    assert (
        run(house, request("navigate", target_of(a_container(house)), goal=goal))[1].error.code
        == ErrorCode.UNREACHABLE
    )


def test_open_shows_the_contents_of_a_container_and_fails_when_repeated(house: House) -> None:
    inside = min((item for item in house.flat.items if item.inside), key=lambda item: item.box)
    container = house.flat.furniture_by_name[inside.support]
    assert go_to(house, container).result == Result.SUCCEEDED
    emissions, outcome = run(house, request("open", target_of(container)))
    assert outcome.result == Result.SUCCEEDED
    assert outcome.duration >= 3.0
    labels = [m for topic, m in emissions if topic == topics.SEGMENTATION_LABELS][-1].labels
    assert inside.category in {label.category for label in labels}
    assert container.name in house.state.open_names
    again = replace(target_of(container), id="mine_1", category="gizmo")
    error = run(house, request("open", again))[1].error
    assert (error.code, error.text) == (ErrorCode.ALREADY_OPEN, "mine_1 is open already")


def test_open_accepts_an_inaccurate_box_of_the_container(house: House) -> None:
    container = a_container(house)
    go_to(house, container)
    exact = target_of(container)
    place = exact.pose.position
    shifted = replace(
        exact, pose=Pose(Point(place.x + 0.2, place.y - 0.2, place.z)), size=Vector3(0.3, 0.3, 0.3)
    )
    assert run(house, request("open", shifted))[1].result == Result.SUCCEEDED
    assert container.name in house.state.open_names


def test_open_fails_with_the_cause(house: House) -> None:
    container = a_container(house)
    go_to(house, container)
    robot = house.robot
    x, y = robot.point(0.3, 0.0)
    nothing = SkillTarget(id="x", category="fridge", pose=Pose(Point(x, y, 1.0)), size=Vector3(0.1, 0.1, 0.1))
    unknown = SkillTarget(id="x", category="fridge", pose=Pose.none())
    for target in (nothing, unknown):
        assert run(house, request("open", target))[1].error.code == ErrorCode.NO_SUCH_TARGET
    assert run(house, request("open"))[1].error.code == ErrorCode.NO_SUCH_TARGET
    assert run(house, request("juggle"))[1].error.code == ErrorCode.SKILL_UNKNOWN


def test_open_names_an_object_that_does_not_open_by_the_agents_own_id(house: House) -> None:
    solid = [piece for piece in house.flat.furniture if piece.kind.solid and not piece.is_container]
    near = next(
        piece
        for piece in sorted(solid, key=lambda piece: piece.box)
        if go_to(house, piece).result == Result.SUCCEEDED
    )
    taken_for = replace(target_of(near), id="cupboard_7", category="cupboard")
    error = run(house, request("open", taken_for))[1].error
    assert (error.code, error.text) == (ErrorCode.NOT_OPENABLE, "cupboard_7 does not open")


def test_open_reveals_nothing_about_objects_out_of_reach(house: House) -> None:
    container = a_container(house)
    go_to(house, container)
    run(house, request("open", target_of(container)))
    away = max(house.flat.containers, key=lambda piece: math.dist(piece.ahead(0), container.ahead(0)))
    go_to(house, away)
    x, y = house.robot.x, house.robot.y
    far = [piece for piece in house.flat.furniture if piece.footprint.distance(x, y) > REACH]
    assert container in far
    assert {piece.is_container for piece in far} == {True, False}
    targets = [replace(target_of(piece), id="thing_3", category="gizmo") for piece in far]
    targets.append(
        SkillTarget(
            id="thing_3", category="gizmo", pose=Pose(Point(-9.0, -9.0, 1.0)), size=Vector3(0.5, 0.5, 1.0)
        )
    )
    # A box from the base to the thing is within reach itself; what it means is not.
    cx, cy, _ = container.box.centre
    span = Vector3(abs(cx - x) * 2, abs(cy - y) * 2, 2.0)
    targets.append(
        SkillTarget(id="thing_3", category=container.category, pose=Pose(Point(cx, cy, 1.0)), size=span)
    )
    for target in targets:
        error = run(house, request("open", target))[1].error
        assert error.code == ErrorCode.TOO_FAR, target
        assert error.text.startswith("thing_3 is ")
        assert "navigate to it first" in error.text
        assert not any(piece.category in error.text for piece in house.flat.furniture)


def test_cancel_stops_within_half_a_metre(house: House) -> None:
    robot = house.robot
    far = max(house.flat.containers, key=lambda piece: math.dist(piece.ahead(0.9), (robot.x, robot.y)))
    token = CancelToken()
    frames, where, outcome = 0, None, None
    wanted = request("navigate", target_of(far), goal=in_front_of(far))
    for topic, message in house.execute(in_map(house, wanted), token):
        frames += topic == topics.COLOR
        if frames == 2 and not token.canceled:
            token.cancel("enough")
            where = house.robot
        outcome = message
    assert isinstance(outcome, Outcome)
    assert where is not None
    assert (outcome.result, outcome.error.code, outcome.error.text) == (
        Result.CANCELED,
        ErrorCode.CANCELED,
        "enough",
    )
    end = house.robot
    assert math.hypot(end.x - where.x, end.y - where.y) <= 0.5


def tour(config: HouseConfig) -> list[Emission]:
    world = House(config)
    world.reset("flat_1011", 2)
    emissions = run(world, request("look_around"))[0]
    for piece in sorted(world.flat.containers, key=lambda piece: piece.box)[:2]:
        emissions += run(world, request("navigate", target_of(piece), goal=in_front_of(piece)))[0]
        emissions += run(world, request("open", target_of(piece)))[0]
    return emissions


@pytest.mark.parametrize("config", [SMALL, replace(SMALL, noise=True, changes=3)])
def test_permuting_identities_changes_only_the_segmentation_ids(config: HouseConfig) -> None:
    plain, other = tour(config), tour(replace(config, identity_seed=9))
    assert len(plain) == len(other)
    differing = 0
    for (topic, a), (other_topic, b) in zip(plain, other, strict=True):
        assert topic == other_topic
        if topic == topics.SEGMENTATION:
            assert isinstance(a, Image)
            assert isinstance(b, Image)
            differing += a != b
            pairs = {(int(x), int(y)) for x, y in zip(a.array().flat, b.array().flat, strict=True)}
            assert len(pairs) == len({x for x, _ in pairs}) == len({y for _, y in pairs})
        elif topic == topics.SEGMENTATION_LABELS:
            assert sorted(label.category for label in a.labels) == sorted(
                label.category for label in b.labels
            )
        elif topic == topics.GROUND_TRUTH:
            assert nameless(a) == nameless(b)
        else:
            assert a == b, topic
    assert differing


def nameless(truth: Message) -> list[str]:
    assert isinstance(truth, GroundTruth)
    return sorted(repr(replace(thing, name="", support="")) for thing in truth.objects)


def test_equal_seeds_make_equal_episodes_with_noise_and_changes() -> None:
    config = replace(SMALL, noise=True, changes=3)
    assert tour(config) == tour(config) != tour(SMALL)


def test_navigate_reaches_its_goals_despite_wheel_slip() -> None:
    world = House(replace(SMALL, noise=True, drift=0.04))
    world.reset("flat_1004", 3)
    pieces = sorted(world.flat.containers, key=lambda piece: piece.box)
    start, drifted, reached = world.robot, 0.0, 0
    for piece in pieces[:4] * 2:
        emissions, outcome = run(world, request("navigate", target_of(piece), goal=in_front_of(piece)))
        parts: dict[str, Any] = dict(emissions)
        odometry = parts[topics.ODOMETRY].pose.pose.position
        x, y = start.point(odometry.x, odometry.y)
        drifted = max(drifted, math.hypot(x - world.robot.x, y - world.robot.y))
        assert parts[topics.LOCALIZATION].header.frame_id == "map"
        if outcome.result == Result.SUCCEEDED:
            reached += 1
            x, y = piece.ahead(0.9)
            assert math.hypot(world.robot.x - x, world.robot.y - y) < 0.5
    assert reached
    assert drifted > 0.1


def test_every_skill_ends_with_a_ground_truth_that_is_no_part_of_a_frame(house: House) -> None:
    assert topics.GROUND_TRUTH not in topics.FRAME
    container = a_container(house)
    for skill in ("observe", "look_around"):
        emissions = run(house, request(skill))[0]
        assert [topic for topic, _ in emissions].count(topics.GROUND_TRUTH) == 1
        assert emissions[-3] == (topics.GROUND_TRUTH, house.truth())
    go_to(house, container)
    truth = dict(run(house, request("open", target_of(container)))[0])[topics.GROUND_TRUTH]
    assert isinstance(truth, GroundTruth)
    (thing,) = (thing for thing in truth.objects if thing.name == container.name)
    assert thing.states[0] == "open"
    assert thing.fixed
    box = container.box_when(True)
    assert box.size[0] > container.box.size[0] + 0.2
    assert thing.center == house.map_frame.point(Point(*box.centre))
    assert thing.size == Vector3(*box.size)
    placed = house.map_frame.placed(container.placement)
    assert math.cos(thing.yaw - placed.yaw) == pytest.approx(1.0)
    assert truth.robot == house.truth().robot
    assert all(room.footprint.points for room in truth.rooms)
    assert {thing.room for thing in truth.objects} <= {room.name for room in truth.rooms}


def test_ground_truth_has_the_most_pixels_of_each_thing_in_one_picture(house: House) -> None:
    before = {thing.name: thing.seen_pixels for thing in house.truth().objects}
    most: Counter[tuple[str, int]] = Counter()
    emissions = run(house, request("look_around"))[0]
    parts: dict[str, Any] = {}
    for topic, message in emissions:
        parts[topic] = message
        if not parts.keys() >= {topics.DEPTH, topics.SEGMENTATION, topics.SEGMENTATION_LABELS}:
            continue
        ids = parts[topics.SEGMENTATION].array()[parts[topics.DEPTH].array() > 0]
        counts = np.bincount(ids, minlength=1 << 16)
        categories = {label.id: label.category for label in parts[topics.SEGMENTATION_LABELS].labels}
        most |= Counter({(categories[id_], id_): int(counts[id_]) for id_ in categories})
        parts = {}
    true = Counter(
        (thing.category, thing.seen_pixels)
        for thing in house.truth().objects
        if thing.seen_pixels > before[thing.name]
    )
    seen = Counter((category, count) for (category, _), count in most.items())
    assert sum(true.values()) > 5
    assert true <= seen


def test_a_held_object_is_sensed_by_the_hand_and_not_visible(house: House) -> None:
    doors = [door.name for door in house.flat.doors]
    items = [item for item in house.flat.items if not item.inside]
    taken = None
    for item in sorted(items, key=lambda item: item.box):
        goal = standing_place(
            house.flat,
            house.state.opened(*doors),
            house.ground,
            house.robot,
            item.box.footprint,
        )
        if goal is None:
            continue
        given = bounding_box(item.box)
        box = SkillTarget(id="it", category=item.category, pose=given.center, size=given.size)
        run(house, request("navigate", box, goal=planar(goal)))
        emissions, outcome = run(house, request("pick", box))
        if outcome.result == Result.SUCCEEDED:
            taken = item
            break
    assert taken is not None
    observation = emissions[-2][1]
    assert isinstance(observation, Observation)
    assert observation.holding
    (thing,) = (thing for thing in house.truth().objects if thing.name == taken.name)
    assert (thing.support, thing.inside, thing.hidden) == ("robot", False, False)
    robot = house.map_frame.placed(house.robot)
    assert math.hypot(thing.center.x - robot.x, thing.center.y - robot.y) < 0.6


def test_an_episode_does_not_depend_on_the_one_before(house: House) -> None:
    first = run(house, request("look_around"))[0]
    go_to(house, a_container(house))
    run(house, request("open", target_of(a_container(house))))
    assert house.reset("", 3) == "flat_1004"
    assert run(house, request("look_around"))[0] == first


def test_unknown_worlds_scenes_and_settings_are_refused_by_name() -> None:
    with pytest.raises(ConfigurationError, match="house"):
        make_world("hause")
    with pytest.raises(ConfigurationError, match="width"):
        make_world("house", {"widht": 3})
    with pytest.raises(ConfigurationError, match="3 to 10"):
        make_world("house", {"rooms": "2"})
    world = make_world("house", {"width": "32", "height": 24})
    with pytest.raises(WorldError, match="reset"):
        next(world.execute(request("observe"), CancelToken()))
    with pytest.raises(ConfigurationError, match="flat_0"):
        world.reset("castle", 0)
    world.close()
    world.close()


def test_house_world_without_open3d_is_refused_with_the_extra_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in [name for name in sys.modules if name.startswith("stma_ros.worlds.house.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "open3d", None)
    with pytest.raises(MissingDependencyError, match=r"stma_ros\[house\].*libusb-1.0-0 libgl1"):
        make_world("house")


def test_frames_have_different_stamps_when_the_robot_bumps_into_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def bump(_: Ground, base: Placement, __: object) -> Iterator[Increment]:
        for turned in (0.1, 0.2):
            yield Increment(replace(base, yaw=base.yaw + turned), 0.0, 0.1)
        yield Increment(replace(base, yaw=base.yaw + 0.2), 0.0, 0.0, bumped=True)

    world = House(HouseConfig(width=64, height=48, frame_rate=15.0))
    world.reset("flat_1004", 3)
    monkeypatch.setattr(Ground, "follow", bump)
    goal = world.map_frame.pose(planar(world.robot))
    emissions = list(
        world.execute(request("navigate", target_of(world.flat.furniture[0]), goal=goal), CancelToken())
    )
    stamps = [message.header.stamp.nanoseconds for topic, message in emissions if topic == topics.DEPTH]
    assert len(stamps) == 3
    assert stamps == sorted(set(stamps))


def test_frames_come_at_the_configured_frame_rate_while_the_robot_moves():
    world = House(HouseConfig(width=64, height=48, frame_rate=10.0))
    world.reset("flat_1004", 3)
    stamps = [
        message.header.stamp.seconds
        for topic, message in world.execute(request("look_around"), CancelToken())
        if topic == topics.DEPTH
    ]
    assert len(stamps) == pytest.approx(10 * (stamps[-1] - stamps[0]), abs=2)
    assert np.diff(stamps).max() < 0.25
