"""Objects, places, rooms and walls of a scene, from the report of an engine. No engine is needed."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.config import HabitatConfig
from stma_ros.worlds.habitat.engine.interface import Level, NavigableRaster, Place
from stma_ros.worlds.habitat.engine.naming import category_of
from stma_ros.worlds.habitat.engine.scene_report import (
    OBJECT_IDS,
    JointReport,
    ObjectReport,
    PartReport,
    ReceptacleReport,
    RegionReport,
)
from stma_ros.worlds.habitat.habitat import Habitat
from stma_ros.worlds.habitat.loaded_scene import LoadedScene
from stma_ros.worlds.habitat.navmesh import NavmeshFloor
from stma_ros.worlds.habitat.scene.contents import Contents, can_open, contents_of, is_open, is_portable
from stma_ros.worlds.habitat.scene.dataset_files import scenes_of
from stma_ros.worlds.habitat.scene.rooms import rooms_of
from stma_ros.worlds.habitat.scene.solid import Solid, corners_of
from stma_ros.worlds.habitat.scene.starting_state import starting_state
from stma_ros.worlds.habitat.scene.storey import Storey, choose_level
from stma_ros.worlds.habitat.scene.walls import Walls, floor_height
from stma_ros.worlds.robot.geometry import Rect

UPRIGHT = (1.0, 0.0, 0.0, 0.0)
GROUND = Storey(0.0)
Size = tuple[float, float, float]


def quarter(turns: float) -> tuple[float, float, float, float]:
    """Returns a rotation about Habitat's y."""
    return math.cos(turns * math.pi / 4), 0.0, math.sin(turns * math.pi / 4), 0.0


def report(name: str, size: Size, at: Size, category: str = "", **fields: Any) -> ObjectReport:
    """Returns the report of one object.

    Args:
        size: in Habitat's axes.
        at: middle of the underside in Habitat.
    """
    x, y, z = (side / 2 for side in size)
    made = ObjectReport(
        OBJECT_IDS + sum(map(ord, name)),
        f"{name}_:0000",
        name,
        category or name,
        False,
        False,
        ((-x, -y, -z), (x, y, z)),
        (at[0], at[1] + y, at[2]),
        UPRIGHT,
        {},
    )
    return replace(made, **fields)


def no_floor(_x: float, _y: float) -> float:
    return -math.inf


def contents(*reports: ObjectReport, storey: Storey = GROUND) -> Contents:
    return contents_of(reports, storey, no_floor)


def corners(low: Size, high: Size) -> tuple[Size, ...]:
    return tuple((x, y, z) for x, y, z in corners_of((low, high)).tolist())


TABLE = report("table", (1.2, 0.75, 0.8), (2.0, 0.0, -3.0), static=True)
CUP = report("cup", (0.08, 0.1, 0.08), (2.2, 0.76, -3.1))


# -- boxes


def test_a_rotated_box_has_its_own_width_and_depth() -> None:
    turned = replace(TABLE, rotation=quarter(1 / 3))  # 30 degrees
    solid = contents(turned).fixtures[0].solid
    assert sorted((solid.half_x, solid.half_y)) == pytest.approx([0.4, 0.6])
    assert (solid.x, solid.y, solid.low, solid.high) == pytest.approx((2.0, 3.0, 0.0, 0.75))
    assert math.remainder(solid.yaw - math.radians(30), math.pi / 2) == pytest.approx(0.0, abs=1e-9)


def test_an_object_modelled_with_another_up_axis_has_the_box_of_its_corners() -> None:
    tipped = replace(TABLE, rotation=(math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0))  # about x
    solid = contents(tipped).fixtures[0].solid
    assert solid.height == pytest.approx(0.8)
    assert sorted((solid.half_x, solid.half_y)) == pytest.approx([0.375, 0.6])


def test_heights_are_measured_from_the_floor_of_the_storey() -> None:
    upstairs = replace(TABLE, position=(2.0, 3.375, -3.0))
    table = contents(upstairs, storey=Storey(3.0)).fixtures[0]
    assert (table.solid.low, table.solid.high) == pytest.approx((0.0, 0.75))
    assert contents(upstairs) == Contents((), ())  # not on the ground floor


