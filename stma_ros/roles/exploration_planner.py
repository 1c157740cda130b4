"""High-level planner: keeps a checklist with parallel predictions of where to find the evidence (Pred-EQA, figures 4
and 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.checklist_format import parse_checklist
from stma_ros.roles.exploration import TEXT_SAMPLING, FrontierQuery, rendering_of, shown, text_of
from stma_ros.roles.spec import Rendering, Role, RoleSpec, Wait
from stma_ros.types.exploration import ChecklistItem

NO_BRANCHES = "Branches: none; one item for each subgoal"
"""What a question says of a checklist without parallel predictions."""


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


def _mode(query: ChecklistQuery) -> str:
    return "" if query.branches else NO_BRANCHES


def _text(query: ChecklistQuery) -> str:
    return text_of(shown(query, mode=_mode(query)))


def _render(query: ChecklistQuery) -> Rendering:
    return rendering_of(shown(query, mode=_mode(query)))


@dataclass(frozen=True)
class ChecklistReply:
    """checklist: the whole of it, updated, in its tags."""

    reasoning: str
    checklist: str


def _read(reply: ChecklistReply, query: ChecklistQuery) -> ChecklistAnswer:
    return ChecklistAnswer(parse_checklist(reply.checklist), reply.reasoning.strip())


EXPLORATION_PLANNER = RoleSpec(
    name="exploration_planner",
    question=ChecklistQuery,
    answer=ChecklistAnswer,
    reply=ChecklistReply,
    text=_text,
    render=_render,
    read=_read,
    wait=Wait.PLAN,
    has_images=True,
    follows_default=False,
    sampling=TEXT_SAMPLING,
)
