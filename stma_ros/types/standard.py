"""Mirrors of the ROS standard messages that the agent uses, with units and frames as in their definitions (REP-103)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.errors import BadImageError
from stma_ros.types.message import (
    Float32,
    Float64Array,
    Float64Array9,
    Float64Array12,
    Float64Array36,
    Int8Array,
    Int32,
    Message,
    UInt8,
    UInt8Array,
    UInt32,
)

NANOSECONDS_PER_SECOND = 1_000_000_000

_ROUNDING = 1e-6
"""Difference of a quaternion's squared norm from 1 that is rounding, of 32-bit numbers say."""


@dataclass(frozen=True, eq=False)
class Time(Message, ros_type="builtin_interfaces/msg/Time"):
    """A point in time; 0 stands for "none" where a message's comment says so."""

    sec: Int32 = 0
    nanosec: UInt32 = 0

    @classmethod
    def from_nanoseconds(cls, nanoseconds: int) -> Time:
        return cls(*divmod(nanoseconds, NANOSECONDS_PER_SECOND))

    @property
    def nanoseconds(self) -> int:
        return self.sec * NANOSECONDS_PER_SECOND + self.nanosec

    @property
    def seconds(self) -> float:
        return self.nanoseconds / NANOSECONDS_PER_SECOND

    def __lt__(self, other: Time) -> bool:
        return self.nanoseconds < other.nanoseconds

    def __le__(self, other: Time) -> bool:
        return self.nanoseconds <= other.nanoseconds


@dataclass(frozen=True, eq=False)
class Clock(Message, ros_type="rosgraph_msgs/msg/Clock"):
    clock: Time = Time()


@dataclass(frozen=True, eq=False)
class Header(Message, ros_type="std_msgs/msg/Header"):
    stamp: Time = Time()
    frame_id: str = ""


@dataclass(frozen=True, eq=False)
class KeyValue(Message, ros_type="diagnostic_msgs/msg/KeyValue"):
    key: str = ""
    value: str = ""


@dataclass(frozen=True, eq=False)
class ColorRGBA(Message, ros_type="std_msgs/msg/ColorRGBA"):
    r: Float32 = 0.0
    g: Float32 = 0.0
    b: Float32 = 0.0
    a: Float32 = 0.0


@dataclass(frozen=True, eq=False)
class Point(Message, ros_type="geometry_msgs/msg/Point"):
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


@dataclass(frozen=True, eq=False)
class Point32(Message, ros_type="geometry_msgs/msg/Point32"):
    x: Float32 = 0.0
    y: Float32 = 0.0
    z: Float32 = 0.0


@dataclass(frozen=True, eq=False)
class Vector3(Message, ros_type="geometry_msgs/msg/Vector3"):
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


@dataclass(frozen=True, eq=False)
class Quaternion(Message, ros_type="geometry_msgs/msg/Quaternion"):
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    w: float = 1.0


@dataclass(frozen=True, eq=False)
class Pose(Message, ros_type="geometry_msgs/msg/Pose"):
    position: Point = Point()
    orientation: Quaternion = Quaternion()

    @classmethod
    def planar(cls, x: float, y: float, yaw: float, floor: float = 0.0) -> Pose:
        """Returns a pose on the floor; x, y [m], yaw [rad] about +z, height of the floor above z = 0 [m]."""
        return cls.upright(Point(x, y, floor), yaw)

    @classmethod
    def upright(cls, position: Point, yaw: float) -> Pose:
        """Returns a pose that is turned about +z only; yaw [rad]."""
        return cls(position, Quaternion(0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)))

    @classmethod
    def none(cls) -> Pose:
        """Returns the pose that means "not given" (position NaN)."""
        return cls(Point(math.nan, math.nan, math.nan))

    @property
    def given(self) -> bool:
        """Whether this is a pose rather than the one that means "not given"."""
        return not math.isnan(self.position.x)

    @property
    def yaw(self) -> float:
        """Heading about +z [rad], also of a quaternion that is not normalised."""
        q = self.orientation
        square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w
        if abs(square - 1) < _ROUNDING:
            square = 1.0
        return math.atan2(2 * (q.w * q.z + q.x * q.y), square - 2 * (q.y * q.y + q.z * q.z))


