"""Gathers the detections of one image, and the reasons why some of them cannot be used."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from stma_ros.sensing.detection_names import DetectionNames, UnnamedClassError
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import MessageError
from stma_ros.types.sensing import ExternalDetection, ExternalDetections, ObjectHypothesis
from stma_ros.types.standard import Header, Pose

SHOWN = 3
"""Number of reasons that a text lists at most."""

_NO_LENGTH = 1e-9  # of a quaternion

NO_BOX = ExternalDetection().box

Edges = tuple[float, float, float, float]
"""Left, top, right and bottom edge of a box in the image [px]."""

NO_EDGES: Edges = (math.nan, math.nan, math.nan, math.nan)


class UnusableDetectionError(ValueError):
    """A detection is not used; the text says why, without numbers that differ from one to the next."""


class DetectionGatherer:
    """Gathers the detections of one image."""

    def __init__(self, names: DetectionNames) -> None:
        self._names = names
        self._found: list[ExternalDetection] = []
        self._reasons: Counter[str] = Counter()

    def add(
        self,
        hypotheses: Sequence[tuple[str, float]],
        edges: Edges | None = None,
        box: BoundingBox3D | None = None,
    ) -> str:
        """Adds a detection. One that cannot be used is counted with the reason; one whose likeliest class is not
        remembered is left out.

        Args:
            hypotheses: Classes (labels, or numbers as text) with their scores [0..1].
            edges: Box in the image; None = it has none.
            box: Box in space; None = it has none.

        Returns:
            The reason why it cannot be used; empty if it can.
        """
        reason = ""
        try:
            found = self._hypotheses(hypotheses)
            if not found:
                return ""
            left, top, right, bottom = NO_EDGES if edges is None else checked_edges(edges)
            space = NO_BOX if box is None else checked_box(box)
            self._found.append(
                ExternalDetection(hypotheses=found, left=left, top=top, right=right, bottom=bottom, box=space)
            )
        except UnusableDetectionError as error:
            reason = str(error)
        except MessageError:
            reason = "a number is beyond all bounds"
        if reason:
            self.leave_out(reason)
        return reason

    def leave_out(self, reason: str) -> None:
        """Counts a detection that cannot be used."""
        self._reasons[reason] += 1

    def gathered(self, header: Header) -> ExternalDetections:
        """Returns the detections.

        Args:
            header: Stamp of the image, and frame of boxes in space.
        """
        return ExternalDetections(
            header=header, detections=tuple(self._found), incomplete=reasons_error(self._reasons)
        )

    def _hypotheses(self, hypotheses: Sequence[tuple[str, float]]) -> tuple[ObjectHypothesis, ...]:
        """Returns the hypotheses, the likeliest first; empty if that one is not remembered.

        Raises:
            UnusableDetectionError: It has none, a score is no number from 0 to 1, or the likeliest one has no name.
        """
        if any(not 0 <= score <= 1 for _, score in hypotheses):
            raise UnusableDetectionError("a score is not between 0 and 1")
        found: list[ObjectHypothesis] = []
        for index, (word, score) in enumerate(sorted(hypotheses, key=lambda each: -each[1])):
            try:
                category = self._names.category(word)
            except UnnamedClassError as error:
                if index == 0:
                    raise UnusableDetectionError(str(error)) from error
                continue
            if not word.strip():
                raise UnusableDetectionError("a detection names no class")
            if category:
                found.append(ObjectHypothesis(category=category, score=score))
            elif index == 0:
                return ()
        if not found:
            raise UnusableDetectionError("a detection names no class")
        return tuple(found)


def reasons_error(reasons: Counter[str]) -> Error:
    """Returns the error of detections that are left out; none if there are none."""
    if not reasons:
        return Error()
    shown = ", ".join(
        f"{reason} ({count} times)" if count > 1 else reason for reason, count in reasons.most_common(SHOWN)
    )
    return Error(ErrorCode.DETECTOR_FAILED, f"detections are left out: {shown}")


def checked_edges(edges: Edges) -> Edges:
    """Returns the edges of a box in an image.

    Raises:
        UnusableDetectionError: An edge is no number, or the box is empty or reversed.
    """
    left, top, right, bottom = edges
    if not all(map(math.isfinite, edges)):
        raise UnusableDetectionError("an edge of a box is not a number")
    if left >= right or top >= bottom:
        raise UnusableDetectionError("a box is empty or reversed (left, top, right, bottom is the order)")
    return edges


def checked_box(box: BoundingBox3D) -> BoundingBox3D:
    """Returns a box in space, unturned if its quaternion was never set.

    Raises:
        UnusableDetectionError: A value is no number, or a side is 0 or less.
    """
    sides = box.size.x, box.size.y, box.size.z
    p, q = box.center.position, box.center.orientation
    if not all(map(math.isfinite, (*sides, p.x, p.y, p.z, q.x, q.y, q.z, q.w))):
        raise UnusableDetectionError("a box in space has a value that is not a number")
    if min(sides) <= 0:
        raise UnusableDetectionError("a box in space has a side of 0 or less")
    if math.hypot(q.x, q.y, q.z, q.w) < _NO_LENGTH:
        return BoundingBox3D(center=Pose(p), size=box.size)
    return box
