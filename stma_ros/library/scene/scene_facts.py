"""Facts about the things, rooms and frontiers of a scene graph, in addition to its relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from stma_ros.library.scene.scene_messages import room_id, room_kinds, room_of
from stma_ros.mapping.spatial_map import MapSnapshot
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.label_votes import LabelVotes
from stma_ros.memory.place_history import PlaceInterval
from stma_ros.memory.states import OPENNESS, state_in, told
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Frontiers, Relation, SceneGraph

_LEAST_SHARE = 0.01  # less likely kinds of rooms are left out
_DISPUTED = 0.25  # share of the labels of a thing that its other kinds and colours need


def object_facts(
    graph: SceneGraph,
    objects: Sequence[TrackedObject],
    knowledge: CategoryKnowledge,
    taken: Mapping[str, PlaceInterval],
) -> Iterator[Relation]:
    """Yields category, colour, size and states of each room and object, and what else its kind and colour may be.

    Measured sizes vary from place to place. An object that was taken (`taken`, by its id) keeps the size by which it
    was chosen.
    """
    for room in graph.rooms:
        if room.category:
            yield Relation(
                room.id,
                words.IS_A,
                room.category,
                confidence=room.confidence,
                first_seen=room.first_seen,
                last_seen=room.last_seen,
            )
    for item in objects:
        fact = partial(Relation, item.id, first_seen=item.first_seen, last_seen=item.last_seen)
        yield fact(words.IS_A, item.category, confidence=item.confidence)
        for kind, share in _others(item.votes, item.category):
            yield fact(words.MAY_BE, kind, confidence=share * item.confidence / item.votes.share)
        if item.colour:
            yield fact(words.COLOUR, item.colour, confidence=item.confidence)
        for colour, share in _others(item.color_votes, item.colour):
            yield fact(words.MAY_HAVE_COLOUR, colour, confidence=share * item.confidence)
        if not knowledge.is_furniture(item.category):
            former = taken.get(item.id)
            box = item.box if former is None or former.box is None else former.box
            yield fact(words.SIZE, f"{box.longest:.2f}", confidence=item.confidence)
        states = told(item.states, graph.at.header.stamp)
        yield from states
        missing = item.status is ObjectStatus.MISSING
        if knowledge.is_openable(item.category) and not missing and state_in(states, OPENNESS) is None:
            yield fact(words.STATE, words.STATE_UNKNOWN)


def unconfirmed_facts(objects: Iterable[TrackedObject], snapshot: MapSnapshot) -> Iterator[Relation]:
    """Yields what each object seems to be of which another look must tell whether it exists, with its colour and its
    room."""
    for item in objects:
        fact = partial(Relation, item.id, first_seen=item.first_seen, last_seen=item.last_seen)
        yield fact(words.SEEMS, item.category, confidence=item.confidence)
        for kind, share in _others(item.votes, item.category):
            yield fact(words.SEEMS, kind, confidence=share * item.existence.probability)
        if item.colour:
            yield fact(words.COLOUR, item.colour, confidence=item.confidence)
        if room := room_of(item, snapshot.room_lookup):
            yield fact(words.IN_ROOM, room, confidence=item.confidence)


def _others(votes: LabelVotes, label: str) -> Iterator[tuple[str, float]]:
    """Yields the labels besides the one that counts which a good part of the votes is for, with their shares."""
    return ((other, share) for other, share in votes.shares.items() if other != label and share >= _DISPUTED)


def other_room_kinds(
    graph: SceneGraph, snapshot: MapSnapshot, knowledge: CategoryKnowledge
) -> Iterator[Relation]:
    """Yields the kinds that each room may be of, apart from the one that it is taken for."""
    category = {item.id: item.category for item in graph.objects}
    kinds = room_kinds(graph.relations, category, snapshot, knowledge)
    for room in graph.rooms:
        for kind, share in kinds[room.id].items():
            if kind != room.category and share >= _LEAST_SHARE:
                yield Relation(
                    room.id,
                    words.MAY_BE,
                    kind,
                    confidence=share,
                    first_seen=room.first_seen,
                    last_seen=room.last_seen,
                )


def frontier_facts(found: Frontiers, snapshot: MapSnapshot) -> Iterator[Relation]:
    """Yields the facts of each frontier: that it is one, the unknown area behind it [m^2], and its room."""
    for frontier in found.frontiers:
        yield Relation(frontier.id, words.IS_A, words.FRONTIER)
        yield Relation(frontier.id, words.UNKNOWN_AREA, f"{frontier.unknown_area:.1f}")
        room = room_id(snapshot.room_at(frontier.center.x, frontier.center.y))
        if room:
            yield Relation(frontier.id, words.IN_ROOM, room)


def known_facts(
    graph: SceneGraph,
    objects: Sequence[TrackedObject],
    snapshot: MapSnapshot,
    found: Frontiers,
    knowledge: CategoryKnowledge,
) -> tuple[Relation, ...]:
    """Returns all facts of a scene, relations included, from which questions are answered outside of tasks."""
    return (
        *object_facts(graph, objects, knowledge, {}),
        *other_room_kinds(graph, snapshot, knowledge),
        *graph.relations,
        *frontier_facts(found, snapshot),
    )
