"""The objects of the scene graph: who is who across keyframes.

A detection is the same thing as a remembered object of its category when their boxes share room, or nearly touch
and are of a size that leaves no room for two. Within one keyframe a segmentation tells things apart, so detections
and objects are paired one to one, the best pairs first over the whole keyframe (Hungarian method).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from stma_ros.memory.boxes import Box
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import ObjectNode, Triple
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import ColorRGBA, Time

SKIN = 0.05
"""Boxes of seen surfaces may have no thickness; they are grown by this much [m] before they are compared."""

SAME_SHARE = 0.3
"""A view that shares at least this much of the smaller volume with a remembered box is a view of the same thing;
less is what neighbours share by their grown skins."""

MERGE_SHARE = 0.6
"""Two objects of one category that share this much of the smaller one's volume are one thing."""

NO_MATCH = 1e6

_RESERVED = frozenset({"room", "frontier", words.ROBOT})
"""Stems of other ids: a thing of such a category must not be taken for one of them."""


@dataclass(frozen=True)
class AssociationConfig:
    """max_gap [m]: how far apart two partial views of one thing may lie, at most; max_gap_share: and as a share of
    the larger view's longest side, so that two cups that stand side by side stay two."""

    max_gap: float = 0.25
    max_gap_share: float = 0.5


@dataclass(frozen=True)
class RememberedObject:
    id: str
    category: str
    box: Box
    confidence: float
    color: ColorRGBA
    state: Triple | None  # the newest fact on its state, if any was told
    keyframes: int
    first_seen: Time
    last_seen: Time

    def node(self) -> ObjectNode:
        return ObjectNode(
            self.id,
            self.category,
            self.confidence,
            self.box.center,
            self.box.size,
            self.color,
            (self.state.object,) if self.state else (),
            self.keyframes,
            self.first_seen,
            self.last_seen,
        )


class ObjectMemory:
    """Objects by id, in the order in which they were first seen. Ids are never used again."""

    def __init__(self, config: AssociationConfig = AssociationConfig()) -> None:
        self._config = config
        self._objects: dict[str, RememberedObject] = {}
        self._counts: dict[str, int] = {}
        self._now_called: dict[str, str] = {}

    @property
    def objects(self) -> tuple[RememberedObject, ...]:
        return tuple(self._objects.values())

    def merge(self, detections: Sequence[Detection], stamp: Time) -> None:
        """Take what one keyframe shows. `stamp` is the keyframe's; call in the order of stamps."""
        by_category: dict[str, list[Detection]] = {}
        for detection in detections:
            by_category.setdefault(detection.category, []).append(detection)
        for category, seen in by_category.items():
            known = [item for item in self._objects.values() if item.category == category]
            for detection, match in zip(seen, self._assign(seen, known), strict=True):
                if match is None:
                    self._add(detection, stamp)
                else:
                    self._objects[match.id] = _seen_again(match, detection, stamp)
            self._join_parts(category)

    def note_state(self, fact: Triple) -> None:
        """Take a fact on a thing's state; a newer one replaces an older one. Unknown ids are passed over."""
        item = self._objects.get(self._now_called.get(fact.subject, fact.subject))
        if item is not None:
            told = replace(fact, subject=item.id)
            self._objects[item.id] = replace(item, state=_newer(item.state, told))

    def _rename(self, old: str, new: str) -> None:
        """What was told of the old id is told of the new one from now on."""
        for earlier, name in self._now_called.items():
            if name == old:
                self._now_called[earlier] = new
        self._now_called[old] = new

    def _assign(
        self, seen: Sequence[Detection], known: Sequence[RememberedObject]
    ) -> list[RememberedObject | None]:
        if not known:
            return [None] * len(seen)
        boxes = [Box.of(d.center, d.size) for d in seen]
        costs = np.array([[self._cost(box, item.box) for item in known] for box in boxes])
        matches: list[RememberedObject | None] = [None] * len(seen)
        for row, column in zip(*linear_sum_assignment(costs), strict=True):
            if costs[row, column] < NO_MATCH:
                matches[int(row)] = known[int(column)]
        return matches

    def _cost(self, detected: Box, remembered: Box) -> float:
        """0 for a view that lies within the remembered box, up to 1 for one that barely overlaps, above for a gap."""
        distance = 0.01 * float(np.linalg.norm(detected.middle - remembered.middle))
        share = _shared(detected, remembered)
        if share > SAME_SHARE:
            return 1 - share + distance
        gap = detected.gap(remembered)
        longest = max(detected.extent.max(), remembered.extent.max())
        if gap <= min(self._config.max_gap, self._config.max_gap_share * longest):
            # Side by side: one thing seen in two parts, unless it would grow to twice its size.
            joined = detected.union(remembered).extent.max()
            if joined <= 1.5 * longest:
                return 1 + gap + distance
        return NO_MATCH

    def _add(self, detection: Detection, stamp: Time) -> None:
        stem = detection.category.replace(" ", "_")
        if stem in _RESERVED:
            stem = f"thing_{stem}"
        number = self._counts.get(stem, 0) + 1
        self._counts[stem] = number
        name = f"{stem}_{number}"
        self._objects[name] = RememberedObject(
            name,
            detection.category,
            Box.of(detection.center, detection.size),
            detection.confidence,
            detection.color,
            None,
            1,
            stamp,
            stamp,
        )

    def _join_parts(self, category: str) -> None:
        """A later, whole view shows that what was taken for two things is one: the older id stays."""
        items = [item for item in self._objects.values() if item.category == category]
        for index, older in enumerate(items):
            for younger in items[index + 1 :]:
                if older.id in self._objects and younger.id in self._objects:
                    one, other = self._objects[older.id], self._objects[younger.id]
                    if _shared(one.box, other.box) >= MERGE_SHARE:
                        self._objects[one.id] = _joined(one, other)
                        del self._objects[other.id]
                        self._rename(other.id, one.id)


def _shared(one: Box, other: Box) -> float:
    a, b = one.grown(SKIN), other.grown(SKIN)
    return a.shared_volume(b) / min(a.volume, b.volume)


def _seen_again(item: RememberedObject, detection: Detection, stamp: Time) -> RememberedObject:
    weight = 1 / (item.keyframes + 1)
    return replace(
        item,
        box=item.box.union(Box.of(detection.center, detection.size)),
        confidence=1 - (1 - item.confidence) * (1 - detection.confidence),
        color=_blend(item.color, detection.color, weight),
        keyframes=item.keyframes + 1,
        last_seen=stamp,
    )


def _joined(one: RememberedObject, other: RememberedObject) -> RememberedObject:
    keyframes = one.keyframes + other.keyframes
    return replace(
        one,
        box=one.box.union(other.box),
        confidence=1 - (1 - one.confidence) * (1 - other.confidence),
        color=_blend(one.color, other.color, other.keyframes / keyframes),
        state=_newer(one.state, replace(other.state, subject=one.id) if other.state else None),
        keyframes=keyframes,
        first_seen=min(one.first_seen, other.first_seen),
        last_seen=max(one.last_seen, other.last_seen),
    )


def _newer(one: Triple | None, other: Triple | None) -> Triple | None:
    """The newer of two facts; of equally old ones the second."""
    if one is None or other is None:
        return one or other
    return one if other.last_seen < one.last_seen else other


def _blend(one: ColorRGBA, other: ColorRGBA, weight: float) -> ColorRGBA:
    first, second = np.array([one.r, one.g, one.b]), np.array([other.r, other.g, other.b])
    red, green, blue = (1 - weight) * first + weight * second
    return ColorRGBA(red, green, blue, 1.0)
