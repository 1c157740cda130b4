"""Keeps pictures as evidence: bounded, and one of each view."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import replace

from stma_ros.types.exploration import Snapshot
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Pose, Time

SAME_PLACE, SAME_DIRECTION = 0.25, math.radians(20)
"""Pictures taken closer together than this [m, rad] show the same: the newer one replaces the older."""


_SNAPSHOT = "snapshot_"


def snapshot_id(stamp: Time) -> str:
    """Returns the id of the snapshot that was taken at a time."""
    return f"{_SNAPSHOT}{stamp.nanoseconds}"


def snapshot_stamp(name: str) -> Time | None:
    """Returns when the snapshot with an id was taken; None for an id of something else."""
    number = name.removeprefix(_SNAPSHOT)
    return Time.from_nanoseconds(int(number)) if number != name else None


class SnapshotStore:
    """Snapshots, oldest first.

    Attributes:
        limit: most snapshots that are kept; beyond it the oldest go.
    """

    def __init__(self, limit: int, snapshots: Iterable[Snapshot] = ()) -> None:
        self.limit = limit
        self._snapshots: dict[str, Snapshot] = {}
        self.add(snapshots)

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        return tuple(self._snapshots.values())

    def add(self, snapshots: Iterable[Snapshot]) -> None:
        """Adds newer snapshots. Those that show the same view as one of them are replaced by it."""
        for snapshot in snapshots:
            for other in self.snapshots:
                if other.id == snapshot.id or shows_the_same(other, snapshot):
                    del self._snapshots[other.id]
            self._snapshots[snapshot.id] = snapshot
        while len(self._snapshots) > self.limit:
            del self._snapshots[next(iter(self._snapshots))]

    def revise(self, stamp: Time, detections: tuple[Detection, ...]) -> None:
        """Replaces the detections of the snapshot that was taken at a time, if it is kept."""
        name = snapshot_id(stamp)
        if name in self._snapshots:
            self._snapshots[name] = replace(self._snapshots[name], detections=detections)

    def keep(self, ids: Collection[str]) -> None:
        """Drops all snapshots but these."""
        self._snapshots = {name: each for name, each in self._snapshots.items() if name in ids}


def shows_the_same(one: Snapshot, other: Snapshot) -> bool:
    """Whether two snapshots were taken from the same place in the same direction."""
    here, there = one.camera.position, other.camera.position
    apart = math.dist((here.x, here.y, here.z), (there.x, there.y, there.z))
    return apart < SAME_PLACE and _angle_between(one.camera, other.camera) < SAME_DIRECTION


def _angle_between(one: Pose, other: Pose) -> float:
    """Returns the angle of the rotation between two poses [rad]."""
    a, b = one.orientation, other.orientation
    return 2 * math.acos(min(1.0, abs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w)))
