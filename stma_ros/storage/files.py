"""Writes files atomically."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, ENOSPC
from pathlib import Path

from stma_ros.types.errors import StorageError


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replaces a file atomically, as drafted_file does.

    Raises:
        StorageError: The file cannot be written; the old one is unchanged.
    """
    try:
        with drafted_file(path) as draft, draft.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            if not is_stream(draft):
                os.fsync(file.fileno())  # otherwise the file could be empty after a power failure
    except OSError as error:
        remedy = "free space" if error.errno in (ENOSPC, EDQUOT) else "name another file"
        raise StorageError(f"{path} cannot be written ({error.strerror}); {remedy}") from error


@contextmanager
def drafted_file(path: Path) -> Iterator[Path]:
    """Yields the file to write, which takes the place of `path` as a whole at the end, or is removed after an error.

    The target of a link is replaced, not the link. A device or a pipe, such as /dev/stdout, is yielded itself.

    Raises:
        OSError: The file cannot be written.
    """
    if is_stream(path):
        yield path
        return
    whole = Path(os.path.realpath(path))
    draft = whole.with_name(whole.name + ".tmp")
    try:
        yield draft
        os.replace(draft, whole)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def is_stream(path: Path) -> bool:
    """Returns whether something is there that is written in place: neither a file nor a folder."""
    return path.exists() and not path.is_file() and not path.is_dir()


def text_name(path: Path) -> str:
    """Returns the name of a file or folder as a text that can be written: bytes that are no UTF-8 are replaced."""
    return os.fsencode(path.resolve().name).decode(errors="replace")
