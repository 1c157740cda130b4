"""Renders the robot's camera in a scene that an engine has loaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.habitat.axes import camera_to_habitat
from stma_ros.worlds.habitat.engine.interface import Change
from stma_ros.worlds.habitat.engine.scene_report import OBJECT_IDS
from stma_ros.worlds.habitat.loaded_scene import LoadedScene
from stma_ros.worlds.habitat.views_to_picture import picture_of
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.picture import Picture
from stma_ros.worlds.robot.state import SceneState

Wanted = Mapping[tuple[int, type[Change]], Change]


class Stage(Protocol):
    """Maps ids in the engine's images to the scene's things, and a state of the scene to changes in the engine."""

    @property
    def owner_of_surface(self) -> Mapping[int, str]:
        """The name of the thing that each annotated surface belongs to, by the surface's id."""
        ...

    @property
    def owner_of_object(self) -> Mapping[int, str]:
        """The name of the thing that each object belongs to, by the object's id."""
        ...

    def wanted(self, base: Placement, state: SceneState) -> Wanted:
        """Returns the changes that put the engine's objects into this state with the robot at `base`."""
        ...

    def floor_height(self) -> float:
        """Height of the floor that the robot drives on, above Habitat's origin [m]."""
        ...


class EngineCameraRenderer:
    """Implements robot.picture.CameraRenderer with an engine."""

    def __init__(self, scene: LoadedScene, stage: Stage, camera: Camera) -> None:
        self._scene = scene
        self._stage = stage
        self._camera = camera
        self.owners = tuple(
            dict.fromkeys([*stage.owner_of_surface.values(), *stage.owner_of_object.values()])
        )
        index = {name: k for k, name in enumerate(self.owners)}
        self._of_surface = _table({id_: index[name] for id_, name in stage.owner_of_surface.items()})
        self._of_object = _table(
            {id_ - OBJECT_IDS: index[name] for id_, name in stage.owner_of_object.items()}
        )
        self._last: tuple[Placement, SceneState, Picture] | None = None

    def render(self, base: Placement, state: SceneState) -> Picture:
        # Many skills end at the pose and state of their last frame.
        if self._last is None or self._last[0] != base or self._last[1] is not state:
            self._last = base, state, self._render(base, state)
        return self._last[2]

    def _render(self, base: Placement, state: SceneState) -> Picture:
        x, y, z = self._camera.origin(base)
        origin = np.array([x, y, z + self._stage.floor_height()])
        position, rotation = camera_to_habitat(origin, base.yaw, self._camera.pitch)
        views = self._scene.render(position.tolist(), rotation, self._stage.wanted(base, state))
        return picture_of(views, self._of_surface, self._of_object)


def _table(owners: Mapping[int, int]) -> NDArray[np.int32]:
    """Returns the owner's index by id (N,); -1 for ids without an owner."""
    table = np.full(max(owners, default=0) + 1, -1, np.int32)
    for id_, owner in owners.items():
        table[id_] = owner
    return table
