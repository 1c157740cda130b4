"""Tests of the table that `stma bench` prints."""

from __future__ import annotations

import io
from typing import Any

from rich.console import Console

from stma_ros.apps.bench_table import notes, result_tables


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


def printed(columns: dict[str, str], *rows: dict[str, Any], width: int = 160) -> str:
    tables = result_tables({"suite": "rearrangement", "settings": {"seed": 1000}, "rows": rows}, columns)
    stream = io.StringIO()
    Console(file=stream, width=width).print(*tables, sep="\n")
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


def test_many_measures_are_tables_of_their_own_so_that_100_columns_show_whose_they_are() -> None:
    columns = {f"measure_{number}": f"M {number}" for number in range(13)}
    measured = row("all", **{key: 10.5 + number for number, key in enumerate(columns)})
    text = printed(columns, measured, width=100)
    for number, heading in enumerate(columns.values()):
        assert heading in text
        assert f"{10.5 + number:g}" in text
    assert text.count("full") == 3


EFFICIENT = {
    "success_at_1.0": 12.5,
    "success_at_1.5": 37.5,
    "success_at_2.0": 62.5,
    "success_at_3.0": 67.5,
    "spl": 0.625,
}
WORDED = {
    "episodes_plain": 2,
    "success_rate_plain": 88.5,
    "episodes_everyday": 2,
    "success_rate_everyday": 61.5,
}


def test_a_second_bench_table_shows_success_by_budget_and_wording_within_100_columns() -> None:
    text = printed(
        {}, row("all", **EFFICIENT, **WORDED, unverified_rate=25.0, false_success_rate=2.5), width=100
    )
    headings = ("1x", "1.5x", "2x", "3x", "SPL", "plain", "everyday", "unverified", "false")
    for word in (*headings, "12.5", "37.5", "62.5", "67.5", "0.625", "88.5", "61.5", "25", "2.5"):
        assert word in text


def test_unverified_and_false_successes_are_shown_where_there_are_some() -> None:
    without = printed({}, row("all", unverified_rate=0.0, false_success_rate=0.0))
    assert "unverified" not in without
    assert "false success" not in without
    assert "unverified" in printed({}, row("all", unverified_rate=25.0, false_success_rate=0.0))


def test_presets_that_need_a_model_have_a_row_that_says_so() -> None:
    needing = {"pred_eqa_executor_star": ["frontier_chooser"]}
    result = {"suite": "eqa", "settings": {"seed": 1000}, "rows": [row("all")], "needs_model": needing}
    stream = io.StringIO()
    Console(file=stream, width=200).print(*result_tables(result, {"llm_match": "LLM-Match"}))
    (line,) = (line for line in stream.getvalue().splitlines() if "executor_star" in line)
    assert "needs a model: frontier_chooser" in line


def test_notes_name_false_successes_and_crashed_episodes() -> None:
    episodes = [
        {"name": "full/000-all", "crashed": False, "error": ""},
        {"name": "full/001-all", "crashed": True, "error": "the engine broke"},
    ]
    result = {"false_successes": ["full/000-all"], "episodes": episodes}
    assert list(notes(result)) == ["false success: full/000-all", "crashed: full/001-all: the engine broke"]
