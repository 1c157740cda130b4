"""Groups adjacent subtasks that are phrased in one clause."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from stma_ros.evaluation.household_tasks.subtasks import Put, SetState, SpatialRelation, Subtask


def together(subtasks: Sequence[Subtask]) -> list[list[Subtask]]:
    """Groups subtasks for single objects with the same place or the same state."""
    keyed = [(_frame(subtask) or (index,), subtask) for index, subtask in enumerate(subtasks)]
    return [
        [subtask for _, subtask in run] for _, run in itertools.groupby(keyed, key=lambda entry: entry[0])
    ]


def is_tidying(subtasks: Sequence[Subtask]) -> bool:
    """Whether all subtasks put single objects in or on something, at two or more places."""
    frames = [_frame(subtask) for subtask in subtasks if isinstance(subtask, Put)]
    named = all(
        isinstance(subtask, Put) and subtask.relation in (SpatialRelation.IN, SpatialRelation.ON)
        for subtask in subtasks
    )
    return named and None not in frames and len(set(frames)) >= 2


def _frame(subtask: Subtask) -> tuple[object, ...] | None:
    """The common part of subtasks that can be combined."""
    if not subtask.things.is_definite or subtask.things.place is not None:
        return None
    if isinstance(subtask, Put) and subtask.source is None:
        return subtask.places, subtask.relation
    return (subtask.state,) if isinstance(subtask, SetState) else None
