"""The robot in scenes of external data sets, with the real habitat-sim."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ConfigurationError, ErrorCode, SkillError
from stma_ros.types.planning import SkillRequest, SkillTarget
from stma_ros.types.standard import Time
from stma_ros.worlds.habitat.client import EngineProcess
from stma_ros.worlds.habitat.config import PYTHON_VARIABLE
from stma_ros.worlds.habitat.engine.settings import EngineSettings
from stma_ros.worlds.habitat.engine_child import ProcessSettings
from stma_ros.worlds.habitat.loaded_scene import LoadedScene
from stma_ros.worlds.habitat.scene.dataset_place import DatasetPlace
from stma_ros.worlds.habitat.scene.loading import load_place
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import OrientedRect, Placement
from stma_ros.worlds.robot.manipulation import PERFORM
from stma_ros.worlds.robot.reach import arm_distance
from stma_ros.worlds.robot.scene import Thing, item_box
from stma_ros.worlds.robot.state import FLOOR as ON_THE_FLOOR
from stma_ros.worlds.robot.state import SceneState
from stma_ros.worlds.robot.truth import bounding_box
from support.worlds.external_dataset import (
    CABINET,
    DOOR,
    FLOOR,
    NIGHTSTAND,
    TABLE,
    write_foreign_dataset,
    write_plain_floor,
    write_plain_room,
)
from support.worlds.habitat_available import why_not_in_a_process

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(why_not_in_a_process()), reason=f"habitat: {why_not_in_a_process()}"),
]

CAMERA = Camera(160, 120, 1.5, 1.2, 0.3)


class Scenes:
    """One engine for all tests, because it starts slowly."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.dataset = str(write_foreign_dataset(folder))
        settings = EngineSettings(CAMERA.width, CAMERA.height, CAMERA.hfov, -1, False, True)
        python = os.environ.get(PYTHON_VARIABLE, "")
        self.engine = EngineProcess(settings, ProcessSettings(python, 300.0, 60.0))

    def place(self, scene: str, floor: int = -1, *, is_file: bool = False) -> DatasetPlace:
        loaded = LoadedScene(lambda: self.engine, "" if is_file else self.dataset, scene)
        return load_place(loaded, CAMERA, floor)


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scenes]:
    scenes = Scenes(tmp_path_factory.mktemp("foreign"))
    yield scenes
    scenes.engine.close()


@pytest.fixture(scope="module")
def home(scenes: Scenes) -> DatasetPlace:
    return scenes.place("home")


@pytest.fixture
def body(home: DatasetPlace) -> Body:
    return Body(home.scene, CAMERA, home.camera_renderer, home.begin(3), np.random.default_rng(0))


def target_of(body: Body, name: str) -> SkillTarget:
    fixed, items = body.scene.fixed_by_name, body.scene.items_by_name
    thing: Thing = fixed[name] if name in fixed else items[name]
    box = item_box(thing, body.state) if thing.portable else thing.box_when(name in body.state.open_names)
    given = bounding_box(box)
    return SkillTarget(id="it", category=thing.category, pose=given.center, size=given.size)


def do(body: Body, skill: str, name: str) -> None:
    list(PERFORM[skill](body, SkillRequest(targets=(target_of(body, name),)), CancelToken()))


def code_of(body: Body, skill: str, name: str) -> ErrorCode:
    with pytest.raises(SkillError) as error:
        do(body, skill, name)
    return error.value.code


def spot_at(x: float, y: float) -> OrientedRect:
    return OrientedRect(x, y, 0.05, 0.05)


def names_in(place: DatasetPlace, base: Placement, state: SceneState) -> set[str]:
    picture = place.camera_renderer.render(base, state)
    return {place.camera_renderer.owners[k] for k in np.unique(picture.owner) if k >= 0}


CABINET_NAME, NIGHTSTAND_NAME, DOOR_NAME = "cabinet_:0000", "nightstand_:0000", "door_:0000"
TABLE_NAME, CUP, APPLE, SPOON = "big_table_03_:0000", "cup_:0000", "apple_:0000", "spoon_:0000"
AT_CABINET, AT_TABLE = (
    Placement(CABINET[0] + 1.2, CABINET[1], 3.1416),
    Placement(TABLE[0], TABLE[1] - 1.0, 1.5708),
)
AT_NIGHTSTAND = Placement(NIGHTSTAND[0] - 1.2, NIGHTSTAND[1], 0.0)


