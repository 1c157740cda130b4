"""Tests of the words that say who found an object, and who says what of it."""

from __future__ import annotations

from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.scene_graph import ObjectNode, Relation
from stma_ros.visual.provenance import provenance, with_detectors


def _state(state: str, source: EvidenceSource, confidence: float, *detectors: str) -> StateEstimate:
    return StateEstimate(state=state, source=source, confidence=confidence, detectors=detectors)


def test_object_says_who_found_it_and_who_says_what_of_it() -> None:
    node = ObjectNode(
        id="fridge_1",
        detectors=("model", "network"),
        states=(
            _state("open", EvidenceSource.DETECTOR, 0.7, "model"),
            _state("on", EvidenceSource.OWN_ACTION, 1.0),
        ),
    )
    place = Relation(
        "fridge_1", "on", "rug_1", source=EvidenceSource.GEOMETRY, confidence=0.9, detectors=("model",)
    )
    assert provenance(node, place) == (
        "found by model, network; open (model 0.70); on (own action 1.00); on rug_1 (depth, model 0.90)"
    )


def test_label_of_a_known_detector_is_called_by_its_name() -> None:
    node = ObjectNode(states=(_state("on", EvidenceSource.LABEL, 0.9, "segmentation"),))
    assert provenance(node) == "on (segmentation 0.90)"


def test_object_of_which_nothing_is_told_says_nothing() -> None:
    assert provenance(ObjectNode(states=(_state("open", EvidenceSource.UNKNOWN, 1.0),))) == ""
    assert with_detectors("open", ()) == "open"
    assert with_detectors("open", ("model", "network")) == "open (model, network)"
