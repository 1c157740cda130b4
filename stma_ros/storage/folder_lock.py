"""One owner at a time for a folder, whatever process or object it is."""

from __future__ import annotations

import errno
import fcntl
import os
import weakref
from pathlib import Path

_UNSUPPORTED = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EBADF)


class FolderLock:
    """Holds a folder until `release`, or until the object or the process is gone. No file is left behind.

    The lock is the kernel's (flock on the folder itself), so a process that was killed holds nothing. On file systems
    without such locks, as some network ones, every owner gets the folder.
    """

    def __init__(self, folder: Path) -> None:
        """Locks the folder.

        Raises:
            BlockingIOError: another owner holds it.
            OSError: it cannot be opened.
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
        """Lets the folder go; does nothing when called again."""
        self._close()
