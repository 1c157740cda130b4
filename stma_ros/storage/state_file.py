"""Saves the state of a component in a file, from which a node that was killed goes on.

The state that a node went on from is kept beside it, so that a replay can begin there, too. A file consists of one
line of text, with the format, its version and the SHA-256 of the rest, and the state as JSON.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import shutil
from pathlib import Path, PurePath
from typing import Generic, TypeVar

from stma_ros.storage.codec import CodecError, decode, encode, fingerprint
from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import StorageError

StateT = TypeVar("StateT")

FORMAT = 1
"""Version of the file format; the content has its own version (codec.fingerprint)."""

RECORDED_STATES = "state"
"""Folder of states in the folder of a recorded run."""

_HEADER = re.compile(rb"stma_ros state (?P<version>[\w.]{1,40}) (?P<checksum>[0-9a-f]{64})\n")


class StateFile(Generic[StateT]):
    """The state of one component; its dataclass holds no arrays."""

    def __init__(self, path: Path, kind: type[StateT]) -> None:
        """Names the file, whose folder is created. kind: type of the state, a frozen dataclass.

        Raises:
            StorageError: The folder cannot be created.
        """
        self._path = path
        self._kind = kind
        self._version = f"{FORMAT}.{fingerprint(kind)}"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"{path.parent} cannot hold the state of a node ({error.strerror}); set state_dir to a folder that can "
                "be written, or leave it empty"
            ) from error

    def save(self, state: StateT) -> None:
        """Replaces the state.

        Raises:
            StorageError: The file cannot be written; the old one is unchanged.
        """
        blobs: dict[str, bytes] = {}
        body = json.dumps(encode(state, blobs), separators=(",", ":")).encode()
        assert not blobs, "a state holds no arrays"
        checksum = hashlib.sha256(body).hexdigest()
        write_atomically(self._path, f"stma_ros state {self._version} {checksum}\n".encode() + body)

    def load(self) -> StateT | None:
        """Returns the state; None if there is none.

        Raises:
            StorageError: The file is damaged, is no state, or belongs to another version.
        """
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageError(f"{self._path} cannot be read ({error.strerror})") from error
        header = _HEADER.match(content)
        body = content[header.end() :] if header else b""
        if header is None or hashlib.sha256(body).hexdigest() != header["checksum"].decode():
            raise StorageError(f"{self._path} is damaged, or no state of a node: it is left alone")
        if header["version"].decode() != self._version:
            raise StorageError(f"{self._path} is of another version of this package: it is left alone")
        try:
            return decode(self._kind, json.loads(body), {})
        except (CodecError, ValueError) as error:
            raise StorageError(f"{self._path} cannot be read: {error}") from error

    def preserve(self) -> str:
        """Keeps a copy of the state, which is there; returns the name of the copy.

        Raises:
            StorageError: The copy cannot be written.
        """
        names = (f"{self._path.stem}.{number}{self._path.suffix}" for number in itertools.count(1))
        name = next(name for name in names if not self._path.with_name(name).exists())
        try:
            shutil.copyfile(self._path, self._path.with_name(name))
        except OSError as error:
            raise StorageError(f"{self._path} cannot be copied ({error.strerror})") from error
        return name

    def clear(self) -> None:
        """Removes the state, where there is one.

        Raises:
            StorageError: The file cannot be removed.
        """
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(f"{self._path} cannot be removed ({error.strerror})") from error


def state_name(preserved: str) -> str:
    """Returns the name of the file of which one with this name is a preserved copy."""
    path = PurePath(preserved)
    return PurePath(path.stem).stem + path.suffix
