"""Tests of the critic of text games: its rejections, their criteria and their reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from stma_ros.domains.cooking.critic import TextCritic
from stma_ros.roles.critic import CritiqueQuery
from stma_ros.roles.planner import PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.planning import Action, Criterion, Verdict
from stma_ros.types.scene_graph import Relation
from support.roles.scripted_text_home import HAND, TextHome, linked, small_home
from support.roles.text_player import GIVE_UP, Player, command
from support.roles.text_queries import QUERIES

READ = "examine cookbook"
HAM = {"cookbook": "table", "ham": HAND, "knife": HAND}


def reader(**changes: object) -> Player:
    """Returns a player in the kitchen of the small home who has read the recipe."""
    return Player(small_home(**changes)).do(READ)


def round_with_nothing() -> TextHome:
    """Returns a home of a kitchen between two rooms, none of which has any salt."""
    return TextHome(
        exits=linked(("kitchen", "north", "bedroom"), ("kitchen", "east", "backyard")),
        fixtures={"kitchen": ("counter",), "backyard": ("bbq",)},
        things={"cookbook": "counter", "banana": HAND},
        ingredients=("salt",),
        directions=(),
    )


def accepts(player: Player, action: str | Action) -> bool:
    return player.judge(action).verdict == Verdict.ACCEPTED


def refusal(player: Player, action: str | Action, criterion: Criterion) -> str:
    answer = player.judge(action)
    assert (answer.verdict, answer.criterion) == (Verdict.REJECTED, criterion), answer
    return answer.reason


class TestValidity:
    def test_text_critic_rejects_an_inadmissible_command_with_similar_ones(self) -> None:
        reason = refusal(reader(), "go south", Criterion.VALIDITY)

        assert "'go south' is not possible now" in reason
        assert "go east, go north" in reason

    def test_text_critic_rejects_an_inadmissible_command_without_similar_ones(self) -> None:
        assert "another command" in refusal(reader(), "fly home", Criterion.VALIDITY)

    def test_text_critic_rejects_a_skill_that_is_no_command(self) -> None:
        refusal(reader(), Action("pick", ("knife",)), Criterion.VALIDITY)


class TestTemporal:
    def test_text_critic_rejects_reading_the_recipe_again(self) -> None:
        assert accepts(Player(small_home()), READ)
        assert "known already" in refusal(reader(), READ, Criterion.TEMPORAL)

    @pytest.mark.parametrize("idle", ["look", "inventory", "examine table"])
    def test_text_critic_rejects_commands_that_give_no_information(self, idle: str) -> None:
        assert "tells nothing" in refusal(reader(), idle, Criterion.TEMPORAL)

    def test_text_critic_rejects_a_command_without_effect_until_something_changed(self) -> None:
        player = reader(ingredients=("banana",), directions=("grill the banana",))
        player.do("prepare meal")  # without effect, because the banana is not grilled

        assert "changed nothing" in refusal(player, "prepare meal", Criterion.TEMPORAL)
        player.do("go east", "cook banana with bbq", "go west")
        assert accepts(player, "prepare meal")

    def test_text_critic_accepts_repeating_a_command_with_an_effect(self) -> None:
        player = reader(ingredients=("ham",), directions=()).do("open fridge", "close fridge")

        assert accepts(player, "open fridge")

    def test_text_critic_rejects_a_third_visit_without_news(self) -> None:
        player = Player(round_with_nothing()).do(READ, "go east", "go west", *["go north", "go south"] * 3)

        assert "try 'go east'" in refusal(player, "go north", Criterion.TEMPORAL)
        assert accepts(player, "go east")
        player.do("go east", "go west")
        assert accepts(player, "go north")  # this exit was left longer ago

    def test_text_critic_accepts_a_third_visit_after_another_action(self) -> None:
        player = Player(round_with_nothing()).do(READ, "go east", "go west", *["go north", "go south"] * 3)
        player.do("drop banana")

        assert accepts(player, "go north")

    def test_text_critic_accepts_a_third_visit_when_there_is_no_other_exit(self) -> None:
        player = Player(round_with_nothing()).do(READ, *["go north", "go south"] * 3, "go north")

        assert accepts(player, "go south")

    @pytest.mark.parametrize(("visits", "verdict"), [(1, Verdict.ACCEPTED), (2, Verdict.REJECTED)])
    def test_text_critic_rejects_a_third_visit_for_an_object_not_found_there(
        self, visits: int, verdict: Verdict
    ) -> None:
        player = Player(round_with_nothing()).do(READ, "go east", "go west")
        player.do(*["go north", "go south"] * visits)
        believed = player.spatial
        wrong = Relation("salt", words.IN_ROOM, "bedroom")
        query = CritiqueQuery(
            "cook",
            "",
            command("go north"),
            player.allowed,
            player.temporal,
            replace(believed, facts=(*believed.facts, wrong)),
            player.observation,
        )

        assert TextCritic().answer(query).verdict == verdict

    def test_text_critic_does_not_stop_a_search_when_everything_was_seen(self) -> None:
        player = Player(round_with_nothing())

        assert player.play(most=25) == []


class TestSafety:
    def test_text_critic_accepts_eating_the_meal_only(self) -> None:
        assert "only the meal" in refusal(reader(), "eat banana", Criterion.SAFETY)

        ready = reader(ingredients=("banana",), directions=()).do("prepare meal")
        assert accepts(ready, "eat meal")

    @pytest.mark.parametrize("spoiling", ["cook ham with stove", "chop ham with knife"])
    def test_text_critic_rejects_changing_food_before_the_recipe_is_known(self, spoiling: str) -> None:
        player = Player(small_home(things=HAM))

        assert "not known yet" in refusal(player, spoiling, Criterion.SAFETY)

    @pytest.mark.parametrize(
        ("direction", "right", "wrong"),
        [
            ("fry the ham", "cook ham with stove", "cook ham with oven"),
            ("roast the ham", "cook ham with oven", "cook ham with stove"),
            ("chop the ham", "chop ham with knife", "dice ham with knife"),
            ("chop the ham", "chop ham with knife", "cook ham with stove"),
        ],
    )
    def test_text_critic_rejects_a_wrong_tool_or_cut_with_the_right_one(
        self, direction: str, right: str, wrong: str
    ) -> None:
        player = reader(ingredients=("ham",), directions=(direction,), things=HAM)

        assert accepts(player, right)
        assert right in refusal(player, wrong, Criterion.SAFETY)

    @pytest.mark.parametrize(
        ("direction", "done"),
        [("fry the ham", "cook ham with stove"), ("chop the ham", "chop ham with knife")],
    )
    def test_text_critic_rejects_a_direction_that_was_followed(self, direction: str, done: str) -> None:
        player = reader(ingredients=("ham",), directions=(direction,), things=HAM).do(done)

        assert "already; once more would spoil it" in refusal(player, done, Criterion.SAFETY)

    def test_text_critic_rejects_cooking_food_that_is_no_ingredient(self) -> None:
        assert "does not ask" in refusal(reader(), "cook banana with stove", Criterion.SAFETY)


class TestSpatial:
    def test_text_critic_rejects_a_useless_way_with_the_useful_ones(self) -> None:
        player = Player(small_home(room="bedroom", ingredients=("red onion",), directions=()))
        player.do("go south", READ, "go east", "go east", "take red onion")

        assert accepts(player, "go west")
        player.do("go west")
        assert refusal(player, "go east", Criterion.SPATIAL).endswith("Sensible ways begin with: go west.")

    def test_text_critic_rejects_opening_a_useless_door_with_the_useful_ways(self) -> None:
        player = reader(ingredients=("banana",), directions=("grill the banana",))
        player.do("go east", "go west")

        reason = refusal(player, "open plain door", Criterion.SPATIAL)

        assert "Behind the plain door is nothing" in reason
        assert reason.endswith("go east.")

    def test_text_critic_accepts_ways_to_unexplored_rooms(self) -> None:
        player = reader(ingredients=("salt",), directions=()).do("open fridge")

        assert all(accepts(player, way) for way in ("go north", "go east", "open plain door"))

    def test_text_critic_accepts_every_way_without_routes(self) -> None:
        player = reader(ingredients=("banana",), directions=("grill the banana",)).do("go east", "go west")
        query = CritiqueQuery(
            "cook",
            "",
            command("go north"),
            player.allowed,
            player.temporal,
            SpatialBelief(),
            player.observation,
        )

        assert TextCritic().answer(query).verdict == Verdict.ACCEPTED

    def test_text_critic_accepts_every_way_when_everything_was_seen_and_something_is_missing(self) -> None:
        """The missing ingredient may have been moved since, so ways to known objects are no better than others."""
        home = TextHome(
            exits=linked(("kitchen", "north", "bedroom"), ("kitchen", "east", "backyard")),
            fixtures={"kitchen": ("counter",), "backyard": ("bbq",)},
            things={"cookbook": "counter"},
            ingredients=("ham",),
            directions=("grill the ham",),
        )
        player = Player(home).do(READ, "go north", "go south", "go east", "go west")

        assert accepts(player, "go north")
        assert accepts(player, "go east")


class TestAlignment:
    def test_text_critic_rejects_preparing_the_meal_before_all_directions(self) -> None:
        player = reader()

        reason = refusal(player, "prepare meal", Criterion.ALIGNMENT)

        assert "chop the red onion" in reason
        assert "take the ham" in reason
        assert accepts(reader(ingredients=("banana",), directions=()), "prepare meal")

    def test_text_critic_rejects_preparing_the_meal_before_the_recipe_is_known(self) -> None:
        assert "recipe is not known" in refusal(Player(small_home()), "prepare meal", Criterion.ALIGNMENT)

    def test_text_critic_rejects_taking_an_object_that_is_not_needed(self) -> None:
        player = reader(directions=("fry the ham",))

        assert "knife is not needed" in refusal(player, "take knife from counter", Criterion.ALIGNMENT)
        assert accepts(reader(), "take knife from counter")

    def test_text_critic_rejects_taking_objects_before_the_recipe_is_known(self) -> None:
        player = Player(small_home())

        assert "not known yet" in refusal(player, "take knife from counter", Criterion.ALIGNMENT)

    def test_text_critic_rejects_leaving_a_needed_object_behind(self) -> None:
        assert "knife is here and is needed" in refusal(reader(), "go east", Criterion.ALIGNMENT)

    def test_text_critic_rejects_opening_a_container_without_a_reason(self) -> None:
        assert accepts(reader(directions=("fry the ham",)), "open fridge")
        assert "not in the oven" in refusal(
            reader(directions=("fry the ham",)), "open oven", Criterion.ALIGNMENT
        )
        nothing_missing = reader(ingredients=("banana",), directions=("grill the banana",)).do(
            "go east", "go west"
        )
        assert "not in the fridge" in refusal(nothing_missing, "open fridge", Criterion.ALIGNMENT)

    def test_text_critic_accepts_opening_a_container_with_a_remembered_ingredient(self) -> None:
        player = reader(ingredients=("ham",), directions=()).do("open fridge", "close fridge")

        assert accepts(player, "open fridge")

    @pytest.mark.parametrize("idle", ["drop banana", "put banana on table", "close fridge"])
    def test_text_critic_rejects_commands_without_progress(self, idle: str) -> None:
        player = reader(directions=("fry the ham",)).do("open fridge")

        assert "no nearer" in refusal(player, idle, Criterion.ALIGNMENT)


class TestSubgoal:
    """A move has to lead to the place that its subgoal names."""

    LOOK = "look east of the backyard for ham"

    @staticmethod
    def seeker() -> Player:
        things = {"cookbook": "table", "ham": "garden"}
        return reader(directions=(), ingredients=("ham",), things=things).do("open fridge", "go east")

    def test_text_critic_rejects_a_move_that_does_not_serve_its_subgoal(self) -> None:
        player = self.seeker().do("go west")

        assert player.judge("go east", self.LOOK).verdict == Verdict.ACCEPTED
        answer = player.judge("go north", self.LOOK)
        assert answer.criterion == Criterion.ALIGNMENT
        assert answer.reason == f"'go north' does not serve to {self.LOOK}; that begins with: go east."
        assert accepts(player, "go north"), "were it made for something else"

    def test_text_critic_rejects_a_move_whose_subgoal_is_reached(self) -> None:
        player = self.seeker().do("go east", "go west")

        answer = player.judge("go east", self.LOOK)
        assert answer.criterion == Criterion.ALIGNMENT
        assert answer.reason == f"There is no need to {self.LOOK}: the garden is there."

    def test_text_critic_does_not_confuse_directions_with_the_same_ending(self) -> None:
        player = self.seeker().do("go west")

        assert player.judge("go north", "look northeast of the backyard for ham").verdict == Verdict.ACCEPTED


class TestGivingUp:
    def test_text_critic_rejects_giving_up_while_a_needed_object_is_known(self) -> None:
        player = reader(ingredients=("ham",), directions=()).do("open fridge")

        assert "ham was seen in the kitchen" in refusal(player, GIVE_UP, Criterion.ALIGNMENT)

    def test_text_critic_rejects_giving_up_while_something_is_unexplored(self) -> None:
        assert "explored" in refusal(reader(directions=()), GIVE_UP, Criterion.ALIGNMENT)

    def test_text_critic_rejects_giving_up_while_something_can_be_done(self) -> None:
        player = reader(ingredients=("ham",), directions=("fry the ham",), things=HAM)

        assert "cook ham with stove" in refusal(player, GIVE_UP, Criterion.ALIGNMENT)
        player.do("cook ham with stove")
        assert "prepare meal" in refusal(player, GIVE_UP, Criterion.ALIGNMENT)
        player.do("go north")
        assert "go south" in refusal(player, GIVE_UP, Criterion.ALIGNMENT)

    def test_text_critic_accepts_giving_up_when_nothing_leads_on(self) -> None:
        home = TextHome({"cellar": {}}, {}, {}, ("salt",), (), room="cellar")

        assert accepts(Player(home), GIVE_UP)

    def test_text_critic_accepts_giving_up_when_no_way_leads_to_the_last_object(self) -> None:
        home = TextHome({"kitchen": {}}, {"kitchen": ("table",)}, {"cookbook": "table"}, ("salt",), ())
        player = Player(home).do(READ)
        elsewhere = Relation("salt", words.IN_ROOM, "cellar")
        spatial = SpatialBelief(facts=(*player.spatial.facts, elsewhere))
        query = CritiqueQuery(
            "cook", "", GIVE_UP, player.allowed, player.temporal, spatial, player.observation
        )

        assert TextCritic().answer(query).verdict == Verdict.ACCEPTED


@given(QUERIES)
def test_text_critic_gives_every_rejection_a_criterion_and_a_reason(query: PlanQuery) -> None:
    for action in query.allowed_actions:
        answer = TextCritic().answer(
            CritiqueQuery(
                "", "", action, query.allowed_actions, query.temporal, query.spatial, query.observation
            )
        )
        refused = answer.verdict == Verdict.REJECTED
        assert bool(answer.reason) == refused
        assert (answer.criterion != Criterion.NONE) == refused
