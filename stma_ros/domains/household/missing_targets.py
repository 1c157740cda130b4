"""What a task needs and the beliefs do not locate: objects, places for them, taps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stma_ros.domains.household.goal_tracker import FILLINGS, GoalTracker, Progress
from stma_ros.domains.household.goals import FindGoal, PlaceGoal, StateGoal
from stma_ros.domains.household.matching import Evidence
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import ALL

_TAP = Description("sink")


@dataclass(frozen=True)
class MissingTarget:
    """Something to search for.

    Attributes:
        what: its description.
        strictly: whether only the place in the description counts.
        is_confined: whether that place is known as well, so that no other one matters.
        again: whether no such object is known and the task fails without it, so that, after everything unseen was
            searched, places that were seen only in passing are worth a second look.
    """

    what: Description
    strictly: bool = False
    is_confined: bool = False
    again: bool = False


def missing_targets(tracker: GoalTracker) -> tuple[MissingTarget, ...]:
    """Returns the missing targets in the order of the goals, each once."""
    found = (item for index, _ in enumerate(tracker.goals) for item in _of_goal(tracker, index))
    return tuple(dict.fromkeys(found))


def _of_goal(tracker: GoalTracker, index: int) -> Iterator[MissingTarget]:
    progress = tracker.progress[index]
    if progress.problem or (progress.is_met and progress.goal.count != ALL):
        return
    goal = progress.goal
    again = not all(isinstance(other, FindGoal) for other in tracker.goals)  # "nowhere" is an answer
    if progress.lacking:
        place = goal.what.place
        known = place is not None and _is_known(tracker, place)
        strictly = goal.count == ALL
        again = again and not (progress.done or progress.left or progress.stuck)
        yield MissingTarget(goal.what, strictly, strictly and known, again)
        if place is not None and not known:
            yield MissingTarget(place, again=again)
    if not (progress.left or progress.lacking):
        return
    if isinstance(goal, PlaceGoal) and goal.relation != words.HELD_BY:
        yield from _destination(tracker, goal, progress)
    elif isinstance(goal, StateGoal) and goal.state in FILLINGS:
        things = tracker.view.things.values()
        if not any(tracker.view.knowledge.is_tap(t.category) for t in things if not t.is_missing):
            yield MissingTarget(_TAP, again=True)


def _destination(tracker: GoalTracker, goal: PlaceGoal, progress: Progress) -> Iterator[MissingTarget]:
    examples = [match.thing for match in progress.left]
    takes = all(tracker.places.spots(goal, thing) for thing in examples)
    if takes and (examples or (tracker.places.known(goal) and not tracker.places.problem(goal))):
        return
    if goal.destination is not None:
        yield MissingTarget(goal.destination, again=not tracker.places.known(goal))
        return
    knowledge = tracker.view.knowledge
    usual = [kind for kind in knowledge.furniture if knowledge.is_usual(goal.what.category, kind)]
    best = max(usual, key=lambda kind: knowledge.share(goal.what.category, kind), default="")
    if best:
        yield MissingTarget(Description(best), again=True)


def _is_known(tracker: GoalTracker, place: Description) -> bool:
    if tracker.view.knowledge.is_room(place.category):
        return any(tracker.matcher.is_room(name, place) for name in tracker.view.rooms)
    return any(match.evidence >= Evidence.WEAK for match in tracker.matcher.matches(place))
