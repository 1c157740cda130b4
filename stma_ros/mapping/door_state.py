"""Determines from one view whether a piece of furniture or a door is open.

A closed piece is a box, and all visible surface lies on the faces of that box. An open one shows its inside, and a door
leaf or flap makes the box larger, so that its body lies in the middle of it. A view that fits both states gives no
result.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.depth_noise import depth_noise
from stma_ros.mapping.segments import SAMPLES, Segment
from stma_ros.mapping.thinning import thinned
from stma_ros.mapping.transforms import Pose
from stma_ros.mapping.visibility import box_visibility
from stma_ros.types.planar import turned

SKIN = 0.05
"""Handles and panels make fronts this thick [m]; two sigma of the depth noise are added."""

INSIDE_OPEN, INSIDE_CLOSED = 0.15, 0.004
"""Shares of the visible surface that lie deeper in the box than SKIN: above the first it is open (a closed microwave on
its open stand has up to 0.13), below the second it may be closed (a chest with its lid up has 0.016)."""

INSIDE_OPEN_CUT = 0.2
"""The first of these shares for a piece that the image cuts off: of that microwave, the stand alone has up to 0.17."""

SIZE_OPEN, SIZE_CLOSED, SIZE_DOOR = 0.012, 0.023, 0.005
"""Least solid angles [sr] of a view that shows the state: a small one shows too little of the inside."""

FAR = 4.0
"""Largest distance at which a door is reported as closed [m]: a leaf seen edge-on has no pixels beyond it."""

FLAT, DEEP = 0.06, 0.25
"""A front seen straight on is flatter than the first [m]; a piece with two visible faces is deeper than the second. In
between, a side and a leaf almost in its plane look like one crooked face."""

UNFILLED, FACE_PIXELS = 0.3, 30
"""Share of the view of one face of the box, of at least so many pixels, that goes on behind it where a leaf or a drawer
stands out beside the body: a closed piece fills its box."""

COVERED = 0.1
"""Share of a silhouette with something in front of it, from which on a leaf may be hidden."""

LEAF_OUT = 0.4
"""A door whose leaf and frame extend this far [m] both ways is open."""

DOOR_WIDTH, DOOR_HEIGHT, DOOR_DEPTH = 0.6, 1.2, 0.2
"""Smallest width and height, and largest depth, of the visible surface of a closed door [m]."""

THROUGH = 0.5
"""Share of rays through the middle of a frame from which on nothing fills it."""

FREE = 0.1
"""Share of a door's sides along which the view goes on behind it: the leaf stands in the room. A closed door is let
into a wall."""

HOLE = 4
"""Missing depth along an edge is filled from at most this many pixels away."""


@dataclass(frozen=True)
class SegmentedFrame:
    """A depth image with its segmentation.

    Attributes:
        depth_mm: (H, W) uint16 [mm].
        segments: (H, W) uint16 ids.
        camera: intrinsics.
        camera_pose: 4x4 pose of the optical frame in the frame of the segments.
        noise: of the depth, in multiples of `depth_noise`.
        floor: id of the floor in `segments`; 0 = it is not visible.
    """

    depth_mm: DepthImage
    segments: NDArray[np.uint16]
    camera: PinholeCamera
    camera_pose: Pose
    noise: float
    floor: int

    def solid_angle(self, segment: Segment) -> float:
        """Returns the approximate solid angle of a segment [sr]."""
        return len(segment.points) / (self.camera.fx * self.camera.fy)

    def distance(self, segment: Segment) -> float:
        """Returns the depth of the middle of a segment [m]."""
        return float((segment.center - self.camera_pose[:3, 3]) @ self.camera_pose[:3, 2])


def container_is_open(segment: Segment, frame: SegmentedFrame) -> bool | None:
    """Whether a piece of furniture with doors, drawers, a flap or a lid is open; None = the view does not show it."""
    size = frame.solid_angle(segment)
    if size < SIZE_OPEN:
        return None
    points = thinned(segment.points, max(1, len(segment.points) // SAMPLES))
    depth = (points - frame.camera_pose[:3, 3]) @ frame.camera_pose[:3, 2]
    skin = SKIN + 2 * frame.noise * depth_noise(depth)
    along = turned(points, -segment.yaw)
    inside = float(np.mean(np.minimum(along - segment.low, segment.high - along).min(axis=1) > skin))
    if inside > (INSIDE_OPEN_CUT if segment.truncated else INSIDE_OPEN):
        return True
    flat = float(segment.size[:2].min())
    if (
        inside > INSIDE_CLOSED
        or size < SIZE_CLOSED
        or segment.truncated
        or FLAT < flat < DEEP
        or frame.distance(segment) > FAR
    ):
        return None
    return False if _fills_its_box(segment, frame) and not _is_occluded(segment, frame) else None


def _fills_its_box(segment: Segment, frame: SegmentedFrame) -> bool:
    """Whether the view of each face of a segment's box ends there.

    An opened leaf in the plane of a side makes one larger face of both, but the top is that of the body alone.
    """
    step = max(1, int(np.sqrt(len(segment.points) / SAMPLES)))
    v, u = (index.ravel() for index in np.mgrid[segment.rows, segment.columns][:, ::step, ::step])
    camera, pose = frame.camera, frame.camera_pose
    depth = frame.depth_mm[v, u] * 1e-3
    rays = np.column_stack([(u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, np.ones(len(u))])
    rays = turned(rays @ pose[:3, :3].T, -segment.yaw)
    eye = turned(pose[:3, 3], -segment.yaw)
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.sort([(segment.low - eye) / rays, (segment.high - eye) / rays], axis=0)
    entry, face = ends[0].max(axis=1), ends[0].argmax(axis=1)
    beyond = (depth - entry) * np.abs(np.take_along_axis(rays, face[:, None], axis=1)[:, 0])
    skin = SKIN + 2 * frame.noise * depth_noise(depth)
    seen = (entry > 0) & (entry < ends[1].min(axis=1)) & (depth > 0) & (beyond > -skin)
    pixels = np.bincount(face[seen], minlength=3)
    unfilled = np.bincount(face[seen & (beyond > skin)], minlength=3)
    return not ((pixels * step**2 >= FACE_PIXELS) & (unfilled > UNFILLED * pixels)).any()


def _is_occluded(segment: Segment, frame: SegmentedFrame) -> bool:
    """Whether a part of the segment may be hidden behind something in front of it."""
    nearer, _ = _silhouette_shares(segment, frame, upright=True)
    return nearer > COVERED


def door_is_open(segment: Segment, frame: SegmentedFrame) -> bool | None:
    """Whether a door in a wall is open; None = the view does not show it."""
    width, height = segment.size[:2].max(), segment.size[2]
    depth = segment.size[:2].min()
    if frame.solid_angle(segment) < SIZE_DOOR:
        return None
    if depth > LEAF_OUT:
        return True
    cut = segment.columns.start == 0 or segment.columns.stop == frame.camera.width
    if cut or depth > DOOR_DEPTH or width < DOOR_WIDTH or height < DOOR_HEIGHT:
        return None
    margin = np.array((0.0, 0.0, 0.15 * height))
    margin[segment.size[:2].argmax()] = 0.2 * width
    middle = box_visibility(
        frame.depth_mm,
        frame.camera,
        frame.camera_pose,
        segment.center,
        segment.size - 2 * margin,
        segment.yaw,
    )
    _, free = _silhouette_shares(segment, frame, upright=False)
    if middle.through > THROUGH:
        return True
    return False if free <= FREE and middle.through < 0.2 and middle.hidden < 0.3 else None


def _silhouette_shares(segment: Segment, frame: SegmentedFrame, *, upright: bool) -> tuple[float, float]:
    """Returns the shares of a segment's silhouette along which its neighbour is much nearer, and much farther away.

    The sides count, and upper and lower edge as well if `upright`; the floor in front of it is no obstacle.
    """
    height, width = frame.segments.shape
    rows = slice(max(segment.rows.start - HOLE, 0), min(segment.rows.stop + HOLE, height))
    columns = slice(max(segment.columns.start - HOLE, 0), min(segment.columns.stop + HOLE, width))
    ids, depth = frame.segments[rows, columns], frame.depth_mm[rows, columns].astype(np.int32)
    step = max(1, (segment.rows.stop - segment.rows.start) // 100)
    pairs = [(ids[::step], depth[::step])]
    if upright:
        pairs.append((ids[:, ::step].T, depth[:, ::step].T))
    edge = nearer = farther = 0
    for labels, depths in pairs:
        onwards, back = _with_filled_holes(depths), _with_filled_holes(depths[:, ::-1])[:, ::-1]
        sides = (
            (labels[:, :-1], onwards[:, :-1], labels[:, 1:], back[:, 1:]),
            (labels[:, 1:], back[:, 1:], labels[:, :-1], onwards[:, :-1]),
        )
        for own_label, own_depth, neighbour, neighbour_depth in sides:
            rim = (
                (own_label == segment.id)
                & (neighbour != segment.id)
                & (own_depth > 0)
                & (neighbour_depth > 0)
            )
            slack = 60 + 0.06 * own_depth
            edge += int(rim.sum())
            nearer += int((rim & (neighbour != frame.floor) & (neighbour_depth < own_depth - slack)).sum())
            farther += int((rim & (neighbour_depth > own_depth + slack)).sum())
    return nearer / max(edge, 1), farther / max(edge, 1)


def _with_filled_holes(depth: NDArray[np.int32]) -> NDArray[np.int32]:
    """Returns depth with the holes in each row filled from their left: cameras measure little along edges."""
    filled: NDArray[np.int32] = depth.copy()
    for _ in range(HOLE - 1):
        filled[:, 1:] = np.where(filled[:, 1:] == 0, filled[:, :-1], filled[:, 1:])
    return filled
