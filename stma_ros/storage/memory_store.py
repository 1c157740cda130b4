"""The saved memory: files in one folder, `memory.stma`, `memory-2.stma` and so on, one per place and version.

A file is one line of text, which names the format, its version and the SHA-256 of what follows, and a ZIP archive:
`memory.json`, and a file per picture and array. It is written in one go, and one that could not be used is never
written over.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import re
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Generic, TypeVar

from stma_ros.storage.codec import CodecError, decode, encode, fingerprint
from stma_ros.storage.files import write_atomically
from stma_ros.storage.folder_lock import FolderLock
from stma_ros.types.errors import ErrorCode, StorageError

MemoryT = TypeVar("MemoryT")

RECORDED_MEMORY = "memory"
"""In a run's folder: what its spatial memory began with; without it the run could not be replayed."""

FORMAT = 1
"""The version of the file itself; what it holds has a version of its own (codec.fingerprint)."""

_MAGIC = "stma_ros memory"
_HEADER = re.compile(_MAGIC.encode() + rb" (?P<version>[\w.]{1,40}) (?P<checksum>[0-9a-f]{64})\n")
_LONGEST_HEADER = 200
_NAME = re.compile(r"memory(?:-(?P<number>[1-9]\d*))?\.stma")
_DOCUMENT = "memory.json"
_PACKED = ".jpg"  # compressed already
_ROOM = 8 * 2**20  # [bytes] that must be free for a memory: more than that of a home takes
_COMPRESSION = 1  # a map shrinks to a hundredth; more work would gain little


class MemoryUnreadableError(StorageError):
    """A saved memory that is damaged, or a file that is none."""

    code = ErrorCode.MEMORY_UNREADABLE


class MemoryVersionError(StorageError):
    """A saved memory of another version, or one made with other settings."""

    code = ErrorCode.MEMORY_VERSION


class AnotherPlaceError(StorageError):
    """A saved memory of somewhere else."""

    code = ErrorCode.MEMORY_OF_ANOTHER_PLACE


class MemoryNotSavedError(StorageError):
    """A memory that could not be saved."""

    code = ErrorCode.MEMORY_NOT_KEPT


class MemoryInUseError(MemoryNotSavedError):
    """A folder of memories that another memory holds open."""


def record_memory(memory_dir: str, run: Path) -> None:
    """Copies the memory of a folder ("" = none) into the run, before the memory is loaded.

    Raises StorageError where that is not possible.
    """
    if not memory_dir:
        return
    kept = run / RECORDED_MEMORY
    try:
        kept.mkdir(parents=True, exist_ok=True)
        if Path(memory_dir).is_dir():
            for path in Path(memory_dir).iterdir():
                if _NAME.fullmatch(path.name):
                    shutil.copyfile(path, kept / path.name)
    except OSError as error:
        raise StorageError(
            f"what {memory_dir} remembers cannot be recorded in {kept} ({error.strerror}): make room, or record "
            "elsewhere"
        ) from error


def check_memory_dir(memory_dir: str) -> None:
    """Makes sure, before anything else is begun, that a memory can be kept in a folder; "" = none is to be.

    Raises:
        MemoryInUseError: Another process or object has the folder open.
        MemoryNotSavedError: The folder cannot be made or written, or its disk is full.
    """
    if memory_dir:
        _opened(Path(memory_dir)).release()


def _opened(folder: Path) -> FolderLock:
    """Makes the folder and holds it. Whatever would keep a memory from being saved there is told now, as far as it can
    be known, and not when hours of memory are to be saved. Raises as check_memory_dir."""
    lock: FolderLock | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(folder)
        with TemporaryFile(dir=folder) as probe:
            os.posix_fallocate(probe.fileno(), 0, _ROOM)
    except BlockingIOError as error:
        raise MemoryInUseError(
            f"{folder} is in use by another memory, of this process or another one: close that one first (an "
            "agent: end it), or give each a folder of its own"
        ) from error
    except OSError as error:
        if lock is not None:
            lock.release()
        what = "is a file" if folder.is_file() else error.strerror
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        remedy = (
            "make room there, or set memory_dir to a folder on another disk"
            if full
            else ("set memory_dir to a folder that can be written")
        )
        raise MemoryNotSavedError(f"{folder} cannot hold memories ({what}); {remedy}") from error
    return lock


@dataclass(frozen=True)
class Loaded(Generic[MemoryT]):
    """A memory that was found, or None, and why files that would have come before it could not be used."""

    memory: MemoryT | None
    refused: tuple[StorageError, ...]


