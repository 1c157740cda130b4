"""Frontier manager: which frontiers are worth considering (in the published code of Pred-EQA, not in the paper)."""

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
from stma_ros.roles.spec import Role, RoleSpec, UnusableReplyError, Wait


@dataclass(frozen=True)
class KeptFrontiers:
    """The manager's answer.

    Attributes:
        kept: positions of the frontiers to keep, in order; at least one.
        reasoning: for people.
    """

    kept: tuple[int, ...]
    reasoning: str


FrontierManagerRole: TypeAlias = Role[FrontierQuery, KeptFrontiers]
"""Returns the frontiers that the next roles are to consider."""


@dataclass(frozen=True)
class FrontiersReply:
    """keep: numbers of frontiers, at least one."""

    reasoning: str
    keep: list[int]


def _read(reply: FrontiersReply, query: FrontierQuery) -> KeptFrontiers:
    kept = read_positions(reply.keep, len(query.frontiers), "frontier")
    if not kept:
        raise UnusableReplyError("no frontier is kept; keep at least one, so that there is a way on")
    return KeptFrontiers(kept, reply.reasoning.strip())


FRONTIER_MANAGER = RoleSpec(
    name="frontier_manager",
    question=FrontierQuery,
    answer=KeptFrontiers,
    reply=FrontiersReply,
    text=question_text,
    render=question_rendering,
    read=_read,
    wait=Wait.BELIEFS,
    has_images=True,
    follows_default=False,
    sampling=VISION_SAMPLING,
)
