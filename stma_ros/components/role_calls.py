"""Tells logs and scorers what a role was asked."""

from __future__ import annotations

from stma_ros.roles.context import Query, context_of, count_tokens
from stma_ros.roles.faults import InjectedFault
from stma_ros.types import topics
from stma_ros.types.component import Emission
from stma_ros.types.standard import Header
from stma_ros.types.telemetry import RoleCall


def role_call(
    role: str,
    query: Query,
    header: Header,
    task_id: str,
    step: int,
    revision: int = 0,
    *,
    error: str = "",
    injected: InjectedFault | None = None,
) -> Emission:
    """The message that says so. error: why the answer, or part of it, could not be used. injected: the fault in the
    answer, if a measurement put one there."""
    fault, detail = (injected.kind.value, injected.detail) if injected else ("", "")
    tokens = count_tokens(context_of(query))
    return topics.ROLE_CALLS, RoleCall(
        Header(header.stamp), task_id, step, revision, role, tokens, error, fault, detail
    )
