"""The suite `rearrangement`: household tasks in flats that the agent does not know. So far its find tasks."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from stma_ros.evaluation.find import FindTruth, budget, score_find
from stma_ros.evaluation.suite import Score
from stma_ros.evaluation.witness import Witness
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import TaskResult
from stma_ros.types.settings import setting
from stma_ros.worlds.house.tasks import Presence, find_task

WORLD = "house"

_GROUPS = {
    Presence.IN_VIEW: "visible",
    Presence.IN_CONTAINER: "contained",
    Presence.ABSENT: "absent",
}
# The share of each group in every run of five episodes: 40, 40 and 20 %.
_ROUND = (
    Presence.IN_VIEW,
    Presence.IN_CONTAINER,
    Presence.IN_VIEW,
    Presence.IN_CONTAINER,
    Presence.ABSENT,
)
# Every suite seed has its own block of flats, every episode its own flats within it, beyond the small numbers
# that people try by hand.
_FLATS_OF_A_SEED = 1_000_000
_FLATS_OF_AN_EPISODE = 100
_EPISODES = _FLATS_OF_A_SEED // _FLATS_OF_AN_EPISODE
_SEEDS = 1_000_000_000


@dataclass(frozen=True)
class RearrangementSettings:
    tasks: str = setting("find", "which tasks", choices=("find",))


@dataclass(frozen=True)
class FindEpisode:
    """A find task with its truth; see suite.Episode."""

    index: int
    group: str
    scene: str
    seed: int
    text: str
    optimal_steps: int
    max_commands: int
    truth: FindTruth

    def score(self, result: TaskResult, witness: Witness) -> Score:
        return score_find(self.truth, result)


class Rearrangement:
    """See suite.Suite."""

    name = "rearrangement"
    world = WORLD
    scene_options = ("rooms",)

    def __init__(self, settings: RearrangementSettings = RearrangementSettings()) -> None:
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    def episode(self, seed: int, index: int) -> FindEpisode:
        if not 0 <= seed < _SEEDS:
            raise ConfigurationError(f"the suite's seed must be from 0 to {_SEEDS - 1}, got {seed}")
        if not 0 <= index < _EPISODES:
            raise ConfigurationError(f"a seed has {_EPISODES} episodes; take another seed for more")
        first = (seed + 1) * _FLATS_OF_A_SEED + index * _FLATS_OF_AN_EPISODE
        presence = _ROUND[index % len(_ROUND)]
        for flat_seed in range(first, first + _FLATS_OF_AN_EPISODE):
            episode = _find_episode(index, flat_seed, flat_seed, presence)
            if episode is not None:
                return episode
        raise AssertionError(f"none of {_FLATS_OF_AN_EPISODE} flats fits")  # one in a few does not


def visible_and_contained(seed: int) -> tuple[FindEpisode, FindEpisode]:
    """Two tasks in one flat, the first from `seed` on: a target in view, another in a closed container."""
    for flat_seed in itertools.count(seed):
        visible = _find_episode(0, seed, flat_seed, Presence.IN_VIEW)
        contained = _find_episode(1, seed, flat_seed, Presence.IN_CONTAINER)
        if visible is not None and contained is not None:
            return visible, contained
    raise AssertionError("there is always a next flat")


def _find_episode(index: int, seed: int, flat_seed: int, presence: Presence) -> FindEpisode | None:
    """None when the flat has nothing that is present in that way and can be seen."""
    task = find_task(seed, presence, flat_seed)
    if task.presence is not presence:
        return None
    commands = budget(task.reference_commands, task.inspection_commands, absent=presence is Presence.ABSENT)
    return FindEpisode(
        index=index,
        group=_GROUPS[presence],
        scene=task.scene,
        seed=task.seed,
        text=task.text,
        optimal_steps=task.reference_commands,
        max_commands=commands,
        truth=FindTruth(task.category, task.instances),
    )
