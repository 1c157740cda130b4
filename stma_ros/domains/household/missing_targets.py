"""Finds the targets of a task that the beliefs do not locate: objects, places for them, and taps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stma_ros.domains.household.goal_tracker import GoalTracker, Progress
from stma_ros.domains.household.goals import TAP_STATES, FindGoal, PlaceGoal, StateGoal
from stma_ros.domains.household.matching import Evidence
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import ALL

_TAP = Description("sink")


@dataclass(frozen=True)
class MissingTarget:
    """An object or place to search for.

    Attributes:
        what: its description.
        only_there: whether only objects at the described place count.
        is_confined: whether that place is also known, so that no other place needs a search.
        revisit: whether observed places are worth another look once no unobserved place remains, because no such object
            is known and the task fails without it.
    """

    what: Description
    only_there: bool = False
    is_confined: bool = False
    revisit: bool = False


def missing_targets(tracker: GoalTracker) -> tuple[MissingTarget, ...]:
    """Returns the missing targets in the order of the goals, without duplicates."""
    found = (item for index, _ in enumerate(tracker.goals) for item in _of_goal(tracker, index))
    return tuple(dict.fromkeys(found))


def _of_goal(tracker: GoalTracker, index: int) -> Iterator[MissingTarget]:
    progress = tracker.progress[index]
    places = progress.goal.each_of if isinstance(progress.goal, PlaceGoal) else None
    if places is not None and not progress.problem:
        known = places.place is not None and _is_known(tracker, places.place)
        yield MissingTarget(places, only_there=True, is_confined=known)
    if progress.problem or (progress.is_met and progress.goal.count != ALL):
        return
    goal = progress.goal
    revisit = not all(isinstance(other, FindGoal) for other in tracker.goals)  # "not found" is a valid answer
    if progress.needs_more:
        place = goal.what.place
        known = place is not None and _is_known(tracker, place)
        only_there = goal.count == ALL
        revisit = revisit and not (progress.done or progress.left or progress.stuck)
        yield MissingTarget(goal.what, only_there, only_there and known, revisit)
        if place is not None and not known:
            yield MissingTarget(place, revisit=revisit)
    if not (progress.left or progress.needs_more):
        return
    if isinstance(goal, PlaceGoal) and goal.relation != words.HELD_BY:
        yield from _destination(tracker, goal, progress)
    elif isinstance(goal, StateGoal) and goal.state in TAP_STATES:
        objects = tracker.view.objects.values()
        if not any(tracker.view.knowledge.is_tap(item.category) for item in objects if not item.is_missing):
            yield MissingTarget(_TAP, revisit=True)


def _destination(tracker: GoalTracker, goal: PlaceGoal, progress: Progress) -> Iterator[MissingTarget]:
    examples = [match.thing for match in progress.left]
    has_spots = all(tracker.places.spots(goal, thing) for thing in examples)
    if has_spots and (examples or (tracker.places.destinations(goal) and not tracker.places.problem(goal))):
        return
    if goal.destination is not None and not goal.is_away:
        places = tracker.places
        wanted = places.wanted_room(goal) or places.wanted_neighbour(goal) or goal.destination
        yield MissingTarget(wanted, revisit=not tracker.places.destinations(goal))
        return
    knowledge = tracker.view.knowledge
    usual = [kind for kind in knowledge.furniture if knowledge.is_usual(goal.what.category, kind)]
    best = max(usual, key=lambda kind: knowledge.share(goal.what.category, kind), default="")
    if best:
        yield MissingTarget(Description(best), revisit=True)


def _is_known(tracker: GoalTracker, place: Description) -> bool:
    if tracker.view.knowledge.is_room(place.category):
        return any(tracker.matcher.rooms.is_room(name, place.category) for name in tracker.view.rooms)
    return any(match.evidence >= Evidence.WEAK for match in tracker.matcher.matches(place))
