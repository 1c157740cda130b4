"""Facts of a spatial belief, in addition to the relations of the scene graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from stma_ros.library.scene.scene_messages import room_id, room_kinds
from stma_ros.mapping.spatial_map import MapSnapshot
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.label_votes import LabelVotes
from stma_ros.memory.place_history import PlaceInterval, taken_from
from stma_ros.memory.relations import near_to
from stma_ros.memory.states import OPENNESS, state_in, told
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Frontiers, Relation, SceneGraph
from stma_ros.types.standard import Time

_LEAST_SHARE = 0.01  # less likely kinds of rooms are left out
_DISPUTED = 0.25  # share of the labels of a thing that its other kinds and colours need

_TAKEN = {words.IN: words.TAKEN_OUT_OF, words.ON: words.TAKEN_OFF}


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


def origins(objects: Iterable[TrackedObject], since: Time) -> dict[str, PlaceInterval]:
    """Returns, for the id of each object that the robot has taken since a time, the place where it first took it from.

    A task's text describes where things are when the task begins.
    """
    former = ((item.id, taken_from(item.place_history, since)) for item in objects)
    return {name: interval for name, interval in former if interval is not None}


def origin_facts(taken: Mapping[str, PlaceInterval], objects: Sequence[TrackedObject]) -> Iterator[Relation]:
    """Yields the places from which the robot took objects (`taken`, by the id of the object)."""
    for name, former in taken.items():
        fact = partial(Relation, name, first_seen=former.first_seen, last_seen=former.last_seen)
        if former.predicate in _TAKEN:
            yield fact(_TAKEN[former.predicate], former.holder)
        elif former.box is not None:  # what is near a holder is near what it holds
            neighbours = near_to(former.box, objects)
            yield from (fact(words.TAKEN_FROM_BESIDE, other.id) for other in neighbours if other.id != name)
        if former.room:
            yield fact(words.TAKEN_FROM, former.room)


def at_hand(
    robot: tuple[float, float], reach: float, objects: Sequence[TrackedObject], snapshot: MapSnapshot
) -> Iterator[Relation]:
    """Yields the objects that a robot at map point `robot` (x, y) [m] can reach from there; objects behind a wall
    are left out."""
    for item in objects:
        box = item.box
        if item.is_present and snapshot.is_within_reach(
            *robot, box.middle.tolist(), box.extent.tolist(), box.yaw, reach
        ):
            yield Relation(words.ROBOT, words.NEAR, item.id, confidence=item.confidence)


def frontier_facts(found: Frontiers, snapshot: MapSnapshot) -> Iterator[Relation]:
    """Yields the facts of each frontier: that it is one, the unknown area behind it [m^2], and its room."""
    for frontier in found.frontiers:
        yield Relation(frontier.id, words.IS_A, words.FRONTIER)
        yield Relation(frontier.id, words.UNKNOWN_AREA, f"{frontier.unknown_area:.1f}")
        room = room_id(snapshot.room_at(frontier.center.x, frontier.center.y))
        if room:
            yield Relation(frontier.id, words.IN_ROOM, room)
