"""Snapshot manager: which pictures are kept as evidence (Pred-EQA, figure 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.exploration import (
    VISION_SAMPLING,
    ExplorationQuery,
    question_rendering,
    question_text,
    read_positions,
)
from stma_ros.roles.spec import Role, RoleSpec, Wait

RECORD_PURPOSE = "Purpose: evidence, and a record of all that was seen"
"""The mode in which pictures stand for the trail as well (the paper's "Manager*")."""


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
"""Returns the snapshots that are relevant to the question, or show what the trail does not tell. With RECORD_PURPOSE,
together they also show all that was seen."""


@dataclass(frozen=True)
class SnapshotsReply:
    """seen: what is new in the snapshots; keep: numbers of snapshots."""

    reasoning: str
    seen: str
    keep: list[int]


def _read(reply: SnapshotsReply, query: ExplorationQuery) -> KeptSnapshots:
    kept = read_positions(reply.keep, len(query.snapshots), "snapshot")
    return KeptSnapshots(kept, reply.seen.strip())


SNAPSHOT_MANAGER = RoleSpec(
    name="snapshot_manager",
    question=ExplorationQuery,
    answer=KeptSnapshots,
    reply=SnapshotsReply,
    text=question_text,
    render=question_rendering,
    read=_read,
    wait=Wait.BELIEFS,
    questions=6,  # at the first step of a task about the evidence of earlier ones, in batches
    has_images=True,
    follows_default=False,
    sampling=VISION_SAMPLING,
)