# -- portable and openable objects


@pytest.mark.parametrize(
    ("thing", "portable"),
    [
        (CUP, True),
        (replace(CUP, static=True), False),
        (replace(CUP, category=""), False),
        (replace(CUP, static=True, user={"portable": True}), True),
        (replace(CUP, user={"portable": False}), False),
        (report("chair", (0.5, 0.9, 0.5), (0.0, 0.0, 0.0)), False),
        (report("crate", (0.5, 0.4, 0.5), (0.0, 0.0, 0.0)), False),
        (report("broom", (0.1, 1.2, 0.1), (0.0, 0.0, 0.0)), False),
    ],
)  # fmt: skip
def test_small_movable_objects_are_portable(thing: ObjectReport, portable: bool) -> None:
    assert is_portable(thing) == portable


def test_a_numbered_template_name_yields_its_category() -> None:
    assert [category_of({}, {}, 0, name) for name in ("door2", "sofa_01", "b52")] == ["door", "sofa", "b52"]


def joint(kind: str, low: float, high: float, position: float, shut: float, opened: float) -> JointReport:
    return JointReport("joint", "leaf", kind, low, high, position, shut, opened)


@pytest.mark.parametrize(
    ("found", "opens", "stands_open"),
    [
        (joint("revolute", 0.0, 1.6, 0.0, 0.0, 1.6), True, False),
        (joint("revolute", -1.6, 0.0, -1.5, 0.0, -1.6), True, True),
        (joint("prismatic", 0.0, 0.4, 0.1, 0.0, 0.4), True, False),
        (joint("revolute", 0.0, 0.01, 0.0, 0.0, 0.01), False, False),
        (joint("revolute", -math.inf, math.inf, 0.5, 0.5, 0.5), False, False),
    ],
)
def test_an_object_with_a_joint_with_two_limits_is_openable(
    found: JointReport, opens: bool, stands_open: bool
) -> None:
    fridge = report("fridge", (0.7, 1.8, 0.7), (0.0, 0.0, 0.0), articulated=True, joints=(found,))
    assert can_open(fridge) == opens
    assert is_open(fridge) == stands_open


def cabinet(category: str = "cabinet") -> ObjectReport:
    """Returns a cabinet 0.5 deep along Habitat's x, its leaf in front of it at +x, hinged at one side."""
    body = corners((-0.25, 0.0, -0.4), (0.25, 1.0, 0.4))
    shut, opened = (
        corners((0.25, 0.0, -0.4), (0.27, 1.0, 0.4)),
        corners((0.25, 0.0, -0.42), (1.05, 1.0, -0.4)),
    )
    parts = (PartReport("body", body, body), PartReport("leaf", shut, opened))
    return ObjectReport(
        OBJECT_IDS + 7,
        "cabinet_:0000",
        "cabinet",
        category,
        True,
        True,
        ((-0.25, 0.0, -0.4), (0.27, 1.0, 0.4)),
        (0.0, 0.0, 0.0),
        UPRIGHT,
        {},
        (joint("revolute", 0.0, 1.6, 0.0, 0.0, 1.6),),
        parts,
    )


def test_the_front_of_a_cabinet_is_on_its_opening_side_and_the_open_leaf_is_an_obstacle() -> None:
    made = contents(cabinet()).fixtures[0]
    assert made.ahead(0.0) == pytest.approx((0.27, 0.0))
    assert not made.obstacles(False)  # the navmesh ends there
    (leaf,) = made.obstacles(True)
    assert leaf.bounds.width == pytest.approx(0.8, abs=1e-6)
    assert made.box_when(True).size[0] == pytest.approx(1.3)
    assert made.box_when(False).size[0] == pytest.approx(0.52)


def test_the_whole_box_of_a_fixture_is_an_obstacle_when_the_navmesh_ignores_it() -> None:
    made = contents(replace(cabinet(), static=False)).fixtures[0]
    assert len(made.obstacles(False)) == 1
    assert len(made.obstacles(True)) == 2


