"""Tests of the table that `stma bench` prints."""

from __future__ import annotations

import io
from typing import Any

from rich.console import Console

from stma_ros.apps.bench import result_table


def row(group: str, **measures: float) -> dict[str, Any]:
    return {
        "preset": "full",
        "group": group,
        "episodes": 4,
        "success_rate": 75.0,
        "success_rate_interval": [30.1, 95.4],
        "mean_steps": 20.25,
        "optimal_steps": 12.0,
        "run_time_s": None,
        **measures,
        "crashed": 0,
        "failures": {"not done": 1},
    }


def printed(columns: dict[str, str], *rows: dict[str, Any]) -> str:
    table = result_table({"suite": "rearrangement", "settings": {"seed": 1000}, "rows": rows}, columns)
    stream = io.StringIO()
    Console(file=stream, width=160).print(table)
    return stream.getvalue()


def test_bench_table_shows_the_measures_of_a_suite_with_three_digits() -> None:
    columns = {
        "goal_condition_recall": "GCR [%]",
        "median_position_error": "error [m]",
        "memory_mb": "memory [MB]",
    }
    text = printed(
        columns,
        row("<10", goal_condition_recall=87.5, median_position_error=0.01234, memory_mb=953.4),
        row("all"),
    )
    for word in (*columns.values(), "87.5", "0.0123", "953", "75 (30 to 95)", "20.2", "1 not done"):
        assert word in text


def test_bench_table_shows_the_optimum_when_there_is_one() -> None:
    assert "optimal" in printed({}, row("all"))
    assert "optimal" not in printed({}, row("all") | {"optimal_steps": 0.0})


def test_bench_table_has_no_column_for_measures_that_the_suite_does_not_name() -> None:
    assert "GCR" not in printed({}, row("all", goal_condition_recall=97.0))
