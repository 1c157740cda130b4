"""An engine for tests without habitat-sim: draws an exported flat from its files by casting rays.

It runs in the engine's process (see standin_python.py), where the package under test is called
`stma_habitat_engine`, and imports nothing from stma_ros: its images show only what is in the files.
"""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import open3d as o3d
from numpy.typing import NDArray
from stma_habitat_engine.errors import Code, EngineError
from stma_habitat_engine.interface import Level, NavigableRaster, Place, Show
from stma_habitat_engine.scene_report import (
    OBJECT_IDS,
    ObjectReport,
    RegionReport,
    SceneReport,
    SurfaceReport,
)
from stma_habitat_engine.views import empty_views

from support.worlds.exported_files import DataSet, Drawn, read_glb
from support.worlds.standin_floor import Floor

_ANNOTATION = re.compile(r'(\d+),([0-9A-F]{6}),"([^"]*)",(\d+)')


@dataclass(frozen=True, eq=False)
class Shell:
    """Triangles (T, 3, 3) and their colours (T, 3) from the front and from the back.

    The files have a triangle twice where it is visible from both sides; a ray would meet either of the two.
    """

    corners: NDArray[np.float64]
    front: NDArray[np.uint8]
    back: NDArray[np.uint8]

    @classmethod
    def of(cls, drawn: Drawn) -> Shell:
        colours = drawn.colours[:, 0, :3]
        points = np.unique(drawn.corners.reshape(-1, 3), axis=0, return_inverse=True)[1].reshape(-1, 3)
        _, first, same = np.unique(np.sort(points, axis=1), axis=0, return_index=True, return_inverse=True)
        a, b, c = points.T
        turned_left = (a < b).astype(int) + (b < c) + (c < a) == 2
        other_way = turned_left != turned_left[first][same]
        back = colours[first]
        back[same[other_way]] = colours[other_way]
        return cls(drawn.corners[first], colours[first], back)


