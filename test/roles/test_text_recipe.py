"""Tests of reading recipes and of restoring the spelling of the world in commands."""

from __future__ import annotations

from stma_ros.domains.cooking.cooking import cooking_rules
from stma_ros.domains.cooking.game_state import GameState
from stma_ros.domains.cooking.recipe import Recipe, Step, read_recipe
from stma_ros.domains.cooking.spelling import restore_spelling, world_spelling
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.planning import Criterion, Verdict
from support.roles.scripted_text_home import small_home
from support.roles.text_player import GIVE_UP, Player, command


def read(*directions: str) -> Recipe:
    lines = "\n  ".join(directions)
    recipe = read_recipe(
        f"Ingredients:\n  ham\n  red onion\n\nDirections:\n  {lines}\n\nEnjoy!", cooking_rules()
    )
    assert recipe is not None
    return recipe


class TestReading:
    def test_recipe_has_the_directions_before_the_meal_as_steps(self) -> None:
        recipe = read("fry the ham", "Chop the red onion", "prepare meal", "serve it warm")

        assert recipe == Recipe(("ham", "red onion"), (Step("fry", "ham"), Step("chop", "red onion")))

    def test_recipe_holds_unknown_directions_separately(self) -> None:
        recipe = read(
            "boil the ham", "fry the ham for an hour", "chop the red onion", "fry the egg", "prepare meal"
        )

        assert recipe.steps == (Step("chop", "red onion"),)
        assert recipe.unknown == ("boil the ham", "fry the ham for an hour", "fry the egg")


class TestImpossibleRecipe:
    def player(self) -> Player:
        """Returns a player who has done everything except the impossible direction."""
        player = Player(small_home(directions=("chop the red onion", "boil the ham")))
        player.do("examine cookbook", "take knife from counter", "open fridge", "take ham from fridge")
        player.do("go east", "go east", "take red onion", "chop red onion with knife", "go west", "go west")
        return player

    def test_planner_follows_the_possible_directions_of_an_impossible_recipe(self) -> None:
        player = Player(small_home(directions=("chop the red onion", "boil the ham"))).do("examine cookbook")

        assert "take knife from counter" in player.commands()

    def test_meal_of_an_impossible_recipe_is_never_ready(self) -> None:
        player = self.player()
        game_state = GameState(player.temporal, player.spatial, player.observation, player.allowed)

        assert game_state.impossible_steps == ("boil the ham",)
        assert not game_state.is_ready

    def test_planner_gives_up_an_impossible_recipe_with_the_reason_and_the_critic_agrees(self) -> None:
        player = self.player()
        answer = player.plan()

        assert answer.actions == (GIVE_UP,)
        assert "boil the ham" in answer.reasoning
        assert player.judge(GIVE_UP).verdict == Verdict.ACCEPTED

    def test_critic_rejects_preparing_the_meal_of_an_impossible_recipe(self) -> None:
        answer = self.player().judge("prepare meal")

        assert answer.criterion == Criterion.ALIGNMENT
        assert "boil the ham (which cannot be done)" in answer.reason


class TestSpelling:
    def spell(self, asked: str, *allowed: str, seen: str = "", note: str = "") -> str:
        temporal = TemporalBelief(observations=(note,) if note else ())
        actions = tuple(map(command, allowed))
        return str(GameState(temporal, SpatialBelief(), seen, actions).spell(asked))

    def test_spelling_of_an_admissible_command_is_restored(self) -> None:
        assert self.spell("open bbq", "Open BBQ", "take BBQ") == "Open BBQ"

    def test_spelling_of_names_follows_other_commands(self) -> None:
        assert self.spell("cook ham with bbq", "examine BBQ", "take ham") == "cook ham with BBQ"

    def test_spelling_of_names_follows_earlier_notes(self) -> None:
        note = "Step 1 (go east), backyard. Exits: none. There: BBQ; chair. Carried: none."

        assert self.spell("cook ham with bbq", "go west", note=note) == "cook ham with BBQ"

    def test_spelling_of_names_ignores_capitals_of_prose(self) -> None:
        seen = "-= Big Barn =-\nHam is here. Knife, too! You go North to the BBQ."

        assert self.spell("take ham from big bbq", seen=seen) == "take ham from big BBQ"
        assert self.spell("go north", seen=seen) == "go north"

    def test_spelling_of_names_prefers_commands_over_prose(self) -> None:
        assert world_spelling(["take ham"], ["a Ham"])["ham"] == "ham"

    def test_spelling_of_unknown_words_is_unchanged(self) -> None:
        assert restore_spelling("chop egg", {"egg": "EGG"}) == "chop EGG"