# -- what there is


def test_fixtures_and_portables_have_their_positions_in_the_map_of_the_storey(home: DatasetPlace) -> None:
    scene = home.scene
    x, y, z = scene.fixed_by_name[TABLE_NAME].box.centre
    assert (x, y, z) == pytest.approx((*TABLE, 0.375), abs=0.01)
    assert scene.fixed_by_name[TABLE_NAME].category == "dining table"
    assert set(scene.items_by_name) == {CUP, APPLE, SPOON}
    assert home.camera_renderer._stage.floor_height() == pytest.approx(FLOOR, abs=0.005)  # type: ignore[attr-defined]


def test_supports_and_containers_of_objects_follow_from_their_boxes(home: DatasetPlace) -> None:
    spots = home.scene.initial.spots
    assert (spots[CUP].support, spots[CUP].inside) == (TABLE_NAME, False)
    assert (spots[APPLE].support, spots[APPLE].inside) == (CABINET_NAME, True)
    assert (spots[SPOON].support, spots[SPOON].inside) == (NIGHTSTAND_NAME, True)
    assert spots[SPOON].x == pytest.approx(NIGHTSTAND[0] - 0.4, abs=0.01)  # the drawer comes out by that


def test_an_openable_fixture_has_its_front_on_the_opening_side(home: DatasetPlace) -> None:
    assert home.scene.openable_names == {CABINET_NAME, NIGHTSTAND_NAME, DOOR_NAME}
    x, y = home.scene.fixed_by_name[CABINET_NAME].ahead(0.5)
    assert (x, y) == pytest.approx((CABINET[0] + 0.26 + 0.5, CABINET[1]), abs=0.02)
    assert home.scene.fixed_by_name[NIGHTSTAND_NAME].ahead(0.5)[0] < NIGHTSTAND[0] - 0.7


def test_rooms_of_a_foreign_scene_are_its_annotated_regions(home: DatasetPlace) -> None:
    truth = home.truth("home", Placement(1.0, 1.0, 0.0), home.scene.initial, Time())
    assert [room.category for room in truth.rooms] == ["kitchen", "bedroom"]
    rooms = {thing.name: thing.room for thing in truth.objects}
    assert (rooms[TABLE_NAME], rooms[NIGHTSTAND_NAME], rooms[CUP]) == ("room_1", "room_2", "room_1")
    assert home.scene.same_room((1.0, 2.0), (4.0, 2.0))
    assert not home.scene.same_room((4.0, 2.0), (6.0, 2.0))


# -- the floor and the walls


def test_a_closed_door_blocks_base_and_arm_and_an_open_one_does_not(home: DatasetPlace) -> None:
    scene = home.scene
    here, there = Placement(DOOR[0] - 1.5, DOOR[1], 0.0), (DOOR[0] + 2.0, DOOR[1] - 0.5)
    closed, opened = scene.initial, scene.initial.opened(DOOR_NAME)
    assert scene.ground(closed).way(here, *there) is None
    assert scene.ground(opened).way(here, *there) is not None
    behind = spot_at(DOOR[0] + 0.5, DOOR[1])
    assert arm_distance(scene, closed, DOOR[0] - 0.5, DOOR[1], behind) == np.inf
    assert arm_distance(scene, opened, DOOR[0] - 0.5, DOOR[1], behind) == pytest.approx(0.95, abs=0.06)


def test_a_wall_blocks_the_arm_and_a_table_does_not(home: DatasetPlace) -> None:
    scene = home.scene
    beyond_wall = arm_distance(scene, scene.initial, 4.6, 0.7, spot_at(5.5, 0.7))
    beyond_table = arm_distance(scene, scene.initial, 2.5, 2.7, spot_at(2.5, 3.9))
    assert beyond_wall == np.inf
    assert beyond_table == pytest.approx(1.15, abs=0.06)


def test_objects_outside_the_navmesh_are_obstacles_and_a_rug_is_not(home: DatasetPlace) -> None:
    ground = home.scene.ground(home.scene.initial)
    assert ground.collides(3.6, 1.0)  # the chair
    assert not ground.collides(7.0, 1.5)
    assert home.scene.floor_height(7.0, 1.5) == pytest.approx(0.01, abs=0.002)


