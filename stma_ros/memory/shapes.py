"""The box of one object, estimated from many views.

A view shows a surface, not a body: which faces of the box it shows depends on where the camera stood, and on what was
in the way. A face that was seen is averaged over the views, with near views weighted more. A face that was not seen can
only be farther out than the view says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.boxes import Box, Corner
from stma_ros.types.standard import Time

MAX_SUPPORT = 4.0
"""Support of a face is limited to this, which is eight views from one metre, so that new views keep their influence."""

NOISE = 0.06
"""A face that is off by less than this [m] is noise of the camera or of the pose; by more, another part of the object.
"""

OVERVIEW = 0.05
"""A camera that is at least this much above an object's top [m] sees its far edge as well."""

_AXES = range(3)


@dataclass(frozen=True)
class ShapeEvidence:
    """One detection as evidence of a shape.

    Attributes:
        box: axis-aligned box of the visible surface in the map frame.
        viewpoint: (3,) position of the camera [m]; None = not known.
        partial: whether the image cut the object off, or something stood in front of it.
        clear: whether both are known not to be the case.
    """

    box: Box
    viewpoint: Corner | None
    partial: bool
    clear: bool

    @property
    def weight(self) -> float:
        """Weight of the evidence (0..1]: noise grows with the square of the range."""
        if self.viewpoint is None:
            return 0.5
        apart = np.maximum(self.box.low - self.viewpoint, self.viewpoint - self.box.high).clip(0)
        return 1 / (1 + float(apart @ apart))

    def shown_faces(self) -> tuple[tuple[bool, bool, bool], tuple[bool, bool, bool]]:
        """Returns for the three low faces, and for the three high faces, whether the view shows them."""
        if self.viewpoint is None or self.partial:
            return (False, False, False), (False, False, False)
        at, low, high = self.viewpoint.tolist(), self.box.low.tolist(), self.box.high.tolist()
        above = at[2] > high[2] + OVERVIEW
        # Of a surface that faces the camera, lower and upper edge are visible.
        return (
            (above or at[0] < high[0], above or at[1] < high[1], True),
            (above or at[0] > low[0], above or at[1] > low[1], True),
        )


@dataclass(frozen=True, eq=False)
class Shape:
    """A box with support for each of its faces.

    Attributes:
        faces: (2, 3) float64, low and high corner in the map frame [m].
        support: (2, 3) evidence for each face, up to MAX_SUPPORT; 0 = no view has shown it.
        stamp: of the last keyframe that showed the object.
    """

    faces: NDArray[np.float64]
    support: NDArray[np.float64]
    stamp: Time

    @classmethod
    def from_evidence(cls, evidence: ShapeEvidence, stamp: Time) -> Shape:
        """Returns the shape that one view shows."""
        support = np.where(np.array(evidence.shown_faces()), evidence.weight, 0.0)
        return cls(np.array([evidence.box.low, evidence.box.high]), support, stamp)

    @classmethod
    def from_guess(cls, box: Box, stamp: Time) -> Shape:
        """Returns a shape that no view supports."""
        return cls(np.array([box.low, box.high]), np.zeros((2, 3)), stamp)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shape):
            return NotImplemented
        same = np.array_equal(self.faces, other.faces) and np.array_equal(self.support, other.support)
        return bool(same) and self.stamp == other.stamp

    def __hash__(self) -> int:
        return hash(self.faces.tobytes())

    @property
    def box(self) -> Box:
        """The box, without the support of its faces."""
        return Box(self.faces[0], self.faces[1])

    def updated(self, evidence: ShapeEvidence, stamp: Time) -> Shape:
        """Returns the shape with one more view taken into account."""
        shown, weight = evidence.shown_faces(), evidence.weight
        faces, support = self.faces.tolist(), self.support.tolist()
        seen = evidence.box.low.tolist(), evidence.box.high.tolist()
        for side, outward in ((0, -1.0), (1, 1.0)):
            for axis in _AXES:
                change = seen[side][axis] - faces[side][axis]
                gain = weight / (support[side][axis] + weight)
                if change * outward > 0:
                    # A new extent is adopted fast; an outlier shrinks again with the next views.
                    gain = max(gain, 0.5) if abs(change) > NOISE else gain
                elif not (shown[side][axis] and (evidence.clear or abs(change) < NOISE)):
                    continue  # no evidence that there is nothing: something may have hidden it
                faces[side][axis] += gain * change
                if shown[side][axis]:
                    support[side][axis] = min(support[side][axis] + weight, MAX_SUPPORT)
        return Shape(np.array(faces), np.array(support), stamp)

    def extended(self, other: Shape) -> Box:
        """Returns the box, extended to `other` on the sides that no view of this shape has shown."""
        unseen = self.support == 0
        low = np.where(unseen[0], np.minimum(self.faces[0], other.faces[0]), self.faces[0])
        high = np.where(unseen[1], np.maximum(self.faces[1], other.faces[1]), self.faces[1])
        return Box(low, high)

    def joined(self, other: Shape) -> Shape:
        """Returns the shape of an object of which this shape and `other` are two parts."""
        box = self.box.union(other.box)
        return Shape(
            np.array([box.low, box.high]),
            np.minimum(self.support, other.support),
            max(self.stamp, other.stamp),
        )

    def moved(self, pose: NDArray[np.float64]) -> Shape:
        """Returns the shape after its views were moved by the rigid 4x4 `pose`."""
        box = self.box.moved(pose)
        return replace(self, faces=np.array([box.low, box.high]))
