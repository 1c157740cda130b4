"""Temporal and spatial beliefs, which are the context of roles (STMA, sections 4.1 and 4.2)."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.common import Error, MessageRef
from stma_ros.types.goals import Goal
from stma_ros.types.message import Constants, Message, UInt32
from stma_ros.types.planning import Outcome
from stma_ros.types.scene_graph import FreePlace, Relation, Route
from stma_ros.types.standard import Header, Pose
from stma_ros.types.stepped import SteppedMessage


class SubgoalState(Constants):
    """What came of a subgoal. UNKNOWN: it is closed, and whether it was reached is not known."""

    UNKNOWN = 0
    OPEN = 1
    MET = 2
    NOT_MET = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class SubgoalChunk(Message, ros_type="stma_ros/msg/SubgoalChunk"):
    id: UInt32 = 0
    subgoal: str = ""
    state: SubgoalState = SubgoalState.UNKNOWN
    observation: str = ""
    reason: str = ""
    completed: tuple[Outcome, ...] = ()
    whole: bool = False
    retrievable: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class TemporalBelief(SteppedMessage, ros_type="stma_ros/msg/TemporalBelief"):
    subgoal: str = ""
    active_goals: tuple[str, ...] = ()
    goals: tuple[Goal, ...] = ()
    goals_error: Error = Error()
    completed: tuple[Outcome, ...] = ()
    observations: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    progress: str = ""
    suggestions: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()
    chunks: tuple[SubgoalChunk, ...] = ()
    text: str = ""
    derived_from: tuple[MessageRef, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class SpatialBelief(SteppedMessage, ros_type="stma_ros/msg/SpatialBelief"):
    robot: Pose = Pose()
    room: str = ""
    facts: tuple[Relation, ...] = ()
    routes: tuple[Route, ...] = ()
    free_places: tuple[FreePlace, ...] = ()
    text: str = ""
    derived_from: tuple[MessageRef, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Lessons(Message, ros_type="stma_ros/msg/Lessons"):
    header: Header = Header()
    task_id: str = ""
    lessons: tuple[str, ...] = ()
    derived_from: tuple[MessageRef, ...] = ()


@dataclass(frozen=True)
class Summary:
    """The condensed history of a task; the fields are those of TemporalBelief."""

    active_goals: tuple[str, ...] = ()
    completed: tuple[Outcome, ...] = ()
    observations: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    progress: str = ""
    suggestions: tuple[str, ...] = ()
    text: str = ""
    chunks: tuple[SubgoalChunk, ...] = ()

    @classmethod
    def of(cls, belief: TemporalBelief) -> Summary:
        """Returns the part of a belief that is the history of its task."""
        return cls(
            belief.active_goals,
            belief.completed,
            belief.observations,
            belief.instructions,
            belief.progress,
            belief.suggestions,
            belief.text,
            belief.chunks,
        )
