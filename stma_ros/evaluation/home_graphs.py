"""Generates knowledge graphs of very large homes with entity vectors, of any size, from a seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

DIMENSIONS = 384
"""The dimension of the sentence encoder's embeddings."""

ROOMS = ("kitchen", "bedroom", "bathroom", "living room", "hall", "study", "pantry", "laundry room")
SURFACES = ("table", "counter", "shelf", "desk", "bed", "sofa")
CONTAINERS = ("fridge", "cupboard", "drawer", "wardrobe", "box", "cabinet")
THINGS = (
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
_KINDS = (*ROOMS, *SURFACES, *CONTAINERS, *THINGS, _DOOR)

_FURNITURE = (2, 7)  # pieces in a room: least, greatest
_CONTENTS = (0, 5)  # objects in or on a piece: least, greatest
_ROOM_ENTITIES = 18  # mean number of entities of a room with these numbers, doors included
_EXITS = 0.7  # share of the pairs of neighbouring rooms with an exit
_DOORS = 0.3  # share of the exits with a door
_COMMON, _OWN = (
    0.5,
    0.7,
)  # lengths of the common part of all names, and of each name's own part, relative to 1.0 for its kind's
_TOPICS = 3  # topics of a query: the observation, the task, the subgoal
_CHUNK = 16_384  # vectors per batch


@dataclass(frozen=True)
class HomeGraph:
    """A knowledge graph of a home.

    Attributes:
        names: the N entities.
        vectors: (N, DIMENSIONS), of unit length, clustered by the kind of entity as embeddings of names are.
        facts: all relations.
        queries: (Q, DIMENSIONS), each the sum of three topics, as the agent's queries are.
    """

    names: tuple[str, ...]
    vectors: NDArray[np.float32]
    facts: tuple[Relation, ...]
    queries: NDArray[np.float32]


def make_home_graph(entities: int, queries: int, seed: int) -> HomeGraph:
    """Makes a graph of rooms on a square grid, with exits, doors, furniture, objects and states.

    Args:
        entities: least number of entities; the last room is completed.
        queries: number of queries.
        seed: of all draws.
    """
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
        self.kinds: dict[str, int] = {}  # index in _KINDS by the entity's name
        self.facts: list[Relation] = []

    def add_room(self) -> None:
        """Adds a room, its exits to its neighbours in the west and north, and its contents."""
        room = self._entity(ROOMS)
        number = len(self._rooms)
        self._rooms.append(room)
        if number % self._width:
            self._join(room, "west", self._rooms[number - 1])
        if number >= self._width:
            self._join(room, "north", self._rooms[number - self._width])
        for _ in range(self._rng.integers(*_FURNITURE, endpoint=True)):
            if self._rng.random() < 0.5:
                self._fill(self._entity(SURFACES), words.ON, room)
            else:
                container = self._entity(CONTAINERS)
                state = words.STATE_OPEN if self._rng.random() < 0.5 else words.STATE_CLOSED
                self._add_fact(container, words.STATE, state)
                self._fill(container, words.IN, room)

    def _join(self, room: str, direction: str, other: str) -> None:
        if self._rng.random() >= _EXITS:
            return
        opposite = words.OPPOSITE[direction]
        self._add_fact(room, words.EXIT + direction, other)
        self._add_fact(other, words.EXIT + opposite, room)
        if self._rng.random() < _DOORS:
            door = self._entity((_DOOR,))
            self._add_fact(room, words.DOOR + direction, door)
            self._add_fact(other, words.DOOR + opposite, door)
            self._add_fact(door, words.STATE, words.STATE_CLOSED)

    def _fill(self, furniture: str, predicate: str, room: str) -> None:
        self._add_fact(furniture, words.IN, room)
        for _ in range(self._rng.integers(*_CONTENTS, endpoint=True)):
            self._add_fact(self._entity(THINGS), predicate, furniture)

    def _entity(self, kinds: tuple[str, ...]) -> str:
        kind = kinds[self._rng.integers(len(kinds))]
        name = f"{kind} {len(self.kinds)}"
        self.kinds[name] = _KINDS.index(kind)
        return name

    def _add_fact(self, subject: str, predicate: str, item: str) -> None:
        self.facts.append(Relation(subject, predicate, item))


def _directions(rng: np.random.Generator, count: int) -> NDArray[np.float32]:
    return _units(rng.standard_normal((count, DIMENSIONS), np.float32))


def _units(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    units: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return units
