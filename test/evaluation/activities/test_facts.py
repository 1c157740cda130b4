"""Tests of what is true of the things of an activity."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.evaluation.activities.facts import ActivityFacts
from stma_ros.types.standard import Time
from stma_ros.worlds.bddl.expressions import Atom
from stma_ros.worlds.house.flat import Flat, Item
from stma_ros.worlds.house.kinds.item_kinds import ALL_ITEMS
from stma_ros.worlds.house.truth import truth_of
from stma_ros.worlds.robot.state import FLOOR, HAND, SceneState, Spot
from support.worlds.two_rooms import FLAT, KITCHEN

TRAY = Item("tray_1", "serving tray", "table_1", False, 0.5, 2.1, 0.74, 0.0, 1.0, (1, 2, 3))
CUP = Item("cup_1", "china cup", "tray_1", False, 0.5, 2.1, 0.77, 0.0, 1.0, (1, 2, 3))
COIN = Item("coin_1", "silver coin", "cup_1", True, 0.5, 2.1, 0.79, 0.0, 1.0, (1, 2, 3))
ITEMS = (TRAY, CUP, COIN)
HOME = replace(FLAT, items=(*FLAT.items, *ITEMS))
NAMES = {
    **{name: name for name in (*HOME.items_by_name, *HOME.fixed_by_name)},
    "kitchen floor": "room_1",
    "other floor": "room_2",
}


def state(**spots: Spot) -> SceneState:
    """Returns the state with these things elsewhere, and what is on them."""
    result = replace(FLAT.initial, spots={**FLAT.initial.spots, **{item.name: item.spot for item in ITEMS}})
    for name, spot in spots.items():
        result = result.moved(name, spot)
    return result


def is_true(predicate: str, *terms: str, of: SceneState | None = None, flat: Flat = HOME) -> bool:
    truth = truth_of(flat, "", KITCHEN, of or state(), Time())
    return ActivityFacts(truth, flat, NAMES).holds(Atom(predicate, terms))


def test_kinds_of_this_test_exist() -> None:
    assert {item.category for item in ITEMS} <= set(ALL_ITEMS)


@pytest.mark.parametrize(
    ("predicate", "thing", "place", "holds"),
    [
        ("ontop", "cup_1", "tray_1", True),
        ("ontop", "cup_1", "table_1", True),  # by way of the tray
        ("inside", "coin_1", "cup_1", True),
        ("ontop", "coin_1", "tray_1", False),  # it is in the cup
        ("inside", "cup_1", "tray_1", True),  # nothing can be in a tray: the word means on it
        ("ontop", "apple_1", "fridge_1", True),  # nothing can be on the fridge
        ("inside", "apple_1", "fridge_1", True),
        ("inside", "apple_1", "chest_1", False),
        ("ontop", "tray_1", "cup_1", False),
        ("ontop", "tray_1", "kitchen floor", False),
    ],
)
def test_place_of_a_thing_is_told_by_what_carries_it(
    predicate: str, thing: str, place: str, holds: bool
) -> None:
    assert is_true(predicate, thing, place) is holds


def test_thing_in_a_cup_in_a_chest_is_in_the_chest() -> None:
    packed = state(cup_1=Spot("chest_1", True, 5.9, 0.4, 0.3, 0.0))
    assert is_true("inside", "coin_1", "chest_1", of=packed)


def test_thing_on_the_floor_is_on_that_of_its_room_and_touches_it() -> None:
    fallen = state(mug_1=Spot(FLOOR, False, 2.0, 1.5, 0.0, 0.0))
    assert is_true("ontop", "mug_1", "kitchen floor", of=fallen)
    assert is_true("touching", "mug_1", "kitchen floor", of=fallen)
    assert not is_true("ontop", "mug_1", "other floor", of=fallen)
    assert not is_true("nextto", "mug_1", "kitchen floor", of=fallen)
    assert not is_true("touching", "table_1", "kitchen floor")  # no one asks for it


@pytest.mark.parametrize(
    ("gap", "next_to", "touching"), [(0.03, True, True), (0.3, True, False), (0.7, False, False)]
)
def test_nearness_is_told_by_the_gap_between_things(gap: float, next_to: bool, touching: bool) -> None:
    box = HOME.items_by_name["mug_1"].extents(0.0)
    width = box[1][0] - box[0][0]
    moved = state(
        mug_1=Spot(FLOOR, False, 1.5, 1.0, 0.0, 0.0),
        mug_2=Spot(FLOOR, False, 1.5 + width + gap, 1.0, 0.0, 0.0),
    )
    assert is_true("nextto", "mug_1", "mug_2", of=moved) is next_to
    assert is_true("touching", "mug_1", "mug_2", of=moved) is touching


def test_thing_on_another_touches_it_and_is_not_next_to_it() -> None:
    assert is_true("touching", "cup_1", "tray_1")
    assert not is_true("nextto", "cup_1", "tray_1")


def test_things_on_both_sides_of_a_wall_are_not_next_to_each_other() -> None:
    apart = state(mug_1=Spot(FLOOR, False, 3.9, 1.0, 0.0, 0.0), mug_2=Spot(FLOOR, False, 4.22, 1.0, 0.0, 0.0))
    assert not is_true("nextto", "mug_1", "mug_2", of=apart)


def test_held_thing_is_nowhere_and_next_to_nothing() -> None:
    held = state(tray_1=HAND)
    assert not is_true("ontop", "tray_1", "table_1", of=held)
    assert not is_true("nextto", "cup_1", "mug_1", of=held)
    assert is_true("ontop", "cup_1", "tray_1", of=held)


def test_thing_on_the_floor_within_the_outline_of_a_table_is_under_it() -> None:
    table = HOME.furniture_by_name["table_1"].placement
    assert is_true(
        "under", "mug_1", "table_1", of=state(mug_1=Spot(FLOOR, False, table.x, table.y, 0.0, 0.0))
    )
    assert not is_true("under", "mug_1", "table_1")


def test_states_are_told() -> None:
    running = replace(state(), open_names=frozenset({"fridge_1"}), on_names=frozenset({"radio_1"}))
    assert is_true("open", "fridge_1", of=running)
    assert not is_true("open", "chest_1", of=running)
    assert not is_true("open", "mug_1", of=running)
    assert is_true("toggled_on", "radio_1", of=running)
    assert not is_true("toggled_on", "lamp_1", of=running)
