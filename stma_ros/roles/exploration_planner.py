"""High-level planner: keeps a checklist with parallel predictions of where to find the evidence (Pred-EQA, figures 4
and 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.exploration import FrontierQuery
from stma_ros.roles.spec import Role
from stma_ros.types.exploration import ChecklistItem


@dataclass(frozen=True)
class ChecklistQuery(FrontierQuery):
    """The question to the planner.

    Attributes:
        branches: whether the next aim is split into parallel predictions, which are eliminated with a reason; else the
            checklist is a list of subgoals (the paper's "TODO list").
    """

    branches: bool = True


@dataclass(frozen=True)
class ChecklistAnswer:
    """The planner's answer.

    Attributes:
        items: the whole checklist, updated.
        reasoning: for people.
    """

    items: tuple[ChecklistItem, ...]
    reasoning: str


ExplorationPlannerRole: TypeAlias = Role[ChecklistQuery, ChecklistAnswer]
"""Returns the updated checklist."""
