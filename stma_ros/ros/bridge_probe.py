"""Drives a bridge without the other nodes, and counts the frames that arrive."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import Any

import rclpy
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
from rclpy.action import ActionClient
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.task import Future

from stma_ros.action import ExecuteSkill
from stma_ros.agents.spec import Wiring
from stma_ros.ros.context import private_context
from stma_ros.ros.conversions import from_msg, msg_class, to_msg
from stma_ros.ros.graph import EXECUTOR, Graph
from stma_ros.ros.qos import HOSTED
from stma_ros.ros.task_client import GraphError
from stma_ros.types import topics
from stma_ros.types.planning import Outcome, SkillRequest

_POLL = 0.1  # [s]
_IMAGES = (topics.COLOR, topics.DEPTH, topics.SEGMENTATION)


class BridgeProbe:
    """Stands for the other nodes of a bridge's graph: reads its topics and does nothing else. Single-threaded: the
    calling thread also spins."""

    def __init__(self, wiring: Wiring, bridge: str, namespace: str, died: Callable[[], str]) -> None:
        """died: describes how the bridge's process has ended; empty while it runs."""
        self._images: Counter[str] = Counter()
        self._bridge = bridge
        self._died = died
        self._context = private_context()
        self._executor = SingleThreadedExecutor(context=self._context)
        graph = Graph(wiring, bridge, "")
        spoken = graph.publications(bridge)
        # The first reader of an image counts it, so that each image counts once.
        uncounted = set(_IMAGES)
        nodes: dict[str, Node] = {}
        for name in wiring.components:
            node = nodes[name] = rclpy.create_node(name, namespace=namespace, context=self._context)
            for topic in graph.subscriptions(name):
                if topic in spoken:
                    self._read(node, topic, counted=topic in uncounted)
                    uncounted.discard(topic)
            self._executor.add_node(node)
        self._skills = ActionClient(nodes[EXECUTOR], ExecuteSkill, "execute_skill")
        self._states = nodes[EXECUTOR].create_client(ChangeState, f"{bridge}/change_state")

    def activate(self, within: float) -> None:
        """Configures and activates the bridge. Raises GraphError when it is not active in time [s], or has ended."""
        deadline = time.monotonic() + within
        while not self._states.service_is_ready():
            self._spin_until(lambda: False, min(deadline, time.monotonic() + _POLL), "offer its lifecycle")
            if time.monotonic() > deadline:
                raise self._late("offer its lifecycle")
        self._change(Transition.TRANSITION_CONFIGURE, deadline)
        while not self._change(Transition.TRANSITION_ACTIVATE, deadline, may_fail=True):
            pass

    def perform(self, request: SkillRequest, within: float) -> Outcome:
        """Executes one skill. Raises GraphError when it has not ended in time [s]."""
        deadline = time.monotonic() + within
        goal: Any = self._result(
            self._skills.send_goal_async(ExecuteSkill.Goal(request=to_msg(request))), deadline
        )
        if goal is None or not goal.accepted:
            raise GraphError(f"{self._bridge} refused {request.action}")
        result: Any = self._result(goal.get_result_async(), deadline)
        return from_msg(result.result.outcome, Outcome)

    @property
    def steps(self) -> int:
        """The number of frames of which colour, depth and segmentation have arrived."""
        return min(self._images[topic] for topic in _IMAGES)

    def close(self) -> None:
        self._executor.shutdown()
        self._context.try_shutdown()

    def __enter__(self) -> BridgeProbe:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(self, node: Node, topic: str, *, counted: bool) -> None:
        spec = topics.TOPICS[topic]

        def heard(_: Any) -> None:
            if counted:
                self._images[topic] += 1

        node.create_subscription(msg_class(spec.type), topic, heard, HOSTED[spec.delivery], raw=True)

    def _change(self, transition: int, deadline: float, *, may_fail: bool = False) -> bool:
        request = ChangeState.Request(transition=Transition(id=transition))
        done = bool(self._result(self._states.call_async(request), deadline).success)
        if not done and not may_fail:
            raise GraphError(f"{self._bridge} cannot be configured: {self._died() or 'see its log'}")
        return done

    def _result(self, future: Future[Any], deadline: float) -> Any:
        self._spin_until(future.done, deadline, "answer", must=True)
        return future.result()

    def _spin_until(
        self, done: Callable[[], bool], deadline: float, what: str, *, must: bool = False
    ) -> None:
        while not done() and time.monotonic() < deadline:
            self._executor.spin_once(_POLL)
            if self._died():
                raise GraphError(f"{self._bridge} has ended before it could {what}: {self._died()}")
        if must and not done():
            raise self._late(what)

    def _late(self, what: str) -> GraphError:
        return GraphError(f"{self._bridge} did not {what} in time; its log says why")
