"""Maps the objects of a data set's scene to the engine's objects."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.spatial.transform import Rotation

from stma_ros.worlds.habitat.axes import Rotation as Quaternion
from stma_ros.worlds.habitat.axes import yaw_to_habitat
from stma_ros.worlds.habitat.camera_renderer import Wanted
from stma_ros.worlds.habitat.carried import carried_spot
from stma_ros.worlds.habitat.engine.interface import Change, Place, SetJoints
from stma_ros.worlds.habitat.engine.scene_report import ObjectReport, SceneReport
from stma_ros.worlds.habitat.export.dataset import HIDDEN
from stma_ros.worlds.habitat.scene.dataset_scene import DatasetScene
from stma_ros.worlds.habitat.scene.portable import LoadedPortable
from stma_ros.worlds.habitat.scene.storey import Storey
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.scene import is_in_view
from stma_ros.worlds.robot.state import SceneState, Spot


def surface_name(id_: int) -> str:
    """Returns the name of the owner of an annotated surface."""
    return f"surface {id_}"


class DatasetStage:
    """Implements camera_renderer.Stage. Objects of the report own their surfaces; objects without a category have no
    owner."""

    def __init__(self, scene: DatasetScene, storey: Storey, report: SceneReport) -> None:
        self._scene = scene
        self._storey = storey
        self._reports = {thing.id: thing for thing in report.objects}
        self.owner_of_surface = {s.id: surface_name(s.id) for s in report.surfaces if s.category}
        self.owner_of_object = {thing.id: thing.name for thing in report.objects if thing.category}
        self._as_loaded: Wanted = {(thing.id, Place): _as_loaded(thing) for thing in report.objects}
        self._settled: tuple[SceneState, Wanted] | None = None

    def floor_height(self) -> float:
        return self._storey.height

    def wanted(self, base: Placement, state: SceneState) -> Wanted:
        if self._settled is None or self._settled[0] is not state:
            self._settled = state, self._in_state(state)
        wanted = self._settled[1]
        if not state.held:
            return wanted
        held = self._scene.items_by_name[state.held]
        return {**wanted, (held.id, Place): self._place(held, carried_spot(base))}

    def _in_state(self, state: SceneState) -> Wanted:
        wanted: dict[tuple[int, type[Change]], Change] = dict(self._as_loaded)
        for item in self._scene.items:
            spot = state.spots[item.name]
            below = 0.0 if is_in_view(self._scene, item, state) else HIDDEN
            wanted[item.id, Place] = self._place(item, spot, below)
        for fixture in self._scene.fixed:
            if fixture.front:
                is_open = fixture.name in state.open_names
                joints = fixture.front.open if is_open else fixture.front.shut
                wanted[fixture.id, SetJoints] = SetJoints(fixture.id, joints)
        return wanted

    def _place(self, item: LoadedPortable, spot: Spot, below: float = 0.0) -> Place:
        """Returns the pose of an item at the spot: it keeps the orientation in which it was loaded, except
        for its yaw."""
        report, solid = self._reports[item.id], item.solid
        turn = _rotation(yaw_to_habitat(spot.yaw - solid.yaw))
        foot, there = self._storey.to_habitat(
            np.array([(solid.x, solid.y, solid.low), (spot.x, spot.y, spot.z - below)])
        )
        x, y, z = (there + turn.apply(np.array(report.position) - foot)).tolist()
        qx, qy, qz, qw = (turn * _rotation(report.rotation)).as_quat().tolist()
        return Place(item.id, (x, y, z), (qw, qx, qy, qz))


def shut_for_the_navmesh(objects: Sequence[ObjectReport], doors: Sequence[ObjectReport]) -> Wanted:
    """Returns the changes before a navmesh is made: fronts are closed and doors hidden, as both are added as obstacles
    later."""
    shut: dict[tuple[int, type[Change]], Change] = {
        (each.id, SetJoints): SetJoints(each.id, [j.shut for j in each.joints])
        for each in objects
        if each.joints
    }
    return {**shut, **put_away(doors)}


def put_away(objects: Sequence[ObjectReport]) -> Wanted:
    """Returns the changes that hide objects from images and rays."""
    return {(each.id, Place): _as_loaded(each, HIDDEN) for each in objects}


def _as_loaded(report: ObjectReport, below: float = 0.0) -> Place:
    x, y, z = report.position
    return Place(report.id, (x, y - below, z), report.rotation)


def _rotation(rotation: Quaternion) -> Rotation:
    w, x, y, z = rotation
    return Rotation.from_quat((x, y, z, w))
