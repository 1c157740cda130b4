"""Message definitions without ROS: those of the standard packages, and others from the .msg files of packages.

Bags include them, so that tools can read messages of packages that are not installed.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, TypesysError, get_types_from_idl, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from stma_ros.types.errors import StorageError

SOURCE_ROOT = Path(__file__).resolve().parents[2]
_MSG_SEPARATOR = re.compile(r"^=+\nMSG: (\S+)\n", re.MULTILINE)
_IDL_INCLUDE = re.compile(r"^#include .*$", re.MULTILINE)  # the included definitions follow in the same text
_IDL_SEPARATOR = re.compile(r"^=+\nIDL: \S+\n", re.MULTILINE)


class Definitions:
    """A collection of message types; the .msg file of a type is read at its first use."""

    def __init__(self) -> None:
        self._store = get_typestore(Stores.ROS2_KILTED)

    def store(self, ros_type: str) -> Typestore:
        """Returns the type store, having added a type and its nested types.

        Args:
            ros_type: Name of the type, "package/msg/Name".

        Raises:
            StorageError: No definition is found.
        """
        if ros_type not in self._store.fielddefs:
            self._load(ros_type)
        return self._store

    def schema(self, ros_type: str) -> str:
        """Returns the definitions of a type and its nested types as an MCAP `ros2msg` schema."""
        text: str = self.store(ros_type).generate_msgdef(ros_type, ros_version=2)[0]
        return text

    def type_hash(self, ros_type: str) -> str:
        """Returns the hash of a type (REP-2011), "RIHS01_...", which rosbag2 stores for each topic."""
        digest: str = self.store(ros_type).hash_rihs01(ros_type)
        return digest

    def _load(self, ros_type: str) -> None:
        found = {}
        waiting = [ros_type]
        while waiting:
            name = waiting.pop()
            if name in found or name in self._store.fielddefs:
                continue
            parsed = get_types_from_msg(_definition_file(name).read_text(encoding="utf-8"), name)
            found.update(parsed)
            waiting.extend(nested_types(parsed[name][1]))
        self._store.register(found)


@lru_cache(maxsize=1)
def definitions() -> Definitions:
    """Returns the collection of this process, which is shared because its type store compiles a codec for each type."""
    return Definitions()


def parse_definition(ros_type: str, encoding: str, text: str) -> dict[str, Any]:
    """Parses a recorded definition.

    Args:
        ros_type: Name of the type.
        encoding: "ros2msg" or "ros2idl".
        text: The definition, with those of nested types.

    Returns:
        Constants and fields of the types by name.

    Raises:
        StorageError: The definition cannot be parsed.
    """
    found: dict[str, Any] = {}
    try:
        if encoding == "ros2msg":
            parts = _MSG_SEPARATOR.split(text)
            for name, part in [(ros_type, parts[0]), *zip(parts[1::2], parts[2::2], strict=True)]:
                full = name if name.count("/") == 2 else name.replace("/", "/msg/")
                found.update(get_types_from_msg(part, full))
        elif encoding in ("ros2idl", "omgidl"):
            for part in filter(str.strip, _IDL_SEPARATOR.split(text)):
                found.update(get_types_from_idl(_IDL_INCLUDE.sub("", part)))
        else:
            raise StorageError(
                f"the bag defines {ros_type} in {encoding!r}, which is not read; only ros2msg and ros2idl are"
            )
    except (TypesysError, ValueError, AssertionError, AttributeError, TypeError, RecursionError) as error:
        raise StorageError(f"the bag's definition of {ros_type} cannot be parsed: {error}") from error
    return found


def element_type(description: Any) -> tuple[Nodetype, Any]:
    """Returns kind (base type or name) and detail of a field's type in the type store; of an array, its elements'."""
    kind, detail = description
    if kind in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        (kind, detail), _ = detail
    return kind, detail


def nested_types(fields: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """Yields the message types among the fields of a type."""
    for _, description in fields:
        kind, detail = element_type(description)
        if kind == Nodetype.NAME:
            yield detail


def _definition_file(ros_type: str) -> Path:
    """Returns the .msg file of a type, from the source tree if this runs from one, or from installed packages."""
    package, _, name = ros_type.split("/")
    places = []
    if (SOURCE_ROOT / "package.xml").is_file() and package == "stma_ros":
        places.append(SOURCE_ROOT / "msg")
    prefixes = [*filter(None, os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)), sys.prefix]
    # PREFIX/lib/python3.x/site-packages, as in an install of one user; a checkout near the root has no such prefix.
    prefixes += map(str, SOURCE_ROOT.parents[2:3])
    places += [Path(prefix, "share", package, "msg") for prefix in prefixes]
    for place in places:
        if (place / f"{name}.msg").is_file():
            return place / f"{name}.msg"
    raise StorageError(
        f"no definition of {ros_type}: install the package {package}, or add its prefix to AMENT_PREFIX_PATH"
    )
