"""Finds the files of a bag: a folder with metadata.yaml, a folder without it after a crash, or a single file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path, PurePath
from typing import Any

from stma_ros.storage.bag.metadata import METADATA_FILE, read_metadata
from stma_ros.storage.bag.writer import BAG_FILE
from stma_ros.types.errors import StorageError

_SUFFIXES = (".mcap", ".db3", ".mcap.zstd", ".db3.zstd")
_NUMBERED = re.compile(r"(.*?)(?:_(\d+))?((?:\.mcap|\.db3)(?:\.zstd)?)")
_MAX_LISTED = 5  # bags in an error message
_BY_VERSION = {
    "1": "dashing",
    "2": "eloquent",
    "3": "foxy",
    "4": "foxy",
    "5": "humble",
    "6": "iron",
    "7": "iron",
    "8": "jazzy",
    "9": "kilted",
}  # distribution by version of the metadata, for metadata that do not name it


@dataclass(frozen=True)
class BagLayout:
    """Files of a bag.

    Attributes:
        files: The files in the order of the recording.
        metadata: Content of metadata.yaml; empty without it.
    """

    files: tuple[Path, ...]
    metadata: Mapping[str, Any]

    @property
    def distribution(self) -> str:
        """The ROS distribution that recorded the bag, in lower case; "" if it is unknown."""
        named = str(self.metadata.get("ros_distro") or "")
        if named not in ("", "unknown", "rosbags"):
            return named
        return _BY_VERSION.get(str(self.metadata.get("version")), "")

    @property
    def compresses_messages(self) -> bool:
        """Whether rosbag2 compressed each message."""
        return str(self.metadata.get("compression_mode") or "").lower() == "message"


def find_bag(path: Path) -> BagLayout:
    """Finds the bag at the path of a folder or file.

    Raises:
        StorageError: There is no bag, or more than one.
    """
    try:
        if path.is_dir():
            return _find_in_folder(path)
        if path.is_file() and path.name.endswith(_SUFFIXES):
            return BagLayout((path,), _metadata_of(path))
    except OSError as error:
        raise StorageError(f"{path} cannot be read ({error.strerror})") from error
    if not path.exists():
        near = _similar(path)
        hint = f"Did you mean {near}?" if near else "Name a run's folder, or an .mcap or .db3 file"
        raise StorageError(f"there is no {path}. {hint}")
    raise StorageError(f"{path} is neither a folder with a bag nor an .mcap or .db3 file; name one of these")


def _find_in_folder(path: Path) -> BagLayout:
    found = sorted((file for file in path.iterdir() if file.name.endswith(_SUFFIXES)), key=_order)
    try:
        metadata = read_metadata(path)
    except StorageError as error:
        if not found:
            if bags := _bags_within(path):
                raise StorageError(f"{path} is no bag, but holds some; name one of them: {bags}") from error
            raise
        metadata = {}
    listed = [path / name for name in _listed(metadata)]
    if listed and not found:
        raise StorageError(
            f"{path} holds none of the files that its {METADATA_FILE} lists "
            f"({', '.join(file.name for file in listed)}); put them there, or name another bag"
        )
    bases = {_base(file) for file in listed} or {_base(file) for file in found}
    if len(bases) > 1 and not listed:
        bases &= {_base(path / BAG_FILE), path.name}
        if len(bases) != 1:
            raise _several(path, found)
    unlisted = [file for file in found if _base(file) in bases and file not in listed]
    if not listed:
        if not _is_split(unlisted):
            raise _several(path, unlisted)
        return BagLayout(tuple(unlisted), metadata)
    # After a crash, metadata.yaml may not yet list the last files of a bag that was split, or not list the first ones
    # any more, which were about to be deleted.
    early = [file for file in unlisted if _order(file) < _order(listed[0])]
    late = [file for file in unlisted if file not in early]
    return BagLayout((*early, *listed, *late), metadata)


def _several(path: Path, found: Sequence[Path]) -> StorageError:
    names = ", ".join(file.name for file in found[:_MAX_LISTED])
    more = f" and {len(found) - _MAX_LISTED} more" if len(found) > _MAX_LISTED else ""
    return StorageError(
        f"{path} holds several bags and no {METADATA_FILE}; name one of the files: {names}{more}"
    )


def _is_split(files: Sequence[Path]) -> bool:
    """Whether files of one base, in order, can be those of one bag: their numbers have no gap, and no number is there
    twice. The first of a bag of this package has none."""
    numbers = [_order(file)[1] for file in files]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _bags_within(path: Path) -> str:
    """Lists the bags in a folder for an error message; empty if there are none."""
    bags = sorted(str(each.parent) for each in path.glob(f"*/{METADATA_FILE}"))
    more = f" and {len(bags) - _MAX_LISTED} more" if len(bags) > _MAX_LISTED else ""
    return ", ".join(bags[:_MAX_LISTED]) + more


def _similar(path: Path) -> str:
    """Returns the path with the most similar name in the same folder; empty if there is none."""
    try:
        names = [each.name for each in path.parent.iterdir()]
    except OSError:
        return ""
    near = get_close_matches(path.name, names, n=1)
    return str(path.with_name(near[0])) if near else ""


def _listed(metadata: Mapping[str, Any]) -> list[str]:
    names = metadata.get("relative_file_paths")
    # Old recorders included the folder in the names.
    return [PurePath(str(name)).name for name in names] if isinstance(names, list) else []


def _metadata_of(file: Path) -> Mapping[str, Any]:
    try:
        metadata = read_metadata(file.parent)
    except StorageError:
        return {}
    return metadata if file.name in _listed(metadata) else {}


def _base(file: Path) -> str:
    match = _NUMBERED.fullmatch(file.name)
    return match[1] if match else file.name


def _order(file: Path) -> tuple[str, int]:
    match = _NUMBERED.fullmatch(file.name)
    return (match[1], int(match[2] or 0)) if match else (file.name, 0)
