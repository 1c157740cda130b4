"""What one picture shows: which of its things are one that is known, and which are in one room."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.room_kinds import Shares, likeliest_kind, room_shares
from stma_ros.memory.tracked_object import TrackedObject
from stma_ros.types.exploration import FrontierView, Snapshot
from stma_ros.types.sensing import Detection

FloatArray = NDArray[np.float64]

SURROUNDINGS = 4.0
"""Things of one room that are at most this far apart [m] tell its kind together."""

_SHOWN_WITHIN = 0.5
"""Largest distance of a detection's centre from a thing's box for the picture to show the thing [m]."""

_DOORWAY = 0.5
"""Distance of a line of sight from the middle of a door [m] within which it leads through the doorway: an open leaf
stands beside the opening."""

NOOK_AREA = 1.0
"""Unknown floor of less than this area [m^2] hides nothing that a question is about."""

AT_FRONTIER = 2.5
"""Distance of a thing from a frontier [m] up to which it tells the room that the frontier is in."""

_IN_ROOM = 5.0  # the same, for a frontier with nothing around that tells the kind of its room
_NO_DOORS: FloatArray = np.empty((0, 2))
_BEHIND = 0.3  # how far behind a door a thing is at least if it is seen through its doorway [m]


class PicturedThings:
    """The detections of a snapshot.

    Attributes:
        snapshot: the snapshot.
        camera: (2,) place of its camera on the floor [m].
    """

    def __init__(
        self, snapshot: Snapshot, knowledge: CategoryKnowledge, doors: FloatArray = _NO_DOORS
    ) -> None:
        """Takes a snapshot.

        Args:
            snapshot: the snapshot.
            knowledge: of categories.
            doors: (D, 2) middles of the known doors [m], open or closed.
        """
        self.snapshot = snapshot
        self._knowledge = knowledge
        self._doors = doors
        self._showing: dict[str, list[int]] = {}
        centers = [(each.center.x, each.center.y, each.center.z) for each in snapshot.detections]
        self._centers = np.array(centers, dtype=np.float64).reshape(-1, 3)
        at = snapshot.camera.position
        self.camera = np.array((at.x, at.y))

    def showing(self, track: TrackedObject) -> list[int]:
        """Returns the positions of the detections that are a known thing."""
        if track.id not in self._showing:
            self.find([track])
        return self._showing[track.id]

    def find(self, tracks: Sequence[TrackedObject]) -> None:
        """Finds out which detections are which of some known things."""
        middles = np.array([track.box.middle for track in tracks]).reshape(-1, 1, 3)
        reach = _SHOWN_WITHIN + np.array([track.box.longest for track in tracks]) / 2
        near = np.linalg.norm(self._centers - middles, axis=2) <= reach[:, None]
        self._showing.update((track.id, []) for track in tracks)
        for number, row in np.argwhere(near).tolist():
            track = tracks[number]
            if self._knowledge.are_related(self.snapshot.detections[row].category, track.category):
                self._showing[track.id].append(row)

    def distance(self, track: TrackedObject) -> float:
        """Returns the distance between the camera and a thing, on the floor [m]."""
        return float(np.linalg.norm(track.box.middle[:2] - self.camera))

    def around(self, track: TrackedObject) -> set[str]:
        """Returns the categories of what the picture shows around a thing that it shows, in the same room."""
        mine = self.showing(track)
        if not mine:
            return set()
        same_side = self._on_side_of(track, mine)
        on_floor = np.linalg.norm(self._centers[:, :2] - track.box.middle[:2], axis=1)
        rows = np.flatnonzero(same_side & (on_floor <= SURROUNDINGS)).tolist()
        return {self.snapshot.detections[row].category for row in {*rows, *mine}}

    def shows_in_one_room(self, track: TrackedObject, other: TrackedObject) -> bool:
        """Whether the picture shows two things, on the same side of all doors."""
        mine, others = self.showing(track), self.showing(other)
        return bool(mine and others and self._on_side_of(track, mine)[others].any())

    def _on_side_of(self, track: TrackedObject, rows: list[int]) -> NDArray[np.bool_]:
        """Returns which detections are on the same side of all doors as a thing. rows: of its own detections."""
        distances = self._distances(track)
        nearest = min(rows, key=lambda row: distances[row])
        same: NDArray[np.bool_] = (self._passed == self._passed[nearest]).all(axis=1)
        return same

    @cached_property
    def _passed(self) -> NDArray[np.bool_]:
        """Whether each detection is seen through the doorway of each door; (T, D)."""
        return _doorways_passed(self.camera, self._centers[:, :2], self._doors)

    def _distances(self, track: TrackedObject) -> FloatArray:
        distances: FloatArray = np.linalg.norm(self._centers - track.box.middle, axis=1)
        return distances


def _doorways_passed(camera: FloatArray, things: FloatArray, doors: FloatArray) -> NDArray[np.bool_]:
    """Returns whether a camera sees each thing through the doorway of each door; (T, D)."""
    way = (things - camera)[:, None]
    length = np.maximum(np.linalg.norm(way, axis=-1), 1e-6)
    to_door = (doors - camera)[None]
    along = (to_door * way).sum(axis=-1) / length
    off = np.abs(way[..., 0] * to_door[..., 1] - way[..., 1] * to_door[..., 0]) / length
    passed: NDArray[np.bool_] = (off < _DOORWAY) & (along > 0) & (along < length - _BEHIND)
    return passed


def near_frontier(frontier: FrontierView, distance: float) -> list[Detection]:
    """Returns the things that its view shows within a distance of a frontier [m], nearest first."""

    def away(thing: Detection) -> float:
        return math.hypot(thing.center.x - frontier.center.x, thing.center.y - frontier.center.y)

    return sorted(
        (thing for thing in frontier.view.detections if away(thing) <= distance),
        key=lambda thing: (away(thing), thing.category),
    )


def view_room(detections: Sequence[Detection], knowledge: CategoryKnowledge) -> Shares:
    """Returns the kinds of rooms that a picture, or a part of it, may show."""
    return room_shares(knowledge, sorted({detection.category for detection in detections}))


def leads_on_in(
    frontier: FrontierView, things: Sequence[TrackedObject], room: str, knowledge: CategoryKnowledge
) -> bool:
    """Whether more of a room may be behind a frontier.

    Args:
        frontier: with its picture.
        things: those that are known to be in the room.
        room: kind of the room.
        knowledge: of categories.
    """
    if frontier.unknown_area < NOOK_AREA:
        return False
    view = PicturedThings(frontier.view, knowledge)
    center = np.array((frontier.center.x, frontier.center.y))
    away = [float(np.linalg.norm(track.box.middle[:2] - center)) for track in things]
    near = [k for k, distance in enumerate(away) if distance <= AT_FRONTIER]
    if any(view.showing(things[k]) for k in near):
        return True
    kind = likeliest_kind(view_room(near_frontier(frontier, AT_FRONTIER), knowledge))[0]
    return kind == room or (not kind and any(distance <= _IN_ROOM for distance in away))
