"""Which room a task means by a kind of room, where no room is known to be of that kind.

The kinds of rooms are guesses. Who says "the shelf in the storage room" knows that there is one: of all rooms, the one
is meant that is likeliest a storage room, however likely it is to be something else.
"""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.domains.household.belief_index import BeliefIndex

# A room is meant for sure once all rooms are known if, given that one of them is of the kind, it is that one with more
# than these probabilities: among the rooms with things as described, and among all rooms.
_AMONG_CANDIDATES, _AMONG_ALL = 0.75, 0.5
_CERTAIN = 1 - 1e-6  # greatest probability of a kind of room


def room_meant(view: BeliefIndex, category: str, candidates: Iterable[str]) -> tuple[str, bool]:
    """Returns the likeliest of some rooms to be of a category, given that one of them is.

    Args:
        view: the beliefs.
        category: the kind of room that was named.
        candidates: ids of the rooms that it may be, such as those in which there is a shelf.

    Returns:
        The id of the room, empty where none is likely at all, and whether it is meant for sure if there are no other
        rooms than those that are known.
    """
    odds = {name: _odds(view.likelihood(name, category)) for name in view.rooms}
    among = {name: odds.get(name, 0.0) for name in candidates}
    best = max(among, key=lambda name: among[name], default="")
    if not best or not among[best]:
        return "", False
    is_sure = among[best] > _AMONG_CANDIDATES * sum(among.values())
    return best, is_sure and among[best] > _AMONG_ALL * sum(odds.values())


def _odds(probability: float) -> float:
    """Returns the odds; of several events of which exactly one happens, each has a probability in proportion to its."""
    probability = min(probability, _CERTAIN)
    return probability / (1 - probability)
