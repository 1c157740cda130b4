"""Places where an object can be put so that a goal is met, and whether it is there."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from stma_ros.domains.household.belief_index import FILLING, BeliefIndex, Thing
from stma_ros.domains.household.feasibility import ATTEMPTS, Access
from stma_ros.domains.household.goals import PlaceGoal
from stma_ros.domains.household.matching import Evidence, Match, Matcher
from stma_ros.domains.household.outcome_index import Key, OutcomeIndex, action, key
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode

_REFUSED = {
    ErrorCode.NO_ROOM: "is full",
    ErrorCode.HOLDS_NOTHING: "holds nothing",
    ErrorCode.DOES_NOT_FIT: "is too small for it",
    ErrorCode.IS_CLOSED: "cannot be opened",
}


@dataclass(frozen=True)
class Spot:
    """A place, and the skill that puts objects there."""

    place: Thing
    skill: str


class Places:
    """Answers questions of places by the beliefs of one step."""

    def __init__(
        self,
        view: BeliefIndex,
        history: OutcomeIndex,
        matcher: Matcher,
        access: Access,
        allowed: Collection[Key],
        floor: Evidence,
    ) -> None:
        self._view = view
        self._knowledge = view.knowledge
        self._history = history
        self._matcher = matcher
        self._access = access
        self._allowed = allowed
        self._floor = floor
        self._destinations: dict[PlaceGoal, tuple[Thing, ...]] = {}

    def wants_room(self, goal: PlaceGoal) -> bool:
        """Whether a goal accepts any place in a room."""
        return goal.destination is not None and (
            goal.relation == words.IN_ROOM or self._knowledge.is_room(goal.destination.category)
        )

    def take_things(self, category: str) -> bool:
        """Whether objects can be put in or on places of this category."""
        return self._knowledge.is_surface(category) or self._knowledge.is_receptacle(category)

    def is_there(self, goal: PlaceGoal, thing: Thing) -> bool:
        """Whether an object is where a goal wants it."""
        if goal.relation == words.HELD_BY or thing.held:
            return thing.held and goal.relation == words.HELD_BY
        destination = goal.destination
        if destination is None:
            holder = self._view.things.get(thing.holder)
            return holder is not None and self._knowledge.is_usual(thing.category, holder.category)
        if self.wants_room(goal):
            return self._matcher.is_in_room(thing, destination)
        if goal.relation == words.NEAR:
            return self._matcher.is_near(thing, destination)
        for predicate, name in self._view.chain(thing):
            holder = self._view.things.get(name)
            if holder is not None and self._is_destination(goal, holder):
                return self._matcher.holds_by(predicate, goal.relation, holder)
        return False

    def was_there(self, goal: PlaceGoal, thing: Thing) -> bool:
        """Whether the robot has put an object there before."""
        if goal.relation == words.HELD_BY:
            return self._history.was_picked(thing.id)
        there = {place.id for place in self.known(goal)}
        return any(place in there for _, place in self._history.placements(thing.id))

    def known(self, goal: PlaceGoal) -> tuple[Thing, ...]:
        """Returns the places that a goal names, usable or not."""
        if goal not in self._destinations:
            self._destinations[goal] = tuple({place.id: place for place in self._known(goal)}.values())
        return self._destinations[goal]

    def spots(self, goal: PlaceGoal, thing: Thing) -> tuple[Spot, ...]:
        """Returns the spots where an object can be put, without those that refused it."""
        found = (spot for place in self.known(goal) for spot in self._spots(goal, place, thing))
        return tuple(spot for spot in found if not self.refusal(spot, thing))

    def anywhere(self, thing: Thing | None) -> tuple[Spot, ...]:
        """Returns every surface on which an object can be put down; None = an unknown object."""
        found = (
            Spot(place, words.SKILL_PLACE_ON)
            for place in self._view.things.values()
            if self._knowledge.is_surface(place.category) and not place.is_missing
        )
        return tuple(spot for spot in found if self._is_offered(spot) and not self.refusal(spot, thing))

    def refusal(self, spot: Spot, thing: Thing | None) -> str:
        """Returns why a spot does not take an object, as attempts have shown; empty = it may."""
        if spot.place.state(FILLING) == words.STATE_FULL:
            return _REFUSED[ErrorCode.NO_ROOM]
        failures = self._history.refusals(action(spot.skill, spot.place.id))
        codes = [
            failure.outcome.error.code
            for failure in failures
            if failure.outcome.error.code != ErrorCode.DOES_NOT_FIT
            or thing is None
            or failure.held in ("", thing.id)
        ]
        for code in (ErrorCode.NO_ROOM, ErrorCode.HOLDS_NOTHING, ErrorCode.DOES_NOT_FIT):
            if code in codes:
                return _REFUSED[code]
        if ErrorCode.IS_CLOSED in codes and self._access.is_stuck(spot.place.id):
            return _REFUSED[ErrorCode.IS_CLOSED]
        other = [
            code for code in codes if code not in (ErrorCode.IS_CLOSED, ErrorCode.TOO_FAR, ErrorCode.DROPPED)
        ]
        other = [code for code in other if code not in (ErrorCode.HAND_EMPTY, ErrorCode.NO_SUCH_TARGET)]
        if len(other) >= ATTEMPTS or codes.count(ErrorCode.TOO_FAR) > ATTEMPTS:
            return f"could not be used ({failures[-1].outcome.error.text.rstrip('.')})"
        return ""

    def problem(self, goal: PlaceGoal) -> str:
        """Returns why no known place takes any object; empty if one does, or none is known."""
        reasons = []
        for place in self.known(goal):
            spots = tuple(self._spots(goal, place, None))
            refused = [self.refusal(spot, None) for spot in spots]
            if any(not reason for reason in refused):
                return ""
            reasons.append(f"{place.id} {refused[0] if refused else _REFUSED[ErrorCode.HOLDS_NOTHING]}")
        return " and ".join(reasons)

    def _is_destination(self, goal: PlaceGoal, place: Thing) -> bool:
        assert goal.destination is not None
        return any(match.thing.id == place.id for match in self._meant(goal.destination))

    def _meant(self, place: Description) -> tuple[Match, ...]:
        """Returns the places that may be meant; less likely ones only if no likely one is known."""
        matches = self._matcher.matches(place)
        best = max((match.evidence for match in matches), default=self._floor)
        floor = max(self._floor, min(best, Evidence.WEAK))
        return tuple(match for match in matches if match.evidence >= floor)

    def _known(self, goal: PlaceGoal) -> Iterator[Thing]:
        things = [thing for thing in self._view.things.values() if not thing.is_missing and not thing.held]
        if goal.destination is None:
            yield from (
                t for t in things if self._knowledge.is_furniture(t.category) and self.take_things(t.category)
            )
        elif self.wants_room(goal):
            rooms = {name for name in self._view.rooms if self._matcher.is_room(name, goal.destination)}
            inside = [thing for thing in things if self._view.room_of(thing) in rooms]
            yield from (thing for thing in inside if self._knowledge.is_surface(thing.category))
            yield from (thing for thing in inside if self._is_open_receptacle(thing.category))
        elif goal.relation == words.NEAR:
            for match in self._meant(goal.destination):
                anchor = match.thing
                names = (anchor.on, anchor.inside, *self._view.near(anchor.id))
                neighbours = [self._view.things[name] for name in names if name in self._view.things]
                yield from (thing for thing in neighbours if self.take_things(thing.category))
        else:
            yield from (m.thing for m in self._meant(goal.destination) if not m.thing.held)

    def _spots(self, goal: PlaceGoal, place: Thing, thing: Thing | None) -> Iterator[Spot]:
        if thing is not None and thing.id in (place.id, place.holder):
            return
        if (
            goal.destination is None
            and thing is not None
            and not self._knowledge.is_usual(thing.category, place.category)
        ):
            return
        onto, into = Spot(place, words.SKILL_PLACE_ON), Spot(place, words.SKILL_PLACE_IN)
        takes = [spot for spot in (onto, into) if self._is_offered(spot)]
        if len(takes) == 2 and goal.relation == words.ON:
            takes = [onto]
        elif len(takes) == 2 and goal.relation == words.IN and not self.wants_room(goal):
            takes = [into]
        yield from takes

    def _is_offered(self, spot: Spot) -> bool:
        return key(action(spot.skill, spot.place.id)) in self._allowed

    def _is_open_receptacle(self, category: str) -> bool:
        return self._knowledge.is_receptacle(category) and not self._knowledge.is_container(category)
