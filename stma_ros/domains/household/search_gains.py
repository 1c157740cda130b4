"""What a place is worth to a search: how probable it is, beside others, that missing targets are there."""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.domains.eqa.room_rules import ANY_ROOM
from stma_ros.domains.household.belief_index import BeliefIndex
from stma_ros.domains.household.matching import Matcher
from stma_ros.domains.household.missing_targets import MissingTarget
from stma_ros.types import vocabulary as words

HINT_BONUS = 3.0
"""Factor for places that the task names."""

_ROUTE_IN_ROOM, _ROUTE_ELSEWHERE = 3.0, 0.75  # for places that may reveal a route to a target out of reach
_ELSEWHERE = 0.1  # for places other than the one that the task names


class SearchGains:
    """The gains of places for some targets, by what is known of homes and what the task says."""

    def __init__(
        self,
        targets: Sequence[MissingTarget],
        out_of_reach: Sequence[str],
        view: BeliefIndex,
        matcher: Matcher,
    ) -> None:
        """Takes what is searched for.

        Args:
            targets: the missing targets.
            out_of_reach: ids of known targets without a known route.
            view: the spatial belief.
            matcher: of descriptions.
        """
        self._targets = targets
        self._out_of_reach = out_of_reach
        self._rooms_out_of_reach = {view.room_of(view.objects[name]) for name in out_of_reach} - {""}
        self._view = view
        self._knowledge = view.knowledge
        self._matcher = matcher

    def of_room(self, room: str) -> float:
        """Returns the gain of seeing more of a room, by its id; empty = of an unknown one."""
        kind = self._view.rooms.get(room, "")
        gains = [self._room_factor(item, kind) for item in self._targets]
        return sum(gains) + self._route_gain(room)

    def _route_gain(self, room: str) -> float:
        """Returns the gain of finding a route to the targets out of reach; it is higher in their own room."""
        if not self._out_of_reach:
            return 0.0
        return _ROUTE_IN_ROOM if room in self._rooms_out_of_reach else _ROUTE_ELSEWHERE

    def _room_factor(self, item: MissingTarget, kind: str) -> float:
        """Returns the factor of a target's gain in rooms of a kind."""
        place = item.what.place
        if kind and place is not None and self._knowledge.is_kind(kind, place.category):
            return HINT_BONUS
        if item.is_confined:
            return 0.0
        return self._knowledge.room_factor(item.what.category, kind)

    def inside(self, target: str) -> list[tuple[float, bool]]:
        """Returns for each target that fits into containers the gain of opening one, and whether that is a usual place
        for the target."""
        return [self._inside(item, target) for item in self._targets if self.fits_into_containers(item)]

    def _inside(self, item: MissingTarget, target: str) -> tuple[float, bool]:
        """Returns the gain of opening a container for a target, and whether the container is a usual place for it."""
        thing = self._view.objects.get(target)
        category = thing.category if thing else ""
        kind = self._view.rooms.get(self._view.room_of(thing), "") if thing else ""
        gain = self._knowledge.share(item.what.category, category)
        place = item.what.place
        if place is None:
            return gain * self._room_factor(item, kind), self._knowledge.is_usual(
                item.what.category, category
            )
        if self._knowledge.is_room(place.category):
            if kind and not self._knowledge.is_kind(kind, place.category):
                return (0.0 if item.only_there else gain * _ELSEWHERE), False
            usual = self._knowledge.is_usual(item.what.category, category)
            return gain * self._room_factor(item, kind), usual
        if (
            thing is not None
            and self._matcher.evidence(thing, place) is not None
            and item.what.relation != words.ON
        ):
            return max(gain, self._knowledge.share(item.what.category, "")) * HINT_BONUS, True
        return (0.0 if item.only_there else gain * _ELSEWHERE), False

    def fits_into_containers(self, item: MissingTarget) -> bool:
        """Whether the target fits into containers."""
        category, knowledge = item.what.category, self._knowledge
        is_room = category == ANY_ROOM or knowledge.is_room(category)
        return not (is_room or knowledge.is_furniture(category) or knowledge.is_living(category))
