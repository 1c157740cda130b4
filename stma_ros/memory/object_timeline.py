"""The objects of the scene graph with their latest changes, so that the detections of a keyframe can be revised.

What a slow detector finds in a keyframe, such as a model that sees, comes when later keyframes were merged and the
robot has acted. The memory is then rewound to before the keyframe, and everything since is repeated: the objects are
the same as if the detections had come in time. (State estimators treat lagged measurements so, as robot_localization
does with `smooth_lagged_data`.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeAlias

from stma_ros.memory.keyframe_observation import KeyframeObservation
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.memory.tracked_object import CorrectionLookup, TrackedObject
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Pose, Time

MAX_OPEN = 32
"""Keyframes whose detections may still be revised; of more, the oldest stands as it is."""

MAX_KEYFRAMES, MAX_CHANGES = 128, 1024
"""Keyframes that are stored, with their depth images, and changes of all kinds; of more, the oldest keyframes that may
be revised stand as they are."""

NEAR_BY = 0.1
"""Two views whose middles are this close to each other [m], or within half of the length of one of them, can be of one
object."""

RelationsOf: TypeAlias = Callable[[ObjectMemory], Iterable[Relation]]
"""Returns the relations of the objects of a memory at one moment."""


@dataclass(frozen=True)
class _Merged:
    """A keyframe that was merged.

    Attributes:
        keyframe: its detections.
        ids: of the objects that it shows, by the numbers of its detections.
        before: the memory before it, while it may be revised; None = it stands.
    """

    keyframe: KeyframeObservation
    ids: Mapping[int, str] = field(default_factory=dict)
    before: ObjectMemory | None = None

    @property
    def stamp(self) -> int:
        """Stamp of the keyframe [ns]."""
        return self.keyframe.stamp.nanoseconds

    def revised(self, keyframe: KeyframeObservation) -> _Merged:
        """Returns the same with other detections. Those at the same places are of the same objects."""
        same = _same_places(self.keyframe.detections, keyframe.detections)
        ids = {same[number]: name for number, name in self.ids.items() if number in same}
        return replace(self, keyframe=keyframe, ids=ids)


@dataclass(frozen=True)
class _Other:
    """A change that is no keyframe.

    Attributes:
        apply: makes it.
        acted_on: the objects that an action of the robot concerns, as they were before it, by the ids that it names.
    """

    apply: Callable[[ObjectMemory], object]
    acted_on: Mapping[str, TrackedObject] = field(default_factory=dict)

    def concerns_the_same(self, memory: ObjectMemory) -> bool:
        """Whether the ids mean objects in a memory that are where the robot acted on them."""
        now = ((item, memory.find(name)) for name, item in self.acted_on.items())
        return all(other is not None and _are_at_one_place(item, other) for item, other in now)


_Change: TypeAlias = _Merged | _Other
_NOTHING: Mapping[str, TrackedObject] = MappingProxyType({})


class ObjectTimeline:
    """An ObjectMemory that is changed through here only, so that its latest changes are known.

    Changes are stored from the first keyframe on that may still be revised.

    Attributes:
        objects: the memory; replaced by another one when a keyframe is revised.
    """

    def __init__(self, objects: ObjectMemory) -> None:
        self.objects = objects
        self._changes: list[_Change] = []

    @property
    def open_stamps(self) -> frozenset[int]:
        """The stamps of the keyframes that may still be revised [ns]."""
        return frozenset(each.stamp for each in self._open)

    @property
    def _open(self) -> list[_Merged]:
        return [each for each in self._changes if isinstance(each, _Merged) and each.before is not None]

    # -- changes, as of ObjectMemory

    def merge(self, keyframe: KeyframeObservation, *, may_be_revised: bool = False) -> None:
        """Merges the detections of a keyframe. may_be_revised: whether `revise` or `settle` follows for it."""
        before = self.objects.copy() if may_be_revised else None
        merged = _Merged(keyframe, self.objects.merge(keyframe), before)
        if may_be_revised:
            self._changes.append(merged)
            self._bound()
        else:
            self._store(merged)

    def add_fact(self, fact: Relation, put_at: Pose | None = None) -> None:
        """Adds a fact that follows from an action."""
        named = ((name, self.objects.find(name)) for name in (fact.subject, fact.object))
        acted_on = {name: item for name, item in named if item is not None}
        self._apply(lambda objects: objects.add_fact(fact, put_at), acted_on)

    def release_held(self, stamp: Time) -> None:
        """Takes an object out of the hand, which was found empty."""
        self._apply(lambda objects: objects.release_held(stamp))

    def set_relations(self, relations: Iterable[Relation], again: RelationsOf) -> None:
        """Takes the relations of the scene graph. again: returns those of other objects at the same moment."""
        self.objects.set_relations(relations)
        self._store(_Other(lambda objects: objects.set_relations(again(objects))))

    def suspect(self) -> None:
        """Takes notice that the frame of the map has jumped."""
        self._apply(lambda objects: objects.suspect())

    def correct(self, move: CorrectionLookup) -> None:
        """Moves the objects after a correction of the map."""
        self._apply(lambda objects: objects.correct(move))

    def forget(self, name: str) -> None:
        """Forgets an object. What was seen before is not revised then, so that no late detection brings it back."""
        self._changes.clear()
        self.objects.forget(name)

    def _apply(
        self, change: Callable[[ObjectMemory], object], acted_on: Mapping[str, TrackedObject] = _NOTHING
    ) -> None:
        change(self.objects)
        self._store(_Other(change, acted_on))

    def _store(self, change: _Change) -> None:
        """Stores a change, if there is a keyframe before it that may be revised."""
        if self._changes:
            self._changes.append(change)
            self._bound()

    def _bound(self) -> None:
        keyframes = sum(isinstance(each, _Merged) for each in self._changes)
        is_full = keyframes > MAX_KEYFRAMES or len(self._changes) > MAX_CHANGES
        if is_full or len(self._open) > MAX_OPEN:
            self.settle([self._open[0].stamp])

    # -- revisions

    def revise(self, keyframes: Iterable[KeyframeObservation]) -> frozenset[int]:
        """Replaces the detections of keyframes, which stand from then on; those that stand already are ignored.

        Objects retain their ids. Detections by which an id would mean nothing, or something elsewhere, where the robot
        has acted on what it meant, are not used: they are quite different ones.

        Returns:
            The stamps of the keyframes with such detections [ns].
        """
        is_open = self.open_stamps
        revised = {each.stamp.nanoseconds: each for each in keyframes if each.stamp.nanoseconds in is_open}
        if not revised:
            return frozenset()
        is_used = self._repeat(revised)
        if not is_used and len(revised) > 1:
            return frozenset().union(*(self.revise([keyframe]) for keyframe in revised.values()))
        self.settle(revised)
        return frozenset(() if is_used else revised)

    def settle(self, stamps: Iterable[int]) -> None:
        """Lets keyframes stand as they are. stamps: theirs [ns]."""
        standing = frozenset(stamps)
        self._changes = [
            replace(each, before=None) if isinstance(each, _Merged) and each.stamp in standing else each
            for each in self._changes
        ]
        del self._changes[: self._first(self.open_stamps)]

    def _first(self, stamps: Iterable[int]) -> int:
        """Returns the number of the first change that is a keyframe with one of these stamps [ns]; without one, that of
        all changes."""
        wanted = frozenset(stamps)
        numbers = (
            number
            for number, each in enumerate(self._changes)
            if isinstance(each, _Merged) and each.stamp in wanted
        )
        return next(numbers, len(self._changes))

    def _repeat(self, revised: Mapping[int, KeyframeObservation]) -> bool:
        """Makes the changes since the first of some keyframes once more, with other detections in these; returns
        whether the result can be used, and is."""
        first = self._first(revised)
        changes = [
            each.revised(revised[each.stamp]) if isinstance(each, _Merged) and each.stamp in revised else each
            for each in self._changes[first:]
        ]
        repetition = _Repetition(self.objects, changes)
        if repetition.former_ids:
            repetition = _Repetition(self.objects, repetition.with_former_ids())
        if not repetition.concerns_the_same:
            return False
        self.objects = repetition.memory
        self._changes[first:] = repetition.changes
        return True


class _Repetition:
    """Changes that are made once more, the first of them a keyframe with the memory before it.

    An object that a detection shows gets the id that it had when the detection was merged at first. A revised keyframe
    may show for the first time what a later one had found under an id: it is a new object then, and `former_ids` says
    which one it turned out to be, so that another repetition can give it that id from the beginning.

    Attributes:
        memory: the memory after the changes.
        changes: the changes as they were made.
        former_ids: ids of such objects, by the numbers of the change and of the detection that show them first.
        concerns_the_same: whether the actions of the robot concern the same objects as at first.
    """

    def __init__(self, told: ObjectMemory, changes: Sequence[_Change]) -> None:
        """Makes the changes. told: the memory in which the ids were told."""
        first = changes[0]
        assert isinstance(first, _Merged)
        assert first.before is not None
        self.memory = told.rewound(first.before)
        self.changes: list[_Change] = []
        self.former_ids: dict[tuple[int, int], str] = {}
        self.concerns_the_same = True
        self._planned = changes
        self._told = told
        self._births: dict[str, tuple[int, int]] = {}  # numbers of change and detection, by id
        for change in changes:
            if isinstance(change, _Other):
                self.concerns_the_same &= change.concerns_the_same(self.memory)
                change.apply(self.memory)
                self.changes.append(change)
            else:
                self._merge(change)

    def with_former_ids(self) -> list[_Change]:
        """Returns the changes to be made, with the ids of objects that turned out to be known."""
        changes = list(self._planned)
        for (number, detection), name in self.former_ids.items():
            change = changes[number]
            assert isinstance(change, _Merged)
            changes[number] = replace(change, ids={detection: name, **change.ids})
        return changes

    def _merge(self, merged: _Merged) -> None:
        before = None if merged.before is None else self.memory.copy()
        ids = self.memory.merge(merged.keyframe, merged.ids)
        for detection, name in ids.items():
            self._births.setdefault(name, (len(self.changes), detection))
        for detection, former in merged.ids.items():
            if self.memory.find(former) is None:
                self.memory.also_call(ids[detection], former)
                if self._told.find(ids[detection]) is None:
                    self.former_ids.setdefault(self._births[ids[detection]], former)
        self.changes.append(_Merged(merged.keyframe, ids, before))


def _same_places(before: Sequence[Detection], now: Sequence[Detection]) -> dict[int, int]:
    """Returns the numbers of detections that are at the same places now, by their numbers before."""
    near = sorted(
        (distance, one, other)
        for one, was in enumerate(before)
        for other, detection in enumerate(now)
        if (distance := _distance(was, detection)) <= max(NEAR_BY, _length(was) / 2, _length(detection) / 2)
    )
    same: dict[int, int] = {}
    for _, one, other in near:
        if one not in same and other not in same.values():
            same[one] = other
    return same


def _are_at_one_place(one: TrackedObject, other: TrackedObject) -> bool:
    apart = math.dist(one.box.middle.tolist(), other.box.middle.tolist())
    return apart <= max(NEAR_BY, one.box.longest / 2, other.box.longest / 2)


def _distance(one: Detection, other: Detection) -> float:
    here, there = one.center, other.center
    return math.dist((here.x, here.y, here.z), (there.x, there.y, there.z))


def _length(detection: Detection) -> float:
    return max(detection.size.x, detection.size.y, detection.size.z)
