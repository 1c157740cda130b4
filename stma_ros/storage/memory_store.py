"""Saves memories in the files `memory.stma`, `memory-2.stma` and so on of a folder, one for each place and version. An
agent with several kinds of memories has a folder for each of the others inside of that of the first.

A file consists of one line of text, with the format, its version and the SHA-256 of the rest, and a ZIP archive of
`memory.json` and one file for each picture and array. Files are written atomically, and a file that could not be loaded
is never overwritten.
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
"""Folder inside of a run's folder with the initial memory, which a replay of the run needs."""

FORMAT = 1
"""Version of the file format; the content has its own version (codec.fingerprint)."""

_MAGIC = "stma_ros memory"
_HEADER = re.compile(_MAGIC.encode() + rb" (?P<version>[\w.]{1,40}) (?P<checksum>[0-9a-f]{64})\n")
_MAX_HEADER_BYTES = 200
_NAME = re.compile(r"memory(?:-(?P<number>[1-9]\d*))?\.stma")
_DOCUMENT = "memory.json"
_COMPRESSED_SUFFIX = ".jpg"  # of files that are stored without further compression
_REQUIRED_BYTES = 8 * 2**20  # of free space: more than the memory of a home needs
_COMPRESSION = 1  # shrinks a map to a hundredth; higher levels gain little


class MemoryUnreadableError(StorageError):
    """A saved memory is damaged, or a file is not a memory."""

    code = ErrorCode.MEMORY_UNREADABLE


class MemoryVersionError(StorageError):
    """A saved memory has another version or was made with other settings."""

    code = ErrorCode.MEMORY_VERSION


class AnotherPlaceError(StorageError):
    """A saved memory belongs to another place."""

    code = ErrorCode.MEMORY_OF_ANOTHER_PLACE


class MemoryNotSavedError(StorageError):
    """A memory could not be saved."""

    code = ErrorCode.MEMORY_NOT_KEPT


class MemoryInUseError(MemoryNotSavedError):
    """Another memory has the folder open."""


def record_memory(memory_dir: str, run: Path) -> None:
    """Copies the memories of a folder into the folder of a run; to be called before the memory is loaded.

    Args:
        memory_dir: Folder of memories; "" = none.
        run: Folder of the run.

    Raises:
        StorageError: The files cannot be copied.
    """
    if not memory_dir:
        return
    target = run / RECORDED_MEMORY
    try:
        target.mkdir(parents=True, exist_ok=True)
        source = Path(memory_dir)
        for path in (*source.glob("*.stma"), *source.glob("*/*.stma")):
            if _NAME.fullmatch(path.name):
                copy = target / path.relative_to(source)
                copy.parent.mkdir(exist_ok=True)
                shutil.copyfile(path, copy)
    except OSError as error:
        raise StorageError(
            f"what {memory_dir} remembers cannot be recorded in {target} ({error.strerror}): make room, or record "
            "elsewhere"
        ) from error


def check_memory_dir(memory_dir: str) -> None:
    """Checks at the start of a program that memories can be saved in a folder; "" = none is saved.

    Raises:
        MemoryInUseError: Another process or object has the folder open.
        MemoryNotSavedError: The folder cannot be made or written, or its disk is full.
    """
    if memory_dir:
        _lock_folder(Path(memory_dir)).release()


def _lock_folder(folder: Path, setting: str = "memory_dir") -> FolderLock:
    """Creates the folder if necessary, locks it, and checks that a memory can be saved there.

    The check comes first so that an unusable folder is not noticed only after hours, when the memory is to be saved.

    Raises:
        MemoryInUseError, MemoryNotSavedError: As for check_memory_dir.
    """
    lock: FolderLock | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(folder)
        with TemporaryFile(dir=folder) as probe:
            os.posix_fallocate(probe.fileno(), 0, _REQUIRED_BYTES)
    except BlockingIOError as error:
        raise MemoryInUseError(
            f"{folder} is in use by another memory, of this process or another one: close that one first (an "
            "agent: end it), or give each a folder of its own"
        ) from error
    except OSError as error:
        if lock is not None:
            lock.release()
        cause = "is a file" if folder.is_file() else error.strerror
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        remedy = (
            f"make room there, or set {setting} to a folder on another disk"
            if is_full
            else f"set {setting} to a folder that can be written"
        )
        raise MemoryNotSavedError(f"{folder} cannot hold memories ({cause}); {remedy}") from error
    return lock


