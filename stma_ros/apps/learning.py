"""The measurement `learning`: what the experiences of training tasks are worth on other tasks.

An agent does training tasks in a number of flats, and keeps what it learnt. Then the small things are drawn and placed
anew, and three arms do the same tasks from an empty spatial memory: without experience; with the agent's own; and with
these after their things were exchanged, which must not help. Once in the flats of the training, once in others.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from stma_ros.apps.episodes import Job, run_episodes
from stma_ros.apps.session.opening import open_session
from stma_ros.apps.session.session import LOCAL, SessionSpec
from stma_ros.evaluation.learning.exchanged_things import exchanged_things
from stma_ros.evaluation.learning.savings import savings
from stma_ros.evaluation.metrics import FALSE_SUCCESS, EpisodeRecord, rows
from stma_ros.evaluation.rearrangement import ALL_LENGTHS, LENGTHS, Rearrangement, RearrangementSettings
from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import setting

NO_EXPERIENCE, OWN, EXCHANGED = "no experience", "own", "things exchanged"
TRAINING, SAME_FLATS, NEW_FLATS = "training", "the same flats", "new flats"

_ARMS = 3
_MEMORY = "experience_memory"
_TRAINED_ON, _TESTED_ON = 1, 2  # the small things of a flat, as in RearrangementSettings.items


@dataclass(frozen=True)
class LearningSettings:
    preset: str = setting("mcot_memory", "preset of the agent that learns")
    without: str = setting("mcot_no_experiences", "preset of the same agent without experience")
    flats: int = setting(12, "flats of the training", low=1, high=1000)
    training: int = setting(60, "tasks of the training", low=1, high=4000)
    test: int = setting(
        60, "tasks of the test in the flats of the training; 0 = no such test", low=0, high=4000
    )
    new_flats: int = setting(
        170, "tasks of the test in new flats, one in each; 0 = no such test", low=0, high=4000
    )
    length: str = setting(ALL_LENGTHS, "length class of the tasks", choices=LENGTHS)
    processes: int = setting(1, "episodes that run at once", low=1, high=64)
    folder: str = setting("", "new folder for the stores and decision logs; empty = they are not kept")


class Learning:
    """The Measurement of learning, on the household tasks of the suite `rearrangement`."""

    name = "learning"
    columns: ClassVar[Mapping[str, str]] = {
        "group": "tasks",
        "preset": "experience",
        "episodes": "n",
        "success_rate": "success [%]",
        FALSE_SUCCESS: "false done [%]",
        "crashed": "crashed",
        "steps": "steps of successes",
        "pairs": "both solve",
        "fewer_steps": "fewer steps [%]",
        "fewer_steps_low": "from",
        "fewer_steps_high": "to",
    }

    def __init__(self, settings: LearningSettings = LearningSettings()) -> None:
        """Raises ConfigurationError for a folder that is in use."""
        folder = Path(settings.folder)
        if settings.folder and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ConfigurationError(
                f"{folder} is in use; name a new folder, as nothing may be learnt before"
            )
        self._settings = settings
        self._numbers = {
            TRAINING: settings.training,
            SAME_FLATS: settings.test,
            NEW_FLATS: settings.new_flats,
        }
        self._tests = [where for where in (SAME_FLATS, NEW_FLATS) if self._numbers[where]]

    @property
    def total(self) -> int:
        return 1 + _ARMS * len(self._tests)

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        settings = self._settings
        with ExitStack() as stack:
            folder = Path(settings.folder or stack.enter_context(tempfile.TemporaryDirectory()))
            folder.mkdir(parents=True, exist_ok=True)
            store, exchanged = folder / "own.db", folder / "exchanged.db"
            trained = self._run(seed, folder, TRAINING, OWN, self._learner(store, learn=True))
            yield _row(TRAINING, OWN, trained)
            _exchange(store, exchanged, seed)
            arms = {
                NO_EXPERIENCE: SessionSpec(LOCAL, settings.without),
                OWN: self._learner(store, learn=False),
                EXCHANGED: self._learner(exchanged, learn=False),
            }
            for where in self._tests:
                reference: Sequence[EpisodeRecord] = ()
                for arm, spec in arms.items():
                    records = self._run(seed, folder, where, arm, spec)
                    reference = reference or records
                    yield _row(where, arm, records, reference if arm != NO_EXPERIENCE else (), seed)

    def _learner(self, store: Path, *, learn: bool) -> SessionSpec:
        memory = {"store": str(store.absolute()), "learn": learn}
        return SessionSpec(LOCAL, self._settings.preset, {_MEMORY: memory})

    def _run(
        self, seed: int, folder: Path, where: str, arm: str, spec: SessionSpec
    ) -> Sequence[EpisodeRecord]:
        """Runs all tasks of a row."""
        spec.check()
        settings = self._settings
        items = _TRAINED_ON if where == TRAINING else _TESTED_ON
        # The flats of the training are the first ones of the seed; each new flat has one task.
        flats, first = (0, settings.flats) if where == NEW_FLATS else (settings.flats, 0)
        suite = Rearrangement(RearrangementSettings(flats=flats, items=items, length=settings.length))
        number = self._numbers[where]
        suite.check(seed, first + number)
        logs = RunFolder(folder / where.replace(" ", "_") / arm.replace(" ", "_"))
        jobs = [Job(spec, suite, seed, index) for index in range(first, first + number)]
        with closing(run_episodes(jobs, settings.processes, logs, open_session)) as finished:
            return sorted(finished, key=lambda record: record.index)


def _exchange(store: Path, exchanged: Path, seed: int) -> None:
    """Writes the store of the control. Raises ConfigurationError if too little was learnt for one."""
    with ExperienceMemory(store) as own:
        others = exchanged_things(list(own), np.random.default_rng(seed))
    if not others:
        raise ConfigurationError("too little was learnt to measure its use; give more tasks (training)")
    with ExperienceMemory(exchanged) as control:
        for experience in others:
            control.add(experience)


def _row(
    where: str,
    arm: str,
    records: Sequence[EpisodeRecord],
    reference: Sequence[EpisodeRecord] = (),
    seed: int = 0,
) -> dict[str, Any]:
    (*_, whole) = rows(records)  # of one preset: its last row is that of all groups
    steps = [record.steps for record in records if record.success]
    saved = savings(records, reference, seed) if reference else None
    return {
        "group": where,
        "preset": arm,
        **{key: whole[key] for key in ("episodes", "success_rate", FALSE_SUCCESS, "crashed")},
        "steps": sum(steps) / len(steps) if steps else None,
        "pairs": saved.pairs if saved else None,
        "fewer_steps": saved.fewer if saved else None,
        "fewer_steps_low": saved.low if saved else None,
        "fewer_steps_high": saved.high if saved else None,
    }
