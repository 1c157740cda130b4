"""Aggregates episodes to the rows of a result table."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stma_ros.evaluation.efficiency import Effort, efficiency
from stma_ros.evaluation.suite import Failure, episode_name
from stma_ros.types.planning import TaskStatus

ALL = "all"
"""The group that contains every episode."""

GOAL_CONDITION_RECALL = "goal_condition_recall"
"""The key of a measure: the share of the requested conditions that hold at the end [%]."""

AVERAGE_SCORE = "average_score"
"""The key of a measure: the share of a game's highest score [%]. Rows hold its standard deviation, too."""

UNVERIFIED = "unverified_rate"
"""The key of the share of episodes that the agent believes to be done without having been able to check [%]. They are
no successes."""

FALSE_SUCCESS = "false_success_rate"
"""The key of the share of episodes that the agent reported as done and that were not [%]."""

FALSE_SUCCESSES = "false_successes"
"""The key of the names of these episodes, in a result."""

MEMORY_ACTIONS = "memory_actions"
"""The key of the number of actions of the agent's memory, which are not steps; of agents with such actions."""

MEMORY = "memory_mb"
"""The key of a measure of every suite: memory use of the agent and the world at the end [MB]."""

TRIAL_1_SUCCESS = "trial_1_success"
"""The key of a measure of agents with several trials: success of the first trial [%]. `success`, steps and measures are
those of the best trial; the run time is the sum."""

TRIAL_1_SCORE = "trial_1_average_score"
"""The key of a measure of agents with several trials at games: AVERAGE_SCORE of the first trial."""

TRIALS = "trials"
"""The key of a measure of agents with several trials: the number of trials."""


def success_of_phrasing(phrasing: str) -> str:
    """Returns the key of the success rate [%] of the tasks with that wording. Rows hold their number, too."""
    return f"success_rate_{phrasing}"


_Z = 1.959963984540054  # of the 95 % interval


