"""Segments of a depth image in space: their points, and boxes around them in their own axes, corrected for noise."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from stma_ros.mapping.camera import DepthImage, PinholeCamera, inverse_depth
from stma_ros.mapping.depth_noise import depth_noise, slack_by_depth
from stma_ros.mapping.headings import heading
from stma_ros.mapping.mask_bleeding import without_bleeding
from stma_ros.mapping.segment_kernels import (
    BEYOND,
    COL0,
    COL1,
    FLYING,
    GOOD,
    MEASURED,
    ROW0,
    ROW1,
    STEADY,
    TOTAL,
    UNMEASURED,
    gather_points,
    sort_pixels,
)
from stma_ros.mapping.thinning import thinned
from stma_ros.mapping.transforms import Pose
from stma_ros.types.planar import turned

TRIM = 0.01
"""Share of the extent of a large segment that is cut off at either end: wrong pixels lie there."""

TRIMMED_FROM = 200
"""Segments of fewer pixels are not trimmed: every pixel of a small object counts."""

SHOULDER = 0.16
"""Share of the points beyond one sigma of noise, at either end of a flat face."""

SAMPLES = 2048
"""Points of a segment from which its extent is measured; more change nothing."""

FLYING_SLACK = 0.03
"""A pixel farther than this [m], plus six sigma of noise, from the surface of its neighbours is a mixture of foreground
and background at an edge (a flying pixel)."""

CLEAN = 0.3
"""Below this share of the usual noise, a camera is a simulator's and has no flying pixels."""

CUT_OFF = 0.02
"""Share of pixels beyond the range from which on a segment counts as cut off by it."""

CUTS = (np.pi / 6, np.pi / 3)
"""Angles from the heading at which an outline is measured as well [rad]."""

UNMEASURED_ALLOWED = 0.6
"""Share of pixels without depth from which on a segment counts as cut off: cameras measure little at edges, and a small
object is mostly edge."""


@dataclass(frozen=True)
class Segment:
    """One segment with depth.

    Attributes:
        id: in the segmentation.
        points: (N, 3) float32 in the frame of the camera's pose [m].
        index: (N,) int32 pixels of these points in the flattened image.
        low, high: (3,) float64 least and greatest coordinates of the visible surface along its own axes, those of
            the frame turned by `yaw` about z [m].
        yaw: heading of the surface [rad], up to quarter turns.
        yaw_stddev: its standard deviation [rad].
        outline: (K, 2) convex outline seen from above, counter-clockwise, in the frame of the camera's pose [m].
        rows, columns: bounds in the image.
        truncated: whether it is cut off by the image's border, by range, or by missing depth.
    """

    id: int
    points: NDArray[np.float32]
    index: NDArray[np.int32]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    yaw: float
    yaw_stddev: float
    outline: NDArray[np.float64]
    rows: slice
    columns: slice
    truncated: bool

    @property
    def center(self) -> NDArray[np.float64]:
        """(3,) centre of the box in the frame of the camera's pose [m]."""
        return turned((self.low + self.high) / 2, self.yaw)

    @property
    def size(self) -> NDArray[np.float64]:
        """(3,) side lengths of the box along its own axes [m]."""
        return self.high - self.low


