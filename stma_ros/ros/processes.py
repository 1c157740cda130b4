"""Starts the nodes of a bring-up description where `launch` is not installed, and ends all of them."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import yaml

from stma_ros.agents.node_spec import RECORDER, NodeSpec
from stma_ros.ros.process_end import AGAIN
from stma_ros.ros.spin import SHOW_THREADS
from stma_ros.types.errors import ErrorCode, StmaError

_GRACE = 3.25  # from the request to end to the kill [s]
_RECORDER_GRACE = 4.0  # the same for the recorder, which is asked after the others have ended [s]
_LOG_DELAY = 0.2  # time for a node to log the stacks of its threads [s]
_POLL = 0.02  # [s]
_PR_SET_PDEATHSIG = 1
_LOG_TAIL = 15  # lines


class ProcessEndedError(StmaError):
    """A node's process ended while the node was needed."""

    code = ErrorCode.NODE_DIED


class NodeProcesses:
    """One process per node, each with its log in a folder. Leaving the context ends them all.

    The processes also end when the thread that starts them ends, or when this process is killed. A node that respawns
    is started again, once, when it has ended by itself, and its end is reported to the graph.
    """

    def __init__(
        self, specs: Sequence[NodeSpec], logs: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        self._logs = logs
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._variables = {**os.environ, **(environment or {}), "PYTHONUNBUFFERED": "1"}
        self._respawning = {spec.name: spec for spec in specs if spec.respawns}
        self._over = threading.Event()
        logs.mkdir(parents=True, exist_ok=True)
        try:
            for spec in specs:
                self._processes[spec.name] = self._start(spec)
        except BaseException:
            self.end()
            raise
        if self._respawning:
            threading.Thread(target=self._respawn, name="respawner", daemon=True).start()

    def pid(self, name: str) -> int:
        return self._processes[name].pid

    @property
    def pids(self) -> tuple[int, ...]:
        return tuple(process.pid for process in self._processes.values())

    def ended(self) -> dict[str, int]:
        """Returns the exit status of every node that has ended."""
        return {
            name: process.returncode
            for name, process in self._processes.items()
            if process.poll() is not None
        }

    def _respawn(self) -> None:
        """Starts nodes again that respawn and have ended, until all are to end.

        The thread lives as long as these nodes, which would end with it.
        """
        while not self._over.wait(_POLL):
            for name in tuple(self._respawning):
                status = self._processes[name].poll()
                spec = self._respawning.pop(name, None) if status is not None else None
                if spec is not None and status is not None:
                    self._processes[name] = self._start(spec, again=True)
                    self._report(spec, status)

    def check(self) -> None:
        """Raises ProcessEndedError, with the end of the node's log, where a node has ended."""
        for name, status in self.ended().items():
            raise ProcessEndedError(
                f"{name} ended with status {status}; its log {self.log(name)} ends with:\n{self.last_output(name)}"
            )

    def log(self, name: str) -> Path:
        return self._logs / f"{name}.log"

    def last_output(self, name: str) -> str:
        """Returns the end of a node's log."""
        return "\n".join(self.log(name).read_text(errors="replace").splitlines()[-_LOG_TAIL:])

    def end(self) -> None:
        """Asks all nodes to end, and kills those that have not ended within five seconds, which their logs then state.
        The recorder ends last, so that it records the others to their end."""
        begun = time.monotonic()
        self._respawning.clear()
        self._end([name for name in self._processes if name != RECORDER], begun + _GRACE)
        self._end([name for name in self._processes if name == RECORDER], begun + _RECORDER_GRACE)
        self._over.set()

    def _end(self, names: Collection[str], deadline: float) -> None:
        self._signal(names, signal.SIGTERM)
        while self._running(names) and time.monotonic() < deadline:
            time.sleep(_POLL)
        late = self._running(names)
        if late:
            self._signal(late, SHOW_THREADS)
            time.sleep(_LOG_DELAY)
        self._signal(late, signal.SIGKILL)
        for name in late:
            with self.log(name).open("a") as log:
                log.write("killed: it did not end when it was asked to\n")
        for name in names:
            self._processes[name].wait()

    def _running(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if self._processes[name].poll() is None]

    def __enter__(self) -> NodeProcesses:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def _report(self, spec: NodeSpec, status: int) -> None:
        """Reports the end of a node in a process of its own, which finds the graph in its own time."""
        command = [
            sys.executable,
            "-m",
            "stma_ros.ros.process_end",
            spec.namespace,
            spec.name,
            str(status),
            AGAIN,
        ]
        with self.log(spec.name).open("ab") as log:
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self._variables)

    def _start(self, spec: NodeSpec, *, again: bool = False) -> subprocess.Popen[bytes]:
        with self.log(spec.name).open("ab" if again else "wb") as log:
            return subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    f"stma_ros.nodes.{spec.executable}",
                    *spec.arguments,
                    *ros_arguments(spec, self._logs),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._variables,
                start_new_session=True,  # Ctrl-C reaches this process only, which ends the nodes in order
                preexec_fn=_end_with_parent,
            )

    def _signal(self, names: Iterable[str], number: signal.Signals) -> None:
        for name in self._running(names):
            os.killpg(self._processes[name].pid, number)


def ros_arguments(spec: NodeSpec, folder: Path) -> list[str]:
    """Returns the command line arguments of a node. Its parameters are in a file, as with `ros2 launch`."""
    file = folder / f"{spec.name}.yaml"
    file.write_text(yaml.safe_dump({"/**": {"ros__parameters": dict(spec.parameters)}}))
    arguments = ["--ros-args", "-r", f"__node:={spec.name}", "--params-file", str(file)]
    if spec.namespace.strip("/"):
        arguments += ["-r", f"__ns:=/{spec.namespace.strip('/')}"]
    if spec.log_level:
        arguments += ["--log-level", spec.log_level]
    for source, target in spec.remappings:
        arguments += ["-r", f"{source}:={target}"]
    return arguments


def _end_with_parent() -> None:
    """Runs in the child: the kernel ends it when its parent dies in any way."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
