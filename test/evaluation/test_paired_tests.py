"""Wilcoxon's signed-rank test between presets on the same episodes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.evaluation.metrics import EpisodeRecord
from stma_ros.evaluation.paired_tests import STEPS, paired_tests
from stma_ros.evaluation.suite import Failure

RECORD = EpisodeRecord("hiagent", 0, "g", "s", 0, "", 30, 10, "SUCCEEDED", Failure.NONE, "", 10, 1.0)


def records(
    preset: str, steps: list[int], progress: list[float], crashed: tuple[int, ...] = ()
) -> list[EpisodeRecord]:
    return [
        replace(
            RECORD,
            preset=preset,
            index=index,
            steps=count,
            measures={"progress_rate": reached},
            error="it crashed" if index in crashed else "",
        )
        for index, (count, reached) in enumerate(zip(steps, progress, strict=True))
    ]


def test_preset_is_compared_with_the_baseline_episode_by_episode() -> None:
    own = records("hiagent", [10, 12, 14, 9, 20, 11, 13, 15], [100.0] * 8)
    baseline = records("standard", [30, 30, 15, 30, 30, 29, 28, 30], [50.0] * 8)
    steps, progress = paired_tests((*baseline, *own), "standard", (STEPS, "progress_rate"))
    assert (steps["preset"], steps["baseline"], steps["measure"], steps["pairs"]) == (
        "hiagent",
        "standard",
        "steps",
        8,
    )
    assert steps["mean_difference"] == pytest.approx(-14.75)
    assert steps["statistic"] == 0.0  # every difference has the same sign
    assert steps["p_value"] == pytest.approx(2 / 2**8)
    assert progress["mean_difference"] == 50.0


def test_episodes_that_crashed_or_that_one_preset_lacks_are_left_out() -> None:
    own = records("hiagent", [10, 12, 14], [100.0] * 3, crashed=(1,))
    baseline = records("standard", [20, 20], [100.0] * 2)
    (test,) = paired_tests((*own, *baseline), "standard", (STEPS,))
    assert test["pairs"] == 1


def test_equal_results_are_no_difference() -> None:
    (test,) = paired_tests(
        (*records("a", [5, 5], [1.0, 1.0]), *records("b", [5, 5], [1.0, 1.0])), "b", (STEPS,)
    )
    assert (test["mean_difference"], test["p_value"]) == (0.0, 1.0)


def test_without_the_baseline_there_is_no_test() -> None:
    assert list(paired_tests(records("hiagent", [5], [1.0]), "standard", (STEPS,))) == []
