"""The box of one object, estimated from many views.

A view shows a surface, not a body: which faces of the box it shows depends on where the camera stood, and on what was
in the way. A face that was seen is averaged over the views, with near views weighted more. A face that was not seen can
only be farther out than the view says. The heading is averaged as well, up to quarter turns.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.boxes import ALIGNED, Box, Corner, Faces
from stma_ros.types.planar import off_quarter, turned
from stma_ros.types.standard import Time

MAX_SUPPORT = 4.0
"""Support of a face is limited to this, which is eight views from one metre, so that new views keep their influence."""

FIRM = 0.5
"""A face with more support than this is known: what a view shows beyond it is taken for a neighbour that a detector has
joined with the object, and a view that ends before it for one of a part, until further views show the same."""

NOISE = 0.06
"""A face that is off by less than this [m] is noise of the camera or of the pose; by more, another part of the object.
"""

OVERVIEW = 0.05
"""A camera that is at least this much above an object's top [m] sees its far edge as well."""

HEADING_FLOOR = 0.02
"""Standard deviation of a heading that all views of an object may have in common [rad]."""

MAX_HEADING_SUPPORT = 8.0
"""Support of a heading is limited to this many views of the best kind."""

OUTLIER = 0.25
"""A view whose heading differs by more than this [rad] shows another part of the object, or the object turned."""

_AXES = range(3)
NOTHING_FREED: NDArray[np.bool_] = np.zeros((2, 3), np.bool_)
"""No face of a known shape lies before space that a view shows to be free."""
NOTHING_FREED.flags.writeable = False

_NO_OUTLINE: NDArray[np.float64] = np.zeros((0, 2))


@dataclass(frozen=True)
class ShapeEvidence:
    """One detection as evidence of a shape.

    Attributes:
        box: box of the visible surface in the map frame.
        viewpoint: (3,) position of the camera [m]; None = not known.
        partial: whether the image cut the object off, or something stood in front of it.
        clear: whether both are known not to be the case.
        freed: (2, 3) whether the space between the view's face and that of the known shape is in plain view.
        outline: (K, 2) convex outline of the visible surface seen from above [m]; without points it is that of the box.
        yaw_stddev: standard deviation of the box's heading [rad]; inf = it is not known.
    """

    box: Box
    viewpoint: Corner | None
    partial: bool
    clear: bool
    outline: NDArray[np.float64] = field(default_factory=lambda: _NO_OUTLINE)
    yaw_stddev: float = np.inf
    freed: NDArray[np.bool_] = field(default_factory=lambda: NOTHING_FREED)

    @property
    def heading_weight(self) -> float:
        """Weight of the heading as evidence [0..1]."""
        return HEADING_FLOOR**2 / (HEADING_FLOOR**2 + self.yaw_stddev**2)

    def along(self, yaw: float) -> ShapeEvidence:
        """Returns the evidence with a box whose axes point in the direction `yaw` [rad].

        A box with nearly these axes is taken to have them: its heading is an estimate. Another one is measured anew by
        the outline.
        """
        faces = self.box.faces_along(yaw)
        if abs(float(off_quarter(yaw - self.box.yaw))) >= ALIGNED and len(self.outline):
            outline = turned(self.outline, -yaw)
            faces[:, :2] = outline.min(axis=0), outline.max(axis=0)
        return replace(self, box=Box.of_faces(faces, yaw))

    @property
    def weight(self) -> float:
        """Weight of the evidence (0..1]: noise grows with the square of the range."""
        if self.viewpoint is None:
            return 0.5
        apart = (np.abs(self.box.local(self.viewpoint)) - self.box.extent / 2).clip(0)
        return 1 / (1 + float(apart @ apart))

    def shown_faces(self) -> tuple[tuple[bool, bool, bool], tuple[bool, bool, bool]]:
        """Returns for the three low faces, and for the three high faces, whether the view shows them."""
        if self.viewpoint is None or self.partial:
            return (False, False, False), (False, False, False)
        at, half = self.box.local(self.viewpoint).tolist(), (self.box.extent / 2).tolist()
        above = at[2] > half[2] + OVERVIEW
        # Of a surface that faces the camera, lower and upper edge are visible.
        return (
            (above or at[0] < half[0], above or at[1] < half[1], True),
            (above or at[0] > -half[0], above or at[1] > -half[1], True),
        )