def test_a_door_leaf_sweeps_the_floor_when_it_swings() -> None:
    leaf = cabinet("door").parts[1]
    door = contents(
        replace(cabinet("door"), parts=(leaf,), box=((0.25, 0.0, -0.4), (0.27, 1.0, 0.4)))
    ).fixtures[0]
    assert door.swings
    assert door.placement.yaw == pytest.approx(0.0)
    (closed,), (opened,) = door.obstacles(False), door.obstacles(True)
    assert (closed.bounds.width, opened.bounds.width) == pytest.approx((0.02, 0.8))
    assert door.sweep[0].bounds.area == pytest.approx(0.8 * 0.82)


# -- supports and containers


def test_furniture_with_a_flat_top_holds_objects_and_other_furniture_does_not() -> None:
    (shelf,) = contents(TABLE).fixtures[0].shelves(inside=False)
    assert (shelf.height, shelf.clearance) == pytest.approx((0.75, 1.0))
    assert sorted((shelf.area.width, shelf.area.depth)) == pytest.approx([0.74, 1.14])
    sofa = report("sofa", (2.0, 0.8, 0.9), (0.0, 0.0, 0.0), static=True)
    assert contents(sofa).fixtures[0].shelves(inside=False) == []


def receptacle(name: str, height: float, shift: float = 0.0) -> ReceptacleReport:
    low, high = (-0.2, height, -0.3), (0.2, height + 0.02, 0.3)
    return ReceptacleReport(
        name, corners(low, high), corners((low[0] + shift, *low[1:]), (high[0] + shift, *high[1:]))
    )


def test_receptacles_become_shelves_with_the_clearance_above_them() -> None:
    places = (receptacle("low", 0.1), receptacle("middle", 0.5), receptacle("top", 1.0))
    made = contents(replace(cabinet(), receptacles=places, user={"middle": {"clearance": 0.3}})).fixtures[0]
    inside, on = made.shelves(inside=True), made.shelves(inside=False)
    assert [(shelf.height, round(shelf.clearance, 6)) for shelf in inside] == [(0.1, 0.4), (0.5, 0.3)]
    assert [(shelf.height, shelf.clearance) for shelf in on] == [(1.0, 1.0)]


def test_metadata_of_a_receptacle_decide_whether_it_is_inside() -> None:
    says = {"low": {"inside": False}, "top": {"inside": True}}
    places = (receptacle("low", 0.1), receptacle("top", 1.0))
    made = contents(replace(cabinet(), receptacles=places, user=says)).fixtures[0]
    assert [shelf.height for shelf in made.shelves(inside=False)] == [0.1]
    assert [shelf.height for shelf in made.shelves(inside=True)] == [1.0]


def test_a_bin_holds_objects_inside() -> None:
    waste = report("trash can", (0.4, 0.5, 0.7), (0.0, 0.0, 0.0), receptacles=(receptacle("in", 0.1),))
    made = contents(replace(waste, static=True)).fixtures[0]
    assert len(made.shelves(inside=True)) == 1


def test_an_object_on_a_table_is_supported_by_it_and_one_elsewhere_by_the_floor() -> None:
    shoe = report("shoe", (0.1, 0.1, 0.3), (0.0, 0.0, 0.0))
    found = contents(TABLE, CUP, shoe)
    state = starting_state(found.fixtures, found.portables, frozenset())
    assert (state.spots["cup_:0000"].support, state.spots["cup_:0000"].z) == ("table_:0000", 0.75)
    assert state.spots["shoe_:0000"].support == ""
    assert state.spots["shoe_:0000"].z == pytest.approx(0.0)


def test_contents_of_a_closed_drawer_have_their_position_in_the_opened_drawer() -> None:
    drawer = replace(cabinet(), receptacles=(receptacle("drawer", 0.5, shift=0.3),))
    spoon = report("spoon", (0.15, 0.02, 0.03), (0.1, 0.51, 0.1))
    found = contents(drawer, spoon)
    spot = starting_state(found.fixtures, found.portables, frozenset()).spots["spoon_:0000"]
    assert (spot.support, spot.inside) == ("cabinet_:0000", True)
    assert (spot.x, spot.y, spot.z) == pytest.approx((0.4, -0.1, 0.5))


# -- the building


