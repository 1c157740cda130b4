"""What a camera showed at one moment, and where the robot was then: the value that components take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import PinholeCamera, camera_of
from stma_ros.mapping.transforms import matrix_of, quaternion_of
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
    PoseWithCovariance,
    Quaternion,
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
    ) -> CameraFrame:
        """Makes a frame of what a program holds as arrays. They are copied.

        Args:
            depth: (H, W) planar depth, uint16 [mm] or float32 [m]; 0 and NaN = not measured.
            k: (3, 3) intrinsics of the undistorted camera [px].
            camera_pose: 4x4, the optical frame (z forward, x right, y down) in the map [m].
            stamp: When it was taken [s], not negative.
            color: (H, W, 3) uint8 RGB, registered to depth.
            segmentation: (H, W) uint16 ids, 0 = nothing known.
            labels: What the ids are called; needed with a segmentation.
            base: 4x4, the robot's base in the map; by default on the ground (z = 0) below the camera.

        Raises:
            BadImageError, BadDepthError, PoseJumpError: For arrays whose type, shape, units or numbers do not fit.
        """
        moment = _moment(stamp)
        optical, world = Header(moment, "camera_optical_frame"), Header(moment, "map")
        camera = _rigid("camera_pose", camera_pose)
        where = _below(camera) if base is None else _pose_of(_rigid("base", base))
        parts: dict[str, Message] = {
            topics.DEPTH: Image.from_array(optical, *_depth(depth)),
            topics.CAMERA_INFO: CameraInfo(
                optical, depth.shape[0], depth.shape[1], k=_shaped("k", k, (3, 3)).reshape(-1)
            ),
            topics.CAMERA_POSE: PoseStamped(world, _pose_of(camera)),
            topics.ODOMETRY: Odometry(world, "base_link", PoseWithCovariance(where)),
            topics.LOCALIZATION: TransformStamped(world, world.frame_id),
        }
        if color is not None:
            parts[topics.COLOR] = Image.from_array(optical, color, "rgb8")
        if segmentation is not None:
            if not labels:
                raise BadImageError(
                    "a segmentation without labels tells nothing: say what its ids are called"
                )
            parts[topics.SEGMENTATION] = Image.from_array(optical, segmentation, "16UC1")
            named = tuple(SegmentLabel(id=id_, category=name) for id_, name in labels.items())
            parts[topics.SEGMENTATION_LABELS] = SegmentLabels(header=optical, labels=named)
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


# -- from arrays


def _usable(frame: CameraFrame) -> CameraFrame:
    if frame.error:
        raise _RAISED.get(frame.error.code, StmaError)(frame.error.text)
    return frame


_RAISED = {kind.code: kind for kind in (BadImageError, BadDepthError, PoseJumpError, WrongFrameError)}


def _moment(stamp: float) -> Time:
    if not np.isfinite(stamp) or stamp < 0:
        raise BadImageError(f"a frame's stamp is {stamp} s; give seconds since some moment, not negative")
    return Time.from_nanoseconds(round(stamp * 1e9))


def _depth(depth: NDArray[np.generic]) -> tuple[NDArray[np.generic], str]:
    encodings = {np.dtype(np.uint16): "16UC1", np.dtype(np.float32): "32FC1"}
    if depth.ndim != 2 or depth.dtype not in encodings:
        raise BadDepthError(
            f"depth is {depth.dtype}{list(depth.shape)}; give (H, W), uint16 in millimetres or float32 in metres"
        )
    return depth, encodings[depth.dtype]


def _shaped(name: str, array: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.float64]:
    numbers = np.asarray(array, np.float64)
    if numbers.shape != shape:
        raise PoseJumpError(f"{name} has the shape {numbers.shape}; give {shape}")
    return numbers


def _rigid(name: str, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    pose = _shaped(name, matrix, (4, 4))
    turn = pose[:3, :3]
    if not np.allclose(pose[3], (0, 0, 0, 1)) or not np.allclose(turn @ turn.T, np.eye(3), atol=1e-4):
        raise PoseJumpError(
            f"{name} is not a rigid pose; give 4x4 with a rotation and a translation [m], which takes points to the map"
        )
    if np.linalg.det(turn) < 0:
        raise PoseJumpError(f"{name} mirrors; its rotation must be right-handed (REP-103)")
    return pose


def _pose_of(matrix: NDArray[np.float64]) -> Pose:
    x, y, z = matrix[:3, 3]
    return Pose(Point(x, y, z), Quaternion(*quaternion_of(matrix)))


def _below(camera: NDArray[np.float64]) -> Pose:
    """The base of a robot that has nothing but its camera: under it, turned as it looks."""
    return Pose.planar(camera[0, 3], camera[1, 3], float(np.arctan2(camera[1, 2], camera[0, 2])))
