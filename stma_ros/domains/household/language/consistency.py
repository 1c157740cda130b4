"""What the requests of one text come to together: means, contradictions, repetitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stma_ros.domains.household.goals import FindGoal, Goal, PlaceGoal, StateGoal
from stma_ros.domains.household.language.noun_phrase import Phrase
from stma_ros.domains.household.language.requests import Request
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words


def without_means(requests: Sequence[Request]) -> list[Request]:
    """Without finding and taking what more is asked for: "find the mug and put it in the sink"."""
    result: list[Request] = []
    requests = list(requests)
    for i, request in enumerate(requests):
        later = [
            r for r in requests[i + 1 :] if r.phrase == request.phrase and not isinstance(r.goal, FindGoal)
        ]
        if request.means and later:
            continue
        goal = request.goal
        further = next((k for k, r in enumerate(requests) if k > i and _narrows(r, request)), None)
        if further is not None and isinstance(goal, PlaceGoal) and goal.destination is not None:
            requests[further] = _within(requests[further], goal.destination)
            continue
        result.append(request)
    return result


def _narrows(later: Request, request: Request) -> bool:
    """Whether a place in the room of the first goal is said: "take it to the kitchen and put it on the counter"."""
    return (
        isinstance(request.goal, PlaceGoal)
        and isinstance(later.goal, PlaceGoal)
        and (later.stage, later.phrase) == (request.stage, request.phrase)
        and request.goal.relation == words.IN_ROOM
        and later.goal.relation not in (words.IN_ROOM, words.HELD_BY)
        and later.goal.destination is not None
        and later.goal.destination.place is None
    )


def _within(request: Request, room: Description) -> Request:
    """The request to put something somewhere, with the room of that place."""
    goal = request.goal
    assert isinstance(goal, PlaceGoal)
    assert goal.destination is not None
    destination = replace(goal.destination, relation=words.IN_ROOM, place=room)
    return replace(request, goal=replace(goal, destination=destination))


def contradiction(requests: Sequence[Request]) -> tuple[Goal, Goal] | None:
    """The first two goals that exclude one another though nothing is said to come between them."""
    for i, first in enumerate(requests):
        for j, second in enumerate(requests[i + 1 :], start=i + 1):
            same = (
                first.phrase.what == second.phrase.what and first.phrase.definite and second.phrase.definite
            )
            if not same or first.stage != second.stage or not _exclude(first.goal, second.goal):
                continue
            if any(_moves(between, first.phrase) for between in requests[i + 1 : j]):
                continue  # "open the fridge, put the milk in it and close it": in the order of the telling
            return first.goal, second.goal
    return None


def _exclude(first: Goal, second: Goal) -> bool:
    if isinstance(first, StateGoal) and isinstance(second, StateGoal):
        alike = words.STATE_DIMENSION[first.state] == words.STATE_DIMENSION[second.state]
        return alike and first.state != second.state
    if isinstance(first, PlaceGoal) and isinstance(second, PlaceGoal):
        if words.IN_ROOM in (first.relation, second.relation) and first.relation != second.relation:
            return words.HELD_BY in (first.relation, second.relation)
        if first.destination != second.destination:
            return True
        return "" not in (first.relation, second.relation) and first.relation != second.relation
    return False


def _moves(request: Request, thing: Phrase) -> bool:
    """Whether something is moved, or done to the very thing: who says so in between tells things in their order."""
    return isinstance(request.goal, PlaceGoal) or request.phrase == thing


def _implied(goal: Goal, other: Goal) -> bool:
    """Whether the other says as much and where exactly: "the cheese lives in the fridge, so put it there"."""
    if not (isinstance(goal, PlaceGoal) and isinstance(other, PlaceGoal)) or goal.destination is None:
        return False
    return goal.relation == "" and replace(other, relation="") == goal


def merged(goals: Sequence[Goal]) -> tuple[Goal, ...]:
    """Without what is said again, unless something else was to come between."""
    result: list[Goal] = []
    for goal in goals:
        undone = any(_exclude(goal, other) and other.what == goal.what for other in result)
        if (goal not in result and not any(_implied(goal, other) for other in result)) or undone:
            result.append(goal)
    return tuple(result)