def test_a_single_storey_needs_no_choice_and_several_do() -> None:
    ground, upper = Level(0.1, 40.0), Level(3.1, 25.0)
    assert choose_level([ground], -1, "s") == choose_level([ground], 0, "s") == ground
    assert choose_level([ground, upper], 1, "s") == upper
    with pytest.raises(ConfigurationError, match=r"world\.floor, from 0 at 0\.10 m \(40 m2\), 1 at 3\.10 m"):
        choose_level([ground, upper], -1, "s")
    with pytest.raises(ConfigurationError, match="no storey 1"):
        choose_level([ground], 1, "s")


def test_rooms_of_a_scene_are_the_regions_of_its_storey() -> None:
    outline = ((0.0, 0.0), (4.0, 0.0), (4.0, -2.0), (2.0, -2.0), (2.0, -4.0), (0.0, -4.0))
    regions = (
        RegionReport("a", "kitchen", "", None, outline),
        RegionReport("b", "", "", ((4.0, 0.0, -2.0), (6.0, 2.5, 0.0)), ()),
        RegionReport("attic", "attic", "", ((0.0, 2.8, -4.0), (6.0, 5.0, 0.0)), ()),
        RegionReport("nowhere", "cellar", "", None, ()),
    )
    rooms = rooms_of(regions, GROUND)
    assert [(room.name, room.category) for room in rooms] == [("room_1", "kitchen"), ("room_2", "room")]
    assert rooms[0].holds(1.0, 3.0)
    assert not rooms[0].holds(3.0, 3.0)  # in the corner that is cut out
    assert rooms[1].holds(5.0, 1.0)
    assert [room.category for room in rooms_of(regions, Storey(3.0))] == ["kitchen", "attic"]


def floor_of(width: int, depth: int) -> NavmeshFloor:
    """Returns a floor of that many metres from (0, 0)."""
    return NavmeshFloor.of(
        NavigableRaster((0.0, -float(depth)), 0.05, np.ones((depth * 20, width * 20), bool))
    )


def wall_at(x: float) -> Any:
    """Returns rays that meet a wall across x, and a floor at a height of 0.5."""

    def cast(starts: Any, ends: Any) -> Any:
        way = ends - starts
        along = np.where(way[:, 0] != 0.0, way[:, 0], 1.0)
        share = np.where(way[:, 0] != 0.0, (x - starts[:, 0]) / along, 2.0)
        down = np.where(way[:, 1] != 0.0, way[:, 1], 1.0)
        share = np.where(way[:, 1] != 0.0, (0.5 - starts[:, 1]) / down, share)
        return np.where((share >= 0.0) & (share < 1.0), share, 1.0)

    return cast


def test_walls_are_built_from_ray_hits_without_gaps() -> None:
    walls = Walls.found(wall_at(1.23), Storey(0.5), floor_of(3, 2))
    pieces = walls.within(Rect(0.0, 0.5, 3.0, 1.5))
    assert len(pieces) >= 10
    assert all(piece.contains(1.23, piece.y) and piece.half_x < 0.015 for piece in pieces)
    for y in np.linspace(0.5, 1.5, 101):
        assert any(piece.grown(-0.005).contains(1.23, y) for piece in pieces)
    assert walls.within(Rect(2.0, 0.5, 3.0, 1.5)) == []


def test_the_floor_height_is_measured_below_the_navmesh() -> None:
    assert floor_height(wall_at(9.0), 0.62, floor_of(3, 2)) == pytest.approx(0.5)
    assert floor_height(wall_at(9.0), 2.62, floor_of(3, 2)) == 2.62  # no ray meets it there


def test_a_solid_around_points_contains_them_all() -> None:
    points = np.random.default_rng(1).uniform(-2, 2, (50, 3))
    solid = Solid.around(points, 0.4)
    local = solid.local(points)
    assert np.abs(local[:, 0]).max() == pytest.approx(solid.half_x)
    assert np.abs(local[:, 1]).max() == pytest.approx(solid.half_y)


# -- names of scenes


