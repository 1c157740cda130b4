"""Makes the messages of a camera frame from NumPy arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.transforms import message_of
from stma_ros.types import topics
from stma_ros.types.errors import BadDepthError, BadImageError, PoseJumpError, WrongFrameError
from stma_ros.types.message import Message
from stma_ros.types.sensing import SegmentLabel, SegmentLabels
from stma_ros.types.standard import (
    CameraInfo,
    Header,
    Image,
    Odometry,
    Pose,
    PoseStamped,
    PoseWithCovariance,
    Time,
    TransformStamped,
)

CameraAxes: TypeAlias = Literal["optical", "body", "opengl"]

MAP, ODOM, BASE = "map", "odom", "base_link"

NEAREST_MM = 100
"""A uint16 depth image without any depth of at least this [mm] is not in millimetres."""

FARTHEST = 200.0
"""A float32 depth image whose median is beyond this [m] is not in metres."""

FARTHEST_CAMERA = 5.0
"""A camera that is farther from its base than this [m] is placed in another coordinate frame, or in another unit."""

_LARGEST_ID = 2**16 - 1

# Rotations from the optical axes (x right, y down, z forward) to the named ones.
_OPTICAL_IN: Final[Mapping[str, NDArray[np.float64]]] = {
    "optical": np.eye(3),
    "body": np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]),
    "opengl": np.diag([1.0, -1.0, -1.0]),
}


def parts_of_arrays(
    *,
    depth: NDArray[np.uint16] | NDArray[np.float32],
    k: NDArray[np.float64],
    camera_pose: NDArray[np.float64],
    stamp: float,
    color: NDArray[np.uint8] | None,
    segmentation: NDArray[np.uint16] | None,
    labels: Mapping[int, str] | None,
    base: NDArray[np.float64] | None,
    localization: NDArray[np.float64] | None,
    camera_axes: CameraAxes,
    camera: str,
) -> dict[str, Message]:
    """Returns the parts of a frame by topic. Arguments and errors are those of CameraFrame.from_arrays."""
    moment = _moment(stamp)
    optical = Header(moment, f"{camera}_optical_frame")
    pose = _rigid("camera_pose", camera_pose)
    pose[:3, :3] = pose[:3, :3] @ _optical_in(camera_axes)
    where = _below(pose) if base is None else message_of(_rigid("base", base))
    _check_distance(pose, where)
    fixed, moving = Header(moment, MAP), Header(moment, MAP if localization is None else ODOM)
    offset = Pose() if localization is None else message_of(_rigid("localization", localization))
    parts: dict[str, Message] = {
        topics.DEPTH: Image.from_array(optical, *_depth(np.asarray(depth))),
        topics.CAMERA_INFO: CameraInfo(
            optical, depth.shape[0], depth.shape[1], k=_intrinsics(k, depth.shape).reshape(-1)
        ),
        topics.CAMERA_POSE: PoseStamped(moving, message_of(pose)),
        topics.ODOMETRY: Odometry(moving, BASE, PoseWithCovariance(where)),
        topics.LOCALIZATION: TransformStamped.of_pose(fixed, moving.frame_id, offset),
    }
    if color is not None:
        parts[topics.COLOR] = _image("color", optical, color, "rgb8")
    if segmentation is not None:
        if not labels:
            raise BadImageError("a segmentation without labels tells nothing: say what its ids are called")
        _check_labels(labels)
        parts[topics.SEGMENTATION] = _image("segmentation", optical, segmentation, "16UC1")
        named = tuple(SegmentLabel(id=int(id_), category=name) for id_, name in labels.items())
        parts[topics.SEGMENTATION_LABELS] = SegmentLabels(header=optical, labels=named)
    return parts


def _image(name: str, header: Header, pixels: NDArray[np.generic], encoding: str) -> Image:
    array = np.asarray(pixels)
    try:
        return Image.from_array(header, array, encoding)
    except BadImageError as error:
        raise BadImageError(f"{name} is {array.dtype}{list(array.shape)}: {error}") from error


def _check_labels(labels: Any) -> None:
    wanted = "give the category by id: {1: 'wall', 2: 'cup'}"
    if not isinstance(labels, Mapping):
        raise BadImageError(f"labels is a {type(labels).__name__}; {wanted}")
    for id_, name in labels.items():
        if not isinstance(id_, int | np.integer) or not isinstance(name, str):
            raise BadImageError(f"labels has {id_!r}: {name!r}; {wanted}")
        if not 0 <= id_ <= _LARGEST_ID:
            raise BadImageError(f"ids of labels are from 0 to {_LARGEST_ID}, as those of a segmentation")


def _check_distance(camera: NDArray[np.float64], base: Pose) -> None:
    distance = float(np.linalg.norm(camera[:3, 3] - (base.position.x, base.position.y, base.position.z)))
    if distance > FARTHEST_CAMERA:
        raise WrongFrameError(
            f"the camera is {distance:.1f} m from the robot's base; give camera_pose and base in one coordinate frame, "
            "in metres, with the floor at z = 0"
        )


def _moment(stamp: float) -> Time:
    try:
        stamp = float(stamp)
    except (TypeError, ValueError) as error:
        raise BadImageError(f"a frame's stamp is {stamp!r}; give a number of seconds") from error
    if not np.isfinite(stamp) or not 0 <= stamp < 2**31:
        hint = "; were these nanoseconds? Divide them by 1e9" if stamp >= 2**31 else ""
        raise BadImageError(
            f"a frame's stamp is {stamp} s; give seconds since some moment, not negative and below 2^31{hint}"
        )
    return Time.from_nanoseconds(round(stamp * 1e9))


def _depth(depth: NDArray[np.generic]) -> tuple[NDArray[np.generic], str]:
    """Checks that the values are plausible in their unit, and returns the image with its encoding."""
    encodings = {np.dtype(np.uint16): "16UC1", np.dtype(np.float32): "32FC1"}
    if depth.ndim != 2 or depth.dtype not in encodings:
        raise BadDepthError(
            f"depth is {depth.dtype}{list(depth.shape)}; give (H, W), uint16 in millimetres or float32 in metres"
        )
    numbers = depth.astype(np.float64)
    measured = numbers[np.isfinite(numbers) & (numbers > 0)]
    if not len(measured):
        return depth, encodings[depth.dtype]  # frame_of reports images without a measured pixel
    if depth.dtype == np.uint16 and measured.max() < NEAREST_MM:
        raise BadDepthError(
            f"uint16 depth is in millimetres, but nothing in this image is farther than {measured.max():g} mm; were "
            "these metres? Give them as float32, or multiply them by 1000"
        )
    if depth.dtype == np.float32 and np.median(measured) > FARTHEST:
        raise BadDepthError(
            f"float32 depth is in metres, but half of this image is farther than {np.median(measured):.0f} m; were "
            "these millimetres? Give them as uint16, or divide them by 1000"
        )
    return depth, encodings[depth.dtype]


def _intrinsics(k: NDArray[np.float64], size: tuple[int, ...]) -> NDArray[np.float64]:
    numbers = np.array(k, np.float64)
    if numbers.shape != (3, 3):
        raise BadImageError(
            f"k has the shape {numbers.shape}; give (3, 3): [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] [px]"
        )
    if not numbers[:2, :2].any():
        return numbers  # of no camera, which frame_of reports
    if not np.allclose(numbers[2], (0, 0, 1)):
        raise BadImageError(
            f"the last row of k is {numbers[2].tolist()}; give [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] [px]"
        )
    height, width = size
    if not (-0.5 <= numbers[0, 2] <= width - 0.5 and -0.5 <= numbers[1, 2] <= height - 0.5):
        raise BadImageError(
            f"the principal point of k, ({numbers[0, 2]:g}, {numbers[1, 2]:g}), is not in the image of "
            f"{width}x{height}; give the intrinsics of this size: fx and cx change with the width, fy and cy with "
            "the height"
        )
    return numbers


def _rigid(name: str, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns a copy of the matrix, having checked that it is a rigid transform."""
    pose = np.array(matrix, np.float64)
    if pose.shape != (4, 4):
        raise PoseJumpError(f"{name} has the shape {pose.shape}; give (4, 4), rotation and translation [m]")
    turn = pose[:3, :3]
    if not np.allclose(pose[3], (0, 0, 0, 1)) or not np.allclose(turn @ turn.T, np.eye(3), atol=1e-4):
        raise PoseJumpError(
            f"{name} is not a rigid pose; give 4x4 with a rotation and a translation [m], which takes points to the map"
        )
    if np.linalg.det(turn) < 0:
        raise PoseJumpError(f"{name} mirrors; its rotation must be right-handed (REP-103)")
    return pose


def _optical_in(axes: str) -> NDArray[np.float64]:
    if axes not in _OPTICAL_IN:
        raise PoseJumpError(f"camera_axes is {axes!r}; it is one of {', '.join(_OPTICAL_IN)}")
    return _OPTICAL_IN[axes]


def _below(camera: NDArray[np.float64]) -> Pose:
    """Returns the base pose that is assumed for a camera alone: on the ground below it, with its heading."""
    return Pose.planar(camera[0, 3], camera[1, 3], float(np.arctan2(camera[1, 2], camera[0, 2])))
