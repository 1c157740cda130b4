"""What snapshots show together: things, how they lie to one another, and in which kind of room.

Symbolic roles read pictures by the detections that come with them, as a model would read their pixels: no map, no
walls, no ids of rooms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stma_ros.domains.eqa.question import Relation as QuestionRelation
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.object_tracks import KeyframeObservation
from stma_ros.memory.relations import relations
from stma_ros.memory.room_kinds import Shares, likeliest_kind, room_shares
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.memory.states import States
from stma_ros.memory.tracked_object import TrackedObject
from stma_ros.types.exploration import Snapshot
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Detection

SURROUNDINGS = 3.0
"""Things in one picture that are at most this far apart [m] are taken to be in one room."""

SURE_PIXELS = 60
"""Pixels of the largest view from which on a thing is seen well enough to be named."""

_SEEN_WELL = 3  # pictures of a place that show it from several sides
_NEXT_TO = 0.8  # gap between things that people call next to each other [m]

_SHOWN_WITHIN = 0.5
"""Largest distance of a detection's centre from a thing's box for the picture to show the thing [m]."""


@dataclass(frozen=True)
class SeenThing:
    """A KnownThing, as all snapshots show it.

    Attributes:
        track: what is known of it: category, box, colours, states.
        shown_in: positions of the snapshots that show it, those that show it largest first.
        pixels: of the largest view.
        room: kinds of rooms that it may be in, by what is seen around it.
    """

    track: TrackedObject
    shown_in: tuple[int, ...]
    pixels: int
    room: Shares

    @property
    def id(self) -> str:
        return self.track.id

    @property
    def category(self) -> str:
        return self.track.category

    @property
    def confidence(self) -> float:
        return self.track.confidence

    @property
    def colour(self) -> str:
        return self.track.colour

    @property
    def states(self) -> States:
        return self.track.states

    @property
    def longest(self) -> float:
        return self.track.box.longest

    @property
    def clearness(self) -> float:
        return self.pixels

    @property
    def is_seen_well(self) -> bool:
        return self.pixels >= SURE_PIXELS

    @property
    def is_surveyed(self) -> bool:
        """Whether several pictures show it."""
        return len(self.shown_in) >= _SEEN_WELL

    @property
    def room_kind(self) -> str:
        """The likeliest kind of room; empty if too little is seen."""
        return likeliest_kind(self.room)[0]


class SeenScene:
    """A Scene: the things in snapshots."""

    def __init__(self, snapshots: Sequence[Snapshot], knowledge: CategoryKnowledge) -> None:
        self._snapshots = snapshots
        self._knowledge = knowledge
        self._memory = ObjectMemory(knowledge)
        for snapshot in snapshots:
            at = snapshot.camera.position
            self._memory.merge(
                KeyframeObservation(snapshot.stamp, snapshot.detections, np.array([at.x, at.y, at.z]))
            )

    @cached_property
    def things(self) -> tuple[SeenThing, ...]:
        return tuple(thing for track in self._memory.believed if (thing := self._seen(track)) is not None)

    @cached_property
    def facts(self) -> tuple[Relation, ...]:
        """In, on and near facts between things, by their ids."""
        return relations([thing.track for thing in self.things], self._knowledge, lambda _: "")

    def find(self, name: str) -> SeenThing | None:
        """Returns the thing with an id of the facts."""
        return self._by_id.get(name)

    def lies(self, name: str, relation: QuestionRelation, landmark: str) -> bool:
        """Whether a thing is next to a landmark, and higher or lower where the relation says so."""
        box, other = self._by_id[name].track.box, self._by_id[landmark].track.box
        offset = box.middle - other.middle
        gap = float(np.hypot(*offset[:2]) - (box.extent[:2].max() + other.extent[:2].max()) / 2)
        if gap > _NEXT_TO:
            return False
        if relation is QuestionRelation.UNDER:
            return bool(offset[2] < 0)
        if relation is QuestionRelation.ABOVE:
            return bool(offset[2] > 0)
        return True

    def distance(self, name: str, other: str) -> float:
        """Returns the distance between the middles of two things [m]."""
        middles = [self._by_id[each].track.box.middle for each in (name, other)]
        return float(np.linalg.norm(middles[0] - middles[1]))

    @cached_property
    def _by_id(self) -> Mapping[str, SeenThing]:
        return {thing.id: thing for thing in self.things}

    def _seen(self, track: TrackedObject) -> SeenThing | None:
        views = [
            (detection.pixels, number)
            for number, snapshot in enumerate(self._snapshots)
            for detection in snapshot.detections
            if self._shows(detection, track)
        ]
        if not views:
            return None
        largest: dict[int, int] = {}
        for pixels, number in sorted(views, key=lambda view: (-view[0], view[1])):
            largest.setdefault(number, pixels)
        order = tuple(largest)
        return SeenThing(track, order, largest[order[0]], self._room_around(track, order))

    def _shows(self, detection: Detection, track: TrackedObject) -> bool:
        if not self._knowledge.are_related(detection.category, track.category):
            return False
        center = np.array([detection.center.x, detection.center.y, detection.center.z])
        return bool(np.linalg.norm(center - track.box.middle) <= _SHOWN_WITHIN + track.box.longest / 2)

    def _room_around(self, track: TrackedObject, shown_in: Sequence[int]) -> Shares:
        near = {
            detection.category
            for number in shown_in
            for detection in self._snapshots[number].detections
            if np.hypot(detection.center.x - track.box.middle[0], detection.center.y - track.box.middle[1])
            <= SURROUNDINGS
        }
        return room_shares(self._knowledge, sorted(near))


def view_room(detections: Sequence[Detection], knowledge: CategoryKnowledge) -> Shares:
    """Returns the kinds of rooms that one picture may show."""
    return room_shares(knowledge, sorted({detection.category for detection in detections}))
