"""A file with reserved disk space, so that its end can be written even on a full disk."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import IO


class Reserve:
    """Reserved space on a folder's disk. It has no name, and is freed with the process."""

    def __init__(self, folder: Path, size: int) -> None:
        """`size` [bytes]. Raises OSError where there is not as much."""
        self._file: IO[bytes] | None = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - held on purpose
        try:
            os.posix_fallocate(self._file.fileno(), 0, size)
        except OSError:
            self.release()
            raise

    def release(self) -> bool:
        """Frees the reserve; returns whether there was any."""
        file, self._file = self._file, None
        if file is None:
            return False
        file.close()
        return True


class ReservedFile:
    """A new file that takes each piece of data whole or not at all.

    A full disk is met with the reserve: the piece is written, and `failure` says from then on that it is time to stop.
    """

    def __init__(self, path: Path, reserve: Reserve) -> None:
        """Raises OSError, FileExistsError among them."""
        self._file = path.open("xb", buffering=0)
        self._reserve = reserve
        self._size = 0
        self.failure: OSError | None = None

    def write(self, data: bytes) -> int:
        """Raises OSError where the reserve is used up, too; the file then ends with what was written before."""
        try:
            self._append(data)
        except OSError as error:
            if not self._reserve.release():
                raise
            self.failure = error
            self._append(data)
        return len(data)

    def tell(self) -> int:
        return self._size

    def flush(self) -> None:
        """What was written is with the operating system already."""

    def close(self) -> None:
        self._file.close()

    def _append(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            self._file.truncate(self._size)
            self._file.seek(self._size)
            raise
        self._size += len(data)
