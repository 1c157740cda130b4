"""Checks and combines the requests of one text: means to an end, contradictions and repetitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from stma_ros.domains.household.goals import FLOORS, FindGoal, Goal, PlaceGoal, StateGoal
from stma_ros.domains.household.language.noun_phrase import Phrase
from stma_ros.domains.household.language.references import includes
from stma_ros.domains.household.language.request import Request
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import ALL


def drop_means(requests: Sequence[Request]) -> list[Request]:
    """Returns the requests without those to find or take an object that has a further request.

    In "find the mug and put it in the sink", the first request is only a means to the second.
    """
    result: list[Request] = []
    requests = list(requests)
    for i, request in enumerate(requests):
        later = [
            r for r in requests[i + 1 :] if r.phrase == request.phrase and not isinstance(r.goal, FindGoal)
        ]
        if request.means and later:
            continue
        if _is_tidying(request.goal) and any(_has_place(r, request) for r in requests):
            continue  # "the book belongs on the shelf, so put it back"
        goal = request.goal
        further = next(
            (k for k, r in enumerate(requests) if k > i and _names_place_in_room(r, request)), None
        )
        if further is not None and isinstance(goal, PlaceGoal) and goal.destination is not None:
            place = _destination(requests[further])
            for k, other in enumerate(requests[further:], start=further):
                if _destination(other) == place:
                    requests[k] = _in_room(other, goal.destination)
            continue
        result.append(request)
    return result


def with_common_floor(requests: Sequence[Request]) -> list[Request]:
    """Returns the requests with one place for a thing that is wanted both on the floor and next to something: "put the
    bag next to the door, and put the bag on the floor of the hallway"."""
    result = list(requests)
    for floor, beside in permutations(requests, 2):
        if floor not in result or beside not in result or not _share_floor(floor, beside):
            continue
        goal, place, neighbour = floor.goal, _destination(floor), _destination(beside)
        assert isinstance(goal, PlaceGoal)
        assert place is not None
        assert neighbour is not None
        if place.place is not None and neighbour.place is None:
            neighbour = replace(neighbour, relation=place.relation, place=place.place)
        common = replace(place, relation=words.NEAR, place=neighbour)
        result[result.index(floor)] = replace(floor, goal=replace(goal, destination=common))
        result.remove(beside)
    return result


def _share_floor(floor: Request, beside: Request) -> bool:
    """Whether requests name the floor, in a room or anywhere, and a neighbour there for the same things."""
    place, neighbour = _destination(floor), _destination(beside)
    if place is None or neighbour is None or place.category not in FLOORS:
        return False
    is_plain = place.place is None or (
        place.relation == words.IN_ROOM and neighbour.place in (None, place.place)
    )
    are_same = (floor.goal.what, floor.goal.count, floor.stage) == (
        beside.goal.what,
        beside.goal.count,
        beside.stage,
    )
    is_definite = floor.goal.count == ALL or (floor.phrase.definite and beside.phrase.definite)
    is_near = isinstance(beside.goal, PlaceGoal) and beside.goal.relation == words.NEAR
    return are_same and is_near and is_definite and is_plain


def together_if_several(goals: Sequence[Goal]) -> tuple[Goal, ...]:
    """Returns goals without a common place where there is a single thing: "put the cup on one of the tables"."""
    shared = [goal for goal in goals if isinstance(goal, PlaceGoal) and goal.together]
    wanted = Counter(goal.together for goal in shared)
    alone = [goal for goal in shared if goal.count == 1 and wanted[goal.together] == 1 and not goal.apart]
    return tuple(replace(goal, together=0) if goal in alone else goal for goal in goals)


def _is_tidying(goal: Goal) -> bool:
    """Whether things are to be put where they belong, which the goal does not name."""
    return isinstance(goal, PlaceGoal) and goal.destination is None and goal.relation == ""


def _has_place(other: Request, request: Request) -> bool:
    """Whether another request names the place of the objects of a request."""
    return other.phrase == request.phrase and _destination(other) is not None


