"""Walking distances and tours of the oracle, on small floors."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.evaluation.eqa.generation.tour import shortest_tour
from stma_ros.evaluation.eqa.generation.walking import WalkingDistances
from stma_ros.worlds.robot.geometry import OrientedRect, Placement, Rect
from stma_ros.worlds.robot.motion import Ground

ROOM = Rect(0.0, 0.0, 6.0, 4.0)
START = Placement(0.525, 0.525, 0.0)
# A wall from the lower edge up to y = 3 in the middle of the room.
WALL = OrientedRect(3.0, 1.5, 0.05, 1.5)


def walking(*obstacles: OrientedRect) -> WalkingDistances:
    return WalkingDistances(Ground.among(ROOM, obstacles), START)


def test_a_free_way_is_as_long_as_the_straight_line() -> None:
    floor = walking()
    goal = floor.nearest(5.0, 2.5)
    x, y = floor.points[goal]
    assert floor.route_length([goal]) == pytest.approx(math.hypot(x - START.x, y - START.y), rel=1e-6)


def test_a_way_leads_round_a_wall() -> None:
    goal = (5.525, 0.525)
    floor = walking(WALL)
    node = floor.nearest(*goal)
    round_it = math.dist((START.x, START.y), (2.95, 3.28)) + math.dist((3.05, 3.28), goal)
    assert floor.route_length([node]) == pytest.approx(round_it, rel=0.05)
    assert floor.from_start()[node] >= floor.route_length([node]) - 0.05


def test_cells_behind_a_closed_wall_are_not_reachable() -> None:
    floor = walking(OrientedRect(3.0, 2.0, 0.05, 2.0))
    assert floor.points[:, 0].max() < 3.0


def test_costs_of_several_sources_add_to_the_way() -> None:
    floor = walking()
    near, far = floor.nearest(1.0, 1.0), floor.nearest(5.0, 3.0)
    after = floor.after({near: 10.0, far: 1.0})
    assert after[near] == pytest.approx(min(10.0, 1.0 + floor.after({far: 0.0})[near]))
    assert after[far] == pytest.approx(1.0)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 4))
def test_a_tour_sees_everything_and_is_nearly_as_short_as_the_best(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    floor = walking(WALL)
    nodes = np.append(rng.choice(len(floor.cells), size=6, replace=False), floor.start_node)
    nodes = np.unique(nodes)
    seen = rng.random((len(nodes), count)) < 0.4
    seen[rng.integers(len(nodes), size=count), np.arange(count)] = True
    stops = shortest_tour(floor, nodes, seen)
    rows = {int(node): k for k, node in enumerate(nodes)}
    start = rows[floor.start_node]

    def sees_all(tour: tuple[int, ...]) -> bool:
        return bool(seen[[start, *(rows[node] for node in tour)]].any(axis=0).all())

    between = {node: floor.after({node: 0.0}) for node in rows}

    def length(tour: tuple[int, ...]) -> float:
        return sum(float(between[a][b]) for a, b in itertools.pairwise((floor.start_node, *tour)))

    assert sees_all(stops)
    best = min(
        length(tour)
        for size in range(min(count, 4) + 1)
        for tour in itertools.permutations(nodes.tolist(), size)
        if sees_all(tour)
    )
    assert best - 1e-6 <= length(stops) <= 1.5 * best + 1e-6


def test_a_tour_without_anything_left_to_see_has_no_stops() -> None:
    floor = walking()
    nodes = np.array([floor.start_node])
    assert shortest_tour(floor, nodes, np.ones((1, 3), bool)) == ()
    assert floor.route_length(()) == 0.0
