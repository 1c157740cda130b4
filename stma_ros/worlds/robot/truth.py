"""Computes the ground truth of objects: places and states."""

from __future__ import annotations

from stma_ros.types import vocabulary as words
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.standard import Point, Vector3
from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.scene import Fixture, Portable
from stma_ros.worlds.robot.state import SceneState

_HAND_AHEAD, _HAND_HEIGHT = 0.35, 0.9  # position of the gripper in the base's frame [m]


def hand_of(robot: Placement) -> Point:
    """Returns the position of a held object."""
    return Point(*robot.point(_HAND_AHEAD, 0.0), _HAND_HEIGHT)


def bounding_box(box: Box, center: Point | None = None) -> BoundingBox3D:
    """Returns the box as a message; center: elsewhere, as of a held object."""
    return BoundingBox3D.upright(center or Point(*box.centre), Vector3(*box.size), box.yaw)


def fixture_states(fixture: Fixture, state: SceneState) -> tuple[str, ...]:
    states = [_openness(fixture.name, state)] if fixture.opens else []
    return (*states, *_power(fixture, state))


def item_states(item: Portable, state: SceneState) -> tuple[str, ...]:
    states = _power(item, state)
    if item.is_vessel:
        states.append(words.STATE_FULL if item.name in state.full_names else words.STATE_EMPTY)
    return tuple(states)


def _openness(name: str, state: SceneState) -> str:
    return words.STATE_OPEN if name in state.open_names else words.STATE_CLOSED


def _power(thing: Fixture | Portable, state: SceneState) -> list[str]:
    if not thing.is_device:
        return []
    return [words.STATE_ON if thing.name in state.on_names else words.STATE_OFF]
