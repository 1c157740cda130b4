"""Tests of depth that is registered to colour: of the projection, and of bags with two cameras."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from stma_ros.sensing.bag_frames import ExternalBagFrames, Tally
from stma_ros.sensing.bag_topics import choose_topics
from stma_ros.sensing.calibration import calibration
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.depth_registration import DepthRegistration
from stma_ros.sensing.mapping_file import BagMapping, Extrinsics, Mount, Topics
from stma_ros.sensing.transforms import Rigid
from stma_ros.storage.bag.reader import Bag, Recorded
from stma_ros.types import topics
from stma_ros.types.errors import BadImageError
from stma_ros.types.standard import CameraInfo, Header, Image
from support.sensing.external_bags import BEGIN, NAMES, OPTICAL, drive, tf, transform, write_mcap

COLOR, COLOR_INFO = NAMES[topics.COLOR], NAMES[topics.CAMERA_INFO]
DEPTH, DEPTH_INFO = "/camera/depth/image_rect_raw", "/camera/depth/camera_info"
DEPTH_FRAME = "camera_depth_optical_frame"
BESIDE = 0.1  # of the depth camera to the left of the colour camera [m]


def camera(width: int, height: int, focal: float, frame: str = OPTICAL) -> CameraInfo:
    k = np.array([focal, 0, (width - 1) / 2, 0, focal, (height - 1) / 2, 0, 0, 1])
    projection = np.hstack([k.reshape(3, 3), np.zeros((3, 1))]).reshape(-1)
    return CameraInfo(Header(frame_id=frame), height, width, "plumb_bob", np.zeros(5), k, p=projection)


def registered(depth: NDArray[np.uint16], color: CameraInfo, pose: Rigid, focal: float) -> NDArray[np.uint16]:
    height, width = depth.shape
    cameras = DepthRegistration(calibration(camera(width, height, focal), "/depth", rectified=True), color)
    return cameras.registered(Image.from_array(Header(), depth, "16UC1"), pose, Header()).array()


def test_one_camera_is_registered_to_itself_without_a_change() -> None:
    depth = np.random.default_rng(0).integers(100, 5000, (24, 32)).astype(np.uint16)
    depth[4:8, 4:8] = 0
    assert np.array_equal(registered(depth, camera(32, 24, 20.0), Rigid(), 20.0), depth)


def test_finer_colour_image_has_no_gaps() -> None:
    found = registered(np.full((24, 32), 2000, np.uint16), camera(128, 96, 100.0), Rigid(), 20.0)
    assert np.all(found == 2000)


@pytest.mark.parametrize("behind", [1000, 2000])
def test_displacement_follows_from_depth(behind: int) -> None:
    depth = np.full((24, 32), behind, np.uint16)
    depth[:, 20:24] = 500
    found = registered(depth, camera(32, 24, 20.0), Rigid((-BESIDE, 0.0, 0.0)), 20.0)
    near = np.flatnonzero(found[12] == 500)
    assert near.tolist() == [16, 17, 18, 19]  # 20 px * 0.1 m / 0.5 m to the left
    # To the right of the near thing is what the depth camera does not see behind it.
    hidden = 4 - round(20 * BESIDE * 1000 / behind)
    assert np.count_nonzero(found[12, 20:24] == 0) == hidden


def test_nearest_surface_hides_those_behind_it() -> None:
    depth = np.full((24, 32), 3000, np.uint16)
    depth[8:16, 8:16] = 1000
    found = registered(depth, camera(16, 12, 10.0), Rigid(), 20.0)
    assert set(np.unique(found)) == {1000, 3000}
    assert np.count_nonzero(found == 1000) >= 16


def test_points_behind_the_colour_camera_and_beside_its_image_are_left_out() -> None:
    depth = np.full((24, 32), 1000, np.uint16)
    assert not registered(depth, camera(32, 24, 20.0), Rigid((0.0, 0.0, -2.0)), 20.0).any()
    assert not registered(depth, camera(32, 24, 20.0), Rigid((10.0, 0.0, 0.0)), 20.0).any()


def test_depth_of_another_size_than_its_calibration_is_named() -> None:
    cameras = DepthRegistration(
        calibration(camera(32, 24, 20.0), "/depth", rectified=True), camera(32, 24, 20.0)
    )
    small = Image.from_array(Header(), np.ones((12, 16), np.uint16), "16UC1")
    with pytest.raises(
        BadImageError, match=r"depth is 16x12 but its calibration says 32x24.*depth_camera_info"
    ):
        cameras.registered(small, Rigid(), Header())


# -- recordings


def two_cameras(linked: bool = True) -> Iterator[Recorded]:
    """Yields a drive along a wall with a coarser depth camera, a little to the left of the colour camera."""
    if linked:
        yield tf(transform(BEGIN, DEPTH_FRAME, OPTICAL, (BESIDE, 0.0, 0.0)), static=True)
    for recorded in drive(0.5):
        if recorded.topic != NAMES[topics.DEPTH]:
            yield recorded
            continue
        header = Header(recorded.message.header.stamp, DEPTH_FRAME)  # type: ignore[attr-defined]
        depth = np.full((15, 20), 2000, np.uint16)
        depth[:, :10] = 1000
        yield Recorded(DEPTH, recorded.stamp_ns, Image.from_array(header, depth, "16UC1"))
        info = camera(20, 15, 10.0, DEPTH_FRAME)
        yield Recorded(DEPTH_INFO, recorded.stamp_ns, info)


def frames_of(bag: Path, mapping: BagMapping) -> tuple[list[CameraFrame], Tally]:
    opened = Bag(bag)
    frames = ExternalBagFrames(opened, choose_topics(opened, mapping), mapping)
    return list(frames), frames.tally


MOUNT = Mount(xyz=(0.0, 0.0, 1.2))


@pytest.mark.parametrize(
    ("linked", "mapping"),
    [
        (True, BagMapping(camera=MOUNT)),
        (False, BagMapping(camera=MOUNT, depth_to_color=Extrinsics(xyz=(-BESIDE, 0.0, 0.0)))),
        (True, BagMapping(camera=MOUNT, topics=Topics(depth_camera_info=DEPTH_INFO, camera_info=COLOR_INFO))),
    ],
    ids=["found", "depth_to_color", "depth_camera_info"],
)
def test_bag_of_two_cameras_has_frames_of_the_colour_camera(
    tmp_path: Path, linked: bool, mapping: BagMapping
) -> None:
    frames, tally = frames_of(write_mcap(tmp_path / "bag", two_cameras(linked)), mapping)
    assert len(frames) == 5
    for frame in frames:
        assert not frame.error
        assert frame.view is not None
        assert frame.view.depth_mm.shape == (30, 40)  # of the colour image
        row = frame.view.depth_mm[15]
        assert row[4:17].tolist() == [1000] * 13
        assert set(row[20:36].tolist()) == {2000}
    assert f"depth, in '{DEPTH_FRAME}', is registered to colour, in '{OPTICAL}'" in tally.notes


def test_bag_of_two_cameras_that_nothing_links_is_read_as_before(tmp_path: Path) -> None:
    frames, tally = frames_of(write_mcap(tmp_path / "bag", two_cameras(False)), BagMapping(camera=MOUNT))
    assert not frames
    assert "colour is 40x30 but depth 20x15" in next(iter(tally.skipped))


def test_frames_of_two_cameras_wait_for_the_transform_between_them(tmp_path: Path) -> None:
    late = sorted(two_cameras(), key=lambda recorded: recorded.topic == "/tf_static")
    frames, _ = frames_of(write_mcap(tmp_path / "bag", late), BagMapping(camera=MOUNT))
    assert len(frames) == 5
