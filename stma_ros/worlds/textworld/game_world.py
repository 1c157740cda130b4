"""A text game as a world: commands go in, the game's replies come out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode, WorldError
from stma_ros.types.planning import SkillRequest
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.text_turn import COMMAND_TIME, command_skill, end_turn, refusal
from stma_ros.worlds.textworld.config import TextWorldConfig
from stma_ros.worlds.textworld.games import TRUTH_SUFFIX, game_file, games_folder, textworld
from stma_ros.worlds.textworld.story_file import check_story

_FIRST_SCENE = "level_1"
_STATUS_LINE = re.compile(r"\n*>\s*(?:-=.*=-)?\s*-?\d*(?:/\d+)?\s*\Z")
"""Matches the prompt and the status bar at the foot of a game's screen, with room and score, which the agent must not
see."""
_FINAL_SCORE = re.compile(r"\s*You scored -?\d+ out of a possible .*\Z", re.DOTALL)
"""Matches the closing text, with a menu of commands that are not admissible."""


class GameWorld:
    """A World of text games.

    The agent receives the text of a player: feedback, description, inventory, and the admissible commands; only the
    scorer receives the score. The clock continues over resets, so that memories of an earlier attempt are older than
    the messages of the next one.
    """

    skills = (command_skill("Say one of the admissible commands to the game."),)

    def __init__(self, config: TextWorldConfig) -> None:
        """Raises MissingDependencyError."""
        self._engine = textworld()
        self._folder = games_folder(config.games)
        self._game: Any = None
        self._state: Any = None
        self._scene = ""
        self._over = False
        self._now = 0  # [ns]

    def reset(self, scene: str, seed: int) -> str:
        """Implements World.reset. The scenes are those of `games.game_file`; empty = the last scene, at first
        _FIRST_SCENE."""
        scene = scene or self._scene or _FIRST_SCENE
        path = game_file(scene, seed, self._folder)
        check_story(path)
        infos = self._engine.EnvInfos(
            feedback=True,
            description=True,
            inventory=True,
            admissible_commands=True,
            objective=True,
            score=True,
            max_score=True,
            won=True,
        )
        self.close()
        try:
            self._game = self._engine.start(str(path), infos)
            self._state = self._game.reset()
        except Exception as error:  # the engine raises exceptions of any type
            self.close()
            raise WorldError(
                f"the game {path} cannot be played: {error}; have it made again, with its {TRUTH_SUFFIX} file"
            ) from error
        self._scene, self._over = scene, False
        self._now += COMMAND_TIME
        return scene

    @property
    def objective(self) -> str:
        """Returns the objective that the game states."""
        return str(self._playing().objective).strip()

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        state = self._playing()
        begun = self._now
        error, feedback = Error(), ""
        if request.action.skill != words.SKILL_OBSERVE:
            error = self._refusal(request, cancel)
            if not error:
                state = self._say(request.action.arguments[0])
                feedback = _FINAL_SCORE.sub("", _STATUS_LINE.sub("", state.feedback)).strip()
        truth = GroundTruth(scene=self._scene, score=state.score, max_score=state.max_score)
        seen = Observation(
            feedback=feedback,
            description=state.description.strip(),
            inventory=state.inventory.strip(),
            admissible_commands=tuple(state.admissible_commands) if not self._over else (),
            episode=self._episode(state),
        )
        yield from end_turn(request, error, begun, self._now, truth, seen)

    def close(self) -> None:
        game, self._game, self._state = self._game, None, None
        if game is not None:
            game.close()

    def _playing(self) -> Any:
        if self._state is None:
            raise WorldError(
                f"no game was started yet: reset the world first, with a scene such as {_FIRST_SCENE!r}"
            )
        return self._state

    def _refusal(self, request: SkillRequest, cancel: CancelToken) -> Error:
        action = request.action
        error = refusal(request, cancel, "a text game")
        if error:
            return error
        if (
            len(action.arguments) != 1
            or action.arguments[0] not in self._state.admissible_commands
            or self._over
        ):
            return Error(ErrorCode.ACTION_NOT_ALLOWED, f"the game does not admit {str(action)!r} now")
        return Error()

    def _say(self, command: str) -> Any:
        try:
            self._state, _, self._over = self._game.step(command)
        except Exception as error:  # as above
            raise WorldError(f"the game failed at {command!r}: {error}") from error
        self._now += COMMAND_TIME
        return self._state

    def _episode(self, state: Any) -> EpisodeState:
        if not self._over:
            return EpisodeState.RUNNING
        return EpisodeState.WON if state.won else EpisodeState.LOST
