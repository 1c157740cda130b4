"""What a task still needs and nobody knows the place of: things, places for them, taps, ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stma_ros.domains.household.goal_progress import FILLINGS, Household, Progress
from stma_ros.domains.household.goals import FindGoal, PlaceGoal, StateGoal
from stma_ros.domains.household.matching import Evidence
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import ALL

_TAP = Description("sink")


@dataclass(frozen=True)
class Sought:
    """`what` is looked for. `strictly`: where it is said to be, and nowhere else; `is_confined`: moreover that place is
    known, so that nothing beyond it matters. `again`: not one is known, and the task fails without it: where all that
    is unseen has been searched, what was seen only in passing is worth a second look."""

    what: Description
    strictly: bool = False
    is_confined: bool = False
    again: bool = False


def sought(household: Household) -> tuple[Sought, ...]:
    """In the order of the goals, each once."""
    found = (item for index, _ in enumerate(household.goals) for item in _of_goal(household, index))
    return tuple(dict.fromkeys(found))


def _of_goal(household: Household, index: int) -> Iterator[Sought]:
    progress = household.progress[index]
    if progress.problem or (progress.is_met and progress.goal.count != ALL):
        return
    goal = progress.goal
    again = not all(isinstance(other, FindGoal) for other in household.goals)  # "nowhere" is an answer
    if progress.lacking:
        place = goal.what.place
        known = place is not None and _is_known(household, place)
        strictly = goal.count == ALL
        again = again and not (progress.done or progress.left or progress.stuck)
        yield Sought(goal.what, strictly, strictly and known, again)
        if place is not None and not known:
            yield Sought(place, again=again)
    if not (progress.left or progress.lacking):
        return
    if isinstance(goal, PlaceGoal) and goal.relation != words.HELD_BY:
        yield from _destination(household, goal, progress)
    elif isinstance(goal, StateGoal) and goal.state in FILLINGS:
        things = household.view.things.values()
        if not any(household.view.knowledge.is_tap(t.category) for t in things if not t.is_missing):
            yield Sought(_TAP, again=True)


def _destination(household: Household, goal: PlaceGoal, progress: Progress) -> Iterator[Sought]:
    examples = [match.thing for match in progress.left]
    takes = all(household.places.spots(goal, thing) for thing in examples)
    if takes and (examples or (household.places.known(goal) and not household.places.problem(goal))):
        return
    if goal.destination is not None:
        yield Sought(goal.destination, again=not household.places.known(goal))
        return
    knowledge = household.view.knowledge
    usual = [kind for kind in knowledge.furniture if knowledge.is_usual(goal.what.category, kind)]
    best = max(usual, key=lambda kind: knowledge.share(goal.what.category, kind), default="")
    if best:
        yield Sought(Description(best), again=True)


def _is_known(household: Household, place: Description) -> bool:
    if household.view.knowledge.is_room(place.category):
        return any(household.matcher.is_room(name, place) for name in household.view.rooms)
    return any(match.evidence >= Evidence.WEAK for match in household.matcher.matches(place))
