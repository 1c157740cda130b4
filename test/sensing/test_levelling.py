"""Tests of where the floor of a recording is, and of putting the map on it."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.apps.doctor.bag import check_bag
from stma_ros.apps.replay_external import replay_external
from stma_ros.library.occupancy_map import OccupancyMap
from stma_ros.mapping.floor_plane import FloorPlane
from stma_ros.mapping.transforms import matrix_of, pose_matrix
from stma_ros.sensing.bag_frames import Tally, load_bag
from stma_ros.sensing.levelling import FRAMES, FloorSurvey, floor_notes, is_level, upright
from stma_ros.sensing.transforms import Rigid
from support.sensing.external_bags import MOUNT, drive, tf, transform, write_mcap
from support.sensing.hand_held_bags import CAMERA, HALF_ROOM, camera_pose, carried, driven, turn_about

LOWER = pose_matrix((0, 0, -1.4), (0, 0, 0, 1))
"""Pose of the room in a world whose origin is where the camera began, level."""

TILTED = pose_matrix((0.3, -0.2, 0.8), (math.sin(0.05), math.sin(0.04), 0, 1))
Y_DOWN = pose_matrix((0, 1.5, 0), (0.5, -0.5, 0.5, 0.5))
"""As SLAM systems do that begin with the camera's axes."""

FREE, OCCUPIED = 0, 100


def frames_and_tally(tmp_path: Path, room: np.ndarray, mapping: str = "") -> tuple[list[np.ndarray], Tally]:
    """Returns the poses of the camera in the map."""
    tmp_path.mkdir(exist_ok=True)
    file = tmp_path / "mapping.yaml"
    file.write_text(mapping)
    frames = load_bag(write_mcap(tmp_path / "bag", carried(10.0, hz=2, room_in_world=room)), file)
    poses = [frame.view.camera_pose for frame in frames if frame.view is not None]
    assert len(poses) == 20
    return poses, frames.tally


def warnings(tally: Tally) -> list[str]:
    return [note for note in tally.notes if "the floor was seen" in note]


def test_floor_of_a_level_recording_is_found_at_zero_and_nothing_is_changed(tmp_path: Path) -> None:
    for number, mapping in enumerate(("", "floor: auto\n")):
        poses, tally = frames_and_tally(tmp_path / str(number), np.eye(4), mapping)
        np.testing.assert_allclose(poses[3], camera_pose(1.5), atol=1e-9)
        assert tally.floor is not None
        assert is_level(tally.floor)
        assert tally.floor.center[2] == pytest.approx(0.0, abs=0.01)
        assert not [note for note in tally.notes if "floor was" in note]


@pytest.mark.parametrize(
    ("room", "said"),
    [
        (LOWER, "at z = -1.40 m, tilted by 0.0 degrees"),
        (TILTED, "tilted by 7.3 degrees"),
        (Y_DOWN, "tilted by 90.0 degrees"),
    ],
    ids=["lower", "tilted", "y down"],
)
def test_floor_that_is_not_level_at_zero_is_said_and_corrected_on_request(
    room: np.ndarray, said: str, tmp_path: Path
) -> None:
    _, tally = frames_and_tally(tmp_path / "as it is", room)
    (warning,) = warnings(tally)
    assert said in warning
    assert "`floor: auto`" in warning
    poses, tally = frames_and_tally(tmp_path / "corrected", room, "floor: auto\n")
    assert not warnings(tally)
    assert any(said in note and "z = 0 of the map" in note for note in tally.notes)
    for k, pose in enumerate(poses):
        wanted = camera_pose(k / 2)
        assert pose[2, 3] == pytest.approx(wanted[2, 3], abs=0.02)
        np.testing.assert_allclose(pose[2, :3], wanted[2, :3], atol=0.01)  # the same up


@pytest.mark.parametrize(
    ("room", "mapping"),
    [
        (LOWER, "floor: -1.4\n"),
        (Y_DOWN, "gravity: [0, 9.81, 0]\nfloor: -1.5\n"),
        (Y_DOWN, "gravity: [0, 1, 0]\nfloor: auto\n"),
    ],
)
def test_floor_and_gravity_of_the_mapping_file_place_the_map(
    room: np.ndarray, mapping: str, tmp_path: Path
) -> None:
    poses, tally = frames_and_tally(tmp_path, room, mapping)
    assert not warnings(tally)
    for k, pose in enumerate(poses):
        assert pose[2, 3] == pytest.approx(camera_pose(k / 2)[2, 3], abs=0.01)
        np.testing.assert_allclose(pose[2, :3], camera_pose(k / 2)[2, :3], atol=0.005)


def test_gravity_of_the_wrong_sign_is_noticed(tmp_path: Path) -> None:
    _, tally = frames_and_tally(tmp_path, np.eye(4), "gravity: [0, 0, 9.81]\n")
    assert "tilted by 180.0 degrees" in warnings(tally)[0]


@pytest.mark.parametrize("mapping", ["", "floor: auto\n", "gravity: [0, 0, -1]\nfloor: auto\n"])
@pytest.mark.parametrize(
    ("pitch", "roll", "yaw_rate"),
    [(0.3, math.pi, 0.0), (0.3, math.pi, 0.6), (0.3, math.pi / 2, 0.0), (0.87, 0.0, 0.0), (1.55, 0.0, 0.0)],
    ids=["upside down", "upside down, turning", "portrait", "50 degrees down", "straight down"],
)
def test_level_map_of_a_robot_is_left_as_it_is_however_its_camera_is_mounted(
    pitch: float, roll: float, yaw_rate: float, mapping: str, tmp_path: Path
) -> None:
    mount = pose_matrix((0.2, 0, 1.2), (0, 0, 0, 1)) @ turn_about(1, pitch) @ turn_about(0, roll)
    file = tmp_path / "mapping.yaml"
    file.write_text(mapping)
    frames = load_bag(write_mcap(tmp_path / "bag", driven(mount, yaw_rate=yaw_rate)), file)
    heights = [frame.view.camera_pose[2, 3] for frame in frames if frame.view is not None]
    assert heights == pytest.approx([1.2] * 20, abs=0.01)
    assert frames.tally.floor is not None
    assert is_level(frames.tally.floor)
    assert not warnings(frames.tally)