@dataclass(frozen=True, eq=False)
class PoseStamped(Message, ros_type="geometry_msgs/msg/PoseStamped"):
    header: Header = Header()
    pose: Pose = Pose()


@dataclass(frozen=True, eq=False)
class Transform(Message, ros_type="geometry_msgs/msg/Transform"):
    translation: Vector3 = Vector3()
    rotation: Quaternion = Quaternion()


@dataclass(frozen=True, eq=False)
class TransformStamped(Message, ros_type="geometry_msgs/msg/TransformStamped"):
    """A transform of points from `child_frame_id` to the header's frame."""

    header: Header = Header()
    child_frame_id: str = ""
    transform: Transform = Transform()

    @classmethod
    def of_pose(cls, header: Header, child_frame_id: str, pose: Pose) -> TransformStamped:
        """Returns the transform whose child frame has this pose in the header's frame."""
        p = pose.position
        return cls(header, child_frame_id, Transform(Vector3(p.x, p.y, p.z), pose.orientation))

    @property
    def pose(self) -> Pose:
        """The child frame's pose in the header's frame."""
        t = self.transform.translation
        return Pose(Point(t.x, t.y, t.z), self.transform.rotation)


@dataclass(frozen=True, eq=False)
class TFMessage(Message, ros_type="tf2_msgs/msg/TFMessage"):
    transforms: tuple[TransformStamped, ...] = ()


def _no_covariance() -> NDArray[np.float64]:
    return np.zeros(36)


@dataclass(frozen=True, eq=False)
class PoseWithCovariance(Message, ros_type="geometry_msgs/msg/PoseWithCovariance"):
    pose: Pose = Pose()
    covariance: Float64Array36 = field(default_factory=_no_covariance)


@dataclass(frozen=True, eq=False)
class Twist(Message, ros_type="geometry_msgs/msg/Twist"):
    linear: Vector3 = Vector3()
    angular: Vector3 = Vector3()


@dataclass(frozen=True, eq=False)
class TwistWithCovariance(Message, ros_type="geometry_msgs/msg/TwistWithCovariance"):
    twist: Twist = Twist()
    covariance: Float64Array36 = field(default_factory=_no_covariance)


@dataclass(frozen=True, eq=False)
class Odometry(Message, ros_type="nav_msgs/msg/Odometry"):
    header: Header = Header()
    child_frame_id: str = ""
    pose: PoseWithCovariance = field(default_factory=PoseWithCovariance)
    twist: TwistWithCovariance = field(default_factory=TwistWithCovariance)


@dataclass(frozen=True, eq=False)
class Polygon(Message, ros_type="geometry_msgs/msg/Polygon"):
    points: tuple[Point32, ...] = ()


@dataclass(frozen=True, eq=False)
class RegionOfInterest(Message, ros_type="sensor_msgs/msg/RegionOfInterest"):
    x_offset: UInt32 = 0
    y_offset: UInt32 = 0
    height: UInt32 = 0
    width: UInt32 = 0
    do_rectify: bool = False


# Encodings that this package reads and writes: NumPy type and number of channels.
IMAGE_ENCODINGS: dict[str, tuple[type[np.generic], int]] = {
    "rgb8": (np.uint8, 3),
    "bgr8": (np.uint8, 3),
    "mono8": (np.uint8, 1),
    "16UC1": (np.uint16, 1),
    "32FC1": (np.float32, 1),
}


