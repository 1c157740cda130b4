"""Which room a task means by a kind of room.

The kinds of rooms are guesses. Who says "the shelf in the storage room" knows that there is one: of all rooms, the one
is meant that is likeliest a storage room, however likely it is to be something else. Who names a bedroom and a
children's room means two rooms, even if both look like bedrooms.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from stma_ros.domains.household.belief_index import BeliefIndex, id_order

AMONG_CANDIDATES = 0.7
"""What is likeliest of a kind is meant for sure once all was searched if, given that one of those that may be meant is
of the kind, it is that one with more than this probability."""

_AMONG_ALL = 0.5  # the same for a room, among all rooms
_CERTAIN = 1 - 1e-6  # greatest probability of a kind
_CLAIM = 0.3  # probability from which another name may mean a room
_POSSIBLE_KIND = 0.2  # likelihood of a kind below which a room is not of it


class RoomMeant(NamedTuple):
    """The room that a kind of room means.

    Attributes:
        room: its id; empty = no room is likely at all.
        is_sure: whether it is meant for sure if there are no other rooms than those that are known.
        is_known: whether it is taken for a room of that kind, and more likely is than not.
    """

    room: str = ""
    is_sure: bool = False
    is_known: bool = False


class RoomReferences:
    """The rooms of one belief that the kinds of rooms in a task's text may mean."""

    def __init__(self, view: BeliefIndex, named: Iterable[str] = ()) -> None:
        """Creates the references.

        Args:
            view: index of the beliefs.
            named: the kinds of rooms in the text, canonical names. Different ones mean different rooms.
        """
        self._view = view
        self._named = frozenset(named)

    def is_room(self, name: str, category: str) -> bool:
        """Whether a room of the belief is taken for a room of a category."""
        kind = self._view.rooms.get(name, "")
        return bool(kind) and self._view.knowledge.is_kind(kind, category)

    def may_be_room(self, name: str, category: str) -> bool:
        """Whether a room may be one of a category, or it is not known in which room something is, its name being empty.
        A room that is likely of one kind is of no other."""
        if self._view.is_of_likely_kind(name):
            return self.is_room(name, category)
        return not self._view.room_kinds(name) or self._view.likelihood(name, category) >= _POSSIBLE_KIND

    def meant(self, category: str, candidates: Iterable[str]) -> RoomMeant:
        """Returns which of some rooms is meant by the category, given that one of them is.

        Args:
            category: the kind of room that was named.
            candidates: ids of the rooms that it may be, such as those in which there is a shelf.
        """
        names = sorted(set(candidates) - {""}, key=id_order)
        likely = [name for name in names if self._is_likely(name, category)]
        if len(likely) == 1:
            return RoomMeant(likely[0], is_sure=True, is_known=True)
        weights = {name: self._weight(name, category) for name in self._view.rooms}
        among = {name: weights.get(name, 0.0) for name in likely or names}
        best = max(among, key=lambda name: among[name], default="")
        if not best or not among[best]:
            return RoomMeant()
        total, everywhere = (sum(weights.get(name, 0.0) for name in each) for each in (names, weights))
        is_sure = among[best] > AMONG_CANDIDATES * total and among[best] > _AMONG_ALL * everywhere
        return RoomMeant(best, is_sure, bool(likely))

    def destinations(self, category: str) -> frozenset[str]:
        """Returns the rooms into which something may be put that belongs into a room of a category: those taken for
        one, without rooms of which others are so much likelier that they are meant for sure."""
        likely = {
            name: self._weight(name, category) for name in self._view.rooms if self._is_likely(name, category)
        }
        if not likely:
            return frozenset(name for name in self._view.rooms if self.is_room(name, category))
        least = max(likely.values()) * (1 - AMONG_CANDIDATES) / AMONG_CANDIDATES
        return frozenset(name for name, weight in likely.items() if weight >= least)

    def _is_likely(self, name: str, category: str) -> bool:
        """Whether a room of the belief is likely of a category, and no other name in the text may mean it."""
        return self._is_taken_for(name, category) and not self._is_claimed(name, category)

    def _is_taken_for(self, name: str, category: str) -> bool:
        """Whether a room of the belief is taken for one of a category, and more likely is than not."""
        return self.is_room(name, category) and self._view.is_of_likely_kind(name)

    def _weight(self, name: str, category: str) -> float:
        """Returns the odds that a room is of a category and that no other name in the text means it."""
        others = (
            shares[name] for kind, shares in self._claims.items() if not self._are_related(kind, category)
        )
        return odds(self._view.likelihood(name, category)) * math.prod(1 - share for share in others)

    def _is_claimed(self, name: str, category: str) -> bool:
        """Whether another name in the text may mean a room."""
        return any(
            shares[name] > _CLAIM and self._view.likelihood(name, kind) > _POSSIBLE_KIND
            for kind, shares in self._claims.items()
            if not self._are_related(kind, category)
        )

    @cached_property
    def _claims(self) -> dict[str, dict[str, float]]:
        """The probability that a kind of room in the text, of which no room is known to be, means each room."""
        claims = {}
        for kind in sorted(self._named):
            if any(self._is_taken_for(name, kind) for name in self._view.rooms):
                continue
            weights = {name: odds(self._view.likelihood(name, kind)) for name in self._view.rooms}
            total = sum(weights.values())
            if total:
                claims[kind] = {name: value / total for name, value in weights.items()}
        return claims

    def _are_related(self, one: str, other: str) -> bool:
        return self._view.knowledge.are_related(one, other)


def odds(probability: float) -> float:
    """Returns the odds; of several events of which exactly one happens, each has a probability in proportion to its."""
    probability = min(probability, _CERTAIN)
    return probability / (1 - probability)
