"""Makes messages of a place memory: scene graph, frontiers and occupancy grid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from stma_ros.mapping.occupancy import OccupancySlice
from stma_ros.mapping.spatial_map import MapSnapshot, RoomLookup
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.relations import relations
from stma_ros.memory.room_kinds import Shares, in_one_home, likeliest_kind, room_shares
from stma_ros.memory.room_sightings import RoomSightings
from stma_ros.memory.states import told
from stma_ros.memory.tracked_object import TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.common import MessageRef
from stma_ros.types.floors import Floors
from stma_ros.types.scene_graph import Frontier, Frontiers, Relation, RoomNode, SceneGraph
from stma_ros.types.standard import Header, MapMetaData, OccupancyGrid, Point, Point32, Polygon, Pose
from stma_ros.types.stepped import StepStamp

BEFORE = 0.2
"""Distance in front of an object's box at which the floor determines its room [m]."""


def room_id(number: int) -> str:
    """Returns the id of a room in messages; empty for 0, which is no room."""
    return f"room_{number}" if number else ""


def frontier_id(number: int) -> str:
    """Returns the id of a frontier in messages."""
    return f"frontier_{number}"


def scene_graph(
    step: StepStamp,
    objects: Sequence[TrackedObject],
    unconfirmed: Sequence[TrackedObject],
    snapshot: MapSnapshot,
    sightings: RoomSightings,
    former_kinds: Mapping[str, str],
    knowledge: CategoryKnowledge,
    floors: Floors = Floors(),
    derived_from: tuple[MessageRef, ...] = (),
    detected: Iterable[Relation] = (),
) -> SceneGraph:
    """Makes the scene graph, and records its rooms in `sightings`.

    Args:
        step: Task, step and stamp of the message, and the map's frame.
        objects: The remembered objects.
        unconfirmed: Those of which another look must tell whether they exist.
        snapshot: The map at that time.
        sightings: Times when each room was seen.
        former_kinds: Categories of rooms by id in the last scene graph.
        knowledge: Knowledge of categories in the domain.
        floors: Floors of the building.
        derived_from: References to the messages that it is made from.
        detected: Relations that detectors report.
    """
    facts = object_relations(objects, snapshot.room_lookup, knowledge, floors, detected)
    contents = _contents(facts)
    items = {item.id: item for item in objects}
    now = step.header.stamp
    shares = room_kinds(facts, {item.id: item.category for item in objects}, snapshot, knowledge)
    rooms = []
    for room, floor in snapshot.rooms_with_floors():
        name = room_id(room.id)
        inside = [items[each] for each in contents.get(name, ())]
        kind, confidence = likeliest_kind(shares[name], former_kinds.get(name, ""))
        footprint = Polygon(tuple(Point32(x, y, floor) for x, y in room.polygon))
        first_seen, last_seen = sightings.observe(name, now, inside)
        rooms.append(
            RoomNode(
                id=name,
                category=kind,
                confidence=confidence,
                center=Point(*room.centroid, floor),
                area=room.area,
                footprint=footprint,
                first_seen=first_seen,
                last_seen=last_seen,
            )
        )
    return SceneGraph(
        at=step,
        objects=tuple(replace(item, states=told(item.states, now)).node() for item in objects),
        unconfirmed=tuple(item.node() for item in unconfirmed),
        rooms=tuple(rooms),
        relations=facts,
        derived_from=derived_from,
    )


def object_relations(
    objects: Sequence[TrackedObject],
    rooms: RoomLookup,
    knowledge: CategoryKnowledge,
    floors: Floors,
    detected: Iterable[Relation],
) -> tuple[Relation, ...]:
    """Returns the relations of a scene graph. rooms: of the map at that time; the others as of `scene_graph`."""
    return relations(objects, knowledge, lambda item: room_of(item, rooms), floors, detected)


def room_kinds(
    relations: Iterable[Relation],
    categories: Mapping[str, str],
    snapshot: MapSnapshot,
    knowledge: CategoryKnowledge,
) -> dict[str, Shares]:
    """Returns the probability of each kind of room, for each room of the map.

    Args:
        relations: those of objects to rooms among them.
        categories: of the objects, by id.
        snapshot: the map.
        knowledge: of categories.
    """
    contents = _contents(relations)
    alone = {}
    for room, _ in snapshot.rooms_with_floors():
        name = room_id(room.id)
        inside = (categories[each] for each in contents.get(name, ()))
        alone[name] = room_shares(knowledge, inside, room.openings)
    return in_one_home(knowledge, alone)


def _contents(relations: Iterable[Relation]) -> dict[str, list[str]]:
    """Returns the ids of the objects in each room, by the room's id."""
    contents: dict[str, list[str]] = {}
    for fact in relations:
        if fact.predicate == words.IN_ROOM:
            contents.setdefault(fact.object, []).append(fact.subject)
    return contents


def room_of(item: TrackedObject, rooms: RoomLookup) -> str:
    """Returns the room that an object faces.

    The floor in front of it, towards the viewpoint, is in the same room as the object, whereas the nearest floor may be
    behind a wall.
    """
    middle, half = item.box.middle[:2], item.box.extent[:2] / 2
    x, y, z = item.box.middle.tolist()
    towards = np.array([item.camera_position.x, item.camera_position.y]) - middle
    far = float(np.hypot(*towards))
    if far > 0:  # neither at the same place nor unknown
        before = min(far, float(np.hypot(*half)) + BEFORE)
        before_x, before_y = (middle + towards * (before / far)).tolist()
        room = room_id(rooms.room_at(before_x, before_y, z))
        if room:
            return room
    return room_id(rooms.room_at(x, y, z))


def frontiers(step: StepStamp, snapshot: MapSnapshot, derived_from: tuple[MessageRef, ...] = ()) -> Frontiers:
    """Returns where the known ends, as the map at a time shows it. Arguments as of `scene_graph`."""
    found = tuple(
        Frontier(
            id=frontier_id(frontier.id),
            center=Point(*frontier.center, snapshot.floor),
            viewpoint=Pose.planar(*frontier.viewpoint, snapshot.floor),
            length=frontier.length,
            unknown_area=frontier.unknown_area,
        )
        for frontier in snapshot.frontiers
    )
    return Frontiers(at=step, frontiers=found, derived_from=derived_from)


def occupancy_grid(header: Header, occupancy: OccupancySlice, floor: float) -> OccupancyGrid:
    """Makes the map as nav_msgs/OccupancyGrid has it.

    Args:
        header: The time, and the map's frame.
        occupancy: The slice in which the robot drives.
        floor: Height of its floor above z = 0 of the map [m].
    """
    geometry = occupancy.geometry
    origin = Pose.planar(*geometry.origin, 0.0, floor)
    info = MapMetaData(header.stamp, geometry.resolution, geometry.cols, geometry.rows, origin)
    return OccupancyGrid(header, info, occupancy.data)
