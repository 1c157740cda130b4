"""The map frame of a home: drawn or given, and the same for everything that a message says."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import Action, Outcome, Result, SkillRequest, SkillTarget
from stma_ros.types.settings import configure
from stma_ros.types.standard import Image, Point, Pose, PoseStamped, Quaternion, TransformStamped, Vector3
from stma_ros.types.truth import GroundTruth, GroundTruthObject
from stma_ros.worlds.bddl.problem import read_problem
from stma_ros.worlds.house.activities import instantiation
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.flat_file import flat_text
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.handheld.walk import USUAL, Walk
from stma_ros.worlds.house.house import House
from stma_ros.worlds.house.place import activity_scene
from stma_ros.worlds.registry import drawn_settings
from stma_ros.worlds.robot.config import RobotConfig
from stma_ros.worlds.robot.geometry import Placement, wrap_angle
from stma_ros.worlds.robot.map_frame import MapFrame
from support.activities import SNACKS
from support.worlds.map_frames import AT_HOME

DRAWN = RobotConfig(map_yaw=math.nan, map_offset="")
SCENE, SEED = "flat_1003", 1003

placements = st.builds(Placement, st.floats(-50, 50), st.floats(-50, 50), st.floats(-math.pi, math.pi))
frames = st.builds(MapFrame.of, st.floats(-math.pi, math.pi), st.floats(-9, 9), st.floats(-9, 9))


def same(a: Placement, b: Placement) -> bool:
    return math.dist((a.x, a.y), (b.x, b.y)) < 1e-9 and abs(wrap_angle(a.yaw - b.yaw)) < 1e-9


@given(frame=frames, place=placements)
def test_a_placement_returns_from_the_map_unchanged(frame: MapFrame, place: Placement) -> None:
    assert same(frame.in_home(frame.placed(place)), place)


@given(frame=frames, place=placements, roll=st.floats(-1, 1))
def test_a_pose_in_the_map_is_the_placement_in_the_map(
    frame: MapFrame, place: Placement, roll: float
) -> None:
    placed, pose = frame.placed(place), frame.pose(Pose.planar(place.x, place.y, place.yaw))
    assert same(Placement(pose.position.x, pose.position.y, pose.yaw), placed)
    upright, tilted = Quaternion(), Quaternion(math.sin(roll), 0.0, 0.0, math.cos(roll))
    for turned in (upright, tilted):
        yaw = frame.pose(Pose(orientation=turned)).yaw
        assert math.remainder(yaw - frame.home.yaw, math.tau) == pytest.approx(0.0, abs=1e-6)


@given(frame=frames)
def test_a_box_in_the_map_has_the_corners_of_the_box_in_the_home(frame: MapFrame) -> None:
    box = BoundingBox3D(
        center=replace(Pose.planar(1.0, 2.0, 0.4), position=Point(1.0, 2.0, 0.7)), size=Vector3(2, 1, 3)
    )
    truth = GroundTruth(objects=(GroundTruthObject(box=box),))
    moved = frame.truth(truth).objects[0].box
    assert moved.size == box.size
    expected = frame.points(_corners(box))
    assert _corners(moved) == pytest.approx(expected)


def _corners(box: BoundingBox3D) -> Any:
    place = Placement(box.center.position.x, box.center.position.y, box.center.yaw)
    return np.array(
        [
            (*place.point(x * box.size.x / 2, y * box.size.y / 2), box.center.position.z)
            for x in (-1, 1)
            for y in (-1, 1)
        ]
    )


@given(frame=frames)
def test_the_settings_of_a_frame_give_the_frame(frame: MapFrame) -> None:
    assert MapFrame.of_settings(frame.settings) == frame
    assert configure(RobotConfig, frame.settings, "robot").map_frame("flat_1") == frame


@given(st.integers(0, 10**9))
def test_a_drawn_frame_is_quantised_and_near(seed: int) -> None:
    home = MapFrame.drawn(f"flat_{seed}").home
    assert abs(home.yaw) <= math.pi
    assert max(abs(home.x), abs(home.y)) <= 5
    assert home.yaw == round(home.yaw, 4)
    assert (home.x, home.y) == (round(home.x, 3), round(home.y, 3))


def test_drawn_frames_of_homes_differ_and_have_any_yaw() -> None:
    homes = [DRAWN.map_frame(f"flat_{seed}").home for seed in range(1000, 1400)]
    assert len(set(homes)) == 400
    yaws = np.histogram([home.yaw for home in homes], 8, (-math.pi, math.pi))[0]
    assert yaws.min() > 25


def test_the_frame_of_a_home_is_drawn_by_default() -> None:
    assert RobotConfig().map_frame("flat_1") == MapFrame.drawn("flat_1")
    assert HouseConfig().map_frame("flat_2") == MapFrame.drawn("flat_2")


def test_a_frame_that_is_not_given_is_drawn_and_a_given_part_stays() -> None:
    drawn = MapFrame.drawn("flat_1").home
    assert DRAWN.map_frame("flat_1").home == drawn
    assert replace(DRAWN, map_yaw=0.5).map_frame("flat_1").home == Placement(drawn.x, drawn.y, 0.5)
    assert replace(DRAWN, map_offset="1, -2").map_frame("flat_1").home == Placement(1, -2, drawn.yaw)


def test_a_scene_with_a_frame_of_its_own_keeps_it_unless_another_is_given() -> None:
    assert DRAWN.map_frame("").is_home
    assert RobotConfig(map_yaw=0.5, map_offset="1,2").map_frame("").home == Placement(1, 2, 0.5)


@pytest.mark.parametrize("text", ["1", "1,2,3", "a,b", "1e9,0", "nan,0", "inf,0"])
def test_an_offset_that_is_not_two_numbers_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ConfigurationError, match=r'house\.map_offset: wants two numbers .* as "1.5,-2"'):
        configure(HouseConfig, {"map_offset": text}, "house")


def test_a_saved_flat_has_the_frame_of_its_flat(tmp_path: Any) -> None:
    (tmp_path / "my.json").write_text(flat_text(make_flat(1003)))
    options = {"map_yaw": "nan", "map_offset": ""}
    saved = drawn_settings("house", str(tmp_path / "my.json"), 5, options)
    assert saved == drawn_settings("house", "flat_1003", 7, options)
    assert saved == MapFrame.drawn("flat_1003").settings


def world(**options: Any) -> House:
    house = House(HouseConfig(width=48, height=36, **options))
    house.reset(SCENE, SEED)
    return house


OBSERVE = SkillRequest(action=Action("observe"))


def requests_in(house: House) -> Iterator[SkillRequest]:
    """Yields a drive to a small thing and its pick, in the map frame; the thing's box is that of the truth."""
    flat, home = house.flat, house.map_frame
    item = min(
        (item for item in flat.items if not item.inside),
        key=lambda item: math.dist((item.x, item.y), (house.robot.x, house.robot.y)),
    )
    true = next(thing for thing in house.truth().objects if thing.name == item.name)
    target = SkillTarget(id="it", category=item.category, pose=true.box.center, size=true.size)
    yield SkillRequest(action=Action("look_around"))
    for distance in (0.7, 0.85, 1.0):
        for k in range(12):
            angle = k * math.pi / 6
            x, y = item.x + distance * math.cos(angle), item.y + distance * math.sin(angle)
            if not house.ground.collides(x, y):
                goal = home.pose(Pose.planar(x, y, wrap_angle(angle + math.pi)))
                yield SkillRequest(action=Action("navigate", ("it",)), targets=(target,), base_goal=goal)
                yield SkillRequest(action=Action("pick", ("it",)), targets=(target,))


