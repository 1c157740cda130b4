"""Reads "one fork on each plate" as a goal for every plate that is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from stma_ros.domains.household.belief_index import id_order
from stma_ros.domains.household.goals import Goal, PlaceGoal
from stma_ros.domains.household.matching import Evidence, Matcher
from stma_ros.memory.descriptions import Description


def spread(goals: Sequence[Goal], matcher: Matcher) -> tuple[Goal, ...]:
    """Returns the goals of a task, those that want something at each of several places as one for each that is known:
    about other things each, in the order of the places' ids. Where none is known, any that fits is one of them."""
    return tuple(part for goal in goals for part in _spread(goal, matcher))


def _spread(goal: Goal, matcher: Matcher) -> Iterator[Goal]:
    if not isinstance(goal, PlaceGoal) or not goal.each or goal.destination is None:
        yield goal
        return
    part = replace(goal, each=False, each_of=goal.destination)
    matches = matcher.matches(goal.destination)
    least = min(Evidence.WEAK, max((match.evidence for match in matches), default=Evidence.WEAK))
    likely = (match.thing for match in matches if match.evidence >= least)
    places = sorted(likely, key=lambda place: id_order(place.id))
    for number, place in enumerate(places):
        here = Description(place.category, id=place.id)
        yield replace(part, destination=here, another=goal.another or number > 0)
    if not places:
        yield part
