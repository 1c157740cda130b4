"""The option `states` of the world `house`: much is open, on and full at first."""

from __future__ import annotations

import pytest

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.house.config import VARIED_STATES, HouseConfig
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.place import flat_of
from stma_ros.worlds.registry import make_world
from stma_ros.worlds.robot.geometry import Placement

SEEDS = range(1000, 1010)


@pytest.fixture(scope="module")
def flats() -> list[Flat]:
    return [flat_of(f"flat_{seed}", HouseConfig(states=VARIED_STATES)) for seed in SEEDS]


def test_varied_states_open_every_door_and_leave_all_things_in_place(flats: list[Flat]) -> None:
    for flat, seed in zip(flats, SEEDS, strict=True):
        usual = flat_of(f"flat_{seed}", HouseConfig())
        assert {door.name for door in flat.doors} <= flat.initial.open_names
        assert (flat.furniture, flat.items, flat.doors) == (usual.furniture, usual.items, usual.doors)
        assert flat.initial.spots == usual.initial.spots


def test_varied_states_let_the_robot_into_every_room(flats: list[Flat]) -> None:
    for flat in flats:
        door_x, door_y = flat.layout.doorways[0].opening.centre
        clearance, reachable = flat.ground(flat.initial).reachable_from(Placement(door_x, door_y, 0.0))
        x, y = clearance.centres
        for room in flat.layout.rooms:
            assert (reachable & (room.floor.outside(x, y) == 0.0)).any()


def test_about_half_of_the_devices_are_on_in_varied_states(flats: list[Flat]) -> None:
    devices = [
        thing.name in flat.initial.on_names
        for flat in flats
        for thing in (*flat.furniture, *flat.items)
        if thing.is_device
    ]
    assert 0.35 < sum(devices) / len(devices) < 0.65


def test_varied_states_follow_a_permutation_of_the_names() -> None:
    plain, permuted = (
        flat_of("flat_1003", HouseConfig(states=VARIED_STATES, identity_seed=seed)) for seed in (-1, 5)
    )
    on = [
        sorted(thing.box for thing in (*flat.furniture, *flat.items) if thing.name in flat.initial.on_names)
        for flat in (plain, permuted)
    ]
    assert on[0] == on[1] != []


def test_house_refuses_unknown_states() -> None:
    with pytest.raises(ConfigurationError, match="states"):
        make_world("house", {"states": "tidy"})
