"""Frames are put together by stamp, and bad ones are refused with a reason."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.components.frames import PoseGuard, Station, station_of
from stma_ros.mapping.frames import FrameParts, color_in_rgb, depth_in_millimetres, segment_ids, view_of
from stma_ros.types import topics
from stma_ros.types.errors import BadDepthError, BadImageError, PoseJumpError, WrongFrameError
from stma_ros.types.message import Message
from stma_ros.types.standard import (
    CameraInfo,
    Header,
    Image,
    Odometry,
    Point,
    Pose,
    PoseStamped,
    PoseWithCovariance,
    Time,
)

PARTS = (topics.DEPTH, topics.CAMERA_INFO, topics.CAMERA_POSE, topics.ODOMETRY, topics.LOCALIZATION)


def parts_at(second: int, depth: Image | None = None, x: float = 0.0) -> dict[str, Message]:
    header = Header(Time(second, 0), "odom")
    k = np.array([4.0, 0, 3.5, 0, 4.0, 2.5, 0, 0, 1])
    return {
        topics.DEPTH: depth or Image.from_array(header, np.full((6, 8), 1500, np.uint16), "16UC1"),
        topics.CAMERA_INFO: CameraInfo(header, 6, 8, k=k),
        topics.CAMERA_POSE: PoseStamped(header, Pose(Point(x, 0, 1.2))),
        topics.ODOMETRY: Odometry(header, "base_link", PoseWithCovariance(Pose.planar(x, 0, 0))),
        topics.LOCALIZATION: PoseStamped(Header(Time(second, 0), "map")),
    }


@given(st.permutations([(second, topic) for second in range(1, 4) for topic in PARTS]))
def test_a_frame_is_complete_when_all_its_parts_have_come_in_whatever_order(
    order: list[tuple[int, str]],
) -> None:
    frames = {second: parts_at(second) for second in range(1, 4)}
    # Each topic keeps its own order, as a publisher does; across topics anything goes.
    queues = {topic: [frames[second][topic] for second in range(1, 4)] for topic in PARTS}
    joiner = FrameParts(PARTS)
    complete = [found for _, topic in order if (found := joiner.add(topic, queues[topic].pop(0))) is not None]
    assert [frame[topics.DEPTH].header.stamp.sec for frame in complete] == [1, 2, 3]  # type: ignore[attr-defined]


def test_a_part_that_comes_twice_changes_nothing() -> None:
    joiner = FrameParts(PARTS)
    frame = parts_at(1)
    for topic in PARTS[:-1]:
        assert joiner.add(topic, frame[topic]) is None
        assert joiner.add(topic, frame[topic]) is None
    assert joiner.add(PARTS[-1], frame[PARTS[-1]]) is not None
    assert joiner.add(PARTS[0], frame[PARTS[0]]) is None


def test_frames_that_never_become_complete_do_not_pile_up() -> None:
    joiner = FrameParts(PARTS)
    for second in range(1000):
        joiner.add(topics.DEPTH, parts_at(second)[topics.DEPTH])
    assert len(joiner._waiting) <= 256


def test_depth_in_metres_becomes_millimetres_and_nan_becomes_not_measured() -> None:
    metres = np.array([[1.5, math.nan], [math.inf, -1.0], [0.0, 70.0]], np.float32)
    image = Image.from_array(Header(), metres, "32FC1")
    assert depth_in_millimetres(image).tolist() == [[1500, 0], [0, 0], [0, 0]]


def test_a_good_frame_becomes_a_view() -> None:
    view = view_of(parts_at(3, x=2.0))
    assert view.depth_mm.shape == (6, 8)
    assert view.camera_pose[:3, 3].tolist() == [2.0, 0.0, 1.2]
    assert station_of(parts_at(3, x=2.0)) == Station(
        Time(3, 0), "map", Pose.planar(2.0, 0, 0), Pose.planar(2.0, 0, 0)
    )


@pytest.mark.parametrize(
    ("depth", "error", "cause"),
    [
        (Image.from_array(Header(), np.zeros((6, 8), np.uint16), "16UC1"), BadDepthError, "covered"),
        (Image.from_array(Header(), np.full((6, 8), np.nan, np.float32), "32FC1"), BadDepthError, "NaN"),
        (Image.from_array(Header(), np.ones((3, 8), np.uint16), "16UC1"), BadImageError, "registered"),
        (
            Image(height=6, width=8, encoding="16UC1", step=16, data=np.ones(40, np.uint8)),
            BadImageError,
            "truncated",
        ),
        (Image.from_array(Header(), np.ones((6, 8, 3), np.uint8), "rgb8"), BadImageError, "REP-118"),
    ],
)
def test_a_bad_depth_image_says_what_is_wrong(depth: Image, error: type[Exception], cause: str) -> None:
    with pytest.raises(error, match=cause):
        view_of(parts_at(1, depth))


def test_a_camera_without_intrinsics_is_refused() -> None:
    parts = parts_at(1)
    parts[topics.CAMERA_INFO] = CameraInfo(Header(), 6, 8)
    with pytest.raises(BadImageError, match="camera_info"):
        view_of(parts)


def test_a_pose_that_is_no_number_is_refused() -> None:
    parts = parts_at(1)
    parts[topics.ODOMETRY] = Odometry(Header(), "base_link", PoseWithCovariance(Pose.planar(math.nan, 0, 0)))
    with pytest.raises(PoseJumpError, match="odometry"):
        station_of(parts)


def test_a_camera_pose_in_another_frame_is_refused() -> None:
    parts = parts_at(1)
    parts[topics.CAMERA_POSE] = PoseStamped(Header(Time(1, 0), "map"), Pose(Point(0, 0, 1.2)))
    with pytest.raises(WrongFrameError, match="camera/pose is in 'map', odom in 'odom'"):
        view_of(parts)


def test_colour_comes_as_rgb_whatever_way_round_it_was_sent() -> None:
    blue = np.zeros((2, 2, 3), np.uint8)
    blue[..., 0] = 200
    assert color_in_rgb(Image.from_array(Header(), blue, "bgr8"))[0, 0].tolist() == [0, 0, 200]
    assert color_in_rgb(Image.from_array(Header(), blue, "rgb8"))[0, 0].tolist() == [200, 0, 0]
    with pytest.raises(BadImageError, match="publish rgb8 or bgr8"):
        color_in_rgb(Image.from_array(Header(), blue[..., 0], "mono8"))


def test_segmentations_of_8_and_16_bit_are_read_and_others_refused() -> None:
    assert segment_ids(Image.from_array(Header(), np.full((2, 2), 7, np.uint8), "mono8")).dtype == np.uint16
    with pytest.raises(BadImageError, match="publish 16UC1 or mono8"):
        segment_ids(Image.from_array(Header(), np.ones((2, 2), np.float32), "32FC1"))


def station(second: int, x: float) -> Station:
    return Station(Time(second, 0), "map", Pose.planar(x, 0, 0), Pose.planar(x, 0, 0))


def test_a_real_jump_costs_one_frame_and_the_new_place_is_believed_after_it() -> None:
    guard = PoseGuard(max_speed=1.0, slack=0.3)
    guard.check(station(1, 0))
    guard.check(station(2, 1.2))
    with pytest.raises(PoseJumpError, match=r"moved 3\.70 m farther than 1 m/s allows"):
        guard.check(station(3, 6.2))
    guard.check(station(4, 6.5))


def test_an_outlier_costs_only_its_own_frame() -> None:
    guard = PoseGuard(max_speed=1.0, slack=0.3)
    guard.check(station(1, 0))
    with pytest.raises(PoseJumpError):
        guard.check(station(2, 500))
    guard.check(station(3, 0.5))
