"""Where runs are kept when nobody says where."""

from __future__ import annotations

from pathlib import Path

from stma_ros.storage.run_folder import RunFolder

RUNS = Path("runs")


def output_folder(out: Path | None, name: str) -> RunFolder:
    """The folder `out`, or else the first of runs/<name>-1, runs/<name>-2, ... that does not exist yet.

    Raises StorageError for a folder with something in it, and where none can be made.
    """
    if out is not None:
        return RunFolder.create(out)
    number = 1
    while (path := RUNS / f"{name}-{number}").exists():
        number += 1
    return RunFolder.create(path)
