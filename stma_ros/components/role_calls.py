"""Messages about the questions to roles, for logs and scorers."""

from __future__ import annotations

from typing import Any, TypeVar

from stma_ros.roles.faults import InjectedFault
from stma_ros.roles.spec import RoleSpec
from stma_ros.types import topics
from stma_ros.types.component import Emission
from stma_ros.types.prompt_length import count_tokens
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
    """Returns the message about a question to a role.

    Args:
        role: role that was asked.
        query: the question.
        at: step of the question.
        error: reason why the answer, or a part of it, could not be used.
        injected: fault that a measurement put into the answer.
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
