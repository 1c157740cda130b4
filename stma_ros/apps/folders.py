"""The folders of runs and results."""

from __future__ import annotations

from pathlib import Path

from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import ConfigurationError

RUNS = Path("runs")


def output_folder(out: Path | None, name: str) -> RunFolder:
    """Returns the folder `out`, or else the first of runs/<name>-1, runs/<name>-2, ... that does not exist yet.

    Raises:
        StorageError: the folder is not empty, or cannot be made.
    """
    if out is not None:
        return RunFolder.create(out)
    number = 1
    while (path := RUNS / f"{name}-{number}").exists():
        number += 1
    return RunFolder.create(path)


def check_json(path: Path | None) -> None:
    """Raises ConfigurationError, before anything runs, where the file of the option --json cannot be written."""
    if path is not None and not path.absolute().parent.is_dir():
        raise ConfigurationError(f"--json: there is no folder {path.absolute().parent}; make it first")
