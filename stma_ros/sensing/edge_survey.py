"""Compares the edges of depth with those of colour: images of two cameras that are not registered do not fit.

Where depth has a step, one thing ends before another, and colour mostly changes there, too. Over many frames, the
displacement at which colour changes most at the steps of depth is that of the images.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.types.standard import NANOSECONDS_PER_SECOND

PERIOD = NANOSECONDS_PER_SECOND // 2
"""Time between two frames that are looked at [ns]."""

STEP = 0.3
"""Least difference in depth of neighbouring pixels at which one thing ends before another [m]."""

REACH = 0.1
"""Largest displacement that is tried, as a share of the width of the image."""

LEAST_STEPS = 2000
"""Steps of depth that must have been seen."""

LEAST_OFFSET = 0.009
"""Displacement that counts, as a share of the width: 3 pixels of 320."""

CLEAR = 1.25
"""How much stronger the edges of colour must be there than where they should be."""


class EdgeSurvey:
    """Collects the changes of colour around steps of depth, from frames of one size."""

    def __init__(self) -> None:
        self._last: int | None = None
        self._shape: tuple[int, ...] = ()
        self._sums: dict[int, NDArray[np.float64]] = {}  # by axis, at each displacement
        self._counts = {0: 0, 1: 0}

    def take(self, frame: CameraFrame) -> None:
        """Takes a frame; one that is too close in time to the last one, or of another size, is passed over."""
        stamp = frame.stamp.nanoseconds
        if frame.view is None or frame.color is None:
            return
        if self._last is not None and 0 <= stamp - self._last < PERIOD:
            return
        depth = frame.view.depth_mm.astype(np.int32)
        self._shape = self._shape or depth.shape
        if depth.shape != self._shape:
            return
        self._last = stamp
        grey = frame.color.astype(np.float32).mean(axis=2)
        for axis in (0, 1):
            self._add(axis, depth, grey)

    def _add(self, axis: int, depth: NDArray[np.int32], grey: NDArray[np.float32]) -> None:
        """Adds the changes of colour along an axis (0 = down, 1 = to the right)."""
        change = np.abs(np.diff(grey, axis=axis))
        near, far = np.minimum(*_pairs(depth, axis)), np.maximum(*_pairs(depth, axis))
        steps = (near > 0) & (far - near > 1000 * STEP)
        reach = self._reach
        inner = [slice(None), slice(None)]
        inner[axis] = slice(reach, change.shape[axis] - reach)
        at = np.nonzero(steps[tuple(inner)])
        sums = self._sums.setdefault(axis, np.zeros(2 * reach + 1))
        for displacement in range(2 * reach + 1):
            moved = list(at)
            moved[axis] = at[axis] + displacement
            sums[displacement] += change[tuple(moved)].sum()
        self._counts[axis] += len(at[0])

    @property
    def _reach(self) -> int:
        return round(REACH * self._shape[1])

    def offset(self) -> tuple[int, int] | None:
        """Returns by how many pixels colour lies to the right of depth, and below it; None if it clearly lies where it
        should, or if that cannot be told."""
        found = [self._displacement(axis) for axis in (1, 0)]
        return None if not any(found) else (found[0], found[1])

    def _displacement(self, axis: int) -> int:
        if self._counts[axis] < LEAST_STEPS:
            return 0
        sums, reach = self._sums[axis], self._reach
        best = int(sums.argmax())
        is_clear = sums[best] >= CLEAR * max(sums[reach], np.median(sums))
        is_inside = 0 < best < 2 * reach  # else the true displacement may be beyond
        is_far = abs(best - reach) >= max(2, LEAST_OFFSET * self._shape[1])
        return best - reach if is_clear and is_inside and is_far else 0


def _pairs(image: NDArray[np.int32], axis: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Returns the pixels before and after each step along an axis."""
    count = image.shape[axis]
    return image.take(range(count - 1), axis), image.take(range(1, count), axis)


def offset_note(right: int, down: int) -> str:
    """Returns what is told of images whose edges do not fit; arguments as `EdgeSurvey.offset` returns them."""
    return (
        f"the edges of colour lie {abs(right)} pixels to the {'right' if right > 0 else 'left'} of those of depth, and "
        f"{abs(down)} {'below' if down >= 0 else 'above'}: depth is not registered to colour; record the registered "
        "depth (aligned_depth_to_color, say), or name the calibration of the depth camera as topics.depth_camera_info "
        "in a mapping file"
    )
