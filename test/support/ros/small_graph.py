"""A graph of small components and a scripted world, wired like the real one."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from stma_ros.agents.registry import AGENTS, DEFAULT_PRESET, AgentRegistry
from stma_ros.agents.spec import AgentSpec, ComponentSpec, Preset, Wiring, plain
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.control import Alarm, Fault
from stma_ros.types.errors import ConfigurationError, ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    Critique,
    Outcome,
    Plan,
    PlanRequest,
    Result,
    SkillRequest,
    SkillSchema,
    Task,
    TaskResult,
    TaskStatus,
)
from stma_ros.types.settings import setting
from stma_ros.types.standard import Clock, Header, Odometry, Pose, PoseWithCovariance, Time
from stma_ros.types.stepped import StepStamp


@dataclass(frozen=True)
class ThinkerConfig:
    rate: float = setting(2.0, "how fast it thinks", unit="Hz", low=0.5, high=10.0)
    mood: str = setting("calm", "how it feels", choices=("calm", "wild"))


class Thinker:
    """Answers plan requests; the text of the request's task adds an error, an alarm or a wait: "raise", "alarm",
    "wait"."""

    entered = threading.Event()
    proceed = threading.Event()

    def __init__(self, config: ThinkerConfig) -> None:
        self.config = config

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        if not isinstance(message, PlanRequest):
            return
        if message.task == "raise":
            raise RuntimeError("thought too hard")
        if message.task == "alarm":
            yield (
                topics.ALARM,
                Alarm(
                    header=message.header,
                    component="thinker",
                    id="wake",
                    duration=0.05,
                    waiting_for="nothing at all",
                ),
            )
        if message.task == "no alarm":
            yield (
                topics.ALARM,
                Alarm(header=message.header, component="thinker", id="wake", duration=0.0),
            )
        if message.task == "wait":
            Thinker.entered.set()
            Thinker.proceed.wait()
        if message.task == "stray":
            yield topics.CRITIQUE, Critique(at=StepStamp(header=message.header))
        yield (
            topics.PLAN,
            Plan(
                at=StepStamp(
                    header=message.header,
                    task_id=message.task_id,
                    step=message.step,
                    revision=message.revision,
                ),
                subgoal=message.task,
            ),
        )


class Doubter:
    """Subscribes to plans and publishes nothing."""

    def __init__(self, config: ThinkerConfig) -> None:
        self.seen: list[Message] = []

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        self.seen.append(message)
        return ()


THINKER = ComponentSpec(
    "thinker",
    lambda: plain(ThinkerConfig, Thinker),
    inputs=(topics.PLAN_REQUEST, topics.ALARM_EXPIRED, topics.COLOR),
    outputs=(topics.PLAN, topics.ALARM),
)
DOUBTER = ComponentSpec("doubter", lambda: plain(ThinkerConfig, Doubter), inputs=(topics.PLAN,), outputs=())


class SkillReader:
    seen: ClassVar[list[Message]] = []

    def __init__(self, config: ThinkerConfig) -> None:
        SkillReader.seen.clear()

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        SkillReader.seen.append(message)
        return ()


def wired(*specs: ComponentSpec) -> AgentRegistry:
    """Returns the registry for a host: one agent with these components, for a world with a camera."""
    wiring = replace(AGENTS.match().wiring, components={spec.name: spec for spec in specs})
    presets = {DEFAULT_PRESET: Preset("small")}
    return AgentRegistry([AgentSpec(DEFAULT_PRESET, "small", "", (wiring,), presets)])


READERS = wired(
    ComponentSpec("reader", lambda: plain(ThinkerConfig, SkillReader), inputs=(topics.SKILLS,), outputs=())
)
ALONE = wired(THINKER)
PAIR = wired(THINKER, DOUBTER)


class Walker:
    """An executor of one skill per task, which the text of the task names."""

    def __init__(self, config: ThinkerConfig) -> None:
        self.task: Task | None = None

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        if isinstance(message, Task):
            self.task = message
            action = Action(message.text)
            if message.text == "dawdle":
                yield (
                    topics.ALARM,
                    Alarm(
                        header=message.header,
                        component="executor",
                        id="wait",
                        duration=0.1,
                        waiting_for="the outcome",
                    ),
                )
            yield (
                topics.SKILL_REQUEST,
                SkillRequest(
                    header=message.header,
                    request_id=f"{message.task_id}/1",
                    task_id=message.task_id,
                    step=1,
                    action=action,
                ),
            )
        elif isinstance(message, Alarm) and self.task is not None:
            yield self.end(TaskStatus.ERROR, Error(ErrorCode.DEADLINE_EXPIRED, message.waiting_for))
        elif isinstance(message, Outcome) and self.task is not None and message.task_id == self.task.task_id:
            believed = TaskStatus.UNVERIFIED if self.task.text == "doubt" else TaskStatus.SUCCEEDED
            statuses = {Result.SUCCEEDED: believed, Result.CANCELED: TaskStatus.CANCELED}
            yield self.end(statuses.get(message.result, TaskStatus.FAILED), message.error)
        elif isinstance(message, Fault) and message.fatal and self.task is not None:
            if self.task.text == "stumble":
                raise RuntimeError("stumbled over the fault")
            yield self.end(
                TaskStatus.ERROR, Error(message.error.code, f"{message.node}: {message.error.text}")
            )

    def end(self, status: TaskStatus, error: Error) -> Emission:
        assert self.task is not None
        task, self.task = self.task, None
        return topics.TASK_RESULT, TaskResult(
            header=task.header, task_id=task.task_id, status=status, error=error, text=error.text
        )


@dataclass(frozen=True)
class FloorConfig:
    length: float = setting(3.0, "how far it goes", unit="m", low=0.0)


class Floor:
    """A world to walk in.

    Skills: walk; doubt, which the agent cannot verify; hang, dawdle and stumble, until cancelled; cling,
    until `let_go`; break; vanish, without an outcome.
    """

    skills = (SkillSchema(name="walk"),)
    started = threading.Event()
    let_go = threading.Event()
    seeds: ClassVar[list[int]] = []

    def __init__(self, config: FloorConfig) -> None:
        self.config = config

    def reset(self, scene: str, seed: int) -> str:
        if scene == "nowhere":
            raise ConfigurationError("there is no scene 'nowhere'; there is 'floor'")
        Floor.seeds.append(seed)
        return scene or "floor"

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        skill = request.action.skill
        for metre in range(int(self.config.length) + 1):
            header = Header(Time(metre + 1))
            yield topics.CLOCK, Clock(header.stamp)
            yield topics.ODOMETRY, Odometry(header, pose=PoseWithCovariance(Pose.planar(float(metre), 0, 0)))
        Floor.started.set()
        if skill == "break":
            raise RuntimeError("engine on fire")
        if skill == "vanish":
            return
        result = Result.SUCCEEDED
        if skill == "cling":
            Floor.let_go.wait()
        if skill in ("hang", "dawdle", "stumble"):
            while not cancel.canceled:
                threading.Event().wait(0.01)
            result = Result.CANCELED
        yield (
            topics.OUTCOME,
            Outcome(
                header=header,
                request_id=request.request_id,
                task_id=request.task_id,
                step=request.step,
                action=request.action,
                result=result,
            ),
        )

    def close(self) -> None:
        Floor.seeds.append(-1)


def make_floor(name: str, options: Mapping[str, Any]) -> Floor:
    return Floor(FloorConfig(**options))


WALKER = ComponentSpec(
    "executor",
    lambda: plain(ThinkerConfig, Walker),
    inputs=(topics.TASK, topics.CANCEL, topics.OUTCOME, topics.FAULT, topics.ALARM_EXPIRED),
    outputs=(topics.SKILL_REQUEST, topics.TASK_RESULT, topics.ALARM),
)
WALKERS = wired(WALKER)


def about_floor(name: str, agent: str, registry: str) -> tuple[type, Wiring]:
    if name != "floor":
        raise ConfigurationError(f"there is no world {name!r}; there is 'floor'")
    return FloorConfig, WALKERS.match(agent).wiring
