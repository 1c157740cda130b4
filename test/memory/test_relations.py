"""in, on, near and in room, from boxes."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.memory.boxes import Box
from stma_ros.memory.colours import colour_word
from stma_ros.memory.relations import relations
from stma_ros.memory.scene_graph import RememberedObject
from stma_ros.types.standard import ColorRGBA, Time


def thing(name: str, low: tuple[float, float, float], high: tuple[float, float, float]) -> RememberedObject:
    category = name.rpartition("_")[0]
    box = Box(np.array(low, float), np.array(high, float))
    return RememberedObject(name, category, box, 0.9, ColorRGBA(), None, 1, Time(1, 0), Time(2, 0))


TABLE = thing("table_1", (0, 0, 0), (1.6, 0.9, 0.75))
CUPBOARD = thing("cupboard_1", (3, 0, 1.2), (3.8, 0.4, 1.9))
SHELF = thing("bookshelf_1", (5, 0, 0), (6, 0.3, 1.8))


def facts_of(*items: RememberedObject) -> set[tuple[str, str, str]]:
    found = relations(items, lambda category: category == "cupboard", lambda x, y: "room_1" if x < 2 else "")
    return {(fact.subject, fact.predicate, fact.object) for fact in found}


def test_a_mug_stands_on_the_table_and_in_the_tables_room() -> None:
    facts = facts_of(TABLE, thing("mug_1", (0.5, 0.4, 0.76), (0.6, 0.5, 0.86)))
    assert {
        ("mug_1", "on", "table_1"),
        ("mug_1", "in room", "room_1"),
        ("table_1", "in room", "room_1"),
    } <= facts


def test_what_lies_within_a_container_is_in_it_and_on_a_shelf_board_it_is_on_it() -> None:
    facts = facts_of(
        CUPBOARD,
        SHELF,
        thing("bowl_1", (3.2, 0.1, 1.5), (3.4, 0.3, 1.6)),
        thing("book_1", (5.2, 0.05, 1.0), (5.3, 0.2, 1.25)),
    )
    assert ("bowl_1", "in", "cupboard_1") in facts
    assert ("book_1", "on", "bookshelf_1") in facts


def test_a_mug_on_a_plate_on_the_table_is_on_the_plate() -> None:
    facts = facts_of(
        TABLE,
        thing("plate_1", (0.4, 0.3, 0.75), (0.65, 0.55, 0.78)),
        thing("mug_1", (0.5, 0.4, 0.78), (0.58, 0.48, 0.88)),
    )
    assert ("mug_1", "on", "plate_1") in facts
    assert ("mug_1", "on", "table_1") not in facts


def test_a_thing_under_the_table_is_not_on_it() -> None:
    facts = facts_of(TABLE, thing("shoe_1", (0.5, 0.4, 0.0), (0.8, 0.5, 0.1)))
    assert not any(fact[:2] == ("shoe_1", "in") for fact in facts)


def test_far_things_have_nothing_to_do_with_one_another() -> None:
    facts = facts_of(TABLE, CUPBOARD)
    assert not any(fact[1] in ("near", "on", "in") for fact in facts)


@pytest.mark.parametrize(
    ("rgb", "word"),
    [
        ((0.9, 0.1, 0.1), "red"),
        ((0.1, 0.2, 0.8), "blue"),
        ((0.2, 0.7, 0.25), "green"),
        ((0.95, 0.85, 0.1), "yellow"),
        ((0.45, 0.28, 0.12), "brown"),
        ((0.95, 0.95, 0.94), "white"),
        ((0.05, 0.05, 0.05), "black"),
        ((0.5, 0.5, 0.5), "grey"),
    ],
)
def test_colours_are_called_by_their_everyday_word(rgb: tuple[float, float, float], word: str) -> None:
    assert colour_word(ColorRGBA(*rgb, 1.0)) == word
    assert colour_word(ColorRGBA(*(0.8 * channel for channel in rgb), 1.0)) in (word, "grey", "brown")


def test_an_unmeasured_colour_has_no_word() -> None:
    assert colour_word(ColorRGBA()) == ""