def test_episodes_of_a_foreign_scene_start_in_free_space_chosen_by_the_seed(home: DatasetPlace) -> None:
    starts = [home.begin(seed) for seed in range(40)]
    assert starts == [home.begin(seed) for seed in range(40)]
    assert len(set(starts)) == 40
    assert all(home.scene.floor.room(start.x, start.y) >= 0.1 for start in starts)


# -- what the robot does


def test_a_hinged_cabinet_can_be_opened_inspected_and_closed(home: DatasetPlace, body: Body) -> None:
    body.base = AT_CABINET
    assert APPLE not in names_in(home, AT_CABINET, body.state)
    assert code_of(body, "pick", APPLE) == ErrorCode.NO_SUCH_TARGET
    do(body, "open", CABINET_NAME)
    assert APPLE in names_in(home, AT_CABINET, body.state)
    assert not body.ground.collides(body.base.x, body.base.y)
    do(body, "close", CABINET_NAME)
    assert APPLE not in names_in(home, AT_CABINET, body.state)


def test_an_opened_drawer_moves_its_contents_out(home: DatasetPlace, body: Body) -> None:
    body.base = AT_NIGHTSTAND
    do(body, "open", NIGHTSTAND_NAME)
    assert SPOON in names_in(home, AT_NIGHTSTAND, body.state)
    do(body, "pick", SPOON)
    assert body.state.held == SPOON


def test_a_cup_can_be_carried_from_the_table_into_the_cabinet(home: DatasetPlace, body: Body) -> None:
    body.base = AT_TABLE
    assert CUP in names_in(home, AT_TABLE, body.state)
    do(body, "pick", CUP)
    assert CUP not in names_in(home, AT_TABLE, body.state)
    body.base = AT_CABINET
    assert code_of(body, "place_in", CABINET_NAME) == ErrorCode.IS_CLOSED
    do(body, "open", CABINET_NAME)
    do(body, "place_in", CABINET_NAME)
    spot = body.state.spots[CUP]
    assert (spot.support, spot.inside) == (CABINET_NAME, True)
    assert spot.z == pytest.approx(0.51, abs=0.01)
    assert CUP in names_in(home, AT_CABINET, body.state)


def test_an_object_can_be_placed_on_furniture_with_a_flat_top(home: DatasetPlace, body: Body) -> None:
    body.base = AT_TABLE
    do(body, "pick", CUP)
    do(body, "place_on", TABLE_NAME)
    assert body.state.spots[CUP].support == TABLE_NAME
    assert body.state.spots[CUP].z == pytest.approx(0.75, abs=0.01)
    assert CUP in names_in(home, body.base, body.state)


# -- scenes that the robot cannot be in


def test_a_scene_with_several_storeys_needs_a_chosen_storey(scenes: Scenes) -> None:
    with pytest.raises(
        ConfigurationError, match=r"2 storeys.*world\.floor.*0 at 0\.0\d m \(\d+ m2\), 1 at 3\.0\d m"
    ):
        scenes.place("tower")
    with pytest.raises(ConfigurationError, match="no storey 2"):
        scenes.place("tower", 2)
    upper = scenes.place("tower", 1)
    assert upper.camera_renderer._stage.floor_height() == pytest.approx(3.0, abs=0.005)  # type: ignore[attr-defined]
    assert upper.scene.items == ()  # the apple is on the lower one
    lower = scenes.place("tower", 0)
    assert [spot.support for spot in lower.scene.initial.spots.values()] == [ON_THE_FLOOR]


@pytest.mark.parametrize("scene", ["pit", "tray"])
def test_a_scene_without_a_floor_is_refused_with_the_likely_cause(scenes: Scenes, scene: str) -> None:
    with pytest.raises(ConfigurationError, match=r"another up axis.*stage_config\.json"):
        scenes.place(scene)


def test_the_up_axis_of_a_scene_file_must_be_declared(scenes: Scenes, tmp_path: Path) -> None:
    upright = scenes.place(str(write_plain_room(tmp_path, declared=True)), is_file=True).scene.floor.bounds
    assert (upright.width, upright.depth) == pytest.approx((5.2, 4.2), abs=0.15)
    with pytest.raises(ConfigurationError, match=r"another up axis.*\"up\": \[0, 1, 0\]"):
        scenes.place(str(write_plain_floor(tmp_path)), is_file=True)
