"""Creates folders that appear with all of their files at once."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from stma_ros.types.errors import StorageError


def cached_folder(named: str, kind: str) -> Path:
    """Returns the folder for data sets of engines. named: the user's choice; empty = the folder `kind` in the user's
    cache."""
    if named:
        return Path(named).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stma_ros" / kind


def store(files: Mapping[str, bytes], folder: Path, mark: str) -> None:
    """Makes `folder` hold exactly these files (paths within it). A folder that already does is left alone; another one
    that this function wrote is replaced.

    Args:
        files: content by path.
        folder: the folder to write.
        mark: the file that identifies folders which may be replaced.

    Raises:
        StorageError: the folder holds something else, or cannot be written.
    """
    try:
        if _holds(folder, files, mark):
            return
        if folder.exists() and not _may_go(folder, mark):
            raise StorageError(f"{folder} holds something else; name a folder that does not exist yet")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as spare:
            fresh = Path(spare) / "fresh"
            for name, content in files.items():
                (fresh / name).parent.mkdir(parents=True, exist_ok=True)
                (fresh / name).write_bytes(content)
            if folder.exists():
                folder.rename(Path(spare) / "former")
            fresh.rename(folder)
    except OSError as error:
        if _holds(folder, files, mark):  # another process was faster
            return
        raise StorageError(
            f"the data set cannot be written to {folder} ({error.strerror or error}); "
            "make room there, or name another folder"
        ) from error


def keep_latest(number: int, folder: Path, mark: str) -> None:
    """Deletes all but some of the data sets below a folder, those first that were used first, as far as it may.

    Args:
        number: of data sets that stay.
        folder: the folder; the time of change of each folder in it is that of its last use.
        mark: the file that identifies data sets.
    """
    with contextlib.suppress(OSError):  # another process deletes, too
        stored = [path.parent for path in folder.glob(f"*/{mark}")]
        for old in sorted(stored, key=lambda path: path.stat().st_mtime)[:-number]:
            with tempfile.TemporaryDirectory(prefix=f".{old.name}-", dir=folder) as spare:
                old.rename(Path(spare) / "former")  # at once: readers find the whole data set or none


def _holds(folder: Path, files: Mapping[str, bytes], mark: str) -> bool:
    """Whether the folder holds exactly these files."""
    try:
        if not (folder / mark).is_file():  # an unmarked folder may hold a large number of files
            return False
        found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        return found == set(files) and all((folder / name).read_bytes() == files[name] for name in files)
    except OSError:
        return False


def _may_go(folder: Path, mark: str) -> bool:
    return folder.is_dir() and ((folder / mark).is_file() or not any(folder.iterdir()))