@pytest.mark.parametrize("roll", [math.pi, math.pi / 2], ids=["upside down", "portrait"])
def test_level_map_of_a_hand_held_camera_is_left_as_it_is_however_it_is_held(
    roll: float, tmp_path: Path
) -> None:
    file = tmp_path / "mapping.yaml"
    file.write_text("floor: auto\n")
    frames = load_bag(write_mcap(tmp_path / "bag", carried(10.0, hz=2, roll=roll)), file)
    for k, frame in enumerate(frames):
        assert frame.view is not None
        np.testing.assert_allclose(frame.view.camera_pose[:3, 3], camera_pose(k / 2)[:3, 3], atol=1e-9)
    assert not [note for note in frames.tally.notes if "floor was" in note]


def test_map_on_a_corrected_floor_is_free_where_it_was_occupied(tmp_path: Path) -> None:
    """A floor above z = 0 is an obstacle everywhere."""
    bag = write_mcap(
        tmp_path / "bag", carried(10.0, hz=2, room_in_world=pose_matrix((0, 0, 0.3), (0, 0, 0, 1)))
    )
    shares = []
    for mapping in ("", "floor: auto\n"):
        file = tmp_path / "mapping.yaml"
        file.write_text(mapping)
        built = OccupancyMap()
        for frame in load_bag(bag, file):
            assert built.observe(frame)
        data = built.snapshot.occupancy.data
        shares.append(float(np.sum(data == FREE) / np.sum(data >= FREE)))
    assert shares[0] < 0.1
    assert shares[1] > 0.7


def test_map_to_odom_is_kept_in_a_levelled_map(tmp_path: Path) -> None:
    """The camera is where map, odometry and transforms place it, then levelled."""
    correction = tf(transform(1, "map", "odom", (1.0, 2.0, -0.7)), static=True)
    file = tmp_path / "mapping.yaml"
    file.write_text("floor: -0.7\n")
    bag = write_mcap(tmp_path / "bag", [correction, *carried(2.0, odometry_of=CAMERA)])
    for k, frame in enumerate(load_bag(bag, file)):
        assert frame.view is not None
        wanted = camera_pose(k / 5)
        wanted[:2, 3] += (1.0, 2.0)
        np.testing.assert_allclose(frame.view.camera_pose, wanted, atol=1e-9)
        np.testing.assert_allclose(frame.view.localization[:3, 3], (1.0, 2.0, -0.7), atol=1e-9)


def test_recording_without_a_floor_says_so_and_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mapping.yaml"
    file.write_text(MOUNT + "floor: auto\n")
    check_bag(write_mcap(tmp_path / "bag", drive(1.0)), file)
    output = capsys.readouterr().out
    assert "`floor: auto` found no floor" in output
    assert "absent   floor  none was seen" in output


def test_doctor_and_replay_tell_where_the_floor_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bag = write_mcap(tmp_path / "bag", carried(5.0, room_in_world=LOWER))
    check_bag(bag, None)
    output = capsys.readouterr().out
    assert "note     floor  at z = -1.40 m" in output
    assert output.count("write `floor: auto` in a mapping file") == 1
    replay_external(bag, None, out=tmp_path / "out")
    assert capsys.readouterr().out.count("write `floor: auto` in a mapping file") == 1


def test_survey_of_the_floor_is_bounded_and_spread_over_the_recording(tmp_path: Path) -> None:
    survey = FloorSurvey()
    for frame in load_bag(write_mcap(tmp_path / "bag", carried(40.0, hz=3))):
        survey.take(frame)
        assert survey.frames <= FRAMES
    assert survey.frames > FRAMES // 2
    floor = survey.floor()
    assert floor is not None
    assert is_level(floor)
    assert abs(floor.center[:2]).max() < HALF_ROOM
    assert FloorSurvey().floor() is None


@settings(max_examples=100)
@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda g: math.hypot(*g) > 0.01), st.floats(-5, 5))
def test_upright_turns_gravity_down_and_puts_the_floor_at_zero(
    gravity: tuple[float, float, float], height: float
) -> None:
    made = upright(gravity, height)
    assert isinstance(made, Rigid)
    down = np.array(gravity) / math.hypot(*gravity)
    np.testing.assert_allclose(made.rotate(tuple(down)), (0, 0, -1), atol=1e-9)
    on_floor = matrix_of(made.pose) @ (*(-down * height), 1.0)
    np.testing.assert_allclose(on_floor[:3], 0, atol=1e-9)


@pytest.mark.parametrize(
    ("height", "tilt", "level"), [(0.04, 0.0, True), (0.06, 0.0, False), (0.0, 0.02, False)]
)
def test_floor_is_level_within_bounds(height: float, tilt: float, level: bool) -> None:
    normal = np.array([math.sin(tilt), 0.0, math.cos(tilt)])
    assert is_level(FloorPlane(normal, height, np.array([0.0, 0.0, height]), 0.5)) is level


def test_surface_that_was_taken_for_a_reflection_is_said() -> None:
    floor = FloorPlane(np.array([0.0, 0.0, 1.0]), 0.0, np.zeros(3), 0.5)
    assert not list(floor_notes(floor))
    (note,) = floor_notes(replace(floor, mirrored=2.5))
    assert "2.50 m below the floor was taken for a reflection" in note
