"""Camera frames: images, depth, poses and calibration of one moment, checked against one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import PinholeCamera, camera_of
from stma_ros.mapping.transforms import matrix_of
from stma_ros.sensing.array_parts import CameraAxes, parts_of_arrays
from stma_ros.sensing.calibration import of_image_size
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
"""Topics of the parts that every frame has: they give its stamp and the robot's pose."""

HAND_HELD = "hand_held_camera"
"""Name of odometry's child frame where there is no robot. Its pose is that of the camera, turned upright with the
heading of the view, so that it can be used as that of a base that stands nowhere."""

_FARTHEST = 50_000.0
"""Largest coordinate of a camera in the map [m]. Points and outlines have single precision, the steps of which are 4 mm
there and half a metre at the coordinates of a country's grid."""

_SEGMENTATION = {topics.SEGMENTATION, topics.SEGMENTATION_LABELS}


@dataclass(frozen=True)
class DepthView:
    """A depth image with its camera and pose.

    Attributes:
        depth_mm: (H, W) uint16, planar depth [mm], 0 = not measured.
        camera: Model of the camera.
        camera_pose: 4x4 float64, pose of the optical frame (REP-103) in the map.
        localization: 4x4 float64, pose of the odometry frame in the map as it was known when the frame was taken;
            camera_pose was computed with it.
    """

    depth_mm: NDArray[np.uint16]
    camera: PinholeCamera
    camera_pose: NDArray[np.float64]
    localization: NDArray[np.float64] = field(default_factory=lambda: np.eye(4))


@dataclass(frozen=True)
class FramePose:
    """Pose of the robot's base when a frame was taken; of a hand-held camera, its own pose, upright.

    Attributes:
        stamp: Stamp of the frame.
        frame_id: Name of the map frame.
        base: Pose of the base in the map frame.
        odometry: Pose of the base in the odometry frame, in which it moves without jumps.
        has_base: Whether there is a robot, whose base stands on the floor at that place.
    """

    stamp: Time
    frame_id: str
    base: Pose
    odometry: Pose
    has_base: bool = True


