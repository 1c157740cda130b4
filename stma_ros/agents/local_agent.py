"""Runs a whole agent and a world in one process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeAlias

from stma_ros.agents.configured_agent import ConfiguredAgent, configuration
from stma_ros.agents.local_runtime import Binding, LocalRuntime, Tap
from stma_ros.components.decision.executor import Executor
from stma_ros.components.memory_requests import merged_reply
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.types import topics
from stma_ros.types.component import CancelToken, Closeable, Emission
from stma_ros.types.errors import StmaError
from stma_ros.types.message import Message
from stma_ros.types.planning import SkillRequest, SkillSet, Task, TaskResult
from stma_ros.types.remembering import (
    MemoryAction,
    MemoryAnswer,
    MemoryQuestion,
    MemoryReply,
    MemoryRequest,
    ObjectQuery,
    ObjectQueryResult,
)
from stma_ros.types.standard import Header
from stma_ros.types.task_text import task_text
from stma_ros.types.world import World

if TYPE_CHECKING:
    from stma_ros.models.model_pool import ModelPool


_Answer: TypeAlias = ObjectQueryResult | MemoryAnswer | MemoryReply
"""Replies to a request come from all memories, other answers from one."""


class WorldComponent:
    """Gives a world the interface of a component: a skill request is its input, frames and the outcome are
    its outputs."""

    def __init__(self, world: World) -> None:
        self._world = world

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        assert isinstance(message, SkillRequest)
        return self._world.execute(message, CancelToken())


class LocalAgent:
    """Runs tasks one after the other over one memory, and answers questions about it in between."""

    def __init__(
        self,
        world: World,
        agent: ConfiguredAgent,
        taps: Iterable[Tap] = (),
        choose: Callable[[int], int] | None = None,
        models: ModelPool | None = None,
    ) -> None:
        """Creates the components of an agent around a world.

        Args:
            world: the world.
            agent: matched with the world's offer.
            taps: as in LocalRuntime.
            choose: as in LocalRuntime.
            models: pool for the roles; the caller owns it.

        Raises:
            StmaError: a configuration cannot be followed.
        """
        wiring, configs, domain = agent.wiring, agent.configs, agent.matched.domain
        self._result: TaskResult | None = None
        self._asked = ""  # id of the question that is being answered
        self._answers: list[_Answer] = []
        self._tasks = 0
        self._questions = 0
        bindings = [spec.bind(configs[name], domain, models) for name, spec in wiring.components.items()]
        self._components = tuple(each.component for each in bindings)
        bindings.append(
            Binding("world", WorldComponent(world), (topics.SKILL_REQUEST,), wiring.world_outputs)
        )
        self._runtime = LocalRuntime(bindings, (*taps, self._watch), choose)
        for name, spec in wiring.components.items():
            asked = RoleModelConfig() if models is None else models.config
            message = configuration(
                Header(), name, agent.matched, configs[name], asked if spec.roles else None
            )
            self._runtime.publish(topics.CONFIGURATION, message)
        self._runtime.publish(topics.SKILLS, SkillSet(header=Header(), skills=world.skills))

    def run_task(self, text: str, max_commands: int = 0) -> TaskResult:
        """Runs one task to its end.

        Args:
            text: the task.
            max_commands: largest number of executed skills; 0 = no limit.

        Raises:
            TaskTooLongError: the task's text is too long.
            StmaError: no message is left to handle, and the task has not ended.
        """
        text = task_text(text)
        self._tasks += 1
        self._result = None
        self._runtime.publish(
            topics.TASK,
            Task(header=Header(), task_id=f"task_{self._tasks}", text=text, max_commands=max_commands),
        )
        self._runtime.run(until=lambda: self._result is not None)
        result: TaskResult | None = self._result
        if result is None:
            waiting = (each.waiting_for() for each in self._components if isinstance(each, Executor))
            missing = ", ".join(next(waiting, ()))
            raise StmaError(f"{text!r} came to a halt: nothing is under way, and these never came: {missing}")
        return result

    def last_seen(self, description: str, limit: int = 0) -> ObjectQueryResult:
        """Returns where the agent last saw the described object. description: plain English. limit: most sightings, 0 =
        all."""
        query = ObjectQuery(header=Header(), request_id=self._new_id(), description=description, limit=limit)
        (answer,) = self._ask(topics.OBJECT_QUERY, query)
        assert isinstance(answer, ObjectQueryResult)
        return answer

    def ask(self, question: str) -> MemoryAnswer:
        """Returns what the spatial memory answers to a question, without moving. question: plain English."""
        asked = MemoryQuestion(header=Header(), request_id=self._new_id(), question=question)
        (answer,) = self._ask(topics.MEMORY_QUESTION, asked)
        assert isinstance(answer, MemoryAnswer)
        return answer

    def save(self) -> MemoryReply:
        """Saves the spatial memory now."""
        return self._keep(MemoryAction.SAVE)

    def forget(self, subject: str = "") -> MemoryReply:
        """Removes an object (by its id), a category of objects or, without a subject, everything from the memory."""
        return self._keep(MemoryAction.FORGET, subject)

    def close(self) -> None:
        """Closes the components, which save their memories; no task can be run afterwards.

        If the last task has ended, what is left to be delivered is delivered first: a memory may learn from its result.

        Raises:
            StmaError: a component fails, or its memory cannot be saved; the others are closed nonetheless.
        """
        components, self._components = self._components, ()
        with ExitStack() as closing:  # all are closed, also if one fails
            for component in reversed(components):
                if isinstance(component, Closeable):
                    closing.callback(component.close)
            if self._result is not None and components:
                self._runtime.run()

    def _keep(self, kind: MemoryAction, subject: str = "") -> MemoryReply:
        replies = self._ask(
            topics.MEMORY_REQUEST,
            MemoryRequest(header=Header(), request_id=self._new_id(), kind=kind, subject=subject),
        )
        return merged_reply([reply for reply in replies if isinstance(reply, MemoryReply)])

    def _new_id(self) -> str:
        self._questions += 1
        return f"question_{self._questions}"

    def _ask(self, topic: str, question: ObjectQuery | MemoryQuestion | MemoryRequest) -> Sequence[_Answer]:
        self._asked, self._answers = question.request_id, []
        self._runtime.publish(topic, question)
        self._runtime.run(until=lambda: bool(self._answers) and not self._runtime.is_waiting(topic))
        if not self._answers:
            raise StmaError(f"no component answers on {topic}; is spatial_memory a component of the agent?")
        return self._answers

    def _watch(self, topic: str, message: Message) -> None:
        if isinstance(message, TaskResult):
            self._result = message
        elif isinstance(message, _Answer) and message.request_id and message.request_id == self._asked:
            self._answers.append(message)
