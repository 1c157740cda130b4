"""The suite `cooking`: TextWorld's cooking games at the four levels of STMA (table 1).

The paper prints four seeds; their pattern gives the eight games of each level that are played without a seed: the
*inferred* games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from stma_ros.evaluation.causes import cause_of, reason_of
from stma_ros.evaluation.cooking.oracle import perfect_plan, read_truth
from stma_ros.evaluation.critic_score import CRITIC_COLUMNS, critic_shares
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.metrics import AVERAGE_SCORE
from stma_ros.evaluation.suite import Defaults, EpisodeFields, Failure, Score
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.types.settings import setting
from stma_ros.worlds.textworld.games import LEVELS, TRUTH_SUFFIX, game_file, games_folder

WORLDS = ("textworld",)
ALL_LEVELS = "all"

COMMANDS_RATIO = "commands_ratio"
"""The key of a measure of games that were won: commands relative to those of the plan with full knowledge."""
SCORES = "scores"
"""The key of a series: points after each command, as a share of all points [%]."""

_WITH_ROLES = ("temporal_memory", "spatial_memory", "planner", "critic")

_INFERRED_STEPS = {1: 1001, 2: 1001, 3: 10001, 4: 101}
"""Level -> step between the seeds of its inferred games, which is also the seed of the first."""
_INFERRED_GAMES = 8  # per level

_FIRST_FRESH = 1_000_000  # beyond every inferred seed
_FRESH_GAMES = 100  # per level and seed of the suite
_SEEDS = 10_000_000  # largest seed of the suite: the generator takes 32 bits


@dataclass(frozen=True)
class CookingSettings:
    level: str = setting(ALL_LEVELS, "which level", choices=(ALL_LEVELS, *map(str, LEVELS)))
    budget: int = setting(50, "commands of an episode", low=1)
    noise: float = setting(
        0.0, "share of every role's answers that are corrupted (roles.faults)", low=0.0, high=1.0
    )
    noise_seed: int = setting(0, "seed of what is corrupted, and how", low=0)


@dataclass(frozen=True)
class CookingEpisode(EpisodeFields):
    """An Episode of the suite."""

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores success: the game is won with all possible points."""
        ending = trace.ending
        points = f"{ending.score:g} of {ending.max_score:g} points"
        measures = {AVERAGE_SCORE: 100 * ending.score / ending.max_score}
        # The first ground truth is that of the initial look around.
        points_after = (100 * truth.score / ending.max_score for truth in trace.truths[1:])
        series = {SCORES: tuple(points_after)}
        shares = critic_shares(trace)
        if result.status != TaskStatus.SUCCEEDED:
            return Score(cause_of(result), f"{reason_of(result)} ({points})", measures, series, shares)
        if ending.score < ending.max_score:
            return Score(Failure.NOT_DONE, points, measures, series, shares)
        measures[COMMANDS_RATIO] = result.commands / self.optimal_steps
        return Score(Failure.NONE, points, measures, series, shares)


class Cooking:
    """A Suite, in which the levels alternate."""

    name = "cooking"
    worlds = WORLDS
    scene_options = ("games",)

    def __init__(self, settings: CookingSettings = CookingSettings()) -> None:
        self._settings = settings
        self._levels = (*LEVELS,) if settings.level == ALL_LEVELS else (int(settings.level),)

    @property
    def columns(self) -> Mapping[str, str]:
        noisy = CRITIC_COLUMNS if self._settings.noise else {}
        return {
            AVERAGE_SCORE: "AS [%]",
            f"{AVERAGE_SCORE}_std": "std",
            COMMANDS_RATIO: "steps/optimal",
            **noisy,
        }

    @property
    def defaults(self) -> Defaults:
        return Defaults(seed=None, episodes=_INFERRED_GAMES * len(self._levels))

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
        if not self._settings.noise:
            return {}
        faults = {"fault_rate": self._settings.noise, "fault_seed": self._settings.noise_seed}
        return dict.fromkeys(_WITH_ROLES, faults)

    def check(self, seed: int | None, episodes: int) -> None:
        self._game(seed, episodes - 1)

    def episode(self, seed: int | None, index: int) -> CookingEpisode:
        """Returns an episode. Its game is generated if it does not exist, which takes some seconds. Raises WorldError
        when the generator fails."""
        level, game_seed = self._game(seed, index)
        scene = f"level_{level}"
        game = game_file(scene, game_seed, games_folder(""))
        truth = read_truth(game.with_suffix(TRUTH_SUFFIX))
        return CookingEpisode(
            index=index,
            group=f"level {level}",
            scene=scene,
            seed=game_seed,
            text=truth.objective,
            optimal_steps=len(perfect_plan(truth)),
            max_commands=self._settings.budget,
        )

    def _game(self, seed: int | None, index: int) -> tuple[int, int]:
        """Returns the level and the seed of a game."""
        number, turn = divmod(index, len(self._levels))
        level = self._levels[turn]
        return level, inferred_seed(level, number) if seed is None else fresh_seed(seed, level, number)


def inferred_seed(level: int, number: int) -> int:
    """Returns the seed of a level's game, number 0 to 7. Raises ConfigurationError for any other number."""
    if not 0 <= number < _INFERRED_GAMES:
        raise ConfigurationError(
            f"without a seed there are {_INFERRED_GAMES} games of each level; give --seed for others"
        )
    return _INFERRED_STEPS[level] * (number + 1)


def fresh_seed(seed: int, level: int, number: int) -> int:
    """Returns the seed of a level's game for a seed of the suite: 1 000 000 + 400 seed + 4 number + level - 1, `number`
    from 0 to 99. Seeds are distinct, and differ from those of the inferred games. Raises ConfigurationError."""
    if not 0 <= seed < _SEEDS:
        raise ConfigurationError(f"the suite's seed must be from 0 to {_SEEDS - 1}, got {seed}")
    if not 0 <= number < _FRESH_GAMES:
        raise ConfigurationError(f"a seed has {_FRESH_GAMES} games of each level; take another seed for more")
    return _FIRST_FRESH + len(LEVELS) * (_FRESH_GAMES * seed + number) + level - 1
