"""Tests of the usual scores of detectors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.find_scores import FIRST, UNKNOWN, FindScores
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.types.sensing import ObjectHypothesis
from support.memory.keyframes import EYE, RED, look, seen

CHAIR = seen("chair", (0.0, 0.3, 0.7), (0.4, 0.1, 0.5), RED, score=0.4)


def found_by(name: str, score: float) -> object:
    hypotheses = (ObjectHypothesis(category="mug", score=score, source=name),)
    return replace(seen("mug", (0, 0, 0), (0.1, 0.1, 0.1)), hypotheses=hypotheses)


def test_usual_score_is_the_mean_of_each_detector_s_finds() -> None:
    scores = FindScores()
    assert scores.means == {}
    for _ in range(FIRST):
        scores.add([found_by("eyes", 0.3), found_by("hands", 0.9)])
    assert scores.means == pytest.approx({"eyes": (0.3 + UNKNOWN) / 2, "hands": (0.9 + UNKNOWN) / 2})


@pytest.mark.parametrize(("others", "is_believed"), [(0.4, True), (0.8, False)])
def test_object_with_low_scores_from_two_places_is_believed_if_its_detector_has_no_better_ones(
    others: float, is_believed: bool
) -> None:
    remembered = ObjectMemory(household_categories())
    far = [seen("mug", (3.0 + n, 3.0, 0.8), (0.1, 0.1, 0.1), RED, score=others) for n in range(20)]
    for second in range(10):
        look(remembered, second, *far, eye=EYE)
    for second in range(2):
        look(remembered, 10 + second, CHAIR, eye=EYE + np.array((0.6 * second, 0.0, 0.0)))
    assert any(item.category == "chair" for item in remembered.believed) is is_believed
