"""The world `habitat` without habitat-sim, over an engine in another process that draws the exported files.

The same flat has the same images, obstacles and changes as in the world `house`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip(
    "open3d", reason="the stand-in for habitat-sim needs Open3D: pip install 'stma_ros[house]'"
)

from stma_ros.testing.world_conformance import Check, Trial, checks_for, request
from stma_ros.types.component import CancelToken
from stma_ros.types.planning import Outcome, Result, SkillRequest
from stma_ros.types.standard import Pose
from stma_ros.worlds.habitat.config import HabitatConfig
from stma_ros.worlds.habitat.habitat import Habitat
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.flat_file import flat_text
from stma_ros.worlds.house.house import House
from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.motion import Obstacles
from stma_ros.worlds.robot.picture import Picture
from stma_ros.worlds.robot.places import standing_place
from stma_ros.worlds.robot.scene import item_box
from stma_ros.worlds.robot.state import SceneState
from stma_ros.worlds.robot.targets import footprint
from support.worlds.conformance_subjects import HOUSE, SMALL
from support.worlds.map_frames import in_map
from support.worlds.standin_python import standin_python
from support.worlds.two_rooms import FLAT, named, target_at

CELL = 0.02  # of the navmesh's raster [m]
SKIRTING = 0.015  # a navmesh ends at it, the walls of the house have none that one could touch [m]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("standin")
    (folder / "two_rooms.json").write_text(flat_text(FLAT))
    return folder


@pytest.fixture(scope="module")
def start(folder: Path) -> Callable[[int, int], Habitat]:
    python, flats = standin_python(folder), str(folder / "flats")

    def start(width: int, height: int) -> Habitat:
        return Habitat(HabitatConfig(width=width, height=height, python=python, flats=flats))

    return start


@dataclass(frozen=True)
class Pair:
    """The same flat in both worlds."""

    habitat: Habitat
    house: House

    def pictures(self, base: Placement, state: SceneState) -> tuple[Picture, Picture]:
        return self.habitat.place.camera_renderer.render(
            base, state
        ), self.house.place.camera_renderer.render(base, state)

    def reset(self, scene: str, seed: int) -> None:
        assert self.habitat.reset(scene, seed) == self.house.reset(scene, seed) == scene


@pytest.fixture(scope="module")
def pair(start: Callable[[int, int], Habitat]) -> Iterator[Pair]:
    pair = Pair(start(160, 120), House(HouseConfig(width=160, height=120)))
    yield pair
    pair.habitat.close()
    pair.house.close()


def names(world: Habitat | House, picture: Picture) -> np.ndarray:
    """Returns the name of the owner by pixel."""
    found: np.ndarray = np.array([*world.place.camera_renderer.owners, ""])[picture.owner]
    return found


def check_alike(pair: Pair, base: Placement, state: SceneState) -> None:
    ours, theirs = pair.pictures(base, state)
    categories = pair.habitat.place.scene.categories
    assert categories == pair.house.place.scene.categories
    off = np.abs(ours.depth.astype(int) - theirs.depth) > 3  # [mm]
    other = names(pair.habitat, ours) != names(pair.house, theirs)
    assert off.mean() < 2e-4  # a ray along an edge may miss it
    assert other.mean() < 2e-4


# -- the port


@pytest.fixture(scope="module")
def trial(start: Callable[[int, int], Habitat]) -> Iterator[Trial]:
    trial = Trial(
        replace(HOUSE, name="habitat, stand-in", make=lambda: start(SMALL["width"], SMALL["height"]))
    )
    yield trial
    trial.close()


@pytest.mark.parametrize("check", checks_for(HOUSE), ids=lambda check: check.name)
def test_habitat_world_with_the_stand_in_engine_passes_the_conformance_checks(
    check: Check, trial: Trial
) -> None:
    check.run(trial)


# -- the same flat


@pytest.mark.parametrize(("scene", "seed"), [("flat_1004", 3), ("flat_1011", 2)])
def test_stand_in_engine_renders_the_flat_as_the_house_does(pair: Pair, scene: str, seed: int) -> None:
    pair.reset(scene, seed)
    state, rng = pair.house.state, np.random.default_rng(seed)
    clearance, free = pair.house.ground.reachable_from(pair.house.robot)
    cells = np.argwhere(free)
    for cell in rng.choice(cells, 12):
        x, y = clearance.point((cell[0], cell[1]))
        check_alike(pair, Placement(x, y, rng.uniform(-math.pi, math.pi)), state)


@pytest.mark.parametrize(("scene", "seed"), [("flat_1004", 3), ("flat_1011", 2)])
def test_stand_in_engine_has_the_obstacles_of_the_house(pair: Pair, scene: str, seed: int) -> None:
    pair.reset(scene, seed)
    flat, rng = pair.house.flat, np.random.default_rng(seed)
    doors = frozenset(door.name for door in flat.doors)
    fronts = frozenset(piece.name for piece in flat.containers)
    initial = pair.house.state
    for state in (initial, replace(initial, open_names=frozenset()), initial.opened(*doors, *fronts)):
        ground, obstacles = pair.habitat.place.scene.ground(state), Obstacles(flat.obstacles(state))
        free = blocked = 0
        for x, y in rng.uniform(
            (flat.layout.bounds.x0, flat.layout.bounds.y0),
            (flat.layout.bounds.x1, flat.layout.bounds.y1),
            (3000, 2),
        ):
            room = obstacles.room(x, y)
            if abs(room) > 1.5 * CELL + SKIRTING:
                assert ground.collides(x, y) == (room < 0), (x, y, room)
                free, blocked = free + (room > 0), blocked + (room < 0)
        assert min(free, blocked) > 600


def test_stand_in_engine_reaches_the_same_places_as_the_house(pair: Pair) -> None:
    pair.reset("flat_1004", 3)
    reached = 0
    for piece in pair.house.flat.furniture:
        ends = []
        for world in (pair.habitat, pair.house):
            goal = Pose.planar(*piece.ahead(0.9), piece.placement.yaw + math.pi)
            result = done(world, request("navigate", target_at(piece.box, piece.category), goal=goal))
            ends.append((result.result, world.robot))
        (ours, here), (theirs, there) = ends
        assert ours == theirs
        assert math.dist((here.x, here.y), (there.x, there.y)) < 0.15
        reached += ours == Result.SUCCEEDED
    assert reached > 10


# -- what changes


def done(world: Habitat | House, wanted: SkillRequest) -> Outcome:
    *_, (_, outcome) = world.execute(in_map(world, wanted), CancelToken())
    assert isinstance(outcome, Outcome)
    return outcome


def box_of(name: str, state: SceneState) -> Box:
    if name in FLAT.items_by_name:
        return item_box(FLAT.items_by_name[name], state)
    thing = FLAT.fixed_by_name[name]
    return thing.box_when(name in state.open_names)


def reach(world: Habitat, name: str) -> Pose:
    """Returns a pose from which a piece of furniture can be handled."""
    piece = FLAT.furniture_by_name[name]
    area = footprint(world.state, piece)
    place = standing_place(
        world.place.scene, world.state, world.ground, world.robot, area, front=piece.ahead(0.8)
    )
    assert place is not None
    return Pose.planar(place.x, place.y, place.yaw)


def do(world: Habitat, skill: str, name: str) -> None:
    target = target_at(box_of(name, world.state), named(name).category)
    goal = reach(world, name) if skill == "navigate" else None
    outcome = done(world, request(skill, target, goal=goal))
    assert outcome.result == Result.SUCCEEDED, outcome.error.text


def changed(pair: Pair, before: SceneState) -> list[set[str]]:
    """Returns the owners of the pixels that differ from the given state, in Habitat and in the house."""
    base, after = pair.habitat.robot, pair.habitat.state
    found = []
    for world in (pair.habitat, pair.house):
        was, owners = world.place.camera_renderer.render(base, before), world.place.camera_renderer.owners
        is_ = world.place.camera_renderer.render(base, after)
        differ = (was.colour != is_.colour).any(axis=2) | (was.depth != is_.depth)
        found.append({str(name) for name in np.array([*owners, ""])[was.owner][differ]})
        found[-1] |= {str(name) for name in names(world, is_)[differ]}
    return found


def test_stand_in_engine_shows_the_effects_of_skills(pair: Pair, folder: Path) -> None:
    pair.reset(str(folder / "two_rooms.json"), 1)
    habitat = pair.habitat
    steps = (
        ("fridge_1", "open", "fridge_1", "fridge_1"),
        ("fridge_1", "pick", "apple_1", "apple_1"),
        ("fridge_1", "close", "fridge_1", "fridge_1"),
        ("table_1", "place_on", "table_1", "apple_1"),
        ("table_1", "pick", "mug_1", "mug_1"),
        ("sink_1", "fill", "sink_1", ""),
        ("counter_1", "place_on", "counter_1", "mug_1"),
        ("counter_1", "switch_on", "radio_1", "radio_1"),
        ("lamp_1", "switch_on", "lamp_1", "lamp_1"),
    )
    for place, skill, name, shown in steps:
        do(habitat, "navigate", place)
        before = habitat.state
        do(habitat, skill, name)
        check_alike(pair, habitat.robot, habitat.state)
        ours, theirs = changed(pair, before)
        assert shown in ours & theirs if shown else not ours, (skill, name)
        if (
            "mug_1" in ours and not habitat.state.held
        ):  # its contents may be too deep to be seen, on both sides
            empty = habitat.state.filled("mug_1", full=False)
            filled, also_filled = ("mug_1" in owners for owners in changed(pair, empty))
            assert filled == also_filled


def test_stand_in_engine_does_not_show_a_held_object(pair: Pair, folder: Path) -> None:
    pair.reset(str(folder / "two_rooms.json"), 1)
    habitat = pair.habitat
    do(habitat, "navigate", "table_1")
    assert "mug_1" in names(habitat, habitat.place.camera_renderer.render(habitat.robot, habitat.state))
    do(habitat, "pick", "mug_1")
    assert habitat.state.held == "mug_1"
    base = habitat.robot
    for turn in range(12):
        seen = habitat.place.camera_renderer.render(
            replace(base, yaw=base.yaw + turn * math.pi / 6), habitat.state
        )
        assert "mug_1" not in names(habitat, seen)
    assert "mug_2" in names(habitat, habitat.place.camera_renderer.render(base, habitat.state))
