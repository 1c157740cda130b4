"""Runs the interpreter in a process of its own: its death does not end this one."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from stma_ros.types.errors import MissingDependencyError, WorldError

# The process finds modules where this one does, whatever its folder and environment.
_BOOTSTRAP = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from stma_ros.worlds.jericho.interpreter_process import main; main()"
)
_GRACE = 5.0  # time that the process has to end by itself [s]
_LAST_WORDS = 300  # characters of its output in an error


def require_jericho() -> None:
    """Raises MissingDependencyError where the interpreter is not installed. It is not loaded into this process."""
    if find_spec("jericho") is None:
        raise MissingDependencyError(
            "text adventures need jericho: pip install 'stma_ros[adventure]', in a checkout `make adventure`"
        )


@dataclass(frozen=True)
class Trial:
    """Replies to commands that were said to a copy of the state. has_quit: whether they ended the story there."""

    texts: tuple[str, ...]
    has_quit: bool


@dataclass(frozen=True)
class Turn:
    """A reply of the story, and what the interpreter knows after it.

    Attributes:
        text: The reply, with status line and prompt.
        has_quit: Whether the story has ended itself.
        trials: Replies to the commands that were tried, in their order; empty when the story has ended.
        status: What is known beyond the text: `room_number`, `room`, `score`, `max_score`, `won`, `lost`; unknown
            values are missing.
    """

    text: str
    has_quit: bool = False
    trials: tuple[Trial, ...] = ()
    status: Mapping[str, Any] = field(default_factory=dict)


class Interpreter:
    """A process that plays stories, one after the other."""

    def __init__(self, deadline: float, trials: Sequence[Sequence[str]]) -> None:
        """
        Args:
            deadline: Computing time for a command [s].
            trials: Lists of commands that are tried after each command, on a copy of the state.
        """
        self._common = {"deadline": deadline, "trials": [list(commands) for commands in trials]}
        self._story = ""
        self._stories = 0
        self._folder = tempfile.TemporaryDirectory(prefix="stma_jericho_")
        self._errors = (Path(self._folder.name) / "errors").open("wb+")
        modules = json.dumps([str(Path(entry).resolve()) for entry in sys.path])
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BOOTSTRAP, modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,  # Ctrl-C reaches this process only, which ends the child in order
        )

    def begin(self, story: bytes, name: str, seed: int) -> Turn:
        """Begins a story, and returns its opening.

        Args:
            story: Content of the story file.
            name: Its name, for errors.
            seed: Seed of the story's random numbers, above 0.

        Raises:
            WorldError: The process has ended, or the story makes it end.
        """
        self._story = name
        self._stories += 1
        # One folder for each story, as `save` writes a file there and `restore` reads it. The file's name is always the
        # same because jericho draws conclusions from it.
        folder = Path(self._folder.name) / f"story_{self._stories}"
        folder.mkdir()
        shutil.rmtree(folder.with_name(f"story_{self._stories - 1}"), ignore_errors=True)
        file = folder / "story.z"
        file.write_bytes(story)
        return self._ask({"story": str(file), "seed": seed}, "in its opening")

    def say(self, command: str) -> Turn:
        """Says a command to the story, and returns its reply. Raises WorldError as `begin`."""
        return self._ask({"command": command}, f"at {command!r}")

    def close(self) -> None:
        """Ends the process. May be called twice."""
        process = self._process
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # the process has ended with a request unread
                    pipe.close()
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._errors.close()
        self._folder.cleanup()

    def _ask(self, request: Mapping[str, Any], when: str) -> Turn:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        line = json.dumps({**self._common, **request}) + "\n"
        try:
            self._process.stdin.write(line.encode())
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer.endswith(b"\n"):
            raise WorldError(f"the interpreter of the story {self._story!r} {self._ending()} {when}")
        turn = json.loads(answer)
        if turn["has_halted"] and not turn["has_quit"]:
            raise WorldError(
                f"the story {self._story!r} did something that the z-machine does not allow {when}: its file may be "
                "damaged"
            )
        trials = tuple(Trial(tuple(trial["texts"]), trial["has_quit"]) for trial in turn["trials"])
        return Turn(turn["text"], turn["has_quit"], trials, turn["status"])

    def _ending(self) -> str:
        """Describes how the process ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        status = self._process.poll()
        if status == -signal.SIGPROF:
            return f"did not finish within {self._common['deadline']:g} s of computing time"
        self._errors.seek(0)
        words = self._errors.read().decode(errors="replace").strip()[-_LAST_WORDS:]
        said = f" ({words})" if words else ""
        if status is not None and status < 0:
            return f"was ended by {signal.Signals(-status).name}{said}"
        return f"ended with exit status {status}{said}"
