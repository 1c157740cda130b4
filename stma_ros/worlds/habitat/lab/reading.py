"""Runs the reader of habitat-lab's data sets under the interpreter that has habitat-lab."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.config import PYTHON_VARIABLE
from stma_ros.worlds.habitat.lab.document import episodes_of
from stma_ros.worlds.habitat.lab.episodes import LabSet

DEADLINE = 600.0
"""Deadline for reading a data set: the largest have some hundred megabytes [s]."""

_READER = Path(__file__).parent / "reader.py"
_LAST_LINES = 5


def read_episodes(path: Path, python: str = "", deadline: float = DEADLINE) -> LabSet:
    """Reads the episodes in a *.json.gz of habitat-lab, and in the folder `content` next to it. Results are cached.

    Args:
        path: the file.
        python: the interpreter that has habitat-lab; empty = the one that has habitat-sim (config.PYTHON_VARIABLE).
        deadline: [s].

    Raises:
        ConfigurationError: the file or the interpreter does not exist, the interpreter has no habitat-lab, or the data
            set is of an unknown kind or holds invalid values.
    """
    if not path.is_file():
        raise ConfigurationError(f"there is no data set of episodes {path}: give the path of its *.json.gz")
    return _read(path.absolute(), path.stat().st_mtime_ns, python or _usual_python(), deadline)


def _usual_python() -> str:
    return os.environ.get(PYTHON_VARIABLE) or sys.executable


@lru_cache(maxsize=4)
def _read(path: Path, written: int, python: str, deadline: float) -> LabSet:
    """Reads the data set. written: modification time of the file, which distinguishes cached results [ns]."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "episodes.json"
        try:
            done = subprocess.run(
                [python, str(_READER), str(path), str(output)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=deadline,
                env={"MAGNUM_LOG": "quiet", "HABITAT_SIM_LOG": "quiet", **os.environ},
            )
        except OSError as error:
            raise ConfigurationError(
                f"the interpreter for habitat-lab, {python}, cannot be started: {error.strerror}. Give the path of a "
                "Python that has habitat-lab"
            ) from None
        except subprocess.TimeoutExpired:
            raise ConfigurationError(
                f"{python} did not read {path} within {deadline:g} s and was ended: give a smaller data set"
            ) from None
        if not output.is_file():
            words = "\n".join(done.stdout.decode(errors="replace").splitlines()[-_LAST_LINES:])
            raise ConfigurationError(
                f"{python} ended with exit status {done.returncode} when it read {path}. Name a Python of 3.9 or newer "
                f"that has habitat-lab. The last that it said:\n{words}"
            )
        text = output.read_bytes()
    return episodes_of(text, path)
