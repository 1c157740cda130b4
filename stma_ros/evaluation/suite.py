"""The interface of benchmark suites: episodes from a seed, and the score of an episode."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.types.planning import TaskResult


class Failure(enum.Enum):
    """Why an episode was not solved."""

    NONE = ""
    NOT_UNDERSTOOD = "not understood"
    NOT_FOUND = "not found"
    WRONG_OBJECT = "wrong object"
    OUT_OF_COMMANDS = "out of commands"
    NO_PROGRESS = "no progress"
    GAVE_UP = "gave up"  # it said that it cannot be done
    NOT_DONE = "not done"  # it said that it is
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
    """One task in one scene. What only the scorer may know stays in here."""

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
        """For World.reset, together with `seed`."""
        ...

    @property
    def seed(self) -> int: ...

    @property
    def text(self) -> str:
        """The task text for the agent."""
        ...

    @property
    def optimal_steps(self) -> int:
        """Commands of a plan with perfect knowledge."""
        ...

    @property
    def max_commands(self) -> int:
        """The budget the agent is given."""
        ...

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Compare an answer, and what came of it, with the truth."""
        ...


def episode_name(index: int, group: str) -> str:
    """What an episode is called in tables and folders; sorts by index."""
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
        """The worlds that have its scenes, the usual one first."""
        ...

    @property
    def scene_options(self) -> tuple[str, ...]:
        """Options of the world that would make other scenes than those whose truth is known."""
        ...

    @property
    def world_options(self) -> Mapping[str, Any]:
        """Options of the world that the suite's own settings ask for."""
        ...

    @property
    def component_settings(self) -> Mapping[str, Mapping[str, Any]]:
        """Settings of the agent's components, by component, that the suite's own settings ask for."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """As a result file states them."""
        ...

    @property
    def columns(self) -> Mapping[str, str]:
        """The headings of the measures that a table shows, by their keys in the results."""
        ...

    @property
    def defaults(self) -> Defaults: ...

    def check(self, seed: int | None, episodes: int) -> None:
        """Before anything is run: raises ConfigurationError where a seed has not so many episodes."""
        ...

    def episode(self, seed: int | None, index: int) -> Episode:
        """`seed`: from 0 on, or `defaults.seed`. Raises ConfigurationError for a seed or index out of range."""
        ...
