"""The keyframes of a step, from which snapshots and views of frontiers are taken."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from stma_ros.library.scene.thumbnails import thumbnail
from stma_ros.mapping.transforms import apply, inverse, looking_yaw, matrix_of, message_of
from stma_ros.memory.snapshots import snapshot_id
from stma_ros.sensing.camera_frame import CameraFrame, DepthView
from stma_ros.types.exploration import Snapshot
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.standard import Point

_AT_THE_END = 0.3  # a view within this distance of the last one was taken at the end of the step [m]
_MARGIN = 0.1  # of the image at each side, in which a frontier is not taken to be in view
_BEHIND = 0.3  # a surface this much nearer hides a place [m]
_NEAR = 0.3  # what is nearer than this is not in view [m]


@dataclass(frozen=True)
class View:
    """A keyframe as a snapshot, with its depth for as long as its step lasts.

    Attributes:
        snapshot: picture and detections.
        depth: depth image with its camera and pose.
    """

    snapshot: Snapshot
    depth: DepthView

    @classmethod
    def of(cls, frame: CameraFrame, update: KeyframeDetections, width: int) -> View | None:
        """Returns the view of a frame; None if the frame cannot be used.

        Args:
            frame: the frame.
            update: its detections.
            width: of the picture at most [px].
        """
        if frame.view is None or frame.color is None:
            return None
        snapshot = Snapshot(
            id=snapshot_id(frame.stamp),
            stamp=frame.stamp,
            camera=message_of(frame.view.camera_pose),
            picture=thumbnail(frame.header, frame.color, width),
            detections=update.detections,
        )
        return cls(snapshot, frame.view)

    @property
    def direction(self) -> float:
        """The direction in which the camera looks, in the map's plane [rad]."""
        return looking_yaw(self.depth.camera_pose)

    @property
    def place(self) -> tuple[float, float]:
        """(x, y) of the camera in the map [m]."""
        x, y = self.depth.camera_pose[:2, 3].tolist()
        return x, y

    def off_centre(self, point: Point) -> float | None:
        """Returns how far from the image's vertical middle line a point of the map is seen, as a share of half of the
        image's width; None if it is outside of the image, or hidden."""
        in_camera: list[float] = apply(inverse(self.depth.camera_pose), (point.x, point.y, point.z)).tolist()
        x, y, z = in_camera
        camera = self.depth.camera
        if z < _NEAR:
            return None
        column, row = camera.cx + camera.fx * x / z, camera.cy + camera.fy * y / z
        if not _MARGIN * camera.width <= column < (1 - _MARGIN) * camera.width:
            return None
        # The floor before the robot is below the image; what hides a place hides it over its whole height.
        row = min(max(row, 0), camera.height - 1)
        measured = self.depth.depth_mm[int(row), int(column)] * 1e-3
        if 0 < measured < z - _BEHIND:
            return None
        return abs(2 * column / camera.width - 1)


def spread_views(views: Sequence[View], count: int, spacing: float, heading: float | None) -> list[View]:
    """Returns the views at the end of a step that look most nearly in `count` directions, `spacing` apart.

    Args:
        views: of the step, oldest first.
        count: most views.
        spacing: between the directions [rad].
        heading: their middle: the direction of travel [rad]; None = that of the first view.
    """
    if not views:
        return []
    end = views[-1].place
    here = [view for view in views if math.dist(view.place, end) <= _AT_THE_END]
    middle = here[0].direction if heading is None else heading
    chosen: dict[str, View] = {}
    for number in range(count):
        wanted = middle + (number - (count - 1) / 2) * spacing
        best = min(here, key=lambda view: abs(math.remainder(view.direction - wanted, math.tau)))
        chosen[best.snapshot.id] = best
    return [view for view in here if view.snapshot.id in chosen]


def retaken(views: Sequence[View], snapshot: Snapshot) -> View | None:
    """Returns the view of a step that looks most nearly as an earlier snapshot does, of those at the end of the step;
    None without views."""
    wanted = looking_yaw(matrix_of(snapshot.camera))
    return min(
        (view for view in views if math.dist(view.place, views[-1].place) <= _AT_THE_END),
        key=lambda view: abs(math.remainder(view.direction - wanted, math.tau)),
        default=None,
    )


def at_the_end(point: Point, views: Sequence[View]) -> View | None:
    """Returns the view of the end of a step that shows a point of the map, or else looks most nearly towards it; None
    without views."""
    here = [view for view in views if math.dist(view.place, views[-1].place) <= _AT_THE_END]
    return towards(point, here) or in_direction_of(point, here)


def towards(point: Point, views: Iterable[View]) -> View | None:
    """Returns the view that shows a point of the map nearest to its middle; None if none shows it."""
    seen = [(off, view) for view in views if (off := view.off_centre(point)) is not None]
    return min(seen, key=lambda pair: pair[0])[1] if seen else None


def in_direction_of(point: Point, views: Sequence[View]) -> View | None:
    """Returns the view that looks most nearly in the direction of a point, whatever is between; None without views."""

    def turn(view: View) -> float:
        x, y = view.place
        return abs(math.remainder(view.direction - math.atan2(point.y - y, point.x - x), math.tau))

    return min(views, key=turn, default=None)


def heading_of_travel(before: tuple[float, float] | None, views: Sequence[View]) -> float | None:
    """Returns the direction of travel during a step [rad]; None if the robot has hardly moved.

    Args:
        before: (x, y) of the camera before the step [m]; None = not known.
        views: of the step.
    """
    if before is None or not views:
        return None
    travelled = np.subtract(views[-1].place, before)
    return float(np.arctan2(travelled[1], travelled[0])) if np.hypot(*travelled) > _AT_THE_END else None
