"""Renders ray-cast images of the flat: colour, planar depth and the owner of each pixel (Open3D RaycastingScene)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.errors import MissingDependencyError, WorldError
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.meshes import merge
from stma_ros.worlds.house.rendering.owned_meshes import OwnedMesh, owned_meshes
from stma_ros.worlds.house.rendering.pixel_kernels import measure, turn_rays
from stma_ros.worlds.robot.camera import Camera, CameraPose
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.picture import RANGE, Picture
from stma_ros.worlds.robot.state import SceneState

try:
    import open3d as o3d

    from stma_ros.worlds.house.rendering.lighting import Lighting
    from stma_ros.worlds.house.rendering.sunlight import sun_of
except (ImportError, OSError) as error:  # OSError: a Debian library that Open3D loads is missing
    raise MissingDependencyError(
        f"the world 'house' renders with Open3D, which cannot be loaded ({error}). Install the extra with "
        "pip install 'stma_ros[house]' and, on Debian, apt-get install libusb-1.0-0 libgl1"
    ) from error


class Renderer:
    """Renders one flat; the scene is rebuilt only when the state changes.

    Triangles are stored in an order that depends on the geometry alone, so that names and the order of the flat's
    tuples change no pixel. One thread: the same image on every run.
    """

    def __init__(self, flat: Flat, camera: Camera) -> None:
        self._flat = flat
        self._camera = camera
        self._rays = camera.optical_rays().astype(np.float32).reshape(camera.height, camera.width, 3)
        self._state: SceneState | None = None
        self._sun: NDArray[np.float64] | None = None
        self._last: tuple[CameraPose, Picture] | None = None
        self.owners: tuple[str, ...] = ()

    def render(self, base: Placement, state: SceneState) -> Picture:
        """Renders the image from the base's pose in that state. Raises WorldError."""
        return self.render_from(self._camera.pose(base), state)

    def render_from(self, pose: CameraPose, state: SceneState) -> Picture:
        """Renders the image from any pose of the camera in that state. Raises WorldError."""
        try:
            if state != self._state:
                self._build(state)
            if (
                self._last is None or self._last[0] != pose
            ):  # many skills end at the pose and state of their last frame
                self._last = pose, self._render(pose)
            return self._last[1]
        except RuntimeError as error:  # Open3D raises RuntimeError
            raise WorldError(f"Open3D could not render the flat: {error}") from error

    def set_daylight(self, episode_seed: int) -> None:
        """Lets the sun shine as in an episode; without, it does not."""
        self._sun = sun_of(self._flat.seed, episode_seed)
        self._state = self._last = None

    def _render(self, pose: CameraPose) -> Picture:
        camera = self._camera
        rays = np.empty((camera.height, camera.width, 6), np.float32)
        rays[..., :3] = pose.origin().astype(np.float32)
        turn_rays(self._rays, pose.rotation().astype(np.float32), rays)
        hits = self._scene.cast_rays(o3d.core.Tensor.from_numpy(rays))
        distance = hits["t_hit"].numpy()  # along rays with z = 1: the planar depth
        # Within the flat every ray has a hit; the last index stands for no triangle.
        triangle, owner = (np.empty(distance.shape, np.int32) for _ in range(2))
        depth = np.empty(distance.shape, np.uint16)
        primitives = hits["primitive_ids"].numpy()
        measure(distance, primitives, np.float32(RANGE), self._owner, triangle, depth, owner)
        colour = self._lighting.shade(rays, distance, triangle)
        return Picture(colour, depth, owner)

    def _build(self, state: SceneState) -> None:
        self._load(owned_meshes(self._flat, state), self._flat)
        self._state, self._last = state, None

    def _load(self, things: Sequence[OwnedMesh], flat: Flat) -> None:
        parts = [part for thing in things for part in (thing.mesh, thing.glow)]
        counts = [len(part.triangles) for part in parts]
        mesh = merge(parts)
        self.owners = tuple(thing.name for thing in things)
        # One more entry than triangles: no triangle, which is black and without an owner.
        self._owner = np.append(np.repeat(np.arange(len(parts)) // 2, counts), -1).astype(np.int32)
        shines = np.repeat(np.arange(len(parts)) % 2 == 1, counts)
        self._scene = o3d.t.geometry.RaycastingScene(nthreads=1)
        self._scene.add_triangles(
            o3d.core.Tensor.from_numpy(mesh.vertices.astype(np.float32)),
            o3d.core.Tensor.from_numpy(mesh.triangles.astype(np.uint32)),
        )
        self._lighting = Lighting(flat.layout, mesh, shines, self._scene, self._sun)