@dataclass(frozen=True)
class Segmentation:
    """Segmentation of a frame.

    Attributes:
        ids: (H, W) uint16 segment id of each pixel, 0 = unknown. Ids are valid within one frame only.
        labels: Categories of the ids.
    """

    ids: NDArray[np.uint16]
    labels: tuple[SegmentLabel, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class CameraFrame(Message):
    """One camera frame, checked.

    A frame is not published as such: the messages that it is made of are, and each reader assembles them in the same
    way (FrameAssembler). Two frames are equal if these messages are.

    Attributes:
        header: Stamp of the frame, and the name of the map frame.
        parts: The messages that the reader uses, by topic.
        pose: Pose of the base; None if its numbers are not a pose.
        view: Depth image with its pose in the map; None if the frame has an error or no depth.
        color: (H, W, 3) uint8 RGB; None if the frame has an error or no colour.
        segmentation: None if the frame has an error or no segmentation.
        error: Reason why the frame cannot be used.
    """

    header: Header
    parts: Mapping[str, Message]
    pose: FramePose | None = None
    view: DepthView | None = None
    color: NDArray[np.uint8] | None = None
    segmentation: Segmentation | None = None
    error: Error = Error()

    def __post_init__(self) -> None:
        """Leaves the fields as they are: the parts are quantised to wire precision already."""

    def __eq__(self, other: object) -> bool:
        return self.parts == other.parts if isinstance(other, CameraFrame) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.header)

    def __repr__(self) -> str:
        """Stamp, images and coordinate frames in one line; a frame in full would be pages of pixels."""
        shown = [f"{self.stamp.seconds:.6f} s"]
        if self.view is not None:
            height, width = self.view.depth_mm.shape
            shown.append(f"depth {width}x{height}")
        if self.color is not None:
            shown.append("color {1}x{0}".format(*self.color.shape))
        if self.segmentation is not None:
            shown.append(f"segmentation of {len(self.segmentation.labels)} labels")
        names = {message.header.frame_id: None for message in self.parts.values()}  # type: ignore[attr-defined]
        shown.append(f"frames {', '.join(map(repr, names))}")
        if self.error:
            shown.append(f"error {self.error.text!r}")
        return f"CameraFrame({', '.join(shown)})"

    @property
    def stamp(self) -> Time:
        """Time of capture; it identifies the frame."""
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
        """Makes a frame from NumPy arrays, which are copied.

        Poses are 4x4 matrices that transform points to the map frame [m], whose z axis points up. With
        `localization`, `camera_pose` and `base` transform points to the odometry frame instead, which drifts but never
        jumps, and `localization` transforms from there to the map: when it is corrected later, what was mapped in the
        meantime is moved with it.

        Args:
            depth: (H, W) planar depth, uint16 [mm] or float32 [m]; 0 and NaN = not measured.
            k: (3, 3) intrinsics of the undistorted camera [px].
            camera_pose: 4x4 pose of the camera, with the axes that `camera_axes` names.
            stamp: Time of capture [s], not negative, on one clock for all cameras.
            color: (H, W, 3) uint8 RGB, registered to depth.
            segmentation: (H, W) uint16 segment ids, 0 = unknown.
            labels: Category by segment id; required with a segmentation. "wall", "floor" and "ceiling" are parts of the
                building.
            base: 4x4 pose of the robot's base; by default it is on the ground (z = 0) below the camera.
            localization: 4x4 pose of the odometry frame in the map as it was known at that time; by default the other
                poses are in the map frame.
            camera_axes: "optical" (REP-103: x right, y down, z forward), "body" (x forward, y left, z up) or "opengl"
                (x right, y up, z backward).
            camera: Name of the camera, unique among the cameras of a robot.

        Raises:
            BadImageError: An image, `k` or the stamp has the wrong size or type, or labels are missing.
            BadDepthError: Depth has the wrong type, no measured pixel, or values that are not in its unit.
            PoseJumpError: A pose is not a rigid transform.
            WrongFrameError: The camera is farther from the base than on any robot, or from the origin of the map than
                single precision reaches.
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
        return _checked(frame_of(parts))


def frame_of(parts: Mapping[str, Message]) -> CameraFrame:
    """Makes a frame from its parts and checks that they fit one another.

    Args:
        parts: Messages by topic, odometry and localization at least. The frame has a view if the parts include all of
            topics.DEPTH_FRAME, and colour and segmentation if they include those topics.

    Returns:
        The frame. Its `error` is set if it cannot be used: a part cannot be read, sizes, stamps or coordinate frames
        do not fit, the depth image has no measured pixel, or a pose has invalid numbers or is too far away.
    """
    header = part(parts, topics.LOCALIZATION, TransformStamped).header  # in the map frame
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
    """Returns the part of a topic, cast to the type of that topic's messages."""
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
    has_base = odometry.child_frame_id != HAND_HELD
    return FramePose(odometry.header.stamp, localization.header.frame_id, base, here, has_base)


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
        info = part(parts, topics.CAMERA_INFO, CameraInfo)
        camera = camera_of(of_image_size(info, depth.width, depth.height))
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
            "no pixel of the depth image is used (all 0, NaN, saturated or out of range); is the depth camera covered, "
            "or its unit another one?"
        )
    try:
        localization = matrix_of(part(parts, topics.LOCALIZATION, TransformStamped).pose)
        in_odometry = matrix_of(camera_pose.pose)
    except ValueError as error:
        raise PoseJumpError(str(error)) from error
    in_map = localization @ in_odometry
    if np.abs(in_map[:3, 3]).max() > _FARTHEST:
        x, y, z = in_map[:3, 3].tolist()
        raise WrongFrameError(
            f"the camera is at ({x:.0f}, {y:.0f}, {z:.0f}) m in the map, and things have exact sizes only within "
            f"{_FARTHEST / 1000:.0f} km of its origin; subtract a fixed place near the robot from all poses of a "
            "georeferenced map"
        )
    return DepthView(depth_mm, camera, in_map, localization)


def _check_size(name: str, shape: tuple[int, ...], view: DepthView | None) -> None:
    if view is not None and shape != view.depth_mm.shape:
        raise BadImageError(
            f"depth is {view.depth_mm.shape}, {name} {shape} (rows, columns); publish all images from one camera"
        )


def _checked(frame: CameraFrame) -> CameraFrame:
    """Returns the frame, or raises its error."""
    if frame.error:
        raise _RAISED.get(frame.error.code, StmaError)(frame.error.text)
    return frame


_RAISED = {kind.code: kind for kind in (BadImageError, BadDepthError, PoseJumpError, WrongFrameError)}
