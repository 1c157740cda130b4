"""Reads and writes metadata.yaml of a rosbag2 folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import StorageError

METADATA_FILE = "metadata.yaml"
_VERSION = 8  # of the layout. Humble reads no 9, and everything up to Kilted reads 8
_LINE = 10_000  # characters; texts are not folded, as rosbag2 does not fold them
_INFINITE = {"sec": 9223372036, "nsec": 854775807}  # as rmw spells "no limit"

# As rmw numbers them (rmw/types.h): up to version 8 the layout wants numbers.
_HISTORY = {"system_default": 0, "keep_last": 1, "keep_all": 2}
_RELIABILITY = {"system_default": 0, "reliable": 1, "best_effort": 2}
_DURABILITY = {"system_default": 0, "transient_local": 1, "volatile": 2}
_AUTOMATIC = 1  # liveliness

_Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # the former takes a tenth of the time


@dataclass(frozen=True)
class StoredQos:
    """A publisher's QoS profile with rosbag2's names: "keep_last", "reliable", "transient_local", ..."""

    history: str = "keep_last"
    depth: int = 10
    reliability: str = "reliable"
    durability: str = "volatile"

    def as_dict(self) -> dict[str, Any]:
        """All the fields rosbag2 expects; those that are not stored here have their defaults."""
        return {
            "history": _HISTORY[self.history],
            "depth": self.depth,
            "reliability": _RELIABILITY[self.reliability],
            "durability": _DURABILITY[self.durability],
            "deadline": dict(_INFINITE),
            "lifespan": dict(_INFINITE),
            "liveliness": _AUTOMATIC,
            "liveliness_lease_duration": dict(_INFINITE),
            "avoid_ros_namespace_conventions": False,
        }


@dataclass(frozen=True)
class BagTopic:
    """A topic of a bag. `type_hash` as in REP-2011, `definition` as a `ros2msg` schema holds it."""

    name: str
    ros_type: str
    type_hash: str
    definition: str
    qos: tuple[StoredQos, ...]


@dataclass(frozen=True)
class FileContent:
    """What a file of the bag holds: messages by topic, the first and the last log time [ns] (None: no messages)."""

    name: str
    counts: Mapping[str, int]
    span: tuple[int, int] | None


@lru_cache(maxsize=64)
def qos_text(profiles: tuple[StoredQos, ...]) -> str:
    """The profiles as the layout has them: YAML within a text."""
    text: str = yaml.safe_dump([profile.as_dict() for profile in profiles])
    return text


def write_metadata(
    folder: Path, files: Sequence[FileContent], topics: Sequence[BagTopic], custom: Mapping[str, str]
) -> None:
    """Writes metadata.yaml of a bag of these files, in their order; raises StorageError where that is not possible."""
    counts: Counter[str] = Counter()
    for file in files:
        counts.update(file.counts)
    information = {
        "version": _VERSION,
        "storage_identifier": "mcap",
        "relative_file_paths": [file.name for file in files],
        **_extent([file.span for file in files], counts.total()),
        "topics_with_message_count": [_topic(topic, counts[topic.name]) for topic in topics],
        "compression_format": "",
        "compression_mode": "",
        "files": [{"path": file.name, **_extent([file.span], sum(file.counts.values()))} for file in files],
        "custom_data": dict(custom) or None,
        "ros_distro": "kilted",
    }
    text = yaml.dump(
        {"rosbag2_bagfile_information": information}, Dumper=_PlainDumper, sort_keys=False, width=_LINE
    )
    write_atomically(folder / METADATA_FILE, text)


def read_metadata(folder: Path) -> dict[str, Any]:
    """Returns the content of metadata.yaml; raises StorageError where it is missing or malformed."""
    path = folder / METADATA_FILE
    try:
        information = yaml.safe_load(path.read_text(encoding="utf-8"))["rosbag2_bagfile_information"]
        _ = (information["storage_identifier"], information["relative_file_paths"][0])
    except FileNotFoundError as error:
        raise StorageError(f"{folder} is no bag: it has no {METADATA_FILE}; name a run's folder") from error
    except (OSError, yaml.YAMLError, KeyError, TypeError, IndexError, UnicodeDecodeError) as error:
        raise StorageError(
            f"{path} cannot be read ({error}); `ros2 bag reindex` rewrites it, or name the .mcap file"
        ) from error
    return dict(information)


def _extent(spans: Sequence[tuple[int, int] | None], messages: int) -> dict[str, Any]:
    known = [span for span in spans if span is not None]
    start = min((first for first, _ in known), default=0)
    end = max((last for _, last in known), default=0)
    return {
        "starting_time": {"nanoseconds_since_epoch": start},
        "duration": {"nanoseconds": end - start},
        "message_count": messages,
    }


def _topic(topic: BagTopic, messages: int) -> dict[str, Any]:
    about = {
        "name": topic.name,
        "type": topic.ros_type,
        "serialization_format": "cdr",
        "offered_qos_profiles": qos_text(topic.qos),
        "type_description_hash": topic.type_hash,
    }
    return {"topic_metadata": about, "message_count": messages}


class _PlainDumper(_Dumper):  # type: ignore[misc, valid-type]
    """Without anchors, which the YAML readers of some bag tools do not follow."""

    def ignore_aliases(self, data: Any) -> bool:
        return True
