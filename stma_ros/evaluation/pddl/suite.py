"""The suite `pddl`: planning tasks, generated in four domains or from other people's files (HiAgent, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from stma_ros.evaluation.causes import cause_of, reason_of
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.history_length import (
    CONTEXT_TOKENS,
    HISTORY_SHARE,
    HISTORY_TOKENS,
    history_measures,
)
from stma_ros.evaluation.paired_tests import STEPS
from stma_ros.evaluation.pddl.problem_folders import problems_in
from stma_ros.evaluation.pddl.reference_plan import best_known_length
from stma_ros.evaluation.suite import Defaults, EpisodeFields, Failure, Score
from stma_ros.evaluation.tokenizing import UNITS, WORDS
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import Result, TaskResult, TaskStatus
from stma_ros.types.settings import setting
from stma_ros.worlds.pddl.config import BY_DOMAIN, EFFECTS, FULL

PROGRESS_RATE: Final = "progress_rate"
"""The key of a measure: the largest share of the goal's literals that held at any step [%] (AgentBoard)."""

PROGRESS: Final = "progress"
"""The key of a series: the progress rate after each command [%]."""

EXECUTABILITY: Final = "executability"
"""The key of a share: of all commands, those that had an effect or asked for information [%]."""

EXECUTABLE: Final = "executable"
"""The key of a series: 1 for each command that had an effect or asked for information, else 0."""

_ORDER = ("blocksworld", "gripper", "barman", "tyreworld", "gripper", "barman")
"""Of six tasks in a row: 10, 20, 10 and 20 of 60, as in the paper."""

_PER_SEED = 1000  # problems of one domain for a seed of the suite


@dataclass(frozen=True)
class PddlSettings:
    problems: str = setting("", "folder of problems in PDDL; empty = generated ones")
    budget: int = setting(30, "commands of an episode", low=1)
    budget_factor: float = setting(
        0.0,
        "commands of an episode as a multiple of the best known plan, at least one; 0 = `budget`",
        low=0.0,
    )
    observation: str = setting(
        BY_DOMAIN,
        "what is seen after an action: everything, what changed, or that of both which the domain names (everything in "
        "Blocksworld and Gripper, what changed in Tyreworld and Barman, as in AgentBoard)",
        choices=(FULL, EFFECTS, BY_DOMAIN),
    )
    window: int = setting(
        0, "largest length of the history in prompts, in words and punctuation marks; 0 = unbounded", low=0
    )
    tokens: str = setting(
        WORDS,
        "unit of the lengths of histories: words and punctuation marks, or word pieces of all-MiniLM-L6-v2",
        choices=UNITS,
    )
    reference_effort: int = setting(
        10_000, "states that the search for the best known plan evaluates", low=100
    )


@dataclass(frozen=True)
class PddlEpisode(EpisodeFields):
    """An Episode of the suite."""

    tokens: str = WORDS

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores success: all literals of the goal hold."""
        reached = _running_maximum([truth.score / truth.max_score for truth in trace.truths])
        executable = [float(outcome.result == Result.SUCCEEDED) for outcome in trace.outcomes]
        measures = {PROGRESS_RATE: 100 * reached[-1], **history_measures(trace, self.tokens)}
        series = {PROGRESS: tuple(100 * each for each in reached[1:]), EXECUTABLE: tuple(executable)}
        shares = {EXECUTABILITY: (int(sum(executable)), len(executable))}
        detail = f"{trace.ending.score:g} of {trace.ending.max_score:g} literals"
        if result.status != TaskStatus.SUCCEEDED:
            cause = cause_of(result, may_contradict=True)  # a goal is no English that may be misread
            return Score(cause, f"{reason_of(result)} ({detail})", measures, series, shares)
        done = trace.ending.score == trace.ending.max_score
        return Score(Failure.NONE if done else Failure.NOT_DONE, detail, measures, series, shares)


class Pddl:
    """A Suite, in which the domains alternate."""

    name = "pddl"
    worlds = ("pddl",)
    scene_options = ()
    baseline = "standard"
    compared = (PROGRESS_RATE, STEPS)

    def __init__(self, settings: PddlSettings = PddlSettings()) -> None:
        self._settings = settings

    @property
    def columns(self) -> Mapping[str, str]:
        return {
            PROGRESS_RATE: "PR [%]",
            EXECUTABILITY: "executable [%]",
            HISTORY_TOKENS: "history",
            HISTORY_SHARE: "of plain [%]",
            CONTEXT_TOKENS: "prompt",
        }

    @property
    def defaults(self) -> Defaults:
        return Defaults(seed=0, episodes=len(self._files) or 60)

    @property
    def notes(self) -> tuple[str, ...]:
        solved = [str(path) for group, path in self._found if (group, path) not in self._files]
        return (f"left out, since the goal holds at the begin: {', '.join(solved)}",) if solved else ()

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def world_options(self) -> Mapping[str, Any]:
        return {"observation": self._settings.observation}

    @property
    def component_settings(self) -> Mapping[str, Mapping[str, Any]]:
        return {"temporal_memory": {"window": self._settings.window}} if self._settings.window else {}

    @cached_property
    def _files(self) -> Sequence[tuple[str, Path]]:
        """Group and file of each problem; empty where problems are generated. Problems whose goal holds at the begin
        are left out: nothing is to be done for them."""
        if not self._settings.problems:
            return ()
        files = [(group, path) for group, path in self._found if not _is_solved(path)]
        if not files:
            raise ConfigurationError(
                f"the goals of all problems in {self._settings.problems} hold at the begin"
            )
        return files

    @property
    def _found(self) -> Sequence[tuple[str, Path]]:
        return problems_in(Path(self._settings.problems)) if self._settings.problems else ()

    def check(self, seed: int | None, episodes: int) -> None:
        if self._files and episodes > len(self._files):
            raise ConfigurationError(
                f"{self._settings.problems} has {len(self._files)} problems: give at most that many --episodes"
            )

    def episode(self, seed: int | None, index: int) -> PddlEpisode:
        """Returns an episode. Raises ConfigurationError for a problem that cannot be read."""
        from stma_ros.worlds.pddl.loaded_task import load_task

        group, scene, problem_seed = self._scene(seed or 0, index)
        best = best_known_length(scene, problem_seed, self._settings.reference_effort)
        factor = self._settings.budget_factor
        return PddlEpisode(
            index=index,
            group=group,
            scene=scene,
            seed=problem_seed,
            text=load_task(scene, problem_seed).objective,
            optimal_steps=best,
            max_commands=max(1, round(factor * best)) if factor and best else self._settings.budget,
            tokens=self._settings.tokens,
        )

    def _scene(self, seed: int, index: int) -> tuple[str, str, int]:
        """Returns group, scene and seed of a problem."""
        if self._files:
            group, path = self._files[index]
            return group, str(path), 0
        turn, place = divmod(index, len(_ORDER))
        domain = _ORDER[place]
        number = turn * _ORDER.count(domain) + _ORDER[:place].count(domain)
        return domain, domain, seed * _PER_SEED + number


def _is_solved(problem: Path) -> bool:
    """Whether the goal of a problem holds at the begin. Raises ConfigurationError for one that cannot be read."""
    from stma_ros.worlds.pddl.conditions import State
    from stma_ros.worlds.pddl.loaded_task import load_task

    task = load_task(str(problem), 0)
    return task.goals_reached(State(task.planning.atoms)) == len(task.planning.goal)


def _running_maximum(values: Sequence[float]) -> list[float]:
    best, reached = 0.0, []
    for value in values:
        best = max(best, value)
        reached.append(best)
    return reached
