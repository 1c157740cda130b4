"""Flats: the same seed gives the same flat, and a robot can live in every one of them."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stma_ros.worlds.house.drawing import draw_flat
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.furnishing import DOCK_DISTANCE
from stma_ros.worlds.house.geometry import Placement, Rect
from stma_ros.worlds.house.item_kinds import ITEMS
from stma_ros.worlds.house.labels import LabelPlacer, beside, inside
from stma_ros.worlds.house.layout import make_layout
from stma_ros.worlds.house.motion import Ground
from stma_ros.worlds.house.stocking import make_flat

flats = st.integers(1000, 10**6).map(make_flat)
few = settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def reachable_from_a_door(flat: Flat, opened: frozenset[str]) -> tuple[object, np.ndarray]:
    x, y = flat.layout.doorways[0].opening.centre
    return Ground(flat.layout.bounds, flat.obstacles(opened)).reachable_from(Placement(x, y, 0.0))


def test_same_seed_same_flat() -> None:
    assert make_flat(1017) == make_flat(1017)
    assert make_flat(1017) != make_flat(1018)


@given(seed=st.integers(0, 10**6), rooms=st.integers(3, 6))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_rooms_fill_the_outline_without_overlap(seed: int, rooms: int) -> None:
    layout = make_layout(np.random.default_rng(seed), rooms)
    assert len(layout.rooms) == rooms
    assert layout.bounds.width <= 14
    assert layout.bounds.depth <= 12
    solids = [room.floor for room in layout.rooms] + [doorway.opening for doorway in layout.doorways]
    for a, b in combinations(solids, 2):
        assert not a.grown(-1e-6).overlaps(b)
    for wall in layout.walls:
        assert not any(wall.grown(-1e-6).overlaps(solid) for solid in solids)
    for doorway in layout.doorways:
        assert 0.9 <= max(doorway.opening.width, doorway.opening.depth) + 1e-9 <= 1.0 + 2e-9


@pytest.mark.parametrize("rooms", [2, 7])
def test_number_of_rooms_out_of_range(rooms: int) -> None:
    with pytest.raises(ValueError, match="3 to 6"):
        make_layout(np.random.default_rng(0), rooms)


@given(flat=flats)
@few
def test_every_room_and_container_is_within_reach_whatever_is_open(flat: Flat) -> None:
    everything = frozenset(piece.name for piece in flat.containers)
    for opened in (frozenset[str](), everything):
        clearance, reachable = reachable_from_a_door(flat, opened)
        for doorway in flat.layout.doorways:
            assert reachable[clearance.cell(*doorway.opening.centre)]
        for piece in flat.containers:
            assert reachable[clearance.cell(*piece.ahead(DOCK_DISTANCE))], piece.name


@given(flat=flats)
@few
def test_furniture_stands_in_its_room_and_apart(flat: Flat) -> None:
    solid = [piece for piece in flat.furniture if piece.kind.solid]
    for piece in solid:
        assert flat.layout.rooms[piece.room].floor.covers(piece.footprint)
    for a, b in combinations(solid, 2):
        assert not a.footprint.grown(-1e-6).overlaps(b.footprint), (a.name, b.name)


@given(flat=flats)
@few
def test_things_stand_on_or_in_their_furniture_without_touching(flat: Flat) -> None:
    for item in flat.items:
        support = flat.furniture_by_name[item.support]
        shelves = support.shape.inside if item.inside else support.shape.on
        levels = [shelf for shelf in shelves if abs(shelf.height - item.z) < 1e-6]
        assert levels, item.name
        (x, y, _), (width, depth, height) = item.box
        area = support.placement.rect(levels[0].area).grown(1e-3)
        for side in (-0.5, 0.5):
            assert area.contains(x + side * width, y + side * depth), item.name
        assert height <= levels[0].clearance + 1e-6
    for a, b in combinations(flat.items, 2):
        (ca, sa), (cb, sb) = a.box, b.box
        assert any(abs(ca[k] - cb[k]) >= (sa[k] + sb[k]) / 2 - 1e-6 for k in range(3)), (a.name, b.name)


def test_things_are_small_and_plentiful() -> None:
    assert len(ITEMS) >= 25
    for kind in ITEMS.values():
        low, high = kind.build(kind.colours[0]).bounds()
        assert low[2] == pytest.approx(0.0, abs=0.03)
        assert 0.05 <= max(high - low) <= 0.4, kind.name


def test_most_things_are_where_they_belong() -> None:
    kept = [
        flat.furniture_by_name[item.support].category in ITEMS[item.category].belongs
        for flat in map(make_flat, range(1000, 1008))
        for item in flat.items
    ]
    assert 0.75 < np.mean(kept) < 0.98


def test_the_drawing_is_an_svg_with_everything_in_it() -> None:
    flat = make_flat(1004)
    opened = frozenset({flat.containers[0].name})
    root = ElementTree.fromstring(
        draw_flat(flat, Placement(1.0, 1.0, 0.0), opened, path=[(0.0, 0.0), (1.0, 1.0)])
    )
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    solid = [piece for piece in flat.furniture if piece.kind.solid]
    named = [room.kind for room in flat.layout.rooms] + [thing.category for thing in (*solid, *flat.items)]
    assert sorted(str(text) for text in texts) == sorted(named)
    leaves = [element for element in root.iter() if element.tag.endswith("polygon")]
    assert len(leaves) == len(flat.containers[0].shape.leaves)


def written(label: ElementTree.Element) -> Rect:
    """About where it is [px]."""
    size, length = float(label.attrib["font-size"]), len(str(label.text))
    half = (0.3 * size * length, 0.35 * size)
    half_x, half_y = half[::-1] if "transform" in label.attrib else half
    x, y = float(label.attrib["x"]), float(label.attrib["y"]) - 0.35 * size
    return Rect(x - half_x, y - half_y, x + half_x, y + half_y)


@given(flat=flats)
@few
def test_labels_are_on_the_page_and_room_names_on_nothing_else(flat: Flat) -> None:
    root = ElementTree.fromstring(draw_flat(flat))
    page = Rect(0, 0, float(root.attrib["width"]), float(root.attrib["height"]))
    assert root.attrib["viewBox"] == f"0 0 {page.x1} {page.y1}"
    labels = [(element, written(element)) for element in root.iter() if element.tag.endswith("text")]
    assert all(page.covers(box) for _, box in labels)
    rooms = {id(element) for element, _ in labels if element.attrib.get("font-weight") == "bold"}
    assert len(rooms) == len(flat.layout.rooms)
    for room, name in labels:
        others = [box for element, box in labels if element is not room]
        assert id(room) not in rooms or not any(name.overlaps(box) for box in others)


def test_a_label_goes_where_it_covers_least() -> None:
    placer = LabelPlacer(Rect(0.0, 0.0, 2.0, 2.0))
    corner = Rect(1.8, 1.8, 1.9, 1.9)
    # Right of it and above it there is no page.
    assert placer.place(beside("mug", corner, 0.1)).x < 1.8
    second = placer.place(beside("mug", corner, 0.1))
    assert second.y < 1.8
    assert not second.box.overlaps(corner)
    assert inside("wardrobe", Rect(0.0, 0.0, 0.2, 1.0), 0.1)[0].upright
    assert not inside("wardrobe", Rect(0.0, 0.0, 0.3, 0.3), 0.1)
