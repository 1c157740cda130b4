"""Planner and critic of a household robot as a model would play them: each reads its question's text, lets the rules
decide, and words the reply. Each raises UnreadableQuestionError for a question that is not laid out as theirs are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from stma_ros.apps.model_server.household_beliefs import read_action, read_spatial, read_temporal
from stma_ros.apps.model_server.sections import needed, sections
from stma_ros.roles.contracts import CritiqueAnswer, CritiqueQuery, PlanAnswer, PlanQuery
from stma_ros.roles.prompted.replies import CritiqueReply, PlanReply
from stma_ros.roles.symbolic.household.critic import SymbolicCritic
from stma_ros.roles.symbolic.household.endings import GIVE_UP
from stma_ros.roles.symbolic.household.goals import Goal
from stma_ros.roles.symbolic.household.language import parse_task
from stma_ros.roles.symbolic.household.planner import SymbolicPlanner
from stma_ros.types.errors import ContradictionError, ErrorCode, TaskNotUnderstoodError
from stma_ros.types.planning import Action, Criterion, Verdict

Understanding: TypeAlias = Callable[[str], tuple[Goal, ...]]

_MOMENT = ("Task: ", "What happened:\n", "Where things are:\n", "Now:\n", "Allowed:\n")
_NAMED = (ErrorCode.IMPOSSIBLE, ErrorCode.CONTRADICTION)  # failures that a reply has a word for


def plan(question: str, understand: Understanding = parse_task) -> PlanReply:
    """A task that nobody can make sense of is given up. Raises TaskNotUnderstoodError or RoleError where that is not
    allowed."""
    told = sections(question, (*_MOMENT, "The last plan was dropped:\n", "Rejected:\n"))
    query = PlanQuery(
        needed(told, "Task"),
        read_temporal(told.get("What happened", "")),
        read_spatial(told.get("Where things are", "")),
        _actions(needed(told, "Allowed")),
        told.get("The last plan was dropped", ""),
        _actions(told.get("Rejected", "")),
        told.get("Now", ""),
    )
    try:
        answer = SymbolicPlanner(understand).plan(query)
    except TaskNotUnderstoodError as problem:
        if GIVE_UP not in query.allowed_actions:
            raise
        excluded = isinstance(problem, ContradictionError)
        failure = ErrorCode.CONTRADICTION if excluded else ErrorCode.IMPOSSIBLE
        answer = PlanAnswer("end the task", (GIVE_UP,), str(problem), failure)
    return PlanReply.model_validate(
        {
            "reasoning": answer.reasoning,
            "subgoal": answer.subgoal,
            "actions": list(map(str, answer.actions)),
            "failure": _failure(answer),
        }
    )


def _failure(answer: PlanAnswer) -> str:
    if answer.actions[0] != GIVE_UP:
        return "none"
    return answer.failure.name.lower() if answer.failure in _NAMED else "not_found"


def criticise(question: str, understand: Understanding = parse_task) -> CritiqueReply:
    """Of a task that nobody can make sense of, every action but giving up is refused."""
    told = sections(question, (*_MOMENT, "Subgoal:\n", "Proposed: "))
    query = CritiqueQuery(
        needed(told, "Task"),
        told.get("Subgoal", ""),
        read_action(needed(told, "Proposed")),
        _actions(needed(told, "Allowed")),
        read_temporal(told.get("What happened", "")),
        read_spatial(told.get("Where things are", "")),
        told.get("Now", ""),
    )
    try:
        answer = SymbolicCritic(understand).criticise(query)
    except TaskNotUnderstoodError as problem:
        refused = CritiqueAnswer(Verdict.REJECTED, Criterion.ALIGNMENT, str(problem))
        answer = CritiqueAnswer(Verdict.ACCEPTED) if query.action == GIVE_UP else refused
    return CritiqueReply.model_validate(
        {
            "reason": answer.reason or "Nothing speaks against it.",
            "criterion": answer.criterion.name.lower(),
            "verdict": "accept" if answer.verdict == Verdict.ACCEPTED else "reject",
        }
    )


def _actions(listed: str) -> tuple[Action, ...]:
    return tuple(map(read_action, listed.split("\n"))) if listed else ()
