"""Frontier manager: which frontiers are worth considering (in the published code of Pred-EQA, not in the paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.exploration import (
    VISION_SAMPLING,
    FrontierQuery,
    read_positions,
    rendering_of,
    shown,
    text_of,
)
from stma_ros.roles.spec import Rendering, Role, RoleSpec, UnusableReplyError, Wait


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


def _text(query: FrontierQuery) -> str:
    return text_of(shown(query))


def _render(query: FrontierQuery) -> Rendering:
    return rendering_of(shown(query))


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
    text=_text,
    render=_render,
    read=_read,
    wait=Wait.BELIEFS,
    has_images=True,
    follows_default=False,
    sampling=VISION_SAMPLING,
)
