"""Classifies the objects of a scene as fixtures and portable objects.

- A field `portable` in the `user_defined` fields of an object decides, where it has one.
- Otherwise an object is portable if it is rigid, not static, and no larger than 0.6 m and a few litres.
- An articulated object opens if one of its joints turns or slides between two limits. It is open with all of them at
  the limit farther from 0, and closed with all of them nearest to 0.
- An object that is called a door, and opens, is a door between rooms.
- `device`, `tap` and `vessel` come from the `user_defined` fields only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from stma_ros.worlds.habitat.axes import FloatArray
from stma_ros.worlds.habitat.engine.scene_report import ObjectReport
from stma_ros.worlds.habitat.scene.fixture import Front, LoadedFixture
from stma_ros.worlds.habitat.scene.portable import LoadedPortable
from stma_ros.worlds.habitat.scene.shelving import Receptacle, shelving_of
from stma_ros.worlds.habitat.scene.solid import Solid, corners_of, yaw_of
from stma_ros.worlds.habitat.scene.storey import Storey, is_on_storey

_LONGEST, _LARGEST = 0.6, 0.04  # limits of a portable object [m, m^3]
_MOVED = 0.02  # smallest motion of a moving part [m]
_LEAST_TURN = 0.05  # smallest range of a joint that counts as opening [rad, m]
_ONE_NUMBER = ("revolute", "prismatic")
_DOORS = frozenset(("door", "doors"))
_AHEAD = 0.6  # distance from a side at which the floor in front of it is probed [m]

Room = Callable[[float, float], float]
"""See robot.motion.Floor."""


@dataclass(frozen=True)
class Contents:
    """The classified objects. fixtures: include objects without a category, which are obstacles only."""

    fixtures: tuple[LoadedFixture, ...]
    portables: tuple[LoadedPortable, ...]


def contents_of(objects: Sequence[ObjectReport], storey: Storey, room: Room) -> Contents:
    """Returns the objects on the storey. room: clearance of the base on the floor."""
    fixtures, portables = [], []
    for report in objects:
        solid = _solid(report, storey)
        if not is_on_storey(solid.low, solid.high):
            continue
        if is_portable(report):
            portables.append(_portable(report, solid))
        else:
            fixtures.append(_fixture(report, solid, storey, room))
    return Contents(tuple(fixtures), tuple(portables))


def is_portable(report: ObjectReport) -> bool:
    said = report.user.get("portable")
    if isinstance(said, bool):
        return said and not report.articulated and bool(report.category)
    size = np.subtract(report.box[1], report.box[0])
    small = float(size.max()) <= _LONGEST and float(size.prod()) <= _LARGEST
    return bool(report.category) and small and not (report.static or report.articulated)


def can_open(report: ObjectReport) -> bool:
    return any(
        joint.kind in _ONE_NUMBER and abs(joint.open - joint.shut) >= _LEAST_TURN for joint in report.joints
    )


def swings(report: ObjectReport) -> bool:
    """Whether the object is a door between two rooms."""
    return can_open(report) and bool(report.parts) and bool(_DOORS.intersection(report.category.split()[-1:]))


def is_open(report: ObjectReport) -> bool:
    """Whether the object is open in its loaded state."""
    rather = [
        math.copysign(1.0, abs(joint.position - joint.shut) - abs(joint.position - joint.open))
        for joint in report.joints
        if joint.open != joint.shut
    ]
    return sum(rather) > 0


def _portable(report: ObjectReport, solid: Solid) -> LoadedPortable:
    device, vessel = report.user.get("device") is True, report.user.get("vessel") is True
    return LoadedPortable(report.id, report.name, report.category, solid, device, vessel)


def _fixture(report: ObjectReport, solid: Solid, storey: Storey, room: Room) -> LoadedFixture:
    front = _front(report, solid, storey) if can_open(report) else None
    is_door = front is not None and swings(report)
    solid = solid.quarter_turned(_turns(solid, front, is_door, room))
    receptacles = [
        Receptacle(part.name, _map(part.loaded, storey), _map(part.open, storey))
        for part in report.receptacles
    ]
    shelving = shelving_of(solid, report.category, front is not None, receptacles, report.user)
    device, tap = report.user.get("device") is True, report.user.get("tap") is True
    return LoadedFixture(
        report.id,
        report.name,
        report.category,
        solid,
        report.static,
        front,
        shelving,
        is_door,
        device,
        tap,
    )


def _solid(report: ObjectReport, storey: Storey) -> Solid:
    """Returns the box of an object, closed if it is articulated."""
    corners = _placed(report, storey)
    if not report.parts:
        return Solid.of_corners(corners)
    shut = np.concatenate([_map(part.shut, storey) for part in report.parts])
    return Solid.around(shut, yaw_of(corners))


def _front(report: ObjectReport, solid: Solid, storey: Storey) -> Front | None:
    """Returns the moving parts; None where no drawn part moves."""
    shut, opened = ([_map(getattr(part, how), storey) for part in report.parts] for how in ("shut", "open"))
    moved = [
        k for k, _ in enumerate(report.parts) if np.linalg.norm(shut[k] - opened[k], axis=1).max() > _MOVED
    ]
    if not moved:
        return None
    return Front(
        tuple(joint.shut for joint in report.joints),
        tuple(joint.open for joint in report.joints),
        tuple(Solid.of_corners(shut[k]) for k in moved),
        tuple(Solid.of_corners(opened[k]) for k in moved),
        Solid.around(np.concatenate(opened), solid.yaw),
        Solid.around(np.concatenate([points for k in moved for points in (shut[k], opened[k])]), solid.yaw),
    )


def _turns(solid: Solid, front: Front | None, is_door: bool, room: Room) -> int:
    """Returns the number of quarter turns that make the x axis point to the front: in the direction in which it opens,
    else to the side with the most free floor."""
    sides = [solid.quarter_turned(k) for k in range(4)]
    if front is None:
        rooms = [room(*side.placement.point(side.half_x + _AHEAD, 0.0)) for side in sides]
        return int(np.argmax(rooms))
    if is_door:  # the leaf is thin, and turns out of the wall
        thin = min(solid.half_x, solid.half_y)
        usable = [k for k, side in enumerate(sides) if side.half_x == thin]
    else:
        usable = [0, 1, 2, 3]
    goes = np.mean([(part.x, part.y) for part in front.open_parts], axis=0) - (solid.x, solid.y)
    ahead = [np.cos(side.yaw) * goes[0] + np.sin(side.yaw) * goes[1] for side in sides]
    return max(usable, key=lambda k: float(ahead[k]))


def _placed(report: ObjectReport, storey: Storey) -> FloatArray:
    w, x, y, z = report.rotation
    turned = Rotation.from_quat((x, y, z, w)).apply(corners_of(report.box)) + report.position
    return storey.to_map(turned)


def _map(corners: Sequence[Sequence[float]], storey: Storey) -> FloatArray:
    return storey.to_map(np.array(corners))
