"""Negative evidence: what a depth image says of objects that should be in view and were not detected."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Corner

MAX_RANGE = 4.0
"""Beyond this distance [m] a detector may overlook an object."""

CORE = 0.6
"""Share of a box's sides that is tested: after an object has gone, its surroundings still touch the rest of its box."""

PLAIN_PIXELS, CLOSE_PIXELS = 25, 400
"""Pixels of an object's core that are enough for evidence of absence, and that are enough for full evidence."""

NAMED_PIXELS = 100
"""Pixels of an object's core from which on a detector finds the usual share of such objects: it overlooks more of what
shows less."""


class BoxVisibility(Protocol):
    """Visibility of N boxes in one depth image."""

    @property
    def pixels(self) -> NDArray[np.int64]: ...
    @property
    def through(self) -> NDArray[np.float64]: ...
    @property
    def hidden(self) -> NDArray[np.float64]: ...


class VisibilityTest(Protocol):
    """Compares N boxes, centres and sides (N, 3) [m] and headings (N,) [rad] in the map frame, with the depth image of
    one keyframe."""

    def __call__(self, middle: ArrayLike, extent: ArrayLike, yaw: ArrayLike, /) -> BoxVisibility: ...


USUAL_RECALL = 0.8
"""Share of the things in plain view that a detector finds of which nothing is known."""

OVERLOOKED = 0.25
"""Evidence of absence of a view of a small thing's place that shows something else there, or its support, for a
detector with the usual recall. One with less recall takes as many more views until it is as rare that a thing was
overlooked in all of them."""


class Look(NamedTuple):
    """What a keyframe without a detection of an object says of it.

    Attributes:
        doubt: evidence that it has gone [0..1], to be added up over keyframes.
        is_empty: whether its place is seen to be empty.
        is_overlooked: whether something is in plain view at its place, which the detector did not name.
    """

    doubt: float
    is_empty: bool
    is_overlooked: bool


def absence_evidence(
    boxes: BoxArray,
    small: NDArray[np.bool_],
    confirmed: NDArray[np.bool_],
    repeated: NDArray[np.bool_],
    recalls: NDArray[np.float64],
    viewpoint: Corner,
    visibility_test: VisibilityTest,
) -> list[Look]:
    """Returns how strongly one keyframe without a detection of an object says that the object has gone.

    Furniture takes more evidence: under a table, for example, rays pass through its box. An object that one keyframe
    alone has shown takes less: it may have been a mistake of the detector.

    Args:
        boxes: the N objects' boxes in the map frame.
        small: (N,) whether each is a small, compact object.
        confirmed: (N,) whether more than one keyframe has shown each.
        repeated: (N,) whether the last evidence against each was seen from about here: a detector that overlooks an
            object overlooks it again from the same place.
        recalls: (N,) share of the things in plain view that the detectors of each find (0..1).
        viewpoint: (3,) position of the camera [m].
        visibility_test: compares boxes with the keyframe's depth image.
    """
    look = visibility_test(boxes.middle, boxes.extent * CORE, boxes.yaw)
    in_range = np.linalg.norm(boxes.middle - viewpoint, axis=1) <= MAX_RANGE
    enough = in_range & (look.pixels >= PLAIN_PIXELS)
    found = np.zeros(len(boxes))
    # In plain view; rays through a flat object always end at its support.
    plain = enough & (look.hidden <= 0.1)
    rarely = np.log1p(-np.minimum(recalls, USUAL_RECALL)) / np.log1p(-USUAL_RECALL)
    found[plain & ~repeated & small] = OVERLOOKED
    found[plain & ~repeated & ~confirmed] = 2 * OVERLOOKED
    found[enough & small & (look.through >= 0.5)] = 0.5
    found[enough & small & (look.through >= 0.8) & (look.pixels >= CLOSE_PIXELS)] = 1.0
    found[enough & ~small & (look.through >= 0.95) & (look.pixels >= CLOSE_PIXELS)] = 0.25
    # A place that is seen through from where it was before says more only if hardly any thing is overlooked.
    found *= np.where(repeated & (recalls < USUAL_RECALL), 0.0, rarely)
    empty = look.through >= 0.5
    overlooked = plain & ~empty & (look.pixels >= NAMED_PIXELS)
    return [Look(*each) for each in zip(found.tolist(), empty.tolist(), overlooked.tolist(), strict=True)]
