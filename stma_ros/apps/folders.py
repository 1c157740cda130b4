"""The folders of runs and results."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryFile

from stma_ros.storage.files import is_stream
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import ConfigurationError, StorageError

RUNS = Path("runs")


def output_folder(out: Path | None, name: str) -> RunFolder:
    """Returns the folder `out`, or else the first of runs/<name>-1, runs/<name>-2, ... that does not exist yet.

    Raises:
        StorageError: the folder is not empty, or cannot be made.
    """
    return RunFolder.create(_next_folder(name) if out is None else out)


def make_folder(option: str, path: Path) -> None:
    """Makes the folder of an option where it is not there yet. Raises ConfigurationError where that is not possible."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(
            f"{path} cannot be a folder ({error.strerror}); name another one with {option}"
        ) from error


def check_output(option: str, path: Path | None) -> None:
    """Raises ConfigurationError, before anything runs, where the file of an option cannot be written."""
    if path is None or is_stream(path):
        return
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise ConfigurationError(f"{option}: there is no folder {folder} for {path.name}; make it first")
    if path.is_dir():
        raise ConfigurationError(f"{option}: {path} is a folder; name a file in it")
    try:
        TemporaryFile(dir=folder).close()
    except OSError as error:
        raise ConfigurationError(
            f"{option}: nothing can be written to {folder} ({error.strerror}); name a file elsewhere"
        ) from error


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
