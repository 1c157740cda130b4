"""Plans for one object each: fetch it and put it in its place, switch it on, fill it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stma_ros.domains.household.belief_index import BeliefIndex, Thing, id_order
from stma_ros.domains.household.feasibility import Access
from stma_ros.domains.household.goal_tracker import FILLINGS, SKILL_FOR, GoalTracker
from stma_ros.domains.household.goals import FindGoal, PlaceGoal, StateGoal
from stma_ros.domains.household.matching import Evidence
from stma_ros.domains.household.outcome_index import OutcomeIndex, action
from stma_ros.domains.household.places import Spot
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action

COMMAND = 5.0
"""Way [m] that one command is worth."""

TAKE_ALONG = 3
"""Rank of a subplan that only picks an object up, because its place is not known yet."""


@dataclass(frozen=True)
class Subplan:
    """Actions that bring one goal forward by one object.

    Attributes:
        goal: index of the goal; -1 = none.
        thing: id of the object.
        place: id of its destination; empty = none.
        subgoal: for people.
        actions: in order.
        rank: subplans of lower rank come first, whatever they cost.
        length: of the way to the first action [m].
    """

    goal: int
    thing: str
    place: str
    subgoal: str
    actions: tuple[Action, ...]
    rank: int
    length: float

    @property
    def cost(self) -> float:
        """Length of the way, and the cost of its commands [m]."""
        return self.length + COMMAND * len(self.actions)

    @property
    def order(self) -> tuple[int, float, int, tuple[str, int, str], tuple[str, int, str]]:
        """Sort key: rank, then cost."""
        return self.rank, self.cost, self.goal, id_order(self.thing), id_order(self.place)


class SubplanGenerator:
    """Generates the subplans that can be begun now."""

    def __init__(self, tracker: GoalTracker, *, empty_handed: bool = False) -> None:
        """Creates a generator.

        Args:
            tracker: of the goals.
            empty_handed: generate what could be begun if the hand was empty.
        """
        self._tracker = tracker
        self._view: BeliefIndex = tracker.view
        self._history: OutcomeIndex = tracker.history
        self._access: Access = tracker.access
        held = self._view.held
        self.held = self._view.things[held] if held and not empty_handed else None

    def of_goals(self, goals: frozenset[int]) -> tuple[Subplan, ...]:
        """Returns the subplans of these goals, best first, for each object and place."""
        found = (subplan for index in sorted(goals) for subplan in self._of_goal(index))
        return tuple(sorted((e for e in found if self._access.may_do(e.actions)), key=lambda e: e.order))

    def put_down(self) -> tuple[Subplan, ...]:
        """Returns subplans that free the hand, best first."""
        if self.held is None and not self._history.holds_something_unknown:
            return ()
        thing, name = (self.held.id, self.held.id) if self.held else ("", "what is in the hand")
        found = [
            Subplan(-1, thing, spot.place.id, f"put {name} down", self._deliver(spot), 0, 0.0)
            for spot in self._tracker.places.anywhere(self.held)
            if self._access.way_to(spot.place.id) is not None
        ]
        found = [subplan for subplan in found if self._access.may_do(subplan.actions)]
        return tuple(
            sorted(
                found,
                key=lambda e: (len(e.actions), self._access.length(e.place), id_order(e.place)),
            )
        )

    def _of_goal(self, index: int) -> Iterator[Subplan]:
        progress = self._tracker.progress[index]
        goal = progress.goal
        for match in progress.left:
            thing = match.thing
            if isinstance(goal, FindGoal):
                way = self._access.way_to(thing.id)
                if way:
                    aim = "go to" if goal.beside and match.evidence != Evidence.WEAK else "make sure of"
                    yield self._subplan(index, thing, "", f"{aim} {thing.id}", way, 2)
            elif isinstance(goal, PlaceGoal):
                yield from self._placing(index, goal, thing)
            elif goal.state in FILLINGS:
                yield from self._filling(index, goal, thing)
            else:
                way = self._way(thing.id)
                if way is not None:
                    skill = SKILL_FOR[goal.state]
                    actions = (*way, action(skill, thing.id))
                    yield self._subplan(index, thing, "", f"{skill.replace('_', ' ')} {thing.id}", actions, 1)

    def _placing(self, index: int, goal: PlaceGoal, thing: Thing) -> Iterator[Subplan]:
        fetching = self._fetch(thing)
        if fetching is None:
            return
        if goal.relation == words.HELD_BY:
            yield self._subplan(index, thing, "", f"fetch {thing.id}", fetching, 1)
            return
        rank = 0 if thing.held else 1
        spots = self._tracker.places.spots(goal, thing)
        reached = False
        for spot in spots:
            # What is fetched first lies between: the robot stands elsewhere then.
            delivery = self._deliver(
                spot, afresh=bool(fetching) and fetching[0].skill == words.SKILL_NAVIGATE
            )
            if delivery:
                reached = True
                into = "into" if spot.skill == words.SKILL_PLACE_IN else "onto"
                said = f"put {thing.id} {into} {spot.place.id}"
                yield self._subplan(index, thing, spot.place.id, said, (*fetching, *delivery), rank)
        if not reached and fetching and fetching[0].skill == words.SKILL_PICK:
            yield self._subplan(index, thing, "", f"take {thing.id} along", fetching, TAKE_ALONG)

    def _filling(self, index: int, goal: StateGoal, thing: Thing) -> Iterator[Subplan]:
        fetching = self._fetch(thing)
        if fetching is None:
            return
        skill = SKILL_FOR[goal.state]
        for tap in self._view.things.values():
            if not self._view.knowledge.is_tap(tap.category) or tap.is_missing:
                continue
            moved = bool(fetching) and fetching[0].skill == words.SKILL_NAVIGATE
            way = self._way(tap.id, moved)
            if way is not None:
                actions = (*fetching, *way, action(skill, tap.id))
                yield self._subplan(
                    index, thing, tap.id, f"{skill} {thing.id} at {tap.id}", actions, 0 if thing.held else 1
                )

    def _fetch(self, thing: Thing) -> tuple[Action, ...] | None:
        """Returns the actions that get an object into the hand; None if the hand is full or no way is known."""
        if thing.held:
            return ()
        if self.held is not None:
            return None
        way = self._access.way_to_thing(thing.id)
        if way is None:
            return None
        opening = self._access.opening(thing.inside) if thing.inside else ()
        if opening:
            way = self._access.clearing(thing.inside) or way
        return (*way, *opening, action(words.SKILL_PICK, thing.id))

    def _deliver(self, spot: Spot, *, afresh: bool = False) -> tuple[Action, ...]:
        """Returns the actions that put the held object in its place; empty if no way is known."""
        way = self._way(spot.place.id, afresh)
        if way is None:
            return ()
        opening = self._access.opening(spot.place.id) if spot.skill == words.SKILL_PLACE_IN else ()
        return (*way, *opening, action(spot.skill, spot.place.id))

    def _way(self, target: str, afresh: bool = False) -> tuple[Action, ...] | None:
        way = self._access.way_to(target)
        if way is None:
            return None
        if way == () and afresh:
            way = (action(words.SKILL_NAVIGATE, target),)
        return self._access.clearing(target) or way

    def _subplan(
        self, goal: int, thing: Thing, place: str, subgoal: str, actions: tuple[Action, ...], rank: int
    ) -> Subplan:
        first = actions[0].arguments[0] if actions and actions[0].arguments else thing.id
        return Subplan(goal, thing.id, place, subgoal, actions, rank, self._access.length(first))
