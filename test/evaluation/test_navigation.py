"""Path-length measures of navigation."""

from __future__ import annotations

import pytest

from stma_ros.evaluation.habitat_lab.navigation import soft_spl, spl


@pytest.mark.parametrize(
    ("success", "shortest", "driven", "expected"),
    [
        (True, 4.0, 4.0, 100.0),
        (True, 4.0, 5.0, 80.0),
        (True, 4.0, 3.9, 100.0),  # stopping short of the goal gains nothing
        (False, 4.0, 4.0, 0.0),
        (True, 0.0, 0.0, 100.0),
        (True, 0.0, 1.0, 0.0),
    ],
)
def test_spl_weights_success_by_path_length(
    success: bool, shortest: float, driven: float, expected: float
) -> None:
    assert spl(success, shortest, driven) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("shortest", "driven", "left", "expected"),
    [
        (4.0, 4.0, 0.0, 100.0),
        (4.0, 2.0, 2.0, 50.0),
        (4.0, 8.0, 1.0, 37.5),
        (4.0, 3.0, 7.0, 0.0),  # farther away than before
        (0.0, 0.0, 0.0, 100.0),
        (0.0, 1.0, 1.0, 0.0),
    ],
)
def test_soft_spl_weights_progress_by_path_length(
    shortest: float, driven: float, left: float, expected: float
) -> None:
    assert soft_spl(shortest, driven, left) == pytest.approx(expected)
