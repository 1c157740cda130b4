"""Planner: chooses the next subgoal and the actions toward it (STMA, section 4.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from stma_ros.roles.actions import not_allowed, read_action
from stma_ros.roles.corruption import Corrupted, CorruptionInput, FaultKind
from stma_ros.roles.rendering import action_lines, headed, sections
from stma_ros.roles.spec import Role, RoleSpec, UnusableReplyError, Wait
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action

_WORD = re.compile(r"\w+")

FAILURES: Mapping[str, ErrorCode] = {
    "none": ErrorCode.NONE,
    "not_found": ErrorCode.NONE,
    "impossible": ErrorCode.IMPOSSIBLE,
    "contradiction": ErrorCode.CONTRADICTION,
}
"""The kinds of failure by their names in replies."""


@dataclass(frozen=True)
class PlanQuery:
    """The question to the planner.

    Attributes:
        task: text of the task.
        temporal: temporal belief of the step.
        spatial: spatial belief of the step.
        allowed_actions: all actions that are possible now.
        feedback: why the last plan was dropped; empty = it was not dropped.
        rejected: actions that the critic rejected at this step.
        observation: text of the world; empty in worlds with cameras.
    """

    task: str
    temporal: TemporalBelief
    spatial: SpatialBelief
    allowed_actions: tuple[Action, ...]
    feedback: str = ""
    rejected: tuple[Action, ...] = ()
    observation: str = ""


@dataclass(frozen=True)
class PlanAnswer:
    """The planner's answer.

    Attributes:
        subgoal: aim of the actions.
        actions: at least one action, of which the first is an allowed one.
        reasoning: explanation for people; with `report`, `answer`, `finish` and `give_up` it is the answer to the task.
        failure: with `give_up`, the kind of failure; NONE = the target was not found.
        seen: with `answer`, ids of the things of the spatial belief that the answer rests on, the main one first.
    """

    subgoal: str
    actions: tuple[Action, ...]
    reasoning: str
    failure: ErrorCode = ErrorCode.NONE
    seen: tuple[str, ...] = ()


PlannerRole: TypeAlias = Role[PlanQuery, PlanAnswer]
"""Returns the next subgoal and the actions toward it."""

# -- the question as text


def _text(query: PlanQuery) -> str:
    return sections(
        f"Task: {query.task}",
        headed("What happened", query.temporal.text),
        headed("Where things are", query.spatial.text),
        headed("Now", query.observation),
        headed("Allowed", action_lines(query.allowed_actions)),
        headed("The last plan was dropped", query.feedback),
        headed("Rejected", action_lines(query.rejected)),
    )


# -- the reply


FailureName: TypeAlias = Literal["none", "not_found", "impossible", "contradiction"]


@dataclass(frozen=True)
class PlanReply:
    """failure: with giving up, why; otherwise none."""

    reasoning: str
    subgoal: str
    actions: list[str]
    failure: FailureName


def _read(reply: PlanReply, query: PlanQuery) -> PlanAnswer:
    if not reply.actions:
        raise UnusableReplyError("there is no action; give at least one, the first of them an allowed one")
    actions = tuple(read_action(text, query.allowed_actions) for text in reply.actions)
    if actions[0] not in query.allowed_actions:
        raise UnusableReplyError(f"the first action {not_allowed(actions[0], query.allowed_actions)}")
    check_failure(reply.failure, actions)
    return PlanAnswer(reply.subgoal.strip(), actions, reply.reasoning.strip(), FAILURES[reply.failure])


def check_failure(failure: FailureName, actions: Iterable[Action]) -> None:
    """Raises UnusableReplyError for a failure without giving up."""
    gives_up = any(action.skill == words.SKILL_GIVE_UP for action in actions)
    if failure != "none" and not gives_up:
        raise UnusableReplyError(
            f"the failure is {failure!r}, and no action is {words.SKILL_GIVE_UP}(): give up, or write 'none'"
        )


# -- faults


def _corrupt(target: CorruptionInput[PlanQuery, PlanAnswer]) -> Corrupted[PlanAnswer]:
    answer, before = target.answer, target.before
    if target.kind is FaultKind.OUTDATED and before is not None and before.actions != answer.actions:
        return Corrupted(before, FaultKind.OUTDATED, str(before.actions[0]))
    at = target.pick(len(answer.actions))
    right = answer.actions[at]
    allowed = target.question.allowed_actions
    wrong = _easily_confused(right, [a for a in allowed if a != right and a.skill != words.SKILL_GIVE_UP])
    if target.kind is not FaultKind.DISALLOWED and wrong:
        kind, action = FaultKind.WRONG, wrong[target.pick(len(wrong))]
    else:
        kind = FaultKind.DISALLOWED
        action = Action(right.skill, (*right.arguments[:-1], f"{''.join(right.arguments[-1:])} somehow"))
    actions = (*answer.actions[:at], action, *answer.actions[at + 1 :])
    return Corrupted(replace(answer, actions=actions), kind, str(action))


def _easily_confused(right: Action, others: Sequence[Action]) -> list[Action]:
    """Returns the actions that share most words with the right one, such as those with another appliance or exit."""
    wanted = _words(right)
    common = [len(wanted & _words(other)) for other in others]
    return [other for other, count in zip(others, common, strict=True) if count == max(common)]


def _words(action: Action) -> set[str]:
    return set(_WORD.findall(str(action)))


PLANNER = RoleSpec(
    name="planner",
    question=PlanQuery,
    answer=PlanAnswer,
    reply=PlanReply,
    text=_text,
    read=_read,
    wait=Wait.PLAN,
    faults=(FaultKind.DISALLOWED, FaultKind.WRONG, FaultKind.OUTDATED),
    corrupt=_corrupt,
)