@dataclass(frozen=True)
class Loaded(Generic[MemoryT]):
    """Result of loading.

    Attributes:
        memory: The memory; None if there is none.
        refused: Errors of newer files, which could not be used.
    """

    memory: MemoryT | None
    refused: tuple[StorageError, ...]


class MemoryStore(Generic[MemoryT]):
    """The memories of one agent in a folder. The file with the highest number is the newest.

    Attributes:
        loaded: The file that was loaded last; None if there is none.
    """

    def __init__(self, folder: Path, kind: type[MemoryT], setting: str = "memory_dir") -> None:
        """Opens a folder and locks it until `close`.

        Args:
            folder: The folder; it is created if necessary.
            kind: Type of the memory, a frozen dataclass.
            setting: Name of the folder's setting in messages.

        Raises:
            MemoryInUseError: Another process or object has the folder open.
            MemoryNotSavedError: The folder cannot be made or written.
        """
        self._folder = folder
        self._kind = kind
        self._version = f"{FORMAT}.{fingerprint(kind)}"
        self._lock = _lock_folder(folder, setting)
        self._untried = sorted((path for path in folder.iterdir() if _NAME.fullmatch(path.name)), key=_number)
        self._own: Path | None = None
        self._is_detached = False
        self.loaded: Path | None = None

    def close(self) -> None:
        """Unlocks the folder without saving."""
        self._lock.release()

    @property
    def path(self) -> Path:
        """The file that the next `save` writes: the one that was loaded, or a new one."""
        if self._own is None:
            taken = [_number(path) for path in self._folder.iterdir() if _NAME.fullmatch(path.name)]
            number = max(taken, default=0) + 1
            self._own = self._folder / ("memory.stma" if number == 1 else f"memory-{number}.stma")
        return self._own

    def load(self) -> Loaded[MemoryT]:
        """Returns the newest memory that can be loaded, and at each further call the next older one.

        It is called again if a memory turns out to be of another place.
        """
        self._use(None)
        refused: list[StorageError] = []
        while self._untried:
            path = self._untried.pop()
            try:
                memory = self._read(path)
            except StorageError as error:
                refused.append(error)
            else:
                self._use(path)
                return Loaded(memory, tuple(refused))
        return Loaded(None, tuple(refused))

    def _use(self, loaded: Path | None) -> None:
        self.loaded = loaded
        if not self._is_detached:
            self._own = loaded

    def save(self, memory: MemoryT) -> Path:
        """Saves a memory and returns its file.

        Raises:
            MemoryNotSavedError: The file cannot be written; an older one is unchanged.
        """
        blobs: dict[str, bytes] = {}
        document = json.dumps(encode(memory, blobs), separators=(",", ":"))
        body = io.BytesIO()
        with zipfile.ZipFile(body, "w") as archive:
            for name, content in {_DOCUMENT: document.encode(), **blobs}.items():
                is_compressed = name.endswith(_COMPRESSED_SUFFIX)
                method = zipfile.ZIP_STORED if is_compressed else zipfile.ZIP_DEFLATED
                # Entries have no date, so that equal memories give equal files.
                archive.writestr(zipfile.ZipInfo(name), content, method, _COMPRESSION)
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
        """The file that was loaded or saved last; None if there is none."""
        return self._own if self._own is not None and self._own.exists() else None

    def detach(self) -> None:
        """Preserves the files that were and will be loaded: from now on, `save` writes one of its own."""
        if not self._is_detached:
            self._own, self._is_detached = None, True

    def forget(self) -> Path | None:
        """Deletes the file that was loaded or saved last.

        Returns:
            The file; None if there is none.

        Raises:
            MemoryNotSavedError: The file cannot be deleted.
        """
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
        header = _HEADER.match(content[:_MAX_HEADER_BYTES])
        if header is None:
            raise MemoryUnreadableError(f"{path} is not a memory of stma_ros; it is left as it is")
        version = header["version"].decode()
        if version != self._version:
            raise MemoryVersionError(
                f"{path} is a memory of version {version}, this is version {self._version}; it is left as it is, "
                "for the release that wrote it. Another kind of memory (of texts, of a place) has another version too: "
                "give each a folder of its own"
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
