"""Data association: which tracked objects a keyframe shows, and which tracks belong to one object."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

import numpy as np

from stma_ros.memory import assignment, placement, registration
from stma_ros.memory.assignment import Appearances, AssociationConfig
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.existence import SETTLED
from stma_ros.memory.object_tracks import (
    KeyframeObservation,
    detection_appearances,
    object_appearances,
)
from stma_ros.memory.separations import Pair, sorted_pair
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Time

NEIGHBOURS = 0.4
"""Objects of one category that one keyframe shows within this gap [m] are never merged later."""

MOVED_DOUBT = 0.5
"""An object with at least this much doubt is taken for the moved one when an object that looks the same appears
elsewhere."""

DUPLICATE_GAP = 0.15
"""A wrongly localised view creates a duplicate within this gap [m] of the object."""

SPOT = 0.2
"""What lies within this horizontal distance [m] of where the robot put something of its category is that, whatever its
colour: inside of a cupboard, where it was seen before, it is dark."""

COVERED, PART = 0.8, 0.75
"""A part of an object lies in its box with at least this share of its volume, which is at most this share of the
object's."""

TOUCH = 0.01
"""Two boxes of the same surface, in two noisy depth images, touch if they are grown by this much [m]."""

NESTED, FEW, MANY = 0.5, 6, 2
"""Of two tracks of one category, one with at most FEW views is a mistake of the detector if a keyframe shows the other
alone, which has at least MANY times as many, and one of them lies in the other with at least the share NESTED of its
volume: not on top of it."""

FRAGMENT_GAP = 0.08
"""Such an object within this gap [m] of another one of its category is a fragment of that one."""

STANDS, RISES = 0.02, 0.01
"""What begins at most STANDS below the top of an object and ends at least RISES above it [m] stands on it, and is no
odd view of it."""

Find = Callable[[str], TrackedObject | None]


