"""PointNav episodes, driven by the base alone in a flat of the house world, which needs no engine."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from stma_ros.evaluation.habitat_lab import pointnav
from stma_ros.evaluation.habitat_lab.navigation import (
    DISTANCE_TO_GOAL,
    PATH_LENGTH,
    SHORTEST_PATH,
    SOFT_SPL,
    SPL,
)
from stma_ros.evaluation.habitat_lab.pointnav import Drive, PointNav, PointNavSettings, drive
from stma_ros.evaluation.metrics import ALL
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.lab.episodes import EpisodeSet, LabEpisode, LabGoal
from stma_ros.worlds.habitat.lab.start import PlaceFrom, Start
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.place import FlatPlace, flat_of
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.robot.motion import way_length
from stma_ros.worlds.robot.simulated_world import Place, SimulatedWorld

FLAT, ROOMS = 1001, 3
CONFIG = HouseConfig(width=32, height=24, rooms=ROOMS)


class FlatFrom(SimulatedWorld[Place]):
    """A flat in which every episode starts at the same pose."""

    def __init__(self, start: Start, config: HouseConfig = CONFIG) -> None:
        super().__init__(config)
        self._start = start

    def load(self, scene: str) -> Place:
        flat = flat_of(scene, CONFIG)
        return PlaceFrom(FlatPlace(f"flat_{FLAT}", flat, Renderer(flat, self.camera), 0), self._start)

    def default_scene(self, seed: int) -> str:
        return f"flat_{seed}"


@pytest.fixture(scope="module")
def spots() -> tuple[Start, Start]:
    """Returns two connected places of the flat that are far apart."""
    ground = make_flat(FLAT, ROOMS).ground(make_flat(FLAT, ROOMS).initial)
    flat = make_flat(FLAT, ROOMS)
    place = FlatPlace(f"flat_{FLAT}", flat, Renderer(flat, CONFIG.camera), 0)
    start = place.begin(0)
    clearance, reached = ground.reachable_from(start)
    rows, columns = np.nonzero(reached)
    points = [clearance.point((int(r), int(c))) for r, c in zip(rows, columns, strict=True)]
    far = max(points, key=lambda point: math.dist(point, (start.x, start.y)))
    return Start(start.x, start.y, 0.1, start.yaw), Start(*far, 0.1, 0.0)


def episode(start: Start, goal: tuple[float, float, float], geodesic: float | None = None) -> LabEpisode:
    goals = (LabGoal(np.array(goal), np.empty((0, 3))),)
    return LabEpisode("3", f"flat_{FLAT}", "", start, goals, "", geodesic)


def driven(start: Start, goal: tuple[float, float, float], geodesic: float | None = None) -> Drive:
    world = FlatFrom(start)
    world.reset(f"flat_{FLAT}", 0)
    return drive(world, episode(start, goal, geodesic))


def test_pointnav_drives_the_shortest_path_to_the_goal(spots: tuple[Start, Start]) -> None:
    start, end = spots
    went = driven(start, (end.x, end.y, end.z))
    assert went.success(0.2)
    assert went.left == pytest.approx(0.0, abs=1e-6)
    assert went.driven == pytest.approx(went.shortest, rel=1e-4)
    assert went.driven > math.dist((start.x, start.y), (end.x, end.y)) - 1e-6


def test_pointnav_drives_to_the_goal_in_any_map_frame(spots: tuple[Start, Start]) -> None:
    start, end = spots
    world = FlatFrom(start, replace(CONFIG, map_yaw=2.0, map_offset="3,-4"))
    world.reset(f"flat_{FLAT}", 0)
    went = drive(world, episode(start, (end.x, end.y, end.z)))
    assert went.arrived
    assert went.left == pytest.approx(0.0, abs=1e-6)


def test_pointnav_takes_the_shortest_path_length_of_the_data_set_where_it_has_one(
    spots: tuple[Start, Start],
) -> None:
    start, end = spots
    assert driven(start, (end.x, end.y, end.z), 1.5).shortest == 1.5


def test_pointnav_does_not_reach_a_goal_outside_the_flat(spots: tuple[Start, Start]) -> None:
    start, _ = spots
    went = driven(start, (start.x, start.y - 50.0, start.z), 50.0)
    assert not went.arrived
    assert not went.success(10.0)
    assert went.left > 30


def test_pointnav_does_not_drive_to_a_goal_on_another_storey(spots: tuple[Start, Start]) -> None:
    start, end = spots
    went = driven(start, (end.x, end.y, 3.0), 9.0)
    assert (went.arrived, went.driven) == (False, 0.0)


def test_remaining_distance_of_pointnav_follows_the_path_around_walls(spots: tuple[Start, Start]) -> None:
    start, end = spots
    world = FlatFrom(start)
    world.reset(f"flat_{FLAT}", 0)
    way = world.ground.way(start.placement, end.x, end.y)
    assert way is not None
    length = pointnav.shortest_way(world.ground, start.placement, end.x, end.y)
    assert length == pytest.approx(way_length(start.placement, way))


def test_pointnav_rows_are_means_over_the_episodes_of_a_scene(monkeypatch: pytest.MonkeyPatch) -> None:
    start = Start(0.0, 0.0, 0.0, 0.0)
    read = EpisodeSet("PointNav-v1", tuple(episode(start, (1.0, 0.0, 0.0)) for _ in range(3)))
    monkeypatch.setattr(pointnav, "read_episodes", lambda path, python: read)
    measurement = PointNav(PointNavSettings(episodes="x", count=2))
    assert measurement.total == 2

    def fixed(episodes: list[LabEpisode], seed: int) -> Iterator[Drive]:
        assert len(episodes) == 2
        yield Drive(True, 4.0, 5.0, 0.1)
        yield Drive(True, 4.0, 4.0, 0.2)  # not nearer than the success distance

    monkeypatch.setattr(measurement, "_driven", fixed)
    scene, whole = measurement.rows(0)
    assert (scene["group"], whole["group"]) == (f"flat_{FLAT}", ALL)
    assert scene == {**whole, "group": scene["group"]}
    expected = {
        "episodes": 2,
        "success_rate": 50.0,
        SPL: 40.0,
        SOFT_SPL: (100 * 0.975 * 0.8 + 95.0) / 2,
        DISTANCE_TO_GOAL: 0.15,
        PATH_LENGTH: 4.5,
        SHORTEST_PATH: 4.0,
    }
    assert {key: whole[key] for key in expected} == pytest.approx(expected)


def test_pointnav_states_the_map_frame_of_the_data_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pointnav, "read_episodes", lambda path, python: EpisodeSet("PointNav-v1", ()))
    settings = PointNav(PointNavSettings(episodes="x", map_yaw=math.nan, map_offset="1,2")).settings
    assert (settings["map_yaw"], settings["map_offset"]) == (0.0, "1,2")


def test_pointnav_refuses_object_goals_and_names_the_command_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = EpisodeSet("ObjectNav-v1", ())
    monkeypatch.setattr(pointnav, "read_episodes", lambda path, python: read)
    with pytest.raises(ConfigurationError, match="stma bench habitat_lab"):
        PointNav(PointNavSettings(episodes="x"))
