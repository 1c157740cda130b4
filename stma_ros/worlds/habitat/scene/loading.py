"""Prepares a data set's scene for the robot: contents, floor and walls.

Results are not stored between runs: a large flat takes a second or two in addition to the engine's loading time.
"""

from __future__ import annotations

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.camera_renderer import EngineCameraRenderer
from stma_ros.worlds.habitat.loaded_scene import LoadedScene
from stma_ros.worlds.habitat.navmesh import RESOLUTION, SETTINGS, NavmeshFloor
from stma_ros.worlds.habitat.scene.contents import contents_of, is_open, swings
from stma_ros.worlds.habitat.scene.dataset_place import UP_HINT, DatasetPlace
from stma_ros.worlds.habitat.scene.dataset_scene import DatasetScene
from stma_ros.worlds.habitat.scene.dataset_stage import (
    DatasetStage,
    put_away,
    shut_for_the_navmesh,
    surface_name,
)
from stma_ros.worlds.habitat.scene.rooms import rooms_of
from stma_ros.worlds.habitat.scene.starting_state import starting_state
from stma_ros.worlds.habitat.scene.storey import Storey, choose_level
from stma_ros.worlds.habitat.scene.walls import Walls, floor_height
from stma_ros.worlds.robot.camera import Camera


def load_place(loaded: LoadedScene, camera: Camera, floor: int, height: float | None = None) -> DatasetPlace:
    """Loads a scene as a place for episodes.

    Args:
        loaded: the scene in the engine.
        camera: the robot's camera.
        floor: number of the storey; see HabitatConfig.
        height: height of the storey's floor above Habitat's origin, instead of a number [m].

    Raises:
        ConfigurationError: the robot cannot be in that scene; the text names the cause and the remedy.
        WorldError: the engine fails.
    """
    report = loaded.report
    doors = [thing for thing in report.objects if swings(thing)]
    loaded.change(shut_for_the_navmesh(report.objects, doors))
    try:
        levels = loaded.make_navmesh(SETTINGS)
    except ConfigurationError as error:
        raise ConfigurationError(f"{error}; {UP_HINT}") from error
    level = choose_level(levels, floor, report.scene, height)
    navmesh = NavmeshFloor.of(loaded.navigable(level.height, RESOLUTION))
    loaded.change(put_away(report.objects))
    storey = Storey(floor_height(loaded.cast_rays, level.height, navmesh))
    walls = Walls.found(loaded.cast_rays, storey, navmesh)
    contents = contents_of(report.objects, storey, navmesh.room)
    named = [fixture for fixture in contents.fixtures if fixture.category]
    found_open = {thing.name for thing in report.objects if is_open(thing)}
    open_names = frozenset(each.name for each in named if each.opens and each.name in found_open)
    categories = {
        **{surface_name(surface.id): surface.category for surface in report.surfaces if surface.category},
        **{thing.name: thing.category for thing in report.objects if thing.category},
    }
    scene = DatasetScene(
        contents,
        starting_state(named, contents.portables, open_names),
        navmesh,
        walls,
        rooms_of(report.regions, storey),
        categories,
    )
    return DatasetPlace(scene, EngineCameraRenderer(loaded, DatasetStage(scene, storey, report), camera))
