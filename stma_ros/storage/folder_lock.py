"""An exclusive lock of a folder, between processes and between objects of one process."""

from __future__ import annotations

import errno
import fcntl
import os
import weakref
from pathlib import Path

_UNSUPPORTED = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EBADF)


class FolderLock:
    """Locks a folder until `release`, or until the end of the object or the process. It creates no file.

    The kernel holds the lock (flock on the folder itself) and releases it when the process ends. On file systems
    without such locks, as some network file systems, locking always succeeds.
    """

    def __init__(self, folder: Path) -> None:
        """Locks the folder.

        Raises:
            BlockingIOError: The folder is locked by another owner.
            OSError: The folder cannot be opened.
        """
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                os.close(descriptor)
                raise
        self._close = weakref.finalize(self, os.close, descriptor)

    def release(self) -> None:
        """Releases the lock; later calls have no effect."""
        self._close()
