"""Recorder: sums up what was new at a step, for the trail (Pred-EQA, figure 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.spec import Role

MAX_WORDS = 150
"""Longest entry of a trail, as published."""


@dataclass(frozen=True)
class RecordQuery:
    """The question to the recorder.

    Attributes:
        question: the question that is explored.
        trail: the entries before this one, oldest first.
        manager, answerer, chooser: what these roles said at the step.
    """

    question: str
    trail: tuple[str, ...]
    manager: str
    answerer: str
    chooser: str


@dataclass(frozen=True)
class TrailEntry:
    """The recorder's answer: at most MAX_WORDS words, without ids of pictures and frontiers."""

    text: str


RecorderRole: TypeAlias = Role[RecordQuery, TrailEntry]
"""Returns the entry of a step."""
