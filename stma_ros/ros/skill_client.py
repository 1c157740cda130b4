"""Has the bridge execute skills; whatever happens, every request ends in exactly one outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rclpy.action import ActionClient
from rclpy.action.client import ClientGoalHandle
from rclpy.task import Future

from stma_ros.action import ExecuteSkill
from stma_ros.ros.conversions import from_msg, to_msg
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Outcome, Result, SkillRequest

if TYPE_CHECKING:
    from stma_ros.ros.host import ComponentHost


class SkillClient:
    """One skill at a time. Everything here happens in the executor thread."""

    def __init__(self, host: ComponentHost, bridge: str) -> None:
        self._host = host
        self._bridge = bridge
        self._client = ActionClient(host, ExecuteSkill, "execute_skill")
        self._request: SkillRequest | None = None
        self._goal: ClientGoalHandle[Any, Any, Any] | None = None
        self._canceled = False

    @property
    def ready(self) -> bool:
        return self._client.server_is_ready()

    def execute(self, request: SkillRequest) -> None:
        self._request, self._goal, self._canceled = request, None, False
        # Not only if `ready`: that is false for a moment whenever a server of that name comes or goes.
        sent = self._client.send_goal_async(ExecuteSkill.Goal(request=to_msg(request)))
        sent.add_done_callback(lambda future: self._answered(request, future))

    def cancel(self) -> None:
        """Stops the running skill, if there is one; its outcome comes all the same."""
        self._canceled = True
        if self._goal is not None:
            self._goal.cancel_goal_async()

    def fail(self, text: str) -> None:
        """Ends the running request, if there is one, with an outcome of our own."""
        request = self._request
        if request is not None:
            self._end(
                request,
                Outcome(
                    self._host.header(),
                    request.request_id,
                    request.task_id,
                    request.step,
                    request.action,
                    Result.FAILED,
                    Error(ErrorCode.WORLD_FAILED, text),
                ),
            )

    def destroy(self) -> None:
        self._request = None
        self._client.destroy()

    def _answered(self, request: SkillRequest, future: Future[Any]) -> None:
        if self._request is not request:
            return
        goal: ClientGoalHandle[Any, Any, Any] | None = future.result()
        if goal is None or not goal.accepted:
            self.fail(f"{self._bridge} rejected {request.action}: another skill is being executed")
            return
        self._goal = goal
        if self._canceled:
            goal.cancel_goal_async()
        goal.get_result_async().add_done_callback(lambda future: self._ended(request, future))

    def _ended(self, request: SkillRequest, future: Future[Any]) -> None:
        answer = future.result()
        if answer is None:
            self.fail(f"{self._bridge} gave no result for {request.action}")
            return
        try:
            outcome = from_msg(answer.result.outcome, Outcome)
        except ValueError as error:
            self.fail(f"{self._bridge} gave a result that cannot be read: {error}")
            return
        self._end(request, outcome)

    def _end(self, request: SkillRequest, outcome: Outcome) -> None:
        if self._request is request:
            self._request = self._goal = None
            self._host.inject(topics.OUTCOME, outcome)
