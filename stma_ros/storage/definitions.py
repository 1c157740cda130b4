"""Message definitions without ROS: the standard ones, and any other from the .msg files of packages.

Bags carry them, so that other people's tools can read what they have no package for.
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
_IDL_INCLUDE = re.compile(r"^#include .*$", re.MULTILINE)  # of parts that follow in the same text
_IDL_SEPARATOR = re.compile(r"^=+\nIDL: \S+\n", re.MULTILINE)


class Definitions:
    """The message types known so far; a type's .msg file is read when it is first asked for."""

    def __init__(self) -> None:
        self._store = get_typestore(Stores.ROS2_KILTED)

    def store(self, ros_type: str) -> Typestore:
        """The type store, which then holds `ros_type` ("package/msg/Name") and all it is made of.

        Raises StorageError where no definition is found.
        """
        if ros_type not in self._store.fielddefs:
            self._load(ros_type)
        return self._store

    def schema(self, ros_type: str) -> str:
        """The definition and those of everything in it, as an MCAP `ros2msg` schema holds them."""
        text: str = self.store(ros_type).generate_msgdef(ros_type, ros_version=2)[0]
        return text

    def type_hash(self, ros_type: str) -> str:
        """The hash of REP-2011, "RIHS01_...", which rosbag2 stores next to each topic."""
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
    """The process's one collection: its type store compiles a codec per type, which is worth keeping."""
    return Definitions()


def parse_definition(ros_type: str, encoding: str, text: str) -> dict[str, Any]:
    """The types in a recorded definition ("ros2msg" or "ros2idl"), by name: their constants and fields.

    Raises StorageError where it cannot be parsed.
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
    """Of a field's type as the type store has it: its own, or that of an array's elements; base or name."""
    kind, detail = description
    if kind in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        (kind, detail), _ = detail
    return kind, detail


def nested_types(fields: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """The message types among a type's fields."""
    for _, description in fields:
        kind, detail = element_type(description)
        if kind == Nodetype.NAME:
            yield detail


def _definition_file(ros_type: str) -> Path:
    """From the source tree that this runs from, else from the installed packages' share folders."""
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
