"""Parses the questions to planners and critics from their text, and formats the answers as a model would. The same
for all worlds, except for the texts of beliefs and actions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from stma_ros.roles.critic import CriterionName, CritiqueAnswer, CritiqueQuery, CritiqueReply
from stma_ros.roles.planner import FailureName, PlanAnswer, PlanQuery, PlanReply
from stma_ros.testing.model_server.sections import needed, sections
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Verdict

_MOMENT = ("Task: ", "What happened:\n", "Where things are:\n", "Now:\n", "Allowed:\n")
_FAILURES: Mapping[ErrorCode, FailureName] = {
    ErrorCode.IMPOSSIBLE: "impossible",
    ErrorCode.CONTRADICTION: "contradiction",
}


@dataclass(frozen=True)
class Reading:
    """How the beliefs and the actions of a world are read."""

    temporal: Callable[[str], TemporalBelief]
    spatial: Callable[[str], SpatialBelief]
    action: Callable[[str], Action]

    def actions(self, listed: str) -> tuple[Action, ...]:
        """One on each line."""
        return tuple(map(self.action, listed.split("\n"))) if listed else ()


def plan_query(question: str, reading: Reading) -> PlanQuery:
    """Raises UnreadableQuestionError."""
    told = sections(question, (*_MOMENT, "The last plan was dropped:\n", "Rejected:\n"))
    return PlanQuery(
        needed(told, "Task"),
        reading.temporal(told.get("What happened", "")),
        reading.spatial(told.get("Where things are", "")),
        reading.actions(needed(told, "Allowed")),
        told.get("The last plan was dropped", ""),
        reading.actions(told.get("Rejected", "")),
        told.get("Now", ""),
    )


def plan_reply(answer: PlanAnswer) -> PlanReply:
    actions = list(map(str, answer.actions))
    return PlanReply(answer.reasoning, answer.subgoal, actions, _failure(answer))


def critique_query(question: str, reading: Reading) -> CritiqueQuery:
    """Raises UnreadableQuestionError."""
    told = sections(question, (*_MOMENT, "Subgoal:\n", "Proposed: "))
    return CritiqueQuery(
        needed(told, "Task"),
        told.get("Subgoal", ""),
        reading.action(needed(told, "Proposed")),
        reading.actions(needed(told, "Allowed")),
        reading.temporal(told.get("What happened", "")),
        reading.spatial(told.get("Where things are", "")),
        told.get("Now", ""),
    )


def critique_reply(answer: CritiqueAnswer) -> CritiqueReply:
    return CritiqueReply(
        answer.reason or "Nothing speaks against it.",
        cast(CriterionName, answer.criterion.name.lower()),
        "accept" if answer.verdict == Verdict.ACCEPTED else "reject",
    )


def _failure(answer: PlanAnswer) -> FailureName:
    if answer.actions[0].skill != words.SKILL_GIVE_UP:
        return "none"
    return _FAILURES.get(answer.failure, "not_found")
