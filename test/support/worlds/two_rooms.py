"""A small flat made by hand for tests: a kitchen and a living room with a door between them.

y 4.06 +-----------------+-----------------+
       | sink     fridge |          shelf  |
       |                 |                 |
       | table         door_1     lamp     |
       |                 |                 |
       | counter   stove |   chest         |
y 0.06 +-----------------+-----------------+
       x 0.06        x 4 | 4.12         x 8.06
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.planning import Action, SkillRequest, SkillTarget
from stma_ros.types.standard import Header, Pose
from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.building.layout import Doorway, Layout, Room
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE
from stma_ros.worlds.house.kinds.item_kinds import ITEMS
from stma_ros.worlds.robot import skills
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import ConvexPolygon, OrientedRect, Placement, Rect
from stma_ros.worlds.robot.noise import QUIET, NoiseModel
from stma_ros.worlds.robot.places import standing_place
from stma_ros.worlds.robot.scene import item_box
from stma_ros.worlds.robot.state import SceneState
from stma_ros.worlds.robot.targets import footprint
from stma_ros.worlds.robot.truth import bounding_box

NORTH, SOUTH, WEST = -math.pi / 2, math.pi / 2, 0.0  # yaw of a piece with its back to that wall

_WALLS = tuple(
    OrientedRect.of(Rect(*wall))
    for wall in (
        (-0.06, -0.06, 8.18, 0.06),
        (-0.06, 4.06, 8.18, 4.18),
        (-0.06, -0.06, 0.06, 4.18),
        (8.06, -0.06, 8.18, 4.18),
        (4.0, 0.06, 4.12, 1.6),
        (4.0, 2.55, 4.12, 4.06),
    )
)
_DOORWAY = Doorway((0, 1), OrientedRect(4.06, 2.075, 0.475, 0.06, math.pi / 2))
_LAYOUT = Layout(
    Rect(-0.06, -0.06, 8.18, 4.18),
    (
        Room("kitchen", ConvexPolygon.of(Rect(0.06, 0.06, 4.0, 4.06))),
        Room("living room", ConvexPolygon.of(Rect(4.12, 0.06, 8.06, 4.06))),
    ),
    (_DOORWAY,),
    _WALLS,
)


def _piece(name: str, category: str, room: int, along: float, yaw: float) -> Furniture:
    """Returns a piece with its back to the wall, `along` the wall."""
    kind = FURNITURE[category]
    off = kind.least[0] / 2 + 0.09
    place = {
        NORTH: Placement(along, 4.06 - off, yaw),
        SOUTH: Placement(along, 0.06 + off, yaw),
        WEST: Placement(0.06 + off, along, yaw),
    }[yaw]
    return Furniture(name, category, room, place, kind.least, kind.colours[0])


def _item(name: str, category: str, piece: Furniture, shelf: int, y: float, inside: bool = False) -> Item:
    level = (piece.shape.inside if inside else piece.shape.on)[shelf]
    x, y = piece.placement.point(level.area.x1 - 0.12, y)
    kind = ITEMS[category]
    return Item(
        name, category, piece.name, inside, x, y, level.height, piece.placement.yaw, 1.0, kind.colours[0]
    )


_FURNITURE = {
    piece.name: piece
    for piece in (
        _piece("sink_1", "sink", 0, 0.9, NORTH),
        _piece("fridge_1", "fridge", 0, 2.9, NORTH),
        _piece("table_1", "table", 0, 2.1, WEST),
        _piece("counter_1", "counter", 0, 0.9, SOUTH),
        _piece("stove_1", "stove", 0, 2.6, SOUTH),
        _piece("shelf_1", "shelf", 1, 7.2, NORTH),
        _piece("lamp_1", "floor lamp", 1, 7.6, SOUTH),
        _piece("chest_1", "chest", 1, 5.9, SOUTH),
    )
}
_ITEMS = (
    _item("mug_1", "mug", _FURNITURE["table_1"], 0, -0.2),
    _item("mug_2", "mug", _FURNITURE["table_1"], 0, 0.0),
    _item("apple_1", "apple", _FURNITURE["fridge_1"], 1, 0.0, inside=True),
    _item("book_1", "book", _FURNITURE["shelf_1"], 1, 0.0),
    _item("radio_1", "radio", _FURNITURE["counter_1"], 0, 0.0),
)
_DOOR = Door("door_1", 0, _DOORWAY, -1, 1, (236, 232, 222))

FLAT = Flat(
    1,
    _LAYOUT,
    tuple(_FURNITURE.values()),
    _ITEMS,
    (_DOOR,),
    SceneState(open_names=frozenset({"door_1"}), spots={item.name: item.spot for item in _ITEMS}),
)
KITCHEN, LIVING_ROOM = Placement(2.4, 2.0, 0.0), Placement(6.0, 2.0, 0.0)


def body_in(state: SceneState = FLAT.initial, base: Placement = KITCHEN, noise: NoiseModel = QUIET) -> Body:
    """Returns a robot without camera images."""
    return Body(replace(FLAT, initial=state), Camera(), None, base, np.random.default_rng(0), noise, seed=5)


def box_now(body: Body, name: str) -> Box:
    if name in FLAT.items_by_name:
        return item_box(FLAT.items_by_name[name], body.state)
    thing = next(thing for thing in FLAT.fixed if thing.name == name)
    return thing.box_when(name in body.state.open_names)


def target_at(box: Box, category: str, name: str = "it") -> SkillTarget:
    given = bounding_box(box)
    return SkillTarget(id=name, category=category, pose=given.center, size=given.size)


def target_of(body: Body, name: str) -> SkillTarget:
    """Returns a target as the robot may have seen it."""
    return target_at(box_now(body, name), named(name).category)


def named(name: str) -> Furniture | Door | Item:
    return next(thing for thing in (*FLAT.fixed, *FLAT.items) if thing.name == name)


def request(skill: str, *targets: SkillTarget, goal: Pose | None = None) -> SkillRequest:
    return SkillRequest(
        header=Header(frame_id="map"),
        request_id="r1",
        task_id="t1",
        step=4,
        subgoal="",
        action=Action(skill, tuple(target.id for target in targets)),
        targets=targets,
        base_goal=goal or Pose.none(),
    )


def go_to(body: Body, name: str) -> None:
    """Places the base where the object is in reach."""
    thing = named(name)
    front = thing.ahead(0.8) if isinstance(thing, Furniture) else None
    area = footprint(body.state, thing)
    place = standing_place(FLAT, body.state, body.ground, body.base, area, front=front)
    assert place is not None
    for _ in body.drive_to(place, CancelToken()):
        pass


def do(body: Body, skill: str, target: SkillTarget | str) -> SkillError | None:
    """Executes a skill and returns why it failed."""
    aim = target_of(body, target) if isinstance(target, str) else target
    body.begin()
    try:
        for _ in _performed(body, skill, aim):
            pass
    except SkillError as error:
        return error
    return None


def _performed(body: Body, skill: str, target: SkillTarget) -> Iterator[Emission]:
    return skills.perform(body, request(skill, target), CancelToken())


def code_of(error: SkillError | None) -> ErrorCode:
    return ErrorCode.NONE if error is None else error.code
