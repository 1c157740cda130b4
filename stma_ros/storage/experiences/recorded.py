"""The experiences with which a recorded run began, which a replay of the run needs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from stma_ros.types.errors import StorageError

RECORDED_EXPERIENCES = "experiences.db"
"""Copy of the store in the folder of a run."""


def record_experiences(store: str, run: Path) -> None:
    """Copies a store into the folder of a run, in one state of it, whoever writes to it meanwhile.

    Args:
        store: File of the experiences; "" or a file that does not exist = there are none yet.
        run: Folder of the run.

    Raises:
        StorageError: The store cannot be copied.
    """
    if not store or not Path(store).is_file():
        return
    try:
        run.mkdir(parents=True, exist_ok=True)
        with (
            closing(sqlite3.connect(store)) as source,
            closing(sqlite3.connect(run / RECORDED_EXPERIENCES)) as copy,
        ):
            source.backup(copy)
    except (OSError, sqlite3.Error) as error:
        raise StorageError(
            f"the experiences in {store} cannot be recorded in {run} ({error}): make room, record elsewhere, or name "
            "another store"
        ) from error
