"""What the planner of text games does at one moment, and what it makes of beliefs that are empty or wrong."""

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
    """Someone who stands in the kitchen of the small home and has read the recipe."""
    return Player(small_home(**changes)).do(READ)


def two_ways_on() -> TextHome:
    """A backyard with an open way to what will be a garden, and a closed screen door to what will be the kitchen."""
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


class TestTheRecipe:
    def test_is_read_first(self) -> None:
        assert Player(small_home()).commands() == [READ]

    def test_is_gone_back_to(self) -> None:
        player = Player(small_home()).do("go east", "go east")

        assert player.commands() == ["go west", "go west", READ]

    def test_is_looked_for_where_a_kitchen_may_be(self) -> None:
        assert Player(two_ways_on()).commands() == ["open screen door", "go west"]

    def test_or_where_it_is_nearest(self) -> None:
        assert Player(two_ways_on(), TextPlanner(nearest)).commands() == ["go east"]

    def test_is_not_read_again(self) -> None:
        assert READ not in reader().commands()


class TestFetching:
    def test_what_is_here_comes_first(self) -> None:
        player = reader(directions=(), things={"cookbook": "table", "ham": "counter", "red onion": "garden"})

        assert player.commands() == ["take ham from counter"]

    def test_what_was_seen_is_fetched_behind_doors_that_were_closed_again(self) -> None:
        player = reader(ingredients=("salt",), directions=())
        player.do("open plain door", "go west", "go east", "close plain door")

        assert player.commands() == ["open plain door", "go west"]

    def test_what_is_remembered_in_something_closed_is_taken_out(self) -> None:
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

    def test_the_knife_only_if_something_is_to_be_cut(self) -> None:
        assert "take knife from counter" in reader().commands()
        assert "take knife from counter" not in reader(directions=("fry the ham",)).commands()

    def test_closed_containers_are_opened_while_something_is_missing(self) -> None:
        assert "open fridge" in reader(directions=()).commands()
        assert (
            "open fridge" not in reader(ingredients=("banana",), directions=("grill the banana",)).commands()
        )

    def test_an_oven_is_no_larder(self) -> None:
        assert "open oven" not in reader(directions=()).do("open fridge").commands()

    def test_what_lies_on_the_way_is_not_walked_past(self) -> None:
        """The salt is on the way to the ham; a round that takes it on the way back would be as long."""
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

    def test_what_no_known_way_leads_to_is_looked_for(self) -> None:
        """Somebody has forgotten the way to the garden, where the ham lies; there is nothing to be done at home."""
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

    def test_what_is_cooked_elsewhere_is_fetched_before(self) -> None:
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
    def test_each_direction_with_its_tool(self, direction: str, expected: str) -> None:
        things = {"cookbook": "table", "ham": HAND, "knife": HAND}

        player = reader(ingredients=("ham",), directions=(direction,), things=things)

        assert player.commands() == [expected, "prepare meal", "eat meal"]

    def test_a_barbecue_is_gone_to(self) -> None:
        player = Player(
            small_home(
                ingredients=("ham",), directions=("grill the ham",), things={"cookbook": "table", "ham": HAND}
            )
        )
        player.do("go east", "go west", READ)

        assert player.commands() == ["go east"]
        assert player.do("go east").commands() == ["cook ham with bbq"]

    def test_nothing_is_done_twice(self) -> None:
        things = {"cookbook": "table", "ham": HAND, "knife": HAND}
        player = reader(ingredients=("ham",), directions=("chop the ham", "fry the ham"), things=things)
        player.do("chop ham with knife")

        assert player.commands() == ["cook ham with stove", "prepare meal", "eat meal"]
        assert player.do("cook ham with stove").commands() == ["prepare meal", "eat meal"]

    def test_what_is_not_asked_for_is_left_alone(self) -> None:
        player = reader(
            ingredients=("ham",), directions=(), things={"cookbook": "table", "ham": HAND, "banana": HAND}
        )

        assert player.commands() == ["prepare meal", "eat meal"]

    def test_the_meal_is_made_where_the_recipe_was(self) -> None:
        player = reader(ingredients=("red onion",), directions=())
        player.do("go east", "go east", "take red onion")

        assert player.commands() == ["go west", "go west"]

    def test_the_meal_is_eaten(self) -> None:
        player = reader(ingredients=("banana",), directions=()).do("prepare meal")

        assert player.commands() == ["eat meal"]
        assert player.do("eat meal").home.won


class TestWhenNothingFits:
    def test_what_was_refused_comes_again_only_when_nothing_else_is_left(self) -> None:
        player = Player(
            small_home(exits={"kitchen": {"east": "backyard"}, "backyard": {"west": "kitchen"}}, doors={})
        )

        assert player.commands(READ, READ) == ["go east"]
        assert player.commands(READ, READ, "go east", "go east") == [READ]

    def test_what_was_refused_once_is_proposed_once_more(self) -> None:
        """The critic may have erred."""
        player = Player(small_home())

        assert player.commands(READ) == [READ]

    def test_what_is_nowhere_is_looked_for_again(self) -> None:
        """All was seen, and one thing was not: rooms are walked through again, the one left longest ago first."""
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

    def test_where_nothing_leads_on_it_gives_up(self) -> None:
        home = TextHome({"cellar": {}}, {}, {}, ("salt",), (), room="cellar")

        assert Player(home).plan().actions == (GIVE_UP,)

    def test_of_nothing_it_makes_nothing(self) -> None:
        answer = TextPlanner().answer(PlanQuery("cook", TemporalBelief(), SpatialBelief(), ()))

        assert answer.actions == (GIVE_UP,)

    def test_without_spatial_beliefs_it_walks_on(self) -> None:
        player = Player(small_home(room="bedroom"))
        query = PlanQuery(
            "cook", player.temporal, SpatialBelief(), player.allowed, observation=player.observation
        )

        assert list(map(str, TextPlanner().answer(query).actions)) == ["go south"]

    def test_a_remembered_room_that_no_exit_leads_to_stops_nothing(self) -> None:
        player = reader(ingredients=("salt",), directions=())
        ghost = Relation("salt", words.IN_ROOM, "cellar")
        way = Route(target="cellar", moves=("go down",))
        spatial = SpatialBelief(facts=(*player.spatial.facts, ghost), routes=(way,))
        query = PlanQuery("cook", player.temporal, spatial, player.allowed, observation=player.observation)

        (first, *_) = TextPlanner().answer(query).actions

        assert first in player.allowed
        assert first != GIVE_UP

    def test_commands_are_given_back_as_the_world_spells_them(self) -> None:
        query = PlanQuery(
            "cook",
            TemporalBelief(),
            SpatialBelief(),
            (command("Examine CookBook"), GIVE_UP),
            observation="-= Kitchen =-",
        )

        assert TextPlanner().answer(query).actions == (command("Examine CookBook"),)


@given(QUERIES)
def test_whatever_is_believed_the_first_action_is_allowed(query: PlanQuery) -> None:
    assert TextPlanner().answer(query).actions[0] in query.allowed_actions


@given(QUERIES)
def test_the_same_question_has_the_same_answer(query: PlanQuery) -> None:
    assert TextPlanner().answer(query) == TextPlanner().answer(query)
