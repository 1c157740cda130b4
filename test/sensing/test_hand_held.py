"""Tests of recordings of a camera that a person carries: no robot is invented."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from stma_ros.apps.doctor.bag import check_bag
from stma_ros.apps.replay_external import replay_external
from stma_ros.library.occupancy_map import OccupancyMap
from stma_ros.mapping.transforms import looking_yaw, pose_matrix
from stma_ros.replay.exact_replay import replay
from stma_ros.sensing.bag_frames import ExternalBagFrames, Tally, load_bag
from stma_ros.sensing.bag_topics import choose_topics
from stma_ros.sensing.camera_frame import HAND_HELD, CameraFrame
from stma_ros.sensing.hand_held import find_hand_held
from stma_ros.sensing.mapping_file import BagMapping, Frames, Mount
from stma_ros.storage.bag.reader import Bag, Recorded
from stma_ros.types import topics
from stma_ros.types.standard import Odometry
from support.sensing.external_bags import BEGIN, NAMES, SECOND, drive, images, tf, transform, write_mcap
from support.sensing.hand_held_bags import CAMERA, OPTICAL, WORLD, camera_pose, carried

FREE = 0


def frames_of(bag: Path, mapping: BagMapping = BagMapping()) -> tuple[list[CameraFrame], Tally]:
    opened = Bag(bag)
    frames = ExternalBagFrames(opened, choose_topics(opened, mapping), mapping)
    return list(frames), frames.tally


def is_hand_held(tmp_path: Path, recorded: Iterable[Recorded], mapping: BagMapping = BagMapping()) -> bool:
    bag = Bag(write_mcap(tmp_path / "bag", recorded))
    return find_hand_held(bag, choose_topics(bag, mapping), mapping) is not None


def robot_by_transforms(base: str) -> list[Recorded]:
    """Returns a recording of a robot whose base has this name, without odometry."""
    mount = tf(transform(BEGIN, base, "camera_color_optical_frame", (0, 0, 1)), static=True)
    moves = [tf(transform(BEGIN + k * SECOND // 10, "odom", base, (0.1 * k, 0, 0))) for k in range(-1, 12)]
    taken = [each for k in range(10) for each in images(BEGIN + k * SECOND // 10)]
    return sorted([mount, *moves, *taken], key=lambda each: each.stamp_ns)


@pytest.mark.parametrize("odometry_of", ["", OPTICAL, CAMERA])
def test_camera_without_a_base_above_it_is_hand_held(tmp_path: Path, odometry_of: str) -> None:
    frames, tally = frames_of(write_mcap(tmp_path, carried(2.0, odometry_of=odometry_of)))
    assert len(frames) == 10
    for k, frame in enumerate(frames):
        assert frame.view is not None
        assert frame.pose is not None
        wanted = camera_pose(k / 5)
        np.testing.assert_allclose(frame.view.camera_pose, wanted, atol=1e-9)
        assert not frame.pose.has_base
        where = frame.pose.base.position
        np.testing.assert_allclose((where.x, where.y, where.z), wanted[:3, 3])
        assert math.isclose(frame.pose.base.yaw, looking_yaw(wanted), abs_tol=1e-9)
        odometry = frame.parts[topics.ODOMETRY]
        assert isinstance(odometry, Odometry)
        assert (odometry.child_frame_id, odometry.header.frame_id) == (
            HAND_HELD,
            WORLD if not odometry_of else "odom",
        )
    notes = [note for note in tally.notes if "hand-held" in note]
    assert len(notes) == 1
    assert ("odometry is of" if odometry_of else f"no frame above '{OPTICAL}'") in notes[0]


def test_hand_held_camera_carves_no_footprint_of_a_robot(tmp_path: Path) -> None:
    """Where the camera is, nothing was seen of the floor; only with a base it is presumed to be free."""
    bag = write_mcap(tmp_path / "bag", carried(0.4))
    free = []
    for mapping in ("", f"frames: {{base: {CAMERA}, odom: {WORLD}}}\n"):
        file = tmp_path / "mapping.yaml"
        file.write_text(mapping)
        built = OccupancyMap()
        for frame in load_bag(bag, file):
            assert built.observe(frame)
        occupancy = built.snapshot.occupancy
        cell = occupancy.geometry.cell(*camera_pose(0.0)[:2, 3])
        free.append(bool(occupancy.geometry.contains(*cell)) and int(occupancy.data[cell]) == FREE)
    assert free == [False, True]


def test_robot_with_odometry_of_its_base_is_not_hand_held(tmp_path: Path) -> None:
    assert not is_hand_held(tmp_path, drive(0.5))
    assert is_hand_held(tmp_path / "said", drive(0.5), BagMapping(hand_held=True))


@pytest.mark.parametrize("base", ["base_link", "base_footprint", "robot1/base", "Chassis_Link", "body"])
def test_camera_above_which_there_is_a_base_is_not_hand_held(tmp_path: Path, base: str) -> None:
    assert not is_hand_held(tmp_path, robot_by_transforms(base))


def test_camera_that_gives_odometry_on_a_robot_is_not_hand_held(tmp_path: Path) -> None:
    mount = tf(transform(BEGIN, "base_link", CAMERA, (0, 0, 1)), static=True)
    assert not is_hand_held(tmp_path, [*carried(1.0, odometry_of=CAMERA), mount])


@pytest.mark.parametrize(
    "mapping",
    [
        BagMapping(hand_held=False),
        BagMapping(camera=Mount(xyz=(0, 0, 1))),
        BagMapping(frames=Frames(base=CAMERA)),
    ],
)
def test_mapping_file_that_tells_of_a_robot_is_believed(tmp_path: Path, mapping: BagMapping) -> None:
    assert not is_hand_held(tmp_path, carried(0.4), mapping)


def test_camera_without_any_transform_is_not_taken_to_be_hand_held(tmp_path: Path) -> None:
    elsewhere = [tf(transform(BEGIN, "a", "b")), *images(BEGIN)]
    assert not is_hand_held(tmp_path, elsewhere)


def test_hand_held_camera_that_odometry_tracks_needs_no_transforms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = [each for each in carried(1.0, odometry_of=OPTICAL) if not each.topic.startswith("/tf")]
    bag = write_mcap(tmp_path / "bag", alone)
    assert sum(1 for _ in load_bag(bag)) == 5
    assert check_bag(bag, None) == 0
    assert f"hand-held, since odometry is of '{OPTICAL}'" in capsys.readouterr().out


def test_run_of_a_hand_held_camera_is_replayed_exactly(tmp_path: Path) -> None:
    file = tmp_path / "mapping.yaml"
    file.write_text("floor: auto\n")
    lower = pose_matrix((0, 0, -1.4), (0, 0, 0, 1))
    bag = write_mcap(tmp_path / "bag", carried(4.0, room_in_world=lower))
    assert replay_external(bag, file, out=tmp_path / "out") == 0
    result = replay(Bag(tmp_path / "out"))
    assert (result.same, result.first) == (True, None)


def test_doctor_and_replay_say_once_that_a_camera_is_hand_held(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bag = write_mcap(tmp_path / "bag", carried(2.0))
    assert check_bag(bag, None) == 0
    assert capsys.readouterr().out.count("taken to be hand-held") == 1
    assert replay_external(bag, None, out=tmp_path / "out") == 0
    output = capsys.readouterr().out
    assert output.count("taken to be hand-held") == 1
    assert "10 of 10 depth images mapped" in output
    assert NAMES[topics.DEPTH] in (tmp_path / "out" / "config.yaml").read_text()