class Body:
    """An object of the scene."""

    def __init__(self, files: DataSet, name: str, id_: int) -> None:
        instance = files.instances[name]
        self.id = id_
        self.shell = Shell.of(files.drawn(name))
        self.shown = True
        self.position = np.array(instance["translation"], float)
        self.rotation: Sequence[float] = instance["rotation"]
        self.static = instance["motion_type"] == "static"
        self.solids = [self.placed(solid.corners) for solid in files.solids(name)]
        user = {**files.config(name)["user_defined"], **instance["user_defined"]}
        low, high = (getattr(self.shell.corners, end)(axis=(0, 1)).tolist() for end in ("min", "max"))
        self.report = ObjectReport(
            id=id_,
            name=f"{name}_:0000",
            template=name,
            category=user["category"],
            static=self.static,
            articulated=False,
            box=(low, high),
            position=tuple(instance["translation"]),
            rotation=tuple(instance["rotation"]),
            user=user,
        )

    def placed(self, corners: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns points (..., 3) of its own frame at its present pose."""
        placed: NDArray[np.float64] = corners @ turning(self.rotation).T + self.position
        return placed


class StandinEngine:
    """The engine, see Engine. Images have the colours of the files; rays meet what is drawn."""

    def __init__(self, settings: Any) -> None:
        self._size = settings.width, settings.height
        focal = settings.width / 2 / math.tan(settings.hfov / 2)
        u, v = np.meshgrid(np.arange(settings.width) + 0.5, np.arange(settings.height) + 0.5)
        right, up = (u - settings.width / 2) / focal, (settings.height / 2 - v) / focal
        self._rays = np.stack([right, up, -np.ones_like(u)], axis=-1)  # as long as their depth is 1
        self._files: DataSet | None = None
        self._bodies: dict[int, Body] = {}
        self._scene: Any = None
        self._floor: Floor | None = None

    def about(self) -> dict[str, Any]:
        return {"version": "stand-in", "python": list(sys.version_info[:2]), "pid": os.getpid()}

    def load(self, dataset: str, scene: str) -> SceneReport:
        files = DataSet(Path(dataset).parent)
        if not (files.folder / "scenes" / f"{scene}.scene_instance.json").is_file():
            raise EngineError(Code.MISSING_ASSET, f"{dataset} has no scene {scene}")
        # Nothing is loaded until all of it is.
        self._files, self._bodies, self._scene, self._floor = files, {}, None, None
        stage = files.document("stages/*.stage_config.json")
        self._stage = read_glb(files.folder / "stages" / stage["render_asset"])
        self._building = list(map(Shell.of, self._stage.values()))
        bodies = {OBJECT_IDS + k: Body(files, name, OBJECT_IDS + k) for k, name in enumerate(files.instances)}
        self._read_annotation()
        self._bodies = bodies
        points = np.concatenate([shell.corners.reshape(-1, 3) for shell in self._building])
        return SceneReport(
            scene,
            (points.min(axis=0).tolist(), points.max(axis=0).tolist()),
            tuple(body.report for body in self._bodies.values()),
            self._surfaces,
            tuple(_region(region) for region in files.document("semantics/*.json")["region_annotations"]),
            (),
        )

    def render(self, position: Sequence[float], rotation: Sequence[float], into: Any = None) -> Any:
        views = into or empty_views(*self._size)
        rays = np.empty((*self._rays.shape[:2], 6), np.float32)
        rays[..., :3] = position
        rays[..., 3:] = self._rays @ turning(rotation).T
        hits = self._cast(self._drawn(), rays)
        met = np.isfinite(hits["t_hit"])
        views.depth[:] = np.where(met, hits["t_hit"], 0)
        triangle = np.where(met, hits["primitive_ids"], 0)
        from_front = (hits["primitive_normals"] * rays[..., 3:]).sum(axis=-1) < 0
        colour = np.where(from_front[..., None], self._front[triangle], self._back[triangle])
        views.color[..., :3] = np.where(met[..., None], colour, 0)
        views.color[..., 3] = 255
        annotated = self._cast(self._annotated, rays)
        surface = np.where(
            np.isfinite(annotated["t_hit"]), annotated["primitive_ids"], len(self._surface_of) - 1
        )
        owner = self._owner[triangle]
        views.instance[:] = np.where(met, np.where(owner > 0, owner, self._surface_of[surface]), 0)
        return views

    def apply(self, changes: Sequence[Any]) -> None:
        for change in changes:
            body = self._bodies.get(change.id)
            if body is None:
                raise EngineError(Code.FAILED, f"the scene has no object {change.id}")
            if isinstance(change, Place):
                body.position, body.rotation = np.array(change.position, float), change.rotation
            elif isinstance(change, Show):
                body.shown = change.shown
            else:
                raise EngineError(Code.FAILED, f"object {change.id} has no joints")
        self._scene = None

    def make_navmesh(self, settings: Any) -> tuple[Level, ...]:
        building = np.concatenate([drawn.corners for drawn in self._stage.values()])
        solids = [solid for body in self._bodies.values() if body.static for solid in body.solids]
        self._floor = Floor.of(building, solids, settings)
        return (Level(self._floor.height, self._floor.area),)

    def navigable(self, height: float, resolution: float) -> NavigableRaster:
        if self._floor is None:
            raise EngineError(Code.NO_NAVMESH, "there is no navmesh yet: make it first")
        origin, cells = self._floor.raster(resolution)
        return NavigableRaster(origin, resolution, cells & (abs(height - self._floor.height) < 0.25))

    def cast_rays(self, starts: Any, ends: Any) -> NDArray[np.float64]:
        rays = np.concatenate([starts, np.subtract(ends, starts)], axis=1).astype(np.float32)
        shares: NDArray[np.float64] = np.minimum(self._cast(self._drawn(), rays)["t_hit"], 1.0)
        return shares

    def close(self) -> None:
        self._bodies.clear()

    def _read_annotation(self) -> None:
        """Returns the surface of each triangle of the annotated building, by its colour in the text file."""
        assert self._files is not None
        lines = self._files.one("semantics/*.txt").read_text().splitlines()[1:]
        found = [match.groups() for line in lines if (match := _ANNOTATION.fullmatch(line))]
        self._surfaces = tuple(SurfaceReport(int(id_), category, room) for id_, _, category, room in found)
        ids = {int(colour, 16): int(id_) for id_, colour, _, _ in found}
        semantics = self._files.document("semantics/*.semantic_config.json")["semantic_asset"]
        parts = list(read_glb(self._files.folder / "semantics" / semantics).values())
        self._annotated = _scene(np.concatenate([part.corners for part in parts]))
        surface_of = [np.full(len(part.corners), ids.get(_hex(part.colours[0, 0]), 0)) for part in parts]
        self._surface_of = np.concatenate([*surface_of, [0]])  # the last one: nothing

    def _drawn(self) -> Any:
        """Returns all that is visible, in the same order after every change."""
        if not self._bodies:
            raise EngineError(Code.FAILED, "no scene is loaded: load one first")
        if self._scene is None:
            shown = [body for body in self._bodies.values() if body.shown]
            shells = [*self._building, *(body.shell for body in shown)]
            counts = [len(shell.corners) for shell in shells]
            self._owner = np.repeat([0] * len(self._building) + [body.id for body in shown], counts)
            self._front, self._back = (
                np.concatenate([getattr(shell, side) for shell in shells]) for side in ("front", "back")
            )
            placed = [body.placed(body.shell.corners) for body in shown]
            self._scene = _scene(np.concatenate([shell.corners for shell in self._building] + placed))
        return self._scene

    @staticmethod
    def _cast(scene: Any, rays: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
        return {name: hit.numpy() for name, hit in scene.cast_rays(o3d.core.Tensor.from_numpy(rays)).items()}


class DyingEngine(StandinEngine):
    """Ends its process whenever it loads a scene."""

    def load(self, dataset: str, scene: str) -> SceneReport:
        print(f"I cannot bear {scene}", file=sys.stderr, flush=True)
        os._exit(3)


class UnlabelledEngine(StandinEngine):
    """Shows the same building and objects without categories: a scan of a home without annotation."""

    def load(self, dataset: str, scene: str) -> SceneReport:
        return replace(super().load(dataset, scene), objects=(), surfaces=())

    def render(self, position: Sequence[float], rotation: Sequence[float], into: Any = None) -> Any:
        views = super().render(position, rotation, into)
        views.instance[:] = 0
        return views


def turning(rotation: Sequence[float]) -> NDArray[np.float64]:
    """Returns the matrix of a unit quaternion (w, x, y, z)."""
    w, x, y, z = rotation
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _scene(corners: NDArray[np.float64]) -> Any:
    """Returns a scene of triangles (T, 3, 3) for rays. One thread makes its images reproducible."""
    scene = o3d.t.geometry.RaycastingScene(nthreads=1)
    points = np.ascontiguousarray(corners.reshape(-1, 3), np.float32)
    triangles = np.arange(len(points), dtype=np.uint32).reshape(-1, 3)
    scene.add_triangles(o3d.core.Tensor.from_numpy(points), o3d.core.Tensor.from_numpy(triangles))
    return scene


def _hex(light: NDArray[np.float64]) -> int:
    """Returns 0xRRGGBB of a colour in linear light."""
    share = np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 0) ** (1 / 2.4) - 0.055)
    red, green, blue = np.rint(share * 255).astype(int).tolist()
    return int(red << 16 | green << 8 | blue)


def _region(fields: Any) -> RegionReport:
    outline = tuple((x, z) for x, _, z in fields["poly_loop"])
    box = tuple(fields["min_bounds"]), tuple(fields["max_bounds"])
    return RegionReport(fields["name"], fields["label"], "", box, outline)
