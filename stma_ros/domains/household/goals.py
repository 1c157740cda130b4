"""The goals of a household task."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.errors import ContradictionError, ErrorCode, RoleError, TaskNotUnderstoodError
from stma_ros.types.goals import ALL, GoalKind
from stma_ros.types.goals import Goal as GoalMessage

TAP_STATES = (words.STATE_FULL, words.STATE_EMPTY)
"""States into which an object is brought at a tap, while the robot holds it."""

FLOORS = ("floor", "ground")
"""Categories of places that are not things: what is there lies on the floor."""


@dataclass(frozen=True)
class FindGoal:
    """The goal to report where `count` such objects are.

    Attributes:
        what: the objects.
        count: number of objects; ALL = every one.
        beside: whether the robot has to stand before one of them at the end.
        question: for their place, which is answered in words; empty = they are to be reported.
    """

    what: Description
    count: int = 1
    beside: bool = False
    question: str = ""

    def __str__(self) -> str:
        return f"{'go to' if self.beside else 'find'} {_counted(self.what, self.count)}"


@dataclass(frozen=True)
class PlaceGoal:
    """The goal to put `count` such objects in another place.

    Attributes:
        what: the objects.
        count: number of objects; ALL = every one.
        relation: words.IN, ON or NEAR the destination, AWAY_FROM it (all that are known are anywhere but in, on or
            near it), IN_ROOM, or HELD_BY (the hand holds the object at the end); empty = in or on the destination,
            whichever is possible.
        destination: None with HELD_BY, and for the usual place of each object ("tidy away the toys").
        another: whether other objects are meant than those of earlier goals with the same description.
        together: number of the group of goals whose things are wanted at one and the same place, "the apple and the
            pear in one bowl", and rather at another one than those of other groups; 0 = any place for each.
        apart: numbers of the groups whose place it must not be.
        each: whether `count` of them are wanted at each of all places that fit the destination: "one fork on each
            plate". At a step that is a goal for each place that is known (`each_place.spread`).
        each_of: of such a goal: the description of all the places.
    """

    what: Description
    count: int = 1
    relation: str = ""
    destination: Description | None = None
    another: bool = False
    together: int = 0
    apart: tuple[int, ...] = ()
    each: bool = False
    each_of: Description | None = None

    @property
    def is_mutual(self) -> bool:
        """Whether an object is wanted in, on or near another one of the same description."""
        return self.destination == self.what

    @property
    def is_away(self) -> bool:
        """Whether the objects may be anywhere but at the destination."""
        return self.relation == words.AWAY_FROM

    @property
    def is_on_floor(self) -> bool:
        """Whether the objects are to lie on the floor: anywhere, in a room, or next to something."""
        place = self.destination
        return place is not None and place.category in FLOORS and self.relation != words.NEAR

    def __str__(self) -> str:
        if self.is_mutual and self.count == 1:
            return f"put one {self.what} {self.relation} the other {self.what}"
        if self.is_mutual and self.relation == words.NEAR:
            return f"put {_counted(self.what, self.count)} near one another"
        what = _counted(self.what, self.count, another=self.another)
        if self.destination is None:
            return f"put {what} away" if not self.relation else f"fetch {what}"
        if self.is_away:
            return f"keep {what} away from the {self.destination}"
        article = "each" if self.each else "one" if self.together else "the"
        where = f"{article} {self.destination}"
        return f"put {what} {self.relation.removesuffix(' room') or 'in or on'} {where}"


@dataclass(frozen=True)
class StateGoal:
    """The goal to bring `count` such objects into a state.

    Attributes:
        what: the objects.
        state: words.STATE_OPEN, CLOSED, ON, OFF, FULL or EMPTY.
        count: number of objects; ALL = every one.
    """

    what: Description
    state: str
    count: int = 1

    def __str__(self) -> str:
        return f"{_counted(self.what, self.count)} {self.state}"


Goal: TypeAlias = FindGoal | PlaceGoal | StateGoal


@dataclass(frozen=True)
class QuestionGoal:
    """The goal to answer a question.

    Attributes:
        question: in the words of the task.
    """

    question: str

    def __str__(self) -> str:
        return f"answer {self.question!r}"


def needs_hand(goal: Goal) -> bool:
    """Whether a goal is reached with the object in the hand; a device is switched where it stands."""
    return isinstance(goal, PlaceGoal) or (isinstance(goal, StateGoal) and goal.state in TAP_STATES)


def may_be_more(goal: Goal) -> bool:
    """Whether a goal is about all that there are, so that it is not reached while more of them may be found."""
    return goal.count == ALL or (isinstance(goal, PlaceGoal) and goal.each_of is not None)


def is_about_all_known(goal: Goal) -> bool:
    """Whether a goal holds only if it holds for all objects that are known and may be meant."""
    return goal.count == ALL or (isinstance(goal, PlaceGoal) and goal.is_away)


def named_kinds(goals: Iterable[Goal]) -> frozenset[str]:
    """Returns the categories of all things, places and rooms that are named in goals."""
    messages = map(goal_message, goals)
    return frozenset(part.category for message in messages for part in (*message.what, *message.destination))


def goal_message(goal: Goal | QuestionGoal) -> GoalMessage:
    """Returns the goal as a message."""
    if isinstance(goal, QuestionGoal):
        return GoalMessage(kind=GoalKind.ANSWER, question=goal.question)
    what = goal.what.messages
    match goal:
        case FindGoal():
            return GoalMessage(
                kind=GoalKind.FIND,
                what=what,
                count=goal.count,
                beside=goal.beside,
                question=goal.question,
            )
        case PlaceGoal():
            destination = () if goal.destination is None else goal.destination.messages
            return GoalMessage(
                kind=GoalKind.PLACE,
                what=what,
                count=goal.count,
                another=goal.another,
                together=goal.together,
                apart=goal.apart,
                each=goal.each,
                relation=goal.relation,
                destination=destination,
            )
        case StateGoal():
            return GoalMessage(kind=GoalKind.STATE, what=what, count=goal.count, state=goal.state)


def question_of(belief: TemporalBelief) -> QuestionGoal | None:
    """Returns the question of a belief's task; None for a task that asks for something else."""
    asked = (goal.question for goal in belief.goals if goal.kind == GoalKind.ANSWER)
    return next(map(QuestionGoal, asked), None)


def goals_of(belief: TemporalBelief) -> tuple[Goal, ...]:
    """Returns the goals of a belief's task, in the order of the text.

    Raises:
        TaskNotUnderstoodError: the text is not understood.
        ContradictionError: the text contradicts itself.
        RoleError: the belief has another error, with its code, or no goals because there is no task parser.
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
    """Returns the goal of a message. Raises RoleError for one of unknown kind or without an object."""
    what = Description.of(message.what)
    if what is None:
        raise RoleError("a goal of the temporal belief is about nothing")
    match message.kind:
        case GoalKind.FIND:
            return FindGoal(what, message.count, message.beside, message.question)
        case GoalKind.PLACE:
            destination = Description.of(message.destination)
            flags = message.another, message.together, tuple(message.apart), message.each
            return PlaceGoal(what, message.count, message.relation, destination, *flags)
        case GoalKind.STATE:
            return StateGoal(what, message.state, message.count)
    raise RoleError("a goal of the temporal belief is of no known kind")


def _counted(what: Description, count: int, *, another: bool = False) -> str:
    if count == 1:
        return f"{'another' if another else 'the'} {what}"
    return f"{'all' if count == ALL else count} {'other ' if another else ''}{what.many}"
