"""Starts the engine's process, reports how it ended, and cleans up after it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.engine.host import SIMULATOR
from stma_ros.worlds.habitat.engine_log import EngineLog

UNFIT = 65
"""Exit status of an interpreter that cannot run the engine; the last line of its output names the reason."""

_FOLDER = Path(__file__).parent / "engine"
_NAME = "stma_habitat_engine"  # name of the package `engine` in that process
_GRACE = 5.0  # time from the closing of its socket to its end [s]

# Any Python has to understand this. The package is loaded from its folder, by name: the folder above holds modules
# of ours, which must not be found in place of others of the same name.
_BOOTSTRAP = f"""
import sys
def unfit(why):
    sys.stderr.write("\\n" + sys.executable + " cannot run the engine: " + why + "\\n")
    sys.stderr.flush()
    sys.exit({UNFIT})
name, folder, connection, memory, parent, factory = sys.argv[1:]
if sys.version_info < (3, 9):
    unfit("it is Python %d.%d, and 3.9 or newer is needed" % sys.version_info[:2])
if sys.path[0] == "":
    del sys.path[0]
try:
    import numpy
except ImportError as error:
    unfit("numpy is not installed for it (%s)" % error)
import importlib, importlib.util
spec = importlib.util.spec_from_file_location(name, folder + "/__init__.py", submodule_search_locations=[folder])
package = importlib.util.module_from_spec(spec)
sys.modules[name] = package
spec.loader.exec_module(package)
importlib.import_module(name + ".host").main(int(connection), int(memory), int(parent), factory)
"""


@dataclass(frozen=True)
class ProcessSettings:
    """How the engine's process is run.

    Attributes:
        python: path of the interpreter that has habitat-sim; empty = the one that runs this process.
        load_deadline: deadline for its start, for loading a scene, and for making a navmesh [s].
        deadline: deadline for every other request [s].
        log: file to which its output is appended; None = only the last lines are available, for errors.
        factory: "module:name" of the engine's factory in that process.
    """

    python: str = ""
    load_deadline: float = 300.0
    deadline: float = 60.0
    log: Path | None = None
    factory: str = SIMULATOR


class EngineChild:
    """A running process, one end of a socket to it, and the memory that it shares with this process.

    It ends when the thread that started it ends, and when the socket is closed.
    """

    def __init__(self, settings: ProcessSettings, connection: socket.socket, memory: int) -> None:
        """Raises ConfigurationError when the interpreter cannot be started."""
        self.python = settings.python or sys.executable
        self._log = EngineLog(settings.log)
        descriptors = (connection.fileno(), memory)
        arguments = [_NAME, str(_FOLDER), *map(str, descriptors), str(os.getpid()), settings.factory]
        try:
            self._process = subprocess.Popen(
                [self.python, "-c", _BOOTSTRAP, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=self._log.fileno(),
                stderr=subprocess.STDOUT,
                pass_fds=descriptors,
                start_new_session=True,  # Ctrl-C reaches this process only, which ends the child in order
                env={"MAGNUM_LOG": "quiet", **os.environ, "PYTHONUNBUFFERED": "1"},
            )
        except OSError as error:
            self._log.close()
            raise ConfigurationError(
                f"the interpreter for Habitat, {self.python}, cannot be started: {error.strerror}. Give the path of a "
                "Python that has habitat_sim"
            ) from None

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_status(self) -> int | None:
        """The exit status; None while the process runs, negative = the signal that killed it."""
        return self._process.poll()

    @property
    def last_output(self) -> str:
        """Returns the last lines of its output."""
        return self._log.last_output()

    @property
    def ending(self) -> str:
        """Describes how it ended. Waits briefly for a process that has only just closed its socket."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        status = self.exit_status
        if status is None:
            return "it has closed its connection"
        if status >= 0:
            return f"it ended with exit status {status}"
        name = signal.Signals(-status).name if -status in set(signal.Signals) else ""
        why = ", as the system does when memory runs out" if -status == signal.SIGKILL else ""
        return f"it was killed by signal {-status} ({name}){why}"

    def end(self, grace: float) -> None:
        """Ends the process and all that it has started, within `grace` [s]. May be called twice."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(grace)
        if self._process.returncode is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._log.close()
