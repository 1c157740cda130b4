"""Writes files atomically."""

from __future__ import annotations

import os
from pathlib import Path

from stma_ros.types.errors import StorageError


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replaces the file in one go; raises StorageError and leaves the old one where that is not possible."""
    draft = path.with_name(path.name + ".tmp")
    try:
        with draft.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())  # a power cut must not leave the new name with nothing in it
        os.replace(draft, path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written ({error.strerror}); is the disk full?") from error
