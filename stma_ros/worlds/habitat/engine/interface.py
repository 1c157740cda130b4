"""The interface of engines: habitat_sim in this process or another, or a stand-in for tests.

Habitat's frame throughout: metres, x right, y up, -z ahead; rotations are quaternions (w, x, y, z).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Union

import numpy as np
import numpy.typing as npt

from .scene_report import SceneReport
from .views import Views


@dataclass(frozen=True)
class Place:
    """Places an object's own frame. A hidden object will be there when it is shown again."""

    id: int
    position: Sequence[float]
    rotation: Sequence[float]


@dataclass(frozen=True)
class Show:
    """Shows an object, or hides it from images, rays, and navmeshes that are made afterwards."""

    id: int
    shown: bool


@dataclass(frozen=True)
class SetJoints:
    """Moves the joints of an articulated object; positions as in `ObjectReport.joints` [rad] or [m]."""

    id: int
    positions: Sequence[float]


Change = Union[Place, Show, SetJoints]  # noqa: UP007 - evaluated by Python 3.9, too
_KINDS: Mapping[str, type[Any]] = {kind.__name__: kind for kind in (Place, Show, SetJoints)}


def change_to_json(change: Change) -> dict[str, Any]:
    fields = {
        name: [float(number) for number in value] if name in ("position", "rotation", "positions") else value
        for name, value in vars(change).items()
    }
    return {"kind": type(change).__name__, **fields}


def change_from_json(fields: Mapping[str, Any]) -> Change:
    rest = {name: value for name, value in fields.items() if name != "kind"}
    change: Change = _KINDS[fields["kind"]](**rest)
    return change


@dataclass(frozen=True)
class NavmeshSettings:
    """The robot and the voxels that a navmesh is made for.

    Attributes:
        radius: radius of the robot [m]; the navmesh ends this far from walls.
        height: height of the robot [m]; the navmesh covers only floor with this much room above.
        max_climb: highest step [m].
        max_slope: steepest floor [rad].
        cell_size: width of a voxel [m].
        cell_height: height of a voxel [m].
    """

    radius: float
    height: float
    max_climb: float
    max_slope: float
    cell_size: float
    cell_height: float

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class Level:
    """A floor that the robot can stand on: its height above y = 0 [m], and its walkable area [m^2]."""

    height: float
    area: float


@dataclass(frozen=True)
class NavigableRaster:
    """The navmesh from above.

    Attributes:
        origin: (x, z) of the lower corner of the first cell [m].
        resolution: side of a cell [m].
        cells: (rows, columns) bool; rows along +z, columns along +x. A cell is true when its centre, origin + (column +
            0.5, row + 0.5) * resolution, is navigable.
    """

    origin: tuple[float, float]
    resolution: float
    cells: npt.NDArray[np.bool_]


class Engine(Protocol):
    """A renderer and a collision world. Its state is the loaded scene and the changes of `apply`."""

    def about(self) -> dict[str, Any]:
        """Returns version, python, numpy, renderer (of OpenGL; empty before the first scene is loaded), gpu, cuda,
        bullet."""
        ...

    def load(self, dataset: str, scene: str) -> SceneReport:
        """Loads a scene in place of the scene that was loaded before.

        Args:
            dataset: path of a *.scene_dataset_config.json; empty = `scene` is the path of a mesh (such as *.glb) or of
                a *.scene_instance.json.
            scene: the scene's name in the data set, or its path. A mesh without a stage configuration is taken to have
                z up, as the scans of Matterport3D and HM3D do.
        """
        ...

    def render(
        self, position: Sequence[float], rotation: Sequence[float], into: Views | None = None
    ) -> Views:
        """Renders the camera's images at a pose; the identity rotation looks along -z. into: views to fill and return;
        None = new ones."""
        ...

    def apply(self, changes: Sequence[Change]) -> None:
        """Applies changes to the scene in order. The next `load` restores the loaded state."""
        ...

    def make_navmesh(self, settings: NavmeshSettings) -> tuple[Level, ...]:
        """Makes the navmesh of the scene in its present state, with static objects as obstacles. Returns the floors
        from the lowest up."""
        ...

    def navigable(self, height: float, resolution: float) -> NavigableRaster:
        """Returns the navmesh within a quarter of a metre of that height [m], in cells of that size [m]."""
        ...

    def cast_rays(self, starts: npt.ArrayLike, ends: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Casts rays from `starts` (N, 3) to `ends` (N, 3). Returns the fraction (N,) of each ray before its first hit;
        1.0 = no hit."""
        ...

    def close(self) -> None:
        """Releases all resources. May be called twice."""
        ...
