"""Ray-cast pictures of the flat: colour, planar depth and which thing each pixel shows (Open3D
RaycastingScene)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.errors import MissingDependencyError, WorldError
from stma_ros.worlds.house import shell
from stma_ros.worlds.house.camera import Camera
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.geometry import Placement
from stma_ros.worlds.house.meshes import Mesh, merge
from stma_ros.worlds.house.programme import PROGRAMMES

try:
    import open3d as o3d
except (ImportError, OSError) as error:  # OSError: a Debian library that Open3D loads is missing
    raise MissingDependencyError(
        f"the world 'house' renders with Open3D, which cannot be loaded ({error}). Install the extra with "
        "pip install 'stma_ros[house]' and, on Debian, apt-get install libusb-1.0-0 libgl1"
    ) from error

FLOOR, CEILING, WALL = "floor", "ceiling", "wall"
RANGE = 10.0  # farther away the depth camera measures nothing [m]

FloatImage = NDArray[np.float32]

_PLANKS, _TILES = 1, 2  # patterns of floors; 0: none
_LAMP_HEIGHT = 2.35
_AMBIENT, _SKY, _BOUNCE, _LAMP, _HEADLIGHT = (
    0.5,
    0.05,
    0.45,
    0.42,
    0.12,
)  # _BOUNCE: from the floor to faces that look down
_OFF_SURFACE = 0.004  # where shadow rays start, as a share of the way to the lamp
_SHADOW = 0.55  # share of the lamp's light that a shadow takes away


@dataclass(frozen=True, eq=False)
class Picture:
    """What the camera sees. `colour` (H, W, 3) uint8 sRGB; `depth` (H, W) uint16, planar [mm], 0 = nothing
    within
    range; `owner` (H, W) int32, index into `owners` (names, or "floor", "ceiling", "wall"), -1 = nothing."""

    colour: NDArray[np.uint8]
    depth: NDArray[np.uint16]
    owner: NDArray[np.int32]


class Renderer:
    """Renders one flat; the scene is rebuilt only when a container opens or closes.

    Triangles are stored in an order that depends on the geometry alone, so that names and the order of the
    flat's tuples
    leave every pixel as it is. One thread: the same picture on every run.
    """

    def __init__(self, flat: Flat, camera: Camera) -> None:
        self._flat = flat
        self._camera = camera
        self._rays = camera.optical_rays().astype(np.float32)
        self._open: frozenset[str] | None = None
        self.owners: tuple[str, ...] = ()

    def render(self, base: Placement, open_names: frozenset[str]) -> Picture:
        """The picture from where the base stands while those containers are open. Raises WorldError."""
        try:
            if open_names != self._open:
                self._build(open_names)
            return self._render(base)
        except RuntimeError as error:  # what Open3D raises
            raise WorldError(f"Open3D could not render the flat: {error}") from error

    def _render(self, base: Placement) -> Picture:
        camera = self._camera
        origin = camera.origin(base).astype(np.float32)
        rays = np.empty((len(self._rays), 6), np.float32)
        rays[:, :3] = origin
        # Not a matrix product: how a library sums may differ from machine to machine.
        for axis, (right, down, ahead) in enumerate(camera.rotation(base.yaw)):
            rays[:, 3 + axis] = (
                self._rays[:, 0] * np.float32(right) + self._rays[:, 1] * np.float32(down) + np.float32(ahead)
            )
        directions = rays[:, 3:]
        hits = self._scene.cast_rays(o3d.core.Tensor.from_numpy(rays))
        distance = hits["t_hit"].numpy()  # along rays with z = 1: the planar depth
        triangle = hits["primitive_ids"].numpy()
        # Within the flat every ray meets something; the last triangle stands for nothing.
        missed = ~np.isfinite(distance)
        distance[missed], triangle[missed] = 0.0, len(self._owner) - 1
        shape = (camera.height, camera.width)
        depth = np.where(distance <= RANGE, np.rint(distance * 1000), 0).astype(np.uint16)
        owner = self._owner[triangle]
        points = origin + directions * distance[:, None]
        colour = self._shade(points, directions, triangle, hits["primitive_normals"].numpy())
        return Picture(colour.reshape(*shape, 3), depth.reshape(shape), owner.reshape(shape))

    def _build(self, open_names: frozenset[str]) -> None:
        flat = self._flat
        visible = [item for item in flat.items if not item.inside or item.support in open_names]
        things = [(piece.name, piece.mesh(piece.name in open_names)) for piece in flat.furniture]
        things += [(item.name, item.mesh) for item in visible]
        things.sort(key=lambda thing: thing[1].vertices.tobytes())
        floor = shell.floors(flat.layout)
        building = [(FLOOR, floor), (CEILING, shell.ceilings(flat.layout)), (WALL, shell.walls(flat.layout))]
        self._load(building + things, flat)
        self._open = open_names

    def _load(self, things: Sequence[tuple[str, Mesh]], flat: Flat) -> None:
        mesh = merge(thing for _, thing in things)
        self.owners = tuple(name for name, _ in things)
        # One more entry than triangles: nothing, which is black and of no owner.
        self._owner = np.append(
            np.repeat(np.arange(len(things)), [len(thing.triangles) for _, thing in things]), -1
        ).astype(np.int32)
        self._colour = np.concatenate([mesh.colours, np.zeros((1, 3))]).astype(np.float32)
        self._lamp = self._lamps_of(mesh)
        self._pattern = np.zeros(len(self._owner), np.uint8)
        for k, room in enumerate(flat.layout.rooms):  # two triangles a floor, the floors come first
            self._pattern[2 * k : 2 * k + 2] = (
                _PLANKS if PROGRAMMES[room.kind].pattern == "planks" else _TILES
            )
        self._scene = o3d.t.geometry.RaycastingScene(nthreads=1)
        self._scene.add_triangles(
            o3d.core.Tensor.from_numpy(mesh.vertices.astype(np.float32)),
            o3d.core.Tensor.from_numpy(mesh.triangles.astype(np.uint32)),
        )

    def _lamps_of(self, mesh: Mesh) -> FloatImage:
        """The lamp (T + 1, 3) that lights each triangle: that of the room its centre lies in, or of the
        nearest room."""
        centres = mesh.vertices[mesh.triangles].mean(axis=1)
        away = np.stack(
            [
                np.maximum(np.maximum(floor.x0 - centres[:, 0], centres[:, 0] - floor.x1), 0)
                + np.maximum(np.maximum(floor.y0 - centres[:, 1], centres[:, 1] - floor.y1), 0)
                for floor in (room.floor for room in self._flat.layout.rooms)
            ]
        )
        lamps = np.array([(*room.floor.centre, _LAMP_HEIGHT) for room in self._flat.layout.rooms], np.float32)
        nearest: FloatImage = lamps[np.append(np.argmin(away, axis=0), 0)]
        return nearest

    def _shade(
        self, points: FloatImage, directions: FloatImage, triangle: NDArray[np.uint32], normals: FloatImage
    ) -> NDArray[np.uint8]:
        """Ambient light, the room's ceiling lamp with shadows, and a little light from the camera; (N, 3)
        uint8."""
        facing = _dot(normals, directions) / np.sqrt(_dot(directions, directions))
        lamp = self._lamp[triangle]
        to_lamp = lamp - points
        # The side that is seen is the side that is lit.
        lambert = -np.sign(facing) * _dot(normals, to_lamp) / np.sqrt(_dot(to_lamp, to_lamp))
        upward = -np.sign(facing) * normals[:, 2]
        asked = np.flatnonzero(lambert > 0.02)
        lit = np.maximum(lambert, 0)
        shadow_rays = np.concatenate([points[asked] + _OFF_SURFACE * to_lamp[asked], to_lamp[asked]], axis=1)
        blocked = self._scene.test_occlusions(o3d.core.Tensor.from_numpy(shadow_rays), 0.0, 0.98).numpy()
        lit[asked[blocked]] *= 1.0 - _SHADOW
        light = (
            _AMBIENT
            + _SKY * upward
            + _BOUNCE * np.maximum(-upward, 0)
            + _LAMP * lit
            + _HEADLIGHT * np.abs(facing)
        )
        light *= self._grain(points, triangle)
        return np.minimum(self._colour[triangle] * light[:, None], 255).astype(np.uint8)

    def _grain(self, points: FloatImage, triangle: NDArray[np.uint32]) -> FloatImage:
        """Brightness of floor boards and tiles at each point."""
        grain = np.ones(len(points), np.float32)
        pattern = self._pattern[triangle]
        planks = pattern == _PLANKS
        x, y = points[planks, 0], points[planks, 1]
        row = np.floor(y / 0.18)
        board = np.floor(x / 1.2 + row * 0.37)
        shade = 0.94 + 0.1 * np.modf(np.abs(np.sin(row * 12.9898 + board * 78.233)) * 43.7585)[0]
        joint = (np.mod(y, 0.18) < 0.008) | (np.mod(x + row * 0.444, 1.2) < 0.008)
        grain[planks] = np.where(joint, 0.8, shade)
        tiles = pattern == _TILES
        x, y = points[tiles, 0], points[tiles, 1]
        joint = (np.mod(x, 0.4) < 0.012) | (np.mod(y, 0.4) < 0.012)
        checker = np.mod(np.floor(x / 0.4) + np.floor(y / 0.4), 2)
        grain[tiles] = np.where(joint, 0.84, 0.97 + 0.05 * checker)
        return grain


def _dot(a: FloatImage, b: FloatImage) -> FloatImage:
    """Row by row; (N,)."""
    product: FloatImage = a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2]
    return product
