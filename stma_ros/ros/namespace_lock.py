"""A lock on a namespace, held by the lifecycle manager of the robot that runs there.

Discovery takes a second or more to show other nodes, and a second robot that starts meanwhile disturbs the first. On
one host a lock shows this at once, and the system releases it when its holder ends in any way.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path


class NamespaceLock:
    """Locks a namespace of this process's ROS domain and network."""

    def __init__(self, namespace: str) -> None:
        """namespace: in full, such as `/robot_1`; `/` = none."""
        self._path = _path(namespace)
        self._file: int | None = None

    def acquire(self) -> bool:
        """Takes the lock; returns whether it is held now. True where no lock can be made, so that the robot
        can start."""
        if self._file is not None:
            return True
        try:
            self._file = os.open(self._path, os.O_RDONLY | os.O_CREAT, 0o644)
        except OSError:
            try:  # a file of another user
                self._file = os.open(self._path, os.O_RDONLY)
            except OSError:
                return True
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            return False
        return True

    def release(self) -> None:
        """Releases the lock, if it is held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def is_taken(self) -> bool:
        """Whether another process holds it."""
        if not self.acquire():
            return True
        self.release()
        return False


def _path(namespace: str) -> Path:
    try:
        network = os.stat("/proc/self/ns/net").st_ino
    except OSError:  # not Linux
        network = 0
    where = namespace.strip("/").replace("/", ".")
    domain = os.environ.get("ROS_DOMAIN_ID", "") or "0"
    return Path(tempfile.gettempdir()) / f"stma_ros.{network}.{domain}.{where}.lock"