@dataclass(frozen=True)
class EpisodeRecord:
    """The record of one episode.

    Attributes:
        run_time: wall time [s].
        error: empty unless the episode crashed.
        measures: measures besides success, by their keys in the results.
        series: values after each command, by key.
        shares: (part, whole) by key.
        memory_actions: number of actions of a memory, which are not steps.
        phrasing: name of the templates of the task text, in suites with several.
        configuration: settings that the world has drawn from the scene.
    """

    preset: str
    index: int
    group: str
    scene: str
    seed: int
    task: str
    max_commands: int
    optimal_steps: int
    status: str
    failure: Failure
    detail: str
    steps: int
    run_time: float
    error: str = ""
    measures: Mapping[str, float] = field(default_factory=dict)
    series: Mapping[str, Sequence[float]] = field(default_factory=dict)
    shares: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    memory_actions: int = 0
    phrasing: str = ""
    configuration: Mapping[str, Any] = field(default_factory=dict)

    @property
    def success(self) -> bool:
        return self.failure is Failure.NONE

    @property
    def crashed(self) -> bool:
        return bool(self.error)

    @property
    def effort(self) -> Effort:
        """Its commands. An episode that crashed before it was made has no scene."""
        was_made = bool(self.scene) or not self.crashed
        return Effort(self.success, self.steps, self.optimal_steps, was_made)

    @property
    def is_unverified(self) -> bool:
        return self.status == TaskStatus.UNVERIFIED.name

    @property
    def is_false_success(self) -> bool:
        """Whether the agent reported success although the goal does not hold."""
        wrong = self.failure in (Failure.NOT_DONE, Failure.WRONG_OBJECT, Failure.WRONG_ANSWER)
        return wrong and self.status == TaskStatus.SUCCEEDED.name

    @property
    def name(self) -> str:
        """The path of the decision log in the bench's folder."""
        return f"{self.preset}/{episode_name(self.index, self.group)}"

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "preset": self.preset,
            "index": self.index,
            "group": self.group,
            "scene": self.scene,
            "seed": self.seed,
            **({"configuration": dict(self.configuration)} if self.configuration else {}),
            "task": self.task,
            **({"phrasing": self.phrasing} if self.phrasing else {}),
            "max_commands": self.max_commands,
            "optimal_steps": self.optimal_steps,
            "status": self.status,
            "success": self.success,
            "failure": self.failure.value,
            "detail": self.detail,
            "steps": self.steps,
            **({MEMORY_ACTIONS: self.memory_actions} if self.memory_actions else {}),
            "run_time_s": round(self.run_time, 3),
            **self.measures,
            **{name: list(values) for name, values in (*self.series.items(), *self.shares.items())},
            "crashed": self.crashed,
            "error": self.error,
        }


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """Returns the 95 % score interval of a success rate (Wilson 1927), both ends in [0, 1]; (0, 1) without trials."""
    if trials == 0:
        return 0.0, 1.0
    rate, spread = successes / trials, _Z * _Z / trials
    middle = (rate + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * math.sqrt(rate * (1 - rate) / trials + spread / (4 * trials))
    low = 0.0 if successes == 0 else middle - half
    high = 1.0 if successes == trials else middle + half
    return low, high


def rows(records: Iterable[EpisodeRecord]) -> list[dict[str, Any]]:
    """Returns for each preset one row per group, in the order of their first episodes, and one for the whole."""
    by_preset: dict[str, list[EpisodeRecord]] = {}
    for record in records:
        by_preset.setdefault(record.preset, []).append(record)
    table = []
    for preset, of_preset in by_preset.items():
        for group in dict.fromkeys(record.group for record in of_preset):
            table.append(_row(preset, group, [record for record in of_preset if record.group == group]))
        table.append(_row(preset, ALL, of_preset))
    return table


def _row(preset: str, group: str, records: Sequence[EpisodeRecord]) -> dict[str, Any]:
    """Returns rates [%] over all episodes, crashed ones being failures, and means over those that ran to an end."""
    ended = [record for record in records if not record.crashed]
    successes = sum(record.success for record in records)
    failures = Counter(record.failure for record in records if not record.success)
    return {
        "preset": preset,
        "group": group,
        "episodes": len(records),
        "success_rate": share([record.success for record in records]),
        "success_rate_interval": [100 * bound for bound in wilson_interval(successes, len(records))],
        **efficiency(record.effort for record in records),
        **_phrasings(records),
        UNVERIFIED: share([record.is_unverified for record in records]),
        FALSE_SUCCESS: share([record.is_false_success for record in records]),
        "mean_steps": _mean([record.steps for record in ended]),
        **_memory_actions(ended),
        "optimal_steps": _mean_reference(ended),
        "run_time_s": _mean([record.run_time for record in ended]),
        **_measures(ended),
        **_shares(ended),
        "crashed": len(records) - len(ended),
        "failures": {cause.value: failures[cause] for cause in Failure if failures[cause]},
    }


def _phrasings(records: Sequence[EpisodeRecord]) -> dict[str, float]:
    """Returns number and success [%] of the tasks of each wording, in suites with several."""
    figures: dict[str, float] = {}
    for phrasing in sorted({record.phrasing for record in records} - {""}):
        worded = [record.success for record in records if record.phrasing == phrasing]
        figures[f"episodes_{phrasing}"] = len(worded)
        figures[success_of_phrasing(phrasing)] = share(worded)
    return figures


def _mean_reference(ended: Sequence[EpisodeRecord]) -> float | None:
    """Returns the mean number of commands of the known references; 0 if none is known."""
    return _mean([record.optimal_steps for record in ended if record.optimal_steps] or [0 for _ in ended])


def _memory_actions(records: Sequence[EpisodeRecord]) -> dict[str, float | None]:
    """Returns the mean number of memory actions, for agents that have some."""
    counts = [record.memory_actions for record in records]
    return {MEMORY_ACTIONS: _mean(counts)} if any(counts) else {}


def _measures(records: Sequence[EpisodeRecord]) -> dict[str, float | None]:
    """Returns the means of the suite's measures over the episodes that have them."""
    names = dict.fromkeys(name for record in records for name in record.measures)
    values = {name: [r.measures[name] for r in records if name in r.measures] for name in names}
    table: dict[str, float | None] = {name: _mean(those) for name, those in values.items()}
    if AVERAGE_SCORE in values:
        table[f"{AVERAGE_SCORE}_std"] = statistics.pstdev(values[AVERAGE_SCORE])
    return table


def _shares(records: Sequence[EpisodeRecord]) -> dict[str, float | None]:
    """Returns shares [%] summed over all episodes: an episode with few items has little weight."""
    names = dict.fromkeys(name for record in records for name in record.shares)
    counts = {name: [record.shares.get(name, (0, 0)) for record in records] for name in names}
    sums = {name: (sum(part for part, _ in c), sum(whole for _, whole in c)) for name, c in counts.items()}
    return {name: 100 * part / whole if whole else None for name, (part, whole) in sums.items()}


def share(values: Sequence[bool]) -> float:
    """Returns the share of true values [%]."""
    return 100 * sum(values) / len(values)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
