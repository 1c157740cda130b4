"""Writes files atomically."""

from __future__ import annotations

import os
from pathlib import Path

from stma_ros.types.errors import StorageError


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replaces a file atomically.

    Raises:
        StorageError: The file cannot be written; the old one is unchanged.
    """
    draft = path.with_name(path.name + ".tmp")
    try:
        with draft.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())  # otherwise the file could be empty after a power failure
        os.replace(draft, path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written ({error.strerror}); is the disk full?") from error
