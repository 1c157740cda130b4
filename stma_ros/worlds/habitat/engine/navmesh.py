"""Makes habitat_sim's navmesh for the robot, and refuses queries before it exists, which would end the process."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import Code, EngineError
from .floors import SAME_FLOOR, find_floors
from .interface import Level, NavigableRaster, NavmeshSettings

_MOST_CELLS = 20_000_000
_WIDEST = 127  # [cells] radius of a robot; Recast, which makes the navmesh, counts in bytes


class Navmesh:
    """The navmesh of the scene as loaded and changed at its construction.

    Args:
        habitat: the module.
        simulator: habitat_sim.Simulator.
        settings: robot and voxels of the navmesh.
        top: height of the highest point of the scene [m].

    Raises:
        EngineError: there is no floor.
    """

    def __init__(self, habitat: Any, simulator: Any, settings: NavmeshSettings, top: float) -> None:
        _check(settings)
        self._finder = habitat.nav.PathFinder()
        if not _build(habitat, simulator, self._finder, settings):
            raise EngineError(
                Code.NO_NAVMESH,
                f"there is nowhere to stand for a robot of radius {settings.radius} m and height {settings.height} m: "
                "the scene has no floor, or its collision mesh leaves no room. Check the scene, or use a smaller robot",
            )
        islands = [self._triangles(island) for island in range(self._finder.num_islands)]
        self.levels: tuple[Level, ...] = find_floors(islands, top, settings.height)
        """The floors, from the lowest up."""
        if not self.levels:
            raise EngineError(Code.NO_NAVMESH, "the scene's navmesh has no area: check its collision mesh")

    def navigable(self, height: float, resolution: float) -> NavigableRaster:
        """See Engine.navigable."""
        low, high = (np.array(corner, dtype=float) for corner in self._finder.get_bounds())
        spans = high - low
        if not (math.isfinite(height) and resolution > 0.0):
            raise EngineError(
                Code.FAILED, f"there is no raster at height {height} with cells of {resolution} m"
            )
        if spans[0] * spans[2] / resolution**2 > _MOST_CELLS:
            raise EngineError(
                Code.FAILED,
                f"a raster of {spans[0]:.0f} x {spans[2]:.0f} m with cells of {resolution} m is too large: use "
                "larger cells",
            )
        # habitat_sim queries the points low + (column, row) * resolution: the centres of the cells.
        cells = np.array(self._finder.get_topdown_view(resolution, height, SAME_FLOOR), dtype=bool)
        origin = (float(low[0]) - resolution / 2, float(low[2]) - resolution / 2)
        return NavigableRaster(origin, resolution, cells)

    def _triangles(self, island: int) -> npt.NDArray[np.float64]:
        corners = [tuple(corner) for corner in self._finder.build_navmesh_vertices(island)]
        return np.array(corners, dtype=float).reshape(-1, 3, 3)


def _check(settings: NavmeshSettings) -> None:
    numbers = settings.to_json()
    wrong = [name for name, value in numbers.items() if not (math.isfinite(value) and value >= 0.0)]
    wrong += [name for name in ("height", "cell_size", "cell_height") if numbers[name] == 0.0]
    if wrong:
        raise EngineError(Code.FAILED, f"no navmesh can be made with {', '.join(wrong)} of {settings}")
    if settings.radius > _WIDEST * settings.cell_size:
        raise EngineError(
            Code.FAILED,
            f"a robot of radius {settings.radius} m is wider than {_WIDEST} cells of {settings.cell_size} m: use "
            "larger cells",
        )


def _build(habitat: Any, simulator: Any, finder: Any, settings: NavmeshSettings) -> bool:
    made = habitat.nav.NavMeshSettings()
    made.set_defaults()
    made.agent_radius = settings.radius
    made.agent_height = settings.height
    made.agent_max_climb = settings.max_climb
    made.agent_max_slope = math.degrees(settings.max_slope)
    made.cell_size = settings.cell_size
    made.cell_height = settings.cell_height
    try:
        if hasattr(made, "include_static_objects"):
            made.include_static_objects = True
            built = simulator.recompute_navmesh(finder, made)
        else:  # 0.2.4
            built = simulator.recompute_navmesh(finder, made, True)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - habitat_sim raises any type; here: a scene without meshes
        raise EngineError(Code.NO_NAVMESH, f"no navmesh can be made of this scene: {error}") from None
    return bool(built) and bool(finder.is_loaded) and finder.num_islands > 0
