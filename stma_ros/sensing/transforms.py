"""Rigid transforms, and a buffer of them over time, as in tf2."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from scipy.spatial.transform import Rotation, Slerp

from stma_ros.sensing.timeline import Timeline
from stma_ros.types.errors import StmaError
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Point, Pose, Quaternion, TransformStamped

HISTORY = 4000
"""Number of samples stored of each moving transform: 20 s of one that is published at 200 Hz."""

LONGEST_GAP = NANOSECONDS_PER_SECOND // 2
"""Poses are not interpolated between samples that are farther apart [ns], as the motion in between is unknown."""


class NoTransformError(StmaError):
    """The pose of a frame at a stamp is not known."""


class Rigid(NamedTuple):
    """A rigid transform: a rotation as a quaternion (x, y, z, w), not normalised, followed by a translation [m].

    Products are computed from quaternions rather than matrices: they equal those of a robot that uses the same formula
    (tf2) to the last bit, and so do the maps.
    """

    translation: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)

    @classmethod
    def of_pose(cls, pose: Pose) -> Rigid:
        p, q = pose.position, pose.orientation
        return cls((p.x, p.y, p.z), (q.x, q.y, q.z, q.w))

    @classmethod
    def of_angles(cls, xyz: tuple[float, float, float], rpy: tuple[float, float, float]) -> Rigid:
        """Makes the transform of a URDF origin.

        Args:
            xyz: Translation [m].
            rpy: Rotations about the fixed axes x, y and z [rad], in this order (REP-103).
        """
        x, y, z = ((math.sin(angle / 2), math.cos(angle / 2)) for angle in rpy)
        turned = _product(_product((0.0, 0.0, *z), (0.0, y[0], 0.0, y[1])), (x[0], 0.0, 0.0, x[1]))
        return cls(xyz, turned)

    @property
    def pose(self) -> Pose:
        return Pose(Point(*self.translation), Quaternion(*self.rotation))

    @property
    def is_valid(self) -> bool:
        """Whether all numbers are finite and the quaternion is not zero."""
        return all(map(math.isfinite, (*self.translation, *self.rotation))) and any(self.rotation)

    def then(self, other: Rigid) -> Rigid:
        """Returns the product that applies `other` first: the pose of `other` in the parent frame of this one."""
        x, y, z = self.rotate(other.translation)
        a, b, c = self.translation
        return Rigid((a + x, b + y, c + z), _product(self.rotation, other.rotation))

    def rotate(self, point: tuple[float, float, float]) -> tuple[float, float, float]:
        """Returns the point after the rotation, without the translation."""
        px, py, pz = point
        x, y, z, w = self.rotation
        n = x * x + y * y + z * z + w * w
        return (
            px + 2 * (-(y * y + z * z) * px + (x * y - z * w) * py + (x * z + y * w) * pz) / n,
            py + 2 * ((x * y + z * w) * px - (x * x + z * z) * py + (y * z - x * w) * pz) / n,
            pz + 2 * ((x * z - y * w) * px + (y * z + x * w) * py - (x * x + y * y) * pz) / n,
        )

    @property
    def inverse(self) -> Rigid:
        x, y, z, w = self.rotation
        back = Rigid(rotation=(-x, -y, -z, w))
        a, b, c = back.rotate(self.translation)
        return Rigid((-a, -b, -c), back.rotation)


OPTICAL = Rigid(rotation=(-0.5, 0.5, -0.5, 0.5))
"""Pose (REP-103) of the optical frame (z forward, x right, y down) in the body frame (x forward, y left, z up)."""


def product(*steps: Rigid) -> Rigid:
    """Returns the product of a chain of transforms: the pose of the last child frame in the first parent frame."""
    whole, *rest = steps or (Rigid(),)
    for step in rest:
        whole = whole.then(step)
    return whole


def interpolated(timeline: Timeline[Rigid], stamp: int) -> Rigid | None:
    """Returns the transform at a stamp [ns], interpolated between its neighbours; None if the gap is too long."""
    before, after = timeline.before(stamp), timeline.after(stamp)
    if before is None or before[0] == stamp:
        return before[1] if before else None
    if after is None or after[0] - before[0] > LONGEST_GAP:
        return None
    (start, first), (end, last) = before, after
    share = (stamp - start) / (end - start)
    rotation = Slerp([0.0, 1.0], Rotation.from_quat([first.rotation, last.rotation]))(share).as_quat()
    a, b = first.translation, last.translation
    x, y, z = (p + (q - p) * share for p, q in zip(a, b, strict=True))
    return Rigid((x, y, z), tuple(float(number) for number in rotation))  # type: ignore[arg-type]


@dataclass
class _Link:
    """The pose of a frame in its parent frame.

    Attributes:
        parent: Name of the parent frame.
        fixed: The pose of a static transform; the newest sample of a moving one.
        moving: Samples over time; None for a static transform.
    """

    parent: str
    fixed: Rigid
    moving: Timeline[Rigid] | None


class TransformBuffer:
    """The recent history of a tree of coordinate frames. A leading slash in a name is ignored."""

    def __init__(self) -> None:
        self._links: dict[str, _Link] = {}

    @property
    def frames(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self._links, *(link.parent for link in self._links.values()))))

    def parent(self, frame: str) -> str | None:
        link = self._links.get(frame.lstrip("/"))
        return link.parent if link else None

    def add(self, transform: TransformStamped, stamp: int, static: bool) -> bool:
        """Adds a sample. A frame with a new parent loses its earlier samples.

        Args:
            transform: The transform.
            stamp: Its time [ns].
            static: Whether it holds at all times.

        Returns:
            False if it was ignored: its numbers are invalid, or the frame is its own parent.
        """
        parent, child = transform.header.frame_id.lstrip("/"), transform.child_frame_id.lstrip("/")
        t, q = transform.transform.translation, transform.transform.rotation
        sample = Rigid((t.x, t.y, t.z), (q.x, q.y, q.z, q.w))
        if not sample.is_valid or parent == child:
            return False
        link = self._links.get(child)
        if link is None or link.parent != parent or (link.moving is None) != static:
            link = self._links[child] = _Link(parent, sample, None if static else Timeline(HISTORY))
        link.fixed = sample
        if link.moving is not None:
            link.moving.add(stamp, sample)
        return True

    def forget_after(self, stamp: int) -> None:
        for link in self._links.values():
            if link.moving is not None:
                link.moving.forget_after(stamp)

    def reaches(self, source: str, target: str, stamp: int) -> bool:
        """Returns whether the frames are connected and the samples of their links reach up to the stamp [ns]."""
        source, target = source.lstrip("/"), target.lstrip("/")
        up, down = self._paths(source, target)
        if self._end(source, up) != self._end(target, down):
            return False
        moving = (self._links[frame].moving for frame in (*up, *down))
        return all(timeline is None or (timeline.newest or 0) >= stamp for timeline in moving)

    def steps(self, source: str, target: str, stamp: int) -> tuple[Rigid, ...]:
        """Returns the chain of transforms whose product transforms points from `source` to `target`.

        Args:
            source: Name of a frame.
            target: Name of a frame.
            stamp: Time [ns].

        Raises:
            NoTransformError: A link is missing; the text names it.
        """
        source, target = source.lstrip("/"), target.lstrip("/")
        up, down = self._paths(source, target)
        top, end = self._end(source, up), self._end(target, down)
        if top != end:
            raise NoTransformError(
                f"no transform from {source!r} to {target!r}: {self._path(source, up)}, {self._path(target, down)}, "
                f"and nothing links {top!r} and {end!r}; record /tf and /tf_static, or write into a mapping file where "
                "the camera is (camera: xyz, rpy) or another name of the robot's base (frames: {base: NAME})"
            )
        there = [self._at(frame, stamp).inverse for frame in down]
        return (*there, *(self._at(frame, stamp) for frame in reversed(up)))

    def last_before(self, source: str, target: str, stamp: int, lead: int = 0) -> Rigid | None:
        """Returns the transform from `source` to its ancestor `target` without interpolation.

        This is for corrections that are published now and then: each sample holds until the next one.

        Args:
            source: Name of a frame.
            target: Name of a frame above it.
            stamp: Time [ns].
            lead: Time for which the first sample of a link holds before its own stamp as well [ns].

        Returns:
            The newest transform that is not after the stamp; None if there is none.
        """
        up, down = self._paths(source.lstrip("/"), target.lstrip("/"))
        if down or not up or self._links[up[-1]].parent != target.lstrip("/"):
            return None
        steps = []
        for frame in reversed(up):
            link = self._links[frame]
            sample = (0, link.fixed) if link.moving is None else _holding(link.moving, stamp, lead)
            if sample is None:
                return None
            steps.append(sample[1])
        return product(*steps)

    def _at(self, frame: str, stamp: int) -> Rigid:
        link = self._links[frame]
        found = link.fixed if link.moving is None else interpolated(link.moving, stamp)
        if found is None:
            raise NoTransformError(
                f"no transform from {frame!r} to {link.parent!r} at that time: /tf has a gap there of more than "
                f"{LONGEST_GAP / NANOSECONDS_PER_SECOND:g} s"
            )
        return found

    def _paths(self, source: str, target: str) -> tuple[list[str], list[str]]:
        """Returns the frames whose links lead from either frame to their common ancestor, or else to the roots."""
        up, down = list(self._upward(source)), list(self._upward(target))
        while up and down and up[-1] == down[-1]:
            up.pop()
            down.pop()
        return up, down

    def _upward(self, frame: str) -> Iterator[str]:
        seen = set()
        while frame in self._links and frame not in seen:
            seen.add(frame)
            yield frame
            frame = self._links[frame].parent

    def _end(self, frame: str, path: list[str]) -> str:
        """Returns the frame that a path from a frame ends at."""
        return self._links[path[-1]].parent if path else frame

    def _path(self, frame: str, path: list[str]) -> str:
        return " -> ".join((*path, self._end(frame, path))) if path else f"{frame!r} has no parent"


def _holding(timeline: Timeline[Rigid], stamp: int, lead: int) -> tuple[int, Rigid] | None:
    """Returns the newest sample that is not after the stamp [ns], or else the first one within the lead [ns]."""
    return timeline.before(stamp) or (timeline.before(stamp + lead) and timeline.after(stamp))


def _product(
    a: tuple[float, float, float, float], b: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    """Returns the product of two quaternions (x, y, z, w), which applies `b` first."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )
