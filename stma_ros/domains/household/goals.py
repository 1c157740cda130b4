"""The goals of a household task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.memory.descriptions import Description
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.errors import ContradictionError, ErrorCode, RoleError, TaskNotUnderstoodError
from stma_ros.types.goals import ALL, GoalKind
from stma_ros.types.goals import Goal as GoalMessage


@dataclass(frozen=True)
class FindGoal:
    """Report where `count` such objects are. beside: stand before one of them at the end."""

    what: Description
    count: int = 1
    beside: bool = False

    def __str__(self) -> str:
        return f"{'go to' if self.beside else 'find'} {_counted(self.what, self.count)}"


@dataclass(frozen=True)
class PlaceGoal:
    """`count` such objects are to be at another place.

    Attributes:
        what: the objects.
        count: how many; ALL = every one.
        relation: words.IN, ON or NEAR an object, IN_ROOM, or HELD_BY (the hand holds it at the end); empty = in or on
            the destination, as it takes them.
        destination: None for HELD_BY, and where each object's usual place is meant ("tidy away the toys").
    """

    what: Description
    count: int = 1
    relation: str = ""
    destination: Description | None = None

    def __str__(self) -> str:
        thing = _counted(self.what, self.count)
        if self.destination is None:
            return f"put {thing} away" if not self.relation else f"fetch {thing}"
        return f"put {thing} {self.relation.removesuffix(' room') or 'in or on'} the {self.destination}"


@dataclass(frozen=True)
class StateGoal:
    """`count` such objects are to be in a state: words.STATE_OPEN, CLOSED, ON, OFF, FULL or EMPTY."""

    what: Description
    state: str
    count: int = 1

    def __str__(self) -> str:
        return f"{_counted(self.what, self.count)} {self.state}"


Goal: TypeAlias = FindGoal | PlaceGoal | StateGoal


def goal_message(goal: Goal) -> GoalMessage:
    """Returns the goal as a message."""
    what = goal.what.messages
    match goal:
        case FindGoal():
            return GoalMessage(kind=GoalKind.FIND, what=what, count=goal.count, beside=goal.beside)
        case PlaceGoal():
            destination = () if goal.destination is None else goal.destination.messages
            return GoalMessage(
                kind=GoalKind.PLACE,
                what=what,
                count=goal.count,
                relation=goal.relation,
                destination=destination,
            )
        case StateGoal():
            return GoalMessage(kind=GoalKind.STATE, what=what, count=goal.count, state=goal.state)


def goals_of(belief: TemporalBelief) -> tuple[Goal, ...]:
    """Returns the goals of a belief's task, in the order of the text.

    Raises:
        TaskNotUnderstoodError: the text is not understood; ContradictionError if it contradicts itself.
        RoleError: the text could not be read, with the code that says why, or there is no task parser.
    """
    error = belief.goals_error
    if error.code == ErrorCode.CONTRADICTION:
        raise ContradictionError(error.text)
    if error.code == ErrorCode.TASK_NOT_UNDERSTOOD:
        raise TaskNotUnderstoodError(error.text)
    if error:
        problem = RoleError(error.text)
        problem.code = error.code
        raise problem
    if not belief.goals:
        raise RoleError("the temporal belief holds no goals: temporal memory needs a task_parser")
    return tuple(map(_goal, belief.goals))


def _goal(message: GoalMessage) -> Goal:
    """Raises RoleError for a goal of no known kind, or about nothing."""
    what = Description.of(message.what)
    if what is None:
        raise RoleError("a goal of the temporal belief is about nothing")
    match message.kind:
        case GoalKind.FIND:
            return FindGoal(what, message.count, message.beside)
        case GoalKind.PLACE:
            return PlaceGoal(what, message.count, message.relation, Description.of(message.destination))
        case GoalKind.STATE:
            return StateGoal(what, message.state, message.count)
    raise RoleError("a goal of the temporal belief is of no known kind")


def _counted(what: Description, count: int) -> str:
    if count == 1:
        return f"the {what}"
    return f"{'all' if count == ALL else count} {what.many}"
