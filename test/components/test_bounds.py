"""Tests that the state of the components is bounded for long tasks and many tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from stma_ros.agents.local_runtime import LocalRuntime
from stma_ros.agents.registry import AGENTS
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.component import Component
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, ActionProposal, Outcome, PlanRequest, Result, SkillRequest, Task
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Point, Pose, Time
from stma_ros.types.stepped import StepStamp
from support.components.wall_frames import Patch, frame

STEPS, TASKS = 500, 5
ROUND = 10
"""Steps after which the robot is back at its place and sees the same objects again."""

TEXT = "put the mug in the fridge"
ACTION = Action("look_around")
SETTINGS = {"spatial_memory": {"resolution": 0.1}}


def size_of(root: object) -> int:
    """Returns the bytes of arrays and texts plus the items of collections that an object of this package refers to."""
    size, seen, left = 0, set[int](), [root]
    while left:
        item = left.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, np.ndarray):
            size += item.nbytes
        elif isinstance(item, str | bytes):
            size += len(item)
        elif isinstance(item, Mapping):
            size += len(item)
            left += [*item.keys(), *item.values()]
        elif isinstance(item, Iterable) and hasattr(item, "__len__"):
            size += len(item)
            left += item
        elif type(item).__module__.startswith("stma_ros."):
            left += [*getattr(item, "__dict__", {}).values()]
            left += [getattr(item, name) for name in getattr(item, "__slots__", ()) if hasattr(item, name)]
    return size


class Robot:
    """All components of an agent except the executor, fed with invented observations and actions."""

    def __init__(self) -> None:
        agent = AGENTS.match()
        specs = [spec for name, spec in agent.wiring.components.items() if name != "executor"]
        attached = [spec.bind(spec.config(**SETTINGS.get(spec.name, {})), agent.domain) for spec in specs]
        self.components: dict[str, Component] = {each.name: each.component for each in attached}
        self.message_counts: dict[str, int] = {}
        self.belief = SpatialBelief()
        self._runtime = LocalRuntime(attached, (self._hear,))

    def _hear(self, topic: str, message: Message) -> None:
        self.message_counts[topic] = self.message_counts.get(topic, 0) + 1
        if isinstance(message, SpatialBelief):
            self.belief = message

    def hear(self, topic: str, message: Message) -> None:
        self._runtime.publish(topic, message)
        self._runtime.run()

    def live(self, task: str, step: int, second: int) -> None:
        """Delivers one step: a frame, an observation, a request for a plan and a proposal."""
        stamp, phase = Time(second), second % ROUND
        mug = Patch("mug", (22, 30), (50, 58) if phase < ROUND / 2 else (60, 68))
        fridge = Patch("fridge", (10, 50), (20, 40), (240, 240, 240))
        # The robot drives to and fro; in one phase of each round the depth camera measures nothing.
        away = 0.1 * min(phase, ROUND - phase)
        parts = frame(stamp, (fridge, mug), Pose(Point(away, 0.0, 0.0)), 0 if phase == 3 else 2000)
        for topic, part in parts.items():
            self.hear(topic, part)
        header = Header(stamp, "map")
        outcome = Outcome(
            header=header,
            request_id=f"{task}/{step}",
            task_id=task,
            step=step,
            action=ACTION,
            result=Result.SUCCEEDED,
        )
        observed = Observation(header=header, task_id=task, step=step, watermark=stamp, last_outcome=outcome)
        request = SkillRequest(
            header=header, request_id=f"{task}/{step}", task_id=task, step=step, action=ACTION
        )
        self.hear(topics.SKILL_REQUEST, request)
        self.hear(topics.OBSERVATION, observed)
        self.hear(
            topics.PLAN_REQUEST,
            PlanRequest(
                at=StepStamp(header=header, task_id=task, step=step), task=TEXT, allowed_actions=(ACTION,)
            ),
        )
        self.hear(
            topics.ACTION_PROPOSAL,
            ActionProposal(
                at=StepStamp(header=header, task_id=task, step=step),
                belief_step=step,
                action=ACTION,
                allowed_actions=(ACTION,),
            ),
        )

    def sizes(self) -> dict[str, int]:
        return {name: size_of(component) for name, component in self.components.items()}


def test_components_do_not_grow_with_the_length_and_number_of_tasks() -> None:
    robot = Robot()
    sizes = []
    steps = STEPS // TASKS
    for second in range(1, STEPS + 1):
        number, step = divmod(second - 1, steps)
        if step == 0:
            robot.hear(topics.TASK, Task(header=Header(Time(second)), task_id=f"task_{number}", text=TEXT))
        robot.live(f"task_{number}", step, second)
        if step == steps - 1:
            sizes.append(robot.sizes())
    answered = (topics.SPATIAL_BELIEF, topics.TEMPORAL_BELIEF, topics.PLAN, topics.CRITIQUE)
    assert [robot.message_counts.get(topic) for topic in answered] == [STEPS] * 4
    assert {fact.object for fact in robot.belief.facts} >= {"mug", "fridge"}
    for name, size in sizes[-1].items():
        assert size <= 1.02 * sizes[-2][name], f"{name} grew: {[old[name] for old in sizes]}"
