"""Maps a flat of the house to the engine: objects, their states, and the floor."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Final

import numpy as np

from stma_ros.types.errors import ConfigurationError, StorageError, WorldError
from stma_ros.worlds.habitat.axes import Rotation, points_to_habitat, yaw_to_habitat
from stma_ros.worlds.habitat.camera_renderer import Wanted
from stma_ros.worlds.habitat.carried import carried_spot
from stma_ros.worlds.habitat.engine.interface import Change, Place
from stma_ros.worlds.habitat.engine.scene_report import SceneReport
from stma_ros.worlds.habitat.export.dataset import (
    HIDDEN,
    MARK,
    VERSION,
    ExportedFlat,
    ExportedObject,
    export_flat,
)
from stma_ros.worlds.habitat.export.folder import cached_folder, keep_latest
from stma_ros.worlds.habitat.export.things import states_now
from stma_ros.worlds.habitat.navmesh import NavmeshFloor
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.flat_file import flat_text
from stma_ros.worlds.robot.geometry import OrientedRect, Placement
from stma_ros.worlds.robot.motion import Ground
from stma_ros.worlds.robot.scene import is_in_view
from stma_ros.worlds.robot.state import SceneState

KEPT: Final = 256
"""The number of exported flats in the user's cache, of 1 to 2 MB each."""


@dataclass(frozen=True)
class NavmeshFlat(Flat):
    """A flat whose floor is the area of an engine's navmesh, with open fronts and doors as obstacles on it."""

    floor: NavmeshFloor = field(kw_only=True)

    @classmethod
    def of(cls, flat: Flat, floor: NavmeshFloor) -> NavmeshFlat:
        return cls(**{each.name: getattr(flat, each.name) for each in fields(Flat)}, floor=floor)

    def ground(self, state: SceneState) -> Ground:
        moving: list[OrientedRect] = [door.leaf_when(door.name in state.open_names) for door in self.doors]
        for piece in self.furniture:
            if piece.kind.solid and piece.name in state.open_names:
                moving += piece.leaves
        return self.floor.ground(moving)


class FlatStage:
    """Implements camera_renderer.Stage for a flat."""

    def __init__(self, flat: Flat, exported: ExportedFlat, report: SceneReport) -> None:
        """Raises WorldError when the loaded scene differs from the export."""
        self._flat = flat
        ids = {str(thing.user.get("name", "")): thing.id for thing in report.objects}
        missing = [part.name for part in exported.objects if part.name not in ids]
        if missing:
            raise WorldError(
                f"habitat-sim has loaded {exported.scene} without {missing[0]} and {len(missing) - 1} more of its "
                f"objects: delete {exported.dataset.parent}, it is written again"
            )
        self._parts = [(ids[part.name], part) for part in exported.objects]
        self.owner_of_surface = dict(exported.surfaces)
        self.owner_of_object = {id_: part.owner for id_, part in self._parts}
        self._settled: tuple[SceneState, dict[tuple[int, type[Change]], Change]] | None = None

    def floor_height(self) -> float:
        return 0.0

    def wanted(self, base: Placement, state: SceneState) -> Wanted:
        if self._settled is None or self._settled[0] is not state:
            self._settled = state, {(id_, Place): self._place(id_, part, state) for id_, part in self._parts}
        wanted = self._settled[1]
        if not state.held:
            return wanted
        hand = carried_spot(base)
        pose = _pose(hand.x, hand.y, hand.z, hand.yaw)
        held: dict[tuple[int, type[Change]], Change] = {
            (id_, Place): Place(id_, *pose)
            for id_, part in self._parts
            if part.owner == state.held and _is_shown(part, state)
        }
        return {**wanted, **held}

    def _place(self, id_: int, part: ExportedObject, state: SceneState) -> Place:
        item = self._flat.items_by_name.get(part.owner)
        position, rotation = part.position, part.rotation
        visible = True
        if item is not None:
            spot = state.spots[item.name]
            position, rotation = _pose(spot.x, spot.y, spot.z, spot.yaw)
            visible = is_in_view(self._flat, item, state)
        if visible and _is_shown(part, state):
            return Place(id_, position, rotation)
        x, y, z = position
        return Place(id_, (x, y - HIDDEN, z), rotation)


def exported_flat(flat: Flat, folder: str) -> ExportedFlat:
    """Returns the flat as the engine's data set, written if it does not exist, in a folder of its own below `folder`
    (empty = in the user's cache, where the KEPT ones that were used last stay). Raises ConfigurationError when it
    cannot be written."""
    parent = cached_folder(folder, "flats")
    content = sha256(flat_text(flat).encode()).hexdigest()[:16]
    try:
        parent.mkdir(parents=True, exist_ok=True)
        exported = export_flat(flat, parent / f"flat_{flat.seed}-{content}-v{VERSION}")
    except (OSError, StorageError) as error:
        raise ConfigurationError(
            f"the flat cannot be written for the engine: {error}; name another folder with world.flats"
        ) from error
    if not folder:
        with contextlib.suppress(OSError):  # where nothing may be written, nothing grows
            os.utime(exported.dataset.parent)
        keep_latest(KEPT, parent, MARK)
    return exported


def _pose(x: float, y: float, z: float, yaw: float) -> tuple[tuple[float, float, float], Rotation]:
    at = points_to_habitat(np.array([(x, y, z)]))[0].tolist()
    return (at[0], at[1], at[2]), yaw_to_habitat(yaw)


def _is_shown(part: ExportedObject, state: SceneState) -> bool:
    return not part.state or part.state in states_now(part.owner, state)