def test_scenes_of_a_data_set_are_found_by_its_configuration(tmp_path: Path) -> None:
    (tmp_path / "configs" / "scenes").mkdir(parents=True)
    for name in ("b", "a"):
        (tmp_path / "configs" / "scenes" / f"{name}.scene_instance.json").write_text("{}")
    dataset = tmp_path / "some.scene_dataset_config.json"
    dataset.write_text(json.dumps({"scene_instances": {"paths": {".json": ["configs/scenes"]}}}))
    assert scenes_of(str(dataset)) == ["a", "b"]
    dataset.write_text(json.dumps({"scene_instances": {"paths": {".json": ["configs/scenes/*.json"]}}}))
    assert scenes_of(str(dataset)) == ["a", "b"]


def test_a_data_set_of_stages_has_its_stages_as_scenes(tmp_path: Path) -> None:
    (tmp_path / "00800-x").mkdir()
    (tmp_path / "00800-x" / "x.basis.glb").write_bytes(b"")
    (tmp_path / "00800-x" / "x.basis.stage_config.json").write_text("{}")
    dataset = tmp_path / "hm3d.scene_dataset_config.json"
    dataset.write_text(json.dumps({"stages": {"paths": {".glb": ["*/*.glb"]}}}))
    assert scenes_of(str(dataset)) == ["x.basis"]


@pytest.mark.parametrize(
    "content",
    [
        *("{}", "[1]", "no json", None, '{"objects": {"paths": null}}', '{"objects": {"paths": {".json": "objects"}}}'),
        *('{"light_setups": {"paths": [1]}}', '{"objects": {"paths": {".json": [3]}}}'),
    ],
)  # fmt: skip
def test_a_data_set_without_scenes_is_refused_with_the_cause(tmp_path: Path, content: str | None) -> None:
    dataset = tmp_path / "none.scene_dataset_config.json"
    if content is not None:
        dataset.write_text(content)
    with pytest.raises(ConfigurationError, match=r"none\.scene_dataset_config\.json"):
        scenes_of(str(dataset))


@pytest.mark.parametrize(
    ("options", "scene", "said"),
    [
        ({}, "attic", "habitat has no scene 'attic'"),
        ({"rooms": 4}, "room.glb", r"world\.rooms is for flats"),
        ({"changes": 2, "dataset": "x.scene_dataset_config.json"}, "room", r"world\.changes is for flats"),
        ({"changes_between": 2}, "room.glb", r"world\.changes_between is for flats"),
    ],
)
def test_invalid_scene_options_are_refused_before_an_engine_starts(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], scene: str, said: str
) -> None:
    monkeypatch.setattr(Habitat, "_running", lambda self: None)
    world = Habitat(HabitatConfig(**options))
    with pytest.raises(ConfigurationError, match=said):
        world.reset(scene, 1)


def test_a_fixture_whose_joint_moves_no_visible_part_is_not_openable() -> None:
    made = contents(replace(cabinet("door"), parts=()), replace(cabinet(), parts=cabinet().parts[:1]))
    assert [fixture.opens for fixture in made.fixtures] == [False, False]
    assert not any(fixture.swings for fixture in made.fixtures)


# -- the engine has another scene for a while


class CountingEngine:
    """Records the loaded scenes and the later changes."""

    is_lost = False

    def __init__(self) -> None:
        self.loaded: list[str] = []
        self.applied: list[Place] = []

    def load(self, dataset: str, scene: str) -> str:
        self.loaded.append(scene)
        self.applied = []
        return scene

    def apply(self, changes: list[Place]) -> None:
        self.applied += changes

    def render(self, position: Any, rotation: Any) -> str:
        return self.loaded[-1]


def test_a_scene_that_is_loaded_again_has_its_last_state() -> None:
    engine = CountingEngine()
    there = Place(OBJECT_IDS, (1.0, 2.0, 3.0), UPRIGHT)
    scene = LoadedScene(lambda: engine, "set", "home")  # type: ignore[arg-type, return-value]
    assert scene.render((), (), {(there.id, Place): there}) == "home"  # type: ignore[comparison-overlap]
    scene.leave()
    engine.load("set", "other")
    assert scene.render((), (), {(there.id, Place): there}) == "home"  # type: ignore[comparison-overlap]
    assert engine.loaded == ["home", "other", "home"]
    assert engine.applied == [there]
