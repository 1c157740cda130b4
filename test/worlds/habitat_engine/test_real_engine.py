"""The real habitat_sim, in a small room whose geometry is known."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from stma_ros.types.errors import ConfigurationError, WorldError
from stma_ros.worlds.habitat.client import EngineProcess
from stma_ros.worlds.habitat.engine.interface import Level, NavmeshSettings, Place, SetJoints, Show
from stma_ros.worlds.habitat.engine.scene_report import OBJECT_IDS, ObjectReport, SceneReport
from stma_ros.worlds.habitat.engine.settings import EngineSettings
from stma_ros.worlds.habitat.engine.views import Views
from stma_ros.worlds.habitat.engine_child import ProcessSettings
from support.worlds.small_scene import (
    BOX,
    BOX_SIDE,
    CABINET,
    DEPTH,
    FLOOR_ID,
    HEIGHT,
    OUTLINE,
    TABLE,
    TABLE_SIZE,
    THICKNESS,
    WALL_ID,
    WIDTH,
    write_little_scene,
)

PYTHON = os.environ.get("STMA_HABITAT_PYTHON", "")

if not PYTHON and importlib.util.find_spec("habitat_sim") is None:
    pytest.skip(
        "the world 'habitat' needs habitat_sim, which is not on PyPI: install it for this Python, or set "
        "STMA_HABITAT_PYTHON to the path of one that has it (`conda install habitat-sim withbullet headless "
        "-c conda-forge -c aihabitat`)",
        allow_module_level=True,
    )

pytestmark = pytest.mark.slow

SIZE = (160, 120)
HFOV = 1.2  # [rad]
EYE = (0.0, 1.2, 0.0)
AHEAD = (1.0, 0.0, 0.0, 0.0)
LEFT = (math.cos(math.pi / 4), 0.0, math.sin(math.pi / 4), 0.0)
ROBOT = NavmeshSettings(
    radius=0.25, height=1.2, max_climb=0.1, max_slope=0.7, cell_size=0.05, cell_height=0.02
)
CELL = 0.05  # [m]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_little_scene(tmp_path_factory.mktemp("little")))


@pytest.fixture(scope="module")
def process() -> Iterator[EngineProcess]:
    settings = EngineSettings(width=SIZE[0], height=SIZE[1], hfov=HFOV)
    engine = EngineProcess(settings, ProcessSettings(python=PYTHON or sys.executable))
    yield engine
    engine.close()


@pytest.fixture
def engine(process: EngineProcess, dataset: str) -> EngineProcess:
    """An engine with the room as its files describe it."""
    process.load(dataset, "room")
    return process


@pytest.fixture
def room(engine: EngineProcess, dataset: str) -> SceneReport:
    return engine.load(dataset, "room")


def thing(room: SceneReport, category: str) -> ObjectReport:
    (found,) = [one for one in room.objects if one.category == category]
    return found


def points(views: Views) -> npt.NDArray[np.float64]:
    """Returns the point of each pixel in the camera's frame (height, width, 3) [m]."""
    focus = SIZE[0] / 2 / math.tan(HFOV / 2)
    columns = (np.arange(SIZE[0]) + 0.5 - SIZE[0] / 2) / focus
    rows = (np.arange(SIZE[1]) + 0.5 - SIZE[1] / 2) / focus
    depth = views.depth.astype(float)
    return np.stack([depth * columns, -depth * rows[:, None], -depth], axis=-1)


def test_habitat_sim_reports_its_version_and_renderer(engine: EngineProcess) -> None:
    about = engine.about()
    assert about["version"]
    assert about["renderer"]
    assert about["gpu"] == -1


def test_scene_report_of_habitat_sim_names_every_object(room: SceneReport) -> None:
    assert [one.category for one in room.objects] == ["dining table", "cardboard box", "cabinet"]
    assert [one.id for one in room.objects] == [OBJECT_IDS, OBJECT_IDS + 1, OBJECT_IDS + 2]
    assert [one.static for one in room.objects] == [True, False, True]
    assert [one.articulated for one in room.objects] == [False, False, True]
    assert {(one.id, one.category) for one in room.surfaces} == {
        (FLOOR_ID, "floor"),
        (WALL_ID, "wall painted"),
    }
    (region,) = room.regions
    assert region.category == "living room"
    np.testing.assert_allclose(region.outline, OUTLINE)
    assert region.box is not None
    np.testing.assert_allclose(region.box, [(-WIDTH / 2, 0.0, -DEPTH / 2), (WIDTH / 2, HEIGHT, DEPTH / 2)])
    outside = (WIDTH / 2 + THICKNESS, DEPTH / 2 + THICKNESS)
    low, high = (-outside[0], -THICKNESS, -outside[1]), (outside[0], HEIGHT, outside[1])
    np.testing.assert_allclose(room.box, [low, high], atol=1e-5)


