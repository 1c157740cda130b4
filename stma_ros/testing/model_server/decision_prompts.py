"""Parses the questions to planners and critics from their text, and makes the replies that a model would give.

The same functions serve all domains; only the texts of beliefs and actions differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from stma_ros.roles.critic import CriterionName, CritiqueAnswer, CritiqueQuery, CritiqueReply
from stma_ros.roles.planner import FailureName, PlanAnswer, PlanQuery, PlanReply
from stma_ros.testing.model_server.sections import required, sections
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Verdict

_HEADINGS = ("Task: ", "What happened:\n", "Where things are:\n", "Now:\n", "Allowed:\n")
_FAILURES: Mapping[ErrorCode, FailureName] = {
    ErrorCode.IMPOSSIBLE: "impossible",
    ErrorCode.CONTRADICTION: "contradiction",
}


@dataclass(frozen=True)
class Parsers:
    """Functions that parse the texts of a domain's beliefs and actions."""

    temporal: Callable[[str], TemporalBelief]
    spatial: Callable[[str], SpatialBelief]
    action: Callable[[str], Action]

    def actions(self, text: str) -> tuple[Action, ...]:
        """Parses a list with one action on each line."""
        return tuple(map(self.action, text.split("\n"))) if text else ()


def plan_query(question: str, parsers: Parsers) -> PlanQuery:
    """Parses a question to the planner.

    Raises:
        UnreadableQuestionError: A required section is missing.
    """
    parts = sections(question, (*_HEADINGS, "The last plan was dropped:\n", "Rejected:\n"))
    return PlanQuery(
        required(parts, "Task"),
        parsers.temporal(parts.get("What happened", "")),
        parsers.spatial(parts.get("Where things are", "")),
        parsers.actions(required(parts, "Allowed")),
        parts.get("The last plan was dropped", ""),
        parsers.actions(parts.get("Rejected", "")),
        parts.get("Now", ""),
    )


def plan_reply(answer: PlanAnswer) -> PlanReply:
    """Returns the reply of a model that gives this answer."""
    actions = list(map(str, answer.actions))
    return PlanReply(answer.reasoning, answer.subgoal, actions, _failure(answer))


def critique_query(question: str, parsers: Parsers) -> CritiqueQuery:
    """Parses a question to the critic.

    Raises:
        UnreadableQuestionError: A required section is missing.
    """
    parts = sections(question, (*_HEADINGS, "Subgoal:\n", "Proposed: "))
    return CritiqueQuery(
        required(parts, "Task"),
        parts.get("Subgoal", ""),
        parsers.action(required(parts, "Proposed")),
        parsers.actions(required(parts, "Allowed")),
        parsers.temporal(parts.get("What happened", "")),
        parsers.spatial(parts.get("Where things are", "")),
        parts.get("Now", ""),
    )


def critique_reply(answer: CritiqueAnswer) -> CritiqueReply:
    """Returns the reply of a model that gives this answer."""
    return CritiqueReply(
        answer.reason or "Nothing speaks against it.",
        cast(CriterionName, answer.criterion.name.lower()),
        "accept" if answer.verdict == Verdict.ACCEPTED else "reject",
    )


def _failure(answer: PlanAnswer) -> FailureName:
    if answer.actions[0].skill != words.SKILL_GIVE_UP:
        return "none"
    return _FAILURES.get(answer.failure, "not_found")
