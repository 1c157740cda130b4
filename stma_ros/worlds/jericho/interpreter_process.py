"""The process of the interpreter: it plays one story at a time, and answers requests until its input ends.

Requests and answers are lines of JSON. The interpreter is C code that a story can make crash or run forever, and that
writes the files of `save` and `script` into the current folder, so that it has a process and a folder of its own.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import warnings
from pathlib import Path
from typing import Any, TextIO

from jericho import FrotzEnv, UnsupportedGameWarning

_READ_CHARACTER = 246  # the opcode at which the interpreter waits for one key instead of a line
_QUIT = 10  # index of `quit` among the 16 opcodes without operands
_GLOBALS = 0x0C  # place of the address of the global variables in a story's header
_LAST_WITH_STATUS_VARIABLES = 3  # version


class Machine:
    """A copy of the interpreter that runs a story.

    Attributes:
        opening: Text of the story up to its first question.
    """

    def __init__(self, story: str, seed: int) -> None:
        self._env = FrotzEnv(story, seed)
        self._library = self._env.frotz_lib
        self._halted = ctypes.c_int.in_dll(self._library, "emulator_halted")
        self._has_quit = [False]
        self._quit = ctypes.CFUNCTYPE(None)(_quitting(self._library, self._halted, self._has_quit))
        # As it is, the interpreter executes whatever follows `quit` in the story. The callback ends the story instead.
        opcodes = (ctypes.c_void_p * 16).in_dll(self._library, "op0_opcodes")
        opcodes[_QUIT] = ctypes.cast(self._quit, ctypes.c_void_p).value
        self.opening: str = self._env.reset()[0]

    @property
    def has_quit(self) -> bool:
        """Whether the story has ended itself."""
        return self._has_quit[0]

    @property
    def has_halted(self) -> bool:
        """Whether the story has ended itself, or has done something that the z-machine does not allow."""
        return bool(self._halted.value)

    def say(self, command: str) -> str:
        """Returns the reply to a command."""
        if self._library.get_opcode() == _READ_CHARACTER:
            command = command[0]  # the interpreter would take the rest for answers to later questions
        return str(self._env.step(command)[0])

    def become(self, other: Machine) -> None:
        """Takes over the state of another machine with the same story."""
        self._env.set_state(other._env.get_state())

    def status(self) -> dict[str, Any]:
        """Returns what is known beyond the text: `room` (number and name), `score`, `max_score`, `won`, `lost`.

        Unknown values are missing. Only of some stories the interpreter knows all.
        """
        env = self._env
        if env.is_fully_supported:
            room = env.get_player_location()
            place = {} if room is None else {"room_number": room.num, "room": room.name}
            score = {"score": env.get_score(), "max_score": env.get_max_score()}
            return {**place, **score, "won": env.victory(), "lost": env.game_over() and not self.has_halted}
        memory = bytes(env.get_state()[0])
        if memory[0] > _LAST_WITH_STATUS_VARIABLES:
            return {}
        # The first three global variables are what the status line shows: room, score or hour, turns or minute.
        at = int.from_bytes(memory[_GLOBALS : _GLOBALS + 2], "big")
        shows_time = bool(memory[1] & 2)
        score = {} if shows_time else {"score": int.from_bytes(memory[at + 2 : at + 4], "big", signed=True)}
        return {"room_number": int.from_bytes(memory[at : at + 2], "big"), **score}


class Game:
    """A story that is played, and a second machine on which commands are tried without effect on the story."""

    def __init__(self, story: str, seed: int) -> None:
        self._story, self._seed = story, seed
        self._played = Machine(story, seed)
        self._copy = Machine(story, seed)

    def open(self, trials: list[list[str]]) -> dict[str, Any]:
        """Returns the turn with the opening text."""
        return self._turn(self._played.opening, trials)

    def say(self, command: str, trials: list[list[str]]) -> dict[str, Any]:
        """Returns the turn with the reply to a command."""
        return self._turn(self._played.say(command), trials)

    def _turn(self, text: str, trials: list[list[str]]) -> dict[str, Any]:
        halted = self._played.has_halted
        return {
            "text": text,
            "has_quit": self._played.has_quit,
            "has_halted": halted,
            "status": self._played.status(),
            "trials": [] if halted else [self._try(commands) for commands in trials],
        }

    def _try(self, commands: list[str]) -> dict[str, Any]:
        self._copy.become(self._played)
        texts = [self._copy.say(command) for command in commands]
        has_quit = self._copy.has_quit
        if self._copy.has_halted:
            self._copy = Machine(self._story, self._seed)
        return {"texts": texts, "has_quit": has_quit}


def main() -> None:
    """Answers requests: {"story": path, "seed", ...} begins a story, {"command", ...} says something to it.

    Both have "trials", lists of commands that are said one after the other to a copy of the state, and "deadline", the
    computing time after which the process is ended by SIGPROF [s].
    """
    warnings.simplefilter("ignore", UnsupportedGameWarning)
    requests, answers = _take_pipes()
    game: Game | None = None
    for line in requests:
        request = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, request["deadline"])
        if "story" in request:
            os.chdir(Path(request["story"]).parent)
            game = None  # first, as it has files open
            game = Game(request["story"], request["seed"])
            answer = game.open(request["trials"])
        else:
            assert game is not None
            answer = game.say(request["command"], request["trials"])
        signal.setitimer(signal.ITIMER_PROF, 0)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _quitting(library: Any, halted: ctypes.c_int, has_quit: list[bool]) -> Any:
    """Returns what is executed in place of the opcode `quit`. It does not refer to a Machine, which would then not be
    freed when it is dropped."""

    def quit_story() -> None:
        library.flush_buffer()
        has_quit[0] = True
        halted.value = 1

    return quit_story


def _take_pipes() -> tuple[TextIO, TextIO]:
    """Returns streams of requests and answers. The interpreter, which reads and prints by itself, gets others."""
    requests = os.fdopen(os.dup(sys.stdin.fileno()), encoding="utf-8")
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, sys.stdin.fileno())
    os.dup2(nothing, sys.stdout.fileno())
    return requests, answers