def test_boxes_in_the_scene_report_are_at_the_objects(room: SceneReport) -> None:
    table = thing(room, "dining table")
    corners = np.array(table.box) + np.array(table.position)
    half = np.array(TABLE_SIZE) / 2
    np.testing.assert_allclose(corners.mean(axis=0), (TABLE[0], half[1], TABLE[2]), atol=1e-5)
    np.testing.assert_allclose(corners[1] - corners[0], TABLE_SIZE, atol=1e-5)
    box = thing(room, "cardboard box")
    np.testing.assert_allclose(
        np.array(box.box) + box.position, [np.array(BOX) - 0.2, np.array(BOX) + 0.2], atol=1e-5
    )
    assert box.user == {"weight": 1.5}


def test_scene_report_has_the_joints_of_articulated_objects(room: SceneReport) -> None:
    (hinge,) = thing(room, "cabinet").joints
    assert (hinge.name, hinge.link, hinge.kind) == ("hinge", "door", "revolute")
    assert [hinge.low, hinge.high, hinge.position] == pytest.approx([0.0, 1.6, 0.0])


def test_rendered_depth_agrees_with_the_geometry(engine: EngineProcess) -> None:
    ahead = engine.render(EYE, AHEAD)
    shown = points(ahead)
    walls = ahead.instance == WALL_ID
    assert walls.sum() > 1000
    np.testing.assert_allclose(shown[walls][:, 2], -DEPTH / 2, atol=2e-3)
    floor = ahead.instance == FLOOR_ID
    assert floor.sum() > 500
    np.testing.assert_allclose(shown[floor][:, 1], -EYE[1], atol=5e-3)
    left = engine.render(EYE, LEFT)
    assert left.depth[SIZE[1] // 2, SIZE[0] // 2] == pytest.approx(WIDTH / 2, abs=2e-3)
    up = engine.render(EYE, (math.cos(math.pi / 4), math.sin(math.pi / 4), 0.0, 0.0))
    assert up.depth[SIZE[1] // 2, SIZE[0] // 2] == 0.0  # there is no ceiling


def test_pixels_of_an_object_are_at_its_place_and_in_its_colour(
    engine: EngineProcess, room: SceneReport
) -> None:
    views = engine.render(EYE, AHEAD)
    pixels = views.instance == thing(room, "cardboard box").id
    seen = points(views)[pixels] + EYE
    assert pixels.sum() > 100
    half = BOX_SIDE / 2
    np.testing.assert_allclose(seen.max(axis=0), np.array(BOX) + half, atol=0.02)
    np.testing.assert_allclose(seen.min(axis=0)[:2], np.array(BOX[:2]) - half, atol=0.02)
    on_its_front = np.abs(seen[:, 2] - BOX[2] - half) < 2e-3
    on_its_side = np.abs(seen[:, 0] - BOX[0] - half) < 5e-3
    assert (on_its_front | on_its_side).all()
    red, green, blue, _ = views.color[pixels].mean(axis=0)
    assert red > 3 * max(green, blue)


@pytest.mark.parametrize("category", ["cardboard box", "dining table", "cabinet"])
def test_moved_and_hidden_objects_change_images_and_rays(
    engine: EngineProcess, room: SceneReport, category: str
) -> None:
    one = thing(room, category)
    centre = np.mean(one.box, axis=0)
    at = (0.0 - centre[0], 1.2 - centre[1], -1.5 - centre[2])
    start, end = [EYE], [(0.0, 1.2, -2.4)]
    assert engine.cast_rays(start, end)[0] == 1.0
    engine.apply([Place(one.id, at, AHEAD)])
    ahead = engine.render(EYE, AHEAD)
    middle = SIZE[1] // 2, SIZE[0] // 2
    front = 1.5 - (one.box[1][2] - one.box[0][2]) / 2
    assert ahead.instance[middle] == one.id
    assert ahead.depth[middle] == pytest.approx(front, abs=2e-3)
    assert engine.cast_rays(start, end)[0] == pytest.approx(front / 2.4, abs=0.03)
    engine.apply([Show(one.id, False)])
    assert not (engine.render(EYE, AHEAD).instance == one.id).any()
    assert engine.cast_rays(start, end)[0] == 1.0
    turned = (math.cos(math.pi / 8), 0.0, math.sin(math.pi / 8), 0.0)
    engine.apply([Place(one.id, at, turned), Show(one.id, True)])
    edge = engine.render(EYE, AHEAD)
    assert edge.instance[middle] == one.id
    assert (edge.instance == one.id).sum() != (ahead.instance == one.id).sum()


def test_joints_of_articulated_objects_can_be_moved(engine: EngineProcess, room: SceneReport) -> None:
    cabinet = thing(room, "cabinet")
    in_front = (CABINET[0] + 2.0, 0.5, CABINET[2])
    shut = engine.render(in_front, LEFT)
    engine.apply([SetJoints(cabinet.id, [1.5])])
    opened = engine.render(in_front, LEFT)
    middle = SIZE[1] // 2, SIZE[0] // 2
    assert shut.instance[middle] == opened.instance[middle] == cabinet.id
    assert shut.depth[middle] == pytest.approx(2.0 - 0.25 - 0.04, abs=2e-3)
    assert opened.depth[middle] == pytest.approx(2.0 - 0.25, abs=2e-3)
    assert (opened.instance == cabinet.id).sum() != (shut.instance == cabinet.id).sum()


def floor_of(engine: EngineProcess) -> Level:
    (level,) = engine.make_navmesh(ROBOT)
    return level


def test_the_navmesh_lies_on_the_floor_at_the_distance_of_the_robot_radius(
    engine: EngineProcess, room: SceneReport
) -> None:
    with pytest.raises(ConfigurationError, match="no navmesh of this scene yet"):
        engine.navigable(0.0, CELL)
    level = floor_of(engine)
    assert level.height == pytest.approx(0.0, abs=0.05)
    raster = engine.navigable(level.height, CELL)
    rows, columns = np.nonzero(raster.cells)
    x = raster.origin[0] + (columns + 0.5) * CELL
    z = raster.origin[1] + (rows + 0.5) * CELL
    reach = (WIDTH / 2 - ROBOT.radius, DEPTH / 2 - ROBOT.radius)
    for values, limit in ((x, reach[0]), (z, reach[1])):
        assert values.min() == pytest.approx(-limit, abs=1.5 * CELL)
        assert values.max() == pytest.approx(limit, abs=1.5 * CELL)
    lateral = np.maximum(np.abs(x - TABLE[0]) - TABLE_SIZE[0] / 2, 0.0)
    before = np.maximum(np.abs(z - TABLE[2]) - TABLE_SIZE[2] / 2, 0.0)
    assert np.hypot(lateral, before).min() == pytest.approx(ROBOT.radius, abs=1.5 * CELL)
    with_table = floor_of(engine).area
    engine.apply([Show(thing(room, "dining table").id, False)])
    assert floor_of(engine).area - with_table == pytest.approx(1.5 * 1.3, abs=0.3)


def test_static_articulated_objects_are_obstacles_of_the_navmesh(
    engine: EngineProcess, room: SceneReport, dataset: str
) -> None:
    with_cabinet = floor_of(engine).area
    engine.apply([Show(thing(room, "cabinet").id, False)])
    assert floor_of(engine).area - with_cabinet > 0.5
    blocks = engine.load(dataset, "room_of_blocks")
    assert not thing(blocks, "cabinet").static
    assert floor_of(engine).area > with_cabinet + 0.5


@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        (NavmeshSettings(3.0, 1.2, 0.1, 0.7, 0.05, 0.02), ConfigurationError, "nowhere to stand"),
        (NavmeshSettings(20.0, 1.2, 0.1, 0.7, 0.05, 0.02), WorldError, "use larger cells"),
        (NavmeshSettings(0.2, 1.2, 0.1, 0.7, 0.0, 0.02), WorldError, "cell_size"),
        (NavmeshSettings(0.2, math.nan, 0.1, 0.7, 0.05, 0.02), WorldError, "height"),
    ],
)
def test_a_navmesh_for_a_robot_that_fits_nowhere_is_refused(
    engine: EngineProcess, settings: NavmeshSettings, error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        engine.make_navmesh(settings)
    assert floor_of(engine).area > 10


def test_reloading_a_scene_restores_the_state_of_its_files(engine: EngineProcess, dataset: str) -> None:
    before = engine.render(EYE, AHEAD)
    room = engine.load(dataset, "room")
    for one in room.objects:
        engine.apply([Place(one.id, (0.0, 0.5, 1.0), LEFT), Show(one.id, False)])
    engine.apply([SetJoints(thing(room, "cabinet").id, [1.0])])
    with pytest.raises(ConfigurationError):
        engine.load(dataset, "roam")
    for scene in ("room", "room_of_blocks"):
        engine.load(dataset, scene)
        path = Path(dataset).parent / "scenes" / "room.scene_instance.json"
        assert engine.load(dataset, str(path)).objects == room.objects
        after = engine.render(EYE, AHEAD)
        np.testing.assert_array_equal(after.instance, before.instance)
        np.testing.assert_allclose(after.depth, before.depth, atol=1e-4)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (Place(OBJECT_IDS + 9, BOX, AHEAD), "has no object"),
        (Place(OBJECT_IDS, (0.0, math.nan, 0.0), AHEAD), "is no position"),
        (Place(OBJECT_IDS, BOX, (0.0, 0.0, 0.0, 0.0)), "is no rotation"),
        (SetJoints(OBJECT_IDS + 2, [0.1, 0.2]), "cannot take the joint positions"),
        (SetJoints(OBJECT_IDS, [0.1]), "cannot take the joint positions"),
        (SetJoints(OBJECT_IDS + 2, [math.inf]), "cannot take the joint positions"),
    ],
)
def test_invalid_changes_of_a_scene_are_refused(
    engine: EngineProcess, change: Place | SetJoints, text: str
) -> None:
    with pytest.raises(WorldError, match=text):
        engine.apply([change])
    assert engine.render(EYE, AHEAD).depth.max() > 2.0