@dataclass(frozen=True, eq=False)
class Shape:
    """A box with support for each of its faces and for its heading.

    Attributes:
        faces: (2, 3) float64, the least and the greatest coordinates along the box's own axes [m].
        support: (2, 3) evidence for each face, up to MAX_SUPPORT; 0 = no view has shown it.
        stamp: of the last keyframe that showed the object.
        yaw: heading of the box's own axes in the map frame [rad].
        yaw_support: evidence for the heading, up to MAX_HEADING_SUPPORT; 0 = it is arbitrary.
    """

    faces: Faces
    support: NDArray[np.float64]
    stamp: Time
    yaw: float = 0.0
    yaw_support: float = 0.0

    @classmethod
    def from_evidence(cls, evidence: ShapeEvidence, stamp: Time) -> Shape:
        """Returns the shape that one view shows."""
        support = np.where(np.array(evidence.shown_faces()), evidence.weight, 0.0)
        return cls(evidence.box.faces, support, stamp, evidence.box.yaw, evidence.heading_weight)

    @classmethod
    def from_guess(cls, box: Box, stamp: Time) -> Shape:
        """Returns a shape that no view supports."""
        return cls(box.faces, np.zeros((2, 3)), stamp, box.yaw)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shape):
            return NotImplemented
        same = np.array_equal(self.faces, other.faces) and np.array_equal(self.support, other.support)
        headed = (self.yaw, self.yaw_support) == (other.yaw, other.yaw_support)
        return bool(same) and headed and self.stamp == other.stamp

    def __hash__(self) -> int:
        return hash(self.faces.tobytes())

    @cached_property
    def box(self) -> Box:
        """The box, without the support of its faces."""
        return Box.of_faces(self.faces, self.yaw)

    def unsupported(self, stamp: Time) -> Shape:
        """Returns the same box with the same heading, and without support for its faces."""
        return replace(self, support=np.zeros((2, 3)), stamp=stamp)

    def updated(self, evidence: ShapeEvidence, stamp: Time) -> Shape:
        """Returns the shape with one more view taken into account."""
        shape = self._headed(evidence)
        evidence = evidence.along(shape.yaw)
        shown, weight = evidence.shown_faces(), evidence.weight
        faces, support = shape.faces.tolist(), shape.support.tolist()
        seen = evidence.box.faces.tolist()
        for side, outward in ((0, -1.0), (1, 1.0)):
            for axis in _AXES:
                change = seen[side][axis] - faces[side][axis]
                gain = weight / (support[side][axis] + weight)
                if change * outward > 0:
                    if abs(change) > NOISE and support[side][axis] > FIRM:
                        support[side][axis] = max(support[side][axis] - weight, 0.0)
                        continue
                    # A new extent is adopted fast; an outlier shrinks again with the next views.
                    gain = max(gain, 0.5) if abs(change) > NOISE else gain
                elif evidence.freed[side, axis]:
                    # Not at once, and not all of it: a detector may have seen a part of it alone.
                    if support[side][axis] <= FIRM:
                        faces[side][axis] += 0.5 * change
                    support[side][axis] = max(support[side][axis] - weight, 0.0)
                    continue
                elif not (shown[side][axis] and (evidence.clear or abs(change) < NOISE)):
                    continue  # no evidence that there is nothing: something may have hidden it
                faces[side][axis] += gain * change
                if shown[side][axis]:
                    support[side][axis] = min(support[side][axis] + weight, MAX_SUPPORT)
        for axis in _AXES:
            if faces[0][axis] > faces[1][axis]:  # the view lies beyond one of the faces: that face was wrong
                faces[0][axis], faces[1][axis] = seen[0][axis], seen[1][axis]
                support[0][axis] = support[1][axis] = 0.0
        return replace(shape, faces=np.array(faces), support=np.array(support), stamp=stamp)

    def _headed(self, evidence: ShapeEvidence) -> Shape:
        """Returns the shape with the heading that follows from one more view."""
        weight, known = evidence.heading_weight, self.yaw_support
        off = float(off_quarter(evidence.box.yaw - self.yaw))
        if weight == 0:
            return self
        if abs(off) <= OUTLIER or known == 0:
            turn, support = off * weight / (known + weight), min(known + weight, MAX_HEADING_SUPPORT)
        elif weight > known:
            turn, support = off, weight - known
        else:
            turn, support = 0.0, known - weight
        return replace(self.turned(turn), yaw_support=support)

    def turned(self, turn: float) -> Shape:
        """Returns the shape turned about the middle of its box by an angle [rad], counter-clockwise."""
        if turn == 0:
            return self
        box = self.box
        return replace(self, faces=replace(box, yaw=self.yaw + turn).faces, yaw=self.yaw + turn)

    def extended(self, other: Shape) -> Box:
        """Returns the box, extended to `other` on the sides that no view of this shape has shown."""
        unseen, along = self.support == 0, other.box.faces_along(self.yaw)
        low = np.where(unseen[0], np.minimum(self.faces[0], along[0]), self.faces[0])
        high = np.where(unseen[1], np.maximum(self.faces[1], along[1]), self.faces[1])
        return Box.of_faces(np.array([low, high]), self.yaw)

    def joined(self, other: Shape) -> Shape:
        """Returns the shape of an object of which this shape and `other` are two parts.

        It has the heading that is better known.
        """
        first, second = (other, self) if other.yaw_support > self.yaw_support else (self, other)
        return replace(
            first,
            faces=first.box.union(second.box).faces,
            support=np.minimum(self.support, other.support),
            stamp=max(self.stamp, other.stamp),
        )

    def moved(self, pose: NDArray[np.float64]) -> Shape:
        """Returns the shape after its views were moved by the rigid 4x4 `pose`."""
        box = self.box.moved(pose)
        return replace(self, faces=box.faces, yaw=box.yaw)
