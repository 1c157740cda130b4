"""Which tracks belong to one object, and which may be a mistaken view of another one."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

import numpy as np

from stma_ros.memory import assignment
from stma_ros.memory.appearance_arrays import AppearanceArrays
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.data_association import COVERED, MOVED_DOUBT
from stma_ros.memory.existence import SETTLED
from stma_ros.memory.separations import Pair, sorted_pair
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types.sensing import Detection

NEIGHBOURS = 0.4
"""Objects of one category that one keyframe shows within this gap [m] are never merged later."""

DUPLICATE_GAP = 0.15
"""A wrongly localised view creates a duplicate within this gap [m] of the object."""

TOUCH = 0.01
"""Two boxes of the same surface, in two noisy depth images, touch if they are grown by this much [m]."""

NESTED, FEW, MANY = 0.5, 6, 2
"""Of two tracks of one category, one with at most FEW views is a mistake of the detector if a keyframe shows the other
alone, which has at least MANY times as many, and one of them lies in the other with at least the share NESTED of its
volume: not on top of it."""

FRAGMENT_GAP = 0.08
"""A track with few faint views within this gap [m] of another one of its category is a fragment of that one."""

STANDS, RISES = 0.02, 0.01
"""What begins at most STANDS below the top of an object and ends at least RISES above it [m] stands on it, and is no
odd view of it."""


class TrackMerging:
    """Compares tracked objects with one another."""

    def __init__(self, appearances: AppearanceArrays) -> None:
        self._seen, self._known = appearances.of_detections, appearances.of_objects
        self._is_small = appearances.is_small

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
            if item.doubt >= MOVED_DOUBT and item.is_present and self._is_small(item.category)
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
        kinds = {item.category for item in shown if self._is_small(item.category)}
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
        small = [item for item in items if self._is_small(item.category)]
        others = [item for item in known if item.is_present and self._is_small(item.category)]
        if not small or not others:
            return tuple(small)
        gaps = BoxArray.of(item.box for item in small).gaps(BoxArray.of(item.box for item in others))
        return tuple(item for item, gap in zip(small, gaps.min(axis=1).tolist(), strict=True) if gap > 0)


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