class DataAssociation:
    """Compares detections with tracked objects; stateless but for the numbers of categories."""

    def __init__(self, knowledge: CategoryKnowledge, config: AssociationConfig) -> None:
        self._knowledge = knowledge
        self._config = config
        self._kinds: dict[str, tuple[int, bool]] = {}

    def is_small(self, category: str) -> bool:
        """Whether a category is of small things, which can be moved and which their colour tells apart."""
        return self._kind(category)[1]

    def align(self, things: Iterable[TrackedObject], keyframe: KeyframeObservation) -> KeyframeObservation:
        """Returns the keyframe, rotated onto the known objects where they agree on an angle (see `registration`)."""
        kinds = {detection.category for detection in keyframe.detections}
        known = [item for item in things if item.category in kinds and item.status is ObjectStatus.SEEN]
        if keyframe.viewpoint is None or not known:
            return keyframe
        turn, witnesses = registration.best_turn(
            self._seen(keyframe.detections), self._known(known), keyframe.viewpoint
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
            if self.is_small(item.category)
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

    def neighbours(self, pairs: Sequence[tuple[Detection, TrackedObject]]) -> set[Pair]:
        """Returns pairs of ids of objects of one category, or at one place, or of small ones side by side, that one
        keyframe shows as two.

        They are two objects, whatever noise does to their boxes later. Of two at one place, one may be a mistake or a
        piece of the other, unless the detector is sure of both.

        Args:
            pairs: detections with the objects that they show.
        """
        if not pairs:
            return set()
        shown = [item for _, item in pairs]
        sure = np.array([detection.presence >= SETTLED for detection, _ in pairs])
        remembered = self._known(shown)
        gaps = remembered.boxes.gaps(remembered.boxes)
        both_small = np.logical_and.outer(remembered.colored, remembered.colored)
        close = assignment.same_kind(remembered, remembered) & (gaps <= NEIGHBOURS)
        close |= assignment.shared(remembered, remembered) >= assignment.SAME_SHARE
        close |= both_small & (gaps > TOUCH) & (gaps <= DUPLICATE_GAP)
        close &= (sure[:, None] & sure[None]) | (gaps > TOUCH)
        return {
            sorted_pair(shown[row].id, shown[column].id)
            for row, column in np.argwhere(np.triu(close, k=1)).tolist()
        }

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

    def covered(
        self, pairs: Sequence[tuple[Detection, TrackedObject]], things: Iterable[TrackedObject]
    ) -> set[Pair]:
        """Returns pairs of ids of objects over which the keyframe shows only one.

        They are of one category, or a detector may have mistaken one of them.

        Args:
            pairs: detections with the objects that they show.
            things: the tracked objects.
        """
        names = {item.id for _, item in pairs}
        others = [item for item in things if item.status is ObjectStatus.SEEN and item.id not in names]
        if not pairs or not others:
            return set()
        parts, whole = self._known(others), self._seen([detection for detection, _ in pairs])
        within = assignment.coincident(parts, whole) & (assignment.shared(parts, whole) >= COVERED)
        return {
            sorted_pair(others[row].id, pairs[column][1].id) for row, column in np.argwhere(within).tolist()
        }

    @staticmethod
    def _covered(parts: Appearances, whole: Appearances) -> assignment.Mask:
        """Returns (N, M) whether a thing of the same category covers almost all of a part, and more."""
        smaller = np.less.outer(parts.boxes.volume, PART * whole.boxes.volume)
        return assignment.same_kind(parts, whole) & smaller & (assignment.shared(parts, whole) >= COVERED)

    def overlapping(
        self, things: Iterable[TrackedObject], shown: Sequence[TrackedObject], apart: Container[Pair]
    ) -> list[tuple[TrackedObject, TrackedObject]]:
        """Returns pairs of tracks that a later, complete view shows to be one object, the older one first."""
        known = [item for item in things if item.status is ObjectStatus.SEEN]
        if not known or not shown:
            return []
        seen, remembered = self._known(shown), self._known(known)
        same = assignment.coincident(seen, remembered)
        nested = seen.boxes.covered_by(remembered.boxes, TOUCH) >= NESTED
        nested |= remembered.boxes.covered_by(seen.boxes, TOUCH).T >= NESTED
        nested &= assignment.same_kind(seen, remembered)
        order = {item.id: index for index, item in enumerate(known)}
        names = {item.id for item in shown}
        found = []
        for row, column in np.argwhere(same).tolist():
            one, other = shown[row], known[column]
            if one.id not in order or one.id == other.id:
                continue
            mistaken = nested[row, column] and other.id not in names and _is_much_rarer(other, one)
            if mistaken or sorted_pair(one.id, other.id) not in apart:
                found.append((one, other) if order[one.id] < column else (other, one))
        return found

    def duplicates(
        self, things: Iterable[TrackedObject], shown: Sequence[TrackedObject], apart: Container[Pair]
    ) -> list[tuple[TrackedObject, TrackedObject]]:
        """Returns pairs of tracks of one object that a mistaken view created, the doubted one first.

        Two small objects that look the same, lie side by side and were never seen in one keyframe are one object if one
        of them is doubted: a view was wrongly localised. They may be of two categories if they are closer, and one has
        far fewer views: the detector took it for something else, and the segment took in some of what is around it.
        """
        doubted = [
            item
            for item in things
            if item.doubt >= MOVED_DOUBT and item.is_present and self.is_small(item.category)
        ]
        if not shown or not doubted:
            return []
        ghosts, remembered = self._known(doubted), self._known(shown)
        same, gaps = assignment.same_kind(ghosts, remembered), ghosts.boxes.gaps(remembered.boxes)
        alike = assignment.look_alike(ghosts, remembered) & remembered.colored[None]
        displaced, renamed = same & (gaps <= DUPLICATE_GAP), ~same & (gaps <= FRAGMENT_GAP)
        found = []
        for row, column in (*np.argwhere(alike & displaced).tolist(), *np.argwhere(alike & renamed).tolist()):
            ghost, item = doubted[row], shown[column]
            if ghost.id == item.id or sorted_pair(ghost.id, item.id) in apart:
                continue
            if displaced[row, column] or _is_much_rarer(item, ghost) or _is_much_rarer(ghost, item):
                found.append((ghost, item))
        return found

    def fragments(
        self, things: Iterable[TrackedObject], shown: Sequence[TrackedObject], apart: Container[Pair]
    ) -> list[tuple[TrackedObject, TrackedObject]]:
        """Returns pairs of a track that shows only a part of an object, and the track of that object.

        A track with one faint view, at the edge of an object with which it was never seen in one keyframe, is a part of
        it, whatever its colour.
        """
        kinds = {item.category for item in shown if self.is_small(item.category)}
        known = [
            item for item in things if item.category in kinds and item.is_present and not item.has_guessed_box
        ]
        faint = [item for item in known if item.is_faint]
        names = {item.id for item in faint}
        whole = [item for item in known if item.id not in names]
        if not faint or not whole:
            return []
        parts, remembered = self._known(faint), self._known(whole)
        close = assignment.same_kind(parts, remembered) & (parts.boxes.gaps(remembered.boxes) <= FRAGMENT_GAP)
        found = [(faint[row], whole[column]) for row, column in np.argwhere(close).tolist()]
        return [(part, item) for part, item in found if sorted_pair(part.id, item.id) not in apart]

    def contested(self, settled: Iterable[TrackedObject], things: Iterable[TrackedObject]) -> frozenset[str]:
        """Returns the ids of objects that were seen from one place only, where a better known one is, and not on top of
        it: they may be views of that one which a detector mistook.

        Args:
            settled: the objects in question.
            things: the tracked objects.
        """
        seen = [item for item in settled if item.status is ObjectStatus.SEEN and item.placement is None]
        new = [item for item in seen if not item.seen_from_elsewhere]
        fewest = MANY * min((item.keyframes for item in new), default=0)
        known = [
            item
            for item in things
            if item.is_present and item.seen_from_elsewhere and item.keyframes >= fewest
        ]
        if not new or not known:
            return frozenset()
        ones, others = self._known(new), self._known(known)
        kind = assignment.same_kind(ones, others)
        close = kind & (ones.boxes.gaps(others.boxes) <= FRAGMENT_GAP)
        both_small = ones.colored[:, None] & others.colored[None]
        neither_small = ~(ones.colored[:, None] | others.colored[None])
        close |= (
            both_small
            & (assignment.shared(ones, others) >= assignment.SAME_SHARE)
            & ~_stands_on(ones.boxes, others.boxes)
        )
        close |= neither_small & (ones.boxes.covered_by(others.boxes, assignment.SKIN) >= COVERED)
        views = np.array([item.keyframes for item in new]), np.array([item.keyframes for item in known])
        close &= np.less_equal.outer(MANY * views[0], views[1])
        return frozenset(new[row].id for row in np.flatnonzero(close.any(axis=1)).tolist())

    def small_apart_from(
        self, known: Iterable[TrackedObject], items: Iterable[TrackedObject]
    ) -> tuple[TrackedObject, ...]:
        """Returns the small ones among objects, without those whose boxes overlap one of a small known object."""
        small = [item for item in items if self._kind(item.category)[1]]
        others = [item for item in known if item.is_present and self._kind(item.category)[1]]
        if not small or not others:
            return tuple(small)
        gaps = BoxArray.of(item.box for item in small).gaps(BoxArray.of(item.box for item in others))
        return tuple(item for item, gap in zip(small, gaps.min(axis=1).tolist(), strict=True) if gap > 0)

    def _kind(self, category: str) -> tuple[int, bool]:
        if category not in self._kinds:
            self._kinds[category] = len(self._kinds), not self._knowledge.is_furniture(category)
        return self._kinds[category]

    def _seen(self, detections: Sequence[Detection]) -> Appearances:
        kinds = [self._kind(detection.category) for detection in detections]
        return detection_appearances(
            detections, [number for number, _ in kinds], [small for _, small in kinds]
        )

    def _known(self, things: Sequence[TrackedObject]) -> Appearances:
        kinds = [self._kind(item.category) for item in things]
        return object_appearances(things, [number for number, _ in kinds], [small for _, small in kinds])


def _stands_on(ones: BoxArray, others: BoxArray) -> assignment.Mask:
    """Returns (N, M) whether each box begins at the top of the other and rises above it."""
    middle, half = ones.middle[:, 2], ones.extent[:, 2] / 2
    tops = others.middle[:, 2] + others.extent[:, 2] / 2
    begins = np.greater_equal.outer(middle - half, tops - STANDS)
    rises = np.greater_equal.outer(middle + half, tops + RISES)
    stands: assignment.Mask = begins & rises
    return stands


def _is_much_rarer(one: TrackedObject, other: TrackedObject) -> bool:
    """Whether the first of two tracks has far fewer views, see FEW."""
    return one.keyframes <= FEW and other.keyframes >= MANY * one.keyframes
