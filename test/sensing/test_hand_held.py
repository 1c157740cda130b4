"""Tests of what carries a recorded camera: no robot is invented, and none is overlooked."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
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
from stma_ros.sensing.carrier import find_carrier
from stma_ros.sensing.mapping_file import BagMapping, Frames, Mount
from stma_ros.storage.bag.reader import Bag, Recorded
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.standard import Odometry
from support.sensing.external_bags import BEGIN, NAMES, SECOND, drive, images, tf, transform, write_mcap
from support.sensing.hand_held_bags import CAMERA, OPTICAL, WORLD, camera_pose, carried

FREE = 0
COLOR_FRAME = "camera_color_optical_frame"


def frames_of(bag: Path, mapping: BagMapping = BagMapping()) -> tuple[list[CameraFrame], Tally]:
    opened = Bag(bag)
    frames = ExternalBagFrames(opened, choose_topics(opened, mapping), mapping)
    return list(frames), frames.tally


def is_hand_held(tmp_path: Path, recorded: Iterable[Recorded], mapping: BagMapping = BagMapping()) -> bool:
    bag = Bag(write_mcap(tmp_path / "bag", recorded))
    return find_carrier(bag, choose_topics(bag, mapping), mapping).is_hand_held


HALF = (-0.5, 0.5, -0.5, 0.5)
"""Rotation of an optical frame in its camera's body frame."""


