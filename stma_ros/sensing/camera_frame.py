"""What a camera showed at one moment, and where the robot was then: the value that components take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import PinholeCamera, camera_of
from stma_ros.mapping.transforms import matrix_of
from stma_ros.sensing.array_parts import CameraAxes, parts_of_arrays
from stma_ros.sensing.encodings import color_in_rgb, depth_in_millimetres, segment_ids
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import BadDepthError, BadImageError, PoseJumpError, StmaError, WrongFrameError
from stma_ros.types.message import Message
from stma_ros.types.sensing import SegmentLabel, SegmentLabels
from stma_ros.types.standard import (
    CameraInfo,
    Header,
    Image,
    Odometry,
    Point,
    Pose,
    PoseStamped,
    Time,
    TransformStamped,
)

MessageT = TypeVar("MessageT", bound=Message)

NEEDED = (topics.ODOMETRY, topics.LOCALIZATION)
"""The parts without which there is no frame: they tell its stamp, and where the robot was."""

_SEGMENTATION = {topics.SEGMENTATION, topics.SEGMENTATION_LABELS}


@dataclass(frozen=True)
class DepthView:
    """A depth image and where it was taken from.

    Attributes:
        depth_mm: (H, W) uint16, planar depth [mm], 0 = not measured.
        camera: The camera that took it.
        camera_pose: 4x4 float64, the optical frame (REP-103) in the map.
        localization: 4x4 float64, the odometry's frame in the map as it was known when the frame was taken;
            camera_pose is made with it.
    """

    depth_mm: NDArray[np.uint16]
    camera: PinholeCamera
    camera_pose: NDArray[np.float64]
    localization: NDArray[np.float64] = field(default_factory=lambda: np.eye(4))


@dataclass(frozen=True)
class FramePose:
    """Where the robot's base was when a frame was taken.

    Attributes:
        stamp: Of the frame.
        frame_id: The map's frame.
        base: In the map.
        odometry: In the odometry's own frame, in which the base moves without jumps.
    """

    stamp: Time
    frame_id: str
    base: Pose
    odometry: Pose


@dataclass(frozen=True)
class Segmentation:
    """Which pixels belong together.

    Attributes:
        ids: (H, W) uint16, 0 = nothing known. An id means nothing beyond its frame.
        labels: What the ids are called.
    """

    ids: NDArray[np.uint16]
    labels: tuple[SegmentLabel, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class CameraFrame(Message):
    """One camera frame, checked. It never travels: the messages that it is made of do, and each reader puts it together
    in the same way (FrameAssembler). Two frames are equal where these messages are.

    Attributes:
        header: The stamp, and the map's frame.
        parts: The messages that it was made of, by topic; those that its reader uses.
        pose: Where the base was; None where its numbers are not a pose.
        view: The depth image in the map; None where there is an error, or no depth among the parts.
        color: (H, W, 3) uint8 RGB; None likewise.
        segmentation: None likewise.
        error: Why the frame cannot be used.
    """

    header: Header
    parts: Mapping[str, Message]
    pose: FramePose | None = None
    view: DepthView | None = None
    color: NDArray[np.uint8] | None = None
    segmentation: Segmentation | None = None
    error: Error = Error()

    def __post_init__(self) -> None:
        """The parts are at wire precision already."""

    def __eq__(self, other: object) -> bool:
        return self.parts == other.parts if isinstance(other, CameraFrame) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.header)

    @property
    def stamp(self) -> Time:
        """When it was taken; it identifies the frame."""
        return self.header.stamp

    @classmethod
    def from_arrays(
        cls,
        *,
        depth: NDArray[np.uint16] | NDArray[np.float32],
        k: NDArray[np.float64],
        camera_pose: NDArray[np.float64],
        stamp: float,
        color: NDArray[np.uint8] | None = None,
        segmentation: NDArray[np.uint16] | None = None,
        labels: Mapping[int, str] | None = None,
        base: NDArray[np.float64] | None = None,
        localization: NDArray[np.float64] | None = None,
        camera_axes: CameraAxes = "optical",
        camera: str = "camera",
    ) -> CameraFrame:
        """Makes a frame of what a program holds as arrays. They are copied.

        Poses are 4x4 matrices that take points to the map [m], whose z axis points up. Where `localization` is given,
        `camera_pose` and `base` take points to the odometry's frame instead, which drifts but never jumps, and
        `localization` takes these to the map: when it is corrected, what was mapped on the way is moved with it.

        Args:
            depth: (H, W) planar depth, uint16 [mm] or float32 [m]; 0 and NaN = not measured.
            k: (3, 3) intrinsics of the undistorted camera [px].
            camera_pose: 4x4, where the camera was, in the axes that `camera_axes` names.
            stamp: When it was taken [s], not negative, on one clock for all cameras.
            color: (H, W, 3) uint8 RGB, registered to depth.
            segmentation: (H, W) uint16 ids, 0 = nothing known.
            labels: Category by id; needed with a segmentation. "wall", "floor" and "ceiling" are the building.
            base: 4x4, the robot's base; by default on the ground (z = 0) below the camera.
            localization: 4x4, the odometry's frame in the map as it was known at that time; by default the poses are
                in the map already.
            camera_axes: "optical" (REP-103: x right, y down, z forward), "body" (x forward, y left, z up) or "opengl"
                (x right, y up, z backward).
            camera: Name of the camera; cameras of one robot need different ones.

        Raises:
            BadImageError: An image or `k` has the wrong size or type, or labels are missing.
            BadDepthError: Depth has the wrong type, no measured pixel, or values that are not in its unit.
            PoseJumpError: A pose is not a rigid one.
        """
        parts = parts_of_arrays(
            depth=depth,
            k=k,
            camera_pose=camera_pose,
            stamp=stamp,
            color=color,
            segmentation=segmentation,
            labels=labels,
            base=base,
            localization=localization,
            camera_axes=camera_axes,
            camera=camera,
        )
        return _usable(frame_of(parts))


def frame_of(parts: Mapping[str, Message]) -> CameraFrame:
    """Puts a frame together and checks that its parts fit one another.

    Args:
        parts: Messages by topic, odometry and localization at least. There is a view where all of
            topics.DEPTH_FRAME are there, colour and segmentation where theirs are.

    Returns:
        The frame, with `error` where it cannot be used: a part that cannot be read, sizes, stamps or coordinate frames
        that do not fit, a depth image in which nothing was measured, numbers that are not a pose.
    """
    header = part(parts, topics.LOCALIZATION, TransformStamped).header  # its frame is the map's
    pose, error = None, Error()
    view = color = segmentation = None
    try:
        _check_stamps(parts)
        pose = _pose(parts)
        view = _view(parts) if parts.keys() >= {*topics.DEPTH_FRAME} else None
        if topics.COLOR in parts:
            color = color_in_rgb(part(parts, topics.COLOR, Image))
            _check_size("colour", color.shape[:2], view)
        if parts.keys() >= _SEGMENTATION:
            ids = segment_ids(part(parts, topics.SEGMENTATION, Image))
            _check_size("segmentation", ids.shape, view)
            labels = part(parts, topics.SEGMENTATION_LABELS, SegmentLabels).labels
            segmentation = Segmentation(ids, labels)
    except StmaError as problem:
        error, view, color, segmentation = Error.of(problem), None, None, None
    return CameraFrame(
        header=header,
        parts=parts,
        pose=pose,
        view=view,
        color=color,
        segmentation=segmentation,
        error=error,
    )


def part(parts: Mapping[str, Message], topic: str, kind: type[MessageT]) -> MessageT:
    """The message on a topic, which is of the topic's type."""
    return cast(MessageT, parts[topic])


