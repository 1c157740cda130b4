"""Files with reserved disk space, so that their end can be written even if the disk is full."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import IO


class Reserve:
    """Reserved space on a folder's disk, in an unnamed file that is freed at the end of the process."""

    def __init__(self, folder: Path, size: int) -> None:
        """Reserves `size` bytes.

        Raises:
            OSError: The disk does not have as much space.
        """
        self._file: IO[bytes] | None = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by release
        try:
            os.posix_fallocate(self._file.fileno(), 0, size)
        except OSError:
            self.release()
            raise

    def release(self) -> bool:
        """Frees the space; returns whether it was still reserved."""
        file, self._file = self._file, None
        if file is None:
            return False
        file.close()
        return True


class ReservedFile:
    """A new file to which each piece of data is written completely or not at all.

    If the disk is full, the reserve is released to write the piece, and `failure` is set: the writer should then close
    the file.

    Attributes:
        failure: The error of the full disk; None before.
    """

    def __init__(self, path: Path, reserve: Reserve) -> None:
        """Creates the file.

        Raises:
            OSError: The file cannot be created; FileExistsError if it exists.
        """
        self._file = path.open("xb", buffering=0)
        self._reserve = reserve
        self._size = 0
        self.failure: OSError | None = None

    def write(self, data: bytes) -> int:
        """Writes data.

        Raises:
            OSError: The reserve is used up as well; the file then ends with the data of earlier calls.
        """
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
        """Does nothing: the file is not buffered."""

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
