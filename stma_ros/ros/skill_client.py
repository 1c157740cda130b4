"""Sends skills to the bridge; every request ends in exactly one outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rclpy.action import ActionClient
from rclpy.action.client import ClientGoalHandle
from rclpy.clock import Clock, ClockType
from rclpy.task import Future
from rclpy.timer import Timer

from stma_ros.action import ExecuteSkill
from stma_ros.ros.conversions import from_msg, to_msg
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Outcome, Result, SkillRequest

if TYPE_CHECKING:
    from stma_ros.ros.host import ComponentHost

_TO_STOP = 10.0  # time for a canceled skill to end before the next request fails [s]


class SkillClient:
    """Executes one skill at a time: the next one waits until a canceled one has ended, as the body can execute only
    one.

    All methods run in the executor thread.
    """

    def __init__(self, host: ComponentHost, bridge: str) -> None:
        self._host = host
        self._bridge = bridge
        self._client = ActionClient(host, ExecuteSkill, "execute_skill")
        self._request: SkillRequest | None = None
        self._goal: ClientGoalHandle[Any, Any, Any] | None = None
        self._canceled = False
        self._next: SkillRequest | None = None
        self._patience: Timer | None = None

    @property
    def ready(self) -> bool:
        return self._client.server_is_ready()

    @property
    def is_idle(self) -> bool:
        """Whether no skill is running."""
        return self._request is None

    def execute(self, request: SkillRequest) -> None:
        if self._request is None:
            self._send(request)
            return
        self._next = request
        self._patience = self._host.create_timer(
            _TO_STOP, self._give_up, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )

    def cancel(self) -> None:
        """Stops the running skill, if there is one; its outcome still arrives."""
        self._stop()
        self._refuse_next(Result.CANCELED, Error(ErrorCode.CANCELED, "canceled before it began"))

    def end_task(self, task_id: str) -> None:
        """Stops the running skill of a task that has ended."""
        if task_id in {request.task_id for request in (self._request, self._next) if request is not None}:
            self.cancel()

    def fail(self, text: str) -> None:
        """Ends every request with a failed outcome, because the bridge has died. The running skill is canceled, as the
        bridge may only be late with its sign of life."""
        self._refuse_next(Result.FAILED, Error(ErrorCode.WORLD_FAILED, text))
        if self._request is not None:
            self._stop()
            self._fail(self._request, text)

    def destroy(self) -> None:
        self._take_next()
        self._request = None
        self._client.destroy()

    def _stop(self) -> None:
        """Cancels the running skill, at once or when the bridge has accepted it."""
        self._canceled = True
        if self._goal is not None:
            self._goal.cancel_goal_async()

    def _send(self, request: SkillRequest) -> None:
        self._request, self._goal, self._canceled = request, None, False
        # Without asking `ready`, which is false for a moment whenever a server of that name comes or goes.
        sent = self._client.send_goal_async(ExecuteSkill.Goal(request=to_msg(request)))
        sent.add_done_callback(lambda future: self._answered(request, future))

    def _answered(self, request: SkillRequest, future: Future[Any]) -> None:
        goal: ClientGoalHandle[Any, Any, Any] | None = future.result()
        if self._request is not request:
            if goal is not None and goal.accepted:  # after its request has failed
                goal.cancel_goal_async()
            return
        if goal is None or not goal.accepted:
            text = "its log may say why; it executes one skill at a time"
            self._fail(request, f"{self._bridge} rejected {request.action}: {text}")
            return
        self._goal = goal
        if self._canceled:
            goal.cancel_goal_async()
        goal.get_result_async().add_done_callback(lambda future: self._ended(request, future))

    def _ended(self, request: SkillRequest, future: Future[Any]) -> None:
        answer = future.result()
        if answer is None:
            self._fail(request, f"{self._bridge} gave no result for {request.action}")
            return
        try:
            outcome = from_msg(answer.result.outcome, Outcome)
        except ValueError as error:
            self._fail(request, f"{self._bridge} gave a result that cannot be read: {error}")
            return
        if outcome.result == Result.UNKNOWN:  # as of an action whose callback has raised
            self._fail(request, f"{self._bridge} gave no outcome of {request.action}; see its log")
        elif _ids(outcome) != _ids(request):
            remedy = f"copy request_id, task_id and step of the request ({request.request_id}) into it"
            self._fail(
                request,
                f"{self._bridge} gave {request.action} the outcome of another request: "
                f"{outcome.error.text or remedy}",
            )
        else:
            self._end(request, outcome)

    def _fail(self, request: SkillRequest, text: str) -> None:
        self._end(request, self._outcome(request, Result.FAILED, Error(ErrorCode.WORLD_FAILED, text)))

    def _end(self, request: SkillRequest, outcome: Outcome) -> None:
        if self._request is request:
            self._request = self._goal = None
            self._host.inject(topics.OUTCOME, outcome)
            held = self._take_next()
            if held is not None:
                self._send(held)

    # -- the request that waits for a canceled skill's end

    def _give_up(self) -> None:
        assert self._request is not None
        text = (
            f"{self._bridge} has not ended the canceled {self._request.action} within {_TO_STOP:g} s; "
            "if it hangs, restart it"
        )
        self._refuse_next(Result.FAILED, Error(ErrorCode.WORLD_FAILED, text))

    def _refuse_next(self, result: Result, error: Error) -> None:
        held = self._take_next()
        if held is not None:
            self._host.inject(topics.OUTCOME, self._outcome(held, result, error))

    def _take_next(self) -> SkillRequest | None:
        if self._patience is not None:
            self._host.destroy_timer(self._patience)
        held, self._next, self._patience = self._next, None, None
        return held

    def _outcome(self, request: SkillRequest, result: Result, error: Error) -> Outcome:
        return Outcome(
            header=self._host.header(),
            request_id=request.request_id,
            task_id=request.task_id,
            step=request.step,
            action=request.action,
            result=result,
            error=error,
        )


def _ids(message: SkillRequest | Outcome) -> tuple[str, str, int]:
    return message.request_id, message.task_id, message.step
