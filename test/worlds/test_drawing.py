"""The drawing of a flat from above is complete, and its labels are readable."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stma_ros.worlds.house.drawing import draw_flat
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.labels import LabelPlacer, around, inside
from stma_ros.worlds.robot.geometry import Placement, Rect

flats = st.sampled_from(range(1000, 1010)).map(make_flat)
few = settings(max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def test_the_drawing_of_a_flat_is_an_svg_with_all_its_contents() -> None:
    flat = make_flat(1004)
    swinging = next(piece for piece in flat.containers if piece.leaves)
    opened = frozenset({swinging.name, flat.doors[0].name})
    root = ElementTree.fromstring(
        draw_flat(flat, Placement(1.0, 1.0, 0.0), opened, path=[(0.0, 0.0), (1.0, 1.0)])
    )
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    solid = [piece for piece in flat.furniture if piece.kind.solid]
    named = [room.kind for room in flat.layout.rooms] + [thing.category for thing in (*solid, *flat.items)]
    assert sorted(str(text) for text in texts) == sorted(named)
    drawn = [element for element in root.iter() if element.tag.endswith("polygon")]
    building = (*flat.layout.rooms, *flat.layout.doorways, *flat.layout.walls)
    assert len(drawn) == len(building) + len(flat.furniture) + len(flat.doors) + len(swinging.leaves)


def written(label: ElementTree.Element) -> Rect:
    """Returns the extent of a label [px], approximately."""
    size, length = float(label.attrib["font-size"]), len(str(label.text))
    half = (0.3 * size * length, 0.35 * size)
    half_x, half_y = half[::-1] if "transform" in label.attrib else half
    x, y = float(label.attrib["x"]), float(label.attrib["y"]) - 0.35 * size
    return Rect(x - half_x, y - half_y, x + half_x, y + half_y)


@given(flat=flats)
@few
def test_labels_are_within_the_page_and_room_names_cover_nothing(flat: Flat) -> None:
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


def test_a_label_is_placed_where_it_covers_least() -> None:
    placer = LabelPlacer(Rect(0.0, 0.0, 2.0, 2.0))
    corner = Rect(1.8, 1.8, 1.9, 1.9)
    # Right of it and above it there is no page.
    assert placer.place(around("mug", corner, 0.1)).x < 1.8
    second = placer.place(around("mug", corner, 0.1))
    assert second.y < 1.8
    assert not second.box.overlaps(corner)
    assert inside("wardrobe", Rect(0.0, 0.0, 0.2, 1.0), 0.1)[0].upright
    assert not inside("wardrobe", Rect(0.0, 0.0, 0.3, 0.3), 0.1)
