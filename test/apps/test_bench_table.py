"""The table that `stma bench` prints."""

from __future__ import annotations

import io
from typing import Any

import pytest
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


def printed(*rows: dict[str, Any]) -> str:
    table = result_table({"suite": "rearrangement", "settings": {"seed": 1000}, "rows": rows})
    stream = io.StringIO()
    Console(file=stream, width=120).print(table)
    return stream.getvalue()


def test_goal_condition_recall_is_shown_where_it_was_measured() -> None:
    text = printed(row("<10", goal_condition_recall=87.5), row("all"))
    assert "GCR [%]" in text
    assert [word in text for word in ("87.5", "75 (30 to 95)", "20.2", "1 not done")] == [True] * 4


@pytest.mark.parametrize("measures", [{}, {"object_recall": 97.0}])
def test_other_suites_have_no_such_column(measures: dict[str, float]) -> None:
    assert "GCR" not in printed(row("all", **measures))
