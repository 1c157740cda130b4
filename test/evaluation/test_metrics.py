"""Rows of a result table are computed from episode records."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.evaluation.efficiency import success_at
from stma_ros.evaluation.metrics import ALL, EpisodeRecord, rows, wilson_interval
from stma_ros.evaluation.suite import Failure


def record(
    preset: str, group: str, failure: Failure, steps: int = 1, optimal: int = 1, error: str = ""
) -> EpisodeRecord:
    return EpisodeRecord(
        preset, 0, group, "scene", 0, "task", 9, optimal, "STATUS", failure, "", steps, 2.0, error
    )


RECORDS = st.lists(
    st.builds(
        record,
        preset=st.sampled_from(["full", "react"]),
        group=st.sampled_from(["visible", "contained", "absent"]),
        failure=st.sampled_from(Failure),
        steps=st.integers(0, 50),
        optimal=st.integers(1, 50),
    ),
    max_size=30,
)


@given(RECORDS)
def test_the_groups_of_a_preset_add_up_to_its_total_row(records: list[EpisodeRecord]) -> None:
    table = rows(records)
    for preset in {record.preset for record in records}:
        groups = [row for row in table if row["preset"] == preset and row["group"] != ALL]
        (whole,) = (row for row in table if row["preset"] == preset and row["group"] == ALL)
        assert sum(row["episodes"] for row in groups) == whole["episodes"]
        for mean in ("success_rate", "mean_steps", "optimal_steps"):
            weighted = sum(row[mean] * row["episodes"] for row in groups)
            assert whole[mean] * whole["episodes"] == pytest.approx(weighted)
        assert Counter(whole["failures"]) == sum((Counter(row["failures"]) for row in groups), Counter())
        solved = round(whole["success_rate"] * whole["episodes"] / 100)
        assert solved + sum(whole["failures"].values()) == whole["episodes"]


def test_a_crashed_episode_counts_as_a_failure_but_not_in_the_means() -> None:
    records = [
        record("full", "visible", Failure.NONE, steps=4, optimal=2),
        record("full", "visible", Failure.ERROR, steps=0, optimal=9, error="it broke"),
    ]
    row = rows(records)[0]
    assert (row["success_rate"], row["crashed"], row["failures"]) == (50.0, 1, {"error": 1})
    assert (row["mean_steps"], row["optimal_steps"], row["run_time_s"]) == (4.0, 2.0, 2.0)


def test_an_episode_that_could_not_be_made_is_no_success_within_any_budget() -> None:
    solved = record("full", "visible", Failure.NONE)
    crashed = record("full", "visible", Failure.ERROR, optimal=0, error="it broke")
    assert rows([solved, replace(crashed, scene="")])[0][success_at(1.0)] == 50.0
    assert rows([solved, crashed])[0][success_at(1.0)] == 100.0  # its reference is not known


def test_rows_compare_the_success_of_the_wordings() -> None:
    worded = [
        (Failure.NONE, "plain"),
        (Failure.NONE, "plain"),
        (Failure.NONE, "everyday"),
        (Failure.LOST, "everyday"),
    ]
    row = rows(
        replace(record("full", "visible", failure), phrasing=phrasing) for failure, phrasing in worded
    )[0]
    assert (row["episodes_plain"], row["success_rate_plain"]) == (2, 100.0)
    assert (row["episodes_everyday"], row["success_rate_everyday"]) == (2, 50.0)
    assert not [key for key in rows([record("full", "visible", Failure.NONE)])[0] if "plain" in key]


def test_unverified_and_false_successes_have_rates_of_their_own() -> None:
    ends = [
        ("SUCCEEDED", Failure.NONE),
        ("SUCCEEDED", Failure.NOT_DONE),
        ("SUCCEEDED", Failure.WRONG_OBJECT),
        ("UNVERIFIED", Failure.UNVERIFIED),
        ("FAILED", Failure.NOT_FOUND),
        ("FAILED", Failure.NONE),  # a missing object, reported as not found
        ("SUCCEEDED", Failure.TOO_SLOW),
        ("CRASHED", Failure.ERROR),
    ]
    records = [replace(record("full", "visible", failure), status=status) for status, failure in ends]
    row = rows(records)[0]
    assert (row["unverified_rate"], row["false_success_rate"]) == (12.5, 25.0)
    assert row["failures"]["unverified"] == 1
    assert [each.is_false_success for each in records] == [False, True, True, *([False] * 5)]


def test_means_are_none_when_every_episode_crashed() -> None:
    row = rows([record("full", "visible", Failure.ERROR, error="it broke")])[0]
    assert (row["mean_steps"], row["optimal_steps"], row["run_time_s"]) == (None, None, None)


def test_mean_reference_is_of_the_episodes_that_have_one() -> None:
    records = [record("full", "visible", Failure.NONE, optimal=optimal) for optimal in (10, 0, 4)]
    assert rows(records)[0]["optimal_steps"] == 7.0
    assert rows(records[1:2])[0]["optimal_steps"] == 0.0


def test_rows_keep_the_order_of_the_episodes() -> None:
    records = [record("b", "z", Failure.NONE), record("b", "a", Failure.NONE), record("a", "z", Failure.NONE)]
    assert [(row["preset"], row["group"]) for row in rows(records)] == [
        ("b", "z"),
        ("b", "a"),
        ("b", ALL),
        ("a", "z"),
        ("a", ALL),
    ]


@given(st.integers(0, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_interval_contains_the_rate(counts: tuple[int, int]) -> None:
    successes, trials = counts
    low, high = wilson_interval(successes, trials)
    assert 0 <= low < high <= 1
    if trials:
        assert low <= successes / trials <= high


def test_wilson_interval_agrees_with_a_published_example() -> None:
    # Newcombe 1998, table I, method 3: 81 of 263.
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
