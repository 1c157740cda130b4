"""The tables of scores for the terminal and the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from stma_ros.apps.console import figure
from stma_ros.evaluation.metrics import ALL
from stma_ros.evaluation.offline.bag_score import BagScore
from stma_ros.evaluation.offline.latency import Latency
from stma_ros.evaluation.offline.table import GROUPS, INTERVAL


class Cell(NamedTuple):
    """A figure with its 95 % interval, "(82 to 97)"; "" = none."""

    figure: str
    interval: str

    def __str__(self) -> str:
        return " ".join(filter(None, self))


@dataclass(frozen=True)
class ShownRow:
    """A row of a table. bag: its name, or "all 3"."""

    preset: str
    bag: str
    is_all: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class ShownTable:
    title: str
    headings: tuple[str, ...]
    rows: tuple[ShownRow, ...]


def shown_tables(rows: Sequence[Mapping[str, Any]]) -> list[ShownTable]:
    """Returns the tables of a result's rows. Tables, columns and rows without values are left out, and so is the row
    for all of a single bag."""
    tables = (_table(title, columns, rows) for title, columns in GROUPS.items())
    return [table for table in tables if table.rows]


def latency_rows(scores: Sequence[BagScore]) -> list[tuple[str, ...]]:
    """Returns component (or "model"), answer (or role), number, median, 95 % quantile (means over the bags) and maximum
    [s], as text."""
    found: dict[tuple[str, str], list[Latency]] = {}
    for score in scores:
        models = {("model", role): latency for role, latency in score.model_latencies.items()}
        for key, latency in {**score.latencies, **models}.items():
            found.setdefault(key, []).append(latency)
    return [
        (
            *key,
            str(sum(latency.count for latency in those)),
            figure(fmean(latency.p50 for latency in those)),
            figure(fmean(latency.p95 for latency in those)),
            figure(max(latency.max for latency in those)),
        )
        for key, those in found.items()
    ]


def _table(title: str, columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> ShownTable:
    measured = [row for row in rows if any(row.get(key) is not None for key in columns)]
    counts = Counter(row["preset"] for row in measured if row["group"] != ALL)
    shown = [row for row in measured if row["group"] != ALL or counts[row["preset"]] > 1]
    keys = [key for key in columns if any(row.get(key) is not None for row in shown)]
    return ShownTable(
        title,
        tuple(columns[key] for key in keys),
        tuple(
            ShownRow(
                str(row["preset"]),
                f"all {counts[row['preset']]}" if row["group"] == ALL else str(row["group"]),
                row["group"] == ALL,
                tuple(_cell(row, key) for key in keys),
            )
            for row in shown
        ),
    )


def _cell(row: Mapping[str, Any], key: str) -> Cell:
    interval = row.get(key + INTERVAL)
    return Cell(figure(row.get(key)), f"({_bound(interval[0])} to {_bound(interval[1])})" if interval else "")


def _bound(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"
