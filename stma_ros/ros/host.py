"""Hosts a component in a managed node, with one inbox and one worker thread."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rclpy.subscription import MessageInfo, Subscription

from stma_ros.agents.configured_agent import MEMORY_DIR, STATE_DIR, configuration
from stma_ros.agents.journal import HANDLING, Journal
from stma_ros.agents.local_runtime import Binding
from stma_ros.agents.node_spec import HOST, MODEL
from stma_ros.agents.registry import AgentRegistry
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.ros.agent_parameters import declare_agent
from stma_ros.ros.background_answers import BackgroundAnswers
from stma_ros.ros.camera_backlog import CameraBacklog
from stma_ros.ros.conversions import from_msg, msg_class
from stma_ros.ros.delivery_delay import DeliveryDelay
from stma_ros.ros.diagnostics import SHOWN_FOR
from stma_ros.ros.frame_watch import FrameWatch
from stma_ros.ros.graph import Graph, unconnected
from stma_ros.ros.managed_node import ManagedNode
from stma_ros.ros.qos import HOSTED, PROFILES
from stma_ros.ros.sequence_gaps import GapDetector
from stma_ros.ros.worker import Worker
from stma_ros.storage.recording import excluded_topics
from stma_ros.types import topics
from stma_ros.types.causality import message_id
from stma_ros.types.common import Error
from stma_ros.types.component import Closeable, Component, OpenQuestion, Resuming
from stma_ros.types.control import Alarm
from stma_ros.types.errors import ConfigurationError, ErrorCode, StmaError
from stma_ros.types.message import Message
from stma_ros.types.remembering import MemoryReply
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.settings import setting

if TYPE_CHECKING:
    from stma_ros.models.model_pool import ModelPool

ENDING_CALLS = (topics.CANCEL, topics.TASK_RESULT)
"""Topics whose messages end the wait for a model's answer."""


@dataclass(frozen=True)
class HostConfig:
    bridge: str = setting("sim_bridge", "name of the node that stands for the robot's body; empty = none")
    recorder: str = setting(
        "", "name of the recording node that must listen before anything is said; empty = none"
    )
    excluded_topics: str = setting("", "topics that the recorder excludes, with commas between")
    lock_step: bool = setting(True, "a lost message ends the task")
    image_backlog: int = setting(
        256,
        "largest size of the camera images that wait for a component; beyond it whole frames are dropped, "
        "but in lock step; 0 = any size",
        unit="MB",
        low=0,
    )
    delivery_delay: float = setting(
        0.0, "for tests: longest artificial delay of a message", unit="s", low=0.0, high=10.0
    )
    delivery_seed: int = setting(0, "for tests: seed of the artificial delays", low=0)


@dataclass(frozen=True)
class RepliesConfig:
    replies: str = setting("", "folder in which what models reply is recorded; empty = it is not")


_TO_SAVE = 3.0
"""Time that clean-up waits for a memory to be written [s], as the node's successor will read the file."""


_NO_PROBLEM = (ErrorCode.NONE, ErrorCode.MODEL_BUDGET)
"""Errors of a keyframe of which nothing is wrong."""


class MemoryRefusedError(StmaError):
    """A saved memory could not be used."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.text)
        self.code = error.code


class BadMessageError(StmaError):
    """A message with a value that its type cannot hold."""

    code = ErrorCode.NODE_FAILED


class MessagesLostError(StmaError):
    """A publisher's sequence counter has a gap."""

    code = ErrorCode.MESSAGES_LOST


@dataclass(frozen=True)
class Delivery:
    """A message in the inbox, decoded or raw, with the number of the activation in which it arrived."""

    topic: str
    content: Any
    activation: int


