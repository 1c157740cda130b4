"""Computes the ground truth of a flat, for scorers and reports only."""

from __future__ import annotations

from stma_ros.types.standard import ColorRGBA, Header, Point32, Polygon, Pose, Time
from stma_ros.types.truth import GroundTruth, GroundTruthObject, GroundTruthRoom
from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.meshes import Colour
from stma_ros.worlds.robot.geometry import ConvexPolygon, Placement
from stma_ros.worlds.robot.scene import is_hidden, item_box
from stma_ros.worlds.robot.sensors import MAP_FRAME
from stma_ros.worlds.robot.state import ROBOT, SceneState
from stma_ros.worlds.robot.truth import bounding_box, fixture_states, hand_of, item_states


def truth_of(flat: Flat, scene: str, robot: Placement, state: SceneState, stamp: Time) -> GroundTruth:
    """Returns the ground truth of a flat in a state. Boxes are those of the present state, open fronts included, along
    the axes of each thing."""
    things = [
        *(_furniture(piece, state) for piece in flat.furniture),
        *(_door(flat, door, state) for door in flat.doors),
        *(_item(flat, item, state, robot) for item in flat.items),
    ]
    rooms = tuple(
        GroundTruthRoom(name=room_name(k), category=room.kind, footprint=_polygon(room.floor))
        for k, room in enumerate(flat.layout.rooms)
    )
    return GroundTruth(
        header=Header(stamp, MAP_FRAME),
        scene=scene,
        robot=Pose.planar(robot.x, robot.y, robot.yaw),
        rooms=rooms,
        objects=tuple(things),
    )


def _furniture(piece: Furniture, state: SceneState) -> GroundTruthObject:
    return GroundTruthObject(
        name=piece.name,
        category=piece.category,
        box=bounding_box(piece.box_when(piece.name in state.open_names)),
        color=_colour(piece.colours[0]),
        room=room_name(piece.room),
        fixed=True,
        states=fixture_states(piece, state),
    )


def _door(flat: Flat, door: Door, state: SceneState) -> GroundTruthObject:
    """Returns the ground truth of a door, which belongs to the room into which it opens."""
    return GroundTruthObject(
        name=door.name,
        category=door.category,
        box=bounding_box(door.box_when(door.name in state.open_names)),
        color=_colour(door.colour),
        material="wood",
        room=_room_at(flat, *door.ahead(0.5, swing_side=True)),
        fixed=True,
        states=fixture_states(door, state),
    )


def _item(flat: Flat, item: Item, state: SceneState, robot: Placement) -> GroundTruthObject:
    spot = state.spots[item.name]
    base = state.base_of(item.name)
    hand = hand_of(robot) if base.support == ROBOT else None
    # The gripper may be beyond a wall; what it holds is where the robot is.
    at = (spot.x, spot.y) if hand is None else (robot.x, robot.y)
    piece = flat.furniture_by_name.get(base.support)
    return GroundTruthObject(
        name=item.name,
        category=item.category,
        box=bounding_box(item_box(item, state), hand),
        color=_colour(item.colour),
        material=item.kind.material,
        room=_room_at(flat, *at) if piece is None else room_name(piece.room),
        support=spot.support,
        inside=spot.inside,
        hidden=is_hidden(flat, item, state),
        states=item_states(item, state),
    )


def room_name(index: int) -> str:
    return f"room_{index + 1}"


def _room_at(flat: Flat, x: float, y: float) -> str:
    """Returns the name of the room at a point; the nearest room's in a doorway."""
    rooms = flat.layout.rooms
    return room_name(min(range(len(rooms)), key=lambda k: rooms[k].floor.distance(x, y)))


def _polygon(floor: ConvexPolygon) -> Polygon:
    return Polygon(tuple(Point32(x, y, 0.0) for x, y in floor.corners))


def _colour(colour: Colour) -> ColorRGBA:
    red, green, blue = (channel / 255 for channel in colour)
    return ColorRGBA(red, green, blue, 1.0)
