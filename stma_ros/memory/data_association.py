"""Data association: which tracked objects a keyframe shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from stma_ros.memory import assignment, placement, registration
from stma_ros.memory.appearance_arrays import AppearanceArrays
from stma_ros.memory.assignment import Appearances, AssociationConfig
from stma_ros.memory.boxes import Box
from stma_ros.memory.keyframe_observation import KeyframeObservation
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Time

MOVED_DOUBT = 0.5
"""An object with at least this much doubt is taken for the moved one when an object that looks the same appears
elsewhere."""

SPOT = 0.2
"""What lies within this horizontal distance [m] of where the robot put something of its category is that, whatever its
colour: inside of a cupboard, where it was seen before, it is dark."""

COVERED, PART = 0.8, 0.75
"""A part of an object lies in its box with at least this share of its volume, which is at most this share of the
object's."""

Find = Callable[[str], TrackedObject | None]


class DataAssociation:
    """Compares the detections of a keyframe with tracked objects."""

    def __init__(self, appearances: AppearanceArrays, config: AssociationConfig) -> None:
        self._seen, self._known = appearances.of_detections, appearances.of_objects
        self._is_small = appearances.is_small
        self._config = config

    def align(self, things: Iterable[TrackedObject], keyframe: KeyframeObservation) -> KeyframeObservation:
        """Returns the keyframe, rotated onto the known objects where they agree on an angle (see `registration`)."""
        kinds = {detection.category for detection in keyframe.detections}
        known = [item for item in things if item.category in kinds and item.status is ObjectStatus.SEEN]
        if keyframe.viewpoint is None or not known:
            return keyframe
        turn, witnesses = registration.best_turn(
            self._seen(keyframe.detections),
            self._known(known),
            keyframe.viewpoint,
        )
        if turn == 0:
            return keyframe
        stamps = sorted(known[index].shape.stamp.nanoseconds for index in witnesses)
        return keyframe.aligned(turn, Time.from_nanoseconds(stamps[len(stamps) // 2]))

    def match_in_place(
        self, things: Iterable[TrackedObject], detections: Sequence[Detection]
    ) -> dict[int, str]:
        """Matches detections with objects that are where they were seen last, or were before they went missing.

        Returns:
            Ids of the objects, by the index of the detection.
        """
        known = [
            item
            for item in things
            if item.status in (ObjectStatus.SEEN, ObjectStatus.MISSING, ObjectStatus.SUSPECT)
            and not item.has_guessed_box
        ]
        matches = assignment.pair(self._seen(detections), self._known(known), self._config)
        return {index: known[match].id for index, match in enumerate(matches) if match is not None}

    def match_expected(
        self,
        things: Iterable[TrackedObject],
        left: Sequence[int],
        detections: Sequence[Detection],
        find: Find,
    ) -> dict[int, str]:
        """Matches the remaining detections with objects that were put or dropped somewhere and not seen since.

        Args:
            things: the tracked objects.
            left: indices of the detections that are not matched yet.
            detections: all detections of the keyframe.
            find: returns the object with an id, or None.

        Returns:
            Ids of the objects, by the index of the detection.
        """
        known = [item for item in things if item.has_guessed_box]
        if not known or not left:
            return {}
        seen, remembered = self._seen([detections[index] for index in left]), self._known(known)
        places = [find(item.placement.object) if item.placement else None for item in known]
        there = [
            [
                placement.may_match(item, Box.of(detections[index].box), place)
                for item, place in zip(known, places, strict=True)
            ]
            for index in left
        ]
        unlike = assignment.unlikeness(seen, remembered)
        far = np.linalg.norm(seen.boxes.middle[:, None, :2] - remembered.boxes.middle[None, :, :2], axis=2)
        possible = assignment.same_kind(seen, remembered) & np.array(there)
        possible &= ~(remembered.colored[None] & (unlike >= assignment.UNLIKE) & (far > SPOT))
        costs = np.where(possible, np.minimum(0.3 * unlike + 0.5 * far, 0.9), assignment.FORBIDDEN)
        return {
            left[row]: known[column].id
            for row, column in enumerate(assignment.assigned(costs))
            if column is not None
        }

    def match_moved(
        self, things: Iterable[TrackedObject], left: Sequence[int], detections: Sequence[Detection]
    ) -> dict[int, str]:
        """Matches the remaining detections with small objects that were moved; only where the match is unambiguous.

        Returns:
            Ids of the objects, by the index of the detection.
        """
        gone = [
            item
            for item in things
            if self._is_small(item.category)
            and (
                item.status is ObjectStatus.MISSING
                or (item.status is ObjectStatus.SEEN and item.doubt >= MOVED_DOUBT)
            )
        ]
        if not left or not gone:
            return {}
        seen = self._seen([detections[index] for index in left])
        pairs = assignment.only_pairs(assignment.alike(seen, self._known(gone)))
        return {left[row]: gone[column].id for row, column in pairs}

    def split_parts(
        self, left: Sequence[int], detections: Sequence[Detection], shown: Sequence[TrackedObject]
    ) -> dict[int, str]:
        """Matches the remaining detections with objects that the keyframe shows already: a detector split them.

        Args:
            left: indices of the detections that are not matched yet.
            detections: all detections of the keyframe.
            shown: objects that other detections of the keyframe show.

        Returns:
            Ids of the objects, by the index of the detection.
        """
        if not left or not shown:
            return {}
        parts, whole = self._seen([detections[index] for index in left]), self._known(shown)
        within = self._covered(parts, whole)
        return {left[row]: shown[column].id for row, column in reversed(np.argwhere(within).tolist())}

    @staticmethod
    def _covered(parts: Appearances, whole: Appearances) -> assignment.Mask:
        """Returns (N, M) whether a thing of the same category covers almost all of a part, and more."""
        smaller = np.less.outer(parts.boxes.volume, PART * whole.boxes.volume)
        return assignment.same_kind(parts, whole) & smaller & (assignment.shared(parts, whole) >= COVERED)
