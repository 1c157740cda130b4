"""What snapshots show together: things, how they lie to one another, and in which kind of room.

Symbolic roles read pictures by the detections that come with them, as a model would read their pixels: no map, no
walls, no ids of rooms.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse.csgraph import connected_components

from stma_ros.domains.eqa.merged_pictures import MergedPictures
from stma_ros.domains.eqa.pictured_things import SURROUNDINGS, FloatArray, PicturedThings, leads_on_in
from stma_ros.domains.eqa.question import Relation as QuestionRelation
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.relations import relations
from stma_ros.memory.room_kinds import Shares, likeliest_kind, room_shares
from stma_ros.memory.states import States
from stma_ros.memory.tracked_object import TrackedObject
from stma_ros.types.exploration import FrontierView, Snapshot
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Detection

NEAR = 3.0
"""Distance [m] up to which a picture shows a thing from nearby."""

OVERLOOKED = 1.5
"""Gap to the camera [m] up to which it looks down on what lies on a piece of furniture, past chairs before it."""

SURE_PIXELS = 60
"""Pixels of the largest view from which on a thing is seen well enough to be named after a single look."""

AGREED_PIXELS = 30
"""The same, of a thing that was seen from several places."""

_AGREEING = 2  # places from which pictures agree on what a thing is
_SAME_PLACE = 0.4  # pictures taken within this distance of each other [m] repeat the same mistake

_SIDE_BY_SIDE = 1.5  # distance of things that are in one room, whatever is between [m]
_PIECES_OF_ROOM = 2  # things seen from nearby that tell that a room was entered
_SEEN_WELL = 2  # pictures of a place from nearby that show all of it
_NEXT_TO = 0.8  # gap between things that people call next to each other [m]


@dataclass(frozen=True)
class _Sighting:
    """A thing, and what shows it, as in SeenThing."""

    track: TrackedObject
    shown_in: tuple[int, ...]
    pixels: int


@dataclass(frozen=True)
class SeenThing:
    """A KnownThing, as all snapshots show it.

    Attributes:
        track: what is known of it: category, box, colours, states.
        shown_in: positions of the snapshots that show it, those that show it largest first.
        pixels: of the largest view.
        room: kinds of rooms that it may be in, by what is seen around it.
        witnesses: number of places from which it was seen.
        gap: between it and the nearest camera that saw it, on the floor [m].
        looks: number of pictures that show it from nearby.
    """

    track: TrackedObject
    shown_in: tuple[int, ...]
    pixels: int
    room: Shares
    looks: int
    witnesses: int
    gap: float

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
        return self.pixels >= (SURE_PIXELS if self.witnesses < _AGREEING else AGREED_PIXELS)

    @property
    def is_surveyed(self) -> bool:
        """Whether several pictures show it from nearby, one of them from where what lies on it is not hidden."""
        return self.looks >= _SEEN_WELL and self.gap <= OVERLOOKED

    @property
    def room_kind(self) -> str:
        """The likeliest kind of room; empty if too little is seen."""
        return likeliest_kind(self.room)[0]


class SeenScene:
    """A Scene: the things in snapshots."""

    def __init__(
        self,
        snapshots: Sequence[Snapshot],
        knowledge: CategoryKnowledge,
        frontiers: Sequence[FrontierView] = (),
        *,
        is_explored: bool = False,
        merged: MergedPictures | None = None,
    ) -> None:
        """Creates a scene.

        Args:
            snapshots: the pictures.
            knowledge: of categories.
            frontiers: the ways on, with what is seen in their direction.
            is_explored: whether everything that can be reached was explored.
            merged: what remembers pictures of earlier scenes; None = nothing does.
        """
        self._knowledge = knowledge
        self._frontiers = frontiers
        self._is_explored = is_explored
        self._tracks = (merged or MergedPictures(knowledge)).merge(snapshots).believed
        self._doors = [each for each in self._tracks if knowledge.is_door(each.category)]
        places = np.array([each.box.middle[:2] for each in self._doors]).reshape(-1, 2)
        self._views = [PicturedThings(snapshot, knowledge, places) for snapshot in snapshots]

    @cached_property
    def things(self) -> tuple[SeenThing, ...]:
        for view in self._views:
            view.find(self._tracks)
        seen = [found for track in self._tracks if (found := self._seen(track)) is not None]
        return tuple(self._thing(each) for each in seen)

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
        if relation is QuestionRelation.SAME_ROOM:
            return self._are_in_one_room(name, landmark)
        if gap > _NEXT_TO:
            return False
        if relation is QuestionRelation.UNDER:
            return bool(offset[2] < 0)
        if relation is QuestionRelation.ABOVE:
            return bool(offset[2] > 0)
        return True

    def distance_from_here(self, thing: SeenThing) -> float:
        """Returns the distance of a thing from the newest picture's camera, on the floor [m]."""
        return self._views[-1].distance(thing.track)

    def largest_view(self, thing: SeenThing) -> tuple[int, Detection]:
        """Returns the position of the snapshot that shows a thing largest, and the detection of it there."""
        number = thing.shown_in[0]
        view = self._views[number]
        found = [view.snapshot.detections[row] for row in view.showing(thing.track)]
        return number, max(found, key=lambda each: each.pixels)

    def covers(self, room: str) -> bool:
        """Whether all of a kind of room was seen, by what is seen around the ways on; of the home, if none is named."""
        if self._is_explored or not room:
            return self._is_explored
        there = [thing for thing in self.things if thing.room_kind == room]
        tracks = [thing.track for thing in there]
        return sum(thing.looks >= _SEEN_WELL for thing in there) >= _PIECES_OF_ROOM and not any(
            leads_on_in(frontier, tracks, room, self._knowledge) for frontier in self._frontiers
        )

    @cached_property
    def rooms(self) -> Mapping[str, int]:
        """The rooms of each kind: groups of furniture that pictures show in one room, or side by side."""
        kinds: dict[str, list[SeenThing]] = {}
        for thing in self.things:
            if thing.room_kind and self._knowledge.is_furniture(thing.category):
                kinds.setdefault(thing.room_kind, []).append(thing)
        return {kind: self._count_groups(there) for kind, there in kinds.items()}

    def _count_groups(self, there: Sequence[SeenThing]) -> int:
        linked = np.eye(len(there), dtype=bool)
        for (i, a), (j, b) in itertools.combinations(enumerate(there), 2):
            linked[i, j] = self.distance(a.id, b.id) <= _SIDE_BY_SIDE or self._are_in_one_room(a.id, b.id)
        return int(connected_components(linked, directed=False)[0])

    def extent(self, room: str) -> float:
        there = [thing.track.box.middle[:2] for thing in self.things if thing.room_kind == room]
        spread = np.ptp(np.array(there).reshape(-1, 2), axis=0) if there else np.full(2, np.nan)
        return float(np.prod(spread))

    def distance(self, name: str, other: str) -> float:
        """Returns the distance between the middles of two things [m]."""
        middles = [self._by_id[each].track.box.middle for each in (name, other)]
        return float(np.linalg.norm(middles[0] - middles[1]))

    def _are_in_one_room(self, name: str, other: str) -> bool:
        """Whether a picture shows both without a door between."""
        first, second = self._by_id[name].track, self._by_id[other].track
        return any(view.shows_in_one_room(first, second) for view in self._views)

    @cached_property
    def _by_id(self) -> Mapping[str, SeenThing]:
        return {thing.id: thing for thing in self.things}

    def _seen(self, track: TrackedObject) -> _Sighting | None:
        views = [
            (view.snapshot.detections[row].pixels, number)
            for number, view in enumerate(self._views)
            for row in view.showing(track)
        ]
        if not views:
            return None
        largest: dict[int, int] = {}
        for pixels, number in sorted(views, key=lambda view: (-view[0], view[1])):
            largest.setdefault(number, pixels)
        order = tuple(largest)
        return _Sighting(track, order, largest[order[0]])

    def _thing(self, sighting: _Sighting) -> SeenThing:
        track, views = sighting.track, [self._views[number] for number in sighting.shown_in]
        around = set[str]().union(*(view.around(track) for view in views))
        ways = sum(
            bool(np.linalg.norm(door.box.middle[:2] - track.box.middle[:2]) <= SURROUNDINGS)
            and any(view.shows_in_one_room(track, door) for view in views)
            for door in self._doors
        )
        distances = [view.distance(track) for view in views]
        return SeenThing(
            track,
            sighting.shown_in,
            sighting.pixels,
            room_shares(self._knowledge, sorted(around), ways),
            looks=sum(distance <= NEAR for distance in distances),
            witnesses=_count_places([view.camera for view in views]),
            gap=min(distances) - float(track.box.extent[:2].max()) / 2,
        )


def _count_places(cameras: Sequence[FloatArray]) -> int:
    """Returns the number of places [m] that are apart from those before them."""
    places: list[FloatArray] = []
    for camera in cameras:
        if all(np.linalg.norm(camera - place) > _SAME_PLACE for place in places):
            places.append(camera)
    return len(places)