def _check_stamps(parts: Mapping[str, Message]) -> None:
    stamps = {topic: message.header.stamp for topic, message in parts.items()}  # type: ignore[attr-defined]
    wanted = stamps[topics.LOCALIZATION]
    for topic, stamp in stamps.items():
        if stamp != wanted:
            raise WrongFrameError(
                f"{topic} is of {stamp.seconds:.6f} s, {topics.LOCALIZATION} of {wanted.seconds:.6f} s; all parts of a "
                "frame must have one stamp"
            )


def _pose(parts: Mapping[str, Message]) -> FramePose:
    odometry = part(parts, topics.ODOMETRY, Odometry)
    localization = part(parts, topics.LOCALIZATION, TransformStamped)
    if localization.child_frame_id != odometry.header.frame_id:
        raise WrongFrameError(
            f"localization places {localization.child_frame_id!r} in the map, odom is in "
            f"{odometry.header.frame_id!r}; name the odometry's frame as child_frame_id of localization"
        )
    here = odometry.pose.pose
    try:
        matrix_of(here)
        x, y, z, _ = matrix_of(localization.pose) @ (here.position.x, here.position.y, here.position.z, 1.0)
    except ValueError as error:
        raise PoseJumpError(str(error)) from error
    turned = Pose.planar(0.0, 0.0, localization.pose.yaw + here.yaw).orientation
    base = Pose(Point(x, y, z), turned)
    return FramePose(odometry.header.stamp, localization.header.frame_id, base, here)


def _view(parts: Mapping[str, Message]) -> DepthView:
    depth = part(parts, topics.DEPTH, Image)
    camera_pose = part(parts, topics.CAMERA_POSE, PoseStamped)
    odometry = part(parts, topics.ODOMETRY, Odometry)
    if camera_pose.header.frame_id != odometry.header.frame_id:
        raise WrongFrameError(
            f"camera/pose is in {camera_pose.header.frame_id!r}, odom in {odometry.header.frame_id!r}; "
            "the bridge must publish both in one frame"
        )
    try:
        camera = camera_of(part(parts, topics.CAMERA_INFO, CameraInfo))
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
        localization = matrix_of(part(parts, topics.LOCALIZATION, TransformStamped).pose)
        in_odometry = matrix_of(camera_pose.pose)
    except ValueError as error:
        raise PoseJumpError(str(error)) from error
    return DepthView(depth_mm, camera, localization @ in_odometry, localization)


def _check_size(name: str, shape: tuple[int, ...], view: DepthView | None) -> None:
    if view is not None and shape != view.depth_mm.shape:
        raise BadImageError(
            f"depth is {view.depth_mm.shape}, {name} {shape} (rows, columns); publish all images from one camera"
        )


def _usable(frame: CameraFrame) -> CameraFrame:
    """Returns the frame, or raises its error."""
    if frame.error:
        raise _RAISED.get(frame.error.code, StmaError)(frame.error.text)
    return frame


_RAISED = {kind.code: kind for kind in (BadImageError, BadDepthError, PoseJumpError, WrongFrameError)}
