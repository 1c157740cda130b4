"""Generates knowledge graphs of very large homes with entity vectors, of any size, from a seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

DIMENSIONS = 384
"""As many as the sentence encoder's embeddings have."""

_ROOMS = ("kitchen", "bedroom", "bathroom", "living room", "hall", "study", "pantry", "laundry room")
_SURFACES = ("table", "counter", "shelf", "desk", "bed", "sofa")
_CONTAINERS = ("fridge", "cupboard", "drawer", "wardrobe", "box", "cabinet")
_THINGS = (
    "mug",
    "plate",
    "knife",
    "apple",
    "carrot",
    "potato",
    "book",
    "towel",
    "lamp",
    "key",
    "shirt",
    "remote",
)
_DOOR = "door"
_KINDS = (*_ROOMS, *_SURFACES, *_CONTAINERS, *_THINGS, _DOOR)

_FURNITURE = (2, 7)  # pieces in a room: at least, at most
_CONTENTS = (0, 5)  # things in or on one of them
_ROOM_ENTITIES = 18  # with these numbers, on average, its doors included
_EXITS = 0.7  # of two neighbouring rooms, the share that an exit joins
_DOORS = 0.3  # of exits, the share that has a door
_COMMON, _OWN = (
    0.5,
    0.7,
)  # lengths of what all names have in common, and of each name's own, beside its kind's 1.0
_TOPICS = 3  # what a query is about: the observation, the task, the subgoal
_CHUNK = 16_384  # vectors that are made at once


@dataclass(frozen=True)
class HomeGraph:
    """names: the N entities. vectors: N x DIMENSIONS, of length one, clustered by the kind of thing as embeddings of
    names are. facts: all that is known. queries: Q x DIMENSIONS, each the sum of three topics, as the agent's are."""

    names: tuple[str, ...]
    vectors: NDArray[np.float32]
    facts: tuple[Relation, ...]
    queries: NDArray[np.float32]


def make_home_graph(entities: int, queries: int, seed: int) -> HomeGraph:
    """Rooms on a square grid, exits and doors between them, furniture in them, things in and on it, states.

    entities: how many at least; the last room is furnished to the end."""
    rng = np.random.default_rng(seed)
    home = _Home(rng, max(1, round((entities / _ROOM_ENTITIES) ** 0.5)))
    while len(home.kinds) < entities:
        home.add_room()
    common = _directions(rng, 1)
    centres = _COMMON * common + _directions(rng, len(_KINDS))
    kinds = np.fromiter(home.kinds.values(), np.intp, len(home.kinds))
    vectors = np.empty((len(kinds), DIMENSIONS), np.float32)
    for start in range(0, len(kinds), _CHUNK):
        chunk = kinds[start : start + _CHUNK]
        vectors[start : start + _CHUNK] = _units(centres[chunk] + _OWN * _directions(rng, len(chunk)))
    topics = centres[rng.integers(len(_KINDS), size=(queries, _TOPICS))]
    own = _OWN * _directions(rng, queries * _TOPICS).reshape(topics.shape)
    return HomeGraph(tuple(home.kinds), vectors, tuple(home.facts), _units(topics + own).sum(axis=1))


class _Home:
    """A home that grows room by room, in rows of `width`."""

    def __init__(self, rng: np.random.Generator, width: int) -> None:
        self._rng = rng
        self._width = width
        self._rooms: list[str] = []
        self.kinds: dict[str, int] = {}  # of the entities, by name: index in _KINDS
        self.facts: list[Relation] = []

    def add_room(self) -> None:
        """A room, its exits to its neighbours in the west and north, and all that is in it."""
        room = self._entity(_ROOMS)
        number = len(self._rooms)
        self._rooms.append(room)
        if number % self._width:
            self._join(room, "west", self._rooms[number - 1])
        if number >= self._width:
            self._join(room, "north", self._rooms[number - self._width])
        for _ in range(self._rng.integers(*_FURNITURE, endpoint=True)):
            if self._rng.random() < 0.5:
                self._fill(self._entity(_SURFACES), words.ON, room)
            else:
                container = self._entity(_CONTAINERS)
                state = words.STATE_OPEN if self._rng.random() < 0.5 else words.STATE_CLOSED
                self._tell(container, words.STATE, state)
                self._fill(container, words.IN, room)

    def _join(self, room: str, direction: str, other: str) -> None:
        if self._rng.random() >= _EXITS:
            return
        opposite = words.OPPOSITE[direction]
        self._tell(room, words.EXIT + direction, other)
        self._tell(other, words.EXIT + opposite, room)
        if self._rng.random() < _DOORS:
            door = self._entity((_DOOR,))
            self._tell(room, words.DOOR + direction, door)
            self._tell(other, words.DOOR + opposite, door)
            self._tell(door, words.STATE, words.STATE_CLOSED)

    def _fill(self, furniture: str, predicate: str, room: str) -> None:
        self._tell(furniture, words.IN, room)
        for _ in range(self._rng.integers(*_CONTENTS, endpoint=True)):
            self._tell(self._entity(_THINGS), predicate, furniture)

    def _entity(self, kinds: tuple[str, ...]) -> str:
        kind = kinds[self._rng.integers(len(kinds))]
        name = f"{kind} {len(self.kinds)}"
        self.kinds[name] = _KINDS.index(kind)
        return name

    def _tell(self, subject: str, predicate: str, item: str) -> None:
        self.facts.append(Relation(subject, predicate, item))


def _directions(rng: np.random.Generator, count: int) -> NDArray[np.float32]:
    return _units(rng.standard_normal((count, DIMENSIONS), np.float32))


def _units(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    units: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return units
