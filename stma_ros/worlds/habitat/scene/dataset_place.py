"""A loaded scene of a data set as a place for episodes."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from scipy.ndimage import label

from stma_ros.types.errors import ConfigurationError
from stma_ros.types.standard import Header, Point32, Polygon, Pose, Time
from stma_ros.types.truth import GroundTruth, GroundTruthObject, GroundTruthRoom
from stma_ros.worlds.habitat.scene.dataset_scene import DatasetScene
from stma_ros.worlds.habitat.scene.fixture import LoadedFixture
from stma_ros.worlds.habitat.scene.portable import LoadedPortable
from stma_ros.worlds.habitat.scene.rooms import Room
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.clearance import RESOLUTION
from stma_ros.worlds.robot.geometry import FloatArray, Placement, wrap_angle
from stma_ros.worlds.robot.picture import CameraRenderer
from stma_ros.worlds.robot.scene import is_hidden
from stma_ros.worlds.robot.sensors import MAP_FRAME
from stma_ros.worlds.robot.state import ROBOT, SceneState
from stma_ros.worlds.robot.truth import bounding_box, fixture_states, hand_of, item_states

_FROM_EDGE = 0.1  # least distance of an episode's start from the edge of the navmesh [m]
_LEAST_AREA = 1.0  # smallest floor on which episodes begin [m^2]
UP_HINT = (
    "if the scene lies on its side, its file has another up axis than habitat-sim takes it to have, which is z for a "
    "plain *.glb: say which in a *.stage_config.json next to it, such as "
    '{"render_asset": "room.glb", "up": [0, 1, 0], "front": [0, 0, -1]}'
)


class DatasetPlace:
    """Implements robot.simulated_world.Place. Raises ConfigurationError when there is no floor for the robot to start
    on."""

    home: Final = ""
    """A data set has a frame of its own, to which its episodes refer."""

    def __init__(self, scene: DatasetScene, camera_renderer: CameraRenderer) -> None:
        self.scene = scene
        self.camera_renderer = camera_renderer
        self._starts = _starts(scene)

    def begin(self, seed: int) -> Placement:
        rng = np.random.default_rng(seed)
        x, y = self._starts[int(rng.integers(len(self._starts)))].tolist()
        return Placement(x, y, wrap_angle(float(rng.uniform(-math.pi, math.pi))))

    def before_skill(self, number: int, body: Body) -> None:
        """Does nothing: no other agent changes the scene."""

    def between_tasks(self, body: Body) -> None:
        """Does nothing: no other agent changes the scene."""

    def truth(self, name: str, robot: Placement, state: SceneState, stamp: Time) -> GroundTruth:
        things = [
            *(_fixture(self.scene, fixture, state) for fixture in self.scene.fixed),
            *(_item(self.scene, item, state, robot) for item in self.scene.items),
        ]
        pose = Pose.planar(robot.x, robot.y, robot.yaw)
        rooms = tuple(map(_room, self.scene.rooms))
        return GroundTruth(
            header=Header(stamp, MAP_FRAME), scene=name, robot=pose, rooms=rooms, objects=tuple(things)
        )


def _starts(scene: DatasetScene) -> FloatArray:
    """Returns the possible starts (N, 2): places on the largest part of the floor with all doors open that are also
    free in the initial state."""
    with_doors_open = scene.ground(scene.initial.opened(*(door.name for door in scene.doors)))
    clearance, _ = scene.ground(scene.initial).reachable_from(Placement(0.0, 0.0, 0.0))
    areas, count = label(with_doors_open.free)
    if not count:
        raise ConfigurationError(f"the robot has no room in this scene; {UP_HINT}")
    largest = areas == 1 + int(np.argmax(np.bincount(areas.ravel())[1:]))
    x, y = np.broadcast_arrays(*clearance.centres)
    room = np.vectorize(scene.floor.room, otypes=[float])(x, y)
    rows, columns = np.nonzero(largest & clearance.free & (room >= _FROM_EDGE))
    area = len(rows) * RESOLUTION**2
    if area < _LEAST_AREA:
        raise ConfigurationError(
            f"the robot has only {area:.1f} m2 to start on in this scene, too little to go anywhere; {UP_HINT}"
        )
    return np.column_stack([x[rows, columns], y[rows, columns]])


def _fixture(scene: DatasetScene, fixture: LoadedFixture, state: SceneState) -> GroundTruthObject:
    room = scene.room_name(fixture.solid.x, fixture.solid.y) or scene.room_name(*fixture.ahead(0.3))
    return GroundTruthObject(
        name=fixture.name,
        category=fixture.category,
        box=bounding_box(fixture.box_when(fixture.name in state.open_names)),
        room=room,
        fixed=True,
        states=fixture_states(fixture, state),
    )


def _item(
    scene: DatasetScene, item: LoadedPortable, state: SceneState, robot: Placement
) -> GroundTruthObject:
    spot = state.spots[item.name]
    hand = hand_of(robot) if spot.support == ROBOT else None
    # The gripper may be beyond a wall; what it holds is where the robot is.
    at = (spot.x, spot.y) if hand is None else (robot.x, robot.y)
    return GroundTruthObject(
        name=item.name,
        category=item.category,
        box=bounding_box(item.box_at(spot), hand),
        room=scene.room_name(*at),
        support=spot.support,
        inside=spot.inside,
        hidden=is_hidden(scene, item, state),
        states=item_states(item, state),
    )


def _room(room: Room) -> GroundTruthRoom:
    return GroundTruthRoom(
        name=room.name,
        category=room.category,
        footprint=Polygon(tuple(Point32(x, y, 0.0) for x, y in room.outline)),
    )
