"""Where to search for what is missing: what general knowledge says of each unexplored exit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeAlias

from stma_ros.domains.cooking.cooking import CookingRules
from stma_ros.domains.cooking.game_state import GameState, Opening
from stma_ros.domains.cooking.search_order import Option, soonest

_FARTHER = 0.7  # what a chance keeps of its worth for each further room between
_DEPTH = 2  # further rooms that are thought of
_BACK = 2  # [moves] out of what lies behind an exit: the room there, and now and then one behind it
_LEAST = 0.01  # gain of a way that common sense knows nothing good of: it is still taken before giving up

Exploration: TypeAlias = Callable[[GameState], "tuple[Option, ...]"]
"""Where to look for what is sought, best first."""


def promising(game_state: GameState) -> tuple[Option, ...]:
    """Returns the options in the order in which the target is likely to be found soonest."""
    return soonest(_options(game_state), game_state.distance)


def nearest(game_state: GameState) -> tuple[Option, ...]:
    """Returns the options by cost alone."""
    return tuple(sorted(_options(game_state), key=lambda option: (len(option.moves), option.moves)))


EXPLORATIONS: Mapping[str, Exploration] = {"promising": promising, "nearest": nearest}


def _options(game_state: GameState) -> list[Option]:
    """Returns the unexplored exits and unopened containers."""
    found = [
        Option(
            str(opening),
            opening.moves,
            opening.room,
            sum(move == f"open {opening.door}" for move in opening.moves[-2:]) + 1,
            _BACK,
            _behind(game_state, opening) + _LEAST,
        )
        for opening in game_state.openings
    ]
    tools = set(game_state.rules.appliances.values())
    hidden = [name for name in game_state.sought if name not in tools]
    boxes = game_state.containers if hidden and game_state.recipe else ()
    likelihood = game_state.rules.likelihood_inside
    found += [
        Option(str(box), box.moves, box.room, 1, 0, len(hidden) * likelihood(box.name)) for box in boxes
    ]
    return found


def _behind(game_state: GameState, opening: Opening) -> float:
    """Returns the expected number of missing objects behind an exit."""
    if (opening.room, opening.direction) in game_state.likely_loops:
        return 0.0
    rules = game_state.rules
    kinds = rules.beyond(opening.room, opening.door)
    return sum(_chance(name, kinds, rules, game_state.known_rooms, _DEPTH) for name in game_state.sought)


def _chance(
    name: str, kinds: Collection[str], rules: CookingRules, known: frozenset[str], depth: int
) -> float:
    """That a thing is in a room that may be of any of some kinds, what more homes have being the more likely, or behind
    that room, as far as is looked ahead."""
    fresh = [kind for kind in kinds if kind not in known]
    if not fresh:
        return 0.0
    total = 0.0
    for kind in fresh:
        there = rules.likelihood(name, kind)
        if depth:
            beyond = rules.beyond(kind, "")
            there += (1 - there) * _FARTHER * _chance(name, beyond, rules, known | {kind}, depth - 1)
        total += rules.common[kind] * there
    return total / sum(rules.common[kind] for kind in fresh)
