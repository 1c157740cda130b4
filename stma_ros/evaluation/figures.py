"""Draws figures of benchmark results: series by commands, and success by a setting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.cooking.suite import SCORES
from stma_ros.evaluation.metrics import ALL
from stma_ros.evaluation.pddl.suite import EXECUTABLE, PROGRESS
from stma_ros.types.errors import MissingDependencyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Result: TypeAlias = Mapping[str, Any]
"""The content of the file that `stma bench --json` writes."""

_PANEL = 3.2, 2.6  # width, height [inch]


@dataclass(frozen=True)
class Series:
    """A series of values after each command.

    Attributes:
        key: of the series in the results.
        label: of the axis.
        scale: factor that makes percent of the values.
        is_held: whether an episode that has ended retains its last value; else it counts no longer.
    """

    key: str
    label: str
    scale: float = 1.0
    is_held: bool = True


SERIES: Mapping[str, Series] = {
    "score": Series(SCORES, "score [%]"),
    "progress": Series(PROGRESS, "progress [%]"),
    "executability": Series(EXECUTABLE, "executable [%]", scale=100.0, is_held=False),
}
"""What is drawn over commands, by the ending of the file's name (STMA, figure 4; HiAgent, figures 3 and 4)."""


def series_over_commands(result: Result, series: Series, file: Path) -> bool:
    """Draws the mean of a series of each preset after each command, a panel for each group. Returns False, and draws
    nothing, where the results have no such series.

    Raises:
        MissingDependencyError: matplotlib is not installed.
    """
    episodes = [episode for episode in result["episodes"] if episode.get(series.key)]
    groups = list(dict.fromkeys(episode["group"] for episode in episodes))
    if not groups:
        return False
    figure, axes = _panels(groups)
    for axis, group in zip(axes, groups, strict=True):
        of_group = [episode for episode in episodes if episode["group"] == group]
        for preset in dict.fromkeys(episode["preset"] for episode in of_group):
            played = [episode for episode in of_group if episode["preset"] == preset]
            commands = max(episode["max_commands"] for episode in played)
            values = np.array([_extended(episode[series.key], commands, series) for episode in played])
            shown = ~np.isnan(values).all(axis=0)
            mean = series.scale * np.nanmean(values[:, shown], axis=0)
            axis.plot(np.flatnonzero(shown), mean, label=preset, drawstyle="steps-post")
        axis.set(xlabel="commands", ylim=(0, 104))
    axes[0].set_ylabel(series.label)
    _finish(figure, axes, file)
    return True


@dataclass(frozen=True)
class Sweep:
    """A setting of a suite that results differ in. name: of the setting; label: of the axis."""

    name: str
    label: str


SWEEPS: Mapping[str, Sweep] = {
    "noise": Sweep("noise", "share of corrupted answers"),
    "window": Sweep("window", "window [words and marks]"),
}
"""What success is drawn over, by the ending of the file's name."""


def success_over_setting(results: Iterable[Result], sweep: Sweep, file: Path) -> bool:
    """Draws the success of each preset, with its 95 % interval, by a setting of the suite, a panel for each group.
    Returns False, and draws nothing, unless the results differ in it.

    Raises:
        MissingDependencyError: matplotlib is not installed.
    """
    swept = [(result, (result["settings"].get("suite") or {}).get(sweep.name)) for result in results]
    rows = [
        (float(value), row)
        for result, value in swept
        if value is not None
        for row in result["rows"]
        if row["group"] != ALL
    ]
    if len({value for value, _ in rows}) < 2:
        return False
    groups = list(dict.fromkeys(row["group"] for _, row in rows))
    figure, axes = _panels(groups)
    for axis, group in zip(axes, groups, strict=True):
        for preset in dict.fromkeys(row["preset"] for _, row in rows):
            own = [(n, row) for n, row in rows if (row["preset"], row["group"]) == (preset, group)]
            own.sort(key=lambda item: item[0])
            rates = np.array([row["success_rate"] for _, row in own])
            bounds = np.array([row["success_rate_interval"] for _, row in own]).T
            spread = np.abs(bounds - rates)
            axis.errorbar([n for n, _ in own], rates, spread, label=preset, marker="o", capsize=3)
        axis.set(xlabel=sweep.label, ylim=(0, 104))
    axes[0].set_ylabel("success [%]")
    _finish(figure, axes, file)
    return True


def _extended(values: Sequence[float], commands: int, series: Series) -> NDArray[np.float64]:
    """Returns the value before the first command and after each, (commands + 1,), NaN where there is none."""
    first = 0.0 if series.is_held else np.nan
    known = np.array([first, *values[:commands]], float)
    last = known[-1] if series.is_held else np.nan
    return np.pad(known, (0, commands + 1 - len(known)), constant_values=last)


def _panels(titles: Sequence[str]) -> tuple[Figure, Sequence[Axes]]:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependencyError(
            f"figures need matplotlib ({error}): pip install 'stma_ros[plots]'"
        ) from error
    width, height = _PANEL
    figure = Figure(figsize=(width * len(titles), height + 0.4), layout="constrained")
    axes: Sequence[Axes] = figure.subplots(1, len(titles), sharey=True, squeeze=False)[0]
    for axis, title in zip(axes, titles, strict=True):
        axis.set_title(title)
        axis.grid(alpha=0.3)
        axis.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _finish(figure: Figure, axes: Sequence[Axes], file: Path) -> None:
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(len(labels), 4), frameon=False)
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
