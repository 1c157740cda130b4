"""The settings of the temporal memory."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.memory.knowledge_settings import KnowledgeConfig
from stma_ros.memory.working.registry import INCREMENTAL, WORKING_MEMORIES
from stma_ros.memory.working.subgoal_chunks import Closed
from stma_ros.roles.faults import FaultConfig
from stma_ros.types.settings import setting


@dataclass(frozen=True)
class TemporalMemoryConfig(FaultConfig):
    history: int = setting(25, "records in the history buffer; 0 = nothing is remembered", low=0, high=10_000)
    summariser: str = setting(
        INCREMENTAL,
        "what the summariser reads at each step: what is new, the whole history buffer again, or what came of "
        "the plan under way alone; or there is none, and the belief is the history buffer as it is",
        choices=tuple(WORKING_MEMORIES),
    )


@dataclass(frozen=True)
class SubgoalMemoryConfig(FaultConfig):
    history: int = setting(
        1000, "records that are stored; those of the oldest closed subgoals go first", low=1, high=100_000
    )
    window: int = setting(
        0, "largest length of the history in prompts, in words and punctuation marks; 0 = unbounded", low=0
    )
    closed: str = setting(
        Closed.SUMMARY.value,
        "how closed subgoals are shown: summed up, by their last observation, or whole",
        choices=tuple(each.value for each in Closed),
    )
    state_dir: str = setting(
        "",
        "folder in which the history is saved before each belief, so that a node that was killed goes on with it; "
        "empty = it is not saved",
    )


@dataclass(frozen=True)
class CameraSubgoalMemoryConfig(SubgoalMemoryConfig, KnowledgeConfig):
    """Settings where tasks are read with the knowledge of categories."""


@dataclass(frozen=True)
class CameraTemporalMemoryConfig(TemporalMemoryConfig, KnowledgeConfig):
    """Settings where tasks are read with the knowledge of categories."""
