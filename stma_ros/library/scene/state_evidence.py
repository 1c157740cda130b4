"""Evidence of an object's states in one view: what detectors and labels report, and what the shape shows.

Nothing is inferred from colours: which light means "on", or which colour is a drink, is a matter of the home.
"""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.mapping.door_state import SegmentedFrame, container_is_open, door_is_open
from stma_ros.mapping.segments import Segment
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.states import OPENNESS, PRESENCE, dimension
from stma_ros.sensing.detectors.port import DetectedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource, Guesses, StateEstimate

NEAR, FAR = 2.0, 4.0
"""Distances [m] up to which a shape shows openness best, and from which on it shows it worst."""

SURE_NEAR, SURE_FAR = 0.95, 0.75
"""Confidence of openness at these distances."""


def state_evidence(
    item: DetectedObject, segment: Segment, guesses: Guesses, knowledge: CategoryKnowledge
) -> tuple[StateEstimate, ...]:
    """Returns the evidence of an object's states in a view; sources may contradict one another.

    Args:
        item: The object.
        segment: Its visible surface.
        guesses: The states that are inferred.
        knowledge: Knowledge of categories: states that objects of a category do not have are left out.
    """
    reported = (each for each in item.states if _fits(item.category, each.state, knowledge))
    if guesses is Guesses.NONE or item.sight is None:
        return tuple(reported)
    return (*reported, *_openness(item, segment, item.sight, knowledge))


def _openness(
    item: DetectedObject, segment: Segment, sight: SegmentedFrame, knowledge: CategoryKnowledge
) -> Iterator[StateEstimate]:
    if not knowledge.is_openable(item.category):
        return
    look = container_is_open if knowledge.is_container(item.category) else door_is_open
    is_open = look(segment, sight)
    if is_open is None:
        return
    farness = min(max((sight.distance(segment) - NEAR) / (FAR - NEAR), 0.0), 1.0)
    sure = SURE_NEAR + (SURE_FAR - SURE_NEAR) * farness
    yield StateEstimate(
        state=words.STATE_OPEN if is_open else words.STATE_CLOSED,
        source=EvidenceSource.GEOMETRY,
        confidence=0.5 + (sure - 0.5) * item.score,  # of another thing, the shape would say nothing
    )


def _fits(category: str, state: str, knowledge: CategoryKnowledge) -> bool:
    kinds = {
        OPENNESS: knowledge.is_openable,
        words.STATE_DIMENSION[words.STATE_ON]: knowledge.is_device,
        words.STATE_DIMENSION[words.STATE_FULL]: knowledge.is_vessel,
    }
    name = dimension(state)
    return name != PRESENCE and (name not in kinds or kinds[name](category))
