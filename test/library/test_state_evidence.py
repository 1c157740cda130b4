"""Evidence of states in one view: reports of sensors, and the openness of shapes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stma_ros.library.scene.detections import detections_of
from stma_ros.library.scene.state_evidence import SURE_FAR, SURE_NEAR, state_evidence
from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.door_state import SegmentedFrame
from stma_ros.mapping.segments import find_segments
from stma_ros.sensing.detectors.port import DetectedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource, Guesses, StateEstimate
from support.components.household_components import HOUSEHOLD

CAMERA = PinholeCamera.from_horizontal_fov(160, 120, 1.57)
LABEL, GEOMETRY = EvidenceSource.LABEL, EvidenceSource.GEOMETRY


def front(
    category: str, *states: StateEstimate, depth_mm: int = 1500, score: float = 1.0, outlined: bool = True
) -> DetectedObject:
    """Returns a flat front that faces the camera; outlined: whether its edges are those of the object."""
    depth = np.full((120, 160), depth_mm, np.uint16)
    ids = np.ones((120, 160), np.uint16)
    ids[30:90, 40:120] = 7
    (segment,) = find_segments(depth, CAMERA, np.eye(4), ids, [7], 6.0, 0.0)
    sight = SegmentedFrame(depth, ids, CAMERA, np.eye(4), 0.0, 0) if outlined else None
    return DetectedObject(category, score, (slice(30, 90), slice(40, 120)), segment, sight, states)


def evidence(item: DetectedObject, guesses: Guesses = Guesses.GEOMETRY) -> tuple[StateEstimate, ...]:
    assert item.segment is not None
    return state_evidence(item, item.segment, guesses, HOUSEHOLD)


def labelled(state: str, confidence: float = 0.8) -> StateEstimate:
    return StateEstimate(state=state, source=LABEL, confidence=confidence)


def test_a_shape_seen_from_nearby_is_geometric_evidence_of_openness() -> None:
    (found,) = evidence(front("cupboard"))
    assert (found.state, found.source) == (words.STATE_CLOSED, GEOMETRY)
    assert found.confidence == pytest.approx(SURE_NEAR)


def test_a_shape_seen_from_far_or_of_an_unsure_category_is_weaker_evidence() -> None:
    near, middle, far = (evidence(front("cupboard", depth_mm=mm))[0] for mm in (1500, 3000, 3900))
    assert SURE_FAR < far.confidence < middle.confidence < near.confidence
    (unsure,) = evidence(front("cupboard", score=0.5))
    assert unsure.confidence < 0.75


def test_states_are_not_inferred_from_shapes_unless_guessing_is_switched_on() -> None:
    assert evidence(front("cupboard"), Guesses.NONE) == ()


def test_no_openness_is_told_from_estimated_outlines() -> None:
    assert evidence(front("cupboard", outlined=False)) == evidence(front("door", outlined=False)) == ()


def test_states_in_labels_are_taken_with_their_confidence_whatever_is_inferred() -> None:
    said = labelled(words.STATE_OPEN, 0.6)
    assert evidence(front("cupboard", said), Guesses.NONE) == (said,)
    (first, second) = evidence(front("cupboard", said))
    assert (first, second.source) == (said, GEOMETRY)


def test_states_that_objects_of_a_category_do_not_have_are_left_out() -> None:
    said = [
        labelled(state)
        for state in (words.STATE_OPEN, words.STATE_ON, words.STATE_FULL, words.STATE_MISSING, "dirty")
    ]
    told = {
        kind: [each.state for each in evidence(front(kind, *said), Guesses.NONE)] for kind in ("mug", "lamp")
    }
    assert told == {"mug": [words.STATE_FULL, "dirty"], "lamp": [words.STATE_ON, "dirty"]}


@pytest.mark.parametrize("rgb", [(255, 196, 90), (255, 255, 255), (70, 170, 235), (0, 0, 0)])
@pytest.mark.parametrize("category", ["radio", "table lamp", "mug", "kettle"])
def test_no_state_follows_from_a_colour(category: str, rgb: tuple[int, int, int]) -> None:
    color = np.full((120, 160, 3), 150, np.uint8)
    color[40:80, 50:110] = rgb
    (found,), _ = detections_of((front(category),), (), color, Guesses.GEOMETRY, HOUSEHOLD)
    assert found.states == ()


def test_a_detection_without_a_place_is_left_out() -> None:
    item = replace(front("mug"), segment=None)
    dark = np.zeros((120, 160, 3), np.uint8)
    assert detections_of((item,), (), dark, Guesses.NONE, HOUSEHOLD) == ((), ())
