"""Flats are reproducible, and a robot can act in every one of them."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import lru_cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stma_ros.worlds.house.building.layout import ROOM_COUNTS, make_layout
from stma_ros.worlds.house.flat import Flat, Furniture
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.furnishing.room_plan import COMFORT_RADIUS
from stma_ros.worlds.house.kinds.item_kinds import ITEMS
from stma_ros.worlds.robot.clearance import Clearance
from stma_ros.worlds.robot.geometry import ConvexPolygon, Placement
from stma_ros.worlds.robot.places import DOCK_DISTANCE
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


def test_small_things_can_be_drawn_anew_for_the_same_furniture() -> None:
    first, again, other = make_flat(1017), make_flat(1017, items_seed=3), make_flat(1017, items_seed=4)
    assert again == make_flat(1017, items_seed=3)
    assert first.layout == again.layout == other.layout
    assert [piece.footprint for piece in first.furniture] == [piece.footprint for piece in again.furniture]
    assert (
        len({tuple((item.category, item.spot) for item in flat.items) for flat in (first, again, other)}) == 3
    )


@given(seed=st.integers(0, 10**6), rooms=st.sampled_from(ROOM_COUNTS))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_rooms_fill_the_outline_without_overlap(seed: int, rooms: int) -> None:
    layout = make_layout(np.random.default_rng(seed), rooms)
    assert len(layout.rooms) == rooms
    assert layout.bounds.width <= 21
    assert layout.bounds.depth <= 13
    assert {"kitchen", "living room", "bedroom"} <= {room.kind for room in layout.rooms}
    floors = [room.floor for room in layout.rooms]
    for a, b in combinations(floors, 2):
        inner = a.grown(-1e-6)
        assert not any(b.contains(*corner) for corner in (*inner.corners, inner.centre))
    for x, y in np.random.default_rng(seed).uniform(
        (0.1, 0.1), (layout.bounds.x1, layout.bounds.y1), (200, 2)
    ):
        inside = layout.bounds.contains(x, y) and layout.bounds.grown(-0.1).contains(x, y)
        solid = [area.contains(x, y) for area in (*layout.walls, *(d.opening for d in layout.doorways))]
        assert not inside or sum(floor.contains(x, y) for floor in floors) + any(solid) >= 1
        assert not (any(solid) and any(floor.grown(-1e-6).contains(x, y) for floor in floors))
    for doorway in layout.doorways:
        opening = doorway.opening
        assert 0.9 <= 2 * opening.half_x + 1e-9 <= 1.0 + 2e-9
        assert not any(wall.overlaps(opening.grown(-1e-6)) for wall in layout.walls)
        clear = 0.15  # an open door stands free of the corner
        for floor in (floors[index] for index in doorway.rooms):
            (side, length) = next(
                (side, length)
                for side, length in floor.sides
                if abs(side.local(*opening.centre)[1] + opening.half_y) < 1e-6
            )
            along = side.local(*opening.centre)[0]
            assert opening.half_x + clear <= along <= length - opening.half_x - clear


def test_one_flat_in_five_has_an_inner_wall_that_is_not_at_right_angles() -> None:
    turned = []
    for seed in range(1000, 1200):
        layout = make_layout(np.random.default_rng(seed), 3 + seed % 8)
        off = [abs(math.degrees(math.remainder(wall.yaw, math.pi / 2))) for wall in layout.walls]
        angles = {round(angle, 6) for angle in off if angle > 1e-6}
        assert len(angles) <= 1
        turned += angles
        trapezoids = [floor for floor in (room.floor for room in layout.rooms) if not is_rectangle(floor)]
        assert (len(trapezoids) >= 2) == bool(angles)
    assert 25 <= len(turned) <= 55
    assert all(5.0 <= angle <= 15.0 for angle in turned)
    assert max(turned) - min(turned) > 5.0


def is_rectangle(floor: ConvexPolygon) -> bool:
    return floor.area == pytest.approx(floor.bounds.area)


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


@pytest.mark.parametrize("seed", [1004900001, *range(1000, 1012)])
def test_furnished_rooms_leave_the_way_to_every_doorway_free(seed: int) -> None:
    flat = make_flat(seed)
    pieces = [obstacle for piece in flat.furniture for obstacle in piece.obstacles(open_=True)]
    clearance = Clearance(flat.layout.bounds, [*flat.layout.walls, *pieces], COMFORT_RADIUS)
    reachable = clearance.reachable(clearance.cell(*flat.layout.doorways[0].opening.centre))
    for doorway in flat.layout.doorways:
        assert reachable[clearance.cell(*doorway.opening.centre)]


@pytest.mark.parametrize("seed", [1006, 1014, 1042, *range(1060, 1070)])
def test_every_bedroom_has_a_bed(seed: int) -> None:
    flat = flat_of(seed)
    bedrooms = {index for index, room in enumerate(flat.layout.rooms) if room.kind == "bedroom"}
    assert bedrooms <= {piece.room for piece in flat.furniture if piece.category == "bed"}


@given(flat=flats)
@few
def test_furniture_stands_in_its_room_without_overlap(flat: Flat) -> None:
    solid = [piece for piece in flat.furniture if piece.kind.solid]
    for piece in solid:
        assert flat.layout.rooms[piece.room].floor.covers(piece.footprint)
    for a, b in combinations(solid, 2):
        assert not a.footprint.grown(-1e-6).overlaps(b.footprint), (a.name, b.name)


def test_free_standing_furniture_has_any_angle_and_what_is_built_in_follows_its_wall() -> None:
    def off_wall(flat: Flat, piece: Furniture) -> float:
        walls = [side.yaw for side, _ in flat.layout.rooms[piece.room].floor.sides]
        return min(abs(math.degrees(math.remainder(piece.placement.yaw - yaw, math.pi / 2))) for yaw in walls)

    angles: dict[str, list[float]] = defaultdict(list)
    for flat in map(flat_of, range(1000, 1030)):
        for piece in flat.furniture:
            angles[piece.category].append(off_wall(flat, piece))
    free = [angle for kind in ("rug", "plant", "fan", "floor lamp") for angle in angles[kind]]
    assert len(free) > 50
    counts, _ = np.histogram(free, bins=3, range=(0.0, 45.0))
    assert counts.min() > 0.1 * len(free)  # turned ones fit in fewer places
    tables = [angle for kind in ("table", "dining table") for angle in angles[kind]]
    assert sum(angle > 2.0 for angle in tables) > 0.4 * len(tables)
    at_walls = [angle for kind in ("wardrobe", "bookshelf", "sofa") for angle in angles[kind]]
    assert 1.0 < max(at_walls) <= 2.0
    assert max(angles["sink"] + angles["bathtub"] + angles["toilet"]) < 1e-6


def test_chairs_follow_the_angle_of_their_table() -> None:
    seated = 0
    for flat in map(flat_of, range(1000, 1010)):
        tables = [piece for piece in flat.furniture if piece.category in ("table", "dining table")]
        for table in tables:
            for chair in (piece for piece in flat.furniture if piece.category == "chair"):
                x, _ = table.placement.local(chair.placement.x, chair.placement.y)
                if chair.room == table.room and abs(x) < table.size[0] / 2 + 0.5:
                    turn = math.remainder(chair.placement.yaw - table.placement.yaw, math.pi)
                    assert turn == pytest.approx(0.0, abs=1e-6)
                    seated += 1
    assert seated > 10


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