def _names_place_in_room(later: Request, request: Request) -> bool:
    """Whether a later request names a place in the room of a request.

    An example is "take it to the kitchen and put it on the counter".
    """
    return (
        isinstance(request.goal, PlaceGoal)
        and isinstance(later.goal, PlaceGoal)
        and (later.stage, later.phrase) == (request.stage, request.phrase)
        and request.goal.relation == words.IN_ROOM
        and later.goal.relation not in (words.IN_ROOM, words.HELD_BY)
        and later.goal.destination is not None
        and later.goal.destination.place is None
    )


def _destination(request: Request) -> Description | None:
    return request.goal.destination if isinstance(request.goal, PlaceGoal) else None


def _in_room(request: Request, room: Description) -> Request:
    """Returns a request to place an object, with a room added to its destination."""
    goal = request.goal
    assert isinstance(goal, PlaceGoal)
    assert goal.destination is not None
    destination = replace(goal.destination, relation=words.IN_ROOM, place=room)
    return replace(request, goal=replace(goal, destination=destination))


def contradiction(requests: Sequence[Request]) -> tuple[Goal, Goal] | None:
    """Returns the first two goals that exclude each other, without a sequence between them; None = no
    contradiction."""
    for i, first in enumerate(requests):
        for j, second in enumerate(requests[i + 1 :], start=i + 1):
            same = (
                first.phrase.what == second.phrase.what and first.phrase.definite and second.phrase.definite
            )
            if (
                not (same or _includes(first, second) or _includes(second, first))
                or first.stage != second.stage
                or not _exclude(first.goal, second.goal)
            ):
                continue
            if any(_comes_between(between, first.phrase) for between in requests[i + 1 : j]):
                continue  # "open the fridge, put the milk in it and close it" is in the order of execution
            return first.goal, second.goal
    return None


def _includes(all_of_them: Request, some: Request) -> bool:
    """Whether a request is about all objects of a kind, and another about some of them: "all lamps", "the red lamp"."""
    return all_of_them.goal.count == ALL and includes(some.phrase.what, all_of_them.phrase.what)


def _exclude(first: Goal, second: Goal) -> bool:
    if isinstance(first, StateGoal) and isinstance(second, StateGoal):
        same_dimension = words.STATE_DIMENSION[first.state] == words.STATE_DIMENSION[second.state]
        return same_dimension and first.state != second.state
    if isinstance(first, PlaceGoal) and isinstance(second, PlaceGoal):
        if first.is_mutual or second.is_mutual:
            return False  # "put both mugs on the table, and one mug next to the other mug"
        if first.another or second.another:
            return False  # "put one mug on the table and another in the sink"
        if first.is_away or second.is_away:
            return first.destination == second.destination and first.relation != second.relation
        if words.IN_ROOM in (first.relation, second.relation) and first.relation != second.relation:
            return words.HELD_BY in (first.relation, second.relation)
        if first.destination != second.destination:
            return True
        if first.destination is None and first.relation != second.relation:
            return True  # away, and in the hand
        return "" not in (first.relation, second.relation) and first.relation != second.relation
    return False


def _comes_between(request: Request, thing: Phrase) -> bool:
    """Whether a request between two others shows that the text is in the order of execution."""
    return isinstance(request.goal, PlaceGoal) or request.phrase == thing


def _implied(goal: Goal, other: Goal) -> bool:
    """Whether another goal is the same with a more precise relation.

    An example is "the cheese lives in the fridge, so put it there".
    """
    if not (isinstance(goal, PlaceGoal) and isinstance(other, PlaceGoal)) or goal.destination is None:
        return False
    return goal.relation == "" and replace(other, relation="") == goal


def without_repetitions(goals: Sequence[Goal]) -> tuple[Goal, ...]:
    """Returns the goals without repetitions, unless another goal in between undoes the first one."""
    result: list[Goal] = []
    for goal in goals:
        undone = any(_exclude(goal, other) and other.what == goal.what for other in result)
        if (goal not in result and not any(_implied(goal, other) for other in result)) or undone:
            result.append(goal)
    if any(_exclude(goal, other) and goal.what == other.what for goal in result for other in result):
        return tuple(result)
    return tuple(
        goal for goal in result if not any(_implied(goal, other) for other in result if other != goal)
    )
