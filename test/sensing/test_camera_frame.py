"""Tests of the checks of a camera frame: an unusable one states the cause and still has the pose of the robot."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from stma_ros.sensing.array_parts import CameraAxes
from stma_ros.sensing.camera_frame import CameraFrame, FramePose, frame_of
from stma_ros.sensing.encodings import color_in_rgb, depth_in_millimetres, segment_ids
from stma_ros.sensing.pose_jump_filter import PoseJumpFilter
from stma_ros.types import topics
from stma_ros.types.errors import BadImageError, ErrorCode, PoseJumpError, StmaError
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
    TransformStamped,
)


def parts_at(second: int, depth: Image | None = None, x: float = 0.0) -> dict[str, Message]:
    header = Header(Time(second, 0), "odom")
    k = np.array([4.0, 0, 3.5, 0, 4.0, 2.5, 0, 0, 1])
    return {
        topics.DEPTH: depth or Image.from_array(header, np.full((6, 8), 1500, np.uint16), "16UC1"),
        topics.CAMERA_INFO: CameraInfo(header, 6, 8, k=k),
        topics.CAMERA_POSE: PoseStamped(header, Pose(Point(x, 0, 1.2))),
        topics.ODOMETRY: Odometry(header, "base_link", PoseWithCovariance(Pose.planar(x, 0, 0))),
        topics.LOCALIZATION: TransformStamped(Header(Time(second, 0), "map"), "odom"),
    }


def test_depth_in_metres_is_converted_to_millimetres_and_nan_to_not_measured() -> None:
    metres = np.array([[1.5, math.nan], [math.inf, -1.0], [0.0, 70.0]], np.float32)
    image = Image.from_array(Header(), metres, "32FC1")
    assert depth_in_millimetres(image).tolist() == [[1500, 0], [0, 0], [0, 0]]


@pytest.mark.parametrize("encoding", ["16UC1", "32FC1"])
def test_saturated_depth_is_not_measured(encoding: str) -> None:
    millimetres = np.array([[1500, 65535, 65534]], np.uint16)
    pixels = millimetres if encoding == "16UC1" else (millimetres / 1000).astype(np.float32)
    image = Image.from_array(Header(), pixels, encoding)
    assert depth_in_millimetres(image).tolist() == [[1500, 0, 65534]]


def test_frame_with_saturated_depth_only_has_an_error_and_no_view() -> None:
    parts = parts_at(3)
    nothing = np.full((6, 8), 65535, np.uint16)
    parts[topics.DEPTH] = Image.from_array(parts[topics.DEPTH].header, nothing, "16UC1")  # type: ignore[attr-defined]
    made = frame_of(parts)
    assert made.view is None
    assert "depth" in made.error.text


def test_valid_frame_has_a_view_and_a_pose() -> None:
    made = frame_of(parts_at(3, x=2.0))
    assert made.view is not None
    assert made.view.depth_mm.shape == (6, 8)
    assert made.view.camera_pose[:3, 3].tolist() == [2.0, 0.0, 1.2]
    assert made.pose == FramePose(Time(3, 0), "map", Pose.planar(2.0, 0, 0), Pose.planar(2.0, 0, 0))
    assert (made.stamp, made.header.frame_id, bool(made.error)) == (Time(3, 0), "map", False)


def test_frame_is_immutable_and_compared_by_value() -> None:
    made = frame_of(parts_at(3))
    assert made.view is not None
    with pytest.raises(ValueError, match="read-only"):
        made.view.depth_mm[0, 0] = 1
    with pytest.raises(AttributeError):
        made.view = None  # type: ignore[misc]
    assert made == frame_of(parts_at(3))
    assert made != frame_of(parts_at(3, x=1.0))
    assert hash(made) == hash(frame_of(parts_at(3)))


def test_frame_without_images_has_the_pose_of_the_robot() -> None:
    parts = {name: parts_at(3, x=2.0)[name] for name in (topics.ODOMETRY, topics.LOCALIZATION)}
    made = frame_of(parts)
    assert made.pose is not None
    assert (made.pose.base.position.x, made.view, made.color, bool(made.error)) == (2.0, None, None, False)


def refused(parts: dict[str, Message]) -> CameraFrame:
    made = frame_of(parts)
    assert (made.view, made.color, made.segmentation) == (None, None, None)
    return made


@pytest.mark.parametrize(
    ("depth", "error", "cause"),
    [
        (np.zeros((6, 8), np.uint16), ErrorCode.BAD_DEPTH, "covered"),
        (np.full((6, 8), np.nan, np.float32), ErrorCode.BAD_DEPTH, "NaN"),
        (np.ones((3, 8), np.uint16), ErrorCode.BAD_IMAGE, "registered"),
        (np.ones((6, 8, 3), np.uint8), ErrorCode.BAD_IMAGE, "REP-118"),
    ],
)
def test_frame_with_a_bad_depth_image_states_the_cause(
    depth: np.ndarray[tuple[int, ...], np.dtype[np.generic]], error: ErrorCode, cause: str
) -> None:
    encodings = {np.dtype(np.uint16): "16UC1", np.dtype(np.float32): "32FC1", np.dtype(np.uint8): "rgb8"}
    image = Image.from_array(Header(Time(1, 0)), depth, encodings[depth.dtype])
    made = refused(parts_at(1, image, x=2.0))
    assert made.error.code == error
    assert cause in made.error.text
    assert made.pose is not None
    assert made.pose.base.position.x == 2.0


def test_frame_with_a_truncated_depth_image_states_the_cause() -> None:
    image = Image(Header(Time(1, 0)), 6, 8, "16UC1", step=16, data=np.ones(40, np.uint8))
    assert "truncated" in refused(parts_at(1, image)).error.text


def test_frame_of_a_camera_without_intrinsics_is_refused() -> None:
    parts = parts_at(1)
    parts[topics.CAMERA_INFO] = CameraInfo(Header(Time(1, 0)), 6, 8)
    made = refused(parts)
    assert made.error.code == ErrorCode.BAD_IMAGE
    assert "camera_info" in made.error.text


def test_frame_of_binned_images_has_their_camera() -> None:
    parts = parts_at(1)
    info = parts[topics.CAMERA_INFO]
    plain = frame_of(parts).view
    whole = replace(
        info, width=2 * info.width, height=2 * info.height, k=2 * info.k, binning_x=2, binning_y=2
    )
    binned = frame_of({**parts, topics.CAMERA_INFO: whole})
    assert plain is not None
    assert binned.view is not None
    assert binned.view.camera == plain.camera


def test_frame_with_a_pose_that_is_not_a_number_is_refused() -> None:
    parts = parts_at(1)
    nowhere = PoseWithCovariance(Pose.planar(math.nan, 0, 0))
    parts[topics.ODOMETRY] = Odometry(Header(Time(1, 0), "odom"), "base_link", nowhere)
    made = refused(parts)
    assert (made.pose, made.error.code, made.stamp) == (None, ErrorCode.POSE_JUMP, Time(1, 0))
    assert "odometry" in made.error.text


def test_frame_of_a_georeferenced_map_is_refused_with_the_remedy_and_has_the_pose_of_the_robot() -> None:
    parts = parts_at(1)
    in_country = Pose(Point(4.9e5, 5.7e6, 80.0))
    parts[topics.LOCALIZATION] = TransformStamped.of_pose(Header(Time(1, 0), "map"), "odom", in_country)
    made = refused(parts)
    assert made.error.code == ErrorCode.WRONG_FRAME
    assert "the camera is at (490000, 5700000, 81) m in the map" in made.error.text
    assert "subtract a fixed place near the robot" in made.error.text
    assert made.pose is not None
    near = {**parts, topics.LOCALIZATION: TransformStamped(Header(Time(1, 0), "map"), "odom")}
    assert frame_of(near).view is not None


def test_frame_with_a_camera_pose_in_another_coordinate_frame_is_refused() -> None:
    parts = parts_at(1)
    parts[topics.CAMERA_POSE] = PoseStamped(Header(Time(1, 0), "map"), Pose(Point(0, 0, 1.2)))
    made = refused(parts)
    assert made.error.code == ErrorCode.WRONG_FRAME
    assert "camera/pose is in 'map', odom in 'odom'" in made.error.text


def test_frame_with_a_localization_of_another_coordinate_frame_than_odometry_is_refused() -> None:
    parts = parts_at(1)
    parts[topics.LOCALIZATION] = TransformStamped(Header(Time(1, 0), "map"), "base_link")
    made = refused(parts)
    assert made.error.code == ErrorCode.WRONG_FRAME
    assert "localization places 'base_link' in the map, odom is in 'odom'" in made.error.text


def test_frame_with_parts_of_different_stamps_is_refused() -> None:
    parts = {**parts_at(1), topics.DEPTH: parts_at(2)[topics.DEPTH]}
    made = refused(parts)
    assert made.error.code == ErrorCode.WRONG_FRAME
    assert "all parts of a frame must have one stamp" in made.error.text


def test_frame_with_a_colour_image_of_another_size_is_refused() -> None:
    color = Image.from_array(Header(Time(1, 0)), np.zeros((3, 4, 3), np.uint8), "rgb8")
    made = refused({**parts_at(1), topics.COLOR: color})
    assert made.error.code == ErrorCode.BAD_IMAGE
    assert "colour (3, 4) (rows, columns); publish all images from one camera" in made.error.text


def test_colour_is_converted_to_rgb_from_either_channel_order() -> None:
    blue = np.zeros((2, 2, 3), np.uint8)
    blue[..., 0] = 200
    assert color_in_rgb(Image.from_array(Header(), blue, "bgr8"))[0, 0].tolist() == [0, 0, 200]
    assert color_in_rgb(Image.from_array(Header(), blue, "rgb8"))[0, 0].tolist() == [200, 0, 0]
    with pytest.raises(BadImageError, match="publish rgb8 or bgr8"):
        color_in_rgb(Image.from_array(Header(), blue[..., 0], "mono8"))


def test_segmentations_of_8_and_16_bits_are_read_and_others_refused() -> None:
    assert segment_ids(Image.from_array(Header(), np.full((2, 2), 7, np.uint8), "mono8")).dtype == np.uint16
    with pytest.raises(BadImageError, match="publish 16UC1 or mono8"):
        segment_ids(Image.from_array(Header(), np.ones((2, 2), np.float32), "32FC1"))


def pose(second: int, x: float) -> FramePose:
    return FramePose(Time(second, 0), "map", Pose.planar(x, 0, 0), Pose.planar(x, 0, 0))


def test_pose_jump_filter_accepts_the_new_place_after_one_frame() -> None:
    jumps = PoseJumpFilter(max_speed=1.0, slack=0.3)
    jumps.check(pose(1, 0))
    jumps.check(pose(2, 1.2))
    with pytest.raises(PoseJumpError, match=r"moved 3\.70 m farther than 1 m/s allows"):
        jumps.check(pose(3, 6.2))
    jumps.check(pose(4, 6.5))


def test_pose_jump_filter_refuses_only_the_frame_of_an_outlier() -> None:
    jumps = PoseJumpFilter(max_speed=1.0, slack=0.3)
    jumps.check(pose(1, 0))
    with pytest.raises(PoseJumpError):
        jumps.check(pose(2, 500))
    jumps.check(pose(3, 0.5))


# -- from arrays

K = np.array([[4.0, 0, 3.5], [0, 4.0, 2.5], [0, 0, 1]])
LOOKING_AHEAD = np.array([[0.0, 0, 1, 2], [-1, 0, 0, 3], [0, -1, 0, 1.2], [0, 0, 0, 1]])
"""The optical frame of a camera that looks along x."""

MIRRORED = LOOKING_AHEAD * np.array([1.0, -1, 1, 1])


def test_frame_is_made_from_arrays() -> None:
    made = CameraFrame.from_arrays(
        depth=np.full((6, 8), 1.5, np.float32),
        k=K,
        camera_pose=LOOKING_AHEAD,
        stamp=12.5,
        color=np.full((6, 8, 3), 9, np.uint8),
        segmentation=np.full((6, 8), 4, np.uint16),
        labels={4: "mug"},
    )
    assert made.view is not None
    assert made.pose is not None
    assert made.segmentation is not None
    np.testing.assert_allclose(made.view.camera_pose, LOOKING_AHEAD, atol=1e-12)
    assert (made.view.depth_mm == 1500).all()
    assert made.view.camera.fx == 4.0
    assert (made.stamp.seconds, made.pose.base) == (12.5, Pose.planar(2.0, 3.0, 0.0))
    assert [label.category for label in made.segmentation.labels] == ["mug"]


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"depth": np.full((6, 8), 1.5)}, "uint16 in millimetres or float32 in metres"),
        ({"depth": np.zeros((6, 8), np.uint16)}, "covered"),
        ({"k": np.eye(4)}, r"k has the shape \(4, 4\); give \(3, 3\)"),
        ({"k": np.zeros((3, 3))}, "not a camera"),
        ({"camera_pose": 2 * LOOKING_AHEAD}, "not a rigid pose"),
        ({"camera_pose": np.full((4, 4), np.nan)}, "not a rigid pose"),
        ({"camera_pose": MIRRORED}, "right-handed"),
        ({"camera_pose": LOOKING_AHEAD[:3]}, r"camera_pose has the shape \(3, 4\); give \(4, 4\)"),
        ({"stamp": -1.0}, "not negative"),
        ({"stamp": 1.7e18}, "were these nanoseconds"),
        ({"color": np.zeros((3, 4, 3), np.uint8)}, "publish all images from one camera"),
        ({"color": np.zeros((6, 8, 3))}, "rgb8 wants uint8"),
        ({"color": np.zeros((6, 8), np.uint8)}, r"color is uint8\[6, 8\]: rgb8 wants .* 3 channel"),
        (
            {"segmentation": np.zeros((6, 8), np.int32), "labels": {1: "mug"}},
            r"segmentation is int32\[6, 8\]",
        ),
        ({"segmentation": np.zeros((6, 8), np.uint16), "labels": {"mug": 1}}, "give the category by id"),
        ({"segmentation": np.zeros((6, 8), np.uint16), "labels": {1: None}}, "give the category by id"),
        ({"stamp": None}, "stamp is None; give a number of seconds"),
        ({"k": K.T}, r"last row of k is \[3\.5, 2\.5, 1\.0\]"),
        ({"k": K @ np.diag([1.0, 1.0, 4.0])}, "last row of k"),
        (
            {"k": np.array([[8.0, 0, 16], [0, 8, 2.5], [0, 0, 1]])},
            r"\(16, 2\.5\), is not in the image of 8x6",
        ),
        (
            {"base": np.eye(4) + 30 * np.eye(4, k=3)},
            "28.2 m from the robot's base; give .* in one coordinate frame",
        ),
        ({"camera_pose": LOOKING_AHEAD + 1198.8 * np.outer([0, 0, 1, 0], [0, 0, 0, 1])}, "in metres"),
        ({"localization": np.eye(4) + 4.9e5 * np.eye(4, k=3)}, "within 50 km of its origin"),
        ({"segmentation": np.zeros((6, 8), np.uint16)}, "say what its ids are called"),
        ({"segmentation": np.zeros((6, 8), np.uint16), "labels": ["mug"]}, "give the category by id"),
        ({"depth": np.full((6, 8), 1500.0, np.float32)}, "were these millimetres"),
        ({"depth": np.full((6, 8), 2, np.uint16)}, "were these metres"),
        ({"stamp": 1e12}, "below 2"),
        (
            {"segmentation": np.zeros((6, 8), np.uint16), "labels": {70_000: "mug"}},
            "from 0 to 65535",
        ),
        ({"camera_axes": "ros"}, "one of optical, body, opengl"),
        ({"localization": np.zeros((4, 4))}, "localization is not a rigid pose"),
    ],
)
def test_frame_from_invalid_arrays_is_refused_with_cause_and_remedy(
    change: dict[str, object], cause: str
) -> None:
    good = {"depth": np.full((6, 8), 1500, np.uint16), "k": K, "camera_pose": LOOKING_AHEAD, "stamp": 1.0}
    with pytest.raises(StmaError, match=cause):
        CameraFrame.from_arrays(**{**good, **change})  # type: ignore[arg-type]


def test_frame_is_shown_in_one_line() -> None:
    made = CameraFrame.from_arrays(
        depth=np.full((6, 8), 1500, np.uint16),
        k=K,
        camera_pose=LOOKING_AHEAD,
        stamp=12.5,
        color=np.full((6, 8, 3), 9, np.uint8),
        segmentation=np.full((6, 8), 4, np.uint16),
        labels={4: "mug"},
        camera="left",
    )
    assert repr(made) == (
        "CameraFrame(12.500000 s, depth 8x6, color 8x6, segmentation of 1 labels, "
        "frames 'left_optical_frame', 'map')"
    )


def test_unusable_frame_is_shown_with_its_error() -> None:
    shown = repr(frame_of({**parts_at(1), topics.DEPTH: parts_at(2)[topics.DEPTH]}))
    assert shown.startswith(
        "CameraFrame(1.000000 s, frames 'odom', 'map', error 'camera/depth is of 2.000000 s"
    )


def test_intrinsics_of_another_shape_are_reported_as_a_bad_image() -> None:
    with pytest.raises(BadImageError, match=r"\[\[fx, 0, cx\], \[0, fy, cy\], \[0, 0, 1\]\]"):
        CameraFrame.from_arrays(
            depth=np.full((6, 8), 1500, np.uint16), k=K[0], camera_pose=LOOKING_AHEAD, stamp=1.0
        )


@pytest.mark.parametrize(
    ("axes", "optical_in_axes"),
    [("body", [[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]]), ("opengl", [[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])],
)
def test_camera_poses_in_other_axes_are_converted_to_the_optical_frame(
    axes: CameraAxes, optical_in_axes: list[list[float]]
) -> None:
    pose = LOOKING_AHEAD.copy()
    pose[:3, :3] = LOOKING_AHEAD[:3, :3] @ np.array(optical_in_axes).T
    given = pose.copy()
    made = CameraFrame.from_arrays(
        depth=np.full((6, 8), 1500, np.uint16), k=K, camera_pose=pose, stamp=1.0, camera_axes=axes
    )
    assert made.view is not None
    np.testing.assert_allclose(made.view.camera_pose, LOOKING_AHEAD, atol=1e-12)
    np.testing.assert_array_equal(pose, given)


def test_camera_poses_are_in_the_odometry_frame_when_a_localization_is_given() -> None:
    turned = np.array([[0.0, -1, 0, 10], [1, 0, 0, 20], [0, 0, 1, 0], [0, 0, 0, 1]])
    made = CameraFrame.from_arrays(
        depth=np.full((6, 8), 1500, np.uint16),
        k=K,
        camera_pose=LOOKING_AHEAD,
        stamp=1.0,
        localization=turned,
        camera="left",
    )
    assert made.view is not None
    assert made.pose is not None
    np.testing.assert_allclose(made.view.camera_pose, turned @ LOOKING_AHEAD, atol=1e-12)
    np.testing.assert_allclose(made.view.localization, turned, atol=1e-12)
    assert (made.pose.base.position.x, made.pose.base.position.y) == pytest.approx((7.0, 22.0))
    assert made.pose.odometry == Pose.planar(2.0, 3.0, 0.0)
    assert made.parts[topics.DEPTH].header.frame_id == "left_optical_frame"  # type: ignore[attr-defined]
