"""A planning task as a world: commands go in, sentences about the state come out."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode, WorldError
from stma_ros.types.planning import SkillRequest
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.types.settings import check_config
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.pddl.config import PddlConfig
from stma_ros.worlds.pddl.episode import Episode, Reply
from stma_ros.worlds.pddl.loaded_task import load_task
from stma_ros.worlds.pddl.problem_files import FIRST_SCENE
from stma_ros.worlds.pddl.reader import unified_planning
from stma_ros.worlds.text_turn import COMMAND_TIME, command_skill, end_turn, refusal


class PddlWorld:
    """A World of planning tasks in PDDL.

    The agent receives the whole action model, and sentences about what is visible; only the scorer receives the score.
    Commands are the instances of the model's actions with objects of the right types, "check valid actions", and "look
    around" unless the configuration excludes it. An instance whose preconditions do not hold is a step without an
    effect. The clock continues over resets, so that memories of an earlier attempt are older than the messages of the
    next one.
    """

    skills = (command_skill("Do one of the actions of the planning task."),)

    def __init__(self, config: PddlConfig) -> None:
        """Raises ConfigurationError and MissingDependencyError."""
        self._config = check_config(config)
        unified_planning()
        self._scene = ""
        self._episode: Episode | None = None
        self._now = 0  # [ns]

    def reset(self, scene: str, seed: int) -> str:
        """Implements World.reset. The scenes are those of `problem_files.task_files`; empty = the last scene, at first
        FIRST_SCENE."""
        scene = scene or self._scene or FIRST_SCENE
        self._episode = Episode(load_task(scene, seed), self._config)
        self._scene = scene
        self._now += COMMAND_TIME
        return scene

    @property
    def objective(self) -> str:
        """The task as a text. Raises WorldError before the first reset."""
        return self._playing().task.objective

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        episode = self._playing()
        begun = self._now
        observing = request.action.skill == words.SKILL_OBSERVE
        reply = episode.look() if observing else self._reply(episode, request, cancel)
        truth = GroundTruth(scene=self._scene, score=episode.score, max_score=episode.max_score)
        seen = Observation(
            feedback=reply.feedback,
            description=reply.description,
            admissible_commands=episode.fixed_commands,
            action_model=episode.task.planning.model,
            episode=EpisodeState.WON if episode.won else EpisodeState.RUNNING,
        )
        yield from end_turn(request, reply.error, begun, self._now, truth, seen)

    def close(self) -> None:
        self._episode = None

    def _playing(self) -> Episode:
        if self._episode is None:
            raise WorldError(
                f"no task was started yet: reset the world first, with a scene such as {FIRST_SCENE!r}"
            )
        return self._episode

    def _reply(self, episode: Episode, request: SkillRequest, cancel: CancelToken) -> Reply:
        action = request.action
        error = refusal(request, cancel, "a planning task")
        if error:
            return episode.refuse(error)
        reply = episode.execute(action.arguments[0]) if len(action.arguments) == 1 else None
        if reply is None:
            return episode.refuse(
                Error(ErrorCode.ACTION_NOT_ALLOWED, f"{str(action)!r} is none of the task's commands now")
            )
        self._now += COMMAND_TIME
        return reply
