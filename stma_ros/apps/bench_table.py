"""Prints the result of a benchmark as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rich.markup import escape
from rich.table import Table

from stma_ros.apps.console import figure
from stma_ros.evaluation.efficiency import FACTORS, SPL, success_at
from stma_ros.evaluation.metrics import (
    ALL,
    FALSE_SUCCESS,
    FALSE_SUCCESSES,
    TRIAL_1_SCORE,
    TRIAL_1_SUCCESS,
    TRIALS,
    UNVERIFIED,
    success_of_phrasing,
)
from stma_ros.evaluation.model_use import MODEL_COLUMNS
from stma_ros.evaluation.paired_tests import PAIRED_TESTS

NEEDS_MODEL: Final = "needs_model"
"""The key of presets that did not run, with the roles that a model has to answer for them."""

_FEW = 7  # measures that fit the table of successes
_COLUMNS = 8  # measures of a table of their own

_TRIAL_COLUMNS: Final = {TRIAL_1_SUCCESS: "trial 1 [%]", TRIAL_1_SCORE: "trial 1 AS [%]", TRIALS: "trials"}
_EFFICIENCY_COLUMNS: Final = {**{success_at(each): f"{each:g}x" for each in FACTORS}, SPL: "SPL"}
_ENDING_COLUMNS: Final = {UNVERIFIED: "unverified", FALSE_SUCCESS: "false success"}
_PHRASINGS: Final = {success_of_phrasing(name): name for name in ("plain", "everyday")}


def result_tables(result: Mapping[str, Any], columns: Mapping[str, str]) -> Iterator[Table]:
    """Yields the rows of a result as one or several tables.

    Args:
        result: content of the file of `--json`.
        columns: headings of the suite's own measures, see suite.Suite. Many of them are tables of their own, since a
            terminal shows no more side by side.
    """
    if len(columns) <= _FEW:
        yield _main_table(result, columns)
    else:
        yield _main_table(result, {})
        items = list(columns.items())
        for start in range(0, len(items), _COLUMNS):
            yield _measures_table(result, "measures", dict(items[start : start + _COLUMNS]))
    shown = _present(result, _EFFICIENCY_COLUMNS | _PHRASINGS)
    if shown or any(row.get(key) for row in result["rows"] for key in _ENDING_COLUMNS):
        title = "success [%] by budget and wording, unverified and false endings [%]"
        yield _measures_table(result, title, shown | _ENDING_COLUMNS)


def test_lines(result: Mapping[str, Any]) -> Iterator[str]:
    """Yields a line for each test of a preset against the baseline."""
    for test in result.get(PAIRED_TESTS, ()):
        yield (
            f"{test['preset']} against {test['baseline']}: {test['measure']} {test['mean_difference']:+.1f} on average "
            f"of {test['pairs']} episodes, Wilcoxon W = {test['statistic']:g}, p = {test['p_value']:.2g}"
        )


def notes(result: Mapping[str, Any]) -> Iterator[str]:
    """Yields what is to be said of single episodes below the tables."""
    for name in result.get(FALSE_SUCCESSES, ()):
        yield f"false success: {name}"
    for episode in result["episodes"]:
        if episode["crashed"]:
            yield f"crashed: {episode['name']}: {episode['error']}"


def _main_table(result: Mapping[str, Any], columns: Mapping[str, str]) -> Table:
    """Success in percent with its 95 % interval, means per episode, causes of failure."""
    seed = result["settings"]["seed"]
    table = Table(title=result["suite"] if seed is None else f"{result['suite']}, seed {seed}")
    for heading in ("preset", "group"):
        table.add_column(heading, min_width=6)
    # No column without a best number of commands.
    optimal = ("optimal",) if any(row["optimal_steps"] for row in result["rows"]) else ()
    trials = _present(result, _TRIAL_COLUMNS)  # only where episodes may be retried
    columns = {**columns, **_present(result, MODEL_COLUMNS)}
    headings = ("episodes", "success [%]", *trials.values(), *columns.values(), "steps", *optimal, "time [s]")
    for heading in headings:
        table.add_column(escape(heading), justify="right", no_wrap=True)
    table.add_column("failures")
    for row in result["rows"]:
        low, high = row["success_rate_interval"]
        failures = [f"{count} {cause}" for cause, count in row["failures"].items()]
        table.add_row(
            row["preset"],
            row["group"],
            str(row["episodes"]),
            f"{row['success_rate']:.0f} ({low:.0f} to {high:.0f})",
            *(figure(row.get(key)) for key in (*trials, *columns)),
            _number(row["mean_steps"]),
            *([_number(row["optimal_steps"])] if optimal else []),
            _number(row["run_time_s"]),
            ", ".join(failures) + (f" ({row['crashed']} crashed)" if row["crashed"] else ""),
            end_section=row["group"] == ALL,
        )
    for preset, roles in result.get(NEEDS_MODEL, {}).items():
        empty = [""] * (len(headings) - 1)
        table.add_row(preset, ALL, "0", *empty, f"needs a model: {', '.join(roles)}", end_section=True)
    return table


def _measures_table(result: Mapping[str, Any], title: str, columns: Mapping[str, str]) -> Table:
    """Returns a table of these measures alone."""
    table = Table(title=title)
    for heading in ("preset", "group"):
        table.add_column(heading, min_width=6)
    for heading in columns.values():
        table.add_column(escape(heading), justify="right")
    for row in result["rows"]:
        values = (figure(row.get(key)) for key in columns)
        table.add_row(row["preset"], row["group"], *values, end_section=row["group"] == ALL)
    return table


def _present(result: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, str]:
    """Returns those of the columns that a row has."""
    return {key: heading for key, heading in columns.items() if any(key in row for row in result["rows"])}


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