@dataclass(frozen=True, eq=False)
class Image(Message, ros_type="sensor_msgs/msg/Image"):
    header: Header = Header()
    height: UInt32 = 0
    width: UInt32 = 0
    encoding: str = ""
    is_bigendian: UInt8 = 0
    step: UInt32 = 0
    data: UInt8Array = field(default_factory=lambda: np.zeros(0, np.uint8))

    @classmethod
    def from_array(cls, header: Header, array: NDArray[np.generic], encoding: str) -> Image:
        """Makes an image from an array, which is copied.

        Args:
            header: Stamp and coordinate frame.
            array: (H, W) or (H, W, C) pixels of the encoding's type.
            encoding: A key of IMAGE_ENCODINGS.

        Raises:
            BadImageError: The array's type or number of channels is not that of the encoding.
        """
        dtype, channels = IMAGE_ENCODINGS[encoding]
        if array.dtype != dtype or array.ndim != (2 if channels == 1 else 3):
            raise BadImageError(
                f"{encoding} wants {dtype.__name__} with {channels} channel(s), got {array.dtype}{list(array.shape)}"
            )
        height, width = array.shape[:2]
        data = np.frombuffer(np.ascontiguousarray(array).tobytes(), np.uint8)
        return cls(header, height, width, encoding, 0, data.size // height, data)

    def array(self) -> NDArray[np.generic]:
        """Returns the pixels as a read-only (H, W) or (H, W, C) array.

        Raises:
            BadImageError: The encoding is not supported, or the data have the wrong length.
        """
        if self.encoding not in IMAGE_ENCODINGS:
            known = ", ".join(IMAGE_ENCODINGS)
            raise BadImageError(f"encoding {self.encoding!r} is not read here; publish one of {known}")
        dtype, channels = IMAGE_ENCODINGS[self.encoding]
        if self.is_bigendian and np.dtype(dtype).itemsize > 1:
            raise BadImageError("big-endian images are not read here; publish little-endian ones")
        row = self.width * channels * np.dtype(dtype).itemsize
        if self.height == 0 or self.step < row or self.data.size != self.step * self.height:
            raise BadImageError(
                f"{self.width}x{self.height} {self.encoding} with rows of {self.step} bytes needs rows of {row} and "
                f"{self.step * self.height} bytes in all, got {self.data.size}: truncated on the way?"
            )
        rows = self.data.reshape(self.height, self.step)[:, :row]
        pixels = np.ascontiguousarray(rows).view(dtype)
        shaped = pixels if channels == 1 else pixels.reshape(self.height, self.width, channels)
        shaped.flags.writeable = False
        return shaped


@dataclass(frozen=True, eq=False)
class CompressedImage(Message, ros_type="sensor_msgs/msg/CompressedImage"):
    header: Header = Header()
    format: str = ""
    data: UInt8Array = field(default_factory=lambda: np.zeros(0, np.uint8))


@dataclass(frozen=True, eq=False)
class CameraInfo(Message, ros_type="sensor_msgs/msg/CameraInfo"):
    header: Header = Header()
    height: UInt32 = 0
    width: UInt32 = 0
    distortion_model: str = ""
    d: Float64Array = field(default_factory=lambda: np.zeros(0))
    k: Float64Array9 = field(default_factory=lambda: np.zeros(9))
    r: Float64Array9 = field(default_factory=lambda: np.eye(3).reshape(-1))
    p: Float64Array12 = field(default_factory=lambda: np.zeros(12))
    binning_x: UInt32 = 0
    binning_y: UInt32 = 0
    roi: RegionOfInterest = RegionOfInterest()


@dataclass(frozen=True, eq=False)
class MapMetaData(Message, ros_type="nav_msgs/msg/MapMetaData"):
    map_load_time: Time = Time()
    resolution: Float32 = 0.0
    width: UInt32 = 0
    height: UInt32 = 0
    origin: Pose = Pose()


@dataclass(frozen=True, eq=False)
class OccupancyGrid(Message, ros_type="nav_msgs/msg/OccupancyGrid"):
    header: Header = Header()
    info: MapMetaData = MapMetaData()
    data: Int8Array = field(default_factory=lambda: np.zeros(0, np.int8))
