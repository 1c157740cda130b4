"""Sends tasks to a running graph from outside it, for the `stma` command."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeAlias, TypeVar

from rclpy.action import ActionClient
from rclpy.client import Client
from rclpy.task import Future
from std_srvs.srv import Trigger

from stma_ros.action import ExecuteTask
from stma_ros.ros.background_node import BackgroundNode
from stma_ros.ros.conversions import from_msg, msg_class
from stma_ros.ros.graph import EXECUTOR, LIFECYCLE_MANAGER
from stma_ros.ros.liveliness import LivelinessWatch, NodeDiedError
from stma_ros.ros.qos import PROFILES
from stma_ros.srv import Reset
from stma_ros.types import topics
from stma_ros.types.control import Fault
from stma_ros.types.errors import ErrorCode, StmaError
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskResult
from stma_ros.types.truth import GroundTruth

Progress: TypeAlias = Callable[[str, Message], None]
"""Receives the messages on the followed topics, in the waiting thread."""

ResultT = TypeVar("ResultT")

PROGRESS_TOPICS = (
    topics.TASK,
    topics.OBSERVATION,
    topics.PLAN_REQUEST,
    topics.PLAN,
    topics.ACTION_PROPOSAL,
    topics.CRITIQUE,
    topics.SKILL_REQUEST,
    topics.OUTCOME,
    topics.TASK_RESULT,
    topics.FAULT,
)
REPORT_PERIOD = 5.0
"""Period at which a caller that waits for the graph receives what is missing [s]."""
_POLL = 0.1  # [s]
_REPORTING = 1.0  # time for messages between two looks at the graph [s]
_REPEAT = 5.0  # [s]
_REST = 1.0  # time for messages from before the end of a task [s]
_CANCEL = 15.0  # time for a canceled task to end [s]


def _no_check() -> None:
    pass


def _cancel_accepted(sent: Future[Any]) -> None:
    """Cancels a goal that was sent, if it was accepted, without waiting for its end."""
    handle = sent.result()
    if handle is not None and handle.accepted:
        handle.cancel_goal_async()


class GraphError(StmaError):
    """The graph of nodes is not there, or does not answer."""

    code = ErrorCode.NOT_ACTIVE


class TaskClient(BackgroundNode):
    """Sends tasks to a graph. Its methods wait in the caller's thread."""

    def __init__(self, namespace: str = "", follow: Iterable[str] = PROGRESS_TOPICS) -> None:
        super().__init__("task_client", namespace)
        self._heard: queue.SimpleQueue[tuple[str, Message]] = queue.SimpleQueue()
        self._check: Callable[[], None] = _no_check
        self._faults: set[str] = set()
        self._follow = tuple(follow)
        for name in self._follow:
            spec = topics.TOPICS[name]
            self._node.create_subscription(
                msg_class(spec.type), name, partial(self._received, name, spec.type), PROFILES[spec.delivery]
            )
        self._tasks = ActionClient(self._node, ExecuteTask, "execute_task")
        self._is_active = self._node.create_client(Trigger, f"{LIFECYCLE_MANAGER}/is_active")
        self._restart = self._node.create_client(Trigger, f"{LIFECYCLE_MANAGER}/reset")
        self._reset_world = self._node.create_client(Reset, "reset")
        self._watch = LivelinessWatch(self._node, (EXECUTOR, LIFECYCLE_MANAGER))
        self.start()

    def wait_until_active(
        self,
        timeout: float,
        tell: Callable[[str], None] = lambda _: None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Waits until every managed node is active.

        Args:
            timeout: longest time to wait [s].
            tell: receives a line on what is missing when that changes, and every 5 s.
            check: called repeatedly; an exception ends the wait. A caller that has started the nodes' processes passes
                NodeProcesses.check, which sees their end at once.

        Raises:
            GraphError: after `timeout`, and as soon as the bring-up has failed, naming what is missing.
        """
        self._check = check
        try:
            self._wait_until_active(timeout, tell)
        finally:
            self._check = _no_check

    def _wait_until_active(self, timeout: float, tell: Callable[[str], None]) -> None:
        started = reported = time.monotonic()
        deadline = started + timeout
        missing = f"{LIFECYCLE_MANAGER} has not started"
        while True:
            self._check_alive()
            if self._is_active.service_is_ready():
                answer = self._ask(self._is_active, Trigger.Request(), deadline, missing)
                if answer.success:
                    return
                if answer.message != missing:
                    missing, reported = answer.message, time.monotonic()
                    tell(missing)
            if missing in self._faults:
                raise GraphError(missing)
            now = time.monotonic()
            if now > deadline:
                raise GraphError(f"not active within {timeout:g} s: {missing}")
            if now - reported > REPORT_PERIOD:
                reported = now
                tell(f"{missing} ({now - started:.0f} s)")
            time.sleep(_POLL)

    def execute(
        self,
        text: str,
        max_commands: int = 0,
        progress: Progress = lambda topic, message: None,
        timeout: float = float("inf"),
    ) -> TaskResult:
        """Sends a task to the agent and waits for its end. Ctrl-C cancels the task.

        Args:
            text: the task.
            max_commands: budget of commands; 0 = the agent's own.
            progress: receives the messages on the followed topics.
            timeout: longest time to wait [s].

        Raises:
            NodeDiedError: the executor or the lifecycle manager died; the task is canceled.
            GraphError: the task was not accepted, or the time is up; the task is canceled.
        """
        self._check_alive()
        if not self._tasks.wait_for_server(_REPEAT):
            raise GraphError(f"{EXECUTOR} does not offer execute_task; wait until the graph is active")
        deadline = time.monotonic() + timeout
        goal = ExecuteTask.Goal(text=text, max_commands=max_commands)
        sent = self._tasks.send_goal_async(goal)
        try:
            handle = self._accepted(sent, progress)
            answer = self._wait(
                handle.get_result_async(), deadline, f"the end of the task {text!r}", progress
            )
        except KeyboardInterrupt:
            answer = self._cancel(sent, progress)
        except GraphError:
            if sent.done() and sent.result().accepted:
                self._cancel(sent, progress)
            else:
                sent.add_done_callback(_cancel_accepted)
            raise
        except NodeDiedError:
            sent.add_done_callback(_cancel_accepted)
            raise
        ended = from_msg(answer.result.result, TaskResult)
        self._tell_rest(progress, ended)
        return ended

    def reset_world(self, scene: str, seed: int, timeout: float) -> str:
        """Resets the world to the start of an episode; returns the scene. Raises GraphError if that fails."""
        if not self._reset_world.wait_for_service(timeout):
            raise GraphError("no bridge offers the service reset")
        # It is asked once: a bridge would reset its world again for each repetition.
        future = self._reset_world.call_async(Reset.Request(scene=scene, seed=seed))
        answer = self._wait(future, time.monotonic() + timeout, "the world's reset")
        if not answer.success:
            raise GraphError(f"the world was not reset: {answer.error.text}")
        loaded: str = answer.scene
        return loaded

    def restart(self, timeout: float) -> None:
        """Has all nodes make fresh components. Raises GraphError, naming what is missing, where that fails."""
        if not self._restart.wait_for_service(timeout):
            raise GraphError(f"{LIFECYCLE_MANAGER} does not offer reset")
        answer = self._wait(
            self._restart.call_async(Trigger.Request()), time.monotonic() + timeout, "the reset"
        )
        if not answer.success:
            raise GraphError(answer.message)

    # -- in the node's thread

    def _received(self, topic: str, type_: type[Message], msg: Any) -> None:
        message = from_msg(msg, type_)
        if isinstance(message, Fault) and message.fatal:
            self._faults.add(message.error.text)
        self._heard.put((topic, message))

    # -- in the caller's thread

    def _accepted(self, sent: Future[Any], progress: Progress) -> Any:
        """Returns the handle of a goal that was sent."""
        handle = self._wait(sent, time.monotonic() + _CANCEL, EXECUTOR, progress)
        if not handle.accepted:
            raise GraphError(f"{EXECUTOR} rejected the task")
        return handle

    def _cancel(self, sent: Future[Any], progress: Progress) -> Any:
        """Cancels a goal, also before its acceptance; returns the answer that ends it."""
        handle = self._accepted(sent, progress)
        handle.cancel_goal_async()
        result = handle.get_result_async()
        return self._wait(result, time.monotonic() + _CANCEL, "the end of the canceled task", progress)

    def _ask(self, client: Client[Any, Any, Any], request: Any, deadline: float, what: str) -> Any:
        """Repeats a request until an answer arrives: one to a client that was just discovered can be lost."""
        while True:
            future = client.call_async(request)
            until = min(deadline, time.monotonic() + _REPEAT)
            try:
                return self._wait(future, until, what)
            except GraphError:
                if time.monotonic() > deadline:
                    raise

    def _wait(
        self,
        future: Future[ResultT],
        deadline: float,
        what: str,
        progress: Progress = lambda topic, message: None,
    ) -> Any:
        while not future.done():
            self._tell(progress)
            self._check_alive()
            if time.monotonic() > deadline:
                raise GraphError(f"{what}: did not come in time")
        return future.result()

    def _tell(self, progress: Progress) -> None:
        """Passes on the received messages for a while, or until there are none; waits briefly for the first."""
        until = time.monotonic() + _REPORTING
        try:
            while time.monotonic() < until:
                progress(*self._heard.get(timeout=_POLL))
        except queue.Empty:
            return

    def _tell_rest(self, progress: Progress, ended: TaskResult) -> None:
        """Waits for the messages that led to the end of a task, which may overtake them: there is no order between
        topics."""
        missing = {topics.TASK_RESULT, topics.GROUND_TRUTH}.intersection(self._follow)

        def tell(topic: str, message: Message) -> None:
            # The ground truth of the end has its stamp. Only simulators publish it.
            if message == ended or (
                isinstance(message, GroundTruth) and message.header.stamp == ended.header.stamp
            ):
                missing.discard(topic)
            progress(topic, message)

        until = time.monotonic() + _REST
        while missing and time.monotonic() < until:
            self._tell(tell)
        self._tell(progress)

    def _check_alive(self) -> None:
        self._check()
        for name in self._watch.dead:
            raise NodeDiedError(f"{name} died; see its log, then start the graph again")
