"""Planner, critic and memory roles of text games together, from the first look to the meal."""

from __future__ import annotations

import pytest

from stma_ros.domains.cooking.exploration import nearest
from stma_ros.domains.cooking.planner import TextPlanner
from stma_ros.types.belief import SpatialBelief
from support.roles.scripted_text_home import random_home, small_home, with_doors
from support.roles.text_player import GIVE_UP, Player

SEEDS = range(1000, 1024)


def test_a_short_way_to_the_meal() -> None:
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
def test_any_small_home_leads_to_the_meal_and_nothing_is_refused(seed: int) -> None:
    player = Player(random_home(seed))

    assert player.play() == []
    assert player.home.won


@pytest.mark.parametrize("seed", SEEDS[::4])
def test_so_it_does_for_one_who_looks_where_it_is_nearest(seed: int) -> None:
    player = Player(random_home(seed), TextPlanner(nearest))

    assert player.play() == []
    assert player.home.won


class Forgetful(Player):
    """Keeps no graph."""

    @property
    def spatial(self) -> SpatialBelief:
        return SpatialBelief()


@pytest.mark.parametrize("seed", SEEDS[::4])
def test_without_spatial_memory_nothing_is_spoilt_and_nobody_gives_up(seed: int) -> None:
    player = Forgetful(random_home(seed))

    player.play()

    assert player.home.won or (len(player.done) == 60 and not player.home.lost)
    assert player.home.won or player.plan().actions != (GIVE_UP,)


def moved_to(seed: int) -> Player:
    """Someone who remembers another home."""
    before = Player(random_home(seed + 1))
    before.play()
    player = Player(random_home(seed))
    player.graph.update(before.graph.facts)
    return player


@pytest.mark.parametrize("seed", SEEDS[::4])
def test_memories_of_another_home_spoil_nothing(seed: int) -> None:
    player = moved_to(seed)

    player.play()

    assert not player.home.lost
