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
    """Puts an object's own frame somewhere. One that is not shown will be there when it is shown again."""

    id: int
    position: Sequence[float]
    rotation: Sequence[float]


@dataclass(frozen=True)
class Show:
    """Shows an object, or takes it out of all images, of the way of rays, and of navmeshes that are made then."""

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
    """For whom the navmesh is made.

    radius, height: of the robot [m]; it keeps so far from walls, and stands only where there is so much room above.
    max_climb: the highest step [m]. max_slope: the steepest floor [rad].
    cell_size, cell_height: of the voxels it is made from [m].
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
    """A floor that one can stand on: its height above y = 0 [m], and how much of it can be stood on [m^2]."""

    height: float
    area: float


@dataclass(frozen=True)
class NavigableRaster:
    """The navmesh from above.

    origin: (x, z) of the lower corner of the first cell [m].
    resolution: side of a cell [m].
    cells: (rows, columns) bool; the row counts along +z, the column along +x. The centre of a cell, which is
        origin + (column + 0.5, row + 0.5) * resolution, is what was asked for.
    """

    origin: tuple[float, float]
    resolution: float
    cells: npt.NDArray[np.bool_]


class Engine(Protocol):
    """A renderer and a collision world. Its state consists of the scene's files and the changes of `apply`."""

    def about(self) -> dict[str, Any]:
        """version, python, numpy, renderer (of OpenGL; empty before the first scene is loaded), gpu, cuda, bullet."""
        ...

    def load(self, dataset: str, scene: str) -> SceneReport:
        """Loads a scene in place of what was loaded before.

        dataset: path of a *.scene_dataset_config.json; empty: `scene` is the path of a mesh (such as *.glb) or of a
        *.scene_instance.json. scene: its name in the data set, or its path. A mesh without a stage configuration is
        taken to have z up, as the scans of Matterport3D and HM3D do.
        """
        ...

    def render(
        self, position: Sequence[float], rotation: Sequence[float], into: Views | None = None
    ) -> Views:
        """What the camera sees from there; the identity looks along -z. into: filled and returned; None: new ones."""
        ...

    def apply(self, changes: Sequence[Change]) -> None:
        """Applies changes to the scene in order. The next `load` restores the loaded state."""
        ...

    def make_navmesh(self, settings: NavmeshSettings) -> tuple[Level, ...]:
        """Makes the navmesh of the scene as it is now, static objects being obstacles. Floors from the lowest up."""
        ...

    def navigable(self, height: float, resolution: float) -> NavigableRaster:
        """The navmesh within a quarter of a metre of that height, in cells of that size [m]."""
        ...

    def cast_rays(self, starts: npt.ArrayLike, ends: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """starts, ends: (N, 3). The share (N,) of the way at which each ray first hits something; 1.0 = nothing."""
        ...

    def close(self) -> None:
        """Gives back what it holds. May be called twice."""
        ...
