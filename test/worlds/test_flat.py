"""Flats are reproducible, and a robot can act in every one of them."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stma_ros.worlds.house.building.layout import ROOM_COUNTS, make_layout
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.furnishing.furniture_placement import DOCK_DISTANCE
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.kinds.item_kinds import ITEMS
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.scene import is_hidden, is_in_view
from stma_ros.worlds.robot.state import SceneState

flat_of = lru_cache(make_flat)  # several tests look at the same flats
flats = st.sampled_from(range(1000, 1010)).map(flat_of)
few = settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def reachable_from_a_door(flat: Flat, state: SceneState) -> tuple[object, np.ndarray]:
    x, y = flat.layout.doorways[0].opening.centre
    return flat.ground(state).reachable_from(Placement(x, y, 0.0))


def test_equal_seeds_make_equal_flats() -> None:
    assert make_flat(1017) == make_flat(1017)
    assert make_flat(1017) != make_flat(1018)


@given(seed=st.integers(0, 10**6), rooms=st.sampled_from(ROOM_COUNTS))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_rooms_fill_the_outline_without_overlap(seed: int, rooms: int) -> None:
    layout = make_layout(np.random.default_rng(seed), rooms)
    assert len(layout.rooms) == rooms
    assert layout.bounds.width <= 21
    assert layout.bounds.depth <= 13
    assert {"kitchen", "living room", "bedroom"} <= {room.kind for room in layout.rooms}
    solids = [room.floor for room in layout.rooms] + [doorway.opening for doorway in layout.doorways]
    for a, b in combinations(solids, 2):
        assert not a.grown(-1e-6).overlaps(b)
    for wall in layout.walls:
        assert not any(wall.grown(-1e-6).overlaps(solid) for solid in solids)
    for doorway in layout.doorways:
        opening = doorway.opening
        assert 0.9 <= max(opening.width, opening.depth) + 1e-9 <= 1.0 + 2e-9
        clear = 0.19  # an open door stands free of the corner
        for room in (layout.rooms[index].floor for index in doorway.rooms):
            low, high = (room.x0, room.x1) if doorway.along_x else (room.y0, room.y1)
            start, end = (opening.x0, opening.x1) if doorway.along_x else (opening.y0, opening.y1)
            assert low + clear <= start
            assert end <= high - clear


@given(seed=st.integers(0, 10**6), rooms=st.sampled_from(ROOM_COUNTS))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_all_rooms_of_a_layout_are_connected(seed: int, rooms: int) -> None:
    layout = make_layout(np.random.default_rng(seed), rooms)
    connected = {0}
    for _ in layout.rooms:
        connected |= {room for door in layout.doorways if connected & set(door.rooms) for room in door.rooms}
    assert connected == set(range(rooms))


def test_bathrooms_are_rarely_passageways() -> None:
    doors = [
        sum(index in doorway.rooms for doorway in layout.doorways)
        for seed in range(1000, 1100)
        for layout in [make_layout(np.random.default_rng(seed), 4 + seed % 7)]
        for index, room in enumerate(layout.rooms)
        if room.kind == "bathroom"
    ]
    assert len(doors) > 40
    assert np.mean(np.array(doors) > 1) < 0.1


@pytest.mark.parametrize("rooms", [2, 11])
def test_a_number_of_rooms_out_of_range_is_refused(rooms: int) -> None:
    with pytest.raises(ValueError, match="3 to 10"):
        make_layout(np.random.default_rng(0), rooms)


def test_flats_differ_in_size() -> None:
    counts = [len(flat_of(seed).layout.rooms) for seed in range(1000, 1010)]
    assert len(set(counts)) >= 4
    assert np.mean(np.array(counts) <= 7) >= 0.7


@given(flat=flats)
@few
def test_every_room_and_container_is_reachable_in_every_state_of_the_doors(flat: Flat) -> None:
    doors = SceneState().opened(*(door.name for door in flat.doors))
    for state in (doors, doors.opened(*flat.openable_names)):
        clearance, reachable = reachable_from_a_door(flat, state)
        for doorway in flat.layout.doorways:
            assert reachable[clearance.cell(*doorway.opening.centre)]
        for piece in flat.containers:
            assert reachable[clearance.cell(*piece.ahead(DOCK_DISTANCE))], piece.name


@given(flat=flats)
@few
def test_furniture_stands_in_its_room_without_overlap(flat: Flat) -> None:
    solid = [piece for piece in flat.furniture if piece.kind.solid]
    for piece in solid:
        assert flat.layout.rooms[piece.room].floor.covers(piece.footprint.bounds)
    for a, b in combinations(solid, 2):
        assert not a.footprint.grown(-1e-6).overlaps(b.footprint), (a.name, b.name)


@given(flat=flats)
@few
def test_objects_stand_on_or_in_their_furniture_without_touching(flat: Flat) -> None:
    for item in flat.items:
        support = flat.furniture_by_name[item.support]
        shelves = support.shape.inside if item.inside else support.shape.on
        levels = [shelf for shelf in shelves if abs(shelf.height - item.z) < 1e-6]
        assert levels, item.name
        area = support.placement.rect(levels[0].area).grown(1e-3)
        assert all(area.contains(x, y) for x, y, _ in item.mesh_at(item.spot).vertices), item.name
        assert item.box.size[2] <= levels[0].clearance + 1e-6
    for a, b in combinations(flat.items, 2):
        assert a.box.gap(b.box) > 0.0, (a.name, b.name)


@given(seed=st.integers(1000, 10**6), rooms=st.sampled_from([3, 4, 8, 10]))
@few
def test_flats_have_many_objects_and_some_of_them_are_hidden(seed: int, rooms: int) -> None:
    flat = make_flat(seed, rooms)
    assert len(flat.layout.rooms) == rooms
    assert 35 <= len(flat.items) <= 70
    hidden = [item for item in flat.items if item.inside and flat.furniture_by_name[item.support].opens]
    assert len(hidden) >= 0.45 * len(flat.items)


def test_most_flats_have_a_hidden_object_with_another_of_its_category_in_view() -> None:
    likes = []
    for flat in map(flat_of, range(1000, 1010)):
        hidden = {item.category for item in flat.items if is_hidden(flat, item, flat.initial)}
        likes.append(
            len(
                hidden
                & {
                    item.category
                    for item in (item for item in flat.items if is_in_view(flat, item, flat.initial))
                }
            )
        )
    assert np.mean(likes) >= 3
    assert np.mean(np.array(likes) >= 1) >= 0.9


@given(flat=flats)
@few
def test_objects_of_one_category_differ_in_colour_or_size(flat: Flat) -> None:
    several = 0
    for category, kind in ITEMS.items():
        looks = [(item.colour, item.scale) for item in flat.items if item.category == category]
        if len(kind.variants) >= len(looks) > 1:
            several += 1
            assert len(set(looks)) == len(looks), category
    assert several >= 3


@given(flat=flats)
@few
def test_every_shelf_has_free_space(flat: Flat) -> None:
    for piece in flat.furniture:
        for inside, shelves in ((False, piece.shape.on), (True, piece.shape.inside)):
            for shelf in shelves:
                here = [
                    item
                    for item in flat.items
                    if (item.support, item.inside, item.z) == (piece.name, inside, shelf.height)
                ]
                assert len(here) <= 3, piece.name


def test_a_fifth_of_the_objects_is_at_an_unusual_place() -> None:
    usual = []
    for flat in map(flat_of, range(1000, 1010)):
        for item in flat.items:
            kind, piece = ITEMS[item.category], flat.furniture_by_name[item.support]
            in_room = not kind.rooms or flat.layout.rooms[piece.room].kind in kind.rooms
            usual.append(piece.category in kind.belongs and in_room)
    assert 0.15 < 1 - np.mean(usual) < 0.25
