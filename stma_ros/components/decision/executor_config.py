"""The settings of the executor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stma_ros.memory.knowledge_settings import KnowledgeConfig
from stma_ros.types.settings import other_default, setting

END, ACT = "end", "act"


@dataclass(frozen=True)
class ExecutorConfig:
    max_rounds: int = setting(
        8, "plans asked for at one step before `on_deadlock` says what becomes of it", low=1, high=100
    )
    on_deadlock: str = setting(
        END,
        "when planner and critic come to nothing: end the task, or do the first action that was refused for another "
        "reason than that it is not possible or not safe",
        choices=(END, ACT),
    )
    max_recalls: int = setting(
        4,
        "memory actions done at one step; further ones are refused, and the planner is told",
        low=0,
        high=100,
    )
    step_deadline: float = setting(
        120.0, "longest wait for a skill or a memory action and for the beliefs after it", unit="s", low=1
    )
    plan_deadline: float = setting(60.0, "longest wait for the planner", unit="s", low=1)
    critique_deadline: float = setting(60.0, "longest wait for the critic", unit="s", low=1)
    cancel_deadline: float = setting(10.0, "longest wait for a canceled skill to stop", unit="s", low=0.1)
    idle_step_period: float = setting(
        2.0,
        "while no task runs, beliefs are made anew after so long a stretch of camera frames; 0 = never",
        unit="s",
        low=0.0,
    )


@dataclass(frozen=True)
class CameraExecutorConfig(ExecutorConfig, KnowledgeConfig):
    """Settings where actions are grounded on the categories of objects."""


@dataclass(frozen=True)
class TextExecutorConfig(ExecutorConfig):
    # A wasted command is cheaper than a lost game.
    on_deadlock: str = other_default(ExecutorConfig, "on_deadlock", ACT)
    belief_refresh: str = setting(
        "action",
        "when the beliefs are made anew: after every action (STMA, equation 9), or with every plan (algorithm 2)",
        choices=("action", "plan"),
    )


def _retrieval() -> Any:
    return setting(True, "offer closed subgoals to be shown whole again, as a memory action")


@dataclass(frozen=True)
class RetrievingExecutorConfig(ExecutorConfig):
    """Settings in text worlds where the memory is divided by subgoals."""

    retrieval: bool = _retrieval()


@dataclass(frozen=True)
class CameraRetrievingExecutorConfig(CameraExecutorConfig):
    """Settings with a camera where the memory is divided by subgoals."""

    retrieval: bool = _retrieval()
