"""Activities that people wrote as a world: commands go in, what is seen of the home comes out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ConfigurationError, ErrorCode, StorageError, WorldError
from stma_ros.types.planning import SkillRequest
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.types.settings import check_config, suggest
from stma_ros.worlds.programs.activity_folder import ActivityFolder
from stma_ros.worlds.programs.config import ProgramsConfig
from stma_ros.worlds.programs.episode import Episode, begin
from stma_ros.worlds.programs.truth import ground_truth
from stma_ros.worlds.text_turn import COMMAND_TIME, command_skill, end_turn, refusal


class ProgramsWorld:
    """A World of people's activities on VirtualHome's scene graphs.

    The agent receives what it sees, in names of this episode. No episode ends here, as the world reads no final graph:
    the agent has to say itself that a task is done. The clock continues over resets, so that memories of an earlier
    attempt are older than the messages of the next one.
    """

    skills = (command_skill("Do one of the admissible commands in the home."),)

    def __init__(self, config: ProgramsConfig) -> None:
        """Raises ConfigurationError for a folder without activities."""
        self._config = check_config(config)
        self._activities = ActivityFolder(Path(config.folder)) if config.folder else None
        self._scene = ""
        self._episode: Episode | None = None
        self._now = 0  # [ns]

    def reset(self, scene: str, seed: int) -> str:
        """Implements World.reset. The scenes are the names of activities; empty = the last one, at first the first of
        the folder."""
        activities = self._activities
        if activities is None:
            raise ConfigurationError(
                "the world programs needs activities: name their folder, --set world.folder=DIR"
            )
        scene = scene or self._scene or activities.names[0]
        if scene not in activities.names:
            raise ConfigurationError(f"there is no activity {scene!r}. {suggest(scene, activities.names)}")
        try:
            self._episode = begin(activities, scene, seed, moved=self._config.moved)
        except StorageError as error:
            raise ConfigurationError(f"the activity {scene} cannot be played: {error}") from error
        self._scene = scene
        self._now += COMMAND_TIME
        return scene

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        episode = self._playing()
        begun = self._now
        observing = request.action.skill == words.SKILL_OBSERVE
        error = Error() if observing else self._execute(episode, request, cancel)
        look = episode.look()
        seen = Observation(
            feedback=error.text,
            description=look.description,
            inventory=look.inventory,
            admissible_commands=look.commands,
            episode=EpisodeState.UNJUDGED,
        )
        yield from end_turn(request, error, begun, self._now, ground_truth(episode.graph, self._scene), seen)

    def close(self) -> None:
        self._episode = None

    def _playing(self) -> Episode:
        if self._episode is None:
            raise WorldError(
                "no activity was started yet: reset the world first, with the name of an activity or an empty one"
            )
        return self._episode

    def _execute(self, episode: Episode, request: SkillRequest, cancel: CancelToken) -> Error:
        error = refusal(request, cancel, "a home of people's activities")
        if error:
            return error
        if len(request.action.arguments) != 1:
            return Error(ErrorCode.ACTION_NOT_ALLOWED, f"{str(request.action)!r} is no single command")
        error = episode.execute(request.action.arguments[0])
        if error.code != ErrorCode.ACTION_NOT_ALLOWED:
            self._now += COMMAND_TIME
        return error
