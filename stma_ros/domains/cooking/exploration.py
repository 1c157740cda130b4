"""Rates unexplored exits and unopened containers by general knowledge, and orders them for the search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeAlias

from stma_ros.domains.cooking.cooking import CookingRules
from stma_ros.domains.cooking.game_state import ExitRoute, GameState
from stma_ros.domains.cooking.search_order import SearchOption, order_by_latency

_DISCOUNT = 0.7  # of a probability, for each further room on the way
_DEPTH = 2  # further rooms behind an exit that are considered
_BACK = 2  # [moves] back from behind an exit: from the room there, and sometimes from one behind it
_MIN_GAIN = 0.01  # of every exit, so that even the least promising one is taken before giving up

Exploration: TypeAlias = Callable[[GameState], "tuple[SearchOption, ...]"]
"""Returns the places to search, best first."""


def promising(game_state: GameState) -> tuple[SearchOption, ...]:
    """Returns the options in the order in which the targets are likely to be found soonest."""
    return order_by_latency(_options(game_state), game_state.distance)


def nearest(game_state: GameState) -> tuple[SearchOption, ...]:
    """Returns the options in the order of their number of commands."""
    return tuple(sorted(_options(game_state), key=lambda option: (len(option.moves), option.moves)))


EXPLORATIONS: Mapping[str, Exploration] = {"promising": promising, "nearest": nearest}


def _options(game_state: GameState) -> list[SearchOption]:
    """Returns the unexplored exits and unopened containers."""
    found = [
        SearchOption(
            str(route),
            route.moves,
            route.room,
            sum(move == f"open {route.door}" for move in route.moves[-2:]) + 1,
            _BACK,
            _expected_targets(game_state, route) + _MIN_GAIN,
        )
        for route in game_state.unexplored_exits
    ]
    tools = set(game_state.rules.appliances.values())
    hidden = [name for name in game_state.search_targets if name not in tools]
    boxes = game_state.containers if hidden and game_state.recipe else ()
    likelihood = game_state.rules.likelihood_inside
    found += [
        SearchOption(str(box), box.moves, box.room, 1, 0, len(hidden) * likelihood(box.name)) for box in boxes
    ]
    return found


def _expected_targets(game_state: GameState, route: ExitRoute) -> float:
    """Returns the expected number of search targets behind an exit."""
    if (route.room, route.direction) in game_state.likely_loops:
        return 0.0
    rules = game_state.rules
    kinds = rules.rooms_behind(route.room, route.door)
    return sum(
        _probability(name, kinds, rules, game_state.known_rooms, _DEPTH) for name in game_state.search_targets
    )


def _probability(
    name: str, kinds: Collection[str], rules: CookingRules, known: frozenset[str], depth: int
) -> float:
    """Returns the probability that an object is in a room of one of several kinds, or in a room behind it.

    Args:
        name: name of the object.
        kinds: possible kinds of the room; kinds that are common in homes weigh more.
        rules: of cooking.
        known: kinds of the rooms that are known already; the room is of another kind.
        depth: number of further rooms behind it to consider.
    """
    fresh = [kind for kind in kinds if kind not in known]
    if not fresh:
        return 0.0
    total = 0.0
    for kind in fresh:
        there = rules.likelihood(name, kind)
        if depth:
            behind = rules.rooms_behind(kind, "")
            there += (1 - there) * _DISCOUNT * _probability(name, behind, rules, known | {kind}, depth - 1)
        total += rules.common[kind] * there
    return total / sum(rules.common[kind] for kind in fresh)
