"""What a keyframe says of the faces of known objects that its detections do not reach, or exceed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.memory.keyframe_observation import KeyframeObservation
from stma_ros.memory.negative_evidence import PLAIN_PIXELS, BoxVisibility, VisibilityTest
from stma_ros.memory.shapes import NOISE
from stma_ros.memory.tracked_object import TrackedObject
from stma_ros.types.sensing import Detection

MAX_HIDDEN_SHARE = 0.05
"""An object of which at most this share is hidden counts as in plain view."""

MAX_HIDDEN_SLAB = 0.3
"""Where at most this share of the space next to a view of an object is hidden, the object would show there."""

EMPTY_SLAB = 0.5
"""Share of rays through this space from which on it is empty."""

OUTER = 0.8
"""The space beyond this share of it has to be in view as well if the image cut the object off."""

THIN = 5e-4
"""Boxes without thickness are grown by this much [m] before their volumes are compared."""

OTHERS_SLAB = 0.5
"""Share of this space in the box of a detection of another category from which on that is what stands there."""

Pairs = Sequence[tuple[Detection, TrackedObject]]

_UPRIGHT = ((0, 0), (0, 1), (1, 0), (1, 1))


def occlusion(keyframe: KeyframeObservation, pairs: Pairs) -> list[bool | None]:
    """Returns for each matched pair whether something stood in front of the object; None = not known."""
    if keyframe.visibility_test is None or not pairs:
        return [None] * len(pairs)
    whole = BoxArray.of(item.shape.box.union(Box.of(detection.box)) for detection, item in pairs)
    look = keyframe.visibility_test(whole.middle, whole.extent, whole.yaw)
    return [bool(share > MAX_HIDDEN_SHARE) for share in look.hidden]


def freed_faces(keyframe: KeyframeObservation, pairs: Pairs) -> list[NDArray[np.bool_]]:
    """Returns for each matched pair the upright faces (2, 3) of the object's box that lie beyond the detection, and
    between which and the detection most of the space is in view.

    Where the image cut the object off, this space must be empty, or be that of another detection.
    """
    freed = [np.zeros((2, 3), np.bool_) for _ in pairs]
    slabs: list[Box] = []
    ends: list[Box] = []
    places: list[tuple[int, int, int]] = []
    if keyframe.visibility_test is None:
        return freed
    for number, (detection, item) in enumerate(pairs):
        shape = item.shape
        seen = Box.of(detection.box).faces_along(shape.yaw)
        for side, axis in _UPRIGHT:
            if abs(seen[side, axis] - shape.faces[side, axis]) > NOISE:
                slab = shape.faces.copy()
                slab[1 - side, axis] = seen[side, axis]
                if slab[0, axis] < slab[1, axis]:
                    slabs.append(Box.of_faces(slab, shape.yaw))
                    slab[1 - side, axis] += OUTER * (slab[side, axis] - slab[1 - side, axis])
                    ends.append(Box.of_faces(slab, shape.yaw))
                    places.append((number, side, axis))
    if not slabs:
        return freed
    between = BoxArray.of(slabs)
    look = _look(keyframe.visibility_test, between)
    free = _is_plain(look)
    cut = np.array([pairs[number][0].truncated for number, _, _ in places])
    if cut.any():
        categories = [pairs[number][1].category for number, _, _ in places]
        explained = (look.through >= EMPTY_SLAB) | _of_others(between, categories, keyframe.detections)
        free &= ~cut | (explained & _is_plain(_look(keyframe.visibility_test, BoxArray.of(ends))))
    for (number, side, axis), is_free in zip(places, free.tolist(), strict=True):
        freed[number][side, axis] = is_free
    return freed


def _look(visibility_test: VisibilityTest, boxes: BoxArray) -> BoxVisibility:
    return visibility_test(boxes.middle, boxes.extent, boxes.yaw)


def _is_plain(look: BoxVisibility) -> NDArray[np.bool_]:
    """Returns (N,) whether most of each box is in view."""
    plain: NDArray[np.bool_] = (look.pixels >= PLAIN_PIXELS) & (look.hidden <= MAX_HIDDEN_SLAB)
    return plain


def _of_others(
    slabs: BoxArray, categories: Sequence[str], detections: Sequence[Detection]
) -> NDArray[np.bool_]:
    """Returns (N,) whether a detection of another category than that of the slab covers most of it."""
    share = slabs.covered_by(BoxArray.of(Box.of(detection.box) for detection in detections), THIN)
    other = np.array([[detection.category != each for detection in detections] for each in categories])
    found: NDArray[np.bool_] = np.where(other, share, 0.0).max(axis=1, initial=0.0) >= OTHERS_SLAB
    return found
