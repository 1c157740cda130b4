"""The suite `habitat_lab`: episodes of habitat-lab's data sets as tasks for the agent.

ObjectNav becomes tasks to go to an object (objectnav.py), Rearrange tasks to move objects (rearrange.py). The
measurement `pointnav` drives to point goals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from stma_ros.evaluation.habitat_lab.objectnav import OBJECT_NAV_COLUMNS, object_nav
from stma_ros.evaluation.habitat_lab.rearrange import REARRANGE_COLUMNS, PhrasableEpisodes, rearrange
from stma_ros.evaluation.habitat_lab.settings import HabitatLabSettings
from stma_ros.evaluation.suite import Defaults, Episode
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.lab.episodes import (
    POINT_GOALS,
    EpisodeSet,
    LabEpisode,
    LabSet,
    RearrangeEpisode,
    RearrangeSet,
)
from stma_ros.worlds.habitat.lab.reading import read_episodes
from stma_ros.worlds.habitat.lab.scenes import dataset_file


class HabitatLab:
    """The Suite of habitat-lab's episodes."""

    name = "habitat_lab"
    worlds = ("habitat",)
    scene_options: tuple[str, ...] = ()

    def __init__(self, settings: HabitatLabSettings) -> None:
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Any]:
        """Includes the number of episodes that are left out because they cannot be phrased."""
        left_out = {} if self._phrasable is None else {"left_out": self._phrasable.left_out}
        return {**asdict(self._settings), **left_out}

    @property
    def columns(self) -> Mapping[str, str]:
        return OBJECT_NAV_COLUMNS if self._phrasable is None else REARRANGE_COLUMNS

    @property
    def notes(self) -> tuple[str, ...]:
        return ()

    @property
    def component_settings(self) -> Mapping[str, Mapping[str, Any]]:
        return {}

    @property
    def world_options(self) -> Mapping[str, Any]:
        """The world's data set of the scenes."""
        file = self._dataset if self._phrasable is None else str(self._phrasable.dataset)
        return {"dataset": file} if file else {}

    @property
    def defaults(self) -> Defaults:
        """All episodes in their order; a seed selects them in another one."""
        return Defaults(seed=None, episodes=self._count)

    def check(self, seed: int | None, episodes: int) -> None:
        if episodes > self._count:
            raise ConfigurationError(f"{self._settings.episodes} has {self._count} episodes, not {episodes}")
        for index in range(episodes):
            self.episode(seed, index)

    def episode(self, seed: int | None, index: int) -> Episode:
        if not 0 <= index < self._count:
            raise ConfigurationError(f"{self._settings.episodes} has {self._count} episodes")
        number = index if seed is None else int(np.random.default_rng(seed).permutation(self._count)[index])
        if self._phrasable is not None:
            return rearrange(index, self._phrasable.episodes[number], self._settings)
        assert isinstance(self._read, EpisodeSet)  # the only other kind
        return object_nav(index, number, self._read.episodes[number], self._settings)

    @property
    def _count(self) -> int:
        return len(self._read.episodes if self._phrasable is None else self._phrasable.episodes)

    @cached_property
    def _read(self) -> LabSet:
        read = read_episodes(Path(self._settings.episodes), self._settings.lab_python)
        if read.kind == POINT_GOALS:
            raise ConfigurationError(
                f"{self._settings.episodes} is a data set of the kind {read.kind}: run it with `stma bench pointnav`"
            )
        return read

    @cached_property
    def _dataset(self) -> str:
        """The scene data set of the episodes; empty = none. Raises ConfigurationError where they have several: a bench
        has one."""
        listed: Sequence[LabEpisode | RearrangeEpisode] = self._read.episodes
        datasets = {episode.dataset: episode for episode in listed}
        if len(datasets) > 1:
            raise ConfigurationError(
                f"the episodes of {self._settings.episodes} are in {len(datasets)} scene data sets, a bench is in one: "
                f"take them apart: {', '.join(sorted(map(repr, datasets)))}"
            )
        return dataset_file(next(iter(datasets.values())), Path(self._settings.scenes))

    @cached_property
    def _phrasable(self) -> PhrasableEpisodes | None:
        """The episodes that can be phrased; None for ObjectNav."""
        if not isinstance(self._read, RearrangeSet):
            return None
        return PhrasableEpisodes.of(self._read.episodes, self._dataset, self._settings)

    def __getstate__(self) -> dict[str, Any]:
        """Returns the state without the episodes, which are read again: they may be large, and every job of a bench
        receives the suite."""
        return {"_settings": self._settings}