def test_missing_scenes_and_data_sets_are_refused_by_name(
    process: EngineProcess, dataset: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match=r"has no scene 'roam'\. It has \d, such as: .*room"):
        process.load(dataset, "roam")
    with pytest.raises(ConfigurationError, match=r"'/no/set\.json' cannot be opened"):
        process.load("/no/set.json", "room")
    with pytest.raises(ConfigurationError, match=r"no scene '/no/scene\.glb'"):
        process.load("", "/no/scene.glb")
    with pytest.raises(WorldError, match="no scene is loaded"):
        process.render(EYE, AHEAD)
    (tmp_path / "broken.scene_dataset_config.json").write_text('{"stages": ')
    with pytest.raises(ConfigurationError, match="is not JSON"):
        process.load(str(tmp_path / "broken.scene_dataset_config.json"), "room")


def test_many_scenes_can_be_loaded_one_after_the_other(
    process: EngineProcess, dataset: str, tmp_path: Path
) -> None:
    """The engine process is restarted from time to time, because habitat_sim never releases a scene."""
    scenes = Path(dataset).parent / "scenes"
    room = json.loads((scenes / "room.scene_instance.json").read_text())
    folder = tmp_path / "copy"
    shutil.copytree(Path(dataset).parent, folder)
    for number in range(10):
        room["object_instances"][1]["translation"] = [0.1 * number, 1.0, -2.0]
        (folder / "scenes" / f"room_{number}.scene_instance.json").write_text(json.dumps(room))
    for number in range(10):
        report = process.load(str(folder / Path(dataset).name), f"room_{number}")
        assert thing(report, "cardboard box").position[0] == pytest.approx(0.1 * number)
        assert (process.render(EYE, AHEAD).instance == thing(report, "cardboard box").id).any()