class MemoryStore(Generic[MemoryT]):
    """One agent's memories in a folder. The file with the highest number is the newest."""

    def __init__(self, folder: Path, kind: type[MemoryT]) -> None:
        """Opens a folder, which nobody else can open until `close`.

        Args:
            folder: It is made if it is not there.
            kind: The frozen dataclass that is saved.

        Raises:
            MemoryInUseError: Another process or object has the folder open.
            MemoryNotSavedError: The folder cannot be made or written.
        """
        self._folder = folder
        self._kind = kind
        self._version = f"{FORMAT}.{fingerprint(kind)}"
        self._lock = _opened(folder)
        self._untried = sorted((path for path in folder.iterdir() if _NAME.fullmatch(path.name)), key=_number)
        self._own: Path | None = None

    def close(self) -> None:
        """Lets the folder go; others can open it then. Nothing is saved."""
        self._lock.release()

    @property
    def path(self) -> Path:
        """The file that the next save writes: the one that was loaded, or else one that did not exist."""
        if self._own is None:
            taken = [_number(path) for path in self._folder.iterdir() if _NAME.fullmatch(path.name)]
            number = max(taken, default=0) + 1
            self._own = self._folder / ("memory.stma" if number == 1 else f"memory-{number}.stma")
        return self._own

    def load(self) -> Loaded[MemoryT]:
        """The newest memory that can be read; when called again (it was not the right one), the next older."""
        self._own = None
        refused: list[StorageError] = []
        while self._untried:
            path = self._untried.pop()
            try:
                memory = self._read(path)
            except StorageError as error:
                refused.append(error)
            else:
                self._own = path
                return Loaded(memory, tuple(refused))
        return Loaded(None, tuple(refused))

    def save(self, memory: MemoryT) -> Path:
        """Writes the memory, and returns the file. Raises MemoryNotSavedError; what was there is there still."""
        blobs: dict[str, bytes] = {}
        document = json.dumps(encode(memory, blobs), separators=(",", ":"))
        body = io.BytesIO()
        with zipfile.ZipFile(body, "w") as archive:
            for name, content in {_DOCUMENT: document.encode(), **blobs}.items():
                packed = zipfile.ZIP_STORED if name.endswith(_PACKED) else zipfile.ZIP_DEFLATED
                # Without a date: the same memory is the same file.
                archive.writestr(zipfile.ZipInfo(name), content, packed, _COMPRESSION)
        content = body.getvalue()
        header = f"{_MAGIC} {self._version} {hashlib.sha256(content).hexdigest()}\n"
        try:
            path = self.path
            write_atomically(path, header.encode() + content)
        except (OSError, StorageError) as error:
            raise MemoryNotSavedError(f"the memory was not saved: {error}") from error
        return path

    @property
    def file(self) -> Path | None:
        """The own file: the one that was loaded or saved last; None when there is none."""
        return self._own if self._own is not None and self._own.exists() else None

    def leave(self) -> None:
        """The file that was loaded is not to be written over: the next save makes one of its own."""
        self._own = None

    def forget(self) -> Path | None:
        """Removes the own file, and returns it; None when there is none. Other files stay."""
        path = self.file
        if path is None:
            return None
        try:
            path.unlink()
        except OSError as error:
            raise MemoryNotSavedError(
                f"{path} cannot be removed ({error.strerror}); remove it by hand"
            ) from error
        return path

    def _read(self, path: Path) -> MemoryT:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise MemoryUnreadableError(f"{path} cannot be read ({error.strerror})") from error
        header = _HEADER.match(content[:_LONGEST_HEADER])
        if header is None:
            raise MemoryUnreadableError(f"{path} is not a memory of stma_ros; it is left as it is")
        version = header["version"].decode()
        if version != self._version:
            raise MemoryVersionError(
                f"{path} is a memory of version {version}, this is version {self._version}; it is left as it is, "
                "for the release that wrote it"
            )
        body = memoryview(content)[header.end() :]
        if hashlib.sha256(body).hexdigest() != header["checksum"].decode():
            raise MemoryUnreadableError(
                f"{path} is damaged: its checksum does not fit. It is left as it is; restore it from a copy"
            )
        try:
            with zipfile.ZipFile(io.BytesIO(body)) as archive:
                blobs = {name: archive.read(name) for name in archive.namelist()}
            return decode(self._kind, json.loads(blobs[_DOCUMENT]), blobs)
        except (zipfile.BadZipFile, KeyError, ValueError, CodecError) as error:
            raise MemoryUnreadableError(
                f"{path} does not hold a memory ({error}); it is left as it is"
            ) from error


def _number(path: Path) -> int:
    match = _NAME.fullmatch(path.name)
    return int(match["number"] or 1) if match else 0