def played(house: House) -> list[list[Emission]]:
    """Executes requests until the thing is in the hand."""
    emissions = [list(house.execute(OBSERVE, CancelToken()))]
    for request in requests_in(house):
        emissions.append(list(house.execute(request, CancelToken())))
        if house.state.held:
            return emissions
    raise AssertionError("the thing cannot be picked up from anywhere")


@pytest.mark.parametrize("noise", [False, True])
@pytest.mark.parametrize("frame", [MapFrame.of(0.1396, 0.0, 0.0), MapFrame.of(-2.5, 3.25, -1.5)])
def test_an_episode_is_the_same_in_any_map_frame_but_for_the_rigid_transform(
    frame: MapFrame, noise: bool
) -> None:
    options = {"noise": noise, "grasp_failures": 0.0, "drops": 0.0}
    at_home, turned = world(**options, **AT_HOME), world(**options, **frame.settings)
    assert turned.map_frame == frame
    for number, (before, after) in enumerate(zip(played(at_home), played(turned), strict=True)):
        assert [topic for topic, _ in before] == [topic for topic, _ in after]
        for (topic, one), (_, other) in zip(before, after, strict=True):
            if isinstance(one, GroundTruth):
                assert isinstance(other, GroundTruth)
                _check_truth(frame.truth(one), other)
            elif isinstance(one, TransformStamped):
                assert isinstance(other, TransformStamped)
                assert _planar(other.pose) == pytest.approx(_planar(frame.pose(one.pose)))
            elif number < 2:  # no place in a request yet, which is rounded on its way to the home
                assert one == other, topic
            elif isinstance(one, Image):
                assert isinstance(other, Image)
                assert (one.array() == other.array()).mean() > 0.999
            elif isinstance(one, PoseStamped):
                assert isinstance(other, PoseStamped)
                assert _numbers(one.pose) == pytest.approx(_numbers(other.pose), abs=1e-6)


