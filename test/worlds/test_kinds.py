"""Categories of objects: numerous, with everyday names, and with visible affordances."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.room_kinds import likeliest_kind, room_shares
from stma_ros.worlds.house.building.room_templates import ROOM_TEMPLATES
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE, FurnitureKind
from stma_ros.worlds.house.kinds.item_kind import ItemKind
from stma_ros.worlds.house.kinds.item_kinds import ITEMS
from stma_ros.worlds.house.kinds.shapes import Shape
from stma_ros.worlds.house.meshes import Mesh, merge

furniture = pytest.mark.parametrize("kind", FURNITURE.values(), ids=lambda kind: kind.name)
items = pytest.mark.parametrize("kind", ITEMS.values(), ids=lambda kind: kind.name)


def shapes(kind: FurnitureKind) -> list[Shape]:
    return [kind.shape(size, colours) for size in (kind.least, kind.greatest) for colours in kind.colours]


def has(mesh: Mesh) -> bool:
    return len(mesh.triangles) > 0


def test_the_house_has_many_categories_of_furniture_and_objects() -> None:
    assert len(FURNITURE) >= 25
    assert len(ITEMS) >= 60
    assert sum(has(shapes(kind)[0].lit) for kind in FURNITURE.values()) >= 8
    assert sum(len(kind.variants) > 1 for kind in ITEMS.values()) >= 40
    assert {room for kind in ITEMS.values() for room in kind.rooms} <= set(ROOM_TEMPLATES)


@furniture
def test_household_knowledge_covers_the_furniture_and_its_affordances(kind: FurnitureKind) -> None:
    knowledge = household_categories()
    shape = shapes(kind)[0]
    assert knowledge.canonical(kind.name) == kind.name
    assert knowledge.is_furniture(kind.name)
    assert knowledge.is_container(kind.name) == has(shape.shut) == has(shape.open)
    assert knowledge.is_receptacle(kind.name) == bool(shape.inside)
    assert knowledge.is_surface(kind.name) == bool(shape.on)
    assert knowledge.is_device(kind.name) == has(shape.lit) == has(shape.unlit)
    assert knowledge.is_tap(kind.name) == kind.tap
    assert not knowledge.is_portable(kind.name)
    assert not knowledge.is_vessel(kind.name)


@items
def test_household_knowledge_covers_the_objects(kind: ItemKind) -> None:
    knowledge = household_categories()
    assert knowledge.canonical(kind.name) == kind.name
    assert knowledge.is_portable(kind.name)
    assert knowledge.is_vessel(kind.name) == (kind.full is not None)
    assert knowledge.is_device(kind.name) == (kind.lit is not None)
    assert not knowledge.is_receptacle(kind.name) or kind.inside
    assert not knowledge.is_surface(kind.name) or kind.on is not None
    assert set(kind.belongs) <= set(FURNITURE)


def test_household_knowledge_names_most_rooms_of_the_house() -> None:
    knowledge = household_categories()
    named = 0
    for room, template in ROOM_TEMPLATES.items():
        assert knowledge.canonical(room) == room
        usual = {kind for group in template.groups if group.chance >= 0.7 for kind in group.run}
        shares = room_shares(knowledge, usual, ways=3 if room == "hallway" else 1)
        named += likeliest_kind(shares)[0] == room
    assert named >= 8


@items
def test_object_shapes_are_small_and_stand_on_the_ground(kind: ItemKind) -> None:
    for colour, scale in kind.variants:
        low, high = kind.build(colour).scaled(scale).bounds()
        assert low[2] == pytest.approx(0.0, abs=0.03)
        assert 0.05 <= max(high - low) <= 0.42
    sizes = sorted(kind.scales)
    assert all(large / small >= 1.25 for small, large in pairwise(sizes))


@furniture
def test_furniture_shapes_have_their_declared_size(kind: FurnitureKind) -> None:
    for size in (kind.least, kind.greatest):
        shape = kind.shape(size, kind.colours[0])
        low, high = merge([shape.body, shape.shut, shape.unlit]).bounds()
        assert low[2] == pytest.approx(0.0, abs=0.02) or kind.name == "tv"
        assert np.abs(low[:2] + np.array(size[:2]) / 2).max() < 0.08
        assert np.abs(high[:2] - np.array(size[:2]) / 2).max() < 0.08
        for shelf in (*shape.on, *shape.inside):
            assert abs(shelf.area.x0) <= size[0] / 2 >= abs(shelf.area.x1)
            assert abs(shelf.area.y0) <= size[1] / 2 >= abs(shelf.area.y1)