def find_segments(
    depth_mm: DepthImage,
    camera: PinholeCamera,
    camera_pose: Pose,
    segments: NDArray[np.uint16],
    wanted: Collection[int],
    max_range: float,
    noise: float,
) -> list[Segment]:
    """Finds the segments with depth.

    Args:
        depth_mm: (H, W) uint16 [mm]; 0 = not measured.
        camera: intrinsics of the image.
        camera_pose: 4x4 pose of the optical frame (REP-103) in the frame of the result.
        segments: (H, W) uint16 ids.
        wanted: ids to return.
        max_range: pixels at this depth or beyond are ignored [m].
        noise: of the depth, in multiples of `depth_noise` (see `noise_level`).

    Returns:
        Segments with at least one valid pixel, sorted by id.

    Raises:
        ValueError: the image is not the camera's.
    """
    camera.check_depth(depth_mm)
    ids = sorted(set(wanted))
    height, width = depth_mm.shape
    slots = np.full(1 << 16, -1, np.int16)
    slots[ids] = np.arange(len(ids))
    counts = np.zeros((len(ids), 9), np.int64)
    counts[:, ROW0], counts[:, COL0] = height, width
    verdict = np.zeros(depth_mm.shape, np.uint8)
    depth_mm, segments = np.ascontiguousarray(depth_mm), np.ascontiguousarray(segments)
    inverse = inverse_depth(depth_mm)
    segments = without_bleeding(inverse, segments, slots >= 0, noise)
    slack = slack_by_depth(FLYING_SLACK, 6 * noise) if noise > CLEAN else np.empty(0, np.float32)
    sort_pixels(
        depth_mm,
        inverse,
        segments,
        slots,
        min(round(max_range * 1000), 1 << 16),
        slack,
        counts,
        verdict,
    )
    # An object of mostly flying pixels has many edges (a plant, a bicycle): then all pixels count.
    trusted = 2 * counts[:, STEADY] >= counts[:, MEASURED]
    sizes = np.where(trusted, counts[:, STEADY], counts[:, MEASURED])
    ends = np.cumsum(sizes)
    starts = ends - sizes
    points, index = np.empty((ends[-1] if len(ids) else 0, 3), np.float32), np.empty(sizes.sum(), np.int32)
    accepted = np.where(trusted, GOOD, FLYING).astype(np.uint8)
    rays, eye = _rays(camera, camera_pose)
    gather_points(depth_mm, segments, slots, verdict, accepted, starts.copy(), rays, eye, points, index)
    found = []
    for slot, number in enumerate(ids):
        if sizes[slot] == 0:
            continue
        count, own = counts[slot], slice(starts[slot], ends[slot])
        surface = thinned(points[own], max(1, int(sizes[slot]) // SAMPLES)).astype(np.float64)
        sigma = _sigma(np.median(surface, axis=0), camera_pose[:3, 3], camera_pose[:3, 2], noise)
        yaw, yaw_stddev = heading(surface[:, :2], float(np.hypot(sigma[0], sigma[1])))
        low, high = _extent(surface, camera_pose, noise, yaw)
        outline = _outline(surface, camera_pose, noise, yaw, low, high)
        rows, columns = slice(int(count[ROW0]), int(count[ROW1])), slice(int(count[COL0]), int(count[COL1]))
        truncated = (
            rows.start == 0
            or columns.start == 0
            or rows.stop == height
            or columns.stop == width
            or count[BEYOND] > CUT_OFF * count[TOTAL]
            or count[UNMEASURED] > UNMEASURED_ALLOWED * count[TOTAL]
        )
        found.append(
            Segment(
                number,
                points[own],
                index[own],
                low,
                high,
                yaw,
                yaw_stddev,
                outline,
                rows,
                columns,
                bool(truncated),
            )
        )
    return found


def _rays(camera: PinholeCamera, pose: Pose) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Returns the steps of a point per mm of depth [m] (constant, per column, per row), and the camera's position."""
    axes = pose[:3, :3].T
    along_u, along_v = axes[0] / camera.fx, axes[1] / camera.fy
    rays = np.stack((axes[2] - camera.cx * along_u - camera.cy * along_v, along_u, along_v)) * 1e-3
    return rays.astype(np.float32), pose[:3, 3].astype(np.float32)


def _sigma(
    point: NDArray[np.float64], eye: NDArray[np.float64], ahead: NDArray[np.float64], noise: float
) -> NDArray[np.float64]:
    """Returns (3,) the standard deviation of a point (3,) along the axes of its frame, by the noise of depth [m], for a
    camera at `eye` (3,) that looks along `ahead` (3,)."""
    ray = point - eye
    depth = ray @ ahead
    sigma: NDArray[np.float64] = noise * depth_noise(depth) * np.abs(ray) / depth
    return sigma


def _extent(
    points: NDArray[np.float64], pose: Pose, noise: float, yaw: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the least and the greatest coordinates of points along axes turned by `yaw` [rad], corrected for noise.

    A flat face at 4 m seems 15 cm thick to a noisy camera: its outermost points lie as far out as noise carries the
    outermost of so many. Where points thin out more slowly than noise does, they are surfaces.
    """
    points, eye, ahead = turned(points, -yaw), turned(pose[:3, 3], -yaw), turned(pose[:3, 2], -yaw)
    count = len(points)
    outer = int(count * TRIM) if count >= TRIMMED_FROM else 0
    inner = max(int(count * SHOULDER), outer)
    ranks = [outer, inner, count // 2, count - 1 - inner, count - 1 - outer]
    low, low_shoulder, middle, high_shoulder, high = np.partition(points, ranks, axis=0)[ranks]
    if noise == 0:
        return low, high
    sigma = _sigma(middle, eye, ahead, noise)
    reach, shoulder = -ndtri((outer + 0.5) / count), -ndtri((inner + 0.5) / count)
    usual = np.maximum((reach - shoulder) * sigma, 1e-6)

    def overshoot(width: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns the length that noise adds at an end where the outermost points lie `width` beyond the shoulder."""
        excess: NDArray[np.float64] = np.clip(1.5 - width / usual / 2, 0, 1) * reach * sigma
        return excess

    return (
        np.minimum(low + overshoot(low_shoulder - low), middle),
        np.maximum(high - overshoot(high - high_shoulder), middle),
    )


def _outline(
    points: NDArray[np.float64],
    pose: Pose,
    noise: float,
    yaw: float,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Returns (K, 2) the corners of the box from `low` to `high` [m], cut by boxes of further headings."""
    outline = turned([(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])], yaw)
    for turn in CUTS:
        least, greatest = _extent(points, pose, noise, yaw + turn)
        for direction, least_along, greatest_along in (
            (yaw + turn, least[0], greatest[0]),
            (yaw + turn + np.pi / 2, least[1], greatest[1]),
        ):
            normal = np.array((np.cos(direction), np.sin(direction)))
            outline = _cut(_cut(outline, normal, greatest_along), -normal, -least_along)
    return outline


def _cut(outline: NDArray[np.float64], normal: NDArray[np.float64], limit: float) -> NDArray[np.float64]:
    """Returns the part of a convex outline (K, 2) with outline @ normal <= limit; all of it if none remains."""
    beyond = outline @ normal - limit
    if (beyond <= 0).all() or (beyond > 0).all():
        return outline
    following, over = np.roll(outline, -1, axis=0), np.roll(beyond, -1)
    corners = []
    for here, there, past, next_past in zip(outline, following, beyond, over, strict=True):
        if past <= 0:
            corners.append(here)
        if (past <= 0) != (next_past <= 0):
            corners.append(here + (there - here) * (past / (past - next_past)))
    return np.array(corners)
