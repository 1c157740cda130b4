"""The whole agent and a world in one process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from stma_ros.agents.local_runtime import Attached, LocalRuntime, Tap
from stma_ros.agents.wiring import COMPONENTS, WORLD_OUTPUTS
from stma_ros.components.executor import Executor
from stma_ros.types import topics
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import StmaError
from stma_ros.types.message import Message
from stma_ros.types.planning import SkillRequest, SkillSet, Task, TaskResult
from stma_ros.types.standard import Header
from stma_ros.types.world import World


class WorldComponent:
    """Puts a world behind the component protocol: a skill request goes in, frames and the outcome come out."""

    def __init__(self, world: World) -> None:
        self._world = world

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        assert isinstance(message, SkillRequest)
        return self._world.execute(message, CancelToken())


class LocalAgent:
    """Runs tasks one after the other over one memory."""

    def __init__(
        self,
        world: World,
        configs: Mapping[str, Any],
        taps: Iterable[Tap] = (),
        choose: Callable[[int], int] | None = None,
    ) -> None:
        """configs: as of `presets.component_configs`. taps, choose: as of LocalRuntime."""
        self._result: TaskResult | None = None
        self._tasks = 0
        components = {name: spec.build(configs[name]) for name, spec in COMPONENTS.items()}
        executor = components["executor"]
        assert isinstance(executor, Executor)
        self._executor = executor
        attached = [
            Attached(name, components[name], spec.inputs, spec.outputs) for name, spec in COMPONENTS.items()
        ]
        attached.append(Attached("world", WorldComponent(world), (topics.SKILL_REQUEST,), WORLD_OUTPUTS))
        self._runtime = LocalRuntime(attached, (*taps, self._watch), choose)
        self._runtime.publish(topics.SKILLS, SkillSet(Header(), world.skills))

    def run_task(self, text: str, max_commands: int = 0) -> TaskResult:
        """Run one task to its end. max_commands: skills that may be executed, 0 = no limit.

        Raises StmaError when nothing is left to do and the task has not ended.
        """
        self._tasks += 1
        self._result = None
        self._runtime.publish(topics.TASK, Task(Header(), f"task_{self._tasks}", text, max_commands))
        self._runtime.run(until=lambda: self._result is not None)
        result: TaskResult | None = self._result
        if result is None:
            missing = ", ".join(self._executor.waiting_for())
            raise StmaError(f"{text!r} came to a halt: nothing is under way, and these never came: {missing}")
        return result

    def _watch(self, topic: str, message: Message) -> None:
        if isinstance(message, TaskResult):
            self._result = message