@pytest.mark.parametrize(
    ("lost", "text"),
    [
        ("objects/table.glb", "needs what is not there: object 'table'"),
        ("objects/table.object_config.json", "needs what is not there: object 'table'"),
        ("stages/room.glb", "needs what is not there: stage 'room'"),
        ("urdf/cabinet.urdf", "needs what is not there: articulated object 'cabinet'"),
        ("urdf/door.glb", "door.glb"),
        ("stages/room.semantic.glb", r"room\.semantic\.glb"),
    ],
)
def test_missing_files_of_a_scene_are_refused_by_name(
    process: EngineProcess, dataset: str, tmp_path: Path, lost: str, text: str
) -> None:
    shutil.copytree(Path(dataset).parent, tmp_path / "copy")
    (tmp_path / "copy" / lost).unlink()
    with pytest.raises(ConfigurationError, match=text):
        process.load(str(tmp_path / "copy" / Path(dataset).name), "room")
    assert len(process.load(dataset, "room").objects) == 3


def test_a_scene_without_categories_is_refused_unless_unlabelled_scenes_are_allowed(
    process: EngineProcess, dataset: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match=r"nothing in the scene 'bare' has a name.*unlabelled"):
        process.load(dataset, "bare")
    settings = EngineSettings(width=SIZE[0], height=SIZE[1], unlabelled=True)
    mesh = shutil.copy(Path(dataset).parent / "stages" / "bare.glb", tmp_path / "mesh.glb")
    engine = EngineProcess(settings, ProcessSettings(python=PYTHON or sys.executable))
    try:
        room = engine.load(dataset, "bare")
        assert (room.objects, room.surfaces) == ((), ())
        views = engine.render(EYE, AHEAD)
        assert views.depth[SIZE[1] // 2, SIZE[0] // 2] == pytest.approx(DEPTH / 2, abs=2e-3)
        assert not views.instance.any()
        low, high = engine.load("", str(mesh)).box
        assert (low[2], high[2]) == pytest.approx((-HEIGHT, THICKNESS), abs=1e-3)  # its y, taken for -z
    finally:
        engine.close()


def test_a_missing_gpu_is_refused_by_number() -> None:
    with pytest.raises(ConfigurationError, match="gpu = -1"):
        EngineProcess(EngineSettings(gpu=63), ProcessSettings(python=PYTHON or sys.executable))
