"""The exported flat in habitat-sim: images and walkable floor agree with the house world."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from stma_ros.worlds.habitat.axes import camera_to_habitat, points_to_habitat
from stma_ros.worlds.habitat.export.dataset import HIDDEN, ExportedFlat, export_flat
from stma_ros.worlds.house.flat import Flat, Furniture
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.scene import is_in_view
from stma_ros.worlds.robot.state import SceneState

pytest.importorskip("open3d", reason="the house world needs the extra `house`")
habitat_sim = pytest.importorskip(
    "habitat_sim", reason="needs habitat-sim in this interpreter (docs/howto/habitat.md)"
)
magnum = pytest.importorskip("magnum")

pytestmark = pytest.mark.slow

FLAT = make_flat(1001, 5)
CAMERA = Camera(240, 180, math.pi / 2)
OBJECTS = 1 << 20  # where the ids of objects begin
CRACKS = 2e-4  # share of the pixels that see between two triangles, or past an edge


@dataclass(frozen=True, eq=False)
class Scene:
    exported: ExportedFlat
    simulator: Any
    objects: dict[str, Any]  # by their names in the data set

    def view(self, base: Placement) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Returns colours (H, W, 3), planar depth (H, W) [m] and the names of the owners (H, W)."""
        place, rotation = camera_to_habitat(CAMERA.origin(base), base.yaw, CAMERA.pitch)
        state = habitat_sim.AgentState()
        state.position, state.rotation = place.astype(np.float32), np.quaternion(*rotation)
        self.simulator.get_agent(0).set_state(state)
        seen = self.simulator.get_sensor_observations()
        owners = dict(self.exported.surfaces)
        known = {one.name: one.owner for one in self.exported.objects}
        owners |= {body.semantic_id: known[name] for name, body in self.objects.items()}
        ids, of_pixels = np.unique(seen["semantic"], return_inverse=True)
        names = np.array([owners.get(int(one), "") for one in ids])[of_pixels]
        return seen["color"][..., :3], seen["depth"], names.reshape(seen["semantic"].shape)

    def show(self, flat: Flat, state: SceneState) -> None:
        for one in self.exported.objects:
            now = {
                "open" if one.owner in state.open_names else "closed",
                "on" if one.owner in state.on_names else "off",
                "full" if one.owner in state.full_names else "empty",
            }
            item = flat.items_by_name.get(one.owner)
            shown = (not one.state or one.state in now) and (not item or is_in_view(flat, item, state))
            x, y, z = one.position
            self.objects[one.name].translation = magnum.Vector3(x, y - HIDDEN * (not shown), z)


def sensor(name: str, kind: Any) -> Any:
    made = habitat_sim.CameraSensorSpec()
    made.uuid, made.sensor_type = name, kind
    made.resolution, made.hfov = magnum.Vector2i(CAMERA.height, CAMERA.width), magnum.Deg(90.0)
    made.position = magnum.Vector3(0.0, 0.0, 0.0)
    return made


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    exported = export_flat(FLAT, tmp_path_factory.mktemp("drawn") / "flat")
    settings = habitat_sim.SimulatorConfiguration()
    settings.scene_dataset_config_file, settings.scene_id = str(exported.dataset), exported.scene
    settings.gpu_device_id, settings.enable_physics = -1, True
    agent = habitat_sim.agent.AgentConfiguration()
    kinds = habitat_sim.SensorType
    agent.sensor_specifications = [
        sensor("color", kinds.COLOR),
        sensor("depth", kinds.DEPTH),
        sensor("semantic", kinds.SEMANTIC),
    ]
    simulator = habitat_sim.Simulator(habitat_sim.Configuration(settings, [agent]))
    found = simulator.get_rigid_object_manager().get_objects_by_handle_substring().values()
    objects = {body.user_attributes.get("name"): body for body in found}
    for number, body in enumerate(objects.values()):
        body.semantic_id = OBJECTS + number
    yield Scene(exported, simulator, objects)
    simulator.close()


