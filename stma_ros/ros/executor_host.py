"""Hosts the executor: it also serves ExecuteTask, and sends skills to the bridge."""

from __future__ import annotations

from typing import Any

from stma_ros.agents.registry import AgentRegistry
from stma_ros.ros.graph import EXECUTOR, LIFECYCLE_MANAGER
from stma_ros.ros.host import ComponentHost
from stma_ros.ros.liveliness import LivelinessWatch, NodeDiedError
from stma_ros.ros.skill_client import SkillClient
from stma_ros.ros.task_server import TaskServer
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.control import Fault
from stma_ros.types.errors import ConfigurationError, ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.planning import Plan, SkillRequest, TaskResult

_DEACTIVATED = Error(ErrorCode.NOT_ACTIVE, f"{EXECUTOR} was deactivated while the task ran")


class ExecutorHost(ComponentHost):
    """Converts goals and cancels to messages for the component, and its skill requests to goals for the bridge."""

    def __init__(self, agents: AgentRegistry, **node_options: Any) -> None:
        super().__init__(EXECUTOR, agents, **node_options)
        self._skills: SkillClient | None = None
        self._tasks = TaskServer(self, self._cancel_skill)
        self._watch: LivelinessWatch | None = None
        self._has_failed_task = False  # by the last deactivation
        self._is_stopping = False

    def configure(self) -> None:
        super().configure()
        if not self.graph.bridge:
            raise ConfigurationError(
                f"{EXECUTOR} needs a robot: name its bridge in the parameter host.bridge"
            )
        self._skills = SkillClient(self, self.graph.bridge)
        watched = LIFECYCLE_MANAGER, self.graph.bridge
        if self._watch is None or self._watch.names != watched:
            if self._watch is not None:
                self._watch.destroy()
            self._watch = LivelinessWatch(self, watched, self._died)

    def waiting_for(self) -> list[str]:
        assert self._skills is not None
        assert self._watch is not None
        missing = super().waiting_for()
        if self.graph.bridge not in self._watch.alive:
            missing.append(f"{self.graph.bridge} shows no sign of life yet")
        if not self._skills.ready:
            missing.append(f"{self.graph.bridge} does not offer execute_skill yet")
        return missing

    def activate(self) -> None:
        super().activate()
        if self._has_failed_task:  # of which the component has not heard: an inactive node is told nothing
            self._has_failed_task = False
            self.inject(
                topics.FAULT, Fault(header=self.header(), node=EXECUTOR, fatal=True, error=_DEACTIVATED)
            )

    def deactivate(self) -> None:
        super().deactivate()
        self._has_failed_task = self._tasks.is_running
        self._fail_task(_DEACTIVATED)

    def cleanup(self) -> None:
        super().cleanup()
        self._has_failed_task = False  # the next component knows of no task
        if self._skills is not None:
            self._skills.destroy()
            self._skills = None

    def stop(self) -> None:
        """Cancels the running skill, as the process ends; no further one is sent."""
        self._is_stopping = True
        self._cancel_skill()

    @property
    def is_stopped(self) -> bool:
        """Whether no skill is running."""
        return self._skills is None or self._skills.is_idle

    def destroy_node(self) -> None:
        self.cleanup()
        self._tasks.destroy()
        super().destroy_node()

    def warning(self) -> str:
        dead = self._watch.dead if self._watch is not None else ()
        return "; ".join(map(_dead, sorted(dead))) or super().warning()

    def consumed(self, topic: str, message: Message) -> None:
        if isinstance(message, Plan):
            self.call_soon(self._tasks.planned, message)

    def emitted(self, topic: str, message: Message) -> None:
        if isinstance(message, SkillRequest):
            self.call_soon(self._execute, message)
        elif isinstance(message, TaskResult):
            self.call_soon(self._end_task, message)

    def failed(self, topic: str, error: Exception) -> None:
        if topic == topics.FAULT:  # which would have ended the task
            text = f"{EXECUTOR}: {type(error).__name__}: {error}"
            self.call_soon(self._fail_task, Error(ErrorCode.NODE_FAILED, text))

    def _execute(self, request: SkillRequest) -> None:
        is_active = self.activation is not None and not self._is_stopping  # it may have ended meanwhile
        if self._skills is not None and is_active:
            self._tasks.acting(request)
            self._skills.execute(request)
            if self._watch is not None and self.graph.bridge in self._watch.dead:
                self._skills.fail(_dead(self.graph.bridge))
            if self._tasks.canceling:  # canceled while the request was on its way
                self._skills.cancel()

    def _end_task(self, result: TaskResult) -> None:
        self._tasks.finish(result)
        if self._skills is not None:
            self._skills.end_task(result.task_id)

    def _fail_task(self, error: Error) -> None:
        self._tasks.fail(error)
        self._cancel_skill()

    def _cancel_skill(self) -> None:
        if self._skills is not None:
            self._skills.cancel()

    def _died(self, name: str) -> None:
        if self.activation is None:
            return
        if self._skills is not None and name == self.graph.bridge:
            self._skills.fail(_dead(name))
        self.report(NodeDiedError(_dead(name)), node=name, fatal=True)


def _dead(name: str) -> str:
    return f"{name} died; see its log, restart it and call {LIFECYCLE_MANAGER}/reset"
