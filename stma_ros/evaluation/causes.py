"""Classifies failed tasks by the agent's own report."""

from __future__ import annotations

from stma_ros.evaluation.suite import Failure
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import TaskResult, TaskStatus, answer_of

_CAUSES = {
    ErrorCode.TASK_NOT_UNDERSTOOD: Failure.NOT_UNDERSTOOD,
    ErrorCode.CONTRADICTION: Failure.NOT_UNDERSTOOD,
    ErrorCode.TARGET_NOT_FOUND: Failure.NOT_FOUND,
    ErrorCode.OUT_OF_COMMANDS: Failure.OUT_OF_COMMANDS,
    ErrorCode.NO_PROGRESS: Failure.NO_PROGRESS,
    ErrorCode.IMPOSSIBLE: Failure.GAVE_UP,
    ErrorCode.EPISODE_LOST: Failure.LOST,
}


def cause_of(result: TaskResult, may_contradict: bool = False) -> Failure:
    """Returns the cause of the failure of a task.

    Args:
        result: the agent's report.
        may_contradict: whether the task may contradict itself, as one of other people's may. In a generated task that
            never does, the agent has misread what it reports as a contradiction.
    """
    if result.status == TaskStatus.UNVERIFIED:
        return Failure.UNVERIFIED
    if result.status != TaskStatus.FAILED:
        return Failure.ERROR
    if may_contradict and result.error.code == ErrorCode.CONTRADICTION:
        return Failure.GAVE_UP
    return _CAUSES.get(result.error.code, Failure.ERROR)


def reason_of(result: TaskResult) -> str:
    """Returns the agent's own words for it."""
    return f"{result.error.code.name}: {result.error.text}" if result.error else answer_of(result)
