"""Serves ExecuteTask: goals become messages for the executor component, and its result becomes the goal's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle

from stma_ros.action import ExecuteTask
from stma_ros.ros.completion import Completion
from stma_ros.ros.conversions import to_msg
from stma_ros.ros.host import ComponentHost
from stma_ros.ros.unique_ids import UniqueIds
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.control import Cancel
from stma_ros.types.errors import ErrorCode, TaskTooLongError
from stma_ros.types.planning import Plan, SkillRequest, Task, TaskResult, TaskStatus
from stma_ros.types.task_text import task_text


@dataclass
class _Running:
    task: Task
    goal: ServerGoalHandle[Any, Any, Any]
    result: Completion[TaskResult]
    subgoal: str = ""


class TaskServer:
    """Runs one task at a time. All methods run in the executor thread."""

    def __init__(self, host: ComponentHost, cancel_skill: Callable[[], None]) -> None:
        self._host = host
        self._cancel_skill = cancel_skill
        self._ids = UniqueIds("task")
        self._running: _Running | None = None
        self._server = ActionServer(
            host, ExecuteTask, "execute_task", self._execute, cancel_callback=self._cancel
        )

    @property
    def canceling(self) -> bool:
        return self._running is not None and bool(self._running.goal.is_cancel_requested)

    def planned(self, plan: Plan) -> None:
        if self._running is not None:
            self._running.subgoal = plan.subgoal

    def acting(self, request: SkillRequest) -> None:
        """Sends feedback about the next action to the client."""
        running = self._running
        if running is not None and running.task.task_id == request.task_id:
            running.goal.publish_feedback(
                ExecuteTask.Feedback(
                    step=request.step, subgoal=running.subgoal, action=to_msg(request.action)
                )
            )

    def finish(self, result: TaskResult) -> None:
        running = self._running
        if running is not None and running.task.task_id == result.task_id:
            running.result.set(result)

    def fail(self, error: Error) -> None:
        """Ends the running task, if there is one, with an error of the host."""
        if self._running is not None:
            self.finish(_failure(self._running.task, error))

    @property
    def is_running(self) -> bool:
        """Whether there is a task that has not ended."""
        return self._running is not None

    def destroy(self) -> None:
        self._server.destroy()

    async def _execute(self, goal: ServerGoalHandle[Any, Any, Any]) -> ExecuteTask.Result:
        result = await self._run(goal)
        if result.status == TaskStatus.SUCCEEDED:
            goal.succeed()
        elif result.status == TaskStatus.CANCELED and goal.is_cancel_requested:
            goal.canceled()
        else:  # also UNVERIFIED: clients that look at the action's state alone must not take it for done
            goal.abort()
        return ExecuteTask.Result(result=to_msg(result))

    async def _run(self, goal: ServerGoalHandle[Any, Any, Any]) -> TaskResult:
        request = goal.request
        header = self._host.header()
        if self._host.activation is None:
            text = "the executor is not active; call lifecycle_manager/startup and wait for its answer"
            return _failure(Task(header=header, text=request.text), Error(ErrorCode.NOT_ACTIVE, text))
        if self._running is not None:
            running = self._running.task
            text = f"{running.task_id} ({running.text!r}) is running; cancel it or wait for its end"
            return _failure(Task(header=header, text=request.text), Error(ErrorCode.BUSY, text))
        try:
            text = task_text(request.text)
        except TaskTooLongError as error:
            return _failure(Task(header=header), Error.of(error))
        task = Task(header=header, task_id=self._ids.new(), text=text, max_commands=request.max_commands)
        self._running = _Running(task, goal, Completion(self._host))
        try:
            self._host.inject(topics.TASK, task)
            return await self._running.result
        finally:
            self._running = None

    def _cancel(self, goal: ServerGoalHandle[Any, Any, Any]) -> CancelResponse:
        running = self._running
        if running is None or running.goal.goal_id != goal.goal_id:
            return CancelResponse.REJECT
        self._host.inject(
            topics.CANCEL,
            Cancel(header=self._host.header(), task_id=running.task.task_id, reason="the client canceled it"),
        )
        self._cancel_skill()
        return CancelResponse.ACCEPT


def _failure(task: Task, error: Error) -> TaskResult:
    return TaskResult(
        header=task.header, task_id=task.task_id, status=TaskStatus.ERROR, error=error, text=error.text
    )
