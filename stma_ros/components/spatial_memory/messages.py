"""What spatial memory says: messages from the objects it remembers and a survey of its map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from stma_ros.mapping.survey import Survey
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.colours import colour_word
from stma_ros.memory.relations import relations
from stma_ros.memory.room_sightings import RoomSightings
from stma_ros.memory.states import OPENNESS, state_in
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.common import MessageRef
from stma_ros.types.scene_graph import Frontier, Frontiers, Relation, RoomNode, Route, SceneGraph
from stma_ros.types.standard import Header, MapMetaData, OccupancyGrid, Point, Point32, Polygon, Pose
from stma_ros.types.stepped import StepStamp

BEFORE = 0.2
"""How far before a thing's box the floor is looked at that tells its room [m]."""


def room_id(number: int) -> str:
    return f"room_{number}" if number else ""


def scene_graph(
    step: StepStamp,
    objects: Sequence[TrackedObject],
    survey: Survey,
    sightings: RoomSightings,
    former_kinds: Mapping[str, str],
    derived_from: tuple[MessageRef, ...],
    knowledge: CategoryKnowledge,
) -> SceneGraph:
    """With the rooms noted in `sightings`. `former_kinds`: what each room was taken for before."""
    facts = relations(objects, knowledge, lambda item: _room_of(item, survey))
    contents: dict[str, list[TrackedObject]] = {}
    items = {item.id: item for item in objects}
    for fact in facts:
        if fact.predicate == words.IN_ROOM:
            contents.setdefault(fact.object, []).append(items[fact.subject])
    now = step.header.stamp
    rooms = []
    for room in survey.rooms.rooms:
        name = room_id(room.id)
        inside = contents.get(name, ())
        kind, confidence = knowledge.room_kind(
            (item.category for item in inside), room.ways, former_kinds.get(name, "")
        )
        footprint = Polygon(tuple(Point32(x, y, 0.0) for x, y in room.polygon))
        first_seen, last_seen = sightings.observe(name, now, inside)
        rooms.append(
            RoomNode(
                id=name,
                category=kind,
                confidence=confidence,
                center=Point(*room.centroid),
                area=room.area,
                footprint=footprint,
                first_seen=first_seen,
                last_seen=last_seen,
            )
        )
    return SceneGraph(
        at=step,
        objects=tuple(item.node() for item in objects),
        rooms=tuple(rooms),
        relations=facts,
        derived_from=derived_from,
    )


def _room_of(item: TrackedObject, survey: Survey) -> str:
    """The room that it faces: the floor before it, towards where it was seen from, is in the same room as it is, while
    the floor nearest to it may lie behind a wall."""
    middle, half = item.box.middle[:2], item.box.extent[:2] / 2
    towards = np.array([item.camera_position.x, item.camera_position.y]) - middle
    far = float(np.hypot(*towards))
    if far > 0:  # neither at the same place nor unknown
        before = min(far, float(np.hypot(*half)) + BEFORE)
        room = room_id(survey.room_at(*(middle + towards * (before / far))))
        if room:
            return room
    return room_id(survey.room_at(*middle))


def frontiers(step: StepStamp, survey: Survey, derived_from: tuple[MessageRef, ...]) -> Frontiers:
    found = tuple(
        Frontier(
            id=_frontier_id(frontier.id),
            center=Point(*frontier.center),
            viewpoint=Pose.planar(*frontier.viewpoint),
            length=frontier.length,
            unknown_area=frontier.unknown_area,
        )
        for frontier in survey.frontiers
    )
    return Frontiers(at=step, frontiers=found, derived_from=derived_from)


def occupancy_grid(header: Header, survey: Survey) -> OccupancyGrid:
    geometry = survey.occupancy.geometry
    origin = Pose.planar(*geometry.origin, 0.0)
    info = MapMetaData(header.stamp, geometry.resolution, geometry.cols, geometry.rows, origin)
    return OccupancyGrid(header, info, survey.occupancy.data)


def routes(objects: Sequence[TrackedObject], survey: Survey) -> tuple[Route, ...]:
    """The ways to every object that is somewhere, also to where a missing one was, and to every frontier."""
    ways = [_route(item, survey) for item in objects if item.status is not ObjectStatus.HELD]
    ways += [
        Route(
            target=_frontier_id(frontier.id), goal=Pose.planar(*frontier.viewpoint), length=frontier.distance
        )
        for frontier in survey.frontiers
    ]
    return tuple(ways)


def _route(item: TrackedObject, survey: Survey) -> Route:
    pose = survey.standing_pose(item.box.middle.tolist(), item.box.extent.tolist())
    return (
        Route(target=item.id)
        if pose is None
        else Route(target=item.id, goal=Pose.planar(pose.x, pose.y, pose.yaw), length=pose.distance)
    )


def object_facts(
    graph: SceneGraph, objects: Sequence[TrackedObject], knowledge: CategoryKnowledge
) -> Iterator[Relation]:
    """What each room and thing is, its colour, its size and its states."""
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
        colour = colour_word(item.color)
        if colour:
            yield fact(words.COLOUR, colour, confidence=item.confidence)
        if knowledge.is_portable(item.category):
            yield fact(words.SIZE, f"{item.box.longest:.2f}", confidence=item.confidence)
        yield from item.states
        missing = item.status is ObjectStatus.MISSING
        if knowledge.is_openable(item.category) and not missing and state_in(item.states, OPENNESS) is None:
            yield fact(words.STATE, words.STATE_UNKNOWN)


def at_hand(
    robot: tuple[float, float], reach: float, objects: Sequence[TrackedObject], survey: Survey
) -> Iterator[Relation]:
    """What a robot at map point `robot` (x, y) [m] can reach from there; not what is as near but behind a wall."""
    for item in objects:
        box = item.box
        if item.is_present and survey.is_within_reach(
            *robot, box.middle.tolist(), box.extent.tolist(), reach
        ):
            yield Relation(words.ROBOT, words.NEAR, item.id, confidence=item.confidence)


def frontier_facts(found: Frontiers, survey: Survey) -> Iterator[Relation]:
    for frontier in found.frontiers:
        yield Relation(frontier.id, words.IS_A, words.FRONTIER)
        yield Relation(frontier.id, words.UNKNOWN_AREA, f"{frontier.unknown_area:.1f}")
        room = room_id(survey.room_at(frontier.center.x, frontier.center.y))
        if room:
            yield Relation(frontier.id, words.IN_ROOM, room)


def _frontier_id(number: int) -> str:
    return f"frontier_{number}"
