"""Task parser: reads the text of a task as goals, once, when the task begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from stma_ros.roles.corruption import Corrupted, CorruptionInput, FaultKind
from stma_ros.roles.spec import Role, RoleSpec, UnusableReplyError, Wait
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.goals import ALL, Goal, GoalKind, ThingDescription

READING: Final = "About the task: "
"""Begins each remark on the reading of a task among the observations of the temporal belief."""

_MAX_PLACES = 3  # nested places in the description of an object


@dataclass(frozen=True)
class TaskQuery:
    """The question to the task parser.

    Attributes:
        task: text of the task.
    """

    task: str


@dataclass(frozen=True)
class ParsedTask:
    """The task parser's answer.

    Attributes:
        goals: of the task, in the order of the text.
        error: why there are no goals, for people: TASK_NOT_UNDERSTOOD or CONTRADICTION.
        remarks: what people should know of how the text was read, as sentences: corrected typing errors.
    """

    goals: tuple[Goal, ...] = ()
    error: Error = Error()
    remarks: tuple[str, ...] = ()


TaskParserRole: TypeAlias = Role[TaskQuery, ParsedTask]
"""Reads the text of a task as goals."""


def remarks_among(observations: Sequence[str]) -> tuple[str, ...]:
    """Returns the remarks on the reading of a task among the observations of a temporal belief."""
    return tuple(text.removeprefix(READING) for text in observations if text.startswith(READING))


# -- the question as text


def _text(query: TaskQuery) -> str:
    return f"Task: {query.task}"


# -- the reply


Colour: TypeAlias = Literal[
    "black", "white", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown"
]


@dataclass(frozen=True)
class ThingReply:
    """A thing, a place or a room. relation: how it is placed relative to the next of the list."""

    category: str
    colours: list[Colour]
    size: Literal["", "small", "large"]
    relation: Literal["", "in", "on", "near", "in room"]
    id: str


@dataclass(frozen=True)
class GoalReply:
    """count: 0 for all that there are. question: of kind answer, which has no other parts, and of find if it asks."""

    kind: Literal["find", "place", "state", "answer"]
    what: list[ThingReply]
    count: int
    another: bool
    together: int
    apart: list[int]
    each: bool
    beside: bool
    relation: Literal["", "in", "on", "near", "in room", "held by"]
    destination: list[ThingReply]
    state: Literal["", "open", "closed", "on", "off", "full", "empty"]
    question: str


@dataclass(frozen=True)
class TaskReply:
    """reasoning: with a problem, what people are told of it."""

    reasoning: str
    problem: Literal["none", "not_understood", "contradiction"]
    goals: list[GoalReply]


PROBLEMS: Final = {
    "not_understood": ErrorCode.TASK_NOT_UNDERSTOOD,
    "contradiction": ErrorCode.CONTRADICTION,
}
"""Error code of each problem that a reply can name."""


def _read(reply: TaskReply, query: TaskQuery) -> ParsedTask:
    if reply.problem == "none":
        if not reply.goals:
            raise UnusableReplyError(
                "the problem is 'none', and there are no goals: name them, or the problem"
            )
        if len(reply.goals) > 1 and any(goal.kind == "answer" for goal in reply.goals):
            raise UnusableReplyError(
                "a question is answered beside another goal: with one, the problem is 'not_understood'"
            )
        goals = tuple(_goal(goal, number) for number, goal in enumerate(reply.goals, start=1))
        places = {goal.together: (goal.relation, goal.destination) for goal in goals}
        for number, goal in enumerate(goals, start=1):
            if goal.together and places[goal.together] != (goal.relation, goal.destination):
                raise UnusableReplyError(
                    f"goal {number} is of group {goal.together}, whose goals name different places: one and the same"
                )
        return ParsedTask(goals)
    reason = reply.reasoning.strip()
    if reply.goals:
        raise UnusableReplyError(
            f"the problem is {reply.problem!r}, and there are goals: name one or the other"
        )
    if not reason:
        raise UnusableReplyError(f"the problem is {reply.problem!r}, and the reasoning does not say which")
    return ParsedTask(error=Error(PROBLEMS[reply.problem], reason))


def _goal(reply: GoalReply, number: int) -> Goal:
    kind = GoalKind[reply.kind.upper()]
    problem = _problem(reply, kind)
    if problem:
        raise UnusableReplyError(f"goal {number} ({reply.kind}) {problem}")
    return Goal(
        kind=kind,
        what=_descriptions(reply.what, number),
        count=reply.count,
        another=reply.another,
        together=reply.together,
        apart=tuple(reply.apart),
        each=reply.each,
        beside=reply.beside,
        relation=reply.relation,
        destination=_descriptions(reply.destination, number),
        state=reply.state,
        question=reply.question.strip(),
    )


def _problem(reply: GoalReply, kind: GoalKind) -> str:
    """Returns why the fields of a goal do not fit together; empty = they do."""
    if kind == GoalKind.ANSWER and not reply.question.strip():
        return "needs the question"
    if reply.question.strip() and kind not in (GoalKind.ANSWER, GoalKind.FIND):
        return "has a question, which only answer and find can"
    if not 0 <= reply.count < 2**32:  # of an answer too: no message could hold it
        return f"is about {reply.count} things; count from 1, or 0 for all that there are"
    if kind == GoalKind.ANSWER:
        flags = reply.another or reply.together or reply.apart or reply.each or reply.beside
        has_more = flags or reply.what or reply.state or reply.destination or reply.relation
        return "has other parts than the question: leave them empty" if has_more else ""
    if not reply.what:
        return "does not say what it is about"
    if reply.another and kind != GoalKind.PLACE:
        return "says 'another', which only place can"
    if not 0 <= reply.together < 2**32:
        return f"is of group {reply.together}; count from 1, or 0 for none"
    if reply.together and kind != GoalKind.PLACE:
        return "says 'together', which only place can"
    if reply.apart and not reply.together:
        return "says 'apart' and is of no group: number those that go together"
    if any(not 0 < group < 2**32 or group == reply.together for group in reply.apart):
        return f"is to be apart from {reply.apart}: name other groups by their numbers"
    if reply.each and reply.together:
        return "says 'each' and is of a group with one place: choose one"
    if reply.each and (kind != GoalKind.PLACE or not reply.destination or reply.count == ALL):
        return "says 'each', which only place with a destination and a count can"
    if reply.beside and kind != GoalKind.FIND:
        return "says 'beside', which only find can"
    if (reply.state != "") != (kind == GoalKind.STATE):
        return "needs a state" if kind == GoalKind.STATE else "has a state, which only state can"
    if kind != GoalKind.PLACE:
        return "has a destination or a relation, which only place can" if _has_destination(reply) else ""
    if reply.relation == words.HELD_BY and reply.destination:
        return "is to be held, and has a destination: choose one"
    if reply.relation not in ("", words.HELD_BY) and not reply.destination:
        return f"says {reply.relation!r} and not of what: name the destination"
    return ""


def _has_destination(reply: GoalReply) -> bool:
    return bool(reply.relation or reply.destination)


def _descriptions(replies: Sequence[ThingReply], number: int) -> tuple[ThingDescription, ...]:
    if len(replies) > 1 + _MAX_PLACES:
        raise UnusableReplyError(f"goal {number} describes a thing by more than {_MAX_PLACES} places")
    if replies and replies[-1].relation:
        raise UnusableReplyError(
            f"goal {number}: {replies[-1].category!r} comes last and is {replies[-1].relation!r} nothing: name the "
            "place after it, or leave the relation empty"
        )
    return tuple(_description(reply, number) for reply in replies)


def _description(reply: ThingReply, number: int) -> ThingDescription:
    category = " ".join(reply.category.lower().replace("_", " ").split())
    if not category:
        raise UnusableReplyError(f"goal {number} names a thing without a category")
    return ThingDescription(
        category=category,
        colours=tuple(dict.fromkeys(reply.colours)),
        size=reply.size,
        relation=reply.relation,
        id=reply.id.strip(),
    )


# -- faults


def _corrupt(target: CorruptionInput[TaskQuery, ParsedTask]) -> Corrupted[ParsedTask] | None:
    """Omits a goal, or inverts one: its state becomes the opposite, or its object and destination are exchanged."""
    goals = target.answer.goals
    invertible = [index for index, goal in enumerate(goals) if goal.state or goal.destination]
    if target.kind is FaultKind.OMITTED and len(goals) > 1:
        at = target.pick(len(goals))
        remaining = (*goals[:at], *goals[at + 1 :])
        return Corrupted(replace(target.answer, goals=remaining), FaultKind.OMITTED, f"goal {at + 1}")
    if not invertible:
        return None
    at = invertible[target.pick(len(invertible))]
    changed = (*goals[:at], _inverted(goals[at]), *goals[at + 1 :])
    return Corrupted(replace(target.answer, goals=changed), FaultKind.FLIPPED, f"goal {at + 1}")


def _inverted(goal: Goal) -> Goal:
    if goal.state:
        return replace(goal, state=_OPPOSITE[goal.state])
    return replace(goal, what=goal.destination, destination=goal.what, count=1)


_OPPOSITE = {
    state: other
    for pair in (
        (words.STATE_OPEN, words.STATE_CLOSED),
        (words.STATE_ON, words.STATE_OFF),
        (words.STATE_FULL, words.STATE_EMPTY),
    )
    for state, other in (pair, pair[::-1])
}


TASK_PARSER = RoleSpec(
    name="task_parser",
    question=TaskQuery,
    answer=ParsedTask,
    reply=TaskReply,
    text=_text,
    read=_read,
    wait=Wait.BELIEFS,
    faults=(FaultKind.OMITTED, FaultKind.FLIPPED),
    corrupt=_corrupt,
    follows_default=False,
)
