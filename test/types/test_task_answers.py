"""What an agent answers at the end of a task."""

from __future__ import annotations

import pytest

from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import UNCHECKED, TaskResult, TaskStatus, answer_of


@pytest.mark.parametrize(
    ("result", "answer"),
    [
        (TaskResult(status=TaskStatus.SUCCEEDED, text="Done."), "Done."),
        (
            TaskResult(status=TaskStatus.FAILED, error=Error(ErrorCode.IMPOSSIBLE, "it is too large")),
            "it is too large",
        ),
        (TaskResult(status=TaskStatus.UNVERIFIED, text="The oven is off."), f"{UNCHECKED}: The oven is off."),
        (TaskResult(status=TaskStatus.UNVERIFIED, text=f"{UNCHECKED} the oven."), f"{UNCHECKED} the oven."),
        (TaskResult(status=TaskStatus.UNVERIFIED), f"{UNCHECKED}."),
    ],
)
def test_the_answer_of_an_unverified_task_says_that_it_could_not_be_checked(
    result: TaskResult, answer: str
) -> None:
    assert answer_of(result) == answer
