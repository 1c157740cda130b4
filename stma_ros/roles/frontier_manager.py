"""Frontier manager: which frontiers are worth considering (in the published code of Pred-EQA, not in the paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.exploration import FrontierQuery
from stma_ros.roles.spec import Role


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
