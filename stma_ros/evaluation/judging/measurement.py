"""The measurement `judging`: how many sound and how many corrupted runs a judge keeps.

Sound runs are the experiences of a store: runs that ended as done. Each is judged as it is, and once for each
corruption that is possible. With the results of the bench that filled the store, those that ended as done and were not
are judged apart; the judge does not see the results.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from stma_ros.domains.registry import find_domain
from stma_ros.evaluation.judging.corruptions import CORRUPTIONS, HELD_OUT, Steps
from stma_ros.evaluation.metrics import share
from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.roles.judge import JUDGE, JudgeQuery, JudgeRole, is_kept, judged_steps
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import TaskStatus
from stma_ros.types.settings import setting
from stma_ros.types.task_text import task_text

SOUND, NOT_DONE = "sound", "said done, and was not"


@dataclass(frozen=True)
class JudgingSettings:
    store: str = setting(
        "", "file of experiences that were kept whatever their score (experience_memory.min_score=0)"
    )
    domain: str = setting("household", "of the tasks")
    min_score: float = setting(0.7, "score above which a run is kept; 0 = all are kept", low=0.0, high=1.0)
    outcomes: bool = setting(False, "show the judge how each action ended")
    held_out: bool = setting(False, "measure the corruptions that are for reporting only, too")
    results: str = setting(
        "",
        "folder of the bench that filled the store, whose results tell which runs were not done; empty = all were",
    )


class Judging:
    """The Measurement of the judge by rules of a domain."""

    name = "judging"
    columns: ClassVar[Mapping[str, str]] = {
        "preset": "judge",
        "group": "runs",
        "episodes": "n",
        "kept": "kept [%]",
        "mean_score": "mean score",
        "not_stored": "not stored",
    }

    def __init__(self, settings: JudgingSettings) -> None:
        """Raises ConfigurationError without a store, and StorageError if the results cannot be read."""
        if not Path(settings.store).is_file():
            raise ConfigurationError(
                "judging needs the experiences of runs: make them by an agent with --set experience_memory.store=FILE "
                "--set experience_memory.min_score=0, and name the file, --set store=FILE"
            )
        self._settings = settings
        self._was_done = _was_done(Path(settings.results)) if settings.results else None
        self._kinds = {**CORRUPTIONS, **(HELD_OUT if settings.held_out else {})}

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def total(self) -> int:
        return 1 + len(self._kinds) + (self._was_done is not None)

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        with ExperienceMemory(self._settings.store) as memory:
            runs = [each for each in memory if each.status == TaskStatus.SUCCEEDED]
        was_done = self._was_done
        stored = {run.task for run in runs}
        wrong = [each for each in runs if was_done is not None and was_done.get(each.task) is False]
        if was_done is not None:
            runs = [each for each in runs if was_done.get(each.task)]
        domain = find_domain(self._settings.domain)
        judge: JudgeRole = domain.make_rules(JUDGE, None)
        steps = [judged_steps(run.steps, self._settings.outcomes) for run in runs]
        sound = self._row(judge, SOUND, [(run.task, own) for run, own in zip(runs, steps, strict=True)])
        yield sound | self._not_stored(stored, done=True)
        if was_done is not None:
            said = [(run.task, judged_steps(run.steps, self._settings.outcomes)) for run in wrong]
            yield self._row(judge, NOT_DONE, said) | self._not_stored(stored, done=False)
        for number, (name, corrupt) in enumerate(self._kinds.items()):
            rng = np.random.default_rng((seed, number))
            made = []
            for run, own in zip(runs, steps, strict=True):
                others = [k for k, each in enumerate(runs) if each.task != run.task]
                other: Steps = steps[others[int(rng.integers(len(others)))]] if others else ()
                corrupted = corrupt(rng, own, other)
                if corrupted is not None and corrupted != own:
                    made.append((run.task, corrupted))
            yield self._row(judge, name, made)

    def _not_stored(self, stored: Collection[str], *, done: bool) -> dict[str, Any]:
        """Returns how many tasks of the results are not among the stored ones, as where another min_score filled the
        store: what is kept says nothing of these."""
        if self._was_done is None:
            return {}
        return {"not_stored": sum(task not in stored for task, was in self._was_done.items() if was is done)}

    def _row(self, judge: JudgeRole, group: str, runs: list[tuple[str, Steps]]) -> dict[str, Any]:
        scores = [judge.answer(JudgeQuery(task, steps)).whole.value for task, steps in runs]
        kept = [is_kept(score, self._settings.min_score) for score in scores]
        return {
            "preset": "rules",
            "group": group,
            "episodes": len(runs),
            "kept": share(kept) if kept else None,
            "mean_score": sum(scores) / len(scores) if scores else None,
            "not_stored": None,
        }


def _was_done(folder: Path) -> dict[str, bool]:
    """Returns whether each task that ended as done was done, by its text; tasks of which both are true are left out.

    Raises:
        StorageError: There are no results in the folder.
    """
    found: dict[str, set[bool]] = {}
    for episode in RunFolder(folder).read_metrics()["episodes"]:
        if episode["status"] == TaskStatus.SUCCEEDED.name:
            found.setdefault(task_text(episode["task"]), set()).add(bool(episode["success"]))
    return {task: True in ends for task, ends in found.items() if len(ends) == 1}
