"""Frontier chooser: which frontier to go to next, or that there is nothing left to explore (the paper's "executor",
Pred-EQA, figure 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.exploration import (
    VISION_SAMPLING,
    FrontierQuery,
    question_rendering,
    question_text,
    read_positions,
)
from stma_ros.roles.spec import Role, RoleSpec, Wait

INFORMED, NEAREST = "informed", "nearest"
"""Names of the rules that choose: by what is seen and by the plan, or the shortest way."""


FORESIGHT = "Foresight: think several steps ahead"
"""The mode in which a model is to reason beyond the next step (the paper's "Executor*"). Rules choose as usual."""


@dataclass(frozen=True)
class ChosenFrontier:
    """The chooser's answer.

    Attributes:
        frontier: position of the frontier; None = stop exploring.
        reasoning: why, for the recorder.
    """

    frontier: int | None
    reasoning: str


FrontierChooserRole: TypeAlias = Role[FrontierQuery, ChosenFrontier]
"""Returns the frontier to go to."""


@dataclass(frozen=True)
class NextStepReply:
    """frontier: number of a frontier; null to stop exploring."""

    reasoning: str
    frontier: int | None


def _read(reply: NextStepReply, query: FrontierQuery) -> ChosenFrontier:
    if reply.frontier is not None:
        read_positions([reply.frontier], len(query.frontiers), "frontier")
    return ChosenFrontier(reply.frontier, reply.reasoning.strip())


FRONTIER_CHOOSER = RoleSpec(
    name="frontier_chooser",
    question=FrontierQuery,
    answer=ChosenFrontier,
    reply=NextStepReply,
    text=question_text,
    render=question_rendering,
    read=_read,
    wait=Wait.PLAN,
    has_images=True,
    follows_default=False,
    sampling=VISION_SAMPLING,
)
