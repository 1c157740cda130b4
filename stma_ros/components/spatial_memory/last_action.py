"""The action that a task has just ended, by the temporal belief."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.planning import Outcome, Result
from stma_ros.types.scene_graph import Relation


def last_outcome(belief: TemporalBelief) -> Outcome:
    """Returns the outcome at the belief's step; an empty one if there is none."""
    return next((outcome for outcome in belief.completed if outcome.step == belief.step), Outcome())


def placed_by_last_action(
    belief: TemporalBelief, objects: Iterable[TrackedObject], known: Iterable[Relation]
) -> Iterator[Relation]:
    """Yields where the last action has put what was in the hand before the task began, of which the task's history says
    nothing.

    Args:
        belief: what was done.
        objects: the remembered objects.
        known: facts that follow from what was done.
    """
    last = last_outcome(belief)
    if last.action.skill not in words.PLACINGS or last.result != Result.SUCCEEDED:
        return
    told = {fact.subject for fact in known}
    stamp = last.header.stamp
    for item in objects:
        if item.status is ObjectStatus.HELD and item.id not in told:
            predicate = words.RELATION_AFTER[last.action.skill]
            source = EvidenceSource.OWN_ACTION
            yield Relation(
                item.id, predicate, last.action.target, source=source, first_seen=stamp, last_seen=stamp
            )
