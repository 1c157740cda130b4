"""Tests of the steps that an agent saves on the tasks that another one solves, too."""

from __future__ import annotations

import pytest

from stma_ros.evaluation.learning.savings import Savings, savings
from stma_ros.evaluation.metrics import EpisodeRecord
from stma_ros.evaluation.suite import Failure


def _record(index: int, steps: int, failure: Failure = Failure.NONE) -> EpisodeRecord:
    return EpisodeRecord(
        "agent", index, "<10", "flat_1", 1, "task", 50, 9, "SUCCEEDED", failure, "", steps, 1.0
    )


def test_only_tasks_that_both_solve_count() -> None:
    own = [_record(0, 8), _record(1, 1, Failure.NOT_FOUND), _record(2, 1)]
    reference = [_record(0, 10), _record(1, 10), _record(2, 10, Failure.NOT_DONE), _record(3, 10)]
    assert savings(own, reference, 0) == Savings(1, pytest.approx(20.0))


def test_no_common_task_has_no_figure() -> None:
    assert savings([_record(0, 8)], [_record(1, 8)], 0) == Savings(0)


def test_interval_holds_the_figure_and_is_reproducible() -> None:
    own = [_record(index, 10 + index % 3) for index in range(40)]
    reference = [_record(index, 14 + index % 5) for index in range(40)]
    found = savings(own, reference, 1)
    assert found == savings(own, reference, 1)
    assert found.pairs == 40
    assert found.low < found.fewer < found.high
    assert found.low > 0


def test_equal_runs_save_nothing() -> None:
    records = [_record(index, 5 + index) for index in range(5)]
    assert savings(records, records, 0) == Savings(5, 0.0, 0.0, 0.0)
