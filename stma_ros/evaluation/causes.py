"""Classifies why a task did not succeed, by the agent's own report."""

from __future__ import annotations

from stma_ros.evaluation.suite import Failure
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import TaskResult, TaskStatus

_CAUSES = {
    ErrorCode.TASK_NOT_UNDERSTOOD: Failure.NOT_UNDERSTOOD,
    ErrorCode.CONTRADICTION: Failure.NOT_UNDERSTOOD,  # no task contradicts itself
    ErrorCode.TARGET_NOT_FOUND: Failure.NOT_FOUND,
    ErrorCode.OUT_OF_COMMANDS: Failure.OUT_OF_COMMANDS,
    ErrorCode.NO_PROGRESS: Failure.NO_PROGRESS,
    ErrorCode.IMPOSSIBLE: Failure.GAVE_UP,
    ErrorCode.EPISODE_LOST: Failure.LOST,
}


def cause_of(result: TaskResult) -> Failure:
    """Of a task that did not succeed."""
    return (
        _CAUSES.get(result.error.code, Failure.ERROR) if result.status == TaskStatus.FAILED else Failure.ERROR
    )


def reason_of(result: TaskResult) -> str:
    """The same in its words."""
    return f"{result.error.code.name}: {result.error.text}" if result.error else result.text
