"""The round through everything that is to be done elsewhere."""

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
    """Someone who has seen all of a row of rooms, each with some food and the first with an oven, and is back in the
    kitchen at its beginning with the recipe."""
    home = TextHome(
        exits=linked(*((one, "east", other) for one, other in pairwise(ROOMS))),
        fixtures={"kitchen": ("counter",), "pantry": ("oven",)},
        things={"cookbook": "counter", **dict(zip(FOODS, ROOMS[1:], strict=True))},
        ingredients=FOODS,
        directions=directions,
    )
    moves = len(FOODS)
    return Player(home).do(*["go east"] * moves, *["go west"] * moves, READ)


def test_of_many_the_nearest_comes_first() -> None:
    assert way_on(row_of_rooms()) == ("go east",)


def test_of_many_one_that_needs_something_from_another_comes_after_it() -> None:
    """The oven in the pantry is needed for what lies farthest away: of the others the corridor is the nearest."""
    player = row_of_rooms("roast the food g").do("go east", "take food a", "go west")

    assert way_on(player) == ("go east", "go east")
    assert player.play() == []
    assert player.home.won


def test_where_each_has_what_is_cooked_at_the_other_one_is_visited_twice() -> None:
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
