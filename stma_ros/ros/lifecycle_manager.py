"""Brings the graph up and down, and reports the death of a node."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from lifecycle_msgs.msg import State, Transition, TransitionEvent
from lifecycle_msgs.srv import ChangeState, GetState
from rcl_interfaces.msg import ParameterDescriptor
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node
from rclpy.task import Future
from std_srvs.srv import Trigger

from stma_ros.ros.completion import Completion
from stma_ros.ros.conversions import msg_class, to_msg
from stma_ros.ros.graph import LIFECYCLE_MANAGER
from stma_ros.ros.liveliness import AliveSignal, LivelinessWatch
from stma_ros.ros.namespace_lock import NamespaceLock
from stma_ros.ros.parameters import Parameters
from stma_ros.ros.process_end import PROCESS_ENDS, REPORTS
from stma_ros.ros.qos import PROFILES
from stma_ros.ros.worker import Worker
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.control import Fault
from stma_ros.types.errors import ErrorCode, StmaError
from stma_ros.types.settings import setting
from stma_ros.types.standard import Header, Time

_RETRY = 0.05  # between two attempts with a node that waits for others [s]
_REPEAT = (
    2.0  # [s] after which a question is asked again: an answer to a client that has just come can be lost
)
REPORT_PERIOD = 5.0
"""Period at which the log names what a start-up waits for [s]."""
_REASON_DELAY = 1.0  # time for a refusing node to publish its reason [s]
_TRANSITIONS = 10  # unread transitions of a node
_COMING = 5.0  # time for the discovery of a restarted node [s]
_RETURN = 10.0
"""Time for a node whose state is saved to come back after its death [s]."""

_SHUT_DOWN = "shut down"

_SHUTDOWNS = {
    State.PRIMARY_STATE_UNCONFIGURED: Transition.TRANSITION_UNCONFIGURED_SHUTDOWN,
    State.PRIMARY_STATE_INACTIVE: Transition.TRANSITION_INACTIVE_SHUTDOWN,
    State.PRIMARY_STATE_ACTIVE: Transition.TRANSITION_ACTIVE_SHUTDOWN,
}


class NodeError(StmaError):
    """A node does not follow a request, or has died."""

    def __init__(self, node: str, text: str, code: ErrorCode = ErrorCode.NODE_FAILED) -> None:
        super().__init__(f"{node} {text}")
        self.node = node
        self.code = code


@dataclass(frozen=True)
class ManagerConfig:
    deadline: float = setting(
        120.0,
        "longest time for all nodes to become active; the first time, kernels are compiled",
        unit="s",
        low=1.0,
    )
    autostart: bool = setting(True, "bring the nodes up at once")


@dataclass(frozen=True)
class _Deadline:
    """A time to wait until [s], on the monotonic clock, and how long that was when the wait began [s]."""

    until: float
    duration: float

    @classmethod
    def after(cls, duration: float) -> _Deadline:
        return cls(time.monotonic() + duration, duration)


class LifecycleManager(Node):
    """Configures every node of the parameter `node_names`, activates them in that order, and watches them.

    Services: ~/startup, ~/shutdown, ~/reset (fresh components), ~/is_active; each answer states what is missing.
    """

    def __init__(self, **node_options: Any) -> None:
        super().__init__(
            LIFECYCLE_MANAGER, automatically_declare_parameters_from_overrides=True, **node_options
        )
        parameters = Parameters(self)
        self._names: list[str] = list(parameters.take("node_names", []))
        self.declare_parameter(
            "node_names",
            self._names,
            ParameterDescriptor(description="the managed nodes, in the order of activation", read_only=True),
            ignore_override=True,
        )
        self._respawned: list[str] = list(parameters.take("respawned_names", []))
        self.declare_parameter(
            "respawned_names",
            self._respawned,
            ParameterDescriptor(
                description="those of them that are started again, once, when they have died", read_only=True
            ),
            ignore_override=True,
        )
        parameters.declare(ManagerConfig)
        self._config = parameters.build(ManagerConfig)
        parameters.lock(True)
        self._missing = "not started; call ~/startup"
        self._lock = NamespaceLock(self.get_namespace())
        self._lock.acquire()
        self._dead: dict[str, str] = {}  # how they ended, by name
        self._inactive: set[str] = set()  # deactivated by others since the graph became active
        self._returning: set[str] = set()  # names of nodes that have died and are coming back
        self._second_lives: set[str] = set()  # names of nodes that have died once and were to come back
        self._is_ending = (
            False  # whether the nodes are being shut down, where a dead one keeps no other one up
        )
        self._reported = 0.0  # time of the last report of missing nodes [s]
        self._change = {name: self.create_client(ChangeState, f"{name}/change_state") for name in self._names}
        self._state = {name: self.create_client(GetState, f"{name}/get_state") for name in self._names}
        self._transitions = [
            self.create_subscription(
                TransitionEvent, f"{name}/transition_event", partial(self._changed, name), _TRANSITIONS
            )
            for name in self._names
        ]
        spec = topics.TOPICS[topics.FAULT]
        self._faults = self.create_publisher(msg_class(spec.type), spec.name, PROFILES[spec.delivery])
        self._reports = self.create_subscription(msg_class(Fault), PROCESS_ENDS, self._process_ended, REPORTS)
        self._worker: Worker[Callable[[], None]] = Worker(LIFECYCLE_MANAGER, self._run, self._raised)
        # The callback group lets the node receive messages while a service waits for its job.
        waiting = ReentrantCallbackGroup()
        for name, job in (
            ("startup", self._start_up),
            ("shutdown", self._shut_down),
            ("reset", self._restart),
        ):
            self.create_service(Trigger, f"~/{name}", partial(self._serve, job), callback_group=waiting)
        self.create_service(Trigger, "~/is_active", self._is_active)
        self._watch = LivelinessWatch(self, [*self._names, LIFECYCLE_MANAGER], self._died, self._check_start)
        self._alive = AliveSignal(self)
        if self._config.autostart:
            self._worker.inbox.put(self._start_up)

    def report(self, error: Exception) -> None:
        self.get_logger().error(str(error))

    def tell(self, text: str) -> None:
        """Prints on the terminal, or in the log, what a start-up waits for."""
        self.get_logger().info(text)

    @property
    def missing(self) -> str:
        """Describes what keeps the graph from being active; empty = it is active."""
        return self._missing

    def close(self, timeout: float) -> bool:
        return self._worker.stop(timeout)

    def destroy_node(self) -> None:
        self._lock.release()
        super().destroy_node()

    # -- in the executor thread

    async def _serve(
        self, job: Callable[[], None], _: Trigger.Request, response: Trigger.Response
    ) -> Trigger.Response:
        done: Completion[bool] = Completion(self)

        def run() -> None:
            try:
                self._run(job)
            finally:
                done.set(True)

        self._worker.inbox.put(run)
        await done
        response.message = self._missing
        response.success = not self._missing or self._missing == _SHUT_DOWN
        return response

    def _is_active(self, _: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        response.message = self._missing
        response.success = not self._missing
        return response

    def _died(self, name: str) -> None:
        if name not in self._names or name in self._dead or name in self._returning:
            return
        if self._expect_back(name):
            self._publish_fault(NodeError(name, self._missing, ErrorCode.NODE_DIED), fatal=False)
            return
        self._dead[name] = "died and has not come back"
        self._fail(
            NodeError(
                name, f"died; see its log, restart it and call {LIFECYCLE_MANAGER}/reset", ErrorCode.NODE_DIED
            )
        )

    def _process_ended(self, msg: Any) -> None:
        """Takes a report by the process that started a node and has seen its end (process_end.py). A node that was seen
        alive is watched, and a report of its death may concern its predecessor, unless it is being started again."""
        self._faults.publish(msg)
        if msg.node not in self._names:
            return
        if not msg.fatal:
            self._expect_back(msg.node)
            return
        if msg.node not in self._dead and msg.node not in self._watch.alive:
            self._dead[msg.node] = msg.error.text.removeprefix(msg.node).strip()

    def _expect_back(self, name: str) -> bool:
        """Waits for a node that has died and is started again; returns whether it is."""
        if name not in self._respawned or name in self._second_lives or self._missing:
            return False
        self._second_lives.add(name)
        self._returning.add(name)
        self._missing = f"{name} died; it is being started again"
        self.get_logger().warning(self._missing)
        self._worker.inbox.put(partial(self._bring_back, name))
        return True

    def _check_start(self, name: str) -> None:
        """Finds a node that has died and was started again before its death was noticed."""
        if name in self._names:
            self._ask_state(name, may_be_new=True)

    def _changed(self, name: str, event: TransitionEvent) -> None:
        """Requests the state of a node after a transition, whose event may be old."""
        self._ask_state(name)

    @property
    def _is_changing(self) -> bool:
        """Whether a job of this node changes states, which reports by itself what is missing."""
        return bool(self._missing) and not self._inactive

    def _ask_state(self, name: str, *, may_be_new: bool = False) -> None:
        """Requests the state of a node. may_be_new: whether its process may have begun a moment ago."""
        if not self._is_changing:  # an answer from then could be taken for news later
            asked = self._state[name].call_async(GetState.Request())
            asked.add_done_callback(partial(self._received_state, name, may_be_new))

    def _received_state(self, name: str, may_be_new: bool, answer: Future[Any]) -> None:
        if self._is_changing:
            return
        state = answer.result().current_state.id
        if state == State.PRIMARY_STATE_ACTIVE:
            self._activated(name)
        elif name not in self._inactive:
            self._lost(name, is_new=may_be_new and state == State.PRIMARY_STATE_UNCONFIGURED)

    def _activated(self, name: str) -> None:
        if name in self._inactive:
            self._inactive.discard(name)
            if not self._inactive and not self._dead:
                self._missing = ""
                self._alive.say("")

    def _lost(self, name: str, *, is_new: bool) -> None:
        """Takes a node for inactive, though no job of this node has deactivated it. is_new: whether its process has
        begun anew."""
        if is_new and self._expect_back(name):
            self._publish_fault(NodeError(name, self._missing, ErrorCode.NODE_DIED), fatal=False)
            return
        self._inactive.add(name)
        if is_new:
            text = f"died and was started again; call {LIFECYCLE_MANAGER}/startup"
            self._fail(NodeError(name, text, ErrorCode.NODE_DIED))
        else:
            remedy = f"activate it again, or call {LIFECYCLE_MANAGER}/startup"
            self._fail(NodeError(name, f"was deactivated; {remedy}", ErrorCode.NOT_ACTIVE))

    # -- in the worker

    def _run(self, job: Callable[[], None]) -> None:
        try:
            job()
        except NodeError as error:
            self._fail(error)

    def _raised(self, _: Callable[[], None], error: Exception) -> None:
        self._fail(NodeError(LIFECYCLE_MANAGER, f"failed: {type(error).__name__}: {error}"))

    def _fail(self, error: NodeError) -> None:
        self._missing = str(error)
        if self.context.ok():
            self.get_logger().error(str(error))
            self._alive.say(str(error))
            self._publish_fault(error, fatal=True)

    def _publish_fault(self, error: NodeError, *, fatal: bool) -> None:
        header = Header(Time.from_nanoseconds(self.get_clock().now().nanoseconds))
        self._faults.publish(
            to_msg(Fault(header=header, node=error.node, fatal=fatal, error=Error.of(error)))
        )

    def _start_up(self) -> None:
        self._missing = "waiting for the nodes to start"
        self._inactive.clear()
        self._second_lives.clear()
        if not self._lock.acquire():
            raise self._another()
        self._forget_the_living()
        started = self._reported = time.monotonic()
        deadline = _Deadline.after(self._config.deadline)
        self._configure_all(deadline)
        self._silence(deadline)
        for name in self._names:
            self._activate(name, deadline)
        self._become_active()
        self.get_logger().info(
            f"{len(self._names)} nodes are active after {time.monotonic() - started:.1f} s"
        )

    def _configure_all(self, deadline: _Deadline) -> None:
        """Configures the nodes in parallel, as some load an engine; each as soon as it is discovered."""
        waiting = list(self._names)
        asked: dict[str, Future[Any]] = {}
        while waiting:
            self._missing = f"{', '.join(waiting)} {'has' if len(waiting) == 1 else 'have'} not started"
            # the death of a node that was never seen alive goes unnoticed
            for name in [name for name in waiting if self._there(name) and name in self._watch.alive]:
                waiting.remove(name)
                state = self._get_state(name, deadline)
                if state == State.PRIMARY_STATE_FINALIZED:
                    raise self._finalized(name)
                if state == State.PRIMARY_STATE_UNCONFIGURED:
                    asked[name] = self._request(name, Transition.TRANSITION_CONFIGURE)
            if waiting:
                self._pause(waiting[0], deadline, "did not start")
        for name, future in asked.items():
            self._missing = f"waiting for {name} to be configured"
            if not self._reached(name, future, State.PRIMARY_STATE_INACTIVE, deadline):
                raise NodeError(name, f"could not be configured: {self._reason(name)}")

    def _silence(self, deadline: _Deadline) -> None:
        """Deactivates nodes that survived while others were restarted: they are connected to the dead ones, and have to
        wait for the new ones, which wait for them."""
        self._missing = "waiting for the nodes to say in which state they are"
        states = {name: self._get_state(name, deadline) for name in self._names}
        active = [name for name in reversed(self._names) if states[name] == State.PRIMARY_STATE_ACTIVE]
        if len(active) < len(self._names):
            for name in active:
                future = self._request(name, Transition.TRANSITION_DEACTIVATE)
                self._reached(name, future, State.PRIMARY_STATE_INACTIVE, deadline)

    def _activate(self, name: str, deadline: _Deadline) -> None:
        self._missing = f"waiting for {name} to become active"
        while self._get_state(name, deadline) != State.PRIMARY_STATE_ACTIVE:
            future = self._request(name, Transition.TRANSITION_ACTIVATE)
            if self._reached(name, future, State.PRIMARY_STATE_ACTIVE, deadline):
                return
            self._missing = f"waiting for {name} to become active: {self._watch.said(name)}"
            self._pause(name, deadline, "did not become active")

    def _bring_back(self, name: str) -> None:
        """Configures and activates a node that was started again, while all others stay active.

        It receives what was published before, for topics of decisions keep their messages for late readers.
        """
        deadline = _Deadline.after(_RETURN)
        try:
            state = self._get_state(name, deadline)
            if state == State.PRIMARY_STATE_UNCONFIGURED:
                future = self._request(name, Transition.TRANSITION_CONFIGURE)
                if not self._reached(name, future, State.PRIMARY_STATE_INACTIVE, deadline):
                    raise NodeError(name, f"could not be configured: {self._reason(name)}")
            self._activate(name, deadline)
        except NodeError as error:
            self._dead[name] = f"died and has not come back within {_RETURN:g} s"
            raise NodeError(
                name,
                f"{self._dead[name]} ({error}); see its log, restart it and call {LIFECYCLE_MANAGER}/reset",
                ErrorCode.NODE_DIED,
            ) from error
        finally:
            self._returning.discard(name)
        self._become_active()
        self.get_logger().info(f"{name} has come back")

    def _become_active(self) -> None:
        """Takes the graph for active, unless a node has died or was deactivated by others in the meantime, which goes
        unnoticed during a job."""
        self._check_living()
        self._missing = ""
        self._alive.say("")
        for name in self._names:
            self._ask_state(name, may_be_new=True)

    def _shut_down(self) -> None:
        """Shuts down all living nodes, also where one of them has died or does not follow."""
        self._missing = _SHUT_DOWN
        self._inactive.clear()
        deadline = _Deadline.after(self._config.deadline)
        failed: list[NodeError] = []
        self._is_ending = True
        for name in reversed(self._names):
            try:
                if name not in self._dead and self._there(name):
                    self._shut_down_node(name, deadline)
            except NodeError as error:
                failed.append(error)
        self._is_ending = False
        if failed:
            raise failed[0]

    def _shut_down_node(self, name: str, deadline: _Deadline) -> None:
        transition = _SHUTDOWNS.get(self._get_state(name, deadline))
        if transition is not None:
            self._reached(name, self._request(name, transition), State.PRIMARY_STATE_FINALIZED, deadline)

    def _restart(self) -> None:
        self._missing = "resetting"
        self._inactive.clear()
        self._wait_for_the_restarted()
        deadline = _Deadline.after(self._config.deadline)
        steps = (
            (State.PRIMARY_STATE_ACTIVE, Transition.TRANSITION_DEACTIVATE, State.PRIMARY_STATE_INACTIVE),
            (State.PRIMARY_STATE_INACTIVE, Transition.TRANSITION_CLEANUP, State.PRIMARY_STATE_UNCONFIGURED),
        )
        # All nodes are inactive before the first one resets.
        for state, transition, goal in steps:
            for name in reversed(self._names):
                if self._get_state(name, deadline) == state:
                    self._reached(name, self._request(name, transition), goal, deadline)
        self._start_up()

    def _wait_for_the_restarted(self) -> None:
        """Waits for nodes that were restarted right before the request, and are not discovered yet."""
        until = time.monotonic() + _COMING
        while self._dead.keys() - self._watch.alive and time.monotonic() < until:
            time.sleep(_RETRY)
        self._forget_the_living()

    def _forget_the_living(self) -> None:
        for name in self._dead.keys() & self._watch.alive:
            del self._dead[name]

    # -- one node

    def _there(self, name: str) -> bool:
        return bool(self._change[name].service_is_ready() and self._state[name].service_is_ready())

    def _get_state(self, name: str, deadline: _Deadline) -> int:
        while True:
            future = self._state[name].call_async(GetState.Request())
            if self._done(name, future, deadline):
                state: int = future.result().current_state.id
                return state

    def _request(self, name: str, transition: int) -> Future[Any]:
        return self._change[name].call_async(ChangeState.Request(transition=Transition(id=transition)))

    def _reached(self, name: str, future: Future[Any], goal: int, deadline: _Deadline) -> bool:
        """Waits for the end of a transition, by its answer or, if that is lost, by the node's state."""
        while not self._done(name, future, deadline):
            if self._get_state(name, deadline) == goal:
                return True
        return bool(future.result().success)

    def _done(self, name: str, future: Future[Any], deadline: _Deadline) -> bool:
        """Waits briefly for an answer."""
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        until = time.monotonic() + _REPEAT
        while not done.wait(_RETRY):
            self._check(name, deadline, "did not answer")
            if time.monotonic() > until:
                return False
        return True

    def _pause(self, name: str, deadline: _Deadline, trouble: str) -> None:
        self._check(name, deadline, trouble)
        time.sleep(_RETRY)

    def _check(self, name: str, deadline: _Deadline, trouble: str) -> None:
        """Raises when waiting is pointless."""
        if not self.context.ok():
            raise NodeError(LIFECYCLE_MANAGER, "was ended")
        if not self._is_ending:
            self._check_living()
        if self._watch.count(LIFECYCLE_MANAGER) > 1:  # on another host, which the lock does not cover
            raise self._another()
        now = time.monotonic()
        if now - self._reported > REPORT_PERIOD:
            self._reported = now
            self.tell(self._missing)
        if now > deadline.until:
            said = self._watch.said(name)
            raise NodeError(
                name,
                f"{trouble} within {deadline.duration:g} s{': ' + said if said else '; see its log'}",
            )

    def _check_living(self) -> None:
        """Raises NodeError where a node has died."""
        if self._dead:
            died = min(self._dead)
            raise NodeError(died, f"{self._dead[died]}; see its log and restart it", ErrorCode.NODE_DIED)

    def _finalized(self, name: str) -> NodeError:
        return NodeError(
            name,
            "was shut down for good: restart its process, and those of all nodes that were, and call "
            f"{LIFECYCLE_MANAGER}/startup",
            ErrorCode.NOT_ACTIVE,
        )

    def _another(self) -> NodeError:
        return NodeError(
            LIFECYCLE_MANAGER,
            f"does not start: another {LIFECYCLE_MANAGER} is running in the namespace {self.get_namespace()}, with "
            "nodes of the same names. End that robot, or give this one a namespace or a ROS_DOMAIN_ID of its own",
        )

    def _reason(self, name: str) -> str:
        """Returns the status line of a node that refused, which arrives on its own topic, perhaps later."""
        until = time.monotonic() + _REASON_DELAY
        while not self._watch.said(name) and time.monotonic() < until:
            time.sleep(_RETRY)
        return self._watch.said(name) or "see its log"
