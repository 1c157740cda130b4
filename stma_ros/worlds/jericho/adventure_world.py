"""A text adventure as a world: any text goes in, the story's replies come out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ConfigurationError, ErrorCode, WorldError
from stma_ros.types.planning import SkillRequest
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.jericho.config import JerichoConfig
from stma_ros.worlds.jericho.interpreter import Interpreter, Turn, require_jericho
from stma_ros.worlds.jericho.reading import TRIALS, Reading, read_turn
from stma_ros.worlds.jericho.story_file import GIVE_A_STORY, read_story
from stma_ros.worlds.text_turn import COMMAND_TIME, command_skill, end_turn, refusal

MAX_COMMAND = 100
"""Largest number of characters of a command: stories reserve 120, and the interpreter writes on behind them."""

_SEEDS = 2**31 - 1
_INTERPRETED = "\\/"
"""Characters that no story needs: the interpreter takes a backslash for one of its own commands, some of which never
end, and a command with a slash for a path when a story asks for the name of a file."""


class AdventureWorld:
    """A World of text adventures.

    The agent receives the text of a player, and may say anything. Description and inventory are those of a copy of
    the story (see `reading`), so that they cost no turn; only the scorer receives the score. The clock continues over
    resets, so that memories of an earlier attempt are older than the messages of the next one.
    """

    skills = (command_skill("Say something to the story, such as: north, take lamp, open door with key."),)

    def __init__(self, config: JerichoConfig) -> None:
        """Raises MissingDependencyError."""
        require_jericho()
        self._config = config
        self._interpreter: Interpreter | None = None
        self._scene = ""
        self._reading: Reading | None = None  # None while no story is played
        self._opening = ""  # until the first command
        self._now = 0  # [ns]

    def reset(self, scene: str, seed: int) -> str:
        """Implements World.reset. The scenes are paths of story files; empty = the last one, at first the
        setting `story`."""
        scene = scene or self._scene or self._config.story
        story = read_story(scene)
        if not 0 <= seed < _SEEDS:
            raise ConfigurationError(f"the seed of a story must be from 0 to {_SEEDS - 1}, got {seed}")
        if self._interpreter is None:
            self._interpreter = Interpreter(self._config.deadline, TRIALS)
        interpreter = self._interpreter
        # The interpreter takes 0 for the time of day.
        opening = self._guarded(lambda: interpreter.begin(story, scene, seed or _SEEDS))
        self._reading = read_turn(opening, Reading(""))
        self._opening = self._reading.reply
        self._scene = scene
        self._now += COMMAND_TIME
        return scene

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        reading = self._playing()
        begun = self._now
        error, feedback = Error(), self._opening
        if request.action.skill != words.SKILL_OBSERVE:
            error, feedback = self._refusal(request, cancel), ""
            if not error:
                reading = self._say(request.action.arguments[0])
                feedback = reading.reply
        truth = GroundTruth(
            scene=self._scene, room=reading.room, score=reading.score, max_score=reading.max_score
        )
        seen = Observation(
            feedback=feedback,
            description=reading.description,
            inventory=reading.inventory,
            any_command=reading.episode == EpisodeState.RUNNING,
            episode=reading.episode,
        )
        yield from end_turn(request, error, begun, self._now, truth, seen)

    def close(self) -> None:
        interpreter, self._interpreter, self._reading = self._interpreter, None, None
        if interpreter is not None:
            interpreter.close()

    def _playing(self) -> Reading:
        if self._reading is None:
            raise WorldError(f"no story is played: reset the world first; {GIVE_A_STORY}, as the scene")
        return self._reading

    def _refusal(self, request: SkillRequest, cancel: CancelToken) -> Error:
        error = refusal(request, cancel, "a text adventure")
        if error:
            return error
        fault = _fault_of(request.action.arguments)
        if not fault and self._playing().episode != EpisodeState.RUNNING:
            fault = "the story is over"
        return Error(ErrorCode.ACTION_NOT_ALLOWED, fault) if fault else Error()

    def _say(self, command: str) -> Reading:
        before, interpreter = self._playing(), self._interpreter
        assert interpreter is not None
        self._reading = read_turn(self._guarded(lambda: interpreter.say(command)), before)
        self._opening = ""
        self._now += COMMAND_TIME
        return self._reading

    def _guarded(self, ask: Callable[[], Turn]) -> Turn:
        """Returns the interpreter's answer. After a failure, the interpreter is closed: a late answer must not be taken
        for the answer to another request."""
        try:
            return ask()
        except BaseException:
            self.close()
            raise


def _fault_of(arguments: tuple[str, ...]) -> str:
    """Returns why the arguments of an action are no command; empty if they are one."""
    if len(arguments) != 1 or not arguments[0].strip():
        return "a command is one text that is not empty"
    (command,) = arguments
    if len(command) > MAX_COMMAND:
        return f"the command has {len(command)} characters, and a story reads at most {MAX_COMMAND}"
    if not (command.isascii() and command.isprintable()):
        return "a command is one line of letters, digits and punctuation marks of ASCII"
    if any(character in command for character in _INTERPRETED):
        return f"a command must not contain any of {' '.join(_INTERPRETED)}"
    return ""