def views(flat: Flat) -> list[Placement]:
    yaws = np.random.default_rng(3).uniform(-math.pi, math.pi, (len(flat.layout.rooms), 2))
    return [
        Placement(*room.floor.centre, float(yaw))
        for room, turns in zip(flat.layout.rooms, yaws, strict=True)
        for yaw in turns
    ]


def everything_changed(flat: Flat) -> SceneState:
    """Returns a state with all containers open, all devices on and all vessels full."""
    devices = [thing.name for thing in (*flat.furniture, *flat.items) if thing.is_device]
    vessels = [item.name for item in flat.items if item.is_vessel]
    return replace(
        flat.initial,
        open_names=flat.openable_names,
        on_names=frozenset(devices),
        full_names=frozenset(vessels),
    )


def test_habitat_sim_loads_all_exported_objects_and_does_not_draw_hidden_ones(scene: Scene) -> None:
    assert sorted(scene.objects) == sorted(one.name for one in scene.exported.objects)
    for one in scene.exported.objects:
        body = scene.objects[one.name]
        assert body.translation.y == pytest.approx(one.position[1] - HIDDEN * (not one.shown), abs=1e-4)


@pytest.mark.parametrize("changed", [False, True])
def test_habitat_sim_renders_the_exported_flat_as_the_house_does(scene: Scene, changed: bool) -> None:
    from stma_ros.worlds.house.rendering.renderer import Renderer  # needs Open3D

    state = everything_changed(FLAT) if changed else FLAT.initial
    scene.show(FLAT, state)
    renderer = Renderer(FLAT, CAMERA)
    wrong_depths, wrong_owners, off_colours, light = [], [], [], []
    for base in views(FLAT):
        colour, depth, owners = scene.view(base)
        picture = renderer.render(base, state)
        near = picture.depth > 0
        wrong_depths.append((np.abs(1000 * depth - picture.depth)[near] > 10).mean())
        wrong_owners.append((np.array(renderer.owners)[picture.owner] != owners)[near].mean())
        off_colours.append(np.abs(colour.astype(int) - picture.colour).mean())
        light.append(colour.mean() / picture.colour.mean())
    assert np.mean(wrong_depths) < CRACKS
    assert np.mean(wrong_owners) < CRACKS
    assert np.mean(off_colours) < 10  # shadows, and the light of the camera
    assert np.mean(light) == pytest.approx(1.0, abs=0.03)


def test_the_navmesh_of_the_exported_flat_agrees_with_the_floor_of_the_house(scene: Scene) -> None:
    radius, cell = 0.25, 0.05
    settings = habitat_sim.NavMeshSettings()
    settings.set_defaults()
    settings.agent_radius, settings.agent_height, settings.agent_max_climb = radius, 1.4, 0.1
    settings.cell_size = settings.cell_height = cell
    settings.include_static_objects = True
    walker = scene.simulator.pathfinder
    scene.show(FLAT, FLAT.initial)
    assert scene.simulator.recompute_navmesh(walker, settings)
    corners = np.concatenate([walker.build_navmesh_vertices(k) for k in range(walker.num_islands)])
    assert corners[:, 1].max() < 0.15  # no bed, no table, no roof
    bounds = FLAT.layout.bounds
    x, y = np.meshgrid(np.arange(bounds.x0, bounds.x1, 0.06), np.arange(bounds.y0, bounds.y1, 0.06))
    obstacles = list(FLAT.layout.walls)
    for thing in FLAT.fixed:
        obstacles += thing.obstacles(False)[: 1 if isinstance(thing, Furniture) else 2]  # no leaves
    away = np.min([obstacle.distances(x, y) for obstacle in obstacles], axis=0)
    height = float(corners[:, 1].min())
    places = points_to_habitat(np.stack([x.ravel(), y.ravel(), np.full(x.size, height)], axis=1))
    stands = np.array([walker.is_navigable(place) for place in places.astype(np.float32)]).reshape(x.shape)
    assert stands.any()
    assert not (stands & (away < radius - 2 * cell)).any()
    assert (~stands & (away > radius + 2 * cell)).sum() < 0.02 * stands.sum()  # but for corners cut off
