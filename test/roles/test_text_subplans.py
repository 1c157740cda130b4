"""Tests of the round trip through all rooms in which something is left to do."""

from __future__ import annotations

from itertools import pairwise

from stma_ros.domains.cooking.game_state import GameState
from stma_ros.domains.cooking.subplans import round_trip
from support.roles.scripted_text_home import TextHome, linked
from support.roles.text_player import Player

READ = "examine cookbook"
ROOMS = ("kitchen", "pantry", "corridor", "bedroom", "bathroom", "garden", "shed", "backyard")
FOODS = tuple(f"food {letter}" for letter in "abcdefg")  # one in each room but the kitchen


def way_on(player: Player) -> tuple[str, ...]:
    game_state = GameState(player.temporal, player.spatial, player.observation, player.allowed)
    return round_trip(game_state)


def row_of_rooms(*directions: str) -> Player:
    """Returns a player who has seen a row of rooms and is back in the kitchen at its beginning with the recipe.

    Each room except the kitchen has some food, and the first of them has an oven.
    """
    home = TextHome(
        exits=linked(*((one, "east", other) for one, other in pairwise(ROOMS))),
        fixtures={"kitchen": ("counter",), "pantry": ("oven",)},
        things={"cookbook": "counter", **dict(zip(FOODS, ROOMS[1:], strict=True))},
        ingredients=FOODS,
        directions=directions,
    )
    moves = len(FOODS)
    return Player(home).do(*["go east"] * moves, *["go west"] * moves, READ)


def test_round_trip_begins_at_the_nearest_room() -> None:
    assert way_on(row_of_rooms()) == ("go east",)


def test_round_trip_visits_a_room_after_those_whose_objects_it_needs() -> None:
    """The farthest food needs the oven in the pantry; the corridor is the nearest of the other rooms."""
    player = row_of_rooms("roast the food g").do("go east", "take food a", "go west")

    assert way_on(player) == ("go east", "go east")
    assert player.play() == []
    assert player.home.won


def test_round_trip_visits_a_room_twice_when_two_rooms_need_each_other() -> None:
    home = TextHome(
        exits=linked(
            ("kitchen", "north", "corridor"), ("corridor", "east", "pantry"), ("corridor", "west", "backyard")
        ),
        fixtures={"kitchen": ("counter",), "pantry": ("oven",), "backyard": ("bbq",)},
        things={"cookbook": "counter", "ham": "pantry", "salt": "backyard"},
        ingredients=("ham", "salt"),
        directions=("grill the ham", "roast the salt"),
    )
    player = Player(home).do(READ, "go north", "go east", "go west", "go west", "go east")

    assert way_on(player) == ("go west",)
    assert player.play() == []
    assert player.home.won
