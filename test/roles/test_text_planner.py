"""Tests of the planner of text games at single steps, also with empty or wrong beliefs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from stma_ros.domains.cooking.exploration import nearest
from stma_ros.domains.cooking.planner import TextPlanner
from stma_ros.roles.planner import PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.scene_graph import Relation, Route
from support.roles.scripted_text_home import HAND, TextHome, linked, small_home, with_doors
from support.roles.text_player import GIVE_UP, TASK, Player, command
from support.roles.text_queries import QUERIES

READ = "examine cookbook"


def reader(**changes: object) -> Player:
    """Returns a player in the kitchen of the small home who has read the recipe."""
    return Player(small_home(**changes)).do(READ)


def two_ways_on() -> TextHome:
    """Returns a home whose backyard has an open way to the garden and a closed screen door to the kitchen."""
    return TextHome(
        exits=linked(("backyard", "east", "garden"), ("kitchen", "east", "backyard")),
        doors=with_doors(("kitchen", "east", "backyard", "screen door")),
        closed={"screen door"},
        fixtures={"kitchen": ("counter",)},
        things={"cookbook": "counter"},
        ingredients=("salt",),
        directions=(),
        room="backyard",
    )


class TestReadingTheRecipe:
    def test_text_planner_reads_the_recipe_first(self) -> None:
        assert Player(small_home()).commands() == [READ]

    def test_text_planner_goes_back_to_the_recipe(self) -> None:
        player = Player(small_home()).do("go east", "go east")

        assert player.commands() == ["go west", "go west", READ]

    def test_text_planner_looks_for_the_recipe_where_a_kitchen_may_be(self) -> None:
        assert Player(two_ways_on()).commands() == ["open screen door", "go west"]

    def test_nearest_text_planner_looks_for_the_recipe_at_the_nearest_exit(self) -> None:
        assert Player(two_ways_on(), TextPlanner(nearest)).commands() == ["go east"]

    def test_text_planner_does_not_read_the_recipe_again(self) -> None:
        assert READ not in reader().commands()


class TestFetching:
    def test_text_planner_takes_ingredients_of_this_room_first(self) -> None:
        player = reader(directions=(), things={"cookbook": "table", "ham": "counter", "red onion": "garden"})

        assert player.commands() == ["take ham from counter"]

    def test_text_planner_fetches_a_seen_object_behind_a_closed_door(self) -> None:
        player = reader(ingredients=("salt",), directions=())
        player.do("open plain door", "go west", "go east", "close plain door")

        assert player.commands() == ["open plain door", "go west"]

    def test_text_planner_takes_remembered_ingredients_out_of_a_closed_container(self) -> None:
        player = reader(
            ingredients=("ham", "milk"),
            directions=(),
            things={"cookbook": "table", "ham": "fridge", "milk": "fridge"},
        )
        player.do("open fridge", "close fridge")

        assert player.commands() == [
            "open fridge",
            "take ham from fridge",
            "take milk from fridge",
            "prepare meal",
            "eat meal",
        ]
        assert player.play() == []
        assert player.home.won

    def test_text_planner_takes_the_knife_only_if_something_is_to_be_cut(self) -> None:
        assert "take knife from counter" in reader().commands()
        assert "take knife from counter" not in reader(directions=("fry the ham",)).commands()

    def test_text_planner_opens_closed_containers_while_something_is_missing(self) -> None:
        assert "open fridge" in reader(directions=()).commands()
        assert (
            "open fridge" not in reader(ingredients=("banana",), directions=("grill the banana",)).commands()
        )

    def test_text_planner_does_not_look_for_ingredients_in_the_oven(self) -> None:
        assert "open oven" not in reader(directions=()).do("open fridge").commands()

    def test_text_planner_takes_an_ingredient_that_lies_on_its_way(self) -> None:
        """The salt is on the way to the ham; taking it on the way back would be as short."""
        home = TextHome(
            exits=linked(("kitchen", "west", "pantry"), ("pantry", "west", "corridor")),
            fixtures={"kitchen": ("counter",), "corridor": ("shelf",), "pantry": ("rack",)},
            things={"cookbook": "counter", "salt": "rack", "ham": "shelf"},
            ingredients=("salt", "ham"),
            directions=(),
            room="corridor",
        )
        player = Player(home).do("go east", "go east", READ)

        assert player.commands() == ["go west"]
        assert player.do("go west").commands() == ["take salt from rack"]

    def test_text_planner_looks_for_an_object_to_which_no_known_way_leads(self) -> None:
        """The ham is in the garden, the way there was forgotten, and nothing is left to do elsewhere."""
        player = Player(
            small_home(directions=(), things={"cookbook": "table", "ham": "garden"}, ingredients=("ham",))
        )
        player.do(READ, "open fridge", "go north", "go south", "open plain door", "go west")
        lost = Relation("ham", words.IN_ROOM, "garden")
        spatial = replace(player.spatial, facts=(*player.spatial.facts, lost))
        query = PlanQuery(TASK, player.temporal, spatial, player.allowed, observation=player.observation)

        answer = player.planner.answer(query)
        assert answer.subgoal == "look east of the kitchen for ham"
        assert list(map(str, answer.actions)) == ["go east", "go east"]

    def test_text_planner_fetches_an_ingredient_that_is_cooked_elsewhere(self) -> None:
        player = Player(
            small_home(ingredients=("salt",), directions=("grill the salt",), room="pantry", closed=set())
        )
        player.do("go east", "go east", "go west", READ)

        assert player.commands() == ["go west"]


class TestCooking:
    @pytest.mark.parametrize(
        ("direction", "expected"),
        [
            ("fry the ham", "cook ham with stove"),
            ("roast the ham", "cook ham with oven"),
            ("chop the ham", "chop ham with knife"),
            ("slice the ham", "slice ham with knife"),
            ("dice the ham", "dice ham with knife"),
        ],
    )
    def test_text_planner_follows_each_direction_with_its_tool(self, direction: str, expected: str) -> None:
        things = {"cookbook": "table", "ham": HAND, "knife": HAND}

        player = reader(ingredients=("ham",), directions=(direction,), things=things)

        assert player.commands() == [expected, "prepare meal", "eat meal"]

    def test_text_planner_goes_to_the_barbecue(self) -> None:
        player = Player(
            small_home(
                ingredients=("ham",), directions=("grill the ham",), things={"cookbook": "table", "ham": HAND}
            )
        )
        player.do("go east", "go west", READ)

        assert player.commands() == ["go east"]
        assert player.do("go east").commands() == ["cook ham with bbq"]

    def test_text_planner_does_no_direction_twice(self) -> None:
        things = {"cookbook": "table", "ham": HAND, "knife": HAND}
        player = reader(ingredients=("ham",), directions=("chop the ham", "fry the ham"), things=things)
        player.do("chop ham with knife")

        assert player.commands() == ["cook ham with stove", "prepare meal", "eat meal"]
        assert player.do("cook ham with stove").commands() == ["prepare meal", "eat meal"]

    def test_text_planner_leaves_other_objects_alone(self) -> None:
        player = reader(
            ingredients=("ham",), directions=(), things={"cookbook": "table", "ham": HAND, "banana": HAND}
        )

        assert player.commands() == ["prepare meal", "eat meal"]

    def test_text_planner_returns_to_the_kitchen_to_prepare_the_meal(self) -> None:
        player = reader(ingredients=("red onion",), directions=())
        player.do("go east", "go east", "take red onion")

        assert player.commands() == ["go west", "go west"]

    def test_text_planner_eats_the_meal(self) -> None:
        player = reader(ingredients=("banana",), directions=()).do("prepare meal")

        assert player.commands() == ["eat meal"]
        assert player.do("eat meal").home.won


class TestWithoutProgress:
    def test_text_planner_repeats_a_rejected_action_only_when_nothing_else_is_left(self) -> None:
        player = Player(
            small_home(exits={"kitchen": {"east": "backyard"}, "backyard": {"west": "kitchen"}}, doors={})
        )

        assert player.commands(READ, READ) == ["go east"]
        assert player.commands(READ, READ, "go east", "go east") == [READ]

    def test_text_planner_proposes_an_action_once_more_after_one_rejection(self) -> None:
        """The rejection may have been an error of the critic."""
        player = Player(small_home())

        assert player.commands(READ) == [READ]

    def test_text_planner_searches_rooms_again_when_everything_was_seen(self) -> None:
        """All rooms were seen but one ingredient was not; rooms are searched again, the one left longest ago first."""
        home = TextHome(
            exits=linked(("kitchen", "north", "bedroom"), ("kitchen", "east", "backyard")),
            fixtures={"kitchen": ("counter",)},
            things={"cookbook": "counter"},
            ingredients=("salt",),
            directions=(),
        )
        player = Player(home).do(READ, "go north", "go south", "go east", "go west")

        assert player.commands() == ["go north"]
        assert player.do("go north", "go south").commands() == ["go east"]

    def test_text_planner_gives_up_when_nothing_leads_on(self) -> None:
        home = TextHome({"cellar": {}}, {}, {}, ("salt",), (), room="cellar")

        assert Player(home).plan().actions == (GIVE_UP,)

    def test_text_planner_gives_up_without_allowed_actions(self) -> None:
        answer = TextPlanner().answer(PlanQuery("cook", TemporalBelief(), SpatialBelief(), ()))

        assert answer.actions == (GIVE_UP,)

    def test_text_planner_explores_without_spatial_beliefs(self) -> None:
        player = Player(small_home(room="bedroom"))
        query = PlanQuery(
            "cook", player.temporal, SpatialBelief(), player.allowed, observation=player.observation
        )

        assert list(map(str, TextPlanner().answer(query).actions)) == ["go south"]

    def test_text_planner_ignores_a_route_that_is_not_possible(self) -> None:
        player = reader(ingredients=("salt",), directions=())
        ghost = Relation("salt", words.IN_ROOM, "cellar")
        way = Route(target="cellar", moves=("go down",))
        spatial = SpatialBelief(facts=(*player.spatial.facts, ghost), routes=(way,))
        query = PlanQuery("cook", player.temporal, spatial, player.allowed, observation=player.observation)

        (first, *_) = TextPlanner().answer(query).actions

        assert first in player.allowed
        assert first != GIVE_UP

    def test_text_planner_returns_commands_in_the_spelling_of_the_world(self) -> None:
        query = PlanQuery(
            "cook",
            TemporalBelief(),
            SpatialBelief(),
            (command("Examine CookBook"), GIVE_UP),
            observation="-= Kitchen =-",
        )

        assert TextPlanner().answer(query).actions == (command("Examine CookBook"),)


@given(QUERIES)
def test_text_planner_begins_with_an_allowed_action_for_any_beliefs(query: PlanQuery) -> None:
    assert TextPlanner().answer(query).actions[0] in query.allowed_actions


@given(QUERIES)
def test_text_planner_is_deterministic(query: PlanQuery) -> None:
    assert TextPlanner().answer(query) == TextPlanner().answer(query)
