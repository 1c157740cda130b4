"""The suite `prompts`: whether the prompts of the roles remain bounded in the course of a long task.

A home of many rooms with an impossible task is played until the commands are spent. Raw history grows with every step;
a memory that condenses and retrieves should not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from stma_ros.evaluation.causes import cause_of, reason_of
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.suite import Defaults, Failure, Score
from stma_ros.roles.planner import PLANNER
from stma_ros.types.errors import ConfigurationError, ErrorCode
from stma_ros.types.planning import TaskResult
from stma_ros.types.settings import setting
from stma_ros.types.telemetry import RoleCall
from stma_ros.worlds.textworld.games import game_file, games_folder
from stma_ros.worlds.textworld.roomy_home import OBJECTIVE, HomeSettings

WORLDS = ("textworld",)

GROWTH = "context_growth"
"""The key of a measure: ratio of the final length of prompts to the length half-way, for the role with the largest
growth."""
LONGEST = "context_longest"
"""The key of a measure: the longest prompt of any role at any step [words and marks]."""

_MEAN_OVER = 10  # steps: one room alone must not decide
_GAMES = 100  # per seed of the suite
_SEEDS = 10_000_000  # largest seed of the suite: the generator takes 32 bits


@dataclass(frozen=True)
class PromptsSettings:
    rooms: int = setting(30, "rooms of the home", low=2, high=36)
    budget: int = setting(
        200, "commands of an episode; lengths at the half and at the end are compared", low=20
    )
    growth: float = setting(
        1.2, "how many times as long as half-way a role's prompts may be in the end", low=1.0
    )
    cap: int = setting(5000, "longest prompt that a role may be asked", unit="words and marks", low=1)


@dataclass(frozen=True)
class PromptsEpisode:
    """An Episode of the suite. growth, cap: as in PromptsSettings."""

    index: int
    scene: str
    seed: int
    max_commands: int
    growth: float
    cap: int
    group: str = "endless"
    text: str = OBJECTIVE
    optimal_steps: int = 0

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores success: all commands were used up, and no role's prompts grew too much or were too long."""
        lengths = lengths_by_role(trace.calls, self.max_commands)
        series = {context_key(role): values for role, values in lengths.items()}
        if result.error.code != ErrorCode.OUT_OF_COMMANDS or not lengths:
            return Score(cause_of(result), reason_of(result), {}, series)
        half, end = self.max_commands // 2, self.max_commands
        measures: dict[str, float] = {}
        for role, values in lengths.items():
            measures |= {context_key(role, step): _mean_up_to(values, step) for step in (half, end)}
        growths = {
            role: measures[context_key(role, end)] / max(measures[context_key(role, half)], 1.0)
            for role in lengths
        }
        longest = {role: max(values) for role, values in lengths.items()}
        measures |= {f"{GROWTH}_{role}": growth for role, growth in growths.items()}
        measures |= {GROWTH: max(growths.values()), LONGEST: max(longest.values())}
        detail = ", ".join(
            f"{role} x {growth:.2f}, at most {longest[role]:.0f}" for role, growth in growths.items()
        )
        failure = Failure.NONE
        if measures[GROWTH] > self.growth:
            failure = Failure.PROMPT_GREW
        elif measures[LONGEST] > self.cap:
            failure = Failure.PROMPT_TOO_LONG
        return Score(failure, detail, measures, series)


class Prompts:
    """The Suite of endless games."""

    name = "prompts"
    worlds = WORLDS
    scene_options = ("games",)
    defaults = Defaults(episodes=5)

    def __init__(self, settings: PromptsSettings = PromptsSettings()) -> None:
        self._settings = settings

    @property
    def columns(self) -> Mapping[str, str]:
        """The lengths of the planner's prompts, which contain the output of all other roles."""
        end = self._settings.budget
        return {
            context_key(PLANNER.name, end // 2): f"planner at {end // 2}",
            context_key(PLANNER.name, end): f"at {end}",
            GROWTH: "growth",
            LONGEST: "longest",
        }

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def world_options(self) -> Mapping[str, Any]:
        return {}

    @property
    def notes(self) -> tuple[str, ...]:
        return ()

    @property
    def component_settings(self) -> Mapping[str, Mapping[str, Any]]:
        return {}

    def check(self, seed: int | None, episodes: int) -> None:
        _game_seed(seed, episodes - 1)

    def episode(self, seed: int | None, index: int) -> PromptsEpisode:
        """Returns an episode. Its game is generated if it does not exist, which takes some seconds. Raises WorldError
        when the generator fails."""
        settings = self._settings
        scene, game_seed = HomeSettings(settings.rooms).scene, _game_seed(seed, index)
        game_file(scene, game_seed, games_folder(""))
        return PromptsEpisode(index, scene, game_seed, settings.budget, settings.growth, settings.cap)


def context_key(role: str, step: int | None = None) -> str:
    """Returns the key of a series, the lengths of a role's prompts; with a step, the key of a measure, their mean up to
    it."""
    return f"context_{role}" if step is None else f"context_{role}_{step}"


def lengths_by_role(calls: Iterable[RoleCall], commands: int) -> dict[str, tuple[float, ...]]:
    """Returns the length of each role's prompt [words and marks] after each command. Of several prompts the longest
    counts; without one, the last one before, or else the first of all."""
    asked: dict[str, dict[int, int]] = {}
    for call in calls:
        of_role = asked.setdefault(call.role, {})
        of_role[call.step] = max(of_role.get(call.step, 0), call.context_tokens)
    return {role: tuple(_at_each_step(lengths, commands)) for role, lengths in asked.items()}


def _at_each_step(lengths: Mapping[int, int], commands: int) -> Iterable[float]:
    last = lengths[min(lengths)]
    for step in range(commands + 1):
        last = lengths.get(step, last)
        if step:
            yield float(last)


def _mean_up_to(values: tuple[float, ...], step: int) -> float:
    return fmean(values[max(step - _MEAN_OVER, 0) : step])


def _game_seed(seed: int | None, index: int) -> int:
    if seed is None or not 0 <= seed < _SEEDS:
        raise ConfigurationError(f"the suite's seed must be from 0 to {_SEEDS - 1}, got {seed}")
    if not 0 <= index < _GAMES:
        raise ConfigurationError(f"a seed has {_GAMES} games; take another seed for more")
    return _GAMES * seed + index
