"""Plans of homes: one connected map with rings and unique names."""

from __future__ import annotations

from collections import Counter

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.worlds.textworld.home_plan import HomePlan, plan_home

STEPS = {"north": (0, 1), "east": (1, 0)}


def plan(rooms: int, seed: int) -> HomePlan:
    return plan_home(rooms, np.random.default_rng(seed))


HOMES = st.builds(plan, st.integers(2, 36), st.integers(0, 10**6))


@given(HOMES)
def test_every_room_of_a_home_plan_is_reachable(home: HomePlan) -> None:
    graph = networkx.Graph((way.first, way.second) for way in home.ways)
    assert set(graph) == set(range(len(home.rooms)))
    assert networkx.is_connected(graph)
    assert graph.number_of_edges() == len(home.ways)  # two rooms are connected once


@given(HOMES)
def test_rooms_of_a_home_plan_have_distinct_cells_of_a_grid(home: HomePlan) -> None:
    """A walk around a ring ends where it began, and no two rooms share a cell."""
    cells = {0: (0, 0)}
    ways = list(home.ways)
    while len(cells) < len(home.rooms):
        for way in ways:
            east, north = STEPS[way.direction]
            if way.first in cells:
                x, y = cells[way.first]
                cells.setdefault(way.second, (x + east, y + north))
            elif way.second in cells:
                x, y = cells[way.second]
                cells[way.first] = (x - east, y - north)
    for way in ways:
        east, north = STEPS[way.direction]
        x, y = cells[way.first]
        assert cells[way.second] == (x + east, y + north)
    assert len(set(cells.values())) == len(cells)


@pytest.mark.parametrize("seed", range(20))
def test_a_home_of_thirty_rooms_has_rings_and_doors(seed: int) -> None:
    home = plan(30, seed)
    assert len(home.ways) - (len(home.rooms) - 1) >= 3
    assert 8 <= sum(bool(way.door) for way in home.ways) <= len(home.ways) // 2


@given(HOMES)
def test_names_in_a_home_plan_are_unique(home: HomePlan) -> None:
    names = [*home.rooms, *(way.door for way in home.ways if way.door)]
    for item in home.furniture:
        names += [item.name, *item.foods, *item.others]
    assert not [name for name, times in Counter(names).items() if times > 1]
    assert "cookbook" not in names


@given(HOMES)
def test_furniture_and_start_of_a_home_plan_are_in_its_rooms(home: HomePlan) -> None:
    assert all(0 <= item.room < len(home.rooms) for item in home.furniture)
    assert 0 <= home.start < len(home.rooms)
    assert "kitchen" in home.rooms or len(home.rooms) < 30
    things = sum(len(item.foods) + len(item.others) for item in home.furniture)
    assert things >= len(home.rooms) - 1


def test_a_home_plan_follows_from_its_seed() -> None:
    assert plan(30, 1) == plan(30, 1)
    assert plan(30, 1) != plan(30, 2)
