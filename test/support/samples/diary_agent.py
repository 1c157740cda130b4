"""An agent with a component of its own: a diary that publishes the results of the last tasks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from stma_ros.agents import component_factories, registry
from stma_ros.agents.spec import AgentSpec, ComponentFactory, ComponentSpec, Preset, Requirements, plain, wire
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import Lessons
from stma_ros.types.causality import message_ref
from stma_ros.types.component import Emission
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskResult
from stma_ros.types.settings import setting
from stma_ros.types.world import Senses


@dataclass(frozen=True)
class DiaryConfig:
    entries: int = setting(3, "tasks that are looked back on", low=1, high=100)


class Diary:
    """Publishes the results of the last tasks after each task."""

    def __init__(self, config: DiaryConfig) -> None:
        self._entries = config.entries
        self._ends: list[str] = []

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        assert isinstance(message, TaskResult)
        self._ends = [*self._ends, f"{message.task_id}: {message.status.name}"][-self._entries :]
        source = message_ref(topic, message)
        yield (
            topics.LESSONS,
            Lessons(
                header=message.header,
                task_id=message.task_id,
                lessons=tuple(self._ends),
                derived_from=(source,),
            ),
        )


def _diary() -> ComponentFactory:
    return plain(DiaryConfig, Diary)


DIARY = AgentSpec(
    name="diary",
    summary="keeps a diary",
    source="",
    wirings=(
        wire(
            "camera",
            Requirements(Senses.CAMERA, (words.SKILL_EXPLORE,)),
            component_factories.PERCEPTION,
            component_factories.SPATIAL_MEMORY,
            component_factories.TEMPORAL_MEMORY,
            component_factories.PLANNER,
            component_factories.CRITIC,
            component_factories.EXECUTOR,
            ComponentSpec("diary", _diary, inputs=(topics.TASK_RESULT,), outputs=(topics.LESSONS,)),
        ),
    ),
    presets={"diary": Preset("as it is")},
)

AGENTS = registry.AGENTS.with_agent(DIARY)