def by_transforms(
    *links: Recorded, odom: str = "odom", moving: str = "base_link", up: float = 0.0
) -> list[Recorded]:
    """Returns a recording without odometry in which a frame moves forward.

    Args:
        links: Static transforms.
        odom: Frame in which it moves.
        moving: The frame.
        up: Its height [m].
    """
    moves = [tf(transform(BEGIN + k * SECOND // 10, odom, moving, (0.1 * k, 0, up))) for k in range(-1, 12)]
    taken = [each for k in range(10) for each in images(BEGIN + k * SECOND // 10)]
    return sorted([*links, *moves, *taken], key=lambda each: each.stamp_ns)


def fixed(
    parent: str, child: str, xyz: tuple[float, float, float], xyzw: tuple[float, float, float, float]
) -> Recorded:
    return tf(transform(BEGIN - SECOND, parent, child, xyz, xyzw), static=True)


def base_of(frame: CameraFrame) -> tuple[str, float, float]:
    """Returns the name of the base, and its height and that of the camera [m]."""
    odometry = frame.parts[topics.ODOMETRY]
    assert isinstance(odometry, Odometry)
    assert frame.pose is not None
    assert frame.view is not None
    return odometry.child_frame_id, frame.pose.base.position.z, float(frame.view.camera_pose[2, 3])


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
    assert ("odometry is of" if odometry_of else f"no frame connected with '{OPTICAL}'") in notes[0]


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


USUAL = ["base_link", "base_footprint"]
UNUSUAL = [
    "robot1/base",
    "Chassis_Link",
    "body",
    "agv_link",
    "vehicle",
    "BaseLink",
    "base2",
    "fcu",
    "ur_base",
]


@pytest.mark.parametrize("mapping", [BagMapping(), BagMapping(hand_held=False)], ids=["", "said"])
@pytest.mark.parametrize("base", [*USUAL, *UNUSUAL])
def test_frame_that_moves_and_is_no_camera_is_the_base(
    tmp_path: Path, base: str, mapping: BagMapping
) -> None:
    mount = fixed(base, COLOR_FRAME, (0, 0, 1), HALF)
    frames, tally = frames_of(write_mcap(tmp_path, by_transforms(mount, moving=base)), mapping)
    assert [base_of(frame) for frame in frames] == [(base, 0.0, 1.0)] * 10
    assert any("frames: {base: NAME}" in note for note in tally.notes) is (base in UNUSUAL)


@pytest.mark.parametrize("odom", ["robot1/odom", "map", "robot1/map", "world"])
def test_base_moves_in_the_frame_that_is_named_like_odometry_or_is_the_highest(
    tmp_path: Path, odom: str
) -> None:
    for base in ("base_link", "robot1/base_link"):
        mount = fixed(base, COLOR_FRAME, (0, 0, 1), HALF)
        frames, _ = frames_of(write_mcap(tmp_path / base, by_transforms(mount, odom=odom, moving=base)))
        assert [base_of(frame) for frame in frames] == [(base, 0.0, 1.0)] * 10
        assert frames[0].pose is not None
        assert frames[0].pose.odometry == frames[0].pose.base


def test_odometry_below_a_map_is_not_taken_for_a_base(tmp_path: Path) -> None:
    mount = fixed("robot1/base_link", COLOR_FRAME, (0, 0, 1), HALF)
    moves = by_transforms(mount, odom="robot1/odom", moving="robot1/base_link")
    corrections = [tf(transform(BEGIN + k * SECOND, "map", "robot1/odom", (0, 0, 0.5))) for k in range(-1, 2)]
    frames, _ = frames_of(write_mcap(tmp_path, [*corrections, *moves]))
    assert [base_of(frame) for frame in frames] == [("robot1/base_link", 0.5, 1.5)] * 10


@pytest.mark.parametrize("base", ["base_link", "robot1/base_link"])
def test_robot_whose_base_hangs_below_its_camera_is_not_hand_held(tmp_path: Path, base: str) -> None:
    """As visual odometry arranges the frames."""
    optical = fixed("camera_link", COLOR_FRAME, (0, 0, 0), HALF)
    below = fixed("camera_link", base, (-0.2, 0, -1), (0, 0, 0, 1))
    moves = by_transforms(optical, below, moving="camera_link", up=1.0)
    frames, _ = frames_of(write_mcap(tmp_path, moves))
    assert [base_of(frame) for frame in frames] == [(base, 0.0, 1.0)] * 10
    tracked = [*moves, *(each for each in drive(1.0) if each.topic == "/odom")]
    assert not is_hand_held(tmp_path / "with odometry", tracked)


@pytest.mark.parametrize("camera", ["camera_base", "oak-d-base-frame", "robot_camera", "xtion"])
def test_camera_whose_name_has_a_word_of_robots_is_hand_held(tmp_path: Path, camera: str) -> None:
    optical = fixed(camera, COLOR_FRAME, (0, 0, 0), HALF)
    frames, _ = frames_of(write_mcap(tmp_path, by_transforms(optical, moving=camera, up=1.0)))
    assert [base_of(frame) for frame in frames] == [(HAND_HELD, 1.0, 1.0)] * 10
    said, _ = frames_of(tmp_path, BagMapping(hand_held=False))
    assert [base_of(frame) for frame in said] == [(camera, 1.0, 1.0)] * 10


def test_images_that_are_said_to_be_in_the_base_need_the_mount_of_their_camera(tmp_path: Path) -> None:
    taken = [each for k in range(10) for each in images(BEGIN + k * SECOND // 10, frame="base_link")]
    moves = [each for each in drive(1.0) if isinstance(each.message, Odometry)]
    with pytest.raises(ConfigurationError, match="where the camera is on the base"):
        load_bag(write_mcap(tmp_path, sorted([*taken, *moves], key=lambda each: each.stamp_ns)))


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


@pytest.mark.parametrize("frame", [OPTICAL, ""], ids=["depth has a frame", "depth has none"])
def test_odometry_without_a_child_frame_is_of_the_camera_if_the_mapping_file_says_so(
    tmp_path: Path, frame: str
) -> None:
    poses = [
        Recorded(each.topic, each.stamp_ns, replace(each.message, child_frame_id=""))
        for each in drive(1.0)
        if isinstance(each.message, Odometry)
    ]
    taken = [each for k in range(10) for each in images(BEGIN + k * SECOND // 10, frame=frame)]
    bag = write_mcap(tmp_path / "bag", sorted([*poses, *taken], key=lambda each: each.stamp_ns))
    with pytest.raises(ConfigurationError, match=r"frames: \{base: NAME, camera: NAME\}"):
        load_bag(bag)
    file = tmp_path / "mapping.yaml"
    file.write_text(f"frames: {{base: {OPTICAL}, camera: {OPTICAL}}}\n")
    frames = list(load_bag(bag, file))
    assert [base_of(each)[0] for each in frames] == [HAND_HELD] * len(frames)
    assert len(frames) > 5


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
