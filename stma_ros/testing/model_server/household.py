"""Planner and critic of a household robot as a model would play them: each reads its question's text, lets the rules
decide, and words the reply. Each raises UnreadableQuestionError for a question that is not laid out as theirs are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.endings import GIVE_UP
from stma_ros.domains.household.goals import Goal
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.roles.critic import CritiqueAnswer, CritiqueReply
from stma_ros.roles.planner import PlanAnswer, PlanReply
from stma_ros.testing.model_server.deciding import (
    Reading,
    critique_query,
    critique_reply,
    plan_query,
    plan_reply,
)
from stma_ros.testing.model_server.household_beliefs import read_action, read_spatial, read_temporal
from stma_ros.types.errors import ContradictionError, ErrorCode, TaskNotUnderstoodError
from stma_ros.types.planning import Criterion, Verdict

Understanding: TypeAlias = Callable[[str], tuple[Goal, ...]]

_KNOWLEDGE = household_categories()
_UNDERSTAND: Understanding = HouseholdLanguage(_KNOWLEDGE).goals
_READING = Reading(read_temporal, read_spatial, read_action)


def plan(question: str, understand: Understanding = _UNDERSTAND) -> PlanReply:
    """A task that nobody can make sense of is given up. Raises TaskNotUnderstoodError or RoleError where that is not
    allowed."""
    query = plan_query(question, _READING)
    try:
        answer = SymbolicPlanner(_KNOWLEDGE, understand).answer(query)
    except TaskNotUnderstoodError as problem:
        if GIVE_UP not in query.allowed_actions:
            raise
        excluded = isinstance(problem, ContradictionError)
        failure = ErrorCode.CONTRADICTION if excluded else ErrorCode.IMPOSSIBLE
        answer = PlanAnswer("end the task", (GIVE_UP,), str(problem), failure)
    return plan_reply(answer)


def criticise(question: str, understand: Understanding = _UNDERSTAND) -> CritiqueReply:
    """Of a task that nobody can make sense of, every action but giving up is refused."""
    query = critique_query(question, _READING)
    try:
        answer = SymbolicCritic(_KNOWLEDGE, understand).answer(query)
    except TaskNotUnderstoodError as problem:
        refused = CritiqueAnswer(Verdict.REJECTED, Criterion.ALIGNMENT, str(problem))
        answer = CritiqueAnswer(Verdict.ACCEPTED) if query.action == GIVE_UP else refused
    return critique_reply(answer)
