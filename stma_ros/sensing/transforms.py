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
"""Samples kept of each moving transform: 20 s of one that is published at 200 Hz."""

LONGEST_GAP = NANOSECONDS_PER_SECOND // 2
"""Between two samples farther apart [ns] nothing is interpolated: nobody knows how the robot moved."""


class NoTransformError(StmaError):
    """The pose of a frame at a stamp is not known."""


class Rigid(NamedTuple):
    """Takes points from one frame to another: quaternion (x, y, z, w), not normalised, then translation [m].

    Plain numbers and no matrices: a product of these is the same to the last bit as that of the robot that made it by
    the same formula, and so is the map.
    """

    translation: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)

    @classmethod
    def of_pose(cls, pose: Pose) -> Rigid:
        p, q = pose.position, pose.orientation
        return cls((p.x, p.y, p.z), (q.x, q.y, q.z, q.w))

    @classmethod
    def of_angles(cls, xyz: tuple[float, float, float], rpy: tuple[float, float, float]) -> Rigid:
        """Returns the transform of an origin in a URDF: rotations about the fixed axes x, y, z [rad], in this order
        (REP-103)."""
        x, y, z = ((math.sin(angle / 2), math.cos(angle / 2)) for angle in rpy)
        turned = _product(_product((0.0, 0.0, *z), (0.0, y[0], 0.0, y[1])), (x[0], 0.0, 0.0, x[1]))
        return cls(xyz, turned)

    @property
    def pose(self) -> Pose:
        return Pose(Point(*self.translation), Quaternion(*self.rotation))

    @property
    def is_valid(self) -> bool:
        """Whether all numbers are finite and the quaternion has a length."""
        return all(map(math.isfinite, (*self.translation, *self.rotation))) and any(self.rotation)

    def then(self, other: Rigid) -> Rigid:
        """Returns the product: first `other`, then this one; it is the pose of `other` in the parent of this one."""
        x, y, z = self.turned(other.translation)
        a, b, c = self.translation
        return Rigid((a + x, b + y, c + z), _product(self.rotation, other.rotation))

    def turned(self, point: tuple[float, float, float]) -> tuple[float, float, float]:
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
        a, b, c = back.turned(self.translation)
        return Rigid((-a, -b, -c), back.rotation)


OPTICAL = Rigid(rotation=(-0.5, 0.5, -0.5, 0.5))
"""The optical frame (z forward, x right, y down) in a camera's own (x forward, y left, z up), REP-103."""


def product(*steps: Rigid) -> Rigid:
    """Returns the transform from the parent of the first to the child of the last."""
    whole, *rest = steps or (Rigid(),)
    for step in rest:
        whole = whole.then(step)
    return whole


def interpolated(timeline: Timeline[Rigid], stamp: int) -> Rigid | None:
    """Returns the transform at a stamp [ns], interpolated between samples; None if none is near enough."""
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
    """The pose of a frame in its parent. moving: None = it never moves."""

    parent: str
    fixed: Rigid
    moving: Timeline[Rigid] | None


class TransformBuffer:
    """The tree of frames over the last while. A leading slash in a name is ignored."""

    def __init__(self) -> None:
        self._links: dict[str, _Link] = {}

    @property
    def frames(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self._links, *(link.parent for link in self._links.values()))))

    def parent(self, frame: str) -> str | None:
        link = self._links.get(frame.lstrip("/"))
        return link.parent if link else None

    def add(self, transform: TransformStamped, stamp: int, static: bool) -> bool:
        """Adds a sample; returns False if its numbers are invalid. A frame with a new parent starts anew."""
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
        """Whether the way between two frames at a stamp needs no later sample."""
        source, target = source.lstrip("/"), target.lstrip("/")
        up, down = self._ways(source, target)
        if self._end(source, up) != self._end(target, down):
            return False
        moving = (self._links[frame].moving for frame in (*up, *down))
        return all(timeline is None or (timeline.newest or 0) >= stamp for timeline in moving)

    def steps(self, source: str, target: str, stamp: int) -> tuple[Rigid, ...]:
        """Returns the transforms from `target` to `source`; their product takes points of `source` to `target`.

        Raises:
            NoTransformError: a link is missing; the text names it.
        """
        source, target = source.lstrip("/"), target.lstrip("/")
        up, down = self._ways(source, target)
        top, end = self._end(source, up), self._end(target, down)
        if top != end:
            raise NoTransformError(
                f"no transform from {source!r} to {target!r}: {self._way(source, up)}, {self._way(target, down)}, "
                f"and nothing links {top!r} and {end!r}; record /tf and /tf_static, or say where the camera is in a "
                "mapping file (camera: xyz, rpy)"
            )
        there = [self._at(frame, stamp).inverse for frame in down]
        return (*there, *(self._at(frame, stamp) for frame in reversed(up)))

    def held(self, source: str, target: str, stamp: int) -> Rigid | None:
        """Returns the same for a correction that is published now and then: each sample holds until the next one; None
        if there is none."""
        up, down = self._ways(source.lstrip("/"), target.lstrip("/"))
        if down or not up or self._links[up[-1]].parent != target.lstrip("/"):
            return None
        steps = []
        for frame in reversed(up):
            link = self._links[frame]
            sample = (0, link.fixed) if link.moving is None else link.moving.before(stamp)
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

    def _ways(self, source: str, target: str) -> tuple[list[str], list[str]]:
        """Returns the frames whose links lead from either frame to their common ancestor, or, without one, to the
        roots."""
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

    def _end(self, frame: str, way: list[str]) -> str:
        """Returns the last frame on the way from a frame."""
        return self._links[way[-1]].parent if way else frame

    def _way(self, frame: str, way: list[str]) -> str:
        return " -> ".join((*way, self._end(frame, way))) if way else f"{frame!r} has no parent"


def _product(
    a: tuple[float, float, float, float], b: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    """Returns the product of two quaternions (x, y, z, w): first `b`, then `a`."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )
