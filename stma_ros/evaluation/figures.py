"""Draws figures of benchmark results: score by commands, and success by the share of corrupted answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.cooking.suite import SCORES
from stma_ros.evaluation.metrics import ALL
from stma_ros.types.errors import MissingDependencyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Result: TypeAlias = Mapping[str, Any]
"""The content of the file that `stma bench --json` writes."""

_PANEL = 3.2, 2.6  # width, height [inch]


def score_over_commands(result: Result, file: Path) -> bool:
    """Draws the mean score of each preset after each command, a panel for each group (STMA, figure 4). An episode that
    has ended retains its score. Returns False, and draws nothing, where the results have no scores.

    Raises:
        MissingDependencyError: matplotlib is not installed.
    """
    episodes = [episode for episode in result["episodes"] if episode.get(SCORES)]
    groups = list(dict.fromkeys(episode["group"] for episode in episodes))
    if not groups:
        return False
    figure, axes = _panels(groups)
    for axis, group in zip(axes, groups, strict=True):
        of_group = [episode for episode in episodes if episode["group"] == group]
        for preset in dict.fromkeys(episode["preset"] for episode in of_group):
            played = [episode for episode in of_group if episode["preset"] == preset]
            commands = max(episode["max_commands"] for episode in played)
            mean = np.mean([_held(episode[SCORES], commands) for episode in played], axis=0)
            axis.plot(np.arange(commands + 1), mean, label=preset, drawstyle="steps-post")
        axis.set(xlabel="commands", ylim=(0, 104))
    axes[0].set_ylabel("score [%]")
    _finish(figure, axes, file)
    return True


def success_over_noise(results: Iterable[Result], file: Path) -> bool:
    """Draws the success of each preset, with its 95 % interval, by the share of corrupted answers, a panel for each
    group. Returns False, and draws nothing, unless the results differ in that share.

    Raises:
        MissingDependencyError: matplotlib is not installed.
    """
    rows = [
        (float(result["settings"]["suite"]["noise"]), row)
        for result in results
        if "noise" in result["settings"]["suite"]
        for row in result["rows"]
        if row["group"] != ALL
    ]
    if len({noise for noise, _ in rows}) < 2:
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
        axis.set(xlabel="share of corrupted answers", ylim=(0, 104))
    axes[0].set_ylabel("success [%]")
    _finish(figure, axes, file)
    return True


def _held(scores: Sequence[float], commands: int) -> NDArray[np.float64]:
    """Returns the score before the first command and after each, (commands + 1,)."""
    values = np.array([0.0, *scores[:commands]])
    return np.pad(values, (0, commands + 1 - len(values)), mode="edge")


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
