"""Tests of the choice of things for the things of a task, and of what holds of them."""

from __future__ import annotations

import pytest

from stma_ros.domains.programs.believed_home import BelievedHome
from stma_ros.domains.programs.binding import bind, holds
from stma_ros.domains.programs.wishes import Wanted, read_wishes
from support.homes_of_twins import twins
from support.programs_player import Player

_LEFT = ("walk to home_office_1", "walk to kitchen_1")
"""Both rooms are seen; one is in the kitchen."""


def _bound(task: str, *commands: str, avoided: tuple[str, ...] = ()) -> dict[str, str]:
    """Returns the names of the things of a task after commands, by how the task calls them."""
    home = BelievedHome(Player(twins(), task).do(*commands).query())
    return {str(thing): name for thing, name in bind(read_wishes(task), home, avoided).items()}


def _state(task: str, *commands: str) -> list[bool]:
    """Returns which wishes of a task hold after commands."""
    player = Player(twins(), task).do(*commands)
    home, wishes = BelievedHome(player.query()), read_wishes(task)
    return [holds(wish, bind(wishes, home), home) for wish in wishes]


def _name(line: str, *commands: str) -> str:
    """Returns the thing that is seen, after commands, with a line that ends so."""
    lines = Player(twins(), "").do(*commands).episode.look().description.splitlines()
    [found] = [each.split()[0] for each in lines if each.endswith(line)]
    return found


def test_several_of_a_kind_are_different_things() -> None:
    bound = _bound(
        "the first table_lamp is clean; the second table_lamp is clean; the third table_lamp is clean", *_LEFT
    )
    assert len(set(bound.values())) == 3


def test_more_of_a_kind_than_are_known_are_missing() -> None:
    bound = _bound("the first milk is clean; the second milk is clean")
    assert bound.keys() == {"the first milk"}


def test_thing_that_most_wishes_hold_of_is_preferred() -> None:
    assert _bound("the cup is on the table; the cup is clean") == {
        "the cup": _name("(dirty) on table_1"),
        "the table": "table_1",
    }


def test_thing_that_is_held_is_preferred() -> None:
    shirt = _name("clothes_shirt_2", *_LEFT[:1])
    held = (*_LEFT[:1], f"walk to {shirt}", f"grab {shirt}", *_LEFT[1:])
    assert _bound("the clothes_shirt is on the table", *held)["the clothes_shirt"] == shirt


@pytest.mark.parametrize(
    ("task", "first"),
    [
        ("the first cup is clean; the second cup is clean; the second cup is on the plate", "the second cup"),
        ("you hold the first cup; the second cup is clean", "the second cup"),
        ("the first cup is in the vase; the second cup is clean", "the second cup"),
    ],
)
def test_thing_that_is_handled_first_is_the_nearest(task: str, first: str) -> None:
    assert _bound(task, *_LEFT)[first] == _name("cup_1 (dirty) on table_1")


@pytest.mark.parametrize("room", _LEFT)
def test_thing_whose_state_is_made_first_is_the_nearest(room: str) -> None:
    graph = twins()
    for id, node in graph.nodes.items():
        if node.name == "table_lamp":
            graph.change_state(id, ("OFF", "PLUGGED_OUT"), ("ON", "PLUGGED_IN"))
    task = "the first table_lamp is plugged out; the second table_lamp is switched off"
    home = BelievedHome(Player(graph, task).do(*_LEFT, room).query())
    bound = bind(read_wishes(task), home)
    assert home.room_of(bound[Wanted("table_lamp", "second")]) == home.here


def test_things_of_a_kind_are_chosen_so_that_most_wishes_hold_of_all() -> None:
    here = _name("cup_1 (dirty) on table_1")
    bound = _bound("the first cup is not clean; the second cup is on the table", *_LEFT)
    assert bound["the second cup"] == here
    assert bound["the first cup"] not in (here, "")


def test_things_are_chosen_so_that_a_wish_about_two_kinds_holds() -> None:
    here = _name("cup_1 (dirty) on table_1")
    task = "the first cup is in the kitchen; the second cup is on the table"
    commands = ("walk to home_office_1", "walk to kitchen_1", "walk to cupboard_1", "open cupboard_1")
    for away in ((), ("walk to home_office_1",)):
        bound = _bound(task, *commands, *away)
        assert (bound["the second cup"], bound["the table"]) == (here, "table_1")


def test_place_is_in_the_room_in_which_the_thing_on_it_shall_be() -> None:
    task = "the cup is on the plate; the plate is on the table; the cup is in the home_office"
    assert _bound(task, *_LEFT)["the table"] == "table_2"


