"""Frontier chooser: which frontier to go to next, or that there is nothing left to explore (the paper's "executor",
Pred-EQA, figure 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.exploration import FrontierQuery
from stma_ros.roles.spec import Role


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
