"""What the executor keeps of the task it runs, and what it waits for at each step."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from stma_ros.components import grounding
from stma_ros.components.join import StepStore
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.causality import source
from stma_ros.types.common import Source
from stma_ros.types.control import Deadline
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, Outcome, Plan, Task
from stma_ros.types.scene_graph import Frontiers, SceneGraph
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header

STEP_INPUTS: tuple[tuple[str, type[Message]], ...] = (
    (topics.OUTCOME, Outcome),
    (topics.OBSERVATION, Observation),
    (topics.SCENE_GRAPH, SceneGraph),
    (topics.FRONTIERS, Frontiers),
    (topics.SPATIAL_BELIEF, SpatialBelief),
)
"""What has to come before a step can be decided."""


class Phase(enum.Enum):
    STEP = "the skill and the beliefs after it"
    PLAN = "the planner"
    CRITIQUE = "the critic"


@dataclass
class Run:
    """The task that is being executed."""

    task: Task
    phase: Phase = Phase.STEP
    step: int = 0
    commands: int = 0
    requests: int = 0
    proposals: int = 0
    allowed: tuple[Action, ...] = ()
    pending: Action = grounding.OBSERVE
    feedback: str = ""
    rejected: list[Action] = field(default_factory=list)
    remaining: list[Action] = field(default_factory=list)
    plan: Plan = field(default_factory=Plan)
    cancel_reason: str | None = None
    cause: tuple[Source, ...] = ()  # the message that led to what is done now
    alarm: Deadline = field(default_factory=Deadline)


@dataclass(frozen=True)
class StepInputs:
    """Everything that belongs to one step."""

    observation: Observation
    graph: SceneGraph
    frontiers: Frontiers
    belief: SpatialBelief

    @property
    def sources(self) -> tuple[Source, ...]:
        return (
            source(topics.OBSERVATION, self.observation),
            source(topics.SCENE_GRAPH, self.graph),
            source(topics.FRONTIERS, self.frontiers),
            source(topics.SPATIAL_BELIEF, self.belief),
        )


def inputs_of_step(store: StepStore, run: Run) -> StepInputs | None:
    """None while something of the present step has not come."""
    key = (run.task.task_id, run.step)
    observation = store.get(topics.OBSERVATION, Observation, key)
    graph = store.get(topics.SCENE_GRAPH, SceneGraph, key)
    frontiers = store.get(topics.FRONTIERS, Frontiers, key)
    belief = store.get(topics.SPATIAL_BELIEF, SpatialBelief, key)
    if observation is None or graph is None or frontiers is None or belief is None:
        return None
    return StepInputs(observation, graph, frontiers, belief)


def missing_topics(store: StepStore, run: Run) -> tuple[str, ...]:
    """The topics of the present step on which nothing has come yet."""
    key = (run.task.task_id, run.step)
    return tuple(topic for topic, kind in STEP_INPUTS if store.get(topic, kind, key) is None)


def newest_header(store: StepStore, run: Run) -> Header:
    """Of the newest observation of the task; before the first one, of the task."""
    for step in (run.step, run.step - 1):
        observation = store.get(topics.OBSERVATION, Observation, (run.task.task_id, step))
        if observation is not None:
            return observation.header
    return run.task.header
