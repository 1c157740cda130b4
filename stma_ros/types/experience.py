"""Experiences: finished tasks, step by step, with the scores of a judge (MCoT-Memory, section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.common import Error, MessageRef
from stma_ros.types.message import Float32, Message, UInt32
from stma_ros.types.planning import Action, Result, TaskStatus
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import SteppedMessage


@dataclass(frozen=True, eq=False, kw_only=True)
class ReasonedStep(Message, ros_type="stma_ros/msg/ReasonedStep"):
    graph: tuple[Relation, ...] = ()
    rationale: str = ""
    action: Action = Action()
    result: Result = Result.UNKNOWN
    error: Error = Error()
    score: Float32 = float("nan")
    justification: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Experience(Message, ros_type="stma_ros/msg/Experience"):
    id: str = ""
    domain: str = ""
    task: str = ""
    robot: str = ""
    home: str = ""
    stamp: Time = Time()
    status: TaskStatus = TaskStatus.UNKNOWN
    steps: tuple[ReasonedStep, ...] = ()
    surroundings: tuple[Relation, ...] = ()
    score: Float32 = 0.0
    justification: str = ""
    occurrences: UInt32 = 1

    @property
    def final_graph(self) -> tuple[Relation, ...]:
        """The scene graph of the last step, with which present scene graphs are compared (equation 7)."""
        return self.steps[-1].graph if self.steps else ()


@dataclass(frozen=True)
class Finding:
    """One look at a place for a thing, or one attempt to open a place.

    Attributes:
        thing: category of the thing; empty = an attempt to open the place.
        place: category of what it was in or on, or of what was opened; empty = on the floor, or not known.
        room: kind of the room; empty = not known, or any.
        found: whether it was there, or whether the place opened.
    """

    thing: str
    place: str
    room: str
    found: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleOfThumb(Message, ros_type="stma_ros/msg/RuleOfThumb"):
    thing: str = ""
    place: str = ""
    room: str = ""
    found: UInt32 = 0
    looked: UInt32 = 0

    @property
    def is_about_opening(self) -> bool:
        """Whether it tells how often such a place could be opened, instead of where a thing was found."""
        return not self.thing

    def __str__(self) -> str:
        if self.is_about_opening:
            return f"a {self.place} could be opened {self.found} of {self.looked} times"
        where = f"in or on a {self.place}" if self.place else "on the floor, or nobody knows where"
        room = f" in a {self.room}" if self.room else ""
        return f"{self.thing}: {where}{room}, {self.found} of {self.looked} times"


@dataclass(frozen=True, eq=False, kw_only=True)
class RetrievedExperience(Message, ros_type="stma_ros/msg/RetrievedExperience"):
    experience: Experience = Experience()
    similarity: Float32 = 0.0
    task_similarity: Float32 = 0.0
    graph_similarity: Float32 = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Experiences(SteppedMessage, ros_type="stma_ros/msg/Experiences"):
    retrieved: tuple[RetrievedExperience, ...] = ()
    rules: tuple[RuleOfThumb, ...] = ()
    graph: tuple[Relation, ...] = ()
    unread_tokens: UInt32 = 0
    error: Error = Error()
    derived_from: tuple[MessageRef, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedTask(Message, ros_type="stma_ros/msg/JudgedTask"):
    header: Header = Header()
    task_id: str = ""
    experience: Experience = Experience()
    kept: bool = False
    error: Error = Error()
    derived_from: tuple[MessageRef, ...] = ()
