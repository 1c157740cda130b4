"""The interface of benchmark suites: episodes from a seed, and the score of an episode."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.types.planning import TaskResult


class Failure(enum.Enum):
    """Why an episode was not solved."""

    NONE = ""
    NOT_UNDERSTOOD = "not understood"
    NOT_FOUND = "not found"
    WRONG_OBJECT = "wrong object"
    WRONG_ANSWER = "wrong answer"
    OUT_OF_COMMANDS = "out of commands"
    NO_PROGRESS = "no progress"
    IMPOSSIBLE = "impossible"  # as the oracle has shown, or as no scene suits the task
    GAVE_UP = "gave up"  # the agent reported that the task cannot be done
    NOT_DONE = "not done"  # the agent reported success
    UNVERIFIED = "unverified"  # the agent believes that it succeeded, and could not check it
    LOST = "lost"  # the world ended the episode
    TOO_SLOW = "too slow"
    PROMPT_GREW = "prompt grew"
    PROMPT_TOO_LONG = "prompt too long"
    ERROR = "error"


@dataclass(frozen=True)
class Score:
    """The score of an episode.

    Attributes:
        detail: for people: what was right or wrong.
        measures: further metrics by their key in the results.
        series: values after each command, by key.
        shares: (part, whole) by key, summed over all episodes.
    """

    failure: Failure
    detail: str
    measures: Mapping[str, float] = field(default_factory=dict)
    series: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    shares: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def success(self) -> bool:
        return self.failure is Failure.NONE


class Episode(Protocol):
    """One task in one scene, with its ground truth for the scorer."""

    @property
    def index(self) -> int:
        """Position in the suite, from 0."""
        ...

    @property
    def group(self) -> str:
        """Level, domain, question category or length class."""
        ...

    @property
    def scene(self) -> str:
        """The scene for World.reset, together with `seed`."""
        ...

    @property
    def seed(self) -> int: ...

    @property
    def text(self) -> str:
        """The task text for the agent."""
        ...

    @property
    def optimal_steps(self) -> int:
        """The commands of a plan with full knowledge."""
        ...

    @property
    def max_commands(self) -> int:
        """The agent's budget of commands."""
        ...

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores the result and the recorded episode against the ground truth."""
        ...


@dataclass(frozen=True)
class EpisodeFields:
    """The properties of an Episode as fields, for those that are made with all of them."""

    index: int
    group: str
    scene: str
    seed: int
    text: str
    optimal_steps: int
    max_commands: int


@runtime_checkable
class PhrasedEpisode(Episode, Protocol):
    """An episode of a suite that words its tasks in several ways, between which its rows distinguish."""

    @property
    def phrasing(self) -> str:
        """The name of the templates of the task text."""
        ...


@runtime_checkable
class FollowingEpisode(Episode, Protocol):
    """An episode whose task follows another one in the same scene, which is not scored. Its own task may depend on what
    happened there, and is known once that is over."""

    @property
    def first_text(self) -> str:
        """The text of the task before."""
        ...

    def follow(self, trace: EpisodeTrace) -> Episode:
        """Returns the episode with its own task. trace: of the task before."""
        ...


def episode_name(index: int, group: str) -> str:
    """Returns the name of an episode in tables and folders, which sorts by index."""
    return f"{index:03d}-{group.replace('<', 'under-').replace('>', 'over-').replace(' ', '-')}"


@dataclass(frozen=True)
class Defaults:
    """The defaults of a bench. No seed: episodes that were selected one by one."""

    seed: int | None = 0
    episodes: int = 50


class Suite(Protocol):
    """A benchmark. An episode depends on seed and index alone: a longer run begins with the shorter one."""

    @property
    def name(self) -> str: ...

    @property
    def worlds(self) -> Sequence[str]:
        """The worlds that have its scenes, the default one first."""
        ...

    @property
    def scene_options(self) -> tuple[str, ...]:
        """Options of the world that would change the scenes, whose ground truth the suite has."""
        ...

    @property
    def world_options(self) -> Mapping[str, Any]:
        """Options of the world that follow from the suite's own settings."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """Lines below a table, about what its figures rest on."""
        ...

    @property
    def component_settings(self) -> Mapping[str, Mapping[str, Any]]:
        """Settings of agents' components, by component, that follow from the suite's own settings; an agent gets those
        that its components have."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings, as written to a result file."""
        ...

    @property
    def columns(self) -> Mapping[str, str]:
        """The headings of the measures that a table shows, by their keys in the results."""
        ...

    @property
    def defaults(self) -> Defaults: ...

    def check(self, seed: int | None, episodes: int) -> None:
        """Raises ConfigurationError, before anything runs, where a seed has fewer episodes."""
        ...

    def episode(self, seed: int | None, index: int) -> Episode:
        """Returns an episode. seed: at least 0, or `defaults.seed`. Raises ConfigurationError for a seed or index out
        of range."""
        ...