def _check_truth(expected: GroundTruth, seen: GroundTruth) -> None:
    assert _numbers(seen.robot) == pytest.approx(_numbers(expected.robot), abs=1e-6)
    for one, other in zip(expected.objects, seen.objects, strict=True):
        assert replace(one, box=other.box) == other
        assert other.size == one.size
        assert _numbers(other.box.center) == pytest.approx(_numbers(one.box.center), abs=1e-6)
    assert seen.rooms == expected.rooms


def _planar(pose: Pose) -> list[float]:
    """Returns a pose upright, whatever the sign of its quaternion."""
    p, yaw = pose.position, pose.yaw
    return [p.x, p.y, p.z, math.cos(yaw), math.sin(yaw)]


def _numbers(pose: Pose) -> list[float]:
    p, q = pose.position, pose.orientation
    return [p.x, p.y, p.z, q.x, q.y, q.z, q.w]


def test_all_episodes_and_sessions_in_a_home_have_its_drawn_frame() -> None:
    options: dict[str, Any] = {"map_yaw": math.nan, "map_offset": ""}
    one, other = world(**options), world(**options)
    assert one.map_frame == other.map_frame == MapFrame.drawn(SCENE)
    other.reset("flat_1004", 3)
    assert other.map_frame == MapFrame.drawn("flat_1004")
    other.reset(SCENE, 8)
    assert other.map_frame == one.map_frame
    assert drawn_settings("house", SCENE, 8, options) == one.map_frame.settings
    assert drawn_settings("habitat", SCENE, 8, options) == one.map_frame.settings


@pytest.mark.parametrize("kind", ["flat", "file", "activity"])
def test_the_stated_settings_of_an_episode_give_the_frame_of_its_world(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instantiation, "problem_of", lambda name: read_problem(name, SNACKS, "problem0.bddl"))
    file = tmp_path / "my.json"
    file.write_text(flat_text(make_flat(1003)))
    scene = {"flat": SCENE, "file": str(file), "activity": activity_scene("storing_snacks", 1003)}[kind]
    options: dict[str, Any] = {"map_yaw": math.nan, "map_offset": ""}
    house = world(**options)
    house.reset(scene, SEED)
    assert drawn_settings("house", scene, SEED, options) == house.map_frame.settings


def test_a_recording_of_a_walk_has_the_frame_of_its_activity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instantiation, "problem_of", lambda name: read_problem(name, SNACKS, "problem0.bddl"))
    scene, anywhere = activity_scene("storing_snacks", 1003), {"map_yaw": math.nan, "map_offset": ""}
    drawn, stated = (
        Walk(HouseConfig(**{**USUAL, "width": 48, "height": 36, **frame}), scene, SEED, 1.0).truth()
        for frame in (anywhere, drawn_settings("house", scene, SEED, anywhere))
    )
    assert drawn == stated


def test_the_frame_of_a_home_does_not_depend_on_the_names_inside_the_world() -> None:
    options: dict[str, Any] = {"map_yaw": math.nan, "map_offset": ""}
    assert world(**options, identity_seed=5).map_frame == world(**options).map_frame


def test_a_target_that_is_stated_in_the_home_is_not_found_in_a_turned_map() -> None:
    house = world(map_yaw=2.0, map_offset="4,-3")
    item = next(item for item in house.flat.items if not item.inside)
    target = SkillTarget(id="it", category=item.category, pose=Pose(Point(*item.box.centre)))
    *_, (_, outcome) = house.execute(
        SkillRequest(action=Action("pick", ("it",)), targets=(target,)), CancelToken()
    )
    assert isinstance(outcome, Outcome)
    assert outcome.result == Result.FAILED