def test_thing_in_the_hand_is_preferred_until_it_is_where_it_shall_be() -> None:
    cup = _name("cup_1 (dirty) on table_1")
    task = "you hold the first cup; the second cup is in the home_office; the second cup is on the table"
    held = (*_LEFT, f"walk to {cup}", f"grab {cup}")
    assert _bound(task, *held)["the second cup"] == _bound(task, *held, _LEFT[0])["the second cup"] == cup


def test_avoided_thing_is_not_taken() -> None:
    task = "the table_lamp is clean"
    first = _bound(task, *_LEFT)["the table_lamp"]
    second = _bound(task, *_LEFT, avoided=(first,))["the table_lamp"]
    assert first != second
    assert _bound(task, *_LEFT, avoided=("table_lamp_1", "table_lamp_2", "table_lamp_3")) == {}


def test_thing_that_cannot_be_switched_is_not_taken_for_one_that_can() -> None:
    graph = twins()
    lamps = [id for id, node in graph.nodes.items() if node.name == "table_lamp"]
    graph.change_state(lamps[0], ("ON", "OFF"), ())  # in the room in which one begins
    task = "the table_lamp is switched on"
    home = BelievedHome(Player(graph, task).do(*_LEFT).query())
    [name] = bind(read_wishes(task), home).values()
    assert "off" in home.states(name)


def test_room_that_a_thing_shall_be_in_decides() -> None:
    task = "the table_lamp is switched on; the table_lamp is in the home_office"
    home = BelievedHome(Player(twins(), task).do(*_LEFT).query())
    assert home.room_of(bind(read_wishes(task), home)[Wanted("table_lamp")]) == "home_office_1"


def test_thing_that_shall_be_in_an_unseen_room_is_awaited() -> None:
    task = "the table_lamp is switched on; the table_lamp is in the home_office"
    assert _bound(task) == {"the home_office": "home_office_1"}


def test_thing_that_shall_not_be_in_an_unseen_room_is_not_awaited() -> None:
    assert "the cup" in _bound("the cup is not in the home_office")


@pytest.mark.parametrize(
    ("task", "commands", "expected"),
    [
        ("you hold the milk; you do not hold the milk", (), [False, True]),
        ("you hold the milk; you do not hold the milk", ("walk to milk_1", "grab milk_1"), [True, False]),
        ("the table_lamp is switched on; the table_lamp is not switched on", (), [True, False]),
        ("the milk is on the table; the milk is not on the table", (), [True, False]),
        ("the milk is on the table; the milk is not on the table", ("walk to milk_1", "grab milk_1"), [False, True]),
        ("the milk is in the kitchen; the milk is not in the kitchen", (), [True, False]),
        ("you are in the kitchen; you are not in the kitchen", (), [True, False]),
        ("you are sitting; you are on the chair", (_LEFT[0], "walk to chair_1", "sit on chair_1"), [True, True]),
        ("the novel is clean; the novel is not clean", (), [False, False]),
    ],
)  # fmt: skip
def test_wish_holds_if_it_is_so(task: str, commands: tuple[str, ...], expected: list[bool]) -> None:
    assert _state(task, *commands) == expected


def test_held_thing_is_neither_in_nor_out_of_a_room_unless_it_stays_in_the_hand() -> None:
    task = "the milk is in the kitchen; the milk is not in the home_office"
    wishes = read_wishes(task)
    home = BelievedHome(Player(twins(), task).do("walk to milk_1", "grab milk_1").query())
    bound = bind(wishes, home)
    assert [holds(wish, bound, home) for wish in wishes] == [False, False]
    assert [holds(wish, bound, home, {Wanted("milk")}) for wish in wishes] == [True, True]


def test_poured_thing_stays_behind_when_its_vessel_is_taken() -> None:
    cup = _name("cup_1 (dirty) on table_1")
    poured = ("walk to milk_1", "grab milk_1", f"pour milk_1 into {cup}", "put milk_1 on table_1")
    task = "the milk is in the cup"
    assert _state(task, *poured) == [True]
    assert _state(task, *poured, "walk to home_office_1") == [True]
    assert _state(task, *poured, f"grab {cup}", "walk to home_office_1") == [False]


def test_table_on_which_there_is_one_already_is_preferred_to_the_table_at_hand() -> None:
    cups = "the first cup is on the table; the second cup is on the table"
    assert _bound(cups, "walk to home_office_1")["the table"] == "table_1"
