"""Tasks, skills, plans and outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.message import Constants, Float32, Message, UInt32
from stma_ros.types.standard import CompressedImage, Header, Pose, Time, Vector3
from stma_ros.types.stepped import SteppedMessage


@dataclass(frozen=True, eq=False, kw_only=True)
class Task(Message, ros_type="stma_ros/msg/Task"):
    header: Header = Header()
    task_id: str = ""
    text: str = ""
    max_commands: UInt32 = 0


class ArgumentKind(Constants):
    UNKNOWN = 0
    OBJECT = 1
    OPENABLE = 2
    FRONTIER = 3
    PORTABLE = 4
    SURFACE = 5
    RECEPTACLE = 6
    DEVICE = 7
    TAP = 8
    COMMAND = 9
    SUBGOAL = 10
    STANDING = 11


class ActionKind(Constants):
    """Where an action is executed.

    WORLD: by the robot or the simulator, at the cost of a command. MEMORY: by a memory of the agent, without a step of
    the world. TERMINAL: it ends the task.
    """

    UNKNOWN = 0
    WORLD = 1
    MEMORY = 2
    TERMINAL = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class SkillSchema(Message, ros_type="stma_ros/msg/SkillSchema"):
    name: str = ""
    arguments: tuple[ArgumentKind, ...] = ()
    description: str = ""
    kind: ActionKind = ActionKind.WORLD


@dataclass(frozen=True, eq=False, kw_only=True)
class SkillSet(Message, ros_type="stma_ros/msg/SkillSet"):
    header: Header = Header()
    skills: tuple[SkillSchema, ...] = ()


@dataclass(frozen=True, eq=False)
class Action(Message, ros_type="stma_ros/msg/Action"):
    skill: str = ""
    arguments: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        """The first argument, to which the action is done; empty without one."""
        return self.arguments[0] if self.arguments else ""

    @property
    def mentioned(self) -> tuple[str, ...]:
        """Its arguments; of a command, which has no parts, all words."""
        return tuple(str(self).split()) if self.skill == words.SKILL_COMMAND else self.arguments

    def __str__(self) -> str:
        if self.skill == words.SKILL_COMMAND:
            return " ".join(self.arguments)
        return f"{self.skill}({', '.join(self.arguments)})"


@dataclass(frozen=True, eq=False, kw_only=True)
class SkillTarget(Message, ros_type="stma_ros/msg/SkillTarget"):
    id: str = ""
    category: str = ""
    pose: Pose = Pose()
    size: Vector3 = Vector3()


@dataclass(frozen=True, eq=False, kw_only=True)
class SkillRequest(Message, ros_type="stma_ros/msg/SkillRequest"):
    header: Header = Header()
    request_id: str = ""
    task_id: str = ""
    step: UInt32 = 0
    subgoal: str = ""
    action: Action = Action()
    targets: tuple[SkillTarget, ...] = ()
    base_goal: Pose = Pose.none()
    place_goal: Pose = Pose.none()
    refresh_beliefs: bool = True
    derived_from: tuple[MessageRef, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence(Message, ros_type="stma_ros/msg/Evidence"):
    snapshot: str = ""
    stamp: Time = Time()
    camera: Pose = Pose.none()
    picture: CompressedImage = field(default_factory=CompressedImage)
    thing: SkillTarget = SkillTarget()


class Result(Constants):
    UNKNOWN = 0
    SUCCEEDED = 1
    FAILED = 2
    CANCELED = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome(Message, ros_type="stma_ros/msg/Outcome"):
    header: Header = Header()
    request_id: str = ""
    task_id: str = ""
    step: UInt32 = 0
    action: Action = Action()
    result: Result = Result.UNKNOWN
    error: Error = Error()
    distance: Float32 = 0.0
    duration: Float32 = 0.0


class TaskStatus(Constants):
    UNKNOWN = 0
    SUCCEEDED = 1
    FAILED = 2
    CANCELED = 3
    ERROR = 4
    UNVERIFIED = 5


@dataclass(frozen=True, eq=False, kw_only=True)
class TaskResult(Message, ros_type="stma_ros/msg/TaskResult"):
    header: Header = Header()
    task_id: str = ""
    status: TaskStatus = TaskStatus.UNKNOWN
    error: Error = Error()
    text: str = ""
    target: SkillTarget = SkillTarget()
    evidence: tuple[Evidence, ...] = ()
    commands: UInt32 = 0
    memory_actions: UInt32 = 0
    derived_from: tuple[MessageRef, ...] = ()


UNCHECKED: Final = "I believe so, but could not check"
"""What an agent says of a task that ended as UNVERIFIED."""


def answer_of(result: TaskResult) -> str:
    """Returns the agent's answer for people, or else the error; that of an unverified task says so."""
    said = result.text or result.error.text
    if result.status != TaskStatus.UNVERIFIED or UNCHECKED in said:
        return said
    return f"{UNCHECKED}: {said}" if said else f"{UNCHECKED}."


@dataclass(frozen=True, eq=False, kw_only=True)
class PlanRequest(SteppedMessage, ros_type="stma_ros/msg/PlanRequest"):
    belief_revision: UInt32 = 0
    task: str = ""
    observation: str = ""
    feedback: str = ""
    rejected: tuple[Action, ...] = ()
    allowed_actions: tuple[Action, ...] = ()
    derived_from: tuple[MessageRef, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan(SteppedMessage, ros_type="stma_ros/msg/Plan"):
    subgoal: str = ""
    actions: tuple[Action, ...] = ()
    reasoning: str = ""
    evidence: tuple[Evidence, ...] = ()
    error: Error = Error()
    derived_from: tuple[MessageRef, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class ActionProposal(SteppedMessage, ros_type="stma_ros/msg/ActionProposal"):
    belief_step: UInt32 = 0
    belief_revision: UInt32 = 0
    task: str = ""
    observation: str = ""
    subgoal: str = ""
    action: Action = Action()
    allowed_actions: tuple[Action, ...] = ()
    derived_from: tuple[MessageRef, ...] = ()


class Verdict(Constants):
    UNKNOWN = 0
    ACCEPTED = 1
    REJECTED = 2


class Criterion(Constants):
    """Criteria of the critic (STMA, section 4.3)."""

    NONE = 0
    VALIDITY = 1
    TEMPORAL = 2
    SPATIAL = 3
    ALIGNMENT = 4
    SAFETY = 5


@dataclass(frozen=True, eq=False, kw_only=True)
class Critique(SteppedMessage, ros_type="stma_ros/msg/Critique"):
    verdict: Verdict = Verdict.UNKNOWN
    criterion: Criterion = Criterion.NONE
    reason: str = ""
    derived_from: tuple[MessageRef, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class RecallRequest(SteppedMessage, ros_type="stma_ros/msg/RecallRequest"):
    subgoal: str = ""
    action: Action = Action()
    derived_from: tuple[MessageRef, ...] = ()
