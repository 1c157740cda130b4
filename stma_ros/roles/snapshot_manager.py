"""Snapshot manager: which pictures are kept as evidence (Pred-EQA, figure 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.exploration import ExplorationQuery
from stma_ros.roles.spec import Role


@dataclass(frozen=True)
class KeptSnapshots:
    """The manager's answer.

    Attributes:
        kept: positions of the snapshots to keep, in order.
        text: what they show, for the recorder.
    """

    kept: tuple[int, ...]
    text: str


SnapshotManagerRole: TypeAlias = Role[ExplorationQuery, KeptSnapshots]
"""Returns the snapshots that are relevant to the question, or show what the trail does not tell."""
