"""Puts the parts of camera frames together and reads them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.transforms import pose_matrix
from stma_ros.types import topics
from stma_ros.types.errors import BadDepthError, BadImageError, PoseJumpError, WrongFrameError
from stma_ros.types.message import Message
from stma_ros.types.standard import CameraInfo, Image, Odometry, Pose, PoseStamped

MessageT = TypeVar("MessageT", bound=Message)

MAX_WAITING_FRAMES = 32
"""Incomplete frames kept; the oldest is forgotten. Parts of one frame come within moments of each other."""


class FrameParts:
    """Joins the parts of a frame by their stamp; a frame whose parts never all come is forgotten in the end."""

    def __init__(self, parts: tuple[str, ...]) -> None:
        self._parts = frozenset(parts)
        self._waiting: OrderedDict[int, dict[str, Message]] = OrderedDict()
        self._newest_complete = -1

    def add(self, topic: str, message: Message) -> Mapping[str, Message] | None:
        """Take one part; returns all parts of its frame when this was the last. Duplicates are ignored."""
        stamp = message.header.stamp.nanoseconds  # type: ignore[attr-defined]
        if stamp <= self._newest_complete:
            return None
        frame = self._waiting.setdefault(stamp, {})
        frame.setdefault(topic, message)
        if frame.keys() != self._parts:
            if len(self._waiting) > MAX_WAITING_FRAMES:
                self._waiting.popitem(last=False)
            return None
        self._newest_complete = stamp
        for old in [other for other in self._waiting if other <= stamp]:
            del self._waiting[old]
        return frame


@dataclass(frozen=True)
class View:
    """A depth image and from where it was taken.

    depth_mm: (H, W) uint16, planar depth [mm], 0 = not measured. camera_pose: 4x4 float64, the optical frame
    (REP-103) in the map frame. localization: 4x4 float64, the odometry's frame in the map frame, as it was known when
    the frame was taken: camera_pose is made with it.
    """

    depth_mm: NDArray[np.uint16]
    camera: PinholeCamera
    camera_pose: NDArray[np.float64]
    localization: NDArray[np.float64] = field(default_factory=lambda: np.eye(4))


def view_of(parts: Mapping[str, Message]) -> View:
    """Read the depth and the camera of a frame.

    Raises BadImageError for an image that cannot be read or does not fit its camera_info, BadDepthError when
    nothing was measured, PoseJumpError for a pose that is not a number, WrongFrameError when the camera's pose
    is not given in the odometry's frame.
    """
    depth = part(parts, topics.DEPTH, Image)
    info = part(parts, topics.CAMERA_INFO, CameraInfo)
    camera_pose = part(parts, topics.CAMERA_POSE, PoseStamped)
    odometry = part(parts, topics.ODOMETRY, Odometry)
    if camera_pose.header.frame_id != odometry.header.frame_id:
        raise WrongFrameError(
            f"camera/pose is in {camera_pose.header.frame_id!r}, odom in {odometry.header.frame_id!r}; "
            "the bridge must publish both in one frame"
        )
    try:
        camera = camera_of(info)
    except ValueError as error:
        raise BadImageError(str(error)) from error
    if (depth.width, depth.height) != (camera.width, camera.height):
        raise BadImageError(
            f"depth is {depth.width}x{depth.height} but camera_info says {camera.width}x{camera.height}; "
            "publish depth registered to the camera of camera_info"
        )
    depth_mm = depth_in_millimetres(depth)
    if not depth_mm.any():
        raise BadDepthError(
            "no pixel of the depth image was measured (all 0 or NaN); is the depth camera covered?"
        )
    try:
        localization = matrix_of(part(parts, topics.LOCALIZATION, PoseStamped).pose)
        in_odometry = matrix_of(camera_pose.pose)
    except ValueError as error:
        raise PoseJumpError(str(error)) from error
    return View(depth_mm, camera, localization @ in_odometry, localization)


def part(parts: Mapping[str, Message], topic: str, kind: type[MessageT]) -> MessageT:
    return cast(MessageT, parts[topic])


def depth_in_millimetres(image: Image) -> NDArray[np.uint16]:
    """(H, W) uint16 [mm], 0 = not measured, from 16UC1 [mm] or 32FC1 [m] (REP-118); NaN and infinity become 0."""
    pixels = image.array()
    if image.encoding == "16UC1":
        return cast("NDArray[np.uint16]", pixels)
    if image.encoding == "32FC1":
        millimetres = np.nan_to_num(
            cast("NDArray[np.float32]", pixels) * 1000, nan=0, posinf=0, neginf=0
        ).round()
        measurable = (millimetres > 0) & (millimetres <= np.iinfo(np.uint16).max)
        result: NDArray[np.uint16] = np.where(measurable, millimetres, 0).astype(np.uint16)
        return result
    raise BadImageError(
        f"depth is {image.encoding!r}; publish 16UC1 in millimetres or 32FC1 in metres (REP-118)"
    )


def color_in_rgb(image: Image) -> NDArray[np.uint8]:
    """(H, W, 3) uint8, from rgb8 or bgr8. Raises BadImageError for other encodings."""
    if image.encoding not in ("rgb8", "bgr8"):
        raise BadImageError(f"colour is {image.encoding!r}; publish rgb8 or bgr8")
    pixels = cast("NDArray[np.uint8]", image.array())
    return pixels if image.encoding == "rgb8" else pixels[..., ::-1]


def segment_ids(image: Image) -> NDArray[np.uint16]:
    """(H, W) uint16, 0 = nothing known, from 16UC1 or mono8. Raises BadImageError for other encodings."""
    if image.encoding not in ("16UC1", "mono8"):
        raise BadImageError(f"segmentation is {image.encoding!r}; publish 16UC1 or mono8")
    return image.array().astype(np.uint16)


def camera_of(info: CameraInfo) -> PinholeCamera:
    """The rectified camera that is published. Raises ValueError where the numbers are not a camera's."""
    return PinholeCamera(info.width, info.height, info.k[0], info.k[4], info.k[2], info.k[5])


def matrix_of(pose: Pose) -> NDArray[np.float64]:
    """4x4 of a message's pose. Raises ValueError for one that is not a pose."""
    p, q = pose.position, pose.orientation
    return pose_matrix((p.x, p.y, p.z), (q.x, q.y, q.z, q.w))
