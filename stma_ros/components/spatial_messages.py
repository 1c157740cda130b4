"""What spatial memory says: messages from the objects it remembers and a survey of its map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from stma_ros.mapping.survey import Survey
from stma_ros.memory.colours import colour_word
from stma_ros.memory.relations import relations
from stma_ros.memory.scene_graph import RememberedObject
from stma_ros.memory.semantic import semantic_memory
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Source
from stma_ros.types.scene_graph import Frontier, Frontiers, RoomNode, Route, SceneGraph, Triple
from stma_ros.types.standard import Header, MapMetaData, OccupancyGrid, Point, Point32, Polygon, Pose

DETOUR = 1.5
"""A thing is not at hand when the way to it is longer than this many times the arm's reach: a wall is between."""

Step: TypeAlias = tuple[Header, str, int, int]
"""Header, task id, step and revision, as every stepped message begins."""


def room_id(number: int) -> str:
    return f"room_{number}" if number else ""


def scene_graph(
    step: Step, objects: Sequence[RememberedObject], survey: Survey, based_on: tuple[Source, ...]
) -> SceneGraph:
    knowledge = semantic_memory()
    facts = relations(objects, knowledge.is_container, lambda x, y: room_id(survey.room_at(x, y)))
    contents: dict[str, list[str]] = {}
    categories = {item.id: item.category for item in objects}
    for fact in facts:
        if fact.predicate == words.IN_ROOM:
            contents.setdefault(fact.object, []).append(categories[fact.subject])
    rooms = []
    for room in survey.rooms.rooms:
        name = room_id(room.id)
        kind, confidence = knowledge.room_kind(contents.get(name, ()))
        footprint = Polygon(tuple(Point32(x, y, 0.0) for x, y in room.polygon))
        rooms.append(RoomNode(name, kind, confidence, Point(*room.centroid), room.area, footprint))
    return SceneGraph(*step, tuple(item.node() for item in objects), tuple(rooms), facts, based_on)


def frontiers(step: Step, survey: Survey, based_on: tuple[Source, ...]) -> Frontiers:
    found = tuple(
        Frontier(
            _frontier_id(frontier.id),
            Point(*frontier.center),
            Pose.planar(*frontier.viewpoint),
            frontier.length,
            frontier.unknown_area,
        )
        for frontier in survey.frontiers
    )
    return Frontiers(*step, found, based_on)


def occupancy_grid(header: Header, survey: Survey) -> OccupancyGrid:
    geometry = survey.occupancy.geometry
    origin = Pose.planar(*geometry.origin, 0.0)
    info = MapMetaData(header.stamp, geometry.resolution, geometry.cols, geometry.rows, origin)
    return OccupancyGrid(header, info, survey.occupancy.data)


def routes(objects: Sequence[RememberedObject], survey: Survey) -> tuple[Route, ...]:
    """The ways to every object and frontier."""
    ways = [_route(item, survey) for item in objects]
    ways += [
        Route(_frontier_id(frontier.id), Pose.planar(*frontier.viewpoint), frontier.distance)
        for frontier in survey.frontiers
    ]
    return tuple(ways)


def _route(item: RememberedObject, survey: Survey) -> Route:
    pose = survey.standing_pose(item.box.middle.tolist(), item.box.extent.tolist())
    return (
        Route(item.id)
        if pose is None
        else Route(item.id, Pose.planar(pose.x, pose.y, pose.yaw), pose.distance)
    )


def object_facts(graph: SceneGraph, objects: Sequence[RememberedObject]) -> Iterator[Triple]:
    """What each room and thing is, its colour and its state."""
    for room in graph.rooms:
        if room.category:
            yield Triple(room.id, words.IS_A, room.category, room.confidence)
    for item in objects:
        seen = (item.first_seen, item.last_seen)
        yield Triple(item.id, words.IS_A, item.category, item.confidence, *seen)
        colour = colour_word(item.color)
        if colour:
            yield Triple(item.id, words.COLOUR, colour, item.confidence, *seen)
        if item.state is not None and not _is_back(item):
            yield item.state
        elif semantic_memory().is_container(item.category):
            yield Triple(item.id, words.STATE, words.STATE_UNKNOWN, 1.0, *seen)


def _is_back(item: RememberedObject) -> bool:
    """Whether a thing that was missed has been seen again."""
    state = item.state
    return state is not None and state.object == words.STATE_MISSING and state.last_seen < item.last_seen


def at_hand(
    robot: tuple[float, float], reach: float, objects: Sequence[RememberedObject], ways: Sequence[Route]
) -> Iterator[Triple]:
    """What a robot at map point `robot` (x, y) [m] can reach. What is as near but behind a wall has a longer way."""
    length = {route.target: route.length for route in ways}
    here = np.array(robot)
    for item in objects:
        apart = np.maximum(item.box.low[:2] - here, here - item.box.high[:2]).clip(0)
        if np.hypot(*apart) <= reach and length[item.id] <= DETOUR * reach:
            yield Triple(words.ROBOT, words.NEAR, item.id, item.confidence)


def frontier_facts(found: Frontiers, survey: Survey) -> Iterator[Triple]:
    for frontier in found.frontiers:
        yield Triple(frontier.id, words.IS_A, words.FRONTIER)
        yield Triple(frontier.id, words.UNKNOWN_AREA, f"{frontier.unknown_area:.1f}")
        room = room_id(survey.room_at(frontier.center.x, frontier.center.y))
        if room:
            yield Triple(frontier.id, words.IN_ROOM, room)


def _frontier_id(number: int) -> str:
    return f"frontier_{number}"
