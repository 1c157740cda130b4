"""The folders of runs and results."""

from __future__ import annotations

from pathlib import Path

from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import ConfigurationError, StorageError

RUNS = Path("runs")


def output_folder(out: Path | None, name: str) -> RunFolder:
    """Returns the folder `out`, or else the first of runs/<name>-1, runs/<name>-2, ... that does not exist yet.

    Raises:
        StorageError: the folder is not empty, or cannot be made.
    """
    return RunFolder.create(_next_folder(name) if out is None else out)


def check_json(path: Path | None) -> None:
    """Raises ConfigurationError, before anything runs, where the file of the option --json cannot be written."""
    if path is not None and not path.absolute().parent.is_dir():
        raise ConfigurationError(f"--json: there is no folder {path.absolute().parent}; make it first")


def _next_folder(name: str) -> Path:
    """Makes the first of runs/<name>-1, runs/<name>-2, ... that does not exist: of commands that start at the same
    time, each makes its own."""
    number = 1
    try:
        RUNS.mkdir(exist_ok=True)
        while True:
            path = RUNS / f"{name}-{number}"
            try:
                path.mkdir()
            except FileExistsError:
                number += 1
            else:
                return path
    except OSError as error:
        raise StorageError(
            f"no folder can be made in {RUNS.absolute()} ({error.strerror}); name one with --out"
        ) from error
