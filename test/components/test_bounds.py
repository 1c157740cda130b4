"""However long a task takes and however many there are, what the components keep does not grow with it."""

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
"""Steps after which the robot stands where it stood, before the same things at the same places."""

TEXT = "put the mug in the fridge"
ACTION = Action("look_around")
SETTINGS = {"spatial_memory": {"resolution": 0.1}}


def size_of(root: object) -> int:
    """Bytes of arrays and texts, and items of collections, that can be reached from an object of ours."""
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
    """All that a robot remembers, judges and plans with; what it sees and does is made up."""

    def __init__(self) -> None:
        agent = AGENTS.match()
        specs = [spec for name, spec in agent.wiring.components.items() if name != "executor"]
        attached = [spec.bind(spec.config(**SETTINGS.get(spec.name, {})), agent.domain) for spec in specs]
        self.components: dict[str, Component] = {each.name: each.component for each in attached}
        self.said: dict[str, int] = {}
        self.belief = SpatialBelief()
        self._runtime = LocalRuntime(attached, (self._hear,))

    def _hear(self, topic: str, message: Message) -> None:
        self.said[topic] = self.said.get(topic, 0) + 1
        if isinstance(message, SpatialBelief):
            self.belief = message

    def hear(self, topic: str, message: Message) -> None:
        self._runtime.publish(topic, message)
        self._runtime.run()

    def live(self, task: str, step: int, second: int) -> None:
        """One step: a frame, an observation, a request for a plan and a proposal."""
        stamp, phase = Time(second), second % ROUND
        mug = Patch("mug", (22, 30), (50, 58) if phase < ROUND / 2 else (60, 68))
        fridge = Patch("fridge", (10, 50), (20, 40), (240, 240, 240))
        # It walks up and down; now and then the depth camera sees nothing.
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


def test_a_long_task_and_many_tasks_do_not_make_the_memories_grow() -> None:
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
    assert [robot.said.get(topic) for topic in answered] == [STEPS] * 4
    assert {fact.object for fact in robot.belief.facts} >= {"mug", "fridge"}
    for name, size in sizes[-1].items():
        assert size <= 1.02 * sizes[-2][name], f"{name} grew: {[old[name] for old in sizes]}"