class ComponentHost(ManagedNode):
    """Hosts the component of an agent.

    The executor thread only enqueues and answers; `handle` runs in the worker. Input that arrives while the node is
    inactive is dropped, except for the newest message of a latched topic, which is handled after the activation; output
    of an earlier activation is dropped too. A component that goes on from a saved state is given all that was said
    before. One with a memory saves it when it is closed: at clean-up, at shutdown and at the process's end. If the
    component raises, a fatal fault is reported, as its step will never finish, and the next message is handled.
    """

    def __init__(self, name: str, agents: AgentRegistry, **node_options: Any) -> None:
        super().__init__(name, **node_options)
        self.parameters.declare(HostConfig, HOST)
        self._matched = declare_agent(self.parameters, agents, name, HOST)
        self.spec = self._matched.component(name)
        self.parameters.declare(self.spec.config)
        if self.spec.roles:
            self.parameters.declare(RoleModelConfig, MODEL)
            self.parameters.declare(RepliesConfig, HOST)
        self._models: ModelPool | None = None
        self._worker: Worker[Delivery] | None = None
        self._answers: BackgroundAnswers | None = None
        self._inputs: dict[str, Subscription[Any]] = {}
        self._endings: list[Subscription[Any]] = []
        self._latched: dict[str, Any] = {}
        self._missed: list[tuple[str, Any]] = []  # what came to a component that resumes before it was active
        self._is_catching_up = False  # whether that is so
        self._resumed_from = ""
        self._handled_for = 0  # activation of the last handled message (in the worker)
        self._frame_problem = "", 0.0  # the newest one, and when it came [s]
        self._backlog = CameraBacklog(0)
        self._frames: FrameWatch | None = None
        self._lacks_frames = False

    # -- hooks of the executor's host

    def consumed(self, topic: str, message: Message) -> None:
        """Called before the component handles a message (in the worker)."""

    def emitted(self, topic: str, message: Message) -> None:
        """Called after a message of the component was published (in the worker)."""
        if isinstance(message, MemoryReply) and message.error and not message.request_id:
            self.report(MemoryRefusedError(message.error))  # no answer: a saved memory could not be used
        elif isinstance(message, KeyframeDetections) and message.error.code not in _NO_PROBLEM:
            self._note(message.error.text)

    def failed(self, topic: str, error: Exception) -> None:
        """Called after the component raised (in the worker)."""

    def _note(self, problem: str) -> None:
        """Lets the diagnostics tell why camera frames are not used, for a while."""
        self._frame_problem = problem, time.monotonic()

    def inject(self, topic: str, message: Message) -> None:
        """Publishes a message of the host itself, and delivers it to the component. Thread-safe."""
        activation = self.activation
        if self.publish(topic, message, activation) and topic in self.spec.messages:
            self._deliver(topic, message)

    # -- lifecycle

    def configure(self) -> None:
        host = self.parameters.build(HostConfig, HOST)
        self._models = self._make_models()
        self._config: Any = self.parameters.build(self.spec.config)
        binding = self.spec.bind(self._config, self._matched.domain, self._models)
        self._frames = None if binding.frames is None else FrameWatch(binding.frames)
        self._lock_step = host.lock_step
        self._delay = DeliveryDelay(host.delivery_delay, host.delivery_seed, self.spec.name)
        self._gaps = GapDetector()
        self._backlog = CameraBacklog(0 if host.lock_step else host.image_backlog * 1_000_000)
        excluded = excluded_topics(host.excluded_topics)
        self.graph = Graph(self._matched.wiring, host.bridge, host.recorder, excluded)
        # The worker refers to its component: one that is stuck at clean-up is abandoned with all it holds.
        self._worker = Worker(
            self.spec.name,
            partial(self._handle, binding, Journal(self.spec.name)),
            self._raised,
            partial(self._put_away, binding.component),
        )
        if self.spec.answers:
            self._answers = BackgroundAnswers(
                f"{self.spec.name} answers", self._deliver, self._question_failed
            )
        component = binding.component
        self._resumed_from = component.resumed_from if isinstance(component, Resuming) else ""
        self._is_catching_up = bool(self._resumed_from)
        profiles = PROFILES if self._is_catching_up else HOSTED
        self.open_topics(self.graph.publications(self.spec.name))
        for topic in self.graph.subscriptions(self.spec.name):
            spec = topics.TOPICS[topic]
            self._inputs[topic] = self.create_subscription(
                msg_class(spec.type), topic, partial(self._received, topic), profiles[spec.delivery]
            )
        if self._models is not None:
            self._endings = [self._listen_for(topic) for topic in ENDING_CALLS if topic not in self._inputs]

    def waiting_for(self) -> list[str]:
        unused = {part for part in self.spec.frame if not self._config.uses(part)} - {self.spec.clock}
        return unconnected(self, self.graph, self.publications, self._inputs, unused)

    def activate(self) -> None:
        models = self.parameters.build(RoleModelConfig, MODEL) if self.spec.roles else None
        message = configuration(
            self.header(), self.spec.name, self._matched, self._config, models, self._resumed_from
        )
        self.publish(topics.CONFIGURATION, message, self.activation)
        for topic, msg in (*self._latched.items(), *self._missed):
            self._deliver(topic, msg)
        self._latched.clear()
        self._missed.clear()
        self._is_catching_up = False
        if self._answers is not None:
            self._answers.resume()

    def deactivate(self) -> None:
        if self._worker is not None:
            self._worker.inbox.clear()
            self._backlog.clear()
        if self._answers is not None:
            self._answers.pause()
        if self._models is not None:
            self._models.interrupt_all(f"{self.spec.name} was deactivated")

    def cleanup(self) -> None:
        writes = self.spec.has_setting(MEMORY_DIR) or self.spec.has_setting(STATE_DIR)
        if writes and not self.close(_TO_SAVE):
            self.get_logger().warning(f"what is remembered was not saved within {_TO_SAVE:g} s")
        for subscription in (*self._inputs.values(), *self._endings):
            self.destroy_subscription(subscription)
        self._endings.clear()
        self._inputs.clear()
        self._latched.clear()
        self._missed.clear()
        if self._worker is not None:
            self._worker.stop(timeout=0.0)
            self._worker = None
        if self._answers is not None:
            self._answers.end()
            self._answers = None
        self._frames = None
        if self._models is not None:
            self._models.close()
            self._models = None

    def stop(self) -> None:
        """Lets the work end with the message that is being handled, whose outputs still pass."""
        self._end_work()

    def _end_work(self) -> None:
        if self._worker is not None:
            self._worker.inbox.close()
        if self._answers is not None:
            self._answers.end()
        if self._models is not None:
            self._models.interrupt_all("the process ends")

    @property
    def is_stopped(self) -> bool:
        """Whether no message is being handled, and none will be."""
        return self._worker is None or self._worker.has_ended

    def close(self, timeout: float) -> bool:
        until = time.monotonic() + timeout
        self._end_work()
        has_ended = self._worker is None or self._worker.stop(timeout)
        return has_ended and (self._answers is None or self._answers.join(max(0.0, until - time.monotonic())))

    def diagnostics(self) -> Mapping[str, str]:
        worker = self._worker
        if worker is None:
            return {}
        return {
            "inbox": str(len(worker.inbox)),
            "handled": str(worker.handled),
            "latency p50 [s]": f"{worker.latency(0.5):.4f}",
            "latency p95 [s]": f"{worker.latency(0.95):.4f}",
            **(self._frames.values if self._frames is not None else {}),
            **(self._models.log.health if self._models is not None else {}),
        }

    def warning(self) -> str:
        lacking = self._lacking_frames()
        trouble = self._models.log.trouble if self._models is not None else ""
        problem, since = self._frame_problem
        return trouble or lacking or (problem if time.monotonic() < since + SHOWN_FOR else "")

    def _lacking_frames(self) -> str:
        """Returns why no camera frames are complete, and logs it when it begins."""
        lacking = "" if self._frames is None else self._frames.warning(time.monotonic())
        if lacking and not self._lacks_frames:
            self.get_logger().warning(lacking)
        self._lacks_frames = bool(lacking)
        return lacking

    # -- in the executor thread

    def _make_models(self) -> ModelPool | None:
        """Returns the pool of the models that the parameters name; None where rules answer all roles."""
        if not self.spec.roles:
            return None
        config = self.parameters.build(RoleModelConfig, MODEL)
        if not set(config.model_roles) & set(self.spec.roles):
            return None
        from stma_ros.models.model_pool import ModelPool  # a slow import, for hosts with models only

        models = ModelPool(config)
        folder = self.parameters.build(RepliesConfig, HOST).replies
        models.start(Path(folder) if folder else None)
        return models

    def _listen_for(self, topic: str) -> Subscription[Any]:
        """Subscribes to a topic of ENDING_CALLS that the component does not read."""
        spec = topics.TOPICS[topic]
        return self.create_subscription(
            msg_class(spec.type), topic, partial(self._end_calls, topic), HOSTED[spec.delivery]
        )

    def _end_calls(self, topic: str, msg: Any) -> None:
        """Ends the model calls of a task that has ended, without passing through the inbox."""
        if self._models is None:
            return
        if topic == topics.CANCEL and msg.task_id:
            self._models.cancel("the task was canceled", msg.task_id)
        else:
            self._models.interrupt("the task is over or canceled", msg.task_id)

    def _received(self, topic: str, msg: Any, info: MessageInfo) -> None:
        lost = self._gaps.lost(topic, info)
        if self.activation is None:
            if topics.TOPICS[topic].delivery is topics.Delivery.LATCHED:
                self._latched[topic] = msg
            elif self._is_catching_up:
                self._missed.append((topic, msg))
            return
        if lost:
            error = MessagesLostError(
                f"{lost} message(s) on {topic} never came; give its publisher a longer history, or slow it"
            )
            self.report(error, fatal=self._lock_step)
        if topic in ENDING_CALLS:
            self._end_calls(topic, msg)
        self._deliver(topic, msg)

    def _deliver(self, topic: str, content: Any) -> None:
        activation, worker = self.activation, self._worker
        if activation is None or worker is None:
            return
        if self._backlog.admit(topic, content):
            worker.inbox.put(Delivery(topic, content, activation), self._delay(topic))
        else:
            self._note(
                f"{self._backlog.dropped} camera frames were dropped, as {self.spec.name} is slower than the camera: "
                "lower the camera's rate, set perception.keyframe_rate, or take a faster detector"
            )

    # -- in the worker

    def _handle(self, binding: Binding, journal: Journal, delivery: Delivery) -> None:
        activation = delivery.activation
        self._backlog.take(delivery.topic, delivery.content)
        if activation != self.activation:
            return
        if activation != self._handled_for:  # the input that the deactivation dropped
            self._handled_for = activation
            if binding.alarms is not None:
                binding.alarms.restore()
        for topic, message in binding.inputs_from(delivery.topic, self._message(delivery)):
            self._take(binding, journal, topic, message, activation)

    def _take(
        self, binding: Binding, journal: Journal, topic: str, message: Message, activation: int
    ) -> None:
        if topic == topics.ALARM_EXPIRED or topic in self.spec.answers:
            self.publish(topic, message, activation)
        if not self.publish(topics.JOURNAL, journal.line(self.header(), topic, message), activation):
            return  # deactivated meanwhile: input outside of the journal must not change a component
        self.consumed(topic, message)
        for out, emission in binding.component.handle(topic, message):
            if out not in self.spec.outputs:
                raise ConfigurationError(
                    f"{self.spec.name} may not publish {out}; the agent's wiring does not list it"
                )
            if not self.publish(out, emission, activation):
                return
            if isinstance(emission, Alarm):
                self._set_alarm(binding, emission, activation)
            self.emitted(out, emission)
        answers = self._answers
        if answers is not None:
            answers.put(binding.take_questions())
            if topic in self.spec.answers:
                answers.handled(message_id(message))
        if binding.alarms is not None and isinstance(message, Alarm):
            binding.alarms.handled(message)

    def _put_away(self, component: Component) -> None:
        if not isinstance(component, Closeable):
            return
        try:
            component.close()
        except Exception as error:  # noqa: BLE001 - the boundary: the thread ends in any case
            self.report(error, doing=f"closing {self.spec.name}")

    def _message(self, delivery: Delivery) -> Message:
        if isinstance(delivery.content, Message):
            return delivery.content
        try:
            return from_msg(delivery.content, topics.TOPICS[delivery.topic].type)
        except ValueError as error:
            raise BadMessageError(f"a message on {delivery.topic} was dropped: {error}") from error

    def _set_alarm(self, binding: Binding, deadline: Alarm, activation: int) -> None:
        worker = self._worker
        if worker is None:
            return
        if binding.alarms is not None:
            for alarm in binding.alarms.set(deadline):
                worker.inbox.put(Delivery(topics.ALARM_EXPIRED, alarm, activation))
        if deadline.duration > 0:
            expired = Delivery(topics.ALARM_EXPIRED, deadline, activation)
            worker.inbox.set_alarm(deadline.id, deadline.duration, expired)
        else:
            worker.inbox.cancel_alarm(deadline.id)

    def _question_failed(self, question: OpenQuestion, error: Exception) -> None:
        self.report(error, doing=f"asking for {question.topic}")

    def _raised(self, delivery: Delivery, error: Exception) -> None:
        if isinstance(error, BadMessageError):
            self.report(error)
            return
        # An error during the handling of a fault must not cause another fault.
        self.report(
            error, doing=f"{HANDLING}{delivery.topic}", fatal=True, tell=delivery.topic != topics.FAULT
        )
        self.failed(delivery.topic, error)
