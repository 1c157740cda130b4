"""Tests of planner, critic and memory roles of text games together, from the first observation to the meal."""

from __future__ import annotations

import pytest

from stma_ros.domains.cooking.exploration import nearest
from stma_ros.domains.cooking.planner import TextPlanner
from stma_ros.types.belief import SpatialBelief
from support.roles.scripted_text_home import random_home, small_home, with_doors
from support.roles.text_player import GIVE_UP, Player

SEEDS = range(1000, 1024)


def test_text_roles_prepare_the_meal_of_the_small_home_on_a_short_way() -> None:
    doors = with_doors(
        ("kitchen", "west", "pantry", "plain door"), ("kitchen", "east", "backyard", "patio door")
    )
    player = Player(small_home(doors=doors, closed={"plain door", "patio door", "fridge", "oven"}))

    assert player.play() == []
    assert player.home.won
    assert player.done == [
        "examine cookbook",
        "take knife from counter",
        "open fridge",
        "take ham from fridge",
        "cook ham with stove",
        "open patio door",
        "go east",
        "go east",
        "take red onion",
        "chop red onion with knife",
        "go west",
        "go west",
        "prepare meal",
        "eat meal",
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_text_roles_prepare_the_meal_of_any_small_home_without_rejections(seed: int) -> None:
    player = Player(random_home(seed))

    assert player.play() == []
    assert player.home.won


@pytest.mark.parametrize("seed", SEEDS[::4])
def test_text_roles_with_the_nearest_search_prepare_the_meal_without_rejections(seed: int) -> None:
    player = Player(random_home(seed), TextPlanner(nearest))

    assert player.play() == []
    assert player.home.won


class WithoutSpatialMemory(Player):
    """A player without spatial memory."""

    @property
    def spatial(self) -> SpatialBelief:
        return SpatialBelief()


@pytest.mark.parametrize("seed", SEEDS[::4])
def test_text_roles_without_spatial_memory_spoil_nothing_and_do_not_give_up(seed: int) -> None:
    player = WithoutSpatialMemory(random_home(seed))

    player.play()

    assert player.home.won or (len(player.done) == 60 and not player.home.lost)
    assert player.home.won or player.plan().actions != (GIVE_UP,)


def moved_to(seed: int) -> Player:
    """Returns a player who remembers another home."""
    before = Player(random_home(seed + 1))
    before.play()
    player = Player(random_home(seed))
    player.graph.update(before.graph.facts)
    return player


@pytest.mark.parametrize("seed", SEEDS[::4])
def test_text_roles_with_memories_of_another_home_spoil_nothing(seed: int) -> None:
    player = moved_to(seed)

    player.play()

    assert not player.home.lost
