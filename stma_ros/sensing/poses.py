"""Poses of base and camera at a stamp, from odometry, transforms and the mount of the camera."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from stma_ros.sensing.camera_frame import HAND_HELD
from stma_ros.sensing.carrier import BASES, ODOM, Carrier
from stma_ros.sensing.mapping_file import Frames, Mount
from stma_ros.sensing.timeline import Timeline
from stma_ros.sensing.transforms import (
    HISTORY,
    LONGEST_GAP,
    OPTICAL,
    NoTransformError,
    Rigid,
    TransformBuffer,
    interpolated,
    product,
)
from stma_ros.types import topics
from stma_ros.types.component import Emission
from stma_ros.types.standard import (
    NANOSECONDS_PER_SECOND,
    Header,
    Odometry,
    PoseStamped,
    PoseWithCovariance,
    TFMessage,
    Time,
    TransformStamped,
)

LEAD = 3 * NANOSECONDS_PER_SECOND // 2
"""Time before its stamp from which the first pose of the odometry frame in the map holds [ns]: a localisation dates its
transforms ahead (AMCL by 1 s), so that they can be used until the next one."""


@dataclass(frozen=True)
class StampedPoses:
    """Poses at one stamp.

    Attributes:
        odom_frame: Name of the odometry frame.
        base_frame: Name of the frame of the robot's base; HAND_HELD if there is none.
        base: Pose of the base in the odometry frame; of a hand-held camera, its own pose, upright.
        camera: Pose of the optical frame in the odometry frame.
        localization: Pose of the odometry frame in the map.
    """

    odom_frame: str
    base_frame: str
    base: Rigid
    camera: Rigid
    localization: Rigid

    def parts(self, stamp: Time, map_frame: str) -> Iterator[Emission]:
        """Yields the parts of a frame that hold its poses.

        Args:
            stamp: Stamp of the frame.
            map_frame: Name of the map frame.
        """
        odom = Header(stamp, self.odom_frame)
        yield topics.CAMERA_POSE, PoseStamped(odom, self.camera.pose)
        yield topics.ODOMETRY, Odometry(odom, self.base_frame, PoseWithCovariance(self.base.pose))
        in_map = TransformStamped.of_pose(Header(stamp, map_frame), self.odom_frame, self.localization.pose)
        yield topics.LOCALIZATION, in_map


class PoseTracker:
    """Collects odometry and transforms. The pose of the base comes from odometry, or, without it, from transforms.

    Of a hand-held camera there is no base; odometry and mount are of whatever it is fixed to, or of the camera itself.

    Attributes:
        transforms: The transforms over time.
        unusable: Number of samples that were left out because their numbers are not a pose.
        level: Transform from the recording's map frame to the map that is made; None = they are the same.
    """

    def __init__(
        self,
        frames: Frames,
        mount: Mount | None,
        has_odometry: bool,
        carrier: Carrier = Carrier(),
        is_localized: bool = False,
    ) -> None:
        """Makes a tracker without samples.

        Args:
            frames: Names of coordinate frames.
            mount: Mount of the camera; None takes it from the transforms.
            has_odometry: Whether odometry will be added.
            carrier: What carries the camera.
            is_localized: Whether transforms will tell where the odometry frame is in the map.
        """
        self._frames = frames
        self._carrier = carrier
        self._is_localized = is_localized
        self._mount = mount and _mount(mount)
        self._has_odometry = has_odometry
        self._odometry: Timeline[Rigid] = Timeline(HISTORY)
        self._odom_frame = frames.odom
        self._base_frame = frames.base
        self.transforms = TransformBuffer()
        self.unusable = 0
        self.level: Rigid | None = None

    def add_odometry(self, stamp: int, odometry: Odometry) -> None:
        here = Rigid.of_pose(odometry.pose.pose)
        if not here.is_valid:
            self.unusable += 1
            return
        self._odom_frame = self._frames.odom or odometry.header.frame_id.lstrip("/") or ODOM
        self._base_frame = self._frames.base or odometry.child_frame_id.lstrip("/") or BASES[1]
        self._odometry.add(stamp, here)

    def add_transforms(self, message: TFMessage, static: bool, logged: int, by_header: bool) -> None:
        """Adds the transforms of a message.

        Args:
            message: The transforms.
            static: Whether they hold at all times.
            logged: Time of recording [ns]; the stamp of transforms without one, or of all unless `by_header`.
            by_header: Whether the stamps in the headers are used.
        """
        for transform in message.transforms:
            stamp = transform.header.stamp.nanoseconds if by_header else 0
            self.unusable += not self.transforms.add(transform, stamp or logged, static)

    def forget_after(self, stamp: int) -> None:
        self._odometry.forget_after(stamp)
        self.transforms.forget_after(stamp)

    def is_complete_at(self, stamp: int, camera: str) -> bool:
        """Returns whether the poses at a stamp [ns] no longer depend on samples that are still to come."""
        if self._has_odometry and (self._odometry.newest or 0) < stamp:
            return False
        odom, base = self._names(camera)
        if not self._has_odometry and not self.transforms.reaches(base, odom, stamp):
            return False
        if self._is_localized and self._in_map(odom, stamp) is None:
            return False
        return self._mount is not None or self.transforms.reaches(self._frames.camera or camera, base, stamp)

    def at(self, stamp: int, camera: str) -> StampedPoses:
        """Returns the poses at a stamp.

        Args:
            stamp: Time [ns].
            camera: Name of the optical frame in the images' headers.

        Raises:
            NoTransformError: A pose at that stamp is not known.
        """
        if not camera and not self._frames.camera and self._mount is None:
            raise NoTransformError(
                "the depth images do not name their frame (header.frame_id is empty); write frames: {camera: NAME} "
                "in a mapping file"
            )
        odom, base = self._names(camera)
        to_base = (
            (self._by_odometry(stamp),) if self._has_odometry else self._by_transforms(odom, base, stamp)
        )
        mount = self._mount or self.transforms.steps(self._frames.camera or camera, base, stamp)
        localization = self._localization(odom, stamp)
        placed, camera_pose = product(*to_base), product(*to_base, *mount)
        if (
            self.level is not None
        ):  # the odometry frame is turned like the map frame, so that in both z points up
            placed, camera_pose = self.level.then(placed), self.level.then(camera_pose)
            localization = product(self.level, localization, self.level.inverse)
        if self._carrier.is_hand_held:
            base, placed = HAND_HELD, _upright(camera_pose)
        return StampedPoses(odom, base, placed, camera_pose, localization)

    def _by_odometry(self, stamp: int) -> Rigid:
        pose = interpolated(self._odometry, stamp)
        if pose is None:
            raise NoTransformError(
                "no odometry at that time: there are no two samples around it within "
                f"{LONGEST_GAP / NANOSECONDS_PER_SECOND:g} s. Are odometry and images stamped by one clock? If not, "
                "write `stamps: log` in a mapping file"
            )
        return pose

    def _by_transforms(self, odom: str, base: str, stamp: int) -> tuple[Rigid, ...]:
        return self.transforms.steps(base, odom, stamp)

    def _localization(self, odom: str, stamp: int) -> Rigid:
        """Returns the pose of the odometry frame in the map: the identity in a recording that does not link them.

        Raises:
            NoTransformError: It is not known yet.
        """
        found = self._in_map(odom, stamp)
        if found is None and (self._is_localized or self._frames.map in self._ancestors(odom)):
            raise NoTransformError(
                f"the localisation is not known yet: the first transform from {odom!r} to {self._frames.map!r} is of a "
                f"time more than {LEAD / NANOSECONDS_PER_SECOND:g} s later; to map without it, write frames: "
                f"{{map: {odom}}} in a mapping file"
            )
        return found or Rigid()

    def _in_map(self, odom: str, stamp: int) -> Rigid | None:
        """Returns the pose of the odometry frame in the map; None if it is not known."""
        if odom == self._frames.map:
            return Rigid()
        return self.transforms.last_before(odom, self._frames.map, stamp, LEAD)

    def _names(self, camera: str) -> tuple[str, str]:
        """Returns the names of the odometry frame and the base frame.

        Without odometry they are those of the carrier, or else chosen among the frames of the transforms, the base
        among the camera's ancestors.
        """
        if self._has_odometry:
            return self._odom_frame, self._base_frame
        ancestors = self._ancestors(self._frames.camera or camera)
        known = self.transforms.frames
        usual = next((name for name in BASES if name in (ancestors or known)), BASES[1])
        base = self._frames.base or self._carrier.base or usual
        odom = self._frames.odom or self._carrier.odom or (ODOM if ODOM in known else self._frames.map)
        return odom, base

    def _ancestors(self, frame: str) -> list[str]:
        found: list[str] = []
        parent = self.transforms.parent(frame)
        while parent is not None and parent not in found:
            found.append(parent)
            parent = self.transforms.parent(parent)
        return found


def _upright(camera: Rigid) -> Rigid:
    """Returns the pose at an optical frame whose x axis is horizontal and leads into the direction of the view."""
    x, y, _ = camera.rotate((0.0, 0.0, 1.0))
    half = math.atan2(y, x) / 2
    return Rigid(camera.translation, (0.0, 0.0, math.sin(half), math.cos(half)))


def _mount(mount: Mount) -> tuple[Rigid, ...]:
    placed = Rigid.of_angles(mount.xyz, mount.rpy)
    return (placed,) if mount.optical else (placed, OPTICAL)
