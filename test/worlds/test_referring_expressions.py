"""Referring expressions: each fits one object, unless any will do."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.evaluation.household_tasks.main_colour import COLOUR_WORDS
from stma_ros.evaluation.household_tasks.referring_expressions import ReferringExpressions
from stma_ros.evaluation.household_tasks.subtasks import Place, Things
from stma_ros.worlds.house.building.layout import Layout, Room
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.kinds import palette
from stma_ros.worlds.house.meshes import Colour
from stma_ros.worlds.robot.geometry import Placement, Rect

KITCHEN, BEDROOM = Room("kitchen", Rect(0, 0, 4, 4)), Room("bedroom", Rect(4, 0, 8, 4))


def piece(name: str, category: str, room: int = 0) -> Furniture:
    return Furniture(name, category, room, Placement(1, 1, 0), (0.5, 0.5, 0.5), (palette.RED, palette.RED))


def item(name: str, category: str, colour: Colour, scale: float = 1.0, on: str = "table_1") -> Item:
    return Item(name, category, on, False, 1, 1, 0.5, 0, scale, colour)


TABLE, DESK = piece("table_1", "table"), piece("desk_1", "desk", 1)


def naming(*things: Furniture | Item, rooms: tuple[Room, ...] = (KITCHEN, BEDROOM)) -> ReferringExpressions:
    furniture = tuple(thing for thing in things if isinstance(thing, Furniture))
    items = tuple(thing for thing in things if isinstance(thing, Item))
    layout = Layout(Rect(0, 0, 8, 4), rooms, (), ())
    return ReferringExpressions(Flat(0, layout, (TABLE, DESK, *furniture), items))


MUG = item("mug_1", "mug", palette.RED)


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ([], {}),
        ([item("cup_1", "cup", palette.RED)], {}),
        ([item("mug_2", "mug", palette.BLUE)], {"colour": "red"}),
        ([item("mug_2", "mug", palette.RED, 1.3)], {"size": "small"}),
        ([item("mug_2", "mug", palette.RED, 0.8)], {"size": "large"}),
        (
            [item("mug_2", "mug", palette.BLUE), item("mug_3", "mug", palette.RED, 0.8)],
            {"size": "large", "colour": "red"},
        ),
        ([item("mug_2", "mug", palette.RED, on="desk_1")], {"place": Place("table", "on")}),
        ([item("mug_2", "mug", palette.WHITE), item("mug_3", "mug", palette.BLUE)], {"colour": "red"}),
        # In poor light one is taken for the other.
        ([item("mug_2", "mug", palette.ORANGE, on="desk_1")], {"place": Place("table", "on")}),
        # A colour without a name may be called red.
        ([item("mug_2", "mug", (181, 90, 77), on="desk_1")], {"place": Place("table", "on")}),
        ([item("mug_2", "mug", palette.RED)], None),
    ],
)
def test_a_referring_expression_is_the_shortest_unambiguous_one(
    others: list[Item], said: dict[str, object] | None
) -> None:
    things = naming(MUG, *others).the(MUG)
    assert things == (None if said is None else Things("mug", ("mug_1",), **said))  # type: ignore[arg-type]


def test_a_weak_colour_is_not_used_to_refer_to_an_object() -> None:
    brush = item("toothbrush_1", "toothbrush", palette.RED)
    other = item("toothbrush_2", "toothbrush", palette.BLUE, on="desk_1")
    assert naming(brush, other).the(brush) == Things(
        "toothbrush", ("toothbrush_1",), place=Place("table", "on")
    )


def test_furniture_is_distinguished_by_its_room() -> None:
    here, there = piece("sink_1", "sink"), piece("sink_2", "sink", 1)
    assert naming(here).the(here) == Things("sink", ("sink_1",))
    assert naming(here, there).the(here) == Things("sink", ("sink_1",), place=Place("kitchen", "in"))
    assert naming(here, replace(there, room=0)).the(here) is None
    two_kitchens = (KITCHEN, replace(BEDROOM, kind="kitchen"))
    assert naming(here, there, rooms=two_kitchens).the(here) is None


def test_a_subcategory_is_included_in_references_to_its_category() -> None:
    coffee_table = piece("coffee_table_1", "coffee table", 1)
    assert naming(coffee_table).the(coffee_table) == Things("coffee table", ("coffee_table_1",))
    assert naming(coffee_table).the(TABLE) == Things("table", ("table_1",), place=Place("kitchen", "in"))
    assert naming(coffee_table).some("table") is None  # a listener may take the coffee table
    assert naming(item("b", "book", palette.RED), item("a", "book", palette.RED)).some("book") == Things(
        "book", ("a", "b")
    )


def test_a_room_is_named_by_its_category_only_when_that_is_unique() -> None:
    assert naming().room(0, "room_1") == Things("kitchen", ("room_1",))
    assert naming(rooms=(KITCHEN, replace(BEDROOM, kind="kitchen"))).room(0, "room_1") is None


@pytest.mark.parametrize("seed", [1000, 1001, 1002])
def test_every_referring_expression_of_a_flat_identifies_its_object(seed: int) -> None:
    flat = make_flat(seed)
    called = ReferringExpressions(flat)
    for thing in flat.items:
        things = called.the(thing)
        if things is None:
            continue
        fitting = [
            other.name
            for other in flat.items
            if other.category == things.category
            and (not things.colour or COLOUR_WORDS.get(other.colour, things.colour) == things.colour)
            and (
                things.place is None
                or flat.furniture_by_name[other.support].category == things.place.category
            )
        ]
        if things.size:
            by_size = sorted(fitting, key=lambda name: flat.items_by_name[name].scale)
            fitting = by_size[-1:] if things.size == "large" else by_size[:1]
        assert fitting == [thing.name] == list(things.names)


@pytest.mark.parametrize(
    ("category", "colour"),
    [
        *((category, "") for category in ("phone", "picture frame", "sponge", "toothbrush")),
        *((category, "white") for category in ("mug", "towel", "book", "hair dryer")),
    ],
)
def test_a_colour_that_is_hardly_visible_is_not_used_to_refer_to_an_object(
    category: str, colour: str
) -> None:
    """A phone shows its dark screen, and a picture hides most of its frame."""
    white, red = item("one", category, palette.WHITE), item("two", category, palette.RED, on="desk_1")
    said = naming(white, red).the(white)
    assert said is not None
    assert said.colour == colour
