"""Tells logs and scorers what a role was asked."""

from __future__ import annotations

from typing import Any, TypeVar

from stma_ros.roles.faults import InjectedFault
from stma_ros.roles.rendering import count_tokens
from stma_ros.roles.spec import RoleSpec
from stma_ros.types import topics
from stma_ros.types.component import Emission
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall

QuestionT = TypeVar("QuestionT")


def role_call(
    role: RoleSpec[QuestionT, Any, Any],
    query: QuestionT,
    at: StepStamp,
    *,
    error: str = "",
    injected: InjectedFault | None = None,
) -> Emission:
    """The message that says so.

    Args:
        role: that was asked.
        query: the question.
        at: the step for which it was asked.
        error: why the answer, or part of it, could not be used.
        injected: the fault in the answer, if a measurement put one there.
    """
    fault, detail = (injected.kind.value, injected.detail) if injected else ("", "")
    tokens = count_tokens(role.text(query))
    return topics.ROLE_CALLS, RoleCall(
        at=at.without_frame(),
        role=role.name,
        context_tokens=tokens,
        error=error,
        fault=fault,
        fault_detail=detail,
    )
