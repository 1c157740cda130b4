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
_VERSION = (
    8  # of the layout; all distributions up to Kilted read version 8, and Humble does not read version 9
)
_LINE_LENGTH = 10_000  # characters; rosbag2 does not fold texts either
_INFINITE = {"sec": 9223372036, "nsec": 854775807}  # rmw's value for "no limit"

# Numbers of rmw (rmw/types.h); the layout has numbers instead of names up to version 8.
_HISTORY = {"system_default": 0, "keep_last": 1, "keep_all": 2}
_RELIABILITY = {"system_default": 0, "reliable": 1, "best_effort": 2}
_DURABILITY = {"system_default": 0, "transient_local": 1, "volatile": 2}
_AUTOMATIC = 1  # liveliness

_Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # the C dumper is ten times faster


@dataclass(frozen=True)
class StoredQos:
    """A publisher's QoS profile with rosbag2's names: "keep_last", "reliable", "transient_local", ..."""

    history: str = "keep_last"
    depth: int = 10
    reliability: str = "reliable"
    durability: str = "volatile"

    def as_dict(self) -> dict[str, Any]:
        """Returns all fields that rosbag2 requires; fields that are not stored here have their default values."""
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
    """A topic of a bag.

    Attributes:
        name: Full name.
        ros_type: ROS type of its messages.
        type_hash: Hash of the type (REP-2011).
        definition: Definition of the type as a `ros2msg` schema.
        qos: QoS profiles of its publishers.
    """

    name: str
    ros_type: str
    type_hash: str
    definition: str
    qos: tuple[StoredQos, ...]


@dataclass(frozen=True)
class FileContent:
    """Counts and times of the messages in a file of a bag.

    Attributes:
        name: Name of the file.
        counts: Number of messages by topic.
        span: First and last log time [ns]; None without messages.
    """

    name: str
    counts: Mapping[str, int]
    span: tuple[int, int] | None


@lru_cache(maxsize=64)
def qos_text(profiles: tuple[StoredQos, ...]) -> str:
    """Returns QoS profiles in the form of the layout, a text in YAML."""
    text: str = yaml.safe_dump([profile.as_dict() for profile in profiles])
    return text


def write_metadata(
    folder: Path, files: Sequence[FileContent], topics: Sequence[BagTopic], custom: Mapping[str, str]
) -> None:
    """Writes the metadata.yaml of a bag.

    Args:
        folder: Folder of the bag.
        files: Contents of its files, in order.
        topics: Its topics.
        custom: The custom_data.

    Raises:
        StorageError: The file cannot be written.
    """
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
        {"rosbag2_bagfile_information": information}, Dumper=_PlainDumper, sort_keys=False, width=_LINE_LENGTH
    )
    write_atomically(folder / METADATA_FILE, text)


def read_metadata(folder: Path) -> dict[str, Any]:
    """Returns the content of metadata.yaml.

    Raises:
        StorageError: The file is missing or malformed.
    """
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
    """A dumper without anchors, which some tools cannot read."""

    def ignore_aliases(self, data: Any) -> bool:
        return True
